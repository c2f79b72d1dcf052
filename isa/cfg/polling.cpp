#include "isa/cfg/polling.h"

#include <algorithm>
#include <set>

#include "isa/cfg/loop.h"
#include "isa/cfg/moving_addresses.h"
#include "isa/cfg/provenance.h"

namespace heddle::cfg {

namespace {

using ir::Action;
using Places = std::vector<std::uint32_t>;

bool touches_global(const ir::Instruction& instruction) {
  const auto& roles = ir::info(instruction.opcode).operands;
  return std::find(roles.begin(), roles.end(), ir::OperandRole::GlobalAddress) != roles.end();
}

bool copies_to_shared(const ir::Instruction& instruction) {
  return ir::info(instruction.opcode).action == Action::Copy;
}

/// Whether the instruction reads global memory into registers or shared memory.
bool reads_global(const ir::Instruction& instruction) {
  const Action action = ir::info(instruction.opcode).action;
  return touches_global(instruction) &&
         (action == Action::Load || action == Action::Atomic || copies_to_shared(instruction));
}

/// Whether the instruction passes data to other lanes of the block in another way than by registers.
bool tells(const ir::Instruction& instruction) {
  const Action action = ir::info(instruction.opcode).action;
  if (touches_global(instruction)) return false;
  return action == Action::Store || action == Action::Atomic || action == Action::BarrierReduce;
}

bool listens(const ir::Instruction& instruction) {
  const Action action = ir::info(instruction.opcode).action;
  if (touches_global(instruction)) return false;
  return action == Action::Load || action == Action::Atomic || action == Action::BarrierResult;
}

/// Whether the instruction's guard or sources decide where lanes go on.
bool decides(const ir::Instruction& instruction) {
  const Action action = ir::info(instruction.opcode).action;
  return ir::is_jump(action) || action == Action::Exit || action == Action::Leave;
}

/// The places of the loop's instructions for which `holds` is true.
Places those(const ir::Kernel& kernel, const Loop& loop, bool (*holds)(const ir::Instruction&)) {
  Places found;
  for (std::uint32_t place = 0; place < loop.body().size(); ++place) {
    if (holds(kernel.instructions[loop.body()[place]])) found.push_back(place);
  }
  return found;
}

Places polls_of(const ir::Kernel& kernel, const Uses& uses, const Loop& loop) {
  Places reads = those(kernel, loop, reads_global);
  if (reads.empty()) return {};
  Provenance provenance(kernel, uses, loop);
  const std::vector<bool> steering = provenance.sources_of(those(kernel, loop, decides));
  const std::vector<bool> telling = provenance.sources_of(those(kernel, loop, tells));
  const Places listeners = those(kernel, loop, listens);
  const bool is_heard = std::any_of(listeners.begin(), listeners.end(),
                                    [&](std::uint32_t listener) { return steering[listener]; });
  const auto matters = [&](std::uint32_t place) {
    const bool is_told = telling[place] || copies_to_shared(kernel.instructions[loop.body()[place]]);
    return steering[place] || (is_heard && is_told);
  };
  std::erase_if(reads, [&](std::uint32_t place) { return !matters(place); });
  const std::vector<bool> moves = moving_addresses(kernel, loop, provenance, reads);
  Places polls;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    if (!moves[i]) polls.push_back(reads[i]);
  }
  return polls;
}

}  // namespace

std::vector<Pc> polling_accesses(const ir::Kernel& kernel) {
  const FlowGraph graph = make_flow_graph(kernel);
  const Uses uses(kernel);
  std::set<Pc> all;
  for (const auto& [head, latches] : latches_by_head(graph)) {
    const Loop loop(kernel, graph, head, latches);
    for (const std::uint32_t place : polls_of(kernel, uses, loop)) all.insert(loop.body()[place]);
  }
  return {all.begin(), all.end()};
}

}  // namespace heddle::cfg
