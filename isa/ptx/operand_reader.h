// Parses the operands of instructions.
#pragma once

#include <vector>

#include "isa/ptx/function.h"
#include "isa/ptx/names.h"
#include "isa/ptx/operand.h"
#include "isa/ptx/token_reader.h"

namespace heddle::ptx {

/// Reads operands of one function. All methods throw Mistake.
class OperandReader {
 public:
  /// All must outlive this object. `variables` are those of the module.
  OperandReader(TokenReader& tokens, Names& names, const std::vector<Variable>& variables, Function& function)
      : tokens_(tokens), names_(names), variables_(variables), function_(function) {}

  /// Any operand but a label.
  Operand read();
  /// What a call calls, or one of its arguments: a name or a number.
  Operand read_scalar();
  /// The list in parentheses of a call; its opening one comes next.
  Operand read_list();
  /// The register behind @ and @!.
  std::uint32_t read_predicate();

 private:
  Operand read_primary();
  Operand read_inner();
  Operand read_address();
  Operand read_vector();
  Operand read_inverted();
  Operand read_minus();
  Operand read_name();
  Operand read_register(const Token& name, std::uint32_t reg);
  Operand read_symbol(const Token& name, SymbolRef symbol);
  void read_index(Operand& operand);
  void read_base(Operand& address);
  bool read_offset(Operand& operand);
  void read_part(Operand& operand);
  [[nodiscard]] const Variable* variable(SymbolRef symbol) const;

  TokenReader& tokens_;
  Names& names_;
  const std::vector<Variable>& variables_;
  Function& function_;
};

}  // namespace heddle::ptx
