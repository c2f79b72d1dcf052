// `heddle run --sample kernels`: some launches of a list for all of them.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {

namespace {

using launch::check_says;
using nlohmann::json;

/// A list in which three kernels take turns so many times, with the copies between them.
std::string list_of(const launch::ScratchFolder& folder, unsigned times) {
  std::string list;
  for (unsigned i = 0; i < 3 * times; ++i) {
    const std::string name = fmt::format("kernel-{}.traceg", i + 1);
    folder.write(name,
                 contents_of(fmt::format(HEDDLE_SOURCE_DIR "/traces/traced/kernel-{}.traceg", i % 3 + 1)));
    if (i % 3 == 1) list += "MemcpyHtoD,0x00007fb0fc400000,1024\n";
    list += name + "\n";
  }
  return folder.write("kernelslist.g", list);
}

std::vector<std::string> sampled(const std::string& list, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {"run", list, "--gpu", "a100", "--sample", "kernels"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

}  // namespace

TEST_CASE("A sampled list stands for the whole one, and says which launch stands for which") {
  constexpr unsigned kTimes = 12;
  const launch::ScratchFolder folder;
  const std::string list = list_of(folder, kTimes);
  const json whole = run_report({list, "--gpu", "a100"});
  const json report = json::parse(heddle(sampled(list, {"--format", "json"})).out);
  const json& sample = report["all"]["sampled_launches"];
  CHECK(sample["launches"] == 3 * kTimes);
  CHECK(sample["groups"] == 3);
  CHECK(sample["timed"] == report["kernels"].size());
  CHECK(report["kernels"].size() < 2 * kTimes);

  std::multiset<unsigned> stood_for;
  std::uint64_t cycles = 0;
  std::uint64_t instructions = 0;
  for (const json& kernel : report["kernels"]) {
    const json& launches = kernel["stands_for"]["launches"];
    for (const json& number : launches) {
      stood_for.insert(number.get<unsigned>());
      CHECK((number.get<unsigned>() - 1) % 3 + 1 == kernel["stands_for"]["group"]);
    }
    cycles += launches.size() * kernel["cycles"].get<std::uint64_t>();
    instructions += launches.size() * kernel["warp_instructions"].get<std::uint64_t>();
  }
  CHECK(stood_for.size() == 3 * kTimes);
  CHECK(std::set(stood_for.begin(), stood_for.end()).size() == 3 * kTimes);
  CHECK(report["all"]["cycles"] == cycles);
  CHECK(report["all"]["warp_instructions"] == instructions);
  CHECK(instructions == whole["all"]["warp_instructions"]);
  for (const auto& [name, ledger] : report["all"]["ledgers"].items()) {
    std::uint64_t sum = 0;
    for (const auto& [part, slots] : ledger.items()) sum += part == "total" ? 0 : slots.get<std::uint64_t>();
    CHECK(sum == ledger["total"]);
  }
  const double exact = whole["all"]["cycles"];
  CHECK(sample["cycles_least"] <= exact);
  CHECK(sample["cycles_most"] >= exact);
}

TEST_CASE("A sampled list is reported in every form") {
  const launch::ScratchFolder folder;
  const std::string list = list_of(folder, 8);
  const std::string page = heddle(sampled(list)).out;
  check_says(page, "24 kernels on NVIDIA A100");
  check_says(page, "SAMPLE: 12 of 24 launches timed, of 3 groups");
  check_says(page, "in 95 % of cases");
  check_says(heddle(sampled(list, {"--full"})).out, "stands for");
  const std::vector<std::string> csv = lines_of(heddle(sampled(list, {"--format", "csv"})).out);
  REQUIRE(csv.size() == 14);
  check_says(csv[0], "stands_for.group,stands_for.launches");
  check_says(csv[0], "sampled_launches.launches,sampled_launches.timed");
  check_says(csv[0], "sampled_launches.cycles_least,sampled_launches.cycles_most");
  const std::string json_text = heddle(sampled(list, {"--format", "json", "--threads", "1"})).out;
  CHECK(heddle(sampled(list, {"--format", "json", "--threads", "4"})).out == json_text);
}

TEST_CASE("A sampled list goes with a sweep, with chosen kernels, and with some of the SMs") {
  const launch::ScratchFolder folder;
  const std::string list = list_of(folder, 8);
  const json one = json::parse(heddle(sampled(list, {"--format", "json"})).out);
  const json swept =
      json::parse(heddle(sampled(list, {"--format", "json", "--sweep", "scheduler=gto,lrr"})).out);
  REQUIRE(swept.size() == 2 * (one["kernels"].size() + 1));
  CHECK(swept[one["kernels"].size()]["sampled_launches"]["launches"] == 24);
  const json chosen = json::parse(heddle(sampled(list, {"--format", "json", "--kernels", "4-21"})).out);
  CHECK(chosen["all"]["sampled_launches"]["launches"] == 18);
  const json some = json::parse(heddle(sampled(list, {"--format", "json", "--sms", "27"})).out);
  CHECK(some["all"]["sampled_launches"]["launches"] == 24);
  CHECK(some["all"]["sampled"]["sms"] == 27);
}

TEST_CASE("A sample of kernels is refused where it says nothing") {
  check_refused({"run", "vecadd", "--sample", "kernels"}, "--sample kernels goes with traces");
  check_refused({"run", "vecadd", "--sample", "kernel"}, "--sample kernel: must be one of blocks, kernels");
  check_refused(
      {"run", "traces/traced/kernelslist.g", "--sample", "kernels", "--kernel", "2", "--timeline", "0:9"},
      "without --sample");
}

TEST_CASE("A launch that cannot be replayed leaves no total, for nothing stands for it") {
  const launch::ScratchFolder folder;
  const std::string list = list_of(folder, 8);
  const std::string trace = contents_of(HEDDLE_SOURCE_DIR "/traces/traced/kernel-1.traceg");
  folder.write("kernel-1.traceg", trace.substr(0, trace.find("#END_TB")));
  const Outcome outcome = heddle(sampled(list));
  CHECK(outcome.exit_code != 0);
  CHECK(outcome.out.empty());
  check_says(outcome.err, "kernel-1.traceg");
}

}  // namespace heddle::command
