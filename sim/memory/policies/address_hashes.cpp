// All hashes of addresses to slices.
#include "sim/memory/policies/address_hash.h"

namespace heddle::sim {

namespace {

// -- murmur: each group begins at another slice, drawn by a hash ------------------------------------------

constexpr std::uint64_t kTurns = std::uint64_t{1} << 32;

std::uint64_t turned(std::uint64_t index, std::uint64_t group, std::uint64_t slices) {
  return (group * slices + index + mix(group) % kTurns) % slices;
}

std::uint64_t turned_back(std::uint64_t slice, std::uint64_t group, std::uint64_t slices) {
  return (slice + slices - turned(0, group, slices)) % slices;
}

// -- modulo ------------------------------------------------------------------------------------------------

std::uint64_t same(std::uint64_t index, std::uint64_t, std::uint64_t) { return index; }

// -- xor: the bits of the group are folded over those of the index -----------------------------------------

/// As many bits as can be turned over without leaving the slices: 80 slices are 5 times 16.
std::uint64_t folded(std::uint64_t index, std::uint64_t group, std::uint64_t slices) {
  const std::uint64_t parts = slices & (0 - slices);  // the greatest power of two that divides them
  std::uint64_t fold = 0;
  if (parts == 1) return index;
  for (; group != 0; group /= parts) fold ^= group % parts;
  return index ^ fold;
}

constexpr AddressHash kHashes[] = {
    {{"murmur",
      "neighbours lie in neighbouring slices, from one that MurmurHash3 draws for each group of them"},
     turned,
     turned_back},
    {{"modulo", "the line's number modulo the slices: some strides find few of them"}, same, same},
    {{"xor",
      "the same, with higher bits of the number folded over it; as far as the slices are a multiple of a "
      "power of two"},
     folded,
     folded},
};

}  // namespace

std::span<const AddressHash> address_hashes() { return kHashes; }

PolicyNames address_hash_names() { return names_of(address_hashes()); }

const AddressHash& address_hash(std::string_view name) {
  return find_policy(address_hashes(), kAddressHashes, name, "l2.address_hash");
}

}  // namespace heddle::sim
