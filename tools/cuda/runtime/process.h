// The state of a program that uses CUDA's runtime API.
//
// This is the one place of the house with state that nobody hands over: the functions of the API take no
// handle of what they work on, and compilers register device code before main() begins. What belongs to a
// host thread, the current GPU and the last error, is kept for each thread, as CUDA does.
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "tools/cuda/runtime/gpu.h"
#include "tools/cuda/runtime/registry.h"
#include "tools/cuda/runtime/settings.h"

namespace heddle::cudart {

/// What stands between <<< and >>>, kept until the stub of the kernel takes it.
struct CallConfiguration {
  dim3 grid;
  dim3 block;
  size_t shared = 0;
  cudaStream_t stream = nullptr;
};

/// What the API keeps for each thread of the program.
struct HostThread {
  int gpu = 0;
  cudaError_t last_error = cudaSuccess;
  std::vector<CallConfiguration> configurations;
  bool is_in_callback = false;  ///< It runs what a stream called, which may not call the API.

  static HostThread& current();
};

/// Lives until the process ends: destructors of the program may call the API after those of libraries ran.
class Process {
 public:
  static Process& get();

  /// Of the environment, which is read at the first call. Throws InputError.
  const Settings& settings();
  [[nodiscard]] int gpu_count();
  /// Made at the first call. Throws Failure if there is no such GPU, InputError if its file is wrong.
  Gpu& gpu(int index);
  /// Forgets all of a GPU, as cudaDeviceReset does.
  void reset(int index);
  /// What a GPU that has been made answers since a kernel failed.
  [[nodiscard]] std::optional<cudaError_t> sticky_of(int index) const;
  /// After fork(): a simulated GPU's threads stay with the parent, and so the child has none.
  [[nodiscard]] bool is_lost_by_fork() const { return is_lost_by_fork_; }

  std::mutex mutex;  ///< Held by each call of the API: one thread at a time uses the GPUs.
  Registry registry;

 private:
  Process();
  static void note_fork();
  /// At the end of the program: the table of its launches, if it is asked for.
  void finish();

  std::optional<Settings> settings_;
  std::vector<std::unique_ptr<Gpu>> gpus_;
  bool is_lost_by_fork_ = false;
  bool has_found_ = false;  // checks have, in GPUs that were reset, too
};

}  // namespace heddle::cudart
