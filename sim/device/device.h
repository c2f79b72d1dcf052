// A GPU that outlives its launches: SMs that run apart for a quantum, then exchange what they have to say;
// the memory that they share; a clock; streams of grids.
//
//   quantum:   each SM runs to the quantum's end by itself
//   exchange:  requests are served in the order (time, SM, sequence), slices of L2 side by side; replies and
//              new blocks go to the SMs; grids end, and streams go on
//
// A quantum is no longer than the way from an SM to L2 and back, nor than it takes to launch a block: nothing
// that is said in it can be heard in it. So the order of serving, and with it every cycle, is the same
// however long quanta are; but for kernels whose SMs meet in memory: what they write to it is heard at the
// exchange, in the same order. Quanta lie on a fixed grid, so that they end where they do in every run,
// whatever is skipped; grids are launched at their ends.
//
// A grid that is launched while nothing runs takes the cycles that it takes on a new device, but for what it
// finds in L2: everything else begins anew then.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "isa/base/thread_team.h"
#include "isa/base/time_order.h"
#include "isa/stream/deadlock_watch.h"
#include "sim/device/block_scheduler.h"
#include "sim/device/event_stream.h"
#include "sim/device/grid_run.h"
#include "sim/device/options.h"
#include "sim/device/pc_ledgers.h"
#include "sim/device/run_result.h"
#include "sim/device/streams.h"
#include "sim/memory/l2_and_dram.h"
#include "sim/sm/sm.h"

namespace heddle::sim {

class Device {
 public:
  explicit Device(const GpuSpec& spec, const DeviceOptions& options = {});
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  [[nodiscard]] const GpuSpec& spec() const { return spec_; }
  /// In cycles since the device was made.
  [[nodiscard]] Cycle clock() const { return now_; }

  // -- work ------------------------------------------------------------------------------------------------
  /// There from the start, of priority 0.
  static constexpr StreamId kDefaultStream{};

  /// Of two streams, blocks of the one of the lower priority number are placed first, as with CUDA's.
  StreamId add_stream(int priority = 0) { return streams_.add(priority); }
  /// The grid is launched when all that was given to the stream before has been done. The kernel must outlive
  /// its end. Throws InputError if not even one block fits an SM or the GPU has no such instructions.
  GridId submit(stream::KernelSource& kernel, StreamId stream = kDefaultStream,
                const LaunchOptions& options = {});
  /// An event that is when all that was given to the stream before has been done.
  EventId record(StreamId stream = kDefaultStream) { return streams_.record(stream, now_); }
  /// What is given to the stream from now on waits for the event.
  void wait(StreamId stream, EventId event) { streams_.wait(stream, event); }

  // -- L2, which stays as it is from one launch to the next ------------------------------------------------
  /// Bytes were copied to device memory, by a copy that takes no time; see L2Slices.
  void copy_from_host(Addr begin, std::uint64_t bytes) { memory_.l2().copy_from_host(begin, bytes); }
  /// What its slices hold.
  [[nodiscard]] std::vector<TagArray> l2_tags() const { return memory_.l2().tags(); }
  /// As a device of the same GPU has had it. While nothing runs.
  void set_l2_tags(std::vector<TagArray> tags) { memory_.l2().set_tags(std::move(tags)); }

  // -- time ------------------------------------------------------------------------------------------------
  // All throw KernelFault if a simulated program fails; then the device can do nothing any more.
  /// Until the grid has ended; what else was submitted goes as far.
  void run_until(GridId grid);
  void run_until(EventId event);
  /// Until the clock shows this, or the first end of a quantum after it.
  void run_until_cycle(Cycle cycle);
  /// Until all is done.
  void run();

  /// Who looks on, from now on; null: nobody. It hears of all before clock() when a call of this device returns.
  /// `samples`: the clock's cycles in which it hears what every resident warp does; each of them is visited.
  void observe(Observer* observer, CycleRange samples = {});
  /// Called every so many quanta.
  void report_progress(std::function<void(const Progress&)> progress) { progress_ = std::move(progress); }

  // -- results ---------------------------------------------------------------------------------------------
  [[nodiscard]] bool has_ended(GridId grid) const { return ended_.contains(grid); }
  /// Of a grid that has ended.
  [[nodiscard]] const GridRun& result(GridId grid) const { return ended_.at(grid); }
  /// The same, which the device then forgets.
  GridRun take_result(GridId grid);
  /// The clock when all that was before it had been done; kNever if that is not so yet.
  [[nodiscard]] Cycle time_of(EventId event) const { return streams_.time_of(event); }
  /// The sums over all grids that have ended. Cycles are those in which a grid ran.
  [[nodiscard]] const DeviceTotals& totals() const { return totals_; }

 private:
  struct FinishedBlock {
    SmId sm;
    BlockEnd block;
  };

  template <typename Done>
  void run_while_not(Done done);
  void step();
  [[nodiscard]] Cycle next();
  void run_sms(Cycle begin, Cycle end);
  void run_few_sms(Cycle begin, Cycle end);
  void run_sm(Sm& sm, Cycle begin, Cycle end, const Sm* following);
  [[nodiscard]] Cycle first_visit(Cycle first) const;
  [[nodiscard]] Cycle quantum_end(Cycle begin) const;

  void exchange(Cycle begin, Cycle end);
  void gather_requests(Cycle end);
  void serve_requests(Cycle begin, Cycle end);
  void serve_added();
  void note_served(MemoryLevel level, Cycle done);
  void tell_events(Cycle end);
  void take_finished_blocks();
  void place_blocks(Cycle now);

  void launch_grids();
  void wake();
  void launch(GridId id);
  [[nodiscard]] GridSlot free_slot() const;
  void end_grids();
  void note_end(RunningGrid& grid) const;
  [[nodiscard]] bool is_drained(const RunningGrid& grid) const;
  void end_grid(RunningGrid& grid);
  void charge_idle_sms(Cycle end);
  [[nodiscard]] std::vector<SmCounters> counters_of(const RunningGrid& grid) const;

  void tell_progress() const;
  void look_for_deadlock();
  [[noreturn]] void fail_deadlocked() const;
  void check_limits(Cycle begin) const;
  [[noreturn]] void fail_over_limit(const RunningGrid& grid) const;
  [[nodiscard]] std::string waiting_warps() const;
  [[nodiscard]] RunningGrid& first_running() const { return *running_[order_.front()]; }

  GpuSpec spec_;
  unsigned threads_;
  ClassTimings timings_;
  SmWatch watch_;
  L2AndDram memory_;
  Cycle quantum_;
  BlockScheduler scheduler_;
  std::vector<std::unique_ptr<Sm>> sms_;
  ThreadTeam team_;
  PcLedgers pc_ledgers_;
  EventStream events_;
  Streams streams_;

  Cycle now_ = 0;  // a quantum's end
  std::uint64_t quanta_ = 0;
  bool has_failed_ = false;
  std::function<void(const Progress&)> progress_;

  std::vector<SubmittedGrid> submitted_;               // by GridId
  std::vector<std::unique_ptr<RunningGrid>> running_;  // by slot
  std::vector<GridSlot> order_;                        // those that run, as they were launched
  Cycle first_since_ = 0;                              // since when the first of them has been the first,
  std::vector<Cycle> active_before_;                   // and how long SMs had been active then
  std::map<GridId, GridRun> ended_;
  DeviceTotals totals_;

  std::vector<Cycle> wakes_;          // by SM: the first cycle in which it has something to do
  std::vector<Sm*> busy_;             // in a quantum
  std::vector<MemoryRequest> batch_;  // of a quantum, SM by SM
  TimeOrder order_of_batch_;
  std::vector<std::uint32_t> added_;  // places in batch_ of those that memory has, if they are to be told
  std::size_t served_ = 0;            // of them
  std::vector<FinishedBlock> finished_;
  stream::DeadlockWatch deadlock_watch_;
  std::vector<stream::LiveWarp> live_;  // of the last look for one
};

}  // namespace heddle::sim
