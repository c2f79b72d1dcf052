#include "sim/gpu/gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "isa/base/diagnostic.h"
#include "isa/stream/kernel_fault.h"
#include "sim/gpu/support.h"

namespace heddle::sim {

namespace {

constexpr std::uint64_t kQuantaBetweenProgress = 64;
constexpr Cycle kCyclesBetweenLooks = Cycle{1} << 16;  // for warps that spin for ever
constexpr std::size_t kWarpsToName = 4;
// Not worth waking other threads for:
constexpr std::size_t kFewSms = 4;
constexpr std::size_t kFewRequests = 128;

/// An observer hears of issues in the order in which one thread makes them.
unsigned threads_of(const RunOptions& options, const GpuSpec& spec) {
  return options.observer == nullptr ? std::clamp(options.threads, 1U, spec.sms) : 1;
}

/// More than threads, lest one waits for another; but a single thread need not divide its work.
std::size_t pieces_for(unsigned threads) { return threads == 1 ? 1 : std::size_t{4} * threads; }

SmWatch make_watch(const RunOptions& options) {
  return {options.visit_every_cycle, options.observer,
          options.observer != nullptr ? options.samples : CycleRange()};
}

Grid make_grid(const stream::KernelSource& kernel, const GpuSpec& spec, const Occupancy& occupancy) {
  Grid grid;
  grid.shape = kernel.shape();
  grid.instructions = kernel.static_ops().size();
  grid.blocks_per_sm = occupancy.blocks_per_sm;
  grid.places = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(occupancy.blocks_per_sm, divide_up(grid.shape.blocks(), spec.sms)));
  grid.l1_bytes = spec.l1.unified_bytes -
                  std::min(spec.l1.unified_bytes, occupancy.shared_carveout + spec.l1.reserved_bytes);
  return grid;
}

/// All that the GPU does not have, at once.
void require_support(const stream::KernelSource& kernel, const GpuSpec& spec) {
  Diagnostics problems;
  for (const Unsupported& missing : unsupported(kernel.static_ops(), spec)) {
    problems.add({}, fmt::format("kernel {}: instruction {}: {}", kernel.shape().kernel, missing.first.pc,
                                 to_text(missing, spec)));
  }
  problems.throw_if_any();
}

}  // namespace

Gpu::Gpu(stream::KernelSource& kernel, const GpuSpec& spec, const RunOptions& options)
    : kernel_(kernel),
      spec_(spec),
      options_(options),
      occupancy_(theoretical_occupancy(spec.occupancy, kernel.shape())),
      timings_(spec.sm),
      watch_(make_watch(options)),
      grid_(make_grid(kernel, spec, occupancy_)),
      memory_(spec, pieces_for(threads_of(options, spec))),
      quantum_(std::min<Cycle>(memory_.shortest_way(), spec.dispatch.block_launch)),
      dispatcher_(spec, kernel.shape().blocks(), occupancy_.blocks_per_sm),
      crew_(threads_of(options, spec)),
      has_l1_(spec.sms) {
  require_support(kernel, spec);
  for (SmId id = 0; id < spec.sms; ++id) {
    sms_.push_back(std::make_unique<Sm>(spec_, timings_, watch_, id));
    sms_.back()->add_grid(grid_, kernel.make_warp_source(id, spec.occupancy.max_warps));
  }
}

RunResult Gpu::run() {
  if (options_.l2 != nullptr) memory_.take(*options_.l2);
  for (const BlockStartOrder& order : dispatcher_.fill()) schedule(order);
  note_tail();
  std::uint64_t quanta = 0;
  Cycle now = 0;
  while (blocks_done_ < grid_.shape.blocks()) {
    const Cycle before = std::exchange(now, run_quantum(now));
    if (now / kCyclesBetweenLooks != before / kCyclesBetweenLooks) look_for_deadlock(now);
    if (options_.progress && ++quanta % kQuantaBetweenProgress == 0) options_.progress(progress(now));
  }
  // The last stores are still on their way to memory; no warp waits for them, but the launch does.
  while (next() != kNever) now = run_quantum(now);
  if (end() > options_.max_cycles) fail_over_limit();
  if (options_.l2 != nullptr) memory_.leave(*options_.l2);
  return result();
}

/// One quantum and its exchange, from `now` or, unless every cycle is visited, from when something happens.
/// Returns its end.
Cycle Gpu::run_quantum(Cycle now) {
  const Cycle first = next();
  if (first == kNever) fail_deadlocked(now);
  const Cycle begin = first_visit(now, first);
  // On the grid, however many quanta are skipped: what SMs tell one another in memory depends on where they
  // end.
  Cycle end = begin - begin % quantum_ + quantum_;
  if (blocks_done_ < grid_.shape.blocks()) {
    if (begin >= options_.max_cycles) fail_over_limit();
    end = std::min(end, options_.max_cycles);
  }
  run_sms(begin, end);
  exchange(begin, end);
  return end;
}

/// A fault that several SMs come to is told of the first of them, with any number of threads.
void Gpu::run_sms(Cycle begin, Cycle end) {
  busy_.clear();
  const bool all = options_.visit_every_cycle || watch_.samples.overlaps(begin, end);
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    if (all || wakes_[i] < end) busy_.push_back(sms_[i].get());
  }
  const auto following = [this](std::size_t i) { return i < busy_.size() ? busy_[i] : nullptr; };
  if (busy_.size() < kFewSms) {
    for (Sm* sm : busy_) sm->run(begin, end, nullptr);
  } else {
    crew_.run(busy_.size(),
              [&](std::size_t i, std::size_t next) { busy_[i]->run(begin, end, following(next)); });
  }
}

/// The first cycle at which any SM has something to do, or something to say.
Cycle Gpu::next() {
  Cycle next = kNever;
  wakes_.clear();
  for (const auto& sm : sms_) {
    wakes_.push_back(sm->next());
    next = std::min(next, wakes_.back());
    if (!sm->requests().empty()) next = std::min(next, sm->requests().front().time);
  }
  return next;
}

/// Where the quantum begins: nothing happens before `first`, but some cycles are visited all the same.
Cycle Gpu::first_visit(Cycle now, Cycle first) const {
  if (options_.visit_every_cycle) return now;
  if (now >= watch_.samples.until) return first;
  return std::min(first, std::max(now, watch_.samples.from));
}

void Gpu::exchange(Cycle begin, Cycle end) {
  kernel_.meet(crew_);
  gather_requests(end);
  serve_requests(begin, end);
  refill();
}

/// Takes what has left the SMs before the quantum's end; a request stamped later waits for its quantum.
void Gpu::gather_requests(Cycle end) {
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
void Gpu::serve_requests(Cycle begin, Cycle end) {
  const auto time_of = [this](std::uint32_t place) { return batch_[place].time; };
  for (const std::uint32_t place : order_.of(batch_.size(), begin, end - 1, time_of)) {
    const MemoryRequest& request = batch_[place];
    if (request.is_fence || !memory_.has_room()) serve_added();
    if (request.is_fence) {
      sms_[request.sm]->deliver(memory_.answer_fence(request));
    } else {
      memory_.add(request);
    }
  }
  serve_added();
}

void Gpu::serve_added() {
  if (memory_.added() < kFewRequests) {
    for (std::size_t piece = 0; piece < memory_.pieces(); ++piece) memory_.visit_slices(piece);
  } else {
    crew_.run(memory_.pieces(), [this](std::size_t piece, std::size_t) { memory_.visit_slices(piece); });
  }
  memory_.answer([this](SmId sm, const MemoryReply& reply) { sms_[sm]->deliver(reply); },
                 [this](SmId sm, Cycle until) { sms_[sm]->hold_stores(until); });
}

void Gpu::refill() {
  finished_.clear();
  for (SmId id = 0; id < sms_.size(); ++id) {
    for (const BlockEnd& block : sms_[id]->finished_blocks()) finished_.push_back({block.at, id, block});
    sms_[id]->finished_blocks().clear();
  }
  std::sort(finished_.begin(), finished_.end(), [](const FinishedBlock& a, const FinishedBlock& b) {
    return std::tie(a.time, a.sm) < std::tie(b.time, b.sm);
  });
  for (const FinishedBlock& block : finished_) {
    ++blocks_done_;
    blocks_end_ = std::max(blocks_end_, block.time);
    BlockStartOrder order;
    if (dispatcher_.refill(block.sm, block.time, order)) schedule(order);
  }
  note_tail();
}

void Gpu::schedule(const BlockStartOrder& order) { 
  sms_[order.sm]->schedule_block({order.at, order.block, 0, !has_l1_[order.sm]});
  has_l1_[order.sm] = true;
}

/// Once the last block's start is known, and before time gets there, all SMs are told.
void Gpu::note_tail() {
  if (tail_noted_ || !dispatcher_.all_started()) return;
  for (const auto& sm : sms_) sm->set_tail(0, dispatcher_.last_start());
  tail_noted_ = true;
}

/// Of the launch.
Cycle Gpu::end() const { return std::max(blocks_end_, memory_.done_at()); }

RunResult Gpu::result() const {
  RunResult result;
  result.launch = grid_.shape;
  result.occupancy = occupancy_;
  result.cycles = end();
  result.blocks_end = blocks_end_;
  for (const auto& sm : sms_) {
    SmCounters counters = sm->counters(0);
    counters.warp_slots[WarpSlotPart::IdleSm] =
        spec_.occupancy.max_warps * (result.cycles - counters.active_cycles);
    result.sms.push_back(std::move(counters));
    result.total += result.sms.back();
  }
  result.total.memory += memory_.counters();
  return result;
}

Progress Gpu::progress(Cycle now) const {
  Progress progress{now, blocks_done_, grid_.shape.blocks(), 0};
  for (const auto& sm : sms_) progress.warp_instructions += sm->issued();
  return progress;
}

std::string Gpu::waiting_warps() const {
  std::string text;
  for (SmId id = 0; id < sms_.size(); ++id) {
    for (const std::string& line : sms_[id]->waiting_warps(kWarpsToName)) {
      text += fmt::format("\n  SM {}: {}", id, line);
    }
    if (!text.empty()) break;  // one SM tells the story
  }
  return text;
}

void Gpu::fail_deadlocked(Cycle now) const {
  throw stream::KernelFault(fmt::format("kernel {}: deadlock by cycle {}: no warp can go on{}",
                                        grid_.shape.kernel, now, waiting_warps()));
}

/// Whether warps that spin are all that happens.
void Gpu::look_for_deadlock(Cycle now) {
  live_.clear();
  const auto is_quiet = [this](const std::unique_ptr<Sm>& sm) { return sm->find_live(live_); };
  if (!std::all_of(sms_.begin(), sms_.end(), is_quiet)) live_.clear();
  const std::vector<stream::LiveWarp> spinning = deadlock_watch_.spinning(live_);
  if (spinning.empty()) return;
  const stream::LiveWarp& first = spinning.front();
  throw stream::KernelFault(fmt::format("kernel {}: {}\n  by cycle {} with {} of {} blocks done; {}",
                                        grid_.shape.kernel, first.source->describe_spin(first.slot), now,
                                        blocks_done_, grid_.shape.blocks(),
                                        stream::DeadlockWatch::text(spinning.size())));
}

void Gpu::fail_over_limit() const {
  throw stream::KernelFault(fmt::format("kernel {}: cycle limit of {} reached with {} of {} blocks done{}",
                                        grid_.shape.kernel, options_.max_cycles, blocks_done_,
                                        grid_.shape.blocks(), waiting_warps()));
}

RunResult run(stream::KernelSource& kernel, const GpuSpec& spec, const RunOptions& options) {
  return Gpu(kernel, spec, options).run();
}

}  // namespace heddle::sim
