#include "isa/lower/converge.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "isa/cfg/dominators.h"
#include "isa/cfg/flow_graph.h"
#include "isa/lower/called_functions.h"
#include "isa/lower/clean.h"
#include "isa/lower/keep_barriers.h"
#include "isa/lower/operands.h"
#include "isa/lower/variance.h"

namespace heddle::lower {

namespace {

using cfg::BlockIndex;

/// Lanes part behind `entry` and meet at the beginning of `join`.
struct Region {
  BlockIndex entry = 0;
  BlockIndex join = 0;
  std::vector<bool> blocks;  ///< Between the two.
  std::vector<bool> called;  ///< By function (called_functions.h): whether it is called within.
  unsigned barrier = 0;
};

class Regions {
 public:
  explicit Regions(const ir::Kernel& kernel)
      : kernel_(kernel),
        graph_(cfg::make_flow_graph(kernel, cfg::Excursions::SteppedOver)),
        functions_(kernel, graph_),
        dominators_(cfg::immediate_dominators(graph_, functions_.starts())),
        postdominators_(cfg::immediate_postdominators(graph_)) {}

  [[nodiscard]] const cfg::FlowGraph& graph() const { return graph_; }

  std::vector<Region> find() {
    const std::vector<bool> is_divergent = divergent_branches(kernel_, graph_, postdominators_);
    std::map<BlockIndex, BlockIndex> entries;  // by join
    for (BlockIndex block = 0; block < is_divergent.size(); ++block) {
      const BlockIndex join = postdominators_[block];
      if (!is_divergent[block] || join == cfg::kEndOfKernel || ends_at_once(join)) continue;
      const auto [found, is_new] = entries.emplace(join, block);
      if (!is_new) found->second = common_dominator(found->second, block);
    }
    std::vector<Region> regions;
    for (const auto& [join, entry] : entries) {
      if (const auto region = region_of(entry, join)) regions.push_back(*region);
    }
    number(regions);
    return regions;
  }

 private:
  /// Nobody need wait who only exits.
  [[nodiscard]] bool ends_at_once(BlockIndex block) const {
    const ir::Instruction& first = kernel_.instructions[graph_.blocks[block].begin];
    return first.opcode == ir::Opcode::Exit && first.guard.always();
  }

  [[nodiscard]] std::vector<BlockIndex> dominators_of(BlockIndex block) const {
    std::vector<BlockIndex> chain;
    for (BlockIndex one = block; one != cfg::kNoDominator; one = dominators_[one]) chain.push_back(one);
    return chain;
  }

  [[nodiscard]] BlockIndex common_dominator(BlockIndex a, BlockIndex b) const {
    const std::vector<BlockIndex> of_a = dominators_of(a);
    for (BlockIndex one = b; one != cfg::kNoDominator; one = dominators_[one]) {
      if (std::find(of_a.begin(), of_a.end(), one) != of_a.end()) return one;
    }
    return 0;
  }

  [[nodiscard]] bool always_comes_to(BlockIndex from, BlockIndex join) const {
    for (BlockIndex one = from; one != cfg::kEndOfKernel; one = postdominators_[one]) {
      if (one == join) return true;
    }
    return false;
  }

  /// The entry is moved up until all its ways lead to the join, and out of loops that do not have the join.
  [[nodiscard]] std::optional<Region> region_of(BlockIndex entry, BlockIndex join) const {
    for (BlockIndex one = entry; one != cfg::kNoDominator; one = dominators_[one]) {
      if (one == join || !always_comes_to(one, join)) continue;
      std::vector<bool> blocks = blocks_between(graph_, one, join);
      if (!blocks[one]) return Region{one, join, std::move(blocks), {}, 0};
    }
    return std::nullopt;
  }

  /// Barriers of regions that overlap are different ones; regions that find none are dropped.
  void number(std::vector<Region>& regions) const {
    std::vector<Region> kept;
    for (Region& region : regions) {
      if (!may_wait(region)) continue;
      region.called = called_in(region);
      std::vector<bool> is_taken(names_in(region));
      for (const Region& other : kept) {
        const bool overlap =
            other.entry == region.entry || other.blocks[region.entry] || region.blocks[other.entry];
        if ((overlap || calls_into(region, other) || calls_into(other, region)) &&
            other.barrier < is_taken.size())
          is_taken[other.barrier] = true;
      }
      const auto free = std::find(is_taken.begin(), is_taken.end(), false);
      if (free == is_taken.end()) continue;
      region.barrier = static_cast<unsigned>(free - is_taken.begin());
      kept.push_back(std::move(region));
    }
    regions = std::move(kept);
  }

  [[nodiscard]] bool is_recursive(const Region& region) const {
    return functions_.is_recursive(functions_.function_of(region.entry));
  }

  /// A recursive function keeps few barriers, and where it begins, so that nothing may jump back there.
  [[nodiscard]] bool may_wait(const Region& region) const {
    const BlockIndex start = functions_.starts()[functions_.function_of(region.entry)];
    return !is_recursive(region) || graph_.blocks[start].predecessors.empty();
  }
  [[nodiscard]] std::size_t names_in(const Region& region) const {
    return is_recursive(region) ? kMostKeptBarriers : ir::kMaxConvergenceBarrier + 1U;
  }

  /// Whether lanes can be in the other region, in a function that is called, while they are in this one.
  [[nodiscard]] bool calls_into(const Region& region, const Region& other) const {
    return region.called[functions_.function_of(other.entry)];
  }

  [[nodiscard]] std::vector<bool> called_in(const Region& region) const {
    std::vector<bool> called(functions_.starts().size());
    for (BlockIndex block = 0; block < graph_.blocks.size(); ++block) {
      if (block == region.entry || region.blocks[block]) functions_.add_reached(block, called);
    }
    return called;
  }

  const ir::Kernel& kernel_;
  cfg::FlowGraph graph_;
  CalledFunctions functions_;
  std::vector<BlockIndex> dominators_;
  std::vector<BlockIndex> postdominators_;
};

ir::Instruction make(ir::Opcode opcode, std::initializer_list<Operand> operands, std::uint32_t line) {
  ir::Instruction made = instruction_of(opcode, operands);
  made.line = line;
  return made;
}

Operand barrier(unsigned number) { return {Operand::Kind::ConvergenceBarrier, number}; }

bool is_branch(const ir::Instruction& instruction) {
  return ir::info(instruction.opcode).action == ir::Action::Branch;
}

/// Writes the kernel anew, with the barriers of the regions.
class Rebuilt {
 public:
  Rebuilt(ir::Kernel& kernel, const cfg::FlowGraph& graph, const std::vector<Region>& regions)
      : kernel_(kernel), graph_(graph), regions_(regions) {}

  void run() {
    for (BlockIndex index = 0; index < graph_.blocks.size(); ++index) {
      const cfg::BasicBlock& block = graph_.blocks[index];
      if (block.begin == block.end) continue;
      begin(index);
      for (Pc pc = block.begin; pc < block.end; ++pc) {
        if (pc + 1 == block.end && is_branch(kernel_.instructions[pc])) arm(index, pc);
        copy(pc);
      }
      if (!is_branch(kernel_.instructions[block.end - 1])) arm(index, block.end - 1);
    }
    set_targets();
    for (ir::Label& label : kernel_.labels) label.pc = begins_[label.pc];
    kernel_.instructions = std::move(instructions_);
    kernel_.sources = std::move(sources_);
  }

 private:
  struct Jump {
    Pc pc;          // new
    Pc target;      // old
    BlockIndex of;  // the block that jumps
  };

  [[nodiscard]] const Region* region_that_meets_at(BlockIndex block) const {
    const auto found =
        std::find_if(regions_.begin(), regions_.end(), [&](const Region& one) { return one.join == block; });
    return found == regions_.end() ? nullptr : &*found;
  }

  static bool has(const Region& region, BlockIndex block) {
    return block == region.entry || region.blocks[block];
  }

  void append(const ir::Instruction& instruction, Pc like) {
    instructions_.push_back(instruction);
    sources_.push_back(like < kernel_.sources.size() ? kernel_.sources[like] : ir::SourcePlace{});
  }

  /// Who comes from within a region waits; others go past.
  void begin(BlockIndex index) {
    const cfg::BasicBlock& block = graph_.blocks[index];
    const Region* region = region_that_meets_at(index);
    if (region != nullptr) {
      const bool falls_in = index > 0 && falls_through(index - 1) && !has(*region, index - 1);
      if (falls_in) {
        skips_.push_back({here(), block.begin, index});
        append(make(ir::Opcode::Bra, {always(), target(0)}, line_of(block.begin)), block.begin);
      }
      waits_[block.begin] = here();
      append(make(ir::Opcode::Bsync, {always(), barrier(region->barrier)}, line_of(block.begin)),
             block.begin);
    }
    begins_[block.begin] = here();
  }

  [[nodiscard]] bool falls_through(BlockIndex index) const {
    const cfg::BasicBlock& block = graph_.blocks[index];
    const auto& successors = block.successors;
    const bool leads_on = std::find(successors.begin(), successors.end(), index + 1) != successors.end();
    const ir::Instruction& last = kernel_.instructions[block.end - 1];
    const bool jumps_away = is_branch(last) && last.guard.always();
    return leads_on && !jumps_away;
  }

  void arm(BlockIndex index, Pc like) {
    for (const Region& region : regions_) {
      if (region.entry != index) continue;
      arms_.push_back({here(), graph_.blocks[region.join].begin, index});
      append(make(ir::Opcode::Bssy, {barrier(region.barrier), target(0)}, line_of(like)), like);
    }
  }

  void copy(Pc pc) {
    const ir::Instruction& instruction = kernel_.instructions[pc];
    if (is_branch(instruction))
      jumps_.push_back({here(), static_cast<Pc>(instruction.operands[1].value), graph_.block_of[pc]});
    if (ir::info(instruction.opcode).action == ir::Action::Call)
      calls_.push_back({here(), static_cast<Pc>(instruction.operands[1].value), graph_.block_of[pc]});
    append(instruction, pc);
  }

  void set_targets() {
    for (const Jump& call : calls_) instructions_[call.pc].operands[1].value = begins_.at(call.target);
    for (const Jump& jump : jumps_) {
      const Region* region = region_that_meets_at(graph_.block_of[jump.target]);
      const bool waits = region != nullptr && has(*region, jump.of);
      instructions_[jump.pc].operands[1].value = waits ? waits_.at(jump.target) : begins_.at(jump.target);
    }
    for (const Jump& arm : arms_) instructions_[arm.pc].operands[1].value = begins_.at(arm.target);
    for (const Jump& skip : skips_) instructions_[skip.pc].operands[1].value = begins_.at(skip.target);
  }

  [[nodiscard]] Pc here() const { return static_cast<Pc>(instructions_.size()); }
  [[nodiscard]] std::uint32_t line_of(Pc pc) const { return kernel_.instructions[pc].line; }

  ir::Kernel& kernel_;
  const cfg::FlowGraph& graph_;
  const std::vector<Region>& regions_;
  std::vector<ir::Instruction> instructions_;
  std::vector<ir::SourcePlace> sources_;
  std::map<Pc, Pc> begins_;  // by the old first pc of a block: behind its BSYNC
  std::map<Pc, Pc> waits_;   // and at it
  std::vector<Jump> jumps_;
  std::vector<Jump> calls_;
  std::vector<Jump> arms_;
  std::vector<Jump> skips_;
};

}  // namespace

void arm_barriers(ir::Kernel& kernel, std::optional<ir::RegisterIndex> stack) {
  Regions regions(kernel);
  const std::vector<Region> found = regions.find();
  if (!found.empty()) Rebuilt(kernel, regions.graph(), found).run();
  if (stack) keep_barriers(kernel, *stack);
}

}  // namespace heddle::lower
