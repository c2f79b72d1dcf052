// Stride prefetching by instruction and warp (Chen, Baer: "Effective Hardware-Based Data Prefetching for
// High-Performance Processors", IEEE Transactions on Computers 44(5), 1995; by warp, as in Lee,
// Lakshminarayana, Kim, Vuduc: "Many-Thread Aware Prefetching Mechanisms for GPGPU Applications", MICRO
// 2010).
//
// A table remembers where an instruction of a warp loaded last and how far that was from the time before.
// When it goes on by the same distance, what lies as far ahead is asked for. Distances are counted in
// sectors, so that steps smaller than a line are seen, too.
#pragma once

#include <array>
#include <bit>

#include "sim/memory/policies/prefetcher.h"

namespace heddle::sim {

/// The prefetcher `stride`, with one table for the cache that it serves.
class Stride final : public Prefetcher {
 public:
  explicit Stride(const PrefetcherShape& shape) : shape_(shape) {}

  void access(const CacheAccess& access, std::vector<PrefetchedLine>& wanted) override {
    const auto first = static_cast<unsigned>(std::countr_zero(access.sectors));
    const auto place = static_cast<std::int64_t>(access.line * shape_.sectors_per_line + first);
    const std::uint64_t who = std::uint64_t{access.pc} << 32 | std::uint64_t{access.sm} << 16 |
                              std::uint64_t{access.warp} << 5 | (access.piece & 31U);
    Entry& entry = table_[(who * 0x9e3779b97f4a7c15U) >> (64 - kTableBits)];
    if (!entry.is_used || entry.who != who) {
      entry = {true, who, place, 0, false};
      return;
    }
    const std::int64_t step = place - entry.place;
    entry.place = place;
    if (step == 0) return;
    entry.is_steady = step == entry.step;
    entry.step = step;
    if (!entry.is_steady) return;
    for (unsigned i = 1; i <= shape_.degree; ++i) ask(place + i * step, access.sectors >> first, wanted);
  }

 private:
  static constexpr unsigned kTableBits = 10;

  /// The last load of an instruction of a warp.
  struct Entry {
    bool is_used = false;
    std::uint64_t who = 0;   // instruction, SM, warp, and which of its lines
    std::int64_t place = 0;  // the last load's first sector
    std::int64_t step = 0;   // from the one before
    bool is_steady = false;  // it came twice
  };

  /// The sectors, of which the first is at `place`, may lie in two lines.
  void ask(std::int64_t place, std::uint32_t sectors, std::vector<PrefetchedLine>& wanted) const {
    if (place < 0) return;
    const auto first = static_cast<std::uint64_t>(place);
    const std::uint64_t line = first / shape_.sectors_per_line;
    const std::uint64_t all = std::uint64_t{sectors} << first % shape_.sectors_per_line;
    const std::uint64_t here = all & ((std::uint64_t{1} << shape_.sectors_per_line) - 1);
    const std::uint64_t beyond = all >> shape_.sectors_per_line;
    if (here != 0) wanted.push_back({line, static_cast<std::uint32_t>(here)});
    if (beyond != 0) wanted.push_back({line + 1, static_cast<std::uint32_t>(beyond)});
  }

  PrefetcherShape shape_;
  std::array<Entry, std::size_t{1} << kTableBits> table_;
};

}  // namespace heddle::sim
