// The forms in which Nsight Compute's tables reach us, from its first versions for 7.0 to those of 2026: what
// each version and option changes, and what logs have around them. Names of columns are those of published
// reports.
#include <fmt/format.h>

#include "tests/support/catch.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tools/validate/measured_kernel.h"

namespace heddle::validate {

namespace {

using launch::check_says;
using launch::message_of;
using launch::ScratchFolder;

MeasuredKernels read(const std::string& text) {
  const ScratchFolder folder;
  return load_ncu_report(folder.write("r.csv", text));
}

std::string refusal(const std::string& text) {
  return message_of([&] { read(text); });
}

double metric(const MeasuredKernel& kernel, std::string_view key) {
  for (const auto& [known, value] : kernel.metrics) {
    if (known->key == key) return value;
  }
  FAIL("there is no " << key);
  return 0;
}

const std::string kHeader =
    "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"CC\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"";

std::string row(const std::string& name, const std::string& unit, const std::string& value,
                const std::string& id = "0") {
  return fmt::format("\"{}\",\"add\",\"(256, 1, 1)\",\"(1, 1, 1)\",\"8.9\",\"{}\",\"{}\",\"{}\"\n", id, name,
                     unit, value);
}

/// A table of one cell.
std::string table(const std::string& name, const std::string& unit, const std::string& value) {
  return kHeader + "\n" + row(name, unit, value);
}

double value_of(const std::string& name, const std::string& unit, const std::string& value) {
  const MeasuredKernels report = read(table(name, unit, value));
  REQUIRE(report.kernels.at(0).metrics.size() == 1);
  return report.kernels[0].metrics[0].second;
}

}  // namespace

TEST_CASE("Tables of ncu are read in each version's form") {
  // 2020: no grid, block or compute capability; long words for units.
  const MeasuredKernels of_2020 = read(
      "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Kernel Time\",\"Context\",\"Stream\","
      "\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
      "\"0\",\"9\",\"app\",\"127.0.0.1\",\"add(float*)\",\"2020-May-04 10:00:00\",\"1\",\"7\","
      "\"Command line profiler metrics\",\"gpu__time_duration.sum\",\"nsecond\",\"1,952\"\n"
      "\"0\",\"9\",\"app\",\"127.0.0.1\",\"add(float*)\",\"2020-May-04 10:00:00\",\"1\",\"7\","
      "\"Command line profiler metrics\",\"smsp__inst_executed.sum\",\"inst\",\"48\"\n");
  REQUIRE(of_2020.kernels.size() == 1);
  CHECK(metric(of_2020.kernels[0], "profiled_duration_us") == Approx(1.952));
  CHECK(metric(of_2020.kernels[0], "warp_instructions") == 48);
  CHECK_FALSE(of_2020.kernels[0].grid.has_value());

  // 2021 on: columns of rules behind the value, which rows of metrics may leave out, with or without a comma.
  const std::string rules = kHeader + ",\"Rule Name\",\"Rule Type\",\"Rule Description\"";
  const std::string rule =
      "\"0\",\"add\",\"(256, 1, 1)\",\"(1, 1, 1)\",\"8.9\",\"\",\"\",\"\",\"SOLBottleneck\",\"WRN\",\"This, \"\"the\"\"\n"
      "kernel, is small\"\n";
  for (const std::string& end : {std::string("\n"), std::string(",\n"), std::string(",,,\n"),
                                 std::string(",\"\",\"\",\"\"\n"), std::string(",\"\"\r\n")}) {
    std::string metric_row = row("Executed Instructions", "inst", "48");
    metric_row.replace(metric_row.size() - 1, 1, end);
    INFO(metric_row);
    const MeasuredKernels report = read(rules + "\n" + metric_row + rule + row("Duration", "us", "1.95"));
    REQUIRE(report.kernels.size() == 1);
    CHECK(metric(report.kernels[0], "warp_instructions") == 48);
    CHECK(metric(report.kernels[0], "profiled_duration_us") == Approx(1.95));
  }

  // 2022 on: five columns of rules. --nvtx puts columns before the kernel's name.
  const MeasuredKernels of_2023 = read(
      "\"ID\",\"Process ID\",\"thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg\",\"Kernel Name\","
      "\"Context\",\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\","
      "\"Metric Value\",\"Rule Name\",\"Rule Type\",\"Rule Description\",\"Estimated Speedup Type\",\"Estimated Speedup\"\n"
      "\"3\",\"1\",\"\",\"add\",\"1\",\"7\",\"(256, 1, 1)\",\"(4, 1, 1)\",\"0\",\"9.0\",\"Occupancy\",\"Achieved "
      "Occupancy\",\"%\",\"74.48\",\n");
  CHECK(metric(of_2023.kernels.at(0), "achieved_occupancy") == Approx(0.7448));
  CHECK(of_2023.kernels[0].id == "3");
  CHECK(of_2023.device.compute_capability == "9.0");
}

TEST_CASE(
    "The raw page may end its rows early, too, and metrics that were not collected are n/a in any case") {
  const MeasuredKernels report = read(
      "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"CC\",\"smsp__inst_executed.sum\",\"gpu__time_duration.sum\","
      "\"dram__bytes.sum\",\"device__attribute_display_name\"\n"
      "\"\",\"\",\"\",\"\",\"\",\"inst\",\"us\",\"Kbyte\"\n"
      "\"0\",\"add\",\"(256, 1, 1)\",\"(1, 1, 1)\",\"8.9\",\"48\",\"1.95\",\"N/A\",\"NVIDIA L4\"\n"
      "\"1,001\",\"add\",\"(256, 1, 1)\",\"(1, 1, 1)\",\"8.9\",\"49\"\n");
  REQUIRE(report.kernels.size() == 2);
  CHECK(report.kernels[0].metrics.size() == 2);
  CHECK(report.kernels[1].id == "1,001");
  CHECK(metric(report.kernels[1], "warp_instructions") == 49);
  CHECK(report.device.name == "NVIDIA L4");
}

TEST_CASE("A log has the profiler's lines and the program's around its tables, and several reports") {
  const std::string log =
      "n = 16, \"quick\"\n==PROF== Connected to process 1 (/app)\n==PROF== Profiling \"add\" - 0: 0%....50%....100% - 9 passes\n" +
      kHeader + "\n" + row("smsp__inst_executed.sum", "inst", "48") +
      "==WARNING== Launch of \"add\" was slow\nresult: 3, 4, 5\n\"a quotation\", said somebody\n\n" +
      row("gpu__time_duration.sum", "ns", "1,900") + "==PROF== Disconnected from process 1\nPASSED\n" +
      "==PROF== Connected\n" + kHeader + ",\"Rule Name\"\n" + row("smsp__inst_executed.sum", "inst", "50") +
      "done";
  const MeasuredKernels report = read(log);
  REQUIRE(report.kernels.size() == 2);
  CHECK(metric(report.kernels[0], "warp_instructions") == 48);
  CHECK(metric(report.kernels[0], "profiled_duration_us") == Approx(1.9));
  CHECK(metric(report.kernels[1], "warp_instructions") == 50);
}

TEST_CASE("What a spreadsheet has saved again has no quotes, other line ends, a mark in front") {
  const MeasuredKernels report = read(
      "\xef\xbb\xbfID,Kernel Name,Block Size,Grid Size,CC,Metric Name,Metric Unit,Metric Value\r\n"
      "0,add,\"(256, 1, 1)\",\"(1, 1, 1)\",8.9,smsp__inst_executed.sum,inst,48\r\n");
  CHECK(metric(report.kernels.at(0), "warp_instructions") == 48);
}

TEST_CASE(
    "Rows are not lost: longer ones, ones without their value, and ones behind a program's words are told") {
  check_says(
      refusal(table("Duration", "us", "1.9") + "\"0\",\"add\",\"\",\"\",\"\",\"a\",\"b\",\"1\",\"2\"\n"),
      "r.csv:3: error: a row has at most as many cells as there are columns, 8; found 9");
  check_says(refusal(kHeader + "\n\"0\",\"add\",\"(1, 1, 1)\",\"(1, 1, 1)\",\"8.9\",\"Duration\",\"us\"\n"),
             "r.csv:2: error: 'Duration': found '', which is not a value: the row ends before it");
  check_says(refusal(table("Duration", "us", "1.9") + "50 % done" + row("Elapsed Cycles", "cycle", "1")),
             "r.csv:3: error: a row of the table begins in the middle of this line");
  check_says(refusal(table("Duration", "us", "1.9") + "\"1\",\"add"), "a quote that is never closed");
  check_says(refusal(table("Duration", "us", "1.9") +
                     "\"1\",\"add\",\"(1, 1, 1)\",\"(1, 1, 1)\",\"9.0\",\"Duration\",\"us\",\"2\"\n"),
             "'CC': found '9.0', which is not 8.9, as of the launches before");
}

TEST_CASE("Units of counts are applied, as Nsight Compute scales what is large") {
  CHECK(value_of("smsp__inst_executed.sum", "inst", "48") == 48);
  CHECK(value_of("smsp__inst_executed.sum", "Kinst", "0.048") == Approx(48));
  CHECK(value_of("smsp__inst_executed.sum", "Minst", "1.5") == Approx(1.5e6));
  CHECK(value_of("smsp__inst_executed.sum", "Ginst", "2,000.25") == Approx(2.00025e12));
  CHECK(value_of("gpc__cycles_elapsed.max", "Kcycle", "12.5") == Approx(12'500));
  CHECK(value_of("gpc__cycles_elapsed.max", "cycles", "12,500") == 12'500);
  CHECK(value_of("lts__t_sectors.sum", "Msector", "1") == 1e6);
  CHECK(value_of("dram__bytes.sum", "Mbyte", "33.55") == Approx(33.55e6));
  CHECK(value_of("dram__bytes.sum", "byte", "1,024") == 1024);
  CHECK(value_of("Duration", "msecond", "2.5") == Approx(2500));
  CHECK(value_of("smsp__inst_executed.sum", "", "48") == 48);
}

TEST_CASE("A unit that is not known, or is another quantity's, is never a factor of one") {
  for (const auto& [name, unit] : {std::pair("smsp__inst_executed.sum", "Xinst"),
                                   {"smsp__inst_executed.sum", "parsec"},
                                   {"smsp__inst_executed.sum", "byte"},
                                   {"smsp__inst_executed.sum", "kinst"},
                                   {"gpc__cycles_elapsed.max", "inst"},
                                   {"dram__bytes.sum", "Kinst"},
                                   {"dram__bytes.sum", ""},
                                   {"Duration", ""},
                                   {"Duration", "Ms"},
                                   {"Achieved Occupancy", "K%"},
                                   {"Achieved Occupancy", "warp"}}) {
    INFO(name << " in " << unit);
    check_says(refusal(table(name, unit, "4")),
               fmt::format("r.csv:2: error: '{}': found '{}', which is not a unit for it", name, unit));
  }
}

TEST_CASE("Digits that a locale groups are read where that is what they can only be, and refused elsewhere") {
  CHECK(value_of("gpu__time_duration.sum", "ns", "1.900") == Approx(1.9));
  CHECK(value_of("smsp__inst_executed.sum", "inst", "1.048") == 1048);
  CHECK(value_of("smsp__inst_executed.sum", "inst", "1.234.567") == 1'234'567);
  CHECK(value_of("dram__bytes.sum", "byte", "33.554.432") == 33'554'432);
  for (const char* text : {"1 048",
                           "1\xc2\xa0"
                           "048",
                           "1\xe2\x80\xaf"
                           "048",
                           "1\xe2\x80\x89"
                           "048",
                           "1'048",
                           "1\xe2\x80\x99"
                           "048",
                           "1,048"}) {
    INFO(text);
    CHECK(value_of("smsp__inst_executed.sum", "inst", text) == 1048);
  }
  CHECK(value_of("smsp__inst_executed.sum", "inst", "48.000000") == 48);  // --print-fp
  CHECK(value_of("Duration", "us", "1.900") == Approx(1.9));              // nothing says that it is 1900
  // With a sibling that says so it may be either.
  check_says(
      refusal(table("smsp__inst_executed.sum", "inst", "1.048") + row("Achieved Occupancy", "%", "74.48")),
      "'smsp__inst_executed.sum': found '1.048', which is not a number, and a whole one");
  const MeasuredKernels both =
      read(table("smsp__inst_executed.sum", "inst", "1.048") + row("Duration", "us", "1.900"));
  CHECK(metric(both.kernels.at(0), "profiled_duration_us") == 1900);
  for (const char* text :
       {"48.5", "0.048", "1.04", "10.48", "1.0485", "1 04", "1'0480", "12,34", "1,048,5"}) {
    INFO(text);
    check_says(refusal(table("smsp__inst_executed.sum", "inst", text)),
               "which is not a number, and a whole one");
  }
}

TEST_CASE("What is no table of launches is called by its name, with the option that makes one") {
  check_says(
      refusal(
          "==PROF== Connected to process 1\n\"Process ID\",\"Kernel Name\",\"Invocations\",\"Section Name\",\"Metric "
          "Name\",\"Metric Unit\",\"Minimum\",\"Maximum\",\"Average\"\n"),
      "r.csv: error: is what ncu --print-summary prints, which has no launches in it: leave that option out");
  for (const char* text : {"==1== NVPROF is profiling process 1, command: ./app\n==1== Profiling result:\n",
                           "\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Min\",\"Max\",\"Avg\"\n",
                           "\"Type\",\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n"}) {
    check_says(refusal(text), "ncu --csv --page raw");
  }
  check_says(refusal("Time (%),Total Time (ns),Instances,Avg (ns),Name\n99,1,1,1,add\n"),
             "is a summary of nsys");
  check_says(refusal("  add(float*) (1, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 8.9\n"
                     "    Section: GPU Speed Of Light Throughput\n"),
             "is what ncu prints without --csv: add that option");
  check_says(refusal("nothing\n"), "there is no column 'ID'");
}

}  // namespace heddle::validate
