// Which functions of a PTX module a kernel calls, and how.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/ptx/module.h"

namespace heddle::lower {

/// The number that stands for the address of a function: what mov and variables that begin with it hold.
/// Never 0, and 16 bytes from the next one.
std::uint64_t function_address(std::uint32_t function);

/// A function that is called by its name: its place in Module::functions. kNone for an indirect call.
std::uint32_t direct_callee(const ptx::Instruction& call);

/// The call graph of what one kernel can reach. An indirect call can reach the functions of its table or,
/// where it has none, all of the module whose addresses are taken anywhere and that look like its prototype.
class CallGraph {
 public:
  CallGraph(const ptx::Module& module, const ptx::Function& entry);

  /// Functions that keep a place of their own in the kernel: they are called indirectly or recursively. All
  /// others are inlined.
  [[nodiscard]] bool is_linked(std::uint32_t function) const { return is_linked_[function]; }
  [[nodiscard]] std::vector<std::uint32_t> linked() const;
  /// What a call in `function` can lead to.
  [[nodiscard]] std::vector<std::uint32_t> callees(const ptx::Function& function,
                                                   const ptx::Instruction& call) const;

 private:
  void visit(const ptx::Function& function, std::vector<std::uint32_t>& reached);
  void find_recursive();

  const ptx::Module& module_;
  std::vector<bool> is_taken_;  // by function: whether its address is
  std::vector<bool> is_reached_;
  std::vector<bool> is_linked_;
  std::vector<std::vector<std::uint32_t>> called_;  // by function, where it is reached
};

/// Whether two lists of parameters have the same sizes.
bool have_same_sizes(const std::vector<ptx::Variable>& one, const std::vector<ptx::Variable>& other);

}  // namespace heddle::lower
