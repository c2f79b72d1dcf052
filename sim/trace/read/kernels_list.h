// The list of kernels in the order in which they ran, and of copies to the GPU between them: Accel-Sim's
// kernelslist.g.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/base/types.h"

namespace heddle::trace {

/// A line of the list that has an effect.
struct ListEntry {
  /// What the line asks for.
  enum class Kind : std::uint8_t {
    Kernel,
    Copy,        ///< A copy from the host. The data pass through L2.
    FlushCaches  ///< Heddle's own command: caches are empty afterwards. Accel-Sim ignores it.
  };
  Kind kind = Kind::Kernel;
  std::uint32_t line = 0;
  std::string name = {};  ///< The trace's name as the list has it.
  std::string path = {};  ///< The same as a path from the current folder.
  Addr address = 0;       ///< Destination of a copy.
  std::uint64_t bytes = 0;
};

/// A parsed list.
struct KernelsList {
  std::vector<ListEntry> entries;
  /// Number of commands that were ignored, and the first of them.
  std::uint64_t passed_over = 0;
  std::uint32_t first_passed_over = 0;
  std::string passed_over_text;
};

/// Reads the lines "MemcpyHtoD,0x<address>,<bytes>", "FlushCaches", and names of traces. A name is a path
/// relative to the list's folder; the file's name must begin with "kernel" or have the ending of a trace.
/// Copies from the device, fills, NCCL's collectives and comments are ignored. Throws InputError with all
/// mistakes: missing files, lines that are none of these, and a list without a kernel.
KernelsList read_kernels_list(const std::string& path);

/// Decides by the name: kernelslist.g and similar names are lists, traces have other endings.
bool is_kernels_list(const std::string& path);

/// The text of the entry's line, with the newline.
std::string to_text(const ListEntry& entry);

}  // namespace heddle::trace
