// A chain through a buffer in random order: what a pointer chase follows.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tools/launch/evaluator.h"

namespace heddle::launch {

/// The buffer has places, evenly apart, of which some are links of the chain. The first element of each link
/// holds where the next one lies, that of the last where the first does; the first link begins the buffer.
struct Chain {
  std::uint32_t places = 1;
  std::uint32_t links = 1;  ///< At most `places`; which ones is random, too.
  std::int64_t stride = 1;  ///< Bytes from place to place.
  std::int64_t first = 0;   ///< The value that stands for the buffer's beginning: its address, or 0.
  std::uint64_t seed = 1;

  [[nodiscard]] std::int64_t value_of(std::uint32_t place) const { return first + place * stride; }
  /// The links in the order of the chain: any order is as likely as another, and the same on every machine.
  [[nodiscard]] std::vector<std::uint32_t> walk() const;
};

/// From a map of stride, links, first and seed, for a buffer of so many bytes; without any, as for one of an
/// element. Nothing if something is wrong with them, which is recorded.
std::optional<Chain> read_chain(const sim::YamlValue& settings, ElementType type, std::uint64_t bytes,
                                Evaluator& evaluator);

}  // namespace heddle::launch
