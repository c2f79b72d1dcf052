#include "isa/exec/live_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "isa/base/diagnostic.h"
#include "isa/base/host_prefetch.h"
#include "isa/base/lane_addresses.h"
#include "isa/exec/narrow_data.h"
#include "isa/exec/wide_value.h"
#include "isa/text/disassemble.h"

namespace heddle::exec {

namespace {

std::string name_of(ir::RegisterSlot slot) {
  if (ir::is_uniform_slot(slot)) return fmt::format("UR{}", slot - ir::kFirstUniform);
  if (ir::is_register_slot(slot)) return fmt::format("R{}", slot - ir::kFirstRegister);
  if (ir::is_uniform_predicate_slot(slot)) return fmt::format("UP{}", slot - ir::kUniformPredicateSlots);
  return fmt::format("P{}", slot - (ir::is_guard_slot(slot) ? ir::kGuardSlots : ir::kPredicateSlots));
}

}  // namespace

LiveKernel::LiveKernel(Launch launch, GlobalMemory& memory, unsigned warp_size, Divergence divergence,
                       const TensorArithmetic& tensor)
    : launch_(std::move(launch)),
      memory_(memory),
      divergence_(divergence),
      tensor_(tensor),
      decoded_(decode(launch_, warp_size, divergence)) {
  shape_.kernel = launch_.kernel.name;
  shape_.grid = launch_.grid;
  shape_.block = launch_.block;
  shape_.registers_per_thread = std::max(launch_.registers_per_thread, launch_.kernel.registers);
  shape_.shared_bytes_per_block = launch_.kernel.static_shared_bytes + launch_.dynamic_shared_bytes;
  shape_.barriers_per_block = launch_.kernel.barriers;
  shape_.warp_size = warp_size;
  const std::uint64_t threads = round_up(launch_.block.count(), warp_size);
  for (std::uint64_t thread = 0; thread < threads; ++thread) {
    const Dim3 index = launch_.block.position_of(thread);
    thread_index_[0].push_back(index.x);
    thread_index_[1].push_back(index.y);
    thread_index_[2].push_back(index.z);
  }
  shape_.register_slots = decoded_.register_slots;
}

std::unique_ptr<stream::WarpSource> LiveKernel::make_warp_source(SmId sm, std::uint32_t warp_slots) {
  if (pending_.size() <= sm) pending_.resize(sm + 1);
  pending_[sm] = std::make_unique<PendingWrites>();
  return std::make_unique<LiveSource>(*this, warp_slots, sm, pending_[sm].get());
}

void LiveKernel::exchange(ThreadTeam& team) { write_commit_.commit(pending_, team); }

LiveSource::LiveSource(const LiveKernel& kernel, std::uint32_t warp_slots, SmId sm, PendingWrites* pending)
    : kernel_(kernel),
      decoded_(kernel.decoded()),
      instructions_(decoded_.instructions.data()),
      static_ops_(decoded_.static_ops.data()),
      constants_(decoded_.constants.data()),
      watches_(!decoded_.watched.empty()),
      lanes_(kernel.shape().warp_size),
      first_slot_(std::uint64_t{sm} * warp_slots),
      pending_(pending),
      warps_(warp_slots) {
  plain_args_.second = &lost_carries_;
  plain_args_.lanes = lanes_;
  for (Warp& warp : warps_) warp.paths = Paths(kernel.divergence());
}

void LiveSource::start_block(BlockId block, std::span<const WarpSlot> slots,
                             std::span<const stream::StaticOp*> first) {
  const std::uint32_t context = take_context(block);
  // A start touches more of a warp than host_prefetch() has asked for.
  for (const WarpSlot slot : slots) prefetch_bytes(&warps_[slot], sizeof(Warp));
  for (std::uint32_t i = 0; i < slots.size(); ++i) {
    start_warp(warps_[slots[i]], i, context);
    first[i] = decoded_.static_ops.data();
  }
}

std::uint32_t LiveSource::take_context(BlockId block) {
  const std::uint32_t index = contexts_.take();
  contexts_[index].block = block;
  contexts_[index].rounds = {};
  contexts_[index].shared.assign(kernel_.shape().shared_bytes_per_block, std::byte{0});
  return index;
}

void LiveSource::start_warp(Warp& warp, std::uint32_t warp_in_block, std::uint32_t context) {
  if (!warp.registers) {
    const std::size_t words = std::size_t{decoded_.warp_rows} * lanes_;
    warp.registers = hwy::AllocateAligned<std::uint32_t>(words);
    std::fill_n(warp.registers.get(), words, 0U);
  }
  const std::uint64_t first_thread = std::uint64_t{warp_in_block} * lanes_;
  const std::uint64_t threads = kernel_.shape().threads_per_block() - first_thread;
  warp.paths.start(first_lanes(static_cast<unsigned>(std::min<std::uint64_t>(threads, lanes_))), 0);
  warp.calls.clear();
  warp.lane_spin = {};
  warp.spin = {};
  warp.jumps_back = 0;
  warp.round.reset();
  warp.predicates.fill(0);
  warp.predicates[ir::kPredicateTrue] = warp.predicates[ir::kUniformPredicateTrue] = ~LaneMask{0};
  warp.local.assign(std::size_t{kernel_.launch().kernel.local_bytes} * lanes_, std::byte{0});
  warp.warp_in_block = warp_in_block;
  warp.block_context = context;
  if (watches_) warp.written.assign(ir::kSlots, 0);
}

// Where the registers lie, the warp says: it is fetched ahead.
void LiveSource::host_prefetch(WarpSlot slot, PrefetchStep step) const {
  constexpr std::size_t kMostShared = 4096;
  if (step == PrefetchStep::Object) {
    if (slot == 0) prefetch_bytes(this, sizeof *this);
    if (slot == 1) prefetch_bytes(contexts_.all().data(), contexts_.all().size_bytes());
    return prefetch_ahead(warps_, slot, Warp::kHotBytes);
  }
  const Warp& warp = warps_[slot];
  if (warp.paths.active() != warp.paths.live()) prefetch_bytes(&warp, Warp::kDivergedBytes);
  prefetch_bytes(warp.registers.get(), std::size_t{decoded_.warp_rows} * lanes_ * sizeof(std::uint32_t));
  if (warp.warp_in_block != 0 || warp.block_context >= contexts_.all().size()) return;
  const std::vector<std::byte>& shared = contexts_[warp.block_context].shared;
  prefetch_bytes(shared.data(), std::min(shared.size(), kMostShared));
}

void LiveSource::end_block(std::span<const WarpSlot> slots) {
  contexts_.give_back(warps_[slots.front()].block_context);
}

// What most instructions are comes first, and what they call last, so that nothing need be kept meanwhile.
const stream::WarpStep& LiveSource::issue(WarpSlot slot, Cycle now) {
  now_ = now;
  Warp& warp = warps_[slot];
  const Decoded& op = instructions_[warp.paths.pc()];
  step_.live = warp.paths.live();
  step_.active = step_.executed = warp.paths.active();
  step_.addresses = nullptr;
  if (!op.is_plain_for_all || step_.active != step_.live) return issue_any(op, warp);
  warp.paths.advance(warp.paths.pc() + 1);
  step_.next = static_ops_ + warp.paths.pc();
  run_plain(op, warp, warp.registers.get() + op.out_offset);
  return step_;
}

[[gnu::noinline]] const stream::WarpStep& LiveSource::issue_any(const Decoded& op, Warp& warp) {
  if (!op.guard.always()) step_.executed &= warp.predicate(op.guard.predicate, op.guard.negated);
  if (watches_) watch(decoded_.watched[warp.paths.pc()], warp, step_.active, step_.executed);
  if (op.is_plain && step_.executed == step_.live) {
    run_plain(op, warp, warp.registers.get() + op.out_offset);
    warp.paths.advance(warp.paths.pc() + 1);
  } else {
    execute(op, warp, step_.executed);
  }
  step_.next = find_next(warp);
  step_.next_active = warp.paths.active();
  return step_;
}

/// What the running lanes issue next; null if none is left.
const stream::StaticOp* LiveSource::find_next(Warp& warp) {
  if (warp.paths.active() != warp.paths.live()) {
    if (kernel_.divergence() == Divergence::Barriers) gather_at_block_barrier(warp);
    if (warp.paths.active() == 0) fail_stuck(warp);
  }
  return warp.paths.active() != 0 ? static_ops_ + warp.paths.pc() : nullptr;
}

// Apart from issue(), lest that one saves and restores registers for all that can be met here.
[[gnu::noinline]] void LiveSource::execute(const Decoded& op, Warp& warp, LaneMask executed) {
  const Pc next = warp.paths.pc() + 1;
  if (op.is_for_warp) {
    write_uniform(op, warp, executed);
    warp.paths.advance(next);
    return;
  }
  switch (op.action) {
    case ir::Action::Lanes: run_lanes(op, warp, executed); break;
    case ir::Action::SpecialRegister: read_special(op, warp, executed); break;
    case ir::Action::Shuffle: shuffle(op, warp, executed); break;
    case ir::Action::Vote: vote(op, warp, executed); break;
    case ir::Action::MatchAny: match_any(op, warp, executed); break;
    case ir::Action::MatchAll: match_all(op, warp, executed); break;
    case ir::Action::Reduce: reduce(op, warp, executed); break;
    case ir::Action::PackPredicates: pack_predicates(op, warp, executed); break;
    case ir::Action::UnpackPredicates: unpack_predicates(op, warp, executed); break;
    case ir::Action::MatrixMultiply: multiply_matrices(op, warp, executed); break;
    case ir::Action::MultiplyInGroup:
      multiply_in_group(op, warp, executed);
      break;
    case ir::Action::ArriveInGroup:
      if (executed == 0) break;
      require_warpgroup(warp, executed);
      ++barrier_arrivals_;
      break;
    case ir::Action::UniformLanes:
    case ir::Action::ToUniform: break;  // for nobody
    case ir::Action::LoadConstant:
      load_constant(op, warp, executed);
      step_.addresses = addresses_.data();
      break;
    case ir::Action::LoadMatrix:
      load_matrices(op, warp, executed);
      step_.addresses = addresses_.data();
      break;
    case ir::Action::Load:
    case ir::Action::Store:
    case ir::Action::Atomic:
      if (executed != 0) access_memory(op, warp, executed);
      step_.addresses = addresses_.data();
      break;
    case ir::Action::Branch: branch(op, warp, executed); return;
    case ir::Action::Exit:
      step_.executed = executed = under_condition(op, warp, executed);
      // Where all running lanes exit, another path comes up and stands where it waited.
      warp.paths.exit(executed);
      if (step_.active != executed) warp.paths.advance(next);
      return;
    case ir::Action::Barrier:
    case ir::Action::BarrierArrive:
    case ir::Action::BarrierReduce:
      come_to_barrier(op, warp, executed);
      break;
    case ir::Action::BarrierResult: read_barrier_result(op, warp, executed); break;
    case ir::Action::Copy:
      if (executed != 0) copy_to_shared(op, warp, executed);
      step_.addresses = addresses_.data();
      step_.shared_addresses = shared_addresses_.data();
      break;
    case ir::Action::Sleep:
      step_.nanoseconds = sleep_time(op, warp, executed);
      [[fallthrough]];
    case ir::Action::IndirectBranch:
    case ir::Action::Call:
    case ir::Action::Return:
    case ir::Action::Arm:
    case ir::Action::Converge:
    case ir::Action::Leave:
    case ir::Action::SaveBarrier:
    case ir::Action::RestoreBarrier:
    case ir::Action::WarpSync:
    case ir::Action::Yield: control(op, warp, executed); return;
    case ir::Action::BlockFence:
    case ir::Action::Fence:
    case ir::Action::InvalidateL1:
    case ir::Action::CommitCopies:
    case ir::Action::AwaitCopies:
    case ir::Action::AwaitProducts:
    case ir::Action::Nop: break;
    case ir::Action::InitMbarrier:
    case ir::Action::ArriveMbarrier:
    case ir::Action::ArriveAfterCopies:
    case ir::Action::TestMbarrier:
    case ir::Action::ClusterArrive:
    case ir::Action::ClusterWait:
    case ir::Action::BulkLoad:
    case ir::Action::BulkStore:
    case ir::Action::CommitBulk:
    case ir::Action::ProxyFence: break;  // refused when kernels are decoded
  }
  warp.paths.advance(next);
}

/// For all lanes of the row, wherever the result goes.
inline void LiveSource::run_plain(const Decoded& op, const Warp& warp, Row result) {
  const std::uint32_t* a = source(warp, op.a);
  const std::uint32_t* b = source(warp, op.b);
  const std::uint32_t* c = source(warp, op.c);
  plain_args_.out = result;
  plain_args_.a = a;
  plain_args_.b = b;
  plain_args_.c = c;
  plain_args_.immediate = op.immediate;
  op.function(plain_args_);
}

// Where the lanes that write are all that are left in the warp, nobody can see what the dead ones hold.
void LiveSource::run_lanes(const Decoded& op, Warp& warp, LaneMask executed) {
  if (!op.is_plain) return run_all_sorts(op, warp, executed, executed == warp.paths.live());
  run_plain(op, warp, partial_result_.data());
  blend_rows(warp.registers.get() + op.out_offset, partial_result_.data(), executed, op.out_rows, lanes_);
}

void LiveSource::run_all_sorts(const Decoded& op, Warp& warp, LaneMask executed, bool whole) {
  LaneArgs args;
  args.out = whole ? out(op, warp) : partial_result_.data();
  args.a = source(warp, op.a);
  args.b = source(warp, op.b);
  args.c = source(warp, op.c);
  if (op.has_modified_source) {
    args.a = modified_source(op, warp, op.a, modified_[0].data());
    args.b = modified_source(op, warp, op.b, modified_[1].data());
    args.c = modified_source(op, warp, op.c, modified_[2].data());
  }
  args.predicate = warp.predicate(op.predicates[0].index, op.predicates[0].negated);
  for (unsigned i = 1; i < op.predicate_sources; ++i) {
    args.more_predicates[i - 1] = warp.predicate(op.predicates[i].index, op.predicates[i].negated);
  }
  LaneMask second = 0;
  args.second = &second;
  args.immediate = op.immediate;
  args.lanes = lanes_;
  const LaneMask holds = op.function(args);
  if (op.writes_predicates) write_predicates(op, warp, args, holds, executed);
  if (!whole && op.out_rows != 0) {
    blend_rows(out(op, warp), args.out, executed, op.out_rows, lanes_);
  }
}

/// The operand with its sign handled, in `out` if it has one to handle.
const std::uint32_t* LiveSource::modified_source(const Decoded& op, const Warp& warp, const SourceRows& rows,
                                                 Row out) const {
  const std::uint32_t* plain = source(warp, rows);
  if (!rows.is_modified()) return plain;
  const std::uint32_t keep = rows.absolute ? ~op.sign_bits : ~0U;
  const std::uint32_t flip = rows.negated ? op.sign_bits : 0;
  const unsigned words = rows.rows * lanes_;
  const unsigned last_row = words - lanes_;
  std::copy_n(plain, words, out);
  if (op.sign_bits == 0 && rows.negated) negate(out, rows.rows, lanes_);
  for (unsigned i = 0; i < words; ++i) {
    const bool has_sign = (i >= last_row && op.sign_bits != 0) || op.sign_bits == ~0U;  // of what is inverted, each word
    if (has_sign) out[i] = (plain[i] & keep) ^ flip;
  }
  if (rows.part != ir::RegisterPart::All) {
    for (unsigned i = 0; i < lanes_; ++i) out[i] = part_of(out[i], rows.part);
  }
  return out;
}

void LiveSource::write_predicates(const Decoded& op, Warp& warp, const LaneArgs& args, LaneMask holds,
                                  LaneMask executed) const {
  const auto combine = [&](LaneMask mask) {
    switch (op.combine) {
      case ir::Modifier::BoolAnd: return mask & args.predicate;
      case ir::Modifier::BoolOr: return mask | args.predicate;
      case ir::Modifier::BoolXor: return mask ^ args.predicate;
      default: return mask;
    }
  };
  // A comparison's second result is the opposite of its first; others compute theirs.
  const bool is_comparison = op.combine != ir::Modifier::BoolNone;
  const bool has_opposite = is_comparison && !op.has_second_result;
  const LaneMask results[2] = {combine(holds), combine(has_opposite ? ~holds : *args.second)};
  for (unsigned i = 0; i < 2; ++i) {
    warp.set_predicate(op.out_predicate[i], results[i], executed);
  }
}

void LiveSource::read_special(const Decoded& op, Warp& warp, LaneMask executed) {
  const Dim3 block = kernel_.shape().grid.position_of(contexts_[warp.block_context].block);
  const std::size_t first_thread = std::size_t{warp.warp_in_block} * lanes_;
  std::array<std::uint32_t, kMaxWarpSize> values{};
  const std::uint32_t* from = values.data();
  const auto which = static_cast<ir::SpecialRegister>(op.immediate);
  switch (which) {
    case ir::SpecialRegister::TidX: from = kernel_.thread_index(0) + first_thread; break;
    case ir::SpecialRegister::TidY: from = kernel_.thread_index(1) + first_thread; break;
    case ir::SpecialRegister::TidZ: from = kernel_.thread_index(2) + first_thread; break;
    case ir::SpecialRegister::CtaidX: values.fill(block.x); break;
    case ir::SpecialRegister::CtaidY: values.fill(block.y); break;
    case ir::SpecialRegister::CtaidZ: values.fill(block.z); break;
    case ir::SpecialRegister::Laneid: std::iota(values.begin(), values.end(), 0U); break;
    case ir::SpecialRegister::OwnLane:
    case ir::SpecialRegister::LanesBelow:
    case ir::SpecialRegister::LanesUpTo:
    case ir::SpecialRegister::LanesAbove:
    case ir::SpecialRegister::LanesFrom:
      for (unsigned lane = 0; lane < lanes_; ++lane) values[lane] = lane_mask_register(which, lane);
      break;
    case ir::SpecialRegister::ClockLo:
      ++changes_;
      values.fill(static_cast<std::uint32_t>(now_));
      break;
    case ir::SpecialRegister::ClockHi:
      ++changes_;
      values.fill(static_cast<std::uint32_t>(now_ >> 32));
      break;
    case ir::SpecialRegister::ClusterRank:
    case ir::SpecialRegister::Zero:
    case ir::SpecialRegister::kCount: break;
  }
  blend_rows(out(op, warp), from, executed, 1, lanes_);
  if (op.out_rows == 1) return;
  values.fill(which == ir::SpecialRegister::ClockLo ? static_cast<std::uint32_t>(now_ >> 32) : 0);
  blend_rows(out(op, warp) + lanes_, values.data(), executed, 1, lanes_);
}

void LiveSource::watch(const ir::RegisterUse& use, Warp& warp, LaneMask active, LaneMask executed) const {
  const auto check = [&](ir::RegisterSlot slot) {
    const bool may_guard = ir::is_guard_slot(slot) || ir::is_uniform_predicate_slot(slot);
    const LaneMask unwritten = (may_guard ? active : executed) & ~warp.written[slot];
    if (unwritten == 0) return;
    const unsigned lane = first_lane(unwritten);
    fail(warp, stream::FaultKind::UnwrittenRegister,
         fmt::format("reads {}, which was never written, in lane {}", name_of(slot), lane), lane);
  };
  for (const ir::RegisterSlot slot : use.reads) check(slot);
  const unsigned end = use.sums.first + use.sums.count;
  for (unsigned slot = use.reads_sums ? use.sums.first : end; slot < end; ++slot) {
    check(static_cast<ir::RegisterSlot>(slot));
  }
  for (const ir::RegisterSlot slot : use.writes) {
    warp.written[slot] |= ir::is_shared_slot(slot) && executed != 0 ? ~LaneMask{0} : executed;
  }
  for (unsigned slot = use.sums.first; slot < end; ++slot) warp.written[slot] |= executed;
}

std::string LiveSource::describe(WarpSlot slot) const {
  const Warp& warp = warps_[slot];
  return describe(warp, warp.paths.pc(), warp.paths.active());
}

std::string LiveSource::describe(const Warp& warp, Pc pc, LaneMask lanes) const {
  const Dim3 block = kernel_.shape().grid.position_of(contexts_[warp.block_context].block);
  const ir::Kernel& kernel = kernel_.launch().kernel;
  std::string text = fmt::format("instruction {} ({}{}), block ({},{},{}), warp {}", pc, text::disassemble(kernel, pc),
                                 kernel.instructions[pc].line == 0
                                     ? ""
                                     : fmt::format(", {}:{}", kernel.file, kernel.instructions[pc].line),
                                 block.x, block.y, block.z, warp.warp_in_block);
  if (lanes != 0 && lanes != warp.paths.live())
    text += fmt::format(", lanes {:#x} of {:#x}", lanes, warp.paths.live());
  return text;
}

void LiveSource::fail(const Warp& warp, stream::FaultKind kind, const std::string& what,
                      std::optional<unsigned> lane, std::optional<Addr> address) const {
  const auto slot = static_cast<WarpSlot>(&warp - warps_.data());
  const ir::Kernel& kernel = kernel_.launch().kernel;
  const Pc pc = warp.paths.pc();
  const std::uint32_t line = pc < kernel.instructions.size() ? kernel.instructions[pc].line : 0;
  throw stream::KernelFault(
      kind, fmt::format("kernel {}: {}: {}", kernel.name, describe(slot), what),
      {pc, line, contexts_[warp.block_context].block, warp.warp_in_block, lane, address});
}

}  // namespace heddle::exec
