#include "hsvm/io/formats/numpy_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <functional>

#include "hsvm/core/error.hpp"
#include "hsvm/core/parallel.hpp"
#include "hsvm/data/mapped_design.hpp"
#include "hsvm/data/visit_matrix.hpp"
#include "hsvm/io/streams/text.hpp"

namespace hsvm {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kLargeFile = std::size_t{256} << 20;
constexpr bool kLittle = std::endian::native == std::endian::little;

// The part of the header after 'key':, without spaces before it.
std::string_view after_key(std::string_view header, std::string_view key, const std::string& where) {
  for (const char quote : {'\'', '"'}) {
    const std::string wanted = quote + std::string(key) + quote;
    const std::size_t at = header.find(wanted);
    if (at == header.npos) continue;
    std::string_view rest = header.substr(at + wanted.size());
    rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(" \t")));
    if (!rest.starts_with(':')) break;
    rest.remove_prefix(1);
    rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(" \t")));
    return rest;
  }
  throw InputError(where + ": the header of an .npy file must have the key '" + std::string(key) + "'");
}

void read_type(std::string_view text, NumpyArray& array) {
  const auto refuse = [&](std::string_view descr) {
    throw InputError(array.where + ": numbers of the type " + in_quotes(descr) +
                     " are not read; expected one of f8 f4, i and u of 1 to 8 bytes, b1, or texts");
  };
  if (text.empty() || (text[0] != '\'' && text[0] != '"')) refuse(text.substr(0, text.find(',')));
  const std::size_t end = text.find(text[0], 1);
  if (end == text.npos) refuse(text.substr(0, 20));
  const std::string_view descr = text.substr(1, end - 1);
  if (descr.size() < 3) refuse(descr);
  const char order = descr[0];
  array.kind = descr[1];
  const auto [rest, error] = std::from_chars(descr.data() + 2, descr.data() + descr.size(), array.item_bytes);
  if (error != std::errc() || rest != descr.data() + descr.size()) refuse(descr);
  const std::size_t bytes = array.item_bytes;
  const bool power = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
  const bool known = (array.kind == 'f' && (bytes == 4 || bytes == 8)) ||
                     ((array.kind == 'i' || array.kind == 'u') && power) || (array.kind == 'b' && bytes == 1) ||
                     (array.kind == 'S' && bytes > 0) ||
                     (array.kind == 'U' && bytes > 0 && bytes < (std::size_t{1} << 28U));
  if (!known || (order != '<' && order != '>' && order != '|' && order != '=')) refuse(descr);
  if (array.kind == 'U') array.item_bytes *= 4;
  array.swapped = (order == '<' && !kLittle) || (order == '>' && kLittle);
}

void read_shape(std::string_view text, NumpyArray& array) {
  const std::size_t end = text.find(')');
  if (!text.starts_with('(') || end == text.npos)
    throw InputError(array.where + ": 'shape' must be numbers between brackets");
  text = text.substr(1, end - 1);
  while (true) {
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(" ,")));
    if (text.empty()) return;
    std::size_t number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) throw InputError(array.where + ": 'shape' must be numbers between brackets");
    array.shape.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
    if (text.starts_with('L')) text.remove_prefix(1);  // as Python 2 wrote them
  }
}

void check_size(const NumpyArray& array) {
  std::size_t size = array.item_bytes;
  for (const std::size_t length : array.shape) {
    if (__builtin_mul_overflow(size, length, &size))
      throw InputError(array.where + ": an array of this shape is larger than any memory");
  }
  if (size != array.data.size())
    throw InputError(
        fmt::format("{}: {} bytes of values for a shape of {} bytes; the file is cut short or damaged",
                    array.where, array.data.size(), size));
}

// The k-th number, whatever its type.
template <class Stored>
Stored load_stored(const char* from, bool swapped) {
  unsigned char bytes[sizeof(Stored)];
  std::memcpy(bytes, from, sizeof(Stored));
  if (swapped) std::reverse(bytes, bytes + sizeof(Stored));
  Stored value;
  std::memcpy(&value, bytes, sizeof(Stored));
  return value;
}

// Calls visit(Stored{}) with a value of the type that is stored.
template <class Visit>
void visit_type(const NumpyArray& array, const Visit& visit) {
  const std::size_t bytes = array.item_bytes;
  if (array.kind == 'f') return bytes == 8 ? visit(double{}) : visit(float{});
  const bool is_signed = array.kind == 'i';
  if (bytes == 1) return is_signed ? visit(std::int8_t{}) : visit(std::uint8_t{});
  if (bytes == 2) return is_signed ? visit(std::int16_t{}) : visit(std::uint16_t{});
  if (bytes == 4) return is_signed ? visit(std::int32_t{}) : visit(std::uint32_t{});
  return is_signed ? visit(std::int64_t{}) : visit(std::uint64_t{});
}

void require_numbers(const NumpyArray& array) {
  if (!array.is_number()) throw InputError(array.where + ": texts; expected numbers");
}

// Numbers in column-major order, whatever they are stored as.
template <class T>
SharedDesign convert_dense(const NumpyArray& array, Index rows, Index cols) {
  auto values = std::make_shared<AlignedBuffer<T>>();
  values->resize(array.size());
  const auto n = static_cast<std::size_t>(rows);
  const auto p = static_cast<std::size_t>(cols);
  visit_type(array, [&](auto example) {
    using Stored = decltype(example);
    parallel_blocks(cols, 16, [&](Index begin, Index end) {
      for (auto j = static_cast<std::size_t>(begin); j < static_cast<std::size_t>(end); ++j) {
        for (std::size_t i = 0; i < n; ++i) {
          const std::size_t from = array.fortran_order ? j * n + i : i * p + j;
          (*values)[j * n + i] =
              static_cast<T>(load_stored<Stored>(array.data.data() + from * sizeof(Stored), array.swapped));
        }
      }
    });
  });
  return DenseMatrix<T>(rows, cols, std::span<const T>(*values), values);
}

// Where T is what is stored.
template <class T>
SharedDesign native_dense(const NumpyArray& array, Index rows, Index cols) {
  if (!is_aligned_for<T>(array.data.data()) || array.swapped) return convert_dense<T>(array, rows, cols);
  const std::span<const T> values(reinterpret_cast<const T*>(array.data.data()), array.size());
  if (!array.fortran_order && rows > 1 && cols > 1) return DenseMatrix<T>::from_row_major(rows, cols, values);
  if (array.mapped) return MappedDesign(DenseMatrix<T>(rows, cols, values, array.owner), array.mapped);
  if (array.owner) return DenseMatrix<T>(rows, cols, values, array.owner);
  return convert_dense<T>(array, rows, cols);
}

std::string trimmed(std::string text) {
  text.resize(text.find_last_not_of('\0') + 1);
  return text;
}

void append_utf8(std::string& text, std::uint32_t letter, const std::string& where) {
  if (letter > 0x10ffff || (letter >= 0xd800 && letter < 0xe000))
    throw InputError(where + ": a text has something in it that is no letter");
  if (letter < 0x80) {
    text += static_cast<char>(letter);
  } else if (letter < 0x800) {
    text += static_cast<char>(0xc0U | letter >> 6U);
    text += static_cast<char>(0x80U | (letter & 0x3fU));
  } else if (letter < 0x10000) {
    text += static_cast<char>(0xe0U | letter >> 12U);
    text += static_cast<char>(0x80U | (letter >> 6U & 0x3fU));
    text += static_cast<char>(0x80U | (letter & 0x3fU));
  } else {
    text += static_cast<char>(0xf0U | letter >> 18U);
    text += static_cast<char>(0x80U | (letter >> 12U & 0x3fU));
    text += static_cast<char>(0x80U | (letter >> 6U & 0x3fU));
    text += static_cast<char>(0x80U | (letter & 0x3fU));
  }
}

std::string text_at(const NumpyArray& array, std::size_t k) {
  const char* const begin = array.data.data() + k * array.item_bytes;
  if (array.kind == 'S') return trimmed(std::string(begin, array.item_bytes));
  std::string text;
  std::size_t n_letters = array.item_bytes / 4;
  while (n_letters > 0 && load_stored<std::uint32_t>(begin + 4 * (n_letters - 1), false) == 0) --n_letters;
  for (std::size_t l = 0; l < n_letters; ++l)
    append_utf8(text, load_stored<std::uint32_t>(begin + 4 * l, array.swapped), array.where);
  return text;
}

template <class T>
std::string_view bytes_of(std::span<const T> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

}  // namespace

bool is_npy(std::string_view head) {
  return head.starts_with(kMagic);
}

NumpyArray parse_npy(std::string_view bytes, std::shared_ptr<const void> owner, std::string where) {
  NumpyArray array;
  array.where = std::move(where);
  array.owner = std::move(owner);
  const auto refuse_short = [&] { throw InputError(array.where + ": an .npy file that is cut short"); };
  if (!is_npy(bytes)) throw InputError(array.where + ": not an .npy file: it must begin with \\x93NUMPY");
  if (bytes.size() < 10) refuse_short();
  const char version = bytes[6];
  if (version < 1 || version > 3)
    throw InputError(array.where + ": a version of .npy that is not read; expected 1, 2 or 3");
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t begin = 8 + length_bytes;
  if (bytes.size() < begin) refuse_short();
  std::size_t length = 0;
  for (std::size_t k = length_bytes; k > 0; --k)
    length = length << 8U | static_cast<unsigned char>(bytes[7 + k]);
  if (length > bytes.size() - begin) refuse_short();
  const std::string_view header = bytes.substr(begin, length);
  read_type(after_key(header, "descr", array.where), array);
  const std::string_view order = after_key(header, "fortran_order", array.where);
  if (!order.starts_with("True") && !order.starts_with("False"))
    throw InputError(array.where + ": 'fortran_order' must be True or False");
  array.fortran_order = order.starts_with("True");
  read_shape(after_key(header, "shape", array.where), array);
  array.data = bytes.substr(begin + length);
  check_size(array);
  return array;
}

SharedDesign dense_design(const NumpyArray& array, const ReadOptions& options) {
  require_numbers(array);
  if (array.shape.size() != 2)
    throw InputError(fmt::format("{}: an array of {} dimension{}; expected 2, samples by features", array.where,
                                 array.shape.size(), array.shape.size() == 1 ? "" : "s"));
  const Index rows = checked_index(array.shape[0], "samples", array.where);
  const Index cols = checked_index(array.shape[1], "features", array.where);
  if (rows == 0 || cols == 0)
    throw InputError(array.where + ": no samples or no features; expected some of each");
  const bool single = options.precision == Precision::single_precision;
  SharedDesign design;
  if (array.kind == 'f' && array.item_bytes == 4) {
    design = native_dense<float>(array, rows, cols);
  } else if (array.kind == 'f' && !single) {
    design = native_dense<double>(array, rows, cols);
  } else {
    design = single ? convert_dense<float>(array, rows, cols) : convert_dense<double>(array, rows, cols);
  }
  const bool in_place = &design->matrix() != &*design;
  if (array.kind == 'f' && !(in_place && array.data.size() > kLargeFile)) require_finite(design, array.where);
  return as_storage(design, options.storage);
}

template <class T>
std::vector<T> numbers_in(const NumpyArray& array) {
  require_numbers(array);
  std::vector<T> numbers;
  numbers.reserve(array.size());
  visit_type(array, [&](auto example) {
    using Stored = decltype(example);
    for (std::size_t k = 0; k < array.size(); ++k) {
      const Stored stored = load_stored<Stored>(array.data.data() + k * sizeof(Stored), array.swapped);
      if constexpr (std::is_integral_v<T> && std::is_floating_point_v<Stored>) {
        if (!(std::abs(stored) < Stored{1e15F}) || stored != std::floor(stored))
          throw InputError(array.where + ": must hold whole numbers");
      } else if constexpr (std::is_integral_v<T>) {
        if (!std::in_range<T>(stored)) throw InputError(array.where + ": a number is too large");
      }
      numbers.push_back(static_cast<T>(stored));
    }
  });
  return numbers;
}

template std::vector<double> numbers_in(const NumpyArray& array);
template std::vector<float> numbers_in(const NumpyArray& array);
template std::vector<std::int64_t> numbers_in(const NumpyArray& array);

std::vector<std::string> words_in(const NumpyArray& array) {
  std::vector<std::string> words;
  if (array.kind == 'S' || array.kind == 'U') {
    for (std::size_t k = 0; k < array.size(); ++k) words.push_back(text_at(array, k));
    return words;
  }
  const auto add = [&](auto number) {
    std::string text;
    append_number(text, number);
    words.push_back(std::move(text));
  };
  if (array.kind == 'u' && array.item_bytes == 8) {
    for (const double number : numbers_in<double>(array)) add(number);
  } else if (array.kind != 'f') {
    for (const std::int64_t number : numbers_in<std::int64_t>(array)) add(number);
  } else {
    for (const double number : numbers_in<double>(array)) {
      if (!std::isfinite(number)) throw InputError(array.where + ": a label is no finite number");
      if (array.item_bytes == 4) {
        add(static_cast<float>(number));
      } else {
        add(number);
      }
    }
  }
  return words;
}

std::string npy_header(const std::string& descr, bool fortran_order, const std::vector<std::size_t>& shape) {
  std::string lengths;
  for (const std::size_t length : shape) lengths += std::to_string(length) + ", ";
  if (shape.size() > 1) lengths.resize(lengths.size() - 2);
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}), }}", descr,
                                   fortran_order ? "True" : "False", lengths);
  constexpr std::size_t kAlignment = 64;  // of the values in the file, as NumPy has it
  const std::size_t before = kMagic.size() + 4;
  header.append((kAlignment - (before + header.size() + 1) % kAlignment) % kAlignment, ' ');
  header += '\n';
  std::string text(kMagic);
  text += '\x01';
  text += '\0';
  text += static_cast<char>(header.size() & 0xffU);
  text += static_cast<char>(header.size() >> 8U);
  return text + header;
}

template <class T>
const char* npy_type() {
  if constexpr (std::is_same_v<T, double>) return kLittle ? "<f8" : ">f8";
  if constexpr (std::is_same_v<T, float>) return kLittle ? "<f4" : ">f4";
  if constexpr (std::is_same_v<T, std::int32_t>) return kLittle ? "<i4" : ">i4";
  return kLittle ? "<i8" : ">i8";
}

template const char* npy_type<double>();
template const char* npy_type<float>();
template const char* npy_type<std::int32_t>();
template const char* npy_type<std::int64_t>();

template <class T>
std::string npy_of_numbers(std::span<const T> numbers) {
  return npy_header(npy_type<T>(), false, {numbers.size()}).append(bytes_of(numbers));
}

template std::string npy_of_numbers(std::span<const double> numbers);
template std::string npy_of_numbers(std::span<const float> numbers);
template std::string npy_of_numbers(std::span<const std::int32_t> numbers);
template std::string npy_of_numbers(std::span<const std::int64_t> numbers);

std::string npy_of_words(const std::vector<std::string>& words) {
  std::size_t longest = 1;
  for (const std::string& word : words) longest = std::max(longest, word.size());
  // Texts of bytes would lose what is not ASCII in Python: letters of 4 bytes each.
  std::string text = npy_header(fmt::format("{}U{}", kLittle ? '<' : '>', longest), false, {words.size()});
  for (const std::string& word : words) {
    std::size_t n_letters = 0;
    for (std::size_t k = 0; k < word.size(); ++n_letters) {
      const auto lead = static_cast<unsigned char>(word[k]);
      const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
      std::uint32_t letter = length == 1 ? lead : lead & (0xffU >> (length + 1));
      for (std::size_t t = 1; t < length && k + t < word.size(); ++t)
        letter = letter << 6U | (static_cast<unsigned char>(word[k + t]) & 0x3fU);
      text.append(reinterpret_cast<const char*>(&letter), sizeof(letter));
      k += length;
    }
    text.append(4 * (longest - n_letters), '\0');
  }
  return text;
}

void write_npy_matrix(const Design& design, const std::function<void(std::string_view)>& write) {
  visit_matrix(design, [&](const auto& x) {
    using T = typename std::decay_t<decltype(x)>::Scalar;
    write(npy_header(npy_type<T>(), true,
                     {static_cast<std::size_t>(x.rows()), static_cast<std::size_t>(x.cols())}));
    std::vector<T> whole(static_cast<std::size_t>(x.rows()));
    for (Index j = 0; j < x.cols(); ++j) {
      if constexpr (std::is_same_v<std::decay_t<decltype(x)>, DenseMatrix<T>>) {
        write(bytes_of(x.column(j)));
      } else {
        std::ranges::fill(whole, T{0});
        const auto column = x.column(j);
        for (std::size_t k = 0; k < column.rows.size(); ++k)
          whole[static_cast<std::size_t>(column.rows[k])] = column.values[k];
        write(bytes_of(std::span<const T>(whole)));
      }
    }
  });
}

}  // namespace hsvm
