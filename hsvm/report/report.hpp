// A web page that shows finished results: one model, or several side by side. It stands alone - no network, no other file - and
// computes nothing that is not in the results.
//
//   save_report({{.name = "tuned.json", .model = load_any_model("tuned.json")}}, "report.html");
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hsvm/model/model_file.hpp"
#include "hsvm/model/predict.hpp"
#include "hsvm/report/words.hpp"

namespace hsvm::report {

// Samples that the model was not fitted to, and what it says of them.
struct NewSamples {
  std::string source;        // the data's file
  std::vector<Index> truth;  // class numbers of the model, kUnknownClass where it does not know the label
  Prediction prediction;     // of the model that is shown
  std::vector<std::string> names = {};  // of the samples; empty: they are numbered from 1
};

struct Reported {
  std::string name;  // as the page calls it: its file
  AnyModel model;
  bool one_se = false;  // of a tuned model: the sparser one
  std::optional<double> lambda1 =
      {};  // of a path: which point; without it the path as a whole, its last point shown
  std::optional<NewSamples> samples = {};
};
// The one model that a report shows in full.
[[nodiscard]] LinearModel shown_model(const Reported& reported);

struct ReportOptions {
  std::string date =
      {};  // as printed; empty: that of SOURCE_DATE_EPOCH, where the environment has it, else today's
  std::string command = {};  // that repeats it, where the results do not know; empty: made from what they know
  Spell spell = [](const std::string& name) { return name; };  // how the face spells options
};

// A page of one model, or of several side by side; at least one. Throws InputError where SOURCE_DATE_EPOCH is no number.
[[nodiscard]] std::string report_page(const std::vector<Reported>& models, const ReportOptions& options = {});
// The same into a file, complete or absent.
void save_report(const std::vector<Reported>& models, const std::string& file,
                 const ReportOptions& options = {});

// A page of the same make around sections of HTML: what other programs of the project have to show.
struct PlainSection {
  std::string id;
  std::string title;
  std::string html;
};
[[nodiscard]] std::string plain_page(const std::string& title, const std::string& opening_html,
                                     const std::vector<PlainSection>& sections,
                                     const ReportOptions& options = {});

}  // namespace hsvm::report
