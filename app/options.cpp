// hsvm options: docs/options.md, written from the descriptions beside the options structs.

#include <fmt/format.h>

#include <cmath>

#include "app/commands.hpp"
#include "app/table_flags.hpp"
#include "hsvm/api.hpp"

namespace hsvm::app {
namespace {

std::string shown(bool value) {
  return value ? "yes" : "no";
}
std::string shown(double value) {
  return std::isinf(value) ? "none" : fmt::format("{}", value);
}
std::string shown(const std::string& value) {
  return value;
}
template <class T>
std::string shown(const std::optional<T>&) {
  return "";
}
std::string shown(const ClassWeights&) {
  return "";
}
template <class T>
std::string shown(T value) {
  if constexpr (std::is_integral_v<T>) {
    return fmt::format("{}", value);
  } else {
    return std::string(to_string(value));
  }
}

struct PrintRow {
  template <class T>
  void operator()(const OptionInfo& info, const T& value) const {
    const bool limited = !std::isinf(info.range.low) || !std::isinf(info.range.high);
    fmt::print("| `{}` | {} | {} | {} |\n", spell_name(info.name), shown(value),
               limited ? info.range.describe() : "", info.help);
  }
};

}  // namespace

void add_options(Command program) {
  Command options =
      program.add_command("options", "Print the reference of model and solver options (Markdown)");
  options.on_run([] {
    const FitOptions defaults;
    const TableFlags table_defaults;
    fmt::print(
        "# Options\n\nWritten by `hsvm options`; a test keeps the two equal. What is yes or no is taken back "
        "by `--no-` before its name: the last one\nwins.\n");
    fmt::print("\n## Model\n\n| option | default | range | meaning |\n|---|---|---|---|\n");
    describe_model(defaults, PrintRow{});
    fmt::print("\n## Solver\n\n| option | default | range | meaning |\n|---|---|---|---|\n");
    describe_solver(defaults, PrintRow{});
    fmt::print(
        "\n## Tables\n\nFor CSV, TSV and the like, in all commands that read data; docs/tables.md has the rules.\n");
    fmt::print("\n| option | default | range | meaning |\n|---|---|---|---|\n");
    describe_table(table_defaults, PrintRow{});
    fmt::print(
        "\n## Path\n\n`hsvm path` has these beside the others, and `--lambda-grid LIST|FILE` instead of the first "
        "two.\n");
    fmt::print("\n| option | default | range | meaning |\n|---|---|---|---|\n");
    const PathOptions path_defaults;
    describe_path(path_defaults, PrintRow{});
    fmt::print(
        "\n## Cross-validation\n\n`hsvm cv` has these beside the others and those of a path. `--folds-file "
        "FILE` gives the folds, `--groups COLUMN|FILE` what is held out together,\n`--lambda2-grid LIST` and `--delta-grid LIST` (such as 2,1,0.5) several "
        "values of lambda2 and delta to try. Without the first, and without `--lambda2` and `--alpha`, lambda2 is\n1, 0.1, "
        "0.01 and 0.001; of delta one value is taken.\n");
    fmt::print("\n| option | default | range | meaning |\n|---|---|---|---|\n");
    const TuneOptions tune_defaults;
    describe_tuning(tune_defaults, PrintRow{});
    return kDone;
  });
}

}  // namespace hsvm::app
