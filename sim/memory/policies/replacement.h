// Replacement policies: which line of a set is the victim. TagArray finds the least recently used one by
// itself, as fast as it can; the others are here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "sim/config/policies.h"

namespace heddle::sim {

/// What a policy knows of all sets of one cache. Ways and sets are counted from 0. It must depend on nothing
/// but these calls, so that results are the same in every run.
class Replacement {
 public:
  virtual ~Replacement() = default;

  /// The line in this way was found.
  virtual void used(std::size_t set, std::uint32_t way) = 0;
  /// Another line has come to this way.
  virtual void filled(std::size_t set, std::uint32_t way) = 0;
  /// The way that gives up its line; all ways of the set have one.
  virtual std::uint32_t victim(std::size_t set) = 0;

  /// Caches are copied with all that they know. ReplacementOf writes this.
  [[nodiscard]] virtual std::unique_ptr<Replacement> copy() const = 0;
};

/// A policy, whose constructor takes the sets and ways of a cache, as a whole Replacement.
template <typename Policy>
class ReplacementOf final : public Policy {
 public:
  using Policy::Policy;
  [[nodiscard]] std::unique_ptr<Replacement> copy() const override {
    return std::make_unique<ReplacementOf>(*this);
  }
};

/// A row of the table of policies.
struct ReplacementPolicy : PolicyName {
  /// Null: the least recently used line, by TagArray itself.
  std::unique_ptr<Replacement> (*make)(std::size_t sets, std::uint32_t ways);
};

/// All policies, in the order in which they are listed; the first is the default.
std::span<const ReplacementPolicy> replacement_policies();

/// Null for the least recently used line. Throws InputError if no policy has the name, which is that of `key`
/// in a GPU file.
std::unique_ptr<Replacement> make_replacement(std::string_view name, std::string_view key, std::size_t sets,
                                              std::uint32_t ways);

}  // namespace heddle::sim
