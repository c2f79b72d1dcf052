// Which slice of L2 a line belongs to.
//
// Lines are taken in groups of as many neighbours as there are slices, of which each slice has one. A hash
// decides in what order; so what lies together fills all slices, and all their sets, evenly, whatever it is.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "isa/base/divisor.h"
#include "sim/config/policies.h"

namespace heddle::sim {

/// The finaliser of MurmurHash3: spreads line numbers whatever their stride.
constexpr std::uint64_t mix(std::uint64_t value) {
  value ^= value >> 33;
  value *= 0xff51afd7ed558ccdULL;
  value ^= value >> 33;
  value *= 0xc4ceb9fe1a85ec53ULL;
  return value ^ value >> 33;
}

/// The slice of the line that is the `index`-th of its group, and back. For each group both are the inverse
/// of each other, on the numbers below `slices`.
struct AddressHash : PolicyName {
  std::uint64_t (*slice_of)(std::uint64_t index, std::uint64_t group, std::uint64_t slices);
  std::uint64_t (*index_of)(std::uint64_t slice, std::uint64_t group, std::uint64_t slices);
};

/// All hashes, in the order in which they are listed; the first is the one that AddressMap has built in.
std::span<const AddressHash> address_hashes();

/// Throws InputError if none has the name, which is that of l2.address_hash.
const AddressHash& address_hash(std::string_view name);

}  // namespace heddle::sim
