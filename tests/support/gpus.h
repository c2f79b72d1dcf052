// GPUs for unit tests: frozen copies of GPU files, so that calibrating configs/ moves no unit test.
#pragma once

#include <string>
#include <vector>

#include "sim/config/load.h"

namespace heddle::test {

/// The GPU of tests/gpus/NAME.yaml, with overrides as sim::load_gpu takes them.
inline sim::GpuSpec frozen_gpu(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return sim::load_gpu(std::string(HEDDLE_SOURCE_DIR) + "/tests/gpus/" + name + ".yaml", overrides);
}

}  // namespace heddle::test
