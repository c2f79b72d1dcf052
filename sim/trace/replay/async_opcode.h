// Opcodes of Hopper's barriers in shared memory, bulk copies and cluster barriers. What each says follows
// Accel-Sim's tracer and its simulator (gpu-simulator/trace-driven), which had it from real GPUs.
#pragma once

#include <cstdint>
#include <string_view>

#include "isa/stream/static_op.h"

namespace heddle::trace {

enum class AsyncOpcode : std::uint8_t {
  None,
  Init,               // SYNCS.EXCH.64
  ArriveExpect,       // SYNCS.ARRIVE.TRANS64[.RED]: one arrives and announces bytes
  ArriveCount,        // ...ART0: so many
  ArriveOne,          // ...A1T0
  Expect,             // ...A0TR: announces bytes
  Complete,           // ...A0TX: bytes have come
  ExpectOne,          // ...A0T1: one byte
  Test,               // SYNCS.PHASECHK.TRANS64
  Wait,               // SYNCS.PHASECHK.TRANS64.TRYWAIT
  ArriveAfterCopies,  // ARRIVES.LDGSTSBAR.64[.ARVCNT]
  ExpectCopies,       // ARRIVES.LDGSTSBAR.64.TRANSCNT: one byte, which comes when the copies are done
  ClusterArrive,      // UCGABAR_ARV
  ClusterWait,        // UCGABAR_WAIT
  BulkLoad,           // UTMALDG, UBLKCP.S.G
  BulkStore,          // UTMASTG, UTMAREDG, UBLKRED, UBLKCP.G.S
  CloseGroup,         // UTMACMDFLUSH
  ProxyFence,         // FENCE.VIEW.ASYNC
};

AsyncOpcode async_opcode(std::string_view opcode);

/// Compute for None and for what has no effect in time.
stream::OpKind kind_of(AsyncOpcode opcode);

}  // namespace heddle::trace
