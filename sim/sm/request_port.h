// Where requests leave an SM for L2, in the order of their time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "sim/memory/coalescer.h"
#include "sim/memory/request.h"
#include "sim/memory/translations.h"
#include "sim/sm/result_owner.h"

namespace heddle::sim {

/// Tags of replies that bypass L1 and name the load that waits; the others name miss entries of L1.
inline constexpr std::uint32_t kPastL1 = 1U << 31;

/// The requests that have left one SM and that the exchange has not taken yet. It asks the TLB for each.
class RequestPort {
 public:
  RequestPort(const GpuSpec& spec, SmId sm) : sm_(sm), translations_(spec.cold) {}

  [[nodiscard]] SmId sm() const { return sm_; }
  /// What has left, for the owner to take.
  [[nodiscard]] std::vector<MemoryRequest>& requests() { return requests_; }
  [[nodiscard]] bool has_grid(GridSlot slot) const {
    return std::any_of(requests_.begin(), requests_.end(),
                       [slot](const MemoryRequest& request) { return request.grid == slot; });
  }

  // Requests are filled in where they lie: the host waits for a copy of what has just been put together.

  /// One line of an instruction's leaves.
  void send(Cycle time, const ResultOwner& owner, std::uint32_t tag, const LineAccess& access, bool is_store,
            bool is_prefetch = false) {
    MemoryRequest& request = requests_.emplace_back();
    request.time = time;
    request.sm = sm_;
    request.tag = tag;
    request.line = access.line;
    request.sectors = access.sectors;
    request.is_store = is_store;
    request.grid = owner.grid;
    request.atomic_lanes = access.atomic_lanes;
    request.atomic_addresses = access.atomic_addresses;
    request.is_prefetch = is_prefetch;
    request.translation = translations_.wait(access.line, time);
    request.warp = owner.slot;
    request.pc = owner.op->pc;
  }
  /// L2 answers when it has served all that has left before.
  void send_fence(Cycle time, GridSlot grid, std::uint32_t tag) {
    requests_.push_back({.time = time, .sm = sm_, .tag = tag, .grid = grid, .is_fence = true});
  }
  /// A request that is complete but for its time and its translation.
  void send(Cycle time, const MemoryRequest& request) {
    MemoryRequest& leaving = requests_.emplace_back(request);
    leaving.time = time;
    if (!leaving.is_fence) leaving.translation = translations_.wait(leaving.line, time);
  }

 private:
  SmId sm_;
  Translations translations_;
  std::vector<MemoryRequest> requests_;
};

}  // namespace heddle::sim
