// A twin on the GPU.
#pragma once

#include <string>
#include <vector>

#include "tools/hardware/kit/gpu.h"
#include "tools/hardware/kit/twin.h"

namespace kit {

/// A twin's buffers on the device, and a copy of each as it was.
class Placed {
 public:
  explicit Placed(const Twin& twin);

  void restore() const;
  void run() const { twin_.run(addresses_); }
  /// What the CPU has otherwise; empty where all agree.
  std::string wrong() const;

 private:
  const Twin& twin_;
  std::vector<DeviceArray<unsigned char>> pristine_, used_;
  Addresses addresses_;
};

/// Checks a twin's result, times it with nothing of it in L2, and checks the result of the last launch, too.
struct Timed {
  std::string wrong;    ///< Empty: all right.
  double us = 0;        ///< By events around the launch, which is in it.
  double empty_us = 0;  ///< The same of a kernel of this shape that does nothing.
};

Timed check_and_time(const Gpu& gpu, const Twin& twin);

}  // namespace kit
