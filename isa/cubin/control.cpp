#include "isa/cubin/control.h"

#include "isa/cubin/bits.h"

namespace heddle::cubin {

ir::ControlCode control_of(const Encoding& encoding) {
  const auto field = [&](unsigned first, unsigned count) {
    return static_cast<std::uint32_t>(bits_of(encoding, {first, count}));
  };
  ir::ControlCode code{.is_given = true};
  code.yield = field(109, 1) == 0;
  code.stall = field(105, 4) & ir::kMostStall;
  code.write_barrier = field(110, 3) & ir::kNoBarrier;
  code.read_barrier = field(113, 3) & ir::kNoBarrier;
  code.wait_mask = field(116, ir::kDependenceBarriers) & ir::kEveryBarrier;
  return code;
}

}  // namespace heddle::cubin
