// Conditions on figures: what they read, what they refuse and where, and when they are true.
#include "tools/conditions/fail_condition.h"

#include <fmt/format.h>

#include "isa/base/diagnostic.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace heddle::conditions {

namespace {

std::string refusal(const std::string& text) {
  try {
    read_fail_condition(text, "--fail-if");
  } catch (const InputError& error) {
    return error.what();
  }
  return "not refused";
}

bool is_true(const std::string& text, double cycles) {
  const nlohmann::ordered_json run = {{"cycles", cycles}, {"memory", {{"l1_hit_rate", 0.5}}}};
  return fulfilled(read_fail_condition(text, "--fail-if"), run, "--fail-if").has_value();
}

}  // namespace

TEST_CASE("A condition compares a figure with a number by each of six comparisons") {
  for (const auto& [comparison, below, same, above] :
       {std::tuple(">", false, false, true), std::tuple(">=", false, true, true),
        std::tuple("<", true, false, false), std::tuple("<=", true, true, false),
        std::tuple("==", false, true, false), std::tuple("!=", true, false, true)}) {
    INFO(comparison);
    const std::string text = fmt::format("cycles{}1e2", comparison);
    CHECK(is_true(text, 99) == below);
    CHECK(is_true(text, 100) == same);
    CHECK(is_true(text, 101) == above);
  }
  CHECK(is_true("memory.l1_hit_rate < 0.6", 1));
}

TEST_CASE("A condition takes the same figure of a report, of a list, or of the only run of an array") {
  const test::ScratchFolder folder;
  const std::string run = R"({"schema_version": 1, "cycles": 1000})";
  for (const std::string& text :
       {run, fmt::format("[{}]", run), fmt::format(R"({{"kernels": [], "all": {}}})", run)}) {
    INFO(text);
    const std::string condition =
        fmt::format("cycles > 1.05 * {}  ", folder.write("the base-line.json", text));
    CHECK_FALSE(is_true(condition, 1050));
    CHECK(is_true(condition, 1051));
  }
}

TEST_CASE("What is said of a true condition has both values and the bound") {
  const test::ScratchFolder folder;
  const std::string path = folder.write("base.json", R"({"schema_version": 1, "cycles": 1000})");
  const auto condition = read_fail_condition("cycles > 1.05 * " + path, "--fail-if");
  CHECK(
      fulfilled(condition, {{"cycles", 1100}}, "--fail-if") ==
      fmt::format("'cycles > 1.05 * {0}' is true: cycles is 1100, compared with 1050, 1.05 times the 1000 of "
                  "{0}",
                  path));
  CHECK_THROWS_WITH(fulfilled(condition, {{"cycles", nullptr}}, "--fail-if"),
                    Catch::Contains("this run has no figure 'cycles'"));
}

TEST_CASE("Mistakes in a condition are refused with their column") {
  CHECK_THAT(refusal(""), Catch::Contains("--fail-if:1:1: error: a figure of the JSON report is needed"));
  CHECK_THAT(refusal(" cycle > 5"), Catch::Contains("--fail-if:1:2: error: 'cycle' is no figure of the JSON "
                                                    "report; did you mean 'cycles'?"));
  CHECK_THAT(refusal("kernel == 5"), Catch::Contains("'kernel' is no figure"));
  CHECK_THAT(refusal("cycles"),
             Catch::Contains("--fail-if:1:7: error: a comparison is needed: >, >=, <, <=, == "
                             "or !="));
  CHECK_THAT(refusal("cycles = 5"), Catch::Contains("--fail-if:1:8: error: found '= 5'; >, >="));
  CHECK_THAT(refusal("cycles > "), Catch::Contains(":10: error: a number is needed"));
  CHECK_THAT(refusal("cycles > inf"), Catch::Contains(":10: error: 'inf' is no number"));
  CHECK_THAT(refusal("cycles > base.json"), Catch::Contains(":10: error: 'base.json' is no number; 20000 and "
                                                            "1.05 * baseline.json are right"));
  CHECK_THAT(refusal("cycles > 5 base.json"),
             Catch::Contains(":12: error: found 'base.json'; '* FILE' or the end is needed"));
  CHECK_THAT(refusal("cycles > 1.05 *"),
             Catch::Contains(":16: error: a file with earlier figures is needed"));
}

TEST_CASE("A baseline that is missing, no report, of several runs or without the figure is refused") {
  const test::ScratchFolder folder;
  const auto refusal_of = [&](const std::string& text) {
    return refusal("time_us > 2 * " + folder.write("base.json", text));
  };
  CHECK_THAT(refusal("time_us > 2 * nowhere.json"), Catch::Contains("--fail-if:1:15: error: nowhere.json: "));
  CHECK_THAT(refusal_of("{"), Catch::Contains("base.json:1: error: "));
  CHECK_THAT(refusal_of("{}"), Catch::Contains("no report: it has no schema_version"));
  CHECK_THAT(refusal_of(R"({"schema_version": 2, "time_us": 1})"),
             Catch::Contains("its schema_version is not 1"));
  CHECK_THAT(refusal_of("[{}, {}]"), Catch::Contains("this report has 2 runs, and one is needed"));
  CHECK_THAT(refusal_of(R"({"schema_version": 1, "time_us": null})"),
             Catch::Contains("it has no number 'time_us'"));
}

TEST_CASE("A rooted condition reads the same from another folder") {
  CHECK(read_fail_condition("ipc<0.1", "").rooted_text() == "ipc<0.1");
  const test::ScratchFolder folder;
  const std::string path = folder.write("base.json", R"({"schema_version": 1, "ipc": 0.3})");
  CHECK(read_fail_condition("ipc <1.1*" + path, "").rooted_text() == "ipc < 1.1 * " + path);
}

}  // namespace heddle::conditions
