// Banked storage: shared memory, and the data part of the first-level cache, which is the same memory.
#pragma once

#include <cstdint>

#include "isa/base/lane_addresses.h"
#include "sim/config/gpu_spec.h"

namespace heddle::sim {

/// How many times the banks must be read or written to serve the lanes: the most distinct words that fall
/// into one bank. Lanes that name the same word share it, so a broadcast costs 1; at least 1. The same rule
/// covers 64- and 128-bit accesses: a warp's 64 or 128 consecutive words take 2 or 4 passes.
unsigned bank_passes(const LaneAccess& access, const SharedMemorySpec& spec);

/// The same for LDSM: lanes 8 i to 8 i + 7 of each 32 name rows of 16 bytes, and each of the `matrices` that
/// they make is read by itself: one without conflicts in one pass.
unsigned matrix_passes(const LaneAccess& access, unsigned matrices, const SharedMemorySpec& spec);

/// The same for lanes that each read and change their words in turn: lanes that name one word do not share
/// it, so it is the most words, counted for each lane, that fall into one bank.
unsigned atomic_passes(const LaneAccess& access, const SharedMemorySpec& spec);

}  // namespace heddle::sim
