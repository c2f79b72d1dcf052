// Writes the function that stands for one PTX instruction.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/lower/expansion.h"

namespace heddle::lower {

/// The names of registers are written with their '%'. Results have registers of their own, so that a result may
/// be written before the last argument is read.
class ExpansionWriter {
 public:
  /// A register of the function, and what it is in the instruction: b32, %d.
  void result(std::string_view type, std::string_view name, const ptx::Operand& operand);
  void argument(std::string_view type, std::string_view name, const ptx::Operand& operand);

  /// The address that an operand in brackets begins with, as an argument of 64 bits; in shared memory one of 32.
  /// Returns the offset behind it, nothing of an operand that is no such address.
  std::optional<std::int64_t> address(std::string_view name, const ptx::Operand& operand);
  std::optional<std::int64_t> shared_address(std::string_view name, const ptx::Operand& operand);

  /// Statements, as "add.u32 %d, %a, %b;" or ".reg .b32 %t;".
  template <typename... Values>
  void add(fmt::format_string<Values...> statement, Values&&... values) {
    body_ += fmt::format(statement, std::forward<Values>(values)...);
    body_ += '\n';
  }

  /// Ends the function.
  [[nodiscard]] Expansion finish();

 private:
  std::optional<std::int64_t> address_of(std::string_view type, std::string_view name, const ptx::Operand& operand);

  std::string returns_;
  std::string parameters_;
  std::string body_;
  Expansion expansion_;
};

/// What [object, {a, b}] has in its braces; [object, a] has one. Takes the object, the address of what a texture
/// or a surface is (isa/ir/texture_layout.h), as %object. Nothing of an operand of another form, or of a
/// reference of a texture.
std::optional<std::vector<ptx::Operand>> take_object(ExpansionWriter& writer, const ptx::Operand& operand);

/// The operand without what a video instruction says of its parts and its sign.
ptx::Operand whole(const ptx::Operand& operand);

}  // namespace heddle::lower
