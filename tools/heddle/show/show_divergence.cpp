#include <optional>

#include "sim/config/load.h"
#include "tools/heddle/show/chosen_warp.h"
#include "tools/heddle/show/show_command.h"
#include "tools/heddle/show/shown_run.h"
#include "tools/show/divergence.h"

namespace heddle::command {

namespace {

constexpr std::uint32_t kUsualSteps = 24;
constexpr std::uint32_t kMostSteps = 10000;

show::ShownWarp shown_warp(ShowRequest& request, const sim::GpuSpec& spec, const std::string& path,
                           const ChosenWarp& chosen) {
  launch::LaunchFile file = launch::load_launch(path, launch::for_gpu(request.overrides, spec));
  add_inputs(request, file, spec);
  std::optional<show::MaskObserver> observer;
  const show::InstructionRoles roles = show::roles_of(file.launch.kernel);
  show::ShownWarp shown{short_name(path), spec.name, chosen.block, chosen.warp, {}, {}};
  shown.run = watched(file, spec, [&](const exec::LiveKernel& kernel) {
    require_warp(chosen, file, kernel.shape());
    return &observer.emplace(roles, kernel.shape().warp_size, chosen.block, chosen.warp);
  });
  shown.masks = observer->masks();
  return shown;
}

}  // namespace

Syntax show_divergence_syntax() {
  Syntax syntax = make_syntax(
      "heddle show divergence [EXAMPLE|LAUNCH.yaml...] [--block N] [--warp N]",
      "Shows the lanes of one warp, step by step: which are active, how they part at a branch and meet again; "
      "and how many lane slots the work on the paths uses. Several launches are compared by their cycles, too.",
      "launch",
      "  heddle show divergence divergent_16_16\n"
      "  heddle show divergence reduce_v1 --param n=1024 --warp 1\n"
      "  heddle show divergence with_divergence_grouped no_divergence\n");
  add_show_options(syntax, "h100");
  add_warp_options(syntax);
  syntax.options.add_options()("steps", text_option("N"),
                               "shows so many steps of each warp; 24 if not given");
  return syntax;
}

int show_divergence_command(const Arguments& arguments) {
  const Syntax syntax = show_divergence_syntax();
  const auto values = parse_or_help(syntax, arguments);
  if (!values) return kDone;
  ShowRequest request = show_request_of(syntax, *values, arguments, "show divergence", "divergent_16_16");
  const ChosenWarp chosen = chosen_warp_of(*values);
  const std::uint32_t steps = size_of(*values, "steps", kMostSteps).value_or(kUsualSteps);
  const sim::GpuSpec spec = sim::load_gpu(request.gpu, request.settings);
  std::vector<show::ShownWarp> shown;
  for (const std::string& path : request.launches) shown.push_back(shown_warp(request, spec, path, chosen));
  deliver_picture(request, show::divergence_picture(shown, steps));
  return kDone;
}

}  // namespace heddle::command
