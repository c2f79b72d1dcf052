#include "isa/cfg/provenance.h"

#include <algorithm>

namespace heddle::cfg {

namespace {

template <typename Visit>
void for_each_write(const ir::RegisterUse& use, Visit visit) {
  for (const ir::RegisterSlot slot : use.writes) visit(slot);
  for (unsigned i = 0; i < use.sums.count; ++i) visit(static_cast<ir::RegisterSlot>(use.sums.first + i));
}

}  // namespace

Uses::Uses(const ir::Kernel& kernel) : writers(ir::kSlots) {
  for (Pc pc = 0; pc < kernel.instructions.size(); ++pc) {
    of.push_back(ir::register_use(kernel.instructions[pc]));
    for_each_write(of.back(), [&](ir::RegisterSlot slot) { writers[slot].push_back(pc); });
  }
}

Provenance::Provenance(const ir::Kernel& kernel, const Uses& uses, const Loop& loop)
    : kernel_(kernel), uses_(uses), loop_(loop) {
  for (const Pc pc : loop.body())
    for_each_write(uses.of[pc], [&](ir::RegisterSlot slot) { written_.set(slot); });
  complete();
}

std::vector<Node> Provenance::address_of(std::uint32_t place) {
  const ir::Instruction& instruction = kernel_.instructions[loop_.body()[place]];
  const ir::OpcodeInfo& row = ir::info(instruction.opcode);
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < row.operand_count; ++i) {
    if (row.operands[i] != ir::OperandRole::GlobalAddress) continue;
    for (const ir::RegisterSlot slot : ir::address_use(instruction, i)) {
      if (written_[slot]) nodes.push_back(value_before(place, slot));
    }
  }
  complete();
  return nodes;
}

std::vector<bool> Provenance::sources_of(const std::vector<std::uint32_t>& places) const {
  std::vector<bool> reached(edges_.nodes(), false);
  std::vector<Node> open(places.begin(), places.end());
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    for (const Node source : edges_.of(node)) {
      if (reached[source]) continue;
      reached[source] = true;
      open.push_back(source);
    }
  }
  reached.resize(loop_.body().size());
  return reached;
}

Node Provenance::node_of(Value value) {
  const auto next = static_cast<Node>(loop_.body().size() + values_.size());
  const auto [known, is_new] = known_.try_emplace(std::uint64_t{value.at} * ir::kSlots + value.slot, next);
  if (is_new) values_.push_back(value);
  return known->second;
}

/// The node of the value that a register has before `pc` in this block. `pc` may be the block's end.
Node Provenance::value_in(std::uint32_t block, Pc pc, ir::RegisterSlot slot) {
  const std::vector<Pc>& writers = uses_.writers[slot];
  const Loop::Block& in = loop_.blocks()[block];
  const auto behind = std::lower_bound(writers.begin(), writers.end(), pc);
  if (behind == writers.begin() || behind[-1] < in.begin) return node_of({block, slot});
  const std::uint32_t writer = in.first + (behind[-1] - in.begin);
  if (kernel_.instructions[behind[-1]].guard.always()) return writer;
  return node_of({static_cast<std::uint32_t>(loop_.blocks().size()) + writer, slot});
}

Node Provenance::value_before(std::uint32_t place, ir::RegisterSlot slot) {
  return value_in(loop_.block_at(place), loop_.body()[place], slot);
}

void Provenance::add_reads(std::uint32_t place) {
  const ir::RegisterUse& use = uses_.of[loop_.body()[place]];
  for (const ir::RegisterSlot slot : use.reads) {
    if (written_[slot]) edges_.add(value_before(place, slot));
  }
  if (use.reads_sums && written_[use.sums.first]) edges_.add(value_before(place, use.sums.first));
}

void Provenance::add_value(Value value) {
  const auto blocks = static_cast<std::uint32_t>(loop_.blocks().size());
  if (value.at >= blocks) {
    edges_.add(value.at - blocks);
    edges_.add(value_before(value.at - blocks, value.slot));
    return;
  }
  for (const Node before : loop_.before().of(value.at))
    edges_.add(value_in(before, loop_.blocks()[before].end, value.slot));
}

/// Adds the edges of all nodes that have none yet, and of the nodes that are created on the way.
void Provenance::complete() {
  const std::size_t places = loop_.body().size();
  while (edges_.nodes() < places + values_.size()) {
    const std::size_t node = edges_.nodes();
    if (node < places) {
      add_reads(static_cast<std::uint32_t>(node));
    } else {
      add_value(values_[node - places]);
    }
    edges_.finish_node();
  }
}

}  // namespace heddle::cfg
