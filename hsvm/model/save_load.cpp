// Models, paths and tuned models to files and back.

#include <string>

#include "hsvm/api.hpp"
#include "hsvm/io/streams/output_file.hpp"
#include "hsvm/io/streams/text_input.hpp"

namespace hsvm {
namespace {

void write_text(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace

void save_model(const LinearModel& model, const std::string& path) {
  write_text(path, model_to_json(model));
}

LinearModel load_model(const std::string& path) {
  return model_from_json(read_whole_text(path).text, path);
}

void save_path(const PathModel& model, const std::string& path) {
  write_text(path, path_to_json(model));
}

PathModel load_path(const std::string& path) {
  return path_from_json(read_whole_text(path).text, path);
}

void save_tuned(const TunedModel& model, const std::string& path) {
  write_text(path, tuned_to_json(model));
}

TunedModel load_tuned(const std::string& path) {
  return tuned_from_json(read_whole_text(path).text, path);
}

AnyModel load_any_model(const std::string& path) {
  return any_model_from_json(read_whole_text(path).text, path);
}

}  // namespace hsvm
