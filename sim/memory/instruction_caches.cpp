#include "sim/memory/instruction_caches.h"

#include <algorithm>

namespace heddle::sim {

namespace {

void put(TagArray& tags, std::uint64_t line, Cycle filled_at) { tags.insert(line).filled_at = filled_at; }

/// The first of these lines, as many as there is room for.
void fill(TagArray& tags, std::uint32_t bytes, std::uint32_t line_bytes, std::uint64_t first,
          std::uint64_t end) {
  const std::uint64_t last = std::min<std::uint64_t>(end, first + bytes / line_bytes);
  for (std::uint64_t line = first; line < last; ++line) put(tags, line, 0);
}

}  // namespace

InstructionCaches::InstructionCaches(const GpuSpec& spec)
    : spec_(spec.sm.instruction_cache),
      l2_latency_(spec.l2.latency),
      finds_code_(!spec.cold.enabled),
      per_line_(spec_.line_bytes / spec_.instruction_bytes),
      fronts_(spec.sm.sub_partitions, {TagArray(spec_.l0_bytes, spec_.line_bytes, spec_.l0_ways), {}}),
      l1_(spec_.l1_bytes, spec_.line_bytes, spec_.l1_ways) {}

/// The code of each grid begins in the first set of both caches.
void InstructionCaches::add_grid(std::size_t grid, std::uint64_t instructions) {
  constexpr std::uint64_t kMostLines = std::uint64_t{1} << 24;
  if (codes_.size() <= grid) codes_.resize(grid + 1);
  const std::uint64_t lines =
      divide_up(instructions * spec_.instruction_bytes, std::uint64_t{spec_.line_bytes});
  const Code code = codes_[grid] = {next_line_, next_line_ + lines};
  next_line_ += fronts_.front().l0.sets() * l1_.sets() * kMostLines;
  if (!finds_code_) return;
  for (Front& front : fronts_)
    fill(front.l0, spec_.l0_bytes, spec_.line_bytes, code.first_line, code.end_line);
  fill(l1_, spec_.l1_bytes, spec_.line_bytes, code.first_line, code.end_line);
}

bool InstructionCaches::can_miss(const GpuSpec& spec, std::uint64_t instructions) {
  const InstructionCacheSpec& caches = spec.sm.instruction_cache;
  if (caches.l0_bytes == 0 || instructions == 0) return false;
  return spec.cold.enabled || instructions * caches.instruction_bytes > caches.l0_bytes;
}

Cycle InstructionCaches::ready(std::size_t grid, unsigned sub_partition, Pc pc, Cycle now) {
  Front& front = fronts_[sub_partition];
  const Code& code = codes_[grid];
  if (code.first_line == code.end_line) return now;
  const std::uint64_t line = code.first_line + pc / per_line_;
  if (const TagArray::Line* held = front.l0.find(line)) return std::max(now, held->filled_at);
  const Cycle arrives = take_from_stream(front, code, line, now);
  put(front.l0, line, arrives);
  return std::max(now, arrives);
}

/// The line leaves the stream buffer, with those before it, or a new stream begins at it.
Cycle InstructionCaches::take_from_stream(Front& front, const Code& code, std::uint64_t line, Cycle now) {
  const bool is_there =
      !front.stream.empty() && front.stream.front().line <= line && line <= front.stream.back().line;
  if (!is_there) {
    front.stream.clear();
    const Cycle arrives = fetch(line, now);
    fill_stream(front, code, line + 1, now);
    return arrives;
  }
  while (front.stream.front().line != line) front.stream.pop_front();
  const Cycle arrives = front.stream.front().arrives;
  const std::uint64_t next = front.stream.back().line + 1;
  front.stream.pop_front();
  fill_stream(front, code, next, now);
  return arrives;
}

void InstructionCaches::fill_stream(Front& front, const Code& code, std::uint64_t next, Cycle now) {
  for (; front.stream.size() < spec_.prefetch_lines && next < code.end_line; ++next) {
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
