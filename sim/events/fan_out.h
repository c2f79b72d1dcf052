// Tells several observers of one run.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/events/observer.h"

namespace heddle::sim {

/// Each observer hears all that one of them wants.
class FanOut final : public Observer {
 public:
  /// The observer must outlive this.
  void add(Observer& observer) { observers_.push_back(&observer); }
  [[nodiscard]] bool is_empty() const { return observers_.empty(); }

  [[nodiscard]] EventKinds wanted() const override {
    EventKinds all = kNoEvents;
    for (const Observer* observer : observers_) {
      const EventKinds kinds = observer->wanted();
      all.issues |= kinds.issues;
      all.blocks |= kinds.blocks;
      all.memory |= kinds.memory;
      all.stall_sms = std::max(all.stall_sms, kinds.stall_sms);
    }
    return all;
  }
  void warp_issued(const WarpIssued& event) override { tell_all(event); }
  void warp_sampled(const WarpSampled& event) override { tell_all(event); }
  void warp_stalled(const WarpStalled& event) override { tell_all(event); }
  void block_started(const BlockStarted& event) override { tell_all(event); }
  void block_ended(const BlockEnded& event) override { tell_all(event); }
  void memory_served(const MemoryServed& event) override { tell_all(event); }

 private:
  template <typename Told>
  void tell_all(const Told& event) {
    for (Observer* observer : observers_) tell(*observer, event);
  }

  std::vector<Observer*> observers_;
};

}  // namespace heddle::sim
