// Writes the data that bench/run-ranks and bench/scale_model measure on:
//
//   ranks_data dense N P FILE.npy        the paper's Gaussian design, and its labels in FILE.npy.labels; in C's order, which one process
//                                        holds in memory as each of several does, instead of mapping it
//   ranks_data sparse N P K FILE.libsvm  text: K words a sample of P, word j as often as 1/(j + 10); the class depends on 30 of them

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "hsvm/api.hpp"
#include "hsvm/core/random.hpp"

namespace {

using namespace hsvm;

void write_dense(Index n, Index p, const std::string& file) {
  const Dataset data =
      generate(GaussianDesign{.n = n, .p = p, .s = std::min<Index>(20, p), .rho = 0.5, .seed = 1});
  write_dataset(data, file);  // with the labels
  constexpr std::size_t kHeader = 128;
  constexpr std::size_t kBefore = 10;  // magic, version and the length of the text
  std::string header = fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}", n, p);
  header.resize(kHeader - kBefore - 1, ' ');
  OutputFile out(file);
  out.write(std::string("\x93NUMPY\x01\x00\x76\x00", kBefore) + header + '\n');
  constexpr Index kRows = 1000;
  std::vector<double> rows;
  for (Index begin = 0; begin < n; begin += kRows) {
    std::vector<Index> samples(static_cast<std::size_t>(std::min(kRows, n - begin)));
    std::iota(samples.begin(), samples.end(), begin);
    rows.resize(samples.size() * static_cast<std::size_t>(p));
    for (Index j = 0; j < p; ++j) data.design->gather(j, samples, rows.data() + j, p);
    out.write({reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(double)});
  }
  out.commit();
}

void write_sparse(Index n, Index p, Index k, const std::string& file) {
  constexpr Index kTelling = 30;
  constexpr double kFlatter = 10.0;
  OutputFile out(file);
  std::string text;
  for (Index i = 0; i < n; ++i) {
    Random random(7, static_cast<std::uint64_t>(i));
    std::set<Index> words;
    double score = random.normal();
    while (std::ssize(words) < k) {
      // The inverse of the distribution's sum, about log(1 + j/10).
      const double u = random.uniform() * std::log1p(static_cast<double>(p) / kFlatter);
      words.insert(std::min(p - 1, static_cast<Index>(kFlatter * std::expm1(u))));
    }
    for (const Index j : words) {
      if (j % (p / kTelling) < 3) score += (j / (p / kTelling)) % 2 == 0 ? 1.0 : -1.0;
    }
    text += score > 0.0 ? "1" : "-1";
    for (const Index j : words)
      fmt::format_to(std::back_inserter(text), " {}:{:.4g}", j + 1, 1.0 + random.uniform());
    text += '\n';
    if (text.size() > (1U << 20U)) {
      out.write(text);
      text.clear();
    }
  }
  out.write(text);
  out.commit();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc > 1 ? argv[1] : "";
  const auto number = [&](int k) { return static_cast<Index>(std::atoi(argv[k])); };
  if (kind == "dense" && argc == 5) {
    write_dense(number(2), number(3), argv[4]);
  } else if (kind == "sparse" && argc == 6) {
    write_sparse(number(2), number(3), number(4), argv[5]);
  } else {
    std::fputs("ranks_data dense N P FILE.npy | ranks_data sparse N P K FILE.libsvm\n", stderr);
    return 2;
  }
  return 0;
}
