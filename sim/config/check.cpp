#include "sim/config/check.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::sim {

namespace {

void check_at_most(const Complaint& complain, const std::string& path, std::uint64_t value,
                   const std::string& bound_path, std::uint64_t bound) {
  if (value <= bound) return;
  complain(path, fmt::format("'{}' must be at most '{}' ({}); found {}", path, bound_path, bound, value));
}

void check_warps(const OccupancySpec& spec, const Complaint& complain) {
  check_at_most(complain, "occupancy.max_threads_per_block", spec.max_threads_per_block,
                "occupancy.max_warps x occupancy.warp_size", std::uint64_t{spec.max_warps} * spec.warp_size);
  check_at_most(complain, "occupancy.registers_per_block", spec.registers_per_block, "occupancy.registers",
                spec.registers);
  check_at_most(complain, "occupancy.register_unit", spec.register_unit,
                "occupancy.registers / occupancy.register_partitions",
                spec.registers / spec.register_partitions);
}

void check_shared(const OccupancySpec& spec, const Complaint& complain) {
  check_at_most(complain, "occupancy.shared_bytes_per_block",
                std::uint64_t{spec.shared_bytes_per_block} + spec.shared_reserved,
                "occupancy.shared_bytes, with occupancy.shared_reserved taken off", spec.shared_bytes);
  check_at_most(complain, "occupancy.shared_without_opt_in", spec.shared_without_opt_in,
                "occupancy.shared_bytes_per_block", spec.shared_bytes_per_block);
  if (spec.carveouts.empty()) return;
  const auto not_above =
      std::adjacent_find(spec.carveouts.begin(), spec.carveouts.end(), std::greater_equal<>());
  if (not_above != spec.carveouts.end()) {
    complain("occupancy.carveouts",
             fmt::format("'occupancy.carveouts' must ascend; found {} after {}", not_above[1], not_above[0]));
  }
  if (spec.carveouts.back() != spec.shared_bytes) {
    complain("occupancy.carveouts", fmt::format("the last of 'occupancy.carveouts' must be "
                                                "'occupancy.shared_bytes' ({}); found {}",
                                                spec.shared_bytes, spec.carveouts.back()));
  }
}

void check_instruction_cache(const InstructionCacheSpec& spec, const Complaint& complain) {
  const auto check_sets = [&](std::string_view level, std::uint32_t bytes, std::uint32_t ways) {
    const std::uint64_t set_bytes = std::uint64_t{spec.line_bytes} * ways;
    if (bytes % set_bytes == 0) return;
    complain(fmt::format("sm.instruction_cache.{}_bytes", level),
             fmt::format("'sm.instruction_cache.{0}_bytes' must be a multiple of {1} "
                         "('sm.instruction_cache.{0}_ways' lines of 'sm.instruction_cache.line_bytes'); found {2}",
                         level, set_bytes, bytes));
  };
  check_sets("l0", spec.l0_bytes, spec.l0_ways);
  check_sets("l1", spec.l1_bytes, spec.l1_ways);
}

void check_sm(const GpuSpec& spec, const Complaint& complain) {
  check_at_most(complain, "occupancy.max_warps", spec.occupancy.max_warps, fmt::format("{} x sm.sub_partitions", kMostWarps),
                std::uint64_t{kMostWarps} * spec.sm.sub_partitions);
  if (spec.occupancy.max_warps % spec.sm.sub_partitions != 0) {
    complain("occupancy.max_warps",
             fmt::format("'occupancy.max_warps' must be a multiple of 'sm.sub_partitions' ({}); found {}",
                         spec.sm.sub_partitions, spec.occupancy.max_warps));
  }
  check_instruction_cache(spec.sm.instruction_cache, complain);
  const std::uint64_t set_bytes = std::uint64_t{spec.sm.constant.line_bytes} * spec.sm.constant.ways;
  if (spec.sm.constant.bytes % set_bytes != 0) {
    complain("sm.constant.bytes",
             fmt::format("'sm.constant.bytes' must be a multiple of {} ('sm.constant.ways' lines of "
                         "'sm.constant.line_bytes'); found {}",
                         set_bytes, spec.sm.constant.bytes));
  }
}

/// What is left of the unified storage for L1 must be whole sets, whatever shared memory takes.
void check_l1_sets(const GpuSpec& spec, const Complaint& complain) {
  const std::uint32_t set_bytes = spec.l1.line_bytes * spec.l1.ways;
  const std::vector<std::uint32_t> fixed = {spec.occupancy.shared_bytes};
  const std::string reserved =
      spec.l1.reserved_bytes == 0 ? "" : fmt::format(" and 'l1.reserved_bytes' ({})", spec.l1.reserved_bytes);
  for (const std::uint32_t shared : spec.occupancy.carveouts.empty() ? fixed : spec.occupancy.carveouts) {
    const std::uint32_t taken = shared + spec.l1.reserved_bytes;
    if (taken < spec.l1.unified_bytes && (spec.l1.unified_bytes - taken) % set_bytes == 0) continue;
    complain(
        "l1.unified_bytes",
        fmt::format("'l1.unified_bytes' ({}) less {} bytes of shared memory{} must be one or more sets of {} "
                    "bytes ('l1.ways' lines of 'l1.line_bytes')",
                    spec.l1.unified_bytes, shared, reserved, set_bytes));
    return;
  }
}

/// All of these are simulated: guards of this program's memory, far above any GPU.
void check_amounts(const GpuSpec& spec, const Complaint& complain) {
  constexpr std::uint64_t kMostLines = 1u << 24;
  constexpr std::uint64_t kMostPlaces = 1u << 19;
  const InstructionCacheSpec& code = spec.sm.instruction_cache;
  const std::uint64_t parts = spec.sm.sub_partitions;
  const std::uint64_t code_lines =
      code.l1_bytes / code.line_bytes + parts * (code.l0_bytes / code.line_bytes);
  const auto check_total = [&](const char* path, const char* of, std::uint64_t an_sm, std::uint64_t most) {
    const std::uint64_t total = spec.sms * an_sm;
    if (total > most)
      complain(path, fmt::format("the {} are {} in all; at most {} are simulated", of, total, most));
  };
  check_total("l1.unified_bytes", "lines of all L1s", spec.l1.unified_bytes / spec.l1.line_bytes, kMostLines);
  check_total("sm.instruction_cache.l1_bytes", "lines of all instruction caches", code_lines, kMostLines);
  check_total("sm.mio.queue_depth", "places of all MIO queues", parts * spec.sm.mio.queue_depth, kMostPlaces);
}

/// There is nowhere to prefetch to without the cache.
template <typename CacheSpec>
void check_prefetcher(const Complaint& complain, std::string_view cache, const CacheSpec& spec) {
  if (spec.enabled || spec.prefetcher == "none") return;
  complain(fmt::format("{}.prefetcher", cache),
           fmt::format("'{0}.prefetcher' must be 'none' unless '{0}.enabled' is true; found '{1}'", cache,
                       spec.prefetcher));
}

/// Lines and sectors are used without L1, too: requests are cut into them.
void check_l1(const GpuSpec& spec, const Complaint& complain) {
  check_at_most(complain, "l1.sector_bytes", spec.l1.sector_bytes, "l1.line_bytes", spec.l1.line_bytes);
  if (spec.l1.enabled) check_l1_sets(spec, complain);
  check_prefetcher(complain, "l1", spec.l1);
}

void check_l2(const GpuSpec& spec, const Complaint& complain) {
  check_at_most(complain, "l1.sector_bytes", spec.l1.sector_bytes, "l2.line_bytes", spec.l2.line_bytes);
  check_prefetcher(complain, "l2", spec.l2);
  if (!spec.l2.enabled) return;
  check_at_most(complain, "l2.fetch_bytes", spec.l2.fetch_bytes, "l2.line_bytes", spec.l2.line_bytes);
  if (spec.l2.slices % spec.l2.partitions != 0) {
    complain("l2.slices", fmt::format("'l2.slices' must be a multiple of 'l2.partitions' ({}); found {}",
                                      spec.l2.partitions, spec.l2.slices));
  }
  const std::uint64_t unit = std::uint64_t{spec.l2.line_bytes} * spec.l2.ways * spec.l2.slices;
  if (spec.l2.bytes % unit != 0) {
    complain("l2.bytes", fmt::format("'l2.bytes' must be a multiple of {} (a set of 'l2.ways' lines of "
                                     "'l2.line_bytes' in each of 'l2.slices'); found {}",
                                     unit, spec.l2.bytes));
  }
}

/// Each level of memory is at least as far as the one before it.
void check_latencies(const GpuSpec& spec, const Complaint& complain) {
  struct Level {
    const char* path;
    std::uint32_t latency;
    bool enabled;
  };
  const Level levels[] = {{"sm.mio.front_latency", spec.sm.mio.front_latency, true},
                          {"l1.latency", spec.l1.latency, spec.l1.enabled},
                          {"l2.latency", spec.l2.latency, spec.l2.enabled},
                          {"dram.latency", spec.dram.latency, true}};
  const Level* nearer = &levels[0];
  const Level* beyond_l1 = nullptr;
  for (const Level& level : levels) {
    if (!level.enabled) continue;
    check_at_most(complain, nearer->path, nearer->latency, level.path, level.latency);
    nearer = &level;
    if (beyond_l1 == nullptr && &level >= &levels[2]) beyond_l1 = &level;
  }
  // Signed, as the front may be the longer part by mistake.
  const std::int64_t left = std::int64_t{beyond_l1->latency} - spec.sm.mio.front_latency;
  if (spec.l2.request_latency > left) {
    complain(
        "l2.request_latency",
        fmt::format("'l2.request_latency' must be at most '{}' less 'sm.mio.front_latency' ({}); found {}",
                    beyond_l1->path, left, spec.l2.request_latency));
  }
}

void check_mio_classes(const GpuSpec& spec, const Complaint& complain) {
  for (const ir::TimingClass timing_class :
       {ir::TimingClass::Shuffle, ir::TimingClass::LoadShared, ir::TimingClass::StoreShared,
        ir::TimingClass::AtomicShared, ir::TimingClass::Membar}) {
    const std::string path = fmt::format("sm.instructions.{}.latency", ir::info(timing_class).key);
    const ClassSpec& timing = spec.sm.timing(timing_class);
    const std::uint32_t latency = timing.latency;
    if (timing.is_absent() || latency >= spec.sm.mio.front_latency) continue;
    complain(path, fmt::format("'{}' must be at least 'sm.mio.front_latency' ({}); found {}", path,
                               spec.sm.mio.front_latency, latency));
  }
}

}  // namespace

void check(const GpuSpec& spec, const Complaint& complain) {
  check_warps(spec.occupancy, complain);
  check_shared(spec.occupancy, complain);
  check_sm(spec, complain);
  check_l1(spec, complain);
  check_l2(spec, complain);
  check_latencies(spec, complain);
  check_mio_classes(spec, complain);
  check_amounts(spec, complain);
}

}  // namespace heddle::sim
