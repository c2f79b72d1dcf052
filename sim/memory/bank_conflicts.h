// Banked storage: shared memory, and the data part of the first-level cache, which is the same memory.
#pragma once

#include <array>
#include <cstdint>

#include "isa/base/lane_addresses.h"
#include "sim/config/gpu_spec.h"

namespace heddle::sim {

/// How many times the banks must be read or written to serve the lanes of an instruction: what Nsight Compute
/// calls wavefronts.
struct BankPasses {
  std::uint32_t all = 1;            ///< At least 1.
  std::uint32_t for_conflicts = 0;  ///< Passes that the same lanes would save if each word had its own bank.
};

/// The most distinct words that fall into one bank. Lanes that name the same word share it, so a broadcast
/// costs 1.
/// Elements wider than a bank come in requests, each of as many lanes as fill the banks: of 8 bytes half a
/// warp, of 16 a quarter, each with its own conflicts. A request serves twice as many lanes if lanes n and
/// n ^ 1, or n and n ^ 2, name one address each throughout the warp, so a broadcast of 16 bytes costs 2
/// (NVIDIA's staff, forums.developer.nvidia.com, topic 77228; for stores we take the same).
BankPasses bank_passes(const LaneAccess& access, const SharedMemorySpec& spec);

/// The same for data of the first-level cache, where no request serves twice as many lanes: 8 bytes that all
/// lanes name cost 2 (RRZE gpu-benches, gpu-strides, doubles with stride 0 on A100 and H200).
unsigned cache_passes(const LaneAccess& access, const SharedMemorySpec& spec);

/// bank_passes() of accesses in shapes that come again (stream::WarpStep): it depends on where the banks'
/// words lie to one another, not on where they begin.
class PassesOfShapes {
 public:
  /// What is narrower than a bank can lie in other words when it has moved.
  BankPasses of(std::uint64_t shape, const LaneAccess& access, const SharedMemorySpec& spec) {
    if (shape == 0 || access.bytes < spec.bank_bytes) return bank_passes(access, spec);
    Known& known = known_[shape % known_.size()];
    if (known.shape != shape) known = {shape, bank_passes(access, spec)};
    return known.passes;
  }

 private:
  /// A shape of addresses, and how many passes it takes.
  struct Known {
    std::uint64_t shape = 0;
    BankPasses passes;
  };
  std::array<Known, 16> known_{};
};

/// The same for LDSM: lanes 8 i to 8 i + 7 of each 32 name rows of 16 bytes, and each of the `matrices` that
/// they make is read by itself: one without conflicts in one pass.
BankPasses matrix_passes(const LaneAccess& access, unsigned matrices, const SharedMemorySpec& spec);

/// The same for lanes that each read and change their words in turn: lanes that name one word do not share
/// it, so it is the most words, counted for each lane, that fall into one bank.
BankPasses atomic_passes(const LaneAccess& access, const SharedMemorySpec& spec);

}  // namespace heddle::sim
