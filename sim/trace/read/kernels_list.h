// Which kernels ran, in their order, and what was copied to the GPU before: Accel-Sim's kernelslist.g.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/base/types.h"

namespace heddle::trace {

/// A line of the list that means something.
struct ListEntry {
  enum class Kind : std::uint8_t {
    Kernel,
    Copy,        ///< From the host: the data pass through L2.
    FlushCaches  ///< Heddle's own: what follows finds them empty. Accel-Sim passes over it.
  };
  Kind kind = Kind::Kernel;
  std::uint32_t line = 0;
  std::string name = {};  ///< Of the trace, as the list has it.
  std::string path = {};  ///< The same, from where the program runs.
  Addr address = 0;       ///< Of the copy.
  std::uint64_t bytes = 0;
};

struct KernelsList {
  std::vector<ListEntry> entries;
  /// Commands that are passed over: how many, and the first of them.
  std::uint64_t passed_over = 0;
  std::uint32_t first_passed_over = 0;
  std::string passed_over_text;
};

/// "MemcpyHtoD,0x<address>,<bytes>", "FlushCaches", and names of traces: paths, seen from the list's folder, to files
/// whose names begin with "kernel" or end as those of traces do. Copies from the device, fills and NCCL's
/// collectives are passed over, and comments. Throws InputError with all mistakes, as names of files that are not
/// there and lines that are none of these, and for a list without a kernel.
KernelsList read_kernels_list(const std::string& path);

/// By its name: kernelslist.g and the like, against traces, which end otherwise.
bool is_kernels_list(const std::string& path);

/// The entry's line, with its end.
std::string to_text(const ListEntry& entry);

}  // namespace heddle::trace
