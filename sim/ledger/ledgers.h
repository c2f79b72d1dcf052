// The three ledgers: what a GPU could have done, and where every slot of it went, in integers that sum
// exactly.
//
//   warp slots   most warps an SM holds x cycles          used: resident, unfinished warps
//   issue slots  schedulers x active cycles               used: issued
//   lane slots   warp size x issued warp instructions     used: lanes that executed
//
// Peak lane slots x issue efficiency x divergence utilization = lanes that executed. Warp slots are no
// factor: they say why there were too few warps to issue.
#pragma once

#include <array>
#include <cstdint>

#include "isa/ir/stall_reason.h"

namespace heddle::sim {

/// One part of a ledger: its key in reports, and what it means in words for a person.
struct LedgerPartInfo {
  const char* key;
  const char* summary;
};

/// The rows of warp_slot_parts.def.
enum class WarpSlotPart : std::uint8_t {
#define HEDDLE_LEDGER_PART(name, key, summary) name,
#include "sim/ledger/warp_slot_parts.def"
#undef HEDDLE_LEDGER_PART
  kCount
};

/// The rows of lane_slot_parts.def.
enum class LaneSlotPart : std::uint8_t {
#define HEDDLE_LEDGER_PART(name, key, summary) name,
#include "sim/ledger/lane_slot_parts.def"
#undef HEDDLE_LEDGER_PART
  kCount
};

/// Counts of one kind, one for each part.
template <typename Part>
class Ledger {
 public:
  static constexpr std::size_t kParts = static_cast<std::size_t>(Part::kCount);

  std::uint64_t& operator[](Part part) { return parts_[static_cast<std::size_t>(part)]; }
  std::uint64_t operator[](Part part) const { return parts_[static_cast<std::size_t>(part)]; }

  [[nodiscard]] std::uint64_t sum() const {
    std::uint64_t total = 0;
    for (const std::uint64_t part : parts_) total += part;
    return total;
  }

  Ledger& operator+=(const Ledger& other) {
    for (std::size_t i = 0; i < kParts; ++i) parts_[i] += other.parts_[i];
    return *this;
  }

  friend bool operator==(const Ledger&, const Ledger&) = default;

 private:
  std::array<std::uint64_t, kParts> parts_{};
};

/// Cycles or slots by stall reason.
using StallCounts = Ledger<ir::StallReason>;

/// The issue slots of a sub-partition. A lost slot is charged to what the warp that issued next was waiting
/// for: had that warp waited less, it would have used the slot.
struct IssueSlots {
  std::uint64_t issued = 0;
  std::uint64_t no_warp = 0;  ///< No warp was resident in the sub-partition. One that drains its stores is.
  StallCounts stalled;        ///< not_selected stays zero: where a warp is eligible, one issues.

  [[nodiscard]] std::uint64_t sum() const { return issued + no_warp + stalled.sum(); }

  IssueSlots& operator+=(const IssueSlots& other) {
    issued += other.issued;
    no_warp += other.no_warp;
    stalled += other.stalled;
    return *this;
  }

  friend bool operator==(const IssueSlots&, const IssueSlots&) = default;
};

const LedgerPartInfo& info(WarpSlotPart part);
const LedgerPartInfo& info(LaneSlotPart part);

}  // namespace heddle::sim
