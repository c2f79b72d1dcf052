// A linked chain through a buffer in random order, for pointer chasing.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tools/launch/evaluator.h"

namespace heddle::launch {

/// The buffer has places at equal distances; some of them are links of the chain. The first element of each
/// link holds the position of the next link; that of the last link holds the position of the first. The first
/// link is at the beginning of the buffer.
struct Chain {
  std::uint32_t places = 1;
  std::uint32_t links = 1;  ///< At most `places`; they are chosen at random.
  std::int64_t stride = 1;  ///< Bytes between two places.
  std::int64_t first = 0;   ///< Value for the beginning of the buffer: its address, or 0.
  std::uint64_t seed = 1;

  [[nodiscard]] std::int64_t value_of(std::uint32_t place) const { return first + place * stride; }
  /// The links in chain order. All orders have the same probability; a seed gives the same order on every
  /// machine.
  [[nodiscard]] std::vector<std::uint32_t> walk() const;
};

/// Reads a chain from a map of stride, links, first and seed, for a buffer of this many bytes. Without
/// settings the chain is that of a buffer with one element. Nothing if a setting is wrong, which is recorded.
std::optional<Chain> read_chain(const sim::YamlValue& settings, ElementType type, std::uint64_t bytes,
                                Evaluator& evaluator);

}  // namespace heddle::launch
