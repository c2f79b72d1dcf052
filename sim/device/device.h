// A GPU that outlives its launches: SMs that run apart for a quantum, then exchange what they have to say;
// the memory that they share; a clock; streams of grids.
//
//   quantum:   each SM runs to the quantum's end by itself
//   exchange:  writes to global memory take effect; requests are served in the order (time, SM, sequence);
//              replies and new blocks go to the SMs; grids end, and streams go on
//
// A quantum is no longer than the path from an SM to L2 and back, nor than it takes to launch a block: no
// reply can arrive in the quantum in which its request left. So the order of serving, and with it every
// cycle, does not depend on the length of quanta. The one exception is what kernels write to global memory:
// other SMs see it from the next quantum on. Quanta end at multiples of their length in every run, whatever
// is skipped. Grids are launched at these ends.
//
// A grid that is launched while nothing runs takes as many cycles as on a new device, except for what it
// finds in L2: everything else is reset then.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "isa/base/thread_team.h"
#include "sim/device/block_exchange.h"
#include "sim/device/event_stream.h"
#include "sim/device/grid_faults.h"
#include "sim/device/grid_results.h"
#include "sim/device/memory_exchange.h"
#include "sim/device/options.h"
#include "sim/device/pc_ledgers.h"
#include "sim/device/running_grids.h"
#include "sim/device/sm_array.h"
#include "sim/device/streams.h"

namespace heddle::sim {

/// The simulated GPU. It owns its SMs, L2 and DRAM, the block scheduler and the streams, and moves its clock
/// on while one of the run functions is called. One thread uses it at a time.
class Device {
 public:
  explicit Device(const GpuSpec& spec, const DeviceOptions& options = {});
  Device(const Device&) = delete;

  [[nodiscard]] const GpuSpec& spec() const { return spec_; }
  /// The threads that simulate it, for a task that the device does: nothing else runs on them meanwhile.
  [[nodiscard]] ThreadTeam& team() { return team_; }
  /// In cycles since the device was made.
  [[nodiscard]] Cycle clock() const { return now_; }

  // -- work ------------------------------------------------------------------------------------------------
  /// There from the start, of priority 0.
  static constexpr StreamId kDefaultStream{};

  /// Blocks of a stream of a lower priority number are placed before those of a higher number, as with
  /// CUDA's.
  StreamId add_stream(int priority = 0) { return streams_.add(priority); }
  /// The grid is launched when all that was given to the stream before has been done. The kernel must outlive
  /// its end. Throws InputError if not even one block fits an SM or the GPU has no such instructions.
  GridId submit(stream::KernelSource& kernel, StreamId stream = kDefaultStream,
                const LaunchOptions& options = {});
  /// An event that is when all that was given to the stream before has been done.
  EventId record(StreamId stream = kDefaultStream) { return streams_.record(stream, now_); }
  /// An event that must be recorded later: until then, who waits for it waits.
  EventId add_event() { return streams_.add_event(); }
  void record(StreamId stream, EventId event) { streams_.record(stream, event, now_); }
  /// What is given to the stream from now on waits for the event.
  void wait(StreamId stream, EventId event) { streams_.wait(stream, event); }
  void submit(StreamId stream, Task task) { streams_.submit(stream, std::move(task), now_); }
  [[nodiscard]] bool is_idle(StreamId stream) const { return streams_.is_empty(stream); }

  // -- L2, which stays as it is from one launch to the next ------------------------------------------------
  /// Bytes were copied to device memory, by a copy that takes no time; see L2Slices.
  void copy_from_host(Addr begin, std::uint64_t bytes) { memory_.memory().l2().copy_from_host(begin, bytes); }
  /// What its slices hold.
  [[nodiscard]] std::vector<TagArray> l2_tags() const { return memory_.memory().l2().tags(); }
  /// As a device of the same GPU has had it. While nothing runs.
  void set_l2_tags(std::vector<TagArray> tags) { memory_.memory().l2().set_tags(std::move(tags)); }

  // -- time ------------------------------------------------------------------------------------------------
  // All throw KernelFault if a simulated program fails; then the device can do nothing any more.
  /// Until the grid has ended; what else was submitted goes as far.
  void run_until(GridId grid);
  void run_until(EventId event);
  /// Until the clock shows this, or the first end of a quantum after it.
  void run_until_cycle(Cycle cycle);
  /// Until all is done.
  void run();

  /// The observer of the run from now on; null: none. When a call of this device returns, it has heard of all
  /// that happened before clock(). `samples`: the clock's cycles in which it hears what every resident warp
  /// does; each of them is visited.
  void observe(Observer* observer, CycleRange samples = {});
  /// Called every so many quanta.
  void report_progress(std::function<void(const Progress&)> progress) { progress_ = std::move(progress); }

  // -- results ---------------------------------------------------------------------------------------------
  [[nodiscard]] bool has_ended(GridId grid) const { return results_.has(grid); }
  /// The result of a grid that has ended.
  [[nodiscard]] const GridRun& result(GridId grid) const { return results_.of(grid); }
  /// The same, which the device then forgets.
  GridRun take_result(GridId grid) { return results_.take(grid); }
  /// The clock when all that was before it had been done; kNever if that is not so yet.
  [[nodiscard]] Cycle time_of(EventId event) const { return streams_.time_of(event); }
  /// The sums over all grids that have ended. Cycles are those in which a grid ran.
  [[nodiscard]] const DeviceTotals& totals() const { return results_.totals(); }

 private:
  template <typename Done>
  void run_while_not(Done done);
  void step();
  void leave_out_blocks();
  void wait_for_task();
  void tell_events(Cycle end);
  void launch_grids();
  void launch(GridId id);
  void end_grids();
  void end_grid(RunningGrid& grid);

  GpuSpec spec_;
  ThreadTeam team_;
  PcLedgers pc_ledgers_;
  EventStream events_;
  SmArray sms_;
  RunningGrids grids_;
  MemoryExchange memory_;
  BlockExchange blocks_;
  Cycle quantum_;
  Streams streams_;
  std::vector<SubmittedGrid> submitted_;  // by GridId
  GridResults results_;
  SpinCheck spin_check_;

  Cycle now_ = 0;  // a quantum's end
  std::uint64_t quanta_ = 0;
  bool has_failed_ = false;
  std::function<void(const Progress&)> progress_;
};

}  // namespace heddle::sim
