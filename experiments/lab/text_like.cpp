#include "experiments/lab/text_like.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include "hsvm/core/random.hpp"

namespace hsvm::lab {
namespace {

// As printed with 15 digits, which is what files of this kind hold.
double rounded(double value) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof(text), value, std::chars_format::general, 15);
  std::from_chars(text, end, value);
  return value;
}

}  // namespace

Dataset generate(const TextLike& shape) {
  // Word j is drawn with probability proportional to 1/(j + 10); each document draws from its class's tilted
  // list.
  const auto p = static_cast<std::size_t>(shape.p);
  std::vector<double> cumulative[2];
  std::vector<double> frequency(p);
  Random tilt(shape.seed, 1);
  for (std::vector<double>& sums : cumulative) sums.resize(p);
  double total[2] = {};
  for (std::size_t j = 0; j < p; ++j) {
    frequency[j] = 1.0 / (static_cast<double>(j) + 10.0);
    const double lean = tilt.uniform() < 0.1 ? 1.5 * tilt.normal() : 0.0;
    total[0] += frequency[j] * std::exp(-0.5 * lean);
    total[1] += frequency[j] * std::exp(0.5 * lean);
    for (std::size_t k = 0; k < 2; ++k) cumulative[k][j] = total[k];
  }

  struct Entry {
    Index row;
    double value;
  };
  std::vector<std::vector<Entry>> columns(p);
  Labels labels;
  labels.classes = {true, {"-1", "1"}};
  std::vector<Index> words;
  for (Index i = 0; i < shape.n; ++i) {
    Random random(shape.seed, 2 + static_cast<std::uint64_t>(i));
    const std::size_t k = random.uniform() < 0.5 ? 0 : 1;
    labels.of_sample.push_back(static_cast<Index>(k));
    const auto length = static_cast<std::size_t>(shape.words * std::exp(0.5 * random.normal() - 0.125));
    words.clear();
    for (std::size_t draw = 0; draw < 4 * length && words.size() < std::max<std::size_t>(1, length); ++draw) {
      const double place = random.uniform() * total[k];
      const auto word = static_cast<Index>(std::upper_bound(cumulative[k].begin(), cumulative[k].end(), place) -
                                           cumulative[k].begin());
      if (std::find(words.begin(), words.end(), word) == words.end())
        words.push_back(std::min(word, shape.p - 1));
    }
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    std::vector<double> weights;
    double square = 0.0;
    for (const Index word : words) {
      const double count = 1.0 - std::log(1.0 - random.uniform());  // 1 + an exponential, for the term's count
      weights.push_back(std::log1p(count) * std::log(1.0 + 20.0 / frequency[static_cast<std::size_t>(word)]));
      square += weights.back() * weights.back();
    }
    for (std::size_t w = 0; w < words.size(); ++w) {
      columns[static_cast<std::size_t>(words[w])].push_back({i, rounded(weights[w] / std::sqrt(square))});
    }
  }

  AlignedBuffer<Count> start(p + 1, 0);
  for (std::size_t j = 0; j < p; ++j) start[j + 1] = start[j] + std::ssize(columns[j]);
  AlignedBuffer<Index> rows;
  AlignedBuffer<double> values;
  for (const auto& column : columns) {
    for (const Entry& entry : column) {
      rows.push_back(entry.row);
      values.push_back(entry.value);
    }
  }
  return {"made-up text",
          CscMatrix<double>(shape.n, std::move(start), std::move(rows), std::move(values)),
          std::move(labels),
          {}};
}

}  // namespace hsvm::lab
