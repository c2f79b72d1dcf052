// What `heddle occupancy` is asked: a kernel's block on a GPU, and perhaps a grid of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/base/diagnostic.h"
#include "isa/base/dim3.h"
#include "sim/config/gpu_spec.h"
#include "sim/occupancy/grid.h"
#include "sim/occupancy/occupancy.h"
#include "sim/occupancy/textbook.h"
#include "tools/report/provenance.h"

namespace heddle::occupancy {

/// A GPU as far as occupancy goes.
struct Device {
  std::string name;  ///< "h100", or "cc 9.0"
  std::string description;
  std::string compute_capability;
  sim::OccupancySpec limits;
  std::uint32_t sms = 0;
  std::string example;  ///< The GPU that has so many SMs, where only a compute capability was asked for.
};

Device device_of(const sim::GpuSpec& gpu);

/// "8.6", "sm_86". Throws InputError if the compute capability is not known.
Device device_of_version(std::string_view version);

/// What the compiler says of a kernel beside its resources.
struct Compiled {
  std::string mangled;
  std::string architecture;  ///< "sm_90a"
  std::uint32_t stack_bytes = 0;
  std::uint32_t spill_stores = 0;  ///< Bytes.
  std::uint32_t spill_loads = 0;   ///< Bytes.
};

struct Question {
  Device device;
  std::string kernel;  ///< Its name; empty if it has none.
  sim::KernelResources resources;
  bool has_block = true;            ///< A block size was given.
  bool is_block_suggested = false;  ///< One was found, as none was given.
  std::optional<Dim3> grid;
  std::optional<Dim3> cluster;  ///< Blocks of a thread-block cluster.
  std::optional<Compiled> compiled;
  SourceLocation where;  ///< Who asks, in a file; nothing where options do.
  report::Provenance provenance;
};

struct ClusterFit {
  std::uint64_t blocks = 0;  ///< Of a cluster.
  std::uint64_t max_active_clusters = 0;
  bool is_portable = true;  ///< No larger than every GPU with clusters takes.
};

struct Answer {
  Question question;
  sim::Occupancy occupancy;
  sim::TextbookOccupancy textbook;
  std::optional<ClusterFit> clusters;
  std::optional<sim::GridFit> grid;
};

/// Throws InputError with all reasons if the kernel cannot run.
Answer answer(const Question& question);

/// The resources of limiting_factors in NVIDIA's cuda_occupancy.h: those that bind, and where named barriers
/// alone bind, also what bound before these were counted.
std::vector<sim::Resource> limiting_factors(const sim::Occupancy& occupancy);

/// What the blocks of an SM leave of a resource; nothing where there is no limit.
std::optional<std::uint64_t> left_over(const Answer& answer, sim::Resource resource);

}  // namespace heddle::occupancy
