// Labels of one function: they may be used before they are defined, and each block in braces has its own.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "isa/ptx/function.h"
#include "isa/ptx/mistakes.h"

namespace heddle::ptx {

/// What a label names.
struct LabelTarget {
  Operand::Kind kind = Operand::Kind::Label;  ///< Label, BranchTable, CallTable or Prototype
  std::uint32_t index = 0;
};

/// What the user of a label can do with it.
enum class LabelWish : std::uint8_t { Instruction, BranchTable, CallTarget };

/// Resolves labels. It holds the uses that wait for a definition, block by block.
class LabelTable {
 public:
  /// Both must outlive this object. Operands and tables of the function are completed as labels become known.
  LabelTable(Function& function, Mistakes& mistakes) : function_(function), mistakes_(mistakes) {}

  void enter() { scopes_.push_back({next_use_, defined_.size()}); }
  /// Ends a block: its uses of its labels are resolved.
  void leave();
  /// Ends the function: uses that are left are mistakes.
  void finish();

  void define(const Token& name, LabelTarget target) { defined_.push_back({name, target}); }
  /// An operand of an instruction is a label.
  void use_in_operand(const Token& name, LabelWish wish, std::uint32_t instruction, std::uint32_t operand);
  /// An entry of a branch table is one.
  void use_in_table(const Token& name, std::uint32_t table, std::uint32_t entry);

 private:
  /// An operand or a table's entry that names a label.
  struct Use {
    Token name;
    LabelWish wish;
    bool is_in_table;
    std::uint32_t index;  // the instruction or table
    std::uint32_t part;   // operand or entry
    std::uint64_t number;
  };
  /// A label and what it names.
  struct Definition {
    Token name;
    LabelTarget target;
  };
  /// A block in braces that is open: the first use and the first definition in it.
  struct Scope {
    std::uint64_t first_use;
    std::size_t first_definition;
  };

  void add(Use use);
  void resolve(const Definition& definition, std::uint64_t first_use);
  void complete(const Use& use, const LabelTarget& target);

  Function& function_;
  Mistakes& mistakes_;
  std::uint64_t next_use_ = 0;
  std::vector<Definition> defined_;
  std::vector<Scope> scopes_;
  std::unordered_map<std::string_view, std::vector<Use>> open_;
};

}  // namespace heddle::ptx
