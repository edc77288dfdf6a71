// Tables as the world writes them: R, pandas, Excel, instruments. Each is read to the same samples, or to what is said beside it, or
// refused with the message that tells the remedy.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "hsvm/core/error.hpp"
#include "hsvm/core/parallel.hpp"
#include "tests/io/io_support.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text.hpp"

namespace hsvm::test {
namespace {

using namespace std::string_literals;
using Words = std::vector<std::string>;
using Change = std::function<void(ReadOptions&)>;

struct Expected {
  std::vector<double> entries = {1, 0.5, 2, -1.25, 3, 0, 4, 1000.5};
  Words labels = {"u", "v", "u", "v"};
  Words ids = {"s1", "s2", "s3", "s4"};
  Words names = {"a", "b"};
  std::vector<std::pair<Index, Index>> missing = {};  // sample, feature
  std::string refusal = {};                           // what the message is like, after the file's name
};

struct Table {
  const char* name;  // the file's name begins with it
  std::string text;
  Expected expected = {};
  Change change = {};
  const char* ending = ".csv";
};

std::ostream& operator<<(std::ostream& stream, const Table& table) {
  return stream << table.name;
}

Expected without_ids() {
  return {.ids = {}};
}
Expected numbered_ids(Words ids) {
  return {.ids = std::move(ids)};
}
Expected refused(std::string message) {
  return {.refusal = std::move(message)};
}
Change label(const std::string& column) {
  return [column](ReadOptions& options) { options.label = column; };
}
Change missing(Missing rule) {
  return [rule](ReadOptions& options) { options.missing = rule; };
}

const std::vector<Table>& tables() {
  static const std::vector<Table> all = {
      // R
      {"r_write_csv",
       "\"\",\"y\",\"a\",\"b\"\n\"s1\",\"u\",1,0.5\n\"s2\",\"v\",2,-1.25\n\"s3\",\"u\",3,0\n\"s4\",\"v\",4,1000.5\n"},
      {"r_write_csv_numbered",
       "\"\",\"y\",\"a\",\"b\"\n\"1\",\"u\",1,0.5\n\"2\",\"v\",2,-1.25\n\"3\",\"u\",3,0\n\"4\",\"v\",4,1000.5\n",
       numbered_ids({"1", "2", "3", "4"})},
      {"r_write_csv2",
       "\"\";\"y\";\"a\";\"b\"\n\"s1\";\"u\";1;0,5\n\"s2\";\"v\";2;-1,25\n\"s3\";\"u\";3;0\n\"s4\";\"v\";4;1000,5\n"},
      {"r_write_table",
       "\"y\" \"a\" \"b\"\n\"s1\" \"u\" 1 0.5\n\"s2\" \"v\" 2 -1.25\n\"s3\" \"u\" 3 0\n\"s4\" \"v\" 4 1000.5\n",
       {},
       {},
       ".txt"},
      {"r_write_table_tabs",
       "y\ta\tb\ns1\tu\t1\t0.5\ns2\tv\t2\t-1.25\ns3\tu\t3\t0\ns4\tv\t4\t1000.5\n",
       {},
       {},
       ".tsv"},
      {"r_write_table_commas", "y,a,b\ns1,u,1,0.5\ns2,v,2,-1.25\ns3,u,3,0\ns4,v,4,1000.5\n"},
      {"r_no_row_names", "\"y\",\"a\",\"b\"\n\"u\",1,0.5\n\"v\",2,-1.25\n\"u\",3,0\n\"v\",4,1000.5\n",
       without_ids()},
      {"r_no_quotes", "y,a,b\nu,1,0.5\nv,2,-1.25\nu,3,0\nv,4,1000.5\n", without_ids()},
      {"r_scientific",
       ",y,a,b\ns1,u,1e+00,5e-01\ns2,v,2e+00,-1.25e+00\ns3,u,3e+00,0e+00\ns4,v,4e+00,1.0005e+03\n"},
      {"r_na",
       ",y,a,b\ns1,u,1,0.5\ns2,v,2,-1.25\ns3,u,3,NA\ns4,v,4,1000.5\n",
       {.missing = {{2, 1}}},
       missing(Missing::mean)},
      {"r_na_refused", ",y,a,b\ns1,u,1,0.5\ns2,v,2,-1.25\ns3,u,NA,NA\ns4,v,NA,1000.5\n",
       refused(
           ":4:3: missing value in column 'a', the first of 3 in 2 columns: 'a' (2), 'b' (1); expected a value (the option missing: *")},
      {"r_factor_levels", ",a,b,Species\ns1,1,0.5,u\ns2,2,-1.25,v\ns3,3,0,u\ns4,4,1000.5,v\n"},
      {"r_logical",
       "y,a,b\nTRUE,1,0.5\nFALSE,2,-1.25\nTRUE,3,0\nFALSE,4,1000.5\n",
       {.labels = {"TRUE", "FALSE", "TRUE", "FALSE"}, .ids = {}}},
      {"r_logical_feature",
       ",y,a,b\ns1,u,1,TRUE\ns2,v,2,FALSE\ns3,u,3,FALSE\ns4,v,4,TRUE\n",
       {.entries = {1, 1, 2, 0, 3, 0, 4, 1}}},
      {"r_x_names", ",y,X1,X2\ns1,u,1,0.5\ns2,v,2,-1.25\ns3,u,3,0\ns4,v,4,1000.5\n", {.names = {"X1", "X2"}}},
      // pandas
      {"pandas_to_csv", ",y,a,b\n0,u,1,0.5\n1,v,2,-1.25\n2,u,3,0.0\n3,v,4,1000.5\n",
       numbered_ids({"0", "1", "2", "3"})},
      {"pandas_no_index", "y,a,b\nu,1,0.5\nv,2,-1.25\nu,3,0.0\nv,4,1000.5\n", without_ids()},
      {"pandas_named_index", "sample,y,a,b\ns1,u,1,0.5\ns2,v,2,-1.25\ns3,u,3,0.0\ns4,v,4,1000.5\n"},
      {"pandas_index_twice", ",y,a,b\n0,u,1,0.5\n1,v,2,-1.25\n0,u,3,0\n1,v,4,1000.5\n",
       numbered_ids({"0", "1", "0", "1"})},
      {"pandas_empty_nan",
       ",y,a,b\ns1,u,1,0.5\ns2,v,2,-1.25\ns3,u,3,\ns4,v,4,1000.5\n",
       {.missing = {{2, 1}}},
       missing(Missing::median)},
      {"pandas_nan",
       ",y,a,b\ns1,u,1,0.5\ns2,v,2,-1.25\ns3,u,3,nan\ns4,v,4,1000.5\n",
       {.missing = {{2, 1}}},
       missing(Missing::mean)},
      {"pandas_bool",
       "y,a,b\nu,True,0.5\nv,False,-1.25\nu,True,0\nv,False,1000.5\n",
       {.entries = {1, 0.5, 0, -1.25, 1, 0, 0, 1000.5}, .ids = {}}},
      {"pandas_categories",
       ",y,a,colour\ns1,u,1,red\ns2,v,2,blue\ns3,u,3,red\ns4,v,4,green\n",
       {.entries = {1, 0, 0, 1, 2, 1, 0, 0, 3, 0, 0, 1, 4, 0, 1, 0},
        .names = {"a", "colour=blue", "colour=green", "colour=red"}}},
      {"pandas_sep_tab",
       "\ty\ta\tb\n0\tu\t1\t0.5\n1\tv\t2\t-1.25\n2\tu\t3\t0.0\n3\tv\t4\t1000.5\n",
       numbered_ids({"0", "1", "2", "3"}),
       {},
       ""},
      {"pandas_bar", "y|a|b\nu|1|0.5\nv|2|-1.25\nu|3|0\nv|4|1000.5\n", without_ids(), {}, ".dat"},
      // Excel
      {"excel_semicolons", "y;a;b\r\nu;1;0,5\r\nv;2;-1,25\r\nu;3;0\r\nv;4;1000,5\r\n", without_ids()},
      {"excel_thousands", "y;a;b\r\nu;1;0,5\r\nv;2;-1,25\r\nu;3;0\r\nv;4;1.000,5\r\n", without_ids()},
      {"excel_sep_line", "sep=;\r\ny;a;b\r\nu;1;0.5\r\nv;2;-1.25\r\nu;3;0\r\nv;4;1000.5\r\n", without_ids()},
      {"excel_sep_comma", "sep=,\r\ny,a,b\r\nu,1,\"0,5\"\r\nv,2,\"-1,25\"\r\nu,3,0\r\nv,4,\"1000,5\"\r\n",
       without_ids()},
      {"excel_bom", "\xef\xbb\xbfy,a,b\r\nu,1,0.5\r\nv,2,-1.25\r\nu,3,0\r\nv,4,1000.5\r\n", without_ids()},
      {"excel_quoted_thousands", "y,a,b\nu,1,0.5\nv,2,-1.25\nu,3,0\nv,4,\"1,000.5\"\n", without_ids()},
      {"excel_trailing_commas", "y,a,b,,\nu,1,0.5,,\nv,2,-1.25,,\nu,3,0,,\nv,4,1000.5,,\n", without_ids()},
      {"excel_text_in_empty_column",
       "y,a,b,\nu,1,0.5,\nv,2,-1.25,\nu,3,0,\nv,4,1000.5,\n" +
           [] {
             std::string rows;
             for (int i = 0; i < 80; ++i) rows += "u,1,2,\n";
             return rows + "u,1,2,note\n";
           }(),
       refused(":86:4: 'note' in a column without a name; expected a name in the first row")},
      {"excel_n_a",
       "y,a,b\nu,1,0.5\nv,2,-1.25\nu,3,#N/A\nv,4,1000.5\n",
       {.ids = {}, .missing = {{2, 1}}},
       missing(Missing::mean)},
      {"excel_line_break_in_name",
       "y,a,\"b\nin mg\"\nu,1,0.5\nv,2,-1.25\nu,3,0\nv,4,1000.5\n",
       {.ids = {}, .names = {"a", "b\nin mg"}}},
      {"excel_line_break_in_label",
       "y,a,b\n\"u\r\n1\",1,0.5\nv,2,-1.25\n\"u\r\n1\",3,0\nv,4,1000.5\n",
       {.labels = {"u\r\n1", "v", "u\r\n1", "v"}, .ids = {}}},
      {"excel_comma_late",
       "y;a;b\nu;1;0\nv;2;0\n" +
           [] {
             std::string rows;
             for (int i = 0; i < 70; ++i) rows += "u;3;4\n";
             return rows + "v;5;0,5\n";
           }(),
       [] {
         Expected expected{.entries = {1, 0, 2, 0}, .labels = {"u", "v"}, .ids = {}};
         for (int i = 0; i < 70; ++i) {
           expected.entries.insert(expected.entries.end(), {3, 4});
           expected.labels.emplace_back("u");
         }
         expected.entries.insert(expected.entries.end(), {5, 0.5});
         expected.labels.emplace_back("v");
         return expected;
       }()},
      {"excel_both_marks",
       "y;a;b\nu;1,5;0\nv;2;1\n" +
           [] {
             std::string rows;
             for (int i = 0; i < 70; ++i) rows += "u;3;4\n";
             return rows + "v;5;0.5\n";
           }(),
       refused(
           ":74:3: '0.5' in column 'b', though the decimal mark of other numbers is a comma; expected one mark in all numbers")},
      {"decimal_unclear",
       "y\ta\tb\nu\t1,234\t2\nv\t2,500\t3\n",
       refused(":2:2: '1,234' has a decimal comma or one between thousands; expected the option decimal *"),
       {},
       ".tsv"},
      {"decimal_said",
       "y\ta\tb\nu\t1,234\t2\nv\t2,500\t3\n",
       {.entries = {1.234, 2, 2.5, 3}, .labels = {"u", "v"}, .ids = {}},
       [](ReadOptions& options) { options.decimal = ','; },
       ".tsv"},
      {"swiss_thousands", "y;a;b\nu;1;0.5\nv;2;-1.25\nu;3;0\nv;4;1'000.5\n", without_ids()},
      {"french_thousands",
       "y;a;b\nu;1;0,5\nv;2;-1,25\nu;3;0\nv;4;1\xc2\xa0"
       "000,5\n",
       without_ids()},
      // instruments and databases
      {"spaces",
       "y   a    b\nu   1    0.5\nv   2   -1.25\nu   3    0\nv   4 1000.5\n",
       without_ids(),
       {},
       ".txt"},
      {"spaces_before",
       "  y  a  b\n  u  1  0.5\n  v  2  -1.25 \n  u  3  0\n  v  4  1000.5\n",
       without_ids(),
       {},
       ""},
      {"comments", "# instrument 7\n# 2024-05-01\n\ny,a,b\nu,1,0.5\nv,2,-1.25\nu,3,0\nv,4,1000.5\n",
       without_ids()},
      {"names_in_a_comment",
       "# made by x, y and z\n#SampleID\ty\ta\tb\ns1\tu\t1\t0.5\ns2\tv\t2\t-1.25\ns3\tu\t3\t0\ns4\tv\t4\t1000.5\n",
       {},
       {},
       ".txt"},
      {"dots_for_missing",
       "y,a,b\nu,1,0.5\nv,2,-1.25\nu,3,.\nv,4,1000.5\n",
       {.ids = {}, .missing = {{2, 1}}},
       missing(Missing::mean)},
      {"null_for_missing",
       "y,a,b\nu,1,0.5\nv,2,-1.25\nu,3,null\nv,4,1000.5\n",
       {.ids = {}, .missing = {{2, 1}}},
       missing(Missing::mean)},
      {"own_missing",
       "y,a,b\nu,1,0.5\nv,2,-1.25\nu,3,-999\nv,4,1000.5\n",
       {.ids = {}, .missing = {{2, 1}}},
       [](ReadOptions& options) {
         options.missing = Missing::mean;
         options.na = {"-999"};
       }},
      {"below_limit", "y,a,b\nu,1,0.5\nv,2,-1.25\nu,3,<LOD\nv,4,1000.5\n",
       refused(
           ":4:3: '<LOD' in column 'b'; expected a number (the option na takes a text for a missing value, *")},
      {"patient_numbers", "patient,y,a,b\n1043,u,1,0.5\n2011,v,2,-1.25\n1187,u,3,0\n1500,v,4,1000.5\n",
       numbered_ids({"1043", "2011", "1187", "1500"})},
      {"id_in_the_middle", "y,a,Sample_ID,b\nu,1,s1,0.5\nv,2,s2,-1.25\nu,3,s3,0\nv,4,s4,1000.5\n"},
      {"increasing_numbers",
       "n0,y,a,b\n3,u,1,0.5\n4,v,2.5,-1.25\n7,u,3,0\n8,v,4,1000.5\n9,u,1,1\n12,v,1,2.5\n",
       {.entries = {1, 0.5, 2.5, -1.25, 3, 0, 4, 1000.5, 1, 1, 1, 2.5},
        .labels = {"u", "v", "u", "v", "u", "v"},
        .ids = {"3", "4", "7", "8", "9", "12"}}},
      {"few_numbers_are_a_feature", "a,y,b\n1,u,0.5\n2,v,-1.25\n3,u,0\n4,v,1000.5\n", without_ids()},
      {"different_until_later",
       [] {
         std::string text = "n0,y,b\n";
         for (int i = 0; i < 100; ++i)
           text +=
               std::to_string(i < 80 ? i : 5) + (i % 2 == 0 ? ",u," : ",v,") + std::to_string(i % 3) + ".5\n";
         return text;
       }(),
       [] {
         Expected expected{.entries = {}, .labels = {}, .ids = {}, .names = {"n0", "b"}};
         for (int i = 0; i < 100; ++i) {
           expected.entries.insert(expected.entries.end(), {i < 80 ? i * 1.0 : 5.0, i % 3 + 0.5});
           expected.labels.emplace_back(i % 2 == 0 ? "u" : "v");
         }
         return expected;
       }()},
      {"id_said", "a,y,p,b\n1,u,7,0.5\n2,v,7,-1.25\n3,u,8,0\n4,v,9,1000.5\n",
       numbered_ids({"7", "7", "8", "9"}), [](ReadOptions& options) { options.id = "p"; }},
      {"no_id_said",
       ",y,b\n1,u,0.5\n2,v,-1.25\n3,u,0\n4,v,1000.5\n",
       {.ids = {}, .names = {"x1", "b"}},
       [](ReadOptions& options) { options.no_id = true; }},
      {"counts_are_no_ids",
       "y,g1,g2\nu,17,105\nv,20,99\nu,31,140\nv,44,170\nu,52,181\nv,60,200\nu,71,203\n",
       {.entries = {17, 105, 20, 99, 31, 140, 44, 170, 52, 181, 60, 200, 71, 203},
        .labels = {"u", "v", "u", "v", "u", "v", "u"},
        .ids = {},
        .names = {"g1", "g2"}}},
      // which column is the label
      {"label_status", "a,b,Status\n1,0.5,u\n2,-1.25,v\n3,0,u\n4,1000.5,v\n", without_ids()},
      {"label_group_of_numbers",
       "a,group,b\n1,0,0.5\n2,1,-1.25\n3,0,0\n4,1,1000.5\n",
       {.labels = {"0", "1", "0", "1"}, .ids = {}}},
      {"label_only_words", "a,answer,b\n1,u,0.5\n2,v,-1.25\n3,u,0\n4,v,1000.5\n", without_ids()},
      {"label_last_says_so",
       "a,b,tumour_class\n1,0.5,0\n2,-1.25,1\n3,0,0\n4,1000.5,1\n",
       {.labels = {"0", "1", "0", "1"}, .ids = {}}},
      {"label_first",
       "answer,a,b\n0,1,0.5\n1,2,-1.25\n0,3,0\n1,4,1000.5\n",
       {.labels = {"0", "1", "0", "1"}, .ids = {}}},
      {"label_by_name", "a,status,b,kind\n1,7,0.5,u\n2,8,-1.25,v\n3,7,0,u\n4,8,1000.5,v\n", without_ids(),
       [](ReadOptions& options) {
         options.label = "kind";
         options.drop = "status";
       }},
      {"label_by_number", "a,b,kind\n1,0.5,u\n2,-1.25,v\n3,0,u\n4,1000.5,v\n", without_ids(), label("-1")},
      {"label_two", "label,a,class\nu,1,2\nv,3,4\n",
       refused(
           ": columns 'label' and 'class' could both be the label; expected the option label to say which")},
      {"label_absent", "y,a,b\nu,1,0.5\n",
       refused(": no column is named 'z' for the label; the first row has 'y', 'a', 'b'"), label("z")},
      {"iris_without_header", "1,0.5,u\n2,-1.25,v\n3,0,u\n4,1000.5,v\n", {.ids = {}, .names = {}}},
      {"mushrooms_without_header",
       "p,x,s\ne,x,s\np,b,y\ne,b,s\n",
       {.entries = {0, 1, 1, 0, 0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0},
        .labels = {"p", "e", "p", "e"},
        .ids = {},
        .names = {"x1=b", "x1=x", "x2=s", "x2=y"}}},
      // columns
      {"drop_patterns", "y,qc_1,a,b,qc_2\nu,9,1,0.5,9\nv,8,2,-1.25,9\nu,7,3,0,1\nv,7,4,1000.5,2\n",
       without_ids(), [](ReadOptions& options) { options.drop = "qc_*"; }},
      {"drop_ranges", "y,p,q,a,b\nu,9,1,1,0.5\nv,8,2,2,-1.25\nu,7,2,3,0\nv,7,2,4,1000.5\n", without_ids(),
       [](ReadOptions& options) { options.drop = "2-3"; }},
      {"only", "y,p,q,a,b\nu,9,1,1,0.5\nv,8,2,2,-1.25\nu,7,2,3,0\nv,7,2,4,1000.5\n", without_ids(),
       [](ReadOptions& options) { options.only = "a:b"; }},
      {"drop_absent", "y,a,b\nu,1,0.5\n",
       refused(
           ": 'zz' of the option drop is no column; expected names, numbers from 1 to 3, ranges or patterns*"),
       [](ReadOptions& options) { options.drop = "zz"; }},
      {"numbers_as_words",
       "y,a,centre\nu,1,10\nv,2,20\nu,3,10\nv,4,20\n",
       {.entries = {1, 1, 0, 2, 0, 1, 3, 1, 0, 4, 0, 1}, .ids = {}, .names = {"a", "centre=10", "centre=20"}},
       [](ReadOptions& options) { options.words = "centre"; }},
      {"words_and_numbers", "y,a,b\nu,1,red\nv,2,blue\nu,3,4\nv,4,red\n",
       refused(":4:3: '4' in column 'b'; expected a *")},
      {"too_many_words",
       [] {
         std::string text = "y,a,b\n";
         for (int i = 0; i < 120; ++i)
           text += std::string(i % 2 == 0 ? "u" : "v") + "," + std::to_string(i % 7) + ",w" +
                   std::to_string(i / 2) + "\n";
         return text;
       }(),
       refused(
           ": column 'b' has 60 different words, such as 'w0' and 'w1'; expected numbers, or at most 50 words (the option drop *")},
      {"words_late",
       [] {
         std::string text = "y,a,b\n";
         for (int i = 0; i < 70; ++i) text += "u,1,\n";
         return text + "v,2,red\nv,3,blue\nv,3,red\n";
       }(),
       [] {
         Expected expected{.entries = {}, .labels = {}, .ids = {}, .names = {"a", "b=blue", "b=red"}};
         for (Index i = 0; i < 70; ++i) {
           expected.entries.insert(expected.entries.end(), {1, 0, 0});
           expected.labels.emplace_back("u");
           expected.missing.insert(expected.missing.end(), {{i, 1}, {i, 2}});
         }
         expected.entries.insert(expected.entries.end(), {2, 0, 1, 3, 1, 0, 3, 0, 1});
         expected.labels.insert(expected.labels.end(), {"v", "v", "v"});
         return expected;
       }(),
       missing(Missing::mean)},
      {"names_twice", "y,a,b,a\nu,1,2,3\n",
       refused(": two columns are named 'a', number 2 and number 4; expected different names")},
      {"drop_samples",
       ",y,a,b\ns0,u,,1\ns1,u,1,0.5\ns2,v,2,-1.25\ns3,u,3,0\ns4,v,4,1000.5\ns5,v,4,NA\n",
       {},
       missing(Missing::drop_samples)},
      {"drop_features",
       ",y,p,a,b,q\ns1,u,,1,0.5,red\ns2,v,4,2,-1.25,NA\ns3,u,4,3,0,blue\ns4,v,4,4,1000.5,red\n",
       {},
       missing(Missing::drop_features)},
      // genes in rows
      {"genes_in_rows",
       "gene,s1,s2,s3,s4\ny,u,v,u,v\na,1,2,3,4\nb,0.5,-1.25,0,1000.5\n",
       {},
       [](ReadOptions& options) { options.transpose = true; }},
      {"genes_in_rows_of_r",
       "\"s1\" \"s2\" \"s3\" \"s4\"\n\"y\" \"u\" \"v\" \"u\" \"v\"\n\"a\" 1 2 3 4\n\"b\" 0.5 -1.25 0 1000.5\n",
       {},
       [](ReadOptions& options) { options.transpose = true; },
       ".txt"},
      {"genes_in_rows_broken", "gene,s1,s2,s3,s4\ny,u,v,u,v\na,1,2,3,4\nb,0.5,oops,0,1000.5\n",
       refused(":4:3: 'oops' in column 'b'; expected a number*"),
       [](ReadOptions& options) { options.transpose = true; }},
      // text
      {"utf8",
       "y,\xce\xb1,b\n\xc3\xa4,1,0.5\nv,2,-1.25\n\xc3\xa4,3,0\nv,4,1000.5\n",
       {.labels = {"\xc3\xa4", "v", "\xc3\xa4", "v"}, .ids = {}, .names = {"\xce\xb1", "b"}}},
      {"latin1_name",
       "y,a,gr\xf6\xdf"
       "e\nu,1,0.5\n",
       refused(":1:3: * is not UTF-8; expected the file in UTF-8 (iconv converts it)")},
      {"latin1_label", "y,a,b\nu,1,0.5\nm\xe4nnlich,2,3\n",
       refused(":3:1: * in column 'y' is not UTF-8; expected the file in UTF-8 (iconv converts it)")},
      {"utf16", "y\0,\0a\0\n\0"s, refused(":1:1: NUL byte; expected text (is this a binary or UTF-16 file?)")},
      {"quoted_commas",
       "y,a,\"b, c\"\nu,1,0.5\nv,2,-1.25\nu,3,0\nv,4,1000.5\n",
       {.ids = {}, .names = {"a", "b, c"}}},
      {"inches",
       "y,a,5\" pipe\nu,1,0.5\nv,2,-1.25\nu,3,0\nv,4,1000.5\n",
       {.ids = {}, .names = {"a", "5\" pipe"}}},
      {"libsvm_called_csv", "u 1:1 2:0.5\nv 1:2 2:-1.25\nu 1:3\nv 1:4 2:1000.5\n", {.ids = {}, .names = {}}},
      {"csv_called_libsvm", "y,a,b\nu,1,0.5\nv,2,-1.25\nu,3,0\nv,4,1000.5\n", without_ids(), {}, ".libsvm"},
      {"labels_alone", "u\nv\nu\n", refused(": *no features; expected *")},
      {"ragged", "y,a,b\nu,1,0.5\nv,2\n", refused(":3:3: 2 columns; expected 3 as in the first row")},
      {"infinite", "y,a,b\nu,1,0.5\nv,2,Inf\n", refused(":3:3: 'Inf' in column 'b'; expected a finite number")},
  };
  return all;
}

class Tables : public testing::TestWithParam<Table> {};

std::vector<std::pair<Index, Index>> missing_of(const Dataset& data) {
  std::vector<std::pair<Index, Index>> result;
  for (const MissingEntries::Column& column : data.missing.columns) {
    for (const Index i : column.rows) result.emplace_back(i, column.feature);
  }
  std::ranges::sort(result);
  return result;
}

// As a mapped file and compressed, in blocks of a line and in one: always the same.
TEST_P(Tables, AreReadOrRefused) {
  const Table& table = GetParam();
  const TemporaryFolder folder;
  const std::string name = std::string(table.name) + table.ending;
  const std::string plain = folder.write(name, table.text);
  const std::string packed = folder.write(name + ".gz", compress(table.text, Compression::gzip));
  for (const std::string& path : {plain, packed}) {
    for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{40}, kDefaultBlockBytes}) {
      ReadOptions options;
      if (table.change) table.change(options);
      options.block_bytes = block_bytes;
      try {
        const Dataset data = read_dataset(path, options);
        EXPECT_EQ(table.expected.refusal, "") << "was accepted";
        EXPECT_EQ(entries(data), table.expected.entries);
        EXPECT_EQ(labels(data), table.expected.labels);
        EXPECT_EQ(data.sample_names, table.expected.ids);
        EXPECT_EQ(data.feature_names, table.expected.names);
        EXPECT_EQ(missing_of(data), table.expected.missing);
      } catch (const InputError& error) {
        EXPECT_TRUE(is_like(error.what(), path + table.expected.refusal)) << error.what();
        EXPECT_NE(table.expected.refusal, "");
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(World, Tables, testing::ValuesIn(tables()),
                         [](const testing::TestParamInfo<Table>& row) { return std::string(row.param.name); });

TEST(TablesOfTheWorld, AreMany) {
  EXPECT_GE(tables().size(), 60U);
}

// What is written reads as the same table, words, missing values, names and all.
TEST(TablesOfTheWorld, AreWrittenAsTheyWere) {
  const TemporaryFolder folder;
  int n_written = 0;
  for (const Table& table : tables()) {
    if (!table.expected.refusal.empty() || std::string_view(table.name).starts_with("libsvm")) continue;
    SCOPED_TRACE(table.name);
    ReadOptions options;
    if (table.change) table.change(options);
    const Dataset data =
        read_dataset(folder.write(std::string(table.name) + table.ending, table.text), options);
    if (!data.table.label) continue;
    for (const char* ending : {".csv", ".tsv"}) {
      const std::string path = folder.path(std::string(table.name) + "_again" + ending);
      write_dataset(data, path);
      ReadOptions again;
      again.label = data.table.label->name.empty() ? "label" : data.table.label->name;
      again.missing = options.missing;
      again.max_words = options.max_words;
      if (data.table.id) again.id = std::to_string(data.table.id->place + 1);
      again.no_id = !data.table.id;
      for (const WordColumn& column : data.table.words) {
        if (!column.truth) again.words += (again.words.empty() ? "" : ",") + column.name;
      }
      const Dataset back = read_dataset(path, again);
      EXPECT_EQ(entries(back), entries(data));
      EXPECT_EQ(labels(back), labels(data));
      EXPECT_EQ(back.sample_names, data.sample_names);
      EXPECT_EQ(missing_of(back), missing_of(data));
      EXPECT_EQ(back.table.words, data.table.words);
      EXPECT_EQ(back.table.label->place, data.table.label->place);
      ++n_written;
    }
  }
  EXPECT_GT(n_written, 80);
}

}  // namespace
}  // namespace hsvm::test
