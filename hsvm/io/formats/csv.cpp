// The first rows say what the columns are; then the blocks are parsed, all at once. Where a later row shows that a column is
// something else than it seemed (words below empty fields, a name that comes twice, a decimal comma), the blocks are parsed
// again, which a mapped file makes cheap; of a stream their text is kept until then.

#include "hsvm/io/formats/csv.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "hsvm/core/error.hpp"
#include "hsvm/core/parallel.hpp"
#include "hsvm/data/drop_missing.hpp"
#include "hsvm/data/take_rows.hpp"
#include "hsvm/io/formats/csv_encode.hpp"
#include "hsvm/io/formats/csv_transpose.hpp"
#include "hsvm/io/formats/libsvm.hpp"
#include "hsvm/io/streams/parse_number.hpp"

namespace hsvm {
namespace {

constexpr char kTab = '\t';

// What is known of the delimiter before the first rows are seen: that of TSV, nothing of CSV.
using FixedDelimiter = std::optional<char>;

template <class T>
class TableReader {
 public:
  TableReader(TextInput& input, const ReadOptions& options, FixedDelimiter fixed,
              std::vector<Count> transposed_lines)
      : input_(input),
        options_(options),
        head_(read_head(input, options, fixed)),
        names_(input.name(), head_.names) {
    findings_.has_words.assign(head_.names.size(), 0);
    findings_.no_id.assign(head_.names.size(), 0);
    table_ = {.source = input.name(),
              .first_line = head_.next_line,
              .transposed_lines = std::move(transposed_lines),
              .rules = {.delimiter = head_.delimiter,
                        .decimal = head_.decimal,
                        .layout = &layout_,
                        .names = &names_,
                        .options = &options}};
  }

  // Where the samples of this rank can be told from its part of the file alone: where all columns, but for the label's, are numbers, none
  // missing, and quotes hide no line breaks. Nothing, on all ranks, where not.
  std::optional<Dataset> read_part(InputFile& file, const Collective& ranks) {
    layout_ = find_layout(head_, names_, input_.name(), options_, findings_);
    TextInput part(file, options_.block_bytes, LineBreaks::may_be_quoted);
    if (!ranks.is_alone()) part.keep_part(ranks.rank(), ranks.size(), head_.next_line);
    bool is_plain = !part.has_quotes() && !head_has_quotes(file) && !guesses_id();
    agree_on_errors(ranks, [&] {
      if (is_plain) parse(part);
    });
    is_plain = is_plain && std::ranges::none_of(layout_.slots, &CsvSlot::is_words) &&
               std::ranges::all_of(blocks_, [](const CsvBlock<T>& block) {
                 return !block.rows.error && block.n_missing == 0 && block.first_word.empty() &&
                        !block.has_decimal_comma && !block.unclear_comma;
               });
    if (ranks.any(!is_plain)) return std::nullopt;
    table_.ranks = &ranks;
    return encode_table(std::move(blocks_), table_);
  }

  Dataset read() {
    layout_ = find_layout(head_, names_, input_.name(), options_, findings_);
    parse(input_);
    for (refuse_errors(); learn(); refuse_errors()) {
      layout_ = find_layout(head_, names_, input_.name(), options_, findings_);
      parallel_for(static_cast<Index>(blocks_.size()), [&](Index b) {
        AlignedBuffer<T> scratch;
        parse_csv_block(table_.rules, scratch, blocks_[static_cast<std::size_t>(b)]);
      });
    }
    return encode_table(std::move(blocks_), table_);
  }

 private:
  // Of the lines before the first row.
  [[nodiscard]] bool head_has_quotes(InputFile& file) const {
    std::string_view text = *file.map();
    std::size_t end = 0;
    for (Count line = 0; line < head_.next_line; ++line)
      end = std::min(text.find('\n', end), text.size() - 1) + 1;
    return text.substr(0, end).find('"') != text.npos;
  }

  void parse(TextInput& input) {
    std::vector<AlignedBuffer<T>> scratch(n_parse_workers());
    const auto start_block = [&]() -> ParseBlock {
      CsvBlock<T>& block = blocks_.emplace_back();
      return [this, &block, &scratch](TextBlock text, std::size_t worker) {
        block.text = std::move(text);
        parse_csv_block(table_.rules, scratch[worker], block);
        return !block.rows.error.has_value();
      };
    };
    try {
      parse_blocks(input, start_block);
    } catch (const std::bad_alloc&) {
      throw InputError(input_.name() + ": not enough memory to read it");
    }
  }

  void refuse_errors() const {
    Count first_line = table_.first_line;
    for (const CsvBlock<T>& block : blocks_) {
      if (block.rows.error) {
        TextPosition position = block.rows.error->position;
        position.line += first_line;
        throw InputError(locate_in_table(table_, position, block.rows.error->message));
      }
      first_line += block.rows.n_lines;
    }
  }

  // Whether the rows have told something that changes how they must be read.
  bool learn() {
    const bool marks = learn_decimal();
    const bool words = learn_words();
    return learn_id() || marks || words;
  }

  bool learn_decimal() {
    if (table_.rules.decimal) return false;
    const auto has_comma = [](const CsvBlock<T>& block) { return block.has_decimal_comma; };
    if (std::ranges::any_of(blocks_, has_comma)) {
      table_.rules.decimal = ',';
      return true;
    }
    Count first_line = table_.first_line;
    for (const CsvBlock<T>& block : blocks_) {
      if (const std::optional<FoundText>& found = block.unclear_comma) {
        if (head_.delimiter == ',') return false;  // one between thousands
        if (head_.delimiter != ';') {
          const TextPosition position{first_line + found->position.line, found->position.column};
          throw InputError(
              locate_in_table(table_, position,
                              in_quotes(found->text) +
                                  " has a decimal comma or one between thousands; expected the option decimal "
                                  "to say which mark numbers have, . or ,"));
        }
        table_.rules.decimal = ',';
        return true;
      }
      first_line += block.rows.n_lines;
    }
    return false;
  }

  bool learn_words() {
    bool learned = false;
    for (const CsvBlock<T>& block : blocks_) {
      for (const auto& [k, found] : block.first_word) {
        if (layout_.slots[k].is_words) continue;
        findings_.has_words[static_cast<std::size_t>(layout_.slots[k].column)] = 1;
        learned = true;
      }
    }
    return learned;
  }

  [[nodiscard]] bool guesses_id() const {
    return layout_.id && !options_.id && !(head_.has_header && names_[*layout_.id].empty());
  }

  // Names that were guessed must be different, and of the kind the first were.
  bool learn_id() {
    if (!guesses_id()) return false;
    const auto column = static_cast<std::size_t>(*layout_.id);
    const bool whole_numbers = head_.columns[column].n_words == 0;
    std::unordered_set<std::string_view> seen;
    for (const CsvBlock<T>& block : blocks_) {
      for (const std::string& name : block.sample_names) {
        if (seen.insert(name).second && (!whole_numbers || std::ranges::all_of(name, is_digit))) continue;
        findings_.no_id[column] = 1;
        return true;
      }
    }
    return false;
  }

  TextInput& input_;
  const ReadOptions& options_;
  CsvHead head_;
  ColumnNames names_;
  CsvFindings findings_;
  CsvLayout layout_;
  CsvTable table_;
  std::deque<CsvBlock<T>> blocks_;
};

Dataset read_text(TextInput& input, const ReadOptions& options, FixedDelimiter fixed,
                  std::vector<Count> lines) {
  if (options.precision == Precision::double_precision)
    return TableReader<double>(input, options, fixed, std::move(lines)).read();
  return TableReader<float>(input, options, fixed, std::move(lines)).read();
}

Dataset read_whole_table(InputFile& file, const ReadOptions& options, FixedDelimiter fixed) {
  TextInput input(file, options.block_bytes, LineBreaks::may_be_quoted);
  if (!options.transpose) return read_text(input, options, fixed, {});
  TransposedText turned = transpose_table(input, fixed);
  TextInput text(file.name(), std::move(turned.text), options.block_bytes, LineBreaks::may_be_quoted);
  return read_text(text, options, turned.delimiter, std::move(turned.lines));
}

// The part of a rank, where it can be had without reading the rest.
std::optional<Dataset> read_part(InputFile& file, const ReadOptions& options, FixedDelimiter fixed) {
  const bool needs_all = options.transpose || options.missing == Missing::drop_samples ||
                         options.missing == Missing::drop_features || options.model;
  if (needs_all) return std::nullopt;
  TextInput input(file, options.block_bytes, LineBreaks::may_be_quoted);
  if (options.precision == Precision::double_precision)
    return TableReader<double>(input, options, fixed, {}).read_part(file, *options.ranks);
  return TableReader<float>(input, options, fixed, {}).read_part(file, *options.ranks);
}

Dataset read_table(InputFile& file, const ReadOptions& options, FixedDelimiter fixed) {
  if (!options.ranks->is_alone()) {
    std::optional<Dataset> part = read_part(file, options, fixed);
    if (part && options.missing == Missing::mean) part->fill = Fill::mean;
    if (part) return *std::move(part);
    ReadOptions alone = options;
    alone.ranks = &single_process();
    Dataset data;
    agree_on_errors(*options.ranks,
                    [&] { data = take_rows_of_rank(read_table(file, alone, fixed), *options.ranks); });
    return data;
  }
  Dataset data = read_whole_table(file, options, fixed);
  if (options.missing == Missing::mean) data.fill = Fill::mean;
  if (options.missing == Missing::median) data.fill = Fill::median;
  if (options.missing == Missing::drop_samples && !data.missing.empty()) return drop_missing_samples(data);
  if (options.missing == Missing::drop_features && !data.missing.empty()) return drop_missing_features(data);
  return data;
}

}  // namespace

bool recognises_csv(std::string_view head) {
  return !recognises_libsvm(head) && looks_like_table(head, false);
}

bool recognises_tsv(std::string_view head) {
  return !recognises_libsvm(head) && looks_like_table(head, true);
}

Dataset read_csv(InputFile& file, const ReadOptions& options) {
  return read_table(file, options, std::nullopt);
}

Dataset read_tsv(InputFile& file, const ReadOptions& options) {
  return read_table(file, options, kTab);
}

}  // namespace hsvm
