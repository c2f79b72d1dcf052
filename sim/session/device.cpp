#include "sim/session/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "isa/base/cuda_limits.h"
#include "isa/base/diagnostic.h"
#include "isa/stream/kernel_fault.h"
#include "sim/device/device.h"
#include "sim/device/support.h"
#include "sim/occupancy/occupancy.h"
#include "sim/occupancy/refusals.h"
#include "sim/session/error.h"
#include "sim/session/live_kernel.h"

namespace heddle::session {

namespace {

struct Launch {
  std::unique_ptr<exec::LiveKernel> kernel;  // until it has ended
  sim::GridId grid;
  std::optional<sim::RunResult> result;
  std::optional<sim::RunFigures> figures;
};

std::string extents(const Dim3& dim) { return fmt::format("{} x {} x {}", dim.x, dim.y, dim.z); }

bool is_within(const Dim3& dim, const Dim3& most) {
  const auto is_good = [](std::uint32_t extent, std::uint32_t limit) { return extent > 0 && extent <= limit; };
  return is_good(dim.x, most.x) && is_good(dim.y, most.y) && is_good(dim.z, most.z);
}

void require_shape(const ir::Kernel& kernel, const LaunchConfig& config) {
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::InvalidConfiguration, fmt::format("kernel {}: {}", kernel.name, what));
  };
  if (!is_within(config.grid, kLargestGrid))
    refuse(fmt::format("a grid of {} blocks; it has 1 to {}", extents(config.grid), extents(kLargestGrid)));
  if (!is_within(config.block, kLargestBlock))
    refuse(fmt::format("a block of {} threads; it has 1 to {}", extents(config.block), extents(kLargestBlock)));
  if (config.block.count() > kMostThreadsPerBlock) {
    refuse(fmt::format("a block of {} = {} threads; it has {} at most", extents(config.block),
                       config.block.count(), kMostThreadsPerBlock));
  }
}

void require_resources(const exec::LiveKernel& kernel, const sim::GpuSpec& gpu) {
  std::string reasons;
  for (const std::string& reason : sim::refusals(gpu.occupancy, sim::resources_of(kernel.shape())))
    reasons += (reasons.empty() ? "" : "; ") + reason;
  if (reasons.empty()) return;
  throw Error(ErrorKind::OutOfResources, fmt::format("kernel {}: {}", kernel.shape().kernel, reasons));
}

void require_instructions(const exec::LiveKernel& kernel, const sim::GpuSpec& gpu) {
  std::string missing;
  for (const sim::Unsupported& each : sim::unsupported(kernel.static_ops(), gpu)) {
    missing += fmt::format("{}instruction {}: {}", missing.empty() ? "" : "; ", each.first.pc,
                           sim::to_text(each, gpu));
  }
  if (missing.empty()) return;
  throw Error(ErrorKind::Unsupported, fmt::format("kernel {}: {}", kernel.shape().kernel, missing));
}

exec::Launch launch_of(const ir::Kernel& kernel, const LaunchConfig& config, const Arguments& arguments) {
  exec::Launch launch;
  launch.kernel = kernel;
  launch.grid = config.grid;
  launch.block = config.block;
  launch.dynamic_shared_bytes = config.dynamic_shared_bytes;
  launch.registers_per_thread = std::max({kernel.registers, config.registers_per_thread, 1U});
  launch.params = parameter_bytes(kernel, arguments);
  return launch;
}

}  // namespace

struct Device::State {
  State(const sim::GpuSpec& spec, const DeviceOptions& options)
      : gpu(spec), device(spec, {options.visit_every_cycle, options.threads}) {}

  /// Runs the device for as long as `go` says, and remembers a fault.
  template <typename Go>
  void run(const Go& go) {
    throw_fault();
    try {
      go();
    } catch (const stream::KernelFault& failure) {
      fault = failure;
      throw;
    }
    take_results();
  }

  void throw_fault() const {
    if (fault) throw stream::KernelFault(*fault);
  }

  void take_results() {
    for (Launch& launch : launches) {
      if (launch.result || !device.has_ended(launch.grid)) continue;
      launch.result = std::move(device.take_result(launch.grid).result);
      launch.kernel.reset();
    }
  }

  /// Before the host touches memory. After a fault nothing runs any more.
  void settle() {
    if (!fault) run([this] { device.run(); });
  }

  Launch& ended(LaunchId id) {
    Launch& launch = launches.at(static_cast<std::size_t>(id));
    if (!launch.result) run([&] { device.run_until(launch.grid); });
    return launch;
  }

  [[nodiscard]] std::byte* bytes_at(DevicePointer pointer, std::uint64_t bytes) const {
    const exec::Buffer* buffer = memory.buffer_at(pointer.address, bytes);
    if (buffer != nullptr) return buffer->bytes().data() + (pointer.address - buffer->address());
    const bool is_freed = memory.freed_at(pointer.address) != nullptr;
    throw Error(ErrorKind::InvalidPointer, fmt::format("{} bytes at {:#x}: {}", bytes, pointer.address,
                                                       is_freed ? "the allocation there has been freed"
                                                                : "no allocation holds all of them"));
  }

  sim::GpuSpec gpu;
  exec::GlobalMemory memory;
  std::vector<Launch> launches;  // by LaunchId
  std::optional<stream::KernelFault> fault;
  sim::Device device;  // whose kernels lie in `launches`
};

Device::Device(const sim::GpuSpec& gpu, const DeviceOptions& options)
    : state_(std::make_unique<State>(gpu, options)) {}
Device::~Device() = default;
Device::Device(Device&&) noexcept = default;
Device& Device::operator=(Device&&) noexcept = default;

const sim::GpuSpec& Device::gpu() const { return state_->gpu; }

Cycle Device::clock() const { return state_->device.clock(); }

// -- memory -----------------------------------------------------------------------------------------------

DevicePointer Device::allocate(std::uint64_t bytes, const std::string& name) {
  const std::string called = name.empty() ? fmt::format("buffer {}", state_->memory.buffers().size()) : name;
  try {
    return {state_->memory.allocate(called, bytes).address()};
  } catch (const InputError& error) {
    throw Error(ErrorKind::OutOfMemory, error.list().front().message);
  }
}

void Device::free(DevicePointer pointer) {
  state_->settle();
  if (state_->memory.release(pointer.address)) return;
  throw Error(ErrorKind::InvalidPointer, fmt::format("no allocation begins at {:#x}, or it has been freed already",
                                                     pointer.address));
}

std::vector<Allocation> Device::allocations() const {
  std::vector<Allocation> all;
  for (const auto& buffer : state_->memory.buffers())
    all.push_back({buffer->name(), {buffer->address()}, buffer->size()});
  return all;
}

void Device::copy_to_device(DevicePointer to, std::span<const std::byte> from) {
  state_->settle();
  if (from.empty()) return;
  std::memcpy(state_->bytes_at(to, from.size()), from.data(), from.size());
  state_->device.copy_from_host(to.address, from.size());
}

void Device::copy_to_host(std::span<std::byte> to, DevicePointer from) {
  state_->settle();
  if (!to.empty()) std::memcpy(to.data(), state_->bytes_at(from, to.size()), to.size());
}

void Device::fill(DevicePointer to, std::byte value, std::uint64_t bytes) {
  state_->settle();
  if (bytes != 0) std::memset(state_->bytes_at(to, bytes), static_cast<int>(value), bytes);
}

// -- work -------------------------------------------------------------------------------------------------

StreamId Device::create_stream(int priority) { return state_->device.add_stream(priority); }

EventId Device::record(StreamId stream) { return state_->device.record(stream); }

void Device::wait(StreamId stream, EventId event) { state_->device.wait(stream, event); }

LaunchId Device::launch(const ir::Kernel& kernel, const LaunchConfig& config, const Arguments& arguments) {
  state_->throw_fault();
  require_shape(kernel, config);
  auto live = std::make_unique<exec::LiveKernel>(
      live_kernel(state_->gpu, launch_of(kernel, config, arguments), state_->memory));
  require_resources(*live, state_->gpu);
  require_instructions(*live, state_->gpu);
  const sim::GridId grid = state_->device.submit(*live, config.stream, {config.max_cycles, config.by_instruction});
  state_->launches.push_back({std::move(live), grid, {}, {}});
  return static_cast<LaunchId>(state_->launches.size() - 1);
}

// -- time -------------------------------------------------------------------------------------------------

void Device::synchronize() {
  state_->run([this] { state_->device.run(); });
}

void Device::wait(LaunchId launch) { state_->ended(launch); }

void Device::wait(EventId event) {
  state_->run([&] { state_->device.run_until(event); });
}

// -- results ----------------------------------------------------------------------------------------------

const sim::RunFigures& Device::figures(LaunchId id) {
  Launch& launch = state_->ended(id);
  if (!launch.figures) launch.figures = sim::figures_of(*launch.result, state_->gpu);
  return *launch.figures;
}

const sim::RunResult& Device::result(LaunchId id) { return *state_->ended(id).result; }

Cycle Device::time_of(EventId event) {
  if (state_->device.time_of(event) == kNever) wait(event);
  return state_->device.time_of(event);
}

void Device::observe(sim::Observer* observer, sim::CycleRange samples) {
  state_->device.observe(observer, samples);
}

}  // namespace heddle::session
