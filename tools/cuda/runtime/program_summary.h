// The table at the end of a program, as profilers print one: what its kernels and copies took.
#pragma once

#include <string>

#include "tools/cuda/runtime/launch_log.h"

namespace heddle::cudart {

/// A direction of copies and how profilers call it.
struct DirectionName {
  CopyDirection direction;
  const char* name;
};

inline constexpr DirectionName kDirections[] = {{CopyDirection::ToDevice, "memcpy HtoD"},
                                                {CopyDirection::ToHost, "memcpy DtoH"},
                                                {CopyDirection::OnDevice, "memset, DtoD"},
                                                {CopyDirection::BetweenDevices, "memcpy PtoP"}};

/// Kernels by time, the longest first, then copies. Shares are of all times together, which may have
/// overlapped; the title says for how long the GPU lived, by its clock.
std::string program_summary(const LaunchLog& log);

}  // namespace heddle::cudart
