#include "tools/cuda/runtime/copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include "tools/cuda/runtime/array.h"
#include "tools/cuda/runtime/failure.h"
#include "tools/cuda/runtime/host_link.h"
#include "tools/cuda/runtime/process.h"

namespace heddle::cudart {

namespace {

constexpr double kBytesPerUsOfGbps = 1000;

/// The bytes from the first row's begin to the last one's end.
std::size_t extent_of(const Rows& rows, const CopyRequest& request) {
  return (request.depth - 1) * rows.slice + (request.height - 1) * rows.pitch + request.width;
}

std::byte* row(const Rows& rows, std::size_t y, std::size_t z) {
  return rows.first + z * rows.slice + y * rows.pitch;
}

template <typename Work>
void for_each_row(const CopyRequest& request, const Work& work) {
  for (std::size_t z = 0; z < request.depth; ++z) {
    for (std::size_t y = 0; y < request.height; ++y) work(y, z);
  }
}

void move_rows(const CopyRequest& request) {
  for_each_row(request, [&](std::size_t y, std::size_t z) {
    std::memmove(row(request.to, y, z), row(request.from, y, z), request.width);
  });
}

OwnedAllocation find(Gpu& gpu, const Rows& rows) { return Process::get().peers.find(gpu, rows.first); }

/// The GPU that has the memory.
Gpu& owner_of(Gpu& gpu, const Rows& rows) {
  Gpu* owner = find(gpu, rows).owner;
  return owner != nullptr ? *owner : gpu;
}

/// The rows of the destination are no longer unwritten.
void note_written(session::Device& device, const CopyRequest& request) {
  for_each_row(request, [&](std::size_t y, std::size_t z) {
    device.note_written({reinterpret_cast<std::uint64_t>(row(request.to, y, z))}, request.width);
  });
}

bool is_on_device(Gpu& gpu, const Rows& rows) {
  const Allocation* found = find(gpu, rows).allocation;
  return found != nullptr && found->is_on_device();
}

/// Whether the host may go on before the copy has been done.
bool is_pinned(Gpu& gpu, const Rows& rows) {
  const Allocation* found = find(gpu, rows).allocation;
  return found != nullptr && (found->kind == MemoryKind::Pinned || found->kind == MemoryKind::Registered);
}

/// By what the call says, or by where the pointers lead.
cudaMemcpyKind direction_of(Gpu& gpu, const CopyRequest& request) {
  if (request.kind != cudaMemcpyDefault) return request.kind;
  const bool to_device = is_on_device(gpu, request.to);
  if (is_on_device(gpu, request.from)) return to_device ? cudaMemcpyDeviceToDevice : cudaMemcpyDeviceToHost;
  return to_device ? cudaMemcpyHostToDevice : cudaMemcpyHostToHost;
}

/// That all bytes lie in memory that a device knows.
void require_device_range(Gpu& gpu, const Rows& rows, const CopyRequest& request, const char* side) {
  const std::size_t bytes = extent_of(rows, request);
  const auto address = reinterpret_cast<std::uint64_t>(rows.first);
  const Allocation* found = find(gpu, rows).allocation;
  if (found == nullptr)
    throw Failure(cudaErrorInvalidValue,
                  fmt::format("the {} {:#x} is no address of device memory", side, address));
  const std::uint64_t left = found->address + found->bytes - address;
  require(bytes <= left, fmt::format("{} bytes of the {} at {:#x}; its allocation has {} there", bytes, side,
                                     address, left));
}

bool reads_device(cudaMemcpyKind kind) {
  return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
}
bool writes_device(cudaMemcpyKind kind) {
  return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
}

std::uint64_t bytes_of(const CopyRequest& request) { return request.width * request.height * request.depth; }

double us_over_link(const Gpu& gpu, const CopyRequest& request) {
  const HostLink& link = host_link_of(gpu.spec());
  const double bytes_per_us = link.bandwidth_gbps * link.efficiency * kBytesPerUsOfGbps;
  return link.latency_us + static_cast<double>(bytes_of(request)) / bytes_per_us;
}

/// In DRAM, where each byte passes `passes` times.
double us_in_memory(const Gpu& gpu, const CopyRequest& request, unsigned passes) {
  const sim::DramSpec& dram = gpu.spec().dram;
  const double bytes_per_us = dram.bandwidth_gbps * dram.efficiency * kBytesPerUsOfGbps;
  return passes * static_cast<double>(bytes_of(request)) / bytes_per_us;
}

/// Queues the work as that of an engine, and has it in the program's summary.
void submit(Gpu& gpu, const CopyRequest& request, CopyDirection direction, double microseconds,
            std::function<void()> work) {
  constexpr sim::Engine kEngines[kDirectionCount] = {sim::Engine::ToDevice, sim::Engine::ToHost,
                                                     sim::Engine::None, sim::Engine::ToHost};
  gpu.launches.add_copy(direction, bytes_of(request), microseconds);
  gpu.device.submit(gpu.streams.enter(request.stream), {kEngines[static_cast<std::size_t>(direction)],
                                                        gpu.cycles_of_us(microseconds), std::move(work)});
}

/// Pageable memory is read before the call returns, as by CUDA's staging: the program may change it then.
void stage(CopyRequest& request) {
  auto bytes = std::make_shared<std::vector<std::byte>>(extent_of(request.from, request));
  std::memcpy(bytes->data(), request.from.first, bytes->size());
  request.from.first = bytes->data();
  request.staged = std::move(bytes);
}

void copy_to_device(Gpu& gpu, const CopyRequest& request) {
  const session::DevicePointer to{reinterpret_cast<std::uint64_t>(request.to.first)};
  if (gpu.recording) gpu.recording->add_copy(to.address, extent_of(request.to, request));
  submit(gpu, request, CopyDirection::ToDevice, us_over_link(gpu, request),
         [&device = owner_of(gpu, request.to).device, request, to] {
           move_rows(request);
           note_written(device, request);
           device.note_copied_in(to, extent_of(request.to, request));
         });
}

/// From one GPU to another it takes the link, which carries it as it carries copies to the host.
void copy_on_devices(Gpu& gpu, const CopyRequest& request) {
  constexpr unsigned kReadAndWritten = 2;
  Gpu& owner = owner_of(gpu, request.to);
  const bool is_between = &owner != &owner_of(gpu, request.from);
  const double microseconds =
      is_between ? us_over_link(gpu, request) : us_in_memory(gpu, request, kReadAndWritten);
  submit(gpu, request, is_between ? CopyDirection::BetweenDevices : CopyDirection::OnDevice, microseconds,
         [&device = owner.device, request, is_between] {
           move_rows(request);
           note_written(device, request);
           const session::DevicePointer to{reinterpret_cast<std::uint64_t>(request.to.first)};
           if (is_between) device.note_copied_in(to, extent_of(request.to, request));
         });
}

void copy_to_host(Gpu& gpu, const CopyRequest& request) {
  submit(gpu, request, CopyDirection::ToHost, us_over_link(gpu, request), [request] { move_rows(request); });
}

/// A copy for which the host waits comes after what the GPUs of both sides were given.
void wait_for_others(Gpu& gpu, const CopyRequest& request) {
  for (const Rows& side : {request.to, request.from}) {
    Gpu& owner = owner_of(gpu, side);
    if (&owner == &gpu) continue;
    settle(owner);
    owner.streams.host_has_seen(owner.device.clock());
  }
}

bool is_captured(const Gpu& gpu, cudaStream_t stream) {
  const CUstream_st* found = gpu.streams.find(stream);
  return found != nullptr && found->capture != nullptr;
}

bool is_empty(const CopyRequest& request) {
  return request.width == 0 || request.height == 0 || request.depth == 0;
}

/// The low bytes of the value, one element after the other.
void fill_row(std::byte* row, std::size_t bytes, unsigned value, unsigned element_bytes) {
  const std::size_t whole = bytes - bytes % element_bytes;
  if (whole == 0) return;
  std::memcpy(row, &value, element_bytes);
  // What is there is copied behind itself: twice as much each time.
  for (std::size_t done = element_bytes; done < whole; done *= 2)
    std::memcpy(row + done, row, std::min(done, whole - done));
}

}  // namespace

Rows rows_of(const void* first, std::size_t pitch, std::size_t height) {
  return {static_cast<std::byte*>(const_cast<void*>(first)), pitch, pitch * height};
}

CopyRequest line(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return {rows_of(to, bytes), rows_of(from, bytes), bytes, 1, 1, kind};
}

CopyRequest box(const cudaMemcpy3DParms& asked) {
  // Where an array takes part, the extent counts its texels.
  const cudaArray* array = asked.dstArray != nullptr ? asked.dstArray : asked.srcArray;
  const std::size_t texel = array == nullptr ? 1 : array->texel_bytes();
  const auto side = [](const cudaArray* own, const cudaPitchedPtr& memory, const cudaPos& at) {
    if (own != nullptr) return rows_of(own, at.x * own->texel_bytes(), at.y, at.z);
    Rows rows = rows_of(memory.ptr, memory.pitch, memory.ysize);
    rows.first += at.z * rows.slice + at.y * rows.pitch + at.x;
    return rows;
  };
  return {side(asked.dstArray, asked.dstPtr, asked.dstPos),
          side(asked.srcArray, asked.srcPtr, asked.srcPos),
          asked.extent.width * texel,
          asked.extent.height,
          asked.extent.depth,
          asked.kind};
}

CopyRequest rows_to_fill(const cudaMemsetParams& asked) {
  const std::size_t width = asked.width * asked.elementSize;
  return {rows_of(asked.dst, std::max(asked.pitch, width)), {}, width, asked.height};
}

void submit_copy(Gpu& gpu, CopyRequest request, cudaStream_t stream) {
  if (is_empty(request)) return;
  request.stream = stream;
  request.kind = direction_of(gpu, request);
  if (reads_device(request.kind)) require_device_range(gpu, request.from, request, "source");
  if (writes_device(request.kind)) require_device_range(gpu, request.to, request, "destination");
  switch (request.kind) {
    case cudaMemcpyHostToDevice:
      return copy_to_device(gpu, request);
    case cudaMemcpyDeviceToHost:
      return copy_to_host(gpu, request);
    case cudaMemcpyDeviceToDevice:
      return copy_on_devices(gpu, request);
    case cudaMemcpyHostToHost:
      gpu.device.submit(gpu.streams.enter(stream), {sim::Engine::None, 0, [request] { move_rows(request); }});
      return;
    default:
      throw Failure(cudaErrorInvalidMemcpyDirection,
                    fmt::format("{} is no kind of copy", static_cast<int>(request.kind)));
  }
}

void copy(Gpu& gpu, const CopyRequest& asked) {
  if (is_empty(asked)) return;
  require(asked.to.first != nullptr && asked.from.first != nullptr, "a null pointer");
  require(asked.width <= asked.to.pitch && asked.width <= asked.from.pitch,
          fmt::format("rows of {} bytes; they lie {} and {} bytes apart", asked.width, asked.to.pitch,
                      asked.from.pitch));
  CopyRequest request = asked;
  request.kind = direction_of(gpu, asked);
  if (!asked.is_async) wait_for_others(gpu, request);
  const bool captured = is_captured(gpu, asked.stream);
  const bool is_from_host = request.kind == cudaMemcpyHostToDevice;
  if (is_from_host && asked.is_async && !captured && !is_pinned(gpu, asked.from)) stage(request);
  gpu.give(asked.stream, [request](Gpu& on, cudaStream_t stream) { submit_copy(on, request, stream); });
  const bool host_waits = request.kind == cudaMemcpyHostToHost ||
                          (request.kind == cudaMemcpyDeviceToHost && !is_pinned(gpu, asked.to));
  if (!captured && (!asked.is_async || host_waits)) gpu.synchronize(asked.stream);
}

void submit_fill(Gpu& gpu, CopyRequest request, unsigned value, unsigned element_bytes, cudaStream_t stream) {
  if (is_empty(request)) return;
  request.stream = stream;
  require_device_range(gpu, request.to, request, "destination");
  constexpr unsigned kWritten = 1;
  submit(gpu, request, CopyDirection::OnDevice, us_in_memory(gpu, request, kWritten),
         [&device = owner_of(gpu, request.to).device, request, value, element_bytes] {
           for_each_row(request, [&](std::size_t y, std::size_t z) {
             fill_row(row(request.to, y, z), request.width, value, element_bytes);
           });
           note_written(device, request);
         });
}

void fill(Gpu& gpu, const CopyRequest& request, unsigned value, unsigned element_bytes) {
  gpu.give(request.stream, [request, value, element_bytes](Gpu& on, cudaStream_t stream) {
    submit_fill(on, request, value, element_bytes, stream);
  });
}

}  // namespace heddle::cudart
