#include "hsvm/select/nested.hpp"

#include <algorithm>
#include <numeric>

#include "hsvm/core/parallel.hpp"
#include "hsvm/fit/setup.hpp"
#include "hsvm/model/predict.hpp"
#include "hsvm/select/all_samples.hpp"
#include "hsvm/select/fold_scores.hpp"
#include "hsvm/select/make_folds.hpp"

namespace hsvm::detail {
namespace {

// What the models of one kind say of the samples of all outer folds that are done, fold after fold.
struct OuterAnswers {
  std::vector<double> scores;
  std::vector<double> probabilities;

  // The prediction is that of the samples of this rank, from number `first` on.
  void add(const LinearModel& model, const Prediction& prediction, std::span<const Index> samples, Index first,
           const Collective& ranks) {
    const auto n_outputs = static_cast<std::size_t>(prediction.n_outputs);
    std::vector<double> here;
    for (const Index sample : samples) {
      const Index i = sample - first;
      if (i < 0 || i >= std::ssize(prediction.classes)) continue;
      const auto row =
          prediction.scores.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(i) * n_outputs);
      here.insert(here.end(), row, row + prediction.n_outputs);
    }
    const std::vector<double> rows = ranks.gather(std::span<const double>(here));
    const std::vector<double> more = hsvm::probabilities(*model.calibration, rows);
    probabilities.insert(probabilities.end(), more.begin(), more.end());
    scores.insert(scores.end(), rows.begin(), rows.end());
  }
};

struct OuterSamples {
  std::vector<Index> samples;
  std::vector<Index> truth;
  std::vector<Index> folds;
  std::vector<double> weights;
};

NestedChoice choice_of(const LinearModel& model) {
  NestedChoice choice{model};
  choice.delta = model.delta;
  choice.nonzeros = static_cast<Index>(model.features.size());
  return choice;
}

ScoreSummaries summarise(const OuterSamples& samples, const OuterAnswers& answers, const ModelShape& shape,
                         Index n_folds, const MarginLoss& loss, bool one_delta) {
  ScoreSummaries summaries = summarise_folds({.n_classes = shape.classes.size(),
                                              .n_outputs = shape.n_outputs(),
                                              .truth = samples.truth,
                                              .weights = samples.weights,
                                              .scores = answers.scores,
                                              .probabilities = answers.probabilities,
                                              .margins = shape.margins},
                                             samples.folds, n_folds, loss);
  if (!one_delta)
    summaries[static_cast<std::size_t>(Score::loss)].reset();  // losses of several widths have no mean
  return summaries;
}

std::vector<float> by_sample(const OuterAnswers& answers, const std::vector<std::size_t>& order,
                             std::size_t n_outputs) {
  std::vector<float> scores;
  for (const std::size_t place : order) {
    for (std::size_t k = 0; k < n_outputs; ++k)
      scores.push_back(static_cast<float>(answers.scores[place * n_outputs + k]));
  }
  return scores;
}

OutOfFold gather_out_of_fold(const OuterSamples& samples, const OuterAnswers& best, const OuterAnswers& one_se,
                             std::size_t n_outputs) {
  std::vector<std::size_t> order(samples.samples.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t place) { return samples.samples[place]; });
  OutOfFold result;
  for (const std::size_t place : order) {
    result.samples.push_back(samples.samples[place]);
    result.truth.push_back(samples.truth[place]);
    result.folds.push_back(samples.folds[place]);
  }
  result.best = by_sample(best, order, n_outputs);
  result.one_se = by_sample(one_se, order, n_outputs);
  if (result.one_se == result.best) result.one_se.clear();
  return result;
}

std::vector<Index> samples_in_fold(const std::vector<Index>& of_sample, Index fold) {
  std::vector<Index> samples;
  for (std::size_t i = 0; i < of_sample.size(); ++i) {
    if (of_sample[i] == fold) samples.push_back(static_cast<Index>(i));
  }
  return samples;
}

// The weights of this rank's samples, 0 for those held out.
std::vector<double> without(const FitInput& input, const AllSamples& all, std::span<const Index> held_out) {
  std::vector<double> weights = all.weights;
  for (const Index i : held_out) weights[static_cast<std::size_t>(i)] = 0.0;
  const std::span<const double> own = own_part(input, all.first, weights);
  return {own.begin(), own.end()};
}

}  // namespace

std::vector<Folds> make_inner_folds(const FitInput& input, std::uint64_t seed, const TuneOptions& tune_options,
                                    const Folds& outer) {
  if (!tune_options.fold_of_sample.empty() && outer.n_folds < 3)
    throw InputError("nested cross-validation needs three folds at least: one is held out, two choose");
  const AllSamples all = gather_samples(input);
  std::vector<Folds> result;
  for (Index fold = 0; fold < outer.n_folds; ++fold) {
    const std::vector<double> weights = without(input, all, samples_in_fold(outer.of_sample[0], fold));
    result.push_back(make_folds({.data = input.data, .sample_weights = weights, .ranks = input.ranks}, seed,
                                tune_options, true));
  }
  return result;
}

std::optional<Nested> tune_nested(const FitInput& input, const FitOptions& options,
                                  const PathOptions& path_options, const TuneOptions& tune_options,
                                  const Folds& outer, const std::vector<Folds>& inner, TuneControl& control) {
  const AllSamples all = gather_samples(input);
  Nested nested;
  OuterSamples samples;
  OuterAnswers best;
  OuterAnswers one_se;
  ModelShape shape;
  bool one_delta = true;
  for (Index fold = 0; fold < outer.n_folds && !control.stopped(); ++fold) {
    const std::vector<Index> held_out = samples_in_fold(outer.of_sample[0], fold);
    const std::vector<double> weights = without(input, all, held_out);
    const FitInput training{input.data, weights, input.penalty_factors, nullptr, input.ranks};
    TunedModel chosen;
    try {
      chosen = tune_on_folds(training, options, path_options, tune_options,
                             inner[static_cast<std::size_t>(fold)], {}, false, control);
    } catch (const StoppedError&) {
      break;
    }
    if (control.stopped()) break;
    for (const Index i : held_out) {
      samples.samples.push_back(i);
      samples.truth.push_back(all.labels.of_sample[static_cast<std::size_t>(i)]);
      samples.folds.push_back(fold);
      samples.weights.push_back(all.weights[static_cast<std::size_t>(i)]);
    }
    with_threads(options.threads, [&] {
      best.add(chosen.best, predict(chosen.best, input.data), held_out, all.first, input.ranks);
      one_se.add(chosen.one_se, predict(chosen.one_se, input.data), held_out, all.first, input.ranks);
    });
    shape = chosen.best;
    nested.folds.push_back(
        {static_cast<Index>(held_out.size()), choice_of(chosen.best), choice_of(chosen.one_se)});
    nested.passes += chosen.tuning.passes;
    one_delta = one_delta && chosen.best.delta == nested.folds[0].best.delta &&
                chosen.one_se.delta == nested.folds[0].best.delta;
  }
  if (nested.folds.size() < 2) return std::nullopt;
  const MarginLoss loss = margin_loss(options.loss, nested.folds[0].best.delta);
  nested.best = summarise(samples, best, shape, outer.n_folds, loss, one_delta);
  nested.one_se = summarise(samples, one_se, shape, outer.n_folds, loss, one_delta);
  nested.out_of_fold = gather_out_of_fold(samples, best, one_se, static_cast<std::size_t>(shape.n_outputs()));
  return nested;
}

}  // namespace hsvm::detail
