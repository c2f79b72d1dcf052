// Packs the instructions of a warp into a few bytes each.
//
// Each one is encoded as the difference from the one before; an FFMA behind another takes one byte.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "isa/base/types.h"
#include "isa/stream/warp_source.h"
#include "sim/trace/format/trace_line.h"

namespace heddle::trace {

/// One issued instruction: all that replay knows about it.
struct TraceStep {
  std::uint32_t op = 0;        ///< Index of an operation in TraceOps.
  std::uint32_t live = 0;      ///< Lanes that have not exited.
  std::uint32_t active = 0;    ///< Those of the live lanes that are on the path.
  std::uint32_t executed = 0;  ///< Those of the active lanes whose guard holds.
  bool has_addresses = false;
  bool has_shared_addresses = false;  ///< True for a copy.
  bool has_async = false;
  stream::BarrierUse barrier;
  std::uint32_t nanoseconds = 0;                ///< Duration of a sleep.
  std::array<Addr, kLanes> addresses{};         ///< Valid for executed lanes.
  std::array<Addr, kLanes> shared_addresses{};  ///< Valid for executed lanes.
  stream::AsyncStep async;                      ///< Valid if `has_async`.
};

/// The values of the instruction before, from which the next one is encoded. Each warp begins with fresh
/// values.
struct PackState {
  std::uint32_t op = ~0U;
  std::uint32_t live = 0;
  std::uint32_t active = 0;
  std::uint32_t executed = 0;
  Addr address = 0;
  Addr shared_address = 0;
};

/// Appends the bytes of an instruction.
void pack(const TraceStep& step, PackState& state, std::string& bytes);

/// Decodes instructions in two halves: first the operation, then the rest. Both advance the position.
class Unpacker {
 public:
  void start(const char* at) { at_ = at; }
  [[nodiscard]] const char* at() const { return at_; }

  /// The operation of the current instruction.
  std::uint32_t read_op();
  /// The rest of the same instruction. `addresses` is written only if there are any.
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
