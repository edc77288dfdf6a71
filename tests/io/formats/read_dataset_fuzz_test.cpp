// Damaged files are read or refused, nothing else: no crash, no other exception. Most telling under sanitizers.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "hsvm/core/error.hpp"
#include "hsvm/core/random.hpp"
#include "hsvm/io/formats/lists.hpp"
#include "tests/io/io_support.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text.hpp"

namespace hsvm::test {
namespace {

constexpr std::string_view kPieces[] = {
    " ",     "\n", "\r\n", ":", ",",   "\"",   "#",     "-",   "+",        ".",
    "e",     "1",  "0",    "9", "1:1", "1e99", "NA",    "nan", "1e-9",     "\t",
    "label", "y",  "\r",   ";", "?",   "\"\"", "qid:1", "x",   "12345678", "0.123456789012345678"};

std::string mutated(std::string text, Random& random) {
  for (std::uint64_t n = 1 + random.below(6); n > 0; --n) {
    const auto at = static_cast<std::size_t>(random.below(text.size() + 1));
    const auto size = static_cast<std::size_t>(random.below(8));
    switch (random.below(5)) {
      case 0:
        text.insert(at, kPieces[random.below(std::size(kPieces))]);
        break;
      case 1:
        text.erase(at, size);
        break;
      case 2:
        if (at < text.size()) text[at] = static_cast<char>(random.bits());
        break;
      case 3:
        text.insert(at, text.substr(static_cast<std::size_t>(random.below(text.size() + 1)), size));
        break;
      default:
        if (random.below(8) == 0) text.resize(at);
        break;
    }
  }
  return text;
}

constexpr std::string_view kLibsvm =
    "+1 1:0.5 3:-2.25 12:1e-3\n-1 2:7 # note\n\n+1 4:0.04381 999:3\n-1\n1.0 1:1 2:2 3:3\n";
constexpr std::string_view kCsv =
    "# note\nlabel,a,\"b,c\",d\nyes,1,2.5,-3\n\"no\",0.04381,1e-3,4\nyes,\"5\",6,7\n\nno,0,0,0\n";
constexpr std::string_view kWords =
    "sep=;\n\"\";label;a;c;\"d\ne\";t\ns1;yes;1,5;red;-3;TRUE\ns2;no;1.000,5;\"blue\ngreen\";NA;FALSE\n"
    "s3;yes;7;red;1'000,25;TRUE\ns4;no;;blue;4;.\n";
constexpr std::string_view kSpaces =
    "\"label\" \"a\" \"d\"\n\"r1\" \"u\" 1.5  2\n\"r2\" \"v\" NA\t3\n\"r3\" \"u\" 1e3 4 \n";
constexpr std::string_view kList = "# note\n1\n2.5\n\n-3e-2\n4 # last\n";

// A new file each time: some file systems wait for the disk where an old one is overwritten.
struct RemovedAtEnd {
  std::string path;
  ~RemovedAtEnd() { std::filesystem::remove(path); }
};

// The options of tables, many at a time.
void change_table_options(int trial, Random& random, ReadOptions& options) {
  const auto sometimes = [&](std::uint64_t one_in) { return random.below(one_in) == 0; };
  constexpr Missing kRules[] = {Missing::refuse,       Missing::mean,          Missing::median,
                                Missing::drop_samples, Missing::drop_features, Missing::keep};
  options.missing = kRules[random.below(std::size(kRules))];
  if (sometimes(4)) options.n_features.reset();
  if (sometimes(8)) options.transpose = true;
  if (sometimes(8)) options.drop = trial % 2 == 0 ? "2" : "b*";
  if (sometimes(8)) options.only = trial % 2 == 0 ? "a,3-4" : "-1";
  if (sometimes(8)) options.words = "a";
  if (sometimes(8)) options.id = trial % 2 == 0 ? "1" : "d";
  if (sometimes(8)) options.no_id = true;
  if (sometimes(8)) options.decimal = trial % 2 == 0 ? ',' : '.';
  if (sometimes(8)) options.na = {"1", "x"};
  if (sometimes(8)) options.max_words = 2;
  if (sometimes(16)) {
    options.model = ModelColumns{.n_features = 4,
                                 .feature_names = {"a", "c=u", "c=v", "d"},
                                 .words = {{.name = "c", .first_feature = 1, .words = {"u", "v"}}},
                                 .used = {1, 0, 1, 0},
                                 .label = "label"};
  }
}

template <class Read>
void read_mutations(std::string_view text, int n_trials, const Read& read) {
  const TemporaryFolder folder;
  Random random(99);
  int accepted = 0;
  for (int trial = 0; trial < n_trials; ++trial) {
    const std::string path = folder.write("data", mutated(std::string(text), random));
    const RemovedAtEnd removed{path};
    ReadOptions options;
    options.n_features = trial % 3 == 0 ? std::nullopt : std::optional<Index>(3);
    if (text == kLibsvm) options.n_features = 1000;  // a long index must not ask for gigabytes
    options.labels_required = trial % 2 == 0;
    options.precision = trial % 5 == 0 ? Precision::single_precision : Precision::double_precision;
    options.storage = trial % 7 == 0 ? Storage::dense : trial % 7 == 1 ? Storage::sparse : Storage::automatic;
    options.block_bytes = trial % 4 == 0 ? kDefaultBlockBytes : 16;
    if (trial % 11 == 0) options.label = trial % 2 == 0 ? "label" : "-1";
    if (trial % 13 == 0) options.model = ModelColumns{.n_features = 2, .feature_names = {"a", "d"}};
    change_table_options(trial, random, options);
    try {
      read(path, options);
      ++accepted;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos);
    }
  }
  EXPECT_GT(accepted, n_trials / 50);
  EXPECT_LT(accepted, n_trials);
}

TEST(Fuzz, Libsvm) {
  read_mutations(kLibsvm, 6000, [](const std::string& path, const ReadOptions& options) {
    (void)read_as("libsvm", path, options);
  });
}

TEST(Fuzz, Csv) {
  read_mutations(kCsv, 6000, [](const std::string& path, const ReadOptions& options) {
    (void)read_as("csv", path, options);
  });
}

TEST(Fuzz, Tsv) {
  std::string text(kCsv);
  for (char& c : text) c = c == ',' ? '\t' : c;
  read_mutations(text, 3000, [](const std::string& path, const ReadOptions& options) {
    (void)read_as("tsv", path, options);
  });
}

TEST(Fuzz, TablesWithWords) {
  for (const std::string_view text : {kWords, kSpaces}) {
    read_mutations(text, 4000, [](const std::string& path, const ReadOptions& options) {
      const Dataset data = read_as("csv", path, options);
      if (data.n_features() < 1) ADD_FAILURE() << "no features";
    });
  }
}

TEST(Fuzz, AnyText) {
  for (const std::string_view text : {kLibsvm, kCsv, kWords, kSpaces}) {
    read_mutations(text, 2000, [](const std::string& path, ReadOptions options) {
      options.n_features.reset();
      (void)read_dataset(path, options);
    });
  }
}

// Bytes for which sizes and offsets matter: all lengths and places are tried, too.
template <class Read>
void read_damaged(const std::string& bytes, int n_trials, const Read& read) {
  const TemporaryFolder folder;
  Random random(77);
  int accepted = 0;
  int refused = 0;
  for (int trial = 0; trial < n_trials; ++trial) {
    std::string damaged = bytes;
    for (std::uint64_t n = random.below(4); n > 0 && !damaged.empty(); --n) {
      const auto at = static_cast<std::size_t>(random.below(damaged.size()));
      constexpr char kTelling[] = {'\0', '\1', '\x7f', '\x80', '\xff', '9'};
      damaged[at] =
          random.below(2) == 0 ? kTelling[random.below(sizeof(kTelling))] : static_cast<char>(random.bits());
    }
    if (trial % 5 == 0) damaged.resize(static_cast<std::size_t>(random.below(damaged.size() + 1)));
    if (trial % 17 == 0) damaged = mutated(damaged, random);
    const std::string path = folder.write("data", damaged);
    const RemovedAtEnd removed{path};
    ReadOptions options;
    options.labels_required = false;
    options.precision = trial % 3 == 0 ? Precision::single_precision : Precision::double_precision;
    options.storage = trial % 7 == 0 ? Storage::dense : trial % 7 == 1 ? Storage::sparse : Storage::automatic;
    try {
      read(path, options);
      ++accepted;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos);
      ++refused;
    }
  }
  EXPECT_GT(accepted, 0);
  EXPECT_GT(refused, 0);
}

std::string bytes_written(const char* format, const Dataset& data) {
  const TemporaryFolder folder;
  write_dataset(data, folder.path("a"), &format_named(format));
  return read_text(folder.path("a"));
}

TEST(Fuzz, Npy) {
  read_damaged(
      bytes_written("npy", tiny_dataset({})), 4000,
      [](const std::string& path, const ReadOptions& options) { (void)read_as("npy", path, options); });
}

TEST(Fuzz, Npz) {
  Random random(4);
  Dataset sparse = tiny_dataset({"yes", "no"});
  sparse.feature_names = {"a", "b", "\xCE\xBB"};
  const Dataset dense = sparse;
  sparse.design = as_sparse(*sparse.design.get_if<DenseMatrix<double>>());
  for (const Dataset* const data : {&dense, static_cast<const Dataset*>(&sparse)}) {
    read_damaged(bytes_written("npz", *data), 3000, [](const std::string& path, const ReadOptions& options) {
      (void)read_as("npz", path, options);
    });
  }
}

TEST(Fuzz, MatrixMarket) {
  const std::string coordinate =
      "%%MatrixMarket matrix coordinate real general\n% note\n3 4 5\n1 1 1\n2 3 -2.5\n3 4 1e-3\n1 2 7\n2 3 1\n";
  const std::string symmetric = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n1 1\n3 2\n";
  const std::string array = "%%MatrixMarket matrix array integer general\n2 2\n1\n2\n3\n4\n";
  for (const std::string& text : {coordinate, symmetric, array}) {
    read_damaged(text, 2000, [](const std::string& path, const ReadOptions& options) {
      (void)read_as("mtx", path, options);
    });
  }
}

TEST(Fuzz, ZeroBasedLibsvm) {
  read_mutations(kLibsvm, 2000, [](const std::string& path, ReadOptions options) {
    options.zero_based = true;
    (void)read_as("libsvm", path, options);
  });
}

TEST(Fuzz, Lists) {
  read_mutations(kList, 3000, [](const std::string& path, const ReadOptions& options) {
    if (options.labels_required) {
      (void)read_numbers(path);
    } else {
      (void)read_names(path);
    }
  });
}

TEST(Fuzz, CompressedStreams) {
  for (const Compression codec : kCodecs) {
    read_mutations(compress(kLibsvm, codec), 400, [](const std::string& path, ReadOptions options) {
      options.n_features = 1000;
      (void)read_as("libsvm", path, options);
    });
  }
}

}  // namespace
}  // namespace hsvm::test
