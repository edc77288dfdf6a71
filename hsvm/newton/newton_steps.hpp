// Newton steps on a subproblem, the features of a working set alone, for the binary and the multi-class model
// alike [docs/newton.md]. phi is piecewise quadratic: its second derivative is 1/delta in the elbow and 0
// elsewhere. One step
//
//   1. minimises the quadratic model at u, curvature coming from the elbow, plus the l1 part
//   2. searches the objective along the way there exactly
//
// Once no sample crosses the ends of the elbow any more the model is the objective, and the step ends at its
// minimiser.
//
// Four things keep the steps long. The first model lets every sample with a loss have curvature: it lies above
// the objective, and at the start the elbow may be empty. After a short step the samples that it ran into,
// those whose dual variable changes on the way, have curvature in the next model. Models are damped in
// proportion to the gap, which keeps directions bounded where the elbow tells nothing of them, and less after steps that go far
// beyond their model. And a narrow
// elbow holds few samples and tells little of the objective a step away, so while the gap is large steps are
// taken on the loss with a wider one, delta_k = max(delta, min(1, 2 gap)): its minimiser is within delta_k/2 of
// ours (for each wrong class), and its dual variables are feasible for ours, so that they bound our minimum as
// well.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "hsvm/loss/margin_loss.hpp"

namespace hsvm {

// What the steps remember from one working set to the next.
struct StepControl {
  MarginLoss loss;             // the one steps are taken on
  double damping = 0.0;        // the ridge added to the model, as a share of each column's own curvature
  double first_damping_share;  // of the gap, in each solve
  double damping_share;
  bool first = true;  // no step was taken yet
  int steps = 0;      // taken in this solve
  // Times their tolerance: how exactly models are minimised along a path, learned from point to point.
  double exactness = 1.0;

  static constexpr double kWidest = 1.0;
  static constexpr double kLoosest = 10.0;
  StepControl(const MarginLoss& own, double damping_of_gap) : loss(own), first_damping_share(damping_of_gap) {
    restart(own);
  }

  // For another solve: from the widest elbow again.
  void restart(const MarginLoss& own) {
    damping_share = first_damping_share;
    loss.delta = std::max(own.delta, kWidest);
    steps = 0;
  }
  // The elbow and the damping that a gap, for each wrong class of a sample, calls for.
  void narrow(double gap, const MarginLoss& own) {
    loss.delta = std::max(own.delta, std::min(loss.delta, 2.0 * gap));
    damping = damping_share * std::min(1.0, gap);
  }
  // How much less exactly than its tolerance says a model is minimised: the gap is flat around its target, and the model
  // changes with the step. Where many steps are needed, exactness may be what lacks.
  [[nodiscard]] double looseness() const {
    constexpr int kFew = 2;
    return kLoosest * std::pow(0.5, std::clamp(steps - kFew, 0, 7));
  }
  // After a step along a path: how many times the tolerance the gap is now. Violations are measured as sweeps meet them, which
  // tells less than the gap where features have much in common.
  void learn(double gap) {
    constexpr int kFew = 2;
    constexpr double kFarBelow = 0.1;
    constexpr double kLeast = 0x1p-7;
    if (gap > 1.0 && steps >= kFew) exactness = std::max(kLeast, 0.5 * exactness);
    if (gap <= kFarBelow) exactness = std::min(1.0, 1.15 * exactness);
  }
  // A step that goes on far beyond its model was held back by the damping: one sample that is much larger than the others makes
  // it as strong as all that they tell.
  void note_length(double t) {
    constexpr double kLong = 2.0;
    if (t > kLong) damping_share *= 0.1;
  }
  // Whether a step was so short that its model has to be blamed.
  [[nodiscard]] static bool is_short(double t) { return t < 0.5; }
};

// A point on the way: its objective, and its gap over all features or over the working set alone.
struct StepState {
  double objective = 0.0;
  double gap = 0.0;
};

// Tells when steps lead nowhere any more: neither objective nor gap has fallen by more than rounding for some
// time.
class FutilityDetector {
 public:
  bool operator()(const StepState& state) {
    constexpr int kPatience = 8;
    const bool lower = state.objective < lowest_ - 1e-14 * std::abs(lowest_) || state.gap < 0.9 * smallest_;
    futile_ = lower || std::isinf(lowest_) ? 0 : futile_ + 1;
    lowest_ = std::min(lowest_, state.objective);
    smallest_ = std::min(smallest_, state.gap);
    return futile_ >= kPatience;
  }

 private:
  double lowest_ = std::numeric_limits<double>::infinity();
  double smallest_ = std::numeric_limits<double>::infinity();
  int futile_ = 0;
};

enum class StepsEnd { target, stuck, stopped };

// How many steps are taken: the least whatever the gap is, and no more than the most.
struct StepRange {
  int least = 0;
  int most = std::numeric_limits<int>::max();
  double slack = 1.0;  // times the target that models are minimised for: a gap that ends them
};

// Moves u, which is zero outside the working set and whose state over all features is `start`, until the gap
// over the working set is at most `target`, no step lowers the objective (stuck), after_step says stop, or
// enough steps are done.
//
// Subproblem:
//   load(u), store(u)              the working features' coefficients, from the point and back
//   differentiate(u)               the gradient at u
//   state(u)                       its objective and its gap over the working set, once differentiated
//   minimise_model(u, tolerance)   sets the direction; tolerance: the violations allowed, in the 2-norm
//   search_line(u)                 the best step along it, 0 where there is none
//   advance(u, t)                  takes that step
//   minimise_intercept(u)          the best intercept under the loss of the control
// after_step(state): called after every step with the state before it; true stops.
template <class Subproblem, class Point, class AfterStep>
StepsEnd take_newton_steps(Subproblem& sub, Point& u, const StepState& start, double target,
                           const StepRange& range, const AfterStep& after_step) {
  const auto& parameters = sub.problem().parameters();
  StepControl& control = sub.control();
  const double n_wrong = std::max(1.0, static_cast<double>(sub.problem().n_outputs()) - 1.0);
  control.narrow(start.gap / n_wrong, parameters.loss);
  // The gap that violations cost: their square over 2 lambda2 or, by scaling the dual point, in proportion to
  // lambda1.
  const double tolerance =
      0.1 * std::max(std::sqrt(2.0 * parameters.penalty.lambda2 * target), parameters.penalty.lambda1 * target);
  FutilityDetector futile;
  StepsEnd end = StepsEnd::target;
  sub.load(u);
  for (int steps = 0; steps < range.most; ++steps) {
    sub.differentiate(u);
    const StepState state = steps < range.least ? start : sub.state(u);
    end = StepsEnd::target;
    if (state.gap <= range.slack * target && steps >= range.least) break;
    end = StepsEnd::stuck;
    if (!std::isfinite(state.objective) || futile(state)) break;

    sub.minimise_model(u, tolerance);
    const double t = sub.search_line(u);
    if (!std::isfinite(t)) break;
    if (t == 0.0) {
      if (control.loss.delta == parameters.loss.delta) break;
      control.narrow(0.1 * control.loss.delta, parameters.loss);
    } else {
      sub.advance(u, t);
      control.first = false;
      ++control.steps;
      control.note_length(t);
      control.narrow(state.gap / n_wrong, parameters.loss);
    }
    // A penalised intercept is a coordinate of the model like others. But what it is off by costs the bound its square over
    // lambda3: the less that is, the more exact it has to be, and a free one altogether.
    constexpr double kHeavy = 1e-3;
    if (parameters.lambda3 < kHeavy ? t != 1.0 || parameters.lambda3 == 0.0 : StepControl::is_short(t))
      sub.minimise_intercept(u);
    end = after_step(state) ? StepsEnd::stopped : StepsEnd::target;
    if (end == StepsEnd::stopped) break;
  }
  sub.store(u);
  return end;
}

}  // namespace hsvm
