#include "datasets/paper_scores.hpp"

namespace hsvm::datasets {
namespace {

struct Row {
  const char* dataset;
  std::vector<double> scores;
};

stats::ScoreTable table_of(std::vector<std::string> methods, const std::vector<Row>& rows) {
  stats::ScoreTable table{.methods = std::move(methods)};
  for (const Row& row : rows) {
    table.datasets.emplace_back(row.dataset);
    table.scores.insert(table.scores.end(), row.scores.begin(), row.scores.end());
  }
  return table;
}

}  // namespace

stats::ScoreTable binary_scores() {
  const std::vector<Row> rows = {
      {"australian", {87.4, 87.4, 86.7, 86.9, 85.7}},
      {"colon", {84.4, 84.4, 84.4, 84.4, 81.3}},
      {"duke", {90, 90, 90, 90, 80}},
      {"gisette", {92.9, 92.7, 92.6, 92.8, 91.7}},
      {"leuk", {91.2, 91.2, 82.4, 82.4, 91.2}},
      {"sub-rcv1", {84.8, 84.8, 83.3, 82.3, 80.1}},
      {"sub-realsim", {92.9, 92.9, 91.9, 92.8, 90.9}},
      {"fMRIa", {90, 90, 70, 70, 70}},
      {"fMRIb", {100, 100, 90, 100, 70}},
      {"fMRIc", {100, 100, 80, 90, 50}},
  };
  return table_of({"B-PGH", "B-PGH-2", "GCD", "ADMM", "LIBLINEAR"}, rows);
}

stats::ScoreTable multiclass_scores() {
  const std::vector<Row> rows = {
      {"connect4", {53.28, 51.20, 53.07}}, {"dna", {92.82, 89.04, 33.71}},   {"glass", {53.00, 51.40, 62.80}},
      {"letter", {43.24, 65.90, 80.96}},   {"poker", {35.13, 14.29, 24.05}}, {"protein", {60.22, 56.84, 53.20}},
      {"usps", {74.44, 73.46, 76.28}},     {"wine", {96.64, 96.25, 94.00}},  {"SRBCT", {98.6, 96.2, 72.0}},
      {"leukemia", {91.9, 81.5, 47.1}},
  };
  return table_of({"M-PGH", "OVA", "DDAG"}, rows);
}

}  // namespace hsvm::datasets
