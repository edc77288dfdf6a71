#include "hsvm/io/formats/write_dataset.hpp"

#include <charconv>
#include <span>
#include <string_view>

#include "hsvm/core/error.hpp"
#include "hsvm/data/visit_matrix.hpp"
#include "hsvm/io/formats/detect_format.hpp"
#include "hsvm/io/streams/by_rows.hpp"
#include "hsvm/io/streams/row_block.hpp"

namespace hsvm {
namespace {

template <class Number>
void append_number(std::string& line, Number number) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof(text), number);
  line.append(text, end);
}

// The label of sample i in a dataset that has labels.
const std::string& label_of(const Dataset& dataset, Index i) {
  const Labels& labels = *dataset.labels;
  return labels.classes.names[static_cast<std::size_t>(labels.of_sample[static_cast<std::size_t>(i)])];
}

template <class T>
bool is_empty_column(const CscMatrix<T>& x, Index j) {
  return x.column(j).rows.empty();
}

template <class T>
bool is_empty_column(const DenseMatrix<T>& x, Index j) {
  const std::span<const T> column = x.column(j);
  return std::all_of(column.begin(), column.end(), [](T value) { return value == T{0}; });
}

std::string csv_field(std::string_view text, char delimiter, const std::string& path) {
  if (text.find_first_of(std::string_view("\n\0", 2)) != text.npos) {
    throw InputError(path + ": " + quoted(text) +
                     " cannot be written; expected text without line breaks and NUL bytes");
  }
  const bool plain = !text.empty() && text.find(delimiter) == text.npos &&
                     text.find_first_of("\"\r") == text.npos && text.front() != ' ' && text.back() != ' ' &&
                     text.front() != '\t' && text.back() != '\t' && text.front() != '#';
  if (plain) return std::string(text);
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

void write_libsvm_text(const Dataset& dataset, OutputFile& file, const std::string& path) {
  if (dataset.labels) {
    for (const std::string& label : dataset.labels->classes.names) {
      if (label.empty() || label.find_first_of(std::string_view(" \t\r\n:#\0", 7)) != label.npos) {
        throw InputError(path + ": label " + quoted(label) +
                         " cannot be written in LIBSVM format; expected a word without spaces, ':' and '#'");
      }
    }
  }
  visit_matrix(dataset.design, [&](const auto& x) {
    const Index last = x.cols() - 1;
    const bool name_last_column = x.cols() > 0 && is_empty_column(x, last);
    std::string line;
    for_each_row(x, [&](Index i, std::span<const Index> columns, const auto values) {
      line.clear();
      const auto append = [&](Index j, auto value) {
        if (!line.empty()) line += ' ';
        append_number(line, j + 1);
        line += ':';
        append_number(line, value);
      };
      if (dataset.labels) line += label_of(dataset, i);
      for (std::size_t k = 0; k < columns.size(); ++k) append(columns[k], values[k]);
      if (name_last_column && i == 0) append(last, 0);
      if (line.empty()) append(0, 0);
      line += '\n';
      file.write(line);
    });
  });
}

void write_csv_text(const Dataset& dataset, OutputFile& file, const std::string& path, char delimiter) {
  std::vector<std::string> classes;
  if (dataset.labels) {
    for (const std::string& label : dataset.labels->classes.names)
      classes.push_back(csv_field(label, delimiter, path));
  }
  std::string line = dataset.labels ? "label" : "";
  for (Index j = 0; j < dataset.n_features(); ++j) {
    if (j > 0 || dataset.labels) line += delimiter;
    if (dataset.feature_names.empty()) {
      line += 'x';
      append_number(line, j + 1);
    } else {
      line += csv_field(dataset.feature_names[static_cast<std::size_t>(j)], delimiter, path);
    }
  }
  line += '\n';

  file.write(line);
  visit_matrix(dataset.design, [&](const auto& x) {
    for_each_row(x, [&](Index i, std::span<const Index> columns, const auto values) {
      line.clear();
      if (dataset.labels) {
        line += classes[static_cast<std::size_t>(dataset.labels->of_sample[static_cast<std::size_t>(i)])];
      }
      std::size_t k = 0;
      for (Index j = 0; j < x.cols(); ++j) {
        if (j > 0 || dataset.labels) line += delimiter;
        if (k < columns.size() && columns[k] == j) {
          append_number(line, values[k++]);
        } else {
          line += '0';
        }
      }
      line += '\n';
      file.write(line);
    });
  });
}

}  // namespace

void write_libsvm(const Dataset& dataset, const std::string& path) {
  write_dataset(dataset, path, DataFormat::libsvm);
}

void write_csv(const Dataset& dataset, const std::string& path, char delimiter) {
  OutputFile file(path);
  write_csv_text(dataset, file, path, delimiter);
  file.commit();
}

void write_dataset(const Dataset& dataset, OutputFile& file, const std::string& path,
                   std::optional<DataFormat> format) {
  switch (format ? *format : detect_format(path)) {
    case DataFormat::libsvm:
      return write_libsvm_text(dataset, file, path);
    case DataFormat::csv:
      return write_csv_text(dataset, file, path, ',');
    case DataFormat::tsv:
      return write_csv_text(dataset, file, path, '\t');
  }
}

void write_dataset(const Dataset& dataset, const std::string& path, std::optional<DataFormat> format) {
  const DataFormat chosen = format ? *format : detect_format(path);  // before anything is opened
  OutputFile file(path);
  write_dataset(dataset, file, path, chosen);
  file.commit();
}

}  // namespace hsvm
