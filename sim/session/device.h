// A simulated GPU as a program uses it: memory, streams, launches, and their figures.
//
//   const sim::GpuSpec gpu = sim::load_gpu("h100");
//   session::Device device(gpu);
//   const session::Module module = session::Module::from_file("vecadd.sass");
//   const session::DevicePointer x = device.allocate(n * sizeof(float), "x");
//   device.copy_to_device(x, std::span<const float>(host));
//   const session::LaunchId id = device.launch(module.kernel("scale"), {.grid = {n / 256}, .block = {256}},
//                                              {x, 2.0F, std::uint32_t{n}});
//   const sim::RunFigures& run = device.figures(id);  // waits for the launch
//   device.copy_to_host(std::span<float>(host), x);
//
// Nothing here prints or ends the process. Devices know nothing of each other: each may be used by a thread of its
// own. One device is used by one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "isa/base/dim3.h"
#include "isa/ir/kernel.h"
#include "isa/stream/forgiven_mistakes.h"
#include "isa/stream/memory_finding.h"
#include "sim/config/gpu_spec.h"
#include "sim/device/run_result.h"
#include "sim/device/streams.h"
#include "sim/events/observer.h"
#include "sim/figures/run_figures.h"
#include "sim/session/arguments.h"
#include "sim/session/launch_layer.h"
#include "sim/session/module.h"

namespace heddle::session {

using sim::EventId;
using sim::StreamId;

/// Numbers the launches of a device.
enum class LaunchId : std::uint32_t {};

/// How a device simulates. Neither changes a result.
struct DeviceOptions {
  unsigned threads = 1;            ///< SMs are simulated on so many.
  bool visit_every_cycle = false;  ///< The reference mode: slow.
  /// The host finds the bytes of an allocation at its address on the device, as with CUDA's managed memory.
  bool is_unified = false;
};

/// What CUDA writes between <<< and >>>, and what its launch attributes say.
struct LaunchConfig {
  Dim3 grid;
  Dim3 block;
  std::uint32_t dynamic_shared_bytes = 0;
  StreamId stream{};                       ///< The default stream, if no other is named.
  std::uint32_t registers_per_thread = 0;  ///< 0: those of the kernel. More lower the occupancy.
  Cycle max_cycles = kNever;               ///< A launch that takes longer is a KernelFault.
  bool by_instruction = false;             ///< RunResult::by_pc is wanted: what was counted of each instruction.
  bool is_strict_about_barriers = false;   ///< Warps of a block must meet at one instruction (exec::Launch).
  bool is_forgiving = false;               ///< Mistakes that a GPU lets pass are noted (Device::forgiven()), not faults.
  bool may_launch = false;                 ///< The caller does what kernels that launch kernels ask for (ir::LaunchRecord).
  bool is_timed = true;                    ///< False: it is executed for its results alone.
  std::function<Cycle()> takes = nullptr;  ///< Asked when a launch that is not timed begins: so long it counts; null: 0.
  std::shared_ptr<LaunchLayer> layer = nullptr;  ///< Null: the kernel itself is run. Of timed launches alone.
};

/// What a launch that has ended was.
struct LaunchWork {
  bool is_timed = false;
  Cycle cycles = 0;  ///< If it is timed.
  std::uint64_t warp_instructions = 0;
};

/// What launches that are not timed are checked for; see stream::FindingKind.
struct CheckOptions {
  bool initial = false;  ///< Reads of memory that was allocated since and that nobody has written.
  bool races = false;    ///< In shared memory, and in global memory between blocks of kernels without fences.
};

/// A buffer that has not been freed.
struct Allocation {
  std::string name;
  DevicePointer pointer;
  std::uint64_t bytes = 0;
};

/// A module in a device's memory. Its variables live as long as the device.
enum class LoadedModule : std::uint32_t {};

/// Where a variable of a module lies.
struct Symbol {
  DevicePointer pointer;
  std::uint64_t bytes = 0;
  ir::VariableSpace space = ir::VariableSpace::Global;
};

/// After a KernelFault a device runs nothing more: each launch and each wait throws the same fault again, as CUDA's
/// sticky errors do. Its memory can still be read.
class Device {
 public:
  explicit Device(const sim::GpuSpec& gpu, const DeviceOptions& options = {});
  ~Device();
  Device(Device&&) noexcept;
  Device& operator=(Device&&) noexcept;

  [[nodiscard]] const sim::GpuSpec& gpu() const;
  /// Simulated cycles since the device was made.
  [[nodiscard]] Cycle clock() const;

  // -- memory: the calls wait until all that was launched has ended, as cudaMemcpy and cudaFree do --------------
  /// Zeros; 256-byte aligned. `name` stands for it in faults. Throws Error if the GPU has not so much left, or the host
  /// cannot reserve it.
  DevicePointer allocate(std::uint64_t bytes, const std::string& name = "");
  /// Likewise at an address below 2^32, where it counts for none of the GPU's memory, and reads as written.
  DevicePointer allocate_low(std::uint64_t bytes, const std::string& name = "");
  /// Memory of the host that kernels can use, too. Of a unified device only.
  DevicePointer allocate_host(std::uint64_t bytes, const std::string& name = "");
  /// The same of memory that the host has already, and keeps until free(). Throws Error if it is known already.
  DevicePointer adopt_host(std::span<std::byte> memory, const std::string& name = "");
  /// Throws Error if no allocation begins there, or it has been freed.
  void free(DevicePointer pointer);
  /// What has not been freed, by address.
  [[nodiscard]] std::vector<Allocation> allocations() const;
  /// What can still be allocated.
  [[nodiscard]] std::uint64_t available_bytes() const;
  /// What lies there, for whoever copies by himself in a task. Throws Error if no allocation holds all of it.
  [[nodiscard]] std::span<std::byte> bytes_at(DevicePointer pointer, std::uint64_t bytes) const;
  /// Bytes there were copied in so: they lie in L2, as far as they fit.
  void note_copied_in(DevicePointer pointer, std::uint64_t bytes);
  /// Copies bytes in. They lie in L2 afterwards, as far as they fit; copying takes no simulated time. Throws Error if
  /// no allocation holds all of the range.
  void copy_to_device(DevicePointer to, std::span<const std::byte> from);
  void copy_to_host(std::span<std::byte> to, DevicePointer from);
  void fill(DevicePointer to, std::byte value, std::uint64_t bytes);

  template <typename Element>
    requires std::is_trivially_copyable_v<Element>
  void copy_to_device(DevicePointer to, std::span<const Element> from) {
    copy_to_device(to, std::as_bytes(from));
  }
  template <typename Element>
    requires(std::is_trivially_copyable_v<Element> && !std::is_const_v<Element>)
  void copy_to_host(std::span<Element> to, DevicePointer from) {
    copy_to_host(std::as_writable_bytes(to), from);
  }

  // -- checks: of launches that are not timed, from now on -----------------------------------------------------
  void check(const CheckOptions& options);
  /// The host has written there by itself: it is no longer unwritten.
  void note_written(DevicePointer pointer, std::uint64_t bytes);
  /// The memory counts as written, whoever writes it.
  void trust(DevicePointer pointer);
  [[nodiscard]] std::vector<stream::MemoryFinding> findings() const;

  /// What launches that are forgiving did, each once.
  [[nodiscard]] std::vector<stream::ForgivenMistake> forgiven() const;

  // -- modules ---------------------------------------------------------------------------------------------
  /// Puts the module's variables into memory, with what they begin with. `places`: of variables that the host
  /// shares, by name, its own memory, which outlives the device, and where it has written what they begin with.
  /// Throws InputError if something lies there already.
  LoadedModule load(const Module& module, const std::map<std::string, std::span<std::byte>>& places = {});
  /// The kernel, whose launches use the variables where they lie. Throws as Module::kernel() does.
  [[nodiscard]] ir::Kernel kernel(LoadedModule module, const std::optional<std::string>& name = {}) const;
  /// Nothing if the module has no variable of this name.
  [[nodiscard]] std::optional<Symbol> symbol(LoadedModule module, const std::string& name) const;

  // -- work ------------------------------------------------------------------------------------------------
  /// Blocks of a stream of a lower priority number are placed before those of a higher number.
  StreamId create_stream(int priority = 0);
  EventId record(StreamId stream = {});
  /// An event that must be recorded later: until then, who waits for it waits.
  EventId add_event();
  void record(StreamId stream, EventId event);
  /// What is given to the stream from now on waits for the event.
  void wait(StreamId stream, EventId event);
  /// Queues the launch and returns. Throws Error if it cannot be launched, InputError if a warp of this GPU has too
  /// few lanes for an instruction.
  LaunchId launch(const ir::Kernel& kernel, const LaunchConfig& config, const Arguments& arguments);
  /// The same with the bytes of the parameters as they lie behind one another.
  LaunchId launch(const ir::Kernel& kernel, const LaunchConfig& config, std::vector<std::byte> parameters);
  /// A copy, or what the host does in the order of the stream. It may give the device more work; it may not wait for it.
  void submit(StreamId stream, sim::Task task);

  // -- time: all throw KernelFault if a simulated program fails -------------------------------------------------
  void synchronize();
  void wait(LaunchId launch);
  void wait(EventId event);
  /// Lets so many cycles go by, or fewer if there is nothing more to do.
  void run_for(Cycle cycles);
  [[nodiscard]] bool is_idle(StreamId stream) const;
  [[nodiscard]] bool has_happened(EventId event) const;
  [[nodiscard]] bool has_ended(LaunchId launch) const;

  // -- results ---------------------------------------------------------------------------------------------
  /// All figures of the launch, for which it waits. Throws Error if it is not timed.
  const sim::RunFigures& figures(LaunchId launch);
  /// What each SM counted, likewise.
  const sim::RunResult& result(LaunchId launch);
  /// What it took and executed; nothing if it has not ended, for which it does not wait. Not after forget().
  [[nodiscard]] std::optional<LaunchWork> work_of(LaunchId launch) const;
  /// Its results are not asked for any more: what they take of the host's memory is given back.
  void forget(LaunchId launch);
  /// By the device's clock: when it was launched. Likewise.
  Cycle begin_of(LaunchId launch);
  /// By the device's clock: when all that was before it had been done. Waits for it.
  Cycle time_of(EventId event);

  /// Sets the observer that hears of issues, blocks and memory from now on; null: none. `samples`: cycles of the clock in which it
  /// also hears what every resident warp does.
  void observe(sim::Observer* observer, sim::CycleRange samples = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::session
