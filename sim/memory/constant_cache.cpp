#include "sim/memory/constant_cache.h"

#include <algorithm>
#include <array>

namespace heddle::sim {

ConstantCache::ConstantCache(const GpuSpec& spec)
    : spec_(spec.sm.constant), cold_(spec.cold), tags_(spec_.bytes, spec_.line_bytes, spec_.ways) {}

/// Each bank begins in the first set, as the first one does.
void ConstantCache::add_grid(std::size_t grid) {
  constexpr std::uint64_t kMostLines = std::uint64_t{1} << 24;
  if (banks_.size() <= grid) banks_.resize(grid + 1);
  banks_[grid] = {next_line_, {}, cold_.enabled ? kNever : 0};
  next_line_ += tags_.sets() * kMostLines;
}

Cycle ConstantCache::ready(std::size_t grid, std::uint64_t offset, Cycle now) {
  Bank& bank = banks_[grid];
  const std::uint64_t number = offset / spec_.line_bytes;
  if (TagArray::Line* line = tags_.find(bank.first_line + number)) {
    // Who asked first may have asked for later.
    line->filled_at = std::min(line->filled_at, now + latency_of(bank, number));
    return std::max(now, line->filled_at);
  }
  TagArray::Line& line = tags_.insert(bank.first_line + number);
  line.filled_at = now + ask(bank, number);
  return line.filled_at;
}

/// Asks for a line that is not there; returns what it takes.
Cycle ConstantCache::ask(Bank& bank, std::uint64_t line) const {
  if (!cold_.enabled) return spec_.miss_latency;
  if (line >= bank.latencies.size()) bank.latencies.resize(line + 1, kNever);
  Cycle& latency = bank.latencies[line];
  latency = latency == kNever ? cold_.constant_latency : spec_.miss_latency;
  return latency;
}

/// What a line that was asked for takes.
Cycle ConstantCache::latency_of(const Bank& bank, std::uint64_t line) const {
  return cold_.enabled ? bank.latencies[line] : spec_.miss_latency;
}

Cycle ConstantCache::launch_ready(std::size_t grid, Cycle now) {
  Cycle& ready = banks_[grid].launch_ready;
  ready = std::min(ready, now + cold_.constant_latency);
  return std::max(now, ready);
}

Cycle ConstantCache::ready(std::size_t grid, const Addr* offsets, LaneMask lanes, bool is_cached, Cycle now) {
  constexpr Addr kWordBytes = 4;
  std::array<Addr, kMaxWarpSize> words;
  auto* end = words.begin();
  for_each_lane(lanes, [&](unsigned lane) { *end++ = offsets[lane] / kWordBytes; });
  std::sort(words.begin(), end);
  end = std::unique(words.begin(), end);
  Cycle all = now;
  for (auto* word = words.begin(); word != end; ++word) {
    const Cycle turn = now + Cycle{spec_.address_interval} * static_cast<Cycle>(word - words.begin());
    all = std::max(all, is_cached ? ready(grid, *word * kWordBytes, turn) : turn);
  }
  return all;
}

}  // namespace heddle::sim
