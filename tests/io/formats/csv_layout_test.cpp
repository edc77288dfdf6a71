#include "hsvm/io/formats/csv_layout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

// More rules, and what is refused, are tested on whole files: tables_test.cpp, csv_test.cpp, read_dataset_test.cpp.

namespace hsvm {
namespace {

using testing::ElementsAre;

CsvLayout layout_of(const std::string& text, const ReadOptions& options) {
  TextInput input("FILE", text, 1000, LineBreaks::may_be_quoted);
  const CsvHead head = read_head(input, options, std::nullopt);
  return find_layout(head, ColumnNames("FILE", head.names), "FILE", options, {});
}

TEST(CsvLayout, SaysWhatEachColumnIs) {
  const CsvLayout layout = layout_of("a,Class,b,id,sex\n1,u,2,p1,f\n2,v,2,p2,m\n2,v,2,p3,m\n", {});
  EXPECT_EQ(layout.label, 1);
  EXPECT_EQ(layout.id, 3);
  EXPECT_THAT(layout.role, ElementsAre(0, kLabelColumn, 1, kIdColumn, word_role(2)));
  EXPECT_EQ(slot_of_role(layout.role[4]), 2);
  EXPECT_EQ(layout.slots[2].name, "sex");
  EXPECT_THAT(layout.notes, ElementsAre("label: column 'Class'", "samples named by column 'id'"));
}

TEST(CsvLayout, TakesTheModelsColumns) {
  ReadOptions options;
  options.labels_required = false;
  options.model =
      ModelColumns{.n_features = 3, .feature_names = {"c", "b", "a"}, .used = {0, 1, 1}, .label = "kind"};
  const CsvLayout layout = layout_of("a,kind,b,d\n1,u,2,3\n2,v,2,4\n", options);
  EXPECT_EQ(layout.label, 1);
  EXPECT_THAT(layout.role, ElementsAre(1, kLabelColumn, 0, kIgnoredColumn));
  EXPECT_EQ(layout.slots[0].feature, 1);
  EXPECT_EQ(layout.slots[1].feature, 2);
}

TEST(CsvLayout, MatchesByPlaceWhereThereAreNoNames) {
  ReadOptions options;
  options.labels_required = false;
  options.model = ModelColumns{.n_features = 3};
  EXPECT_THAT(layout_of("1,2,3\n", options).role, ElementsAre(0, 1, 2));
  EXPECT_THAT(layout_of("1,2,3,u\n1,2,3,v\n", options).role, ElementsAre(0, 1, 2, kLabelColumn));
  EXPECT_THAT(layout_of("0,1,2,3\n1,2,3,5\n", options).role, ElementsAre(kLabelColumn, 0, 1, 2));
  options.model->label_place = 2;
  EXPECT_THAT(layout_of("0,1,2,3\n1,2,3,5\n", options).role, ElementsAre(0, 1, kLabelColumn, 2));
  const CsvLayout named = layout_of("a,b,c\n1,2,3\n", options);
  EXPECT_THAT(named.role, ElementsAre(0, 1, 2));
  EXPECT_THAT(named.notes, ElementsAre("columns matched by place: the model has no names"));
}

TEST(CsvLayout, CutsNamesIntoParts) {
  EXPECT_THAT(detail::name_parts("Patient_ID"), ElementsAre("patient", "id"));
  EXPECT_THAT(detail::name_parts("patientId2 no."), ElementsAre("patient", "id", "no"));
}

}  // namespace
}  // namespace hsvm
