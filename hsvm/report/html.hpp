// What stands between a text and a web page: nothing from the data is ever read as markup or as a program.
#pragma once

#include <string>
#include <string_view>

namespace hsvm::report {

// As it may stand between tags and within the quotes of an attribute.
[[nodiscard]] std::string escape_html(std::string_view text);
// JSON as it may stand in a <script> element: '<', '>' and '&' as \u003c and so on, which JSON reads back.
[[nodiscard]] std::string escape_script(std::string_view json);
// The bytes of a hash, given as hexadecimal digits, in base 64: as a Content-Security-Policy names a script.
[[nodiscard]] std::string base64_of_hex(std::string_view digits);

}  // namespace hsvm::report
