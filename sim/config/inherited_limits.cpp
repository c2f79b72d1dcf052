#include "sim/config/inherited_limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/config/compute_capabilities.h"
#include "sim/config/print.h"

namespace heddle::sim {

std::string inherited_limits(const GpuSpec& spec,
                             const std::function<bool(const std::string& key)>& is_inherited) {
  const ComputeCapability* row = find_compute_capability(spec.compute_capability);
  if (row == nullptr) return {};
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
