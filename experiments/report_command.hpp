// hsvm-lab report: one page from the JSON files of all experiments, and nothing else.
#pragma once

#include <string>

#include "app/command_line.hpp"

namespace hsvm::lab {

// Says which experiments have no result in the folder. Throws InputError where a file is no result.
[[nodiscard]] std::string report_page(const std::string& results);

// The same as a web page of the make of hsvm report.
[[nodiscard]] std::string html_page(const std::string& results);

void add_report(app::Command program);

}  // namespace hsvm::lab
