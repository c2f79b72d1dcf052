#include "isa/exec/semantics.h"

#include <array>

// Compiles this file once for each vector target, then picks one at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/exec/semantics.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "isa/exec/semantics_bits-inl.h"
#include "isa/exec/semantics_carry-inl.h"
#include "isa/exec/semantics_convert-inl.h"
#include "isa/exec/semantics_double-inl.h"
#include "isa/exec/semantics_float-inl.h"
#include "isa/exec/semantics_half-inl.h"
#include "isa/exec/semantics_integer-inl.h"
#include "isa/exec/semantics_uniform-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec {
namespace HWY_NAMESPACE {

template <ir::Opcode kOpcode, ir::Action kAction>
LaneFunction select_if_lanes(const ir::Instruction& instruction) {
  if constexpr (kAction == ir::Action::Lanes || kAction == ir::Action::UniformLanes) {
    return select<kOpcode>(instruction);
  } else {
    return nullptr;
  }
}

LaneFunction select_lane_function(const ir::Instruction& instruction) {
  using Selector = LaneFunction (*)(const ir::Instruction&);
  static constexpr std::array<Selector, ir::kOpcodes> kSelectors = {{
#define OPCODE(name, mnemonic, action, ...) select_if_lanes<ir::Opcode::name, ir::Action::action>,
#include "isa/ir/opcodes.def"
#undef OPCODE
  }};
  return kSelectors[static_cast<std::size_t>(instruction.opcode)](instruction);
}

void blend(std::uint32_t* target, const std::uint32_t* source, LaneMask mask, unsigned rows, unsigned lanes) {
  for (unsigned row = 0; row < rows; ++row) {
    choose(target + row * lanes, source + row * lanes, target + row * lanes, mask, lanes);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace heddle::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heddle::exec {

HWY_EXPORT(select_lane_function);
HWY_EXPORT(blend);

LaneFunction lane_function(const ir::Instruction& instruction) {
  return HWY_DYNAMIC_DISPATCH(select_lane_function)(instruction);
}

void blend_rows(std::uint32_t* target, const std::uint32_t* source, LaneMask mask, unsigned rows, unsigned lanes) {
  HWY_DYNAMIC_DISPATCH(blend)(target, source, mask, rows, lanes);
}

}  // namespace heddle::exec
#endif  // HWY_ONCE
