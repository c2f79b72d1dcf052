#include "isa/lower/call_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "isa/base/types.h"
#include "isa/lower/linked_functions.h"
#include "isa/lower/pass_arguments.h"
#include "isa/lower/ptx_flow.h"
#include "isa/lower/ptx_statements.h"
#include "isa/lower/rewrite_body.h"

namespace heddle::lower {

namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::SymbolRef;
using Kind = Operand::Kind;

std::uint32_t aligned(std::uint32_t offset, std::uint64_t alignment) {
  return static_cast<std::uint32_t>(round_up(offset, std::max<std::uint64_t>(alignment, 1)));
}

/// One recursive function's frame: offsets from the stack pointer.
class Frame {
 public:
  std::uint32_t place(std::uint64_t bytes, std::uint64_t alignment) {
    const std::uint32_t offset = aligned(bytes_, alignment);
    bytes_ = offset + static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, kStackBytes));
    return offset;
  }
  /// With the room that the function called next keeps barriers in.
  [[nodiscard]] std::uint32_t bytes() const { return aligned(bytes_, 16) + kBarrierBytes; }

 private:
  std::uint32_t bytes_ = 0;
};

class FunctionFrame {
 public:
  FunctionFrame(ptx::Function& function, const LinkedFunctions& functions, std::uint32_t number,
                std::uint32_t stack, std::uint32_t limit, Refusals& refusals)
      : function_(function),
        functions_(functions),
        number_(number),
        stack_(stack),
        limit_(limit),
        refusals_(refusals),
        liveness_(function, functions.parts()[number].begin, functions.parts()[number].end) {}

  void rewrite(BodyRewrite& body) {
    const LinkedFunctions::Part& own = functions_.parts()[number_];
    for (std::uint32_t at = own.begin; at < own.end; ++at) {
      if (function_.body[at].opcode == Opcode::Call) place_saves(at);
      for (Operand& operand : function_.body[at].operands) move_into_frame(body, at, operand);
    }
    check_room(body, own.begin);
    for (std::uint32_t at = own.begin; at < own.end; ++at) {
      if (function_.body[at].opcode == Opcode::Call) surround_call(body, at);
    }
  }

 private:
  [[nodiscard]] const ptx::Register& info_of(std::uint32_t reg) const { return function_.registers[reg]; }

  /// What the call must not change: what is read behind it and is the function's own.
  [[nodiscard]] std::vector<std::uint32_t> kept_over(std::uint32_t call) const {
    if (!functions_.are_recursive(functions_.callee(function_.body[call]), number_)) return {};
    std::vector<std::uint32_t> kept = liveness_.behind(call);
    std::erase_if(kept, [&](std::uint32_t reg) { return reg == stack_ || is_passed(info_of(reg).name); });
    return kept;
  }

  void place_saves(std::uint32_t call) {
    for (const std::uint32_t reg : kept_over(call)) {
      if (saves_.contains(reg)) continue;
      const unsigned bits = ptx::info(info_of(reg).type).bits;
      if (info_of(reg).vector_width > 1 || bits > 64) {
        refusals_.add(function_.body[call].place,
                      fmt::format("a vector of registers, '{}', is not supported across a recursive call",
                                  info_of(reg).name));
        continue;
      }
      const unsigned bytes = bits <= 32 ? 4 : 8;
      saves_[reg] = frame_.place(bytes, bytes);
    }
  }

  [[nodiscard]] bool is_own_variable(const SymbolRef& symbol) const {
    return symbol.kind == SymbolRef::Kind::LocalVariable &&
           function_.variables[symbol.index].space == ptx::StateSpace::Local &&
           !is_passed(function_.variables[symbol.index].name);
  }

  std::uint32_t place_of(std::uint32_t variable) {
    const auto found = variables_.find(variable);
    if (found != variables_.end()) return found->second;
    const ptx::Variable& one = function_.variables[variable];
    return variables_[variable] = frame_.place(one.bytes(), one.alignment);
  }

  void move_into_frame(BodyRewrite& body, std::uint32_t at, Operand& operand) {
    for (Operand& element : operand.elements) move_into_frame(body, at, element);
    if (!is_own_variable(operand.symbol)) return;
    const std::uint64_t offset = place_of(operand.symbol.index) + operand.bits;
    if (operand.kind == Kind::Address && operand.reg == ptx::kNone) {
      operand.symbol = {};
      operand.reg = stack_;
      operand.bits = offset;
      return;
    }
    const ptx::Instruction& instruction = function_.body[at];
    if (operand.kind != Kind::Symbol) {
      refusals_.add(instruction.place, "an indexed variable is not supported in a recursive function");
      return;
    }
    // The address of the variable, as a number of the instruction's width.
    const Statements write(instruction);
    const Operand whole = register_operand(add_register(function_, "frame_address", Modifier::B32));
    body.before(at, write.make(Opcode::Add, {Modifier::U32},
                               {whole, register_operand(stack_), number_operand(offset)}));
    if (ptx::info(instruction.type()).bits < 64) {
      operand = whole;
      return;
    }
    const Operand wide = register_operand(add_register(function_, "frame_address", Modifier::B64));
    body.before(at, write.make(Opcode::Cvt, {Modifier::U64, Modifier::U32}, {wide, whole}));
    operand = wide;
  }

  void surround_call(BodyRewrite& body, std::uint32_t call) {
    const Statements write(function_.body[call]);
    const Operand stack = register_operand(stack_);
    const Operand bytes = number_operand(frame_.bytes());
    for (const std::uint32_t reg : kept_over(call)) {
      if (saves_.contains(reg)) save(body, write, call, reg);
    }
    body.before(call, write.make(Opcode::Add, {Modifier::U32}, {stack, stack, bytes}));
    body.behind(call, write.make(Opcode::Sub, {Modifier::U32}, {stack, stack, bytes}));
    for (const std::uint32_t reg : kept_over(call)) {
      if (saves_.contains(reg)) restore(body, write, call, reg);
    }
  }

  void save(BodyRewrite& body, const Statements& write, std::uint32_t call, std::uint32_t reg) {
    Operand value = register_operand(reg);
    const ptx::ModifierInfo& type = ptx::info(info_of(reg).type);
    if (type.kind == ptx::TypeKind::Predicate) {
      value = register_operand(add_register(function_, "kept", Modifier::B32));
      body.before(call, write.make(Opcode::Selp, {Modifier::B32},
                                   {value, number_operand(1), number_operand(0), register_operand(reg)}));
    }
    body.before(call, write.store(Modifier::Local, stored_type(reg), address_operand(stack_, saves_.at(reg)),
                                  value));
  }

  void restore(BodyRewrite& body, const Statements& write, std::uint32_t call, std::uint32_t reg) {
    const ptx::ModifierInfo& type = ptx::info(info_of(reg).type);
    const bool is_predicate = type.kind == ptx::TypeKind::Predicate;
    const Operand value =
        register_operand(is_predicate ? add_register(function_, "kept", Modifier::B32) : reg);
    body.behind(call, write.load(Modifier::Local, stored_type(reg), value,
                                 address_operand(stack_, saves_.at(reg))));
    if (is_predicate) {
      body.behind(call, write.make(Opcode::Setp, {Modifier::Ne, Modifier::U32},
                                   {register_operand(reg), value, number_operand(0)}));
    }
  }

  [[nodiscard]] Modifier stored_type(std::uint32_t reg) const {
    const ptx::ModifierInfo& type = ptx::info(info_of(reg).type);
    return type.kind == ptx::TypeKind::Predicate ? Modifier::B32 : bits_type(type.bits);
  }

  void check_room(BodyRewrite& body, std::uint32_t begin) {
    const Statements write(function_.body[begin]);
    const std::uint32_t is_full = add_register(function_, "is_full", Modifier::Pred);
    const Operand end = register_operand(add_register(function_, "frame_end", Modifier::B32));
    body.before(begin, write.make(Opcode::Add, {Modifier::U32},
                                  {end, register_operand(stack_), number_operand(frame_.bytes())}));
    body.before(begin, write.make(Opcode::Setp, {Modifier::Gt, Modifier::U32},
                                  {register_operand(is_full), end, register_operand(limit_)}));
    ptx::Instruction trap = write.make(Opcode::Trap, {}, {});
    trap.guard = {is_full, false};
    body.before(begin, std::move(trap));
  }

  ptx::Function& function_;
  const LinkedFunctions& functions_;
  std::uint32_t number_;
  std::uint32_t stack_;
  std::uint32_t limit_;
  Refusals& refusals_;
  Liveness liveness_;
  Frame frame_;
  std::map<std::uint32_t, std::uint32_t> saves_;      // offset by register
  std::map<std::uint32_t, std::uint32_t> variables_;  // offset by variable
};

/// Where the kernel begins, the stack is empty.
void set_up(ptx::Function& function, BodyRewrite& body, std::uint32_t stack, std::uint32_t limit) {
  ptx::Variable memory;
  memory.name = "call stack";
  memory.space = ptx::StateSpace::Local;
  memory.type = Modifier::B8;
  memory.alignment = 16;
  memory.is_array = true;
  memory.dimensions = {kStackBytes};
  memory.elements = kStackBytes;
  const auto index = static_cast<std::uint32_t>(function.variables.size());
  function.variables.push_back(std::move(memory));
  const Statements write(function.body.front());
  const Operand base = register_operand(add_register(function, "stack_base", Modifier::B64));
  const Operand low = register_operand(add_register(function, "stack_base", Modifier::B32));
  body.before(0, write.move(Modifier::B64, base, symbol_operand({SymbolRef::Kind::LocalVariable, index})));
  body.before(0, write.make(Opcode::Cvt, {Modifier::U32, Modifier::U64}, {low, base}));
  body.before(0, write.make(Opcode::Add, {Modifier::U32},
                            {register_operand(stack), low, number_operand(kBarrierBytes)}));
  body.before(0, write.make(Opcode::Add, {Modifier::U32},
                            {register_operand(limit), low, number_operand(kStackBytes)}));
}

}  // namespace

std::optional<std::uint32_t> make_call_frames(ptx::Function& function, Refusals& refusals) {
  const LinkedFunctions functions(function);
  std::vector<std::uint32_t> recursive;
  for (std::uint32_t i = 1; i < functions.parts().size(); ++i) {
    if (functions.is_recursive(i)) recursive.push_back(i);
  }
  if (recursive.empty()) return std::nullopt;
  const std::uint32_t stack = add_register(function, "stack", Modifier::B32);
  const std::uint32_t limit = add_register(function, "stack_limit", Modifier::B32);
  BodyRewrite body(function);
  set_up(function, body, stack, limit);
  for (const std::uint32_t one : recursive)
    FunctionFrame(function, functions, one, stack, limit, refusals).rewrite(body);
  body.apply();
  return stack;
}

}  // namespace heddle::lower
