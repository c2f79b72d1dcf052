#include "sim/device/memory_exchange.h"

#include <algorithm>

namespace heddle::sim {

namespace {

constexpr std::size_t kFewRequests = 128;  // not worth waking other threads for

/// More than threads, lest one waits for another; but a single thread need not divide its work.
std::size_t pieces_for(unsigned threads) { return threads == 1 ? 1 : std::size_t{4} * threads; }

}  // namespace

MemoryExchange::MemoryExchange(const GpuSpec& spec, ThreadTeam& team, SmArray& sms, EventStream& events)
    : team_(team), sms_(sms), events_(events), memory_(spec, pieces_for(team.threads())) {}

void MemoryExchange::gather(Cycle end) {
  requests_.clear();
  for (const auto& sm : sms_) {
    std::vector<MemoryRequest>& requests = sm->requests();
    const auto later = std::find_if(requests.begin(), requests.end(),
                                    [end](const MemoryRequest& request) { return request.time >= end; });
    requests_.insert(requests_.end(), requests.begin(), later);
    requests.erase(requests.begin(), later);
  }
}

/// They were gathered by SM, each one's in its own order: by time, they come as (time, SM, sequence).
void MemoryExchange::serve(Cycle begin, Cycle end) {
  gather(end);
  const auto time_of = [this](std::uint32_t place) { return requests_[place].time; };
  for (const std::uint32_t place : order_.of(requests_.size(), begin, end - 1, time_of)) {
    const MemoryRequest& request = requests_[place];
    if (request.is_fence || !memory_.has_room()) serve_added();
    if (request.is_fence) {
      sms_[request.sm].deliver(memory_.answer_fence(request));
    } else {
      memory_.add(request);
      if (events_.kinds().memory) added_.push_back(place);
    }
  }
  serve_added();
}

void MemoryExchange::serve_added() {
  if (memory_.added() < kFewRequests) {
    for (std::size_t piece = 0; piece < memory_.pieces(); ++piece) memory_.visit_slices(piece);
  } else {
    team_.run(memory_.pieces(), [this](std::size_t piece, std::size_t) { memory_.visit_slices(piece); });
  }
  const auto deliver = [this](SmId sm, const MemoryReply& reply) { sms_[sm].deliver(reply); };
  const auto hold = [this](SmId sm, Cycle until) { sms_[sm].hold_stores(until); };
  if (!events_.kinds().memory) return memory_.answer(deliver, hold);
  served_ = 0;
  memory_.answer(deliver, hold, [this](MemoryLevel level, Cycle done) { note_served(level, done); });
  added_.clear();
}

void MemoryExchange::note_served(MemoryLevel level, Cycle done) {
  const MemoryRequest& request = requests_[added_[served_++]];
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
  served.grid = sms_[request.sm].view().grids[request.grid].grid->id;
  events_.add(served);
}

}  // namespace heddle::sim
