#include "hsvm/data/mapped_design.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <iterator>
#include <mutex>
#include <thread>
#include <utility>

#include "hsvm/core/aligned_buffer.hpp"
#include "hsvm/core/vector_sums.hpp"

namespace hsvm {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{32} << 20;
// Of files that the cache holds as a whole: every piece goes once over a vector of all samples.
constexpr std::size_t kLargePieceBytes = std::size_t{256} << 20;
constexpr std::size_t kSumBytes = std::size_t{1} << 30;
constexpr std::size_t kPiecesAhead = 4;                  // are being read, or have been and wait
constexpr std::size_t kFarBytes = std::size_t{4} << 20;  // of a vector: more than the nearest caches hold
constexpr std::size_t kManyColumns = 4096;
constexpr std::size_t kReaders = 2;       // threads: one waits for the disk, the other asks it for more
constexpr std::size_t kShortGap = 16384;  // bytes: read sooner than the disk is asked once more

template <class T>
std::string_view as_bytes(std::span<const T> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

}  // namespace

class MappedDesign::Keepers {
 public:
  explicit Keepers(Index n_columns) : counts_(static_cast<std::size_t>(n_columns)) {}

  [[nodiscard]] bool keep(Index j) const { return counts_[static_cast<std::size_t>(j)] != 0; }
  void add(Columns columns, int change) {
    for (const Index j : columns) counts_[static_cast<std::size_t>(j)] += change;
  }

 private:
  std::vector<std::atomic<int>> counts_;
};

// Reads pieces of columns in their order, never more than kPiecesAhead beyond the one in use.
class MappedDesign::ReadAhead {
 public:
  ReadAhead(const MappedDesign& design, Columns columns, std::span<const std::size_t> begins)
      : design_(design), columns_(columns), begins_(begins), is_there_(begins.size() - 1, 0) {
    for (std::size_t k = 0; k < kReaders; ++k) readers_.emplace_back([this] { read(); });
  }
  ~ReadAhead() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
    for (std::thread& reader : readers_) reader.join();
  }
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // Waits until the piece is there; those before it are done with.
  void wait_for(std::size_t piece) {
    std::unique_lock lock(mutex_);
    in_use_ = piece;
    changed_.notify_all();
    changed_.wait(lock, [&] { return is_there_[piece] != 0; });
  }

 private:
  void read() {
    for (;;) {
      std::size_t piece = 0;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return stopped_ || next_ < in_use_ + kPiecesAhead; });
        if (stopped_ || next_ == is_there_.size()) return;
        piece = next_++;
      }
      read_piece(columns_.subspan(begins_[piece], begins_[piece + 1] - begins_[piece]));
      {
        const std::lock_guard lock(mutex_);
        is_there_[piece] = 1;
      }
      changed_.notify_all();
    }
  }

  void read_piece(Columns piece) const {
    const std::vector<Index> columns = design_.not_kept(piece);
    for (std::size_t f = 0; f < design_.files_.size(); ++f) {
      const std::vector<std::string_view> parts = design_.parts_of(columns, f, kShortGap);
      for (const std::string_view part : parts) {
        if (part.size() < MappedFile::kLongPart) design_.files_[f]->read_soon(part);
      }
      for (const std::string_view part : parts) design_.files_[f]->read_now(part);
    }
  }

  const MappedDesign& design_;
  Columns columns_;
  std::span<const std::size_t> begins_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<char> is_there_;
  std::size_t next_ = 0;  // to be read
  std::size_t in_use_ = 0;
  bool stopped_ = false;
  std::vector<std::thread> readers_;
};

template <class T>
MappedDesign::MappedDesign(DenseMatrix<T> matrix, File values) : files_{std::move(values)} {
  auto shared = std::make_shared<const DenseMatrix<T>>(std::move(matrix));
  matrix_ = shared;
  set_up();
  parts_ = [shared](Index j) { return Parts{as_bytes(shared->column(j)), {}}; };
}

template <class T>
MappedDesign::MappedDesign(CscMatrix<T> matrix, File values, File rows)
    : files_{std::move(values), std::move(rows)} {
  auto shared = std::make_shared<const CscMatrix<T>>(std::move(matrix));
  matrix_ = shared;
  set_up();
  parts_ = [shared](Index j) {
    const auto column = shared->column(j);
    return Parts{as_bytes(column.values), as_bytes(column.rows)};
  };
}

template MappedDesign::MappedDesign(DenseMatrix<double> matrix, File values);
template MappedDesign::MappedDesign(DenseMatrix<float> matrix, File values);
template MappedDesign::MappedDesign(CscMatrix<double> matrix, File values, File rows);
template MappedDesign::MappedDesign(CscMatrix<float> matrix, File values, File rows);

void MappedDesign::set_up() {
  keepers_ = std::make_shared<Keepers>(cols());
  for (const File& file : files_) {
    if (file->is_large()) file->read_in_order();  // what was read is not read again soon
  }
}

std::vector<Index> MappedDesign::not_kept(Columns columns) const {
  std::vector<Index> others;
  std::ranges::copy_if(columns, std::back_inserter(others), [&](Index j) { return !keepers_->keep(j); });
  return others;
}

std::vector<std::string_view> MappedDesign::parts_of(Columns columns, std::size_t file, std::size_t gap) const {
  std::vector<std::string_view> parts;
  for (const Index j : columns) {
    const std::string_view part = parts_(j)[file];
    if (part.empty()) continue;
    const char* const end = parts.empty() ? nullptr : parts.back().data() + parts.back().size();
    if (end != nullptr && part.data() >= end && static_cast<std::size_t>(part.data() - end) <= gap) {
      parts.back() = {parts.back().data(),
                      static_cast<std::size_t>(part.data() + part.size() - parts.back().data())};
    } else {
      parts.push_back(part);
    }
  }
  return parts;
}

// Piece k is from the k-th number to the next. Depends on the shapes alone.
std::vector<std::size_t> MappedDesign::cut(Columns columns, std::size_t piece_bytes) const {
  const bool is_large = std::ranges::any_of(files_, [](const File& file) { return file->is_large(); });
  const std::size_t most = is_large ? piece_bytes : std::max(piece_bytes, kLargePieceBytes);
  std::vector<std::size_t> begins(1, 0);
  std::size_t bytes = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (bytes >= most) {
      begins.push_back(c);
      bytes = 0;
    }
    for (const std::string_view part : parts_(columns[c])) bytes += part.size();
  }
  begins.push_back(columns.size());
  return begins;
}

void MappedDesign::for_each_piece(Columns columns,
                                  const std::function<void(std::size_t begin, std::size_t end)>& body) const {
  const std::vector<Index> on_disk = not_kept(columns);
  if (on_disk.empty()) return body(0, columns.size());
  const std::vector<std::size_t> begins = cut(columns, kPieceBytes);
  if (begins.size() == 2) {
    for (std::size_t f = 0; f < files_.size(); ++f) {
      for (const std::string_view part : parts_of(on_disk, f, kShortGap)) files_[f]->read_soon(part);
    }
    return body(0, columns.size());
  }
  ReadAhead ahead(*this, columns, begins);
  for (std::size_t k = 0; k + 1 < begins.size(); ++k) {
    ahead.wait_for(k);
    body(begins[k], begins[k + 1]);
    done_with(columns.subspan(begins[k], begins[k + 1] - begins[k]));
  }
}

// A page that is mapped looks as if it were in use: of a large file the kernel would look for others to give up, and find none.
void MappedDesign::done_with(Columns columns) const {
  for (std::size_t f = 0; f < files_.size(); ++f) {
    if (!files_[f]->is_large()) continue;
    for (const std::string_view part : parts_of(columns, f, kShortGap)) files_[f]->done_with(part);
  }
}

// A sum over columns: pieces would give other bits, so that they are as large as memory will bear.
void MappedDesign::for_each_sum(Columns columns,
                                const std::function<void(std::size_t begin, std::size_t end)>& body) const {
  const std::vector<std::size_t> begins = cut(columns, kSumBytes);
  for (std::size_t k = 0; k + 1 < begins.size(); ++k) {
    const std::vector<Index> on_disk = not_kept(columns.subspan(begins[k], begins[k + 1] - begins[k]));
    for_each_piece(on_disk, [](std::size_t, std::size_t) {});  // into the kernel's cache
    body(begins[k], begins[k + 1]);
  }
}

std::shared_ptr<const void> MappedDesign::keep_in_memory(Columns columns) const {
  struct Kept {
    std::shared_ptr<Keepers> keepers;
    std::vector<Index> columns;
    std::vector<std::shared_ptr<const void>> parts;

    Kept(std::shared_ptr<Keepers> of_columns, std::vector<Index> which)
        : keepers(std::move(of_columns)), columns(std::move(which)) {
      keepers->add(columns, 1);
    }
    ~Kept() { keepers->add(columns, -1); }
  };
  auto kept = std::make_shared<Kept>(keepers_, std::vector<Index>(columns.begin(), columns.end()));
  for (std::size_t f = 0; f < files_.size(); ++f) {
    if (files_[f]->is_large()) kept->parts.push_back(files_[f]->keep(parts_of(columns, f, 0)));
  }
  return kept;
}

// Short sparse columns look numbers of r up here and there: these are found sooner on large pages, which a copy has.
void MappedDesign::multiply_transposed(Columns columns, std::span<const double> r,
                                       std::span<double> out) const {
  AlignedBuffer<double> copy;
  if (is_sparse() && r.size_bytes() >= kFarBytes && columns.size() >= kManyColumns) {
    copy.assign(r.begin(), r.end());
    r = copy;
  }
  for_each_piece(columns, [&](std::size_t begin, std::size_t end) {
    matrix_->multiply_transposed(columns.subspan(begin, end - begin), r, out.subspan(begin, end - begin));
  });
}

void MappedDesign::multiply(Columns columns, std::span<const double> w, std::span<double> out) const {
  std::vector<double> partial;
  for_each_sum(columns, [&](std::size_t begin, std::size_t end) {
    const auto size = end - begin;
    if (begin == 0) return matrix_->multiply(columns.first(size), w.first(size), out);
    partial.resize(out.size());
    matrix_->multiply(columns.subspan(begin, size), w.subspan(begin, size), partial);
    add_scaled(1.0, partial, out);
  });
}

void MappedDesign::multiply(Columns columns, const ClassMatrix& w, ClassMatrix& out) const {
  ClassMatrix partial;
  ClassMatrix part_of_w;
  for_each_sum(columns, [&](std::size_t begin, std::size_t end) {
    const auto size = end - begin;
    if (size == columns.size()) return matrix_->multiply(columns, w, out);
    part_of_w.reset(static_cast<Index>(size), w.n_classes());
    std::copy_n(w.data(static_cast<Index>(begin)), part_of_w.values().size(), part_of_w.values().begin());
    if (begin == 0) return matrix_->multiply(columns.first(size), part_of_w, out);
    matrix_->multiply(columns.subspan(begin, size), part_of_w, partial);
    add_scaled(1.0, partial.values(), out.values());
  });
}

void MappedDesign::multiply_transposed(Columns columns, const ClassMatrix& r, ClassMatrix& out) const {
  ClassMatrix products;
  for_each_piece(columns, [&](std::size_t begin, std::size_t end) {
    if (end - begin == columns.size()) return matrix_->multiply_transposed(columns, r, out);
    if (begin == 0) out.reset(static_cast<Index>(columns.size()), r.n_classes());
    matrix_->multiply_transposed(columns.subspan(begin, end - begin), r, products);
    std::ranges::copy(products.values(), out.data(static_cast<Index>(begin)));
  });
}

}  // namespace hsvm
