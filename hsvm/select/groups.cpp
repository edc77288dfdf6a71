#include "hsvm/select/groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

#include "hsvm/core/error.hpp"
#include "hsvm/select/random_parts.hpp"

namespace hsvm {
namespace {

using detail::Use;

struct ClassCount {
  std::size_t k = 0;
  double count = 0.0;
};

struct Group {
  std::vector<std::size_t> samples;
  std::vector<ClassCount> classes;  // those it has samples of
};

// By their numbers, ascending.
std::vector<Group> gather_groups(const Labels& labels, std::span<const Index> numbers) {
  assert(numbers.size() == labels.of_sample.size());
  std::map<Index, Group> by_number;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Group& group = by_number[numbers[i]];
    group.samples.push_back(i);
    const auto k = static_cast<std::size_t>(labels.of_sample[i]);
    const auto found = std::ranges::find(group.classes, k, &ClassCount::k);
    if (found == group.classes.end()) {
      group.classes.push_back({k, 1.0});
    } else {
      found->count += 1.0;
    }
  }
  std::vector<Group> groups;
  for (auto& [number, group] : by_number) groups.push_back(std::move(group));
  return groups;
}

// In how many groups each class is.
std::vector<Index> groups_by_class(const std::vector<Group>& groups, std::size_t n_classes) {
  std::vector<Index> counts(n_classes, 0);
  for (const Group& group : groups) {
    for (const ClassCount& one : group.classes) ++counts[one.k];
  }
  return counts;
}

bool has_lone_class(const Group& group, const std::vector<Index>& groups_of_class) {
  return std::ranges::any_of(group.classes, [&](const ClassCount& one) { return groups_of_class[one.k] < 2; });
}

// Deals groups to parts with the given shares.
class GroupDealer {
 public:
  GroupDealer(const std::vector<Group>& groups, std::size_t n_classes, std::vector<double> shares)
      : groups_(groups),
        n_classes_(n_classes),
        shares_(std::move(shares)),
        totals_(n_classes, 0.0),
        groups_of_class_(groups_by_class(groups, n_classes)) {
    for (const Group& group : groups) {
      for (const ClassCount& one : group.classes) totals_[one.k] += one.count;
    }
  }

  // The part of each group.
  [[nodiscard]] std::vector<std::size_t> deal(Random& random) const;

 private:
  struct Parts {
    std::vector<double> of_class;      // for each part, for each class: samples
    std::vector<double> sizes;         // samples of a part, by its share
    std::vector<std::size_t> last_of;  // for each class: the part its groups are in so far,
    std::vector<char> spread;          // whether there are several,
    std::vector<Index> left;           // and how many of its groups are still to be dealt
  };

  [[nodiscard]] std::vector<std::size_t> random_order(Random& random) const;
  // Whether some class would have all its groups in this part.
  [[nodiscard]] bool swallows_class(const Group& group, std::size_t part, const Parts& parts) const;
  [[nodiscard]] double cost(const Group& group, std::size_t part, const Parts& parts) const;
  void put(const Group& group, std::size_t part, Parts& parts) const;

  const std::vector<Group>& groups_;
  std::size_t n_classes_;
  std::vector<double> shares_;
  std::vector<double> totals_;
  std::vector<Index> groups_of_class_;
};

std::vector<std::size_t> GroupDealer::random_order(Random& random) const {
  std::vector<Index> shuffled(groups_.size());
  std::iota(shuffled.begin(), shuffled.end(), Index{0});
  detail::shuffle(shuffled, random);
  std::vector<std::size_t> order(shuffled.begin(), shuffled.end());
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t g) { return groups_[g].samples.size(); });
  return order;
}

constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

bool GroupDealer::swallows_class(const Group& group, std::size_t part, const Parts& parts) const {
  return std::ranges::any_of(group.classes, [&](const ClassCount& one) {
    const bool last = parts.left[one.k] == 1;
    return last && groups_of_class_[one.k] > 1 && parts.spread[one.k] == 0 && parts.last_of[one.k] == part;
  });
}

double GroupDealer::cost(const Group& group, std::size_t part, const Parts& parts) const {
  double sum = 0.0;
  for (const ClassCount& one : group.classes) {
    const double there = parts.of_class[part * n_classes_ + one.k];
    sum += one.count * (2.0 * there + one.count) / (shares_[part] * totals_[one.k] * totals_[one.k]);
  }
  return sum;
}

void GroupDealer::put(const Group& group, std::size_t part, Parts& parts) const {
  for (const ClassCount& one : group.classes) {
    parts.of_class[part * n_classes_ + one.k] += one.count;
    --parts.left[one.k];
    if (parts.last_of[one.k] != kNowhere && parts.last_of[one.k] != part) parts.spread[one.k] = 1;
    parts.last_of[one.k] = part;
  }
  parts.sizes[part] += static_cast<double>(group.samples.size()) / shares_[part];
}

std::vector<std::size_t> GroupDealer::deal(Random& random) const {
  Parts parts{std::vector<double>(shares_.size() * n_classes_, 0.0), std::vector<double>(shares_.size(), 0.0),
              std::vector<std::size_t>(n_classes_, kNowhere), std::vector<char>(n_classes_, 0),
              groups_of_class_};
  std::vector<std::size_t> part_of(groups_.size(), 0);
  for (const std::size_t g : random_order(random)) {
    std::size_t chosen = kNowhere;
    bool swallows = true;
    double least = 0.0;
    for (std::size_t part = 0; part < shares_.size(); ++part) {
      const bool bad = swallows_class(groups_[g], part, parts);
      const double added = cost(groups_[g], part, parts);
      const bool better =
          chosen == kNowhere || bad < swallows ||
          (bad == swallows && (added < least || (added == least && parts.sizes[part] < parts.sizes[chosen])));
      if (!better) continue;
      chosen = part;
      swallows = bad;
      least = added;
    }
    put(groups_[g], chosen, parts);
    part_of[g] = chosen;
  }
  return part_of;
}

// Whether some class with several groups has all of them in one part.
bool any_class_in_one_part(const std::vector<Group>& groups, const std::vector<std::size_t>& part_of,
                           std::size_t n_classes) {
  std::vector<std::size_t> first(n_classes, kNowhere);
  std::vector<char> spread(n_classes, 0);
  std::vector<Index> counts = groups_by_class(groups, n_classes);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const ClassCount& one : groups[g].classes) {
      if (first[one.k] == kNowhere) first[one.k] = part_of[g];
      if (first[one.k] != part_of[g]) spread[one.k] = 1;
    }
  }
  for (std::size_t k = 0; k < n_classes; ++k) {
    if (counts[k] > 1 && spread[k] == 0) return true;
  }
  return false;
}

// Several orders are tried where one leaves a class in one part; the last one stands.
std::vector<std::size_t> deal_groups(const std::vector<Group>& groups, std::size_t n_classes,
                                     std::vector<double> shares, Random& random) {
  constexpr int kTries = 20;
  const GroupDealer dealer(groups, n_classes, std::move(shares));
  std::vector<std::size_t> part_of = dealer.deal(random);
  for (int t = 1; t < kTries && any_class_in_one_part(groups, part_of, n_classes); ++t)
    part_of = dealer.deal(random);
  return part_of;
}

std::size_t size_of(const Classes& classes) {
  return static_cast<std::size_t>(classes.size());
}

}  // namespace

std::vector<Index> numbers_of_words(std::span<const std::string> words) {
  const auto as_number = [](const std::string& word) -> std::optional<double> {
    double value = 0.0;
    const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc() && rest == word.data() + word.size() ? std::optional(value) : std::nullopt;
  };
  std::map<std::string, Index> by_word;
  std::map<double, Index> by_value;
  bool numeric = true;
  for (const std::string& word : words) {
    by_word[word] = 0;
    const std::optional<double> value = numeric ? as_number(word) : std::nullopt;
    numeric = numeric && value && *value == *value;
    if (numeric) by_value[*value] = 0;
  }
  Index next = 0;
  for (auto& [value, number] : by_value) number = next++;
  next = 0;
  for (auto& [word, number] : by_word) number = numeric ? by_value[*as_number(word)] : next++;
  std::vector<Index> numbers;
  for (const std::string& word : words) numbers.push_back(by_word[word]);
  return numbers;
}

std::vector<char> samples_to_hold_out(const Labels& labels, std::span<const Index> numbers) {
  const std::vector<Group> groups = gather_groups(labels, numbers);
  const std::vector<Index> counts = groups_by_class(groups, size_of(labels.classes));
  std::vector<char> result(numbers.size(), 0);
  for (const Group& group : groups) {
    const char can = has_lone_class(group, counts) ? 0 : 1;
    for (const std::size_t i : group.samples) result[i] = can;
  }
  return result;
}

Index count_groups_to_hold_out(const Labels& labels, std::span<const Index> numbers) {
  const std::vector<Group> groups = gather_groups(labels, numbers);
  const std::vector<Index> counts = groups_by_class(groups, size_of(labels.classes));
  return static_cast<Index>(
      std::ranges::count_if(groups, [&](const Group& group) { return !has_lone_class(group, counts); }));
}

Folds grouped_folds(const Labels& labels, std::span<const Index> numbers, Index n_folds, Index repeats,
                    std::uint64_t seed) {
  if (n_folds < 2) throw value_error("folds", std::to_string(n_folds), "must be at least 2");
  std::vector<Group> groups = gather_groups(labels, numbers);
  const std::vector<Index> counts = groups_by_class(groups, size_of(labels.classes));
  std::erase_if(groups, [&](const Group& group) { return has_lone_class(group, counts); });
  if (n_folds > std::ssize(groups)) {
    throw value_error(
        "folds", std::to_string(n_folds),
        fmt::format("must be at most {}, the number of groups whose classes are in another one, too",
                    groups.size()));
  }
  Folds folds{n_folds, {}};
  for (Index r = 0; r < repeats; ++r) {
    Random random = detail::random_for(Use::folds, seed, r);
    const std::vector<std::size_t> part_of =
        deal_groups(groups, size_of(labels.classes),
                    std::vector<double>(static_cast<std::size_t>(n_folds), 1.0 / n_folds), random);
    std::vector<Index>& fold = folds.of_sample.emplace_back(numbers.size(), kNeverHeldOut);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (const std::size_t i : groups[g].samples) fold[i] = static_cast<Index>(part_of[g]);
    }
  }
  return folds;
}

Folds leave_one_group_out(const Labels& labels, std::span<const Index> numbers) {
  const std::vector<Group> groups = gather_groups(labels, numbers);
  const std::vector<Index> counts = groups_by_class(groups, size_of(labels.classes));
  std::vector<Index> fold(numbers.size(), kNeverHeldOut);
  Index n_folds = 0;
  for (const Group& group : groups) {
    if (has_lone_class(group, counts)) continue;
    for (const std::size_t i : group.samples) fold[i] = n_folds;
    ++n_folds;
  }
  if (n_folds < 2)
    throw InputError("there are not two groups whose classes are in another group, too: none can be held out");
  return {n_folds, {std::move(fold)}};
}

std::vector<std::vector<char>> grouped_halves(const Labels& labels, std::span<const Index> numbers,
                                              Index n_halves, std::uint64_t seed) {
  std::vector<Group> groups = gather_groups(labels, numbers);
  const std::vector<Index> counts = groups_by_class(groups, size_of(labels.classes));
  std::vector<char> always(numbers.size(), 0);
  for (const Group& group : groups) {
    if (!has_lone_class(group, counts)) continue;
    for (const std::size_t i : group.samples) always[i] = 1;
  }
  std::erase_if(groups, [&](const Group& group) { return has_lone_class(group, counts); });
  std::vector<std::vector<char>> halves;
  for (Index h = 0; h < n_halves; ++h) {
    Random random = detail::random_for(Use::halves, seed, h);
    const std::vector<std::size_t> part_of = deal_groups(groups, size_of(labels.classes), {0.5, 0.5}, random);
    const std::size_t inside = random.below(2);  // either of the two parts
    std::vector<char>& half = halves.emplace_back(always);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (const std::size_t i : groups[g].samples) half[i] = part_of[g] == inside ? 1 : 0;
    }
  }
  return halves;
}

std::vector<char> grouped_split(const Labels& labels, std::span<const Index> numbers, double share,
                                std::uint64_t seed) {
  if (!(share > 0.0 && share < 1.0))
    throw OptionError(fmt::format("a share of {}: must be greater than 0 and less than 1", share));
  const std::vector<Group> groups = gather_groups(labels, numbers);
  if (groups.size() < 2) throw InputError("all samples are in one group: there must be two at least");
  Random random = detail::random_for(Use::split, seed, 0);
  const std::vector<std::size_t> part_of =
      deal_groups(groups, size_of(labels.classes), {share, 1.0 - share}, random);
  std::vector<char> in_first(numbers.size(), 0);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const std::size_t i : groups[g].samples) in_first[i] = part_of[g] == 0 ? 1 : 0;
  }
  return in_first;
}

}  // namespace hsvm
