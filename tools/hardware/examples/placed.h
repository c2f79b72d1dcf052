// A twin whose buffers are on the GPU.
#pragma once

#include <string>
#include <vector>

#include "tools/hardware/kit/gpu.h"
#include "tools/hardware/kit/twin.h"

namespace kit {

/// The buffers of a twin on the device, with a copy of their first contents.
class Placed {
 public:
  explicit Placed(const Twin& twin);

  void restore() const;
  void run() const { twin_.run(addresses_); }
  /// The differences from the result on the CPU; empty if there are none.
  std::string wrong() const;

 private:
  const Twin& twin_;
  std::vector<DeviceArray<unsigned char>> pristine_, used_;
  Addresses addresses_;
};

/// The check and the times of a twin. L2 holds nothing of the twin when it is timed, and the result of the
/// last launch is checked, too.
struct Timed {
  std::string wrong;    ///< Empty if the result is right.
  double us = 0;        ///< Microseconds between events around the launch, including the launch.
  double empty_us = 0;  ///< The same for an empty kernel of this shape.
};

Timed check_and_time(const Gpu& gpu, const Twin& twin);

}  // namespace kit
