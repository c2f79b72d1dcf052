// Mbarriers from compute capability 9.0 on, whose GPUs have instructions for them. Before it, what expand_mbarrier.cpp
// writes stands for them.
#include "isa/lower/addresses.h"
#include "isa/lower/select.h"

namespace heddle::lower {

namespace {

using ir::Modifier;
using ir::Opcode;
using PtxKind = ptx::Operand::Kind;
using PtxModifier = ptx::Modifier;

constexpr std::uint32_t kComplement = 1U << 20;  // a count is kept as what it lacks of this (isa/exec/mbarrier_word.h)

Operand place_of(Selection& s, const ptx::Operand& operand) {
  return address_of(s, operand, ptx::StateSpace::Shared);
}

Operand in_register(Selection& s, const ptx::Operand& operand) { return s.builder.in_register(s.source(operand)); }

Operand shifted(Selection& s, const Operand& value, unsigned left) {
  if (is_number(value)) return number(static_cast<std::uint32_t>(value.value << left));
  const Operand made = reg(s.builder.fresh());
  s.emit(Opcode::Shf, {made, s.builder.in_register(value), number(left), zero()},
         {Modifier::ShiftDirectionLeft, Modifier::ShiftTypeU32});
  return made;
}

/// 2^20 less the value.
Operand complement(Selection& s, const Operand& value) {
  if (is_number(value)) return number(static_cast<std::uint32_t>(kComplement - value.value));
  const Operand to = reg(s.builder.fresh());
  s.emit(Opcode::Iadd3, {to, always(), always(), negative(s.builder.in_register(value)), number(kComplement), zero()});
  return to;
}

void require_operands(const ptx::Instruction& i, std::size_t least, std::size_t most) {
  if (i.operands.size() < least || i.operands.size() > most)
    Selection::refuse(i, "another number of operands is expected");
}

}  // namespace

void select_mbarrier_init(Selection& s, const ptx::Instruction& i) {
  require_operands(i, 2, 2);
  const Operand place = place_of(s, i.operands[0]);
  const Operand missing = complement(s, s.source(i.operands[1]));
  const Words word{shifted(s, missing, 1), shifted(s, missing, 11)};
  s.emit(Opcode::SyncsExch, {Operand{Operand::Kind::Uniform, ir::kUniformZero}, place, s.builder.in_pair(word)});
}

void select_mbarrier_arrive(Selection& s, const ptx::Instruction& i) {
  const bool expects = i.has(PtxModifier::ExpectTx);
  require_operands(i, expects ? 3 : 2, 3);
  const bool has_number = i.operands.size() == 3;
  const Operand place = place_of(s, i.operands[1]);
  const Operand value = has_number ? in_register(s, i.operands[2]) : zero();
  const Operand state = i.operands[0].kind == PtxKind::Sink ? zero() : s.wide_result(i.operands[0]);
  const Modifier counted = has_number ? Modifier::ArrivalCount : Modifier::ArrivalOne;
  s.emit(Opcode::SyncsArrive, {state, place, value},
         {is_zero(state) ? Modifier::RemoteArrivalRed : Modifier::RemoteArrivalNone,
          i.opcode == ptx::Opcode::MbarrierArriveDrop ? Modifier::DepartureOptout : Modifier::DepartureNone,
          expects ? Modifier::ArrivalAnnounce : counted});
}

/// Bytes that will come, or have.
void select_mbarrier_bytes(Selection& s, const ptx::Instruction& i) {
  require_operands(i, 2, 2);
  const bool come = i.opcode == ptx::Opcode::MbarrierCompleteTx;
  const Operand place = place_of(s, i.operands[0]);
  s.emit(Opcode::SyncsArrive, {zero(), place, in_register(s, i.operands[1])},
         {Modifier::RemoteArrivalRed, come ? Modifier::ArrivalComplete : Modifier::ArrivalExpect});
}

/// The phase of a state, whose highest bit is its parity, or the last one of a parity. What may wait does.
void select_mbarrier_test(Selection& s, const ptx::Instruction& i) {
  require_operands(i, 3, 4);
  const Operand place = place_of(s, i.operands[1]);
  constexpr unsigned kParityBit = 31;
  const Operand state = i.has(PtxModifier::Parity) ? shifted(s, s.source(i.operands[2]), kParityBit)
                                                   : s.words(i.operands[2]).high;
  const bool waits = i.opcode == ptx::Opcode::MbarrierTryWait;
  s.emit(Opcode::SyncsPhasechk, {s.predicate_result(i.operands[0]), place, s.builder.in_register(state)},
         {waits ? Modifier::PhaseWaitWait : Modifier::PhaseWaitTest});
}

void select_mbarrier_pending_count(Selection& s, const ptx::Instruction& i) {
  require_operands(i, 2, 2);
  constexpr unsigned kFirstBit = 11;
  const Operand high = s.builder.in_register(s.words(i.operands[1]).high);
  const Operand field = reg(s.builder.fresh());
  s.emit(Opcode::Shf, {field, zero(), number(kFirstBit), high},
         {Modifier::ShiftDirectionRight, Modifier::ShiftTypeU32, Modifier::HalfHigh});
  const Operand bits = reg(s.builder.fresh());
  s.emit(Opcode::Sgxt, {bits, field, number(20)}, {Modifier::IntTypeU32});
  s.builder.move(s.result(i.operands[0]).index, complement(s, bits));
}

/// Without .noinc the phase waits for the copies besides, each of which counts as a byte.
void select_arrival_of_copies(Selection& s, const ptx::Instruction& i) {
  require_operands(i, 1, 1);
  const bool counts_as_arrival = i.has(PtxModifier::Noinc);
  const Operand place = place_of(s, i.operands[0]);
  if (!counts_as_arrival) {
    s.emit(Opcode::SyncsArrive, {zero(), place, zero()},
           {Modifier::RemoteArrivalRed, Modifier::ArrivalExpectOne});
  }
  s.emit(Opcode::ArrivesLdgsts, {place}, {counts_as_arrival ? Modifier::CopyArrivalCount : Modifier::CopyArrivalBytes});
}

}  // namespace heddle::lower
