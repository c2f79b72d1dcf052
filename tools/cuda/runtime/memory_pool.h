// Memory pools: how much of a GPU's memory was taken by cudaMallocAsync and cudaMallocFromPoolAsync, by pool.
// What is freed goes back to the GPU at once, whatever a pool's threshold says.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>

#include "tools/cuda/runtime/api.h"

/// What a cudaMemPool_t points to.
struct CUmemPoolHandle_st {
  std::uint64_t used = 0;       ///< Bytes.
  std::uint64_t most_used = 0;  ///< Since the program set it back.
  std::uint64_t threshold = 0;  ///< As the program set it.
  std::array<int, 3> reuse = {1, 1,
                              1};  ///< Whether it may be reused, by cudaMemPoolReuse...: it changes nothing.
  std::set<int> peers;             ///< Other GPUs whose kernels may use its memory.
};

namespace heddle::cudart {

/// The pools of one GPU.
class MemoryPools {
 public:
  /// The one that cudaMallocAsync takes from.
  [[nodiscard]] cudaMemPool_t current() { return current_ != nullptr ? current_ : &default_; }
  [[nodiscard]] cudaMemPool_t usual() { return &default_; }
  /// These throw Failure if there is no such pool.
  void set_current(cudaMemPool_t pool) { current_ = &find(pool); }
  [[nodiscard]] CUmemPoolHandle_st& find(cudaMemPool_t pool);

  [[nodiscard]] bool has(cudaMemPool_t pool) const { return pool == &default_ || made_.contains(pool); }

  cudaMemPool_t create();
  void destroy(cudaMemPool_t pool);

  void note_allocation(cudaMemPool_t pool, std::uint64_t address, std::uint64_t bytes);
  /// Does nothing if no pool has it.
  void note_free(std::uint64_t address);
  /// Which pool an allocation is from; null: from none.
  [[nodiscard]] cudaMemPool_t pool_of(std::uint64_t address) const {
    const auto found = taken_.find(address);
    return found == taken_.end() ? nullptr : found->second.pool;
  }

 private:
  struct Taken {
    cudaMemPool_t pool = nullptr;
    std::uint64_t bytes = 0;
  };

  CUmemPoolHandle_st default_;
  cudaMemPool_t current_ = nullptr;  // null: the default one
  std::map<cudaMemPool_t, std::unique_ptr<CUmemPoolHandle_st>> made_;
  std::map<std::uint64_t, Taken> taken_;
};

/// What nodes of graphs have allocated. It stays until the GPU is reset, since graphs may be launched again
/// whenever a program has freed what they took.
struct MemoryOfGraphs {
  std::set<std::uint64_t> addresses;
  std::uint64_t used = 0;  ///< Bytes.
};

}  // namespace heddle::cudart
