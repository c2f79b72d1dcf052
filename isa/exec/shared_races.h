// Finds races in the shared memory of a block: accesses of two warps to one byte, one of them a write, that
// no barrier orders. Threads of one warp are not compared, but for lanes of one store.
//
// Each warp has a clock, and knows of every other warp the clock up to which all it did comes before what it
// does itself: a barrier tells all who wait there what all who came knew (vector clocks, as in FastTrack,
// Flanagan and Freund 2009). Of each byte the last writer is kept, and the last two readers that are not
// ordered: a write may be missed to race with a third, but what is found is a race.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "isa/exec/access_watch.h"
#include "isa/stream/block_barrier.h"
#include "isa/stream/memory_finding.h"

namespace heddle::exec {

/// The races of the blocks of one launch after another.
class SharedRaces {
 public:
  /// Called for each lane that races: what is wrong, the lane's thread, the other thread, and the byte.
  using Report =
      std::function<void(stream::FindingKind kind, unsigned lane, stream::FindingThread other, Addr address)>;

  void begin_block(std::uint32_t warps);
  void access(const WatchedAccess& access, std::span<const std::byte> memory, const Report& report);
  void arrive(std::uint32_t warp, unsigned barrier);
  void open(unsigned barrier, std::span<const WarpSlot> waiting);
  /// At an mbarrier, or at any other place where warps wait for what others have done before.
  void release(std::uint32_t warp, Addr mbarrier);
  void acquire(std::uint32_t warp, Addr mbarrier);

 private:
  static constexpr std::size_t kMostWarps = 64;
  using Clocks = std::array<std::uint32_t, kMostWarps>;  // by warp

  /// Who was at a byte.
  struct Visit {
    std::uint32_t clock = 0;  // 0: nobody
    std::uint32_t warp = 0;
    stream::FindingThread who;
    bool is_atomic = false;
  };
  struct Byte {
    Visit writer;
    std::uint64_t written_by = 0;  // the instruction, counted over all
    std::byte value{};             // that it wrote
    std::array<Visit, 2> readers;
  };

  void access_byte(const WatchedAccess& access, unsigned lane, unsigned byte,
                   std::span<const std::byte> memory, const Report& report);
  /// Who knows `clocks` knows of what `more` knows, too.
  static void learn(Clocks& clocks, const Clocks& more);
  void note_reader(Byte& byte, const Visit& visit);
  [[nodiscard]] bool is_unordered(const Visit& before, const Visit& now) const;

  std::vector<Clocks> known_;  // by warp
  std::array<Clocks, stream::kBarriersPerBlock> gathered_{};
  std::map<Addr, Clocks> released_;  // by mbarrier
  std::vector<Byte> bytes_;
  std::uint32_t latest_ = 0;  // the greatest clock of all blocks so far
  std::uint64_t instructions_ = 0;
};

}  // namespace heddle::exec
