// A GPU with a launch on it: SMs that run apart for a quantum, then exchange what they have to say.
//
//   quantum:   each SM runs to the quantum's end by itself
//   exchange:  requests are served in the order (time, SM, sequence), slices of L2 side by side; replies and
//              new blocks go to the SMs
//
// A quantum is no longer than the way from an SM to L2 and back, nor than it takes to launch a block: nothing
// that is said in it can be heard in it. So the order of serving, and with it every cycle, is the same
// however long quanta are; but for kernels whose SMs meet in memory: what they write to it is heard at the
// exchange, in the same order. Quanta lie on a fixed grid, so that they end where they do in every run,
// whatever is skipped.
#pragma once

#include <memory>
#include <vector>

#include "isa/base/crew.h"
#include "isa/base/time_order.h"
#include "isa/stream/deadlock_watch.h"
#include "sim/gpu/block_dispatcher.h"
#include "sim/gpu/run.h"
#include "sim/memory/shared_memory_system.h"
#include "sim/sm/sm.h"

namespace heddle::sim {

class Gpu {
 public:
  Gpu(stream::KernelSource& kernel, const GpuSpec& spec, const RunOptions& options);

  RunResult run();

 private:
  struct FinishedBlock {
    Cycle time;
    SmId sm;
    BlockEnd block;
  };

  [[nodiscard]] Cycle next();
  Cycle run_quantum(Cycle now);
  void run_sms(Cycle begin, Cycle end);
  [[nodiscard]] Cycle first_visit(Cycle now, Cycle first) const;
  void exchange(Cycle begin, Cycle end);
  void gather_requests(Cycle end);
  void serve_requests(Cycle begin, Cycle end);
  void serve_added();
  void refill();
  void schedule(const BlockStartOrder& order);
  void note_tail();
  [[nodiscard]] Cycle end() const;
  [[nodiscard]] RunResult result() const;
  [[nodiscard]] Progress progress(Cycle now) const;
  void look_for_deadlock(Cycle now);
  [[noreturn]] void fail_deadlocked(Cycle now) const;
  [[noreturn]] void fail_over_limit() const;
  [[nodiscard]] std::string waiting_warps() const;

  stream::KernelSource& kernel_;
  const GpuSpec& spec_;
  RunOptions options_;
  Occupancy occupancy_;
  ClassTimings timings_;
  SmWatch watch_;
  Grid grid_;
  SharedMemorySystem memory_;
  Cycle quantum_;
  BlockDispatcher dispatcher_;
  std::vector<std::unique_ptr<Sm>> sms_;
  Crew crew_;
  std::vector<Cycle> wakes_;           // by SM: the first cycle in which it has something to do
  std::vector<Sm*> busy_;              // in a quantum
  std::vector<MemoryRequest> batch_;   // of a quantum, SM by SM
  TimeOrder order_;                    // of batch_
  std::vector<FinishedBlock> finished_;
  stream::DeadlockWatch deadlock_watch_;
  std::vector<stream::LiveWarp> live_;  // of the last look for one
  std::uint64_t blocks_done_ = 0;
  Cycle blocks_end_ = 0;  // of those that have ended
  bool tail_noted_ = false;
  std::vector<bool> has_l1_;  // by SM
};

}  // namespace heddle::sim
