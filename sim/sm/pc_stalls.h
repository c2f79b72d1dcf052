// What a sub-partition counts by instruction, for the grids that asked for it. Slots and stalls belong to the
// instruction that the warp waits to issue; after its last one, to that.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "isa/base/types.h"
#include "sim/ledger/pc_ledger.h"
#include "sim/sm/warp_context.h"
#include "sim/sm/warp_waits.h"

namespace heddle::sim {

/// A warp was stalled in these cycles, for one reason, before it could issue this instruction.
struct StallSpan {
  const WarpContext* warp = nullptr;
  Pc pc = 0;
  ir::StallReason reason = ir::StallReason::Wait;
  Cycle from = 0;
  Cycle until = 0;  ///< Not in it.
};

/// The counts by instruction of one sub-partition; its IssueLedger owns it. It is empty, and costs nothing,
/// unless a grid asked for it.
class PcStalls {
 public:
  /// From here on it counts in this ledger; null: nowhere. A grid's warps all start after it was told. The
  /// SM's slots say what warps wait to issue: warp 0 is the first of these, and from each to the next it is
  /// `stride` slots; there are so many warps. What is counted is also appended to `spans`, unless that is
  /// null.
  void count_in(PcLedger* ledger, const WarpContext* first, unsigned stride, std::size_t warps,
                std::vector<StallSpan>* spans);
  [[nodiscard]] bool is_on() const { return ledger_ != nullptr; }

  /// The counters of the instruction that the warp waits to issue; null if its grid did not ask. Valid until
  /// the next call.
  [[nodiscard]] PcCounters* find(unsigned warp) const {
    const WarpContext& slot = slot_of(warp);
    return ledger_->find(slot.grid, slot.awaited_pc());
  }

  // -- what happens -----------------------------------------------------------------------------------------
  /// The warp has been blocked up to then.
  void stall(unsigned warp, const WarpWait& wait, Cycle until) const;
  /// The warp is ready from now on, and the dispatcher is held for so many more cycles.
  void ready(unsigned warp, unsigned group, Cycle held) {
    notes_->warps[warp] = {notes_->open[group], notes_->held - held};
  }
  /// Counts a cycle in which the ready warps of the group find a pipe.
  void open(unsigned group) { ++notes_->open[group]; }
  /// Takes that cycle back for a warp that the policy vetoes.
  void veto(unsigned warp) { ++notes_->warps[warp].open; }
  /// The dispatcher is held for so many cycles more.
  void hold(Cycle cycles) {
    if (notes_ != nullptr) notes_->held += cycles;
  }
  /// The warp issues. These are the counters of the instruction.
  void issue(PcCounters& counters, unsigned warp, const WarpWait& wait, Cycle now) const;
  /// Slots were lost before the warp issued, or left, for what `whose` waited for. Those of another grid's
  /// warp are charged to this one's instruction: a grid's lost slots are those of its instructions.
  void lose(unsigned warp, unsigned whose, ir::StallReason reason, Cycle slots) const;

 private:
  /// How often a warp was eligible is not counted for each of them in each cycle: it is what has been noted
  /// of its group since the warp became ready.
  struct Notes {
    /// What `open` and `held` were when the warp became ready.
    struct OfWarp {
      Cycle open = 0;
      Cycle held = 0;
    };
    std::array<Cycle, ir::kTimingClasses> open{};  // by group: cycles in which its ready warps found a pipe
    Cycle held = 0;                      // cycles in which the dispatcher is held, those to come included
    const WarpContext* slots = nullptr;  // the SM's, from that of warp 0 on,
    unsigned stride = 0;                 // and how far the next warp's is
    std::vector<OfWarp> warps;           // both, when the warp became ready
  };

  [[nodiscard]] const WarpContext& slot_of(unsigned warp) const {
    return notes_->slots[std::size_t{warp} * notes_->stride];
  }

  void append(unsigned warp, ir::StallReason reason, Cycle from, Cycle until) const;
  void append_all(unsigned warp, const WarpWait& wait, Cycle held, Cycle not_selected, Cycle now) const;

  PcLedger* ledger_ = nullptr;
  std::unique_ptr<Notes> notes_;  // once a ledger has come
  std::vector<StallSpan>* spans_ = nullptr;
};

// Here, since each issue runs through it.

/// Charges the same cycles as the ledger by grids. That one charges sets of ready warps; for a single warp it
/// is known only now in how many cycles the dispatcher was held, and in how many the warp was eligible.
inline void PcStalls::issue(PcCounters& counters, unsigned warp, const WarpWait& wait, Cycle now) const {
  const Notes::OfWarp& noted = notes_->warps[warp];
  const Cycle eligible = notes_->open[wait.demand.group] - noted.open;
  const Cycle held = notes_->held - noted.held;
  ++counters.issued;
  counters.stalls[wait.demand.reason] += wait.ready_at - wait.from;
  counters.stalls[ir::StallReason::DispatchStall] += held;
  counters.stalls[ir::StallReason::NotSelected] += eligible - 1;
  counters.stalls[wait.demand.throttle] += now + 1 - wait.ready_at - held - eligible;
  if (spans_ != nullptr) append_all(warp, wait, held, eligible - 1, now);
}

}  // namespace heddle::sim
