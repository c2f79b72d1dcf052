#include "isa/lower/rewrite_body.h"

namespace heddle::lower {

using Kind = ptx::Operand::Kind;

namespace {

void move_all(std::vector<ptx::Instruction>& to, std::vector<ptx::Instruction>& from) {
  for (ptx::Instruction& one : from) to.push_back(std::move(one));
}

}  // namespace

void BodyRewrite::apply() {
  std::vector<ptx::Instruction> body;
  std::vector<std::uint32_t> starts;
  for (std::uint32_t at = 0; at < function_.body.size(); ++at) {
    starts.push_back(static_cast<std::uint32_t>(body.size()));
    const auto found = insertions_.find(at);
    if (found != insertions_.end()) move_all(body, found->second.before);
    body.push_back(std::move(function_.body[at]));
    if (found != insertions_.end()) move_all(body, found->second.behind);
  }
  starts.push_back(static_cast<std::uint32_t>(body.size()));
  for (ptx::Instruction& instruction : body) {
    for (ptx::Operand& operand : instruction.operands) {
      if (operand.kind == Kind::Label) operand.index = starts[operand.index];
    }
  }
  for (ptx::BranchTable& table : function_.branch_tables) {
    for (std::uint32_t& target : table.targets) target = starts[target];
  }
  for (ptx::Pragma& pragma : function_.pragmas) {
    if (pragma.index < starts.size()) pragma.index = starts[pragma.index];
  }
  function_.body = std::move(body);
  insertions_.clear();
}

}  // namespace heddle::lower
