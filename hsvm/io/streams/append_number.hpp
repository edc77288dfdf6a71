// Numbers as text, in the shortest form that reads back exactly: what parse_number.hpp reads.
#pragma once

#include <charconv>
#include <string>

namespace hsvm {

template <class Number>
void append_number(std::string& text, Number number) {
  char digits[32];  // the longest double has 24
  text.append(digits, std::to_chars(digits, digits + sizeof(digits), number).ptr);
}

}  // namespace hsvm
