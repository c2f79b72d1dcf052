// What kernels print, and the assertions that failed in them (isa/ir/printed_output.h), written where CUDA
// writes it, when CUDA does: as soon as the host waits for kernels.
#pragma once

#include <cstddef>
#include <span>
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

}  // namespace heddle::cudart
