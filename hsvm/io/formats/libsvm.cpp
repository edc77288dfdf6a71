// Reading is one pass over the text. A block is parsed into scratch memory large enough for any block of its size,
// then copied into arrays of the right size. The loop over entries takes only the common forms; at the first byte it
// does not expect, a slower look at the same token says what it is.

#include "hsvm/io/formats/libsvm.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "hsvm/core/error.hpp"
#include "hsvm/io/formats/by_rows.hpp"
#include "hsvm/io/formats/label_table.hpp"
#include "hsvm/io/formats/lists.hpp"
#include "hsvm/io/formats/row_block.hpp"
#include "hsvm/io/streams/parse_number.hpp"
#include "hsvm/io/streams/text.hpp"
#include "hsvm/io/streams/text_input.hpp"

namespace hsvm {
namespace {

constexpr std::size_t kShortestEntry = 4;  // " 1:1"
constexpr std::size_t kShortestRow = 2;    // "1\n"

struct Rules {
  std::uint64_t max_index;
  bool has_n_features;  // max_index is the number of features
  bool labels_required;
  std::uint64_t shift;  // from indices in the file to those from 1
};

// Thrown and caught within a block. It points to what is wrong.
struct Refusal {
  const char* at;
  std::string message;
};

template <class T>
struct LibsvmScratch {
  AlignedBuffer<Index> row_end;
  AlignedBuffer<Index> columns;
  AlignedBuffer<T> values;

  // Makes space for a block of this size and one entry more: zeros are written, then dropped.
  void grow_for(std::size_t text_bytes) {
    if (columns.size() >= text_bytes / kShortestEntry + 2) return;
    row_end.resize(text_bytes / kShortestRow + 1);
    columns.resize(text_bytes / kShortestEntry + 2);
    values.resize(columns.size());
  }
};

[[nodiscard]] bool is_space(char c) {
  return c == ' ' || c == '\t';
}

[[nodiscard]] bool ends_token(const char* p) {
  return is_space(*p) || *p == '\n' || (*p == '\r' && p[1] == '\n');
}

[[nodiscard]] std::string_view token_at(const char* p) {
  const char* end = p;
  while (!ends_token(end)) ++end;
  return {p, static_cast<std::size_t>(end - p)};
}

void refuse_nul(const char* begin, std::string_view token) {
  const std::size_t nul = token.find('\0');
  if (nul != token.npos)
    throw Refusal{begin + nul, "NUL byte; expected text (is this a binary or UTF-16 file?)"};
}

// Reads an index of any length and returns a pointer to the byte after it. The index stops growing once it is above any
// limit.
const char* parse_index(const char* p, std::uint64_t& index) {
  constexpr std::uint64_t kAboveAnyLimit = std::uint64_t{1} << 40;
  for (index = 0; is_digit(*p); ++p)
    index = std::min(kAboveAnyLimit, index * 10 + static_cast<std::uint64_t>(*p - '0'));
  return p;
}

// Says what is wrong with the index at p, if anything is.
void check_index(const char* p, std::uint64_t previous, const Rules& rules) {
  const std::string_view token = token_at(p);
  refuse_nul(p, token);
  const std::string_view word = token.substr(0, token.find(':'));
  const bool negative =
      word.size() > 1 && word.front() == '-' && std::all_of(word.begin() + 1, word.end(), is_digit);
  if (negative) throw Refusal{p, "negative index " + in_quotes(word) + "; expected an index of at least 1"};
  std::uint64_t index = 0;
  const char* const end = parse_index(p, index);
  index += rules.shift;
  if (end != p + word.size() || word.empty()) {
    throw Refusal{p, in_quotes(token) + " where an index belongs; expected INDEX:VALUE"};
  }
  if (*end != ':')
    throw Refusal{end, "no value for index " + in_quotes(word) + "; expected ':' after the index"};
  if (index == 0)
    throw Refusal{
        p, "index 0; expected an index of at least 1, or the option zero_based for a file that counts from 0"};
  if (index > rules.max_index && rules.has_n_features) {
    throw Refusal{p, "index " + in_quotes(word) + " above the number of features; expected at most " +
                         std::to_string(rules.max_index)};
  }
  if (index > rules.max_index) {
    throw Refusal{p, "index " + in_quotes(word) + " above the limit; expected at most " +
                         std::to_string(rules.max_index) + ", or the number of features to be given"};
  }
  if (index == previous) throw Refusal{p, "index " + std::string(word) + " twice; expected increasing indices"};
  if (index < previous) {
    throw Refusal{p, "index " + std::string(word) + " after " + std::to_string(previous - rules.shift) +
                         "; expected increasing indices"};
  }
}

// A label that was not there before.
void check_label(const char* p, std::string_view token) {
  std::string word = lower_case(token.substr(0, 10));
  if (word.starts_with('+') || word.starts_with('-')) word.erase(0, 1);
  if (word == "nan" || word == "inf" || word == "infinity")
    throw Refusal{p, "label " + in_quotes(token) + "; expected a word or a finite number"};
  if (!is_utf8(token))
    throw Refusal{
        p, "label " + in_quotes(token) + " is not UTF-8; expected the file in UTF-8 (iconv converts it)"};
}

// Says what is wrong with the value at p, which is not a number, not finite, or followed by something else.
template <class T>
[[noreturn]] void refuse_value(const char* p) {
  const std::string_view token = token_at(p);
  refuse_nul(p, token);
  if (token.empty()) throw Refusal{p, "no value after ':'; expected a number"};
  T value = 0;
  const char* const end = parse_number(p, value);
  if (end == p + token.size() && !std::isfinite(value)) {
    throw Refusal{p, "value " + in_quotes(token) + " too large; expected a finite number"};
  }
  const std::string word = lower_case(token);
  if (word.find("nan") != word.npos || word.find("inf") != word.npos) {
    throw Refusal{p, "value " + in_quotes(token) + "; expected a finite number"};
  }
  throw Refusal{p, in_quotes(token) + " where a value belongs; expected a number"};
}

template <class T>
class LibsvmParser {
 public:
  LibsvmParser(std::string_view text, const Rules& rules, LibsvmScratch<T>& scratch, RowBlock<T>& block)
      : text_(text), rules_(rules), scratch_(scratch), block_(block) {}

  void parse() {
    scratch_.grow_for(text_.size());
    const char* p = text_.data();
    const char* const end = p + text_.size();
    try {
      for (; p != end; ++block_.n_lines) {
        line_ = p;
        p = parse_line(p);
      }
    } catch (const Refusal& refusal) {
      block_.error = TextError{position_of(refusal.at), refusal.message};
      return;
    }
    block_.store_sparse(scratch_.row_end.data(), scratch_.columns.data(), scratch_.values.data());
    block_.labels = labels_.distinct();
  }

 private:
  [[nodiscard]] TextPosition position_of(const char* p) const { return {block_.n_lines, p - line_}; }

  // Returns the beginning of the next line.
  const char* parse_line(const char* p) {
    while (is_space(*p)) ++p;
    if (*p == '\r' && p[1] == '\n') ++p;
    if (*p == '\n') return p + 1;
    if (*p == '#') return skip_comment(p);
    p = parse_label(p);
    std::uint64_t previous = 0;
    std::size_t n_entries = n_entries_;  // a local: kept in a register
    for (;;) {
      while (is_space(*p)) ++p;
      if (!is_digit(*p)) {
        if (*p == '\r' && p[1] == '\n') ++p;
        if (*p == '\n' || *p == '#') break;
        check_index(p, previous, rules_);
      }
      p = parse_entry(p, previous, n_entries);
    }
    n_entries_ = n_entries;
    block_.width = std::max(block_.width, static_cast<Index>(previous));
    scratch_.row_end[static_cast<std::size_t>(block_.n_rows++)] = static_cast<Index>(n_entries_);
    return *p == '#' ? skip_comment(p) : p + 1;
  }

  // Reads INDEX:VALUE at a digit and returns a pointer to the byte after it.
  [[gnu::always_inline]] inline const char* parse_entry(const char* p, std::uint64_t& previous,
                                                        std::size_t& n_entries) {
    const std::uint64_t word = load_word(p);
    const unsigned n_digits = count_digits(word);
    std::uint64_t index = 0;
    const char* value_begin = p + n_digits;
    if (n_digits < 8) [[likely]] {
      index = digits_value(word, n_digits);
    } else {
      value_begin = parse_index(p, index);
    }
    index += rules_.shift;
    if (*value_begin != ':' || index <= previous || index > rules_.max_index) [[unlikely]] {
      check_index(p, previous, rules_);
    }
    ++value_begin;
    T value = 0;
    const char* const end = parse_number(value_begin, value);
    if (end == nullptr || !ends_token(end) || !std::isfinite(value)) [[unlikely]]
      refuse_value<T>(value_begin);
    scratch_.columns[n_entries] = static_cast<Index>(index - 1);
    scratch_.values[n_entries] = value;
    n_entries += value != T{0};
    previous = index;
    return end;
  }

  // Reads the label, if there is one, and returns a pointer to the byte after it.
  const char* parse_label(const char* p) {
    const std::string_view token = token_at(p);
    refuse_nul(p, token);
    if (token.find(':') != token.npos) {
      if (rules_.labels_required) {
        throw Refusal{p, "no label: the line begins with " + in_quotes(token) +
                             "; expected a label before the first feature"};
      }
      if (!block_.first_unlabelled) block_.first_unlabelled = position_of(p);
      return p;
    }
    if (token.find('#') != token.npos) {
      throw Refusal{p, "'#' in the label " + in_quotes(token) + "; expected a space before a comment"};
    }
    if (!block_.first_labelled) block_.first_labelled = position_of(p);
    const std::size_t n_known = labels_.distinct().size();
    block_.label_of_row.push_back(labels_.number_of(token));
    if (labels_.distinct().size() > n_known) check_label(p, token);
    return p + token.size();
  }

  const char* skip_comment(const char* p) {
    const char* const end =
        static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(text_.end() - p)));
    refuse_nul(p, {p, static_cast<std::size_t>(end - p)});
    return end + 1;
  }

  std::string_view text_;
  const Rules& rules_;
  LibsvmScratch<T>& scratch_;
  RowBlock<T>& block_;
  LabelTable labels_;
  const char* line_ = nullptr;  // the beginning of the line being read
  std::size_t n_entries_ = 0;
};

Rules rules_of(const ReadOptions& options) {
  return {.max_index = static_cast<std::uint64_t>(options.n_features.value_or(kMaxFeatures)),
          .has_n_features = options.n_features.has_value(),
          .labels_required = options.labels_required,
          .shift = options.zero_based ? 1U : 0U};
}

template <class T>
Dataset read_as(InputFile& file, const ReadOptions& options) {
  const Rules rules = rules_of(options);
  const Collective& ranks = *options.ranks;
  TextInput input(file, options.block_bytes);
  if (!ranks.is_alone()) input.keep_part(ranks.rank(), ranks.size());
  std::deque<RowBlock<T>> blocks;
  agree_on_errors(ranks, [&] {
    blocks = parse_rows<T, LibsvmScratch<T>>(
        input, [&](std::string_view text, LibsvmScratch<T>& scratch, RowBlock<T>& block) {
          LibsvmParser<T>(text, rules, scratch, block).parse();
        });
  });
  if (!ranks.any(!blocks.empty()))
    throw InputError(input.name() + ": the file is empty; expected samples in LIBSVM format");
  return join_blocks(
      std::move(blocks),
      {.source = input.name(), .n_features = options.n_features, .storage = options.storage, .ranks = &ranks});
}

template <class T>
FolderHeader stream_as(InputFile& file, const ReadOptions& options, const std::string& folder,
                       const FolderOptions& folder_options) {
  const Rules rules = rules_of(options);
  FolderWriter<T> writer(file.name(), folder, folder_options);
  TextInput input(file, options.block_bytes);
  stream_rows<T, LibsvmScratch<T>>(
      input,
      [&](std::string_view text, LibsvmScratch<T>& scratch, RowBlock<T>& block) {
        LibsvmParser<T>(text, rules, scratch, block).parse();
      },
      [&](const RowBlock<T>& block) { writer.add(block); });
  std::optional<Labels> labels;
  if (!options.labels_file.empty()) labels = make_labels(read_words(options.labels_file));
  return writer.finish(options.n_features, options.storage, std::move(labels));
}

bool is_last_column_empty(const Design& design) {
  if (design.cols() == 0) return false;
  ColumnBuffer buffer;
  return std::ranges::all_of(design.column(design.cols() - 1, buffer).values,
                             [](double value) { return value == 0.0; });
}

void check_labels(const Labels& labels, const std::string& file) {
  for (const std::string& label : labels.classes.names) {
    if (label.empty() || label.find_first_of(std::string_view(" \t\r\n:#\0", 7)) != label.npos) {
      throw InputError(file + ": label " + in_quotes(label) +
                       " cannot be written in LIBSVM format; expected a word without spaces, ':' and '#'");
    }
  }
}

}  // namespace

bool recognises_libsvm(std::string_view head) {
  constexpr std::string_view kBlank = " \t\r";
  while (!head.empty()) {
    std::string_view line = head.substr(0, head.find('\n'));
    head.remove_prefix(std::min(head.size(), line.size() + 1));
    line = line.substr(0, line.find('#'));
    for (int n_tokens = 0;; ++n_tokens) {
      line.remove_prefix(std::min(line.size(), line.find_first_not_of(kBlank)));
      if (line.empty()) break;  // nothing but a label: the next line will tell
      const std::string_view token = line.substr(0, line.find_first_of(kBlank));
      line.remove_prefix(token.size());
      const std::size_t n_digits = std::min(token.size(), token.find_first_not_of("0123456789"));
      const bool is_entry = n_digits > 0 && n_digits < token.size() && token[n_digits] == ':';
      if (is_entry || n_tokens > 0) return is_entry && token.find(',') == token.npos;
    }
  }
  return false;
}

Dataset read_libsvm(InputFile& file, const ReadOptions& options) {
  return options.precision == Precision::double_precision ? read_as<double>(file, options)
                                                          : read_as<float>(file, options);
}

FolderHeader stream_libsvm(InputFile& file, const ReadOptions& options, const std::string& folder,
                           const FolderOptions& folder_options) {
  return options.precision == Precision::double_precision
             ? stream_as<double>(file, options, folder, folder_options)
             : stream_as<float>(file, options, folder, folder_options);
}

void write_libsvm(const Dataset& dataset, OutputFile& file) {
  if (dataset.labels) check_labels(*dataset.labels, file.name());
  if (!dataset.missing.empty()) {
    throw InputError(file.name() + ": " + std::to_string(dataset.missing.size()) +
                     " missing values cannot be written in LIBSVM format; expected a table, or none missing");
  }
  const bool name_last_column = is_last_column_empty(dataset.design);
  std::string line;
  const auto append_entry = [&](Index column, auto value) {
    if (!line.empty()) line += ' ';
    append_number(line, column + 1);
    line += ':';
    append_number(line, value);
  };
  for_each_row(dataset.design, [&](Index i, std::span<const Index> columns, const auto values) {
    line.clear();
    if (dataset.labels) {
      const Index k = dataset.labels->of_sample[static_cast<std::size_t>(i)];
      line += dataset.labels->classes.names[static_cast<std::size_t>(k)];
    }
    for (std::size_t k = 0; k < columns.size(); ++k) append_entry(columns[k], values[k]);
    if (name_last_column && i == 0) append_entry(dataset.n_features() - 1, 0);
    if (line.empty()) append_entry(0, 0);
    line += '\n';
    file.write(line);
  });
}

}  // namespace hsvm
