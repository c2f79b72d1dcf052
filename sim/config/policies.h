// The names that a GPU file may have for its policies. What a policy does lies in one file, and its row in
// the table of its kind: next to the model that asks it. Here is what reading a file has to know of them.
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/base/diagnostic.h"

namespace heddle::sim {

/// What all rows of such tables begin with.
struct PolicyName {
  std::string_view name;  ///< As in GPU files.
  std::string_view summary;
};

using PolicyNames = std::vector<PolicyName>;

/// A kind of policies: what a key of a GPU file chooses from.
struct PolicyKind {
  std::string_view what;  ///< "scheduling policy", for messages.
  PolicyNames (*names)();
};

// -- each is defined where its table is, in the order of the table ----------------------------------------
PolicyNames scheduler_names();
PolicyNames divergence_names();
PolicyNames replacement_names();
PolicyNames prefetcher_names();
PolicyNames address_hash_names();
PolicyNames dram_order_names();
PolicyNames placement_names();

inline constexpr PolicyKind kSchedulers{"scheduling policy", scheduler_names};
inline constexpr PolicyKind kDivergenceMechanisms{"way of divergence", divergence_names};
inline constexpr PolicyKind kReplacements{"replacement policy", replacement_names};
inline constexpr PolicyKind kPrefetchers{"prefetcher", prefetcher_names};
inline constexpr PolicyKind kAddressHashes{"address hash", address_hash_names};
inline constexpr PolicyKind kDramOrders{"order of DRAM", dram_order_names};
inline constexpr PolicyKind kPlacements{"block placement", placement_names};

/// "there is no scheduling policy 'gtoo' (sm.scheduler); did you mean 'gto'?"; empty if there is.
std::string unknown_policy(const PolicyKind& kind, std::string_view name, std::string_view key);

template <typename Row>
PolicyNames names_of(std::span<const Row> rows) {
  return {rows.begin(), rows.end()};
}

/// The row of that name, which `key` of a GPU file has. Throws InputError if there is none: of a spec that
/// was not read from a file.
template <typename Row>
const Row& find_policy(std::span<const Row> rows, const PolicyKind& kind, std::string_view name,
                       std::string_view key) {
  for (const Row& row : rows) {
    if (row.name == name) return row;
  }
  std::string known;
  for (const Row& row : rows) known += fmt::format("{}'{}'", known.empty() ? "" : ", ", row.name);
  throw InputError({}, fmt::format("there is no {} '{}' ({}); known are {}", kind.what, name, key, known));
}

}  // namespace heddle::sim
