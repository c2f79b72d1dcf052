// The state of a program that uses CUDA's runtime API.
//
// This is the one place of the house with state that nobody hands over: the functions of the API take no
// handle of what they work on, and compilers register device code before main() begins. What belongs to a
// host thread, the current GPU and the last error, is kept for each thread, as CUDA does.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "tools/cuda/runtime/driver_contexts.h"
#include "tools/cuda/runtime/driver_modules.h"
#include "tools/cuda/runtime/gpu.h"
#include "tools/cuda/runtime/peer_access.h"
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
  /// The function of the driver API that calls the runtime's; null: the program itself calls those. Messages
  /// name it, and no last error is kept.
  const char* driver_function = nullptr;
  std::vector<CUcontext> contexts;  ///< The current one is the last.
  bool has_used_runtime = false;    ///< Then a device's primary context is current if no other one is.

  static HostThread& current();
};

/// A thread's turn with the GPUs, from which the API's calls do their work. It holds Process::mutex.
class Turn {
 public:
  explicit Turn(std::mutex& mutex) : lock_(mutex) { is_mine_ = true; }
  ~Turn() { is_mine_ = false; }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  /// Whether it is this thread's: what runs now was called by a stream, or for a signal.
  [[nodiscard]] static bool is_mine() { return is_mine_; }

 private:
  static inline thread_local bool is_mine_ = false;
  std::lock_guard<std::mutex> lock_;
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
  /// The first GPU that has been made and of which `has` is true; else that of the number, as by gpu().
  Gpu& gpu_that(const std::function<bool(const Gpu&)>& has, int otherwise);
  /// Forgets all of a GPU, as cudaDeviceReset does.
  void reset(int index);
  /// What a GPU that has been made answers since a kernel failed.
  [[nodiscard]] std::optional<cudaError_t> sticky_of(int index) const;
  /// After fork(): a simulated GPU's threads stay with the parent, and so the child has none.
  [[nodiscard]] bool is_lost_by_fork() const { return is_lost_by_fork_; }

  std::mutex mutex;  ///< Held by each call of the API: one thread at a time uses the GPUs.
  PeerAccess peers{gpus_};
  Registry registry;
  bool is_driver_initialized = false;  ///< By cuInit.
  DriverContexts contexts;
  DriverModules modules;
  std::set<int> used_by_runtime;  ///< GPUs whose primary context the runtime API keeps.

 private:
  Process();
  static void note_fork();
  /// At the end of the program: its table, its totals and what it is to be checked for.
  void finish();
  void finish_within_call() const;
  [[nodiscard]] int end_code();

  std::optional<Settings> settings_;
  std::vector<std::unique_ptr<LaunchLog>> logs_;  // beside gpus_, which go first
  std::vector<std::unique_ptr<Gpu>> gpus_;
  Cycle host_clock_ = 0;  // see StreamOrder
  int made_by_ = 0;  // the process: a child after fork() is another one
  bool is_lost_by_fork_ = false;
  bool has_found_ = false;  // checks have, in GPUs that were reset, too
};

}  // namespace heddle::cudart
