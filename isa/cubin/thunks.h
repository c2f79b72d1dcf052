// Calls through registers. The IR's CALL names where it leads, and BRX takes that from a register. So each
// register that the code calls through has a BRX of its own behind all code, a thunk, which the CALL leads
// to: one jump more than a GPU has.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "isa/ir/control_code.h"

namespace heddle::cubin {

/// "        [B------:R-:W-:-:S02] /*0000*/ MOV R1, R2 ;"
std::string instruction_line(const ir::ControlCode& control, std::uint64_t address, std::string_view text);

/// The thunks of one function.
class Thunks {
 public:
  /// They lie there, one behind the other.
  explicit Thunks(std::uint64_t address) : end_(address) {}

  /// A disassembled instruction in a form that the IR has. LEPC, which writes an address into two registers,
  /// becomes the MOV.64 of it; a call through a register leads to a thunk. Others stay as they are.
  std::string executable(const std::string& instruction, std::uint64_t address);

  /// The lines of all thunks.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::uint64_t thunk_of(std::string_view reg, std::uint64_t base);

  std::uint64_t end_;
  std::map<std::pair<std::string, std::uint64_t>, std::uint64_t> places_;
  std::string text_;
};

}  // namespace heddle::cubin
