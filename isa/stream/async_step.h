// What an instruction does with barriers in shared memory (mbarriers), with bulk copies, which a unit of the
// SM makes by itself, and with the barrier of its cluster.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/base/types.h"

namespace heddle::stream {

/// The part of an mbarrier's address that says where in the block's shared memory it lies; above stands whose
/// of the cluster's blocks it is.
inline constexpr std::uint32_t kSharedOffsetMask = (1U << 24) - 1;

/// What lanes do at one mbarrier.
struct PhaseUse {
  std::uint32_t barrier = 0;  ///< Its offset in shared memory.
  std::uint32_t count = 0;    ///< Init: arrivals that end a phase; 0: not known. Arrive: so many.
  std::int64_t bytes = 0;     ///< Arrive: so many more must come; negative: have come.
  std::uint32_t departures = 0;  ///< Arrive: so many fewer arrivals end the phases after this one.

  friend bool operator==(const PhaseUse&, const PhaseUse&) = default;
};

/// What one instruction does at mbarriers, at the cluster's barrier, or by a bulk copy: the part of a
/// WarpStep that only these instructions have.
struct AsyncStep {
  /// Which of these it does.
  enum class Action : std::uint8_t {
    Init,
    Arrive,
    ArriveAfterCopies,  ///< When the warp's copies so far (LDGSTS) are done.
    Wait,               ///< Until a phase is over.
    ClusterArrive,
    ClusterWait,
    Copy,  ///< In bulk; the operation says which way.
  };

  Action action = Action::Init;
  std::vector<PhaseUse> uses;  ///< One for each mbarrier that lanes name; a wait has one.

  // -- a wait ------------------------------------------------------------------------------------------
  bool knows_parity = false;
  bool parity = false;  ///< The parity of the phase that must be over.
  /// The warp waits here for so many phases in all, if each wait is for the next one.
  std::uint32_t round = 0;

  // -- a bulk copy -------------------------------------------------------------------------------------
  std::vector<Addr> addresses;  ///< Where each of its pieces lies in global memory.
  std::uint32_t piece_bytes = 0;
  std::uint64_t bytes = 0;  ///< What its mbarrier, uses[0], is told; if `uses` is empty, it has none.

  // -- an mbarrier whose expected number of arrivals is not known --------------------------------------
  std::uint32_t copies_per_phase = 0;  ///< Bulk copies that fill it each time; 0: none ever do.
  std::uint32_t phases = 0;            ///< How many the block's copies make.
};

}  // namespace heddle::stream
