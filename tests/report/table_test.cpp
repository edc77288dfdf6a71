#include "hsvm/report/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hsvm/report/html.hpp"

namespace hsvm::report {
namespace {

using testing::HasSubstr;
using testing::Not;

Table small_table() {
  Table table{.name = "small", .caption = "A <small> table"};
  table.columns = {{.name = "name", .numeric = false}, {.name = "value", .format = "{:.2f}"}};
  table.rows = {{"a", 0.1}, {"b|c, \"d\"", 12.0}, {"<i>", Cell()}};
  return table;
}

TEST(Table, AlignsText) {
  EXPECT_EQ(to_text(small_table(), "> "),
            "> name      value\n"
            "> a          0.10\n"
            "> b|c, \"d\"  12.00\n"
            "> <i>\n");
}

TEST(Table, CountsLettersNotBytes) {
  Table table{.name = "t", .caption = "", .columns = {{.name = "n", .numeric = false}, {.name = "v"}}};
  table.rows = {{"\xC3\xA9\xC3\xA9", 1.0}, {"ee", 2.0}};  // two letters each
  EXPECT_EQ(to_text(table), "n   v\n\xC3\xA9\xC3\xA9  1\nee  2\n");
}

TEST(Table, EscapesMarkdown) {
  EXPECT_EQ(to_markdown(small_table()),
            "| name | value |\n|---|---:|\n| a | 0.10 |\n| b\\|c, \"d\" | 12.00 |\n| <i> |  |\n");
}

TEST(Table, HasEveryDigitInCsv) {
  EXPECT_EQ(to_csv(small_table()), "name,value\r\na,0.1\r\n\"b|c, \"\"d\"\"\",12\r\n<i>,\r\n");
  const double third = 1.0 / 3.0;
  EXPECT_EQ(std::stod(exact(third)), third);
  EXPECT_EQ(std::stod(exact(-2.2250738585072014e-308)), -2.2250738585072014e-308);
}

TEST(Table, HasEveryDigitInHtmlAndNoMarkupOfTheData) {
  const std::string html = to_html(small_table());
  EXPECT_THAT(html, HasSubstr("<caption>A &lt;small&gt; table</caption>"));
  EXPECT_THAT(html, HasSubstr("<data value=\"0.1\">0.10</data>"));
  EXPECT_THAT(html, HasSubstr("<td>&lt;i&gt;</td><td class=\"n\"></td>"));
  EXPECT_THAT(html, Not(HasSubstr("<i>")));
  EXPECT_THAT(html, HasSubstr("<th scope=\"col\" class=\"n\">value</th>"));
}

TEST(Html, EscapesWhatMarkupIsMadeOf) {
  EXPECT_EQ(escape_html("<a href='x' id=\"y\">&amp;"), "&lt;a href=&#39;x&#39; id=&quot;y&quot;&gt;&amp;amp;");
  EXPECT_EQ(escape_script(R"({"a":"</script><!-- & -->"})"),
            R"({"a":"\u003c/script\u003e\u003c!-- \u0026 --\u003e"})");
}

// The vectors of RFC 4648.
TEST(Html, KnowsBase64) {
  EXPECT_EQ(base64_of_hex(""), "");
  EXPECT_EQ(base64_of_hex("66"), "Zg==");
  EXPECT_EQ(base64_of_hex("666f"), "Zm8=");
  EXPECT_EQ(base64_of_hex("666f6f"), "Zm9v");
  EXPECT_EQ(base64_of_hex("666f6f626172"), "Zm9vYmFy");
}

}  // namespace
}  // namespace hsvm::report
