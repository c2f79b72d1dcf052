#include "tools/heddle/gpu_choice.h"

#include <fmt/format.h>

#include "isa/base/diagnostic.h"
#include "isa/exec/paths.h"
#include "sim/config/load.h"
#include "sim/config/suggest.h"
#include "sim/sm/warp_scheduler.h"

namespace heddle::command {

sim::GpuSpec choose_gpu(const std::string& name_or_path, const std::vector<std::string>& settings) {
  sim::GpuSpec spec = sim::load_gpu(name_or_path, settings);
  Diagnostics problems;
  if (sim::find_scheduler_policy(spec.sm.scheduler) == nullptr) {
    std::vector<std::string> names;
    for (const sim::SchedulerPolicy& policy : sim::scheduler_policies()) names.emplace_back(policy.name);
    problems.add({}, fmt::format("there is no scheduling policy '{}' (sm.scheduler); {}", spec.sm.scheduler,
                                 sim::suggestion(spec.sm.scheduler, names)));
  }
  if (!exec::find_divergence(spec.sm.divergence)) {
    problems.add({}, fmt::format("there is no way of divergence '{}' (sm.divergence); {}", spec.sm.divergence,
                                 sim::suggestion(spec.sm.divergence, {"stack", "barrier"})));
  }
  problems.throw_if_any();
  return spec;
}

std::string policies_text() {
  std::string text;
  for (const sim::SchedulerPolicy& policy : sim::scheduler_policies()) {
    text += fmt::format("{:<6} {}\n", policy.name, policy.summary);
  }
  return text;
}

}  // namespace heddle::command
