// Data about functions from the sections of a disassembled object file, as nvdisasm prints them: bytes,
// words, and names that the linker resolves.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "isa/ir/kernel.h"
#include "isa/text/statement_reader.h"

namespace heddle::text {

/// Collects the data of all functions of a file.
class DumpData {
 public:
  /// What is known about a function apart from its code.
  struct Function {
    std::vector<ir::ParamSlot> params;  ///< In order (EIATTR_KPARAM_INFO).
    std::uint32_t registers = 0;        ///< EIATTR_REGCOUNT or SHI_REGISTERS; 0 if unknown.
    std::uint32_t frame_bytes = 0;      ///< Stack bytes per thread: EIATTR_FRAME_SIZE.
    std::uint32_t shared_bytes = 0;     ///< Bytes of .nv.shared.
    std::vector<std::uint32_t> tables;  ///< Words of .nv.constant2.
  };

  /// Starts a section. The following lines belong to it.
  void begin(std::string_view section);

  /// Reads a line of the section.
  void read(StatementReader& reader);

  /// Ends the current section, if there is one.
  void end();

  /// Whether lines now belong to a section that is not code.
  [[nodiscard]] bool is_open() const { return !section_.empty(); }

  /// All that is known about the function so far.
  [[nodiscard]] Function function(std::string_view name) const;

  /// Reads what is in the line of a section itself: .sectioninfo @"SHI_REGISTERS=12".
  void note(std::string_view function, std::string_view line);

  /// The words of constant bank 3. All functions of the file share them.
  [[nodiscard]] const std::vector<std::uint32_t>& constants() const { return constants_; }

 private:
  /// `.word 0x1, 0x2`: values with this many bytes each.
  struct Item {
    unsigned bytes = 0;
    std::vector<std::uint64_t> values;
    std::string name;  ///< The NAME in index@(NAME).
  };

  void take_attributes();
  void take_param(std::size_t place);
  void take_count(std::size_t place, std::uint32_t Function::*count);
  [[nodiscard]] std::vector<std::uint32_t> words() const;

  std::string section_;
  std::vector<Item> items_;
  std::uint64_t zeros_ = 0;
  std::map<std::string, Function, std::less<>> functions_;
  std::map<std::string, std::map<std::uint64_t, ir::ParamSlot>, std::less<>> params_;  // by position
  std::vector<std::uint32_t> constants_;
};

}  // namespace heddle::text
