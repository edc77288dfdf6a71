// A made-up text collection: n documents over p words, Zipf-distributed, with normalised tf-idf weights as in rcv1,
// whose shape (20242 x 47236 with 74 words a document) is the default. Some words lean to one of the two classes.
#pragma once

#include <cstdint>

#include "hsvm/data/dataset.hpp"

namespace hsvm::datasets {

struct TextLike {
  Index n = 20'242;
  Index p = 47'236;
  double words = 74;  // nonzeros a row, on average
  std::uint64_t seed = 1;
};

[[nodiscard]] Dataset generate(const TextLike& shape);

}  // namespace hsvm::datasets
