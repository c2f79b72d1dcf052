#include "sim/trace/replay/async_opcode.h"

#include "sim/trace/replay/opcode_class.h"

namespace heddle::trace {

namespace {

AsyncOpcode arrival(std::string_view opcode) {
  if (opcode == "SYNCS.ARRIVE.TRANS64" || opcode == "SYNCS.ARRIVE.TRANS64.RED")
    return AsyncOpcode::ArriveExpect;
  if (has_token(opcode, "ART0")) return AsyncOpcode::ArriveCount;
  if (has_token(opcode, "A1T0")) return AsyncOpcode::ArriveOne;
  if (has_token(opcode, "A0TR")) return AsyncOpcode::Expect;
  if (has_token(opcode, "A0TX")) return AsyncOpcode::Complete;
  if (has_token(opcode, "A0T1")) return AsyncOpcode::ExpectOne;
  return AsyncOpcode::None;
}

AsyncOpcode barrier_opcode(std::string_view opcode) {
  if (opcode.starts_with("SYNCS.EXCH.64")) return AsyncOpcode::Init;
  if (opcode.starts_with("SYNCS.ARRIVE")) return arrival(opcode);
  if (!opcode.starts_with("SYNCS.PHASECHK.TRANS64")) return AsyncOpcode::None;
  return has_token(opcode, "TRYWAIT") ? AsyncOpcode::Wait : AsyncOpcode::Test;
}

AsyncOpcode copy_opcode(std::string_view opcode) {
  if (opcode.starts_with("UBLKCP")) {
    if (opcode.find(".S.G") != std::string_view::npos) return AsyncOpcode::BulkLoad;
    return opcode.find(".G.S") != std::string_view::npos ? AsyncOpcode::BulkStore : AsyncOpcode::None;
  }
  if (opcode.starts_with("UTMALDG")) return AsyncOpcode::BulkLoad;
  if (opcode.starts_with("UTMASTG") || opcode.starts_with("UTMAREDG") || opcode.starts_with("UBLKRED"))
    return AsyncOpcode::BulkStore;
  return opcode.starts_with("UTMACMDFLUSH") ? AsyncOpcode::CloseGroup : AsyncOpcode::None;
}

}  // namespace

AsyncOpcode async_opcode(std::string_view opcode) {
  if (opcode.starts_with("SYNCS")) return barrier_opcode(opcode);
  if (opcode.starts_with("UTMA") || opcode.starts_with("UBLK")) return copy_opcode(opcode);
  if (opcode.starts_with("ARRIVES.LDGSTSBAR.64"))
    return has_token(opcode, "TRANSCNT") ? AsyncOpcode::ExpectCopies : AsyncOpcode::ArriveAfterCopies;
  if (opcode.starts_with("UCGABAR_ARV")) return AsyncOpcode::ClusterArrive;
  if (opcode.starts_with("UCGABAR_WAIT")) return AsyncOpcode::ClusterWait;
  return opcode.starts_with("FENCE.VIEW.ASYNC") ? AsyncOpcode::ProxyFence : AsyncOpcode::None;
}

stream::OpKind kind_of(AsyncOpcode opcode) {
  switch (opcode) {
    case AsyncOpcode::None:
    case AsyncOpcode::ProxyFence:
      return stream::OpKind::Compute;
    case AsyncOpcode::CloseGroup:
      return stream::OpKind::CommitCopies;
    case AsyncOpcode::BulkLoad:
      return stream::OpKind::BulkLoad;
    case AsyncOpcode::BulkStore:
      return stream::OpKind::BulkStore;
    default:
      return stream::OpKind::Mbarrier;
  }
}

}  // namespace heddle::trace
