#include "hsvm/io/formats/csv_encode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "hsvm/core/error.hpp"
#include "hsvm/core/parallel.hpp"
#include "hsvm/io/formats/csv_fields.hpp"
#include "hsvm/io/streams/parse_number.hpp"
#include "hsvm/io/streams/text.hpp"

namespace hsvm {
namespace {

constexpr Index kUnseenWord = -1;
constexpr std::size_t kFewestNames = 3;  // rows with all different words

// What a slot becomes.
struct SlotFeatures {
  Index first = 0;
  std::optional<WordColumn> words = {};           // none: a number
  bool is_left_out = false;                       // all words are different
  std::vector<std::vector<Index>> of_block = {};  // of words: for each block, what its words are in `words`
  Count n_missing = 0;
  Count n_unseen = 0;
};

// The number that a word is in a column, kUnseenWord where it is none; of a truth column 0 or 1.
Index word_number(const WordColumn& column, const std::string& word) {
  if (!column.truth) return column.find(word).value_or(kUnseenWord);
  const int truth = truth_of(word);
  if (truth >= 0) return truth;
  return word == "0" || word == "1" ? word[0] - '0' : kUnseenWord;
}

template <class T>
class TableEncoder {
 public:
  TableEncoder(std::deque<CsvBlock<T>> blocks, const CsvTable& table)
      : blocks_(std::move(blocks)),
        table_(table),
        layout_(*table.rules.layout),
        options_(*table.rules.options) {}

  Dataset encode() {
    std::erase_if(blocks_, [&](CsvBlock<T>& block) { return note_lines(block); });
    for (std::size_t k = 0; k < layout_.slots.size(); ++k) {
      features_.emplace_back();
      if (layout_.slots[k].is_words) find_words(k);
    }
    place_features();
    refuse_missing();
    missing_.resize(blocks_.size());
    parallel_for(static_cast<Index>(blocks_.size()),
                 [&](Index b) { encode_block(static_cast<std::size_t>(b)); });
    std::deque<RowBlock<T>> rows;
    for (CsvBlock<T>& block : blocks_) rows.push_back(std::move(block.rows));
    for (const RowBlock<T>& block : rows)
      first_rows_.push_back(first_rows_.empty() ? 0 : next_row_), next_row_ = first_rows_.back() + block.n_rows;
    Dataset data = join_blocks(std::move(rows), {.source = table_.source,
                                                 .first_line = table_.first_line,
                                                 .n_features = n_features_,
                                                 .storage = options_.storage,
                                                 .feature_names = feature_names(),
                                                 .ranks = table_.ranks});
    describe(data);
    return data;
  }

 private:
  [[nodiscard]] InputError refusal(const std::string& message) const {
    return InputError(table_.source + ": " + message);
  }

  // Adds up lines; true for a block without rows, which is not needed any more.
  bool note_lines(const CsvBlock<T>& block) {
    const Count first = std::exchange(next_line_, next_line_ + block.rows.n_lines);
    if (block.rows.n_rows == 0) return true;
    first_lines_.push_back(first);
    n_rows_ += static_cast<std::size_t>(block.rows.n_rows);
    return false;
  }

  [[nodiscard]] std::string located(std::size_t b, TextPosition position, const std::string& message) const {
    position.line += table_.first_line + first_lines_[b];
    return locate_in_table(table_, position, message);
  }

  void find_words(std::size_t k) {
    refuse_mixed(k);
    const CsvSlot& slot = layout_.slots[k];
    SlotFeatures& features = features_[k];
    if (slot.known) {
      features.words = slot.known;
    } else {
      LabelTable all;
      for (const CsvBlock<T>& block : blocks_) {
        for (const std::string& word : block.words.at(k)) (void)all.number_of(word);
      }
      features.words = make_column(slot, all.distinct());
      if (!slot.is_any_text && all.distinct().size() == n_rows_ && n_rows_ >= kFewestNames) {
        features.is_left_out = true;
        return;
      }
      if (!features.words->truth && std::ssize(all.distinct()) > options_.max_words)
        refuse_many(slot, all.distinct());
    }
    for (const CsvBlock<T>& block : blocks_) {
      std::vector<Index>& numbers = features.of_block.emplace_back();
      for (const std::string& word : block.words.at(k)) numbers.push_back(word_number(*features.words, word));
    }
  }

  // A column has words or numbers; what came later is the mistake.
  void refuse_mixed(std::size_t k) const {
    std::optional<std::pair<std::size_t, FoundText>> word;
    std::optional<std::pair<std::size_t, FoundText>> number;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const CsvBlock<T>& block = blocks_[b];
      if (!word && block.first_word.contains(k)) word.emplace(b, block.first_word.at(k));
      if (!number && block.first_number.contains(k)) number.emplace(b, block.first_number.at(k));
    }
    if (!word || !number) return;
    const bool word_is_later =
        std::pair(word->first, word->second.position) > std::pair(number->first, number->second.position);
    const auto& [b, found] = word_is_later ? *word : *number;
    throw InputError(
        located(b, found.position,
                in_quotes(found.text) + table_.rules.names->in_column(layout_.slots[k].column) +
                    (word_is_later ? "; expected a number, as before" : "; expected a word, as before") +
                    " (the option words takes all of a column as words)"));
  }

  [[noreturn]] void refuse_many(const CsvSlot& slot, const std::vector<std::string>& words) const {
    throw refusal(fmt::format(
        "{} has {} different words, such as {} and {}; expected numbers, or at most {} words (the option drop leaves it out)",
        table_.rules.names->describe(slot.column), words.size(), in_quotes(words[0]), in_quotes(words[1]),
        options_.max_words));
  }

  [[nodiscard]] static WordColumn make_column(const CsvSlot& slot, std::vector<std::string> words) {
    WordColumn column{.name = slot.name};
    const auto is_truth = [](const std::string& word) { return truth_of(word) >= 0; };
    column.truth = !slot.is_any_text && !words.empty() && std::ranges::all_of(words, is_truth);
    if (column.truth) {
      const bool says_yes = lower_case(words.front()) == "yes" || lower_case(words.front()) == "no";
      column.words =
          says_yes ? std::vector<std::string>{"no", "yes"} : std::vector<std::string>{"FALSE", "TRUE"};
      for (auto word = words.rbegin(); word != words.rend(); ++word)
        column.words[static_cast<std::size_t>(truth_of(*word))] = *word;  // as they are first written
    } else {
      std::ranges::sort(words);
      column.words = std::move(words);
    }
    return column;
  }

  void place_features() {
    Index next = 0;
    for (std::size_t k = 0; k < features_.size(); ++k) {
      SlotFeatures& slot = features_[k];
      slot.first = options_.model ? layout_.slots[k].feature : next;
      if (slot.words) slot.words->first_feature = slot.first;
      if (!slot.is_left_out) next += slot.words ? slot.words->n_features() : 1;
      is_as_parsed_ = is_as_parsed_ && !slot.words && slot.first == static_cast<Index>(k);
    }
    n_features_ = options_.model ? options_.model->n_features : next;
    is_as_parsed_ = is_as_parsed_ && n_features_ == static_cast<Index>(features_.size());
    if (n_features_ == 0) throw refusal("no features are left; expected a column with numbers or words");
  }

  [[nodiscard]] std::vector<std::string> feature_names() const {
    if (options_.model) return options_.model->feature_names;
    const bool has_words =
        std::ranges::any_of(features_, [](const SlotFeatures& slot) { return slot.words.has_value(); });
    std::vector<std::string> names;
    if (!layout_.has_names && !has_words) return names;
    for (std::size_t k = 0; k < features_.size(); ++k) {
      if (features_[k].is_left_out) continue;
      if (!features_[k].words)
        names.push_back(layout_.slots[k].name.empty() ? fmt::format("x{}", k + 1) : layout_.slots[k].name);
      for (Index f = 0; features_[k].words && f < features_[k].words->n_features(); ++f)
        names.push_back(word_column(k).feature_name(f));
    }
    return names;
  }

  // With a name even where the table has none.
  [[nodiscard]] WordColumn word_column(std::size_t k) const {
    WordColumn column = *features_[k].words;
    if (column.name.empty()) column.name = fmt::format("x{}", k + 1);
    return column;
  }

  // Calls visit(row, values) with a value for each slot.
  template <class Visit>
  static void for_each_row_of(const RowBlock<T>& rows, const Visit& visit) {
    const auto width = static_cast<std::size_t>(rows.width);
    std::vector<T> values(width);
    std::size_t next = 0;
    for (Index i = 0; i < rows.n_rows; ++i) {
      if (rows.is_panel) {
        std::copy_n(rows.values.data() + static_cast<std::size_t>(i) * width, width, values.data());
      } else {
        std::ranges::fill(values, T{0});
        for (const auto end = static_cast<std::size_t>(rows.row_end[static_cast<std::size_t>(i)]); next < end;
             ++next)
          values[static_cast<std::size_t>(rows.columns[next])] = rows.values[next];
      }
      visit(i, values);
    }
  }

  void refuse_missing() {
    Count n_missing = 0;
    std::optional<std::size_t> first_block;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (blocks_[b].n_missing == 0) continue;
      if (!first_block) first_block = b;
      n_missing += blocks_[b].n_missing;
      for_each_row_of(blocks_[b].rows, [&](Index /*row*/, const std::vector<T>& values) {
        for (std::size_t k = 0; k < values.size(); ++k) features_[k].n_missing += std::isnan(values[k]) ? 1 : 0;
      });
    }
    if (n_missing == 0 || options_.missing != Missing::refuse || options_.model) return;
    const TextPosition first = *blocks_[*first_block].first_missing;
    throw InputError(located(
        *first_block, first,
        fmt::format("missing value{}, the first of {}{}; expected a value (the option missing: mean, median, "
                    "drop-samples or drop-features)",
                    table_.rules.names->in_column(static_cast<Index>(first.column)), n_missing,
                    describe_missing())));
  }

  // " in 3 columns: 'a' (12), 'b' (4), 'c' (1)"
  [[nodiscard]] std::string describe_missing() const {
    constexpr std::size_t kMost = 6;
    std::string list;
    std::size_t n_columns = 0;
    for (std::size_t k = 0; k < features_.size(); ++k) {
      if (features_[k].n_missing == 0) continue;
      if (++n_columns <= kMost) {
        const std::string& name = (*table_.rules.names)[layout_.slots[k].column];
        list += fmt::format("{}{} ({})", n_columns == 1 ? ": " : ", ",
                            name.empty() ? std::to_string(layout_.slots[k].column + 1) : in_quotes(name),
                            features_[k].n_missing);
      }
    }
    if (n_columns > kMost) list += fmt::format(", and {} more", n_columns - kMost);
    return fmt::format(" in {} column{}{}", n_columns, n_columns == 1 ? "" : "s", list);
  }

  struct MissingEntry {
    Index feature;
    Index row;  // in the block
  };

  void encode_block(std::size_t b) {
    CsvBlock<T>& block = blocks_[b];
    block.text = {};
    if (is_as_parsed_ && block.n_missing == 0) return;
    RowBlock<T>& rows = block.rows;
    AlignedBuffer<Index> row_end;
    AlignedBuffer<Index> columns;
    AlignedBuffer<T> values;
    std::vector<MissingEntry>& missing = missing_[b];
    for_each_row_of(rows, [&](Index i, const std::vector<T>& row) {
      for (std::size_t k = 0; k < row.size(); ++k) {
        const SlotFeatures& slot = features_[k];
        if (slot.is_left_out) continue;
        if (std::isnan(row[k])) {
          for (Index f = 0; f < (slot.words ? slot.words->n_features() : 1); ++f)
            missing.push_back({slot.first + f, i});
          continue;
        }
        Index feature = slot.first;
        T value = row[k];
        if (slot.words) {
          const Index number = slot.of_block[b][static_cast<std::size_t>(row[k])];
          if (number == kUnseenWord) continue;
          if (!slot.words->truth) feature += number;
          value = slot.words->truth ? static_cast<T>(number) : T{1};
        }
        if (value == T{0}) continue;
        columns.push_back(feature);
        values.push_back(value);
      }
      row_end.push_back(static_cast<Index>(columns.size()));
    });
    rows.width = n_features_;
    rows.row_end = {};
    rows.columns = {};
    rows.store_sparse(row_end.data(), columns.data(), values.data());
  }

  [[nodiscard]] MissingEntries join_missing() const {
    std::vector<std::pair<Index, Index>> all;  // feature, row
    for (std::size_t b = 0; b < missing_.size(); ++b) {
      for (const MissingEntry& entry : missing_[b]) all.emplace_back(entry.feature, first_rows_[b] + entry.row);
    }
    std::ranges::sort(all);
    MissingEntries result;
    for (const auto& [feature, row] : all) {
      if (result.columns.empty() || result.columns.back().feature != feature)
        result.columns.push_back({feature});
      result.columns.back().rows.push_back(row);
    }
    return result;
  }

  void describe(Dataset& data) {
    data.missing = join_missing();
    for (CsvBlock<T>& block : blocks_) {
      std::ranges::move(block.sample_names, std::back_inserter(data.sample_names));
      std::ranges::move(block.groups, std::back_inserter(data.groups));
    }
    TableInfo& info = data.table;
    info.notes = layout_.notes;
    std::vector<std::string> words;
    std::vector<std::string> left_out;
    for (std::size_t k = 0; k < features_.size(); ++k) {
      const SlotFeatures& slot = features_[k];
      const std::string name = table_.rules.names->describe(layout_.slots[k].column).substr(7);
      if (slot.is_left_out) left_out.push_back(name);
      if (!slot.words || slot.is_left_out) continue;
      info.words.push_back(word_column(k));
      if (!slot.words->truth) words.push_back(fmt::format("{} ({})", name, slot.words->words.size()));
    }
    if (options_.model) note_unseen(info);
    if (!words.empty() && !options_.model)
      info.notes.push_back(fmt::format("words as 0/1: {}", fmt::join(words, ", ")));
    if (!left_out.empty())
      info.notes.push_back(fmt::format("left out, all words differ: {}", fmt::join(left_out, ", ")));
    if (table_.rules.decimal == ',') info.notes.push_back("decimal commas");
    const auto place_of = [&](Index column) {
      const auto kept = [](Index role) { return role != kIgnoredColumn && role != kEmptyColumn; };
      return static_cast<Index>(std::count_if(layout_.role.begin(), layout_.role.begin() + column, kept));
    };
    const auto table_column = [&](std::optional<Index> column) {
      return column ? std::optional(TableColumn{(*table_.rules.names)[*column], place_of(*column)})
                    : std::nullopt;
    };
    info.label = table_column(layout_.label);
    info.id = table_column(layout_.id);
    info.groups = table_column(layout_.groups);
    Count n_missing = 0;
    for (const SlotFeatures& slot : features_) n_missing += slot.n_missing;
    if (n_missing > 0 && !options_.model)
      info.notes.push_back(fmt::format("{} missing{}", n_missing, describe_missing()));
  }

  void note_unseen(TableInfo& info) const {
    for (std::size_t k = 0; k < features_.size(); ++k) {
      const SlotFeatures& slot = features_[k];
      if (!slot.words) continue;
      for (std::size_t b = 0; b < blocks_.size(); ++b) {
        const auto unseen = std::ranges::find(slot.of_block[b], kUnseenWord);
        if (unseen == slot.of_block[b].end()) continue;
        info.notes.push_back(fmt::format(
            "{} has words that the model has not seen, such as {}: all zeros",
            table_.rules.names->describe(layout_.slots[k].column),
            in_quotes(blocks_[b].words.at(k)[static_cast<std::size_t>(unseen - slot.of_block[b].begin())])));
        break;
      }
    }
  }

  std::deque<CsvBlock<T>> blocks_;
  const CsvTable& table_;
  const CsvLayout& layout_;
  const ReadOptions& options_;
  std::vector<SlotFeatures> features_;
  std::vector<std::vector<MissingEntry>> missing_;  // of each block
  std::vector<Count> first_lines_;                  // likewise, from the first block's
  std::vector<Index> first_rows_;
  Count next_line_ = 0;
  Index next_row_ = 0;
  std::size_t n_rows_ = 0;
  Index n_features_ = 0;
  bool is_as_parsed_ = true;  // slot k is feature k
};

}  // namespace

std::string locate_in_table(const CsvTable& table, TextPosition position, const std::string& message) {
  if (!table.transposed_lines.empty())
    position = {table.transposed_lines[static_cast<std::size_t>(position.column)], position.line};
  return locate(table.source, position, message);
}

template <class T>
Dataset encode_table(std::deque<CsvBlock<T>> blocks, const CsvTable& table) {
  return TableEncoder<T>(std::move(blocks), table).encode();
}

template Dataset encode_table(std::deque<CsvBlock<double>> blocks, const CsvTable& table);
template Dataset encode_table(std::deque<CsvBlock<float>> blocks, const CsvTable& table);

}  // namespace hsvm
