#include "isa/exec/special_register_reads.h"

#include <array>
#include <numeric>

#include "isa/exec/semantics.h"
#include "isa/ir/windows.h"

namespace heddle::exec {

std::uint32_t lane_mask_register(ir::SpecialRegister which, unsigned lane) {
  const std::uint32_t own = 1U << lane % 32;
  const std::uint32_t below = own - 1;
  switch (which) {
    case ir::SpecialRegister::LanesBelow: return below;
    case ir::SpecialRegister::LanesUpTo: return below | own;
    case ir::SpecialRegister::LanesAbove: return ~(below | own);
    case ir::SpecialRegister::LanesFrom: return ~below;
    default: return own;
  }
}

std::uint64_t SpecialRegisterReads::nanoseconds() const {
  constexpr double kNanosecondsPerMicrosecond = 1000;
  return static_cast<std::uint64_t>(static_cast<double>(machine_.now) * kNanosecondsPerMicrosecond /
                                    machine_.kernel.launch().clock_mhz);
}

std::uint32_t SpecialRegisterReads::shared_size() const {
  constexpr std::uint32_t kUnit = 128;
  const Launch& launch = machine_.kernel.launch();
  return (launch.kernel.static_shared_bytes + launch.dynamic_shared_bytes + kUnit - 1) / kUnit * kUnit;
}

/// What an instruction that reads 64 bits finds above a special register.
std::uint32_t SpecialRegisterReads::high_word(ir::SpecialRegister which) const {
  if (which == ir::SpecialRegister::ClockLo) return static_cast<std::uint32_t>(machine_.now >> 32);
  return which == ir::SpecialRegister::TimerLo ? static_cast<std::uint32_t>(nanoseconds() >> 32) : 0;
}

void SpecialRegisterReads::read(const Decoded& op, Warp& warp, LaneMask executed) {
  const Dim3 block = machine_.block_of(warp);
  const unsigned lanes = machine_.lanes;
  const std::size_t first_thread = std::size_t{warp.warp_in_block} * lanes;
  std::array<std::uint32_t, kMaxWarpSize> values{};
  const std::uint32_t* from = values.data();
  const auto which = static_cast<ir::SpecialRegister>(op.immediate);
  switch (which) {
    case ir::SpecialRegister::TidX: from = machine_.kernel.thread_index(0) + first_thread; break;
    case ir::SpecialRegister::TidY: from = machine_.kernel.thread_index(1) + first_thread; break;
    case ir::SpecialRegister::TidZ: from = machine_.kernel.thread_index(2) + first_thread; break;
    case ir::SpecialRegister::CtaidX: values.fill(block.x); break;
    case ir::SpecialRegister::CtaidY: values.fill(block.y); break;
    case ir::SpecialRegister::CtaidZ: values.fill(block.z); break;
    case ir::SpecialRegister::Laneid: std::iota(values.begin(), values.end(), 0U); break;
    case ir::SpecialRegister::OwnLane:
    case ir::SpecialRegister::LanesBelow:
    case ir::SpecialRegister::LanesUpTo:
    case ir::SpecialRegister::LanesAbove:
    case ir::SpecialRegister::LanesFrom:
      for (unsigned lane = 0; lane < lanes; ++lane) values[lane] = lane_mask_register(which, lane);
      break;
    case ir::SpecialRegister::ClockLo:
      ++machine_.changes;
      values.fill(static_cast<std::uint32_t>(machine_.now));
      break;
    case ir::SpecialRegister::ClockHi:
      ++machine_.changes;
      values.fill(static_cast<std::uint32_t>(machine_.now >> 32));
      break;
    case ir::SpecialRegister::SharedWindow: values.fill(ir::kSharedWindow); break;
    case ir::SpecialRegister::TimerLo:
      ++machine_.changes;
      values.fill(static_cast<std::uint32_t>(nanoseconds()));
      break;
    case ir::SpecialRegister::TimerHi:
      ++machine_.changes;
      values.fill(static_cast<std::uint32_t>(nanoseconds() >> 32));
      break;
    case ir::SpecialRegister::SmId: values.fill(static_cast<std::uint32_t>(machine_.sm)); break;
    case ir::SpecialRegister::SharedSize: values.fill(shared_size()); break;
    case ir::SpecialRegister::ClusterRank:
    case ir::SpecialRegister::Zero:
    case ir::SpecialRegister::kCount: break;
  }
  blend_rows(machine_.out(op, warp), from, executed, 1, lanes);
  if (op.out_rows == 1) return;
  values.fill(high_word(which));
  blend_rows(machine_.out(op, warp) + lanes, values.data(), executed, 1, lanes);
}

}  // namespace heddle::exec
