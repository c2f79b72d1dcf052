// When SMs that have run apart for a while meet: what they wrote meanwhile to global memory acts.
//
//   notes of SM 0..n --[regions of host memory]--> sections, each in the order (time, SM, sequence)
//
// No two sections share a byte, so that threads may work them off side by side. An atomic may reach anywhere:
// with one among the notes, there is one section.
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

/// Carries out at each exchange what SMs have noted in their PendingWrites. Each LiveKernel has one.
class WriteCommit {
 public:
  /// All notes of all SMs act, and are forgotten. `sms` by number. Any team leaves the same.
  void commit(std::span<const std::unique_ptr<PendingWrites>> sms, ThreadTeam& team);

 private:
  /// What one note has for one section.
  struct WritePart {
    PendingWrites* sm;
    const PendingWrites::Note* note;
    std::uint32_t from;  // bytes into it
    std::uint32_t bytes;
    std::uint32_t section;
    bool is_change;
  };

  /// What is to know of all notes before they are looked at one by one.
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
