#include "tools/bench/report.h"

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/tools/bench/made_up_run.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tools/report/render_text.h"

namespace heddle::bench {

namespace {

using Json = nlohmann::ordered_json;
using launch::check_says;

std::string text_of(const Run& run, const Baseline* baseline) {
  return report::render_text(document(run, baseline), {false, true, 100});
}

Baseline baseline_of(const Run& run) {
  const launch::ScratchFolder folder;
  return load_baseline(folder.write("before.json", to_json(run, nullptr)));
}

std::size_t commas_of(const std::string& line) {
  return static_cast<std::size_t>(std::count(line.begin(), line.end(), ','));
}

}  // namespace

TEST_CASE("The table names the machine and has a row for each launch") {
  const std::string text = text_of(made_up_run(), nullptr);
  check_says(text, "How fast heddle 1.2.3 simulates h100");
  check_says(text, "A Processor | 2 cores | g++ 1.0 | medians of 3 runs or more");
  const std::vector<std::string> lines = command::lines_of(text);
  CHECK(lines[4] ==
        "launch   functional  timed  2 threads  timed/functional  M cycles/s  heap MB  bytes/warp  noise");
  CHECK(lines[5] ==
        "full           80.0   20.0       32.0              4.00        2.50     12.5       2,500  1.0 %");
  CHECK(lines[6] ==
        "waiting           -  0.003     0.0015                 -        0.01      0.0       1,000  0.0 %");
  CHECK(lines.size() == 7);
}

TEST_CASE("On one thread the table has no column for more") {
  Run run = made_up_run();
  run.threads = 1;
  for (Row& row : run.rows) row.threaded.reset();
  CHECK(text_of(run, nullptr).find("threads") == std::string::npos);
}

TEST_CASE("Against a baseline the table goes on with ratios, those within the noise in parentheses") {
  Run before = made_up_run();
  before.rows[0].timed.time = around(2.1, 0.01);   // 5 % slower: not clear
  before.rows[0].functional->time = around(0.25);  // twice as fast
  before.rows[1].name = "another";
  const Baseline baseline = baseline_of(before);
  const std::vector<std::string> lines = command::lines_of(text_of(made_up_run(), &baseline));
  check_says(lines[8], baseline.path);
  check_says(lines[8], "A Processor");
  CHECK(lines[9] == "times as fast as then  functional   timed  2 threads");
  CHECK(lines[10] == "full                         0.50  (1.05)     (1.00)");
  CHECK(lines[11] == "waiting                         -       -          -");
}

TEST_CASE("JSON has all figures, and null for what there is not") {
  const Json run = Json::parse(to_json(made_up_run(), nullptr));
  CHECK(run["schema_version"] == 1);
  CHECK(run["machine"]["processor"] == "A Processor");
  CHECK(run["threads"] == 2);
  const Json& full = run["rows"][0];
  CHECK(full["name"] == "full");
  CHECK(full["cycles"] == 5'000'000);
  CHECK(full["timed"]["warp_instructions"] == 40'000'000);
  CHECK(full["timed"]["all_seconds"].size() == 3);
  CHECK(full["timed"]["seconds"].get<double>() == Approx(2));
  CHECK(full["timed"]["warp_instructions_per_second"].get<double>() == Approx(20e6));
  CHECK(full["timed_per_functional"].get<double>() == Approx(4));
  CHECK(full["bytes_per_resident_warp"].get<double>() == Approx(2500));
  const Json& waiting = run["rows"][1];
  CHECK(waiting["functional"]["seconds"].is_null());
  CHECK(waiting["timed_per_functional"].is_null());
  CHECK_FALSE(full.contains("change"));
}

TEST_CASE("JSON against a baseline has the ratios") {
  const Baseline baseline = baseline_of(made_up_run());
  const Json run = Json::parse(to_json(made_up_run(), &baseline));
  CHECK(run["rows"][0]["change"]["timed"]["ratio"].get<double>() == Approx(1));
  CHECK(run["rows"][0]["change"]["timed"]["is_clear"] == false);
  CHECK(run["rows"][1]["change"]["functional"]["ratio"].is_null());
}

TEST_CASE("Every line of the CSV has the columns of its header") {
  const Baseline baseline = baseline_of(made_up_run());
  for (const Baseline* each : {static_cast<const Baseline*>(nullptr), &baseline}) {
    const std::vector<std::string> lines = command::lines_of(to_csv(made_up_run(), each));
    REQUIRE(lines.size() == 3);
    check_says(lines[0], "name,cycles,functional.warp_instructions,");
    check_says(lines[0], ",bytes_per_resident_warp");
    CHECK((lines[0].find("change.timed.ratio") != std::string::npos) == (each != nullptr));
    CHECK(commas_of(lines[1]) == commas_of(lines[0]));
    CHECK(commas_of(lines[2]) == commas_of(lines[0]));
  }
}

}  // namespace heddle::bench
