#include "sim/memory/instruction_caches.h"

#include <algorithm>

namespace heddle::sim {

namespace {

void put(TagArray& tags, std::uint64_t line, Cycle filled_at) { tags.insert(line).filled_at = filled_at; }

/// With the kernel's first lines, as many as there is room for.
TagArray filled(std::uint32_t bytes, std::uint32_t line_bytes, std::uint32_t ways, std::uint64_t lines) {
  TagArray tags(bytes, line_bytes, ways);
  for (std::uint64_t line = 0; line < std::min<std::uint64_t>(lines, bytes / line_bytes); ++line)
    put(tags, line, 0);
  return tags;
}

}  // namespace

InstructionCaches::InstructionCaches(const GpuSpec& spec, std::uint64_t instructions)
    : spec_(spec.sm.instruction_cache),
      l2_latency_(spec.l2.latency),
      lines_(divide_up(instructions * spec_.instruction_bytes, std::uint64_t{spec_.line_bytes})),
      per_line_(spec_.line_bytes / spec_.instruction_bytes),
      l1_(spec_.l1_bytes, spec_.line_bytes, spec_.l1_ways) {
  const std::uint64_t found = spec.cold.enabled ? 0 : lines_;
  const Front front = {filled(spec_.l0_bytes, spec_.line_bytes, spec_.l0_ways, found), {}};
  fronts_.assign(spec.sm.sub_partitions, front);
  l1_ = filled(spec_.l1_bytes, spec_.line_bytes, spec_.l1_ways, found);
}

bool InstructionCaches::can_miss(const GpuSpec& spec, std::uint64_t instructions) {
  const InstructionCacheSpec& caches = spec.sm.instruction_cache;
  if (caches.l0_bytes == 0 || instructions == 0) return false;
  return spec.cold.enabled || instructions * caches.instruction_bytes > caches.l0_bytes;
}

Cycle InstructionCaches::ready(unsigned sub_partition, Pc pc, Cycle now) {
  Front& front = fronts_[sub_partition];
  const std::uint64_t line = pc / per_line_;
  if (const TagArray::Line* held = front.l0.find(line)) return std::max(now, held->filled_at);
  const Cycle arrives = take_from_stream(front, line, now);
  put(front.l0, line, arrives);
  return std::max(now, arrives);
}

/// The line leaves the stream buffer, with those before it, or a new stream begins at it.
Cycle InstructionCaches::take_from_stream(Front& front, std::uint64_t line, Cycle now) {
  const bool is_there =
      !front.stream.empty() && front.stream.front().line <= line && line <= front.stream.back().line;
  if (!is_there) {
    front.stream.clear();
    const Cycle arrives = fetch(line, now);
    fill_stream(front, line + 1, now);
    return arrives;
  }
  while (front.stream.front().line != line) front.stream.pop_front();
  const Cycle arrives = front.stream.front().arrives;
  const std::uint64_t next = front.stream.back().line + 1;
  front.stream.pop_front();
  fill_stream(front, next, now);
  return arrives;
}

void InstructionCaches::fill_stream(Front& front, std::uint64_t next, Cycle now) {
  for (; front.stream.size() < spec_.prefetch_lines && next < lines_; ++next) {
    front.stream.push_back({next, fetch(next, now)});
  }
}

/// When the line, asked for at `now`, reaches a sub-partition.
Cycle InstructionCaches::fetch(std::uint64_t line, Cycle now) {
  if (const TagArray::Line* held = l1_.find(line)) return std::max(now, held->filled_at) + spec_.l1_latency;
  put(l1_, line, now + l2_latency_);
  return now + l2_latency_ + spec_.l1_latency;
}

}  // namespace heddle::sim
