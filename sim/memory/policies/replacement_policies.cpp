// All replacement policies.
#include "sim/memory/policies/fifo.h"
#include "sim/memory/policies/random_replacement.h"
#include "sim/memory/policies/replacement.h"
#include "sim/memory/policies/srrip.h"
#include "sim/memory/policies/tree_plru.h"

namespace heddle::sim {

namespace {

template <typename Policy>
constexpr ReplacementPolicy policy(std::string_view name, std::string_view summary) {
  return {{name, summary}, [](std::size_t sets, std::uint32_t ways) -> std::unique_ptr<Replacement> {
            return std::make_unique<ReplacementOf<Policy>>(sets, ways);
          }};
}

constexpr ReplacementPolicy kPolicies[] = {
    {{"lru", "the line of the set that was used longest ago; in L1, of as many as l1.replacement_draws says"},
     nullptr},
    policy<Fifo>("fifo", "first in, first out: the line that came first, however often it was used"),
    policy<RandomReplacement>("random", "any line of the set, with the same chance"),
    policy<Srrip>("srrip", "re-reference interval prediction: lines that were never used again go first"),
    policy<TreePlru>("tree_plru", "a binary tree of bits that point away from what was used last"),
};

}  // namespace

std::span<const ReplacementPolicy> replacement_policies() { return kPolicies; }

PolicyNames replacement_names() { return names_of(replacement_policies()); }

std::unique_ptr<Replacement> make_replacement(std::string_view name, std::string_view key, std::size_t sets,
                                              std::uint32_t ways) {
  const ReplacementPolicy& found = find_policy(replacement_policies(), kReplacements, name, key);
  return found.make != nullptr ? found.make(sets, ways) : nullptr;
}

}  // namespace heddle::sim
