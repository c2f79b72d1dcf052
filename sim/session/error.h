// What a program that uses the library asks for and cannot have.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace heddle::session {

/// What is wrong with what was asked for.
enum class ErrorKind : std::uint8_t {
  InvalidPointer,        ///< A device address that no allocation holds, or holds no longer.
  OutOfMemory,           ///< The GPU's memory, or the host's, does not suffice.
  InvalidConfiguration,  ///< A grid or a block that CUDA does not allow.
  InvalidArguments,      ///< Arguments that do not fit the kernel's parameters in number, size or type.
  OutOfResources,        ///< Not even one block fits an SM.
  Unsupported,           ///< The GPU has no such instructions.
  NotTimed,              ///< A launch that was executed for its results alone has no figures.
};

/// Text that cannot be read (a GPU file, a kernel) is an InputError, with its places; what a kernel does and
/// must not do is a KernelFault.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

  [[nodiscard]] ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace heddle::session
