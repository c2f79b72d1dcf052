#include "sim/ledger/ledgers.h"

namespace heddle::sim {

namespace {

constexpr LedgerPartInfo kWarpSlotParts[] = {
#define HEDDLE_LEDGER_PART(name, key, summary) {key, summary},
#include "sim/ledger/warp_slot_parts.def"
#undef HEDDLE_LEDGER_PART
};

constexpr LedgerPartInfo kLaneSlotParts[] = {
#define HEDDLE_LEDGER_PART(name, key, summary) {key, summary},
#include "sim/ledger/lane_slot_parts.def"
#undef HEDDLE_LEDGER_PART
};

}  // namespace

const LedgerPartInfo& info(WarpSlotPart part) { return kWarpSlotParts[static_cast<std::size_t>(part)]; }
const LedgerPartInfo& info(LaneSlotPart part) { return kLaneSlotParts[static_cast<std::size_t>(part)]; }

}  // namespace heddle::sim
