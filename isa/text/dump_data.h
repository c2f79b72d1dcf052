// What the sections of a disassembled object file say of functions beside their code, as nvdisasm prints
// them: bytes, words, and names that the linker fills in.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "isa/ir/kernel.h"
#include "isa/text/statement_reader.h"

namespace heddle::text {

class DumpData {
 public:
  struct Function {
    std::vector<ir::ParamSlot> params;  ///< In their order (EIATTR_KPARAM_INFO).
    std::uint32_t registers = 0;        ///< EIATTR_REGCOUNT or SHI_REGISTERS; 0 where it is not said.
    std::uint32_t frame_bytes = 0;      ///< EIATTR_FRAME_SIZE: of the stack.
    std::uint32_t shared_bytes = 0;     ///< Of .nv.shared.
    std::vector<std::uint32_t> tables;  ///< Of .nv.constant2.
  };

  /// A section begins; what is read from now on belongs to it.
  void begin(std::string_view section);

  /// Takes a line of the section off.
  void read(StatementReader& reader);

  /// Ends the section that has been begun, if any.
  void end();

  /// Whether lines belong to a section now that is no function's code.
  [[nodiscard]] bool is_open() const { return !section_.empty(); }

  /// All that is known of the function so far.
  [[nodiscard]] Function function(std::string_view name) const;

  /// What a section says in its own line: .sectioninfo @"SHI_REGISTERS=12".
  void note(std::string_view function, std::string_view line);

  /// The words of constant bank 3, which all functions of the file share.
  [[nodiscard]] const std::vector<std::uint32_t>& constants() const { return constants_; }

 private:
  /// `.word 0x1, 0x2`: values of so many bytes each.
  struct Item {
    unsigned bytes = 0;
    std::vector<std::uint64_t> values;
    std::string name;  ///< Of index@(NAME).
  };

  void take_attributes();
  void take_param(std::size_t place);
  void take_count(std::size_t place, std::uint32_t Function::*count);
  [[nodiscard]] std::vector<std::uint32_t> words() const;

  std::string section_;
  std::vector<Item> items_;
  std::uint64_t zeros_ = 0;
  std::map<std::string, Function, std::less<>> functions_;
  std::map<std::string, std::map<std::uint64_t, ir::ParamSlot>, std::less<>> params_;  // by place
  std::vector<std::uint32_t> constants_;
};

}  // namespace heddle::text
