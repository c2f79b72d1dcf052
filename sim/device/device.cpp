// A device's time: quanta, exchanges, the end of waiting.
#include "sim/device/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace heddle::sim {

namespace {

constexpr std::uint64_t kQuantaBetweenProgress = 64;
constexpr Cycle kCyclesBetweenLooks = Cycle{1} << 16;  // for warps that spin for ever
// Not worth waking other threads for:
constexpr std::size_t kFewSms = 4;
constexpr std::size_t kFewRequests = 128;

/// More than threads, lest one waits for another; but a single thread need not divide its work.
std::size_t pieces_for(unsigned threads) { return threads == 1 ? 1 : std::size_t{4} * threads; }

}  // namespace

Device::Device(const GpuSpec& spec, const DeviceOptions& options)
    : spec_(spec),
      threads_(std::clamp(options.threads, 1U, spec.sms)),
      timings_(spec_.sm),
      watch_{options.visit_every_cycle, kNoEvents, {}},
      memory_(spec_, pieces_for(threads_)),
      quantum_(std::min<Cycle>(memory_.shortest_way(), spec.dispatch.block_launch)),
      scheduler_(spec_),
      team_(threads_),
      pc_ledgers_(team_.threads()),
      active_before_(spec.sms) {
  totals_.sms.resize(spec.sms);
  streams_.add(0);
}

void Device::observe(Observer* observer, CycleRange samples) {
  tell_events(kNever);
  events_.set_observer(observer);
  watch_.heard = events_.kinds();
  watch_.samples = observer != nullptr ? samples : CycleRange();
}

// -- running ----------------------------------------------------------------------------------------------

void Device::run_until(GridId grid) {
  run_while_not([this, grid] { return has_ended(grid); });
}

void Device::run_until(EventId event) {
  run_while_not([this, event] { return time_of(event) != kNever; });
}

void Device::run_until_cycle(Cycle cycle) {
  run_while_not([this, cycle] { return now_ >= cycle || (order_.empty() && streams_.are_empty()); });
  if (now_ < cycle) now_ = round_up(cycle, quantum_);
}

void Device::run() {
  run_while_not([this] { return order_.empty() && streams_.are_empty(); });
}

template <typename Done>
void Device::run_while_not(Done done) {
  if (has_failed_) throw std::logic_error("a kernel has failed on this device: it can do nothing any more");
  has_failed_ = true;  // unless this comes to its end
  try {
    launch_grids();
    while (!done()) {
      if (order_.empty()) throw std::logic_error("a stream waits for what is not in any stream");
      step();
      launch_grids();
    }
  } catch (...) {
    tell_events(kNever);
    throw;
  }
  has_failed_ = false;
}

/// One quantum and its exchange, from `now_` or, unless every cycle is visited, from when something happens.
void Device::step() {
  const Cycle first = next();
  if (first == kNever) fail_deadlocked();
  const Cycle begin = first_visit(first);
  check_limits(begin);
  const Cycle end = quantum_end(begin);
  if (begin > now_) tell_events(begin);  // what has stayed of the last quantum
  run_sms(begin, end);
  exchange(begin, end);
  tell_events(end);
  const Cycle before = std::exchange(now_, end);
  if (now_ / kCyclesBetweenLooks != before / kCyclesBetweenLooks) look_for_deadlock();
  if (progress_ && ++quanta_ % kQuantaBetweenProgress == 0) tell_progress();
  end_grids();
}

/// The first cycle at which any SM has something to do, or something to say, or the device itself.
Cycle Device::next() {
  Cycle next = scheduler_.next();
  wakes_.clear();
  for (const auto& sm : sms_) {
    wakes_.push_back(sm->next());
    next = std::min(next, wakes_.back());
    if (!sm->requests().empty()) next = std::min(next, sm->requests().front().time);
  }
  for (const GridSlot slot : order_) next = std::min(next, running_[slot]->end);
  return next;
}

/// Where the quantum begins: nothing happens before `first`, but some cycles are visited all the same.
Cycle Device::first_visit(Cycle first) const {
  if (watch_.visit_every_cycle) return now_;
  first = std::max(first, now_);
  if (now_ >= watch_.samples.until) return first;
  return std::min(first, std::max(now_, watch_.samples.from));
}

/// On the grid, however many quanta are skipped: what SMs tell one another in memory depends on where they
/// end. Only a grid that must not go on ends one before.
Cycle Device::quantum_end(Cycle begin) const {
  Cycle end = begin - begin % quantum_ + quantum_;
  for (const GridSlot slot : order_) {
    if (running_[slot]->has_blocks()) end = std::min(end, running_[slot]->limit);
  }
  return end;
}

/// A fault that several SMs come to is told of the first of them, with any number of threads; all others run
/// their quantum to its end, too.
void Device::run_sms(Cycle begin, Cycle end) {
  busy_.clear();
  const bool all = watch_.visit_every_cycle || watch_.samples.overlaps(begin, end);
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    if (all || wakes_[i] < end) busy_.push_back(sms_[i].get());
  }
  const auto following = [this](std::size_t i) { return i < busy_.size() ? busy_[i] : nullptr; };
  if (busy_.size() < kFewSms) {
    run_few_sms(begin, end);
  } else {
    team_.run(busy_.size(),
              [&](std::size_t i, std::size_t next) { run_sm(*busy_[i], begin, end, following(next)); });
  }
}

void Device::run_few_sms(Cycle begin, Cycle end) {
  std::exception_ptr fault;
  for (Sm* sm : busy_) {
    try {
      run_sm(*sm, begin, end, nullptr);
    } catch (...) {
      if (!fault) fault = std::current_exception();
    }
  }
  if (fault) std::rethrow_exception(fault);
}

void Device::run_sm(Sm& sm, Cycle begin, Cycle end, const Sm* following) {
  if (!pc_ledgers_.are_wanted()) return sm.run(begin, end, following);
  const PcLedgers::Lease ledger(pc_ledgers_);
  sm.count_in(ledger.get());
  sm.run(begin, end, following);
}

// -- exchanges --------------------------------------------------------------------------------------------

/// What grids write to memory in one quantum acts grid by grid.
void Device::exchange(Cycle begin, Cycle end) {
  for (const GridSlot slot : order_) running_[slot]->source->exchange(team_);
  gather_requests(end);
  serve_requests(begin, end);
  take_finished_blocks();
  place_blocks(end);
}

/// Takes what has left the SMs before the quantum's end; a request stamped later waits for its quantum.
void Device::gather_requests(Cycle end) {
  batch_.clear();
  for (const auto& sm : sms_) {
    std::vector<MemoryRequest>& requests = sm->requests();
    const auto later = std::find_if(requests.begin(), requests.end(),
                                    [end](const MemoryRequest& request) { return request.time >= end; });
    batch_.insert(batch_.end(), requests.begin(), later);
    requests.erase(requests.begin(), later);
  }
}

/// Those of a quantum. They were gathered by SM, each one's in its own order: by time, they come as (time,
/// SM, sequence).
void Device::serve_requests(Cycle begin, Cycle end) {
  const auto time_of = [this](std::uint32_t place) { return batch_[place].time; };
  for (const std::uint32_t place : order_of_batch_.of(batch_.size(), begin, end - 1, time_of)) {
    const MemoryRequest& request = batch_[place];
    if (request.is_fence || !memory_.has_room()) serve_added();
    if (request.is_fence) {
      sms_[request.sm]->deliver(memory_.answer_fence(request));
    } else {
      memory_.add(request);
      if (events_.kinds().memory) added_.push_back(place);
    }
  }
  serve_added();
}

void Device::serve_added() {
  if (memory_.added() < kFewRequests) {
    for (std::size_t piece = 0; piece < memory_.pieces(); ++piece) memory_.visit_slices(piece);
  } else {
    team_.run(memory_.pieces(), [this](std::size_t piece, std::size_t) { memory_.visit_slices(piece); });
  }
  const auto deliver = [this](SmId sm, const MemoryReply& reply) { sms_[sm]->deliver(reply); };
  const auto hold = [this](SmId sm, Cycle until) { sms_[sm]->hold_stores(until); };
  if (!events_.kinds().memory) return memory_.answer(deliver, hold);
  served_ = 0;
  memory_.answer(deliver, hold, [this](MemoryLevel level, Cycle done) { note_served(level, done); });
  added_.clear();
}

void Device::note_served(MemoryLevel level, Cycle done) {
  const MemoryRequest& request = batch_[added_[served_++]];
  MemoryServed served;
  served.cycle = request.time;
  served.sm = request.sm;
  served.slot = request.warp;
  served.pc = request.pc;
  served.line = request.line;
  served.sectors = request.sectors;
  if (request.is_store) served.kind = MemoryServed::Kind::Store;
  if (request.atomic_lanes != 0) served.kind = MemoryServed::Kind::Atomic;
  served.level = level;
  served.reply = done;
  served.grid = running_[request.grid]->grid.id;
  events_.add(served);
}

/// What has happened before `end`.
void Device::tell_events(Cycle end) {
  if (!events_.is_heard()) return;
  for (const auto& sm : sms_) events_.take_from_sm(sm->events(), end);
  events_.tell_all();
}

void Device::take_finished_blocks() {
  finished_.clear();
  for (SmId id = 0; id < sms_.size(); ++id) {
    for (const BlockEnd& block : sms_[id]->finished_blocks()) finished_.push_back({id, block});
    sms_[id]->finished_blocks().clear();
  }
  std::stable_sort(finished_.begin(), finished_.end(), [](const FinishedBlock& a, const FinishedBlock& b) {
    return std::tie(a.block.at, a.sm) < std::tie(b.block.at, b.sm);
  });
  for (const FinishedBlock& finished : finished_) {
    RunningGrid& grid = *running_[finished.block.grid];
    ++grid.blocks_done;
    grid.blocks_end = std::max(grid.blocks_end, finished.block.at);
    scheduler_.block_ended(finished.sm, finished.block);
  }
}

void Device::place_blocks(Cycle now) {
  for (const BlockStartOrder& order : scheduler_.decide(now)) sms_[order.sm]->schedule_block(order.start);
  // Once a grid's last block's start is known, and before time gets there, all SMs are told.
  for (const GridSlot slot : order_) {
    if (running_[slot]->tail_noted || !scheduler_.all_started(slot)) continue;
    for (const auto& sm : sms_) sm->set_tail(slot, scheduler_.last_start(slot));
    running_[slot]->tail_noted = true;
  }
}

void Device::tell_progress() const {
  Progress progress{now_, 0, 0, 0};
  for (const GridSlot slot : order_) {
    progress.blocks_done += running_[slot]->blocks_done;
    progress.blocks += running_[slot]->grid.shape.blocks();
  }
  for (const auto& sm : sms_) progress.warp_instructions += sm->issued();
  progress_(progress);
}

}  // namespace heddle::sim
