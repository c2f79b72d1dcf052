// `heddle validate --measured` with the microbenchmarks of the measuring kit: the simulated figures are what
// the GPU file says, and every figure that the kit writes is compared, or named with the reason.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <regex>

#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {

namespace {

using ir::TimingClass;
using launch::check_says;
using launch::ScratchFolder;
using Json = nlohmann::json;

Json figure(const std::string& name, double value, const std::string& unit = "cycles",
            Json at = Json::object()) {
  Json one = {{"name", name}, {"value", value}, {"unit", unit}};
  if (!at.empty()) one["at"] = std::move(at);
  return one;
}

Json measured_by_kit(const Json& figures) {
  return {{"format", "heddle-measured-1"},
          {"device", {{"name", "NVIDIA H100 PCIe"}, {"compute_capability", "9.0"}, {"sms", 114}}},
          {"kernels", Json::array()},
          {"microbenchmarks", figures}};
}

/// The report for these figures.
Json compared(const Json& figures, std::vector<std::string> options = {}) {
  const ScratchFolder folder;
  options.insert(options.begin(),
                 {"validate", "--measured", folder.write("m.json", measured_by_kit(figures).dump()),
                  "--format", "json"});
  const Outcome outcome = heddle(options);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return Json::parse(outcome.out);
}

/// By the names of their cases.
std::map<std::string, Json> cases_of(const Json& report) {
  std::map<std::string, Json> cases;
  for (const Json& group : report["groups"]) {
    for (const Json& one : group["cases"]) cases[one["name"]] = one;
  }
  return cases;
}

std::uint32_t latency(const sim::GpuSpec& spec, TimingClass which) { return spec.sm.timing(which).latency; }

}  // namespace

TEST_CASE("Latencies that the kit measures are those of the GPU file") {
  const sim::GpuSpec spec = sim::load_gpu("h100-pcie");
  const std::uint32_t fp32 = latency(spec, TimingClass::Fp32);
  const std::uint32_t xu = latency(spec, TimingClass::SpecialFunction);
  const std::pair<const char*, std::uint32_t> expected[] = {
      {"FFMA", fp32},
      {"DADD", latency(spec, TimingClass::Fp64)},
      {"HFMA2", latency(spec, TimingClass::Fp16)},
      {"MUFU.RSQ", xu},
      {"MUFU.RCP+FADD", xu + fp32 + spec.sm.bypass.special},
      {"IADD3", latency(spec, TimingClass::Alu)},
      {"IMNMX", latency(spec, TimingClass::Alu)},  // of two instructions, each
      {"IMAD.WIDE", latency(spec, TimingClass::ImadWide) + spec.sm.bypass.wide},
      {"SHFL", latency(spec, TimingClass::Shuffle)},
      {"REDUX+MOV",
       latency(spec, TimingClass::Shuffle) + latency(spec, TimingClass::Alu) + spec.sm.bypass.memory},
      {"HMMA.16816.F32", latency(spec, TimingClass::Tensor16816F32)},
      {"LDS", latency(spec, TimingClass::LoadShared)},
      {"LDC", latency(spec, TimingClass::LoadConstant)},
      {"L1", spec.l1.latency},
      {"L2", spec.l2.latency}};
  Json figures = Json::array();
  for (const auto& [name, cycles] : expected)
    figures.push_back(figure(fmt::format("latency.{}", name), cycles));
  const Json report = compared(figures);
  std::map<std::string, Json> cases = cases_of(report);
  CHECK(cases.size() == std::size(expected));
  for (const auto& [name, one] : cases) {
    INFO(name);
    CHECK(one["gpu"] == "h100-pcie");
    CHECK(one["error"].get<double>() == Approx(0).margin(1e-9));
  }
  CHECK(report["not_compared"].empty());
  check_says(report["groups"][0]["source"], "measured on NVIDIA H100 PCIe (compute capability 9.0, 114 SMs)");
}

TEST_CASE(
    "Another latency in a copy of the GPU file moves the error of its microbenchmark, and of no other") {
  const ScratchFolder folder;
  const Outcome printed = heddle({"gpus", "h100-pcie", "--set", "sm.instructions.fp32.latency=9"});
  REQUIRE(printed.exit_code == 0);
  const std::string copy = folder.write("copy.yaml", printed.out);
  const Json figures = {figure("latency.FADD", 3), figure("latency.DMUL", 5)};
  std::map<std::string, Json> before = cases_of(compared(figures));
  std::map<std::string, Json> after = cases_of(compared(figures, {"--gpu", copy}));
  const std::uint32_t fp32 = latency(sim::load_gpu("h100-pcie"), TimingClass::Fp32);
  CHECK(before["latency.FADD"]["error"].get<double>() == Approx(fp32 / 3.0 - 1));
  CHECK(after["latency.FADD"]["error"].get<double>() == Approx(9 / 3.0 - 1));
  CHECK(after["latency.DMUL"]["simulated"] == before["latency.DMUL"]["simulated"]);
}

TEST_CASE("Curves of the kit are compared point by point") {
  // A pass for each of the words that lie in one bank; of 8 bytes, half a warp in a pass.
  Json figures = Json::array();
  for (const unsigned stride : {1U, 2U, 8U, 32U, 33U}) {
    figures.push_back(
        figure("shared.load", std::gcd(stride, 32U), "cycles", {{"bytes", 4}, {"stride", stride}}));
  }
  figures.push_back(figure("shared.load", 2, "cycles", {{"bytes", 8}, {"stride", 1}}));
  // A line of 128 bytes, or as many as a warp touches in the same bank of tags.
  figures.push_back(figure("l1.load", 1, "cycles", {{"bytes", 4}, {"stride", 1}}));
  figures.push_back(figure("l1.load", 32, "cycles", {{"bytes", 4}, {"stride", 32}}));
  // A half of the SM's FMA lanes with one warp in each sub-partition, all of them with two chains of 16
  // warps.
  figures.push_back(figure("saturate.FFMA", 128, "threads/cycle", {{"warps", 16}, {"chains", 2}}));
  figures.push_back(figure("saturate.FFMA", 32, "threads/cycle", {{"warps", 4}, {"chains", 1}}));
  figures.push_back(figure("interval.MUFU.RSQ", 8));
  figures.push_back(figure("interval.DFMA", 2));
  // Greedy-then-oldest leaves the memory queue without work at times.
  const std::map<std::string, Json> cases = cases_of(compared(figures, {"--set", "sm.scheduler=lrr"}));
  CHECK(cases.size() == figures.size());
  for (const auto& [name, one] : cases) {
    INFO(name << ": " << one["simulated"]);
    CHECK(std::abs(one["error"].get<double>()) < 0.03);
  }
}

TEST_CASE("Paths take time one after another, and same addresses one lane after another") {
  Json figures = Json::array();
  for (const unsigned paths : {8U, 16U, 32U})
    figures.push_back(figure("paths", 1, "cycles", {{"paths", paths}}));
  for (const unsigned words : {1U, 2U, 32U}) {
    figures.push_back(figure("atomics.shared", 1, "cycles", {{"addresses", words}}));
  }
  std::map<std::string, Json> cases = cases_of(compared(figures));
  const auto cycles = [&](const std::string& name) { return cases[name]["simulated"].get<double>(); };
  CHECK(cycles("paths, paths 32") - cycles("paths, paths 16") ==
        Approx(2 * (cycles("paths, paths 16") - cycles("paths, paths 8"))));
  // Sixteen more paths of sixteen multiply-adds of 4 cycles each, less what all of them take anyway.
  CHECK(cycles("paths, paths 32") - cycles("paths, paths 16") >= 16 * (15 * 4));
  CHECK(cycles("atomics.shared, addresses 1") > 1.9 * cycles("atomics.shared, addresses 2"));
  CHECK(cycles("atomics.shared, addresses 2") > 10 * cycles("atomics.shared, addresses 32"));
}

TEST_CASE("Figures without a counterpart are named, with the reason") {
  const Json report =
      compared({figure("launch.next", 2, "us"), figure("latency.MUFU.TANH", 20), figure("colour", 3),
                figure("latency.FFMA", 0), figure("latency.HMMA.1688.F32", 20), figure("latency.IADD3", 6)},
               {"--gpu", "p100"});
  CHECK(cases_of(report).size() == 1);
  const Json& reasons = report["not_compared"];
  REQUIRE(reasons.size() == 5);
  check_says(reasons[0], "launch.next: what the host and the driver take");
  check_says(reasons[1], "latency.MUFU.TANH: the instruction table has no MUFU.TANH");
  check_says(reasons[2], "colour: no suite of ");
  check_says(reasons[3], "latency.FFMA: 0 cycles was measured");
  check_says(reasons[4], "latency.HMMA.1688.F32: ");  // no tensor cores on a P100
}

TEST_CASE("Figures in another unit, or at a point that cannot be simulated, are left out, with the reason") {
  const Json report = compared(
      {figure("latency.FFMA", 4, "us"), figure("barrier", 30, "cycles", {{"warps", 8}}),
       figure("barrier", 30, "furlong", {{"warps", 8}}), figure("barrier", 30, "cycles", {{"warps", 0}})});
  CHECK(cases_of(report).size() == 1);
  CHECK(report["groups"][0]["cases"].size() == 1);
  const Json& reasons = report["not_compared"];
  REQUIRE(reasons.size() == 3);
  check_says(reasons[0], "barrier, warps 8: it was measured in 'furlong', and is simulated in 'cycles'");
  check_says(reasons[1], "barrier, warps 0: there is no such case: 'runs.near_short.loop.warps': must be");
  check_says(reasons[2], "latency.FFMA: it was measured in 'us', and is simulated in 'cycles'");
}

TEST_CASE("A point that its launch cannot take leaves out that figure alone") {
  const Json report = compared({figure("latency.FFMA", 4),
                                figure("shared.load", 2, "cycles", {{"bytes", 8}, {"stride", 1e308}}),
                                figure("shared.load", 2, "cycles", {{"bytes", 1}, {"stride", 2}})});
  CHECK(cases_of(report).size() == 1);
  const Json& reasons = report["not_compared"];
  REQUIRE(reasons.size() == 2);
  check_says(reasons[0].get<std::string>() + reasons[1].get<std::string>(),
             "'params.stride': 1e+308 does not fit u32");
  check_says(reasons[0].get<std::string>() + reasons[1].get<std::string>(), "no such file");
}

TEST_CASE("A filter chooses among measured figures and metrics") {
  const Json figures = {figure("latency.FFMA", 4), figure("interval.FFMA", 1),
                        figure("launch.next", 2, "us")};
  const Json report = compared(figures, {"--filter", "interval"});
  REQUIRE(report["groups"].size() == 1);
  CHECK(report["groups"][0]["cases"].size() == 1);
  CHECK(report["not_compared"].empty());
}

TEST_CASE("Every operation that the kit times is in the suites, or they say why not") {
  const std::regex operation("measure_pipe<.*>\\(bench, \"([^\"]+)\"\\)");
  Json figures = Json::array();
  for (const char* file : {"float_pipes.cu", "integer_pipes.cu", "other_pipes.cu"}) {
    const std::string text = contents_of(fmt::format("{}/tools/hardware/micro/{}", HEDDLE_SOURCE_DIR, file));
    for (std::sregex_iterator it(text.begin(), text.end(), operation); it != std::sregex_iterator(); ++it) {
      figures.push_back(figure(fmt::format("latency.{}", (*it)[1].str()), 1));
      figures.push_back(figure(fmt::format("interval.{}", (*it)[1].str()), 1));
    }
  }
  REQUIRE(figures.size() > 60);
  const Json report = compared(figures);
  CHECK(cases_of(report).size() + report["not_compared"].size() == figures.size());
  for (const Json& reason : report["not_compared"]) {
    check_says(reason, "the instruction table has no ");
  }
}

}  // namespace heddle::command
