#include "isa/stream/static_op.h"

#include <algorithm>

namespace heddle::stream {

namespace {

OpKind kind_of(ir::Action action) {
  switch (action) {
    case ir::Action::Load:
    case ir::Action::LoadMatrix:
    case ir::Action::FetchTexture:
    case ir::Action::LoadSurface: return OpKind::Load;
    case ir::Action::Store:
    case ir::Action::StoreMatrix:
    case ir::Action::StoreSurface: return OpKind::Store;
    case ir::Action::Atomic: return OpKind::Atomic;
    case ir::Action::Copy: return OpKind::Copy;
    case ir::Action::InvalidateL1: return OpKind::InvalidateL1;
    case ir::Action::Sleep: return OpKind::Sleep;
    case ir::Action::Barrier: return OpKind::Barrier;
    case ir::Action::BarrierReduce: return OpKind::BarrierReduce;
    case ir::Action::BarrierArrive: return OpKind::BarrierArrive;
    case ir::Action::CommitCopies:
    case ir::Action::CommitBulk: return OpKind::CommitCopies;
    case ir::Action::InitMbarrier:
    case ir::Action::ArriveMbarrier:
    case ir::Action::ArriveAfterCopies:
    case ir::Action::TestMbarrier:
    case ir::Action::ClusterArrive:
    case ir::Action::ClusterWait: return OpKind::Mbarrier;
    case ir::Action::BulkLoad: return OpKind::BulkLoad;
    case ir::Action::BulkStore: return OpKind::BulkStore;
    case ir::Action::AwaitCopies: return OpKind::AwaitCopies;
    case ir::Action::MultiplyInGroup:
      return OpKind::GroupProduct;
    case ir::Action::ArriveInGroup:
      return OpKind::ArriveInGroup;
    case ir::Action::AwaitProducts:
      return OpKind::AwaitProducts;
    case ir::Action::BlockFence:
    case ir::Action::Fence: return OpKind::Fence;
    case ir::Action::Exit: return OpKind::Exit;
    default: return OpKind::Compute;
  }
}

/// Memory space, from the roles of the operands, and data width. A copy's space is the one that it reads.
void describe_memory(const ir::Instruction& instruction, const ir::OpcodeInfo& row, StaticOp& op) {
  op.bytes_per_lane = static_cast<std::uint8_t>(ir::data_bytes(instruction));
  if (row.action == ir::Action::LoadMatrix || row.action == ir::Action::StoreMatrix) {
    op.matrices = op.bytes_per_lane / 4;
    op.bytes_per_lane = kMatrixRowBytes;
  }
  op.joins_lanes =
      instruction.opcode == ir::Opcode::AtomsCount || instruction.opcode == ir::Opcode::AtomsArrive;
  for (unsigned i = 0; i < row.operand_count; ++i) {
    switch (row.operands[i]) {
      case ir::OperandRole::GlobalAddress:
      case ir::OperandRole::TextureShape:
      case ir::OperandRole::SurfacePlace: op.space = MemorySpace::Global; break;
      case ir::OperandRole::SharedAddress: op.space = MemorySpace::Shared; break;
      case ir::OperandRole::LocalAddress: op.space = MemorySpace::Local; break;
      default: break;
    }
  }
}

void describe_product(const ir::Instruction& instruction, const ir::OpcodeInfo& row, StaticOp& op) {
  op.column_groups = static_cast<std::uint8_t>(ir::product_columns(instruction) / 8);
  op.has_matrix_in_shared = !ir::has_matrix_in_registers(instruction);
  op.closes_group = instruction.operands[row.operand_count - 1].kind == ir::Operand::Kind::GroupScoreboard;
}

/// Finds the constant that the instruction names. Hardware takes one only; if there are several in bank 3, the last
/// one counts.
void describe_constants(const ir::Instruction& instruction, const ir::OpcodeInfo& row, StaticOp& op) {
  for (unsigned i = 0; i < row.operand_count; ++i) {
    const ir::Operand& operand = instruction.operands[i];
    const bool is_indexed = operand.kind == ir::Operand::Kind::IndexedConstant;
    if (!is_indexed && operand.kind != ir::Operand::Kind::Constant) continue;
    op.has_constant_address = is_indexed;
    if (operand.bank == ir::kDataBank)
      op.constant = static_cast<std::uint32_t>(operand.value);
    else
      op.names_launch = true;
  }
}

/// Data that others may have changed are not taken from L1.
bool is_past_l1(const ir::Instruction& instruction) {
  const ir::Modifiers& modifiers = instruction.modifiers;
  const bool is_wide = modifiers.has(ir::Modifier::ScopeGpu) || modifiers.has(ir::Modifier::ScopeSys);
  return modifiers.has(ir::Modifier::BypassL1) || (modifiers.has(ir::Modifier::StrengthStrong) && is_wide);
}

void add_once(ir::SlotList& slots, ir::RegisterSlot slot) {
  if (std::find(slots.begin(), slots.end(), slot) == slots.end()) slots.add(slot);
}

// Barriers take the places of operand predicates, and need no more of these than there are.
static_assert(ir::kPredicateSlots == 0 && ir::kDependenceBarriers <= ir::kNeverWritten);

/// `has_copies`: the kernel has groups of copies.
void obey(const ir::Instruction& instruction, bool has_copies, StaticOp& op) {
  const ir::ControlCode& code = instruction.control;
  op.stall = ir::cycles_to_next(code);
  op.until_read = static_cast<std::uint8_t>(code.read_barrier);
  unsigned awaited = code.wait_mask;
  // DEPBAR.LE waits for groups of copies. That of a barrier waits for it, if none may be left; so does one of a
  // barrier that no copy raises, which would let some of several texture fetches be under way.
  if (op.kind == OpKind::AwaitCopies) {
    const unsigned barrier = instruction.operands[0].index;
    if (barrier != 0 || !has_copies) op.kind = OpKind::Compute;
    if (op.kind == OpKind::Compute || op.groups_left == 0) awaited |= 1U << barrier;
  }
  op.waits_for = {};
  for (ir::RegisterSlot barrier = 0; barrier < ir::kDependenceBarriers; ++barrier) {
    if ((awaited >> barrier & 1U) != 0) op.waits_for.add(barrier);
  }
  // What writes no register raises none: nobody says when a store or a group of copies is done.
  const bool raises = op.writes.size() != 0 && code.write_barrier < ir::kDependenceBarriers;
  op.has_unwatched_result = op.writes.size() != 0 && !raises;
  op.writes = {};
  if (raises) op.writes.add(static_cast<ir::RegisterSlot>(code.write_barrier));
  sum_up(op);
}

}  // namespace

void sum_up(StaticOp& op) {
  const bool is_computed = op.kind == OpKind::Compute && !ir::info(op.timing_class).uses_mio() &&
                           op.timing_class != ir::TimingClass::LoadConstant;
  const bool is_one = op.writes.size() == 1 && !ir::is_guard_slot(op.writes[0]);
  const bool is_only =
      is_computed && is_one && !op.may_branch && !op.register_reads.is_timed && !op.has_control_code();
  op.only_result = is_only ? op.writes[0] : ir::kNeverWritten;
  op.waits_for_few =
      op.waits_for.size() <= ir::SlotList::kUsual && op.constant == kNoConstant && !waits_for_more(op.kind);
}

StaticOp make_static_op(const ir::Instruction& instruction, Pc pc) {
  const ir::OpcodeInfo& row = ir::info(instruction.opcode);
  const ir::RegisterUse use = ir::register_use(instruction);
  StaticOp op;
  op.pc = pc;
  op.timing_class = row.timing_class;
  op.kind = kind_of(row.action);
  op.may_branch = ir::is_jump(row.action);
  op.may_scatter = row.action == ir::Action::IndirectBranch || row.action == ir::Action::Return;
  if (is_memory(op.kind)) describe_memory(instruction, row, op);
  describe_constants(instruction, row, op);
  if (op.kind == OpKind::GroupProduct) describe_product(instruction, row, op);
  if (op.kind == OpKind::AwaitCopies || op.kind == OpKind::AwaitProducts)
    op.groups_left = static_cast<std::uint8_t>(instruction.operands[1].value);
  if (row.action == ir::Action::Fence) op.space = MemorySpace::Global;
  if (op.kind == OpKind::Load || op.kind == OpKind::Copy) op.past_l1 = is_past_l1(instruction);
  for (const ir::RegisterSlot slot : use.reads) add_once(op.waits_for, slot);
  // A predicate on its way to be a guard is no hindrance to the one that follows it there.
  for (const ir::RegisterSlot slot : use.writes) {
    if (!ir::is_guard_slot(slot)) add_once(op.waits_for, slot);
  }
  op.writes = use.writes;
  op.sums = use.sums;
  sum_up(op);
  return op;
}

std::vector<StaticOp> make_static_ops(const ir::Kernel& kernel) {
  std::vector<StaticOp> ops;
  for (Pc pc = 0; pc < kernel.instructions.size(); ++pc) {
    ops.push_back(make_static_op(kernel.instructions[pc], pc));
    if (!kernel.banked) continue;
    ops.back().register_reads = register_reads(kernel.instructions[pc]);
    sum_up(ops.back());
  }
  return ops;
}

void obey_control_codes(const ir::Kernel& kernel, std::vector<StaticOp>& ops) {
  const bool has_copies = std::any_of(ops.begin(), ops.end(), [](const StaticOp& op) { return op.kind == OpKind::CommitCopies; });
  for (Pc pc = 0; pc < ops.size(); ++pc) {
    if (kernel.instructions[pc].control.is_given) obey(kernel.instructions[pc], has_copies, ops[pc]);
  }
}

}  // namespace heddle::stream
