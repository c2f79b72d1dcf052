#include "sim/config/inherited_limits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "sim/config/compute_capabilities.h"
#include "sim/config/print.h"

namespace heddle::sim {

namespace {

/// "sm_86", "86" and "8.60" are not what other places compare; "13.0" has limits that nobody here knows.
/// Words such as "amd" are of GPUs that have no compute capability.
std::string unknown_version(const std::string& text) {
  const std::string version = compute_capability_version(text);
  if (find_compute_capability(version) != nullptr)
    return fmt::format("compute capability '{}' must be written '{}'", text, version);
  const bool is_number = !text.empty() && text.front() >= '0' && text.front() <= '9';
  if (!is_number && !text.starts_with("sm_") && !text.starts_with("compute_")) return {};
  std::vector<std::string_view> known;
  for (const ComputeCapability& row : compute_capabilities()) known.push_back(row.version);
  return fmt::format(
      "the limits of compute capability '{}' are not known; known are {}. A GPU that does not exist "
      "keeps that of the file it extends",
      text, fmt::join(known, ", "));
}

}  // namespace

std::string inherited_limits(const GpuSpec& spec,
                             const std::function<bool(const std::string& key)>& is_inherited) {
  const ComputeCapability* row = find_compute_capability(spec.compute_capability);
  if (row == nullptr) return unknown_version(spec.compute_capability);
  GpuSpec own = spec;
  own.occupancy = row->occupancy;
  own.occupancy.gpcs = spec.occupancy.gpcs;  // these belong to the GPU
  const KeyValues found = changed_values(own, spec);
  std::string text;
  for (const auto& [key, value] : changed_values(spec, own)) {
    const std::string& name = key;
    const auto inherited =
        std::find_if(found.begin(), found.end(), [&](const auto& one) { return one.first == name; });
    if (inherited == found.end() || !is_inherited(key)) continue;
    text += fmt::format("{}{} {} (extended: {})", text.empty() ? "" : ", ", key, value, inherited->second);
  }
  if (text.empty()) return {};
  return fmt::format("compute capability {} has {}; say here which shall hold", row->version, text);
}

}  // namespace heddle::sim
