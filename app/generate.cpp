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
  PrintFlags print;

  [[nodiscard]] int run() const {
    const DataFormat* const wanted = format.empty() ? nullptr : &format_named(format);
    const Dataset data = generate(design);
    write_dataset(data, output, wanted);
    if (!print.quiet && output != "-") fmt::print("{}: {}\n", output, describe_data(data));
    return kDone;
  }
};

template <class Design>
void add_kind(Command& generate, const std::string& name, const std::string& what, const std::string& example) {
  auto command = std::make_shared<GenerateCommand<Design>>();
  Command kind = generate.add_command(name, what);
  kind.set_footer("Example:\n  " + example);
  kind.add({.name = "-o,--output",
            .help = "Where to write; the name says the format, - is standard output",
            .value = "FILE",
            .required = true},
           command->output);
  add_number(kind, "--n", command->design.n, "number of samples, as many in each class");
  add_number(kind, "--p", command->design.p, "number of features");
  add_number(kind, "--s", command->design.s, "number of features that matter for a class");
  add_number(kind, "--rho", command->design.rho, "correlation between the features that matter");
  add_number(kind, "--seed", command->design.seed, "seed of the random numbers");
  kind.add({.name = "--format", .help = "libsvm, csv or tsv (default: by the file's name)", .value = "WORD"},
           command->format);
  add_print_flags(kind, command->print, false);
  kind.on_run([command] { return command->run(); });
}

}  // namespace

void add_generate(Command program) {
  Command generate = program.add_command("generate", "Generate the paper's synthetic data");
  generate.require_command();

  add_kind<GaussianDesign>(
      generate, "binary",
      "Two Gaussian classes with means +1 and -1 in the first s features; the others are noise",
      "hsvm generate binary --n 500 --p 2000 --s 20 --rho 0.8 --seed 7 -o train.libsvm.gz");
  add_kind<FourClassDesign>(
      generate, "multiclass",
      "Four Gaussian classes: +1 and -1 in the first s features, +1 and -1 in s features from s/2 + 1 on",
      "hsvm generate multiclass --n 100 --p 500 --s 30 --rho 0.8 --seed 7 -o train.libsvm.gz");
}

}  // namespace hsvm::app
