#include "tools/heddle/gpu_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "isa/base/diagnostic.h"
#include "isa/exec/paths.h"
#include "sim/config/load.h"
#include "sim/config/suggest.h"
#include "sim/sm/warp_scheduler.h"

namespace heddle::command {

namespace {

/// "NVIDIA H100 PCIe" and "h100-pcie" by what they have in common: "nvidiah100pcie", "h100pcie".
std::string letters_of(std::string_view name) {
  std::string letters;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) letters += static_cast<char>(std::tolower(byte));
  }
  return letters;
}

}  // namespace

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

std::string matching_gpu(const std::string& file, const std::string& device,
                         const std::string& compute_capability, std::optional<std::uint32_t> sms) {
  std::vector<std::string> matches;
  std::vector<std::string> named;
  for (const std::string& name : sim::available_gpus()) {
    const sim::GpuSpec spec = sim::load_gpu(name);
    if (spec.compute_capability != compute_capability || sms.value_or(spec.sms) != spec.sms) continue;
    matches.push_back(name);
    if (letters_of(device).find(letters_of(name)) != std::string::npos) named.push_back(name);
  }
  if (matches.size() == 1) return matches.front();
  // Of "h100" and "h100-pcie" the one that says more.
  const auto by_length = [](const std::string& a, const std::string& b) { return a.size() < b.size(); };
  if (!named.empty()) return *std::max_element(named.begin(), named.end(), by_length);
  const std::string what =
      fmt::format("{}compute capability {}{}", device.empty() ? "a GPU of " : fmt::format("'{}', ", device),
                  compute_capability, sms ? fmt::format(", {} SMs", *sms) : "");
  const std::string found = matches.empty()
                                ? "no GPU file is of such a GPU"
                                : fmt::format("several GPU files may be: {}", fmt::join(matches, ", "));
  throw InputError({file, 0, 0}, fmt::format("measured on {}: {}; --gpu names one", what, found));
}

std::string policies_text() {
  std::string text;
  for (const sim::SchedulerPolicy& policy : sim::scheduler_policies()) {
    text += fmt::format("{:<6} {}\n", policy.name, policy.summary);
  }
  return text;
}

}  // namespace heddle::command
