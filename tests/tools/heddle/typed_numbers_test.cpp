// Numbers as people type them: each is read as it is meant, or refused; none is half read.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "isa/base/read_bytes.h"
#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tools/heddle/run/sweep.h"

namespace heddle::command {

namespace {

/// The elements that a run of vecadd had; nothing where the number was refused.
std::optional<std::string> elements_of(const std::string& n) {
  const Outcome outcome =
      heddle({"run", "traces/vecadd.yaml", "--gpu", "tiny", "--param", "n=" + n, "--format", "json"});
  if (outcome.exit_code == 2) return std::nullopt;
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const auto report = nlohmann::json::parse(outcome.out);
  return std::to_string(report["checks"]["compared"].get<int>());
}

}  // namespace

TEST_CASE("A count is read in each form that means one number, and refused in each that does not") {
  for (const auto& [text, value] : {std::pair("65536", 65536),
                                    {"0x100", 256},
                                    {"64K", 65536},
                                    {"64Ki", 65536},
                                    {"64 KiB", 65536},
                                    {"64k", 65536},
                                    {"2M", 2 << 20},
                                    {"1e6", 1'000'000},
                                    {"1.5e3", 1500},
                                    {"2.0", 2},
                                    {"0", 0}}) {
    INFO(text);
    CHECK(count_in(text) == static_cast<std::uint64_t>(value));
  }
  for (const char* text : {"65,536",
                           "65_536",
                           "65'536",
                           "65.536.000",
                           "",
                           "K",
                           "1.5",
                           "1.5K",
                           "-1",
                           "+5",
                           "64KK",
                           "64 K B",
                           "0x",
                           "1e400",
                           "1e-3",
                           "99999999999999999999",
                           "99999999999999999K",
                           "nan",
                           "inf",
                           " 5",
                           "5 5"}) {
    INFO(text);
    CHECK(count_in(text) == std::nullopt);
  }
}

TEST_CASE("A parameter of a launch is one number, however it is written") {
  CHECK(elements_of("1000") == "1000");
  CHECK(elements_of("1K") == "1024");
  CHECK(elements_of("1 KiB") == "1024");
  CHECK(elements_of("1e3") == "1000");
  CHECK(elements_of("2 * 500") == "1000");
  CHECK(elements_of("0x10") == "16");
  CHECK(elements_of(" 5 ") == "5");
  CHECK(elements_of("2 ^ 5") == "32");
  for (const char* text :
       {"1,024", "65,536", "1_024", "1'024", "1.024,5", "1 024", "1024, 2", "return 1, 2", "nil", "1K,2"}) {
    INFO(text);
    CHECK(elements_of(text) == std::nullopt);
  }
  check_refused({"run", "traces/vecadd.yaml", "--param", "n=65,536"}, "gives 2 values, not one number");
}

TEST_CASE("Launch files refuse what gives more or fewer values than one, everywhere") {
  const launch::ScratchFolder folder;
  folder.write("k.sass", ".kernel k\n.param data ptr\n.param n u32\n    EXIT\n");
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string text =
        "kernel: k.sass\nvalues: {n: 32}\ngrid: 1\nblock: 32\nparams: {data: data, n: n}\n"
        "buffers: {data: {type: f32, count: n, fill: {value: 1}}}\ncheck: [{buffer: data, equals: 1}]\n";
    REQUIRE(text.find(from) != std::string::npos);
    text.replace(text.find(from), from.size(), to);
    check_refused({"run", folder.write("l.yaml", text), "--gpu", "tiny"}, "gives 2 values, not one number");
  };
  refused("n: 32}", "n: '65,536'}");
  refused("grid: 1", "grid: '1,2'");
  refused("n: n}\n", "n: '1,024'}\n");
  refused("count: n", "count: '1,024'");
  refused("{value: 1}", "{value: '1,5'}");
  refused("equals: 1", "equals: '1,0'");
}

TEST_CASE("A sweep takes ranges, both ends in them") {
  const auto values = [](const std::string& sweep) {
    std::string text;
    for (const SweepPoint& point : sweep_points({sweep})) text += point.values[0].second + " ";
    return text;
  };
  CHECK(values("n=1000:1500:100") == "1000 1100 1200 1300 1400 1500 ");
  CHECK(values("n=1:4") == "1 2 3 4 ");
  CHECK(values("n=1:10:4") == "1 5 9 ");
  CHECK(values("n=8,1K:3K:1K,7:7") == "8 1024 2048 3072 7 ");
  for (const char* sweep :
       {"n=2:1", "n=1:2:0", "n=1:", "n=:2", "n=1:2:", "n=a:b", "n=1:2:3:4", "n=1.5:2", "n=0:999999"}) {
    INFO(sweep);
    CHECK_THROWS_AS(sweep_points({sweep}), UsageError);
  }
}

TEST_CASE("A GPU is found by its name in any case and spelling") {
  for (const char* name : {"H100", "h100", "H100-PCIe", "h100_pcie", "RTX 4090", "Rtx4090"}) {
    INFO(name);
    CHECK(heddle({"gpus", name}).exit_code == 0);
  }
  check_refused({"run", "traces/vecadd.yaml", "--gpu", "h10"}, "did you mean 'h100'?");
}

TEST_CASE("A share is a percentage or a fraction") {
  const auto target = [](const std::string& text) {
    const Outcome outcome =
        heddle({"occupancy", "--gpu", "a100", "--block", "256", "--target", text, "--format", "json"});
    if (outcome.exit_code != 0) return -1.0;
    return nlohmann::json::parse(outcome.out)["target"]["occupancy"].get<double>();
  };
  for (const char* text : {"75%", "75", "0.75", "75 %", "75.0"}) {
    INFO(text);
    CHECK(target(text) == Approx(0.75));
  }
  CHECK(target("1.0") == Approx(1));
  CHECK(target("1%") == Approx(0.01));
  CHECK(target("100") == Approx(1));
  for (const char* text : {"1", "75,0", "101", "-0.5", "0", "%", "three"}) {
    INFO(text);
    CHECK(target(text) == -1);
  }
}

TEST_CASE("A GPU file of another compute capability than its base has that one's limits, or is refused") {
  const launch::ScratchFolder folder;
  const std::string head = "extends: a100\nname: mine\ncompute_capability: \"8.6\"\n";
  const std::string file = folder.write("mine.yaml", head);
  check_refused({"run", "traces/vecadd.yaml", "--gpu", file}, "occupancy.max_warps 48 (extended: 64)");
  check_refused({"run", "traces/vecadd.yaml", "--gpu", file}, "occupancy.max_blocks 16 (extended: 32)");
  check_refused({"run", "traces/vecadd.yaml", "--gpu", "a100", "--set", "compute_capability=8.6"},
                "compute capability 8.6 has");
  const std::string stated = folder.write(
      "stated.yaml",
      head +
          "occupancy: {max_warps: 48, max_blocks: 16, shared_bytes: 100 KiB, shared_bytes_per_block: 99 KiB, "
          "carveouts: [0, 8 KiB, 16 KiB, 32 KiB, 64 KiB, 100 KiB]}\n");
  const Outcome outcome = heddle({"run", "traces/vecadd.yaml", "--gpu", stated, "--param", "n=64"});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  // What is changed on purpose stays possible.
  CHECK(heddle({"run", "traces/vecadd.yaml", "--param", "n=64", "--gpu", "a100", "--set",
                "occupancy.max_warps=128"})
            .exit_code == 0);
}

TEST_CASE("The count of active clusters says what it takes for granted") {
  const Outcome outcome =
      heddle({"occupancy", "--gpu", "h100", "--block", "384", "--regs", "168", "--cluster", "8"});
  CHECK(outcome.out.find("if its GPCs are alike") != std::string::npos);
  CHECK(outcome.out.find("cudaOccupancyMaxActiveClusters") != std::string::npos);
}

}  // namespace heddle::command
