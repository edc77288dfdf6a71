// Broken files and command lines: each with its exit code and its one line on standard error, and no output
// file left.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text.hpp"

namespace hsvm::test {
namespace {

struct Case {
  const char* name;
  std::vector<std::string> arguments;
  int exit_code;
  const char* message;  // what a part of the line on standard error is like (tests/support/text.hpp)
  const char* input = "";
};

std::ostream& operator<<(std::ostream& stream, const Case& c) {
  return stream << c.name;
}

// What the cases find in their folder.
void write_files(const TemporaryFolder& folder) {
  folder.write("good.libsvm", "1 1:1 2:0.5\n-1 1:-1\n1 2:1\n-1 2:-2\n");
  folder.write("good.csv", "y,a,b\n1,1,0.5\n-1,-1,0\n1,0,1\n");
  folder.write("empty.libsvm", "");
  folder.write("blank.libsvm", "\n  \n# nothing\n");
  folder.write("one_class.libsvm", "1 1:1\n1 1:2\n");
  folder.write("three_classes.libsvm", "a 1:1\nb 1:2\nc 1:3\n");
  folder.write("three_classes_nan.libsvm", "a 1:1\nb 1:nan\nc 1:3\n");
  folder.write("three_classes_squares.libsvm", "a 1:1e200\nb 1:-1e200\nc 1:1\n");
  folder.write("zero_index.libsvm", "1 1:1\n-1 0:1\n");
  folder.write("negative_index.libsvm", "1 1:1\n-1 -3:1\n");
  folder.write("falling_index.libsvm", "1 1:1\n-1 5:1 4:1\n");
  folder.write("repeated_index.libsvm", "1 1:1\n-1 5:1 5:1\n");
  folder.write("huge_index.libsvm", "1 1:1\n-1 99999999999:1\n");
  folder.write("large_index.libsvm", "1 1:1\n-1 200000000:1\n");
  folder.write("wild_index.libsvm", "1 1:1\n-1 90000000:1\n");
  folder.write("nan_label.libsvm", "1 1:1\nnan 1:2\n");
  folder.write("labels_only.libsvm", "1\n-1\n1\n");
  folder.write("nan.libsvm", "1 1:nan\n-1 1:1\n");
  folder.write("inf.libsvm", "1 1:1\n-1 1:-inf\n");
  folder.write("overflow.libsvm", "1 1:1\n-1 1:1e999\n");
  folder.write("word.libsvm", "1 1:one\n-1 1:1\n");
  folder.write("no_value.libsvm", "1 1:1\n-1 2:\n");
  folder.write("no_colon.libsvm", "1 1:1\n-1 2 3\n");
  folder.write("no_label.libsvm", "1:1 2:1\n1:2 2:2\n");
  folder.write("squares.libsvm", "1 1:1e200\n-1 1:-1e200\n");
  folder.write("ragged.csv", "y,a,b\n1,1,2\n-1,3\n");
  folder.write("missing.csv", "y,a,b\n1,1,2\n-1,,3\n");
  folder.write("na.csv", "y,a,b\n1,1,2\n-1,NA,3\n");
  folder.write("text.csv", "y,a,b\n1,1,2\n-1,x,3\n");
  folder.write("quote.csv", "y,a,b\n1,\"1,2\n");
  folder.write("two_labels.csv", "label,a,class\n1,1,2\n-1,2,3\n");
  folder.write("not.gz", "1 1:1\n-1 1:2\n");
  folder.write("bad.gz", std::string("\x1f\x8b\x08\x00garbage", 11));
  folder.write("data.arff", "@relation\n");
  folder.write("short_weights.txt", "1\n1\n");
  folder.write("negative_weights.txt", "1\n1\n-1\n1\n");
  folder.write("zero_weights.txt", "0\n0\n0\n0\n");
  folder.write("word_weights.txt", "1\nheavy\n1\n1\n");
  folder.write("zero_factors.txt", "0\n1\n");
  folder.write("names.txt", "only_one\n");
  folder.write("latin1.libsvm", "m\xe4nnlich 1:1\nweiblich 1:2\n");
  folder.write("not_json.json", "hello");
  folder.write("list.json", "[1, 2]");
  folder.write("other.json", R"({"format": "something else"})");
  folder.write("version.json", R"({"format": "hsvm-model", "version": 2})");
  folder.write("truncated.json", R"({"format": "hsvm-model", "version": 1, "kind": )");
  const std::string model =
      R"({"format": "hsvm-model", "version": 1, "kind": "binary", "classes": [-1, 1], "n_features": 2,
          "feature_names": null, "delta": 1, "lambda1": 0.1, "lambda2": 0.1, "lambda3": 0.1, "intercept": [0],
          "coef": {"feature": [0], "value": [[1]]}})";
  const auto altered = [&](const std::string& from, const std::string& to) {
    return replaced(model, from, to);
  };
  folder.write("model.json", model);
  folder.write("feature_range.json", altered(R"("feature": [0])", R"("feature": [2])"));
  folder.write("value_shape.json", altered("[[1]]", "[[1, 2]]"));
  folder.write("three_classes.json", altered("[-1, 1]", "[1, 2, 3]"));
  const std::string multiclass =
      R"({"format": "hsvm-model", "version": 1, "kind": "multiclass", "classes": ["a", "b", "c"], "n_features": 2,
          "feature_names": null, "delta": 1, "lambda1": 0.1, "lambda2": 0.1, "lambda3": 0.1, "intercept": [1, 1, -2],
          "coef": {"feature": [0], "value": [[1, -1, 0]]}})";
  folder.write("intercepts_short.json", replaced(multiclass, "[1, 1, -2]", "[1, -1]"));
  folder.write("row_short.json", replaced(multiclass, "[[1, -1, 0]]", "[[1, -1]]"));
  folder.write("kind_unknown.json", replaced(multiclass, "multiclass", "ternary"));
  folder.write("no_delta.json", altered(R"("delta": 1, )", ""));
  folder.write("grid.txt", "0.1\n0.2\n");
  folder.write("grid_negative.txt", "0.1\n-0.2\n");
  folder.write("grid_twice.txt", "0.1\n0.2\n0.1\n");
  folder.write("grid_word.txt", "0.1\nsmall\n");
  folder.write("grid_infinite.txt", "0.1\ninf\n");
  folder.write("grid_zero.txt", "0.1\n0\n");
  folder.write("grid_empty.txt", "# nothing\n");
  const std::string path =
      R"({"format": "hsvm-path", "version": 1, "kind": "binary", "classes": [-1, 1], "n_features": 2,
          "feature_names": null, "delta": 1, "lambda1_max": 2, "status": "converged", "solver": "pg",
          "tolerance": 1e-6, "seconds": 1, "passes": 2, "n_samples": 4, "points": [)";
  const std::string report =
      R"("report": {"status": "converged", "objective": 1, "dual_objective": 1, "gap": 0, "relative_gap": 0,
          "iterations": 1, "passes": 1, "seconds": 0}})";
  const std::string first =
      R"({"lambda1": 1, "lambda2": 1, "lambda3": 1, "intercept": [0], "coef": {"feature": [], "value": []},)" +
      report;
  const std::string second =
      R"({"lambda1": 0.5, "lambda2": 1, "lambda3": 1, "intercept": [0], "coef": {"feature": [1], "value": [[1]]},)" +
      report;
  folder.write("path.json", path + first + "," + second + "]}");
  folder.write("path_rising.json", path + second + "," + first + "]}");
  folder.write("path_empty.json", path + "]}");
  folder.write("path_version.json", R"({"format": "hsvm-path", "version": 7})");
  folder.write("path_truncated.json", path + first);
  folder.write("path_feature.json", path + replaced(second, "[1],", "[2],") + "]}");
}

const std::vector<Case>& cases() {
  const std::vector<std::string> fit_good = {"fit", "good.libsvm", "-m", "out.json"};
  const auto fit = [&](std::vector<std::string> more) {
    more.insert(more.begin(), fit_good.begin(), fit_good.end());
    return more;
  };
  const std::vector<std::string> path_good = {"path", "good.libsvm", "-m", "out.json"};
  const auto path = [&](std::vector<std::string> more) {
    more.insert(more.begin(), path_good.begin(), path_good.end());
    return more;
  };
  const auto fit_file = [](const char* file) {
    return std::vector<std::string>{"fit", file, "-m", "out.json"};
  };
  static const std::vector<Case> all = {
      // command lines
      {"no_command", {}, 2, "subcommand is required"},
      {"unknown_command",
       {"train", "good.libsvm"},
       2,
       "unknown command 'train': must be one of fit path cv predict"},
      {"fit_without_data", {"fit"}, 2, "DATA is required"},
      {"unknown_flag", fit({"--lamda1", "1"}), 2, "--lamda1"},
      {"flag_without_value", fit({"--lambda1"}), 2, "--lambda1"},
      {"two_data_files", {"fit", "good.libsvm", "good.csv"}, 2, "good.csv"},
      {"lambda1_word", fit({"--lambda1", "big"}), 2, "--lambda1 big: expected a number"},
      {"lambda1_nan", fit({"--lambda1", "nan"}), 2, "--lambda1 nan: expected a number"},
      {"lambda1_infinite", fit({"--lambda1", "inf"}), 2, "--lambda1 inf: expected a number"},
      {"lambda1_overflow", fit({"--lambda1", "1e999"}), 2, "--lambda1 1e999: the number is too large"},
      {"lambda1_negative", fit({"--lambda1", "-0.5"}), 2, "--lambda1 -0.5: must be at least 0"},
      {"lambda2_negative", fit({"--lambda2", "-1"}), 2, "--lambda2 -1: must be at least 0"},
      {"lambda3_negative", fit({"--lambda3", "-1"}), 2, "--lambda3 -1: must be at least 0"},
      {"delta_zero", fit({"--delta", "0"}), 2, "--delta 0: must be greater than 0"},
      {"ratio_negative", fit({"--lambda1-ratio", "-1"}), 2, "--lambda1-ratio -1: must be at least 0"},
      {"alpha_above_one", fit({"--lambda", "1", "--alpha", "1.5"}), 2,
       "--alpha 1.5: must be at least 0 and at most 1"},
      {"alpha_alone", fit({"--alpha", "0.5"}), 2, "--alpha needs --lambda"},
      {"lambda_and_lambda1", fit({"--lambda", "1", "--lambda1", "1"}), 2,
       "--lambda and --lambda1 exclude each other"},
      {"lambda_and_lambda2", fit({"--lambda", "1", "--lambda2", "1"}), 2,
       "--lambda and --lambda2 exclude each other"},
      {"lambda1_and_ratio", fit({"--lambda1", "1", "--lambda1-ratio", "1"}), 2,
       "--lambda1 and --lambda1-ratio exclude"},
      {"lambda3_without_intercept", fit({"--lambda3", "1", "--no-intercept"}), 2,
       "--lambda3 and --no-intercept exclude"},
      {"no_penalty", fit({"--lambda1", "0", "--lambda2", "0"}), 2, "lambda1 and lambda2 are both 0"},
      {"zero_factor_alone", fit({"--lambda2", "0", "--penalty-factors", "zero_factors.txt"}), 2,
       "penalty factor of 0 * lambda2 must be positive"},
      {"tolerance_zero", fit({"--tolerance", "0"}), 2, "--tolerance 0: must be greater than 0"},
      {"iterations_zero", fit({"--max-iterations", "0"}), 2, "--max-iterations 0: must be at least 1"},
      {"iterations_fraction", fit({"--max-iterations", "1.5"}), 2,
       "--max-iterations 1.5: expected a whole number"},
      {"iterations_overflow", fit({"--max-iterations", "99999999999"}), 2,
       "--max-iterations 99999999999: * too large"},
      {"time_limit_zero", fit({"--time-limit", "0"}), 2, "--time-limit 0: must be greater than 0"},
      {"threads_negative", fit({"--threads", "-2"}), 2, "--threads -2: must be at least 0"},
      {"seed_negative", fit({"--seed", "-1"}), 2, "--seed -1: expected a whole number"},
      {"unknown_solver", fit({"--solver", "simplex"}), 2, "--solver simplex: must be one of newton, pg, pg2"},
      {"unknown_stopping", fit({"--stopping", "never"}), 2, "--stopping never: must be one of gap, paper"},
      {"unknown_precision", fit({"--precision", "half"}), 2, "--precision half: must be one of double, single"},
      {"unknown_format", fit({"--format", "xlsx"}), 2, "xlsx*libsvm"},
      {"features_zero", fit({"--features", "0"}), 2, "--features 0: must be at least 1"},
      {"class_weight_word", fit({"--class-weight", "heavy"}), 2, "--class-weight heavy: *LABEL=WEIGHT"},
      {"class_weight_unknown", fit({"--class-weight", "7=2"}), 2,
       "--class-weight 7=2: no sample has the label '7'"},
      {"class_weight_negative", fit({"--class-weight", "1=-2"}), 2, "--class-weight 1=-2: *at least 0"},
      {"generate_kind",
       {"generate", "ternary", "-o", "x.libsvm"},
       2,
       "unknown command 'ternary': must be one of binary"},
      {"generate_no_output", {"generate", "binary"}, 2, "--output is required"},
      {"generate_s_above_p",
       {"generate", "binary", "--p", "5", "--s", "6", "-o", "x.libsvm"},
       2,
       "--s 6: must be"},
      {"generate_rho_one", {"generate", "binary", "--rho", "1", "-o", "x.libsvm"}, 2, "--rho 1*: must be in"},
      {"generate_n_one", {"generate", "binary", "--n", "1", "-o", "x.libsvm"}, 2, "--n 1: must be at least 2"},
      {"generate_p_negative",
       {"generate", "binary", "--p", "-5", "-o", "x.libsvm"},
       2,
       "--p -5: must be at least 1"},
      {"generate_too_large",
       {"generate", "binary", "--n", "2000000000", "--p", "2000000000", "-o", "x.libsvm"},
       1,
       "not enough memory"},
      {"inspect_top_negative", {"inspect", "model.json", "--top", "-1"}, 2, "--top -1: must be at least 0"},
      {"model_unnamed", {"fit", "good.libsvm", "-m", ""}, 2, "--model: the name is empty"},
      // files
      {"missing_file", fit_file("nowhere.libsvm"), 1, "nowhere.libsvm: *No such file"},
      {"directory", fit_file("."), 1, ".: *folder"},
      {"empty", fit_file("empty.libsvm"), 1, "empty.libsvm: *empty"},
      {"only_comments", fit_file("blank.libsvm"), 1, "blank.libsvm: *no samples"},
      {"empty_input", {"fit", "-"}, 1, "standard input: *empty"},
      {"one_class", fit_file("one_class.libsvm"), 1, "one_class.libsvm: all samples have the label 1"},
      {"index_zero", fit_file("zero_index.libsvm"), 1, "zero_index.libsvm:2:4: "},
      {"index_negative", fit_file("negative_index.libsvm"), 1, "negative_index.libsvm:2:4: "},
      {"index_falling", fit_file("falling_index.libsvm"), 1, "falling_index.libsvm:2:8: "},
      {"index_repeated", fit_file("repeated_index.libsvm"), 1, "repeated_index.libsvm:2:8: "},
      {"index_huge", fit_file("huge_index.libsvm"), 1, "huge_index.libsvm:2:4: "},
      {"index_above_limit", fit_file("large_index.libsvm"), 1, "large_index.libsvm:2:4: *100000000"},
      {"index_wild", fit_file("wild_index.libsvm"), 1,
       "wild_index.libsvm: 2 values, and an index as high as 90000000"},
      {"label_nan", fit_file("nan_label.libsvm"), 1,
       "nan_label.libsvm:2:1: label 'nan'; expected a word or a finite"},
      {"no_features", fit_file("labels_only.libsvm"), 1, "labels_only.libsvm: samples without any features"},
      {"missing_word",
       {"fit", "good.csv", "--missing", "guess"},
       2,
       "--missing guess: must be one of mean, median"},
      {"id_twice", {"fit", "good.csv", "--id", "a", "--no-id"}, 2, "--id and --no-id exclude each other"},
      {"decimal_word", {"fit", "good.csv", "--decimal", ";"}, 2, "--decimal ;: must be . or ,"},
      {"max_words_zero", {"fit", "good.csv", "--max-words", "0"}, 2, "--max-words 0: must be at least 1"},
      {"drop_unknown", {"fit", "good.csv", "--drop", "z"}, 1, "good.csv: 'z' of the option drop is no column"},
      {"id_is_label",
       {"fit", "good.csv", "--id", "y", "--label", "y"},
       1,
       "good.csv: column 'y' is both the label and"},
      {"index_above_features",
       {"fit", "falling_index.libsvm", "--features", "3"},
       1,
       "falling_index.libsvm:2:4: *3"},
      {"value_nan", fit_file("nan.libsvm"), 1, "nan.libsvm:1:5: "},
      {"value_infinite", fit_file("inf.libsvm"), 1, "inf.libsvm:2:6: "},
      {"value_overflow", fit_file("overflow.libsvm"), 1, "overflow.libsvm:2:6: "},
      {"value_word", fit_file("word.libsvm"), 1, "word.libsvm:1:5: "},
      {"value_missing", fit_file("no_value.libsvm"), 1, "no_value.libsvm:2:6: "},
      {"colon_missing", fit_file("no_colon.libsvm"), 1, "no_colon.libsvm:2:5: "},
      {"label_missing", fit_file("no_label.libsvm"), 1, "no_label.libsvm:1:1: *label"},
      {"squares_overflow",
       {"fit", "squares.libsvm", "--no-standardize", "-m", "out.json"},
       1,
       "squares.libsvm: *squares overflow"},
      {"single_overflow", {"fit", "squares.libsvm", "--precision", "single"}, 1, "squares.libsvm:1:5: "},
      {"csv_ragged", fit_file("ragged.csv"), 1, "ragged.csv:3"},
      {"csv_missing", fit_file("missing.csv"), 1, "missing.csv:3*missing value"},
      {"csv_na", fit_file("na.csv"), 1, "na.csv:3*missing value"},
      {"csv_text", fit_file("text.csv"), 1, "text.csv:3*number"},
      {"csv_open_quote", fit_file("quote.csv"), 1, "quote.csv:2*quote"},
      {"csv_two_labels", fit_file("two_labels.csv"), 1, "two_labels.csv*label to say which"},
      {"csv_unknown_label", {"fit", "good.csv", "--label", "z"}, 1, "good.csv*z"},
      {"csv_label_out_of_range", {"fit", "good.csv", "--label", "9"}, 1, "good.csv*9"},
      {"not_gzip", fit_file("not.gz"), 1, "not.gz: *gzip"},
      {"bad_gzip", fit_file("bad.gz"), 1, "bad.gz: *gzip"},
      {"unread_format", fit_file("data.arff"), 1, "data.arff: *arff"},
      {"weights_short", fit({"--weights", "short_weights.txt"}), 1, "2 sample weights for 4 samples"},
      {"weights_negative", fit({"--weights", "negative_weights.txt"}), 1, "sample weights number 3 is -1"},
      {"weights_zero", fit({"--weights", "zero_weights.txt"}), 1, "positive, finite sum"},
      {"weights_word", fit({"--weights", "word_weights.txt"}), 1, "word_weights.txt:2"},
      {"weights_missing", fit({"--weights", "nowhere.txt"}), 1, "nowhere.txt: *No such file"},
      {"factors_short", fit({"--penalty-factors", "names.txt"}), 1, "names.txt:1"},
      {"names_short", fit({"--names", "names.txt"}), 1, "names.txt: 1 names for the 2 features"},
      {"label_not_utf8", fit_file("latin1.libsvm"), 1, "not UTF-8"},
      {"model_not_json", {"predict", "not_json.json", "good.libsvm"}, 1, "not_json.json: not a model file"},
      {"model_list", {"predict", "list.json", "good.libsvm"}, 1, "list.json: not a model file"},
      {"model_other_format", {"inspect", "other.json"}, 1, "other.json: \"format\" must be"},
      {"model_version", {"inspect", "version.json"}, 1, "version.json: \"version\" is 2"},
      {"model_truncated", {"inspect", "truncated.json"}, 1, "truncated.json: not a model file"},
      {"model_feature_range", {"inspect", "feature_range.json"}, 1, "feature_range.json: *from 0 to 1"},
      {"model_value_shape", {"inspect", "value_shape.json"}, 1, "value_shape.json: *list of 1 number"},
      {"model_three_classes", {"inspect", "three_classes.json"}, 1, "three_classes.json: *two"},
      {"multiclass_one_class",
       {"fit", "one_class.libsvm", "--multiclass", "-m", "out.json"},
       1,
       "one_class.libsvm: all samples have the label 1: a fit needs two classes"},
      {"three_classes_no_penalty",
       {"fit", "three_classes.libsvm", "--lambda1", "0", "--lambda2", "0", "-m", "out.json"},
       2,
       "lambda1 and lambda2 are both 0"},
      {"three_classes_weight_unknown",
       {"fit", "three_classes.libsvm", "--class-weight", "a=1,d=2", "-m", "out.json"},
       2,
       "--class-weight a=1,d=2: no sample has the label 'd'"},
      {"three_classes_weights_short",
       {"fit", "three_classes.libsvm", "--weights", "short_weights.txt", "-m", "out.json"},
       1,
       "2 sample weights for 3 samples"},
      {"three_classes_factors",
       {"fit", "three_classes.libsvm", "--penalty-factors", "short_weights.txt", "-m", "out.json"},
       1,
       "2 penalty factors for 1 features"},
      {"three_classes_nan",
       {"fit", "three_classes_nan.libsvm", "-m", "out.json"},
       1,
       "three_classes_nan.libsvm:2"},
      {"three_classes_squares",
       {"fit", "three_classes_squares.libsvm", "--no-standardize", "-m", "out.json"},
       1,
       "three_classes_squares.libsvm: *squares overflow"},
      {"generate_four_s_odd",
       {"generate", "multiclass", "--s", "7", "-o", "x.libsvm"},
       2,
       "--s 7: must be even"},
      {"generate_four_s_large",
       {"generate", "multiclass", "--p", "8", "--s", "6", "-o", "x.libsvm"},
       2,
       "--s 6: must be at most two thirds"},
      {"generate_four_n_three",
       {"generate", "multiclass", "--n", "3", "-o", "x.libsvm"},
       2,
       "--n 3: must be at least 4"},
      {"multiclass_intercepts_short",
       {"inspect", "intercepts_short.json"},
       1,
       "intercepts_short.json: *intercept"},
      {"multiclass_value_short", {"inspect", "row_short.json"}, 1, "row_short.json: *list of 3 numbers"},
      {"model_kind_unknown", {"inspect", "kind_unknown.json"}, 1, "kind_unknown.json: *kind"},
      {"model_key_missing", {"inspect", "no_delta.json"}, 1, "no_delta.json: the key \"delta\" is missing"},
      {"model_missing", {"inspect", "nowhere.json"}, 1, "nowhere.json: *No such file"},
      {"output_folder_missing",
       {"fit", "good.libsvm", "-m", "no/such/folder/m.json"},
       1,
       "no/such/folder/m.json: "},
      {"output_full", {"fit", "good.libsvm", "-m", "/dev/full"}, 1, "/dev/full: *No space left"},
      {"predict_output_full",
       {"predict", "model.json", "good.libsvm", "-o", "/dev/full"},
       1,
       "/dev/full: *No space"},
      {"convert_unwritable", {"convert", "good.libsvm", "no/such/folder/x.csv"}, 1, "no/such/folder/x.csv: "},
      {"convert_unknown_format", {"convert", "good.libsvm", "x.csv", "--to", "xlsx"}, 2, "xlsx"},
      // paths
      {"path_without_data", {"path"}, 2, "DATA is required"},
      {"path_lambda1", path({"--lambda1", "0.1"}), 2, "--lambda1 makes no sense for a path"},
      {"path_lambda1_ratio", path({"--lambda1-ratio", "0.1"}), 2, "--lambda1-ratio makes no sense for a path"},
      {"path_lambda", path({"--lambda", "1"}), 2, "--lambda makes no sense for a path"},
      {"path_stopping", path({"--stopping", "paper"}), 2, "--stopping paper: must be gap for a path"},
      {"path_alpha_zero", path({"--alpha", "0"}), 2, "--alpha 0: must be greater than 0 and at most 1"},
      {"path_alpha_large", path({"--alpha", "2"}), 2, "--alpha 2: must be greater than 0 and at most 1"},
      {"path_alpha_and_lambda2", path({"--alpha", "0.5", "--lambda2", "1"}), 2,
       "--alpha and --lambda2 exclude each other"},
      {"path_lambda2_negative", path({"--lambda2", "-1"}), 2, "--lambda2 -1: must be at least 0"},
      {"path_nlambda_zero", path({"--nlambda", "0"}), 2, "--nlambda 0: must be at least 1"},
      {"path_nlambda_fraction", path({"--nlambda", "2.5"}), 2, "--nlambda 2.5: expected a whole number"},
      {"path_nlambda_huge", path({"--nlambda", "99999999999"}), 2, "--nlambda 99999999999: * too large"},
      {"path_ratio_zero", path({"--lambda-min-ratio", "0"}), 2, "--lambda-min-ratio 0: must be greater than 0"},
      {"path_ratio_one", path({"--lambda-min-ratio", "1"}), 2, "--lambda-min-ratio 1: *less than 1"},
      {"path_ratio_word", path({"--lambda-min-ratio", "tiny"}), 2,
       "--lambda-min-ratio tiny: expected a number"},
      {"path_nonzeros_negative", path({"--max-nonzeros", "-1"}), 2, "--max-nonzeros -1: must be at least 0"},
      {"path_nonzeros_word", path({"--max-nonzeros", "few"}), 2, "--max-nonzeros few: expected a whole number"},
      {"path_grid_missing", path({"--lambda-grid", "nowhere.txt"}), 1, "nowhere.txt: *No such file"},
      {"path_grid_negative", path({"--lambda-grid", "grid_negative.txt"}), 1,
       "number 2 is -0.2: must be at least 0"},
      {"path_grid_twice", path({"--lambda-grid", "grid_twice.txt"}), 1, "holds 0.1 more than once"},
      {"path_grid_word", path({"--lambda-grid", "grid_word.txt"}), 1, "grid_word.txt:2"},
      {"path_grid_infinite", path({"--lambda-grid", "grid_infinite.txt"}), 1, "grid_infinite.txt:2"},
      {"path_grid_empty", path({"--lambda-grid", "grid_empty.txt"}), 1, "grid_empty.txt: no numbers"},
      {"path_grid_and_nlambda", path({"--lambda-grid", "grid.txt", "--nlambda", "5"}), 2,
       "--lambda-grid and --nlambda exclude each other"},
      {"path_grid_and_ratio", path({"--lambda-grid", "grid.txt", "--lambda-min-ratio", "0.1"}), 2,
       "--lambda-grid and --lambda-min-ratio exclude each other"},
      {"path_grid_no_penalty", path({"--lambda-grid", "grid_zero.txt", "--lambda2", "0"}), 2,
       "lambda1 and lambda2 are both 0"},
      {"path_zero_factor", path({"--alpha", "1", "--penalty-factors", "zero_factors.txt"}), 2,
       "penalty factor of 0 * lambda2 must be positive"},
      {"path_weights_short", path({"--weights", "short_weights.txt"}), 1, "2 sample weights for 4 samples"},
      {"path_one_class", {"path", "one_class.libsvm", "-m", "out.json"}, 1, "all samples have the label 1"},
      {"path_squares",
       {"path", "squares.libsvm", "--no-standardize", "-m", "out.json"},
       1,
       "squares.libsvm: *squares overflow"},
      {"path_precision", path({"--precision", "half"}), 2, "--precision half: must be one of"},
      {"path_output_folder_missing",
       {"path", "good.libsvm", "-m", "no/folder/p.json"},
       1,
       "no/folder/p.json: "},
      {"path_output_full", {"path", "good.libsvm", "-m", "/dev/full"}, 1, "/dev/full: *No space left"},
      {"path_trace_folder_missing", path({"--trace", "no/folder/t.csv"}), 1, "no/folder/t.csv: "},
      {"trace_folder_missing", fit({"--trace", "no/folder/t.csv"}), 1, "no/folder/t.csv: "},
      {"trace_is_model", fit({"--trace", "out.json"}), 2,
       "--trace out.json: must be another file than --model"},
      {"predict_path_alone",
       {"predict", "path.json", "good.libsvm"},
       2,
       "path.json holds a path: --lambda1 must say which model, from 0.5 to 1"},
      {"predict_path_below",
       {"predict", "path.json", "good.libsvm", "--lambda1", "0.4"},
       2,
       "--lambda1 0.4: the path runs from 0.5 to 1"},
      {"predict_path_above",
       {"predict", "path.json", "good.libsvm", "--lambda1", "1.5"},
       2,
       "--lambda1 1.5: the path runs from 0.5 to 1"},
      {"predict_path_word",
       {"predict", "path.json", "good.libsvm", "--lambda1", "x"},
       2,
       "--lambda1 x: expected a number"},
      {"predict_model_lambda1",
       {"predict", "model.json", "good.libsvm", "--lambda1", "0.5"},
       2,
       "--lambda1 0.5: model.json holds one model"},
      {"inspect_model_lambda1",
       {"inspect", "model.json", "--lambda1", "0.5"},
       2,
       "--lambda1 0.5: model.json holds one model"},
      {"inspect_path_below", {"inspect", "path.json", "--lambda1", "0"}, 2, "the path runs from 0.5 to 1"},
      {"inspect_path_rising",
       {"inspect", "path_rising.json"},
       1,
       "path_rising.json: point 2: \"lambda1\" must be smaller"},
      {"inspect_path_empty",
       {"inspect", "path_empty.json"},
       1,
       "path_empty.json: \"points\" must hold at least"},
      {"inspect_path_version", {"inspect", "path_version.json"}, 1, "path_version.json: \"version\" is 7"},
      {"predict_path_truncated",
       {"predict", "path_truncated.json", "good.libsvm", "--lambda1", "1"},
       1,
       "path_truncated.json: not a model file"},
      {"predict_path_feature",
       {"predict", "path_feature.json", "good.libsvm", "--lambda1", "0.5"},
       1,
       "path_feature.json: point 1: *from 0 to 1"},
      {"predict_columns", {"predict", "model.json", "good.csv", "--label", "9"}, 1, "good.csv*9"},
  };
  return all;
}

class BadInput : public testing::TestWithParam<Case> {};

TEST_P(BadInput, IsRefusedInOneClearLine) {
  const Case& c = GetParam();
  const TemporaryFolder folder;
  write_files(folder);
  const Outcome outcome = run_program(program_in("HSVM_PROGRAM"), c.arguments, folder.path("."), c.input);

  EXPECT_EQ(outcome.exit_code, c.exit_code) << outcome.errors;
  EXPECT_TRUE(has_part_like(outcome.errors, c.message)) << outcome.errors;
  EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << outcome.errors;
  EXPECT_TRUE(outcome.errors.starts_with("hsvm: ")) << outcome.errors;
  for (const char* output : {"out.json", "x.libsvm", "x.csv"}) {
    EXPECT_FALSE(std::filesystem::exists(folder.path(output))) << "left behind: " << output;
  }
}

INSTANTIATE_TEST_SUITE_P(Table, BadInput, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case>& row) { return std::string(row.param.name); });

TEST(BadInputTable, IsLarge) {
  EXPECT_GE(cases().size(), 150U);
}

}  // namespace
}  // namespace hsvm::test
