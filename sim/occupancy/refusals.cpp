#include "sim/occupancy/refusals.h"

#include <fmt/format.h>

#include "isa/base/cuda_limits.h"
#include "sim/occupancy/allocation.h"

namespace heddle::sim {

namespace {

using Reasons = std::vector<std::string>;

void check_threads(const OccupancySpec& spec, const Dim3& block, Reasons& reasons) {
  const std::uint64_t threads = thread_count(block);
  const std::string extents = fmt::format("{} x {} x {}", block.x, block.y, block.z);
  if (threads == 0) {
    reasons.push_back(fmt::format("a block of {} has no threads; it needs at least 1", extents));
  } else if (threads > spec.max_threads_per_block) {
    reasons.push_back(
        fmt::format("a block of {} threads is larger than this GPU takes: at most {} threads "
                    "(occupancy.max_threads_per_block)",
                    extents, spec.max_threads_per_block));
  }
  if (block.z > kLargestBlock.z) {
    reasons.push_back(
        fmt::format("a block of {} threads: CUDA allows at most {} in z", extents, kLargestBlock.z));
  }
}

void check_registers(const OccupancySpec& spec, const KernelResources& kernel, Reasons& reasons) {
  if (kernel.registers_per_thread > spec.max_registers_per_thread) {
    reasons.push_back(fmt::format("{} registers a thread; at most {} (occupancy.max_registers_per_thread)",
                                  kernel.registers_per_thread, spec.max_registers_per_thread));
    return;
  }
  if (thread_count(kernel.block) > spec.max_threads_per_block) return;
  const BlockAllocation block = allocation_of(spec, kernel);
  const std::uint64_t registers = checked_registers(spec, block);
  if (registers <= spec.registers_per_block) return;
  reasons.push_back(
      fmt::format("a block of {} warps with {} registers a thread takes {} registers; at most {} "
                  "(occupancy.registers_per_block)",
                  block.warps, kernel.registers_per_thread, registers, spec.registers_per_block));
}

void check_shared(const OccupancySpec& spec, const KernelResources& kernel, Reasons& reasons) {
  if (kernel.shared_opt_in && kernel.max_dynamic_shared &&
      kernel.dynamic_shared > *kernel.max_dynamic_shared) {
    reasons.push_back(
        fmt::format("{} bytes of dynamic shared memory; the kernel's attribute "
                    "cudaFuncAttributeMaxDynamicSharedMemorySize allows {}",
                    kernel.dynamic_shared, *kernel.max_dynamic_shared));
  }
  if (kernel.shared_bytes() > spec.shared_bytes_per_block) {
    reasons.push_back(
        fmt::format("{} bytes of shared memory a block; at most {} (occupancy.shared_bytes_per_block)",
                    kernel.shared_bytes(), spec.shared_bytes_per_block));
  } else if (kernel.shared_bytes() > most_shared(spec, kernel)) {
    reasons.push_back(
        fmt::format("{} bytes of shared memory a block; at most {} without opt-in "
                    "(occupancy.shared_without_opt_in)",
                    kernel.shared_bytes(), spec.shared_without_opt_in));
  }
}

void check_barriers(const KernelResources& kernel, Reasons& reasons) {
  if (kernel.barriers <= kMostBarriersPerBlock) return;
  reasons.push_back(
      fmt::format("{} named barriers a block; there are {}", kernel.barriers, kMostBarriersPerBlock));
}

/// A GPU file can be so tight that a legal block does not fit an empty SM.
void check_fit(const OccupancySpec& spec, const KernelResources& kernel, Reasons& reasons) {
  const Occupancy found = occupancy_of(spec, kernel);
  for (const Resource resource : found.blocks_per_sm > 0 ? std::vector<Resource>() : found.limiters()) {
    reasons.push_back(fmt::format("not even one block fits {}: it needs more {} than there are",
                                  found.partitioned_caching ? "half an SM" : "an SM",
                                  info(resource).summary));
  }
}

}  // namespace

std::vector<std::string> refusals(const OccupancySpec& spec, const KernelResources& kernel) {
  Reasons reasons;
  check_threads(spec, kernel.block, reasons);
  check_registers(spec, kernel, reasons);
  check_shared(spec, kernel, reasons);
  check_barriers(kernel, reasons);
  if (reasons.empty()) check_fit(spec, kernel, reasons);
  return reasons;
}

}  // namespace heddle::sim
