// All keys of a GPU file. Help texts and tables list them, and unknown keys are recognized by them.
#pragma once

#include <string>
#include <vector>

#include "sim/config/policies.h"

namespace heddle::sim {

/// One key of a GPU file, or a group of keys.
struct KeyInfo {
  std::string path;     ///< "l1.latency"
  std::string allowed;  ///< "1 to 1000000 cycles", "true or false", "name of a policy"
  std::string doc;
  bool is_group = false;       ///< Other keys stand below this one.
  bool may_be_absent = false;  ///< The value `none` can replace the whole group.
  const PolicyKind* policies = nullptr;  ///< The policies whose names are allowed, if it is a policy's name.
};

/// In the order of a GPU file. A group comes before its keys.
std::vector<KeyInfo> gpu_keys();

}  // namespace heddle::sim
