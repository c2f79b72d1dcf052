// What a GPU is, for the timing model: plain numbers read from configs/*.yaml, checked while loading.
// "Cycles" are SM clock cycles everywhere.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/ir/timing_class.h"

namespace heddle::sim {

/// Of one sub-partition. Real ones have 8 to 16; lectures on latency hiding want more than 100.
inline constexpr std::uint32_t kMostWarps = 128;
/// Sub-partitions of an SM.
inline constexpr std::uint32_t kMostSubPartitions = 32;

/// Cycles that a result takes longer to another unit.
inline constexpr std::uint32_t kMostBypassDelay = 15;

/// Execution pipes of a sub-partition. Nsight Compute names a dozen.
inline constexpr std::size_t kMostPipes = 31;
inline constexpr std::size_t kMostPipesOfClass = 8;  ///< That take instructions of one class.

/// How many blocks fit an SM: the allocation rules and limits of a compute capability.
struct OccupancySpec {
  std::uint32_t warp_size = 0;   ///< lanes; 16, 32 or 64
  std::uint32_t max_warps = 0;   ///< resident warps an SM
  std::uint32_t max_blocks = 0;  ///< resident blocks an SM
  std::uint32_t max_threads_per_block = 0;
  std::uint32_t registers = 0;            ///< 32-bit registers an SM
  std::uint32_t registers_per_block = 0;  ///< most that one block may take
  std::uint32_t max_registers_per_thread = 0;
  std::uint32_t register_partitions = 0;         ///< pools of registers; a warp's come from one of them
  std::uint32_t register_launch_partitions = 0;  ///< a launch is refused as if its warps filled so many pools
  std::uint32_t register_unit = 0;               ///< a warp's registers are rounded up to this
  std::uint32_t shared_bytes = 0;                ///< shared memory an SM, carve-out at its maximum
  std::uint32_t shared_bytes_per_block = 0;      ///< opt-in maximum of one block
  std::uint32_t shared_without_opt_in = 0;       ///< the same for a kernel that does not opt in to more
  std::uint32_t shared_reserved = 0;             ///< bytes the system takes from each block
  std::uint32_t shared_unit = 0;                 ///< a block's bytes are rounded up to this
  std::vector<std::uint32_t> carveouts;  ///< legal sizes of shared memory in bytes, ascending; empty: fixed
  std::uint32_t barriers = 0;            ///< named barriers an SM; 0: they limit nothing
  std::uint32_t virtual_resources = 0;   ///< virtual resources an SM; 0: they limit nothing
  bool partitioned_caching = false;      ///< caching global loads can confine a block to half an SM
  std::uint32_t max_cluster_blocks = 0;  ///< largest thread-block cluster, beyond the portable 8; 1: none
  std::uint32_t gpcs = 0;                ///< graphics processing clusters of the GPU; 0: not known

  friend bool operator==(const OccupancySpec&, const OccupancySpec&) = default;
};

/// One execution pipe of a sub-partition. Instructions of a class keep one of their pipes busy for the
/// class's interval.
struct PipeSpec {
  std::string name;

  friend bool operator==(const PipeSpec&, const PipeSpec&) = default;
};

/// How instructions of a timing class run. The latency of LoadShared is that of shared memory; those of
/// LoadGlobal, StoreGlobal and ReduceGlobal are not used, as the levels of memory have their own. That of
/// AtomicGlobal is for an address in L2.
struct ClassSpec {
  std::vector<std::uint8_t> pipes;  ///< Indices into SmSpec::pipes; the first free one is taken.
  std::uint32_t interval = 0;       ///< Cycles from taking a pipe until it can be taken again.
  std::uint32_t latency = 0;        ///< Cycles from issue until a dependent one can; BypassSpec says which.

  /// A GPU without such instructions has no pipe for them.
  [[nodiscard]] bool is_absent() const { return pipes.empty(); }

  friend bool operator==(const ClassSpec&, const ClassSpec&) = default;
};

/// How many cycles later than the unit that made it another one can use a result of FMA, ALU, half or double
/// precision: read it, or overwrite it.
struct BypassSpec {
  std::uint32_t fma_alu = 0;  ///< FMA from ALU, and back.
  std::uint32_t fp16 = 0;     ///< Half precision from others of these, and back.
  std::uint32_t fp64 = 0;     ///< Double precision from others of these, and back.
  std::uint32_t special = 0;  ///< Special functions, conversions, LDC.
  std::uint32_t tensor = 0;   ///< Tensor cores.
  std::uint32_t memory = 0;   ///< Loads, stores, shuffles: addresses and data.

  friend bool operator==(const BypassSpec&, const BypassSpec&) = default;
};

/// The queue that loads, stores and shuffles pass between a sub-partition and the SM's shared stage.
struct MioSpec {
  std::uint32_t queue_depth = 0;       ///< Instructions held per sub-partition.
  std::uint32_t front_latency = 0;     ///< Cycles from issue to the shared stage, unloaded.
  std::uint32_t address_interval = 0;  ///< Cycles between instructions of one sub-partition.
  std::uint32_t shared_interval = 0;   ///< Cycles the shared stage keeps a request, at least.

  friend bool operator==(const MioSpec&, const MioSpec&) = default;
};

struct SharedMemorySpec {
  std::uint32_t banks = 0;
  std::uint32_t bank_bytes = 0;
  std::uint32_t atomic_interval = 0;  ///< Cycles between the passes of an atomic.

  friend bool operator==(const SharedMemorySpec&, const SharedMemorySpec&) = default;
};

/// Block barriers: a unit of the SM takes the warps that come to one, one after another, per_warp cycles each;
/// base cycles after the last of a barrier's warps all go on. W warps that come together do after both.
struct BarrierSpec {
  std::uint32_t base = 0;
  std::uint32_t per_warp = 0;

  friend bool operator==(const BarrierSpec&, const BarrierSpec&) = default;
};

/// How the tensor cores add: isa/exec/matrix_product.h says what the numbers mean.
struct TensorSpec {
  std::uint32_t terms = 0;
  std::uint32_t fraction_bits = 0;

  friend bool operator==(const TensorSpec&, const TensorSpec&) = default;
};

/// The cache of the constants that kernels declare.
struct ConstantSpec {
  std::uint32_t bytes = 0;
  std::uint32_t line_bytes = 0;
  std::uint32_t ways = 0;
  std::uint32_t miss_latency = 0;      ///< Cycles until a line that is not there has come.
  std::uint32_t address_interval = 0;  ///< Cycles between two words of one LDC.

  friend bool operator==(const ConstantSpec&, const ConstantSpec&) = default;
};

/// The banks of a sub-partition's registers; register r lies in bank r mod banks.
struct RegisterFileSpec {
  std::uint32_t banks = 0;  ///< Each reads one register of a warp in a cycle; 0: no conflicts.
  /// Cycles that an instruction has for its reads before it holds up the next.
  std::uint32_t read_window = 0;

  friend bool operator==(const RegisterFileSpec&, const RegisterFileSpec&) = default;
};

/// Where instructions come from: sim/memory/instruction_caches.h says how.
struct InstructionCacheSpec {
  std::uint32_t instruction_bytes = 0;
  std::uint32_t line_bytes = 0;
  std::uint32_t l0_bytes = 0;  ///< Of a sub-partition; 0: instructions are always there.
  std::uint32_t l0_ways = 0;
  std::uint32_t prefetch_lines = 0;  ///< Of the stream buffer beside L0.
  std::uint32_t l1_bytes = 0;        ///< Of the SM.
  std::uint32_t l1_ways = 0;
  std::uint32_t l1_latency = 0;  ///< Cycles from a miss of L0 until a line of L1 is there.

  friend bool operator==(const InstructionCacheSpec&, const InstructionCacheSpec&) = default;
};

/// The warp scheduler and what it feeds.
/// Sub-partition i owns the warp slots whose number modulo sub_partitions is i.
struct SmSpec {
  std::uint32_t sub_partitions = 0;
  std::string scheduler;
  std::string divergence;
  std::vector<PipeSpec> pipes;
  std::array<ClassSpec, ir::kTimingClasses> classes;
  std::uint32_t guard_latency = 0;  ///< Cycles from a comparison until its predicate can guard or branch.
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

/// Sectored first-level cache. Its size is the unified storage less the carve-out in use and what is
/// reserved.
struct L1Spec {
  bool enabled = false;
  std::uint32_t unified_bytes = 0;
  std::uint32_t reserved_bytes = 0;  ///< Of the unified storage: neither shared memory nor lines of L1.
  std::uint32_t line_bytes = 0;
  std::uint32_t sector_bytes = 0;
  std::uint32_t ways = 0;
  std::uint32_t replacement_draws = 0;  ///< See TagArray; 0: the least recently used line gives way.
  bool write_allocate = false;          ///< Whole sectors that are stored are there for loads, too.
  std::uint32_t latency = 0;         ///< Cycles from issue to a dependent instruction, hit, unloaded.
  std::uint32_t tags_per_cycle = 0;  ///< Banks of tags, each of which looks up a line a cycle.
  std::uint32_t miss_entries = 0;    ///< Requests in flight at most (MSHRs), each for sectors of a line.
  std::uint32_t miss_merges = 0;     ///< Instructions waiting for one request at most.

  friend bool operator==(const L1Spec&, const L1Spec&) = default;
};

struct L2Spec {
  bool enabled = false;
  std::uint64_t bytes = 0;
  std::uint32_t line_bytes = 0;
  std::uint32_t ways = 0;
  std::uint32_t slices = 0;
  std::uint32_t latency = 0;          ///< Cycles from issue to a dependent instruction, hit, unloaded.
  double sectors_per_cycle = 0;       ///< Per slice, at its peak.
  double efficiency = 0;              ///< Share of the peak that loads reach which find all there.
  std::uint32_t request_latency = 0;  ///< Cycles from SM to slice: SMs cannot see one another sooner.
  std::uint32_t reply_sectors_per_cycle = 0;  ///< Into one SM.
  std::uint32_t atomic_interval = 0;          ///< Cycles between two lanes' atomics on one address.
  double atomic_addresses_per_cycle = 0;      ///< That a slice updates, whatever the lanes of each.
  std::uint32_t fetch_bytes = 0;              ///< Of a line, that come from DRAM together.
  std::uint32_t partitions = 0;       ///< Each with half of the slices and of the SMs, if there are two.
  std::uint32_t far_latency = 0;      ///< Cycles that a hit in the other partition takes longer.
  double far_sectors_per_cycle = 0;   ///< Per slice, loaded or stored by the other partition.

  friend bool operator==(const L2Spec&, const L2Spec&) = default;
};

struct DramSpec {
  std::uint32_t latency = 0;  ///< Cycles from issue to a dependent instruction, near partition, unloaded.
  std::uint32_t channels = 0;
  double bandwidth_gbps = 0;      ///< Peak, 10^9 bytes a second.
  double efficiency = 0;          ///< Share of the peak that streams of one direction reach.
  std::uint32_t row_bytes = 0;    ///< Of a channel's row, all its devices together.
  std::uint32_t banks = 0;        ///< Of a channel, each with a row open.
  double activate_ns = 0;         ///< Between two activations of rows in a channel.
  double turnaround_ns = 0;       ///< What it costs a channel to turn to writes and back.
  std::uint32_t write_batch = 0;  ///< Bytes of writes that a channel collects before it turns to them.

  friend bool operator==(const DramSpec&, const DramSpec&) = default;
};

/// What it costs to start work.
struct DispatchSpec {
  std::uint32_t kernel_launch = 0;  ///< Cycles from launch to the first block's start.
  std::uint32_t block_launch = 0;   ///< Cycles from a free place to the next block's first issue.
  double warp_launch = 0;           ///< Cycles from a warp of a block to the next, until each can issue.
  double block_interval = 0;        ///< Cycles between two blocks leaving the GPU's dispatcher.

  friend bool operator==(const DispatchSpec&, const DispatchSpec&) = default;
};

/// A cold launch, as the first one of a process: no SM has anything of the kernel yet. Its code, constants
/// and parameters come from L2, and an SM's first loads from a page wait for the translation. Otherwise code
/// is found as far as there is room for it, parameters and translations all; declared constants come from the
/// cache behind that of the SM.
struct ColdSpec {
  bool enabled = false;
  std::uint32_t constant_latency = 0;     ///< Cycles until a line of constants has come from L2.
  std::uint32_t translation_latency = 0;  ///< Cycles that the first load from a page takes longer.
  std::uint32_t page_bytes = 0;

  friend bool operator==(const ColdSpec&, const ColdSpec&) = default;
};

struct GpuSpec {
  std::string name;                ///< As the file: "h100".
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
