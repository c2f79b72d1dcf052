// Numbers as people type them: each is read as it is meant, or refused; none is half read.
#include <fmt/format.h>

#include <algorithm>
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
  CHECK(values("n=1024:8192:*2") == "1024 2048 4096 8192 ");
  CHECK(values("n=3:100:*3") == "3 9 27 81 ");
  CHECK(values("n=18446744073709551614:18446744073709551615") ==
        "18446744073709551614 18446744073709551615 ");
  CHECK(values("n=9223372036854775808:18446744073709551615:*2") == "9223372036854775808 ");
  for (const char* sweep : {"n=0:8:*2", "n=1:8:*1", "n=1:8:*0", "n=1:8:*", "n=1:8:2*", "n=0:10000"}) {
    INFO(sweep);
    CHECK_THROWS_AS(sweep_points({sweep}), UsageError);
  }
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
  // Products with 100 that are no whole numbers in binary: a carve-out takes whole percentages only.
  for (int percent = 2; percent < 100; ++percent) {
    const std::string share = fmt::format("0.{:02}", percent);
    INFO(share);
    CHECK(heddle({"occupancy", "--gpu", "h100", "--block", "128", "--carveout", share}).exit_code == 0);
  }
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

TEST_CASE(
    "A compute capability is written as 8.6 or refused, so that none goes on with another one's limits") {
  const auto refused = [](const std::string& version, const std::string& message) {
    check_refused({"run", "traces/vecadd.yaml", "--gpu", "a100", "--set", "compute_capability=" + version},
                  message);
  };
  for (const char* version : {"sm_86", "86", "compute_86"}) refused(version, "must be written '8.6'");
  for (const char* version : {"8.60", "13.0", "8,6", "9.0a", "sm_860"})
    refused(version, "are not known; known are 5.0");
  // A GPU that is none of NVIDIA's has none.
  CHECK(heddle({"run", "traces/vecadd.yaml", "--gpu", "a100", "--param", "n=64", "--set",
                "compute_capability=mine"})
            .exit_code == 0);
}

TEST_CASE("Every option and key that takes a size or a count reads units, or refuses all of it") {
  const auto code = [](Arguments arguments) {
    for (const char* more : {"run", "traces/vecadd.yaml", "--gpu", "tiny", "-q"})
      arguments.emplace_back(more);
    std::rotate(arguments.begin(), arguments.end() - 5, arguments.end());
    return heddle(arguments).exit_code;
  };
  for (const auto& [option, right] : {std::pair("--max-cycles", "1M"),
                                      {"--timeline", "0:1e2"},
                                      {"--timeline", "1K:2K"},
                                      {"--shared", "1K"},
                                      {"--shared", "1e3"},
                                      {"--registers", "0x20"},
                                      {"--set", "l1.latency=0.1K"},
                                      {"--set", "dram.latency=1e3"},
                                      {"--set", "dram.latency=1K"}}) {
    INFO(option << ' ' << right);
    const bool is_fraction = std::string_view(right).ends_with("0.1K");
    CHECK(code({option, right, "--param", "n=64"}) == (is_fraction ? 2 : 0));
  }
  for (const char* option : {"--max-cycles", "--grid", "--block", "--sms", "--threads", "--shared",
                             "--registers", "--timeline-sm"}) {
    for (const char* wrong : {"1,024", "1_024", "1'024", "1 024", "+5", "-5", " 5", "5 ", "1.5", "5x", "0b1",
                              "K", "5KK", "1e-1", "1e99", "99999999999999999999", "0x", "5%", ""}) {
      INFO(option << " '" << wrong << '\'');
      CHECK(code({option, wrong, "--timeline", "0:10"}) == 2);
    }
  }
}

TEST_CASE("What Lua would take for a comment is not left unread") {
  for (const char* text : {"n=5--3", "n=64 -- threads", "n=--64"}) {
    INFO(text);
    check_refused({"run", "traces/vecadd.yaml", "--gpu", "tiny", "--param", text}, "begins a comment");
  }
  CHECK(elements_of("61 - -3") == "64");
}

TEST_CASE("A misspelt parameter gets its nearest") {
  check_refused({"run", "traces/vecadd.yaml", "--gpu", "tiny", "--param", "blok=64"},
                "did you mean 'block'?");
  check_refused({"run", "traces/vecadd.yaml", "--gpu", "tiny", "--sweep", "blok=64,128"},
                "did you mean 'block'?");
}

TEST_CASE("The count of active clusters says what it takes for granted") {
  const Outcome outcome =
      heddle({"occupancy", "--gpu", "h100", "--block", "384", "--regs", "168", "--cluster", "8"});
  CHECK(outcome.out.find("if its GPCs") != std::string::npos);
  CHECK(outcome.out.find("cudaOccupancyMaxActiveClusters") != std::string::npos);
}

}  // namespace heddle::command
