// The description of a GPU for the timing model: plain numbers, read from configs/*.yaml and checked while
// loading. "Cycles" are SM clock cycles everywhere.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/ir/timing_class.h"

namespace heddle::sim {

/// Most resident warps of one sub-partition. Real GPUs have 8 to 16; lectures on latency hiding need more
/// than 100.
inline constexpr std::uint32_t kMostWarps = 128;
/// Most sub-partitions of an SM.
inline constexpr std::uint32_t kMostSubPartitions = 32;

/// Most extra cycles that a result can need to reach another unit.
inline constexpr std::uint32_t kMostBypassDelay = 15;

/// Most execution pipes of a sub-partition. Nsight Compute names a dozen.
inline constexpr std::size_t kMostPipes = 31;
inline constexpr std::size_t kMostPipesOfClass = 8;  ///< Most pipes that take instructions of one class.

/// The allocation rules and limits of a compute capability. They decide how many blocks fit an SM.
struct OccupancySpec {
  std::uint32_t warp_size = 0;   ///< lanes: 16, 32 or 64
  std::uint32_t max_warps = 0;   ///< resident warps per SM
  std::uint32_t max_blocks = 0;  ///< resident blocks per SM
  std::uint32_t max_threads_per_block = 0;
  std::uint32_t registers = 0;            ///< 32-bit registers per SM
  std::uint32_t registers_per_block = 0;  ///< most that one block may take
  std::uint32_t max_registers_per_thread = 0;
  /// pools of registers; all registers of a warp come from one pool
  std::uint32_t register_partitions = 0;
  /// the launch check counts registers as if the warps filled all of these pools evenly
  std::uint32_t register_launch_partitions = 0;
  std::uint32_t register_unit = 0;               ///< a warp's registers are rounded up to this
  /// shared memory per SM in bytes, with the largest carve-out
  std::uint32_t shared_bytes = 0;
  std::uint32_t shared_bytes_per_block = 0;      ///< most bytes of one block with opt-in
  std::uint32_t shared_without_opt_in = 0;       ///< most bytes of one block without opt-in
  std::uint32_t shared_reserved = 0;             ///< bytes that the system takes from each block
  std::uint32_t shared_unit = 0;                 ///< a block's bytes are rounded up to this
  std::vector<std::uint32_t> carveouts;  ///< legal sizes of shared memory in bytes, ascending; empty: fixed
  std::uint32_t barriers = 0;            ///< named barriers per SM; 0: no limit
  std::uint32_t virtual_resources = 0;   ///< virtual resources per SM; 0: no limit
  bool partitioned_caching = false;      ///< caching global loads can confine a block to half of an SM
  std::uint32_t max_cluster_blocks = 0;  ///< largest thread-block cluster, beyond the portable 8; 1: none
  std::uint32_t gpcs = 0;                ///< graphics processing clusters of the GPU; 0: not known

  friend bool operator==(const OccupancySpec&, const OccupancySpec&) = default;
};

/// One execution pipe of a sub-partition. An instruction keeps its pipe busy for the interval of its class.
struct PipeSpec {
  std::string name;

  friend bool operator==(const PipeSpec&, const PipeSpec&) = default;
};

/// How instructions of a timing class run. The latency of LoadShared is that of shared memory. The latencies
/// of LoadGlobal, StoreGlobal and ReduceGlobal are not used, because L1, L2 and DRAM have their own. The
/// latency of AtomicGlobal is for an address in L2.
struct ClassSpec {
  std::vector<std::uint8_t> pipes;  ///< Indices into SmSpec::pipes; the first free one is taken.
  std::uint32_t interval = 0;       ///< Cycles between two instructions on one pipe.
  /// Cycles from issue until a dependent instruction can issue; BypassSpec can add to it.
  std::uint32_t latency = 0;

  /// True if the GPU has no such instructions.
  [[nodiscard]] bool is_absent() const { return pipes.empty(); }

  friend bool operator==(const ClassSpec&, const ClassSpec&) = default;
};

/// Extra cycles until a unit other than the one that made a result can read or overwrite it. This applies to
/// results of the FMA, ALU, half-precision and double-precision units.
struct BypassSpec {
  std::uint32_t fma_alu = 0;  ///< Between FMA and ALU, in both directions.
  std::uint32_t wide = 0;     ///< From imad_wide to imad_wide, whose addend it is.
  /// Between half precision and the other units of this list, in both directions.
  std::uint32_t fp16 = 0;
  /// Between double precision and the other units of this list, in both directions.
  std::uint32_t fp64 = 0;
  std::uint32_t special = 0;  ///< To special functions, conversions, LDC.
  std::uint32_t tensor = 0;   ///< To tensor cores.
  std::uint32_t memory = 0;   ///< To loads, stores and shuffles, for addresses and data.

  friend bool operator==(const BypassSpec&, const BypassSpec&) = default;
};

/// The queue between a sub-partition and the stage that all sub-partitions of an SM share. Loads, stores and
/// shuffles pass it.
struct MioSpec {
  std::uint32_t queue_depth = 0;       ///< Instructions per sub-partition.
  std::uint32_t front_latency = 0;     ///< Cycles from issue to the shared stage, unloaded.
  std::uint32_t address_interval = 0;  ///< Cycles between two instructions of one sub-partition.
  std::uint32_t shared_interval = 0;   ///< Least cycles that the shared stage keeps a request.

  friend bool operator==(const MioSpec&, const MioSpec&) = default;
};

/// The banks of shared memory.
struct SharedMemorySpec {
  std::uint32_t banks = 0;
  std::uint32_t bank_bytes = 0;
  std::uint32_t atomic_interval = 0;  ///< Cycles between two passes of an atomic over the banks.

  friend bool operator==(const SharedMemorySpec&, const SharedMemorySpec&) = default;
};

/// Block barriers. A unit of the SM takes the warps that arrive one after another, per_warp cycles each. All
/// warps go on `base` cycles after the last one was taken. So W warps that arrive together wait base + W *
/// per_warp cycles.
struct BarrierSpec {
  std::uint32_t base = 0;
  std::uint32_t per_warp = 0;

  friend bool operator==(const BarrierSpec&, const BarrierSpec&) = default;
};

/// How tensor cores add. isa/exec/matrix_product.h explains the numbers.
struct TensorSpec {
  std::uint32_t terms = 0;
  std::uint32_t fraction_bits = 0;
  std::uint32_t fp8_fraction_bits = 0;

  friend bool operator==(const TensorSpec&, const TensorSpec&) = default;
};

/// The cache for the constants that a kernel declares. Sizes are in bytes.
struct ConstantSpec {
  std::uint32_t bytes = 0;
  std::uint32_t line_bytes = 0;
  std::uint32_t ways = 0;
  std::uint32_t miss_latency = 0;      ///< Cycles until a line that missed has come.
  std::uint32_t address_interval = 0;  ///< Cycles between two words that one LDC reads.

  friend bool operator==(const ConstantSpec&, const ConstantSpec&) = default;
};

/// The register banks of a sub-partition. Register r lies in bank r mod banks.
struct RegisterFileSpec {
  /// Each bank reads one register of a warp per cycle; 0: no conflicts are modelled.
  std::uint32_t banks = 0;
  /// Cycles that an instruction has to read its operands before it delays the next one.
  std::uint32_t read_window = 0;

  friend bool operator==(const RegisterFileSpec&, const RegisterFileSpec&) = default;
};

/// The instruction caches; sim/memory/instruction_caches.h explains them. Sizes are in bytes.
struct InstructionCacheSpec {
  std::uint32_t instruction_bytes = 0;
  std::uint32_t line_bytes = 0;
  std::uint32_t l0_bytes = 0;  ///< Per sub-partition; 0: no instruction ever misses.
  std::uint32_t l0_ways = 0;
  std::uint32_t prefetch_lines = 0;  ///< Lines that the stream buffer beside L0 prefetches.
  std::uint32_t l1_bytes = 0;        ///< Per SM.
  std::uint32_t l1_ways = 0;
  std::uint32_t l1_latency = 0;  ///< Cycles from an L0 miss until a line that hits in L1 is there.

  friend bool operator==(const InstructionCacheSpec&, const InstructionCacheSpec&) = default;
};

/// One SM: its warp schedulers and what they feed. Sub-partition i owns the warp slots s with s mod
/// sub_partitions = i.
struct SmSpec {
  std::uint32_t sub_partitions = 0;
  std::string scheduler;
  std::string divergence;
  std::vector<PipeSpec> pipes;
  std::array<ClassSpec, ir::kTimingClasses> classes;
  /// Cycles from a comparison until its predicate can guard an instruction or a branch.
  std::uint32_t guard_latency = 0;
  BypassSpec bypass;
  InstructionCacheSpec instruction_cache;
  RegisterFileSpec register_file;
  TensorSpec tensor;
  ConstantSpec constant;
  MioSpec mio;
  SharedMemorySpec shared;
  BarrierSpec barrier;

  [[nodiscard]] const ClassSpec& timing(ir::TimingClass which) const {
    return classes[static_cast<std::size_t>(which)];
  }

  friend bool operator==(const SmSpec&, const SmSpec&) = default;
};

/// The sectored first-level cache. Its size is the unified storage less the carve-out in use and less
/// reserved_bytes.
struct L1Spec {
  bool enabled = false;
  std::uint32_t unified_bytes = 0;
  /// Part of the unified storage that is neither shared memory nor lines of L1.
  std::uint32_t reserved_bytes = 0;
  std::uint32_t line_bytes = 0;
  std::uint32_t sector_bytes = 0;
  std::uint32_t ways = 0;
  std::string replacement = "lru";
  std::uint32_t replacement_draws = 0;  ///< With "lru": see TagArray; 0: of the whole set.
  bool write_allocate = false;          ///< Loads hit sectors that were stored whole.
  std::uint32_t latency = 0;         ///< Cycles from issue to a dependent instruction, for an unloaded hit.
  std::uint32_t tags_per_cycle = 0;  ///< Banks of tags. Each looks up one line per cycle.
  std::uint32_t miss_entries = 0;    ///< Most requests in flight (MSHRs), each for sectors of one line.
  std::uint32_t miss_merges = 0;     ///< Most instructions that can wait for one request.
  std::string prefetcher = "none";
  std::uint32_t prefetch_degree = 1;  ///< How many steps ahead it asks for.

  friend bool operator==(const L1Spec&, const L1Spec&) = default;
};

/// The second-level cache of the GPU, split into slices.
struct L2Spec {
  bool enabled = false;
  std::uint64_t bytes = 0;
  std::uint32_t line_bytes = 0;
  std::uint32_t ways = 0;
  std::string replacement = "lru";
  std::uint32_t slices = 0;
  std::uint32_t latency = 0;     ///< Cycles from issue to a dependent instruction, for an unloaded hit.
  double sectors_per_cycle = 0;  ///< Peak per slice.
  double efficiency = 0;         ///< Share of the peak that loads reach if all of them hit.
  /// Cycles from SM to slice. One SM cannot see what another does any sooner.
  std::uint32_t request_latency = 0;
  std::uint32_t reply_sectors_per_cycle = 0;  ///< Sectors that one SM receives per cycle.
  std::uint32_t atomic_interval = 0;          ///< Cycles between atomics of two lanes on one address.
  /// Addresses that a slice updates per cycle, however many lanes use each.
  double atomic_addresses_per_cycle = 0;
  std::uint32_t fetch_bytes = 0;     ///< Bytes of a line that are fetched from DRAM together.
  std::uint32_t partitions = 0;      ///< 1, or 2 with half of the slices and half of the SMs each.
  std::uint32_t far_latency = 0;     ///< Extra cycles of a hit in the other partition.
  double far_sectors_per_cycle = 0;  ///< Sectors per slice and cycle, loaded or stored by the other one.
  std::string address_hash = "murmur";  ///< Says which slice a line belongs to.
  std::string prefetcher = "none";
  std::uint32_t prefetch_degree = 1;  ///< How many steps ahead it asks for.

  friend bool operator==(const L2Spec&, const L2Spec&) = default;
};

/// Device memory: channels, each with banks and open rows.
struct DramSpec {
  /// Cycles from issue to a dependent instruction, unloaded, through the near L2 partition.
  std::uint32_t latency = 0;
  std::uint32_t channels = 0;
  double bandwidth_gbps = 0;      ///< Peak, in 10^9 bytes per second.
  double efficiency = 0;          ///< Share of the peak that streams of only loads or only stores reach.
  std::uint32_t row_bytes = 0;    ///< A row of a channel, over all its memory devices.
  std::uint32_t banks = 0;        ///< Per channel; each has one open row.
  double activate_ns = 0;         ///< Between two row activations in a channel.
  double turnaround_ns = 0;       ///< Time that a channel loses when it switches to writes and back.
  std::uint32_t write_batch = 0;  ///< Bytes of writes that a channel collects before it switches to writes.
  std::string order = "fr_fcfs";  ///< The order in which a channel serves what waits.
  std::uint64_t capacity_bytes = 0;  ///< What programs can allocate.

  friend bool operator==(const DramSpec&, const DramSpec&) = default;
};

/// What it costs to start a kernel, a block and a warp.
struct DispatchSpec {
  std::uint32_t kernel_launch = 0;  ///< Cycles from the launch to the start of the first block.
  std::uint32_t block_launch = 0;   ///< Cycles from a free block slot to the first issue of the next block.
  double warp_launch = 0;           ///< Cycles between two warps of a block, until each can issue.
  double block_interval = 0;        ///< Cycles between two blocks that leave the GPU's block scheduler.
  std::string placement = "breadth_first";  ///< On which SM the next block starts.

  friend bool operator==(const DispatchSpec&, const DispatchSpec&) = default;
};

/// A cold launch, like the first one of a process: the SMs hold nothing of the kernel yet. Its code,
/// constants and parameters come from L2, and the first load of an SM from a page waits for the address
/// translation (TLB miss). In a warm launch, code is in the caches as far as it fits, and all parameters and
/// translations are there; declared constants come from the cache behind the SM's own.
struct ColdSpec {
  bool enabled = false;
  /// Cycles until a line of constants or parameters has come from L2.
  std::uint32_t constant_latency = 0;
  std::uint32_t translation_latency = 0;  ///< Extra cycles of an SM's first load from a page.
  std::uint32_t page_bytes = 0;

  friend bool operator==(const ColdSpec&, const ColdSpec&) = default;
};

/// A whole GPU.
struct GpuSpec {
  std::string name;                ///< The name of the file: "h100".
  std::string description;         ///< "NVIDIA H100 SXM5 80 GB".
  std::string compute_capability;  ///< "9.0"
  std::uint32_t sms = 0;
  double clock_mhz = 0;
  OccupancySpec occupancy;
  SmSpec sm;
  L1Spec l1;
  L2Spec l2;
  DramSpec dram;
  DispatchSpec dispatch;
  ColdSpec cold;

  friend bool operator==(const GpuSpec&, const GpuSpec&) = default;
};

}  // namespace heddle::sim
