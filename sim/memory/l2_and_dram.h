// The memory that all SMs share: L2 slices and DRAM channels.
//
//   SM --request_latency--> slice --(hit)--> SM
//                             `--(miss)--> channel --> slice --> SM
//
// Unloaded, a hit costs l2.latency and a miss dram.latency from issue to use; slices and channels that are
// busy add their queues. Stores need no data from DRAM; dirty sectors reach it when their line is evicted.
// Nobody waits for a store, but an SM whose stores wait for longer than a round trip is told to send no more.
// Atomics are carried out by a unit of the slice, atomic_addresses_per_cycle of them, lanes that name one
// address in turn, atomic_interval cycles each. A fence is answered when all slices have served what came
// before it, updates included.
//
// A line of the other partition comes far_latency later, there and back. Queues are kept in the order in
// which requests come from the SMs: the latency of the link between the partitions makes a reply later, but
// does not change its place in the queues at the far end. The link's bandwidth: l2_slices.h.
//
// Requests are served some at a time: they are added, then the slices are visited, in pieces that may go side
// by side, then DRAM is asked, and replies are made. What a prefetcher wants is fetched after that, in the
// order of the loads that led to it, so that the next requests find it on its way.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "isa/base/divisor.h"
#include "isa/base/types.h"
#include "sim/config/gpu_spec.h"
#include "sim/memory/dram_channel.h"
#include "sim/memory/l2_slices.h"
#include "sim/memory/memory_counters.h"
#include "sim/memory/request.h"

namespace heddle::sim {

/// L2 and DRAM of a device. MemoryExchange owns it and has it serve the requests of a quantum, in batches.
/// All it says of time is when replies reach the SMs; it has no clock of its own.
class L2AndDram {
 public:
  /// The `served` of answer() when nobody asks how requests were served.
  struct NotTold {
    void operator()(MemoryLevel, Cycle) const {}
  };

  /// The visits to the slices go in so many pieces, or in fewer.
  L2AndDram(const GpuSpec& spec, std::size_t pieces);

  /// L2, to see what it holds, or to change that between requests.
  [[nodiscard]] L2Slices& l2() { return slices_; }
  [[nodiscard]] const L2Slices& l2() const { return slices_; }
  /// Begins anew after a time in which nothing was on its way: the rows of DRAM are closed, and collected
  /// writes have been written (a choice). L2 keeps what it holds.
  void rest();

  /// No reply comes sooner than this after its request has left the SM.
  [[nodiscard]] Cycle shortest_round_trip() const {
    return l2_.request_latency + (l2_.enabled ? hit_latency_ : miss_latency_);
  }

  // -- serving, in the order (time, SM, sequence) ----------------------------------------------------------
  /// Adds a request to the batch. It is no fence and asks for at least one sector. There must be room.
  void add(const MemoryRequest& request);
  [[nodiscard]] std::size_t added() const { return accesses_.size(); }
  [[nodiscard]] bool has_room() const { return accesses_.size() < kMostAtOnce; }
  [[nodiscard]] std::size_t pieces() const { return pieces_.size(); }
  /// The added requests that belong to the piece go to their slices.
  void visit_slices(std::size_t piece);
  /// Answers the added requests, in order, after all pieces have been visited. None is added any more then.
  ///
  /// Calls deliver(sm, reply) for each request that is answered. Calls hold(sm, until) for each store, except
  /// atomics, that waits longer than a round trip: for its slice, or for the channel that takes what it
  /// displaces (without L2, the store itself). Until then the SM should send no more. Calls served(level,
  /// done) for each request: the furthest level that had some of what it reads, and when that is in the SM;
  /// kNever if it is not answered.
  template <typename Deliver, typename Hold, typename Served = NotTold>
  void answer(Deliver deliver, Hold hold, Served served = {});
  /// The fence's answer; all requests before it must be answered.
  [[nodiscard]] MemoryReply answer_fence(const MemoryRequest& request) const;

  // -- by grid ---------------------------------------------------------------------------------------------
  /// Adds a grid, for which nothing has been counted. `by_instruction`: it is counted by instruction, too.
  void add_grid(std::size_t grid, bool by_instruction = false);
  /// When all that the grid has asked for has been done: what was read is in the SM; what was stored or
  /// updated is in L2, or without L2 has been given to a channel.
  [[nodiscard]] Cycle done_at(std::size_t grid = 0) const;
  /// What is displaced from L2 counts for the grid that displaces it.
  [[nodiscard]] const MemoryCounters& counters(std::size_t grid = 0) const { return shares_[grid].counters; }
  /// The counters of the grid by pc, up to the last instruction that has asked for something, if they are
  /// wanted.
  [[nodiscard]] const std::vector<MemoryCounters>& counters_by_pc(std::size_t grid) const {
    return shares_[grid].by_pc;
  }
  /// Bytes that DRAM has been given, for whatever grid, and has not moved by then: nobody waits for what L2
  /// displaces.
  [[nodiscard]] std::uint64_t dram_bytes_after(Cycle end) const;

 private:
  static constexpr std::size_t kMostAtOnce = 2048;  // stay in the host's cache

  /// A request, or what it asks of one of several lines of L2. Pieces write none of another's lines of the
  /// host's cache.
  struct alignas(64) Access {
    L2Access asked;
    L2Visit visit;
    std::uint16_t sectors = 0;  // sectors of the whole request
    std::uint32_t tag = 0;
    SmId sm = 0;
    std::uint16_t translation = 0;
    std::uint8_t grid = 0;
    bool is_last = false;  // the last access of its request
    bool is_prefetch = false;
    std::uint16_t warp = 0;
    Pc pc = 0;
  };

  /// What a grid has of all that is served.
  struct Share {
    MemoryCounters counters;
    bool is_by_instruction = false;
    std::vector<MemoryCounters> by_pc;
    Tick ports_free = 0;        // when the ports that it has passed, and without L2 the channels, are free
    Cycle loads_done_at = 0;    // when the SM has the loads and the answered atomics
    Cycle updates_done_at = 0;  // when L2 has the atomics that are not answered

    /// Calls use(counters) with all that count for the instruction: the grid's, and its own if they are
    /// wanted.
    template <typename Use>
    void count(Pc pc, const Use& use) {
      use(counters);
      if (!is_by_instruction) return;
      if (pc >= by_pc.size()) by_pc.resize(pc + std::size_t{1});
      use(by_pc[pc]);
    }
  };

  /// What the prefetcher wants.
  struct Prefetch {
    PrefetchedLine wanted;
    PrefetchOrigin origin;
    Cycle arrival = 0;  // when the access that led to it arrived
  };

  Cycle finish(const Access& access, Share& share);
  Cycle pass_l2(const L2Visit& visit, Share& share);
  [[nodiscard]] Cycle held_until(const L2Access& asked, const L2Visit& visit) const;
  Cycle read_dram(const DramAccess& access, Cycle arrival);
  void write_dram(const DramAccess& access, Cycle arrival);
  void add_to(MemoryCounters& counters, const L2Access& asked, const L2Visit& visit) const;
  static MemoryLevel level_of(const L2Visit& visit) {
    return visit.missing.sectors != 0 ? MemoryLevel::Dram : MemoryLevel::L2;
  }
  void follow(const Access& access, PrefetchEvent used);
  void serve_prefetches();
  void count(const PrefetchEvent& event);
  void note_done(const L2Access& asked, Cycle ready, Share& share);
  [[nodiscard]] Tick ports_free_at(Cycle arrival) const;
  [[nodiscard]] Cycle way_back() const { return l2_.enabled ? hit_latency_ : miss_latency_; }

  L2Spec l2_;
  std::uint32_t sector_bytes_;
  std::uint32_t sectors_per_line_;
  Divisor line_bytes_;
  Cycle hit_latency_;     // slice to SM
  Cycle miss_latency_;    // slice to SM by way of DRAM
  Cycle atomic_latency_;  // what an update takes longer than a load
  L2Slices slices_;
  DramTiming dram_timing_;
  std::vector<DramChannel> channels_;
  std::vector<Access> accesses_;
  std::vector<std::vector<std::uint32_t>> pieces_;  // which of accesses_ belong to each
  std::vector<std::uint32_t> piece_of_;             // by pair of slices
  std::unique_ptr<Prefetcher> prefetcher_;          // null: L2 has none
  std::vector<PrefetchEvent> prefetch_uses_;        // by access, with a prefetcher
  std::vector<PrefetchedLine> wanted_;              // after the last access
  std::vector<Prefetch> prefetches_;                // that these accesses have led to
  std::uint64_t lines_of_page_;
  std::vector<Share> shares_ = std::vector<Share>(1);  // by grid
  Cycle updates_done_at_ = 0;                          // the same for all grids
};

template <typename Deliver, typename Hold, typename Served>
void L2AndDram::answer(Deliver deliver, Hold hold, Served served) {
  Cycle done = 0;
  MemoryLevel level = MemoryLevel::L2;
  for (const Access& access : accesses_) {
    Share& share = shares_[access.grid];
    if (!prefetch_uses_.empty()) [[unlikely]]
      follow(access, prefetch_uses_[static_cast<std::size_t>(&access - accesses_.data())]);
    const Cycle ready = finish(access, share);
    share.ports_free = std::max(share.ports_free, access.visit.free_at);
    if (access.asked.reads() && !access.is_prefetch)
      note_done(access.asked, ready + (access.asked.is_store ? 0 : access.translation), share);
    done = std::max(done, ready);
    level = std::max(level, level_of(access.visit));
    if (const Cycle until = held_until(access.asked, access.visit); until > access.asked.arrival) {
      hold(access.sm, until);
    }
    if (!access.is_last) continue;
    served(level, access.asked.is_store ? kNever : done + access.translation);
    if (!access.asked.is_store) {
      deliver(access.sm, MemoryReply{done + access.translation, access.tag, access.sectors, level});
    }
    done = 0;
    level = MemoryLevel::L2;
  }
  if (!prefetches_.empty()) [[unlikely]]
    serve_prefetches();
  accesses_.clear();
  for (std::vector<std::uint32_t>& piece : pieces_) piece.clear();
}

}  // namespace heddle::sim
