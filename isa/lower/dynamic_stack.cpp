#include "isa/lower/dynamic_stack.h"

#include <algorithm>
#include <vector>

#include "isa/lower/moved_labels.h"
#include "isa/lower/ptx_statements.h"

namespace heddle::lower {

namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

bool is_of_stack(const Instruction& instruction) {
  return instruction.opcode == Opcode::Alloca || instruction.opcode == Opcode::Stacksave ||
         instruction.opcode == Opcode::Stackrestore;
}

/// The registers and the variable of one function. Addresses in local memory have 32 bits.
class DynamicStack {
 public:
  explicit DynamicStack(ptx::Function& function)
      : top_(add_register(function, "stack top", Modifier::B32)),
        size_(add_register(function, "stack size", Modifier::B32)),
        is_full_(add_register(function, "stack is full", Modifier::Pred)) {
    ptx::Variable variable;
    variable.name = "stack of alloca";
    variable.space = ptx::StateSpace::Local;
    variable.type = Modifier::B8;
    variable.alignment = kAlignment;
    variable.is_array = true;
    variable.elements = kDynamicStackBytes;
    variable.dimensions = {kDynamicStackBytes};
    place_ = {ptx::SymbolRef::Kind::LocalVariable, static_cast<std::uint32_t>(function.variables.size())};
    function.variables.push_back(std::move(variable));
  }

  void begin(std::vector<Instruction>& body, const Statements& write) const {
    body.push_back(write.move(Modifier::B32, top(), symbol_operand(place_)));
  }

  /// d, size, alignment: the size becomes a multiple of 16, which is every alignment there is.
  void allocate(std::vector<Instruction>& body, const Instruction& alloca) const {
    const Statements write(alloca);
    const Operand size = register_operand(size_);
    const Operand& wanted = alloca.operands[1];
    body.push_back(write.move(Modifier::B32, size, wanted));
    body.push_back(write.make(Opcode::Add, {Modifier::U32}, {size, size, number_operand(kAlignment - 1)}));
    body.push_back(write.make(Opcode::And, {Modifier::B32},
                              {size, size, number_operand(~(kAlignment - 1) & 0xffffffffU)}));
    give(body, write, alloca);
    body.push_back(write.make(Opcode::Add, {Modifier::U32}, {top(), top(), size}));
    // What is left: the end less the top, and the size itself, which may have been anything.
    const Operand end = [&] {
      Operand made = symbol_operand(place_);
      made.bits = kDynamicStackBytes;
      return made;
    }();
    const Operand is_full = register_operand(is_full_);
    body.push_back(write.make(Opcode::Setp, {Modifier::Gt, Modifier::U32},
                              {is_full, size, number_operand(kDynamicStackBytes)}));
    body.push_back(write.move(Modifier::B32, size, end));
    body.push_back(write.make(Opcode::Setp, {Modifier::Gt, Modifier::Or, Modifier::U32},
                              {is_full, top(), size, is_full}));
    body.push_back(write.make(Opcode::Trap, {}, {}));
    body.back().guard = {is_full_, false};
  }

  /// The top, as a register of 32 or 64 bits.
  void give(std::vector<Instruction>& body, const Statements& write, const Instruction& like) const {
    const bool is_wide = ptx::info(like.type()).bits == 64;
    body.push_back(is_wide
                       ? write.make(Opcode::Cvt, {Modifier::U64, Modifier::U32}, {like.operands[0], top()})
                       : write.move(Modifier::B32, like.operands[0], top()));
  }

  void take(std::vector<Instruction>& body, const Statements& write, const Instruction& restore) const {
    body.push_back(write.move(Modifier::B32, top(), restore.operands[0]));
  }

 private:
  static constexpr std::uint64_t kAlignment = 16;

  [[nodiscard]] Operand top() const { return register_operand(top_); }

  std::uint32_t top_;
  std::uint32_t size_;
  std::uint32_t is_full_;
  ptx::SymbolRef place_;
};

bool is_form(const Instruction& instruction) {
  const std::size_t operands = instruction.operands.size();
  if (instruction.opcode != Opcode::Alloca) return operands == 1;
  if (operands == 2) return true;
  const bool has_number = operands == 3 && instruction.operands[2].kind == Operand::Kind::Integer;
  return has_number && instruction.operands[2].bits <= 16;
}

}  // namespace

void make_dynamic_stack(ptx::Function& function, Refusals& refusals) {
  const auto first = std::ranges::find_if(function.body, is_of_stack);
  if (first == function.body.end()) return;
  const DynamicStack stack(function);
  std::vector<Instruction> body;
  Moved starts;
  stack.begin(body, Statements(*first));
  for (const Instruction& instruction : function.body) {
    starts.push_back(static_cast<std::uint32_t>(body.size()));
    if (!is_of_stack(instruction)) {
      body.push_back(instruction);
      continue;
    }
    if (!is_form(instruction) || instruction.guard.reg != ptx::kNone) {
      refusals.add(instruction.place, std::string(instruction.mnemonic) + " of this form is not supported");
      continue;
    }
    const Statements write(instruction);
    if (instruction.opcode == Opcode::Alloca) stack.allocate(body, instruction);
    if (instruction.opcode == Opcode::Stacksave) stack.give(body, write, instruction);
    if (instruction.opcode == Opcode::Stackrestore) stack.take(body, write, instruction);
  }
  starts.push_back(static_cast<std::uint32_t>(body.size()));
  function.body = std::move(body);
  move_labels(function, starts);
}

}  // namespace heddle::lower
