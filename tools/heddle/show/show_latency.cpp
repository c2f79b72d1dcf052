#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/config/load.h"
#include "tools/heddle/show/show_command.h"
#include "tools/heddle/show/shown_run.h"
#include "tools/show/hiding.h"

namespace heddle::command {

namespace {

constexpr std::uint32_t kMostWarps = 4096;

/// The value of a launch that says how many warps there are, as in traces/latency.yaml.
constexpr const char* kWarpsValue = "warps";
constexpr const char* kBlocksValue = "blocks";

std::vector<std::uint64_t> numbers_in(const std::string& text) {
  std::vector<std::uint64_t> numbers;
  std::size_t from = 0;
  while (from <= text.size()) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::string word = text.substr(from, comma - from);
    const bool is_number = !word.empty() && word.size() <= 4 &&
                           std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
    const std::uint64_t number = is_number ? std::stoul(word) : 0;
    if (number == 0 || number > kMostWarps) {
      throw UsageError(fmt::format("--warps {}: must be numbers from 1 to {}, as 1,8,64", text, kMostWarps));
    }
    numbers.push_back(number);
    from = comma + 1;
  }
  return numbers;
}

/// Which values of the launch say how many warps there are, and in how many blocks.
struct WarpValues {
  bool has_warps = false;
  bool has_blocks = false;
};

/// Makes the launch one of so many warps, in as few blocks of equal size as possible. A launch without a
/// value "warps" becomes one block.
void set_warps(std::uint64_t warps, const WarpValues& values, const sim::GpuSpec& spec,
               launch::LaunchOverrides& overrides) {
  if (!values.has_warps) {
    overrides.block = Dim3{static_cast<std::uint32_t>(warps) * spec.occupancy.warp_size, 1, 1};
    overrides.grid = Dim3{1, 1, 1};
    return;
  }
  overrides.params.push_back(fmt::format("{}={}", kWarpsValue, warps));
  if (!values.has_blocks) return;
  const std::uint64_t of_block = spec.occupancy.max_threads_per_block / spec.occupancy.warp_size;
  std::uint64_t blocks = 1;
  while (warps % blocks != 0 || warps / blocks > of_block) ++blocks;
  overrides.params.push_back(fmt::format("{}={}", kBlocksValue, blocks));
}

/// Runs the launch with so many warps on one SM. Nothing if the SM does not hold all of them at once, or if
/// the first warp has too few loads.
std::optional<show::Periods> periods_of(const ShowRequest& request, const sim::GpuSpec& spec,
                                        std::uint64_t warps, const WarpValues& values) {
  const std::uint64_t of_block = spec.occupancy.max_threads_per_block / spec.occupancy.warp_size;
  if (warps > spec.occupancy.max_warps || (!values.has_warps && warps > of_block)) return std::nullopt;
  launch::LaunchOverrides overrides = launch::for_gpu(request.overrides, spec);
  set_warps(warps, values, spec, overrides);
  launch::LaunchFile file = launch::load_launch(request.launches[0], overrides);
  std::optional<show::PeriodObserver> observer;
  const report::Summary run = watched(file, spec, [&](const exec::LiveKernel& kernel) {
    return &observer.emplace(spec, kernel.static_ops());
  });
  if (run.launch && run.launch->shape.blocks() > run.launch->occupancy.blocks_per_sm) return std::nullopt;
  return observer->periods();
}

show::Hiding hiding_of(const ShowRequest& request, const sim::GpuSpec& spec, const WarpValues& values,
                       std::vector<std::uint64_t> warps) {
  const auto one = periods_of(request, spec, 1, values);
  if (!one) {
    throw UsageError(fmt::format(
        "show latency {}: its first warp has fewer than four loads from global memory, so that no period can "
        "be seen; heddle show latency shows an example",
        short_name(request.launches[0])));
  }
  show::Hiding hiding = show::hiding_of(*one, spec);
  hiding.launch = short_name(request.launches[0]);
  // The number that the formula asks for is worth a row, too, be it possible or not.
  if (hiding.enough() <= kMostWarps) warps.push_back(hiding.enough());
  const std::set<std::uint64_t> ordered(warps.begin(), warps.end());
  for (const std::uint64_t each : ordered) {
    hiding.points.push_back({each, each == 1 ? one : periods_of(request, spec, each, values)});
  }
  return hiding;
}

}  // namespace

Syntax show_latency_syntax() {
  Syntax syntax = make_syntax(
      "heddle show latency [EXAMPLE|LAUNCH.yaml] [--warps N,N,...]",
      "Shows how many warps hide the wait for memory: the formula, and how long a unit was busy in runs of so "
      "many warps on one SM. The launch should load, compute, and load again; its value 'warps' is set, or "
      "it becomes one block of so many warps. The example is latency, on the GPU of a lecture.",
      "launch",
      "  heddle show latency\n"
      "  heddle show latency --warps 1,32,64 --svg hiding.svg\n"
      "  heddle show latency --gpu h100\n");
  add_show_options(syntax, "textbook");
  syntax.options.add_options()("warps", text_option("N,N,..."),
                               "numbers of warps on the SM; 1, 2, 4 up to 64 if not given");
  return syntax;
}

int show_latency_command(const Arguments& arguments) {
  const Syntax syntax = show_latency_syntax();
  const auto values = parse_or_help(syntax, arguments);
  if (!values) return kDone;
  ShowRequest request = show_request_of(syntax, *values, arguments, "show latency", "latency");
  if (request.launches.size() > 1) throw UsageError("show latency shows one launch at a time");
  const std::vector<std::uint64_t> warps = numbers_in(text_of(*values, "warps").value_or("1,2,4,8,16,32,64"));
  request.settings.emplace_back("sms=1");  // so that all warps are on one
  const sim::GpuSpec spec = sim::load_gpu(request.gpu, request.settings);
  const launch::LaunchFile file = launch::load_launch(
      request.launches[0], launch::for_gpu(request.overrides, spec), launch::Contents::Checked);
  add_inputs(request, file, spec);
  const WarpValues of_launch{file.find_value(kWarpsValue).has_value(),
                             file.find_value(kBlocksValue).has_value()};
  deliver_picture(request, show::hiding_picture(hiding_of(request, spec, of_launch, warps)));
  return kDone;
}

}  // namespace heddle::command
