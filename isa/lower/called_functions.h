// The functions in a kernel's IR: the kernel itself and what CALL leads to.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/cfg/flow_graph.h"
#include "isa/ir/kernel.h"

namespace heddle::lower {

/// Function 0 is the kernel itself. The graph must step over calls (cfg::Excursions).
class CalledFunctions {
 public:
  CalledFunctions(const ir::Kernel& kernel, const cfg::FlowGraph& graph);

  /// The first block of each function.
  [[nodiscard]] const std::vector<cfg::BlockIndex>& starts() const { return starts_; }
  /// The function of a block; blocks that two functions share belong to the first.
  [[nodiscard]] std::uint32_t function_of(cfg::BlockIndex block) const { return function_of_[block]; }
  /// Adds the functions that a block calls, and those that they call in turn.
  void add_reached(cfg::BlockIndex block, std::vector<bool>& reached) const;
  [[nodiscard]] bool is_recursive(std::uint32_t function) const { return reached_[function][function]; }

 private:
  [[nodiscard]] std::vector<std::uint32_t> called_in(cfg::BlockIndex block) const;
  void find_blocks(std::uint32_t function);
  void find_reached();

  const ir::Kernel& kernel_;
  const cfg::FlowGraph& graph_;
  std::vector<cfg::BlockIndex> starts_;
  std::vector<std::uint32_t> function_of_;
  std::vector<std::vector<bool>> reached_;  // by function: over one call or more
};

}  // namespace heddle::lower
