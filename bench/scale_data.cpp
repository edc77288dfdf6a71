// Data larger than memory, for bench/run-scale: written as it is made, nothing of its size is held.
//
//   scale_data dense FOLDER N P SEED       a folder of arrays, float32: groups of 50 features that share a factor; 40 of all features
//                                          say the class, with noise
//   scale_data text FILE N P LENGTH SEED   LIBSVM: LENGTH words in a sample, on average, of P words, by Zipf's law; every word leans to
//                                          one class a little
//
// Numbers come from a hash of (seed, column, row): any part can be made again, on any thread.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "hsvm/core/error.hpp"
#include "hsvm/core/parallel.hpp"
#include "hsvm/io/formats/folder_output.hpp"
#include "hsvm/io/formats/numpy_array.hpp"
#include "hsvm/io/streams/text.hpp"

namespace hsvm {
namespace {

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

// Mean 0, variance 1, nearly normal: four uniform numbers of 16 bits.
float nearly_normal(std::uint64_t bits) {
  const auto sum =
      static_cast<float>((bits & 0xffffU) + (bits >> 16U & 0xffffU) + (bits >> 32U & 0xffffU) + (bits >> 48U));
  return (sum * (1.0F / 65536.0F) - 2.0F) * 1.7320508F;
}

double uniform(std::uint64_t bits) {
  return static_cast<double>(bits >> 11U) * 0x1p-53;
}

class DenseData {
 public:
  DenseData(Index n, Index p, std::uint64_t seed) : n_(n), p_(p), seed_(mix(seed + 1)) {}

  void fill(Index j, float* out) const {
    const std::uint64_t own = mix(seed_ + 2 * static_cast<std::uint64_t>(j));
    const std::uint64_t shared = mix(seed_ + 2 * static_cast<std::uint64_t>(j / kGroup) + 1);
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(n_); ++i)
      out[i] = 0.8F * nearly_normal(mix(own + i * 0x9e3779b97f4a7c15U)) +
               0.6F * nearly_normal(mix(shared + i * 0x9e3779b97f4a7c15U));
  }

  [[nodiscard]] std::vector<Index> labels() const {
    std::vector<float> column(static_cast<std::size_t>(n_));
    std::vector<float> score(column.size(), 0.0F);
    for (Index k = 0; k < kInformative; ++k) {
      fill(static_cast<Index>(Count{k} * p_ / kInformative), column.data());
      const float weight = (k % 2 == 0 ? 1.0F : -1.0F) / (1.0F + 0.1F * static_cast<float>(k));
      for (std::size_t i = 0; i < column.size(); ++i) score[i] += weight * column[i];
    }
    std::vector<Index> classes(column.size());
    for (std::size_t i = 0; i < column.size(); ++i)
      classes[i] = score[i] + nearly_normal(mix(seed_ + 77 + i * 0x9e3779b97f4a7c15U)) > 0.0F ? 1 : 0;
    return classes;
  }

 private:
  static constexpr Index kGroup = 50;
  static constexpr Index kInformative = 40;
  Index n_;
  Index p_;
  std::uint64_t seed_;
};

void write_dense(const std::string& folder, Index n, Index p, std::uint64_t seed) {
  constexpr Index kAtOnce = 64;
  const DenseData data(n, p, seed);
  const auto length = static_cast<std::size_t>(n);
  FolderOutput output(folder);
  OutputFile& file = output.add("X.npy");
  file.write(npy_header(npy_type<float>(), true, {length, static_cast<std::size_t>(p)}));
  std::vector<float> columns(kAtOnce * length);
  for (Index first = 0; first < p; first += kAtOnce) {
    const Index count = std::min(kAtOnce, p - first);
    parallel_for(count,
                 [&](Index c) { data.fill(first + c, columns.data() + static_cast<std::size_t>(c) * length); });
    file.write({reinterpret_cast<const char*>(columns.data()),
                static_cast<std::size_t>(count) * length * sizeof(float)});
  }
  output.add_labels(data.labels());
  output.commit({.storage = Storage::dense,
                 .precision = Precision::single_precision,
                 .n_samples = n,
                 .n_features = p,
                 .n_entries = Count{n} * p,
                 .row_blocks = {0, n},
                 .classes = Classes{.numeric = true, .names = {"-1", "1"}}});
}

// Words by Zipf's law: word number p^u, u uniform, so that the k-th has a share of about 1/k.
void append_sample(std::string& text, Count i, Index p, double length, std::uint64_t seed,
                   std::vector<Index>& words) {
  std::uint64_t state = mix(seed + static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15U);
  const auto next = [&] { return state = mix(state + 0x9e3779b97f4a7c15U); };
  const bool positive = (next() & 1U) != 0;
  const auto n_words = static_cast<int>(length * (0.5 + uniform(next())));
  const double log_p = std::log(static_cast<double>(p));
  words.clear();
  while (std::ssize(words) < n_words) {
    const auto word = static_cast<Index>(std::exp(log_p * uniform(next()))) - 1;
    // Every word leans to a class: it is left out of samples of the other one in a part of the cases.
    const std::uint64_t of_word = mix(static_cast<std::uint64_t>(word) * 0xd1342543de82ef95U);
    const bool leans_positive = (of_word & 1U) != 0;
    if (leans_positive != positive && uniform(next()) < 0.3 * uniform(mix(of_word))) continue;
    words.push_back(std::min(word, p - 1));
  }
  std::ranges::sort(words);
  text += positive ? "+1" : "-1";
  for (std::size_t k = 0; k < words.size();) {
    std::size_t end = k;
    while (end < words.size() && words[end] == words[k]) ++end;
    text += ' ';
    append_number(text, words[k] + 1);
    text += ':';
    const double weight =
        std::round(1e4 * (1.0 + std::log(static_cast<double>(end - k))) / std::sqrt(length)) / 1e4;
    append_number(text, weight);
    k = end;
  }
  text += '\n';
}

void write_text(const std::string& path, Count n, Index p, double length, std::uint64_t seed) {
  constexpr Count kAtOnce = 1024;
  constexpr Index kTasks = 32;
  OutputFile file(path);
  std::vector<std::string> texts(kTasks);
  for (Count first = 0; first < n; first += kAtOnce * kTasks) {
    parallel_for(kTasks, [&](Index task) {
      std::string& text = texts[static_cast<std::size_t>(task)];
      std::vector<Index> words;
      text.clear();
      const Count begin = first + task * kAtOnce;
      for (Count i = begin; i < std::min(n, begin + kAtOnce); ++i)
        append_sample(text, i, p, length, mix(seed), words);
    });
    for (const std::string& text : texts) file.write(text);
  }
  file.commit();
}

int run(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const auto number = [&](int k) { return std::atoll(argv[k]); };
  if (what == "dense" && argc == 6) {
    write_dense(argv[2], static_cast<Index>(number(3)), static_cast<Index>(number(4)),
                static_cast<std::uint64_t>(number(5)));
  } else if (what == "text" && argc == 7) {
    write_text(argv[2], number(3), static_cast<Index>(number(4)), static_cast<double>(number(5)),
               static_cast<std::uint64_t>(number(6)));
  } else {
    fmt::print(stderr, "scale_data dense FOLDER N P SEED | text FILE N P LENGTH SEED\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace hsvm

int main(int argc, char** argv) {
  try {
    return hsvm::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "scale_data: {}\n", error.what());
    return 1;
  }
}
