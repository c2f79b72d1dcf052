#include "isa/exec/memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>

#include "isa/base/diagnostic.h"

namespace heddle::exec {

namespace {

constexpr std::uint64_t kAlignment = 256;
constexpr std::uint64_t kGap = 4096;   // between buffers: an overrun of up to a page names no other buffer
constexpr std::uint64_t kPage = 4096;  // the host's page size in bytes
constexpr std::uint64_t kGpuPage = 2 << 20;  // of which cudaMalloc's memory is made
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 46;

[[noreturn]] void refuse_size(const std::string& name, std::uint64_t bytes) {
  throw InputError({},
                   fmt::format("buffer '{}' of {} bytes is more than this machine can reserve", name, bytes));
}

/// Zeroed address space without memory behind it until it is touched.
std::byte* reserve(const std::string& name, std::uint64_t bytes) {
  if (bytes == 0) return nullptr;
  void* data = MAP_FAILED;
  if (bytes <= kMostBytes) {
    data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  if (data == MAP_FAILED) refuse_size(name, bytes);
  return static_cast<std::byte*>(data);
}

}  // namespace

void Buffer::Unmap::operator()(std::byte* data) const {
  if (bytes != 0) munmap(data, bytes);
}

Buffer::Buffer(std::string name, Addr address, std::uint64_t bytes)
    : name_(std::move(name)),
      address_(address),
      size_(bytes),
      reach_(bytes),
      data_(reserve(name_, bytes), Unmap{bytes}) {}

Buffer::Buffer(std::string name, Addr address, std::span<std::byte> memory)
    : name_(std::move(name)),
      address_(address),
      size_(memory.size()),
      reach_(memory.size()),
      data_(memory.data(), Unmap{0}) {}

std::unique_ptr<Buffer> Buffer::at_host_address(const std::string& name, Addr address, std::uint64_t bytes) {
  void* wanted = reinterpret_cast<void*>(address);
  const std::uint64_t reach = round_up(bytes + kGap, kGpuPage);
  void* data = mmap(wanted, reach, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (data == MAP_FAILED && errno != EEXIST) refuse_size(name, bytes);
  if (data != wanted) {  // something is there; kernels before Linux 4.17 take another place
    if (data != MAP_FAILED) munmap(data, reach);
    return nullptr;
  }
  auto buffer = std::make_unique<Buffer>(name, address, std::span(static_cast<std::byte*>(data), bytes));
  buffer->reach_ = reach;
  buffer->data_.get_deleter().bytes = reach;
  return buffer;
}

std::unique_ptr<Buffer> GlobalMemory::make(const std::string& name, std::uint64_t bytes) {
  if (host_ == HostAddresses::Any || bytes == 0) return std::make_unique<Buffer>(name, next_, bytes);
  if (bytes > kMostBytes) refuse_size(name, bytes);
  constexpr Addr kStep = Addr{1} << 30;
  for (int tries = 0; tries < 1024; ++tries, next_ = round_up(next_ + kStep, kStep)) {
    next_ = round_up(next_, kPage);
    if (auto made = Buffer::at_host_address(name, next_, bytes)) return made;
  }
  refuse_size(name, bytes);
}

Buffer& GlobalMemory::allocate(const std::string& name, std::uint64_t bytes) {
  std::unique_ptr<Buffer> made = make(name, bytes);
  next_ = round_up(next_ + std::max(made->reach(), bytes + kGap), kAlignment);
  return add(std::move(made));
}

Buffer& GlobalMemory::add(std::unique_ptr<Buffer> made) {
  const auto place =
      std::upper_bound(buffers_.begin(), buffers_.end(), made->address(),
                       [](Addr address, const auto& buffer) { return address < buffer->address(); });
  return **buffers_.insert(place, std::move(made));
}

Buffer& GlobalMemory::allocate_low(const std::string& name, std::uint64_t bytes) {
  const std::uint64_t step = round_up(bytes + kGap, kGpuPage);
  for (; bytes < kLowEnd && next_low_ + step <= kLowEnd; next_low_ += step) {
    std::unique_ptr<Buffer> made = host_ == HostAddresses::Any ? std::make_unique<Buffer>(name, next_low_, bytes)
                                                               : Buffer::at_host_address(name, next_low_, bytes);
    if (!made) continue;  // something of the host's is there
    next_low_ += step;
    return add(std::move(made));
  }
  throw InputError({}, fmt::format("buffer '{}' of {} bytes has no place below 2^32", name, bytes));
}

Buffer* GlobalMemory::adopt(const std::string& name, std::span<std::byte> memory) {
  const auto address = reinterpret_cast<Addr>(memory.data());
  const auto place = std::upper_bound(buffers_.begin(), buffers_.end(), address,
                                      [](Addr at, const auto& buffer) { return at < buffer->address(); });
  const bool overlaps_next = place != buffers_.end() && (*place)->address() - address < memory.size();
  const bool overlaps_last = place != buffers_.begin() && (*std::prev(place))->holds(address, 1);
  if (overlaps_next || overlaps_last) return nullptr;
  // It may lie where host memory was that has been given back.
  std::erase_if(freed_, [&](const Freed& freed) {
    return freed.buffer->address() < address + memory.size() &&
           address < freed.buffer->address() + freed.bytes;
  });
  return buffers_.insert(place, std::make_unique<Buffer>(name, address, memory))->get();
}

Buffer& GlobalMemory::allocate_variable(const std::string& name, std::uint64_t bytes) {
  Buffer& buffer = allocate(name, bytes);
  variables_.insert_or_assign(name, &buffer);
  return buffer;
}

Buffer* GlobalMemory::adopt_variable(const std::string& name, std::span<std::byte> memory) {
  Buffer* buffer = adopt(name, memory);
  if (buffer != nullptr) variables_.insert_or_assign(name, buffer);
  return buffer;
}

Buffer* GlobalMemory::find_variable(std::string_view name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? nullptr : found->second;
}

bool GlobalMemory::release(Addr address) {
  const auto found = std::find_if(buffers_.begin(), buffers_.end(),
                                  [address](const auto& buffer) { return buffer->address() == address; });
  if (found == buffers_.end()) return false;
  const std::uint64_t bytes = (*found)->size();
  (*found)->release();
  const auto place = std::upper_bound(freed_.begin(), freed_.end(), address, [](Addr at, const Freed& freed) {
    return at < freed.buffer->address();
  });
  freed_.insert(place, {std::move(*found), bytes});
  buffers_.erase(found);
  return true;
}

const GlobalMemory::Freed* GlobalMemory::freed_at(Addr address) const {
  const auto after = std::upper_bound(freed_.begin(), freed_.end(), address, [](Addr at, const Freed& freed) {
    return at < freed.buffer->address();
  });
  if (after == freed_.begin()) return nullptr;
  const Freed& candidate = *std::prev(after);
  return address - candidate.buffer->address() < candidate.bytes ? &candidate : nullptr;
}

Buffer* GlobalMemory::find(std::string_view name) const {
  for (const auto& buffer : buffers_) {
    if (buffer->name() == name) return buffer.get();
  }
  return nullptr;
}

Buffer* GlobalMemory::buffer_before(Addr address) const {
  const auto after = std::upper_bound(buffers_.begin(), buffers_.end(), address,
                                      [](Addr at, const auto& buffer) { return at < buffer->address(); });
  return after == buffers_.begin() ? nullptr : std::prev(after)->get();
}

Buffer* GlobalMemory::buffer_at_or_after(Addr address) const {
  const auto found = std::lower_bound(buffers_.begin(), buffers_.end(), address,
                                      [](const auto& buffer, Addr at) { return buffer->address() < at; });
  return found == buffers_.end() ? nullptr : found->get();
}

Buffer* GlobalMemory::buffer_at(Addr first, std::uint64_t count) const {
  Buffer* candidate = buffer_before(first);
  return candidate != nullptr && candidate->holds(first, count) ? candidate : nullptr;
}

Buffer* GlobalMemory::buffer_reaching(Addr first, std::uint64_t count) const {
  Buffer* candidate = buffer_before(first);
  return candidate != nullptr && candidate->reaches(first, count) ? candidate : nullptr;
}

}  // namespace heddle::exec
