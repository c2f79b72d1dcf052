#include "isa/lower/linked_functions.h"

#include <algorithm>
#include <set>

namespace heddle::lower {

using ptx::Opcode;

LinkedFunctions::LinkedFunctions(const ptx::Function& function) {
  std::set<std::uint32_t> begins{0};
  for (const ptx::Instruction& instruction : function.body) {
    if (instruction.opcode == Opcode::Call) begins.insert(instruction.operands[0].index);
  }
  for (const std::uint32_t begin : begins) {
    if (!parts_.empty()) parts_.back().end = begin;
    parts_.push_back({begin, static_cast<std::uint32_t>(function.body.size())});
  }
  cfg::Edges calls;
  for (const Part& part : parts_) {
    for (std::uint32_t at = part.begin; at < part.end; ++at) {
      if (function.body[at].opcode == Opcode::Call) calls.add(callee(function.body[at]));
    }
    calls.finish_node();
  }
  cycles_ = cfg::components(calls);
}

std::uint32_t LinkedFunctions::callee(const ptx::Instruction& call) const {
  const auto found = std::ranges::lower_bound(parts_, call.operands[0].index, {}, &Part::begin);
  return static_cast<std::uint32_t>(found - parts_.begin());
}

}  // namespace heddle::lower
