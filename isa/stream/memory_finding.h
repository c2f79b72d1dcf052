// What a check of a launch found in how its threads use memory. It is no fault: the launch goes on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "isa/base/dim3.h"
#include "isa/base/types.h"

namespace heddle::stream {

/// What is wrong.
enum class FindingKind : std::uint8_t {
  Uninitialised,    ///< Bytes of global memory are read that nobody has written.
  ReadAfterWrite,   ///< A thread reads shared memory that one of another warp has written, with no barrier
                    ///< between; or global memory that another block has changed, and nothing orders the two.
  WriteAfterWrite,  ///< Likewise, another value is written.
  WriteAfterRead,   ///< Likewise, of a thread that has read.
  SameStore,        ///< Two lanes of one store write different values to one place of shared memory.
};

/// A thread at an instruction.
struct FindingThread {
  Pc pc = 0;
  std::uint32_t thread = 0;  ///< By its linear index in the block.
};

/// Once for each pair of instructions of a kernel: the first time, and how often.
struct MemoryFinding {
  FindingKind kind = FindingKind::Uninitialised;
  std::string kernel;  ///< As the compiler named it.
  FindingThread at;
  std::optional<FindingThread> other;  ///< Of a race.
  std::optional<BlockId> other_block;  ///< Of a race in global memory: the block of that thread.
  Dim3 grid;                           ///< Of the launch, in blocks,
  Dim3 block_extents;                  ///< and of its blocks, in threads.
  BlockId block = 0;                   ///< By its linear index in the grid.
  Addr address = 0;                    ///< In global memory, or from the begin of shared memory on.
  std::string buffer;                  ///< The name of the buffer, of global memory.
  std::uint64_t count = 1;             ///< Lanes that did so.
};

}  // namespace heddle::stream
