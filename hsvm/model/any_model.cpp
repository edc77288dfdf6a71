#include "hsvm/model/any_model.hpp"

#include "hsvm/model/json_parts.hpp"

namespace hsvm {

AnyModel any_model_from_json(std::string_view text, const std::string& source) {
  const detail::Json json = detail::parse_object(text, source);
  if (json.contains("format") && json.at("format") == detail::kPathFormat)
    return detail::path_from_object(json, source);
  if (json.contains("tuning")) return detail::tuned_from_object(json, source);
  return detail::model_from_object(json, source);
}

}  // namespace hsvm
