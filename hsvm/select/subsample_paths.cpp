#include "hsvm/select/subsample_paths.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "hsvm/core/parallel.hpp"
#include "hsvm/fit/setup.hpp"
#include "hsvm/path/follow.hpp"

namespace hsvm::detail {
namespace {

// Rounded to a grid far finer than any tolerance: where classes tie, as in the empty model of balanced classes, the last
// bits must not decide.
float score_to_keep(double score) {
  constexpr double kPerUnit = 1LL << 40;
  // A feature whose one huge value is held out gives it a score beyond any float: it stays a number.
  constexpr double kLargest = std::numeric_limits<float>::max();
  score = std::clamp(score, -kLargest, kLargest);
  const double scaled = score * kPerUnit;
  return static_cast<float>(std::abs(scaled) < 1.0 / std::numeric_limits<double>::epsilon()
                                ? std::nearbyint(scaled) / kPerUnit
                                : score);
}

// The samples left out become those of all ranks, in the order of their numbers, and so do their scores at every point.
void gather_scores(const Collective& ranks, Index first, SubsamplePath& path) {
  std::vector<Index> numbers;
  for (const Index i : path.outside) numbers.push_back(first + i);
  const std::size_t n_points = path.nonzeros.size();
  std::vector<std::size_t> bytes_of_rank;
  const std::vector<std::byte> bytes = ranks.gather(std::as_bytes(std::span(path.scores)), &bytes_of_rank);
  std::vector<std::span<const std::byte>> parts;
  std::size_t begin = 0;
  for (const std::size_t size : bytes_of_rank) {
    parts.push_back(std::span(bytes).subspan(begin, size));
    begin += size;
  }
  path.outside = ranks.gather(std::span<const Index>(numbers));
  path.scores.assign(bytes.size() / sizeof(float), 0.0F);
  auto* to = reinterpret_cast<std::byte*>(path.scores.data());
  for (std::size_t point = 0; point < n_points; ++point) {
    for (const std::span<const std::byte> part : parts) {
      const std::size_t size = part.size() / n_points;
      if (size > 0) std::memcpy(to, part.data() + point * size, size);
      to += size;
    }
  }
}

}  // namespace

void TuneControl::path_done() {
  const std::lock_guard lock(mutex_);
  ++n_done_;
  if (!monitor_.progress) return;
  const double seconds = watch_.seconds();
  const double left = seconds * static_cast<double>(n_paths_ - n_done_) / static_cast<double>(n_done_);
  monitor_.progress({n_done_, n_paths_, seconds, left});
}

std::optional<Status> TuneControl::stopped() const {
  const std::optional<Status> here = stopped_here();
  if (ranks_.is_alone()) return here;
  std::array<double, 2> seen = {here == Status::interrupted ? 1.0 : 0.0,
                                here == Status::time_limit ? 1.0 : 0.0};
  ranks_.maximum(seen);
  if (seen[0] > 0.0) return Status::interrupted;
  return seen[1] > 0.0 ? std::optional(Status::time_limit) : std::nullopt;
}

std::optional<Status> TuneControl::stopped_here() const {
  if (monitor_.interrupted && monitor_.interrupted()) return Status::interrupted;
  if (watch_.seconds() >= time_limit_) return Status::time_limit;
  return std::nullopt;
}

double TuneControl::seconds_left() const {
  return std::max(0.0, time_limit_ - watch_.seconds());
}

SolveMonitor TuneControl::solve_monitor() const {
  SolveMonitor monitor;
  monitor.interrupted = [this] { return stopped_here().has_value(); };
  monitor.ranks = &ranks_;
  return monitor;
}

SubsamplePath walk_part(const FitInput& input, std::span<const char> inside, const GridPath& line,
                        std::span<const double> lambda1, const TuneControl& control) {
  SubsamplePath result;
  std::vector<double> weights = given_weights(input);
  const auto first = input.ranks.is_alone() ? Count{0} : input.ranks.before(std::ssize(weights));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (inside[static_cast<std::size_t>(first) + i] != 0) continue;
    weights[i] = 0.0;
    result.outside.push_back(static_cast<Index>(i));
  }
  const FitInput part{input.data, weights, input.penalty_factors, nullptr, input.ranks};
  std::vector<char> known(static_cast<std::size_t>(input.data.n_features()), 0);
  with_threads(line.options.threads, [&] {
    const auto training = make_training(part, line.options, true);
    const auto keep = [&](const Lambdas& /*unused*/, const SolveReport& report) {
      for (const Index i : result.outside) {
        for (const double score : training->scores(i)) result.scores.push_back(score_to_keep(score));
      }
      const std::vector<Index> support = training->support();
      result.nonzeros.push_back(static_cast<Index>(support.size()));
      result.certified.push_back(report.status == Status::converged ? 1 : 0);
      result.entering.emplace_back();
      for (const Index j : support) {
        if (std::exchange(known[static_cast<std::size_t>(j)], char{1}) == 0)
          result.entering.back().push_back(j);
      }
    };
    const PathReport report =
        follow_path(*training, lambda1, line.penalty, {.time_limit = control.seconds_left()},
                    control.solve_monitor(), keep);
    result.passes = report.passes;
    result.finished = report.n_points == std::ssize(lambda1) && report.status != Status::interrupted &&
                      report.status != Status::time_limit;
  });
  if (!input.ranks.is_alone()) gather_scores(input.ranks, static_cast<Index>(first), result);
  return result;
}

void append(SubsamplePath more, SubsamplePath& path) {
  const auto add = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  path.passes += more.passes;
  add(path.scores, more.scores);
  add(path.nonzeros, more.nonzeros);
  add(path.certified, more.certified);
  add(path.entering, more.entering);
}

double sum_of_passes(std::span<const SubsamplePath> paths) {
  double sum = 0.0;
  for (const SubsamplePath& path : paths) sum += path.passes;
  return sum;
}

std::vector<SubsamplePath> walk_all(Index count, const FitOptions& options, TuneControl& control,
                                    const std::function<SubsamplePath(Index)>& walk) {
  std::vector<SubsamplePath> paths(static_cast<std::size_t>(count));
  with_threads(options.threads, [&] {
    const auto walk_one = [&](Index k) {
      if (control.stopped()) return;
      SubsamplePath& path = paths[static_cast<std::size_t>(k)];
      path = walk(k);
      if (path.finished) control.path_done();
    };
    if (control.is_alone()) return parallel_for(count, walk_one);
    for (Index k = 0; k < count; ++k) walk_one(k);
  });
  return paths;
}

}  // namespace hsvm::detail
