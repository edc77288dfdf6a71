#include "hsvm/report/html.hpp"

#include <cstdint>

namespace hsvm::report {

std::string escape_html(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string escape_script(std::string_view json) {
  std::string result;
  for (const char c : json) {
    switch (c) {
      case '<':
        result += "\\u003c";
        break;
      case '>':
        result += "\\u003e";
        break;
      case '&':
        result += "\\u0026";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string base64_of_hex(std::string_view digits) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string result;
  std::uint32_t bits = 0;
  int n_bits = 0;
  for (const char digit : digits) {
    bits = (bits << 4U) | static_cast<std::uint32_t>(kHex.find(digit));
    n_bits += 4;
    if (n_bits < 6) continue;
    n_bits -= 6;
    result += kLetters[(bits >> static_cast<unsigned>(n_bits)) & 63U];
  }
  if (n_bits > 0) result += kLetters[(bits << static_cast<unsigned>(6 - n_bits)) & 63U];
  while (result.size() % 4 != 0) result += '=';
  return result;
}

}  // namespace hsvm::report
