// Barriers in a block's shared memory (mbarriers), as PTX ISA's "mbarrier" describes them.
//
// A phase is over when as many arrivals have come as the barrier expects and as many bytes as have been
// announced; then the next one begins. Bytes may come before they are announced.
//
// Where nobody has said how many arrivals it expects, it knows only the bulk copies that fill it: each so
// many of them are a phase.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "isa/base/types.h"
#include "isa/stream/static_op.h"

namespace heddle::sim {

/// One mbarrier: its phase, the arrivals and bytes that it waits for, and when the last phases ended.
class Mbarrier {
 public:
  /// Initializes the mbarrier: phase 0 is under way. 0 stands for a number of arrivals that is not known,
  /// because no program expects 0.
  void init(std::uint32_t expected);
  [[nodiscard]] bool is_counted() const { return expected_ != 0; }

  /// `bytes` more must come; where they are negative, they have come. More arrivals than are expected are as
  /// many as are. Later phases expect `departures` fewer.
  void arrive(std::uint32_t count, std::int64_t bytes, Cycle at, std::uint32_t departures = 0);
  /// A bulk copy has come, and is one of so many (0: not known) that make a phase.
  void receive(std::uint64_t bytes, std::uint32_t copies_per_phase, Cycle at);
  /// Ends phases that nothing ends, until so many are over.
  void force(std::uint64_t phases, Cycle at);

  /// How many phases are over.
  [[nodiscard]] std::uint64_t phases() const { return phases_; }
  /// When so many of them were; of those long ago, a later time.
  [[nodiscard]] Cycle over_at(std::uint64_t phases) const;
  /// How many phases are over when the one of this parity is: the one under way, or the last one.
  [[nodiscard]] std::uint64_t phases_after(bool parity) const {
    return phases_ + ((phases_ % 2 == 1) == parity ? 1 : 0);
  }

 private:
  /// Copies are told of a few cycles before they come: so many phases can end in these.
  static constexpr std::size_t kEnds = 16;

  void end_phase();
  void end_phase_if_complete();

  std::uint32_t expected_ = 0;
  std::uint32_t pending_ = 0;
  std::int64_t bytes_ = 0;  // to come
  std::uint64_t copies_ = 0;
  std::uint64_t phases_ = 0;
  Cycle last_ = 0;                   // when the last arrival or byte came
  std::array<Cycle, kEnds> ends_{};  // when the last phases ended, by their number
};

/// The barrier of the block's cluster. Where the others of the cluster are is not known: they are taken to
/// come when this one does.
class ClusterBarrier {
 public:
  void arrive(WarpSlot slot, std::uint32_t live_warps, Cycle at);
  /// The warp has exited; so many are left.
  void leave(WarpSlot slot, std::uint32_t live_warps, Cycle at);
  void force(Cycle at);

  [[nodiscard]] std::uint64_t phases() const { return phases_; }
  [[nodiscard]] Cycle over_at() const { return over_at_; }
  /// How many phases are over when the one is to which the warp came last.
  [[nodiscard]] std::uint64_t phases_after(WarpSlot slot) const {
    return phases_ + (std::find(arrived_.begin(), arrived_.end(), slot) != arrived_.end() ? 1 : 0);
  }

 private:
  std::vector<WarpSlot> arrived_;
  std::uint64_t phases_ = 0;
  Cycle over_at_ = 0;
};

/// A warp that waits until so many phases of a barrier are over.
struct PhaseWait {
  WarpSlot slot = 0;
  std::uint32_t barrier = 0;
  std::uint64_t phases = 0;
  const stream::StaticOp* op = nullptr;  ///< What waits.
};

/// An arrival that waits for copies of a warp (LDGSTS): its batches up to this one.
struct CopyArrival {
  WarpSlot slot = 0;
  std::uint32_t batch = 0;
  std::uint32_t barrier = 0;
  std::uint32_t count = 0;
  std::int64_t bytes = 0;
};

/// The mbarriers of one block, with the warps and arrivals that wait at them.
struct BlockMbarriers {
  static constexpr std::uint32_t kCluster = ~0U;  ///< In place of an offset: the cluster's barrier.

  std::map<std::uint32_t, Mbarrier> barriers;
  ClusterBarrier cluster;
  std::vector<PhaseWait> waits;  ///< In the order in which they began.
  std::vector<CopyArrival> copy_arrivals;
  std::uint32_t bulk_loads = 0;  ///< Under way.

  [[nodiscard]] std::uint64_t phases(std::uint32_t barrier) const;
  [[nodiscard]] Cycle over_at(std::uint32_t barrier, std::uint64_t phases) const;
  [[nodiscard]] bool has_waiting(WarpSlot slot) const;
  /// Whether copies are under way that will end a phase, or part of one.
  [[nodiscard]] bool expects_copies() const { return bulk_loads != 0 || !copy_arrivals.empty(); }
  /// The wait's phase is over at the latest then, if nothing else ends it.
  void force(const PhaseWait& wait, Cycle at);
};

}  // namespace heddle::sim
