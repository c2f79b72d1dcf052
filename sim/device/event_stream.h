// The events of a run on their way to the observer: SMs write them down in a quantum, memory does in the
// exchange, and the observer hears of them then.
#pragma once

#include <vector>

#include "isa/base/time_order.h"
#include "sim/events/observer.h"

namespace heddle::sim {

/// The events of one device that have not been told. With no observer it stays empty.
class EventStream {
 public:
  /// Sets the observer from now on; null: none. All events must have been told.
  void set_observer(Observer* observer);
  /// The kinds that the observer wants; none if there is no observer.
  [[nodiscard]] EventKinds kinds() const { return kinds_; }
  [[nodiscard]] bool is_heard() const { return observer_ != nullptr; }

  /// Takes an SM's events from before `end`. Calls come in the order of SMs.
  void take_from_sm(std::vector<Event>& events, Cycle end);
  /// Adds an event of the memory. Calls come in the order (time, SM, sequence).
  void add(const MemoryServed& served) { served_.push_back(served); }
  /// Tells all events that were taken and added. Those that are added later must have happened later.
  void tell_all();

 private:
  Observer* observer_ = nullptr;
  EventKinds kinds_ = kNoEvents;
  std::vector<Event> events_;  // SM by SM
  std::vector<MemoryServed> served_;
  Cycle first_ = kNever;  // the earliest in events_
  Cycle last_ = 0;
  TimeOrder order_;
};

}  // namespace heddle::sim
