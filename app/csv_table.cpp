#include "app/csv_table.hpp"

#include <fmt/format.h>

#include <iterator>

#include "hsvm/api.hpp"

namespace hsvm::app {
namespace {

std::string without_compression(const std::string& file) {
  return file.substr(0, file.size() - compression_ending(compression_of_name(file)).size());
}

}  // namespace

bool is_table_name(const std::string& file) {
  const std::string name = without_compression(file);
  return name.ends_with(".csv") || name.ends_with(".tsv");
}

CsvTable::CsvTable(const std::string& file, const std::vector<std::string>& header)
    : file_(file), delimiter_(without_compression(file).ends_with(".tsv") ? '\t' : ',') {
  for (const std::string& name : header) *this << name;
  end_row();
}

void CsvTable::begin_field() {
  if (!row_begins_) text_ += delimiter_;
  row_begins_ = false;
}

CsvTable& CsvTable::operator<<(std::string_view word) {
  begin_field();
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  const bool plain = !word.empty() && word.find_first_of("\"\r\n") == word.npos &&
                     word.find(delimiter_) == word.npos && !is_space(word.front()) && !is_space(word.back()) &&
                     word.front() != '#';
  if (plain) {
    text_ += word;
    return *this;
  }
  text_ += '"';
  for (const char c : word) {
    if (c == '"') text_ += '"';
    text_ += c;
  }
  text_ += '"';
  return *this;
}

CsvTable& CsvTable::operator<<(double number) {
  begin_field();
  fmt::format_to(std::back_inserter(text_), "{}", number);
  return *this;
}

void CsvTable::end_row() {
  text_ += '\n';
  row_begins_ = true;
}

void CsvTable::write() const {
  OutputFile file(file_);
  file.write(text_);
  file.commit();
}

}  // namespace hsvm::app
