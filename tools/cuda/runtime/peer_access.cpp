#include "tools/cuda/runtime/peer_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>

#include "tools/cuda/runtime/check_report.h"
#include "tools/cuda/runtime/failure.h"

namespace heddle::cudart {

namespace {

/// The host lets it be used by kernels of the GPU. What the GPU has by itself is left: variables of modules
/// that several GPUs have loaded.
void adopt(Gpu& gpu, Gpu& owner, const Allocation& allocation) {
  if (gpu.memory.find(reinterpret_cast<const void*>(allocation.address)) != nullptr) return;
  const session::DevicePointer place{allocation.address};
  const std::string name = allocation.call.empty() ? "memory" : allocation.call;
  gpu.device.adopt_host(owner.device.bytes_at(place, allocation.bytes),
                        fmt::format("{} of GPU {}", name, owner.index));
  owner.device.trust(place);  // another GPU may have written it
  gpu.foreign.insert(
      {allocation.address, allocation.is_for_all_gpus() ? ForeignKind::Host : ForeignKind::Peer});
}

void drop(Gpu& gpu, std::uint64_t address) {
  if (gpu.foreign.erase(address) != 0) gpu.device.free({address});
}

}  // namespace

void settle(Gpu& gpu, std::optional<session::EventId> until) noexcept {
  if (gpu.sticky) return;
  try {
    try {
      until ? gpu.device.wait(*until) : gpu.device.synchronize();
      gpu.output.print();
    } catch (const stream::KernelFault& fault) {
      std::fputs(fmt::format("heddle: {}\n", note_fault(gpu, fault)).c_str(), stderr);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heddle: GPU %d: %s\n", gpu.index, error.what());
  }
}

void PeerAccess::enable(int from, int to) {
  if (!enabled_.emplace(from, to).second)
    throw Failure(cudaErrorPeerAccessAlreadyEnabled,
                  fmt::format("GPU {} may use the memory of GPU {} already", from, to));
}

void PeerAccess::disable(int from, int to) {
  if (enabled_.erase({from, to}) == 0)
    throw Failure(cudaErrorPeerAccessNotEnabled,
                  fmt::format("GPU {} may not use the memory of GPU {}: it was not enabled", from, to));
}

bool PeerAccess::may_use(const Gpu& gpu, const Gpu& owner, const Allocation& allocation) const {
  if (allocation.kind != MemoryKind::Device) return allocation.is_for_all_gpus();
  const cudaMemPool_t pool = owner.pools.pool_of(allocation.address);
  return pool != nullptr ? pool->peers.contains(gpu.index) : enabled_.contains({gpu.index, owner.index});
}

void PeerAccess::update(Gpu& gpu) const {
  for (const auto& owner : gpus_) {
    if (!owner || owner.get() == &gpu) continue;
    for (const auto& [address, allocation] : owner->memory.all()) {
      const bool is_known = gpu.foreign.contains(address);
      const bool is_wanted = may_use(gpu, *owner, allocation);
      if (is_wanted && !is_known) adopt(gpu, *owner, allocation);
      if (!is_wanted && is_known) drop(gpu, address);
    }
  }
}

void PeerAccess::withdraw(const Gpu& owner, std::uint64_t address) const {
  for (const auto& gpu : gpus_) {
    if (!gpu || gpu.get() == &owner) continue;
    settle(*gpu);
    drop(*gpu, address);
  }
}

void PeerAccess::forget(const Gpu& gpu) {
  for (const auto& [address, allocation] : gpu.memory.all()) withdraw(gpu, address);
  std::erase_if(enabled_,
                [&](const auto& pair) { return pair.first == gpu.index || pair.second == gpu.index; });
}

OwnedAllocation PeerAccess::find(Gpu& gpu, const void* pointer) const {
  if (const Allocation* own = gpu.memory.find(pointer)) return {&gpu, own};
  for (const auto& other : gpus_) {
    const Allocation* found = other ? other->memory.find(pointer) : nullptr;
    if (found != nullptr) return {other.get(), found};
  }
  return {};
}

Gpu& PeerAccess::owner_of(cudaEvent_t event) const {
  const auto found = std::ranges::find_if(gpus_, [&](const auto& gpu) { return gpu && gpu->has(event); });
  if (found == gpus_.end()) throw Failure(cudaErrorInvalidResourceHandle, "there is no such event");
  return **found;
}

}  // namespace heddle::cudart
