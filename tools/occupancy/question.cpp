#include "tools/occupancy/question.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "isa/base/cuda_limits.h"
#include "isa/base/diagnostic.h"
#include "sim/config/compute_capabilities.h"
#include "sim/occupancy/refusals.h"

namespace heddle::occupancy {

namespace {

constexpr std::uint64_t kPortableCluster = 8;  // CUDA C++ Programming Guide

std::string kernel_prefix(const Question& question) {
  return question.kernel.empty() ? "" : fmt::format("{}: ", question.kernel);
}

/// CUDA's limits also guarantee that the number of blocks fits in 64 bits.
void check_grid(const Question& question, Diagnostics& problems) {
  const Dim3& grid = *question.grid;
  if (grid.x <= kLargestGrid.x && grid.y <= kLargestGrid.y && grid.z <= kLargestGrid.z) return;
  problems.add({}, fmt::format("{}a grid of {} x {} x {} blocks is too large: at most {} x {} x {}",
                               kernel_prefix(question), grid.x, grid.y, grid.z, kLargestGrid.x,
                               kLargestGrid.y, kLargestGrid.z));
}

/// The number of blocks in a cluster, limited so that it does not overflow.
std::uint64_t cluster_blocks(const Dim3& cluster) {
  constexpr std::uint32_t kFarTooMany = 1 << 20;
  const std::uint32_t longest = std::max({cluster.x, cluster.y, cluster.z});
  return longest > kFarTooMany ? longest : cluster.count();
}

void check_cluster(const Question& question, Diagnostics& problems) {
  const std::uint64_t blocks = cluster_blocks(*question.cluster);
  const std::uint32_t most = question.device.limits.max_cluster_blocks;
  if (blocks > 1 && most <= 1) {
    problems.add({},
                 fmt::format("{}thread-block clusters need compute capability 9.0 or later; this GPU has {}",
                             kernel_prefix(question), question.device.compute_capability));
  } else if (blocks > most) {
    problems.add({}, fmt::format("{}a cluster of {} blocks is larger than this GPU takes: at most {} "
                                 "(occupancy.max_cluster_blocks)",
                                 kernel_prefix(question), blocks, most));
  }
  const Dim3 grid = question.grid.value_or(*question.cluster);
  const Dim3& cluster = *question.cluster;
  if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0) {
    problems.add(
        {}, fmt::format("{}a grid of {} x {} x {} blocks is no whole number of clusters of {} x {} x {}",
                        kernel_prefix(question), grid.x, grid.y, grid.z, cluster.x, cluster.y, cluster.z));
  }
}

void check(const Question& question) {
  Diagnostics problems;
  for (const std::string& reason : sim::refusals(question.device.limits, question.resources)) {
    problems.add({}, kernel_prefix(question) + reason);
  }
  if (question.grid) check_grid(question, problems);
  if (question.cluster) check_cluster(question, problems);
  problems.throw_if_any();
}

ClusterFit fit_clusters(const Question& question, const sim::Occupancy& found) {
  const std::uint64_t blocks = question.cluster->count();
  ClusterFit fit{
      blocks,
      sim::max_active_clusters(question.device.sms, question.device.limits.gpcs, found.blocks_per_sm, blocks),
      blocks <= kPortableCluster};
  if (fit.max_active_clusters == 0) {
    throw InputError({}, fmt::format("{}not even one cluster of {} blocks fits the {} SMs of this GPU",
                                     kernel_prefix(question), blocks, question.device.sms));
  }
  return fit;
}

}  // namespace

Device device_of(const sim::GpuSpec& gpu) {
  return {gpu.name, gpu.description, gpu.compute_capability, gpu.occupancy, gpu.sms, {}};
}

Device device_of_version(std::string_view version) {
  const sim::ComputeCapability* found =
      sim::find_compute_capability(sim::compute_capability_version(version));
  if (found == nullptr) {
    std::vector<std::string_view> known;
    for (const sim::ComputeCapability& row : sim::compute_capabilities()) known.push_back(row.version);
    throw InputError({}, fmt::format("the limits of compute capability '{}' are not known; known are {}",
                                     version, fmt::join(known, ", ")));
  }
  return {fmt::format("cc {}", found->version),
          fmt::format("{} GPUs of compute capability {}", found->architecture, found->version),
          std::string(found->version),
          found->occupancy,
          found->example.sms,
          std::string(found->example.name)};
}

Answer answer(const Question& question) {
  check(question);
  Answer result{question,
                sim::occupancy_of(question.device.limits, question.resources),
                sim::textbook_occupancy(question.device.limits, question.resources),
                {},
                {}};
  std::uint64_t wave = std::uint64_t{question.device.sms} * result.occupancy.blocks_per_sm;
  if (question.cluster) {
    result.clusters = fit_clusters(question, result.occupancy);
    wave = result.clusters->max_active_clusters * result.clusters->blocks;
  }
  if (question.grid) result.grid = sim::fit_grid(question.grid->count(), wave);
  return result;
}

std::vector<sim::Resource> limiting_factors(const sim::Occupancy& occupancy) {
  std::uint32_t before = sim::kNoBlockLimit;
  for (std::size_t i = 0; i < sim::kResources; ++i) {
    if (static_cast<sim::Resource>(i) != sim::Resource::Barriers)
      before = std::min(before, occupancy.limits[i]);
  }
  std::vector<sim::Resource> factors;
  for (std::size_t i = 0; i < sim::kResources; ++i) {
    const auto resource = static_cast<sim::Resource>(i);
    const bool is_barriers = resource == sim::Resource::Barriers;
    if (occupancy.limits[i] == (is_barriers ? occupancy.blocks_per_sm : before)) factors.push_back(resource);
  }
  return factors;
}

std::optional<std::uint64_t> left_over(const Answer& answer, sim::Resource resource) {
  const sim::OccupancySpec& limits = answer.question.device.limits;
  const sim::Occupancy& found = answer.occupancy;
  const std::uint64_t blocks = found.blocks_per_sm;
  switch (resource) {
    case sim::Resource::Warps:
      return limits.max_warps - found.warps_per_sm;
    case sim::Resource::Blocks:
      return limits.max_blocks - blocks;
    case sim::Resource::Registers:
      return limits.registers - blocks * found.block.registers;
    case sim::Resource::Shared:
      return found.shared_capacity - blocks * found.block.shared_bytes;
    case sim::Resource::Barriers:
      if (limits.barriers == 0) return std::nullopt;
      return limits.barriers - blocks * answer.question.resources.barriers;
    case sim::Resource::Virtual:
      if (limits.virtual_resources == 0) return std::nullopt;
      return limits.virtual_resources - blocks * answer.question.resources.virtual_resources;
  }
  return std::nullopt;
}

}  // namespace heddle::occupancy
