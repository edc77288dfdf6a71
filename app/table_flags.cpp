#include "app/table_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace hsvm::app {
namespace {

constexpr std::array<std::pair<std::string_view, Missing>, 4> kMissingWords = {
    {{"mean", Missing::mean},
     {"median", Missing::median},
     {"drop-samples", Missing::drop_samples},
     {"drop-features", Missing::drop_features}}};

Missing parse_missing(const std::string& text) {
  if (text.empty()) return Missing::refuse;
  for (const auto& [word, missing] : kMissingWords) {
    if (text == word) return missing;
  }
  throw OptionError(
      fmt::format("--missing {}: must be one of mean, median, drop-samples, drop-features", text));
}

}  // namespace

void apply(const TableFlags& flags, ReadOptions& options) {
  if (!flags.label.empty()) options.label = flags.label;
  if (!flags.id.empty()) options.id = flags.id;
  if (!flags.id.empty() && flags.no_id) throw OptionError("--id and --no-id exclude each other");
  if (flags.max_words < 1)
    throw OptionError(fmt::format("--max-words {}: must be at least 1", flags.max_words));
  options.no_id = flags.no_id;
  options.drop = flags.drop;
  options.only = flags.only;
  options.words = flags.words;
  options.max_words = flags.max_words;
  for (std::size_t begin = 0; begin < flags.na.size();) {
    const std::size_t end = std::min(flags.na.find(',', begin), flags.na.size());
    options.na.push_back(flags.na.substr(begin, end - begin));
    begin = end + 1;
  }
  options.missing = parse_missing(flags.missing);
  if (!flags.decimal.empty() && flags.decimal != "." && flags.decimal != ",")
    throw OptionError(fmt::format("--decimal {}: must be . or ,", flags.decimal));
  if (!flags.decimal.empty()) options.decimal = flags.decimal.front();
  options.transpose = flags.transpose;
}

void apply_for_copy(const TableFlags& flags, ReadOptions& options) {
  apply(flags, options);
  if (options.missing == Missing::mean || options.missing == Missing::median) {
    throw OptionError(fmt::format(
        "--missing {}: a fit learns these values, from its own samples: must be drop-samples or drop-features here",
        flags.missing));
  }
  if (options.missing == Missing::refuse) options.missing = Missing::keep;
}

}  // namespace hsvm::app
