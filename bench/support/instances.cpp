#include "bench/support/instances.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "datasets/real_data.hpp"
#include "datasets/text_like.hpp"

namespace hsvm::bench {
namespace {

std::optional<datasets::ManifestEntry> find_real(const std::string& name) {
  auto found = datasets::find_entry(datasets::real_data(), name);
  if (!found) fmt::print(stderr, "{}: not at hand (HSVM_DATA), left out\n", name);
  return found;
}

Dataset in_two_groups(Dataset data) {
  Labels& labels = *data.labels;
  const Index half = labels.classes.size() / 2;
  for (Index& k : labels.of_sample) k = k < half ? 0 : 1;
  labels.classes = {true, {"-1", "1"}};
  return data;
}

}  // namespace

const std::vector<GaussianDesign>& paper_sizes() {
  static const std::vector<GaussianDesign> sizes = {
      {.n = 500, .p = 50, .s = 5},   {.n = 2000, .p = 100, .s = 10},  {.n = 50, .p = 300, .s = 30},
      {.n = 100, .p = 500, .s = 50}, {.n = 200, .p = 2000, .s = 100}, {.n = 2000, .p = 20000, .s = 200},
  };
  return sizes;
}

std::string name_of(const GaussianDesign& design) {
  return fmt::format("({}, {}, {}) rho {}", design.n, design.p, design.s, design.rho);
}

std::vector<NamedData> sparse_data() {
  std::vector<NamedData> sets = {
      {"text 20242 x 47236", [] { return generate(datasets::TextLike{}); }},
      {"text 72309 x 20958",
       [] { return generate(datasets::TextLike{.n = 72'309, .p = 20'958, .words = 52}); }},
  };
  if (const auto news20 = find_real("news20")) {
    sets.push_back(
        {"news20 in two groups", [path = news20->path] { return in_two_groups(read_dataset(path, {})); }});
  }
  return sets;
}

std::optional<Dataset> read_real(const std::string& name) {
  const auto found = find_real(name);
  if (!found) return std::nullopt;
  return read_dataset(found->path, {});
}

}  // namespace hsvm::bench
