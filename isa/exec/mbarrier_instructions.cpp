#include "isa/exec/mbarrier_instructions.h"

#include <algorithm>
#include <cstring>

#include "isa/exec/wide_value.h"

namespace heddle::exec {

namespace {

using stream::AsyncStep;

constexpr unsigned kParityBit = 31;  // of the register that PHASECHK has

/// Mbarriers that several lanes change count once.
void add(std::vector<stream::PhaseUse>& uses, std::uint32_t barrier, const MbarrierChange& change) {
  auto same = std::find_if(uses.begin(), uses.end(), [&](const auto& use) { return use.barrier == barrier; });
  if (same == uses.end()) same = uses.insert(uses.end(), {barrier});
  same->count += change.arrivals;
  same->bytes += change.bytes;
  if (change.departs) same->departures += change.arrivals;
}

}  // namespace

void MbarrierInstructions::run(const Decoded& op, Warp& warp, LaneMask executed) {
  step_ = {};
  machine_.step.async = &step_;
  switch (op.action) {
    case ir::Action::InitMbarrier: return init(op, warp, executed);
    case ir::Action::ClusterArrive: step_.action = AsyncStep::Action::ClusterArrive; return;
    case ir::Action::ClusterWait: step_.action = AsyncStep::Action::ClusterWait; return;
    default: return arrive(op, warp, executed);
  }
}

/// Leaves where each lane's mbarrier lies in the machine's addresses.
void MbarrierInstructions::find(const Decoded& op, Warp& warp, LaneMask executed) {
  addressing_.place_in_window(op, warp, executed, machine_.shared(warp).size());
}

std::uint32_t MbarrierInstructions::barrier_of(unsigned lane) const {
  return static_cast<std::uint32_t>(machine_.addresses[lane]);
}

void MbarrierInstructions::init(const Decoded& op, Warp& warp, LaneMask executed) {
  find(op, warp, executed);
  step_.action = AsyncStep::Action::Init;
  const std::uint32_t* const words = machine_.source(warp, op.b);
  for_each_lane(executed, [&](unsigned lane) {
    const std::uint64_t word = wide_value(words, 2, lane, machine_.lanes);
    std::memcpy(machine_.shared(warp).data() + barrier_of(lane), &word, sizeof word);
    step_.uses.push_back({barrier_of(lane), expected_arrivals(word)});
  });
  ++machine_.changes;
}

MbarrierChange MbarrierInstructions::change_of(const Decoded& op, const Warp& warp, unsigned lane) const {
  const std::uint32_t number = op.b.rows == 0 ? 0 : machine_.source(warp, op.b)[lane];
  const bool departs = op.departs;
  switch (op.arrival) {
    case ir::Modifier::ArrivalAnnounce: return {1, departs, number};
    case ir::Modifier::ArrivalCount: return {number, departs, 0};
    case ir::Modifier::ArrivalExpect: return {0, false, number};
    case ir::Modifier::ArrivalComplete: return {0, false, -std::int64_t{number}};
    case ir::Modifier::ArrivalExpectOne: return {0, false, 1};
    case ir::Modifier::CopyArrivalBytes: return {0, false, -1};
    default: return {1, departs, 0};  // ArrivalOne, CopyArrivalCount
  }
}

std::uint64_t MbarrierInstructions::update(Warp& warp, std::uint32_t barrier, const MbarrierChange& change) {
  std::byte* const place = machine_.shared(warp).data() + barrier;
  std::uint64_t before = 0;
  std::memcpy(&before, place, sizeof before);
  const std::uint64_t after = changed_mbarrier(before, change);
  std::memcpy(place, &after, sizeof after);
  ++machine_.changes;
  add(step_.uses, barrier, change);
  if (watch_ != nullptr) watch_->release(warp.warp_in_block, barrier);
  return before;
}

/// Lane by lane, each being told what was there before it. The lane's LDGSTS have brought their data when they issued;
/// in time the arrival waits for them.
void MbarrierInstructions::arrive(const Decoded& op, Warp& warp, LaneMask executed) {
  find(op, warp, executed);
  step_.action = op.action == ir::Action::ArriveAfterCopies ? AsyncStep::Action::ArriveAfterCopies
                                                            : AsyncStep::Action::Arrive;
  std::uint32_t* const out = op.out_rows == 0 || op.out_is_lost ? nullptr : machine_.out(op, warp);
  for_each_lane(executed, [&](unsigned lane) {
    const std::uint64_t before = update(warp, barrier_of(lane), change_of(op, warp, lane));
    if (out == nullptr) return;
    out[lane] = static_cast<std::uint32_t>(before);
    out[machine_.lanes + lane] = static_cast<std::uint32_t>(before >> 32);
  });
}

void MbarrierInstructions::receive(const Decoded& op, Warp& warp, LaneMask executed, std::uint32_t barrier,
                                   std::uint64_t bytes) {
  Decoded place = op;
  place.action = ir::Action::Atomic;
  place.space = stream::MemorySpace::Shared;
  place.bytes = 8;
  const unsigned lane = first_lane(executed);
  machine_.addresses[lane] = barrier;
  if (barrier % place.bytes != 0) addressing_.fail_address(place, warp, LaneMask{1} << lane, true);
  if (Addr{barrier} + place.bytes > machine_.shared(warp).size())
    addressing_.fail_address(place, warp, LaneMask{1} << lane, false);
  update(warp, barrier, {0, false, -static_cast<std::int64_t>(bytes)});
}

/// A warp whose lanes are all here waits, in time, also for a phase that is not over yet: then it asks again. Where other
/// lanes of the warp may be who end it, it does not. Lanes that name several mbarriers wait at that of the first lane.
bool MbarrierInstructions::test(const Decoded& op, Warp& warp, LaneMask executed) {
  step_ = {};
  machine_.step.async = nullptr;
  find(op, warp, executed);
  const std::uint32_t* const states = machine_.source(warp, op.b);
  LaneMask over = 0;
  for_each_lane(executed, [&](unsigned lane) {
    std::uint64_t word = 0;
    std::memcpy(&word, machine_.shared(warp).data() + barrier_of(lane), sizeof word);
    const bool is_over = is_phase_over(word, states[lane] >> kParityBit != 0);
    over |= LaneMask{is_over} << lane;
    if (is_over && watch_ != nullptr) watch_->acquire(warp.warp_in_block, barrier_of(lane));
  });
  warp.set_predicate(op.out_predicate[0], over, executed);
  const bool may_wait = op.waits && warp.paths.active() == warp.paths.live();
  if (over == 0 && !may_wait) return true;
  const unsigned lane = first_lane(over != 0 ? over : executed);
  step_.action = AsyncStep::Action::Wait;
  step_.uses = {{barrier_of(lane)}};
  step_.knows_parity = true;
  step_.parity = states[lane] >> kParityBit != 0;
  machine_.step.async = &step_;
  return over != executed;
}

}  // namespace heddle::exec
