#include "experiments/lab/table.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "hsvm/core/error.hpp"

namespace hsvm::lab {
namespace {

constexpr std::array kCompareNames = {"nothing", "ratio", "difference"};

Compare compare_from(const std::string& name) {
  for (std::size_t k = 0; k < kCompareNames.size(); ++k) {
    if (name == kCompareNames[k]) return static_cast<Compare>(k);
  }
  throw InputError("table: compare = " + name + ": must be nothing, ratio or difference");
}

std::optional<double> compared(const Cell& cell, Compare how) {
  if (!cell.ours || !cell.paper || how == Compare::nothing) return std::nullopt;
  if (how == Compare::difference) return *cell.ours - *cell.paper;
  if (*cell.paper == 0.0) return std::nullopt;
  return *cell.ours / *cell.paper;
}

std::string shown(const Column& column, double number) {
  return fmt::format(fmt::runtime(column.format), number);
}

std::string shown(const Column& column, const Cell& cell) {
  std::string text = cell.ours ? shown(column, *cell.ours) : cell.word;
  if (cell.ours && cell.spread) text += " ± " + shown(column, *cell.spread);
  if (!cell.paper) return text;
  std::string paper = shown(column, *cell.paper);
  if (const auto number = compared(cell, column.compare)) {
    if (column.compare == Compare::ratio) {
      paper += fmt::format(", x{:.2g}", *number);
    } else {
      std::string difference = shown(column, *number);
      if (difference.find_first_of("123456789") == difference.npos && difference.starts_with('-'))
        difference.erase(0, 1);  // rounded to zero
      paper += (difference.starts_with('-') ? ", " : ", +") + difference;
    }
  }
  return (text.empty() ? "–" : text) + " (" + paper + ")";
}

// As it may stand in a cell of a table.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

Json optional_json(const std::optional<double>& number) {
  return number ? Json(*number) : Json(nullptr);
}

std::optional<double> optional_from(const Json& object, const char* key) {
  const Json& value = object.at(key);
  return value.is_null() ? std::nullopt : std::optional<double>(value.get<double>());
}

Json cell_json(const Cell& cell, Compare how) {
  Json json = {{"ours", optional_json(cell.ours)}, {"paper", optional_json(cell.paper)}};
  if (how != Compare::nothing)
    json[kCompareNames[static_cast<std::size_t>(how)]] = optional_json(compared(cell, how));
  json["spread"] = optional_json(cell.spread);
  if (!cell.word.empty()) json["word"] = cell.word;
  return json;
}

Cell cell_from(const Json& json) {
  return {optional_from(json, "ours"), optional_from(json, "paper"), optional_from(json, "spread"),
          json.value("word", "")};
}

}  // namespace

void Table::add_columns(std::initializer_list<const char*> names, Compare compare, const char* format) {
  for (const char* column : names) columns.push_back({column, compare, format});
}

void Table::check() const {
  for (const Row& row : rows) {
    const std::string where = "table " + name + ", row " + row.label;
    if (row.cells.size() != columns.size())
      throw std::logic_error(
          fmt::format("{}: {} cells for {} columns", where, row.cells.size(), columns.size()));
    for (const Cell& cell : row.cells) {
      for (const auto& number : {cell.ours, cell.paper, cell.spread}) {
        if (number && !std::isfinite(*number)) throw std::logic_error(where + ": a number that is not finite");
      }
    }
  }
}

Json to_json(const Table& table) {
  table.check();
  Json json = {{"name", table.name}, {"caption", table.caption}, {"row_header", table.row_header}};
  json["columns"] = Json::array();
  for (const Column& column : table.columns) {
    json["columns"].push_back({{"name", column.name},
                               {"compare", kCompareNames[static_cast<std::size_t>(column.compare)]},
                               {"format", column.format}});
  }
  json["rows"] = Json::array();
  for (const Row& row : table.rows) {
    Json cells = Json::array();
    for (std::size_t k = 0; k < row.cells.size(); ++k)
      cells.push_back(cell_json(row.cells[k], table.columns[k].compare));
    json["rows"].push_back({{"label", row.label}, {"cells", std::move(cells)}});
  }
  json["notes"] = table.notes;
  return json;
}

Table table_from_json(const Json& json) {
  try {
    Table table{.name = json.at("name"), .caption = json.at("caption"), .row_header = json.at("row_header")};
    for (const Json& column : json.at("columns"))
      table.columns.push_back({column.at("name"), compare_from(column.at("compare")), column.at("format")});
    for (const Json& row : json.at("rows")) {
      table.rows.push_back({row.at("label"), {}});
      for (const Json& cell : row.at("cells")) table.rows.back().cells.push_back(cell_from(cell));
    }
    table.notes = json.at("notes").get<std::vector<std::string>>();
    table.check();
    return table;
  } catch (const Json::exception& error) {
    throw InputError(std::string("not a table of hsvm-lab: ") + error.what());
  } catch (const std::logic_error& error) {
    throw InputError(error.what());
  }
}

std::string to_markdown(const Table& table) {
  std::string text = table.caption + "\n\n| " + escaped(table.row_header) + " |";
  std::string line = "|---|";
  for (const Column& column : table.columns) {
    text += " " + escaped(column.name) + " |";
    line += "---:|";
  }
  text += "\n" + line + "\n";
  for (const Row& row : table.rows) {
    text += "| " + escaped(row.label) + " |";
    for (std::size_t k = 0; k < row.cells.size(); ++k)
      text += " " + escaped(shown(table.columns[k], row.cells[k])) + " |";
    text += "\n";
  }
  const std::string notes = notes_to_markdown(table.notes);
  return notes.empty() ? text : text + "\n" + notes;
}

report::Table to_report(const Table& table) {
  report::Table result{.name = table.name, .caption = table.caption};
  result.columns = {{.name = table.row_header, .numeric = false}};
  for (const Column& column : table.columns) result.columns.push_back({.name = column.name});
  for (const Row& row : table.rows) {
    result.rows.push_back({row.label});
    for (std::size_t k = 0; k < row.cells.size(); ++k)
      result.rows.back().emplace_back(shown(table.columns[k], row.cells[k]));
  }
  return result;
}

std::string notes_to_markdown(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text += "- " + note + "\n";
  return text;
}

}  // namespace hsvm::lab
