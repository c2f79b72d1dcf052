// What kernels print, and the assertions that failed in them: read from the memory of modules
// (isa/ir/system_variables.h), written where CUDA writes it, when CUDA does: as soon as the host waits for
// kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle::cudart {

/// The output of one GPU's modules.
class DeviceOutput {
 public:
  /// The variable of a module, where threads put it.
  void add(std::span<std::byte> variable) { variables_.push_back(variable); }

  /// Writes what has come since the last time: text to standard output, assertions to standard error. Returns
  /// whether there were assertions.
  bool print();

 private:
  std::vector<std::span<std::byte>> variables_;
};

/// What printf() makes of a format and its arguments, which lie as C passes them. `%s` and the format itself
/// are read where they point to.
std::string printed(const char* format, std::span<const std::byte> arguments);

}  // namespace heddle::cudart
