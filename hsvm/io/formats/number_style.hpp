// Numbers as people write them in tables: with a decimal comma, or with marks between thousands.
//
//   decimal point   1234.5   1,234.5   1'234.5   1 234.5
//   decimal comma   1234,5   1.234,5   1'234,5   1 234,5
//
// What a comma means cannot be seen from one number: 1,234 is either. The whole table decides.
#pragma once

#include <optional>
#include <string_view>

namespace hsvm {

// What one field says of the table's decimal mark.
enum class MarkHint { none, point, comma, either, no_number };
[[nodiscard]] MarkHint decimal_hint(std::string_view field);

// The number a field consists of, under this decimal mark; none where it is something else.
template <class T>
[[nodiscard]] std::optional<T> styled_number(std::string_view field, char decimal);
extern template std::optional<double> styled_number(std::string_view field, char decimal);
extern template std::optional<float> styled_number(std::string_view field, char decimal);

}  // namespace hsvm
