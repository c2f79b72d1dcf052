#include "tools/show/masks.h"

#include <algorithm>

#include "isa/cfg/dominators.h"
#include "isa/cfg/flow_graph.h"
#include "isa/ir/opcode.h"

namespace heddle::show {

namespace {

/// Whether a lane's own computation needs it.
bool is_work(ir::Action action) {
  switch (action) {
    case ir::Action::Arm:
    case ir::Action::Converge:
    case ir::Action::Leave:
    case ir::Action::WarpSync:
    case ir::Action::WarpSyncApart:
    case ir::Action::Yield:
    case ir::Action::Nop:
    case ir::Action::Exit:
      return false;
    default:
      return !ir::is_jump(action);
  }
}

/// The blocks that every lane passes: the first, and those that post-dominate it.
std::vector<bool> passed_by_all(const cfg::FlowGraph& graph) {
  std::vector<bool> passed(graph.blocks.size());
  const std::vector<cfg::BlockIndex> next = cfg::immediate_postdominators(graph);
  for (cfg::BlockIndex block = 0; block < passed.size() && !passed[block]; block = next[block])
    passed[block] = true;
  return passed;
}

/// A run without end must not fill the memory. Pictures show far fewer.
constexpr std::size_t kMostSteps = 100000;

}  // namespace

InstructionRoles roles_of(const ir::Kernel& kernel) {
  InstructionRoles roles;
  roles.by_pc.resize(kernel.instructions.size());
  const cfg::FlowGraph graph = cfg::make_flow_graph(kernel, cfg::Excursions::SteppedOver);
  const std::vector<bool> passed = passed_by_all(graph);
  for (Pc pc = 0; pc < roles.by_pc.size(); ++pc) {
    roles.by_pc[pc].is_path = !passed[graph.block_of[pc]];
    roles.by_pc[pc].is_work = is_work(ir::info(kernel.instructions[pc].opcode).action);
    roles.by_pc[pc].place = pc == 0 ? "start" : roles.by_pc[pc - 1].place;
    for (const ir::Label& label : kernel.labels) {
      if (label.pc == pc) roles.by_pc[pc].place = label.name;
    }
  }
  return roles;
}

void MaskObserver::warp_issued(const sim::WarpIssued& issued) {
  if (issued.grid != 0 || issued.block != block_ || issued.warp_in_block != warp_) return;
  const InstructionRoles::Role& role = roles_.by_pc.at(issued.pc);
  // The guard of a jump says who jumps, not who comes to it.
  const LaneMask lanes = role.is_work ? issued.executed : issued.active;
  count(role, lane_count(lanes));
  std::vector<MaskStep>& steps = masks_.steps;
  const bool goes_on = !steps.empty() && steps.back().lanes == lanes && steps.back().is_path == role.is_path;
  if (!goes_on && steps.size() < kMostSteps)
    steps.push_back({role.place, role.is_path, issued.cycle, issued.cycle, 0, 0, lanes});
  steps.back().last = issued.cycle;
  ++steps.back().instructions;
  if (role.is_work) ++steps.back().work;
}

void MaskObserver::count(const InstructionRoles::Role& role, unsigned lanes) {
  masks_.in_all.used += lanes;
  masks_.in_all.of += masks_.warp_size;
  if (!role.is_path || !role.is_work) return;
  masks_.on_paths.used += lanes;
  masks_.on_paths.of += masks_.warp_size;
  const auto found = std::find_if(masks_.paths.begin(), masks_.paths.end(),
                                  [&](const PathUse& path) { return path.place == role.place; });
  PathUse& path =
      found != masks_.paths.end() ? *found : masks_.paths.emplace_back(PathUse{role.place, 0, {}});
  ++path.instructions;
  path.lanes.used += lanes;
  path.lanes.of += masks_.warp_size;
}

}  // namespace heddle::show
