// The launches of a GPU whose results the session still keeps.
#pragma once

#include <deque>

#include "sim/session/device.h"

namespace heddle::cudart {

/// A program launches thousands of kernels: what one has counted is given back soon after it has ended.
class LaunchLog {
 public:
  void add(session::Device& device, session::LaunchId launch) {
    open_.push_back(launch);
    collect(device);
  }

  /// Gives back what has ended.
  void collect(session::Device& device) {
    while (!open_.empty() && device.has_ended(open_.front())) {
      device.forget(open_.front());
      open_.pop_front();
    }
  }

 private:
  std::deque<session::LaunchId> open_;
};

}  // namespace heddle::cudart
