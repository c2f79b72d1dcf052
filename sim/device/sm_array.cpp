#include "sim/device/sm_array.h"

#include <algorithm>
#include <exception>

namespace heddle::sim {

namespace {

constexpr std::size_t kFewSms = 4;  // not worth waking other threads for

}  // namespace

SmArray::SmArray(const GpuSpec& spec, ThreadTeam& team, PcLedgers& pc_ledgers, bool visit_every_cycle)
    : spec_(spec),
      timings_(spec.sm),
      team_(team),
      pc_ledgers_(pc_ledgers),
      watch_{visit_every_cycle, kNoEvents, {}} {}

void SmArray::renew() {
  sms_.resize(spec_.sms);
  for (SmId id = 0; id < spec_.sms; ++id) {
    if (sms_[id] && sms_[id]->is_as_new()) continue;
    sms_[id].reset();  // first: the next one gets its memory
    sms_[id] = std::make_unique<Sm>(spec_, timings_, watch_, id);
  }
}

void SmArray::add_grid(const Grid& grid, stream::KernelSource& source) {
  for (SmId id = 0; id < sms_.size(); ++id)
    sms_[id]->add_grid(grid, source.make_warp_source(id, spec_.occupancy.max_warps));
}

/// Where nobody counts by instruction any more, they are told.
void SmArray::remove_grid(GridSlot slot) {
  for (const auto& sm : sms_) {
    if (!pc_ledgers_.are_wanted()) sm->count_in(nullptr);
    sm->remove_grid(slot);
  }
}

bool SmArray::hold(GridSlot slot) const {
  return std::any_of(sms_.begin(), sms_.end(), [slot](const auto& sm) { return sm->has_in_flight(slot); });
}

Cycle SmArray::next() {
  Cycle next = kNever;
  wakes_.clear();
  for (const auto& sm : sms_) {
    wakes_.push_back(sm->next());
    next = std::min(next, wakes_.back());
    if (!sm->requests().empty()) next = std::min(next, sm->requests().front().time);
  }
  return next;
}

void SmArray::run(Cycle begin, Cycle end) {
  busy_.clear();
  const bool all = watch_.visit_every_cycle || watch_.samples.overlaps(begin, end);
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    if (all || wakes_[i] < end) busy_.push_back(sms_[i].get());
  }
  const auto following = [this](std::size_t i) { return i < busy_.size() ? busy_[i] : nullptr; };
  if (busy_.size() < kFewSms) {
    run_few(begin, end);
  } else {
    team_.run(busy_.size(),
              [&](std::size_t i, std::size_t next) { run_one(*busy_[i], begin, end, following(next)); });
  }
}

void SmArray::run_few(Cycle begin, Cycle end) {
  std::exception_ptr fault;
  for (Sm* sm : busy_) {
    try {
      run_one(*sm, begin, end, nullptr);
    } catch (...) {
      if (!fault) fault = std::current_exception();
    }
  }
  if (fault) std::rethrow_exception(fault);
}

void SmArray::run_one(Sm& sm, Cycle begin, Cycle end, const Sm* following) {
  if (!pc_ledgers_.are_wanted()) return sm.run(begin, end, following);
  const PcLedgers::Lease ledger(pc_ledgers_);
  sm.count_in(ledger.get());
  sm.run(begin, end, following);
}

}  // namespace heddle::sim
