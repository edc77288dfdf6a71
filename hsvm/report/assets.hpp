// The files of hsvm/report/assets and Chart.js, as the build has put them into the library. Inside of the library.
#pragma once

#include <string_view>

namespace hsvm::report {

struct Asset {
  std::string_view text;
  std::string_view sha256;  // of it, hexadecimal digits
};

extern const Asset kPageTemplate;
extern const Asset kStyle;
extern const Asset kScript;   // what the page itself does
extern const Asset kChartJs;  // empty where the build had no Chart.js: then pages have tables alone
extern const std::string_view kVersion;

}  // namespace hsvm::report
