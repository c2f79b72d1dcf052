// `heddle show`: the pictures have the numbers of the article with which the project began (D1 to D4, S3,
// R1), and these follow from closed forms.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tests/tools/plot/svg_marks.h"
#include "tools/heddle/base/command.h"
#include "tools/plot/palette.h"
#include "tools/report/text_columns.h"

namespace heddle::command {

namespace {

using launch::check_says;

/// The text of a picture, which must fit 80 columns.
std::string shown(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "show");
  const Outcome outcome = heddle(arguments);
  INFO(outcome.err);
  CHECK(outcome.exit_code == kDone);
  for (const std::string& line : lines_of(outcome.out)) {
    INFO(line);
    CHECK(report::text_width(line) <= 80);
  }
  return outcome.out;
}

/// A step of a warp: place, instructions, lanes, mask.
struct Step {
  std::string place;
  unsigned instructions = 0;
  unsigned lanes = 0;
  std::string mask;

  friend bool operator==(const Step&, const Step&) = default;
};

std::vector<Step> steps_of(const std::string& text) {
  static const std::regex row("^(\\S+) +[0-9]+-[0-9]+ +([0-9]+) +([0-9]+)  ([#.]{32})$");
  std::vector<Step> steps;
  for (const std::string& line : lines_of(text)) {
    std::smatch found;
    if (!std::regex_match(line, found, row)) continue;
    steps.push_back({found[1], static_cast<unsigned>(std::stoul(found[2])),
                     static_cast<unsigned>(std::stoul(found[3])), found[4]});
  }
  return steps;
}

/// The numbers of lanes of those steps in which lanes rest.
std::vector<unsigned> resting(const std::vector<Step>& steps) {
  std::vector<unsigned> lanes;
  for (const Step& step : steps) {
    if (step.lanes < 32) lanes.push_back(step.lanes);
  }
  return lanes;
}

}  // namespace

// (100 A + B) / (32 x (100 [if A] + 1 [if B])) for A and B lanes on the two paths.
TEST_CASE("show divergence has the article's utilization of two paths") {
  for (const auto& [example, use] :
       {std::pair("divergent_16_16", "all paths: 1616 of 3232 lane slots = 50.00 %"),
        {"divergent_31a_1b", "all paths: 3101 of 3232 lane slots = 95.95 %"},
        {"divergent_1a_31b", "all paths: 131 of 3232 lane slots = 4.05 %"},
        {"divergent_all_a", "all paths: 3200 of 3200 lane slots = 100.00 %"},
        {"divergent_all_b", "all paths: 32 of 32 lane slots = 100.00 %"}}) {
    INFO(example);
    for (const char* divergence : {"stack", "barrier"})
      check_says(shown({"divergence", example, "--divergence", divergence}), use);
  }
}

TEST_CASE("show divergence prints the active mask at each step, one path after the other") {
  const std::string all(32, '#');
  const std::string a = std::string(16, '#') + std::string(16, '.');
  const std::string b = std::string(16, '.') + std::string(16, '#');
  // Path A is 100 multiplications and a jump, path B an addition.
  CHECK(steps_of(shown({"divergence", "divergent_16_16"})) ==
        std::vector<Step>{
            {"start", 5, 32, all}, {"path_a", 101, 16, a}, {"path_b", 1, 16, b}, {"join", 2, 32, all}});
}

TEST_CASE("show divergence without a launch shows the article's kernel") {
  CHECK(steps_of(shown({"divergence"})) == steps_of(shown({"divergence", "divergent_16_16"})));
}

// Interleaved: every warp takes both paths. Grouped: half of them take each.
TEST_CASE("show divergence compares interleaved and grouped data, and the kernel without the branch") {
  const std::string text = shown({"divergence", "with_divergence_interleaved", "with_divergence_grouped",
                                  "no_divergence", "--gpu", "tiny", "--param", "n=8192", "--steps", "4"});
  const std::string alternating = "#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.";
  CHECK((text.find(alternating) != std::string::npos ||
         text.find(".#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#") != std::string::npos));
  static const std::regex row("(\\w+) +[0-9,]+ +[0-9.]+ us +[0-9.]+ % +([0-9.]+)");
  std::vector<double> gains;
  for (std::sregex_iterator each(text.begin(), text.end(), row), end; each != end; ++each)
    gains.push_back(std::stod((*each)[2]));
  REQUIRE(gains.size() == 3);
  CHECK(gains[0] == 1);
  CHECK((gains[1] >= 1.8 && gains[1] <= 2.1));  // the article's 1.95
  CHECK(gains[2] == Approx(1).epsilon(0.05));   // as printed: no gain
}

TEST_CASE("show divergence shows the reductions' lanes: 16, 8, 4, 2, 1, or whole warps until the last") {
  const auto lanes = [](const char* example, const char* warp) {
    return resting(
        steps_of(shown({"divergence", example, "--param", "n=1024", "--warp", warp, "--steps", "200"})));
  };
  // s = 1, 2, 4, 8, 16: a warp's lanes with tid % (2 s) == 0.
  CHECK(lanes("reduce_v1", "1") == std::vector<unsigned>{16, 8, 4, 2, 1});
  // s = 128, 64, 32: the whole of warp 0; then s lanes; lane 0 stores the sum.
  CHECK(lanes("reduce_v2", "0") == std::vector<unsigned>{16, 8, 4, 2, 1, 1});
  CHECK(lanes("reduce_v2", "1").empty());
  // Shuffles: all lanes add in each step; lane 0 stores the warp's sum.
  CHECK(lanes("reduce_v3", "1") == std::vector<unsigned>{1});
}

TEST_CASE("the SVG of a divergence has a coloured cell for each active lane of each step") {
  const launch::ScratchFolder folder;
  const std::string path = folder.path("masks.svg");
  shown({"divergence", "divergent_16_16", "--svg", path});
  const std::string svg = contents_of(path);
  CHECK(test::count(svg, fmt::format("fill=\"{}\"", plot::kPalette[0])) == 32 + 16 + 16 + 32);
  check_says(svg, "1616 of 3232 lane slots = 50.00 %");
}

// One warp uses the unit 4 of 404 cycles; 32 warps hide 128 of 400, 64 hide 256, 100 all.
TEST_CASE("show latency has the article's formula and the run beside it") {
  const std::string text = shown({"latency"});
  for (const char* part : {"waits 400 cycles", "4 / 404 = 1.0 %", "128 of 400", "32.0 %", "256 of 400",
                           "64.0 %", "400 of 400", "100 warps hide all of it; an SM holds 64"})
    check_says(text, part);
  // The window holds 32 periods of 404 cycles, in each of which each warp uses the unit once, for 4.
  for (const unsigned warps : {1U, 2U, 4U, 8U, 16U, 32U, 64U})
    check_says(text, fmt::format("{} of {} cycles", 32 * 4 * warps, 32 * 404));
}

TEST_CASE("show latency draws the formula and the run as two lines that lie on each other") {
  const launch::ScratchFolder folder;
  const std::string path = folder.path("hiding.svg");
  shown({"latency", "--warps", "1,8,32,64", "--svg", path});
  const std::string svg = contents_of(path);
  for (const char* part : {">W (warps)</text>", ">alu busy (% of the time)</text>", ">formula</text>",
                           ">simulated</text>", "W x 4 / 404"})
    check_says(svg, part);
  const std::vector<plot::Point> formula = test::circles_of(svg);  // 1, 8, 32, 64, 100 and the legend's
  REQUIRE(formula.size() == 6);
  static const std::regex square("<rect x=\"([0-9.]+)\" y=\"([0-9.]+)\" width=\"8.0\"");
  std::size_t i = 0;
  for (std::sregex_iterator each(svg.begin(), svg.end(), square), end; each != end && i < 4; ++each, ++i)
    CHECK(std::stod((*each)[2]) + 4 == Approx(formula[i].y).margin(0.2));
  CHECK(i == 4);
}

// Neighbours stride x 4 bytes apart: 4 sectors of 32 bytes for stride 1, 8 for 2, one a lane from 8 on.
TEST_CASE("show coalescing shows the sectors that strided lanes touch") {
  const auto sectors = [](unsigned stride) {
    const std::string text = shown({"coalescing", "strided_copy", "--gpu", "tiny", "--param", "n=1024",
                                    "--param", fmt::format("stride={}", stride)});
    const unsigned expected = std::min(32U, 4 * stride);
    check_says(text, fmt::format("32 lanes, 4 bytes each: {} sectors of 32 bytes, 4 at least; {:.1f} %",
                                 expected, 100.0 * 128 / (32 * expected)));
    return text;
  };
  check_says(sectors(1), "32 of 32  0-7\n");
  check_says(sectors(2), "16 of 32  0-3\n");
  check_says(sectors(4), "8 of 32  0-1\n");
  const std::string far = sectors(8);
  for (unsigned lane = 0; lane < 32; ++lane) check_says(far, fmt::format("4 of 32  {}\n", lane));
  sectors(32);
}

// Lanes stride words apart: gcd(stride, 32) lanes of different words meet in one bank.
TEST_CASE("show banks shows how many passes a stride takes, and which lanes meet in a bank") {
  const auto banks = [](unsigned stride, unsigned passes) {
    const std::string text = shown({"banks", "shared_stride", "--gpu", "tiny", "--param", "blocks=1",
                                    "--param", "iterations=1", "--param", fmt::format("stride={}", stride)});
    check_says(text, passes == 1
                         ? std::string("4 bytes each: 1 pass over 32 banks")
                         : fmt::format("4 bytes each: {} passes over 32 banks of 4 bytes, {} of them for",
                                       passes, passes - 1));
    return text;
  };
  check_says(banks(1, 1), "word  1  0 1 2 3 4 5 6 7 8 9 a b c d e f g h i j k l m n o p q r s t u v");
  const std::string two = banks(2, 2);
  check_says(two, "word  1  0 . 1 . 2 . 3 . 4 . 5 . 6 . 7 . 8 . 9 . a . b . c . d . e . f");
  check_says(two, "word  2  g . h . i . j . k . l . m . n . o . p . q . r . s . t . u . v");
  banks(3, 1);
  banks(4, 4);
  banks(33, 1);
  check_says(banks(32, 32), "word 32  v . .");
}

TEST_CASE("the SVG of an access has a line for each lane, or a cell for each word of a bank") {
  const launch::ScratchFolder folder;
  const std::string path = folder.path("a.svg");
  shown({"coalescing", "--gpu", "tiny", "--param", "n=1024", "--param", "stride=4", "--svg", path});
  CHECK(test::count(contents_of(path), "<line") == 32);
  shown({"banks", "--gpu", "tiny", "--param", "blocks=1", "--param", "stride=4", "--svg", path});
  const std::string svg = contents_of(path);
  // 8 banks with 4 words each, of which the first needs no further pass.
  CHECK(test::count(svg, fmt::format("fill=\"{}\"", plot::kPalette[0])) == 8);
  CHECK(test::count(svg, fmt::format("fill=\"{}\"", plot::kPalette[1])) == 24);
}

// The article's five cycles: "oldest ready first".
TEST_CASE("show scheduling shows the article's eight warps in five cycles") {
  const std::string text = shown({"scheduling"});
  const char* const expected[] = {"#www#", "n#www", "LLL#n", "nn#nn", "LLLLL", "LLLLL", "LLLLL", "LLLLL"};
  for (unsigned warp = 0; warp < 8; ++warp)
    check_says(text, fmt::format("block 0 warp {}        {}\n", warp, expected[warp]));
  for (const char* instruction : {"FFMA", "IADD3", "IMAD"}) check_says(text, instruction);
}

TEST_CASE("the SVG of a schedule has a cell for each warp and cycle, and five of them issue") {
  const launch::ScratchFolder folder;
  const std::string path = folder.path("s.svg");
  shown({"scheduling", "--svg", path});
  const std::string svg = contents_of(path);
  // 40 cells, the legend's four letters, and the paper.
  CHECK(test::count(svg, "<rect") == 8 * 5 + 4 + 1);
  CHECK(test::count(svg, fmt::format("fill=\"{}\"", plot::kPalette[0])) == 5 + 1);
}

TEST_CASE("show scheduling begins at a label or a cycle, and shows as many cycles as asked for") {
  const std::string text = shown(
      {"scheduling", "reduce_v1", "--gpu", "tiny", "--param", "n=1024", "--from", "loop", "--cycles", "30"});
  check_says(text, "SHF.L.U32 R8,");
  check_says(
      shown({"scheduling", "vecadd", "--gpu", "tiny", "--param", "n=256", "--from", "100", "--cycles", "20"}),
      "cycles 100 to 119");
  check_refused({"show", "scheduling", "vecadd", "--from", "nowhere"},
                "--from nowhere: neither a cycle nor a label");
}

TEST_CASE("show refuses what it cannot show, and writes nothing then") {
  const launch::ScratchFolder folder;
  check_refused({"show", "divergence", "divergent_16_16", "--warp", "1"},
                "divergent_16_16 has no warp 1 of block 0");
  check_refused({"show", "latency", "vecadd", "--svg", folder.path("a.svg")}, "fewer than four loads");
  check_refused({"show", "latency", "--warps", "1,x"}, "--warps 1,x: must be numbers from 1 to 4096");
  check_refused({"show", "latency", "--svg", folder.path("none/a.svg")}, "a.svg");
  check_refused({"show", "divergenc"}, "divergence");
  check_refused({"show", "banks", "vecadd", "--gpu", "tiny"},
                "warp 0 of block 0 of vecadd does not access shared memory");
  check_refused({"show", "coalescing", "vecadd", "--gpu", "tiny", "--access", "9"},
                "--access 9: there are 3");
  CHECK_FALSE(std::filesystem::exists(folder.path("a.svg")));
}

}  // namespace heddle::command
