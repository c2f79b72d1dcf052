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
    const Cycle latency = cold_.enabled ? cold_.constant_latency : spec_.miss_latency;
    line->filled_at = std::min(line->filled_at, now + latency);
    return std::max(now, line->filled_at);
  }
  std::optional<TagArray::Line> evicted;
  TagArray::Line& line = tags_.insert(number, evicted);
  line.filled_at = now + miss_latency(number);
  return line.filled_at;
}

Cycle ConstantCache::miss_latency(std::uint64_t line) {
  if (!cold_.enabled) return spec_.miss_latency;
  if (line >= was_asked_.size()) was_asked_.resize(line + 1);
  const bool is_behind = was_asked_[line];
  was_asked_[line] = true;
  return is_behind ? spec_.miss_latency : cold_.constant_latency;
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
