// Parses instructions: name, modifiers, operands.
#pragma once

#include <string_view>
#include <vector>

#include "isa/ptx/function.h"
#include "isa/ptx/label_table.h"
#include "isa/ptx/operand_reader.h"
#include "isa/ptx/token_reader.h"

namespace heddle::ptx {

/// Reads the instructions of one function.
class InstructionReader {
 public:
  /// All must outlive this object.
  InstructionReader(TokenReader& tokens, OperandReader& operands, LabelTable& labels, Function& function)
      : tokens_(tokens), operands_(operands), labels_(labels), function_(function) {}

  /// Reads an instruction with its semicolon and appends it to the function's body. Its first word has been
  /// taken. Throws Mistake; then the body is as it was.
  void read(const Token& first, const Guard& guard, std::uint32_t source);

 private:
  /// An operand that is a label, to be resolved when the label is defined.
  struct LabelOperand {
    Token name;
    LabelWish wish;
    std::uint32_t operand;
  };

  Instruction read_mnemonic(const Token& first);
  void add_modifier(Instruction& instruction, std::string_view word, const Token& first);
  void read_operands(Opcode opcode);
  void read_known_operands(Opcode opcode);
  void read_call();
  void read_label(LabelWish wish);
  void append(Instruction instruction);

  TokenReader& tokens_;
  OperandReader& operands_;
  LabelTable& labels_;
  Function& function_;
  // The instruction that is being read: its words, its operands, and those that are labels.
  std::vector<std::string_view> words_;
  std::vector<Operand> list_;
  std::vector<LabelOperand> label_operands_;
};

}  // namespace heddle::ptx
