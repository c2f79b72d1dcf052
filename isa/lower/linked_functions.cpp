#include "isa/lower/linked_functions.h"

#include <algorithm>
#include <set>

namespace heddle::lower {

namespace {

using ptx::Opcode;

/// Adds to each function what those that it reaches reach.
void close(std::vector<LinkedFunction>& functions) {
  for (LinkedFunction& start : functions) {
    std::vector<bool> is_seen(functions.size());
    std::vector<std::uint32_t> open = start.reached;
    while (!open.empty()) {
      const std::uint32_t one = open.back();
      open.pop_back();
      if (is_seen[one]) continue;
      is_seen[one] = true;
      open.insert(open.end(), functions[one].reached.begin(), functions[one].reached.end());
    }
    start.reached.clear();
    for (std::uint32_t i = 0; i < is_seen.size(); ++i) {
      if (is_seen[i]) start.reached.push_back(i);
    }
  }
}

}  // namespace

bool LinkedFunction::reaches(std::uint32_t function) const {
  return std::find(reached.begin(), reached.end(), function) != reached.end();
}

std::vector<LinkedFunction> linked_functions(const ptx::Function& function) {
  std::set<std::uint32_t> begins{0};
  for (const ptx::Instruction& instruction : function.body) {
    if (instruction.opcode == Opcode::Call) begins.insert(instruction.operands[0].index);
  }
  std::vector<LinkedFunction> functions;
  for (const std::uint32_t begin : begins) {
    if (!functions.empty()) functions.back().end = begin;
    functions.push_back({begin, static_cast<std::uint32_t>(function.body.size()), {}});
  }
  for (LinkedFunction& one : functions) {
    for (std::uint32_t at = one.begin; at < one.end; ++at) {
      const ptx::Instruction& instruction = function.body[at];
      if (instruction.opcode == Opcode::Call)
        one.reached.push_back(function_at(functions, instruction.operands[0].index));
    }
  }
  close(functions);
  return functions;
}

std::uint32_t function_at(const std::vector<LinkedFunction>& functions, std::uint32_t begin) {
  const auto found = std::ranges::find(functions, begin, &LinkedFunction::begin);
  return static_cast<std::uint32_t>(found - functions.begin());
}

}  // namespace heddle::lower
