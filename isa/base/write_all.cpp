#include "isa/base/write_all.h"

#include <unistd.h>

#include <cerrno>

namespace heddle {

namespace {

/// Writes with write(remaining bytes), which returns how many bytes it wrote.
template <typename Write>
bool write_parts(std::string_view bytes, Write write) {
  while (!bytes.empty()) {
    const ssize_t written = write(bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

bool write_all(int descriptor, std::span<const std::byte> bytes) {
  return write_all(descriptor, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

bool write_all(int descriptor, std::string_view bytes) {
  return write_parts(
      bytes, [descriptor](std::string_view left) { return ::write(descriptor, left.data(), left.size()); });
}

bool write_all_at(int descriptor, std::uint64_t offset, std::string_view bytes) {
  const std::uint64_t end = offset + bytes.size();
  return write_parts(bytes, [=](std::string_view left) {
    return ::pwrite(descriptor, left.data(), left.size(), static_cast<off_t>(end - left.size()));
  });
}

}  // namespace heddle
