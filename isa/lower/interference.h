// The interference graph: which webs cannot share a register.
#pragma once

#include <vector>

#include "isa/lower/allocate_webs.h"

namespace heddle::lower {

/// A MOV whose source and destination are registers of one file.
struct Copy {
  Pc pc = 0;
  std::vector<std::pair<Web, Web>> words;  ///< Destination and source: one pair, or two of MOV.64.
};

/// The copy that an instruction makes; it has no words if the instruction is none.
Copy copy_at(const ir::Kernel& kernel, const Webs& webs, Pc pc);

/// Two webs interfere where one is written while the other one is live, unless it is a copy of the other
/// (Chaitin, "Register allocation and spilling via graph coloring", 1982). In time and memory in proportion
/// to edges.
class Interference {
 public:
  Interference(const ir::Kernel& kernel, const Webs& webs);

  /// In ascending order.
  [[nodiscard]] const std::vector<Web>& of(Web web) const { return edges_[web]; }
  [[nodiscard]] const std::vector<Copy>& copies() const { return copies_; }

 private:
  std::vector<std::vector<Web>> edges_;  // by web
  std::vector<Copy> copies_;
};

/// A uniform register is one for all lanes of the warp. Where lanes can be on several paths, what one path
/// needs must not be overwritten on another. Each set has webs of one file that are needed on paths of one
/// divergent branch: they all interfere.
std::vector<std::vector<Web>> uniform_webs_of_divergent_paths(const ir::Kernel& kernel, const Webs& webs);

}  // namespace heddle::lower
