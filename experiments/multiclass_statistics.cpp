// [XAC15, Tables 15 and 16]: are the multi-class methods different over all datasets?

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "datasets/paper_scores.hpp"
#include "experiments/lab/lab.hpp"
#include "experiments/registry.hpp"
#include "hsvm/stats/compare.hpp"

namespace hsvm::lab {
namespace tables_15_16 {

// The mean accuracy in a result's table, where it was measured.
std::optional<double> accuracy_in(const Json& result, const std::string& row, const std::string& column) {
  for (const Json& json : result.at("tables")) {
    const Table table = table_from_json(json);
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
      if (table.columns[k].name != column) continue;
      for (const Row& measured : table.rows) {
        if (measured.label == row && measured.cells[k].ours) return measured.cells[k].ours;
      }
    }
  }
  return std::nullopt;
}

// Our accuracies on the sets where every method has one.
stats::ScoreTable our_scores(const Lab& lab, const stats::ScoreTable& paper) {
  stats::ScoreTable ours{.methods = paper.methods};
  if (lab.scale() == Scale::smallest) return ours;  // which has made-up data alone
  const Json benchmarks = lab.result_of("benchmarks");
  const Json microarrays = lab.result_of("microarrays");
  for (const std::string& dataset : paper.datasets) {
    std::vector<double> scores;
    for (const std::string& method : paper.methods) {
      auto score = accuracy_in(benchmarks, dataset, method);
      if (!score) score = accuracy_in(microarrays, dataset + " " + method, "accuracy");
      if (score) scores.push_back(*score);
    }
    if (scores.size() < paper.methods.size()) continue;
    ours.datasets.push_back(dataset);
    ours.scores.insert(ours.scores.end(), scores.begin(), scores.end());
  }
  return ours;
}

// In the order of the paper: ranks, Friedman, Wilcoxon's z and p, Holm against M-PGH.
std::vector<std::pair<std::string, double>> statistics_of(const stats::ScoreTable& table) {
  const stats::Comparison comparison = stats::compare(table, {.control = "M-PGH"});
  std::vector<std::pair<std::string, double>> list;
  for (std::size_t j = 0; j < table.methods.size(); ++j)
    list.emplace_back("average rank of " + table.methods[j], comparison.average_ranks[j]);
  list.emplace_back("Friedman chi^2", comparison.friedman.chi_squared);
  list.emplace_back("Friedman p", comparison.friedman.p);
  for (const stats::PairTest& pair : comparison.pairs) {
    const std::string names = table.methods[pair.first] + " and " + table.methods[pair.second];
    list.emplace_back("Wilcoxon z, " + names, pair.wilcoxon.z);
    list.emplace_back("Wilcoxon p, " + names, pair.wilcoxon.p);
  }
  for (std::size_t j = 1; j < table.methods.size(); ++j) {
    for (const stats::ControlTest& test : comparison.against_control) {
      if (test.method == j) list.emplace_back("Holm p, M-PGH and " + table.methods[j], test.p);
    }
  }
  return list;
}

// As the paper prints them, in the order of statistics_of.
const std::vector<double> kPrinted = {1.4,     2.4,    2.2,     5.6,    0.0608, -1.7838, 0.0745,
                                      -1.2741, 0.2026, -0.5606, 0.5751, 0.0253, 0.0736};

Table score_table(const stats::ScoreTable& ours, const stats::ScoreTable& paper) {
  Table table{
      .name = "accuracies", .caption = "Accuracy (%) on each set: what is compared.", .row_header = "dataset"};
  for (const std::string& method : paper.methods)
    table.columns.push_back({method, Compare::difference, "{:.2f}"});
  for (std::size_t i = 0; i < paper.datasets.size(); ++i) {
    Row row{paper.datasets[i], {}};
    const auto mine = std::ranges::find(ours.datasets, paper.datasets[i]);
    for (std::size_t j = 0; j < paper.methods.size(); ++j) {
      Cell cell{.paper = paper.row(i)[j], .word = "no data"};
      if (mine != ours.datasets.end())
        cell.ours = ours.row(static_cast<std::size_t>(mine - ours.datasets.begin()))[j];
      row.cells.push_back(std::move(cell));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string verdict(const stats::ScoreTable& table, const std::string& whose) {
  constexpr double kLevel = 0.10;  // the paper's
  const stats::Comparison comparison = stats::compare(table, {.control = "M-PGH", .alpha = kLevel});
  std::string different;
  for (const stats::ControlTest& test : comparison.against_control) {
    if (test.adjusted_p > kLevel) continue;
    different += fmt::format("{}{} ({})", different.empty() ? "" : ", ", table.methods[test.method],
                             test.z < 0.0 ? "M-PGH better" : "M-PGH worse");
  }
  return fmt::format(
      "{}, {} sets: the best average rank is that of {}; Holm's procedure at {:.2f} tells from M-PGH: {}.",
      whose, table.datasets.size(), table.methods[comparison.order.front()], kLevel,
      different.empty() ? "none" : different);
}

void run(Lab& lab) {
  constexpr std::size_t kFewest = 2;
  const stats::ScoreTable paper = datasets::multiclass_scores();
  const stats::ScoreTable ours = our_scores(lab, paper);
  const bool enough = ours.datasets.size() >= kFewest;
  Table table{
      .name = "statistics",
      .caption = "From our accuracies, and from those that the paper prints (beside its own statistics).",
      .row_header = "statistic",
      .columns = {{"from our accuracies", Compare::nothing, "{:.4f}"},
                  {"from the paper's accuracies", Compare::difference, "{:.4f}"}}};
  const auto recomputed = statistics_of(paper);
  const auto measured = enough ? statistics_of(ours) : decltype(recomputed)();
  for (std::size_t k = 0; k < recomputed.size(); ++k) {
    const Cell mine = enough ? Cell{.ours = measured[k].second} : Cell{.word = "no data"};
    table.rows.push_back(
        {recomputed[k].first, {mine, {.ours = recomputed[k].second, .paper = kPrinted.at(k)}}});
  }
  table.notes.emplace_back("Holm's p-values are given before their adjustment, as in the paper.");
  table.notes.push_back(verdict(paper, "The paper's accuracies"));
  if (enough) table.notes.push_back(verdict(ours, "Ours"));
  if (ours.datasets.size() < paper.datasets.size()) {
    table.notes.push_back(fmt::format("Of the {} sets {} have an accuracy of ours for every method.",
                                      paper.datasets.size(), ours.datasets.size()));
  }
  lab.add(std::move(table));
  lab.add(score_table(ours, paper));
}

}  // namespace tables_15_16

Experiment multiclass_statistics() {
  return {.name = "multiclass_statistics",
          .title = "Multi-class methods over all datasets",
          .table = "Tables 15 and 16",
          .protocol =
              "Wilcoxon's signed ranks, Friedman's test and Holm's procedure against M-PGH, on the mean "
              "accuracies of the experiments benchmarks and microarrays, and on those that the paper prints.",
          .trials = 1,
          .quick_trials = 1,
          .minutes = 0.1,
          .quick_minutes = 0.1,
          .run = tables_15_16::run};
}

}  // namespace hsvm::lab
