// The top of a page: the answer, the data, the command that repeats it, and the certificate in words.

#include <fmt/format.h>

#include <algorithm>

#include "hsvm/report/html.hpp"
#include "hsvm/report/page_parts.hpp"

namespace hsvm::report {
namespace {

std::string emphasis(const std::string& text) {
  return "<em>" + escape_html(text) + "</em>";
}

// "<em>a</em>, <em>b</em> and <em>c</em>"; of many the first few.
std::string list_classes(const Classes& classes) {
  constexpr std::size_t kShown = 8;
  const std::size_t n = classes.names.size();
  std::string text;
  for (std::size_t k = 0; k < std::min(n, kShown); ++k) {
    if (k > 0) text += k + 1 == n ? " and " : ", ";
    text += emphasis(classes.names[k]);
  }
  return n > kShown ? text + fmt::format(" and {} more", n - kShown) : text;
}

std::string what_it_does(const View& view) {
  const auto n = static_cast<Count>(view.model.features.size());
  if (n == 0)
    return fmt::format("The model has <strong>no features</strong>: none of {} helps to tell {} apart.",
                       thousands(view.model.n_features), list_classes(view.model.classes));
  return fmt::format("<strong>{} of {} features</strong> {} {} apart.", thousands(n),
                     thousands(view.model.n_features), n == 1 ? "tells" : "tell",
                     list_classes(view.model.classes));
}

// How well: cross-validated, against naming the most frequent class.
std::string how_well(const View& view) {
  if (view.tuned == nullptr) return "";
  const Tuning& tuning = view.tuned->tuning;
  const TuningPoint& point = tuning.grid[view.one_se ? tuning.one_se : tuning.best];
  std::string text;
  if (const auto& accuracy = point.score(Score::accuracy)) {
    text = fmt::format(
        " In cross-validation ({}) it is right for <strong>{}</strong> &plusmn; {} of the samples it was not "
        "fitted to",
        escape_html(describe_folds(tuning)), percent(accuracy->mean), percent(accuracy->standard_error));
    if (tuning.majority_share > 0.0)
      text +=
          fmt::format("; naming the most frequent class would be right for {}", percent(tuning.majority_share));
    text += ".";
  }
  if (tuning.nested) {
    const ScoreSummaries& nested = view.one_se ? tuning.nested->one_se : tuning.nested->best;
    if (const auto& accuracy = nested[static_cast<std::size_t>(Score::accuracy)])
      text += fmt::format(
          " Judged with the choice of the penalties (nested cross-validation) it is <strong>{}</strong> &plusmn; {}.",
          percent(accuracy->mean), percent(accuracy->standard_error));
  }
  if (tuning.score != Score::accuracy && point.score(tuning.score)) {
    const ScoreSummary& score = *point.score(tuning.score);
    text += fmt::format(" It was chosen by {}: <strong>{:.4g}</strong> &plusmn; {:.2g}.",
                        escape_html(name_of(tuning.score)), score.mean, score.standard_error);
  }
  return text;
}

std::string certificate(const View& view) {
  if (!view.model.report)
    return "This model was interpolated between two points of a path: it has no proof of its own.";
  const FitReport& report = *view.model.report;
  const std::string solve = describe_solve(report);
  std::string text = fmt::format("{}.", solve.substr(solve.find('\n') + 1));
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  if (report.status == Status::converged) {
    return text +
           fmt::format(
               " No other coefficients make the objective smaller than the dual bound, so this is the best "
               "model for its penalties to within the tolerance of {:.2g}.",
               report.tolerance);
  }
  return text + fmt::format(
                    " The solve stopped early ({}): the model is not the best for its penalties to within the "
                    "tolerance of {:.2g}.",
                    to_string(report.status), report.tolerance);
}

std::string data_in_words(const View& view) {
  std::string text;
  Count n_samples = view.model.report ? view.model.report->n_samples : 0;
  if (view.path != nullptr) n_samples = view.path->n_samples;
  if (view.evidence != nullptr) text = escape_html(view.evidence->source) + ": ";
  if (n_samples > 0) text += count_of(n_samples, "sample") + ", ";
  text += count_of(view.model.n_features, "feature") + ", classes ";
  for (std::size_t k = 0; k < view.model.classes.names.size(); ++k) {
    text += (k == 0 ? "" : ", ") + emphasis(view.model.classes.names[k]);
    if (view.evidence != nullptr) text += fmt::format(" ({})", thousands(view.evidence->class_counts[k]));
  }
  return text;
}

// From what the model knows of itself, where nobody has kept the command.
std::string command_of(const View& view, const ReportOptions& options) {
  if (view.evidence != nullptr && !view.evidence->command.empty()) return view.evidence->command;
  if (!options.command.empty()) return options.command;
  const Spell& spell = options.spell;
  const auto with = [&](const char* name, const auto& value) {
    return fmt::format(" {} {}", spell(name), value);
  };
  std::string text;
  if (view.tuned != nullptr) {
    const Tuning& tuning = view.tuned->tuning;
    text = spell("cv()") + " DATA" + with("seed", tuning.seed) + with("score", to_string(tuning.score));
    text += tuning.leave_one_out ? fmt::format(" {}", spell("leave_one_out"))
                                 : with("folds", tuning.n_folds) + with("repeats", tuning.repeats);
  } else if (view.path != nullptr) {
    text = spell("path()") + " DATA" + with("lambda2", view.model.lambda2);
  } else {
    text = spell("fit()") + " DATA" + with("lambda1", view.model.lambda1) + with("lambda2", view.model.lambda2);
  }
  if (view.model.loss == Loss::squared_hinge) text += with("loss", to_string(view.model.loss));
  if (view.model.loss == Loss::huberized && view.tuned == nullptr) text += with("delta", view.model.delta);
  if (view.model.lambda3 > 0.0) text += with("lambda3", view.model.lambda3);
  if (view.model.report && !view.model.report->standardized)
    text += fmt::format(" {}", spell("no_standardize"));
  return text + " (as far as the file knows)";
}

std::string item(const std::string& term, const std::string& html) {
  return fmt::format("<dt>{}</dt><dd>{}</dd>\n", term, html);
}

}  // namespace

Section answer_section(const View& view, const ReportOptions& options, const std::string& date,
                       const std::string& version) {
  Section section{.id = "answer", .title = "The answer"};
  section.html = "<p class=\"answer\">" + what_it_does(view) + how_well(view) + "</p>\n";
  if (view.tuned != nullptr) {
    std::string notes;
    for (const std::string& note : notes_of(*view.tuned, options.spell))
      notes += "<li>" + escape_html(note) + "</li>\n";
    if (!notes.empty()) section.html += "<ul class=\"notes\">\n" + notes + "</ul>\n";
  }
  section.html += "<dl>\n" + item("Data", data_in_words(view)) +
                  item("Model", escape_html(describe_parameters(view.model))) +
                  item("Command", "<code>" + escape_html(command_of(view, options)) + "</code>") +
                  item("Proof", escape_html(certificate(view))) +
                  item("Made by", fmt::format("hsvm {}, {}", escape_html(version), escape_html(date))) +
                  "</dl>\n";
  return section;
}

}  // namespace hsvm::report
