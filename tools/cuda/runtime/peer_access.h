// What the GPUs of a program have of each other: memory that kernels of one and copies find on another, and
// the moment up to which the host has waited.
//
// All memory lies at the host's addresses, so that a GPU uses another's memory by knowing where it is. Host
// and managed memory is for all GPUs, device memory for those that may have it: what cudaMalloc gave by
// cudaDeviceEnablePeerAccess, what a pool gave by cudaMemPoolSetAccess.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "tools/cuda/runtime/gpu.h"

namespace heddle::cudart {

/// An allocation, and whose it is; null: no GPU knows the address.
struct OwnedAllocation {
  Gpu* owner = nullptr;
  const Allocation* allocation = nullptr;
};

/// Lives beside the process's GPUs, which it finds in the list by number; null: not made yet.
class PeerAccess {
 public:
  explicit PeerAccess(const std::vector<std::unique_ptr<Gpu>>& gpus) : gpus_(gpus) {}

  /// Kernels of `from` may use what cudaMalloc gave on `to`. Throws Failure if they may already.
  void enable(int from, int to);
  /// Throws Failure if they may not.
  void disable(int from, int to);

  /// Tells the GPU of all that its kernels may use of others', before one of them is launched.
  void update(Gpu& gpu) const;
  /// An allocation of the owner is about to be given back: what was asked for of other GPUs is done first,
  /// and none of them knows it any more.
  void withdraw(const Gpu& owner, std::uint64_t address) const;
  /// The same of all that the GPU has, before it is reset. It has no peers any more.
  void forget(const Gpu& gpu);

  /// Where the pointer leads; what the GPU itself has comes first.
  [[nodiscard]] OwnedAllocation find(Gpu& gpu, const void* pointer) const;
  /// The GPU that has made the event. Throws Failure if none has.
  [[nodiscard]] Gpu& owner_of(cudaEvent_t event) const;

 private:
  [[nodiscard]] bool may_use(const Gpu& gpu, const Gpu& owner, const Allocation& allocation) const;

  const std::vector<std::unique_ptr<Gpu>>& gpus_;
  std::set<std::pair<int, int>> enabled_;
};

/// Lets the GPU do all that it was given, or what comes before the event; the host does not wait for it. If a
/// kernel of it fails, that is said, and stays with that GPU.
void settle(Gpu& gpu, std::optional<session::EventId> until = {}) noexcept;

}  // namespace heddle::cudart
