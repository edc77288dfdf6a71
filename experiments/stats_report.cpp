#include "experiments/stats_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <vector>

namespace hsvm::lab {
namespace {

using nlohmann::ordered_json;
using stats::Comparison;
using stats::ScoreTable;

std::string shown_p(double p) {
  constexpr double kSmall = 1e-3;
  return p >= kSmall || p == 0.0 ? fmt::format("{:.4f}", p) : fmt::format("{:.2e}", p);
}

// As it may stand in a cell of a table.
std::string cell(const std::string& name) {
  std::string result;
  for (const char c : name) result += c == '|' ? std::string("\\|") : std::string(1, c);
  return result;
}

std::vector<std::string> names_of(const ScoreTable& table, const std::vector<std::size_t>& methods) {
  std::vector<std::string> names;
  names.reserve(methods.size());
  for (const std::size_t j : methods) names.push_back(table.methods[j]);
  return names;
}

std::string ranks_table(const ScoreTable& table, const Comparison& comparison) {
  std::string text = "| method | average rank |\n|---|---:|\n";
  for (const std::size_t j : comparison.order)
    text += fmt::format("| {} | {:.4g} |\n", cell(table.methods[j]), comparison.average_ranks[j]);
  return text;
}

std::string all_methods_table(const stats::FriedmanTest& test) {
  std::string text = "| test | statistic | degrees of freedom | p |\n|---|---:|---:|---:|\n";
  text +=
      fmt::format("| Friedman | chi^2 = {:.4g} | {} | {} |\n", test.chi_squared, test.freedom, shown_p(test.p));
  if (test.iman_davenport) {
    text += fmt::format("| Iman-Davenport | F = {:.4g} | {}, {} | {} |\n", test.iman_davenport->f,
                        test.iman_davenport->freedom, test.iman_davenport->freedom_below,
                        shown_p(test.iman_davenport->p));
  }
  return text;
}

std::string pairs_table(const ScoreTable& table, const std::vector<stats::PairTest>& pairs) {
  std::string text =
      "| pair | R+ | R- | z | p | exact p | p, adjusted |\n|---|---:|---:|---:|---:|---:|---:|\n";
  for (const stats::PairTest& pair : pairs) {
    const stats::WilcoxonTest& test = pair.wilcoxon;
    text += fmt::format("| {} - {} | {:g} | {:g} | {:.4f} | {} | {} | {} |\n", cell(table.methods[pair.first]),
                        cell(table.methods[pair.second]), test.r_plus, test.r_minus, test.z, shown_p(test.p),
                        test.exact_p ? shown_p(*test.exact_p) : "", shown_p(pair.adjusted_p));
  }
  return text;
}

std::string control_table(const ScoreTable& table, const Comparison& comparison) {
  std::string text = fmt::format(
      "| method | z | p | p, adjusted | differs at {:g} |\n|---|---:|---:|---:|---|\n", comparison.alpha);
  for (const stats::ControlTest& test : comparison.against_control) {
    text += fmt::format("| {} | {:.4f} | {} | {} | {} |\n", cell(table.methods[test.method]), test.z,
                        shown_p(test.p), shown_p(test.adjusted_p),
                        test.adjusted_p <= comparison.alpha ? "yes" : "no");
  }
  return text;
}

std::string groups_list(const ScoreTable& table, const Comparison& comparison) {
  if (comparison.groups.empty()) return "All methods differ.\n";
  std::string text = "Not told apart:\n\n";
  for (const std::vector<std::size_t>& group : comparison.groups)
    text += fmt::format("- {}\n", fmt::join(names_of(table, group), ", "));
  return text;
}

ordered_json pair_json(const ScoreTable& table, const stats::PairTest& pair) {
  const stats::WilcoxonTest& test = pair.wilcoxon;
  return {{"first", table.methods[pair.first]},
          {"second", table.methods[pair.second]},
          {"r_plus", test.r_plus},
          {"r_minus", test.r_minus},
          {"z", test.z},
          {"p", test.p},
          {"exact_p", test.exact_p ? ordered_json(*test.exact_p) : ordered_json(nullptr)},
          {"adjusted_p", pair.adjusted_p}};
}

ordered_json iman_davenport_json(const std::optional<stats::ImanDavenportTest>& test) {
  if (!test) return nullptr;
  return {{"f", test->f}, {"freedom", {test->freedom, test->freedom_below}}, {"p", test->p}};
}

}  // namespace

std::string to_markdown(const ScoreTable& table, const Comparison& comparison) {
  return fmt::format(
      "{} methods on {} dataset{}, {} scores are better.\n\n## Average ranks\n\n{}\n## All methods\n\n{}\n"
      "## Pairs: Wilcoxon's signed ranks\n\n{}\n## Against {}: Holm\n\n{}\n"
      "## Critical difference: Nemenyi\n\nCD = {:.4g} at alpha = {:g}. {}",
      table.methods.size(), table.datasets.size(), table.datasets.size() == 1 ? "" : "s",
      table.smaller_is_better ? "smaller" : "larger", ranks_table(table, comparison),
      all_methods_table(comparison.friedman), pairs_table(table, comparison.pairs),
      table.methods[comparison.control], control_table(table, comparison), comparison.critical_difference,
      comparison.alpha, groups_list(table, comparison));
}

std::string to_json(const ScoreTable& table, const Comparison& comparison) {
  ordered_json json = {{"n_datasets", table.datasets.size()}, {"methods", table.methods}};
  json["average_ranks"] = comparison.average_ranks;
  json["friedman"] = {{"chi_squared", comparison.friedman.chi_squared},
                      {"freedom", comparison.friedman.freedom},
                      {"p", comparison.friedman.p},
                      {"agreement", comparison.friedman.agreement}};
  json["iman_davenport"] = iman_davenport_json(comparison.friedman.iman_davenport);
  json["pairs"] = ordered_json::array();
  for (const stats::PairTest& pair : comparison.pairs) json["pairs"].push_back(pair_json(table, pair));
  json["control"] = table.methods[comparison.control];
  json["against_control"] = ordered_json::array();
  for (const stats::ControlTest& test : comparison.against_control) {
    json["against_control"].push_back({{"method", table.methods[test.method]},
                                       {"z", test.z},
                                       {"p", test.p},
                                       {"adjusted_p", test.adjusted_p}});
  }
  json["alpha"] = comparison.alpha;
  json["critical_difference"] = comparison.critical_difference;
  json["groups"] = ordered_json::array();
  for (const std::vector<std::size_t>& group : comparison.groups)
    json["groups"].push_back(names_of(table, group));
  return json.dump();
}

}  // namespace hsvm::lab
