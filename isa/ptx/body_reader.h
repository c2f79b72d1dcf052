// Parses the body of a function.
#pragma once

#include "isa/ptx/instruction_reader.h"
#include "isa/ptx/label_table.h"
#include "isa/ptx/mistakes.h"
#include "isa/ptx/module.h"
#include "isa/ptx/names.h"
#include "isa/ptx/operand_reader.h"
#include "isa/ptx/source_lines.h"
#include "isa/ptx/token_reader.h"

namespace heddle::ptx {

/// Reads one body. Blocks within it are resolved: its instructions are one list.
class BodyReader {
 public:
  /// All must outlive this object; the function is one of the module.
  BodyReader(TokenReader& tokens, Names& names, Module& module, Function& function, Mistakes& mistakes);

  /// Reads from the opening to the closing brace. Mistakes are collected; reading goes on with the next
  /// statement.
  void read();

 private:
  void enter();
  void leave();
  void read_or_skip();
  void read_statement();
  void read_guarded();
  void read_word();
  void read_label(const Token& name);
  void read_directive();
  void read_declaration(Linkage linkage);
  void declare_registers(const Variable& like);
  void declare_variables(const Variable& like);
  void read_branch_targets(const Token& name);
  void read_call_targets(const Token& name);
  void read_prototype(const Token& name);
  void keep_pragma();

  TokenReader& tokens_;
  Names& names_;
  Module& module_;
  Function& function_;
  Mistakes& mistakes_;
  LabelTable labels_;
  SourceLines lines_;
  OperandReader operands_;
  InstructionReader instructions_;
  std::size_t depth_ = 0;  // how many blocks are open
};

}  // namespace heddle::ptx
