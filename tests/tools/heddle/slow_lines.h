// Kernels with one slow line each, and the same kernels with that line mended: what people and profiles must
// find.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::command {

/// A kernel `planted` with parameters `from`, `to` (pointers to 2^20 words) and `n` (64). The slow line ends
/// in the comment "// planted". `slow` or `mended` stands in the place of each $.
struct SlowLine {
  std::string name;    ///< What is slow about it.
  std::string ending;  ///< Of its file: "sass" or "ptx".
  std::string text;
  std::string slow;
  std::string mended;
  std::string reason;  ///< The stall reason, or the part of the lane ledger, that is lost.

  [[nodiscard]] std::string slow_text() const { return with(slow); }
  [[nodiscard]] std::string mended_text() const { return with(mended); }
  /// The number of the planted line.
  [[nodiscard]] std::uint32_t line() const;

 private:
  [[nodiscard]] std::string with(std::string_view words) const;
};

/// Two of each kind: uncoalesced load, bank conflict, divergent branch, dependent chain, barrier wait,
/// atomics on one address.
const std::vector<SlowLine>& slow_lines();

}  // namespace heddle::command
