#include "sim/device/event_stream.h"

#include <algorithm>
#include <tuple>

namespace heddle::sim {

namespace {

bool comes_before(const MemoryServed& served, const Event& event) {
  return std::tuple(served.cycle, served.sm) < std::tuple(cycle_of(event), sm_of(event));
}

}  // namespace

void EventStream::set_observer(Observer* observer) {
  observer_ = observer;
  kinds_ = observer != nullptr ? observer->wanted() : kNoEvents;
}

// A block that ends with the last cycle of a quantum is gone in the first one of the next.
void EventStream::take_from_sm(std::vector<Event>& events, Cycle end) {
  const auto take = [&](const Event& event) {
    const Cycle cycle = cycle_of(event);
    if (cycle >= end) return false;
    first_ = std::min(first_, cycle);
    last_ = std::max(last_, cycle);
    events_.push_back(event);
    return true;
  };
  std::erase_if(events, take);
}

void EventStream::tell_all() {
  auto served = served_.begin();
  const auto time_of = [this](std::uint32_t place) { return cycle_of(events_[place]); };
  for (const std::uint32_t place : order_.of(events_.size(), first_, last_, time_of)) {
    const Event& event = events_[place];
    while (served != served_.end() && comes_before(*served, event)) observer_->memory_served(*served++);
    tell(*observer_, event);
  }
  while (served != served_.end()) observer_->memory_served(*served++);
  events_.clear();
  served_.clear();
  first_ = kNever;
  last_ = 0;
}

}  // namespace heddle::sim
