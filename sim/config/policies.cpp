#include "sim/config/policies.h"

#include <fmt/format.h>

#include "isa/ir/divergence.h"
#include "sim/config/suggest.h"

namespace heddle::sim {

PolicyNames divergence_names() {
  PolicyNames names;
  for (const ir::DivergenceInfo& each : ir::kDivergences) names.push_back({each.key, each.name});
  return names;
}

std::string unknown_policy(const PolicyKind& kind, std::string_view name, std::string_view key) {
  std::vector<std::string> known;
  for (const PolicyName& each : kind.names()) {
    if (each.name == name) return {};
    known.emplace_back(each.name);
  }
  return fmt::format("there is no {} '{}' ({}); {}", kind.what, name, key, suggestion(name, known));
}

}  // namespace heddle::sim
