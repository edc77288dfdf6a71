// hsvm generate KIND -o FILE

#include <fmt/format.h>

#include <memory>

#include "app/commands.hpp"
#include "app/flags.hpp"
#include "app/print.hpp"

namespace hsvm::app {
namespace {

template <class Design>
struct GenerateCommand {
  Design design;
  std::string output;
  std::string format;
  Speech speech;

  [[nodiscard]] int run() const {
    const DataFormat* const wanted = format.empty() ? nullptr : &format_named(format);
    const Dataset data = generate(design);
    write_dataset(data, output, wanted);
    if (!speech.quiet && output != "-") fmt::print("{}: {}\n", output, describe_data(data));
    return kDone;
  }
};

template <class Design>
void add_kind(CLI::App& generate, int& exit_code, const std::string& name, const std::string& what,
              const std::string& example) {
  auto command = std::make_shared<GenerateCommand<Design>>();
  CLI::App& kind = *generate.add_subcommand(name, what);
  kind.footer("Example:\n  " + example);
  kind.add_option("-o,--output", command->output,
                  "Where to write; the name says the format, - is standard output")
      ->required()
      ->type_name("FILE");
  add_number(kind, "--n", command->design.n, "number of samples, as many in each class");
  add_number(kind, "--p", command->design.p, "number of features");
  add_number(kind, "--s", command->design.s, "number of features that matter for a class");
  add_number(kind, "--rho", command->design.rho, "correlation between the features that matter");
  add_number(kind, "--seed", command->design.seed, "seed of the random numbers");
  kind.add_option("--format", command->format, "libsvm, csv or tsv (default: by the file's name)")
      ->type_name("WORD");
  add_speech_flags(kind, command->speech, false);
  kind.callback([command, &exit_code] { exit_code = command->run(); });
}

}  // namespace

void add_generate(CLI::App& program, int& exit_code) {
  CLI::App& generate = *program.add_subcommand("generate", "Generate the paper's synthetic data");
  generate.require_subcommand(1);

  add_kind<GaussianDesign>(
      generate, exit_code, "binary",
      "Two Gaussian classes with means +1 and -1 in the first s features; the others are noise",
      "hsvm generate binary --n 500 --p 2000 --s 20 --rho 0.8 --seed 7 -o train.libsvm.gz");
  add_kind<FourClassDesign>(
      generate, exit_code, "multiclass",
      "Four Gaussian classes: +1 and -1 in the first s features, +1 and -1 in s features from s/2 + 1 on",
      "hsvm generate multiclass --n 100 --p 500 --s 30 --rho 0.8 --seed 7 -o train.libsvm.gz");
}

}  // namespace hsvm::app
