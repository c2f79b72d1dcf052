// What a process has mapped, as /proc/self/maps tells it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::checkpoint {

/// A range of addresses that is mapped in one way.
struct Mapping {
  enum class Kind : std::uint8_t {
    Memory,
    Stack,   ///< Of the first thread: it grows downwards as it is used.
    Kernel,  ///< vDSO and its data: code of the kernel's that reads clocks.
    Fixed,   ///< vsyscall: at the same place in each process.
  };

  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  int protection = 0;  ///< PROT_READ and so on.
  Kind kind = Kind::Memory;
  bool has_file = false;  ///< It shows a file, or is shared: pages that nobody has touched are no zeros.

  [[nodiscard]] std::size_t bytes() const { return end - begin; }
  [[nodiscard]] bool overlaps(std::uintptr_t other_begin, std::uintptr_t other_end) const {
    return begin < other_end && other_begin < end;
  }
};

/// No process here has more.
inline constexpr std::size_t kMostMappings = 1 << 14;

/// Reads them in the order of addresses. Allocates nothing, so that a process that has just been forked can
/// call it. Returns how many there are; 0 if they cannot be read or do not fit.
std::size_t read_mappings(std::span<Mapping> into);

/// The same for who may allocate; empty if they cannot be read.
std::vector<Mapping> all_mappings();

}  // namespace heddle::checkpoint
