#include "sim/memory/dram_channel.h"

#include <algorithm>

namespace heddle::sim {

namespace {

double cycles_a_sector(const GpuSpec& spec) {
  const double bytes_per_cycle = spec.dram.bandwidth_gbps * 1e3 * spec.dram.efficiency / spec.clock_mhz;
  return spec.l1.sector_bytes * spec.dram.channels / bytes_per_cycle;
}

}  // namespace

DramTiming::DramTiming(const GpuSpec& spec)
    : sector(nearest_ticks(cycles_a_sector(spec))),
      activate(nearest_ticks(spec.dram.activate_ns * spec.clock_mhz * 1e-3)),
      turnaround(nearest_ticks(spec.dram.turnaround_ns * spec.clock_mhz * 1e-3)),
      batch(std::max(1U, spec.dram.write_batch / spec.l1.sector_bytes)),
      banks(spec.dram.banks),
      open_rows(dram_order(spec.dram.order).open_rows) {}

Tick DramChannel::read(const DramTiming& timing, std::uint64_t row, Tick arrival, unsigned sectors) {
  Tick start = std::max(arrival, bus_free_);
  if (opens(timing, row)) {
    activate_free_ = std::max(arrival, activate_free_);
    start = std::max(start, activate_free_);
    activate_free_ += timing.activate;
  }
  bus_free_ = start + sectors * timing.sector;
  has_read_ = true;
  return start;
}

void DramChannel::write(const DramTiming& timing, std::uint64_t row, Tick arrival, unsigned sectors) {
  waiting_sectors_ += sectors;
  waiting_activations_ += opens(timing, row) ? 1 : 0;
  if (waiting_sectors_ >= timing.batch) drain(timing, arrival);
}

void DramChannel::drain(const DramTiming& timing, Tick arrival) {
  const Tick start = std::max(arrival, bus_free_);
  bus_free_ = start + waiting_sectors_ * timing.sector;
  if (waiting_activations_ != 0) {
    const Tick last = std::max(start, activate_free_) + (waiting_activations_ - 1) * timing.activate;
    activate_free_ = last + timing.activate;
    bus_free_ = std::max(bus_free_, last + timing.sector);
  }
  if (has_read_) bus_free_ += timing.turnaround;
  waiting_sectors_ = 0;
  waiting_activations_ = 0;
  has_read_ = false;
}

std::uint64_t DramChannel::sectors_after(const DramTiming& timing, Tick end) const {
  const Tick busy = bus_free_ - std::min(bus_free_, end);
  return waiting_sectors_ + divide_up(busy, std::max<Tick>(timing.sector, 1));
}

/// Whether the row has to be activated. It is the latest of its bank from now on.
bool DramChannel::opens(const DramTiming& timing, std::uint64_t row) {
  Bank& bank = banks_[(row ^ row >> 5 ^ row >> 10) & (banks_.size() - 1)];
  const auto name = static_cast<std::uint32_t>(row + 1);
  if (bank[0] == name) return timing.open_rows == 0;
  std::size_t place = 1;
  while (place < kMostOpenRows - 1 && bank[place] != name) ++place;
  const bool found = bank[place] == name && place < timing.open_rows;
  std::copy_backward(bank.begin(), bank.begin() + static_cast<std::ptrdiff_t>(place),
                     bank.begin() + static_cast<std::ptrdiff_t>(place) + 1);
  bank[0] = name;
  return !found;
}

}  // namespace heddle::sim
