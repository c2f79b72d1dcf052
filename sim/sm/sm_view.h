// A read-only view of the parts of an SM: for reports of warps that wait, for samples, and for host
// prefetching.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/stream/deadlock_watch.h"
#include "sim/events/observer.h"
#include "sim/sm/async_unit.h"
#include "sim/sm/barrier_unit.h"
#include "sim/sm/inbox.h"
#include "sim/sm/residency.h"
#include "sim/sm/resident_grids.h"
#include "sim/sm/warpgroup_unit.h"

namespace heddle::sim {

/// References to the parts of one SM, valid as long as it lives.
struct SmView {
  const ResidentGrids& grids;
  const ResidentBlocks& blocks;
  const Residency& residency;
  const Scoreboard& warps;
  const std::vector<SubPartition>& sub_partitions;
  const BarrierUnit& barriers;
  const WarpgroupUnit& warpgroups;
  const AsyncUnit& async;
  const LoadStoreUnit& lsu;
  const Inbox& inbox;
};

/// Appends the warps that have not exited.
void find_live(const SmView& sm, std::vector<stream::LiveWarp>& live);

/// What the resident warps wait for, one line each, at most `most` of them.
std::vector<std::string> waiting_warps(const SmView& sm, std::size_t most);

/// Where all warps of the block wait for one another and its source says which wait ends all the same: the
/// place of that among the block's waits for phases.
std::optional<std::size_t> find_repaired_wait(const SmView& sm, std::uint32_t block);

/// Tells what each warp of a resident block did in this cycle. A block that ended in it is told no more, nor
/// are its last instructions: WarpIssued tells those.
void sample_warps(const SmView& sm, SmId id, Cycle now, std::vector<Event>& events);

/// Warp instructions so far, of grids in whose slots no others have come.
std::uint64_t issued(const SmView& sm);

}  // namespace heddle::sim
