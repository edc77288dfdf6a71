// A design with its labels: what reading a file gives, and what a fit takes. Of a table it also tells what its columns were,
// so that a model can remember them and a table can be written again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hsvm/core/types.hpp"
#include "hsvm/data/csc_matrix.hpp"
#include "hsvm/data/dense_matrix.hpp"
#include "hsvm/data/labels.hpp"
#include "hsvm/data/missing_entries.hpp"
#include "hsvm/data/word_column.hpp"

namespace hsvm {

// A column that is no feature, and where it stands: the number of columns before it, among those that were kept.
struct TableColumn {
  std::string name;  // empty where it has none
  Index place = 0;

  friend bool operator==(const TableColumn&, const TableColumn&) = default;
};

struct TableInfo {
  std::optional<TableColumn> label = {};
  std::optional<TableColumn> id = {};  // the samples' names
  std::optional<TableColumn> groups = {};
  std::vector<WordColumn> words = {};    // columns of words, by their first feature
  std::vector<Index> dropped_rows = {};  // samples of the file that were left out for missing values, ascending
  std::vector<std::string> notes = {};   // what was taken for what, for people: "label: column 'y'"
};

struct Dataset {
  std::string source;  // where it came from, for messages
  SharedDesign design;
  std::optional<Labels> labels;                // absent in unlabelled data
  std::vector<std::string> feature_names;      // empty, or one for each feature
  std::vector<std::string> sample_names = {};  // empty, or one for each sample
  std::vector<std::string> groups = {};        // empty, or the group of each sample: those that belong together
  TableInfo table = {};
  MissingEntries missing = {};  // the design has zeros there
  Fill fill = Fill::none;       // what a fit puts there; none: it refuses

  [[nodiscard]] Index n_samples() const { return design->rows(); }
  [[nodiscard]] Index n_features() const { return design->cols(); }
};

}  // namespace hsvm
