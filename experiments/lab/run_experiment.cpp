#include "experiments/lab/run_experiment.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <utility>

#include "experiments/lab/lab.hpp"
#include "experiments/lab/machine.hpp"
#include "hsvm/core/error.hpp"
#include "hsvm/io/streams/output_file.hpp"
#include "hsvm/report/html.hpp"

namespace hsvm::lab {
namespace {

constexpr int kFormatVersion = 2;  // of journals and results

// What a trial's value depends on. Their number is not of it: more of them go on with those that are there.
Json journal_settings(const Experiment& experiment, const LabSettings& settings) {
  Json json = settings_json(experiment, settings);
  json.erase("trials");
  json.erase("full_trials");
  return json;
}

Json result_json(const Experiment& experiment, const LabSettings& settings, const Lab& lab,
                 const Journal& journal) {
  Json result = {{"experiment", experiment.name},
                 {"title", experiment.title},
                 {"table", experiment.table},
                 {"protocol", experiment.protocol}};
  result["settings"] = settings_json(experiment, settings);
  result["date"] = today();
  result["machine"] = machine();
  double seconds = 0.0;
  Json trials = Json::object();
  for (const std::string& key : lab.keys()) {
    const JournalEntry& entry = *journal.find(key);
    seconds += entry.seconds;
    trials[key] = entry.value;
  }
  result["seconds"] = seconds;
  result["tables"] = Json::array();
  for (const Table& table : lab.tables()) result["tables"].push_back(to_json(table));
  result["notes"] = lab.notes();
  result["trials"] = std::move(trials);
  return result;
}

// "Run: full; trials: 5 (in full: 10); 80 s, 120 s at most for one solve."
std::string describe_run(const Json& result) {
  const Json& settings = result.at("settings");
  std::string text = fmt::format("Run: {}; trials: {} (in full: {}); {:.0f} s",
                                 settings.at("scale").get<std::string>(), settings.at("trials").get<int>(),
                                 settings.at("full_trials").get<int>(), result.at("seconds").get<double>());
  if (settings.contains("time_limit"))
    text += fmt::format(", {:g} s at most for one solve", settings.at("time_limit").get<double>());
  return text + ".";
}

}  // namespace

int trials_of(const Experiment& experiment, const LabSettings& settings) {
  if (settings.trials) return *settings.trials;
  if (settings.scale == Scale::smallest) return 1;
  return settings.scale == Scale::quick ? experiment.quick_trials : experiment.trials;
}

Json settings_json(const Experiment& experiment, const LabSettings& settings) {
  Json json = {{"version", kFormatVersion},
               {"scale", to_string(settings.scale)},
               {"trials", trials_of(experiment, settings)},
               {"full_trials", experiment.trials}};
  if (settings.time_limit) json["time_limit"] = *settings.time_limit;
  json["revision"] = revision();
  return json;
}

Json run_experiment(const Experiment& experiment, const LabSettings& settings) {
  std::error_code failed;
  std::filesystem::create_directories(settings.results, failed);
  if (failed) throw InputError(settings.results + ": cannot create: " + failed.message());
  const std::string stem = (std::filesystem::path(settings.results) / experiment.name).string();
  Journal journal(stem + ".journal.jsonl", experiment.name, journal_settings(experiment, settings));
  if (journal.discarded() && settings.tell)
    settings.tell(experiment.name + ": what was measured before had other settings and is discarded");

  Lab lab(experiment, settings, journal);
  experiment.run(lab);
  Json result = result_json(experiment, settings, lab, journal);

  OutputFile json(stem + ".json");
  json.write(result.dump(1) + "\n");
  OutputFile markdown(stem + ".md");
  markdown.write(result_to_markdown(result, 1) + "\n" + provenance(result) + "\n");
  json.finish();
  markdown.finish();
  json.commit();
  markdown.commit();
  return result;
}

std::string result_to_markdown(const Json& result, int level) {
  try {
    std::string text = fmt::format("{} {} ({})\n\n{}\n\n", std::string(static_cast<std::size_t>(level), '#'),
                                   result.at("title").get<std::string>(), result.at("table").get<std::string>(),
                                   result.at("protocol").get<std::string>());
    text += describe_run(result) + "\n";
    for (const Json& table : result.at("tables")) text += "\n" + to_markdown(table_from_json(table));
    const auto notes = result.at("notes").get<std::vector<std::string>>();
    return notes.empty() ? text : text + "\n" + notes_to_markdown(notes);
  } catch (const Json::exception& error) {
    throw InputError(std::string("not a result of hsvm-lab: ") + error.what());
  }
}

std::string result_to_html(const Json& result) {
  const auto list = [](const std::vector<std::string>& notes) {
    std::string text;
    for (const std::string& note : notes) text += fmt::format("<li>{}</li>\n", report::escape_html(note));
    return text.empty() ? text : fmt::format("<ul>\n{}</ul>\n", text);
  };
  try {
    std::string text =
        fmt::format("<p>{}</p>\n<p>{}</p>\n", report::escape_html(result.at("protocol").get<std::string>()),
                    report::escape_html(describe_run(result)));
    for (const Json& json : result.at("tables")) {
      const Table table = table_from_json(json);
      report::Table shown = to_report(table);
      shown.name = result.at("experiment").get<std::string>() + "-" + table.name;
      text += fmt::format("<div class=\"controls\" data-table=\"{}\"></div>\n{}{}",
                          report::escape_html(shown.name), to_html(shown), list(table.notes));
    }
    return text + list(result.at("notes").get<std::vector<std::string>>()) +
           fmt::format("<p>{}</p>\n", report::escape_html(provenance(result)));
  } catch (const Json::exception& error) {
    throw InputError(std::string("not a result of hsvm-lab: ") + error.what());
  }
}

std::string provenance(const Json& result) {
  try {
    const Json& machine = result.at("machine");
    return fmt::format(
        "Measured on {}, {} cores, {} GB; {}, {}; revision {}, {}.", machine.at("cpu").get<std::string>(),
        machine.at("cores").get<int>(), machine.at("memory_gb").get<int>(),
        machine.at("compiler").get<std::string>(), machine.at("build").get<std::string>(),
        result.at("settings").at("revision").get<std::string>(), result.at("date").get<std::string>());
  } catch (const Json::exception& error) {
    throw InputError(std::string("not a result of hsvm-lab: ") + error.what());
  }
}

}  // namespace hsvm::lab
