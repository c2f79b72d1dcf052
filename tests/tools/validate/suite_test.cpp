// What suites mean, and what is said of those that mean nothing.
#include "tools/validate/suite.h"

#include "tests/support/catch.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::validate {

namespace {

using launch::check_says;
using launch::message_of;
using launch::ScratchFolder;
using Texts = std::vector<std::string>;

constexpr std::string_view kHead = R"(group: V0
title: Chains
source: by hand
gpu: tiny
set: [sm.scheduler=lrr]
values: {links: 8, warps: links // 2}
tolerance: 0.05
unit: cycles
runs:
  run: {launch: chain.yaml, params: {n: links * warps}}
simulated: run.cycles / links
cases:
)";

Group load(const ScratchFolder& folder, const std::string& cases, std::string_view head = kHead) {
  return load_suite(folder.write("suite.yaml", std::string(head) + cases));
}

TEST_CASE("A case has what its suite says, or its own") {
  const ScratchFolder folder;
  const Group group = load(folder, R"(
  - {name: one, measured: 4}
  - name: two
    values: {links: 10}
    gpu: h100
    set: [l1.latency=40]
    tolerance: 0.2
    unit: us
    measured: links / 4
    deviates: it is old
)");
  CHECK(group.name == "V0");
  CHECK(group.source == "by hand");
  REQUIRE(group.cases.size() == 2);
  const Case& one = group.cases[0];
  CHECK(one.gpu == "tiny");
  CHECK(one.measured == 4);
  CHECK(one.tolerance == 0.05);
  CHECK(one.unit == "cycles");
  CHECK_FALSE(one.deviates);
  REQUIRE(one.runs.size() == 1);
  CHECK(one.runs[0].launch == folder.path("chain.yaml"));
  CHECK(one.runs[0].params == Overrides{"n=32"});
  CHECK(one.runs[0].settings == Overrides{"sm.scheduler=lrr"});
  const Case& two = group.cases[1];
  CHECK(two.gpu == "h100");
  CHECK(two.measured == 2.5);
  CHECK(two.tolerance == 0.2);
  CHECK(two.deviates == "it is old");
  CHECK(two.runs[0].params == Overrides{"n=50"});  // 10 * (10 // 2): values follow from the case's own
  CHECK(two.runs[0].settings == Overrides{"sm.scheduler=lrr", "l1.latency=40"});
}

TEST_CASE("A row's measured value goes before the suite's, and a case's own before it") {
  const ScratchFolder folder;
  const std::string head = "measured: 111\n" + std::string(kHead);
  const Group group = load(folder, R"(
  - name: row
    columns: [links, measured]
    rows: [[4, 333]]
  - name: own
    measured: 444
    columns: [links, measured]
    rows: [[4, 333]]
  - {name: suite}
)",
                           head);
  REQUIRE(group.cases.size() == 3);
  CHECK(group.cases[0].measured == 333);
  CHECK(group.cases[1].measured == 444);
  CHECK(group.cases[2].measured == 111);
}

TEST_CASE("A table is a case for each of its rows") {
  const ScratchFolder folder;
  const Group group = load(folder, R"(
  - name: "{links} links on {where}"
    gpu: "{where}"
    columns: [where, links, measured]
    rows: [[tiny, 4, 1.5], [h100, 16, 3]]
    deviates:
      - {where: {links: [15, 16.0]}, why: many}
      - {where: {where: h100}, why: too late}
)");
  REQUIRE(group.cases.size() == 2);
  CHECK(group.cases[0].name == "4 links on tiny");
  CHECK(group.cases[0].gpu == "tiny");
  CHECK(group.cases[0].measured == 1.5);
  CHECK_FALSE(group.cases[0].deviates);
  CHECK(group.cases[0].runs[0].params == Overrides{"n=8"});
  CHECK(group.cases[1].gpu == "h100");
  CHECK(group.cases[1].deviates == "many");
  CHECK(group.cases[1].runs[0].params == Overrides{"n=128"});
}

TEST_CASE("A reason for the deviation of no case at all is an error") {
  const ScratchFolder folder;
  const std::string message = message_of([&] {
    load(folder, R"(
  - name: "{links} links"
    columns: [links, measured]
    rows: [[4, 1.5], [16, 3]]
    deviates:
      - {where: {links: 16}, why: many}
      - {where: {links: 17}, why: stale}
)");
  });
  check_says(message, "error: no case has these values");
  CHECK(message.find("suite.yaml:") != std::string::npos);
  CHECK(message.find("error:") == message.rfind("error:"));
  const std::string on_one_line = message_of([&] {
    load(folder, R"(
  - name: "{links} links"
    columns: [links, measured]
    rows: [[4, 1.5], [16, 3]]
    deviates: [{where: {links: 16}, why: many}, {where: {links: 17}, why: stale}]
)");
  });
  check_says(on_one_line, "error: no case has these values");
}

TEST_CASE("A row's own reason goes before that of the list, which is for it all the same") {
  const ScratchFolder folder;
  const Group group = load(folder, R"(
  - name: "{links} links"
    columns: [links, measured, deviates]
    rows: [[4, 1.5, its own], [16, 3, ""]]
    deviates: [{where: {links: 4}, why: of the list}]
)");
  REQUIRE(group.cases.size() == 2);
  CHECK(group.cases[0].deviates == "its own");
  CHECK_FALSE(group.cases[1].deviates);
}

TEST_CASE("A table can be the rows of a CSV file that hold what is asked for") {
  const ScratchFolder folder;
  folder.write("measured.csv",
               "# comment\nkernel,parameters,cycles\ngemm,size=32;block=8,10\natax,size=64,20\nempty,,5\n");
  const Group group = load(folder, R"(
  - name: "{kernel} {size}"
    csv: measured.csv
    where: {kernel: [gemm, atax]}
    values: {links: size}
    measured: 2 * cycles
  - {name: small, csv: measured.csv, where: {kernel: gemm, size: 32}, measured: cycles}
)");
  REQUIRE(group.cases.size() == 3);
  CHECK(group.cases[0].name == "gemm 32");
  CHECK(group.cases[0].measured == 20);
  CHECK(group.cases[0].runs[0].params == Overrides{"n=512"});
  CHECK(group.cases[1].name == "atax 64");
  CHECK(group.cases[1].measured == 40);
  CHECK(group.cases[2].measured == 10);
}

TEST_CASE("A run can be made for each of several numbers") {
  const ScratchFolder folder;
  const Group group = load(folder, R"(
  - name: search
    measured: 12
    runs:
      at: {launch: chain.yaml, params: {n: 2 * w}, each: {w: [1, 8]}, set: [sms=1]}
    simulated: at[8].cycles
)");
  REQUIRE(group.cases.at(0).runs.size() == 2);
  CHECK(group.cases[0].runs[0].name == "at.1");
  CHECK(group.cases[0].runs[0].params == Overrides{"n=2"});
  CHECK(group.cases[0].runs[1].name == "at.8");
  CHECK(group.cases[0].runs[1].params == Overrides{"n=16"});
  CHECK(group.cases[0].runs[1].settings == Overrides{"sm.scheduler=lrr", "sms=1"});
}

TEST_CASE("All mistakes of a suite are told at once, each at its place and once") {
  const ScratchFolder folder;
  folder.write("measured.csv", "kernel,cycles\ngemm,10\n");
  folder.write("same.csv", "measured,n,measured\n1,2,3\n");
  const std::string message = message_of([&] {
    load(folder, R"(
  - {name: no measured}
  - {name: zero, measured: 0}
  - {name: "{linx} links", measured: 1, colour: red}
  - {name: syntax, measured: 1, simulated: "run.cycles /"}
  - {name: value, measured: lynx + 1}
  - {name: table, columns: [links, measured], rows: [[1, 2], [3]]}
  - {name: csv, csv: measured.csv, where: {colonel: gemm}}
  - {name: none, csv: measured.csv, where: {kernel: atax}}
  - {name: runs, measured: 1, runs: {links: {launch: chain.yaml}, b: {lunch: chain.yaml}}}
  - {name: same, columns: [n, n, measured], rows: [[1, 2, 3]]}
  - {name: same csv, csv: same.csv}
  - {name: twice, columns: [n, measured], rows: [[1, 2], [3, 4]], tolerance: -1}
)");
  });
  for (const char* fragment :
       {"suite.yaml:14:5: error: neither this case nor its suite has 'measured', nor is it a column",
        "suite.yaml:15:5: error: what was measured must be a number above 0; found '0'",
        "suite.yaml:16:12: error: there is no column or value 'linx'; did you mean 'links'?",
        "unknown key 'colour'",
        "suite.yaml:17:44: error: 'simulated': ", "'lynx' is no value, buffer or function here",
        "suite.yaml:19:", "a list with a cell for each column, 2",
        "there is no column or value 'colonel'; known are 'kernel', 'cycles'", "no row of ",
        "'links' cannot be the name of a run here", "unknown key 'lunch'",
        "suite.yaml:23:27: error: there are two columns 'n'",
        "same.csv: error: there are two columns 'measured'", "'cases[11].tolerance' must be"}) {
    check_says(message, fragment);
  }
  CHECK(message.find("cases[11].tolerance") == message.rfind("cases[11].tolerance"));
}

TEST_CASE("A run may be a loop that is made for it") {
  const ScratchFolder folder;
  const Group group = load(folder, R"(
  - name: one
    measured: 4
    columns: [op]
    rows: [[FADD]]
    runs:
      run: {loop: {declare: .shared words 128, before: "MOV R44, 0x4; MOV R45, R44", step: "{op} $x, $x, $a; LDS $t3, [R44]", steps: 3, rounds: links * 2, chains: 2, warps: warps}}
)");
  REQUIRE(group.cases.size() == 1);
  REQUIRE(group.cases[0].runs[0].kernel);
  const MadeKernel& kernel = *group.cases[0].runs[0].kernel;
  CHECK(kernel.threads == 128);  // links / 2 warps
  check_says(kernel.text, ".kernel loop\n    .shared words 128\n");
  check_says(kernel.text, "    MOV R44, 0x4\n    MOV R45, R44\n    MOV R0, 0x10\nrounds:\n");
  // By turns on two chains, each with four registers for a value and four beside it.
  check_says(kernel.text,
             "    FADD R12, R12, R4\n    LDS R31, [R44]\n    FADD R16, R16, R4\n    LDS R35, [R44]\n"
             "    FADD R12, R12, R4\n    LDS R31, [R44]\n    IADD3 R0");
}

TEST_CASE("What is wrong with a loop is told at its place, once") {
  const ScratchFolder folder;
  const std::string message = message_of([&] {
    load(folder, R"(
  - {name: op, measured: 1, runs: {run: {loop: {step: "FOO $x, $x", steps: 4, rounds: 1, chains: 1, warps: 1}}}}
  - {name: chains, measured: 1, runs: {run: {loop: {step: "FADD $x, $x, $a", steps: 4, rounds: 1, chains: 5, warps: 33}}}}
  - {name: both, measured: 1, runs: {run: {launch: a.yaml, loop: {step: "FADD $x, $x, $a", steps: 4, rounds: 1, chains: 1, warps: 1}}}}
  - {figure: latency.FFMA}
)");
  });
  for (const char* fragment :
       {"suite.yaml:14:48: error: 'FOO $x, $x': ", "'cases[1].runs.run.loop.chains': must be",
        "'cases[1].runs.run.loop.warps': must be", "a run with 'loop' has neither 'launch' nor 'params'",
        "'figure' is for suites of the measuring kit"}) {
    check_says(message, fragment);
  }
}

TEST_CASE("A suite that comes to more than any machine holds is refused at the place where it does") {
  const ScratchFolder folder;
  const auto message = [&](const std::string& cases) { return message_of([&] { load(folder, cases); }); };
  const auto numbers = [](std::size_t count, const std::string& one) {
    std::string list;
    for (std::size_t i = 0; i < count; ++i) list += (i == 0 ? "" : ", ") + one;
    return "[" + list + "]";
  };
  const std::string rows = "columns: [w], rows: " + numbers(300, "[1]");
  check_says(message("  - {name: a, measured: 1, columns: [w], rows: " + numbers(20'001, "[1]") + "}\n"),
             "here the suite comes to more than 20000 cases");
  check_says(message("  - {name: a, measured: 1, " + rows +
                     ", runs: {run: {launch: c.yaml, each: {k: " + numbers(1000, "1") + "}}}}\n"),
             "here the suite comes to more than 200000 runs");
  std::string name;
  for (int i = 0; i < 10'000; ++i) name += "{x}";
  check_says(message("  - {name: \"" + name + "\", measured: 1, columns: [x], rows: [[" +
                     std::string(100'000, 'x') + "]]}\n"),
             "here the suite comes to more than 268435456 bytes of text");
  std::string step;
  for (int i = 0; i < 500; ++i) step += "NOP; ";
  check_says(message("  - {name: a, measured: 1, " + rows + ", runs: {run: {loop: {step: \"" + step +
                     "\", steps: 4096, rounds: 1, chains: 1, warps: 1}}}}\n"),
             "here the suite comes to more than 268435456 bytes of text");
}

TEST_CASE("A figure of the measuring kit is a case for each point at which it was measured") {
  const ScratchFolder folder;
  const MeasuredFigures figures{{{"load", {{"bytes", 4}, {"stride", 2}}, 2.5, "us"},
                                 {"load", {{"bytes", 8}, {"stride", 2}}, 5, "us"},
                                 {"load", {{"bytes", 4}, {"stride", 3}}, 0, "us"},
                                 {"other", {}, 1, "us"}},
                                {{"sms", "7"}}};
  const Group group = load_suite(folder.write("suite.yaml", R"(group: V0
title: Loads
source: by hand
gpu: tiny
unit: "{unit}"
not_compared: {other: it is another}
simulated: run.cycles
runs: {run: {launch: "{what}_{bytes}.yaml", params: {n: stride * sms}}}
cases:
  - {figure: "{what}", columns: [what, bytes], rows: [[load, 4]]}
)"),
                                 &figures);
  REQUIRE(group.cases.size() == 1);  // stride 3 came out as nothing
  const Case& one = group.cases[0];
  CHECK(one.name == "load, bytes 4, stride 2");
  CHECK(one.measured == 2.5);
  CHECK(one.unit == "us");
  CHECK_FALSE(one.tolerance);
  CHECK(one.runs[0].launch == folder.path("load_4.yaml"));
  CHECK(one.runs[0].params == Overrides{"n=14"});
  CHECK(group.not_compared == std::vector<std::pair<std::string, std::string>>{{"other", "it is another"}});
  CHECK(group.left_out.empty());
}

TEST_CASE(
    "A figure in another unit than the suite's, or at a point that makes no case, is left out by itself") {
  const ScratchFolder folder;
  const MeasuredFigures figures{{{"load", {{"warps", 1}}, 2.5, "cycles"},
                                 {"load", {{"warps", 2}}, 2.5, "us"},
                                 {"load", {{"warps", 99}}, 2.5, "cycles"}},
                                {}};
  const Group group = load_suite(folder.write("suite.yaml", R"(group: V0
title: Loads
source: by hand
gpu: tiny
unit: cycles
simulated: run.cycles
runs: {run: {loop: {step: "FADD $x, $x, $a", steps: 1, rounds: 1, chains: 1, warps: warps}}}
cases:
  - {figure: load}
)"),
                                 &figures);
  REQUIRE(group.cases.size() == 1);
  CHECK(group.cases[0].name == "load, warps 1");
  REQUIRE(group.left_out.size() == 2);
  CHECK(group.left_out[0].first == "load, warps 2");
  CHECK(group.left_out[0].second == "it was measured in 'us', and is simulated in 'cycles'");
  CHECK(group.left_out[1].first == "load, warps 99");
  check_says(group.left_out[1].second, "'runs.run.loop.warps': must be a whole number from 1 to 32");
}

TEST_CASE("A suite says what its group is, and has cases") {
  const ScratchFolder folder;
  const std::string message = message_of([&] { load(folder, "  []\n", "group: V0\ncases:\n"); });
  check_says(message, "'title' is missing");
  check_says(message, "'source' is missing");
  check_says(message, "a suite has at least one case");
  check_says(
      message_of([&] { load(folder, "  - {name: one}\n", "group: a\ntitle: b\nsource: c\ncases:\n"); }),
      "neither this case nor its suite has 'gpu'");
  check_says(message_of([] { load_suite("nowhere.yaml"); }), "nowhere.yaml: error: no such file");
}

}  // namespace

}  // namespace heddle::validate
