#include "tools/bench/baseline.h"

#include <fmt/format.h>

#include "tests/support/catch.h"
#include "tests/tools/bench/made_up_run.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tools/bench/report.h"

namespace heddle::bench {

namespace {

Baseline saved(const Run& run) {
  const launch::ScratchFolder folder;
  return load_baseline(folder.write("before.json", to_json(run, nullptr)));
}

/// All of it takes `factor` of the time.
Run slower(double factor) {
  Run run = made_up_run();
  for (Row& row : run.rows) {
    const auto stretch = [factor](Speed& speed) {
      std::vector<double> seconds = speed.time.seconds();
      for (double& each : seconds) each *= factor;
      speed.time = Timing(seconds);
    };
    if (row.functional) stretch(*row.functional);
    stretch(row.timed);
    stretch(*row.threaded);
  }
  return run;
}

}  // namespace

TEST_CASE("A saved run is compared row by row") {
  const Baseline baseline = saved(slower(2));
  CHECK(baseline.processor == "A Processor");
  CHECK(baseline.gpu == "h100");
  const Run now = made_up_run();
  const RowChange full = change(now, now.rows[0], baseline).value();
  CHECK(full.functional->ratio == Approx(2));
  CHECK(full.timed->ratio == Approx(2));
  CHECK(full.threaded->ratio == Approx(2));
  CHECK(full.timed->is_clear);
  const RowChange waiting = change(now, now.rows[1], baseline).value();
  CHECK_FALSE(waiting.functional);
  CHECK(waiting.timed->ratio == Approx(2));
}

TEST_CASE("A change is clear when it is more than three times the noise of both sides") {
  const Run now = made_up_run();  // timed: 1 % of noise, then and now
  CHECK_FALSE(change(now, now.rows[0], saved(slower(1.05)))->timed->is_clear);
  CHECK(change(now, now.rows[0], saved(slower(1.07)))->timed->is_clear);
  CHECK(change(now, now.rows[0], saved(slower(1 / 1.07)))->timed->is_clear);
  CHECK(change(now, now.rows[0], saved(slower(1.05)))->functional->is_clear);  // that had none
}

TEST_CASE("A change is as clear in either direction, however great the noise") {
  PastSpeed past{1e6, 0.3, 1000};
  Speed now;
  now.warp_instructions = 1000;
  for (const double factor : {10.0, 0.1}) {
    now.time = Timing({1e-3 / factor});
    CHECK(change(now, past)->ratio == Approx(factor));
    CHECK(change(now, past)->is_clear);
  }
  past.warp_instructions = 999;
  CHECK_FALSE(change(now, past));
}

TEST_CASE("What is new, and speeds on another number of threads, are not compared") {
  Run now = made_up_run();
  now.rows[1].name = "new";
  const Baseline baseline = saved(made_up_run());
  CHECK_FALSE(change(now, now.rows[1], baseline));
  now.threads = 4;
  CHECK(change(now, now.rows[0], baseline)->timed);
  CHECK_FALSE(change(now, now.rows[0], baseline)->threaded);
}

TEST_CASE("A file that is no saved run is refused by its name") {
  const launch::ScratchFolder folder;
  const std::string wrong[] = {folder.path("nothing.json"), folder.write("empty.json", ""),
                               folder.write("other.json", "{\"rows\": []}"),
                               folder.write("rows.json", R"({"machine": {"processor": "x"}, "gpu": "g",
                                                             "threads": 1, "rows": [{"name": 3}]})")};
  for (const std::string& path : wrong) {
    launch::check_says(launch::message_of([&] { load_baseline(path); }), path);
  }
  const auto says = [](const std::string& path) { return launch::message_of([&] { load_baseline(path); }); };
  launch::check_says(says(wrong[1]), "this is not what heddle bench --save writes");
  launch::check_says(says(wrong[1]), "empty.json:1: error: not valid JSON");
  launch::check_says(says(wrong[3]), "'rows[0].name' must be text; found 3");
  launch::check_says(says(wrong[3]), "'rows[0].timed' is missing");
  const auto with = [&](std::string_view piece, std::string_view other) {
    std::string text = to_json(made_up_run(), nullptr);
    REQUIRE(text.find(piece) != std::string::npos);
    return says(folder.write("changed.json", text.replace(text.find(piece), piece.size(), other)));
  };
  const std::string threads = fmt::format("\"threads\": {}", made_up_run().threads);
  launch::check_says(with(threads, "\"threads\": -1"), "'threads' must be a whole number; found -1");
  launch::check_says(with(threads, "\"threads\": 1e300"), "'threads' must be a whole number; found 1e+300");
  launch::check_says(with("\"noise\": ", "\"noise\": -1, \"x\": "),
                     "'rows[0].functional.noise' must not be negative; found -1");
  launch::check_says(with("\"noise\": ", "\"noise\": [], \"x\": "), "noise' must be a number; found []");
  launch::check_says(with("\"rows\": [", "\"rows\": 3, \"y\": ["), "'rows' must be a list; found 3");
  launch::check_says(with("\"rows\": ", "\"row\": "), "'rows' is missing");
  launch::check_says(with("\"rows\": [", "\"rows\": [[],"), "'rows[0].name' is missing");
}

}  // namespace heddle::bench
