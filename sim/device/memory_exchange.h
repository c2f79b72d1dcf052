// The exchange between SMs and the memory that they share: requests of a quantum are served in the order
// (time, SM, sequence), slices of L2 side by side, and replies go to the SMs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/base/thread_team.h"
#include "isa/base/time_order.h"
#include "sim/device/event_stream.h"
#include "sim/device/sm_array.h"
#include "sim/memory/l2_and_dram.h"

namespace heddle::sim {

/// Carries requests from the SMs to L2 and DRAM, which it owns, and replies back, once a quantum.
class MemoryExchange {
 public:
  /// All of these outlive it.
  MemoryExchange(const GpuSpec& spec, ThreadTeam& team, SmArray& sms, EventStream& events);

  [[nodiscard]] L2AndDram& memory() { return memory_; }
  [[nodiscard]] const L2AndDram& memory() const { return memory_; }

  /// Serves what has left the SMs before the quantum's end; a later request waits for its quantum.
  void serve(Cycle begin, Cycle end);

 private:
  void gather(Cycle end);
  void serve_added();
  void note_served(MemoryLevel level, Cycle done);

  ThreadTeam& team_;
  SmArray& sms_;
  EventStream& events_;
  L2AndDram memory_;
  std::vector<MemoryRequest> requests_;  // of a quantum, SM by SM
  TimeOrder order_;
  std::vector<std::uint32_t>
      added_;               // by order of service: places in requests_, where an observer hears of them
  std::size_t served_ = 0;  // how many of them have been served
};

}  // namespace heddle::sim
