// The functions that give and take memory: of the device, managed, pinned, pitched.
#include <fmt/format.h>

#include <cstring>

#include "isa/base/types.h"
#include "tools/cuda/runtime/call.h"
#include "tools/cuda/runtime/failure.h"

using heddle::cudart::Allocation;
using heddle::cudart::Failure;
using heddle::cudart::Gpu;
using heddle::cudart::gpu_call;
using heddle::cudart::MemoryKind;
using heddle::cudart::owner_call;
using heddle::cudart::Process;
using heddle::cudart::require;

namespace {

constexpr std::size_t kPitchUnit = 512;  // as cudaMallocPitch's on all GPUs since Kepler

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

void* pointer_of(heddle::session::DevicePointer pointer) { return reinterpret_cast<void*>(pointer.address); }

/// The call that the program made, as messages name what it has allocated.
const char* name_of(MemoryKind kind) {
  if (heddle::cudart::HostThread::current().driver_function != nullptr) {
    if (kind == MemoryKind::Pinned) return "cuMemAllocHost";
    return kind == MemoryKind::Managed ? "cuMemAllocManaged" : "cuMemAlloc";
  }
  if (kind == MemoryKind::Pinned) return "cudaMallocHost";
  return kind == MemoryKind::Managed ? "cudaMallocManaged" : "cudaMalloc";
}

/// Zero bytes are a null pointer, as with CUDA.
void* allocate(Gpu& gpu, std::size_t bytes, MemoryKind kind, unsigned flags = 0) {
  if (bytes == 0) return nullptr;
  const bool is_host = kind == MemoryKind::Pinned;
  const std::string call = fmt::format("{} {}", name_of(kind), ++gpu.allocations);
  const auto made = is_host ? gpu.device.allocate_host(bytes, call) : gpu.device.allocate(bytes, call);
  if (kind == MemoryKind::Managed) gpu.device.trust(made);  // the host writes it whenever it wants
  gpu.memory.add({made.address, bytes, kind, flags, call});
  return pointer_of(made);
}

void* new_memory(Gpu& gpu, void** pointer, std::size_t bytes, MemoryKind kind, unsigned flags = 0) {
  require(pointer != nullptr, "there is no place for the pointer");
  return *pointer = allocate(gpu, bytes, kind, flags);
}

/// Frees what begins there, if its kind is one of these.
void release(Gpu& gpu, void* pointer, MemoryKind kind, MemoryKind other) {
  if (pointer == nullptr || gpu.graph_memory.addresses.contains(address_of(pointer))) return;
  const Allocation* found = gpu.memory.find_begin(pointer);
  if (found == nullptr || (found->kind != kind && found->kind != other))
    throw Failure(cudaErrorInvalidValue,
                  fmt::format("no such allocation begins at {}, or it was freed before", pointer));
  Process::get().peers.withdraw(gpu, address_of(pointer));
  gpu.device.free({address_of(pointer)});
  gpu.memory.remove(address_of(pointer));
  gpu.pools.note_free(address_of(pointer));
}

/// It stays when the program frees it, since the graph may be launched again.
void allocate_for_graph(Gpu& gpu, void** pointer, std::size_t bytes) {
  if (new_memory(gpu, pointer, bytes, MemoryKind::Device) == nullptr) return;
  gpu.memory.add({address_of(*pointer), bytes, MemoryKind::Device});  // nobody need free it
  gpu.graph_memory.addresses.insert(address_of(*pointer));
  gpu.graph_memory.used += bytes;
}

void allocate_from(Gpu& gpu, void** pointer, std::size_t bytes, cudaMemPool_t pool) {
  [[maybe_unused]] const auto& known = gpu.pools.find(pool);
  if (void* made = new_memory(gpu, pointer, bytes, MemoryKind::Device); made != nullptr)
    gpu.pools.note_allocation(pool, address_of(made), bytes);
}

cudaError_t allocated(const char* function, void** pointer, std::size_t bytes, MemoryKind kind,
                      unsigned flags = 0) {
  return gpu_call(function, [&](Gpu& gpu) { new_memory(gpu, pointer, bytes, kind, flags); });
}

/// So many rows, each a pitch apart, of which none is beyond all numbers.
struct PitchedSize {
  std::size_t pitch = 0;
  std::size_t bytes = 0;
};

PitchedSize pitched_size(std::size_t width, std::size_t height, std::size_t depth) {
  PitchedSize size;
  const bool is_too_wide = width > ~std::size_t{0} - kPitchUnit;
  if (!is_too_wide) size.pitch = heddle::round_up(width, kPitchUnit);
  if (is_too_wide || __builtin_mul_overflow(size.pitch, height, &size.bytes) ||
      __builtin_mul_overflow(size.bytes, depth, &size.bytes)) {
    throw Failure(cudaErrorMemoryAllocation,
                  fmt::format("{} x {} x {} bytes are more than any number says", width, height, depth));
  }
  return size;
}

cudaMemoryType type_of(MemoryKind kind) {
  if (kind == MemoryKind::Device) return cudaMemoryTypeDevice;
  return kind == MemoryKind::Managed ? cudaMemoryTypeManaged : cudaMemoryTypeHost;
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t size) {
  return allocated("cudaMalloc", pointer, size, MemoryKind::Device);
}

cudaError_t cudaMallocManaged(void** pointer, size_t size, unsigned int flags) {
  return allocated("cudaMallocManaged", pointer, size, MemoryKind::Managed, flags);
}

cudaError_t cudaMallocHost(void** pointer, size_t size) {
  return allocated("cudaMallocHost", pointer, size, MemoryKind::Pinned);
}

cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned int flags) {
  return allocated("cudaHostAlloc", pointer, size, MemoryKind::Pinned, flags);
}

cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t stream) {
  return owner_call("cudaMallocAsync", stream, [&](Gpu& gpu) {
    const CUstream_st* found = gpu.streams.find(stream);
    if (found != nullptr && found->capture) {
      allocate_for_graph(gpu, pointer, size);
    } else {
      allocate_from(gpu, pointer, size, gpu.pools.current());
    }
  });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t size, cudaMemPool_t pool, cudaStream_t) {
  return owner_call("cudaMallocFromPoolAsync", pool,
                    [&](Gpu& gpu) { allocate_from(gpu, pointer, size, pool); });
}

// A graph's memory is there from the moment on in which its node is added, since its address is known then.
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, cudaMemAllocNodeParams* asked) {
  return gpu_call("cudaGraphAddMemAllocNode", [&](Gpu& gpu) {
    require(node != nullptr && graph != nullptr && asked != nullptr,
            "there is no graph, or no place for the node");
    allocate_for_graph(gpu, &asked->dptr, asked->bytesize);
    *node = graph->add({}, after, count);
  });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                    size_t count, void* pointer) {
  return gpu_call("cudaGraphAddMemFreeNode", [&](Gpu& gpu) {
    require(node != nullptr && graph != nullptr, "there is no graph, or no place for the node");
    require(gpu.graph_memory.addresses.contains(address_of(pointer)),
            fmt::format("{} is no memory that a graph has taken", pointer));
    *node = graph->add({}, after, count);
  });
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType, void* value) {
  return heddle::cudart::call("cudaDeviceGetGraphMemAttribute", [&](Process& process) {
    require(value != nullptr, "there is no place for the value");
    std::memcpy(value, &process.gpu(device).graph_memory.used, sizeof(std::uint64_t));
  });
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType, void*) {
  return cudaDeviceGraphMemTrim(device);
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return heddle::cudart::call("cudaDeviceGraphMemTrim", [&](Process& process) { process.gpu(device); });
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return gpu_call("cudaMallocPitch", [&](Gpu& gpu) {
    require(pitch != nullptr, "there is no place for the pitch");
    const PitchedSize size = pitched_size(width, height, 1);
    *pitch = size.pitch;
    new_memory(gpu, pointer, size.bytes, MemoryKind::Device);
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  return gpu_call("cudaMalloc3D", [&](Gpu& gpu) {
    require(pointer != nullptr, "there is no place for the pointer");
    const PitchedSize size = pitched_size(extent.width, extent.height, extent.depth);
    void* made = allocate(gpu, size.bytes, MemoryKind::Device);
    *pointer = {made, size.pitch, extent.width, extent.height};
  });
}

cudaError_t cudaFree(void* pointer) {
  return owner_call("cudaFree", pointer,
                    [&](Gpu& gpu) { release(gpu, pointer, MemoryKind::Device, MemoryKind::Managed); });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) {
  return owner_call("cudaFreeAsync", pointer,
                    [&](Gpu& gpu) { release(gpu, pointer, MemoryKind::Device, MemoryKind::Managed); });
}

cudaError_t cudaFreeHost(void* pointer) {
  return owner_call("cudaFreeHost", pointer,
                    [&](Gpu& gpu) { release(gpu, pointer, MemoryKind::Pinned, MemoryKind::Pinned); });
}

cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned int flags) {
  return gpu_call("cudaHostRegister", [&](Gpu& gpu) {
    require(pointer != nullptr && size != 0, "no memory is named");
    if (Process::get().peers.find(gpu, pointer).owner != nullptr)
      throw Failure(cudaErrorHostMemoryAlreadyRegistered,
                    fmt::format("the memory at {} is known already", pointer));
    gpu.device.adopt_host({static_cast<std::byte*>(pointer), size});
    gpu.memory.add({address_of(pointer), size, MemoryKind::Registered, flags});
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return owner_call("cudaHostUnregister", pointer, [&](Gpu& gpu) {
    const Allocation* found = gpu.memory.find_begin(pointer);
    if (found == nullptr || found->kind != MemoryKind::Registered)
      throw Failure(cudaErrorHostMemoryNotRegistered,
                    fmt::format("no registered memory begins at {}", pointer));
    Process::get().peers.withdraw(gpu, address_of(pointer));
    gpu.device.free({address_of(pointer)});
    gpu.memory.remove(address_of(pointer));
  });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int) {
  return owner_call("cudaHostGetDevicePointer", host, [&](Gpu& gpu) {
    require(device != nullptr && gpu.memory.find(host) != nullptr,
            fmt::format("{} is no pinned memory", host));
    *device = host;
  });
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
  return owner_call("cudaHostGetFlags", host, [&](Gpu& gpu) {
    const Allocation* found = gpu.memory.find(host);
    require(flags != nullptr && found != nullptr, fmt::format("{} is no pinned memory", host));
    *flags = found->flags;
  });
}

cudaError_t cudaMemGetInfo(size_t* available, size_t* total) {
  return gpu_call("cudaMemGetInfo", [&](Gpu& gpu) {
    require(available != nullptr && total != nullptr, "there is no place for the sizes");
    *available = gpu.device.available_bytes();
    *total = gpu.spec().dram.capacity_bytes;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return owner_call("cudaPointerGetAttributes", pointer, [&](Gpu& gpu) {
    require(attributes != nullptr, "there is no place for the attributes");
    const Allocation* found = gpu.memory.find(pointer);
    void* same = const_cast<void*>(pointer);
    const bool is_device = found != nullptr && found->kind == MemoryKind::Device;
    *attributes = {found != nullptr ? type_of(found->kind) : cudaMemoryTypeUnregistered,
                   found != nullptr ? gpu.index : heddle::cudart::HostThread::current().gpu,
                   found != nullptr ? same : nullptr, is_device ? nullptr : same};
  });
}

// Managed memory is where it is used: advice changes nothing, and takes no time.
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t, int, cudaStream_t) {
  return owner_call("cudaMemPrefetchAsync", pointer, [&](Gpu& gpu) {
    require(gpu.memory.find(pointer) != nullptr, fmt::format("{} is no managed memory", pointer));
  });
}

cudaError_t cudaMemAdvise(const void* pointer, size_t, cudaMemoryAdvise, int) {
  return owner_call("cudaMemAdvise", pointer, [&](Gpu& gpu) {
    require(gpu.memory.find(pointer) != nullptr, fmt::format("{} is no managed memory", pointer));
  });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, size_t, unsigned int) { return cudaSuccess; }
}
