#include "tools/report/run_page.h"

#include <algorithm>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tools/report/run_document.h"
#include "tools/report/text_columns.h"

namespace heddle::report {

namespace {

using command::lines_of;

/// A launch of one block, nothing of which was counted.
Summary launch_of(const std::string& kernel) {
  sim::GpuSpec spec;
  spec.name = "h100";
  spec.description = "NVIDIA H100 SXM5 80 GB";
  spec.sms = 2;
  spec.occupancy.max_warps = 64;
  spec.sm.sub_partitions = 4;
  spec.clock_mhz = 1000;
  sim::RunResult result;
  result.launch.kernel = kernel;
  result.occupancy.blocks_per_sm = 1;
  result.occupancy.warps_per_sm = 8;
  result.occupancy.limits.fill(7);
  result.occupancy.limits[0] = 1;
  RunInfo info;
  info.provenance.version = "1.2.3";
  info.provenance.command = {"heddle", "run", "a.yaml"};
  return summarize(result, spec, std::move(info));
}

void check_fits(const std::string& text, std::size_t columns) {
  for (const std::string& line : lines_of(text)) {
    INFO(line);
    CHECK(text_width(line) <= columns);
  }
}

std::string long_name() {
  std::string name = "void cutlass::Kernel<cutlass::gemm::kernel::Gemm<";
  while (name.size() < 280) name += "cutlass::gemm::Shape<128, 64, 8>, ";
  return name + "float>>(cutlass::Params)";
}

}  // namespace

TEST_CASE("A kernel's name of 300 characters keeps its ends on a page, and is whole in full") {
  const Summary summary = launch_of(long_name());
  const std::string page = run_page(summary, {});
  check_fits(page, 80);
  CHECK(lines_of(page).size() <= kPageLines);
  CHECK(lines_of(page)[0] ==
        "cutlass::Kernel<cutlas...e<128, 64, 8>, float>> on NVIDIA H100 SXM5 80 GB (h100)");
  const std::string full = render_text(run_document(summary), {});
  check_fits(full, 80);
  std::string head;
  for (const std::string& line : lines_of(full)) {
    if (line.starts_with("grid")) break;
    head += (line.starts_with("  ") ? line.substr(1) : line);
  }
  CHECK(head == long_name() + " on NVIDIA H100 SXM5 80 GB (h100)");
}

TEST_CASE("A page stays one whatever was changed, sampled, and typed") {
  Summary summary = launch_of(long_name());
  for (int i = 0; i < 6; ++i) {
    summary.info.provenance.gpu_changes.emplace_back("some.key.of.the.file", "123456");
    summary.info.provenance.command.push_back("--set");
    summary.info.provenance.command.push_back("some.key.of.the.file=123456");
  }
  summary.info.sample = SampleSize{8, 132, 1000, 1'000'000};
  summary.is_cold = true;
  for (const std::size_t columns : {40, 60, 80, 100, 120, 200}) {
    INFO(columns);
    check_fits(run_page(summary, {false, false, columns}), columns);
    check_fits(render_text(run_document(summary), {false, false, columns}), columns);
  }
}

TEST_CASE("A wrong result stands before the figures, a right one behind the verdict") {
  Summary summary = launch_of("k");
  const auto place_of = [&](const std::string& text) { return run_page(summary, {}).find(text); };
  summary.info.checks = {{"right", 4, 4, 0}, {"also_right", 4, 4, 0}};
  CHECK(place_of("\nChecked: 2 buffers as expected\n") > place_of("What holds it back:"));
  summary.info.checks.push_back({"wrong", 4, 4, 1});
  CHECK(place_of("\nCHECK FAILED: 'wrong' differs in 1 of 4 elements, 2 buffers as expected\n") <
        place_of("Theoretical occupancy"));
}

TEST_CASE("The losses of a page are the greatest, each kind of slots with its own") {
  Summary summary = launch_of("k");
  summary.ledgers.warp_slots = {1000, {{"resident", "", 400}, {"tail", "t", 200}, {"idle_sm", "i", 400}}};
  summary.ledgers.issue_slots = {1000, {{"issued", "", 989}, {"wait", "w", 6}, {"barrier", "b", 5}}};
  summary.ledgers.lane_slots = {1000, {{"executed", "", 1000}, {"diverged", "d", 0}}};
  const std::string page = run_page(summary, {false, true});
  const std::string losses =
      "warps  idle SM            #####         40.0 %  i\n"
      "       tail               ##            20.0 %  t\n"
      "issue  wait               :              0.6 %  w\n"
      "\n";
  CHECK(page.find(losses) != std::string::npos);
}

}  // namespace heddle::report
