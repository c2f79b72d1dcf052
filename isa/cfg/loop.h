// A loop of a kernel: its blocks and the paths of lanes through them.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "isa/cfg/components.h"
#include "isa/cfg/flow_graph.h"

namespace heddle::cfg {

/// The blocks from which the back edges to the loop's head can be reached without passing the head, and the
/// functions that they call, up to their returns. Below, a place is the number of an instruction within the
/// loop, and a block number is the number within the loop.
class Loop {
 public:
  /// A basic block of the loop.
  struct Block {
    Pc begin = 0;
    Pc end = 0;
    std::uint32_t first = 0;  ///< Place of its first instruction.
  };

  Loop(const ir::Kernel& kernel, const FlowGraph& graph, BlockIndex head,
       const std::vector<BlockIndex>& latches);

  /// By place, in program order.
  [[nodiscard]] const std::vector<Pc>& body() const { return body_; }
  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
  [[nodiscard]] std::uint32_t block_at(std::uint32_t place) const { return block_of_[place]; }
  /// Edges from each block to its predecessors in the loop. The predecessors of the block behind a call
  /// include the ends of the called function, through an empty block.
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
  std::vector<std::uint32_t> number_;  // by block of the kernel
  std::vector<BlockIndex> returns_;    // blocks of the kernel in which called functions end
  std::vector<Pc> body_;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> block_of_;  // by place
  Edges before_;
};

/// The loops' back edges by loop head.
std::map<BlockIndex, std::vector<BlockIndex>> latches_by_head(const FlowGraph& graph);

}  // namespace heddle::cfg
