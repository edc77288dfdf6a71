#include "hsvm/io/formats/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "hsvm/core/error.hpp"
#include "hsvm/data/visit_matrix.hpp"
#include "hsvm/io/formats/array_design.hpp"
#include "hsvm/io/streams/parse_number.hpp"
#include "hsvm/io/streams/text.hpp"
#include "hsvm/io/streams/text_input.hpp"

namespace hsvm {
namespace {

constexpr std::string_view kBanner = "%%matrixmarket";

// The lines of a text, with their numbers.
class MatrixLines {
 public:
  MatrixLines(InputFile& file, std::size_t block_bytes) : input_(file, block_bytes) {}

  // The next line that is not empty and, after the first, no comment; false at the end.
  bool next(bool first) {
    for (;;) {
      if (rest_.empty()) {
        block_ = input_.next();
        rest_ = block_.text;
        if (rest_.empty()) return false;
      }
      line_ = rest_.substr(0, rest_.find('\n'));
      rest_.remove_prefix(line_.size() + 1);
      ++number_;
      if (line_.ends_with('\r')) line_.remove_suffix(1);
      at_ = 0;
      word_begin_ = 0;
      if (first || (line_.find_first_not_of(" \t") != line_.npos && !line_.starts_with('%'))) return true;
    }
  }

  // The next word of the line, empty at its end.
  std::string_view word() {
    at_ = std::min(line_.find_first_not_of(" \t", at_), line_.size());
    const std::size_t end = std::min(line_.find_first_of(" \t", at_), line_.size());
    word_begin_ = at_;
    at_ = end;
    return line_.substr(word_begin_, end - word_begin_);
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(locate(input_.name(), {number_ - 1, static_cast<Count>(word_begin_)}, what));
  }
  // A whole number from `low` to `high`.
  std::uint64_t whole(std::uint64_t low, std::uint64_t high, const char* what) {
    const std::string_view text = word();
    std::uint64_t number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || rest != text.data() + text.size() || number < low ||
        number > high)
      refuse(fmt::format("{} {}; expected a whole number from {} to {}", what, in_quotes(text), low, high));
    return number;
  }
  template <class T>
  T value() {
    const std::string_view text = word();
    const std::optional<T> number = number_in<T>(text);
    if (!number || !std::isfinite(*number)) refuse(in_quotes(text) + "; expected a finite number");
    return *number;
  }
  void end_line() {
    const std::string_view text = word();
    if (!text.empty()) refuse(in_quotes(text) + "; expected the end of the line");
  }
  [[nodiscard]] const std::string& name() const { return input_.name(); }
  [[nodiscard]] TextInput& input() { return input_; }

 private:
  TextInput input_;
  TextBlock block_;
  std::string_view rest_;
  std::string_view line_;
  std::size_t at_ = 0;
  std::size_t word_begin_ = 0;
  Count number_ = 0;
};

struct MatrixKind {
  bool coordinate = true;
  bool pattern = false;
  bool symmetric = false;
};

MatrixKind read_banner(MatrixLines& lines) {
  if (!lines.next(true) || lower_case(lines.word()) != kBanner)
    lines.refuse("not a MatrixMarket file; expected a first line that begins with %%MatrixMarket");
  const auto choose = [&](std::initializer_list<const char*> known) {
    const std::string word = lower_case(lines.word());
    const auto found = std::ranges::find(known, word);
    if (found == known.end()) {
      std::string list;
      for (const char* one : known) list += (list.empty() ? "" : ", ") + std::string(one);
      lines.refuse(in_quotes(word) + " is not read; expected " + list);
    }
    return found - known.begin();
  };
  static_cast<void>(choose({"matrix"}));
  MatrixKind kind;
  kind.coordinate = choose({"coordinate", "array"}) == 0;
  const auto field = kind.coordinate ? choose({"real", "integer", "pattern", "double"})
                                     : choose({"real", "integer", "double"});
  kind.pattern = kind.coordinate && field == 2;
  kind.symmetric = choose({"general", "symmetric"}) == 1;
  return kind;
}

constexpr std::uint64_t kMostRows = std::numeric_limits<Index>::max();

template <class T>
SharedDesign read_coordinates(MatrixLines& lines, const MatrixKind& kind, const ReadOptions& options) {
  SparseEntries<T> entries;
  const auto most_cols = static_cast<std::uint64_t>(options.n_features.value_or(kMaxFeatures));
  entries.rows = static_cast<Index>(lines.whole(1, kMostRows, "the number of rows is"));
  entries.cols = static_cast<Index>(
      lines.whole(1, std::max<std::uint64_t>(most_cols, kMaxFeatures), "the number of columns is"));
  const std::uint64_t n_entries = lines.whole(0, std::uint64_t{1} << 48U, "the number of entries is");
  lines.end_line();
  if (kind.symmetric && entries.rows != entries.cols)
    lines.refuse("a symmetric matrix with other rows than columns; expected as many");
  std::uint64_t n_read = 0;
  for (; lines.next(false); ++n_read) {
    if (n_read == n_entries)
      lines.refuse(fmt::format("more than the {} entries that were announced; expected the end", n_entries));
    const auto i = static_cast<Index>(lines.whole(1, static_cast<std::uint64_t>(entries.rows), "row")) - 1;
    const auto j = static_cast<Index>(lines.whole(1, static_cast<std::uint64_t>(entries.cols), "column")) - 1;
    const T value = kind.pattern ? T{1} : lines.value<T>();
    lines.end_line();
    if (value == T{0}) continue;  // written out, but no entry: as in every other format
    const auto add = [&](Index row, Index column) {
      entries.row.push_back(row);
      entries.column.push_back(column);
      entries.value.push_back(value);
    };
    add(i, j);
    if (kind.symmetric && i != j) add(j, i);
  }
  if (n_read != n_entries)
    throw InputError(fmt::format("{}: {} entries, though {} were announced; the file is cut short",
                                 lines.name(), n_read, n_entries));
  return make_csc(entries);
}

template <class T>
SharedDesign read_array(MatrixLines& lines, const MatrixKind& kind) {
  const auto rows = static_cast<Index>(lines.whole(1, kMostRows, "the number of rows is"));
  const auto cols = static_cast<Index>(lines.whole(1, kMaxFeatures, "the number of columns is"));
  lines.end_line();
  if (kind.symmetric && rows != cols)
    lines.refuse("a symmetric matrix with other rows than columns; expected as many");
  auto values = std::make_shared<AlignedBuffer<T>>();  // grows with what is there, not with what is announced
  const auto n = static_cast<std::size_t>(rows);
  const std::size_t wanted = kind.symmetric ? n * (n + 1) / 2 : n * static_cast<std::size_t>(cols);
  while (lines.next(false)) {
    if (values->size() == wanted) lines.refuse(fmt::format("more than {} values; expected the end", wanted));
    values->push_back(lines.value<T>() + T{0});
    lines.end_line();
  }
  if (values->size() != wanted)
    throw InputError(fmt::format("{}: {} values; expected {}", lines.name(), values->size(), wanted));
  if (!kind.symmetric) return DenseMatrix<T>(rows, cols, std::span<const T>(*values), values);
  DenseMatrix<T> whole(rows, cols);
  std::size_t next = 0;
  for (Index j = 0; j < cols; ++j) {
    for (Index i = j; i < rows; ++i) whole(i, j) = whole(j, i) = (*values)[next++];
  }
  return whole;
}

template <class T>
SharedDesign read_market_as(MatrixLines& lines, const ReadOptions& options) {
  const MatrixKind kind = read_banner(lines);
  if (!lines.next(false)) throw InputError(lines.name() + ": no line with the size; the file is cut short");
  return kind.coordinate ? read_coordinates<T>(lines, kind, options) : read_array<T>(lines, kind);
}

struct WriteMarket {
  OutputFile& file;

  template <class T>
  void operator()(const CscMatrix<T>& x) const {
    file.write(fmt::format("%%MatrixMarket matrix coordinate real general\n{} {} {}\n", x.rows(), x.cols(),
                           x.stored()));
    std::string line;
    for (Index j = 0; j < x.cols(); ++j) {
      const auto column = x.column(j);
      for (std::size_t k = 0; k < column.rows.size(); ++k) {
        line = fmt::format("{} {} ", column.rows[k] + 1, j + 1);
        append_number(line, column.values[k]);
        file.write(line += '\n');
      }
    }
  }
  template <class T>
  void operator()(const DenseMatrix<T>& x) const {
    file.write(fmt::format("%%MatrixMarket matrix array real general\n{} {}\n", x.rows(), x.cols()));
    std::string line;
    for (Index j = 0; j < x.cols(); ++j) {
      for (const T value : x.column(j)) {
        line.clear();
        append_number(line, value);
        file.write(line += '\n');
      }
    }
  }
};

}  // namespace

bool recognises_matrix_market(std::string_view head) {
  return lower_case(head.substr(0, kBanner.size())) == kBanner;
}

Dataset read_matrix_market(InputFile& file, const ReadOptions& options) {
  MatrixLines lines(file, options.block_bytes);
  Dataset dataset;
  dataset.source = file.name();
  const bool single = options.precision == Precision::single_precision;
  try {
    dataset.design = single ? read_market_as<float>(lines, options) : read_market_as<double>(lines, options);
  } catch (const InputError&) {
    lines.input().check_rest();  // a corrupt stream is the better explanation
    throw;
  }
  dataset.design = as_storage(dataset.design, options.storage);
  match_features(options, dataset);
  return dataset;
}

void write_matrix_market(const Dataset& dataset, OutputFile& file) {
  visit_matrix(dataset.design, WriteMarket{file});
}

}  // namespace hsvm
