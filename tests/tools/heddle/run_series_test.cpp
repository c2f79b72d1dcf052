// Long work: what is killed or interrupted goes on, and reports the same bytes; runs side by side do, too.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/support/catch.h"
#include "tests/support/seed.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {

namespace {

using launch::check_says;
using nlohmann::json;

/// Each warp of a block adds its numbers up in a loop of so many rounds, and doubles them: where n is above
/// 2048 it leaves its buffer, and where 3 is expected the check fails.
std::string work_launch(const launch::ScratchFolder& folder) {
  folder.write("work.sass", R"(.kernel work
.param data ptr
.param n u32
.param rounds u32
    S2R R0, SR_TID.X
    S2R R4, SR_CTAID.X
    IMAD R0, R4, 0x80, R0
    ISETP.GE.U32.AND P0, PT, R0, c[n], PT
@P0 EXIT
    IMAD.WIDE.U32 R2, R0, 0x4, c[data]
    LDG.E R1, [R2.64]
    MOV R5, RZ
again:
    IADD3 R5, R5, 0x1, RZ
    ISETP.LT.U32.AND P1, PT, R5, c[rounds], PT
@P1 BRA again
    FADD R1, R1, R1
    STG.E [R2.64], R1
    EXIT
)");
  return folder.write("work.yaml", R"(kernel: work.sass
values: {n: 2048, rounds: 200, expected: 2}
grid: 17
block: 128
params: {data: data, n: n, rounds: rounds}
buffers: {data: {type: f32, count: 2048, fill: ramp}}
check: [{buffer: data, equals: "i < n and f32(expected * i) or i"}]
)");
}

std::string numbers(int from, int until, int by) {
  std::string text;
  for (int i = from; i < until; i += by) text += fmt::format("{}{}", text.empty() ? "" : ",", i);
  return text;
}

std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// Four points for each n, among which there are faults and checks that fail.
std::vector<std::string> sweep_over(const std::string& launch, const std::string& n) {
  return {"run",    launch,    "--gpu",        "tiny",    "--sweep",
          "n=" + n, "--sweep", "expected=2,3", "--sweep", "scheduler=gto,lrr"};
}

std::vector<std::string> sweep_of_200(const std::string& launch) {
  return sweep_over(launch, numbers(64, 1960, 40) + ",2049,2300");
}

std::size_t lines_in(const std::string& path) {
  const std::string text = contents_of(path);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Runs until a moment after the journal has so many lines. False if it ended before.
bool kill_after(const std::vector<std::string>& arguments, const std::string& journal, std::size_t lines,
                std::uint64_t microseconds) {
  StartedCommand command(arguments);
  while (lines_in(journal) < lines && !command.has_ended()) usleep(200);
  usleep(static_cast<useconds_t>(microseconds));
  command.signal(SIGKILL);
  const int exit_code = command.outcome().exit_code;
  if (exit_code != -SIGKILL) CHECK(exit_code == 3);
  return exit_code == -SIGKILL;
}

/// Kills it ten times, each time a random moment after it has got on.
void kill_and_resume(const std::vector<std::string>& arguments, const std::string& journal,
                     std::size_t points, std::uint32_t seed) {
  constexpr unsigned kKills = 10;
  constexpr unsigned kMostTries = 100;
  std::mt19937 random(seed);
  std::size_t lines = 0;
  for (unsigned i = 0, killed = 0; killed < kKills; ++i) {
    if (i == kMostTries) FAIL("it ended before it could be killed");
    killed += kill_after(arguments, journal, lines, random() % 5000) ? 1 : 0;
    lines = std::min<std::size_t>(lines_in(journal) + random() % (points / kKills), points * 9 / 10);
  }
}

/// In all forms, whatever is told of them on the way.
void check_kills(const launch::ScratchFolder& folder, const std::vector<std::string>& sweep,
                 std::size_t points) {
  const std::uint32_t seed = test::drawn_seed();
  INFO("HEDDLE_SEED=" << seed);
  const std::string output = folder.path("report");
  const std::string journal = output + ".journal";
  const std::size_t before = folder.files();
  kill_and_resume(with(sweep, {"--output", output, "--resume"}), journal, points, seed);
  const std::string kept = contents_of(journal);
  CHECK_FALSE(std::filesystem::exists(output));
  for (const char* form : {"text", "json", "csv"}) {
    INFO(form);
    if (kept.empty()) {  // killed before the first line
      std::filesystem::remove(journal);
    } else {
      folder.write("report.journal", kept);
    }
    const Outcome resumed = heddle(with(sweep, {"--output", output, "--resume", "--format", form}));
    const Outcome undisturbed = heddle(with(sweep, {"--format", form, "--jobs", "1"}));
    CHECK(undisturbed.exit_code == 3);
    CHECK(resumed.exit_code == 3);
    CHECK(resumed.err == undisturbed.err);
    REQUIRE(contents_of(output) == undisturbed.out);
    CHECK(folder.files() == before + 1);  // no journal is left
  }
  // The CSV has a header, and a row for each point.
  CHECK(lines_of(contents_of(output)).size() == 1 + points);
}

}  // namespace

TEST_CASE("A sweep that is killed ten times at random moments, and resumed, reports the same bytes") {
  const launch::ScratchFolder folder;
  check_kills(folder, sweep_over(work_launch(folder), numbers(64, 1960, 200) + ",2049,2300"), 48);
}

TEST_CASE("A sweep of 200 points that is killed ten times at random moments reports the same bytes",
          "[.heavy]") {
  const launch::ScratchFolder folder;
  check_kills(folder, sweep_of_200(work_launch(folder)), 200);
}

TEST_CASE("However many run side by side, report and messages are the same") {
  const launch::ScratchFolder folder;
  const std::string launch = work_launch(folder);
  const std::vector<std::string> sweep = {
      "run",     launch,         "--gpu",    "tiny", "--sweep", "n=2050,64,2049,100",
      "--sweep", "expected=2,3", "--format", "json"};
  const Outcome one = heddle(with(sweep, {"--jobs", "1"}));
  CHECK(one.exit_code == 3);
  CHECK(json::parse(one.out).size() == 8);
  for (const std::vector<std::string>& how :
       {std::vector<std::string>{"--jobs", "2"}, {"--jobs", "7", "--threads", "3"}, {}}) {
    const Outcome many = heddle(with(sweep, how));
    CHECK(many.exit_code == 3);
    CHECK(many.out == one.out);
    CHECK(many.err == one.err);
  }
}

TEST_CASE("An interrupted sweep says what is done, where it is kept, and how to go on") {
  const launch::ScratchFolder folder;
  const std::vector<std::string> sweep =
      with(sweep_of_200(work_launch(folder)), {"--format", "csv", "--jobs", "2"});
  const std::string output = folder.path("report");
  const std::string journal = output + ".journal";
  for (const auto& [signal, exit_code] : {std::pair(SIGINT, 130), std::pair(SIGTERM, 143)}) {
    StartedCommand command(with(sweep, {"--output", output, "--resume"}));
    const std::size_t lines = lines_in(journal) + 10;
    while (lines_in(journal) < lines && !command.has_ended()) usleep(200);
    command.signal(signal);
    const Outcome outcome = command.outcome();
    CHECK(outcome.exit_code == exit_code);
    CHECK(outcome.out.empty());
    check_says(outcome.err, fmt::format("interrupted: {} of 200 runs are done, and kept in {}; to go on:\n  "
                                        "heddle run {} --gpu tiny",
                                        lines_in(journal) - 1, journal, sweep[1]));
    CHECK_FALSE(std::filesystem::exists(output));
  }
  const Outcome begun = heddle(with(sweep, {"--output", output}));
  CHECK(begun.exit_code == 2);
  check_says(begun.err, "of 200 runs in it that an earlier command has made: --resume goes on with them");
  CHECK(heddle(with(sweep, {"--output", output, "--resume"})).exit_code == 3);
  CHECK(contents_of(output) == heddle(sweep).out);
}

TEST_CASE("Interrupted without a file to keep them in, the runs that are done are reported") {
  const launch::ScratchFolder folder;
  const std::vector<std::string> sweep = {
      "run", work_launch(folder), "--gpu", "tiny", "--sweep", "n=2300," + numbers(64, 1960, 10), "--jobs",
      "1",   "--format",          "json"};
  StartedCommand command(sweep);
  while (command.error_so_far().empty() && !command.has_ended()) usleep(200);  // the first point fails
  usleep(100'000);
  command.signal(SIGINT);
  const Outcome outcome = command.outcome();
  CHECK(outcome.exit_code == 130);
  check_says(outcome.err, "of 191 runs are done; with --output FILE or --journal FILE they are kept");
  const json whole = json::parse(heddle(sweep).out);
  if (outcome.out.empty()) return;  // none but the first was done
  for (const json& row : json::parse(outcome.out)) CHECK(std::count(whole.begin(), whole.end(), row) == 1);
}

TEST_CASE("A sweep goes on only with the files that it was begun with") {
  const launch::ScratchFolder folder;
  const std::string launch = work_launch(folder);
  const std::vector<std::string> sweep =
      with(sweep_of_200(launch), {"--output", folder.path("report"), "--resume"});
  const std::string journal = folder.path("report.journal");
  while (!kill_after(sweep, journal, 5, 0)) {
  }
  const std::string kept = contents_of(journal);
  const std::string kernel = contents_of(folder.path("work.sass"));
  folder.write("work.sass", kernel + "\n");
  const Outcome changed = heddle(sweep);
  CHECK(changed.exit_code == 2);
  check_says(changed.err, "work.sass: error: has changed since " + journal + " was begun (SHA-256 ");
  folder.write("work.sass", kernel);
  const Outcome other = heddle(with(sweep, {"--cold"}));
  CHECK(other.exit_code == 2);
  check_says(other.err, journal + ": error: was begun by 'heddle run " + launch + " --gpu tiny");
  CHECK(contents_of(journal) == kept);
  CHECK(heddle(with(sweep, {"--threads", "1", "--jobs", "2", "--quiet"})).exit_code == 3);
}

TEST_CASE("Several launches, and the points of a sweep over a list of traces, go on, too") {
  const launch::ScratchFolder folder;
  const std::string journal = folder.path("journal");
  const std::vector<std::vector<std::string>> commands = {
      {"run", "traces/vecadd.yaml", "traces/saxpy.yaml", "traces/vecadd.yaml", "traces/saxpy.yaml"},
      {"run", "traces/traced/kernelslist.g", "--sweep", "gpu=tiny,a100,h100", "--sweep", "sms=1,2"}};
  for (const std::vector<std::string>& command : commands) {
    for (const char* form : {"text", "json", "csv"}) {
      const std::vector<std::string> run = with(command, {"--format", form});
      const Outcome undisturbed = heddle(with(run, {"--jobs", "1"}));
      CHECK(undisturbed.exit_code == 0);
      const std::vector<std::string> kept = with(run, {"--journal", journal, "--resume", "--jobs", "1"});
      std::filesystem::remove(journal);
      if (!kill_after(kept, journal, 3, 0)) continue;  // faster than this test
      const Outcome resumed = heddle(kept);
      CHECK(resumed.exit_code == 0);
      CHECK(resumed.out == undisturbed.out);
      CHECK_FALSE(std::filesystem::exists(journal));
    }
  }
}

TEST_CASE("What --jobs, --journal and --resume cannot mean is refused") {
  check_refused({"run", "traces/vecadd.yaml", "--sweep", "n=1,2", "--jobs", "0"},
                "--jobs 0: must be at least 1");
  check_refused({"run", "traces/vecadd.yaml", "--sweep", "n=1,2", "--resume"},
                "--resume goes with --output FILE or --journal FILE");
  check_refused({"run", "traces/vecadd.yaml", "--journal", ""}, "--journal: must be the name of a file");
  check_refused({"run", "traces/vecadd.yaml", "--sweep", "n=1,2", "--journal", "traces/vecadd.sass"},
                "this file is read here");
  check_refused({"run", "traces/vecadd.yaml", "--record", "x", "--resume", "--journal", "j"},
                "--record is of all launches or of none");
  check_refused({"run", "traces/vecadd.yaml", "--sweep", "n=1,2", "--journal", "/nowhere/j"},
                "/nowhere/j: error: the file cannot be written");
}

TEST_CASE("Where there is nothing to resume, the work begins") {
  const launch::ScratchFolder folder;
  const std::string output = folder.path("report");
  const std::vector<std::string> sweep = {"run", "traces/vecadd.yaml", "--gpu", "tiny", "--sweep", "n=64,65"};
  CHECK(heddle(with(sweep, {"--resume", "--output", output})).exit_code == 0);
  CHECK(contents_of(output) == heddle(sweep).out);
  CHECK(folder.files() == 2);
}

}  // namespace heddle::command
