// A channel of DRAM: a data bus, banks with rows, and a buffer for writes.
//
// What passes keeps the bus busy, in the order in which it comes. A row that is not open has to be activated,
// and activations follow one another no closer than `activate_ns`: streams do not feel it, accesses that are
// scattered over rows do. Writes are collected, and written `write_batch` bytes at a time: the bus is turned
// round for them and back, which takes `turnaround_ns` in all, and reads wait meanwhile.
//
// A controller may serve requests for one row together as far as it sees them in its queue. That order is not
// modelled but its effect is: sim/memory/policies/dram_order.h.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "sim/memory/policies/dram_order.h"
#include "sim/memory/tick.h"

namespace heddle::sim {

/// What all channels of a GPU have in common.
struct DramTiming {
  explicit DramTiming(const GpuSpec& spec);

  /// What a batch of writes keeps the bus busy for, at least.
  [[nodiscard]] Tick batch_time() const { return batch * sector; }

  Tick sector;            ///< How long a sector keeps the bus busy.
  Tick activate;          ///< The time from one row activation to the next.
  Tick turnaround;        ///< The time that the bus needs to turn round to writes and back.
  std::uint32_t batch;    ///< How many sectors of writes are collected before they are written.
  std::uint32_t banks;    ///< A power of two.
  std::size_t open_rows;  ///< As in DramOrder.
};

/// One channel. Times are ticks, parts of a cycle of the SM's clock. L2AndDram owns the channels and calls
/// them in the order in which requests are served, not always that of time: who comes later waits behind what
/// the bus was given.
class DramChannel {
 public:
  explicit DramChannel(const DramTiming& timing) : banks_(timing.banks) {}

  /// Reads sectors of one row; returns when they begin to pass the bus.
  Tick read(const DramTiming& timing, std::uint64_t row, Tick arrival, unsigned sectors);

  /// The same for writes, which nobody waits for.
  void write(const DramTiming& timing, std::uint64_t row, Tick arrival, unsigned sectors);

  /// When the bus has passed what it has been given; writes that are collected are none of it.
  [[nodiscard]] Tick free_at() const { return bus_free_; }

  /// How many sectors it still has to pass at that time: collected writes, and what keeps the bus busy for
  /// longer.
  [[nodiscard]] std::uint64_t sectors_after(const DramTiming& timing, Tick end) const;

 private:
  /// The numbers of a bank's last rows plus one, the latest first; 0 is none.
  using Bank = std::array<std::uint32_t, kMostOpenRows>;

  bool opens(const DramTiming& timing, std::uint64_t row);
  void drain(const DramTiming& timing, Tick arrival);

  std::vector<Bank> banks_;
  Tick bus_free_ = 0;
  Tick activate_free_ = 0;
  std::uint32_t waiting_sectors_ = 0;      // to be written
  std::uint32_t waiting_activations_ = 0;  // for them
  bool has_read_ = false;                  // since the last writes
};

}  // namespace heddle::sim
