// `heddle run --sample blocks`: the first blocks of a launch for all.
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {

namespace {

using launch::check_says;
using nlohmann::json;

/// On two SMs, which hold 8 blocks of 256 threads at a time, with a small L2 that is full after a few waves.
std::vector<std::string> on_two_sms(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--gpu", "t4", "--set", "sms=2", "--set", "l2.bytes=65536", "--set",
                                     "dram.bandwidth_gbps=20"});
  return arguments;
}

std::uint64_t sum_of_parts(const json& ledger) {
  std::uint64_t sum = 0;
  for (const auto& [key, value] : ledger.items()) sum += key == "total" ? 0 : value.get<std::uint64_t>();
  return sum;
}

}  // namespace

TEST_CASE("The first blocks of a launch stand for all, with an interval that holds the whole run's cycles") {
  for (const std::string launch : {"vecadd", "reduce_v1", "saxpy"}) {
    INFO(launch);
    const json whole = run_report(on_two_sms({launch, "--param", "n=200000"}));
    const json found = run_report(on_two_sms({launch, "--param", "n=200000", "--sample", "blocks"}));
    const json& sample = found["sampled_blocks"];
    REQUIRE_FALSE(sample.contains("whole_because"));
    CHECK(sample["blocks"] < sample["timed"]);
    CHECK(sample["timed"] <= sample["of_blocks"].get<std::uint64_t>() / 2);
    CHECK(sample["of_blocks"] == 782);
    CHECK(sample["cycles_least"] <= whole["cycles"]);
    CHECK(sample["cycles_most"] >= whole["cycles"]);
    CHECK(found["grid"] == whole["grid"]);
    CHECK(found["checks"] == whole["checks"]);  // the other blocks have been executed, too
    for (const auto& [name, ledger] : found["ledgers"].items())
      CHECK(sum_of_parts(ledger) == ledger["total"]);
    const double instructions = whole["warp_instructions"];
    CHECK(std::abs(found["warp_instructions"].get<double>() - instructions) < 0.01 * instructions);
  }
}

TEST_CASE("A sample of blocks is the same on any number of threads, and is told of in every form") {
  const std::vector<std::string> run =
      on_two_sms({"run", "vecadd", "--param", "n=200000", "--no-check", "--sample", "blocks"});
  const auto with = [&run](std::vector<std::string> more) {
    more.insert(more.begin(), run.begin(), run.end());
    return heddle(more).out;
  };
  CHECK(with({"--format", "json", "--threads", "1"}) == with({"--format", "json", "--threads", "4"}));
  check_says(with({}), "of 782 blocks timed");
  check_says(with({"--full"}), "of 782 blocks timed");
  check_says(with({"--format", "csv"}), "sampled_blocks.cycles_least,sampled_blocks.cycles_most");
}

TEST_CASE("A launch whose blocks are no measure of the rest is run whole, and the report says why") {
  const auto check_whole = [](const std::vector<std::string>& arguments, const std::string& why) {
    std::vector<std::string> sampled = arguments;
    sampled.insert(sampled.end(), {"--sample", "blocks"});
    const json found = run_report(sampled);
    check_says(found["sampled_blocks"]["whole_because"].get<std::string>(), why);
    json whole = without_provenance(run_report(arguments));
    json same = without_provenance(found);
    same.erase("sampled_blocks");
    CHECK(same == whole);
  };
  check_whole(on_two_sms({"vecadd", "--param", "n=20000"}), "the grid has too few waves");
  check_whole({"spin_lock"}, "its blocks may wait for one another");
  check_says(heddle(on_two_sms({"run", "vecadd", "--param", "n=20000", "--sample", "blocks"})).out,
             "NOT SAMPLED: the grid has too few waves");
}

TEST_CASE("A sample of blocks is refused where it says nothing") {
  check_refused({"run", "vecadd", "--sample", "blocks", "--sms", "4"}, "--sample blocks leaves blocks out");
  check_refused({"run", "vecadd", "--sample", "blocks", "--timeline", "0:9"},
                "--sample blocks leaves blocks out");
  check_refused({"run", "traces/traced/kernelslist.g", "--sample", "blocks"},
                "--sample blocks goes with launch files");
}

}  // namespace heddle::command
