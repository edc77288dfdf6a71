#include "hsvm/io/streams/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hsvm {

std::string locate(const std::string& file, TextPosition position, const std::string& message) {
  return fmt::format("{}:{}:{}: {}", file, position.line + 1, position.column + 1, message);
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::size_t size = std::min(text.size(), kLongest);
  const auto is_inside_character = [&](std::size_t at) {  // of UTF-8, which must not be cut in two
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80;
  };
  while (size > 0 && is_inside_character(size)) --size;
  return fmt::format("'{}{}'", escape_controls(text.substr(0, size)), size < text.size() ? "..." : "");
}

std::string escape_controls(std::string_view text) {
  std::string result;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    // U+0080 to U+009F, which are controls as well, are c2 80 to c2 9f in UTF-8.
    const auto next = static_cast<unsigned char>(k + 1 < text.size() ? text[k + 1] : 0);
    if (byte == 0xc2 && next >= 0x80 && next < 0xa0) {
      result += fmt::format("\\u00{:02x}", next);
      ++k;
    } else {
      result += byte < 0x20 || byte == 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, text[k]);
    }
  }
  return result;
}

bool is_utf8(std::string_view text) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U; };
  for (std::size_t k = 0; k < text.size();) {
    const unsigned first = byte(k);
    const std::size_t size = first < 0x80   ? 1
                             : first < 0xc2 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
    if (size == 0) return false;
    for (std::size_t more = 1; more < size; ++more) {
      if ((byte(k + more) & 0xc0U) != 0x80) return false;
    }
    // Longer than needed, a surrogate, or beyond the last character.
    const unsigned second = byte(k + 1);
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
        (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90))
      return false;
    k += size;
  }
  return true;
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return result;
}

}  // namespace hsvm
