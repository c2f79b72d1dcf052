// Parameters of machine code: a disassembly does not name them, so the launch file's list says what they are,
// in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/base/diagnostic.h"
#include "isa/ir/kernel.h"

namespace heddle::launch {

/// A value in the bytes that it has in memory.
struct OpenValue {
  std::vector<std::byte> bytes;
  std::uint32_t alignment = 1;  ///< In bytes, as C++ aligns a value of its type.
  ir::ParamType type = ir::ParamType::U32;
};

/// The parameters behind one another, as C++ lays arguments out.
class OpenParams {
 public:
  /// `slot`: where the machine code has it; null where that is not known.
  void add(const std::string& name, const OpenValue& value, const ir::ParamSlot* slot);

  [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }

  /// As a kernel declares them: what is no value of 32 or 64 bits is in words.
  [[nodiscard]] std::vector<ir::Param> declared(std::uint32_t base) const;

 private:
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

/// Adds a problem if the kernel reads past so many bytes of parameters. `where` is the place of the list.
void check_open_params(const ir::Kernel& kernel, std::size_t bytes, const SourceLocation& where,
                       Diagnostics& problems);

}  // namespace heddle::launch
