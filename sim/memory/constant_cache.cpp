#include "sim/memory/constant_cache.h"

#include <algorithm>
#include <array>

namespace heddle::sim {

ConstantCache::ConstantCache(const GpuSpec& spec)
    : spec_(spec.sm.constant),
      cold_(spec.cold),
      tags_(spec_.bytes, spec_.line_bytes, spec_.ways),
      launch_ready_(cold_.enabled ? kNever : 0) {}

Cycle ConstantCache::ready(std::uint64_t offset, Cycle now) {
  const std::uint64_t number = offset / spec_.line_bytes;
  if (TagArray::Line* line = tags_.find(number)) {
    // Who asked first may have asked for later.
    line->filled_at = std::min(line->filled_at, now + latency_of(number));
    return std::max(now, line->filled_at);
  }
  TagArray::Line& line = tags_.insert(number);
  line.filled_at = now + ask(number);
  return line.filled_at;
}

/// Asks for a line that is not there; returns what it takes.
Cycle ConstantCache::ask(std::uint64_t line) {
  if (!cold_.enabled) return spec_.miss_latency;
  if (line >= latencies_.size()) latencies_.resize(line + 1, kNever);
  Cycle& latency = latencies_[line];
  latency = latency == kNever ? cold_.constant_latency : spec_.miss_latency;
  return latency;
}

/// What a line that was asked for takes.
Cycle ConstantCache::latency_of(std::uint64_t line) const {
  return cold_.enabled ? latencies_[line] : spec_.miss_latency;
}

Cycle ConstantCache::launch_ready(Cycle now) {
  launch_ready_ = std::min(launch_ready_, now + cold_.constant_latency);
  return std::max(now, launch_ready_);
}

Cycle ConstantCache::ready(const Addr* offsets, LaneMask lanes, bool is_cached, Cycle now) {
  constexpr Addr kWordBytes = 4;
  std::array<Addr, kMaxWarpSize> words;
  auto* end = words.begin();
  for_each_lane(lanes, [&](unsigned lane) { *end++ = offsets[lane] / kWordBytes; });
  std::sort(words.begin(), end);
  end = std::unique(words.begin(), end);
  Cycle all = now;
  for (auto* word = words.begin(); word != end; ++word) {
    const Cycle turn = now + Cycle{spec_.address_interval} * static_cast<Cycle>(word - words.begin());
    all = std::max(all, is_cached ? ready(*word * kWordBytes, turn) : turn);
  }
  return all;
}

}  // namespace heddle::sim
