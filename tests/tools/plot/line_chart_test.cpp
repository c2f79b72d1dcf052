// Charts of lines: where the marks are, which names the picture has, and what it does with hostile text.
#include "tools/plot/line_chart.h"

#include <cstdlib>
#include <set>

#include "tests/support/catch.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/plot/svg_marks.h"
#include "tools/plot/palette.h"
#include "tools/plot/svg.h"

namespace heddle::plot {
namespace {

using launch::check_says;

LineChart one_line(std::vector<double> places, std::vector<std::optional<double>> values) {
  LineChart chart{"title", "across (cycles)", "up (%)", {}, places, {{"line", values}}};
  for (const double place : places) chart.x_labels.push_back(std::to_string(static_cast<int>(place)));
  return chart;
}

TEST_CASE("ticks are round, about five, and reach over all values") {
  CHECK(ticks(0, 97) == std::vector<double>{0, 20, 40, 60, 80, 100});
  CHECK(ticks(0, 100) == std::vector<double>{0, 20, 40, 60, 80, 100});
  CHECK(ticks(0, 7) == std::vector<double>{0, 2, 4, 6, 8});
  CHECK(ticks(0, 0) == std::vector<double>{0, 0.2, 2 * 0.2, 3 * 0.2, 4 * 0.2, 1});
  CHECK(ticks(-3, 3) == std::vector<double>{-4, -2, 0, 2, 4});
  for (const double greatest : {1e-9, 0.3, 12345.0, 9.9e14}) {
    const std::vector<double> list = ticks(0, greatest);
    CHECK(list.front() == 0);
    CHECK(list.back() >= greatest * (1 - 1e-9));
    CHECK((list.size() >= 4 && list.size() <= 7));
  }
}

TEST_CASE("heights are proportional to values, from 0") {
  const std::vector<Point> marks = test::circles_of(to_svg(one_line({1, 2, 3, 4}, {0, 25, 50, 100})));
  REQUIRE(marks.size() == 4);
  const double whole = marks[0].y - marks[3].y;
  CHECK(marks[0].y - marks[1].y == Approx(whole / 4).margin(0.2));
  CHECK(marks[0].y - marks[2].y == Approx(whole / 2).margin(0.2));
}

TEST_CASE("places are as far apart as their numbers, or as their logarithms over a wide range") {
  const std::vector<Point> near = test::circles_of(to_svg(one_line({1, 2, 4}, {1, 1, 1})));
  REQUIRE(near.size() == 3);
  CHECK(near[2].x - near[0].x == Approx(3 * (near[1].x - near[0].x)).margin(0.4));
  const std::vector<Point> wide = test::circles_of(to_svg(one_line({1, 2, 4, 8, 16}, {1, 1, 1, 1, 1})));
  REQUIRE(wide.size() == 5);
  CHECK(wide[4].x - wide[0].x == Approx(4 * (wide[1].x - wide[0].x)).margin(0.5));
  LineChart words = one_line({}, {1, 1, 1});
  words.x_labels = {"v100", "a100", "h100"};
  const std::vector<Point> even = test::circles_of(to_svg(words));
  REQUIRE(even.size() == 3);
  CHECK(even[1].x - even[0].x == Approx(even[2].x - even[1].x).margin(0.2));
}

TEST_CASE("a missing value is a gap in the line") {
  const std::string whole = to_svg(one_line({1, 2, 3, 4, 5}, {1, 2, 3, 4, 5}));
  const std::string gap = to_svg(one_line({1, 2, 3, 4, 5}, {1, 2, std::nullopt, 4, 5}));
  CHECK(test::count(whole, "<polyline") == 1);
  CHECK(test::count(gap, "<polyline") == 2);
  CHECK(test::circles_of(gap).size() == 4);
}

TEST_CASE("both axes are named, several lines have a legend and look different") {
  LineChart chart = one_line({1, 2}, {1, 2});
  std::set<std::string> looks;
  for (int i = 0; i < 20; ++i) chart.series.push_back({"line " + std::to_string(i), {1, 2}});
  const std::string svg = to_svg(chart);
  check_says(svg, ">across (cycles)</text>");
  check_says(svg, ">up (%)</text>");
  check_says(svg, ">line 19</text>");
  for (std::size_t at = svg.find("<polyline"); at != std::string::npos; at = svg.find("<polyline", at + 1)) {
    const std::size_t stroke = svg.find("stroke=", at);
    looks.insert(svg.substr(stroke, svg.find("/>", at) - stroke));
  }
  CHECK(looks.size() == 21);
}

// W3C's relative luminance: lines have to differ from white paper in print and on bad projectors.
TEST_CASE("each colour of the palette is darker than white by a third or more") {
  for (const std::string_view colour : kPalette) {
    const auto channel = [&](std::size_t at) {
      return static_cast<double>(std::strtol(std::string(colour.substr(at, 2)).c_str(), nullptr, 16)) / 255;
    };
    const double light = 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
    INFO(colour);
    CHECK(light <= 0.67);
  }
}

TEST_CASE("hostile text cannot leave its place in the picture") {
  CHECK(xml_text("a<b>&\"'c") == "a&lt;b&gt;&amp;&quot;&#39;c");
  CHECK(xml_text(std::string("a\0b\x1b[1m", 7)) ==
        "a\xef\xbf\xbd"
        "b\xef\xbf\xbd[1m");
  CHECK(xml_text("\xff\xc3\xa4\xc3") == "\xef\xbf\xbd\xc3\xa4\xef\xbf\xbd");
  CHECK(xml_text("\xed\xa0\x80") == "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");  // half a surrogate pair
  LineChart chart = one_line({1, 2}, {1, 2});
  chart.title = "</title><script>alert(1)</script>" + std::string(10000, '<');
  chart.x_name = chart.y_name = chart.series[0].name = chart.x_labels[0] = chart.title;
  chart.series.push_back(chart.series[0]);
  const std::string svg = to_svg(chart);
  CHECK(svg.find("<script") == std::string::npos);
  CHECK(test::count(svg, "</title>") == 1);
  CHECK(svg.size() < 100000);
}

}  // namespace
}  // namespace heddle::plot
