#include "sim/trace/replay/trace_ops.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "sim/trace/replay/line_mistake.h"
#include "sim/trace/replay/operation.h"

namespace heddle::trace {

namespace {

using ir::TimingClass;
using stream::MemorySpace;

/// Pairs of a class and its substitute if the GPU lacks the class but has the substitute.
constexpr std::pair<TimingClass, TimingClass> kSubstitutes[] = {
    {TimingClass::WarpgroupProduct, TimingClass::Tensor16816F32},
    {TimingClass::Tensor16816F32, TimingClass::Tensor1688F32},
    {TimingClass::Tensor16816F16, TimingClass::Tensor1688F16},
    {TimingClass::Tensor1688F16, TimingClass::Tensor1688F32},
    {TimingClass::Tensor1688F32, TimingClass::Fp16},
    {TimingClass::Fp16, TimingClass::Fp32},
    {TimingClass::Fp64, TimingClass::Fp32},
    {TimingClass::ImadWide, TimingClass::Imad},
    {TimingClass::IntToFloat, TimingClass::Convert},
    {TimingClass::Convert, TimingClass::SpecialFunction},
    {TimingClass::MembarSys, TimingClass::Membar},
    {TimingClass::Membar, TimingClass::LoadGlobal},
    {TimingClass::CopyToShared, TimingClass::LoadGlobal},
    {TimingClass::AtomicGlobal, TimingClass::LoadGlobal},
    {TimingClass::ReduceGlobal, TimingClass::StoreGlobal},
    {TimingClass::AtomicShared, TimingClass::LoadShared},
};

TimingClass substitute(TimingClass absent) {
  for (const auto& [from, to] : kSubstitutes) {
    if (from == absent) return to;
  }
  return ir::info(absent).uses_mio() ? TimingClass::LoadGlobal : TimingClass::Alu;
}

bool is_asynchronous(stream::OpKind kind) {
  return kind == stream::OpKind::Mbarrier || stream::is_bulk(kind);
}

/// If the first operand of an instruction is a register, the tracer reports it as written, whatever the
/// instruction does with it. The first operand of a store is an address, and instructions for memory as a
/// whole have none.
void require_possible(const TraceInstruction& instruction, stream::OpKind kind) {
  const bool has_result = kind != stream::OpKind::Store && !stream::is_for_all_memory(kind);
  if (has_result || !instruction.has_destination) return;
  throw LineMistake(
      fmt::format("{} has no result: the number of destinations must be 0, not 1", instruction.opcode));
}

}  // namespace

TraceOps::TraceOps(const TraceHeader& header, const AbsentClasses& absent)
    : shared_base_(header.shared_base),
      local_base_(header.local_base),
      has_uniform_(header.has_second_immediate() || header.version() >= kValuesVersion),
      is_compiled_(header.nvbit_version != kRecordedByHeddle),
      absent_(absent) {
  ops_.reserve(kMost);  // reserves address space only; pages are allocated when they are written
}

std::uint32_t TraceOps::register_slots() const { return has_uniform_ ? ir::kSlots : ir::kFirstUniform; }

void TraceOps::know(const FactsFile& facts) {
  facts_ = &facts;
  ops_ = facts.ops();
}

std::uint32_t TraceOps::issue(const TraceLine& line) {
  const std::uint32_t index = line.instruction->index;
  if (index >= known_.size()) known_.resize(std::size_t{index} + 1);
  if (facts_ != nullptr) {
    if (!std::exchange(known_[index].is_compared, true)) facts_->require_same(*line.instruction);
    return facts_->op_of(line);
  }
  Known& known = known_[index];
  const MemorySpace space = known.is_generic ? space_of(line) : MemorySpace::None;
  std::uint32_t op = known.ops[static_cast<std::size_t>(space)];
  if (op == kNone) {
    known.is_generic = has_generic_address(line.instruction->opcode);
    const MemorySpace generic = known.is_generic ? space_of(line) : MemorySpace::None;
    op = add(line, generic);
    known.ops[static_cast<std::size_t>(generic)] = op;
  }
  ++uses_[op].issued;
  return op;
}

std::uint32_t TraceOps::issue_latecomers(const TraceLine& line) {
  const std::uint32_t first = issue(line);
  if (facts_ != nullptr) return first;  // in traces that Heddle recorded, all lanes arrive together
  std::uint32_t& op = known_[line.instruction->index].latecomers;
  if (op == kNone) {
    op = add(line, MemorySpace::None);
    ops_[op].kind = stream::OpKind::Compute;
    stream::sum_up(ops_[op]);
  }
  --uses_[first].issued;
  ++uses_[op].issued;
  return op;
}

/// Decided by the address of the first lane; global if no lane executes.
MemorySpace TraceOps::space_of(const TraceLine& line) const {
  if (line.mask == 0) return MemorySpace::Global;
  const Addr address = line.addresses[first_lane(line.mask)];
  if (address - shared_base_ < kWindowBytes) return MemorySpace::Shared;
  if (local_base_ != 0 && address - local_base_ < kWindowBytes) return MemorySpace::Local;
  return MemorySpace::Global;
}

std::uint32_t TraceOps::add(const TraceLine& line, MemorySpace generic) {
  if (ops_.size() == kMost) {
    throw LineMistake(fmt::format("the trace has more than {} instructions", kMost));
  }
  Operation operation = make_operation(line, generic, has_uniform_);
  require_possible(*line.instruction, operation.op.kind);
  if (!is_compiled_) operation.op.register_reads = {};
  fall_back(operation.op, operation.as);
  operation.op.is_stand_in = !operation.as.empty();
  stream::sum_up(operation.op);
  if (is_asynchronous(operation.op.kind))
    asynchronous_.emplace(static_cast<std::uint32_t>(ops_.size()), operation.instruction);
  ops_.push_back(operation.op);
  uses_.push_back({line.instruction->opcode, operation.as, 0});
  return static_cast<std::uint32_t>(ops_.size() - 1);
}

/// Replaces a timing class that the GPU lacks by the most similar one that it has.
void TraceOps::fall_back(stream::StaticOp& op, std::string& as) const {
  const auto is_absent = [this](TimingClass which) { return absent_[static_cast<std::size_t>(which)]; };
  for (unsigned i = 0; is_absent(op.timing_class) && i < ir::kTimingClasses; ++i) {
    op.timing_class = substitute(op.timing_class);
    as = ir::info(op.timing_class).key;
    if (op.kind != stream::OpKind::GroupProduct) continue;
    op.kind = stream::OpKind::Compute;
    op.sums = {};
  }
}

std::vector<Approximation> TraceOps::approximations() const {
  std::map<std::pair<std::string, std::string>, std::uint64_t> counts;
  for (const Use& use : uses_) {
    if (!use.as.empty()) counts[{use.opcode, use.as}] += use.issued;
  }
  std::vector<Approximation> list;
  list.reserve(counts.size());
  for (const auto& [names, issued] : counts) list.push_back({names.first, names.second, issued});
  return list;
}

}  // namespace heddle::trace
