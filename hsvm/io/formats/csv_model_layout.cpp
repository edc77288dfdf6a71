// The columns of a table that is read for a model.

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "hsvm/core/error.hpp"
#include "hsvm/io/formats/csv_layout.hpp"
#include "hsvm/io/streams/text.hpp"

namespace hsvm {
namespace {

// A column of the table that the model was fitted to.
struct SourceColumn {
  std::string name = {};
  Index feature = 0;                  // the first it became
  const WordColumn* words = nullptr;  // null: numbers
  bool is_used = true;
};

std::vector<SourceColumn> source_columns(const ModelColumns& model) {
  std::vector<SourceColumn> columns;
  std::size_t next_words = 0;
  for (Index j = 0; j < model.n_features;) {
    SourceColumn column{.feature = j};
    Index n = 1;
    if (next_words < model.words.size() && model.words[next_words].first_feature == j) {
      column.words = &model.words[next_words++];
      column.name = column.words->name;
      n = column.words->n_features();
    } else if (!model.feature_names.empty()) {
      column.name = model.feature_names[static_cast<std::size_t>(j)];
    }
    const auto begin = model.used.begin() + (model.used.empty() ? 0 : j);
    column.is_used = model.used.empty() || std::any_of(begin, begin + n, [](char used) { return used != 0; });
    columns.push_back(std::move(column));
    j += n;
  }
  return columns;
}

class ModelLayout {
 public:
  ModelLayout(const CsvHead& head, const ColumnNames& names, const std::string& file,
              const ReadOptions& options, const CsvFindings& findings)
      : head_(head),
        names_(names),
        file_(file),
        options_(options),
        findings_(findings),
        model_(*options.model),
        sources_(source_columns(model_)) {
    layout_.has_names = head.has_header;
    layout_.role.assign(names.all().size(), kIgnoredColumn);
    free_.assign(names.all().size(), 1);
    const std::vector<char> dropped = names_.find_all(options_.drop, "drop");
    for (std::size_t c = 0; c < free_.size(); ++c) free_[c] = dropped[c] != 0 ? 0 : 1;
  }

  CsvLayout find() {
    if (options_.label) set_label(names_.find(*options_.label, "the label"));
    if (head_.has_header && !model_.feature_names.empty()) {
      match_names();
    } else {
      match_places();
    }
    return std::move(layout_);
  }

 private:
  [[nodiscard]] InputError refusal(const std::string& message) const {
    return InputError(file_ + ": " + message);
  }

  void set_label(Index column) {
    layout_.label = column;
    layout_.role[static_cast<std::size_t>(column)] = kLabelColumn;
    free_[static_cast<std::size_t>(column)] = 0;
  }

  void set_id(const std::vector<char>& free) {
    layout_.id = detail::find_id(head_, names_, options_, findings_, free);
    if (!layout_.id || layout_.id == layout_.label) return layout_.id.reset();
    layout_.role[static_cast<std::size_t>(*layout_.id)] = kIdColumn;
    free_[static_cast<std::size_t>(*layout_.id)] = 0;
  }

  void add_slot(const SourceColumn& source, Index column) {
    CsvSlot slot{.column = column, .name = source.name, .is_sure = true, .feature = source.feature};
    if (slot.name.empty()) slot.name = fmt::format("x{}", source.feature + 1);
    if (source.words != nullptr) {
      slot.is_words = slot.is_any_text = true;
      slot.known = *source.words;
    }
    const auto k = static_cast<Index>(layout_.slots.size());
    layout_.role[static_cast<std::size_t>(column)] = slot.is_words ? word_role(k) : k;
    free_[static_cast<std::size_t>(column)] = 0;
    layout_.slots.push_back(std::move(slot));
  }

  void match_names() {
    std::unordered_set<std::string> asked;
    for (const SourceColumn& source : sources_) {
      if (!asked.insert(source.name).second)
        throw refusal("feature " + in_quotes(source.name) + " is asked for twice; expected different names");
      if (!source.is_used) continue;
      const std::optional<Index> column = names_.named(source.name);
      if (!column) throw refusal("no column is named " + in_quotes(source.name) + "; " + names_.list());
      if (column == layout_.label)
        throw refusal("column " + in_quotes(source.name) +
                      " is both the label and a feature; expected another label");
      add_slot(source, *column);
    }
    if (!layout_.label) find_label_by_name(asked);
    std::vector<char> free = free_;
    for (Index c = 0; c < names_.size(); ++c) {
      if (asked.contains(names_[c])) free[static_cast<std::size_t>(c)] = 0;
    }
    set_id(free);
    // As files without a remembered label have it: a first column that is nothing else.
    if (!layout_.label && !model_.label && layout_.id != 0 && free[0] != 0) set_label(0);
    if (!layout_.label && options_.labels_required)
      throw refusal("no label column: the first is a feature; expected the option label to name one");
  }

  void find_label_by_name(const std::unordered_set<std::string>& asked) {
    std::vector<char> free = free_;
    for (Index c = 0; c < names_.size(); ++c) {
      if (asked.contains(names_[c])) free[static_cast<std::size_t>(c)] = 0;
    }
    const std::optional<Index> named =
        model_.label ? names_.named(*model_.label) : detail::find_label_name(names_, file_, free);
    if (named && free[static_cast<std::size_t>(*named)] != 0) set_label(*named);
  }

  // Without names on one side, the columns are those of the model in their order, and at most a label and an id beside.
  void match_places() {
    const auto n_sources = static_cast<Index>(sources_.size());
    const auto n_free = [&] { return static_cast<Index>(std::ranges::count(free_, 1)); };
    if (n_free() > n_sources && head_.has_header) {
      if (!layout_.label) {
        const auto named =
            model_.label ? names_.named(*model_.label) : detail::find_label_name(names_, file_, free_);
        if (named) set_label(*named);
      }
      if (n_free() > n_sources) set_id(free_);
    } else if (n_free() > n_sources && options_.id) {
      set_id(free_);
    }
    if (n_free() == n_sources + 1 && !layout_.label) set_label(label_without_name());
    if (n_free() != n_sources) {
      throw refusal(fmt::format("{} feature{} in {} column{}{}; expected {}{}", n_free(),
                                n_free() == 1 ? "" : "s", names_.size(), names_.size() == 1 ? "" : "s",
                                layout_.label ? ", one being the label" : "", n_sources,
                                model_.feature_names.empty() ? "" : ", or the model's names in the first row"));
    }
    std::size_t next = 0;
    for (Index c = 0; c < names_.size(); ++c) {
      if (free_[static_cast<std::size_t>(c)] == 0) continue;
      const SourceColumn& source = sources_[next++];
      if (source.is_used) {
        add_slot(source, c);
      } else {
        free_[static_cast<std::size_t>(c)] = 0;
      }
    }
    if (head_.has_header != !model_.feature_names.empty()) {
      layout_.notes.push_back(head_.has_header ? "columns matched by place: the model has no names"
                                               : "columns matched by place: the table has no names");
    }
    if (!layout_.label && options_.labels_required)
      throw refusal("no label column; expected the option label to name one");
  }

  // The place the model remembers, else the only column of words, else the first.
  [[nodiscard]] Index label_without_name() const {
    if (model_.label_place && *model_.label_place < names_.size() &&
        free_[static_cast<std::size_t>(*model_.label_place)] != 0)
      return *model_.label_place;
    std::vector<Index> words;
    for (Index c = 0; c < names_.size(); ++c) {
      if (free_[static_cast<std::size_t>(c)] != 0 && detail::holds_words(head_, findings_, c))
        words.push_back(c);
    }
    if (words.size() == 1 && model_.words.empty()) return words.front();
    return static_cast<Index>(std::ranges::find(free_, 1) - free_.begin());
  }

  const CsvHead& head_;
  const ColumnNames& names_;
  const std::string& file_;
  const ReadOptions& options_;
  const CsvFindings& findings_;
  const ModelColumns& model_;
  std::vector<SourceColumn> sources_;
  std::vector<char> free_;
  CsvLayout layout_;
};

}  // namespace

CsvLayout detail::find_model_layout(const CsvHead& head, const ColumnNames& names, const std::string& file,
                                    const ReadOptions& options, const CsvFindings& findings) {
  return ModelLayout(head, names, file, options, findings).find();
}

}  // namespace hsvm
