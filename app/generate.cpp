// hsvm generate KIND -o FILE

#include <fmt/format.h>

#include <memory>

#include "app/commands.hpp"
#include "app/flags.hpp"
#include "app/print.hpp"

namespace hsvm::app {
namespace {

struct GenerateBinaryCommand {
  GaussianDesign design;
  std::string output;
  std::string format;
  Speech speech;

  [[nodiscard]] int run() const {
    const std::optional<DataFormat> wanted = format.empty() ? std::nullopt : std::optional(format_from_word(format));
    const Dataset data = generate(design);
    write_dataset(data, output, wanted);
    if (!speech.quiet && output != "-") fmt::print("{}: {}\n", output, describe_data(data));
    return kDone;
  }
};

}  // namespace

void add_generate(CLI::App& program, int& exit_code) {
  CLI::App& generate = *program.add_subcommand("generate", "Generate the paper's synthetic data");
  generate.require_subcommand(1);

  auto command = std::make_shared<GenerateBinaryCommand>();
  CLI::App& binary = *generate.add_subcommand(
      "binary", "Two Gaussian classes with means +1 and -1 in the first s features; the others are noise");
  binary.footer("Example:\n  hsvm generate binary --n 500 --p 2000 --s 20 --rho 0.8 --seed 7 -o train.libsvm.gz");
  binary.add_option("-o,--output", command->output, "Where to write; the name says the format, - is standard output")
      ->required()->type_name("FILE");
  add_number(binary, "--n", command->design.n, "number of samples, half of them in each class");
  add_number(binary, "--p", command->design.p, "number of features");
  add_number(binary, "--s", command->design.s, "number of features that matter");
  add_number(binary, "--rho", command->design.rho, "correlation between the features that matter");
  add_number(binary, "--seed", command->design.seed, "seed of the random numbers");
  binary.add_option("--format", command->format, "libsvm, csv or tsv (default: by the file's name)")->type_name("WORD");
  add_speech_flags(binary, command->speech, false);
  binary.callback([command, &exit_code] { exit_code = command->run(); });
}

}  // namespace hsvm::app
