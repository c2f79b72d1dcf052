#include "sim/session/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include "isa/base/cuda_limits.h"
#include "isa/base/diagnostic.h"
#include "isa/exec/variables.h"
#include "isa/ir/launched_kernels.h"
#include "isa/stream/kernel_fault.h"
#include "sim/config/compute_capabilities.h"
#include "sim/device/device.h"
#include "sim/device/support.h"
#include "sim/occupancy/refusals.h"
#include "sim/session/error.h"
#include "sim/session/live_kernel.h"

namespace heddle::session {

namespace {

struct Launch {
  std::unique_ptr<exec::LiveKernel> kernel;  // until it has ended
  std::shared_ptr<LaunchLayer> layer;        // likewise
  std::optional<sim::GridId> grid;           // if it is timed
  std::optional<EventId> end;                // if it is not
  std::uint64_t executed = 0;                // warp instructions, likewise
  std::optional<sim::RunResult> result = std::nullopt;
  Cycle begin = 0;
  std::optional<sim::RunFigures> figures = std::nullopt;
};

/// A module's variables, by the names that they have in it.
struct Loaded {
  Module module;
  std::map<std::string, std::string> placed;  // the names of their buffers
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

exec::Launch launch_of(const ir::Kernel& kernel, const LaunchConfig& config, std::vector<std::byte> parameters) {
  exec::Launch launch;
  launch.kernel = kernel;
  launch.grid = config.grid;
  launch.block = config.block;
  launch.dynamic_shared_bytes = config.dynamic_shared_bytes;
  launch.is_strict_about_barriers = config.is_strict_about_barriers;
  launch.registers_per_thread = std::max({kernel.registers, config.registers_per_thread, 1U});
  launch.params = std::move(parameters);
  return launch;
}

void rename(ir::Variable& variable, const std::map<std::string, std::string>& names) {
  const auto placed = [&](const std::string& name) {
    const auto found = names.find(name);
    return found == names.end() ? name : found->second;
  };
  variable.name = placed(variable.name);
  for (ir::Relocation& relocation : variable.relocations) relocation.variable = placed(relocation.variable);
}

}  // namespace

struct Device::State {
  State(const sim::GpuSpec& spec, const DeviceOptions& options)
      : gpu(spec),
        memory(options.is_unified ? exec::HostAddresses::Same : exec::HostAddresses::Any),
        device(spec, {options.visit_every_cycle, options.threads}) {}

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
    while (first_open < launches.size() && (launches[first_open].result || launches[first_open].end)) ++first_open;
    for (std::size_t i = first_open; i < launches.size(); ++i) {
      Launch& launch = launches[i];
      if (launch.result || !launch.grid || !device.has_ended(*launch.grid)) continue;
      sim::GridRun run = device.take_result(*launch.grid);
      launch.begin = run.begin;
      launch.result = std::move(run.result);
      if (launch.layer) std::exchange(launch.layer, nullptr)->ended();
      launch.kernel.reset();
    }
  }

  /// Before the host touches memory. After a fault nothing runs any more.
  void settle() {
    if (!fault) run([this] { device.run(); });
  }

  Launch& ended(LaunchId id) {
    Launch& launch = launches.at(static_cast<std::size_t>(id));
    if (launch.end) {
      run([&] { device.run_until(*launch.end); });
    } else if (!launch.result) {
      run([&] { device.run_until(*launch.grid); });
    }
    return launch;
  }

  Launch& timed(LaunchId id) {
    Launch& launch = ended(id);
    if (!launch.result) throw Error(ErrorKind::NotTimed, "the launch was executed for its results alone");
    return launch;
  }

  /// A name that no other variable has in the memory.
  [[nodiscard]] std::string free_name(const std::string& wanted) const {
    std::string name = wanted;
    for (unsigned count = 2; memory.find_variable(name) != nullptr; ++count) name = fmt::format("{}#{}", wanted, count);
    return name;
  }

  [[nodiscard]] const Loaded& loaded(LoadedModule module) const {
    return modules.at(static_cast<std::size_t>(module));
  }

  DevicePointer reserve(std::uint64_t bytes, const std::string& name, bool low = false) {
    const std::string called = name.empty() ? fmt::format("buffer {}", memory.buffers().size()) : name;
    try {
      const exec::Buffer& made = low ? memory.allocate_low(called, bytes) : memory.allocate(called, bytes);
      if (checks) checks->add_unwritten(made);
      return {made.address()};
    } catch (const InputError& error) {
      throw Error(ErrorKind::OutOfMemory, error.list().front().message);
    }
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
  std::uint64_t device_bytes = 0;  // that have been allocated
  std::set<Addr> host_buffers;     // which do not count
  std::vector<Loaded> modules;   // by LoadedModule
  std::deque<Launch> launches;   // by LaunchId; they stay where they are when a task launches more
  std::size_t first_open = 0;    // before it all have ended, or are not timed
  std::optional<stream::KernelFault> fault;
  std::unique_ptr<exec::AccessChecks> checks;  // null: none are wanted
  std::shared_ptr<stream::ForgivenMistakes> forgiven = std::make_shared<stream::ForgivenMistakes>();
  sim::Device device;  // whose kernels lie in `launches`
  exec::BlockTeam block_team{device.team()};
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
  if (bytes > available_bytes()) {
    throw Error(ErrorKind::OutOfMemory, fmt::format("{} bytes are asked for; of the GPU's {} (dram.capacity_bytes) {} are "
                                                    "left", bytes, gpu().dram.capacity_bytes, available_bytes()));
  }
  const DevicePointer made = state_->reserve(bytes, name);
  state_->device_bytes += bytes;
  return made;
}

DevicePointer Device::allocate_host(std::uint64_t bytes, const std::string& name) {
  const DevicePointer made = state_->reserve(bytes, name);
  trust(made);  // the host writes it whenever it wants
  state_->host_buffers.insert(made.address);
  return made;
}

DevicePointer Device::allocate_low(std::uint64_t bytes, const std::string& name) {
  const DevicePointer made = state_->reserve(bytes, name, true);
  trust(made);
  state_->host_buffers.insert(made.address);
  return made;
}

DevicePointer Device::adopt_host(std::span<std::byte> memory, const std::string& name) {
  const exec::Buffer* made = state_->memory.adopt(name, memory);
  if (made == nullptr)
    throw Error(ErrorKind::InvalidPointer, "some of the memory is known to the device already");
  state_->host_buffers.insert(made->address());
  return {made->address()};
}

void Device::free(DevicePointer pointer) {
  state_->settle();
  const exec::Buffer* buffer = state_->memory.buffer_at(pointer.address, 0);
  const std::uint64_t bytes = buffer == nullptr ? 0 : buffer->size();
  if (!state_->memory.release(pointer.address)) {
    throw Error(ErrorKind::InvalidPointer,
                fmt::format("no allocation begins at {:#x}, or it has been freed already", pointer.address));
  }
  trust(pointer);
  if (state_->host_buffers.erase(pointer.address) == 0) state_->device_bytes -= bytes;
}

std::uint64_t Device::available_bytes() const {
  const std::uint64_t capacity = state_->gpu.dram.capacity_bytes;
  return capacity - std::min(capacity, state_->device_bytes);
}

std::span<std::byte> Device::bytes_at(DevicePointer pointer, std::uint64_t bytes) const {
  return {state_->bytes_at(pointer, bytes), bytes};
}

void Device::note_copied_in(DevicePointer pointer, std::uint64_t bytes) {
  state_->device.copy_from_host(pointer.address, bytes);
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
  note_written(to, from.size());
  state_->device.copy_from_host(to.address, from.size());
}

void Device::copy_to_host(std::span<std::byte> to, DevicePointer from) {
  state_->settle();
  if (!to.empty()) std::memcpy(to.data(), state_->bytes_at(from, to.size()), to.size());
}

void Device::fill(DevicePointer to, std::byte value, std::uint64_t bytes) {
  state_->settle();
  if (bytes != 0) std::memset(state_->bytes_at(to, bytes), static_cast<int>(value), bytes);
  note_written(to, bytes);
}

// -- checks -----------------------------------------------------------------------------------------------

void Device::check(const CheckOptions& options) {
  state_->checks = std::make_unique<exec::AccessChecks>(exec::CheckChoice{options.initial, options.races});
}

void Device::note_written(DevicePointer pointer, std::uint64_t bytes) {
  if (state_->checks) state_->checks->note_written(pointer.address, bytes);
}

void Device::trust(DevicePointer pointer) {
  if (state_->checks) state_->checks->forget(pointer.address);
}

std::vector<stream::ForgivenMistake> Device::forgiven() const { return state_->forgiven->list(); }

std::vector<stream::MemoryFinding> Device::findings() const {
  if (!state_->checks) return {};
  return state_->checks->findings();
}

// -- modules ----------------------------------------------------------------------------------------------

LoadedModule Device::load(const Module& module, const std::map<std::string, std::span<std::byte>>& places) {
  Loaded loaded{module, {}};
  for (const ir::Variable& variable : module.variables())
    loaded.placed[variable.name] = state_->free_name(variable.name);
  std::vector<ir::Variable> renamed = module.variables();
  std::vector<const ir::Variable*> all;
  exec::HostPlaces renamed_places;
  for (ir::Variable& variable : renamed) {
    const auto place = places.find(variable.name);
    rename(variable, loaded.placed);
    all.push_back(&variable);
    if (place != places.end()) {
      renamed_places[variable.name] = place->second;
      continue;
    }
    state_->device_bytes += variable.bytes;
  }
  exec::place_variables(all, state_->memory, renamed_places);
  state_->modules.push_back(std::move(loaded));
  return static_cast<LoadedModule>(state_->modules.size() - 1);
}

ir::Kernel Device::kernel(LoadedModule module, const std::optional<std::string>& name) const {
  const Loaded& loaded = state_->loaded(module);
  constexpr unsigned kUsual = 80;
  ir::Kernel kernel =
      loaded.module.kernel(name, sim::compute_capability_number(state_->gpu.compute_capability, kUsual));
  for (ir::UsedVariable& used : kernel.variables) {
    if (!loaded.placed.contains(used.variable.name)) {
      throw InputError({kernel.file}, fmt::format("kernel {} uses the variable '{}', which is declared and defined nowhere",
                                                  kernel.name, used.variable.name));
    }
    rename(used.variable, loaded.placed);
  }
  return kernel;
}

std::optional<Symbol> Device::symbol(LoadedModule module, const std::string& name) const {
  const Loaded& loaded = state_->loaded(module);
  const auto found = std::ranges::find(loaded.module.variables(), name, &ir::Variable::name);
  if (found == loaded.module.variables().end()) return std::nullopt;
  const exec::Buffer* buffer = state_->memory.find_variable(loaded.placed.at(name));
  return Symbol{{buffer->address()}, found->bytes, found->space};
}

// -- work -------------------------------------------------------------------------------------------------

StreamId Device::create_stream(int priority) { return state_->device.add_stream(priority); }

EventId Device::record(StreamId stream) { return state_->device.record(stream); }

EventId Device::add_event() { return state_->device.add_event(); }

void Device::record(StreamId stream, EventId event) { state_->device.record(stream, event); }

void Device::wait(StreamId stream, EventId event) { state_->device.wait(stream, event); }

LaunchId Device::launch(const ir::Kernel& kernel, const LaunchConfig& config, const Arguments& arguments) {
  return launch(kernel, config, parameter_bytes(kernel, arguments));
}

LaunchId Device::launch(const ir::Kernel& kernel, const LaunchConfig& config, std::vector<std::byte> parameters) {
  state_->throw_fault();
  require_shape(kernel, config);
  if (ir::launches_kernels(kernel) && !config.may_launch) {
    throw Error(ErrorKind::Unsupported, fmt::format("kernel {} launches kernels: programs can do that, made by heddle cuda",
                                                    kernel.name));
  }
  exec::Launch asked = launch_of(kernel, config, std::move(parameters));
  asked.number = static_cast<std::uint32_t>(state_->launches.size());
  if (config.is_forgiving) asked.forgiven = state_->forgiven;
  auto live = std::make_unique<exec::LiveKernel>(live_kernel(state_->gpu, std::move(asked), state_->memory));
  require_resources(*live, state_->gpu);
  require_instructions(*live, state_->gpu);
  Launch launch;
  if (config.is_timed) {
    stream::KernelSource& run = config.layer ? config.layer->over(*live) : *live;
    launch.grid = state_->device.submit(run, config.stream, {config.max_cycles, config.by_instruction});
    launch.kernel = std::move(live);
    launch.layer = config.layer;
  } else {
    const std::shared_ptr<exec::LiveKernel> executed = std::move(live);
    submit(config.stream,
           {sim::Engine::None, 0,
            [executed, state = state_.get(), number = state_->launches.size()] {
              const exec::FunctionalCounts counts = execute(*executed, state->block_team, state->checks.get());
              state->launches[number].executed = counts.warp_instructions;
            },
            0, config.takes});
    launch.end = record(config.stream);
  }
  state_->launches.push_back(std::move(launch));
  return static_cast<LaunchId>(state_->launches.size() - 1);
}

void Device::submit(StreamId stream, sim::Task task) { state_->device.submit(stream, std::move(task)); }

// -- time -------------------------------------------------------------------------------------------------

void Device::synchronize() {
  state_->run([this] { state_->device.run(); });
}

void Device::wait(LaunchId launch) { state_->ended(launch); }

void Device::wait(EventId event) {
  state_->run([&] { state_->device.run_until(event); });
}

void Device::run_for(Cycle cycles) {
  state_->run([&] { state_->device.run_until_cycle(clock() + cycles); });
}

bool Device::is_idle(StreamId stream) const { return state_->device.is_idle(stream); }

bool Device::has_happened(EventId event) const { return state_->device.time_of(event) != kNever; }

bool Device::has_ended(LaunchId id) const {
  const Launch& launch = state_->launches.at(static_cast<std::size_t>(id));
  return launch.end ? has_happened(*launch.end) : launch.result.has_value();
}

// -- results ----------------------------------------------------------------------------------------------

const sim::RunFigures& Device::figures(LaunchId id) {
  Launch& launch = state_->timed(id);
  if (!launch.figures) launch.figures = sim::figures_of(*launch.result, state_->gpu);
  return *launch.figures;
}

const sim::RunResult& Device::result(LaunchId id) { return *state_->timed(id).result; }

std::optional<LaunchWork> Device::work_of(LaunchId id) const {
  const Launch& launch = state_->launches.at(static_cast<std::size_t>(id));
  if (launch.end) {
    if (!has_happened(*launch.end)) return std::nullopt;
    return LaunchWork{false, 0, launch.executed};
  }
  if (!launch.result && !state_->device.has_ended(*launch.grid)) return std::nullopt;
  const sim::RunResult& result = launch.result ? *launch.result : state_->device.result(*launch.grid).result;
  return LaunchWork{true, result.cycles, result.total.warp_instructions};
}

void Device::forget(LaunchId id) {
  Launch& launch = state_->ended(id);
  if (launch.result) launch.result = sim::RunResult();
  launch.figures.reset();
}

Cycle Device::begin_of(LaunchId id) { return state_->timed(id).begin; }

Cycle Device::time_of(EventId event) {
  if (state_->device.time_of(event) == kNever) wait(event);
  return state_->device.time_of(event);
}

void Device::observe(sim::Observer* observer, sim::CycleRange samples) {
  state_->device.observe(observer, samples);
}

}  // namespace heddle::session
