// A page: the template filled in with sections, data, scripts and the policy that lets nothing else run.

#include <fmt/format.h>

#include <cstdlib>
#include <ctime>

#include "hsvm/core/error.hpp"
#include "hsvm/io/streams/output_file.hpp"
#include "hsvm/report/assets.hpp"
#include "hsvm/report/html.hpp"
#include "hsvm/report/page_parts.hpp"

namespace hsvm::report {
namespace {

std::string date_of(const ReportOptions& options) {
  if (!options.date.empty()) return options.date;
  std::time_t now = std::time(nullptr);
  if (const char* const epoch = std::getenv("SOURCE_DATE_EPOCH")) {
    char* end = nullptr;
    now = static_cast<std::time_t>(std::strtoll(epoch, &end, 10));
    if (end == epoch || *end != '\0')
      throw InputError(fmt::format("SOURCE_DATE_EPOCH is {}: must be a whole number of seconds", epoch));
  }
  std::tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

// Scripts and styles are named by their hashes: nothing else runs, and nothing is fetched.
std::string policy() {
  const auto source = [](const Asset& asset) { return "'sha256-" + base64_of_hex(asset.sha256) + "'"; };
  return fmt::format(
      "default-src 'none'; script-src {} {}; style-src {}; img-src data:; base-uri 'none'; form-action 'none'",
      source(kScript), source(kChartJs), source(kStyle));
}

// Replaces the only place where a name stands in double braces, from the end of the last replacement on.
void fill(std::string& page, std::size_t& from, const std::string& name, std::string_view text) {
  const std::string mark = "{{" + name + "}}";
  const std::size_t at = page.find(mark, from);
  page.replace(at, mark.size(), text);
  from = at + text.size();
}

std::string assemble(const std::string& title, const std::vector<Section>& sections,
                     const std::string& footer) {
  std::string contents;
  std::string body;
  Json data = Json::object();
  for (const Section& section : sections) {
    if (section.html.empty()) continue;
    contents +=
        fmt::format("<li><a href=\"#{}\">{}</a></li>\n", escape_html(section.id), escape_html(section.title));
    body += fmt::format(
        "<section id=\"{0}\" aria-labelledby=\"{0}-title\"><h2 id=\"{0}-title\">{1}</h2>\n{2}</section>\n",
        escape_html(section.id), escape_html(section.title), section.html);
    if (!section.data.is_null()) data[section.id] = section.data;
  }
  std::string page(kPageTemplate.text);
  std::size_t from =
      0;  // in the order of the template, so that no mark within what was filled in is ever looked at
  fill(page, from, "policy", escape_html(policy()));
  fill(page, from, "title", escape_html(title));
  fill(page, from, "style", kStyle.text);
  fill(page, from, "heading", escape_html(title));
  fill(page, from, "contents", contents);
  fill(page, from, "body", body);
  fill(page, from, "footer", footer);
  fill(page, from, "data", escape_script(data.dump(-1, ' ', false, Json::error_handler_t::replace)));
  fill(page, from, "chart_js", kChartJs.text);
  fill(page, from, "script", kScript.text);
  return page;
}

View view_of(const Reported& reported) {
  View view{.name = reported.name, .model = shown_model(reported), .one_se = reported.one_se, .picture = {}};
  view.tuned = std::get_if<TunedModel>(&reported.model);
  view.path = std::get_if<PathModel>(&reported.model);
  if (view.tuned != nullptr && view.tuned->evidence) {
    view.evidence = &*view.tuned->evidence;
    view.picture = view.evidence->path;
  }
  if (view.path != nullptr) view.picture = picture_of(*view.path, {}, view.model.features);
  return view;
}

std::string footer_of(const std::string& date) {
  return fmt::format(
      "<p>Made by hsvm {} on {}. This page stands alone: it fetches nothing and sends nothing. {}</p>",
      escape_html(kVersion), escape_html(date),
      kChartJs.text.empty() ? "It was built without Chart.js, so tables stand where charts would."
                            : "Charts are drawn by Chart.js (MIT licence).");
}

std::vector<Section> sections_of(const Reported& reported, const View& view, const ReportOptions& options,
                                 const std::string& date) {
  std::vector<Section> sections = {answer_section(view, options, date, std::string(kVersion)),
                                   features_section(view, options), tuning_section(view, options)};
  if (const auto judged = out_of_fold(view)) sections.push_back(samples_section(view, *judged));
  if (reported.samples) sections.push_back(samples_section(view, judged_new(*reported.samples)));
  for (Section& section : std::vector{stability_section(view), correlations_section(view), paths_section(view),
                                      solve_section(view)})
    sections.push_back(std::move(section));
  return sections;
}

}  // namespace

std::string chart(const std::string& kind, const std::string& label, const std::string& caption,
                  const std::string& controls) {
  return fmt::format(
      "<figure class=\"chart\" data-chart=\"{}\">{}<div class=\"canvas\"><canvas role=\"img\" tabindex=\"0\" "
      "aria-label=\"{}\"></canvas></div><figcaption>{}</figcaption></figure>\n",
      kind, controls.empty() ? "" : "<div class=\"controls\">" + controls + "</div>", escape_html(label),
      caption);
}

std::string folded(const Table& table, const std::string& summary) {
  return fmt::format(
      "<details><summary>{}</summary><div class=\"controls\" data-table=\"{}\"></div>\n{}</details>\n",
      escape_html(summary), escape_html(table.name), to_html(table));
}

std::string paragraph(const std::string& text) {
  return "<p>" + escape_html(text) + "</p>\n";
}

std::string percent(double share) {
  return fmt::format("{:.1f}&nbsp;%", 100.0 * share);
}

std::string thousands(Count number) {
  std::string text = fmt::format("{}", number);
  for (std::ptrdiff_t at = std::ssize(text) - 3; at > 0; at -= 3)
    text.insert(static_cast<std::size_t>(at), 1, ',');
  return text;
}

std::string count_of(Count number, const std::string& thing) {
  return thousands(number) + " " + thing + (number == 1 ? "" : "s");
}

LinearModel shown_model(const Reported& reported) {
  if (const auto* const tuned = std::get_if<TunedModel>(&reported.model))
    return reported.one_se ? tuned->one_se : tuned->best;
  if (const auto* const path = std::get_if<PathModel>(&reported.model))
    return at(*path, reported.lambda1.value_or(path->points.back().lambda1));
  return std::get<LinearModel>(reported.model);
}

std::string report_page(const std::vector<Reported>& models, const ReportOptions& options) {
  if (models.empty()) throw InputError("a report needs at least one model");
  const std::string date = date_of(options);
  std::vector<View> views;
  for (const Reported& reported : models) views.push_back(view_of(reported));
  if (models.size() == 1)
    return assemble("hsvm: " + models[0].name, sections_of(models[0], views[0], options, date),
                    footer_of(date));
  std::string title = "hsvm: ";
  for (const View& view : views) title += (&view == &views.front() ? "" : ", ") + view.name;
  return assemble(title, comparison_sections(views, models), footer_of(date));
}

void save_report(const std::vector<Reported>& models, const std::string& file, const ReportOptions& options) {
  OutputFile output(file);
  output.write(report_page(models, options));
  output.commit();
}

std::string plain_page(const std::string& title, const std::string& opening_html,
                       const std::vector<PlainSection>& sections, const ReportOptions& options) {
  std::vector<Section> all = {{.id = "opening", .title = "What this is", .html = opening_html}};
  for (const PlainSection& section : sections)
    all.push_back({.id = section.id, .title = section.title, .html = section.html});
  return assemble(title, all, footer_of(date_of(options)));
}

}  // namespace hsvm::report
