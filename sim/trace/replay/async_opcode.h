// Opcodes of Hopper's mbarriers, bulk copies and cluster barriers. Their meaning follows Accel-Sim's tracer
// and simulator (gpu-simulator/trace-driven), which learned it from real GPUs.
#pragma once

#include <cstdint>
#include <string_view>

#include "isa/stream/static_op.h"

namespace heddle::trace {

/// What an asynchronous opcode does.
enum class AsyncOpcode : std::uint8_t {
  None,
  Init,               // SYNCS.EXCH.64
  ArriveExpect,       // SYNCS.ARRIVE.TRANS64[.RED]: one thread arrives and expects bytes
  ArriveCount,        // ...ART0: as many arrivals as an operand says
  ArriveOne,          // ...A1T0: one arrival
  Expect,             // ...A0TR: expects bytes
  Complete,           // ...A0TX: bytes have come
  ExpectOne,          // ...A0T1: expects one byte
  Test,               // SYNCS.PHASECHK.TRANS64
  Wait,               // SYNCS.PHASECHK.TRANS64.TRYWAIT
  ArriveAfterCopies,  // ARRIVES.LDGSTSBAR.64[.ARVCNT]
  ExpectCopies,       // ARRIVES.LDGSTSBAR.64.TRANSCNT: expects one byte that comes when the copies are done
  ClusterArrive,      // UCGABAR_ARV
  ClusterWait,        // UCGABAR_WAIT
  BulkLoad,           // UTMALDG, UBLKCP.S.G
  BulkStore,          // UTMASTG, UTMAREDG, UBLKRED, UBLKCP.G.S
  CloseGroup,         // UTMACMDFLUSH
  ProxyFence,         // FENCE.VIEW.ASYNC
};

AsyncOpcode async_opcode(std::string_view opcode);

/// Compute for None and for opcodes without an effect on time.
stream::OpKind kind_of(AsyncOpcode opcode);

}  // namespace heddle::trace
