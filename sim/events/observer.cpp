#include "sim/events/observer.h"

namespace heddle::sim {

namespace {

/// An overload for each kind of event.
struct Teller {
  Observer& observer;

  void operator()(const WarpIssued& event) const { observer.warp_issued(event); }
  void operator()(const WarpSampled& event) const { observer.warp_sampled(event); }
  void operator()(const WarpStalled& event) const { observer.warp_stalled(event); }
  void operator()(const BlockStarted& event) const { observer.block_started(event); }
  void operator()(const BlockEnded& event) const { observer.block_ended(event); }
  void operator()(const MemoryServed& event) const { observer.memory_served(event); }
};

}  // namespace

void tell(Observer& observer, const Event& event) { std::visit(Teller{observer}, event); }

}  // namespace heddle::sim
