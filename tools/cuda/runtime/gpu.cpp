#include "tools/cuda/runtime/gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "isa/ir/system_variables.h"
#include "sim/config/compute_capabilities.h"
#include "tools/cuda/runtime/failure.h"

namespace heddle::cudart {

namespace {

/// How ir::kHeapVariable begins.
using HeapPlace = std::array<std::uint64_t, 3>;
constexpr std::size_t kBegin = 0;
constexpr std::size_t kBytes = 1;
constexpr std::size_t kTaken = 2;

}  // namespace

session::LoadedModule Gpu::load(Image& image) {
  const auto found = modules_.find(&image);
  if (found != modules_.end()) return found->second;
  const session::Module& code = image.module(capability(), takes_machine_code_);
  image.place_managed();
  const session::LoadedModule module = device.load(code, image.shared_with_host);
  prepare_system_variables(module);
  prepare_launches(image, module);
  modules_[&image] = module;
  for (const ManagedVariable& variable : image.managed) prepare_managed(module, variable);
  for (const auto& [name, place] : image.shared_with_host) note_managed(place);
  return module;
}

void Gpu::forget(const Image& image) {
  modules_.erase(&image);
  std::erase_if(kernel_addresses_, [&](const auto& each) { return each.second.image == &image; });
}

unsigned Gpu::capability() const {
  constexpr unsigned kUsual = 80;  // of GPUs that NVIDIA never built
  return sim::compute_capability_number(spec().compute_capability, kUsual);
}

void Gpu::prepare_managed(session::LoadedModule module, const ManagedVariable& variable) {
  const auto symbol = device.symbol(module, variable.name);
  if (!symbol) return;
  *variable.pointer = reinterpret_cast<void*>(symbol->pointer.address);
}

void Gpu::note_managed(std::span<const std::byte> place) {
  const auto address = reinterpret_cast<std::uint64_t>(place.data());
  memory.add({.address = address, .bytes = place.size(), .kind = MemoryKind::Managed, .is_variable = true});
  device.trust({address});  // the host writes it whenever it wants
}

void Gpu::prepare_system_variables(session::LoadedModule module) {
  if (const auto symbol = device.symbol(module, std::string(ir::kOutputVariable)))
    output.add(device.bytes_at(symbol->pointer, symbol->bytes));
  if (const auto heap = device.symbol(module, std::string(ir::kHeapVariable))) {
    heaps_.push_back(heap->pointer);
    prepare_heap(heap->pointer, heap_bytes_);
  }
}

void Gpu::prepare_launches(Image& image, session::LoadedModule module) {
  const auto asked = device.symbol(module, std::string(ir::kLaunchesVariable));
  if (!asked) return;
  device_launches.add(device.bytes_at(asked->pointer, asked->bytes));
  for (const std::string& name : image.module(capability()).kernels()) {
    const auto address = device.symbol(module, ir::kernel_variable(name));
    if (address) kernel_addresses_[address->pointer.address] = {&image, name};
  }
}

void Gpu::prepare_heap(session::DevicePointer variable, std::uint64_t bytes) {
  HeapPlace place = {};
  if (bytes != 0) place = {device.allocate(bytes, std::string(ir::kHeapBuffer)).address, bytes};
  std::memcpy(device.bytes_at(variable, sizeof place).data(), place.data(), sizeof place);
}

void Gpu::set_heap(std::uint64_t bytes) {
  if (bytes == heap_bytes_) return;
  synchronize();
  const auto place_of = [this](session::DevicePointer variable) {
    HeapPlace place = {};
    std::memcpy(place.data(), device.bytes_at(variable, sizeof place).data(), sizeof place);
    return place;
  };
  for (const session::DevicePointer variable : heaps_) {
    if (place_of(variable)[kTaken] != 0)
      throw Failure(cudaErrorInvalidValue, "a kernel has called malloc: its heap cannot be changed any more");
  }
  for (const session::DevicePointer variable : heaps_) {
    const HeapPlace before = place_of(variable);
    prepare_heap(variable, bytes);
    if (before[kBytes] != 0) device.free({before[kBegin]});
  }
  heap_bytes_ = bytes;
}

LoadedKernel& Gpu::kernel(const void* host_function) {
  const auto found = kernels_.find(host_function);
  if (found != kernels_.end()) return found->second;
  const Registered* registered = registry_.find_function(host_function);
  if (registered == nullptr)
    throw Failure(cudaErrorInvalidDeviceFunction, fmt::format("{} is no __global__ function", host_function));
  const session::LoadedModule module = load(*registered->image);
  return kernels_[host_function] = {.kernel = device.kernel(module, registered->name),
                                    .image = registered->image,
                                    .target = registered->image->target()};
}

LoadedKernel& Gpu::kernel_at(std::uint64_t address) {
  const auto* key = reinterpret_cast<const void*>(address);
  const auto found = kernels_.find(key);
  if (found != kernels_.end()) return found->second;
  const auto named = kernel_addresses_.find(address);
  if (named == kernel_addresses_.end())
    throw Failure(cudaErrorInvalidDeviceFunction, fmt::format("no kernel has the address {:#x}", address));
  const auto& [image, name] = named->second;
  return kernels_[key] = {
             .kernel = device.kernel(load(*image), name), .image = image, .target = image->target()};
}

std::map<const void*, LoadedKernel>::const_iterator Gpu::find_loaded(const std::string& kernel) const {
  return std::ranges::find_if(kernels_, [&](const auto& each) { return each.second.kernel.name == kernel; });
}

const LoadedKernel* Gpu::find_kernel(const std::string& name) const {
  const auto found = find_loaded(name);
  return found == kernels_.end() ? nullptr : &found->second;
}

std::string Gpu::source_of(const std::string& kernel, Pc pc) {
  const auto found = find_loaded(kernel);
  if (found == kernels_.end()) return "";
  const std::vector<ir::SourcePlace>& sources = found->second.kernel.sources;
  if (pc >= sources.size() || sources[pc].line == 0) return "";
  const std::vector<std::string>& files = found->second.image->module(capability()).source_files();
  return fmt::format("{}:{}", sources[pc].file < files.size() ? files[sources[pc].file] : "line",
                     sources[pc].line);
}

std::string Gpu::source_of(const std::string& kernel) {
  const auto found = find_loaded(kernel);
  if (found == kernels_.end()) return "";
  const std::vector<ir::SourcePlace>& sources = found->second.kernel.sources;
  const auto first = std::ranges::find_if(sources, [](const ir::SourcePlace& place) { return place.line != 0; });
  return source_of(kernel, static_cast<Pc>(first - sources.begin()));
}

std::vector<std::string> Gpu::source_files(const std::string& kernel) {
  const auto found = find_loaded(kernel);
  if (found == kernels_.end()) return {};
  return found->second.image->module(capability()).source_files();
}

session::Symbol Gpu::symbol(const void* host_variable) {
  const Registered* registered = registry_.find_variable(host_variable);
  if (registered == nullptr)
    throw Failure(cudaErrorInvalidSymbol,
                  fmt::format("{} is no __device__ or __constant__ variable", host_variable));
  const auto symbol = device.symbol(load(*registered->image), registered->name);
  if (!symbol)
    throw Failure(cudaErrorInvalidSymbol,
                  fmt::format("the device code has no variable '{}'", registered->name));
  memory.add({.address = symbol->pointer.address, .bytes = symbol->bytes, .is_variable = true});
  return *symbol;
}

cudaEvent_t Gpu::create_event(unsigned flags) {
  auto event = std::make_unique<CUevent_st>(CUevent_st{flags});
  CUevent_st* handle = event.get();
  events_.emplace(handle, std::move(event));
  return handle;
}

CUevent_st& Gpu::event(cudaEvent_t handle) const {
  const auto found = events_.find(handle);
  if (found == events_.end()) throw Failure(cudaErrorInvalidResourceHandle, "there is no such event");
  return *found->second;
}

void Gpu::destroy_event(cudaEvent_t handle) {
  if (events_.erase(handle) == 0) throw Failure(cudaErrorInvalidResourceHandle, "there is no such event");
}

void Gpu::give(cudaStream_t handle, const Operation& operation) {
  const CUstream_st* stream = streams.find(handle);
  if (stream == nullptr || !stream->capture) {
    operation(*this, handle);
    return;
  }
  // Captured work is ordered as it was given: each node waits for the one before it.
  CUgraph_st& graph = *stream->capture;
  const cudaGraphNode_t before = graph.nodes.empty() ? nullptr : graph.nodes.back().get();
  graph.add(operation, &before, before == nullptr ? 0 : 1);
}

void Gpu::synchronize(cudaStream_t stream) { synchronize(device.record(streams.id_of(stream))); }

void Gpu::synchronize(session::EventId event) {
  device.wait(event);
  streams.host_has_seen(device.time_of(event));
  output.print();
}

void Gpu::synchronize() {
  device.synchronize();
  streams.host_has_seen(device.clock());
  output.print();
}

bool Gpu::has_happened(session::EventId event) {
  constexpr double kStepUs = 1;
  if (!device.has_happened(event)) device.run_for(cycles_of_us(kStepUs));
  const bool has = device.has_happened(event);
  if (has) streams.host_has_seen(device.time_of(event));
  return has;
}

bool Gpu::has_peers() const {
  return std::ranges::any_of(foreign, [](const auto& each) { return each.second == ForeignKind::Peer; });
}

Cycle Gpu::cycles_of_us(double microseconds) const {
  return static_cast<Cycle>(std::llround(microseconds * spec().clock_mhz));
}

double Gpu::milliseconds_of(Cycle cycles) const {
  constexpr double kUsPerMs = 1000;
  return static_cast<double>(cycles) / spec().clock_mhz / kUsPerMs;
}

}  // namespace heddle::cudart
