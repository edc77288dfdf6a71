#include "experiments/lab/journal.hpp"

#include <utility>

#include "hsvm/core/error.hpp"
#include "hsvm/io/streams/output_file.hpp"

namespace hsvm::lab {
namespace {

std::string line_of(const JournalEntry& entry) {
  return Json{{"key", entry.key}, {"seconds", entry.seconds}, {"value", entry.value}}.dump() + "\n";
}

}  // namespace

Journal::Journal(const std::string& path, const std::string& experiment, const Json& settings) : path_(path) {
  const Json head = {{"journal", experiment}, {"settings", settings}};
  load(head);
  // Written anew from what is good in it: no line may follow a torn one.
  OutputFile file(path_);
  file.write(head.dump() + "\n");
  for (const JournalEntry& entry : entries_) file.write(line_of(entry));
  file.commit();
  file_.open(path_, std::ios::app);
  if (!file_) throw file_error(path_, "cannot write");
}

void Journal::load(const Json& head) {
  std::ifstream file(path_);
  std::string line;
  if (!file || !std::getline(file, line)) return;
  const Json first = Json::parse(line, nullptr, false);
  if (first.is_discarded() || first != head) {
    discarded_ = true;
    return;
  }
  while (std::getline(file, line)) {
    const Json json = Json::parse(line, nullptr, false);
    if (json.is_discarded() || !json.is_object() || !json.contains("value")) break;
    JournalEntry entry{json.value("key", ""), json.value("seconds", 0.0), json.at("value")};
    position_[entry.key] = entries_.size();
    entries_.push_back(std::move(entry));
  }
}

const JournalEntry* Journal::find(const std::string& key) const {
  const auto found = position_.find(key);
  return found == position_.end() ? nullptr : &entries_[found->second];
}

const JournalEntry& Journal::add(JournalEntry entry) {
  file_ << line_of(entry) << std::flush;
  if (!file_) throw file_error(path_, "cannot write");
  position_[entry.key] = entries_.size();
  entries_.push_back(std::move(entry));
  return entries_.back();
}

}  // namespace hsvm::lab
