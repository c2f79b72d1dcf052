// Launches of kernels.
#pragma once

#include "tools/cuda/runtime/gpu.h"

namespace heddle::cudart {

/// What a launch says besides its kernel.
struct LaunchRequest {
  const void* function = nullptr;  ///< The host's stub.
  dim3 grid;
  dim3 block;
  void** arguments = nullptr;  ///< Where each of them lies.
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
  bool is_cooperative = false;  ///< All blocks must fit at a time.
};

/// The launch with its arguments as they are now. Throws Failure or InputError.
Operation prepare(Gpu& gpu, const LaunchRequest& request);

/// What is particular about a launch.
struct LaunchKind {
  bool is_cooperative = false;
  unsigned depth = 1;  ///< Of launches by kernels: 2 of what a host's launch launches.
};

/// Static shared memory of a block, without what the system keeps in front of it in machine code.
std::uint32_t own_shared_bytes(const ir::Kernel& kernel);

/// How many bytes the kernel's parameters have.
std::size_t parameter_bytes(const ir::Kernel& kernel);

/// Gives the launch to the stream of the configuration, timed or not as the program's settings say. The kernel must
/// outlive it. Throws session::Error.
void start(Gpu& on, LoadedKernel& loaded, session::LaunchConfig config, std::vector<std::byte> parameters,
           const LaunchKind& kind);

/// Queues it. Throws session::Error, too.
void launch(Gpu& gpu, const LaunchRequest& request);

/// The most threads of a block of the kernel.
int most_threads(Gpu& gpu, const void* function);

/// How many blocks of the kernel an SM holds.
std::uint32_t blocks_per_sm(Gpu& gpu, const void* function, std::uint32_t threads, std::size_t shared_bytes);

}  // namespace heddle::cudart
