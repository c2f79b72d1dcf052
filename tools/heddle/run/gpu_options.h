// Options of `heddle run` that set a key of the GPU.
#pragma once

#include <array>
#include <string_view>

#include "isa/base/override.h"
#include "tools/heddle/base/options.h"

namespace heddle::command {

/// One such option.
struct GpuOption {
  std::string_view option;
  std::string_view key;
  std::string_view flag;  ///< The value that the option sets if it takes none itself; else empty.
};

inline constexpr std::array<GpuOption, 4> kGpuOptions = {{{"scheduler", "sm.scheduler", ""},
                                                          {"divergence", "sm.divergence", ""},
                                                          {"warp-size", "occupancy.warp_size", ""},
                                                          {"cold", "cold.enabled", "true"}}};

/// Null if no option sets this key.
const GpuOption* option_for(std::string_view key);

/// The values of --set, then those of these options. Throws UsageError if --set gives the same key.
Overrides gpu_settings(const OptionValues& values);

}  // namespace heddle::command
