#include "hsvm/io/formats/csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "hsvm/core/error.hpp"
#include "hsvm/core/parallel.hpp"
#include "hsvm/core/random.hpp"
#include "hsvm/io/formats/dataset_file.hpp"
#include "tests/io/io_support.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

class Csv : public testing::Test {
 protected:
  Dataset read(std::string_view text, const ReadOptions& options = {}, const std::string& name = "data.csv") {
    return read_dataset(folder_.write(name, text), options);
  }
  TemporaryFolder folder_;
};

ReadOptions label_option(const std::string& label) {
  ReadOptions options;
  options.label = label;
  return options;
}

TEST_F(Csv, FindsHeaderAndLabelByItself) {
  const Dataset data = read("a,Class,b\n1,yes,2\n3,no,4.5\n");
  EXPECT_THAT(data.feature_names, ElementsAre("a", "b"));
  EXPECT_THAT(entries(data), ElementsAre(1, 2, 3, 4.5));
  EXPECT_THAT(labels(data), ElementsAre("yes", "no"));
}

TEST_F(Csv, TakesTheFirstColumnForTheLabelOtherwise) {
  for (const char* text : {"yes,1,2\nno,3,4.5\n", "answer,a,b\nyes,1,2\nno,3,4.5\n"}) {
    const Dataset data = read(text);
    EXPECT_THAT(entries(data), ElementsAre(1, 2, 3, 4.5));
    EXPECT_THAT(labels(data), ElementsAre("yes", "no"));
  }
  EXPECT_THAT(read("yes,1,2\nno,3,4.5\n").feature_names, IsEmpty());
}

TEST_F(Csv, TakesTheLabelColumnGiven) {
  const std::string text = "a,b,c\n1,2,3\n4,5,6\n";
  EXPECT_THAT(labels(read(text, label_option("b"))), ElementsAre("2", "5"));
  EXPECT_THAT(labels(read(text, label_option("3"))), ElementsAre("3", "6"));
  EXPECT_THAT(labels(read(text, label_option("-1"))), ElementsAre("3", "6"));
  EXPECT_THAT(labels(read(text, label_option("-3"))), ElementsAre("1", "4"));
  EXPECT_THAT(labels(read("1,2,x\n4,5,y\n", label_option("-1"))), ElementsAre("x", "y"));
  // A name that is a number comes before the number.
  const Dataset data = read("a,1,c\n1,2,3\n4,5,6\n", label_option("1"));
  EXPECT_THAT(labels(data), ElementsAre("2", "5"));
  EXPECT_THAT(data.feature_names, ElementsAre("a", "c"));
}

TEST_F(Csv, AcceptsTheWartsOfRealFiles) {
  const struct {
    const char* name;
    const char* text;
  } files[] = {
      {"crlf.csv", "y,a,b\r\nu,1,2\r\nv,3,4\r\n"},
      {"blank.csv", "\n\ny,a,b\n\nu,1,2\n   \n\r\nv,3,4\n\n"},
      {"comments.csv", "# made by hand\n#,,,\ny,a,b\nu,1,2\nv,3,4\n"},
      {"mark.csv", "\xef\xbb\xbfy,a,b\nu,1,2\nv,3,4\n"},
      {"open_end.csv", "y,a,b\nu,1,2\nv,3,4"},
      {"quotes.csv", "\"y\",\"a\",\"b\"\n\"u\",\"1\",\"2\"\n\"v\",\"3\",\"4\"\n"},
      {"spaces.csv", " y , a , b \n u , 1 , 2 \n v ,\t3\t, 4\n"},
      {"quoted_spaces.csv", " \"y\" , \"a\" , \"b\" \n \"u\" , \"1\" , 2 \nv,3,4\n"},
      {"semicolons.csv", "y;a;b\nu;1;2\nv;3;4\n"},
      {"tabs.tsv", "y\ta\tb\nu\t1\t2\nv\t3 \t 4\n"},
      {"signs.csv", "y,a,b\nu,+1,2.\nv,3e0,.4E1\n"},
  };
  for (const auto& file : files) {
    for (const std::size_t block_bytes : {std::size_t{1}, kDefaultBlockBytes}) {
      ReadOptions options;
      options.block_bytes = block_bytes;
      const Dataset data = read(file.text, options, file.name);
      EXPECT_THAT(entries(data), ElementsAre(1, 2, 3, 4)) << file.name;
      EXPECT_THAT(labels(data), ElementsAre("u", "v")) << file.name;
      EXPECT_THAT(data.feature_names, ElementsAre("a", "b")) << file.name;
    }
  }
}

TEST_F(Csv, ReadsQuotedFields) {
  const Dataset data =
      read("label,\"a,b\",\"say \"\"x\"\"\"\n\"New York, NY\",1,2\n\"\"\"q\"\"\",3,4\n\" s \",5,6\n");
  EXPECT_THAT(data.feature_names, ElementsAre("a,b", "say \"x\""));
  EXPECT_THAT(labels(data), ElementsAre("New York, NY", "\"q\"", " s "));
}

TEST_F(Csv, TakesFeaturesByName) {
  ReadOptions options;
  options.model = ModelColumns{.n_features = 2, .feature_names = {"c", "a"}};
  const Dataset data = read("a,id,c,label,d\n1,x,3,u,0\n4,y,6,v,0\n", options);
  EXPECT_THAT(entries(data), ElementsAre(3, 1, 6, 4));
  EXPECT_THAT(labels(data), ElementsAre("u", "v"));
  EXPECT_THAT(data.feature_names, ElementsAre("c", "a"));
  // Names that are numbers make a header, once they are known.
  options.model->feature_names = {"2016", "2015"};
  EXPECT_THAT(entries(read("label,2015,2016\nu,1,2\n", options)), ElementsAre(2, 1));
  // Without a header the columns are taken as they come.
  EXPECT_THAT(entries(read("u,1,2\nv,3,4\n", options)), ElementsAre(1, 2, 3, 4));
}

TEST_F(Csv, ReadsUnlabelledDataWhereAllowed) {
  ReadOptions options;
  options.labels_required = false;
  options.model = ModelColumns{.n_features = 2, .feature_names = {"a", "b"}};
  EXPECT_FALSE(read("a,b\n1,2\n", options).labels.has_value());
  EXPECT_FALSE(read("a,b,other\n1,2,x\n", options).labels.has_value());
  EXPECT_THAT(labels(read("b,class,a\n1,u,2\n", options)), ElementsAre("u"));
  EXPECT_THAT(labels(read("answer,b,a\nu,1,2\n", options)), ElementsAre("u"));
  EXPECT_FALSE(read("1,2\n3,4\n", options).labels.has_value());
  EXPECT_THAT(labels(read("u,1,2\n?,3,4\n", options)), ElementsAre("u", "?"));
  options.model->feature_names.clear();
  EXPECT_FALSE(read("1,2\n3,4\n", options).labels.has_value());
  EXPECT_FALSE(read("p,q\n3,4\n", options).labels.has_value());
  EXPECT_THAT(labels(read("0,1,2\n1,3,4\n", options)), ElementsAre("0", "1"));
  options.model->n_features = 1;
  EXPECT_THAT(entries(read("1\n2\n", options)), ElementsAre(1, 2));
}

TEST_F(Csv, StoresWhatTakesFewerBytes) {
  std::string sparse = "label";
  for (int j = 0; j < 30; ++j) sparse.append(",x").append(std::to_string(j));
  sparse += "\n";
  for (int i = 0; i < 40; ++i) {
    sparse += "u";
    for (int j = 0; j < 30; ++j) sparse += j == i % 30 ? ",1.5" : ",0";
    sparse += "\n";
  }
  EXPECT_FALSE(is_dense(read(sparse)));
  EXPECT_TRUE(is_dense(read("u,1,2\nv,3,4\n")));
  for (const Storage storage : {Storage::dense, Storage::sparse}) {
    for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
      ReadOptions options;
      options.storage = storage;
      options.precision = precision;
      options.block_bytes = 200;
      const Dataset data = read(sparse, options);
      EXPECT_EQ(is_dense(data), storage == Storage::dense);
      EXPECT_EQ(is_single(data), precision == Precision::single_precision);
      EXPECT_EQ(entries(data), entries(read(sparse)));
    }
  }
}

TEST_F(Csv, HasNoNegativeZeros) {
  for (const Storage storage : {Storage::dense, Storage::sparse}) {
    ReadOptions options;
    options.storage = storage;
    for (const double value : entries(read("u,-0,1\nv,2,-0.0\n", options))) EXPECT_FALSE(std::signbit(value));
  }
}

TEST_F(Csv, IsTheSameForAnyNumberOfThreads) {
  Random random(4);
  std::string text = "# numbers\nlabel,a,b,c\n";
  for (int i = 0; i < 4000; ++i) {
    text.append("class").append(std::to_string(random.below(5)));
    for (int j = 0; j < 3; ++j)
      text.append(",").append(random.below(3) == 0 ? "0" : std::to_string(random.normal()));
    text += "\n";
  }
  const std::vector<std::uint64_t> expected = fingerprint(read(text));
  const std::string broken = text + "class1,1,oops,2\n" + text.substr(text.find("class")) + "class1,1\n";
  for (const int threads : {1, 2, 4}) {
    for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{1000}, kDefaultBlockBytes}) {
      with_threads(threads, [&] {
        ReadOptions options;
        options.block_bytes = block_bytes;
        EXPECT_EQ(fingerprint(read(text, options)), expected);
        EXPECT_EQ(fingerprint(read(compress(text, Compression::xz), options, "data.csv.xz")), expected);
        EXPECT_THAT([&] { (void)read(broken, options); },
                    ThrowsMessage<InputError>(folder_.path("data.csv") +
                                              ":4003:3: 'oops' in column 'b'; expected a number (the option na "
                                              "takes a text for a missing value, words a column as words)"));
      });
    }
  }
}

TEST(WriteCsv, QuotesWhereNeeded) {
  const TemporaryFolder folder;
  Dataset data = tiny_dataset({"New York, NY", "say \"x\""});
  data.feature_names = {"a,b", "c d", " e"};
  write_dataset(data, folder.path("a.csv"));
  EXPECT_EQ(read_text(folder.path("a.csv")),
            "label,\"a,b\",c d,\" e\"\n\"New York, NY\",0.1,0,0\n\"say \"\"x\"\"\",0,-1e-07,0\n");
  ReadOptions options;
  options.storage = Storage::dense;
  EXPECT_EQ(fingerprint(read_dataset(folder.path("a.csv"), options)), fingerprint(data));
  data.feature_names[1] = "two\nlines";
  write_dataset(data, folder.path("a.csv"));
  EXPECT_EQ(fingerprint(read_dataset(folder.path("a.csv"), options)), fingerprint(data));
  data.feature_names[1] = std::string("a\0b", 3);
  EXPECT_THAT([&] { write_dataset(data, folder.path("a.csv")); },
              ThrowsMessage<InputError>(HasSubstr("without NUL bytes")));
}

}  // namespace
}  // namespace hsvm::test
