// The commit of what SMs have written to global memory while they ran apart: at the exchange it becomes
// visible to all.
//
//   notes of SM 0..n --[regions of host memory]--> sections, each in the order (time, SM, sequence)
//
// No two sections share a byte, so that threads can commit them side by side. An atomic may write anywhere:
// if there is one among the notes, all of them make one section.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "isa/base/thread_team.h"
#include "isa/base/time_order.h"
#include "isa/exec/pending_writes.h"

namespace heddle::exec {

/// Commits at each exchange what SMs have noted in their PendingWrites. Each LiveKernel has one.
class WriteCommit {
 public:
  /// Commits all notes of all SMs and clears them. `sms`: by the SM's number. The result is the same for any
  /// team.
  void commit(std::span<const std::unique_ptr<PendingWrites>> sms, ThreadTeam& team);

 private:
  /// The part of a note that lies in one section.
  struct WritePart {
    PendingWrites* sm;
    const PendingWrites::Note* note;
    std::uint32_t from;  // bytes into it
    std::uint32_t bytes;
    std::uint32_t section;
    bool is_change;
  };

  /// The number of all notes, their times, and whether there are atomics among them.
  struct Extent {
    std::size_t notes = 0;
    bool has_atomics = false;
    Cycle first = kNever;
    Cycle last = 0;
  };

  [[nodiscard]] static Extent extent_of(std::span<const std::unique_ptr<PendingWrites>> sms);
  void list_parts(std::span<const std::unique_ptr<PendingWrites>> sms);
  void add(PendingWrites& sm, const PendingWrites::Note& note);
  const std::vector<std::uint32_t>& order_of_parts(const Extent& extent);
  void work_off(std::size_t section, const std::vector<std::uint32_t>& order);

  std::size_t sections_ = 1;
  std::vector<WritePart> parts_;   // by SM, each one's in its own order
  std::vector<std::size_t> ends_;  // where each section ends in the order of the parts
  TimeOrder order_;
};

}  // namespace heddle::exec
