// Samples that a model was not fitted to: who is taken for whom, ranking, probabilities, and which samples go wrong.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "hsvm/report/curves.hpp"
#include "hsvm/report/html.hpp"
#include "hsvm/report/page_parts.hpp"
#include "hsvm/report/tables.hpp"

namespace hsvm::report {
namespace {

constexpr std::size_t kMostDots = 1500;
constexpr std::size_t kMostWrong = 300;

double digits5(double value) {
  return std::strtod(fmt::format("{:.5g}", value).c_str(), nullptr);
}

Json points_json(const std::vector<CurvePoint>& curve) {
  Json points = Json::array();
  for (const CurvePoint& point : curve) points.push_back(Json::array({digits5(point.x), digits5(point.y)}));
  return points;
}

// How much a sample looks like class k rather than any other.
double score_for(const Judged& judged, std::size_t i, Index k, std::size_t n_outputs) {
  if (n_outputs == 1) return k == 1 ? judged.scores[i] : -judged.scores[i];
  const double* scores = judged.scores.data() + i * n_outputs;
  double other = -std::numeric_limits<double>::infinity();
  for (std::size_t l = 0; l < n_outputs; ++l) {
    if (l != static_cast<std::size_t>(k)) other = std::max(other, scores[l]);
  }
  return scores[k] - other;
}

// One against the rest, for each class that has samples on both sides; of two classes the second one.
Json add_curves(const View& view, const Judged& judged, Table& areas) {
  const auto n_outputs = static_cast<std::size_t>(view.model.n_outputs());
  Json curves = Json::array();
  for (Index k = n_outputs == 1 ? 1 : 0; k < view.model.classes.size(); ++k) {
    std::vector<double> scores;
    std::vector<char> is_class;
    for (std::size_t i = 0; i < judged.truth.size(); ++i) {
      if (judged.truth[i] < 0) continue;
      scores.push_back(n_outputs == 1 ? judged.scores[i]
                                      : judged.scores[i * n_outputs + static_cast<std::size_t>(k)]);
      is_class.push_back(judged.truth[i] == k ? 1 : 0);
    }
    const auto n = std::ranges::count(is_class, 1);
    if (n == 0 || n == std::ssize(is_class)) continue;
    const RankingCurves ranking = ranking_curves(scores, is_class);
    const std::string& name = view.model.classes.names[static_cast<std::size_t>(k)];
    curves.push_back({{"name", name},
                      {"auc", ranking.auc},
                      {"average_precision", ranking.average_precision},
                      {"share", static_cast<double>(n) / static_cast<double>(is_class.size())},
                      {"roc", points_json(ranking.roc)},
                      {"precision_recall", points_json(ranking.precision_recall)}});
    areas.rows.push_back({name, n, ranking.auc, ranking.average_precision});
  }
  return curves;
}

struct Confidence {
  std::vector<double>
      probabilities;  // of what is predicted: of two classes the second, of more the predicted one
  std::vector<char> came_true;
};

Confidence confidence_of(const View& view, const Judged& judged, const std::vector<double>& probability) {
  const auto n_classes = view.model.classes.names.size();
  Confidence result;
  for (std::size_t i = 0; i < judged.truth.size(); ++i) {
    if (judged.truth[i] < 0) continue;
    const Index k = n_classes == 2 ? 1 : judged.predicted[i];
    result.probabilities.push_back(probability[i * n_classes + static_cast<std::size_t>(k)]);
    result.came_true.push_back(judged.truth[i] == k ? 1 : 0);
  }
  return result;
}

void add_calibration(const View& view, const Judged& judged, const std::vector<double>& probability,
                     Section& section) {
  const Confidence confidence = confidence_of(view, judged, probability);
  Table table{.name = judged.id + "-calibration", .caption = "Predicted probabilities and what came of them"};
  table.columns = {{.name = "mean probability", .format = "{:.3f}"},
                   {.name = "share that came true", .format = "{:.3f}"},
                   {.name = "samples"}};
  Json bins = Json::array();
  for (const CalibrationBin& bin : calibration_bins(confidence.probabilities, confidence.came_true)) {
    bins.push_back(Json::array({bin.predicted, bin.observed, bin.count}));
    table.rows.push_back({bin.predicted, bin.observed, bin.count});
  }
  section.data["calibration"] = bins;
  const std::string what =
      view.model.classes.size() == 2 ? "of class " + view.model.classes.names[1] : "of the predicted class";
  section.html += chart(
      "calibration", "Calibration: predicted probabilities against what came true",
      fmt::format(
          "The probability {} in bins, against the share of samples for which it came true; the numbers are "
          "samples. On the diagonal probabilities mean what they say. {}",
          escape_html(what), escape_html(judged.flattered)));
  section.html += folded(table);
}

// The samples that are drawn: all wrong ones first, then evenly among the others.
std::vector<std::size_t> drawn_samples(const Judged& judged) {
  std::vector<std::size_t> wrong;
  std::vector<std::size_t> right;
  for (std::size_t i = 0; i < judged.truth.size(); ++i) {
    if (judged.truth[i] >= 0) (judged.truth[i] == judged.predicted[i] ? right : wrong).push_back(i);
  }
  const auto thin = [](std::vector<std::size_t>& list, std::size_t most) {
    if (list.size() <= most) return;
    std::vector<std::size_t> kept;
    for (std::size_t k = 0; k < most; ++k) kept.push_back(list[k * list.size() / most]);
    list = std::move(kept);
  };
  thin(wrong, kMostDots / 2);
  thin(right, kMostDots - wrong.size());
  wrong.insert(wrong.end(), right.begin(), right.end());
  std::ranges::sort(wrong);
  return wrong;
}

void add_strip(const View& view, const Judged& judged, Section& section) {
  const auto n_outputs = static_cast<std::size_t>(view.model.n_outputs());
  Json dots = Json::array();
  const std::vector<std::size_t> drawn = drawn_samples(judged);
  for (const std::size_t i : drawn) {
    const double x = n_outputs == 1 ? judged.scores[i] : score_for(judged, i, judged.truth[i], n_outputs);
    dots.push_back(Json::array({judged.truth[i], digits5(x), judged.predicted[i], judged.names[i]}));
  }
  section.data["strip"] = dots;
  std::string caption =
      n_outputs == 1
          ? fmt::format("Every sample by its score: above zero it is taken for {}.",
                        escape_html(view.model.classes.names[1]))
          : "Every sample by its margin, the score of its own class less the best other one: below zero it is taken for another.";
  caption += " Crosses are samples taken for a class that is not theirs; point at one to see which.";
  const auto n_known =
      static_cast<std::size_t>(std::ranges::count_if(judged.truth, [](Index k) { return k >= 0; }));
  if (drawn.size() < n_known)
    caption +=
        fmt::format(" Drawn are {} of {} samples.", drawn.size(), thousands(static_cast<Count>(n_known)));
  section.html += chart("strip", "Scores of the samples by class", caption);
}

Table wrong_table(const View& view, const Judged& judged, const std::vector<double>& probability,
                  std::size_t& n_wrong) {
  const auto n_outputs = static_cast<std::size_t>(view.model.n_outputs());
  const std::vector<std::string>& classes = view.model.classes.names;
  Table table{.name = judged.id + "-wrong", .caption = "Samples taken for a class that is not theirs"};
  table.columns = {{.name = "sample", .numeric = false},
                   {.name = "class", .numeric = false},
                   {.name = "taken for", .numeric = false},
                   {.name = n_outputs == 1 ? "score" : "margin", .format = "{:.4g}"}};
  if (!probability.empty()) table.columns.push_back({.name = "probability of its class", .format = "{:.3f}"});
  n_wrong = 0;
  for (std::size_t i = 0; i < judged.truth.size(); ++i) {
    if (judged.truth[i] < 0 || judged.truth[i] == judged.predicted[i]) continue;
    if (++n_wrong > kMostWrong) continue;
    const auto t = static_cast<std::size_t>(judged.truth[i]);
    table.rows.push_back(
        {judged.names[i], classes[t], classes[static_cast<std::size_t>(judged.predicted[i])],
         n_outputs == 1 ? judged.scores[i] : score_for(judged, i, judged.truth[i], n_outputs)});
    if (!probability.empty()) table.rows.back().emplace_back(probability[i * classes.size() + t]);
  }
  return table;
}

void add_wrong(const View& view, const Judged& judged, const std::vector<double>& probability,
               Section& section) {
  std::size_t n_wrong = 0;
  const Table table = wrong_table(view, judged, probability, n_wrong);
  if (n_wrong == 0) {
    section.html += paragraph("No sample is taken for a class that is not its own.");
    return;
  }
  if (n_wrong > table.rows.size())
    section.html += paragraph(
        fmt::format("The first {} of {}:", table.rows.size(), thousands(static_cast<Count>(n_wrong))));
  section.html += fmt::format("<div class=\"controls\" data-table=\"{}\"></div>\n", escape_html(table.name)) +
                  to_html(table);
}

}  // namespace

Section samples_section(const View& view, const Judged& judged) {
  Section section{.id = judged.id, .title = judged.title};
  section.html = "<p>" + judged.words + "</p>\n";
  const auto n_known = std::ranges::count_if(judged.truth, [](Index k) { return k >= 0; });
  if (n_known == 0) return section;
  Table confusion = confusion_table(view.model.classes, judged.truth, judged.predicted);
  confusion.name = judged.id + "-confusion";
  section.html += to_html(confusion);

  std::vector<double> probability;
  if (view.model.calibration) probability = probabilities(*view.model.calibration, judged.scores);
  section.data = Json::object();
  section.data["classes"] = view.model.classes.names;
  section.data["n_outputs"] = view.model.n_outputs();
  Table areas{.name = judged.id + "-areas", .caption = "Areas under the curves"};
  areas.columns = {{.name = "class", .numeric = false},
                   {.name = "samples"},
                   {.name = "ROC", .format = "{:.4f}"},
                   {.name = "precision-recall", .format = "{:.4f}"}};
  section.data["curves"] = add_curves(view, judged, areas);
  if (!areas.rows.empty()) {
    const bool several = view.model.classes.size() > 2;
    const std::string select = several ? "<label>Class <select data-control=\"class\"></select></label>" : "";
    const std::string whose =
        several ? "each class against the rest" : "class " + escape_html(view.model.classes.names[1]);
    section.html +=
        "<div class=\"pair\">\n" +
        chart("roc", "ROC curve",
              "ROC, " + whose + ": the share of its samples found against the share of others taken for it.",
              select) +
        chart(
            "precision-recall", "Precision-recall curve",
            "Precision-recall: of those named, the share that is right, against the share of the class that is found.") +
        "</div>\n" + folded(areas);
  }
  if (!probability.empty()) add_calibration(view, judged, probability, section);
  add_strip(view, judged, section);
  add_wrong(view, judged, probability, section);
  return section;
}

Judged judged_new(const NewSamples& samples) {
  Judged judged{.id = "new-samples", .title = "New samples"};
  judged.truth = samples.truth;
  judged.predicted = samples.prediction.classes;
  judged.scores = samples.prediction.scores;
  judged.names = samples.names;
  if (judged.names.empty()) {
    for (std::size_t i = 0; i < judged.truth.size(); ++i) judged.names.push_back(std::to_string(i + 1));
  }
  std::size_t known = 0;
  std::size_t right = 0;
  for (std::size_t i = 0; i < judged.truth.size(); ++i) {
    known += judged.truth[i] >= 0 ? 1 : 0;
    right += judged.truth[i] >= 0 && judged.truth[i] == judged.predicted[i] ? 1 : 0;
  }
  judged.words = fmt::format("{}: {}", escape_html(samples.source),
                             count_of(static_cast<Count>(judged.truth.size()), "sample"));
  if (known > 0)
    judged.words += fmt::format(", of which the model names {} of {} correctly: <strong>{}</strong>", right,
                                known, percent(static_cast<double>(right) / static_cast<double>(known)));
  if (known < judged.truth.size())
    judged.words += fmt::format("; {} without a label that the model knows", judged.truth.size() - known);
  judged.words += ".";
  return judged;
}

std::optional<Judged> out_of_fold(const View& view) {
  if (view.tuned == nullptr || view.tuned->tuning.out_of_fold.samples.empty()) return std::nullopt;
  const Tuning& tuning = view.tuned->tuning;
  const OutOfFold& said = tuning.nested ? tuning.nested->out_of_fold : tuning.out_of_fold;
  const std::vector<float>& scores = view.one_se && !said.one_se.empty() ? said.one_se : said.best;
  Judged judged{.id = "held-out", .title = "Samples held out"};
  judged.truth = said.truth;
  judged.scores.assign(scores.begin(), scores.end());
  judged.predicted = predicted_classes(scores, view.model.n_outputs());
  const bool named = view.evidence != nullptr && !view.evidence->sample_names.empty() &&
                     static_cast<Index>(view.evidence->sample_names.size()) > said.samples.back();
  for (const Index i : said.samples)
    judged.names.push_back(named ? view.evidence->sample_names[static_cast<std::size_t>(i)]
                                 : std::to_string(i + 1));
  judged.words =
      tuning.nested
          ? "What the whole procedure, choice of the penalties included, says of samples that it had not seen."
          : "What the models of the folds say of the samples that they were not fitted to, at the penalties of the "
            "chosen model.";
  if (!named) judged.words += " Samples are numbered from 1 in the order of the data.";
  if (tuning.repeats > 1) judged.words += " Of the repeats the first one is shown.";
  if (!tuning.nested)
    judged.flattered =
        "The probabilities were fitted to these very scores, so the curve flatters them a little.";
  return judged;
}

}  // namespace hsvm::report
