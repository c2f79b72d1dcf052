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

/// What one lane does. If the number of expected bytes is unknown, it is taken to be one, so that the step is
/// still known to expect bytes.
PhaseUse use_of(AsyncOpcode opcode, std::uint32_t barrier, const std::uint64_t* value) {
  switch (opcode) {
    case AsyncOpcode::Init:
      return {barrier, value != nullptr ? expected_count(*value) : 0, 0};
    case AsyncOpcode::ArriveExpect:
      return {barrier, 1, value != nullptr ? low_word(*value) : 1};
    case AsyncOpcode::ArriveCount:
      return {barrier, value != nullptr ? static_cast<std::uint32_t>(*value) : 1, 0};
    case AsyncOpcode::Expect:
      return {barrier, 0, value != nullptr ? low_word(*value) : 1};
    case AsyncOpcode::Complete:
      return {barrier, 0, value != nullptr ? -low_word(*value) : 0};
    case AsyncOpcode::ExpectOne:
      return {barrier, 0, 1};
    default:
      return {barrier, 1, 0};
  }
}

void add(std::vector<PhaseUse>& uses, const PhaseUse& use, bool is_sum) {
  const auto same = std::find_if(uses.begin(), uses.end(),
                                 [&use](const PhaseUse& each) { return each.barrier == use.barrier; });
  if (same == uses.end()) return uses.push_back(use);
  if (!is_sum) return;
  same->count += use.count;
  same->bytes += use.bytes;
}

std::uint32_t offset_of(Addr address) {
  return static_cast<std::uint32_t>(address) & stream::kSharedOffsetMask;
}

}  // namespace

bool AsyncMaker::make(const TraceLine& line, bool is_in_region, AsyncStep& step) {
  step = AsyncStep();
  if (line.mask == 0) return false;
  const AsyncOpcode opcode = async_opcode(line.instruction->opcode);
  switch (opcode) {
    case AsyncOpcode::Test:
      return is_in_region && make_wait(line, step);
    case AsyncOpcode::Wait:
      return make_wait(line, step);
    case AsyncOpcode::BulkLoad:
    case AsyncOpcode::BulkStore:
      return make_copy(line, step);
    case AsyncOpcode::ClusterArrive:
      step.action = AsyncStep::Action::ClusterArrive;
      note_other();
      return true;
    case AsyncOpcode::ClusterWait:
      step.action = AsyncStep::Action::ClusterWait;
      note_other();
      return true;
    default:
      return make_arrival(line, opcode, step);
  }
}

/// An arrival by each lane of the mask.
bool AsyncMaker::make_arrival(const TraceLine& line, AsyncOpcode opcode, AsyncStep& step) {
  if (line.width == 0 || kind_of(opcode) != stream::OpKind::Mbarrier) return false;
  note_other();
  const bool waits_for_copies =
      opcode == AsyncOpcode::ArriveAfterCopies || opcode == AsyncOpcode::ExpectCopies;
  step.action = opcode == AsyncOpcode::Init ? AsyncStep::Action::Init
                : waits_for_copies          ? AsyncStep::Action::ArriveAfterCopies
                                            : AsyncStep::Action::Arrive;
  const RegisterValues* operand = operand_of(line);
  for (std::uint32_t rest = line.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    PhaseUse use =
        use_of(opcode, offset_of(line.addresses[lane]), operand != nullptr ? &operand->lanes[lane] : nullptr);
    if (opcode == AsyncOpcode::ExpectCopies) use = {use.barrier, 0, -1};
    add(step.uses, use, opcode != AsyncOpcode::Init);
  }
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
