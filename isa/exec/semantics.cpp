#include "isa/exec/semantics.h"

// Compiles this file once for each vector target, then picks one at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/exec/semantics.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "isa/exec/lane_kind.h"
#include "isa/exec/semantics_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec {
namespace HWY_NAMESPACE {

void blend(std::uint32_t* target, const std::uint32_t* source, LaneMask mask, unsigned rows, unsigned lanes) {
  for (unsigned row = 0; row < rows; ++row) {
    choose(target + row * lanes, source + row * lanes, target + row * lanes, mask, lanes);
  }
}

// In the steps in which functions read it: a wider load than store would have to wait for the store.
void mask_flip(std::uint32_t* target, const std::uint32_t* source, std::uint32_t keep, std::uint32_t flip,
               unsigned words) {
  const Words tag;
  for (unsigned i = 0; i < words; i += static_cast<unsigned>(hn::Lanes(tag))) {
    const auto kept = hn::And(hn::LoadU(tag, source + i), hn::Set(tag, keep));
    hn::StoreU(hn::Xor(kept, hn::Set(tag, flip)), tag, target + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace heddle::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace heddle::exec {

HWY_EXPORT(blend);
HWY_EXPORT(mask_flip);

LaneFunction lane_function(const ir::Instruction& instruction) {
  const LaneRow& row = kLaneRows[static_cast<std::size_t>(instruction.opcode)];
  switch (row.kind) {
    case LaneKind::Integer: return function_of_kind<LaneKind::Integer>(row.as, instruction);
    case LaneKind::Float: return function_of_kind<LaneKind::Float>(row.as, instruction);
    case LaneKind::Double: return function_of_kind<LaneKind::Double>(row.as, instruction);
    case LaneKind::Half: return function_of_kind<LaneKind::Half>(row.as, instruction);
    case LaneKind::Convert: return function_of_kind<LaneKind::Convert>(row.as, instruction);
    case LaneKind::None: break;
  }
  return nullptr;
}

void blend_rows(std::uint32_t* target, const std::uint32_t* source, LaneMask mask, unsigned rows, unsigned lanes) {
  HWY_DYNAMIC_DISPATCH(blend)(target, source, mask, rows, lanes);
}

void mask_and_flip(std::uint32_t* target, const std::uint32_t* source, std::uint32_t keep, std::uint32_t flip,
                   unsigned words) {
  HWY_DYNAMIC_DISPATCH(mask_flip)(target, source, keep, flip, words);
}

}  // namespace heddle::exec
#endif  // HWY_ONCE
