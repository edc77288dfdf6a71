// What a model remembers of its table, in its file and for the next table.

#include "hsvm/model/model_columns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hsvm/core/error.hpp"
#include "hsvm/model/model_file.hpp"
#include "hsvm/model/predict.hpp"
#include "tests/support/problems.hpp"

namespace hsvm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// Features age, sex=f, sex=m, smoker; the first and the third have a coefficient.
LinearModel of_patients() {
  LinearModel model;
  model.classes = {false, {"sick", "well"}};
  model.n_features = 4;
  model.feature_names = {"age", "sex=f", "sex=m", "smoker"};
  model.intercept = {0.5};
  model.features = {0, 2};
  model.coefficients = {2.0, -1.0};
  model.preparation = {.label = TableColumn{"outcome", 4},
                       .words = {{.name = "sex", .first_feature = 1, .words = {"f", "m"}},
                                 {.name = "smoker", .first_feature = 3, .truth = true, .words = {"no", "yes"}}},
                       .fill = Fill::median,
                       .values = {1.0 / 3.0, 0.0, 1.0, 0.0}};
  return model;
}

TEST(ModelColumns, AreThoseOfTheModel) {
  const ModelColumns columns = model_columns(of_patients());
  EXPECT_EQ(columns.n_features, 4);
  EXPECT_THAT(columns.used, ElementsAre(1, 0, 1, 0));
  EXPECT_EQ(columns.words, of_patients().preparation.words);
  EXPECT_EQ(columns.label, "outcome");
  LinearModel unnamed = of_patients();
  unnamed.preparation.label = TableColumn{"", 4};
  EXPECT_EQ(model_columns(unnamed).label, std::nullopt);
  EXPECT_EQ(model_columns(unnamed).label_place, 4);
}

TEST(ModelFile, KeepsWhatATableNeeds) {
  for (const char* label : {"outcome", ""}) {
    LinearModel model = of_patients();
    model.preparation.label->name = label;
    if (*label != '\0') model.preparation.label->place = 0;  // a name is enough
    const LinearModel again = model_from_json(model_to_json(model), "model.json");
    EXPECT_EQ(again.preparation.label, model.preparation.label);
    EXPECT_EQ(again.preparation.words, model.preparation.words);
    EXPECT_EQ(again.preparation.fill, Fill::median);
    EXPECT_EQ(again.preparation.values, model.preparation.values);
  }
  LinearModel plain = of_patients();
  plain.preparation = {};
  const auto json = nlohmann::json::parse(model_to_json(plain));
  EXPECT_FALSE(json.contains("label"));
  EXPECT_FALSE(json.contains("preparation"));
}

TEST(ModelFile, RefusesAPreparationThatDoesNotFit) {
  const struct {
    const char* place;
    const char* value;
    const char* message;
  } cases[] = {
      {"/label", "0", "\"label\" must be a whole number between 1"},
      {"/label", "[]", "\"label\" must be a whole number"},
      {"/preparation", "[]", "\"preparation\" must be an object"},
      {"/preparation/words", "{}", "preparation: \"words\" must be a list"},
      {"/preparation/words/0", "1", "words: must be an object"},
      {"/preparation/words/0/feature", "4", "\"feature\" must be a whole number between 0 and 3"},
      {"/preparation/words/1/feature", "1", "\"feature\" must be a whole number between 3 and 3"},
      {"/preparation/words/0/words", "[\"f\", 1]", "\"words\" must hold texts"},
      {"/preparation/words/0/words", "[]", "\"words\" must have a word for each"},
      {"/preparation/words/0/words", "[\"a\", \"b\", \"c\", \"d\"]", "\"words\" must have a word for each"},
      {"/preparation/words/1/words", "[\"yes\"]", "\"words\" must have a word for each"},
      {"/preparation/missing", "\"guess\"", "\"missing\" must be one of none, mean, median"},
      {"/preparation/values", "[1]", "\"values\" must be a list of 4 numbers"},
      {"/preparation/values/0", "null", "\"values\" must hold numbers"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.message);
    auto json = nlohmann::ordered_json::parse(model_to_json(of_patients()));
    json[nlohmann::ordered_json::json_pointer(c.place)] = nlohmann::ordered_json::parse(c.value);
    EXPECT_THAT([&] { (void)model_from_json(json.dump(), "model.json"); },
                ThrowsMessage<InputError>(HasSubstr(c.message)));
  }
}

TEST(Predict, PutsTheModelsValuesInPlaceOfMissingOnes) {
  Dataset data;
  data.source = "FILE";
  data.design = test::matrix({{0, 1, 0, 0}, {2, 0, 0, 1}});
  data.missing = {.columns = {{0, {0}}, {1, {1}}, {2, {1}}}};
  EXPECT_THAT(predict(of_patients(), data).scores,
              ElementsAre(testing::DoubleEq(0.5 + 2.0 / 3.0), testing::DoubleEq(0.5 + 4.0 - 1.0)));
  LinearModel without = of_patients();
  without.preparation.fill = Fill::none;
  without.preparation.values.clear();
  EXPECT_THAT([&] { (void)predict(without, data); },
              ThrowsMessage<InputError>(HasSubstr("FILE: sample 1 has no value of age; expected one")));
  data.missing = {.columns = {{1, {1}}}};  // of no use to the model
  EXPECT_THAT(predict(without, data).scores, ElementsAre(0.5, 4.5));
}

}  // namespace
}  // namespace hsvm
