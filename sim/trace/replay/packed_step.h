// What a warp of a trace does, instruction by instruction, in a few bytes each.
//
// An FFMA behind another takes one byte: everything is said as a difference from the instruction before.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "isa/base/types.h"
#include "isa/stream/warp_source.h"
#include "sim/trace/format/trace_line.h"

namespace heddle::trace {

/// One issued instruction: all that replay knows of it.
struct TraceStep {
  std::uint32_t op = 0;        ///< Which of the operations of TraceOps.
  std::uint32_t live = 0;      ///< Lanes that had not exited,
  std::uint32_t active = 0;    ///< of those the ones on its path,
  std::uint32_t executed = 0;  ///< of those the ones whose guard held.
  bool has_addresses = false;
  bool has_shared_addresses = false;  ///< Of a copy.
  bool has_async = false;
  stream::BarrierUse barrier;
  std::uint32_t nanoseconds = 0;                ///< Of a sleep.
  std::array<Addr, kLanes> addresses{};         ///< Where executed.
  std::array<Addr, kLanes> shared_addresses{};  ///< Likewise.
  stream::AsyncStep async;                      ///< If `has_async`.
};

/// What the next instruction is told apart from. A warp's bytes begin with a fresh one.
struct PackState {
  std::uint32_t op = ~0U;
  std::uint32_t live = 0;
  std::uint32_t active = 0;
  std::uint32_t executed = 0;
  Addr address = 0;
  Addr shared_address = 0;
};

/// Adds the instruction's bytes.
void pack(const TraceStep& step, PackState& state, std::string& bytes);

/// The two halves of reading it: which operation it is, then the rest. Both move `at` on.
class Unpacker {
 public:
  void start(const char* at) { at_ = at; }
  [[nodiscard]] const char* at() const { return at_; }

  /// The operation of the instruction at hand.
  std::uint32_t read_op();
  /// The rest of the same instruction. Addresses are written only where there are some.
  void read_rest(TraceStep& step);

 private:
  std::uint64_t read_number();
  void read_async(stream::AsyncStep& step);
  void read_addresses(std::uint32_t lanes, Addr& last, std::array<Addr, kLanes>& addresses);

  const char* at_ = nullptr;
  std::uint32_t flags_ = 0;
  PackState state_;
};

}  // namespace heddle::trace
