#include "tools/cuda/runtime/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "isa/cubin/image.h"
#include "isa/ir/launched_kernels.h"
#include "sim/occupancy/occupancy.h"
#include "tools/cuda/runtime/call.h"
#include "tools/cuda/runtime/failure.h"
#include "tools/cuda/runtime/persisting.h"

namespace heddle::cudart {

namespace {

std::vector<std::byte> parameters_of(const ir::Kernel& kernel, void** arguments) {
  std::vector<std::byte> bytes(parameter_bytes(kernel));
  if (!kernel.param_slots.empty())
    require(arguments != nullptr, "the kernel has parameters; no arguments are given");
  for (std::size_t i = 0; i < kernel.param_slots.size(); ++i) {
    const ir::ParamSlot& slot = kernel.param_slots[i];
    std::memcpy(bytes.data() + slot.offset, arguments[i], slot.bytes);
  }
  return bytes;
}

/// More than all GPUs allow has to be asked for.
void require_shared_bytes(const LoadedKernel& loaded, const sim::OccupancySpec& limits, std::size_t dynamic) {
  const std::size_t all = own_shared_bytes(loaded.kernel) + dynamic;
  if (all <= limits.shared_without_opt_in || dynamic <= loaded.dynamic_shared_limit) return;
  throw Failure(
      cudaErrorInvalidValue,
      fmt::format("kernel {}: {} bytes of shared memory; beyond {} cudaFuncSetAttribute must allow it",
                  loaded.kernel.name, all, limits.shared_without_opt_in));
}

sample::LaunchTraits traits_of(const ir::Kernel& kernel, const session::LaunchConfig& config) {
  sample::LaunchTraits traits{kernel.name, config.grid, config.block};
  traits.registers = kernel.registers;
  traits.shared_bytes = kernel.static_shared_bytes + config.dynamic_shared_bytes;
  return traits;
}

Dim3 extents_of(const dim3& dim) { return {dim.x, dim.y, dim.z}; }

/// Whether all blocks have to run at a time. Throws Failure if they are to form clusters.
bool is_cooperative(Gpu& gpu, const cudaLaunchConfig_t& config) {
  bool is = false;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config.attrs[i];
    const auto& cluster = attribute.val.clusterDim;
    if (attribute.id == cudaLaunchAttributeAccessPolicyWindow)
      note_window(gpu, attribute.val.accessPolicyWindow);
    if (attribute.id == cudaLaunchAttributeCooperative) is = attribute.val.cooperative != 0;
    if (attribute.id == cudaLaunchAttributeClusterDimension && cluster.x * cluster.y * cluster.z > 1)
      throw Failure(cudaErrorNotSupported, "clusters of blocks are not simulated");
  }
  return is;
}

/// Blocks of a cooperative launch wait for each other.
void require_all_at_a_time(Gpu& gpu, const LaunchRequest& request, const session::LaunchConfig& config) {
  const auto threads = static_cast<std::uint32_t>(config.block.count());
  const std::uint64_t most =
      std::uint64_t{blocks_per_sm(gpu, request.function, threads, request.shared_bytes)} * gpu.spec().sms;
  if (config.grid.count() <= most) return;
  throw Failure(cudaErrorCooperativeLaunchTooLarge,
                fmt::format("kernel {}: {} blocks; the GPU holds {} of them at a time",
                            gpu.kernel(request.function).kernel.name, config.grid.count(), most));
}

}  // namespace

std::uint32_t blocks_per_sm(Gpu& gpu, const void* function, std::uint32_t threads, std::size_t shared_bytes) {
  const ir::Kernel& kernel = gpu.kernel(function).kernel;
  sim::KernelResources resources;
  resources.block = {threads, 1, 1};
  resources.registers_per_thread = std::max(kernel.registers, 1U);
  resources.dynamic_shared = kernel.static_shared_bytes + static_cast<std::uint32_t>(shared_bytes);
  resources.barriers = std::max(kernel.barriers, 1U);
  return sim::occupancy_of(gpu.spec().occupancy, resources).blocks_per_sm;
}

std::uint32_t own_shared_bytes(const ir::Kernel& kernel) {
  constexpr unsigned kFirstWithReserved = 90;
  const bool has_reserved = ir::has_control_codes(kernel) && kernel.compute_capability >= kFirstWithReserved;
  return kernel.static_shared_bytes -
         (has_reserved ? std::min(cubin::kReservedSharedBytes, kernel.static_shared_bytes) : 0);
}

std::size_t parameter_bytes(const ir::Kernel& kernel) {
  std::size_t bytes = 0;
  for (const ir::ParamSlot& slot : kernel.param_slots)
    bytes = std::max<std::size_t>(bytes, slot.offset + slot.bytes);
  return bytes;
}

void start(Gpu& on, LoadedKernel& loaded, session::LaunchConfig config, std::vector<std::byte> parameters,
           const LaunchKind& kind) {
  const ir::Kernel& kernel = loaded.kernel;
  // Blocks that are executed for their results alone run one after the other, and cannot wait for each other.
  config.is_timed = on.launches.begin(traits_of(kernel, config), kind.is_cooperative,
                                      [&] { return on.source_of(kernel.name); });
  if (on.checks.watches_accesses() && !kind.is_cooperative) config.is_timed = false;
  if (!config.is_timed) config.takes = on.launches.expected_cycles(on.device);
  config.is_strict_about_barriers = on.checks.sync;
  config.is_forgiving = !on.checks.any();
  config.max_cycles = on.launches.most_cycles();
  config.may_launch = true;
  if (config.is_timed && on.recording) config.layer = on.recording->next_launch(kernel);
  if (config.is_timed && on.has_peers()) ++on.timed_beside_peers;
  if (config.is_timed && on.wants_persisting) ++on.timed_with_persisting;
  const bool is_told = config.is_timed && on.launches.page;
  if (is_told) on.launches.page->prepare(kernel, on.source_files(kernel.name), on.spec(), config);
  const session::LaunchId id = on.device.launch(kernel, config, std::move(parameters));
  if (is_told) on.launches.page->launched();
  on.launches.add(id, kernel.name, config.is_timed);
  if (ir::launches_kernels(kernel)) on.device_launches.follow(id, config.stream, kind.depth);
}

Operation prepare(Gpu& gpu, const LaunchRequest& request) {
  LoadedKernel& loaded = gpu.kernel(request.function);
  require_shared_bytes(loaded, gpu.spec().occupancy, request.shared_bytes);
  session::LaunchConfig config;
  config.grid = extents_of(request.grid);
  config.block = extents_of(request.block);
  loaded.block = config.block;
  config.dynamic_shared_bytes = static_cast<std::uint32_t>(request.shared_bytes);
  if (request.is_cooperative) require_all_at_a_time(gpu, request, config);
  return
      [config, &loaded, kind = LaunchKind{request.is_cooperative},
       parameters = parameters_of(loaded.kernel, request.arguments)](Gpu& on, cudaStream_t stream) mutable {
        Process::get().peers.update(on);
        config.stream = on.streams.enter(stream);
        start(on, loaded, config, parameters, kind);
        on.launches.collect(on.device);
      };
}

void launch(Gpu& gpu, const LaunchRequest& request) { gpu.give(request.stream, prepare(gpu, request)); }

}  // namespace heddle::cudart

using heddle::cudart::Gpu;
using heddle::cudart::gpu_call;

extern "C" {

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                             cudaStream_t stream) {
  return gpu_call("cudaLaunchKernel", [&](Gpu& gpu) {
    heddle::cudart::launch(gpu, {function, grid, block, arguments, shared, stream});
  });
}

cudaError_t __cudaGetKernel(const void** kernel, const void* host_function) {
  *kernel = host_function;
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                               cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        size_t shared, cudaStream_t stream) {
  return gpu_call("cudaLaunchCooperativeKernel", [&](Gpu& gpu) {
    heddle::cudart::launch(gpu, {function, grid, block, arguments, shared, stream, true});
  });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  return gpu_call("cudaLaunchKernelExC", [&](Gpu& gpu) {
    heddle::cudart::require(config != nullptr, "there is no configuration");
    heddle::cudart::launch(gpu,
                           {function, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                            config->stream, heddle::cudart::is_cooperative(gpu, *config)});
  });
}
}
