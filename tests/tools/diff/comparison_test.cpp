// Comparing two reports whose figures are chosen, so that every difference is known by hand.
#include "tools/diff/comparison.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/tools/launch/messages.h"
#include "tools/diff/reports.h"
#include "tools/report/render_text.h"
#include "tools/report/text_columns.h"

namespace heddle::diff {
namespace {

using launch::check_says;
using launch::message_of;

/// 2 SMs with 4 schedulers each, 1000 cycles: 8000 turns. SMs hold blocks in 1600 cycles, that is 6400 turns;
/// the launch takes 100 cycles, 800 turns; the end 50 cycles, 400 turns; so 400 turns are of idle SMs.
Json report_before() {
  return Json::parse(R"({
    "schema_version": 1, "kernel": "k", "gpu": "g", "grid": [4, 1, 1], "block": [32, 8, 1],
    "cycles": 1000, "time_us": 2.0, "launch_cycles": 100, "cycles_after_blocks": 50,
    "warp_instructions": 1600, "ipc": 1.0, "issue_efficiency": 0.25, "active_cycles": 1600,
    "limiters": ["warps"], "memory": {"l1_hit_rate": null, "global_load_sectors": 4},
    "ledgers": {
      "warp_slots": {"total": 10, "resident": 10},
      "issue_slots": {"total": 6400, "issued": 1600, "wait": 800, "barrier": 4000},
      "lane_slots": {"total": 64, "executed": 64}},
    "per_sm": {"sms": 2},
    "provenance": {"version": "1", "command": ["heddle", "run", "k"], "gpu_changes": {},
      "parameters": {"n": "4"}, "files": [{"path": "k.sass", "sha256": "0123456789abcdef"},
                                          {"path": "gone.sass", "sha256": "00"}]}})");
}

/// 600 cycles: 4800 turns, of which 3200 are the ledger's, 1200 for launch and end, 400 idle.
Json report_after() {
  Json report = report_before();
  report["cycles"] = 600;
  report["time_us"] = 1.0;
  report["active_cycles"] = 800;
  report["issue_efficiency"] = 0.5;
  report["block"] = {32, 4, 1};
  report["memory"] = {{"l1_hit_rate", 0.5}, {"global_load_sectors", 12}};
  report["ledgers"]["issue_slots"] = {{"total", 3200}, {"issued", 1600}, {"wait", 1000}, {"barrier", 600}};
  report["provenance"]["parameters"]["n"] = "8";
  report["provenance"]["files"] = {{{"path", "k.sass"}, {"sha256", "fedcba9876543210"}}};
  return report;
}

Comparison comparison_of(const Json& before, const Json& after) {
  return compare(run_of(before.dump(), "a.json", {}), run_of(after.dump(), "b.json", {}));
}

const FigureChange& figure(const Comparison& comparison, const std::string& name) {
  const auto found = std::find_if(comparison.figures.begin(), comparison.figures.end(),
                                  [&](const FigureChange& each) { return each.name == name; });
  REQUIRE(found != comparison.figures.end());
  return *found;
}

std::string text_of(const Comparison& comparison, Detail detail = Detail::Short) {
  return report::render_text(document(comparison, detail), {});
}

TEST_CASE("a comparison names the settings that differ, and only those") {
  const Comparison comparison = comparison_of(report_before(), report_after());
  REQUIRE(comparison.settings.size() == 4);
  CHECK(comparison.settings[0].name == "block");
  CHECK(comparison.settings[0].before == "32 x 8");
  CHECK(comparison.settings[0].after == "32 x 4");
  CHECK(comparison.settings[1].name == "parameters.n");
  CHECK(comparison.settings[1].after == "8");
  CHECK(comparison.settings[2].name == "files.gone.sass");
  CHECK(comparison.settings[2].before == "00");
  CHECK(!comparison.settings[2].after);
  CHECK(comparison.settings[3].name == "files.k.sass");
  CHECK(comparison.settings[3].before == "0123456789ab");
}

TEST_CASE("a comparison has each figure before and after, with its unit") {
  const Comparison comparison = comparison_of(report_before(), report_after());
  const FigureChange& cycles = figure(comparison, "cycles");
  CHECK(cycles.unit == "cycles");
  CHECK(cycles.before == Number(std::int64_t{1000}));
  CHECK(cycles.after == Number(std::int64_t{600}));
  const FigureChange& hits = figure(comparison, "memory.l1_hit_rate");
  CHECK(hits.unit == "fraction");
  CHECK(!hits.before);
  CHECK(hits.after == Number(0.5));
  CHECK(!figure(comparison, "warp_instructions").is_changed());
  for (const FigureChange& each : comparison.figures) CHECK(each.name != "per_sm.sms");
}

TEST_CASE("the parts of the cycles are exact, sum to the run's cycles, and the greatest change is first") {
  const CycleChange cycles = comparison_of(report_before(), report_after()).cycles;
  CHECK(cycles.before.schedulers == 8);
  CHECK(cycles.after.schedulers == 8);
  REQUIRE(cycles.parts.size() == 6);
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  for (const CyclePart& part : cycles.parts) {
    before += part.before;
    after += part.after;
  }
  CHECK(before == 1000 * 8);
  CHECK(after == 600 * 8);
  CHECK(cycles.parts[0].key == "barrier");
  CHECK(cycles.cycles_before(cycles.parts[0]) == 500);
  CHECK(cycles.cycles_after(cycles.parts[0]) == 75);
  CHECK(cycles.parts[1].key == "wait");
  CHECK(cycles.cycles_after(cycles.parts[1]) - cycles.cycles_before(cycles.parts[1]) == 25);
  for (std::size_t i = 2; i < cycles.parts.size(); ++i) {
    CHECK(cycles.parts[i].before == cycles.parts[i].after);
    if (cycles.parts[i].key == "idle_sm") CHECK(cycles.parts[i].before == 400);
    if (cycles.parts[i].key == "launch_cycles") CHECK(cycles.parts[i].before == 800);
    if (cycles.parts[i].key == "cycles_after_blocks") CHECK(cycles.parts[i].before == 400);
  }
}

TEST_CASE("the text of a comparison fits 80 columns and says the speedup first") {
  const Comparison comparison = comparison_of(report_before(), report_after());
  const std::string text = text_of(comparison);
  for (const char* part : {"2.00 times as fast: 2.00 us before, 1.00 us after\n", "block", "32 x 4",
                           "-40.0 %", "+25.0 points", "3.00 x", "new", "+25.0", "-425.0", "-400.0"})
    check_says(text, part);
  std::size_t from = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', from)) {
    CHECK(report::text_width(text.substr(from, end - from)) <= 80);
    from = end + 1;
  }
  // Compared with itself
  const std::string same = text_of(comparison_of(report_before(), report_before()));
  check_says(same, "As fast as before: 2.00 us before, 2.00 us after\n");
  check_says(same, "No setting and no input file differs.\n");
}

TEST_CASE("a comparison as JSON has all figures with differences and ratios") {
  const Json json = Json::parse(to_json(comparison_of(report_before(), report_after())));
  CHECK(json["schema_version"] == 1);
  CHECK(json["before"]["file"] == "a.json");
  CHECK(json["before"]["command"] == Json({"heddle", "run", "k"}));
  const auto found = std::find_if(json["figures"].begin(), json["figures"].end(),
                                  [](const Json& each) { return each["name"] == "cycles"; });
  REQUIRE(found != json["figures"].end());
  CHECK((*found)["difference"] == -400);
  CHECK((*found)["difference"].is_number_integer());
  CHECK((*found)["ratio"] == 0.6);
  std::int64_t sum = 0;
  for (const Json& part : json["cycles"]["parts"])
    sum += part["turns_after"].get<std::int64_t>() - part["turns_before"].get<std::int64_t>();
  CHECK(sum == -400 * 8);
}

TEST_CASE("a sample's cycles are not attributed, and the text says so") {
  Json sample = report_after();
  sample["sampled"] = {{"sms", 1}, {"of_sms", 2}, {"blocks", 2}, {"of_blocks", 4}};
  const Comparison comparison = comparison_of(report_before(), sample);
  CHECK(comparison.cycles.parts.empty());
  check_says(text_of(comparison), "Where the cycles went cannot be told");
  CHECK(std::any_of(comparison.settings.begin(), comparison.settings.end(),
                    [](const SettingChange& each) { return each.name == "sampled.sms"; }));
}

TEST_CASE("what is no report of a run is refused, and the message says what is wrong") {
  const auto said = [](const Json& document, std::optional<std::size_t> number = {}) {
    return message_of([&] { run_of(document.dump(), "x.json", number); });
  };
  const auto changed = [](const std::function<void(Json&)>& change) {
    Json report = report_before();
    change(report);
    return report;
  };
  check_says(message_of([] { run_of("{\n\n?", "x.json", {}); }), "x.json:3: error: not valid JSON");
  check_says(said(Json::object()), "x.json: error: no report of a run: it has no schema_version");
  check_says(said(3), "no report of a run");
  check_says(said(Json::array()), "no report of a run");
  check_says(said(changed([](Json& r) { r["schema_version"] = 2; })),
             "schema_version is 2, but this heddle reads 1");
  check_says(said(changed([](Json& r) { r["failure"] = "out of bounds"; })), "this run failed");
  check_says(said(changed([](Json& r) { r.erase("cycles"); })), "cycles");
  check_says(said(changed([](Json& r) { r["cycles"] = -1; })), "cycles");
  check_says(said(changed([](Json& r) { r["ledgers"]["issue_slots"]["wait"] = 801; })),
             "the parts of ledgers.issue_slots sum to 6401, not to its total, 6400");
  const Json several = {report_before(), report_after()};
  check_says(said(several), "this report has 2 runs; say which with --runs: 1 k, 2 k");
  check_says(said(several, 3), "there is no run 3; this report has 2");
  CHECK(run_of(several.dump(), "x.json", 2).report["cycles"] == 600);
}

TEST_CASE("of a list of kernels, all are taken together unless a number chooses one") {
  const Json list = {{"schema_version", 1},
                     {"list", "kernelslist.g"},
                     {"kernels", {report_before(), report_after()}},
                     {"all", report_after()}};
  CHECK(run_of(list.dump(), "x.json", {}).report["cycles"] == 600);
  CHECK(run_of(list.dump(), "x.json", 1).report["cycles"] == 1000);
}

TEST_CASE("a report nested a million deep does not end the program") {
  constexpr std::size_t kDepth = 1000000;
  std::string deep;
  for (std::size_t i = 0; i < kDepth; ++i) deep += "{\"a\":";
  deep += "1" + std::string(kDepth, '}');
  std::string text = report_before().dump();
  text.back() = ',';
  text += "\"deep\":" + deep + ",\"list\":" + std::string(kDepth, '[') + std::string(kDepth, ']') + "}";
  const RunFile run = run_of(text, "x.json", {});
  CHECK(!to_json(compare(run_of(text, "x.json", {}), run_of(report_after().dump(), "y.json", {}))).empty());
  CHECK(run.report["cycles"] == 1000);
}

}  // namespace
}  // namespace heddle::diff
