// What the reports of `heddle run` say.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/heddle/made_by.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {

namespace {

using Json = nlohmann::ordered_json;

/// Kernels of every kind, made small.
const std::vector<std::vector<std::string>> kRuns = {
    {"traces/vecadd.yaml", "--param", "n=5000"},
    {"traces/divergent_1a_31b.yaml"},
    {"traces/bad_reduce.yaml"},
    {"traces/reduce_v3.yaml", "--param", "n=4096"},
    {"traces/shared_stride.yaml", "--param", "stride=32"},
    {"traces/strided_copy.yaml", "--param", "n=4096", "--param", "stride=8"},
    {"traces/latency.yaml", "--param", "warps=4"},
    {"traces/sqrt_branch.yaml", "--param", "n=4096", "--block", "96"},
    {"traces/pointer_chase.yaml", "--param", "hops=64"},
};

std::uint64_t sum_of_parts(const Json& ledger) {
  std::uint64_t sum = 0;
  for (const auto& [key, value] : ledger.items()) {
    if (key != "total") sum += value.get<std::uint64_t>();
  }
  return sum;
}

std::size_t columns_of(const std::string& line) {
  return static_cast<std::size_t>(std::count_if(
      line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

void collect_leaves(const std::string& name, const Json& value, std::vector<std::string>& leaves) {
  if (!value.is_object()) return leaves.push_back(name);
  for (const auto& [key, inner] : value.items())
    collect_leaves(name.empty() ? key : name + "." + key, inner, leaves);
}

}  // namespace

TEST_CASE("In each report the ledgers are whole numbers that add up to their supplies") {
  for (const auto& run : kRuns) {
    const Json report = Json::parse(json_report(run));
    INFO(run[0]);
    for (const auto& [name, ledger] : report["ledgers"].items()) {
      INFO(name);
      for (const auto& [key, value] : ledger.items()) CHECK(value.is_number_unsigned());
      CHECK(sum_of_parts(ledger) == ledger["total"].get<std::uint64_t>());
    }
    const auto cycles = report["cycles"].get<std::uint64_t>();
    CHECK(report["ledgers"]["warp_slots"]["total"] == 16 * 2 * cycles);
    CHECK(report["ledgers"]["issue_slots"]["total"] == 4 * report["active_cycles"].get<std::uint64_t>());
    CHECK(report["ledgers"]["lane_slots"]["total"] == 32 * report["warp_instructions"].get<std::uint64_t>());
    CHECK(sum_of_parts(report["stalls"]) + report["warp_instructions"].get<std::uint64_t>() ==
          report["resident_warp_cycles"].get<std::uint64_t>());
  }
}

TEST_CASE("The JSON report has the keys that scripts rely on, and figures that can be counted by hand") {
  const Json report = Json::parse(json_report({"traces/vecadd.yaml", "--param", "n=1000"}));
  CHECK(report["schema_version"] == 1);
  CHECK(report["kernel"] == "vecadd");
  CHECK(report["gpu"] == "tiny");
  CHECK(report["cycles"].is_number_unsigned());
  CHECK(report["grid"] == Json({4, 1, 1}));
  CHECK(report["block"] == Json({256, 1, 1}));
  // 32 warps run all 13 instructions. In 31 of them only the guarded EXIT does nothing; in the last one 24
  // lanes leave there, after 4 instructions, and 8 lanes run the other 8.
  CHECK(report["warp_instructions"] == 32 * 13);
  CHECK(report["thread_instructions"] == 31 * 12 * 32 + 4 * 32 + 24 + 8 * 8);
  const Json& lanes = report["ledgers"]["lane_slots"];
  CHECK(lanes["predicated_off"] == 1000);
  CHECK(lanes["exited"] == 24 * 8);
  CHECK(lanes["diverged"] == 0);
  CHECK(lanes["never_existed"] == 0);
  CHECK(report["divergence_utilization"].get<double>() == Approx(1 - 24.0 * 8 / (416 * 32)));
  CHECK(report["divergence_utilization_pred_on"].get<double>() == Approx(12120.0 / (416 * 32)));
  // 16 warps an SM are two blocks of 8; 10 registers a thread are rounded up to 16: 4 blocks.
  CHECK(report["theoretical_occupancy"] == 1.0);
  CHECK(report["limiters"] == Json({"warps"}));
  CHECK(report["limits"] == Json({{"warps", 2}, {"blocks", 8}, {"registers", 4}, {"shared", 16}}));
  CHECK(report["waves"] == 1.0);
  CHECK(report["issue_efficiency"].get<double>() ==
        Approx(416.0 / report["ledgers"]["issue_slots"]["total"].get<double>()));
  CHECK(report["achieved_occupancy"].get<double>() ==
        Approx(report["resident_warp_cycles"].get<double>() / (16 * report["active_cycles"].get<double>())));
  CHECK(report["memory"]["global_load_requests"] == 64);
  CHECK(report["memory"]["global_store_sectors"] == 125);  // 1000 x 4 bytes
  CHECK(report["checks"] == Json({{"made", 1}, {"compared", 1000}, {"differing", 0}}));
}

TEST_CASE("Fractions lie between 0 and 1, and the mean SM lies between the extremes") {
  for (const auto& run : kRuns) {
    const Json report = Json::parse(json_report(run));
    INFO(run[0]);
    for (const char* key : {"theoretical_occupancy", "achieved_occupancy", "issue_efficiency",
                            "divergence_utilization", "divergence_utilization_pred_on"}) {
      INFO(key);
      CHECK(report[key].get<double>() > 0);
      CHECK(report[key].get<double>() <= 1);
    }
    CHECK(report["achieved_occupancy"].get<double>() <= report["theoretical_occupancy"].get<double>());
    for (const auto& [name, use] : report["pipes"].items()) {
      INFO(name);
      CHECK(use.get<double>() <= 1);
    }
    CHECK(report["memory"]["dram_utilization"].get<double>() <= 1);
    for (const char* key : {"achieved_occupancy", "issue_efficiency", "active_cycles"}) {
      const Json& spread = report["per_sm"][key];
      CHECK(spread["min"].get<double>() <= spread["mean"].get<double>());
      CHECK(spread["mean"].get<double>() <= spread["max"].get<double>());
    }
  }
}

TEST_CASE(
    "The text fits a page of 24 lines and 80 columns, in full only these, with no escape sequence in a pipe") {
  for (const bool is_full : {false, true}) {
    for (auto run : kRuns) {
      run.insert(run.begin(), "run");
      run.insert(run.end(), {"--gpu", "tiny"});
      if (is_full) run.push_back("--full");
      const Outcome outcome = heddle(run);
      INFO(outcome.out << outcome.err);
      CHECK(outcome.exit_code == 0);
      CHECK(outcome.err.empty());
      CHECK(outcome.out.find('\x1b') == std::string::npos);
      const auto lines = lines_of(outcome.out);
      CHECK(lines.size() <= (is_full ? 80 : 24));
      for (const std::string& line : lines) CHECK(columns_of(line) <= 80);
      CHECK(outcome.out.find("What holds it back: ") != std::string::npos);
    }
  }
}

TEST_CASE("On a terminal the same text is coloured, unless NO_COLOR says otherwise") {
  const std::vector<std::string> run = {"run", "traces/vecadd.yaml", "--param", "n=1000", "--gpu", "tiny"};
  const std::string plain = heddle(run).out;
  const auto without_returns = [](const std::string& text) {
    return std::regex_replace(text, std::regex("\r\n"), "\n");
  };
  const std::string coloured = without_returns(heddle(run, {{}, true}).out);
  CHECK(coloured.find("\x1b[1m") != std::string::npos);
  CHECK(std::regex_replace(coloured, std::regex("\x1b\\[[0-9]+m"), "") == plain);
  CHECK(without_returns(heddle(run, {{{"NO_COLOR", "1"}}, true}).out) == plain);
  CHECK(without_returns(heddle(run, {{{"TERM", "dumb"}}, true}).out) == plain);
}

TEST_CASE("With --ascii the report has no byte outside ASCII") {
  const Outcome outcome = heddle({"run", "traces/bad_reduce.yaml", "--gpu", "tiny", "--ascii"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.find('#') != std::string::npos);
  CHECK(std::all_of(outcome.out.begin(), outcome.out.end(),
                    [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
}

TEST_CASE("The CSV has the leaves of the JSON report as its columns, and a row for each launch") {
  const std::vector<std::string> launches = {"traces/divergent_all_a.yaml", "traces/bad_reduce.yaml"};
  const Json reports = Json::parse(json_report(launches));
  const Outcome csv = heddle({"run", launches[0], launches[1], "--gpu", "tiny", "--format", "csv"});
  const auto lines = lines_of(csv.out);
  REQUIRE(lines.size() == 3);
  std::vector<std::string> leaves;
  collect_leaves("", reports[0], leaves);
  const auto columns = cells_of(lines[0]);
  CHECK(columns == leaves);
  for (std::size_t run = 0; run < 2; ++run) {
    const auto cells = cells_of(lines[run + 1]);
    REQUIRE(cells.size() == columns.size());
    const auto cell = [&](const char* column) {
      return cells[static_cast<std::size_t>(std::find(columns.begin(), columns.end(), column) -
                                            columns.begin())];
    };
    CHECK(cell("launch") == launches[run]);
    CHECK(cell("cycles") == reports[run]["cycles"].dump());
    CHECK(cell("grid") == "1 1 1");
    CHECK(cell("achieved_occupancy") == reports[run]["achieved_occupancy"].dump());
    CHECK(cell("ledgers.issue_slots.no_warp") == reports[run]["ledgers"]["issue_slots"]["no_warp"].dump());
    CHECK(cell("verdict.text") == reports[run]["verdict"]["text"]);
  }
}

TEST_CASE("Several launches make an array in their order, one makes an object") {
  const Json reports = Json::parse(json_report({"traces/bad_reduce.yaml", "traces/good_reduce.yaml"}));
  REQUIRE(reports.is_array());
  REQUIRE(reports.size() == 2);
  CHECK(reports[0]["kernel"] == "bad_reduce");
  CHECK(reports[1]["kernel"] == "good_reduce");
  CHECK(without_provenance(reports[1]) ==
        without_provenance(Json::parse(json_report({"traces/good_reduce.yaml"}))));
}

TEST_CASE("The same command gives the same bytes, and visiting every cycle changes none of them") {
  const std::vector<std::string> run = {"traces/reduce_v2.yaml", "--param", "n=4096"};
  std::vector<std::string> slow = run;
  slow.emplace_back("--every-cycle");
  const std::string report = json_report(run);
  CHECK(report == json_report(run));
  CHECK(report == json_report(slow));
}

TEST_CASE("The GPU that --print-gpu shows is the one that runs") {
  const launch::ScratchFolder folder;
  const std::vector<std::string> changes = {"--set", "l1.latency=25", "--scheduler", "lrr"};
  std::vector<std::string> print = {"run", "--gpu", "tiny", "--print-gpu"};
  print.insert(print.end(), changes.begin(), changes.end());
  const Outcome printed = heddle(print);
  REQUIRE(printed.exit_code == 0);
  CHECK(printed.out.find("latency: 25") != std::string::npos);
  CHECK(
      without_comments(heddle({"gpus", "tiny", "--set", "l1.latency=25", "--set", "sm.scheduler=lrr"}).out) ==
      without_comments(printed.out));

  const std::string file = folder.write("changed.yaml", printed.out);
  std::vector<std::string> changed = {"run", "traces/latency.yaml", "--gpu", "tiny", "--format", "json"};
  const Outcome unchanged = heddle(changed);
  changed.insert(changed.end(), changes.begin(), changes.end());
  const Outcome by_options = heddle(changed);
  const Outcome by_file = heddle({"run", "traces/latency.yaml", "--gpu", file, "--format", "json"});
  CHECK(by_file.exit_code == 0);
  CHECK(without_provenance(Json::parse(by_options.out)) == without_provenance(Json::parse(by_file.out)));
  CHECK(by_options.out != unchanged.out);
  CHECK(Json::parse(by_file.out)["scheduler"] == "lrr");
}

TEST_CASE("The option --cold makes a launch wait for its code and parameters, and the reports say so") {
  const auto report = [](const std::vector<std::string>& more) {
    std::vector<std::string> run = {"run", "traces/vecadd.yaml", "--param", "n=4096", "--format", "json"};
    run.insert(run.end(), {"--set", "dispatch.warp_launch=0"});
    run.insert(run.end(), more.begin(), more.end());
    return heddle(run).out;
  };
  const Json warm = Json::parse(report({}));
  const std::string cold_report = report({"--cold", "--threads", "1"});
  const Json cold = Json::parse(cold_report);
  CHECK(warm["cold"] == false);
  CHECK(cold["cold"] == true);
  // On an H100 340 cycles for the first line of code, 218 for the parameters, and its pages.
  CHECK(cold["cycles"] >= warm["cycles"].get<int>() + 340 + 245);
  CHECK(warm["stalls"]["no_instruction"] == 0);
  CHECK(cold["stalls"]["no_instruction"] > 0);
  CHECK(without_provenance(Json::parse(report({"--set=cold.enabled=true"}))) == without_provenance(cold));
  for (const char* other : {"--threads=2", "--every-cycle"}) {
    CAPTURE(other);
    CHECK(report({"--cold", other}) == cold_report);
  }
  const auto says_so = [](const Outcome& text) { return text.out.find("cold launch") != std::string::npos; };
  CHECK(says_so(heddle({"run", "traces/vecadd.yaml", "--cold"})));
  CHECK_FALSE(says_so(heddle({"run", "traces/vecadd.yaml"})));
}

TEST_CASE("The option --scheduler list names the policies and runs nothing") {
  const Outcome outcome = heddle({"run", "--scheduler", "list"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.find("gto ") != std::string::npos);
  CHECK(outcome.out.find("lrr ") != std::string::npos);
  // Behind the longest name, a blank: there begins what each of them does.
  constexpr std::size_t kColumn = std::string_view("two_level ").size();
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.find_first_not_of(' ', line.find(' ')) == kColumn);
  }
}

TEST_CASE("The option --warp-size sets the lanes of a warp, if it is one of the sizes there are") {
  const Outcome printed = heddle({"run", "--gpu", "h100", "--warp-size", "64", "--print-gpu"});
  CHECK(printed.exit_code == 0);
  CHECK(without_comments(printed.out) ==
        without_comments(heddle({"gpus", "h100", "--set", "occupancy.warp_size=64"}).out));
  // vecadd has no branch that parts lanes: twice as many warps do the same work.
  const auto instructions = [](const std::string& lanes) {
    const Outcome run = heddle({"run", "traces/vecadd.yaml", "--gpu", "h100", "--param", "n=4096", "--format",
                                "json", "--warp-size", lanes});
    return Json::parse(run.out)["warp_instructions"].get<std::uint64_t>();
  };
  CHECK(instructions("16") == 2 * instructions("32"));
  CHECK(instructions("32") == 2 * instructions("64"));
  check_refused(
      {"run", "traces/vecadd.yaml", "--warp-size", "33"},
      "--warp-size 33: error: 'occupancy.warp_size' must be a power of two from 16 to 64; found '33'");
}

TEST_CASE("Every GPU has warps of 16, 32 and 64 lanes, and blocks that are no more than its warps") {
  for (const std::string& gpu : sim::available_gpus()) {
    CAPTURE(gpu);
    const Outcome outcome = heddle(
        {"run", "traces/vecadd.yaml", "--gpu", gpu, "--param", "n=512", "--sweep", "warp-size=16,32,64"});
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    REQUIRE(lines_of(outcome.out).size() > 5);
    CHECK(lines_of(outcome.out)[5].empty());
  }
}

TEST_CASE("A buffer that the host has just copied is found in L2, another one is not") {
  const launch::ScratchFolder folder;
  folder.write("vecadd.sass", contents_of(HEDDLE_SOURCE_DIR "/traces/vecadd.sass"));
  const auto dram_bytes = [&](const std::string& a, const std::string& b) {
    const std::string launch = folder.write("vecadd.yaml", fmt::format(R"(kernel: vecadd.sass
grid: 8
block: 128
params: {{a: a, b: b, c: c, n: 1024}}
buffers:
  a: {{type: f32, count: 1024, copied: {}}}
  b: {{type: f32, count: 1024, copied: {}}}
  c: {{type: f32, count: 1024}}
)",
                                                                       a, b));
    return Json::parse(json_report({launch}))["memory"]["dram_read_bytes"].get<std::uint64_t>();
  };
  CHECK(dram_bytes("false", "false") == 2 * 4096);
  CHECK(dram_bytes("true", "false") == 4096);
  CHECK(dram_bytes("true", "true") == 0);
}

TEST_CASE("Launch options reach the launch") {
  const Json report = Json::parse(json_report({"traces/vecadd.yaml", "--param", "n=2048", "--block", "128",
                                               "--registers", "64", "--shared", "4096"}));
  CHECK(report["grid"] == Json({16, 1, 1}));
  CHECK(report["block"] == Json({128, 1, 1}));
  CHECK(report["registers_per_thread"] == 64);
  CHECK(report["shared_bytes_per_block"] == 4096);
  // 16 KiB of shared memory hold three blocks of 4 KiB + 1 KiB; 16384 registers two of 128 x 64.
  CHECK(report["limiters"] == Json({"registers"}));
  CHECK(report["limits"]["shared"] == 3);
  CHECK(report["limits"]["registers"] == 2);
  CHECK(report["theoretical_occupancy"] == 0.5);
}

}  // namespace heddle::command
