#include "hsvm/report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "hsvm/io/streams/text.hpp"
#include "hsvm/report/html.hpp"

namespace hsvm::report {
namespace {

constexpr std::size_t kLongTable = 25;  // rows beyond which a table scrolls in a box of its own

// Columns of a terminal that a UTF-8 text takes, wide characters aside.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & '\xC0') != '\x80'; }));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string space(width - std::min(width, width_of(text)), ' ');
  return right ? space + text : text + space;
}

std::string markdown_cell(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c == '\n' || c == '\r' ? ' ' : c;
  }
  return result;
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + "\"";
}

std::string html_cell(const Column& column, const Cell& cell) {
  const std::string begin =
      column.bars ? "<td class=\"n bar\">" : (column.numeric ? "<td class=\"n\">" : "<td>");
  const std::string text = escape_html(shown(column, cell));
  if (!cell.number) return begin + text + "</td>";
  return fmt::format("{}<data value=\"{}\">{}</data></td>", begin, exact(*cell.number), text);
}

}  // namespace

std::string shown(const Column& column, const Cell& cell) {
  return cell.number ? fmt::format(fmt::runtime(column.format), *cell.number) : cell.text;
}

std::string exact(double number) {
  return fmt::format("{}", number);
}

std::string to_text(const Table& table, const std::string& indent) {
  const auto name_of = [&](std::size_t k) { return escape_controls(table.columns[k].name); };
  const auto cell_of = [&](const auto& row, std::size_t k) {
    return escape_controls(shown(table.columns[k], row[k]));
  };
  std::vector<std::size_t> widths;
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    widths.push_back(width_of(name_of(k)));
    for (const auto& row : table.rows) widths[k] = std::max(widths[k], width_of(cell_of(row, k)));
  }
  const auto line = [&](const auto& cell_at) {
    std::string text;
    for (std::size_t k = 0; k < table.columns.size(); ++k)
      text += fmt::format("{}{}", k == 0 ? "" : "  ", padded(cell_at(k), widths[k], table.columns[k].numeric));
    text.erase(text.find_last_not_of(' ') + 1);
    return indent + text + "\n";
  };
  std::string text = line(name_of);
  for (const auto& row : table.rows) {
    assert(row.size() == table.columns.size());
    text += line([&](std::size_t k) { return cell_of(row, k); });
  }
  return text;
}

std::string to_markdown(const Table& table) {
  std::string text = "|";
  std::string rule = "|";
  for (const Column& column : table.columns) {
    text += fmt::format(" {} |", markdown_cell(column.name));
    rule += column.numeric ? "---:|" : "---|";
  }
  text += fmt::format("\n{}\n", rule);
  for (const auto& row : table.rows) {
    text += "|";
    for (std::size_t k = 0; k < table.columns.size(); ++k)
      text += fmt::format(" {} |", markdown_cell(shown(table.columns[k], row[k])));
    text += "\n";
  }
  return text;
}

std::string to_csv(const Table& table) {
  std::string text;
  const auto end_of = [&](std::size_t k) { return k + 1 == table.columns.size() ? "\r\n" : ","; };
  for (std::size_t k = 0; k < table.columns.size(); ++k) text += csv_cell(table.columns[k].name) + end_of(k);
  for (const auto& row : table.rows) {
    for (std::size_t k = 0; k < table.columns.size(); ++k)
      text += csv_cell(row[k].number ? exact(*row[k].number) : row[k].text) + end_of(k);
  }
  return text;
}

std::string to_html(const Table& table) {
  std::string text = fmt::format(
      "<div class=\"scroll{2}\" role=\"region\" tabindex=\"0\" aria-label=\"{0}\"><table id=\"table-{1}\" "
      "data-name=\"{1}\"><caption>{0}</caption>\n<thead><tr>",
      escape_html(table.caption), escape_html(table.name), table.rows.size() > kLongTable ? " long" : "");
  for (const Column& column : table.columns)
    text += fmt::format("<th scope=\"col\"{}>{}</th>", column.numeric ? " class=\"n\"" : "",
                        escape_html(column.name));
  text += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    text += "<tr>";
    for (std::size_t k = 0; k < table.columns.size(); ++k) text += html_cell(table.columns[k], row[k]);
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

}  // namespace hsvm::report
