// What kernels print, and the assertions that failed in them, read from the records in a module's variable
// (system_variables.h has their layout). Texts are CUDA's own: those of the host's printf, and of a failed
// assert().
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace heddle::ir {

/// The text at an address of the GPU's memory, up to its terminating zero; empty if nothing lies there.
using TextAt = std::function<std::string(std::uint64_t address)>;

/// The records of one variable, in the order in which threads took their places.
struct PrintedOutput {
  std::string text;        ///< What printf() has printed.
  std::string assertions;  ///< A line for each assertion that failed.
  std::uint32_t lost = 0;  ///< Calls of printf() for which there was no room left in the kOutputBytes.

  PrintedOutput& operator+=(const PrintedOutput& other);
};

/// Takes all records out of the variable that have been written. It is empty again then, for those who write
/// next.
PrintedOutput take_printed(std::span<std::byte> variable, const TextAt& text_at);

/// What printf() makes of a format and its arguments, which lie as C passes them. Arguments that are missing
/// are 0.
std::string printed(const std::string& format, std::span<const std::byte> arguments, const TextAt& text_at);

}  // namespace heddle::ir
