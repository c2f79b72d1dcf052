#include "sim/device/support.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::sim {

std::vector<Unsupported> unsupported(std::span<const stream::StaticOp> ops, const GpuSpec& spec) {
  std::vector<Unsupported> missing;
  for (const stream::StaticOp& op : ops) {
    if (!spec.sm.timing(op.timing_class).is_absent()) continue;
    const auto known = std::find_if(missing.begin(), missing.end(), [&](const Unsupported& each) {
      return each.first.timing_class == op.timing_class;
    });
    if (known != missing.end()) {
      ++known->count;
    } else {
      missing.push_back({op, 1});
    }
  }
  return missing;
}

std::string to_text(const Unsupported& missing, const GpuSpec& spec) {
  const std::string_view key = ir::info(missing.first.timing_class).key;
  const std::string more =
      missing.count == 1 ? "" : fmt::format("; {} more like this one", missing.count - 1);
  return fmt::format("GPU '{}' has no such instruction (its sm.instructions.{} is none){}", spec.name, key,
                     more);
}

void require_support(std::span<const stream::StaticOp> ops, const GpuSpec& spec,
                     const std::function<NamedInstruction(Pc)>& named, Diagnostics& problems) {
  for (const Unsupported& missing : unsupported(ops, spec)) {
    const NamedInstruction first = named(missing.first.pc);
    problems.add(first.where, fmt::format("{}: {}", first.text, to_text(missing, spec)));
  }
}

}  // namespace heddle::sim
