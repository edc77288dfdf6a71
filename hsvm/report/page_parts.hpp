// What the sections of a page are made of. For the .cpp files of this folder only: it brings in the JSON package.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hsvm/report/report.hpp"
#include "hsvm/report/table.hpp"

namespace hsvm::report {

using Json = nlohmann::ordered_json;

// One of several results as the sections see it. Refers to the Reported it was made from.
struct View {
  std::string name;
  LinearModel model;  // the one that is shown
  bool one_se = false;
  const TunedModel* tuned = nullptr;  // where it is one of these
  const PathModel* path = nullptr;
  const Evidence* evidence = nullptr;  // where the tuned model has it
  std::optional<PathPicture> picture;  // of the path, where there is one
};

struct Section {
  std::string id;  // one word
  std::string title;
  std::string html = {};  // empty: there is nothing to show
  Json data = nullptr;    // for its charts, which stand under the section's id
};

// A chart: what it is called in page.js, what a screen reader says of it, and the words below it (HTML).
[[nodiscard]] std::string chart(const std::string& kind, const std::string& label, const std::string& caption,
                                const std::string& controls = "");
// A table that opens on demand; `open` shows it at once.
[[nodiscard]] std::string folded(const Table& table, const std::string& summary = "Table");
[[nodiscard]] std::string paragraph(const std::string& text);  // escapes it
// "87.1 %"
[[nodiscard]] std::string percent(double share);
// "2,000"
[[nodiscard]] std::string thousands(Count number);
// "1 feature", "2 features"
[[nodiscard]] std::string count_of(Count number, const std::string& thing);

[[nodiscard]] Section answer_section(const View& view, const ReportOptions& options, const std::string& date,
                                     const std::string& version);
[[nodiscard]] Section tuning_section(const View& view, const ReportOptions& options);
[[nodiscard]] Section paths_section(const View& view);
[[nodiscard]] Section features_section(const View& view, const ReportOptions& options);
[[nodiscard]] Section stability_section(const View& view);
[[nodiscard]] Section correlations_section(const View& view);
[[nodiscard]] Section solve_section(const View& view);

// Samples with their classes and the scores of models that were not fitted to them.
struct Judged {
  std::string id;  // of the section
  std::string title;
  std::string words = {};  // which samples these are, HTML
  std::vector<Index> truth = {};
  std::vector<Index> predicted = {};
  std::vector<double> scores = {};      // n_outputs for each sample
  std::vector<std::string> names = {};  // one for each sample
  std::string flattered = {};           // what to know of the probabilities
};
[[nodiscard]] Section samples_section(const View& view, const Judged& judged);
[[nodiscard]] std::optional<Judged> out_of_fold(const View& view);
[[nodiscard]] Judged judged_new(const NewSamples& samples);

// The sections that compare several models.
[[nodiscard]] std::vector<Section> comparison_sections(const std::vector<View>& views,
                                                       const std::vector<Reported>& models);

}  // namespace hsvm::report
