// Runs that are killed and go on from their checkpoints end with the bytes of those that nobody disturbed.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <random>

#include "isa/base/read_file.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/seed.h"
#include "tools/checkpoint/support.h"
#include "tools/cuda/process.h"

namespace heddle::command {

namespace {

using cuda::FinishedProgram;
using cuda::run_program;
using Words = std::vector<std::string>;

bool has_checkpoints() {
  const std::string reason = checkpoint::why_not();
  if (!reason.empty()) WARN("skipped: " << reason);
  return reason.empty();
}

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Runs the command undisturbed, then as often as it takes while it is killed again and again, up to ten
/// times.
void check_killed_run(const Words& run, const test::ScratchFolder& folder) {
  const std::uint32_t seed = test::drawn_seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  const std::string whole = folder.path("whole.json");
  const std::string report = folder.path("killed.json");
  const std::string file = folder.path("state");

  const auto begin = std::chrono::steady_clock::now();
  REQUIRE(run_program(run + Words{"--output", whole}).exit_code == 0);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  const auto every = std::max(1, static_cast<int>(taken.count() * 1000 / 20));
  const Words again =
      run +
      Words{"--output", report, "--checkpoint", file, "--every", fmt::format("{}ms", every), "--resume"};
  constexpr double kLeastSeconds = 0.25;  // a checkpoint takes as long on slow disks
  std::uniform_real_distribution<double> patience(0.15, 0.4);
  int kills = 0;
  int continued = 0;
  for (; kills < 10; ++kills) {
    continued += std::filesystem::exists(file);
    const std::string seconds = fmt::format("{:.4f}", kLeastSeconds + patience(random) * taken.count());
    if (run_program(Words{"timeout", "-s", "KILL", seconds} + again).exit_code == 0) break;
    if (std::filesystem::exists(report)) CHECK(read_file(report) == read_file(whole));  // killed behind it
  }
  const FinishedProgram last = run_program(again);
  INFO(last.errors);
  REQUIRE(last.exit_code == 0);
  CAPTURE(kills, continued);
  CHECK(continued >= 1);
  CHECK(read_file(report) == read_file(whole));
  CHECK_FALSE(std::filesystem::exists(file));
  CHECK_FALSE(std::filesystem::exists(file + ".new"));
}

}  // namespace

TEST_CASE("A launch that is killed again and again ends with the bytes of the undisturbed run") {
  if (!has_checkpoints()) return;
  const test::ScratchFolder folder;
  check_killed_run({HEDDLE_COMMAND, "run", "matmul_v2", "--param", "n=448", "--gpu", "t4", "--format", "json",
                    "--threads", "1"},
                   folder);
}

TEST_CASE("The same on two threads, with costs by line", "[.heavy]") {
  if (!has_checkpoints()) return;
  const test::ScratchFolder folder;
  check_killed_run(
      {HEDDLE_COMMAND, "run", "matmul_v2", "--param", "n=512", "--gpu", "t4", "--threads", "2", "--lines"},
      folder);
}

TEST_CASE("A list of traces that is killed again and again ends with the bytes of the undisturbed run",
          "[.heavy]") {
  if (!has_checkpoints()) return;
  const test::ScratchFolder folder;
  const auto* form = GENERATE("plain", "zst", "xz");
  REQUIRE(run_program({HEDDLE_COMMAND, "run", "matmul_v2", "matmul_v1", "--param", "n=320", "--gpu", "t4",
                       "--quiet", "--no-check", "--record", folder.path("traces"), "--record-as", form})
              .exit_code == 0);
  check_killed_run({HEDDLE_COMMAND, "run", folder.path("traces/kernelslist.g"), "--gpu", "t4", "--format",
                    "json", "--threads", "2"},
                   folder);
}

TEST_CASE("A run goes on from its own checkpoint alone") {
  if (!has_checkpoints()) return;
  const test::ScratchFolder folder;
  const std::string file = folder.path("state");
  const Words run = {HEDDLE_COMMAND, "run",      "vecadd",       "--gpu", "tiny",
                     "--quiet",      "--resume", "--checkpoint", file};
  const auto refusal = [&](const Words& words) {
    const FinishedProgram done = run_program(words);
    CHECK(done.exit_code == 2);
    return done.errors;
  };
  CHECK(run_program(run).exit_code == 0);  // there is none yet
  CHECK_FALSE(std::filesystem::exists(file));
  folder.write("state", "no checkpoint");
  CHECK(refusal(run).find("the file is no checkpoint of this version of Heddle") != std::string::npos);

  // One that is left over by a run that was killed.
  const Words long_run = {HEDDLE_COMMAND, "run", "nbody",   "--gpu", "t4",
                          "--checkpoint", file,  "--every", "5ms"};
  run_program(Words{"timeout", "-s", "KILL", "60", "sh", "-c",
                    R"(f=$1; shift; rm -f "$f"; "$@" & while [ ! -e "$f" ]; do sleep 0.01; done; kill -9 $!)",
                    "sh", file} +
              long_run);
  REQUIRE(std::filesystem::exists(file));
  CHECK(refusal(run).find("this is the checkpoint of another command: heddle ") != std::string::npos);
  std::filesystem::resize_file(file, 3 * std::filesystem::file_size(file) / 4);
  CHECK(refusal(long_run + Words{"--resume"}).find("cut off") != std::string::npos);
  CHECK(run_program(long_run).exit_code == 0);  // from the start
  CHECK_FALSE(std::filesystem::exists(file));
}

TEST_CASE("What --checkpoint does not go with is refused") {
  const auto refusal = [](const Words& options) {
    const FinishedProgram done =
        run_program(Words{HEDDLE_COMMAND, "run", "vecadd", "--gpu", "tiny"} + options);
    CHECK(done.exit_code == 2);
    return done.errors;
  };
  CHECK(refusal({"--every", "5s"}).find("--every goes with --checkpoint FILE") != std::string::npos);
  if (!has_checkpoints()) return;
  CHECK(refusal({"--checkpoint", "f", "--every", "5"}).find("must be a time, as 90s, 10min or 2h") !=
        std::string::npos);
  CHECK(refusal({"--checkpoint", "f", "--every", "0s"}).find("must be a time") != std::string::npos);
  CHECK(refusal({"--checkpoint", "f", "--record", "d"}).find("--checkpoint goes with one launch") !=
        std::string::npos);
  CHECK(refusal({"--checkpoint", "f", "--sweep", "n=256,512"}).find("go with one run, not with --sweep") !=
        std::string::npos);
  CHECK(refusal({"saxpy", "--checkpoint", "f"}).find("--checkpoint goes with one launch") !=
        std::string::npos);
}

}  // namespace heddle::command
