// The table of one kind's rows, and the choice of the vector target: the last thing that semantics_<kind>.cpp
// includes, which defines HEDDLE_LANE_KIND.
#if defined(HEDDLE_SEMANTICS_TABLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEDDLE_SEMANTICS_TABLE_INL_H_
#undef HEDDLE_SEMANTICS_TABLE_INL_H_
#else
#define HEDDLE_SEMANTICS_TABLE_INL_H_
#endif

#include <array>

#include "isa/exec/lane_kind.h"
#include "isa/exec/semantics_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec {
namespace HWY_NAMESPACE {

/// The lane function if this translation unit has the opcode's kind, else null. The kind is a template
/// parameter so that each translation unit has functions of its own.
template <LaneKind kKind, ir::Opcode kOpcode>
LaneFunction select_if_here(const ir::Instruction& instruction) {
  constexpr LaneRow kRow = kLaneRows[static_cast<std::size_t>(kOpcode)];
  if constexpr (kRow.kind == kKind && kRow.as == kOpcode) {
    return select<kOpcode>(instruction);
  } else {
    return nullptr;
  }
}

static LaneFunction select_row(ir::Opcode row, const ir::Instruction& instruction) {
  using Selector = LaneFunction (*)(const ir::Instruction&);
  static constexpr std::array<Selector, ir::kOpcodes> kSelectors = {{
#define OPCODE(name, ...) select_if_here<LaneKind::HEDDLE_LANE_KIND, ir::Opcode::name>,
#include "isa/ir/opcodes.def"
#undef OPCODE
  }};
  return kSelectors[static_cast<std::size_t>(row)](instruction);
}

}  // namespace HWY_NAMESPACE
}  // namespace heddle::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heddle::exec {

HWY_EXPORT(select_row);

template <>
LaneFunction function_of_kind<LaneKind::HEDDLE_LANE_KIND>(ir::Opcode row,
                                                          const ir::Instruction& instruction) {
  return HWY_DYNAMIC_DISPATCH(select_row)(row, instruction);
}

}  // namespace heddle::exec
#endif  // HWY_ONCE

#endif  // HEDDLE_SEMANTICS_TABLE_INL_H_
