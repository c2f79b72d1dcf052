#include "isa/exec/uniform_instructions.h"

#include <algorithm>

#include "isa/exec/wide_value.h"

namespace heddle::exec {

void UniformInstructions::copy_first(const Decoded& op, Warp& warp, LaneMask executed) {
  if (executed == 0) return;
  const std::uint32_t* const values = machine_.source(warp, op.a);
  const std::uint32_t first = values[first_lane(executed)];
  if (op.writes_predicates) {
    LaneMask others = 0;
    for_each_lane(executed, [&](unsigned lane) { others |= LaneMask{values[lane] != first} << lane; });
    if (op.keeps_predicate) others |= warp.predicate(op.out_predicate[0], false) & executed;
    warp.set_predicate(op.out_predicate[0], others, executed);
  }
  std::fill_n(machine_.out(op, warp), machine_.lanes, first);
}

/// In the first lane that takes part, or, on the uniform datapath, in all.
void UniformInstructions::compute(const Decoded& op, Warp& warp, LaneMask executed) {
  switch (op.action) {
    case ir::Action::UniformLanes: families_.lanes.run_uniform(op, warp, executed); break;
    case ir::Action::ToUniform: copy_first(op, warp, executed); break;
    case ir::Action::SpecialRegister: families_.special_registers.read(op, warp, executed); break;
    case ir::Action::Vote: families_.warp_wide.vote(op, warp, executed); break;
    case ir::Action::Elect: families_.warp_wide.elect(op, warp, executed); break;
    case ir::Action::Reduce: families_.warp_wide.reduce(op, warp, executed); break;
    case ir::Action::LoadConstant: families_.constants.load(op, warp, executed); break;
    case ir::Action::PackPredicates: families_.predicates.pack(op, warp, executed); break;
    default: families_.predicates.unpack(op, warp, executed); break;
  }
}

/// All lanes of the warp get what one has. Where some wait, these will see it, too.
void UniformInstructions::write(const Decoded& op, Warp& warp, LaneMask executed) {
  if (executed == 0) return;
  const unsigned from = first_lane(executed);
  const bool others_see = machine_.is_watched && warp.paths.active() != warp.paths.live();
  const auto value = [&] { return lane_words(machine_.out(op, warp), op.out_rows, from, machine_.lanes); };
  const auto before = others_see ? value() : decltype(value()){};
  const Predicates predicates = warp.predicates;
  compute(op, warp, executed);
  for (unsigned i = 0; i < op.out_rows; ++i) {
    std::uint32_t* const row = machine_.out(op, warp) + i * machine_.lanes;
    std::fill_n(row, machine_.lanes, row[from]);
  }
  if (others_see && (value() != before || warp.predicates != predicates)) ++machine_.changes;
}

}  // namespace heddle::exec
