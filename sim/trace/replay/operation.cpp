#include "sim/trace/replay/operation.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <span>

#include "isa/ir/instruction.h"
#include "sim/trace/replay/opcode_class.h"

namespace heddle::trace {

namespace {

using ir::OperandRole;
using stream::MemorySpace;
using stream::OpKind;

/// Most columns of a warpgroup's matrix product (PTX ISA, wgmma).
constexpr unsigned kMostColumns = 256;

// -- the registers --------------------------------------------------------------------------------

class SlotLists {
 public:
  SlotLists(stream::StaticOp& op, bool has_uniform) : op_(op), has_uniform_(has_uniform) {}

  void read(TraceRegister reg, unsigned width) { add(op_.waits_for, reg, width); }
  void write(TraceRegister reg, unsigned width) {
    add(op_.waits_for, reg, width);
    add(op_.writes, reg, width);
  }

 private:
  static void add_once(ir::SlotList& list, unsigned slot) {
    constexpr unsigned kRoom = 16;
    const bool is_there = std::find(list.begin(), list.end(), slot) != list.end();
    if (!is_there && list.size() < kRoom) list.add(static_cast<ir::RegisterSlot>(slot));
  }

  static void add_range(ir::SlotList& list, unsigned base, unsigned first, unsigned end, unsigned width) {
    for (unsigned i = first; i < std::min(first + width, end); ++i) add_once(list, base + i);
  }

  void add(ir::SlotList& list, TraceRegister reg, unsigned width) const {
    constexpr unsigned kPredicates = ir::kPredicateTrue;
    switch (reg.file) {
      case RegisterFile::General:
        return add_range(list, ir::kFirstRegister, reg.index, ir::kMaxRegister + 1U, width);
      case RegisterFile::Uniform:
        if (has_uniform_) add_range(list, ir::kFirstUniform, reg.index, ir::kMaxUniform + 1U, width);
        return;
      case RegisterFile::Predicate:
        add_range(list, ir::kPredicateSlots, reg.index, kPredicates, 1);
        return add_range(list, ir::kGuardSlots, reg.index, kPredicates, 1);
      case RegisterFile::UniformPredicate:
        if (has_uniform_) add_range(list, ir::kUniformPredicateSlots, reg.index, kPredicates, 1);
        return;
    }
  }

  stream::StaticOp& op_;
  bool has_uniform_;
};

/// The register operands of an opcode that a trace names.
struct Operands {
  unsigned written = 0;           ///< Registers of the result; 0: no result.
  bool may_stand_second = false;  ///< The result can follow a predicate, which a trace does not name.
  struct Read {
    unsigned width = 1;
    bool is_sure = false;  ///< The operand is always a register; a number or constant cannot replace it.
  };
  std::vector<Read> reads;
};

Operands operands_of(const ir::Instruction& instruction) {
  const ir::OpcodeInfo& row = ir::info(instruction.opcode);
  Operands operands;
  for (unsigned i = 0; i < row.operand_count; ++i) {
    const OperandRole role = row.operands[i];
    const ir::RegisterAccess access = ir::info(role).access;
    const unsigned width = ir::operand_width(instruction, role);
    if (access == ir::RegisterAccess::Writes) {
      operands.written = width;
      operands.may_stand_second = i != 0 && role != OperandRole::OptDstReg && role != OperandRole::OptDstData;
    } else if (access == ir::RegisterAccess::Reads || access == ir::RegisterAccess::MayRead) {
      operands.reads.push_back({width, access == ir::RegisterAccess::Reads});
    }
  }
  return operands;
}

/// Finds which operands the `count` registers that are read belong to, among those that can be registers. If
/// some operands are constants or a number, the number is taken for the first of these operands and constants
/// for the last ones.
std::vector<std::size_t> places_of(const Operands& operands, std::size_t count, bool has_number) {
  std::vector<std::size_t> places(operands.reads.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  const auto may_lack = [&](std::size_t place) { return !operands.reads[place].is_sure; };
  while (places.size() > count) {
    const auto first = std::find_if(places.begin(), places.end(), may_lack);
    if (first == places.end()) break;
    places.erase(has_number ? first : std::find_if(places.rbegin(), places.rend(), may_lack).base() - 1);
    has_number = false;
  }
  return places;
}

bool is_predicate(TraceRegister reg) {
  return reg.file == RegisterFile::Predicate || reg.file == RegisterFile::UniformPredicate;
}

/// The registers that a line names as read, and the operands that they are. Predicates are not included.
struct Sources {
  std::vector<TraceRegister> registers;
  std::vector<std::size_t> places;
};

/// Whether the result is named among the registers that are read, since it is not the first operand: ATOMG
/// PT, R4, [R2.64], R5.
bool has_result_among_sources(const TraceInstruction& instruction, const Operands& operands) {
  return !instruction.has_destination && operands.may_stand_second && operands.written != 0 &&
         instruction.sources != 0;
}

Sources sources_of(const TraceLine& line, const Operands& operands) {
  const TraceInstruction& instruction = *line.instruction;
  Sources sources;
  for (std::size_t i = has_result_among_sources(instruction, operands) ? 1 : 0; i < instruction.sources;
       ++i) {
    if (!is_predicate(instruction.source[i])) sources.registers.push_back(instruction.source[i]);
  }
  sources.places = places_of(operands, sources.registers.size(), line.immediate != 0);
  return sources;
}

void add_registers(const TraceInstruction& instruction, const Operands& operands, const Sources& sources,
                   SlotLists slots) {
  if (instruction.has_destination) slots.write(instruction.destination, std::max(operands.written, 1U));
  if (has_result_among_sources(instruction, operands)) {
    slots.write(instruction.source.front(), operands.written);
  }
  for (const TraceRegister reg : std::span(instruction.source).first(instruction.sources)) {
    if (is_predicate(reg)) slots.read(reg, 1);
  }
  for (std::size_t i = 0; i < sources.registers.size(); ++i) {
    const bool is_known = i < sources.places.size();
    slots.read(sources.registers[i], is_known ? operands.reads[sources.places[i]].width : 1);
  }
}

/// The register reads of an instruction for which bank conflicts are timed. A trace does not show .reuse.
stream::RegisterReads reads_of(const Sources& sources) {
  stream::RegisterReads reads;
  if (sources.registers.size() > sources.places.size()) return reads;
  for (std::size_t i = 0; i < sources.registers.size(); ++i) {
    const TraceRegister reg = sources.registers[i];
    if (reg.file != RegisterFile::General || sources.places[i] >= reads.registers.size()) continue;
    reads.registers[sources.places[i]] = reg.index;
    reads.is_timed = reads.is_timed || reg.index != ir::kRegisterZero;
  }
  reads.kept_by_next = reads.is_timed;
  return reads;
}

// -- products of warpgroups -----------------------------------------------------------------------

/// N of the MxNxK that an opcode names; 0 if it names none.
unsigned product_columns(std::string_view opcode) {
  const std::size_t first = opcode.find('x');
  unsigned columns = 0;
  if (first == std::string_view::npos) return 0;
  std::from_chars(opcode.data() + first + 1, opcode.data() + opcode.size(), columns);
  return columns <= kMostColumns ? columns : 0;
}

/// All sums are one range of registers. A comes before them unless it is in shared memory.
void describe_product(const TraceInstruction& instruction, stream::StaticOp& op, SlotLists slots) {
  const unsigned columns = product_columns(instruction.opcode);
  const unsigned sums_a_register = has_token(instruction.opcode, "F16") ? 2 : 1;
  op.column_groups = static_cast<std::uint8_t>(columns / 8);
  op.closes_group = instruction.closes_group;
  op.has_matrix_in_shared = true;
  if (instruction.has_destination && instruction.destination.index <= ir::kMaxRegister) {
    const unsigned first = instruction.destination.index;
    const unsigned count = std::min(columns / 2 / sums_a_register, ir::kMaxRegister + 1U - first);
    op.sums = {static_cast<ir::RegisterSlot>(ir::kFirstRegister + first), static_cast<std::uint16_t>(count)};
  }
  const std::span<const TraceRegister> sources(instruction.source.data(), instruction.sources);
  const auto is_general = [](TraceRegister reg) { return reg.file == RegisterFile::General; };
  if (std::count_if(sources.begin(), sources.end(), is_general) >= 2) {
    op.has_matrix_in_shared = false;
    slots.read(*std::find_if(sources.begin(), sources.end(), is_general), 4);
  }
  for (const TraceRegister& reg : sources) {
    if (reg.file == RegisterFile::Uniform) slots.read(reg, 4);
  }
}

// -- memory ---------------------------------------------------------------------------------------

/// Changes an operation on global memory to another memory space.
void move_to(stream::StaticOp& op, MemorySpace space) {
  using ir::TimingClass;
  if (space == MemorySpace::None || space == MemorySpace::Global) return;
  op.space = space;
  if (space != MemorySpace::Shared) return;
  if (op.kind == OpKind::Load) op.timing_class = TimingClass::LoadShared;
  if (op.kind == OpKind::Store) op.timing_class = TimingClass::StoreShared;
  if (op.kind == OpKind::Atomic) op.timing_class = TimingClass::AtomicShared;
}

// -- barriers in shared memory, bulk copies -------------------------------------------------------

/// The model uses what the line tells about them. If the line does not tell everything, the report names the
/// assumption that is returned here.
std::string stand_in_of(const TraceLine& line, ir::Action action) {
  const std::string_view nothing = ir::info(ir::Opcode::Nop).mnemonic;
  switch (action) {
    case ir::Action::ClusterArrive:
    case ir::Action::ClusterWait:
      return "barrier of the block";
    case ir::Action::BulkLoad:
    case ir::Action::BulkStore:
      return std::string(line.has_bulk ? "" : nothing);
    case ir::Action::TestMbarrier:
      if (line.width != 0 && line.values.empty()) return "wait for bulk copies";
      [[fallthrough]];
    case ir::Action::InitMbarrier:
    case ir::Action::ArriveMbarrier:
    case ir::Action::ArriveAfterCopies:
      return std::string(line.width == 0 || line.values.empty() ? nothing : "");
    default:
      return {};
  }
}

}  // namespace

bool has_generic_address(std::string_view opcode) { return classify(opcode).is_generic; }

Operation make_operation(const TraceLine& line, MemorySpace space, bool has_uniform) {
  const std::string& opcode = line.instruction->opcode;
  const OpcodeClass found = classify(opcode);
  const ir::OpcodeInfo& row = ir::info(found.row);

  ir::Instruction instruction = instruction_of(found);
  if (row.action == ir::Action::AwaitCopies || row.action == ir::Action::AwaitProducts) {
    instruction.operands[1].value =
        static_cast<std::uint64_t>(std::clamp<std::int64_t>(line.immediate, 0, 255));
  }
  Operation operation;
  operation.instruction = instruction;
  operation.op = stream::make_static_op(instruction, line.instruction->index);
  operation.as = found.is_near ? std::string(row.mnemonic) : stand_in_of(line, row.action);
  stream::StaticOp& op = operation.op;
  if (found.is_generic) move_to(op, space);
  if (stream::is_memory(op.kind) && op.bytes_per_lane == 0) op.bytes_per_lane = 4;

  if (op.kind == OpKind::GroupProduct) {
    describe_product(*line.instruction, op, SlotLists(op, has_uniform));
    return operation;
  }
  Operands operands = operands_of(instruction);
  if (found.registers != 0) operands.written = found.registers;
  const Sources sources = sources_of(line, operands);
  add_registers(*line.instruction, operands, sources, SlotLists(op, has_uniform));
  if (stream::has_timed_reads(instruction)) op.register_reads = reads_of(sources);
  return operation;
}

}  // namespace heddle::trace
