#include "hsvm/data/labels.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <system_error>

namespace hsvm {
namespace {

std::optional<double> as_number(const std::string& label) {
  const char* begin = label.data();
  const char* const end = begin + label.size();
  if (begin != end && *begin == '+') ++begin;
  double value = 0.0;
  const auto [rest, error] = std::from_chars(begin, end, value);
  if (begin == end || error != std::errc() || rest != end || !std::isfinite(value)) return std::nullopt;
  if (begin != label.data() && *begin == '-') return std::nullopt;  // "+-1"
  return value == 0.0 ? 0.0 : value;                                // -0 is 0
}

std::string shortest_form(double value) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof(text), value);
  return std::string(text, end);
}

}  // namespace

Index Classes::find(const std::string& label) const {
  std::string wanted = label;
  if (numeric) {
    const std::optional<double> value = as_number(label);
    if (!value) return kUnknownClass;
    wanted = shortest_form(*value);
  }
  const auto place = std::find(names.begin(), names.end(), wanted);
  return place == names.end() ? kUnknownClass : static_cast<Index>(place - names.begin());
}

Labels make_labels(std::span<const std::string> distinct, std::span<const Index> of_sample) {
  Labels labels;
  labels.classes.numeric =
      std::all_of(distinct.begin(), distinct.end(), [](const std::string& label) { return as_number(label); });

  std::vector<Index> class_of(distinct.size());  // the class of each distinct label
  const auto number_classes = [&](const auto& keys) {
    std::map<std::decay_t<decltype(keys[0])>, Index> order;
    for (const auto& key : keys) order.emplace(key, 0);
    Index next = 0;
    for (auto& entry : order) entry.second = next++;
    labels.classes.names.resize(order.size());
    for (std::size_t d = 0; d < distinct.size(); ++d) class_of[d] = order.at(keys[d]);
  };
  if (labels.classes.numeric) {
    std::vector<double> values(distinct.size());
    std::transform(distinct.begin(), distinct.end(), values.begin(),
                   [](const std::string& label) { return *as_number(label); });
    number_classes(values);
    for (std::size_t d = 0; d < distinct.size(); ++d) {
      labels.classes.names[static_cast<std::size_t>(class_of[d])] = shortest_form(values[d]);
    }
  } else {
    number_classes(std::vector<std::string>(distinct.begin(), distinct.end()));
    for (std::size_t d = 0; d < distinct.size(); ++d) {
      labels.classes.names[static_cast<std::size_t>(class_of[d])] = distinct[d];
    }
  }

  labels.of_sample.resize(of_sample.size());
  std::transform(of_sample.begin(), of_sample.end(), labels.of_sample.begin(),
                 [&](Index d) { return class_of[static_cast<std::size_t>(d)]; });
  return labels;
}

Labels make_labels(std::span<const std::string> labels) {
  std::map<std::string, Index> seen;
  std::vector<std::string> distinct;
  std::vector<Index> of_sample;
  of_sample.reserve(labels.size());
  for (const std::string& label : labels) {
    const auto [place, is_new] = seen.emplace(label, static_cast<Index>(distinct.size()));
    if (is_new) distinct.push_back(label);
    of_sample.push_back(place->second);
  }
  return make_labels(distinct, of_sample);
}

}  // namespace hsvm
