// The shared memory system, asked for one thing at a time.
#pragma once

#include <optional>

#include "sim/memory/l2_and_dram.h"

namespace heddle::test {

/// Nothing is returned for a store.
inline std::optional<sim::MemoryReply> serve(sim::L2AndDram& system, const sim::MemoryRequest& request) {
  if (request.is_fence) return system.answer_fence(request);
  system.add(request);
  for (std::size_t piece = 0; piece < system.pieces(); ++piece) system.visit_slices(piece);
  std::optional<sim::MemoryReply> reply;
  system.answer([&reply](SmId, const sim::MemoryReply& answer) { reply = answer; }, [](SmId, Cycle) {});
  return reply;
}

}  // namespace heddle::test
