// What an experiment has measured so far, a line of JSON for each trial, so that an experiment that was stopped goes
// on where it was:
//
//   {"journal": "synthetic_times", "settings": {...}}
//   {"key": "500x50 rho 0 trial 0", "seconds": 0.7, "value": {...}}
//
// Lines are added and flushed one by one. A journal of other settings is discarded, and so is a last line that was
// not written to its end.
#pragma once

#include <deque>
#include <fstream>
#include <map>
#include <string>

#include "experiments/lab/table.hpp"

namespace hsvm::lab {

struct JournalEntry {
  std::string key;
  double seconds = 0.0;
  Json value = {};
};

class Journal {
 public:
  // Throws InputError where the file cannot be read or written.
  Journal(const std::string& path, const std::string& experiment, const Json& settings);

  // A journal was there, but of other settings.
  [[nodiscard]] bool discarded() const { return discarded_; }
  [[nodiscard]] const std::deque<JournalEntry>& entries() const { return entries_; }
  // Null where it has not been measured.
  [[nodiscard]] const JournalEntry* find(const std::string& key) const;
  const JournalEntry& add(JournalEntry entry);

 private:
  void load(const Json& head);

  std::string path_;
  std::ofstream file_;
  bool discarded_ = false;
  std::deque<JournalEntry> entries_;
  std::map<std::string, std::size_t> position_;  // of each key among the entries
};

}  // namespace hsvm::lab
