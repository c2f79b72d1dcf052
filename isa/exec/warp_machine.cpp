#include "isa/exec/warp_machine.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/base/host_prefetch.h"
#include "isa/text/disassemble.h"

namespace heddle::exec {

WarpMachine::WarpMachine(const LiveKernel& live_kernel, std::uint32_t warp_slots,
                         PendingWrites* pending_writes, Transaction* blocks_transaction)
    : kernel(live_kernel),
      decoded(kernel.decoded()),
      constants(decoded.constants.data()),
      lanes(kernel.shape().warp_size),
      pending(pending_writes),
      transaction(blocks_transaction),
      warp_slots_(warp_slots) {}

void WarpMachine::start_block(BlockId block, std::span<const WarpSlot> slots) {
  if (warps.empty()) make_warps();
  const std::uint32_t number = take_context(block);
  // A start touches more of a warp than host_prefetch() has asked for.
  for (const WarpSlot slot : slots) prefetch_bytes(&warps[slot], sizeof(Warp));
  for (std::uint32_t i = 0; i < slots.size(); ++i) start_warp(warps[slots[i]], i, number);
}

/// Of a launch with few blocks most SMs have none, and programs launch thousands of such.
void WarpMachine::make_warps() {
  warps = std::vector<Warp>(warp_slots_);
  for (Warp& warp : warps) warp.paths = Paths(kernel.divergence());
}

std::uint32_t WarpMachine::take_context(BlockId block) {
  const std::uint32_t index = contexts.take();
  contexts[index].block = block;
  contexts[index].rounds = {};
  contexts[index].shared.assign(kernel.shape().shared_bytes_per_block, std::byte{0});
  return index;
}

void WarpMachine::start_warp(Warp& warp, std::uint32_t warp_in_block, std::uint32_t context_number) {
  if (!warp.registers) {
    const std::size_t words = std::size_t{decoded.warp_rows} * lanes;
    warp.registers = hwy::AllocateAligned<std::uint32_t>(words);
    std::fill_n(warp.registers.get(), words, 0U);
  }
  const std::uint64_t first_thread = std::uint64_t{warp_in_block} * lanes;
  const std::uint64_t threads = kernel.shape().threads_per_block() - first_thread;
  warp.paths.start(first_lanes(static_cast<unsigned>(std::min<std::uint64_t>(threads, lanes))), 0);
  warp.calls.clear();
  warp.lane_spin = {};
  warp.spin = {};
  warp.jumps_back = 0;
  warp.round.reset();
  warp.predicates.fill(0);
  warp.predicates[ir::kPredicateTrue] = warp.predicates[ir::kUniformPredicateTrue] = ~LaneMask{0};
  warp.local.assign(std::size_t{kernel.launch().kernel.local_bytes} * lanes, std::byte{0});
  warp.warp_in_block = warp_in_block;
  warp.block_context = context_number;
  if (!decoded.watched.empty()) warp.written.assign(ir::kSlots, 0);
}

// Inlined, it would take registers from those who rarely call it.
[[gnu::noinline]] void WarpMachine::note_registers(const ir::RegisterUse& use, Warp& warp, LaneMask active,
                                 LaneMask executed) const {
  const auto check = [&](ir::RegisterSlot slot) {
    const bool may_guard = ir::is_guard_slot(slot) || ir::is_uniform_predicate_slot(slot);
    const LaneMask unwritten = (may_guard ? active : executed) & ~warp.written[slot];
    if (unwritten == 0) return;
    const unsigned lane = first_lane(unwritten);
    fail(warp, stream::FaultKind::UnwrittenRegister,
         fmt::format("reads {}, which was never written, in lane {}", ir::slot_name(slot), lane), lane);
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

std::string WarpMachine::describe(const Warp& warp, Pc pc, LaneMask path) const {
  const Dim3 block = block_of(warp);
  const ir::Kernel& code = kernel.launch().kernel;
  const std::uint32_t line = code.instructions[pc].line;
  std::string text =
      fmt::format("instruction {} ({}{}), block ({},{},{}), warp {}", pc, text::disassemble(code, pc),
                  line == 0 ? "" : fmt::format(", {}:{}", code.file, line), block.x, block.y, block.z,
                  warp.warp_in_block);
  if (path != 0 && path != warp.paths.live())
    text += fmt::format(", lanes {:#x} of {:#x}", path, warp.paths.live());
  return text;
}

void WarpMachine::require_all_lanes(const Warp& warp, LaneMask executed) const {
  const LaneMask missing = first_lanes(lanes) & ~executed;
  if (missing == 0) return;
  fail(warp, stream::FaultKind::Lanes,
       fmt::format("needs all {} lanes of the warp; lanes {:#x} do not take part", lanes, missing));
}

bool WarpMachine::forgive(const Warp& warp, const std::string& what) const {
  const Launch& launch = kernel.launch();
  if (launch.forgiven) launch.forgiven->note({launch.kernel.name, warp.paths.pc(), what});
  return launch.forgiven != nullptr;
}

void WarpMachine::fail(const Warp& warp, stream::FaultKind kind, const std::string& what,
                       std::optional<unsigned> lane, std::optional<Addr> address) const {
  const ir::Kernel& code = kernel.launch().kernel;
  const Pc pc = warp.paths.pc();
  const std::uint32_t line = pc < code.instructions.size() ? code.instructions[pc].line : 0;
  throw stream::KernelFault(
      kind, fmt::format("kernel {}: {}: {}", code.name, describe(warp, pc, warp.paths.active()), what),
      {pc, line, context(warp).block, warp.warp_in_block, lane, address});
}

}  // namespace heddle::exec
