// Modules that a program has loaded by the driver API. Their kernels and variables stand in the registry, as
// those do that compilers register, by the addresses of what is kept here.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tools/cuda/runtime/api.h"
#include "tools/cuda/runtime/registry.h"

/// What a CUfunction points to: the registry has a kernel for its address.
struct CUfunc_st {
  CUmodule module = nullptr;
  std::string name;
};

/// What a CUmodule points to.
struct CUmod_st {
  heddle::cudart::Image image;
  int device = 0;                                                    ///< Into whose memory it was loaded.
  std::map<std::string, std::unique_ptr<CUfunc_st>> functions = {};  ///< Those that were asked for.
  std::map<std::string, std::unique_ptr<CUfunc_st>> variables = {};  ///< Likewise.
};

/// What a CUlinkState points to.
struct CUlinkState_st {
  std::vector<std::string> images;  ///< As they were added.
  std::string linked;
};

namespace heddle::cudart {

/// The modules of a process. It owns what handles point to.
struct DriverModules {
  std::map<CUmodule, std::unique_ptr<CUmod_st>> modules;
  std::map<CUlinkState, std::unique_ptr<CUlinkState_st>> links;
};

}  // namespace heddle::cudart
