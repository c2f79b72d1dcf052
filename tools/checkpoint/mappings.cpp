#include "tools/checkpoint/mappings.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <charconv>
#include <cstring>
#include <string_view>

namespace heddle::checkpoint {

namespace {

/// "7ffd1c3e5000-7ffd1c406000 rw-p 00000000 00:00 0    [stack]". False if it is none.
bool read_line(std::string_view line, Mapping& mapping) {
  constexpr int kHexadecimal = 16;
  const char* const end = line.data() + line.size();
  const auto first = std::from_chars(line.data(), end, mapping.begin, kHexadecimal);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-') return false;
  const auto second = std::from_chars(first.ptr + 1, end, mapping.end, kHexadecimal);
  constexpr std::ptrdiff_t kModes = 5;  // " rw-p"
  if (second.ec != std::errc() || end - second.ptr < kModes) return false;
  const char* mode = second.ptr + 1;
  mapping.protection =
      (mode[0] == 'r' ? PROT_READ : 0) | (mode[1] == 'w' ? PROT_WRITE : 0) | (mode[2] == 'x' ? PROT_EXEC : 0);
  const auto is_called = [&](std::string_view name) { return line.find(name) != std::string_view::npos; };
  mapping.kind = is_called("[stack]")                        ? Mapping::Kind::Stack
                 : is_called("[vsyscall]")                   ? Mapping::Kind::Fixed
                 : is_called("[vdso]") || is_called("[vvar") ? Mapping::Kind::Kernel
                                                             : Mapping::Kind::Memory;
  mapping.has_file = mode[3] == 's' || is_called("/");
  return true;
}

}  // namespace

std::size_t read_mappings(std::span<Mapping> into) {
  const int file = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[1 << 14];
  std::size_t held = 0;
  std::size_t count = 0;
  bool is_good = true;
  while (is_good) {
    const ssize_t got = ::read(file, text + held, sizeof(text) - held);
    if (got <= 0) break;
    held += static_cast<std::size_t>(got);
    std::size_t begin = 0;
    for (const char* end;
         (end = static_cast<const char*>(std::memchr(text + begin, '\n', held - begin))) != nullptr;) {
      const auto length = static_cast<std::size_t>(end - text) - begin;
      is_good = is_good && count < into.size() && read_line({text + begin, length}, into[count]);
      if (is_good) ++count;
      begin += length + 1;
    }
    held -= begin;
    std::memmove(text, text + begin, held);
  }
  ::close(file);
  return is_good ? count : 0;
}

std::vector<Mapping> all_mappings() {
  std::vector<Mapping> mappings(kMostMappings);
  mappings.resize(read_mappings(mappings));
  return mappings;
}

}  // namespace heddle::checkpoint
