#include "sinew/lab/page.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "sinew/lab/catalog.h"
#include "sinew/lab/svg.h"
#include "sinew/lab/tables.h"

namespace sinew::lab {
namespace {

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t n = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

Plot make_plot() {
  Plot plot{"force", "A < B & \"C\"", {"length", "mm"}, {"force", "N"}, {}};
  plot.series.push_back({"line", {0, 1, 2, 3}, {0, 10, NAN, 5}});
  plot.series.push_back({"dots", {0.5, 2.5}, {2, 3}, Stroke::kPoints, true});
  return plot;
}

TEST(Ticks, AreRoundAndWithin) {
  for (const auto& [low, high] : {std::pair{0.0, 1.0}, {-3.2, 7.9}, {1e-7, 3e-7}, {-5e6, 2e6}}) {
    const std::vector<double> ticks = make_ticks(low, high);
    ASSERT_GE(ticks.size(), 4U) << low << " " << high;
    EXPECT_LE(ticks.size(), 10U);
    EXPECT_GE(ticks.front(), low);
    EXPECT_LE(ticks.back(), high);
    const double step = ticks[1] - ticks[0];
    const double mantissa = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
    EXPECT_LT(std::min({std::abs(mantissa - 1), std::abs(mantissa - 2), std::abs(mantissa - 5)}),
              1e-6);
  }
}

TEST(Svg, DrawsCurvesWithGapsWhereThereIsNoNumber) {
  const std::string svg = make_svg(make_plot());
  EXPECT_EQ(count(svg, "<svg"), 1U);
  EXPECT_EQ(count(svg, "</svg>"), 1U);
  EXPECT_EQ(count(svg, "nan"), 0U);
  EXPECT_EQ(count(svg, "<circle"), 3U);  // two points and one in the legend
  EXPECT_EQ(count(svg, "<text"), count(svg, "</text>"));
  EXPECT_NE(svg.find("A &lt; B &amp; &quot;C&quot;"), std::string::npos);
  // The line is taken up anew after the gap: two moves of the pen in one path.
  const std::size_t path = svg.find("stroke=\"#0072b2\"");
  const std::string before = svg.substr(0, path);
  const std::string drawn = before.substr(before.rfind("d=\""));
  EXPECT_EQ(count(drawn, "M"), 2U);
}

TEST(Svg, KeepsPointsInsideTheFrame) {
  const std::string svg = make_svg(make_plot());
  for (std::size_t at = svg.find("cx=\""); at != std::string::npos;
       at = svg.find("cx=\"", at + 1)) {
    const double x = std::stod(svg.substr(at + 4));
    EXPECT_GT(x, 70);
    EXPECT_LT(x, 745);
  }
}

TEST(Svg, APlotWithoutPointsHasAxesOnly) {
  Plot plot = make_plot();
  plot.series.clear();
  EXPECT_EQ(count(make_svg(plot), "nan"), 0U);
  plot.series.push_back({"flat", {1, 1}, {2, 2}});  // a point has no size to scale by
  EXPECT_EQ(count(make_svg(plot), "nan") + count(make_svg(plot), "inf"), 0U);
}

TEST(Tables, HoldEveryNumber) {
  EXPECT_EQ(make_plot_csv(make_plot()),
            "line: length [mm],line: force [N],dots: length [mm],dots: force [N]\n"
            "0,0,0.5,2\n1,10,2.5,3\n2,,,\n3,5,,\n");
  const Result result{{within("a, b", 1.5, "N", 1, 2), informs("c", NAN, "1")}, {}};
  EXPECT_EQ(make_rows_csv(result), "name,value,unit,limit,pass\n\"a, b\",1.5,N,1..2,yes\nc,,1,,\n");
}

TEST(Page, NeedsNoOtherFileAndSaysWhetherItPassed) {
  const Experiment& experiment = find_experiment("tendon-length");
  Result result{{within("x", 1, "N", 0, 2)}, {make_plot()}};
  const std::string page = make_page(experiment, result);
  EXPECT_EQ(count(page, "<svg"), 1U);
  EXPECT_NE(page.find("The published behaviour is there"), std::string::npos);
  EXPECT_EQ(count(page, "src="), 0U);
  EXPECT_EQ(count(page, "<link"), 0U);
  result.rows.push_back(within("y", 3, "N", 0, 2));
  EXPECT_NE(make_page(experiment, result).find("Not all"), std::string::npos);
}

TEST(Page, SaysYesAndNoOnlyOfAnswers) {
  const Experiment& experiment = find_experiment("tendon-length");
  const std::string answers =
      make_page(experiment, {{holds("it is so", true), holds("nor this", false)}, {}, {}});
  EXPECT_EQ(count(answers, "<td>yes</td>"), 1U);
  EXPECT_EQ(count(answers, "<td>no</td>"), 1U);
  const std::string numbers = make_page(experiment, {{within("ratio", 1, "1", 1, 1)}, {}, {}});
  EXPECT_EQ(count(numbers, "<td>yes</td>"), 0U);
  EXPECT_EQ(count(numbers, "<td>1</td>"), 1U);
}

TEST(Page, WritesAllFilesItNames) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "lab_page";
  std::filesystem::remove_all(folder);
  Result result{{within("x", 1, "N", 0, 2)}, {make_plot()}, {{"note.txt", "hello"}}};
  const auto files = write_result(folder.string(), find_experiment("tendon-length"), result);
  ASSERT_EQ(files.size(), 4U);
  for (const std::string& file : files) EXPECT_GT(std::filesystem::file_size(file), 0U) << file;
  std::ifstream in(files.back());
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "hello");
}

}  // namespace
}  // namespace sinew::lab
