#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "isa/text/disassemble.h"
#include "sim/config/load.h"
#include "tools/heddle/base/data_files.h"
#include "tools/heddle/base/text_style.h"
#include "tools/heddle/show/show_command.h"
#include "tools/heddle/show/shown_run.h"
#include "tools/show/scheduling.h"

namespace heddle::command {

namespace {

constexpr std::uint32_t kUsualCycles = 40;
constexpr std::uint32_t kMostCycles = 1000;

/// The article's example of eight warps: where it begins, how long it is, and the GPU that has its latencies.
/// Each unit takes an instruction a cycle; a fused multiply-add takes 4 cycles, an addition 1. The three
/// instructions that warps 0, 1 and 3 begin with end in one cycle, and the data of warp 2 come 3 later.
constexpr const char* kExampleFrom = "shown";
constexpr std::uint32_t kExampleCycles = 5;
constexpr const char* kExampleSettings[] = {"sm.instructions.fp32.interval=1",
                                            "sm.instructions.imad.interval=1",
                                            "sm.instructions.alu.interval=1",
                                            "sm.instructions.alu.latency=1",
                                            "sm.instructions.int_to_float.interval=1",
                                            "sm.instructions.int_to_float.latency=209",
                                            "sm.instructions.special_function.interval=1",
                                            "sm.instructions.special_function.latency=180",
                                            "sm.instructions.convert.interval=1",
                                            "sm.instructions.convert.latency=119",
                                            "l2.request_latency=4",
                                            "dram.latency=151"};

std::string example_launch() { return (data_folder("traces") / "lectures" / "eight_warps.yaml").string(); }

/// When a warp first comes to what --from names: a label, or a number of a cycle.
Cycle first_cycle(const std::string& from, const sim::GpuSpec& spec, launch::LaunchFile file) {
  const bool is_number = !from.empty() && from.size() < 19 &&
                         std::all_of(from.begin(), from.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (is_number) return std::stoull(from);
  const std::vector<ir::Label>& labels = file.launch.kernel.labels;
  const auto label =
      std::find_if(labels.begin(), labels.end(), [&](const ir::Label& each) { return each.name == from; });
  if (!from.empty() && label == labels.end())
    throw UsageError(fmt::format("--from {}: neither a cycle nor a label of the kernel", from));
  show::FirstIssue first(0, label == labels.end() ? show::FirstIssue::kAnyPc : label->pc);
  watched(file, spec, [&](const exec::LiveKernel&) { return &first; });
  if (first.cycle() == kNever)
    throw UsageError(fmt::format("no warp of SM 0 comes to {}", from.empty() ? "an instruction" : from));
  return first.cycle();
}

/// What the picture is of, after the defaults of the example.
struct Range {
  std::string from;  ///< Empty: where the first warp issues.
  std::uint32_t cycles = kUsualCycles;
};

show::Picture picture_of(ShowRequest& request, const Range& range) {
  const sim::GpuSpec spec = sim::load_gpu(request.gpu, request.settings);
  const launch::LaunchOverrides overrides = launch::for_gpu(request.overrides, spec);
  const Cycle from = first_cycle(range.from, spec, launch::load_launch(request.launches[0], overrides));
  launch::LaunchFile file = launch::load_launch(request.launches[0], overrides);
  add_inputs(request, file, spec);
  const sim::CycleRange cycles{from, from + range.cycles};
  report::Timeline timeline(0, cycles, spec.sm.sub_partitions);
  const report::Summary run = watched(
      file, spec, [&](const exec::LiveKernel&) { return &timeline; }, {}, cycles);
  timeline.end_at(run.cycles);
  const ir::Kernel kernel = file.launch.kernel;
  const auto instruction = [&kernel](Pc pc) { return text::disassemble(kernel, pc); };
  return show::schedule_picture(
      {short_name(request.launches[0]), spec.name, spec.sm.scheduler, spec.occupancy.warp_size, instruction},
      timeline, text_style(request.output).columns);
}

}  // namespace

Syntax show_scheduling_syntax() {
  Syntax syntax = make_syntax(
      "heddle show scheduling [EXAMPLE|LAUNCH.yaml] [--from LABEL|CYCLE] [--cycles N]",
      "Shows what each warp of SM 0 does in each cycle, which one each scheduler picks, and why the others wait. "
      "Without a launch, eight warps and five cycles on a GPU of a lecture: the oldest that is ready issues.",
      "launch",
      "  heddle show scheduling\n"
      "  heddle show scheduling --scheduler lrr\n"
      "  heddle show scheduling reduce_v1 --gpu tiny --param n=1024 --from loop\n");
  add_show_options(syntax, "textbook");
  auto add = syntax.options.add_options();
  add("from", text_option("LABEL|CYCLE"),
      "the first cycle, or the label to which a warp comes first; the first issue if not given");
  add("cycles", text_option("N"), "shows so many cycles; 40 if not given");
  return syntax;
}

int show_scheduling_command(const Arguments& arguments) {
  const Syntax syntax = show_scheduling_syntax();
  const auto values = parse_or_help(syntax, arguments);
  if (!values) return kDone;
  ShowRequest request = show_request_of(syntax, *values, arguments, "show scheduling", example_launch());
  if (request.launches.size() > 1) throw UsageError("show scheduling shows one launch at a time");
  const bool is_example = list_of(*values, "launch").empty();
  Range range{text_of(*values, "from").value_or(is_example ? kExampleFrom : ""),
              size_of(*values, "cycles", kMostCycles).value_or(is_example ? kExampleCycles : kUsualCycles)};
  if (range.cycles == 0) throw UsageError("--cycles 0: must be at least 1");
  if (is_example) {
    // What is given on the command line comes last, and so holds.
    Overrides settings(std::begin(kExampleSettings), std::end(kExampleSettings));
    if (values->count("scheduler") == 0) settings.emplace_back("sm.scheduler=oldest");
    settings.insert(settings.end(), request.settings.begin(), request.settings.end());
    request.settings = std::move(settings);
  }
  deliver_picture(request, picture_of(request, range));
  return kDone;
}

}  // namespace heddle::command
