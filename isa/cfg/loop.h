// A loop of a kernel: its blocks and the way lanes take through them.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "isa/cfg/components.h"
#include "isa/cfg/flow_graph.h"

namespace heddle::cfg {

/// The blocks from which the back edges to a head can be reached without passing it, and what they call, up
/// to where that returns. In what follows, a place is an instruction's number within the loop, a block's
/// number is the one within the loop.
class Loop {
 public:
  struct Block {
    Pc begin = 0;
    Pc end = 0;
    std::uint32_t first = 0;  ///< The place of its first instruction.
  };

  Loop(const ir::Kernel& kernel, const FlowGraph& graph, BlockIndex head,
       const std::vector<BlockIndex>& latches);

  /// By place, in the order of the text.
  [[nodiscard]] const std::vector<Pc>& body() const { return body_; }
  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
  [[nodiscard]] std::uint32_t block_at(std::uint32_t place) const { return block_of_[place]; }
  /// From each block to those of the loop that lanes come from. Behind a call these are also where what the
  /// loop calls returns, by way of a block without instructions.
  [[nodiscard]] const Edges& before() const { return before_; }

 private:
  static constexpr std::uint32_t kOutside = ~std::uint32_t{0};

  [[nodiscard]] bool has(BlockIndex block) const { return number_[block] != kOutside; }
  void add(BlockIndex block, std::vector<BlockIndex>& open);
  void add_callees();
  void add_blocks();
  void add_edges();
  [[nodiscard]] bool calls(BlockIndex block) const;
  [[nodiscard]] bool comes_back(BlockIndex from, BlockIndex to) const;

  const ir::Kernel& kernel_;
  const FlowGraph& graph_;
  std::vector<std::uint32_t> number_;  // by the kernel's block
  std::vector<BlockIndex> returns_;    // the kernel's blocks in which what the loop calls ends
  std::vector<Pc> body_;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> block_of_;  // by place
  Edges before_;
};

/// The loops' back edges, by the head of their loop.
std::map<BlockIndex, std::vector<BlockIndex>> latches_by_head(const FlowGraph& graph);

}  // namespace heddle::cfg
