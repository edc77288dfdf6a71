#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hsvm/core/error.hpp"
#include "hsvm/report/assets.hpp"
#include "hsvm/report/report.hpp"
#include "hsvm/report/table.hpp"
#include "tests/model/evidence_example.hpp"
#include "tests/model/path_example.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hsvm::report {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kHostile = "</script><script>alert(1)</script>\"'&";

std::string page_of(AnyModel model, const std::string& name = "model.json") {
  return report_page({{.name = name, .model = std::move(model)}}, {.date = "2026-01-02"});
}

Json data_of(const std::string& page) {
  const std::string begin = "<script id=\"data\" type=\"application/json\">";
  const std::size_t from = page.find(begin) + begin.size();
  return Json::parse(page.substr(from, page.find("</script>", from) - from));
}

std::vector<std::string> sections_in(const std::string& page) {
  std::vector<std::string> ids;
  for (std::size_t at = page.find("<section id=\""); at != std::string::npos;
       at = page.find("<section id=\"", at + 1)) {
    const std::size_t from = at + 13;
    ids.push_back(page.substr(from, page.find('"', from) - from));
  }
  return ids;
}

TEST(Page, ShowsAllThatATunedModelHas) {
  const std::string page = page_of(test::example_with_evidence());
  EXPECT_THAT(sections_in(page), testing::ElementsAre("answer", "features", "tuning", "held-out", "stability",
                                                      "correlations", "paths", "solve"));
  EXPECT_THAT(page, HasSubstr("<strong>3 of 5 features</strong> tell <em>-1</em> and <em>1</em> apart."));
  EXPECT_THAT(page, HasSubstr("2026-01-02"));
  EXPECT_THAT(page, HasSubstr("hsvm cv train.csv"));
}

TEST(Page, MakesDoWithLess) {
  TunedModel old = test::example_tuned();  // as files were before evidence and held-out samples were kept
  old.tuning.out_of_fold = {};
  old.tuning.nested.reset();
  EXPECT_THAT(sections_in(page_of(old)),
              testing::ElementsAre("answer", "features", "tuning", "stability", "solve"));
  EXPECT_THAT(sections_in(page_of(test::example_path())),
              testing::ElementsAre("answer", "features", "paths", "solve"));
  LinearModel plain = test::example_tuned().best;
  plain.stability.reset();
  plain.report.reset();
  EXPECT_THAT(sections_in(page_of(plain)), testing::ElementsAre("answer", "features"));
  plain.features.clear();
  plain.coefficients.clear();
  EXPECT_THAT(page_of(plain), HasSubstr("<strong>no features</strong>"));
}

TEST(Page, HasTheNumbersOfTheModel) {
  const TunedModel model = test::example_with_evidence();
  const std::string page = page_of(model);
  for (const double w : model.best.coefficients)
    EXPECT_THAT(page, HasSubstr("<data value=\"" + exact(w) + "\">"));
  const Json data = data_of(page);
  ASSERT_EQ(data["tuning"]["paths"].size(), 2U);
  for (std::size_t k = 0; k < 4; ++k) {
    const Json& path = data["tuning"]["paths"][k / 2];
    const TuningPoint& point = model.tuning.grid[k];
    EXPECT_EQ(path["lambda2"].get<double>(), point.lambda2);
    EXPECT_EQ(path["lambda1"][k % 2].get<double>(), point.lambda1);
    EXPECT_EQ(path["mean"][k % 2].get<double>(), point.score(model.tuning.score)->mean);
    EXPECT_EQ(path["error"][k % 2].get<double>(), point.score(model.tuning.score)->standard_error);
    EXPECT_EQ(path["nonzeros"][k % 2].get<Index>(), point.nonzeros);
  }
  EXPECT_EQ(data["tuning"]["best"], Json({{"path", 1}, {"point", 1}}));
  EXPECT_EQ(data["correlations"]["values"].get<std::vector<double>>(), model.evidence->correlations.values);
  EXPECT_EQ(data["paths"]["lines"][0][3].get<std::vector<double>>(), model.evidence->path.lines[0].effects);
}

// By hand: scores -0.15 -0.05 0.05 0.15 of the classes 0 1 1 0: the first and the third are right.
TEST(Page, CountsTheSamplesHeldOut) {
  const Json data = data_of(page_of(test::example_with_evidence()))["held-out"];
  EXPECT_DOUBLE_EQ(data["curves"][0]["auc"].get<double>(), 0.5);
  ASSERT_EQ(data["strip"].size(), 4U);
  int wrong = 0;
  for (const Json& dot : data["strip"]) wrong += dot[0] == dot[2] ? 0 : 1;
  EXPECT_EQ(wrong, 2);
  EXPECT_EQ(data["strip"][3][3], "8");  // numbered from 1 in the data
}

TEST(Page, ShowsTheNestedEstimate) {
  const TunedModel model = test::example_tuned();
  ASSERT_TRUE(model.tuning.nested.has_value());
  const std::string page = page_of(model);
  EXPECT_THAT(page, HasSubstr("<h3>Nested estimate</h3>"));
  for (const auto& score : model.tuning.nested->best) {
    if (score) {
      EXPECT_NE(page.find("<data value=\"" + exact(score->mean) + "\">"), std::string::npos);
    }
  }
  EXPECT_THAT(page, HasSubstr("What the whole procedure, choice of the penalties included, says"));
}

TEST(Page, ShowsHostileNamesAsText) {
  TunedModel model = test::example_with_evidence(ModelKind::multiclass);
  for (LinearModel* one : {&model.best, &model.one_se}) {
    one->classes = {false, {"a", "b\"'<b>", kHostile}};
    one->feature_names = {kHostile, "x<i>2", "{{script}}", "'quoted'", "plain"};
  }
  model.evidence->source = kHostile;
  model.evidence->command = kHostile;
  Reported reported{.name = kHostile, .model = model};
  reported.samples = NewSamples{.source = kHostile,
                                .truth = {0, 2},
                                .prediction = {.n_outputs = 3, .scores = {1, 0, 0, 1, 0, 0}, .classes = {0, 0}},
                                .names = {kHostile, kHostile}};
  for (const std::string& page : {report_page({reported}), report_page({reported, reported})}) {
    EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
    EXPECT_THAT(page, Not(HasSubstr("<b>\"'")));
    EXPECT_THAT(page, Not(HasSubstr("x<i>2")));
    EXPECT_THAT(page, HasSubstr("&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;"));
    EXPECT_THAT(page, HasSubstr("{{script}}"));  // a name, not a place to fill in
    std::size_t scripts = 0;
    for (std::size_t at = page.find("<script"); at != std::string::npos; at = page.find("<script", at + 1))
      ++scripts;
    EXPECT_EQ(scripts, 3U);  // the data, Chart.js and our own
  }
  EXPECT_EQ(data_of(report_page({reported}))["correlations"]["names"][0], kHostile);
}

TEST(Page, LetsNothingRunOrLoadButItsOwnParts) {
  const std::string page = page_of(test::example_with_evidence());
  EXPECT_THAT(page, HasSubstr("content=\"default-src &#39;none&#39;; script-src &#39;sha256-"));
  EXPECT_THAT(page, Not(HasSubstr("unsafe-inline")));
  const std::string own = page.substr(0, page.find(std::string(kChartJs.text)));
  EXPECT_THAT(own, Not(HasSubstr("http://")));
  EXPECT_THAT(own, Not(HasSubstr("https://")));
  EXPECT_THAT(own, Not(HasSubstr("style=\"")));  // the policy would refuse it
  EXPECT_THAT(own, Not(HasSubstr("onclick")));
}

TEST(Page, IsTheSameEachTimeButForItsDate) {
  EXPECT_EQ(page_of(test::example_with_evidence()), page_of(test::example_with_evidence()));
  setenv("SOURCE_DATE_EPOCH", "86400", 1);
  EXPECT_THAT(report_page({{.name = "m", .model = test::example_tuned()}}), HasSubstr("1970-01-02"));
  setenv("SOURCE_DATE_EPOCH", "soon", 1);
  EXPECT_THROW(static_cast<void>(report_page({{.name = "m", .model = test::example_tuned()}})), InputError);
  unsetenv("SOURCE_DATE_EPOCH");
}

TEST(Page, ShowsTheSparserModelWhereAsked) {
  const std::string page =
      report_page({{.name = "m", .model = test::example_with_evidence(), .one_se = true}}, {.date = "now"});
  EXPECT_THAT(page, HasSubstr("<strong>1 of 5 features</strong> tells"));
}

TEST(Page, ComparesModels) {
  const TunedModel tuned = test::example_with_evidence();
  const std::string page = report_page({{.name = "best", .model = tuned},
                                        {.name = "sparser", .model = tuned, .one_se = true},
                                        {.name = "plain", .model = tuned.best}});
  EXPECT_THAT(sections_in(page), testing::ElementsAre("scores", "shared", "overlap"));
  EXPECT_THAT(page, HasSubstr("3 features in any of the models, 1 in all of them."));
  EXPECT_THAT(page, HasSubstr("<data value=\"-2\">-2</data>"));  // features: 1 - 3
}

TEST(Page, NeedsAModelAndAPlaceToWrite) {
  EXPECT_THROW(static_cast<void>(report_page({})), InputError);
  const test::TemporaryFolder folder;
  const std::vector<Reported> models = {{.name = "m", .model = test::example_tuned()}};
  EXPECT_THROW(save_report(models, folder.path("no/such/folder.html")), InputError);
  save_report(models, folder.path("page.html"));
  EXPECT_THAT(test::read_text(folder.path("page.html")), testing::StartsWith("<!DOCTYPE html>"));
}

TEST(Page, WrapsWhatOthersHaveToShow) {
  const std::string page =
      plain_page("Title & more", "<p>Opening</p>", {{"one", "One <1>", "<p>Body</p>"}}, {.date = "d"});
  EXPECT_THAT(page, HasSubstr("<h1>Title &amp; more</h1>"));
  EXPECT_THAT(page, HasSubstr("<h2 id=\"one-title\">One &lt;1&gt;</h2>\n<p>Body</p>"));
}

}  // namespace
}  // namespace hsvm::report
