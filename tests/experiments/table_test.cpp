// Tables of results: Markdown, JSON and back, and what is refused.

#include "experiments/lab/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "hsvm/core/error.hpp"

namespace hsvm::lab {
namespace {

using testing::HasSubstr;

Table example() {
  Table table{.name = "times", .caption = "Seconds.", .row_header = "(n, p)"};
  table.columns = {{"B-PGH", Compare::ratio, "{:.3f}"},
                   {"accuracy", Compare::difference, "{:.1f}"},
                   {"gap", Compare::nothing, "{:.0e}"}};
  table.rows = {{"(1, 2)", {{.ours = 0.5, .paper = 2.0}, {.ours = 80.0, .paper = 85.5, .spread = 1.25}, {}}},
                {"a|b", {{.paper = 3.0, .word = "> 1800 s"}, {.ours = 90.0, .paper = 89.0}, {.ours = 1e-7}}}};
  table.notes = {"The first."};
  return table;
}

TEST(Table, IsMarkdown) {
  EXPECT_EQ(to_markdown(example()),
            "Seconds.\n\n"
            "| (n, p) | B-PGH | accuracy | gap |\n"
            "|---|---:|---:|---:|\n"
            "| (1, 2) | 0.500 (2.000, x0.25) | 80.0 ± 1.2 (85.5, -5.5) |  |\n"
            "| a\\|b | > 1800 s (3.000) | 90.0 (89.0, +1.0) | 1e-07 |\n"
            "\n- The first.\n");
}

TEST(Table, ComesBackFromJson) {
  const Json json = to_json(example());
  const Json& cells = json.at("rows").at(0).at("cells");
  EXPECT_DOUBLE_EQ(cells.at(0).at("ratio").get<double>(), 0.25);
  EXPECT_DOUBLE_EQ(cells.at(1).at("difference").get<double>(), -5.5);
  EXPECT_FALSE(cells.at(2).contains("ratio"));
  EXPECT_TRUE(cells.at(2).at("ours").is_null());
  EXPECT_EQ(to_json(table_from_json(Json::parse(json.dump()))), json);
}

TEST(Table, HasARatioOnlyToWhatIsNotZero) {
  Table table = example();
  table.rows[0].cells[0].paper = 0.0;
  EXPECT_TRUE(to_json(table).at("rows").at(0).at("cells").at(0).at("ratio").is_null());
}

TEST(Table, RefusesWhatIsNoTable) {
  Table short_row = example();
  short_row.rows[1].cells.pop_back();
  EXPECT_THROW(short_row.check(), std::logic_error);
  Table infinite = example();
  infinite.rows[1].cells[2].ours = std::numeric_limits<double>::infinity();
  EXPECT_THROW(static_cast<void>(to_json(infinite)), std::logic_error);

  EXPECT_THROW(static_cast<void>(table_from_json(Json::object())), InputError);
  Json unknown = to_json(example());
  unknown["columns"][0]["compare"] = "quotient";
  EXPECT_THROW(static_cast<void>(table_from_json(unknown)), InputError);
  Json ragged = to_json(example());
  ragged["rows"][0]["cells"].erase(0);
  EXPECT_THROW(static_cast<void>(table_from_json(ragged)), InputError);
}

}  // namespace
}  // namespace hsvm::lab
