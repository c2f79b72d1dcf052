// One simulated GPU of a program: the session's device, and what the API keeps of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "sim/session/device.h"
#include "tools/cuda/runtime/device_launches.h"
#include "tools/cuda/runtime/device_output.h"
#include "tools/cuda/runtime/launch_log.h"
#include "tools/cuda/runtime/memory_map.h"
#include "tools/cuda/runtime/memory_pool.h"
#include "tools/cuda/runtime/program_recording.h"
#include "tools/cuda/runtime/registry.h"
#include "tools/cuda/runtime/stream_order.h"
#include "tools/cuda/runtime/texture_objects.h"

/// What a cudaEvent_t points to.
struct CUevent_st {
  unsigned flags = 0;
  std::optional<heddle::session::EventId> recorded = std::nullopt;  ///< Nothing: never.
  std::shared_ptr<CUgraph_st> capture =
      nullptr;  ///< It was recorded in a stream that this graph is captured from.
};

namespace heddle::cudart {

/// A kernel that a GPU has loaded.
struct LoadedKernel {
  ir::Kernel kernel;
  Image* image = nullptr;                  ///< Where it is from.
  std::uint32_t dynamic_shared_limit = 0;  ///< What cudaFuncSetAttribute allowed; 0: it was not called.
  Dim3 block = {};                         ///< Of its last launch.
  unsigned target = 0;                     ///< What its PTX was made for, 80 of 8.0; 0 if it does not say.
};

/// Memory that a GPU's kernels use and that is not its own.
enum class ForeignKind : std::uint8_t {
  Host,  ///< Host or managed memory that was made on another GPU.
  Peer,  ///< Another GPU's device memory.
};

/// What malloc in kernels has unless a program says otherwise, as with CUDA.
inline constexpr std::uint64_t kUsualHeapBytes = 8 << 20;

/// Times are cycles of the device's clock; the host's own doing takes none.
class Gpu {
 public:
  /// `number` from 0. All others must outlive it; `host_clock` is that of StreamOrder.
  Gpu(int number, const Settings& settings, Registry& registry, LaunchLog& log, Cycle& host_clock)
      : index(number),
        device(log.gpu(), {.threads = settings.threads, .is_unified = true}),
        streams(device, host_clock),
        launches(log),
        checks(settings.checks),
        registry_(registry),
        takes_machine_code_(settings.takes_machine_code) {
    if (checks.watches_accesses()) device.check({checks.initial, checks.races});
    if (launches.page) launches.page->attach(device);
    if (!settings.record_folder.empty()) recording.emplace(settings.record_folder, device.gpu());
  }
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  /// The kernel of this host function, loaded at its first use. Throws Failure or InputError.
  LoadedKernel& kernel(const void* host_function);
  /// The variable of this host variable, likewise.
  session::Symbol symbol(const void* host_variable);

  /// Puts an image's code and variables into memory, if they are not there; its managed variables can then be
  /// used by the host.
  session::LoadedModule load(Image& image);

  /// What malloc in kernels of each module has; 0: nothing. Throws Failure if one has taken memory already.
  void set_heap(std::uint64_t bytes);

  /// A program has unloaded the image: its kernels and variables are known no more. Their memory stays.
  void forget(const Image& image);
  void forget_kernel(const void* host_function) { kernels_.erase(host_function); }

  /// The kernel that kernels launch by this address. Throws Failure or InputError.
  LoadedKernel& kernel_at(std::uint64_t address);
  /// That which has this name in device code, of those that have been loaded; null if there is none.
  [[nodiscard]] const LoadedKernel* find_kernel(const std::string& name) const;
  /// The place in the program's source that an instruction comes from, "app.cu:12"; empty if it is not known.
  std::string source_of(const std::string& kernel, Pc pc);
  /// That of its first instruction whose place is known.
  std::string source_of(const std::string& kernel);
  /// The source files that ir::SourcePlace of this kernel counts; empty if it is not loaded.
  std::vector<std::string> source_files(const std::string& kernel);

  cudaEvent_t create_event(unsigned flags);
  /// Throws Failure if there is no such event.
  [[nodiscard]] CUevent_st& event(cudaEvent_t handle) const;
  void destroy_event(cudaEvent_t handle);

  [[nodiscard]] bool has(cudaEvent_t handle) const { return events_.contains(handle); }
  [[nodiscard]] bool has(cudaStream_t handle) const { return streams.has(handle); }
  [[nodiscard]] bool has(cudaMemPool_t pool) const { return pools.has(pool); }
  [[nodiscard]] bool has(const void* memory_of_program) const {
    return memory.find(memory_of_program) != nullptr;
  }

  /// Does the operation, or makes it a node of the graph that the stream is captured to.
  void give(cudaStream_t stream, const Operation& operation);
  /// Waits for all that the stream was given.
  void synchronize(cudaStream_t stream);
  /// Whether the event has happened, after time has gone on a little if it had not: a program may ask until
  /// it has.
  bool has_happened(session::EventId event);

  /// Waits for all that the device was given.
  void synchronize();
  /// Likewise for an event.
  void synchronize(session::EventId event);

  [[nodiscard]] const sim::GpuSpec& spec() const { return device.gpu(); }
  /// Whether kernels can reach device memory of other GPUs.
  [[nodiscard]] bool has_peers() const;
  /// The compute capability, 80 of 8.0.
  [[nodiscard]] unsigned capability() const;
  [[nodiscard]] Cycle cycles_of_us(double microseconds) const;
  [[nodiscard]] double milliseconds_of(Cycle cycles) const;

  const int index;
  std::optional<ProgramRecording> recording;  ///< Of what is launched; whose recorders the device has.
  session::Device device;
  StreamOrder streams;
  MemoryMap memory;
  std::uint64_t allocations = 0;  ///< How many there have been.
  std::map<std::uint64_t, ForeignKind> foreign;  ///< What PeerAccess has told it of, by address.
  std::uint64_t timed_beside_peers = 0;  ///< Launches, whose accesses to peers' memory are timed as its own.
  LaunchLog& launches;
  CheckChoice checks;
  DeviceOutput output;
  DeviceLaunches device_launches{*this};
  std::set<cudaArray_t> arrays;
  TextureObjects textures{device};
  MemoryPools pools;
  MemoryOfGraphs graph_memory;
  std::map<std::pair<cudaStream_t, cudaStreamAttrID>, cudaStreamAttrValue> stream_attributes;
  bool wants_persisting = false;            ///< The program has asked for lines that stay in L2.
  std::uint64_t timed_with_persisting = 0;  ///< Launches since then.
  std::map<cudaLimit, std::size_t> limits;  ///< Those that the program has set.
  std::optional<cudaError_t> sticky;        ///< What each call answers since a kernel failed.

 private:
  /// By the name in device code.
  [[nodiscard]] std::map<const void*, LoadedKernel>::const_iterator find_loaded(
      const std::string& kernel) const;
  /// Printing and malloc in its kernels.
  void prepare_system_variables(session::LoadedModule module);
  /// What its kernels launch kernels by.
  void prepare_launches(Image& image, session::LoadedModule module);
  void prepare_heap(session::DevicePointer variable, std::uint64_t bytes);
  void prepare_managed(session::LoadedModule module, const ManagedVariable& variable);
  void note_managed(std::span<const std::byte> place);

  Registry& registry_;
  const bool takes_machine_code_;
  std::map<const Image*, session::LoadedModule> modules_;
  std::map<const void*, LoadedKernel> kernels_;
  std::map<std::uint64_t, Registered> kernel_addresses_;  // for kernels
  std::map<cudaEvent_t, std::unique_ptr<CUevent_st>> events_;
  std::uint64_t heap_bytes_ = kUsualHeapBytes;
  std::vector<session::DevicePointer> heaps_;  // the variables that say where they are, one a module
};

}  // namespace heddle::cudart
