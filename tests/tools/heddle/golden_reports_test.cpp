// Whole reports, as they were when somebody last looked at them.
#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/tools/heddle/command_line.h"

namespace heddle::command {

namespace {

struct Golden {
  const char* name;
  std::vector<std::string> arguments;
};

/// Partial warps and exited lanes, divergence, and barriers with shared memory.
const Golden kGoldens[] = {
    {"vecadd", {"traces/vecadd.yaml", "--param", "n=1000"}},
    {"divergent", {"traces/divergent_16_16.yaml"}},
    {"reduce", {"traces/reduce_v1.yaml", "--param", "n=4096", "--param", "block=128"}},
};

std::string report(std::vector<std::string> arguments, const std::string& format) {
  arguments.insert(arguments.begin(), "run");
  for (const std::string& more :
       {std::string("--gpu"), std::string("tiny"), std::string("--format"), format}) {
    arguments.push_back(more);
  }
  const Outcome outcome = heddle(arguments);
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  return outcome.out;
}

}  // namespace

TEST_CASE("Reports are the golden ones", "[golden]") {
  for (const Golden& golden : kGoldens) {
    test::check_golden(std::string(golden.name) + ".txt", report(golden.arguments, "text"));
    std::vector<std::string> full = golden.arguments;
    full.push_back("--full");
    test::check_golden(std::string(golden.name) + "_full.txt", report(full, "text"));
    test::check_golden(std::string(golden.name) + ".json", report(golden.arguments, "json"));
  }
}

TEST_CASE("The reports of several launches are the golden ones", "[golden]") {
  const std::vector<std::string> launches = {"traces/divergent_all_a.yaml", "traces/divergent_all_b.yaml",
                                             "traces/divergent_16_16.yaml"};
  test::check_golden("several.txt", report(launches, "text"));
  test::check_golden("list.txt", report({"traces/traced/kernelslist.g"}, "text"));
  test::check_golden("several.csv", report(launches, "csv"));
}

}  // namespace heddle::command
