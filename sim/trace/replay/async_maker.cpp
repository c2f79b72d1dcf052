#include "sim/trace/replay/async_maker.h"

#include <algorithm>
#include <bit>

namespace heddle::trace {

namespace {

using stream::AsyncStep;
using stream::PhaseUse;

/// Limit for one bulk copy; no GPU has as much shared memory.
constexpr std::uint64_t kMostBytes = 1U << 20;

/// The second source operand. The first one is the address.
const RegisterValues* operand_of(const TraceLine& line) {
  const std::size_t at = line.instruction->has_destination ? 2 : 1;
  return at < line.values.size() ? &line.values[at] : nullptr;
}

/// Bits 1 to 20 of the register hold 2^20 - count.
std::uint32_t expected_count(std::uint64_t value) {
  constexpr std::uint32_t kBits = 20;
  const auto complement = static_cast<std::uint32_t>(value >> 1) & ((1U << kBits) - 1);
  return (1U << kBits) - complement;
}

std::int64_t low_word(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

/// What an arrival of one lane does. If the number of expected bytes is unknown, it is taken to be one, so
/// that the step is still known to expect bytes.
PhaseUse arrival_of(ir::Modifier form, std::uint32_t barrier, const std::uint64_t* value) {
  switch (form) {
    case ir::Modifier::ArrivalAnnounce:
      return {barrier, 1, value != nullptr ? low_word(*value) : 1};
    case ir::Modifier::ArrivalCount:
      return {barrier, value != nullptr ? static_cast<std::uint32_t>(*value) : 1, 0};
    case ir::Modifier::ArrivalExpect:
      return {barrier, 0, value != nullptr ? low_word(*value) : 1};
    case ir::Modifier::ArrivalComplete:
      return {barrier, 0, value != nullptr ? -low_word(*value) : 0};
    case ir::Modifier::ArrivalExpectOne:
      return {barrier, 0, 1};
    default:
      return {barrier, 1, 0};
  }
}

PhaseUse use_of(const ir::Instruction& instruction, std::uint32_t barrier, const std::uint64_t* value) {
  switch (ir::info(instruction.opcode).action) {
    case ir::Action::InitMbarrier:
      return {barrier, value != nullptr ? expected_count(*value) : 0, 0};
    case ir::Action::ArriveAfterCopies:
      return instruction.modifiers.has(ir::Modifier::CopyArrivalBytes) ? PhaseUse{barrier, 0, -1}
                                                                       : PhaseUse{barrier, 1, 0};
    default: {
      PhaseUse use = arrival_of(instruction.modifiers.get(ir::ModifierGroup::Arrival), barrier, value);
      if (instruction.modifiers.has(ir::Modifier::DepartureOptout)) use.departures = use.count;
      return use;
    }
  }
}

void add(std::vector<PhaseUse>& uses, const PhaseUse& use, bool is_sum) {
  const auto same = std::find_if(uses.begin(), uses.end(),
                                 [&use](const PhaseUse& each) { return each.barrier == use.barrier; });
  if (same == uses.end()) return uses.push_back(use);
  if (!is_sum) return;
  same->count += use.count;
  same->bytes += use.bytes;
  same->departures += use.departures;
}

/// What the step does that a lane's line stands for.
AsyncStep::Action arrival_action(ir::Action action) {
  if (action == ir::Action::InitMbarrier) return AsyncStep::Action::Init;
  return action == ir::Action::ArriveAfterCopies ? AsyncStep::Action::ArriveAfterCopies
                                                 : AsyncStep::Action::Arrive;
}

std::uint32_t offset_of(Addr address) {
  return static_cast<std::uint32_t>(address) & stream::kSharedOffsetMask;
}

}  // namespace

bool AsyncMaker::make(const TraceLine& line, const ir::Instruction& instruction, bool is_in_region,
                      AsyncStep& step) {
  step = AsyncStep();
  if (line.mask == 0) return false;
  switch (ir::info(instruction.opcode).action) {
    case ir::Action::TestMbarrier: {
      const bool waits = is_in_region || instruction.modifiers.has(ir::Modifier::PhaseWaitWait);
      return waits && make_wait(line, step);
    }
    case ir::Action::BulkLoad:
    case ir::Action::BulkStore:
      return make_copy(line, step);
    case ir::Action::ClusterArrive:
      step.action = AsyncStep::Action::ClusterArrive;
      note_other();
      return true;
    case ir::Action::ClusterWait:
      step.action = AsyncStep::Action::ClusterWait;
      note_other();
      return true;
    default:
      return make_arrival(line, instruction, step);
  }
}

/// An arrival by each lane of the mask.
bool AsyncMaker::make_arrival(const TraceLine& line, const ir::Instruction& instruction, AsyncStep& step) {
  if (line.width == 0) return false;
  note_other();
  step.action = arrival_action(ir::info(instruction.opcode).action);
  const RegisterValues* operand = operand_of(line);
  for_each_lane(line.mask, [&](unsigned lane) {
    const std::uint64_t* value = operand != nullptr ? &operand->lanes[lane] : nullptr;
    const PhaseUse use = use_of(instruction, offset_of(line.addresses[lane]), value);
    add(step.uses, use, step.action != AsyncStep::Action::Init);
  });
  return true;
}

/// The lanes of a warp wait together as one. The parity is the highest bit of the register; all other bits
/// are 0.
bool AsyncMaker::make_wait(const TraceLine& line, AsyncStep& step) {
  if (line.width == 0) return false;
  const auto lane = static_cast<unsigned>(std::countr_zero(line.mask));
  const std::uint32_t barrier = offset_of(line.addresses[lane]);
  step.action = AsyncStep::Action::Wait;
  step.uses = {{barrier, 0, 0}};
  if (const RegisterValues* operand = operand_of(line)) {
    step.knows_parity = true;
    step.parity = operand->lanes[lane] != 0;
  }
  if (waited_ != barrier) ++rounds_[barrier];
  waited_ = barrier;
  step.round = rounds_[barrier];
  return true;
}

/// In a multicast copy each block of the cluster sends its part to all blocks. The parts of the other blocks
/// are taken to arrive together with the part of this one.
bool AsyncMaker::make_copy(const TraceLine& line, AsyncStep& step) {
  if (!line.has_bulk) return false;
  note_other();
  step.action = AsyncStep::Action::Copy;
  step.addresses = line.bulk.addresses;
  const auto most = static_cast<std::uint32_t>(kMostBytes / std::max<std::size_t>(step.addresses.size(), 1));
  step.piece_bytes = std::min(line.width, std::max(most, 1U));
  step.bytes = std::min<std::uint64_t>(line.bulk.bytes, kMostBytes);
  if (line.bulk.is_multicast)
    step.bytes *= std::max(1U, static_cast<unsigned>(std::popcount(line.bulk.blocks)));
  if (line.bulk.barrier != 0) step.uses = {{offset_of(line.bulk.barrier), 0, 0}};
  return true;
}

void CopyPlan::note(const AsyncStep& step) {
  for (const PhaseUse& use : step.uses) {
    if (step.action == AsyncStep::Action::Copy) ++counts_[use.barrier].copies;
    if (step.action == AsyncStep::Action::Arrive && use.bytes > 0) ++counts_[use.barrier].announcements;
  }
}

CopyPlan::Share CopyPlan::share(std::uint32_t barrier) const {
  const auto found = counts_.find(barrier);
  if (found == counts_.end() || found->second.copies == 0) return {};
  const Counts& counts = found->second;
  const std::uint32_t each = std::max(1U, counts.copies / std::max(1U, counts.announcements));
  return {counts.announcements == 0 ? 1 : each,
          counts.announcements == 0 ? counts.copies : counts.copies / each};
}

}  // namespace heddle::trace
