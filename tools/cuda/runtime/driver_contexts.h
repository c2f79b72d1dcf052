// Contexts of the driver API. All contexts of a device share its memory, its streams and its modules: they
// say which device a thread works on, and when what the device has is given back.
#pragma once

#include <algorithm>
#include <map>
#include <memory>

#include "tools/cuda/runtime/api.h"

/// What a CUcontext points to.
struct CUctx_st {
  int device = 0;
  unsigned flags = 0;     ///< As the program gave them.
  unsigned retained = 0;  ///< Of a primary context: how often it was asked for.
};

namespace heddle::cudart {

/// The contexts of a process. It owns what handles point to.
class DriverContexts {
 public:
  CUcontext create(int device, unsigned flags) {
    auto made = std::make_unique<CUctx_st>(CUctx_st{device, flags});
    CUctx_st* handle = made.get();
    made_.emplace(handle, std::move(made));
    return handle;
  }
  void destroy(CUcontext context) { made_.erase(context); }

  /// That of the device which the runtime API uses, too.
  CUcontext primary(int device) {
    std::unique_ptr<CUctx_st>& context = primary_[device];
    if (!context) context = std::make_unique<CUctx_st>(CUctx_st{device});
    return context.get();
  }

  [[nodiscard]] bool is_primary(CUcontext context) const {
    return std::ranges::any_of(primary_, [&](const auto& each) { return each.second.get() == context; });
  }
  /// It was made and not destroyed.
  [[nodiscard]] bool is_known(CUcontext context) const {
    return made_.contains(context) || is_primary(context);
  }
  /// Whether a program holds a context of the device.
  [[nodiscard]] bool holds(int device) const {
    const auto found = primary_.find(device);
    return (found != primary_.end() && found->second->retained != 0) ||
           std::ranges::any_of(made_, [&](const auto& each) { return each.second->device == device; });
  }

 private:
  std::map<CUcontext, std::unique_ptr<CUctx_st>> made_;
  std::map<int, std::unique_ptr<CUctx_st>> primary_;  // by device
};

}  // namespace heddle::cudart
