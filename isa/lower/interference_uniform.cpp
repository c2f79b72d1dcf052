// Uniform registers on the paths of divergent branches.
#include <algorithm>

#include "isa/cfg/dominators.h"
#include "isa/ir/condition.h"
#include "isa/lower/interference.h"

namespace heddle::lower {

namespace {

using cfg::BlockIndex;

bool is_uniform_file(ir::RegisterFile file) {
  return file == ir::RegisterFile::Uniform || file == ir::RegisterFile::UniformPredicate;
}

class DivergentPaths {
 public:
  DivergentPaths(const ir::Kernel& kernel, const Webs& webs)
      : kernel_(kernel),
        webs_(webs),
        joins_(cfg::immediate_postdominators(webs.graph)),
        needed_(needed_in_blocks()),
        paths_seen_(webs.graph.blocks.size(), 0) {}

  std::vector<std::vector<Web>> find() {
    std::vector<std::vector<Web>> sets;
    for (BlockIndex block = 0; block < webs_.graph.blocks.size(); ++block) {
      if (!diverges(block)) continue;
      for (std::vector<Web>& set : by_file(webs_between(block))) {
        if (set.size() > 1) sets.push_back(std::move(set));
      }
    }
    return sets;
  }

 private:
  /// By block: the uniform webs that it reads, writes, or passes on.
  [[nodiscard]] std::vector<std::vector<Web>> needed_in_blocks() const {
    std::vector<std::vector<Web>> needed(webs_.graph.blocks.size());
    for (BlockIndex block = 0; block < webs_.graph.blocks.size(); ++block) {
      const auto add = [&](Web web) {
        if (is_uniform_file(webs_.list[web].name.file)) needed[block].push_back(web);
      };
      for (Pc pc = webs_.graph.blocks[block].begin; pc < webs_.graph.blocks[block].end; ++pc) {
        for (const Access& access : webs_.accesses.of(pc)) add(access.number);
      }
      for (const Web web : webs_.live_out[block]) add(web);
      make_unique(needed[block]);
    }
    return needed;
  }

  static void make_unique(std::vector<Web>& webs) {
    std::sort(webs.begin(), webs.end());
    webs.erase(std::unique(webs.begin(), webs.end()), webs.end());
  }

  /// Whether lanes can leave the block on different ways: it ends in a jump that not the whole warp takes as
  /// one.
  [[nodiscard]] bool diverges(BlockIndex block) const {
    const cfg::BasicBlock& row = webs_.graph.blocks[block];
    if (row.successors.size() < 2) return false;
    if (row.begin == row.end) return true;
    const ir::Instruction& last = kernel_.instructions[row.end - 1];
    const bool is_uniform = ir::is_uniform_predicate(last.guard.predicate) && ir::has_no_condition(last);
    return !is_uniform && !last.modifiers.has(ir::Modifier::UniformityUniform);
  }

  /// What is needed between the branch and where its paths meet, if more than one path has instructions.
  std::vector<Web> webs_between(BlockIndex branch) {
    ++walk_;
    const BlockIndex join = joins_[branch];
    std::vector<BlockIndex> open;
    for (const BlockIndex next : webs_.graph.blocks[branch].successors) {
      if (next != join) open.push_back(next);
    }
    if (open.size() < 2) return {};
    std::vector<Web> found;
    while (!open.empty()) {
      const BlockIndex block = open.back();
      open.pop_back();
      if (block == join || paths_seen_[block] == walk_) continue;
      paths_seen_[block] = walk_;
      found.insert(found.end(), needed_[block].begin(), needed_[block].end());
      const std::vector<BlockIndex>& successors = webs_.graph.blocks[block].successors;
      open.insert(open.end(), successors.begin(), successors.end());
    }
    make_unique(found);
    return found;
  }

  [[nodiscard]] std::vector<std::vector<Web>> by_file(const std::vector<Web>& webs) const {
    std::vector<std::vector<Web>> files(2);
    for (const Web web : webs) {
      files[webs_.list[web].name.file == ir::RegisterFile::Uniform ? 0 : 1].push_back(web);
    }
    return files;
  }

  const ir::Kernel& kernel_;
  const Webs& webs_;
  std::vector<BlockIndex> joins_;
  std::vector<std::vector<Web>> needed_;
  std::vector<std::uint32_t> paths_seen_;  // by block: the walk in which it was met last
  std::uint32_t walk_ = 0;
};

}  // namespace

std::vector<std::vector<Web>> uniform_webs_of_divergent_paths(const ir::Kernel& kernel, const Webs& webs) {
  const bool has_any = std::any_of(webs.list.begin(), webs.list.end(), [](const WebInfo& web) {
    return is_uniform_file(web.name.file) && !web.is_fixed();
  });
  if (!has_any) return {};
  return DivergentPaths(kernel, webs).find();
}

}  // namespace heddle::lower
