// Options of `heddle run` that stand for a key of the GPU.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tools/heddle/base/options.h"
#include "tools/heddle/run/as_written.h"

namespace heddle::command {

struct GpuOption {
  std::string_view option;
  std::string_view key;
  std::string_view flag;  ///< What the option says without a value; empty where it takes one.
};

inline constexpr std::array<GpuOption, 4> kGpuOptions = {{{"scheduler", "sm.scheduler", ""},
                                                          {"divergence", "sm.divergence", ""},
                                                          {"warp-size", "occupancy.warp_size", ""},
                                                          {"cold", "cold.enabled", "true"}}};

/// Null if no option stands for this key.
const GpuOption* option_for(std::string_view key);

/// All of --set, then what these options set. Throws UsageError where --set gives the same key.
std::vector<std::string> gpu_settings(const OptionValues& values);
/// How those that are given were written.
Wordings gpu_wordings(const OptionValues& values);

}  // namespace heddle::command
