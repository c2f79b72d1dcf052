// Divergence as the command shows it: masks step by step, and who waits for whom.
#include <algorithm>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"

namespace heddle::command {

namespace {

const char* const kMechanisms[] = {"stack", "barrier"};

/// From the timeline on: what stands above names the mechanism.
std::string steps_of(const std::string& launch, const std::string& mechanism) {
  const Outcome outcome = heddle({"run", "traces/" + launch + ".yaml", "--gpu", "textbook", "--divergence", mechanism,
                                  "--timeline", "0:2000", "--lanes"});
  REQUIRE(outcome.exit_code == 0);
  const std::size_t begin = outcome.out.find("SM 0, cycles");
  REQUIRE(begin != std::string::npos);
  return outcome.out.substr(begin);
}

/// Issues under a mask, lane 0 first.
long issues_under(const std::string& steps, const std::string& mask) {
  const std::vector<std::string> lines = lines_of(steps);
  return std::count_if(lines.begin(), lines.end(), [&](const std::string& line) {
    return line.find("  " + mask + "  ") != std::string::npos;
  });
}

}  // namespace

TEST_CASE("D1's masks are shown step by step, and are the same under both mechanisms") {
  struct Case {
    const char* launch;
    std::string a;
    std::string b;
  };
  const auto ones = [](std::size_t count) { return std::string(count, '1'); };
  const auto dots = [](std::size_t count) { return std::string(count, '.'); };
  for (const Case& row : {Case{"divergent_16_16", ones(16) + dots(16), dots(16) + ones(16)},
                          Case{"divergent_31a_1b", ones(31) + dots(1), dots(31) + ones(1)},
                          Case{"divergent_1a_31b", ones(1) + dots(31), dots(1) + ones(31)}}) {
    INFO(row.launch);
    const std::string steps = steps_of(row.launch, "stack");
    CHECK(issues_under(steps, row.a) == 100 + 1);  // path A, and the branch around path B
    CHECK(issues_under(steps, row.b) == 1);
    CHECK(steps == steps_of(row.launch, "barrier"));
  }
}

TEST_CASE("A spin lock within a warp: exit code 3 and who waits for whom, or 0") {
  const std::vector<std::string> run = {"run", "traces/spin_lock.yaml", "--gpu", "tiny", "--divergence"};
  std::vector<std::string> stack = run;
  stack.emplace_back("stack");
  const Outcome deadlock = heddle(stack);
  INFO(deadlock.err);
  CHECK(deadlock.exit_code == 3);
  CHECK(deadlock.err.find("kernel spin_lock: instruction 3") != std::string::npos);
  CHECK(deadlock.err.find("lanes 0xfffffffe of 0xffffffff: deadlock: these lanes") != std::string::npos);
  CHECK(deadlock.err.find("lanes 0x1 wait at instruction 6") != std::string::npos);
  std::vector<std::string> barriers = run;
  barriers.emplace_back("barrier");
  CHECK(heddle(barriers).exit_code == 0);
}

TEST_CASE("The report and JSON name the mechanism of divergence") {
  for (const std::string mechanism : kMechanisms) {
    const std::vector<std::string> run = {"run", "traces/vecadd.yaml", "--gpu", "tiny", "--param", "n=64",
                                          "--divergence", mechanism, "--full"};
    std::vector<std::string> json = run;
    json.insert(json.end(), {"--format", "json"});
    CHECK(heddle(json).out.find("\"divergence\": \"" + mechanism + "\"") != std::string::npos);
    const char* words = mechanism == "stack" ? "; SIMT stack" : "; convergence barriers";
    CHECK(heddle(run).out.find(words) != std::string::npos);
  }
}

}  // namespace heddle::command
