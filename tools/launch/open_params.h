// Parameters of disassembled kernels. A disassembly does not name them, so the launch file lists them in
// order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/base/diagnostic.h"
#include "isa/ir/kernel.h"

namespace heddle::launch {

/// A value as bytes in memory.
struct OpenValue {
  std::vector<std::byte> bytes;
  std::uint32_t alignment = 1;  ///< In bytes, as for a C++ value of this type.
  ir::ParamType type = ir::ParamType::U32;
};

/// The parameters in memory, with the layout of C++ arguments.
class OpenParams {
 public:
  /// `slot` is the position in the machine code; null if that is unknown.
  void add(const std::string& name, const OpenValue& value, const ir::ParamSlot* slot);

  [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }

  /// The parameters as a kernel declares them. A value without 32 or 64 bits is declared as words.
  [[nodiscard]] std::vector<ir::Param> declared(std::uint32_t base) const;

 private:
  /// A parameter and its offset in bytes.
  struct Named {
    std::string name;
    ir::ParamType type;
    std::uint32_t offset;
  };

  void declare_words(std::vector<ir::Param>& params, std::uint32_t base, std::uint32_t from,
                     std::uint32_t to) const;

  std::vector<std::byte> bytes_;
  std::vector<Named> named_;
};

/// Adds a problem if the kernel reads past this many bytes of parameters. `where` is the position of the
/// list.
void check_open_params(const ir::Kernel& kernel, std::size_t bytes, const SourceLocation& where,
                       Diagnostics& problems);

}  // namespace heddle::launch
