// Data for the rivals in other languages, as raw little-endian arrays with a list of them in JSON.
#pragma once

#include <string>
#include <string_view>

namespace hsvm::bench {

// group "path": path.json and, for each of the paper's sizes, X by columns (NAME.f64) and y (NAME_y.f64).
// group "liblinear": liblinear.json with the cost of each ratio and, for each sparse instance, X by compressed
// columns (NAME_start.i64, NAME_rows.i32, NAME_values.f64) and y (NAME_y.f64).
// False where there is no such group.
bool write_for_rivals(const std::string& folder, std::string_view group);

}  // namespace hsvm::bench
