// A question for `heddle occupancy`: a kernel's block on a GPU, with or without a grid.
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

/// The properties of a GPU that decide about occupancy.
struct Device {
  std::string name;  ///< "h100", or "cc 9.0"
  std::string description;
  std::string compute_capability;
  sim::OccupancySpec limits;
  std::uint32_t sms = 0;
  std::string example;  ///< The GPU with this many SMs, if only a compute capability was chosen.
};

Device device_of(const sim::GpuSpec& gpu);

/// Accepts "8.6", "sm_86". Throws InputError if the compute capability is not known.
Device device_of_version(std::string_view version);

/// What the compiler prints about a kernel apart from its resources.
struct Compiled {
  std::string mangled;
  std::string architecture;  ///< "sm_90a"
  std::uint32_t stack_bytes = 0;
  std::uint32_t spill_stores = 0;  ///< Bytes.
  std::uint32_t spill_loads = 0;   ///< Bytes.
};

/// A kernel, its launch and a GPU.
struct Question {
  Device device;
  std::string kernel;  ///< Empty if there is no name.
  sim::KernelResources resources;
  bool has_block = true;            ///< A block size was given.
  bool is_block_suggested = false;  ///< No block size was given, and one was suggested.
  std::optional<Dim3> grid;
  std::optional<Dim3> cluster;  ///< Size of a thread-block cluster in blocks.
  std::optional<Compiled> compiled;
  SourceLocation where;  ///< Position in an input file; empty for a question from options.
  report::Provenance provenance;
};

/// How clusters fit on a GPU.
struct ClusterFit {
  std::uint64_t blocks = 0;  ///< Blocks per cluster.
  std::uint64_t max_active_clusters = 0;
  bool is_portable = true;  ///< All GPUs with clusters allow this size.
};

/// The answer to a question.
struct Answer {
  Question question;
  sim::Occupancy occupancy;
  sim::TextbookOccupancy textbook;
  std::optional<ClusterFit> clusters;
  std::optional<sim::GridFit> grid;
};

/// Throws InputError with all reasons if the kernel cannot run.
Answer answer(const Question& question);

/// The limiting_factors of NVIDIA's cuda_occupancy.h: the resources with the lowest limit. If named barriers
/// alone have the lowest limit, the resources that limit the occupancy without barriers are included.
std::vector<sim::Resource> limiting_factors(const sim::Occupancy& occupancy);

/// How much of a resource the blocks of an SM leave unused; nothing if there is no limit.
std::optional<std::uint64_t> left_over(const Answer& answer, sim::Resource resource);

}  // namespace heddle::occupancy
