#include "sim/memory/constant_cache.h"

#include <algorithm>
#include <array>

namespace heddle::sim {

ConstantCache::ConstantCache(const ConstantSpec& spec)
    : spec_(spec), tags_(spec.bytes, spec.line_bytes, spec.ways) {}

Cycle ConstantCache::ready(std::uint64_t offset, Cycle now) {
  const std::uint64_t number = offset / spec_.line_bytes;
  if (const TagArray::Line* line = tags_.find(number)) return std::max(now, line->filled_at);
  std::optional<TagArray::Line> evicted;
  TagArray::Line& line = tags_.insert(number, evicted);
  line.filled_at = now + spec_.miss_latency;
  return line.filled_at;
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
