// Files of measured kernels: those of the measuring kit, and reports of Nsight Compute.
#include <fmt/format.h>

#include <algorithm>

#include "isa/base/cpp_name.h"
#include "tests/support/catch.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tools/validate/measured_kernel.h"

namespace heddle::validate {

namespace {

using launch::check_says;
using launch::message_of;
using launch::ScratchFolder;

double metric(const MeasuredKernel& kernel, const char* key) {
  for (const auto& [known, value] : kernel.metrics) {
    if (known->key == key) return value;
  }
  FAIL("there is no " << key);
  return 0;
}

constexpr std::string_view kMeasured = R"({
  "format": "heddle-measured-1",
  "device": {"name": "NVIDIA H100 PCIe", "compute_capability": "9.0", "sms": 114, "clock_mhz": 1755},
  "left_out": ["hgemm_warpgroup: needs compute capability 9.0"],
  "kernels": [
    {"name": "vecadd", "launch": "vecadd", "params": {"n": 65536, "block": 256}, "grid": [256, 1, 1],
     "block": [256, 1, 1], "registers": 10, "shared_bytes": 0, "checked": true,
     "metrics": {"duration_us": 4.2, "achieved_occupancy": 0.2, "stall_long_scoreboard": 60.1, "colour": 3}}
  ],
  "microbenchmarks": [
    {"name": "latency.FFMA", "value": 4.0, "unit": "cycles"},
    {"name": "shared.load", "at": {"bytes": 8, "stride": 2}, "value": 2.5, "unit": "cycles"},
    {"name": "launch.next", "value": null, "unit": "us"}
  ]
})";

TEST_CASE("A file of the measuring kit is read: device, launches, metrics, and what is left out") {
  const ScratchFolder folder;
  const MeasuredKernels measured = load_measured(folder.write("measured.json", kMeasured));
  CHECK(measured.device.name == "NVIDIA H100 PCIe");
  CHECK(measured.device.compute_capability == "9.0");
  CHECK(measured.device.sms == 114U);
  REQUIRE(measured.kernels.size() == 1);
  const MeasuredKernel& kernel = measured.kernels[0];
  CHECK(kernel.launch == "vecadd");
  CHECK(kernel.params == Overrides{"block=256", "n=65536"});
  REQUIRE(kernel.grid);
  CHECK(kernel.grid->x == 256);
  CHECK(kernel.registers == 10U);
  CHECK(kernel.metrics.size() == 3);
  CHECK(metric(kernel, "duration_us") == 4.2);
  CHECK(metric(kernel, "achieved_occupancy") == 0.2);
  CHECK(metric(kernel, "stall_long_scoreboard") == 60.1);
  REQUIRE(measured.figures.size() == 2);
  CHECK(full_name(measured.figures[0]) == "latency.FFMA");
  CHECK(full_name(measured.figures[1]) == "shared.load, bytes 8, stride 2");
  CHECK(measured.figures[1].value == 2.5);
  CHECK(measured.figures[1].unit == "cycles");
  CHECK(measured.not_compared ==
        std::vector<std::string>{"vecadd, colour: the model has no such figure",
                                 "launch.next: it came out as no number",
                                 "hgemm_warpgroup: needs compute capability 9.0 (not measured)"});
}

TEST_CASE("What is missing or of another kind in a measured file is told with its path, all at once") {
  const ScratchFolder folder;
  const auto message = [&](std::string_view text) {
    return message_of([&] { load_measured(folder.write("m.json", text)); });
  };
  check_says(message("{\n\"format\": \n}"), "m.json:3: error: not valid JSON");
  check_says(message("[]"), "'format' is missing");
  check_says(message(R"({"format": "other"})"), "'format' must be 'heddle-measured-1'; found 'other'");
  const std::string several = message(
      R"({"format": "heddle-measured-1", "device": {"name": 3}, "kernels": [{"name": "a", "grid": [1, 2]}]})");
  for (const char* fragment :
       {"'device.name' must be text; found 3", "'device.sms' is missing", "'kernels[0].launch' is missing",
        "'kernels[0].grid' must be a list of three whole numbers; found [1,2]"}) {
    check_says(several, fragment);
  }
  const std::string deep(100'000, '[');
  check_says(message(fmt::format(R"({{"format": {}{}}})", deep, std::string(deep.size(), ']'))),
             "'format' must be text; found array");
  const auto with = [&](std::string_view piece, std::string_view other) {
    std::string text(kMeasured);
    return message(text.replace(text.find(piece), piece.size(), other));
  };
  check_says(with("microbenchmarks", "microbenchmark"),
             "unknown key 'microbenchmark'; did you mean 'microbenchmarks'?");
  check_says(with("metrics", "metric"), "unknown key 'kernels[0].metric'; did you mean 'metrics'?");
  check_says(with("\"at\"", "\"where\""), "unknown key 'microbenchmarks[1].where'; known are 'name', 'at'");
  check_says(with("4.2,", R"("4.2",)"), R"('kernels[0].metrics.duration_us' must be a number; found "4.2")");
  check_says(with("4.2,", "-4.2,"), "'kernels[0].metrics.duration_us' must not be negative; found -4.2");
  check_says(with("\"achieved_occupancy\": 0.2", "\"achieved_occupancy\": 20"),
             "'kernels[0].metrics.achieved_occupancy' must be at most 1.1; found 20");
  check_says(with("\"checked\": true", "\"checked\": 1"),
             "'kernels[0].checked' must be true or false; found 1");
  check_says(with("\"block\": 256}", "\"block\": \"256\"}"),
             R"('kernels[0].params.block' must be a number; found "256")");
  check_says(with("\"stride\": 2", "\"stride\": \"2\""),
             R"('microbenchmarks[1].at.stride' must be a number; found "2")");
  check_says(message_of([] { load_measured("nowhere.json"); }), "nowhere.json: error: no such file");
}

TEST_CASE("What an H200 gave is read, and a hit rate above 1 is not compared") {
  const MeasuredKernels measured = load_measured(HEDDLE_SOURCE_DIR "/tests/validation/measured/h200.json");
  CHECK(measured.device.name == "NVIDIA H200");
  CHECK(measured.figures.size() == 282);
  const std::string wanted =
      "bad_reduce, l2_hit_rate: more than 1, hits and requests being those of different passes";
  const auto& left_out = measured.not_compared;
  CHECK(std::find(left_out.begin(), left_out.end(), wanted) != left_out.end());
}

TEST_CASE("A kernel whose result was wrong on the GPU is not compared") {
  const ScratchFolder folder;
  std::string text(kMeasured);
  text.replace(text.find("\"checked\": true"), 15, "\"checked\": false");
  const MeasuredKernels measured = load_measured(folder.write("m.json", text));
  CHECK(measured.kernels.empty());
  CHECK(std::count(measured.not_compared.begin(), measured.not_compared.end(),
                   "vecadd: its result on the GPU was wrong") == 1);
}

TEST_CASE("The details page of Nsight Compute: a row for each metric, after what the program printed") {
  const ScratchFolder folder;
  const MeasuredKernels report =
      load_ncu_report(folder.write("report.csv", R"csv(==PROF== Connected to process 7
the program says "hello", too
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value","Rule Name","Rule Type","Rule Description"
"0","7","app","host","void scale<float, 4>(float *, int)","1","7","(256, 1, 1)","(4096, 1, 1)","0","8.0","GPU Speed Of Light Throughput","Duration","ns","12,480","","",""
"0","7","app","host","void scale<float, 4>(float *, int)","1","7","(256, 1, 1)","(4096, 1, 1)","0","8.0","GPU Speed Of Light Throughput","Elapsed Cycles","cycle","13,301","","",""
"0","7","app","host","void scale<float, 4>(float *, int)","1","7","(256, 1, 1)","(4096, 1, 1)","0","8.0","Scheduler Statistics","One or More Eligible","%","25.5","","",""
"0","7","app","host","void scale<float, 4>(float *, int)","1","7","(256, 1, 1)","(4096, 1, 1)","0","8.0","Scheduler Statistics","","","","IssueSlot","OPT","Every scheduler, a ""warp"""
"0","7","app","host","void scale<float, 4>(float *, int)","1","7","(256, 1, 1)","(4096, 1, 1)","0","8.0","Warp State Statistics","Stall IMC Miss","inst","0.25","","",""
"0","7","app","host","void scale<float, 4>(float *, int)","1","7","(256, 1, 1)","(4096, 1, 1)","0","8.0","Launch Statistics","Registers Per Thread","register/thread","32","","",""
"0","7","app","host","void scale<float, 4>(float *, int)","1","7","(256, 1, 1)","(4096, 1, 1)","0","8.0","Occupancy","Achieved Occupancy","%","n/a","","",""
"1","7","app","host","saxpy","1","7","(32, 2, 1)","(1, 1, 1)","0","8.0","Occupancy","Achieved Occupancy","%","50.00","","",""
)csv"));
  CHECK(report.device.compute_capability == "8.0");
  REQUIRE(report.kernels.size() == 2);
  const MeasuredKernel& scale = report.kernels[0];
  CHECK(unqualified_name(scale.name) == "scale");
  REQUIRE(scale.grid);
  CHECK(scale.grid->x == 4096);
  REQUIRE(scale.block);
  CHECK(scale.block->x == 256);
  CHECK(scale.registers == 32U);
  CHECK(scale.metrics.size() == 4);
  CHECK(metric(scale, "profiled_duration_us") == Approx(12.48));
  CHECK(metric(scale, "cycles") == 13301);
  CHECK(metric(scale, "issue_active") == Approx(0.255));
  CHECK(metric(scale, "stall_imc_miss") == 0.25);
  CHECK(report.kernels[1].block->y == 2);
  CHECK(metric(report.kernels[1], "achieved_occupancy") == 0.5);
}

TEST_CASE("The raw page of Nsight Compute: a row for each launch, units in the first row") {
  const ScratchFolder folder;
  const MeasuredKernels report = load_ncu_report(folder.write(
      "report.csv",
      R"csv("ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","device__attribute_display_name","device__attribute_multiprocessor_count","gpu__time_duration.sum","launch__registers_per_thread","smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio","dram__bytes.sum"
"","","","","","","","","","","","","","us","register/thread","inst","Mbyte"
"0","7","app","host","saxpy(int, float, float *)","1","7","(256, 1, 1)","(4096, 1, 1)","0","8.9","NVIDIA GeForce RTX 4090","128","12.5","32","7.25","1.5"
)csv"));
  CHECK(report.device.name == "NVIDIA GeForce RTX 4090");
  CHECK(report.device.compute_capability == "8.9");
  CHECK(report.device.sms == 128U);
  REQUIRE(report.kernels.size() == 1);
  CHECK(report.kernels[0].registers == 32U);
  CHECK(metric(report.kernels[0], "profiled_duration_us") == 12.5);
  CHECK(metric(report.kernels[0], "stall_long_scoreboard") == 7.25);
  CHECK(metric(report.kernels[0], "dram_bytes") == 1.5e6);
}

TEST_CASE("A ratio to nothing was not measured, and a raw page without units is none") {
  const ScratchFolder folder;
  const std::string head =
      "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid "
      "Size\",\"CC\",\"gpu__time_duration.sum\",\"dram__bytes.sum\"\n";
  const std::string row = "\"0\",\"k\",\"(32, 1, 1)\",\"(1, 1, 1)\",\"8.0\",\"12.5\",\"{}\"\n";
  const std::string units = "\"\",\"\",\"\",\"\",\"\",\"us\",\"Mbyte\"\n";
  for (const char* nothing : {"nan", "(!) nan", "no data", "n/a"}) {
    const std::string text = head + units + fmt::format(fmt::runtime(row), nothing);
    const MeasuredKernels report = load_ncu_report(folder.write("nan.csv", text));
    REQUIRE(report.kernels.size() == 1);
    CHECK(report.kernels[0].metrics.size() == 1);
  }
  check_says(
      message_of([&] { load_ncu_report(folder.write("r.csv", head + fmt::format(fmt::runtime(row), 1))); }),
      "r.csv:2: error: the row of units is missing");
}

TEST_CASE("What is no report of Nsight Compute is refused") {
  const ScratchFolder folder;
  const auto message = [&](std::string_view text) {
    return message_of([&] { load_ncu_report(folder.write("r.csv", text)); });
  };
  check_says(message("a,b\n1,2\n"), "r.csv: error: there is no column 'ID'");
  check_says(message("\"ID\",\"Kernel Name\",\"Metric Name\"\n"), "there is no column 'Metric Unit'");
  check_says(message("\"ID\",\"Kernel Name\"\n"), "there is no kernel in this report");
}

}  // namespace

}  // namespace heddle::validate
