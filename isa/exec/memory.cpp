#include "isa/exec/memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>

#include "isa/base/diagnostic.h"

namespace heddle::exec {

namespace {

constexpr std::uint64_t kAlignment = 256;
constexpr std::uint64_t kGap = 4096;  // between buffers: an overrun of up to a page names no other buffer
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 46;

/// Zeroed address space without memory behind it until it is touched.
std::byte* reserve(const std::string& name, std::uint64_t bytes) {
  if (bytes == 0) return nullptr;
  void* data = MAP_FAILED;
  if (bytes <= kMostBytes) {
    data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  if (data == MAP_FAILED) {
    throw InputError(
        {}, fmt::format("buffer '{}' of {} bytes is more than this machine can reserve", name, bytes));
  }
  return static_cast<std::byte*>(data);
}

}  // namespace

void Buffer::Unmap::operator()(std::byte* data) const { munmap(data, bytes); }

Buffer::Buffer(std::string name, Addr address, std::uint64_t bytes)
    : name_(std::move(name)), address_(address), size_(bytes), data_(reserve(name_, bytes), Unmap{bytes}) {}

Buffer& GlobalMemory::allocate(const std::string& name, std::uint64_t bytes) {
  buffers_.push_back(std::make_unique<Buffer>(name, next_, bytes));
  next_ = round_up(next_ + bytes + kGap, kAlignment);
  return *buffers_.back();
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

Buffer* GlobalMemory::buffer_at(Addr first, std::uint64_t count) const {
  const auto after =
      std::upper_bound(buffers_.begin(), buffers_.end(), first,
                       [](Addr address, const auto& buffer) { return address < buffer->address(); });
  if (after == buffers_.begin()) return nullptr;
  Buffer* candidate = std::prev(after)->get();
  return candidate->holds(first, count) ? candidate : nullptr;
}

}  // namespace heddle::exec
