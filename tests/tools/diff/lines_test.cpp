// Two runs by line, from reports whose slots are chosen.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/tools/launch/messages.h"
#include "tools/diff/comparison.h"
#include "tools/diff/reports.h"
#include "tools/report/render_text.h"

namespace heddle::diff {
namespace {

using launch::check_says;
using launch::message_of;

Json line(int number, const char* text, int issued, Json costs) {
  int total = 0;
  for (const auto& [reason, slots] : costs.items()) total += slots.get<int>();
  costs["total"] = total;
  return {{"file", "src/k.cu"}, {"line", number}, {"text", text}, {"issued", issued}, {"costs", costs}};
}

/// 1 SM with 4 schedulers, 1000 cycles in all of which it holds a block: 4000 turns.
Json report_of(const Json& lines, int without_warp, int total, int cycles) {
  return {{"schema_version", 1},
          {"kernel", "k"},
          {"gpu", "g"},
          {"cycles", cycles},
          {"time_us", 1.0},
          {"launch_cycles", 0},
          {"cycles_after_blocks", 0},
          {"active_cycles", cycles},
          {"per_sm", {{"sms", 1}}},
          {"ledgers",
           {{"warp_slots", {{"total", 0}}},
            {"issue_slots", {{"total", total}, {"issued", total}}},
            {"lane_slots", {{"total", 0}}}}},
          {"lines", {{"level", "cuda"}, {"without_warp", without_warp}, {"lines", lines}}}};
}

Json report_before() {
  return report_of(
      {{{"file", nullptr}, {"line", nullptr}, {"text", ""}, {"issued", 40}, {"costs", {{"total", 0}}}},
       line(10, "  float v = x[i * n];", 100, {{"long_scoreboard", 3000}}),
       line(11, "  sum += v;", 100, {{"wait", 200}}),
       line(12, "  out[i] = sum;", 60, {{"drain", 400}})},
      100, 4000, 1000);
}

/// Two lines were inserted above, the load is another, the store is cheaper.
Json report_after() {
  return report_of(
      {{{"file", nullptr}, {"line", nullptr}, {"text", ""}, {"issued", 40}, {"costs", {{"total", 0}}}},
       line(12, "  float v = x[i];", 100, {{"long_scoreboard", 1000}}),
       line(13, "    sum += v;", 100, {{"wait", 200}}),
       line(14, "  out[i] = sum;", 60, {{"drain", 100}})},
      0, 1600, 400);
}

RunFile run(const Json& report, const std::string& path = "a.json") {
  return run_of(report.dump(), path, {});
}

TEST_CASE("lines that moved are compared with themselves, and all differences sum to that of the ledgers") {
  const Comparison comparison = compare(run(report_before()), run(report_after()));
  REQUIRE(comparison.lines);
  const LineComparison& lines = *comparison.lines;
  CHECK(lines.matched == 2);
  REQUIRE(lines.lines.size() == 5);
  CHECK(lines.lines[0].text == "float v = x[i * n];");
  CHECK(lines.lines[0].number_before == 10U);
  CHECK(!lines.lines[0].number_after);
  CHECK(lines.change(lines.lines[0].all) == -775);
  CHECK(lines.greatest_part(lines.lines[0]) == "long_scoreboard");
  CHECK(lines.lines[1].text == "float v = x[i];");
  CHECK(!lines.lines[1].number_before);
  CHECK(lines.lines[2].number_before == 12U);
  CHECK(lines.lines[2].number_after == 14U);
  CHECK(lines.change(lines.lines[2].all) == -75);
  CHECK(lines.greatest_part(lines.lines[2]) == "drain");
  std::int64_t difference = static_cast<std::int64_t>(lines.without_warp.after - lines.without_warp.before);
  for (const LineChange& each : lines.lines) {
    difference += static_cast<std::int64_t>(each.all.after - each.all.before);
    std::uint64_t before = 0;
    for (const auto& [part, slots] : each.parts) before += slots.before;
    CHECK(before == each.all.before);
  }
  CHECK(difference == 1600 - 4000);
}

TEST_CASE("the table of lines shows what changed most first, and the rest together") {
  const Comparison comparison = compare(run(report_before()), run(report_after()));
  const std::string text = report::render_text(document(comparison, Detail::Short), {});
  for (const char* part : {"10 > -", "775.0", "-775.0", "float v = x[i * n];", "- > 12", "+275.0", "12 > 14",
                           "115.0", "-75.0", "drain", "no warp", "1 line", "of no line"})
    check_says(text, part);
  const Json json = Json::parse(to_json(comparison));
  CHECK(json["lines"]["level"] == "cuda");
  CHECK(json["lines"]["matched"] == 2);
  CHECK(json["lines"]["without_warp"]["difference"] == -100);
  CHECK(json["lines"]["lines"][0]["is_gone"] == true);
  CHECK(json["lines"]["lines"][0]["parts"]["long_scoreboard"]["slots_before"] == 3000);
}

TEST_CASE("reports without lines, and lines of different levels, are compared without them") {
  Json plain = report_after();
  plain.erase("lines");
  CHECK(!compare(run(report_before()), run(plain)).lines);
  Json ptx = report_after();
  ptx["lines"]["level"] = "ptx";
  const std::string text =
      report::render_text(document(compare(run(report_before()), run(ptx)), Detail::Short), {});
  check_says(text, "Lines cannot be compared: those before are of cuda, those after of ptx.");
}

TEST_CASE("lines of a sample are compared in slots") {
  Json sample = report_after();
  sample["sampled"] = {{"sms", 1}, {"of_sms", 2}};
  const Comparison comparison = compare(run(report_before()), run(sample));
  REQUIRE(comparison.lines);
  CHECK(!comparison.lines->in_cycles());
  CHECK(comparison.lines->change(comparison.lines->lines[0].all) == -3100);
  check_says(report::render_text(document(comparison, Detail::Short), {}), "slots before");
}

TEST_CASE("lines that are malformed or do not sum to the ledger are refused") {
  const auto said = [](auto change) {
    Json report = report_before();
    change(report);
    return message_of([&] { run(report); });
  };
  check_says(said([](Json& r) { r["lines"]["lines"][1]["issued"] = 101; }),
             "the slots of its lines sum to 4001, not to the total of ledgers.issue_slots, 4000");
  check_says(said([](Json& r) { r["lines"]["lines"][1]["costs"]["wait"] = -1; }),
             "lines.lines[1].costs.wait");
  check_says(said([](Json& r) { r["lines"]["lines"][1].erase("costs"); }),
             "'lines.lines[1].costs' is missing");
  check_says(said([](Json& r) { r["lines"]["lines"] = 3; }), "'lines.lines' must be a list");
  check_says(said([](Json& r) { r["lines"] = "many"; }), "lines.level");
}

}  // namespace
}  // namespace heddle::diff
