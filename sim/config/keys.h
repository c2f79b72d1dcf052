// All keys of a GPU file, for help, for tables, and to tell known keys from unknown ones.
#pragma once

#include <string>
#include <vector>

namespace heddle::sim {

struct KeyInfo {
  std::string path;     ///< "l1.latency"
  std::string allowed;  ///< "1 to 1000000 cycles", "true or false"
  std::string doc;
  bool is_group = false;       ///< Keys stand below this one.
  bool may_be_absent = false;  ///< `none` may stand for them.
};

/// In the order of a GPU file; a group comes before its keys.
std::vector<KeyInfo> gpu_keys();

}  // namespace heddle::sim
