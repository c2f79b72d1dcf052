#include "tools/cuda/runtime/memory_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "tools/cuda/runtime/call.h"
#include "tools/cuda/runtime/failure.h"

using heddle::cudart::call;
using heddle::cudart::Failure;
using heddle::cudart::Gpu;
using heddle::cudart::owner_call;
using heddle::cudart::Process;
using heddle::cudart::require;

namespace heddle::cudart {

CUmemPoolHandle_st& MemoryPools::find(cudaMemPool_t pool) {
  if (pool == &default_) return default_;
  const auto found = made_.find(pool);
  if (found == made_.end()) throw Failure(cudaErrorInvalidValue, "there is no such memory pool");
  return *found->second;
}

cudaMemPool_t MemoryPools::create() {
  auto pool = std::make_unique<CUmemPoolHandle_st>();
  CUmemPoolHandle_st* handle = pool.get();
  made_.emplace(handle, std::move(pool));
  return handle;
}

void MemoryPools::destroy(cudaMemPool_t pool) {
  if (made_.erase(pool) == 0)
    throw Failure(cudaErrorInvalidValue, "there is no such memory pool, or it is a device's");
  if (current_ == pool) current_ = nullptr;
  std::erase_if(taken_, [&](const auto& each) { return each.second.pool == pool; });
}

void MemoryPools::note_allocation(cudaMemPool_t pool, std::uint64_t address, std::uint64_t bytes) {
  CUmemPoolHandle_st& found = find(pool);
  found.used += bytes;
  found.most_used = std::max(found.most_used, found.used);
  taken_[address] = {pool, bytes};
}

void MemoryPools::note_free(std::uint64_t address) {
  const auto found = taken_.find(address);
  if (found == taken_.end()) return;
  find(found->second.pool).used -= found->second.bytes;
  taken_.erase(found);
}

}  // namespace heddle::cudart

namespace {

/// Reads or writes what the program's pointer leads to.
template <typename Value>
void exchange(Value& own, void* value, bool is_set) {
  require(value != nullptr, "there is no place for the value");
  if (is_set) {
    std::memcpy(&own, value, sizeof own);
  } else {
    std::memcpy(value, &own, sizeof own);
  }
}

/// What is reserved is what is used.
void exchange_attribute(CUmemPoolHandle_st& pool, cudaMemPoolAttr attribute, void* value, bool is_set) {
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      return exchange(pool.reuse[static_cast<std::size_t>(attribute) - 1], value, is_set);
    case cudaMemPoolAttrReleaseThreshold:
      return exchange(pool.threshold, value, is_set);
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
      require(!is_set, "this attribute cannot be set");
      return exchange(pool.used, value, false);
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      if (!is_set) return exchange(pool.most_used, value, false);
      pool.most_used = pool.used;
      return;
  }
  throw Failure(cudaErrorInvalidValue,
                fmt::format("{} is no attribute of a memory pool", static_cast<int>(attribute)));
}

/// The number of the GPU that is named.
int require_gpu(const cudaMemLocation& location) {
  const bool is_gpu = location.type == cudaMemLocationTypeDevice && location.id >= 0 &&
                      location.id < Process::get().gpu_count();
  require(is_gpu, fmt::format("place {} of kind {} is none of the GPUs", location.id,
                              static_cast<int>(location.type)));
  return location.id;
}

/// The GPU that has the pool can always use it.
void set_access(CUmemPoolHandle_st& pool, const Gpu& owner, const cudaMemAccessDesc& asked) {
  const int peer = require_gpu(asked.location);
  const bool is_given = asked.flags == cudaMemAccessFlagsProtReadWrite;
  require(is_given || asked.flags == cudaMemAccessFlagsProtNone,
          fmt::format("access {} is neither none nor reading and writing", static_cast<int>(asked.flags)));
  require(is_given || peer != owner.index, "a GPU's access to its own memory cannot be taken away");
  if (is_given && peer != owner.index) {
    pool.peers.insert(peer);
  } else {
    pool.peers.erase(peer);
  }
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return call("cudaDeviceGetDefaultMemPool", [&](Process& process) {
    require(pool != nullptr, "there is no place for the pool");
    *pool = process.gpu(device).pools.usual();
  });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return call("cudaDeviceGetMemPool", [&](Process& process) {
    require(pool != nullptr, "there is no place for the pool");
    *pool = process.gpu(device).pools.current();
  });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return call("cudaDeviceSetMemPool", [&](Process& process) { process.gpu(device).pools.set_current(pool); });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return call("cudaMemPoolCreate", [&](Process& process) {
    require(pool != nullptr && properties != nullptr, "there is no place for the pool, or no properties");
    *pool = process.gpu(properties->location.id).pools.create();
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return owner_call("cudaMemPoolDestroy", pool, [&](Gpu& gpu) { gpu.pools.destroy(pool); });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return owner_call("cudaMemPoolSetAttribute", pool,
                    [&](Gpu& gpu) { exchange_attribute(gpu.pools.find(pool), attribute, value, true); });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return owner_call("cudaMemPoolGetAttribute", pool,
                    [&](Gpu& gpu) { exchange_attribute(gpu.pools.find(pool), attribute, value, false); });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return owner_call("cudaMemPoolTrimTo", pool,
                    [&](Gpu& gpu) { [[maybe_unused]] const auto& known = gpu.pools.find(pool); });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* list, size_t count) {
  return owner_call("cudaMemPoolSetAccess", pool, [&](Gpu& gpu) {
    require(list != nullptr || count == 0, "there is no list of GPUs");
    for (std::size_t i = 0; i < count; ++i) set_access(gpu.pools.find(pool), gpu, list[i]);
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
  return owner_call("cudaMemPoolGetAccess", pool, [&](Gpu& gpu) {
    require(flags != nullptr && location != nullptr, "there is no place for the answer");
    const auto& found = gpu.pools.find(pool);
    const bool can = require_gpu(*location) == gpu.index || found.peers.contains(location->id);
    *flags = can ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
  });
}
}
