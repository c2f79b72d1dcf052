// The keys of a GPU file: each field of GpuSpec once, with its range and its meaning. Loading, overriding,
// printing and listing are visitors of this one description.
//
// A visitor has
//   text(key, doc, std::string&)             boolean(key, doc, bool&)
//   number(NumberKey, integer or double&)    sizes(key, doc, list of byte counts&)
//   policy(key, doc, PolicyKind, std::string&)
//   pipe_names(key, doc, pipes&)             pipe_choice(key, doc, indices into the pipes before&)
//   group(key, doc, spec&)                   calls describe() for a part, whose keys stand below `key`
//   group(key, doc, class&)                  the same; a class that the GPU does not have is written `none`
// If the spec is const, the visitor gets const values.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "isa/ir/timing_class.h"
#include "sim/config/gpu_spec.h"
#include "sim/config/policies.h"

namespace heddle::sim {

/// The value that says that a GPU has no instructions of a class.
inline constexpr std::string_view kAbsentClass = "none";

/// Which numbers of a range are allowed.
enum class Values : std::uint8_t { All, PowersOfTwo };

/// A key with a number as its value. With the unit "bytes", `64 KiB` is a number. Both ends of the range are
/// allowed.
struct NumberKey {
  std::string_view key;
  double least = 0;
  double most = 0;
  std::string_view unit;
  std::string_view doc;
  Values values = Values::All;
};

template <typename Spec, typename Of>
concept SpecOf = std::same_as<std::remove_const_t<Spec>, Of>;

/// The longest latency or interval that is allowed. Sums of a few such stay far from overflow.
inline constexpr double kMostCycles = 1'000'000;
/// The largest queue or table that is allowed. check() compares the total with the memory that the simulator
/// may use.
inline constexpr double kMostEntries = 4096;

template <typename Visitor, SpecOf<OccupancySpec> Spec>
void describe(Visitor& visit, Spec& spec) {
  constexpr double kMiB = 1 << 20;
  visit.number({"warp_size", 16, 64, "lanes", "threads of a warp", Values::PowersOfTwo},
               spec.warp_size);
  visit.number({"max_warps", 1, 256, "warps", "most warps that an SM holds"}, spec.max_warps);
  visit.number({"max_blocks", 1, 256, "blocks", "most blocks that an SM holds"}, spec.max_blocks);
  visit.number({"max_threads_per_block", 1, 1024, "threads", "largest block"}, spec.max_threads_per_block);
  visit.number({"registers", 1, kMiB, "registers", "32-bit registers of an SM"}, spec.registers);
  visit.number({"registers_per_block", 1, kMiB, "registers", "most registers that one block may take"},
               spec.registers_per_block);
  visit.number({"max_registers_per_thread", 1, 256, "registers", "most registers that one thread may have"},
               spec.max_registers_per_thread);
  visit.number({"register_partitions", 1, 64, "pools",
                "pools that the registers are split into; all registers of a warp come from one"},
               spec.register_partitions);
  visit.number({"register_launch_partitions", 1, 64, "pools",
                "a launch may take registers for its warps rounded up to a multiple of this, however they are "
                "placed"},
               spec.register_launch_partitions);
  visit.number({"register_unit", 1, 65536, "registers", "a warp's registers are rounded up to this"},
               spec.register_unit);
  visit.number({"shared_bytes", 0, kMiB, "bytes", "shared memory of an SM, carve-out at its maximum"},
               spec.shared_bytes);
  visit.number({"shared_bytes_per_block", 0, kMiB, "bytes", "most shared memory that one block may ask for"},
               spec.shared_bytes_per_block);
  visit.number({"shared_without_opt_in", 0, kMiB, "bytes",
                "most shared memory of a block whose kernel does not opt in to more"},
               spec.shared_without_opt_in);
  visit.number({"shared_reserved", 0, 65536, "bytes", "shared memory that the system takes from each block"},
               spec.shared_reserved);
  visit.number({"shared_unit", 1, 65536, "bytes", "a block's shared memory is rounded up to this"},
               spec.shared_unit);
  visit.sizes("carveouts",
              "sizes that shared memory can be set to, ascending, what is left of l1.unified_bytes being L1; "
              "empty: always shared_bytes",
              spec.carveouts);
  visit.number({"barriers", 0, 65536, "barriers", "named barriers of an SM; 0: they limit nothing"},
               spec.barriers);
  visit.number({"virtual_resources", 0, 65536, "resources",
                "virtual resources of an SM; 0: they limit nothing"},
               spec.virtual_resources);
  visit.boolean("partitioned_caching", "caching global loads can confine a block to half of the SM",
                spec.partitioned_caching);
  visit.number({"max_cluster_blocks", 1, 256, "blocks", "of the largest thread-block cluster; 1: no clusters"},
               spec.max_cluster_blocks);
  visit.number({"gpcs", 0, 1024, "GPCs",
                "graphics processing clusters, each of which takes whole thread-block clusters; 0: not known"},
               spec.gpcs);
}

template <typename Visitor, SpecOf<ClassSpec> Spec>
void describe(Visitor& visit, Spec& spec) {
  visit.pipe_choice("pipes", "pipes that take instructions of the class, the first free one each time",
                    spec.pipes);
  visit.number({"interval", 1, kMostCycles, "cycles", "from taking a pipe until it can be taken again"},
               spec.interval);
  visit.number({"latency", 1, kMostCycles, "cycles",
                "from issue until a dependent instruction can issue, sm.bypass apart"},
               spec.latency);
}

/// One group for each class of instructions, with the names in isa/ir/timing_classes.def.
template <typename Visitor, SpecOf<std::array<ClassSpec, ir::kTimingClasses>> Spec>
void describe(Visitor& visit, Spec& classes) {
  for (std::size_t i = 0; i < ir::kTimingClasses; ++i) {
    visit.group(ir::kTimingClassTable[i].key, ir::kTimingClassTable[i].summary, classes[i]);
  }
}

template <typename Visitor, SpecOf<TensorSpec> Spec>
void describe(Visitor& visit, Spec& spec) {
  visit.number({"terms", 1, 16, "products", "added at once", Values::PowersOfTwo},
               spec.terms);
  visit.number({"fraction_bits", 8, 32, "bits", "kept of each, behind the point of the greatest"}, spec.fraction_bits);
  visit.number({"fp8_fraction_bits", 0, 32, "bits", "the same for products of 8-bit floats; 0: there are none"},
               spec.fp8_fraction_bits);
}

template <typename Visitor, SpecOf<InstructionCacheSpec> Spec>
void describe(Visitor& visit, Spec& spec) {
  visit.number({"instruction_bytes", 4, 64, "bytes", "an instruction", Values::PowersOfTwo},
               spec.instruction_bytes);
  visit.number({"line_bytes", 64, 1024, "bytes", "a line", Values::PowersOfTwo},
               spec.line_bytes);
  visit.number({"l0_bytes", 0, 1 << 20, "bytes", "L0 of a sub-partition; 0: instructions are always there"},
               spec.l0_bytes);
  visit.number({"l0_ways", 1, 4096, "lines", "lines of a set of L0"}, spec.l0_ways);
  visit.number({"prefetch_lines", 0, 64, "lines", "that the stream buffer beside L0 asks for in advance"},
               spec.prefetch_lines);
  visit.number({"l1_bytes", 64, 1 << 24, "bytes", "instruction cache of the SM, behind its L0s"}, spec.l1_bytes);
  visit.number({"l1_ways", 1, 4096, "lines", "lines of a set of it"}, spec.l1_ways);
  visit.number({"l1_latency", 1, kMostCycles, "cycles",
                "from a miss of L0 until a line that is in L1 is there; from L2, l2.latency more"},
               spec.l1_latency);
}

template <typename Visitor, SpecOf<RegisterFileSpec> Spec>
void describe(Visitor& visit, Spec& spec) {
  visit.number({"banks", 0, 16, "banks",
                "each with a port that reads one register of a warp in a cycle; 0: no conflicts"},
               spec.banks);
  visit.number({"read_window", 1, 64, "cycles",
                "for the reads of an instruction of fixed latency, before it holds up the dispatcher"},
               spec.read_window);
}

template <typename Visitor, SpecOf<ConstantSpec> Spec>
void describe(Visitor& visit, Spec& spec) {
  visit.number({"bytes", 64, 65536, "bytes", "constants of the kernel that an SM holds"}, spec.bytes);
  visit.number({"line_bytes", 16, 1024, "bytes", "a line", Values::PowersOfTwo},
               spec.line_bytes);
  visit.number({"ways", 1, 4096, "lines", "lines of a set"}, spec.ways);
  visit.number({"miss_latency", 0, kMostCycles, "cycles", "until a line that is not there has come"},
               spec.miss_latency);
  visit.number({"address_interval", 1, kMostCycles, "cycles", "between two words that one LDC reads"},
               spec.address_interval);
}

template <typename Visitor, SpecOf<BypassSpec> Spec>
void describe(Visitor& visit, Spec& spec) {
  visit.number({"fma_alu", 0, kMostBypassDelay, "cycles",
                "that FMA waits longer for a result of ALU than for its own, and ALU for one of FMA"},
               spec.fma_alu);
  visit.number({"wide", 0, kMostBypassDelay, "cycles",
                "that imad_wide waits longer for a result of imad_wide than other instructions of FMA do"},
               spec.wide);
  visit.number({"fp16", 0, kMostBypassDelay, "cycles",
                "that fp16 waits longer for a result of FMA, ALU or fp64, and each of these for one of fp16"},
               spec.fp16);
  visit.number({"fp64", 0, kMostBypassDelay, "cycles",
                "that fp64 waits longer for a result of FMA or ALU, and each of these for one of fp64"},
               spec.fp64);
  visit.number(
      {"special", 0, kMostBypassDelay, "cycles",
       "that special functions, conversions and LDC wait longer for a result of FMA, ALU, fp16 or fp64"},
      spec.special);
  visit.number({"tensor", 0, kMostBypassDelay, "cycles",
                "that tensor cores wait longer for a result of FMA, ALU, fp16 or fp64"},
               spec.tensor);
  visit.number({"memory", 0, kMostBypassDelay, "cycles",
                "that loads, stores and shuffles wait longer for a result of FMA, ALU, fp16 or fp64"},
               spec.memory);
}

template <typename Visitor, SpecOf<MioSpec> Spec>
void describe(Visitor& visit, Spec& spec) {
  visit.number({"queue_depth", 1, kMostEntries, "instructions", "held for each sub-partition"},
               spec.queue_depth);
  visit.number(
      {"front_latency", 1, kMostCycles, "cycles", "from issue to the stage that the SM shares, unloaded"},
      spec.front_latency);
  visit.number(
      {"address_interval", 1, kMostCycles, "cycles", "between two instructions of one sub-partition"},
      spec.address_interval);
  visit.number(
      {"shared_interval", 1, kMostCycles, "cycles", "that the shared stage keeps a request, at least"},
      spec.shared_interval);
}

template <typename Visitor, SpecOf<SharedMemorySpec> Spec>
void describe(Visitor& visit, Spec& spec) {
  visit.number({"banks", 1, 1024, "banks", "of shared memory and L1's data, which are one memory", Values::PowersOfTwo},
               spec.banks);
  visit.number({"bank_bytes", 1, 64, "bytes", "width of a bank", Values::PowersOfTwo},
               spec.bank_bytes);
  visit.number({"atomic_interval", 1, kMostCycles, "cycles", "between two passes of an atomic over the banks"},
               spec.atomic_interval);
}

template <typename Visitor, SpecOf<BarrierSpec> Spec>
void describe(Visitor& visit, Spec& spec) {
  visit.number({"base", 0, kMostCycles, "cycles", "from when its last warp was taken until all go on"},
               spec.base);
  visit.number({"per_warp", 0, kMostCycles, "cycles", "that the SM takes for each warp that comes to one"},
               spec.per_warp);
}

template <typename Visitor, SpecOf<SmSpec> Spec>
void describe(Visitor& visit, Spec& spec) {
  visit.number({"sub_partitions", 1, kMostSubPartitions, "sub-partitions",
                "schedulers, each with its pipes and its warps"},
               spec.sub_partitions);
  visit.policy("scheduler", "policy of the warp schedulers", kSchedulers, spec.scheduler);
  visit.policy("divergence", "how lanes that part meet again: stack, or barrier (Volta's convergence barriers)",
               kDivergenceMechanisms, spec.divergence);
  visit.pipe_names("pipes", "execution pipes of a sub-partition", spec.pipes);
  visit.number({"guard_latency", 1, kMostCycles, "cycles",
                "from a comparison until its predicate can guard an instruction or a branch"},
               spec.guard_latency);
  visit.group("bypass", "how much longer a result takes to another unit than to the one that made it",
              spec.bypass);
  visit.group("instruction_cache", "caches that kernels too long for L0 are fetched through",
              spec.instruction_cache);
  visit.group("register_file", "banks of registers, for kernels whose registers are numbered for them",
              spec.register_file);
  visit.group("tensor", "how tensor cores add", spec.tensor);
  visit.group("constant", "cache of the constants that kernels declare", spec.constant);
  visit.group("instructions", "how instructions of each class run", spec.classes);
  visit.group("mio", "queue and shared stage that loads, stores and shuffles pass", spec.mio);
  visit.group("shared", "shared memory", spec.shared);
  visit.group("barrier", "block barrier", spec.barrier);
}

template <typename Visitor, SpecOf<L1Spec> Spec>
void describe(Visitor& visit, Spec& spec) {
  visit.boolean("enabled", "false: global accesses go straight to L2", spec.enabled);
  visit.number({"unified_bytes", 1024, 4 << 20, "bytes", "L1 and shared memory together"},
               spec.unified_bytes);
  visit.number({"reserved_bytes", 0, 4 << 20, "bytes", "of these, neither shared memory nor lines of L1"},
               spec.reserved_bytes);
  visit.number({"line_bytes", 32, 1024, "bytes", "a line", Values::PowersOfTwo},
               spec.line_bytes);
  visit.number({"sector_bytes", 32, 128, "bytes", "the part of a line that is filled at once",
                Values::PowersOfTwo},
               spec.sector_bytes);
  visit.number({"ways", 1, 4096, "lines", "lines of a set"}, spec.ways);
  visit.policy("replacement", "which line of a set gives way to another", kReplacements, spec.replacement);
  visit.number(
      {"replacement_draws", 0, 64, "lines",
       "with lru: of a set, drawn at random; the one unused for longest gives way to another; 0: all of the set"},
      spec.replacement_draws);
  visit.boolean("write_allocate", "true: whole sectors that are stored are there for loads, too",
                spec.write_allocate);
  visit.number({"latency", 1, kMostCycles, "cycles", "from issue to a dependent instruction, hit, unloaded"},
               spec.latency);
  visit.number(
      {"tags_per_cycle", 1, 64, "lines",
       "looked up in a cycle, each in a bank of tags of its own", Values::PowersOfTwo},
      spec.tags_per_cycle);
  visit.number({"miss_entries", 1, kMostEntries, "requests", "in flight at most, each for sectors of a line"},
               spec.miss_entries);
  visit.number({"miss_merges", 1, kMostEntries, "instructions", "that wait for one request at most"},
               spec.miss_merges);
  visit.policy("prefetcher", "what is fetched before it is asked for", kPrefetchers, spec.prefetcher);
  visit.number({"prefetch_degree", 1, 64, "steps", "how far ahead a prefetcher asks"}, spec.prefetch_degree);
}

template <typename Visitor, SpecOf<L2Spec> Spec>
void describe(Visitor& visit, Spec& spec) {
  visit.boolean("enabled", "false: misses of L1 go straight to DRAM", spec.enabled);
  visit.number({"bytes", 1024, 1 << 30, "bytes", "all slices together"}, spec.bytes);
  visit.number({"line_bytes", 32, 1024, "bytes", "a line", Values::PowersOfTwo},
               spec.line_bytes);
  visit.number({"ways", 1, 4096, "lines", "lines of a set"}, spec.ways);
  visit.policy("replacement", "which line of a set gives way to another", kReplacements, spec.replacement);
  visit.number({"slices", 1, 1024, "slices", "parts that work side by side"}, spec.slices);
  visit.number({"latency", 1, kMostCycles, "cycles", "from issue to a dependent instruction, hit, unloaded"},
               spec.latency);
  visit.number({"sectors_per_cycle", 1, 1024, "sectors", "that a slice serves in a cycle, at its peak"},
               spec.sectors_per_cycle);
  visit.number({"efficiency", 0.01, 1, "of the peak", "what loads reach that find all there"},
               spec.efficiency);
  visit.number({"request_latency", 1, kMostCycles, "cycles", "from the SM to the slice, part of the latency"},
               spec.request_latency);
  visit.number({"reply_sectors_per_cycle", 1, 1024, "sectors", "that reach one SM in a cycle"},
               spec.reply_sectors_per_cycle);
  visit.number({"atomic_interval", 1, kMostCycles, "cycles", "between two lanes' atomics on one address"},
               spec.atomic_interval);
  visit.number({"atomic_addresses_per_cycle", 0.001, 1024, "addresses", "that a slice updates in a cycle"},
               spec.atomic_addresses_per_cycle);
  visit.number({"fetch_bytes", 32, 1024, "bytes", "of a line that come from DRAM together",
                Values::PowersOfTwo},
               spec.fetch_bytes);
  visit.number({"partitions", 1, 2, "partitions", "1, or 2 with half of the slices and of the SMs each"},
               spec.partitions);
  visit.number({"far_latency", 0, kMostCycles, "cycles", "that a hit in the other partition takes longer"},
               spec.far_latency);
  visit.number({"far_sectors_per_cycle", 0.01, 1024, "sectors",
                "of a slice that the other partition loads or stores in a cycle"},
               spec.far_sectors_per_cycle);
  visit.policy("address_hash", "which slice a line belongs to", kAddressHashes, spec.address_hash);
  visit.policy("prefetcher", "what is fetched before it is asked for", kPrefetchers, spec.prefetcher);
  visit.number({"prefetch_degree", 1, 64, "steps", "how far ahead a prefetcher asks"}, spec.prefetch_degree);
}

template <typename Visitor, SpecOf<DramSpec> Spec>
void describe(Visitor& visit, Spec& spec) {
  visit.number({"latency", 1, kMostCycles, "cycles",
                "from issue to a dependent instruction, unloaded, by way of the near partition of L2"},
               spec.latency);
  visit.number({"channels", 1, 1024, "channels", "that work side by side"}, spec.channels);
  visit.number({"bandwidth_gbps", 1, 10'000'000, "GB/s", "peak, 10^9 bytes a second"}, spec.bandwidth_gbps);
  visit.number({"efficiency", 0.01, 1, "of the peak", "what streams of one direction reach"},
               spec.efficiency);
  visit.number({"row_bytes", 64, 65536, "bytes", "a row of a channel"}, spec.row_bytes);
  visit.number(
      {"banks", 1, 256, "banks", "of a channel, each with a row open", Values::PowersOfTwo},
      spec.banks);
  visit.number({"activate_ns", 0, 1000, "ns", "between two activations of rows in a channel"},
               spec.activate_ns);
  visit.number({"turnaround_ns", 0, 1000, "ns", "that a channel loses when it turns to writes and back"},
               spec.turnaround_ns);
  visit.number({"write_batch", 1, 1 << 20, "bytes", "of writes that a channel collects before it turns to them"},
               spec.write_batch);
  visit.policy("order", "in which a channel serves what waits for it", kDramOrders, spec.order);
  visit.number({"capacity_bytes", 1, 1ULL << 46, "bytes", "that programs can allocate"}, spec.capacity_bytes);
}

template <typename Visitor, SpecOf<DispatchSpec> Spec>
void describe(Visitor& visit, Spec& spec) {
  visit.number({"kernel_launch", 0, kMostCycles, "cycles", "from the launch to the first block's start"},
               spec.kernel_launch);
  visit.number(
      {"block_launch", 1, kMostCycles, "cycles", "from a free place to the next block's first issue"},
      spec.block_launch);
  visit.number({"warp_launch", 0, kMostCycles, "cycles", "from a warp of a block to the next, until each can issue"},
               spec.warp_launch);
  visit.number({"block_interval", 0.001, kMostCycles, "cycles", "between two blocks that leave the dispatcher"},
               spec.block_interval);
  visit.policy("placement", "on which SM the next block starts", kPlacements, spec.placement);
}

template <typename Visitor, SpecOf<ColdSpec> Spec>
void describe(Visitor& visit, Spec& spec) {
  visit.boolean("enabled", "true: a launch is cold", spec.enabled);
  visit.number({"constant_latency", 1, kMostCycles, "cycles",
                "until a line of constants or parameters has come from L2"},
               spec.constant_latency);
  visit.number(
      {"translation_latency", 0, 60'000, "cycles", "that the first load of an SM from a page takes longer"},
      spec.translation_latency);
  visit.number({"page_bytes", 4096, 1u << 30, "bytes", "a page", Values::PowersOfTwo},
               spec.page_bytes);
}

template <typename Visitor, SpecOf<GpuSpec> Spec>
void describe(Visitor& visit, Spec& spec) {
  visit.text("name", "as the file is called", spec.name);
  visit.text("description", "for reports", spec.description);
  visit.text("compute_capability", "of NVIDIA's numbering, or what stands for it", spec.compute_capability);
  visit.number({"sms", 1, 1024, "SMs", "streaming multiprocessors"}, spec.sms);
  visit.number({"clock_mhz", 1, 10'000, "MHz", "SM clock, of all cycles here"}, spec.clock_mhz);
  visit.group("occupancy", "what an SM can hold", spec.occupancy);
  visit.group("sm", "the streaming multiprocessor", spec.sm);
  visit.group("l1", "first-level cache of an SM", spec.l1);
  visit.group("l2", "second-level cache of the GPU", spec.l2);
  visit.group("dram", "memory of the GPU", spec.dram);
  visit.group("dispatch", "what it costs to start work", spec.dispatch);
  visit.group("cold", "a launch that finds nothing of its kernel in the SMs", spec.cold);
}

}  // namespace heddle::sim
