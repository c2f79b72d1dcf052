// A slow line that somebody has planted in a kernel is the first of the worst lines; where it is mended, it
// is not.
#include "tests/tools/heddle/slow_lines.h"

#include <fmt/format.h>

#include "sim/config/load.h"
#include "sim/device/run.h"
#include "sim/session/live_kernel.h"
#include "tests/support/catch.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tools/heddle/run/line_request.h"
#include "tools/report/line_listing.h"
#include "tools/report/summary.h"

namespace heddle::command {

namespace {

constexpr const char* kLaunch = R"(kernel: planted.{}
grid: 8
block: 512
params: [from, to, 64]
buffers:
  from: {{type: f32, count: 1048576}}
  to: {{type: f32, count: 1048576}}
)";

/// A run and its lines.
struct Profiled {
  report::Summary summary;
  report::LineProfile lines;
};

Profiled profiled(const std::string& ending, const std::string& text) {
  const launch::ScratchFolder folder;
  folder.write("planted." + ending, text);
  const std::string path = folder.write("planted.yaml", fmt::format(kLaunch, ending));
  const sim::GpuSpec spec = sim::load_gpu("v100", {"sms=4"});
  launch::LaunchFile file = launch::load_launch(path, launch::for_gpu({}, spec));
  exec::LiveKernel kernel = session::live_kernel(spec, file.launch, file.memory);
  sim::RunOptions options;
  options.by_instruction = true;
  const sim::RunResult result = sim::run(kernel, spec, options);
  const launch::KernelSource source = launch::kernel_source(path, launch::for_gpu({}, spec));
  return {report::summarize(result, spec, {}), line_profile({}, source, file.launch.kernel, result)};
}

std::uint32_t first_line(const Profiled& run) {
  const auto worst = sim::worst_first(run.lines.lines, run.summary.warp_size);
  return worst.empty() ? 0 : worst.front()->place.line;
}

std::string list_of_worst(const Profiled& run) {
  std::string text;
  for (const sim::LineFigures* line : sim::worst_first(run.lines.lines, run.summary.warp_size)) {
    const auto first = sim::first_reason(line->cost.slots);
    text +=
        fmt::format("{} {} {} {} {}\n", line->place.line, line->cost.lane_slots(run.summary.warp_size),
                    line->cost.lanes, first ? first->key : "-", run.lines.files[0].line(line->place.line));
  }
  return text;
}

}  // namespace

TEST_CASE("A planted slow line is the worst, the verdict names it, and mended it is neither") {
  for (const SlowLine& planted : slow_lines()) {
    INFO(planted.name);
    const Profiled slow = profiled(planted.ending, planted.slow_text());
    const Profiled mended = profiled(planted.ending, planted.mended_text());
    INFO("slow:\n" << list_of_worst(slow) << "mended:\n" << list_of_worst(mended));
    CHECK(first_line(slow) == planted.line());
    CHECK(report::worst_line_text(slow.summary, slow.lines)
              .find(fmt::format("Line {} of planted.", planted.line())) == 0);
    CHECK(first_line(mended) != planted.line());
    CHECK(mended.summary.cycles < slow.summary.cycles);
  }
}

}  // namespace heddle::command
