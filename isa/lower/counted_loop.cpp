#include "isa/lower/counted_loop.h"

#include <algorithm>

#include "isa/lower/ptx_flow.h"
#include "isa/lower/values.h"

namespace heddle::lower {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using Kind = ptx::Operand::Kind;

namespace {

/// Instructions that no copy is made of: jumps, calls, and what ptxas does not copy either because lanes meet
/// there, or memory is ordered.
bool may_be_copied(Opcode opcode) {
  switch (opcode) {
    case Opcode::Bra:
    case Opcode::BrxIdx:
    case Opcode::Call:
    case Opcode::Ret:
    case Opcode::Exit:
    case Opcode::Trap:
    case Opcode::Shfl:
    case Opcode::Vote:
    case Opcode::Match:
    case Opcode::Redux:
    case Opcode::Elect:
    case Opcode::Activemask:
    case Opcode::BarWarpSync:
    case Opcode::Membar:
    case Opcode::Fence:
    case Opcode::Nanosleep:
    case Opcode::Mma:
    case Opcode::MmaSp:
    case Opcode::MmaSpOrderedMetadata:
    case Opcode::WmmaLoad:
    case Opcode::WmmaStore:
    case Opcode::WmmaMma:
    case Opcode::Ldmatrix:
      return false;
    default:
      return true;
  }
}

bool writes(const Instruction& instruction, std::uint32_t reg) {
  bool found = false;
  for (const std::size_t place : written_operands(instruction))
    each_register(instruction.operands[place], [&](std::uint32_t one) { found |= one == reg; });
  return found;
}

bool is_register(const ptx::Operand& operand, std::uint32_t reg) {
  return operand.kind == Kind::Register && operand.reg == reg && operand.element == ptx::Operand::kWhole;
}

/// The number that an addition without a guard adds to the register that it writes.
std::optional<std::int64_t> added_number(const Instruction& instruction) {
  const bool adds = instruction.opcode == Opcode::Add;
  if (!adds && instruction.opcode != Opcode::Sub) return std::nullopt;
  if (instruction.guard.reg != ptx::kNone || instruction.modifiers.has(Modifier::Sat)) return std::nullopt;
  const ptx::ModifierInfo& type = ptx::info(instruction.type());
  const bool is_integer = type.kind == ptx::TypeKind::Signed || type.kind == ptx::TypeKind::Unsigned;
  if (!is_integer || type.bits < 32 || instruction.operands[0].kind != Kind::Register) return std::nullopt;
  const std::uint32_t reg = instruction.operands[0].reg;
  const ptx::Operand& number = instruction.operands[2];
  if (!is_register(instruction.operands[1], reg) || number.kind != Kind::Integer) return std::nullopt;
  const auto value = static_cast<std::int64_t>(number.bits);
  // So that no sum of steps in one round of copies leaves 32 bits.
  constexpr std::int64_t kMost = 1 << 20;
  if (value == 0 || value > kMost || value < -kMost) return std::nullopt;
  return adds ? value : -value;
}

std::optional<GoesOn> condition_of(const Instruction& compare, bool negated) {
  struct Row {
    Modifier word;
    GoesOn is;
    GoesOn is_not;
  };
  static constexpr Row kRows[] = {{Modifier::Lt, GoesOn::Less, GoesOn::GreaterOrEqual},
                                  {Modifier::Le, GoesOn::LessOrEqual, GoesOn::Greater},
                                  {Modifier::Gt, GoesOn::Greater, GoesOn::LessOrEqual},
                                  {Modifier::Ge, GoesOn::GreaterOrEqual, GoesOn::Less}};
  for (const Row& row : kRows) {
    if (compare.has(row.word)) return negated ? row.is_not : row.is;
  }
  if (compare.has(negated ? Modifier::Eq : Modifier::Ne)) return GoesOn::NotEqual;
  return std::nullopt;
}

bool is_signed(Modifier type) { return ptx::info(type).kind == ptx::TypeKind::Signed; }

/// Whether the counter moves towards where the loop ends.
bool moves_to_end(GoesOn condition, std::int64_t step) {
  if (condition == GoesOn::NotEqual) return true;
  const bool is_upward = condition == GoesOn::Less || condition == GoesOn::LessOrEqual;
  return is_upward == (step > 0);
}

/// A comparison of two numbers of the type.
bool goes_on(const CountedLoop& loop, std::uint64_t counter, std::uint64_t limit) {
  const bool is_less = is_signed(loop.type)
                           ? static_cast<std::int64_t>(counter) < static_cast<std::int64_t>(limit)
                           : counter < limit;
  switch (loop.goes_on) {
    case GoesOn::Less: return is_less;
    case GoesOn::LessOrEqual: return is_less || counter == limit;
    case GoesOn::Greater: return !is_less && counter != limit;
    case GoesOn::GreaterOrEqual: return !is_less;
    default: return counter != limit;
  }
}

/// The number as the type holds it, in 64 bits.
std::uint64_t as_type(std::uint64_t bits, Modifier type) {
  if (ptx::info(type).bits == 64) return bits;
  const auto word = static_cast<std::uint32_t>(bits);
  if (!is_signed(type)) return word;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(word)));
}

}  // namespace

LoopFinder::LoopFinder(const ptx::Function& function)
    : function_(function),
      jumps_to_(function.body.size() + 1),
      uses_(function.registers.size()),
      stays_rolled_(function.body.size() + 1) {
  for (const Instruction& instruction : function.body) {
    for (const std::uint32_t target : targets_of(function, instruction)) ++jumps_to_[target];
    if (instruction.opcode == Opcode::Call) ++jumps_to_[instruction.operands[0].index];
    if (instruction.guard.reg != ptx::kNone) ++uses_[instruction.guard.reg];
    for (const ptx::Operand& operand : instruction.operands)
      each_register(operand, [&](std::uint32_t reg) { ++uses_[reg]; });
  }
  for (const ptx::Pragma& pragma : function.pragmas) {
    if (pragma.text == "nounroll" && pragma.index < stays_rolled_.size()) stays_rolled_[pragma.index] = true;
  }
}

std::vector<CountedLoop> LoopFinder::find() const {
  std::vector<CountedLoop> loops;
  for (std::uint32_t at = 0; at < function_.body.size(); ++at) {
    const Instruction& instruction = function_.body[at];
    const bool jumps_back = instruction.opcode == Opcode::Bra && instruction.guard.reg != ptx::kNone &&
                            instruction.operands[0].index <= at;
    if (!jumps_back) continue;
    if (auto loop = loop_at(at)) loops.push_back(std::move(*loop));
  }
  return loops;
}

bool LoopFinder::is_plain(std::uint32_t begin, std::uint32_t end) const {
  for (std::uint32_t at = begin; at < end; ++at) {
    if (at > begin && jumps_to_[at] != 0) return false;
    if (stays_rolled_[at] || !may_be_copied(function_.body[at].opcode)) return false;
  }
  return !stays_rolled_[end];
}

std::optional<CountedLoop> LoopFinder::loop_at(std::uint32_t branch) const {
  CountedLoop loop;
  loop.begin = function_.body[branch].operands[0].index;
  loop.end = branch;
  if (!is_plain(loop.begin, branch) || jumps_to_[branch] != 0) return std::nullopt;
  find_advancing(loop);
  if (!has_condition(loop)) return std::nullopt;
  count_rounds(loop);
  return loop;
}

void LoopFinder::find_advancing(CountedLoop& loop) const {
  std::map<std::uint32_t, unsigned> writes;
  for (std::uint32_t at = loop.begin; at < loop.end; ++at) {
    for (const std::size_t place : written_operands(function_.body[at]))
      each_register(function_.body[at].operands[place], [&](std::uint32_t reg) { ++writes[reg]; });
  }
  for (std::uint32_t at = loop.begin; at < loop.end; ++at) {
    const auto step = added_number(function_.body[at]);
    if (!step) continue;
    const std::uint32_t reg = function_.body[at].operands[0].reg;
    if (writes[reg] == 1) loop.advancing[reg] = {*step, at};
  }
}

/// Finds the comparison and what it compares. The predicate must be for the branch alone.
bool LoopFinder::has_condition(CountedLoop& loop) const {
  const ptx::Guard& guard = function_.body[loop.end].guard;
  std::optional<std::uint32_t> compare;
  for (std::uint32_t at = loop.begin; at < loop.end; ++at) {
    if (writes(function_.body[at], guard.reg)) compare = at;
  }
  if (!compare || uses_[guard.reg] != 2) return false;
  const Instruction& setp = function_.body[*compare];
  if (setp.opcode != Opcode::Setp || setp.guard.reg != ptx::kNone || setp.operands.size() != 3) return false;
  const auto condition = condition_of(setp, guard.negated);
  const ptx::ModifierInfo& type = ptx::info(setp.type());
  const bool is_integer = type.kind == ptx::TypeKind::Signed || type.kind == ptx::TypeKind::Unsigned ||
                          type.kind == ptx::TypeKind::Bits;
  if (!condition || !is_integer || type.bits < 32 || setp.operands[1].kind != Kind::Register) return false;
  const auto advancing = loop.advancing.find(setp.operands[1].reg);
  if (advancing == loop.advancing.end() || advancing->second.at > *compare) return false;
  loop.limit = setp.operands[2];
  if (loop.limit.kind == Kind::Register) {
    for (std::uint32_t at = loop.begin; at < loop.end; ++at) {
      if (writes(function_.body[at], loop.limit.reg)) return false;
    }
  } else if (loop.limit.kind != Kind::Integer) {
    return false;
  }
  loop.counter = setp.operands[1].reg;
  loop.step = advancing->second.step;
  loop.advance = advancing->second.at;
  loop.compare = *compare;
  loop.goes_on = *condition;
  loop.type = type.kind == ptx::TypeKind::Bits ? (type.bits == 64 ? Modifier::U64 : Modifier::U32)
                                               : setp.type();
  return moves_to_end(loop.goes_on, loop.step);
}

/// The number that the register holds where control falls into the loop, which nothing jumps to from
/// elsewhere.
std::optional<std::uint64_t> LoopFinder::number_before(std::uint32_t begin, std::uint32_t reg) const {
  if (jumps_to_[begin] != 1) return std::nullopt;
  for (std::uint32_t at = begin; at-- > 0;) {
    const Instruction& instruction = function_.body[at];
    if (writes(instruction, reg)) {
      const bool is_number = instruction.opcode == Opcode::Mov && instruction.guard.reg == ptx::kNone &&
                             instruction.operands[1].kind == Kind::Integer;
      return is_number ? std::optional(instruction.operands[1].bits) : std::nullopt;
    }
    if (ends_path(instruction) || jumps_to_[at] != 0) return std::nullopt;
  }
  return std::nullopt;
}

void LoopFinder::count_rounds(CountedLoop& loop) const {
  const auto first = number_before(loop.begin, loop.counter);
  const auto limit = loop.limit.kind == Kind::Integer ? std::optional(loop.limit.bits)
                                                      : number_before(loop.begin, loop.limit.reg);
  if (!first || !limit) return;
  constexpr std::uint64_t kMost = 1 << 20;
  const std::uint64_t end = as_type(*limit, loop.type);
  std::uint64_t counter = as_type(*first, loop.type);
  for (std::uint64_t rounds = 1; rounds <= kMost; ++rounds) {
    counter = as_type(counter + static_cast<std::uint64_t>(loop.step), loop.type);
    if (goes_on(loop, counter, end)) continue;
    loop.rounds = rounds;
    loop.first = *first;
    return;
  }
}

}  // namespace heddle::lower
