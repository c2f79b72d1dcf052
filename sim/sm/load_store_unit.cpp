#include "sim/sm/load_store_unit.h"

#include <algorithm>

#include "sim/sm/l1_watch.h"

namespace heddle::sim {

namespace {

LaneAccess access_of(const stream::StaticOp& op, const stream::WarpStep& step) {
  return {step.addresses, step.executed, op.bytes_per_lane, step.span};
}

/// Where instructions of one kind are counted.
struct AccessCounters {
  std::uint64_t MemoryCounters::*requests;
  std::uint64_t MemoryCounters::*amount;            // sectors, or passes over the banks,
  std::uint64_t MemoryCounters::*excess = nullptr;  // and those that other addresses would not need
};

/// Loads, stores and atomics of the global, shared and local spaces, in the order of MemorySpace.
const AccessCounters& counters_for(const stream::StaticOp& op) {
  using M = MemoryCounters;
  static constexpr AccessCounters kCounters[3][3] = {
      {{&M::global_load_requests, &M::global_load_sectors, &M::global_load_excess_sectors},
       {&M::global_store_requests, &M::global_store_sectors, &M::global_store_excess_sectors},
       {&M::global_atomic_requests, &M::global_atomic_sectors}},
      {{&M::shared_load_requests, &M::shared_load_passes, &M::shared_load_bank_conflicts},
       {&M::shared_store_requests, &M::shared_store_passes, &M::shared_store_bank_conflicts},
       {&M::shared_atomic_requests, &M::shared_atomic_passes, &M::shared_atomic_bank_conflicts}},
      {{&M::local_load_requests, &M::local_load_sectors},
       {&M::local_store_requests, &M::local_store_sectors},
       {&M::global_atomic_requests, &M::global_atomic_sectors}},  // never: no GPU has them
  };
  const auto space =
      static_cast<std::size_t>(op.space) - static_cast<std::size_t>(stream::MemorySpace::Global);
  const auto kind = static_cast<std::size_t>(op.kind) - static_cast<std::size_t>(stream::OpKind::Load);
  return kCounters[space][kind];
}

}  // namespace

LoadStoreUnit::LoadStoreUnit(const GpuSpec& spec, SmId sm)
    : spec_(spec),
      geometry_{spec.l1.line_bytes, spec.l1.sector_bytes},
      tag_banks_(spec.l1.tags_per_cycle, spec.l1.line_bytes, spec.l1.enabled),
      reply_sectors_per_cycle_(spec.l2.reply_sectors_per_cycle),
      sm_(sm),
      queues_(spec.sm.sub_partitions),
      queued_(spec.occupancy.max_warps),
      l1_(spec.l1, 0),
      translations_(spec.cold) {
  for (Queue& queue : queues_) queue.ring.resize(spec.sm.mio.queue_depth);
  prefetcher_ = make_prefetcher(spec.l1.prefetcher, "l1.prefetcher",
                                {spec.l1.line_bytes / spec.l1.sector_bytes, spec.l1.prefetch_degree});
  if (prefetcher_ != nullptr) l1_.watch_prefetches();
}

void LoadStoreUnit::add_grid(GridSlot slot) {
  if (counters_.size() <= slot) counters_.resize(slot + std::size_t{1});
  counters_[slot] = {};
  l1_.forget_prefetches_of(slot);
}

// A load that waits for nothing has been given back, or its instruction is still in its queue.
bool LoadStoreUnit::holds(GridSlot slot) const {
  const auto is_of_grid = [slot](const auto& each) { return each.grid == slot; };
  for (const Queue& queue : queues_) {
    for (std::uint32_t i = 0; i < queue.count; ++i) {
      if (is_of_grid(queue.ring[(queue.head + i) % queue.ring.size()].owner)) return true;
    }
  }
  const std::span<const Load> loads = loads_.all();
  return std::any_of(requests_.begin(), requests_.end(), is_of_grid) ||
         std::any_of(bulk_.begin(), bulk_.end(), is_of_grid) ||
         std::any_of(loads.begin(), loads.end(),
                     [&](const Load& load) { return load.waits != 0 && is_of_grid(load.owner); });
}

void LoadStoreUnit::set_l1(std::uint64_t bytes) {
  l1_.resize(bytes);
  if (l1_watch_ != nullptr) l1_watch_->emptied();
}

bool LoadStoreUnit::has_room(unsigned sub_partition) const {
  return queues_[sub_partition].count < queues_[sub_partition].ring.size();
}

void LoadStoreUnit::accept(unsigned sub_partition, Cycle now, const ResultOwner& owner,
                           const stream::WarpStep& step) {
  Queue& queue = queues_[sub_partition];
  const std::size_t place = std::size_t{queue.head} + queue.count++;
  Entry& entry = queue.ring[place < queue.ring.size() ? place : place - queue.ring.size()];
  ++queued_[owner.slot];
  entry.owner = owner;
  entry.arrival =
      std::max(now + spec_.sm.mio.front_latency, queue.last_arrival + spec_.sm.mio.address_interval);
  queue.last_arrival = entry.arrival;
  describe(entry, step);
  if (queue.count > 1) return;
  queue.first_arrival = entry.arrival;
  if (comes_before(sub_partition, first_queue_)) first_queue_ = sub_partition;
  if (!refused_) next_ = std::min(next_, std::max(stage_free_, entry.arrival));
}

/// What the instruction will ask of the shared stage.
void LoadStoreUnit::describe(Entry& entry, const stream::WarpStep& step) {
  const stream::StaticOp& op = *entry.owner.op;
  entry.passes = 1;
  entry.copy_passes = 1;
  entry.lines.clear();
  if (step.addresses == nullptr || step.executed == 0) return;
  if (op.kind == stream::OpKind::Copy) return describe_copy(entry, step);
  const AccessCounters& counters = counters_for(op);
  MemoryCounters& counts = counters_of(entry.owner);
  ++(counts.*counters.requests);
  if (op.space == stream::MemorySpace::Shared) {
    const BankPasses passes = shared_passes(op, step);
    entry.passes = passes.all;
    counts.*counters.amount += passes.all;
    counts.*counters.excess += passes.for_conflicts;
  } else {
    describe_lines(entry, step);
    const std::uint64_t sectors = sector_count(entry.lines);
    counts.*counters.amount += sectors;
    if (counters.excess != nullptr) counts.*counters.excess += excess_sectors(step, op, sectors);
  }
}

/// Above those that hold the bytes of the lanes side by side.
std::uint64_t LoadStoreUnit::excess_sectors(const stream::WarpStep& step, const stream::StaticOp& op,
                                            std::uint64_t sectors) const {
  const std::uint64_t bytes = std::uint64_t{lane_count(step.executed)} * op.bytes_per_lane;
  return sectors - std::min(sectors, divide_up(bytes, geometry_.sector_bytes));
}

BankPasses LoadStoreUnit::shared_passes(const stream::StaticOp& op, const stream::WarpStep& step) {
  const LaneAccess access = access_of(op, step);
  if (op.matrices != 0) return matrix_passes(access, op.matrices, spec_.sm.shared);
  const bool in_turns = op.kind == stream::OpKind::Atomic && !op.joins_lanes;
  return in_turns ? atomic_passes(access, spec_.sm.shared) : passes_.of(step.shape, access, spec_.sm.shared);
}

/// What atomics send crosses the stage without regard to banks: it comes out of registers and goes to L2.
void LoadStoreUnit::describe_lines(Entry& entry, const stream::WarpStep& step) {
  const stream::StaticOp& op = *entry.owner.op;
  const LaneAccess access = access_of(op, step);
  coalesce(access, geometry_, entry.lines);
  const bool is_store = op.kind == stream::OpKind::Store;
  if (!is_store || l1_.keeps_stores()) l1_.host_prefetch(entry.lines[0].line);
  const unsigned turns = tag_banks_.take_turns(entry.lines);
  entry.leaves_sectors =
      is_store && l1_.keeps_stores() && find_whole_sectors(access, geometry_, entry.lines, entry.left);
  if (op.space == stream::MemorySpace::Local) entry.lines.move(local_memory_of(entry.owner.grid));
  if (op.kind != stream::OpKind::Atomic) {
    entry.passes = std::max(turns, cache_passes(access, spec_.sm.shared));
    return;
  }
  count_atomic_lanes(access, geometry_, entry.lines);
  const std::uint32_t width = spec_.sm.shared.banks * spec_.sm.shared.bank_bytes;
  const std::uint64_t bytes = std::uint64_t{lane_count(step.executed)} * op.bytes_per_lane;
  entry.passes = std::max(turns, static_cast<std::uint32_t>(divide_up(bytes, width)));
}

void LoadStoreUnit::Queue::pop() {
  head = head + 1 == ring.size() ? 0 : head + 1;
  first_arrival = --count == 0 ? kNever : ring[head].arrival;
}

/// Of two queues, whether the first entry of `one` arrived first; the lower number at a tie.
bool LoadStoreUnit::comes_before(unsigned one, unsigned other) const {
  const Cycle arrival = queues_[one].first_arrival;
  const Cycle other_arrival = queues_[other].first_arrival;
  return arrival < other_arrival || (arrival == other_arrival && one < other);
}

/// To be called after each change of what next() depends on.
void LoadStoreUnit::look_ahead() {
  Cycle arrival = queues_[0].first_arrival;
  unsigned first = 0;
  for (unsigned i = 1; i < queues_.size(); ++i) {
    const Cycle other = queues_[i].first_arrival;
    first = other < arrival ? i : first;
    arrival = std::min(arrival, other);
  }
  first_queue_ = first;
  next_ = refused_ || arrival == kNever ? kNever : std::max(stage_free_, arrival);
}

void LoadStoreUnit::advance(Cycle now) {
  while (next_ <= now) {
    const unsigned index = first_queue_;
    Entry& entry = queues_[index].front();
    if (is_held(entry, now)) {
      stage_free_ = stores_from_;
      look_ahead();
      continue;
    }
    refused_ = !serve(entry, now);
    if (!refused_) {
      --queued_[entry.owner.slot];
      queues_[index].pop();
      freed_ |= 1U << index;
    }
    look_ahead();
  }
  if (bulk_next_ <= now) advance_bulk(now);
}

/// Whether it is a store that memory has no room for yet. One to shared memory has no lines.
bool LoadStoreUnit::is_held(const Entry& entry, Cycle now) const {
  if (now >= stores_from_) return false;
  const stream::StaticOp& op = *entry.owner.op;
  return op.kind == stream::OpKind::Store && entry.lines.size() != 0;
}

/// Does what the instruction asks; false if L1 has no place for its misses.
bool LoadStoreUnit::serve(Entry& entry, Cycle now) {
  const stream::StaticOp& op = *entry.owner.op;
  if (op.kind == stream::OpKind::InvalidateL1) {
    l1_.invalidate();
    if (l1_watch_ != nullptr) l1_watch_->emptied();
  } else if (op.space == stream::MemorySpace::None || op.space == stream::MemorySpace::Shared) {
    serve_here(entry, now);
  } else if (op.kind == stream::OpKind::Fence) {
    serve_fence(entry, now);
  } else if (op.past_l1) {
    serve_past_l1(entry, now);
  } else if (op.kind == stream::OpKind::Load || op.kind == stream::OpKind::Copy) {
    if (!serve_global_load(entry, now)) return false;
  } else if (op.kind == stream::OpKind::Store) {
    serve_global_store(entry, now);
  } else {
    serve_global_atomic(entry, now);
  }
  const Cycle busy = std::max<Cycle>(spec_.sm.mio.shared_interval, stage_time(entry));
  stage_free_ = now + busy;
  counters_of(entry.owner).l1_data_pipe_cycles += busy;
  return true;
}

/// Shared memory and shuffles; fences that ask nothing of L2.
void LoadStoreUnit::serve_here(const Entry& entry, Cycle now) {
  const Cycle latency = spec_.sm.timing(entry.owner.op->timing_class).latency;
  complete(entry.owner, now + latency - spec_.sm.mio.front_latency + stage_time(entry) - 1);
}

/// What the passes over the banks take. Between those of an atomic, what was read must be written.
Cycle LoadStoreUnit::stage_time(const Entry& entry) const {
  const stream::StaticOp& op = *entry.owner.op;
  const bool in_turns = op.kind == stream::OpKind::Atomic && op.space == stream::MemorySpace::Shared;
  return 1 + Cycle{entry.passes - 1} * (in_turns ? spec_.sm.shared.atomic_interval : 1);
}

/// From the shared stage until a hit in L1 can be used.
Cycle LoadStoreUnit::look_up() const {
  return spec_.l1.enabled ? spec_.l1.latency - spec_.sm.mio.front_latency : 0;
}

// Each line is looked up in its turn; data come out of the banks pass by pass. A refused line is tried again
// when a fill has made room, with the ones before it done.
bool LoadStoreUnit::serve_global_load(Entry& entry, Cycle now) {
  const Cycle hit_at = now + look_up() + entry.passes - 1;
  if (current_load_ == kNone) {
    current_load_ = take_load(entry.owner);
    loads_[current_load_].write_time = write_time(entry);
    next_line_ = 0;
  }
  for (; next_line_ < entry.lines.size(); ++next_line_) {
    const LineAccess& access = entry.lines[next_line_];
    const L1Cache::Lookup lookup = l1_.load(access, current_load_, counters_of(entry.owner));
    if (lookup.refused) return false;
    loads_[current_load_].waits += lookup.waits;
    if (lookup.request_sectors != 0) {
      request(now + access.turn, entry.owner, lookup.request_entry,
              {.line = access.line, .sectors = lookup.request_sectors}, false);
    }
    if (l1_watch_ != nullptr) [[unlikely]]
      tell_load(entry, bit_count(lookup.missing_sectors), now);
    if (prefetcher_ != nullptr) [[unlikely]]
      prefetch(entry, bit_count(lookup.missing_sectors), now);
  }
  loads_[current_load_].ready_at = std::max(loads_[current_load_].ready_at, hit_at);
  const LoadId done = std::exchange(current_load_, kNone);
  if (loads_[done].waits == 0) finish_load(done);
  return true;
}

void LoadStoreUnit::tell_load(const Entry& entry, std::uint32_t missing, Cycle now) {
  const LineAccess& access = entry.lines[next_line_];
  l1_watch_->loaded({.now = now,
                     .warp = entry.owner.slot,
                     .pc = entry.owner.op->pc,
                     .line = access.line / geometry_.line_bytes,
                     .sectors = bit_count(access.sectors),
                     .missing = missing});
}

/// Fills L1, and tells for whom.
const std::vector<LoadId>& LoadStoreUnit::fill_l1(std::uint32_t entry) {
  const std::uint16_t slot = loads_[l1_.first_waiter(entry)].owner.slot;
  const std::uint64_t line = l1_.line_of(entry);
  const std::vector<LoadId>& waiters = l1_.fill(entry);
  if (l1_.filled_place() != L1Cache::kNowhere) l1_watch_->filled(l1_.filled_place(), line, slot);
  return waiters;
}

void LoadStoreUnit::serve_global_store(const Entry& entry, Cycle now) {
  for (unsigned i = 0; i < entry.lines.size(); ++i) {
    if (entry.leaves_sectors && entry.left[i] != 0) l1_.store(entry.lines[i].line, entry.left[i]);
    request(now + entry.lines[i].turn, entry.owner, 0, entry.lines[i], true);
  }
}

/// An atomic that writes no register is not answered. One without lanes is done as soon as L1 could have been
/// asked.
void LoadStoreUnit::serve_global_atomic(const Entry& entry, Cycle now) {
  const bool is_answered = entry.owner.op->writes.size() != 0;
  const LoadId id = is_answered ? take_load(entry.owner) : 0;
  for (unsigned i = 0; i < entry.lines.size(); ++i) {
    l1_.drop(entry.lines[i]);
    request(now + entry.lines[i].turn, entry.owner, kPastL1 | id, entry.lines[i], !is_answered);
  }
  if (!is_answered) return;
  loads_[id].waits = entry.lines.size();
  loads_[id].ready_at = now + look_up();
  if (loads_[id].waits == 0) finish_load(id);
}

void LoadStoreUnit::request(Cycle time, const ResultOwner& owner, std::uint32_t tag, const LineAccess& access,
                            bool is_store) {
  requests_.push_back({.time = time,
                       .sm = sm_,
                       .tag = tag,
                       .line = access.line,
                       .sectors = access.sectors,
                       .is_store = is_store,
                       .grid = owner.grid,
                       .atomic_lanes = access.atomic_lanes,
                       .atomic_addresses = access.atomic_addresses,
                       .translation = translations_.wait(access.line, time),
                       .warp = owner.slot,
                       .pc = owner.op->pc});
}

void LoadStoreUnit::host_prefetch(const MemoryReply& reply, PrefetchStep step) const {
  if ((reply.tag & kPastL1) == 0) l1_.host_prefetch_fill(reply.tag, step);
  if (step == PrefetchStep::Pointees) prefetch_bytes(&loads_[load_of(reply)], sizeof(Load));
}

LoadId LoadStoreUnit::load_of(const MemoryReply& reply) const {
  return (reply.tag & kPastL1) != 0 ? reply.tag & ~kPastL1 : l1_.first_waiter(reply.tag);
}

void LoadStoreUnit::host_prefetch_queue(unsigned sub_partition, PrefetchStep step) const {
  const Queue& queue = queues_[sub_partition];
  if (step == PrefetchStep::Object) return prefetch_bytes(&queue, sizeof queue);
  constexpr std::size_t kUsual = 128;  // an access to one or two lines, and their number
  for (const Entry& entry : queue.ring) prefetch_bytes(&entry, kUsual);
}

// Replies enter the SM through a port of limited width, in the order in which they arrive.
void LoadStoreUnit::reply(const MemoryReply& reply, Cycle now) {
  const Cycle first_sector = std::max(now * reply_sectors_per_cycle_.value(), reply_port_free_);
  const Cycle arrived = reply_sectors_per_cycle_.quotient(first_sector);
  reply_port_free_ = first_sector + reply.sectors;
  if ((reply.tag & kPastL1) != 0) return arrive(reply.tag & ~kPastL1, arrived);
  for (const LoadId id : l1_watch_ == nullptr ? l1_.fill(reply.tag) : fill_l1(reply.tag)) arrive(id, arrived);
  if (std::exchange(refused_, false)) look_ahead();
}

/// One of the pieces that a load waits for has come.
void LoadStoreUnit::arrive(LoadId id, Cycle now) {
  Load& load = loads_[id];
  load.ready_at = std::max(load.ready_at, now);
  if (--load.waits == 0 && id != current_load_) finish_load(id);
}

LoadId LoadStoreUnit::take_load(const ResultOwner& owner) {
  const LoadId id = loads_.take();
  loads_[id] = {owner, 0, 0, 0};
  return id;
}

void LoadStoreUnit::finish_load(LoadId id) {
  complete(loads_[id].owner, loads_[id].ready_at + loads_[id].write_time);
  loads_.give_back(id);
}

void LoadStoreUnit::complete(const ResultOwner& owner, Cycle ready_at) {
  const stream::OpKind kind = owner.op->kind;
  const bool is_copy = kind == stream::OpKind::Copy || stream::is_bulk(kind);
  if (owner.op->writes.size() == 0 && !is_copy && kind != stream::OpKind::Fence) return;
  const auto timing_class = stream::is_bulk(kind) ? ir::TimingClass::CopyToShared : owner.op->timing_class;
  completions_.push_back({owner, ReadyTime(ready_at, ir::info(timing_class).waiter_stall)});
}

}  // namespace heddle::sim
