// One pass over the text. A block is parsed into scratch memory large enough for any block of its size, then
// copied into arrays of the right size. The loop over entries takes only the common forms; at the first byte it
// does not expect, a slower look at the same token says what it is.

#include "hsvm/io/formats/libsvm.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include "hsvm/core/error.hpp"
#include "hsvm/io/streams/parse_number.hpp"
#include "hsvm/io/streams/row_block.hpp"
#include "hsvm/io/streams/text_input.hpp"

namespace hsvm {
namespace {

constexpr std::size_t kShortestEntry = 4;  // " 1:1"
constexpr std::size_t kShortestRow = 2;    // "1\n"

struct Rules {
  std::uint64_t max_index;
  bool has_n_features;  // max_index is the number of features
  bool labels_required;
};

// Thrown and caught within a block.
struct Refusal {
  const char* at;
  std::string message;
};

template <class T>
struct Scratch {
  AlignedBuffer<Index> row_end;
  AlignedBuffer<Index> columns;
  AlignedBuffer<T> values;

  void fit(std::size_t text_bytes) {  // one entry more than there can be: zeros are written, then dropped
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

// Reads an index of any length. Returns the place after it; the index stops growing where it is above any
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
  if (negative) throw Refusal{p, "negative index " + quoted(word) + "; expected an index of at least 1"};
  std::uint64_t index = 0;
  const char* const end = parse_index(p, index);
  if (end != p + word.size() || word.empty()) {
    throw Refusal{p, quoted(token) + " where an index belongs; expected INDEX:VALUE"};
  }
  if (*end != ':') throw Refusal{end, "no value for index " + quoted(word) + "; expected ':' after the index"};
  if (index == 0) throw Refusal{p, "index 0; expected an index of at least 1"};
  if (index > rules.max_index && rules.has_n_features) {
    throw Refusal{p, "index " + quoted(word) + " above the number of features; expected at most " +
                         std::to_string(rules.max_index)};
  }
  if (index > rules.max_index) {
    throw Refusal{p, "index " + quoted(word) + " above the limit; expected at most " +
                         std::to_string(rules.max_index) + ", or the number of features to be given"};
  }
  if (index == previous)
    throw Refusal{p, "index " + std::to_string(index) + " twice; expected increasing indices"};
  if (index < previous) {
    throw Refusal{p, "index " + std::to_string(index) + " after " + std::to_string(previous) +
                         "; expected increasing indices"};
  }
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
    throw Refusal{p, "value " + quoted(token) + " too large; expected a finite number"};
  }
  std::string word(token);
  std::transform(word.begin(), word.end(), word.begin(),
                 [](char c) { return is_digit(c) ? c : static_cast<char>(c | 0x20); });
  if (word.find("nan") != word.npos || word.find("inf") != word.npos) {
    throw Refusal{p, "value " + quoted(token) + "; expected a finite number"};
  }
  throw Refusal{p, quoted(token) + " where a value belongs; expected a number"};
}

template <class T>
class BlockParser {
 public:
  BlockParser(std::string_view text, const Rules& rules, Scratch<T>& scratch, RowBlock<T>& block)
      : text_(text), rules_(rules), scratch_(scratch), block_(block) {}

  void parse() {
    scratch_.fit(text_.size());
    const char* p = text_.data();
    const char* const end = p + text_.size();
    try {
      for (; p != end; ++block_.n_lines) {
        line_ = p;
        p = parse_line(p);
      }
    } catch (const Refusal& refusal) {
      block_.error = TextError{place_of(refusal.at), refusal.message};
      return;
    }
    block_.take_sparse(scratch_.row_end.data(), scratch_.columns.data(), scratch_.values.data());
    block_.labels = labels_.distinct();
  }

 private:
  [[nodiscard]] TextPlace place_of(const char* p) const { return {block_.n_lines, p - line_}; }

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

  // Reads INDEX:VALUE, of which the first digit is there, and returns the place after it.
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

  // Reads the label, if there is one, and returns the place after it.
  const char* parse_label(const char* p) {
    const std::string_view token = token_at(p);
    refuse_nul(p, token);
    if (token.find(':') != token.npos) {
      if (rules_.labels_required) {
        throw Refusal{p, "no label: the line begins with " + quoted(token) +
                             "; expected a label before the first feature"};
      }
      if (!block_.unlabelled) block_.unlabelled = place_of(p);
      return p;
    }
    if (token.find('#') != token.npos) {
      throw Refusal{p, "'#' in the label " + quoted(token) + "; expected a space before a comment"};
    }
    if (!block_.labelled) block_.labelled = place_of(p);
    block_.label_of_row.push_back(labels_.number_of(token));
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
  Scratch<T>& scratch_;
  RowBlock<T>& block_;
  LabelTable labels_;
  const char* line_ = nullptr;  // the beginning of the line being read
  std::size_t n_entries_ = 0;
};

template <class T>
Dataset read_as(const std::string& path, const ReadOptions& options) {
  const Rules rules{.max_index = static_cast<std::uint64_t>(options.n_features.value_or(kMaxFeatures)),
                    .has_n_features = options.n_features.has_value(),
                    .labels_required = options.labels_required};
  TextInput input(path, options.block_bytes);
  auto blocks =
      parse_rows<T, Scratch<T>>(input, [&](std::string_view text, Scratch<T>& scratch, RowBlock<T>& block) {
        BlockParser<T>(text, rules, scratch, block).parse();
      });
  if (blocks.empty()) throw InputError(input.name() + ": the file is empty; expected samples in LIBSVM format");
  return join_blocks(std::move(blocks), {.source = input.name(),
                                         .first_line = 0,
                                         .n_features = options.n_features,
                                         .storage = options.storage,
                                         .feature_names = {}});
}

}  // namespace

Dataset read_libsvm(const std::string& path, const ReadOptions& options) {
  if (options.n_features && *options.n_features < 1) {
    throw OptionError("number of features " + std::to_string(*options.n_features) + "; expected at least 1");
  }
  return options.precision == Precision::double_precision ? read_as<double>(path, options)
                                                          : read_as<float>(path, options);
}

}  // namespace hsvm
