// The tags of L1 in banks, each of which looks up one line a cycle. What banks of data are for words, these
// are for lines.
//
// The bank of a line is the exclusive or of its number's groups of log2(banks) bits. NVIDIA publishes nothing
// of this. How often loads by stride and by rows go through the tags was counted on A100 and A40 (RRZE
// gpu-benches, gpu-strides): 4 banks, chosen so, give all of those figures to the last digit
// (tests/validation/v05_strided_loads.yaml). On an H200 it is another choice, which is not known.
#pragma once

#include <cstdint>

#include "isa/base/types.h"
#include "sim/memory/coalescer.h"

namespace heddle::sim {

/// Tells which bank has a line's tag, and how many cycles the lines of an instruction take. It has no state:
/// banks are busy for one instruction at a time.
class TagBanks {
 public:
  /// Powers of two. Without `look_up`, when there are no tags, any `banks` lines pass in a cycle.
  TagBanks(std::uint32_t banks, std::uint32_t line_bytes, bool look_up);

  [[nodiscard]] unsigned bank_of(Addr line) const;

  /// Gives each line the cycle in which it is looked up, counted from 0, and orders them by it; lines of one
  /// bank take turns in their order. How many cycles that takes; 0 without lines.
  unsigned take_turns(LineAccesses& lines) const;

 private:
  unsigned line_shift_;
  unsigned bank_bits_;
  bool look_up_;
};

}  // namespace heddle::sim
