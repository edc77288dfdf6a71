#include "datasets/text_like.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include "hsvm/core/random.hpp"

namespace hsvm::datasets {
namespace {

// As printed with 15 digits, which is what files of this kind hold.
double rounded(double value) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof(text), value, std::chars_format::general, 15);
  std::from_chars(text, end, value);
  return value;
}

// The words: word j comes with probability proportional to 1/(j + 10), tilted for each of the two classes.
class Vocabulary {
 public:
  explicit Vocabulary(const TextLike& shape) : p_(shape.p) {
    Random tilt(shape.seed, 1);
    double total[2] = {};
    for (Index j = 0; j < p_; ++j) {
      frequencies_.push_back(1.0 / (static_cast<double>(j) + 10.0));
      const double lean = tilt.uniform() < 0.1 ? 1.5 * tilt.normal() : 0.0;
      total[0] += frequencies_.back() * std::exp(-0.5 * lean);
      total[1] += frequencies_.back() * std::exp(0.5 * lean);
      for (std::size_t k = 0; k < 2; ++k) cumulative_[k].push_back(total[k]);
    }
  }

  // Different words of a document of class k, ascending.
  [[nodiscard]] std::vector<Index> draw(std::size_t k, std::size_t length, Random& random) const {
    const std::vector<double>& sums = cumulative_[k];
    std::vector<Index> words;
    for (std::size_t draw = 0; draw < 4 * length && words.size() < std::max<std::size_t>(1, length); ++draw) {
      const double drawn = random.uniform() * sums.back();
      const auto word = static_cast<Index>(std::upper_bound(sums.begin(), sums.end(), drawn) - sums.begin());
      if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(std::min(word, p_ - 1));
    }
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    return words;
  }

  // Their tf-idf weights, of length 1.
  [[nodiscard]] std::vector<double> weigh(const std::vector<Index>& words, Random& random) const {
    std::vector<double> weights;
    double square = 0.0;
    for (const Index word : words) {
      const double count = 1.0 - std::log(1.0 - random.uniform());  // 1 + an exponential, for the term's count
      weights.push_back(std::log1p(count) *
                        std::log(1.0 + 20.0 / frequencies_[static_cast<std::size_t>(word)]));
      square += weights.back() * weights.back();
    }
    for (double& weight : weights) weight = rounded(weight / std::sqrt(square));
    return weights;
  }

 private:
  Index p_;
  std::vector<double> frequencies_;
  std::vector<double> cumulative_[2];  // by class
};

struct Entry {
  Index row;
  double value;
};

CscMatrix<double> joined(Index n, const std::vector<std::vector<Entry>>& columns) {
  AlignedBuffer<Count> start(columns.size() + 1, 0);
  AlignedBuffer<Index> rows;
  AlignedBuffer<double> values;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    start[j + 1] = start[j] + std::ssize(columns[j]);
    for (const Entry& entry : columns[j]) {
      rows.push_back(entry.row);
      values.push_back(entry.value);
    }
  }
  return {n, std::move(start), std::move(rows), std::move(values)};
}

}  // namespace

Dataset generate(const TextLike& shape) {
  const Vocabulary vocabulary(shape);
  std::vector<std::vector<Entry>> columns(static_cast<std::size_t>(shape.p));
  Labels labels;
  labels.classes = {true, {"-1", "1"}};
  for (Index i = 0; i < shape.n; ++i) {
    Random random(shape.seed, 2 + static_cast<std::uint64_t>(i));
    const std::size_t k = random.uniform() < 0.5 ? 0 : 1;
    labels.of_sample.push_back(static_cast<Index>(k));
    const auto length = static_cast<std::size_t>(shape.words * std::exp(0.5 * random.normal() - 0.125));
    const std::vector<Index> words = vocabulary.draw(k, length, random);
    const std::vector<double> weights = vocabulary.weigh(words, random);
    for (std::size_t w = 0; w < words.size(); ++w)
      columns[static_cast<std::size_t>(words[w])].push_back({i, weights[w]});
  }
  return {"made-up text", joined(shape.n, columns), std::move(labels), {}};
}

}  // namespace hsvm::datasets
