#include "tools/cuda/runtime/copy.h"

#include <fmt/format.h>

#include <cstring>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "tools/cuda/runtime/failure.h"
#include "tools/cuda/runtime/host_link.h"

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

bool is_on_device(const Gpu& gpu, const Rows& rows) {
  const Allocation* found = gpu.memory.find(rows.first);
  return found != nullptr && found->is_on_device();
}

/// Whether the host may go on before the copy has been done.
bool is_pinned(const Gpu& gpu, const Rows& rows) {
  const Allocation* found = gpu.memory.find(rows.first);
  return found != nullptr && (found->kind == MemoryKind::Pinned || found->kind == MemoryKind::Registered);
}

/// By what the call says, or by where the pointers lead.
cudaMemcpyKind direction_of(const Gpu& gpu, const CopyRequest& request) {
  if (request.kind != cudaMemcpyDefault) return request.kind;
  const bool to_device = is_on_device(gpu, request.to);
  if (is_on_device(gpu, request.from)) return to_device ? cudaMemcpyDeviceToDevice : cudaMemcpyDeviceToHost;
  return to_device ? cudaMemcpyHostToDevice : cudaMemcpyHostToHost;
}

/// That all bytes lie in memory that the device knows.
void require_device_range(const Gpu& gpu, const Rows& rows, const CopyRequest& request, const char* side) {
  const std::size_t bytes = extent_of(rows, request);
  const auto address = reinterpret_cast<std::uint64_t>(rows.first);
  const Allocation* found = gpu.memory.find(rows.first);
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
  constexpr sim::Engine kEngines[] = {sim::Engine::ToDevice, sim::Engine::ToHost, sim::Engine::None};
  gpu.launches.add_copy(direction, bytes_of(request), microseconds);
  gpu.device.submit(gpu.streams.enter(request.stream), {kEngines[static_cast<std::size_t>(direction)],
                                                        gpu.cycles_of_us(microseconds), std::move(work)});
}

/// Pageable memory is read before the call returns, as by CUDA's staging: the program may change it then.
std::shared_ptr<std::vector<std::byte>> staged(const CopyRequest& request) {
  auto bytes = std::make_shared<std::vector<std::byte>>(extent_of(request.from, request));
  std::memcpy(bytes->data(), request.from.first, bytes->size());
  return bytes;
}

void copy_to_device(Gpu& gpu, CopyRequest request) {
  std::shared_ptr<std::vector<std::byte>> bytes;
  if (request.is_async && !is_pinned(gpu, request.from)) {
    bytes = staged(request);
    request.from.first = bytes->data();
  }
  const std::size_t extent = extent_of(request.to, request);
  const session::DevicePointer to{reinterpret_cast<std::uint64_t>(request.to.first)};
  submit(gpu, request, CopyDirection::ToDevice, us_over_link(gpu, request),
         [&device = gpu.device, request, bytes, to, extent] {
           move_rows(request);
           device.note_copied_in(to, extent);
         });
}

void copy_on_device(Gpu& gpu, const CopyRequest& request) {
  constexpr unsigned kReadAndWritten = 2;
  submit(gpu, request, CopyDirection::OnDevice, us_in_memory(gpu, request, kReadAndWritten),
         [request] { move_rows(request); });
}

void copy_to_host(Gpu& gpu, const CopyRequest& request) {
  submit(gpu, request, CopyDirection::ToHost, us_over_link(gpu, request), [request] { move_rows(request); });
}

}  // namespace

void copy(Gpu& gpu, const CopyRequest& request) {
  if (request.width == 0 || request.height == 0 || request.depth == 0) return;
  require(request.to.first != nullptr && request.from.first != nullptr, "a null pointer");
  require(request.width <= request.to.pitch && request.width <= request.from.pitch,
          fmt::format("rows of {} bytes; they lie {} and {} bytes apart", request.width, request.to.pitch,
                      request.from.pitch));
  const cudaMemcpyKind kind = direction_of(gpu, request);
  if (reads_device(kind)) require_device_range(gpu, request.from, request, "source");
  if (writes_device(kind)) require_device_range(gpu, request.to, request, "destination");
  switch (kind) {
    case cudaMemcpyHostToDevice:
      copy_to_device(gpu, request);
      break;
    case cudaMemcpyDeviceToHost:
      copy_to_host(gpu, request);
      break;
    case cudaMemcpyDeviceToDevice:
      copy_on_device(gpu, request);
      break;
    case cudaMemcpyHostToHost:
      gpu.device.submit(gpu.streams.enter(request.stream),
                        {sim::Engine::None, 0, [request] { move_rows(request); }});
      break;
    default:
      throw Failure(cudaErrorInvalidMemcpyDirection,
                    fmt::format("{} is no kind of copy", static_cast<int>(kind)));
  }
  const bool host_waits =
      kind == cudaMemcpyHostToHost || (kind == cudaMemcpyDeviceToHost && !is_pinned(gpu, request.to));
  if (!request.is_async || host_waits) gpu.synchronize(request.stream);
}

void fill(Gpu& gpu, const CopyRequest& request, int value) {
  if (request.width == 0 || request.height == 0 || request.depth == 0) return;
  require_device_range(gpu, request.to, request, "destination");
  constexpr unsigned kWritten = 1;
  submit(gpu, request, CopyDirection::OnDevice, us_in_memory(gpu, request, kWritten), [request, value] {
    for_each_row(request, [&](std::size_t y, std::size_t z) {
      std::memset(row(request.to, y, z), value, request.width);
    });
  });
}

}  // namespace heddle::cudart
