// Options by their names (hsvm/core/option_info.hpp): a new option of the library is one here by itself.

#include <map>
#include <set>

#include "glue.hpp"

namespace hsvm::r {
namespace {

// Fills fields of options structs from a named list; what is NULL there is not given.
class NamedValues {
 public:
  explicit NamedValues(const Rcpp::List& values) : values_(values) {
    const Rcpp::CharacterVector names = values.names();
    for (R_xlen_t k = 0; k < names.size(); ++k) unknown_.insert(Rcpp::as<std::string>(names[k]));
  }

  template <class T>
  void operator()(const OptionInfo& info, T& field) {
    if (const SEXP value = take(info.name); value != R_NilValue) set(info.name, value, field);
  }
  [[nodiscard]] SEXP take(const std::string& name) {
    if (unknown_.erase(name) == 0) return R_NilValue;
    return values_[name];
  }
  void require_all_known() const {
    if (!unknown_.empty()) throw OptionError("there is no option named " + *unknown_.begin());
  }

 private:
  static void set(const std::string& /*name*/, SEXP value, double& field) { field = Rcpp::as<double>(value); }
  static void set(const std::string& /*name*/, SEXP value, bool& field) { field = Rcpp::as<bool>(value); }
  static void set(const std::string& name, SEXP value, int& field) {
    field = static_cast<int>(whole(name, value, 2147483647.0));
  }
  static void set(const std::string& name, SEXP value, std::uint64_t& field) {
    const double number = whole(name, value, 9007199254740992.0);
    if (number < 0.0)
      throw value_error(name, std::to_string(static_cast<long long>(number)), "must be at least 0");
    field = static_cast<std::uint64_t>(number);
  }
  static void set(const std::string& name, SEXP value, Loss& field) {
    set_named(name, value, kLossNames, field);
  }
  static void set(const std::string& name, SEXP value, Margins& field) {
    set_named(name, value, kMarginsNames, field);
  }
  static void set(const std::string& name, SEXP value, Solver& field) {
    set_named(name, value, kSolverNames, field);
  }
  static void set(const std::string& name, SEXP value, Stopping& field) {
    set_named(name, value, kStoppingNames, field);
  }
  static void set(const std::string& name, SEXP value, Score& field) {
    const auto wanted = Rcpp::as<std::string>(value);
    for (const Score score : tuning_scores()) {
      if (to_string(score) != wanted) continue;
      field = score;
      return;
    }
    throw value_error(name, "\"" + wanted + "\"", "must be one of " + list_tuning_scores());
  }
  static void set(const std::string& /*name*/, SEXP value, ClassWeights& field) {
    if (TYPEOF(value) == STRSXP) {
      field.balanced = true;
      return;
    }
    const Rcpp::NumericVector weights = value;
    const Rcpp::CharacterVector labels = weights.names();
    for (R_xlen_t k = 0; k < weights.size(); ++k) field.by_label[Rcpp::as<std::string>(labels[k])] = weights[k];
  }
  template <class T>
  static void set(const std::string& name, SEXP value, std::optional<T>& field) {
    set(name, value, field.emplace());
  }

  static double whole(const std::string& name, SEXP value, double largest) {
    const auto number = Rcpp::as<double>(value);
    if (number == std::floor(number) && std::abs(number) <= largest) return number;
    const std::string spelt = Rcpp::as<std::string>(Rf_asChar(value));
    throw value_error(name, spelt, std::abs(number) > largest ? "is too large" : "must be a whole number");
  }
  template <class Enum, std::size_t size>
  static void set_named(const std::string& name, SEXP value, const std::array<std::string_view, size>& names,
                        Enum& field) {
    const auto wanted = Rcpp::as<std::string>(value);
    const auto found = find_named<Enum>(names, wanted);
    std::string list;
    for (const std::string_view word : names) list += (list.empty() ? "\"" : ", \"") + std::string(word) + "\"";
    if (!found) throw value_error(name, "\"" + wanted + "\"", "must be one of " + list);
    field = *found;
  }

  const Rcpp::List& values_;
  std::set<std::string> unknown_;
};

void take_numbers(NamedValues& values, const char* name, std::vector<double>& field) {
  if (const SEXP given = values.take(name); given != R_NilValue) field = Rcpp::as<std::vector<double>>(given);
}
void take_numbers(NamedValues& values, const char* name, std::vector<Index>& field) {
  if (const SEXP given = values.take(name); given != R_NilValue) field = Rcpp::as<std::vector<Index>>(given);
}

}  // namespace

AllOptions to_options(const Rcpp::List& given) {
  AllOptions options;
  NamedValues values(given);
  describe_model(options.fit, values);
  describe_solver(options.fit, values);
  describe_path(options.path, values);
  describe_tuning(options.tune, values);
  take_numbers(values, "lambda_grid", options.path.lambda_grid);
  take_numbers(values, "lambda2_grid", options.tune.lambda2_grid);
  take_numbers(values, "delta_grid", options.tune.delta_grid);
  take_numbers(values, "fold_of_sample", options.tune.fold_of_sample);
  if (const SEXP groups = values.take("groups"); groups != R_NilValue)
    options.tune.group_of_sample = numbers_of_words(Rcpp::as<std::vector<std::string>>(groups));
  values.require_all_known();
  if (is_forked_child()) options.fit.threads = 1;
  return options;
}

std::string r_name(const std::string& name) {
  static const std::map<std::string, std::string> names = {{"tolerance", "thresh"},
                                                           {"max_iterations", "maxit"},
                                                           {"lambda_min_ratio", "lambda.min.ratio"},
                                                           {"lambda_grid", "lambda"},
                                                           {"max_nonzeros", "dfmax"},
                                                           {"full_path", "full.path"},
                                                           {"no_intercept", "intercept = FALSE"},
                                                           {"class_weight", "class.weights"},
                                                           {"time_limit", "time.limit"},
                                                           {"folds", "nfolds"},
                                                           {"fold_of_sample", "foldid"},
                                                           {"given_folds", "foldid"},
                                                           {"group_of_sample", "groups"},
                                                           {"score", "type.measure"},
                                                           {"leave_one_out", "leave.one.out"},
                                                           {"lambda2_grid", "lambda2"},
                                                           {"delta_grid", "delta"},
                                                           {"fit()", "hsvm()"}};
  const auto found = names.find(name);
  return found == names.end() ? name : found->second;
}

}  // namespace hsvm::r
