#include "isa/ptx/label_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "isa/base/quoted.h"

namespace heddle::ptx {

namespace {

bool fits(LabelWish wish, Operand::Kind kind) {
  switch (wish) {
    case LabelWish::Instruction:
      return kind == Operand::Kind::Label;
    case LabelWish::BranchTable:
      return kind == Operand::Kind::BranchTable;
    case LabelWish::CallTarget:
      break;
  }
  return kind == Operand::Kind::CallTable || kind == Operand::Kind::Prototype;
}

std::string_view describe(LabelWish wish) {
  switch (wish) {
    case LabelWish::Instruction:
      return "the label of an instruction";
    case LabelWish::BranchTable:
      return "the label of .branchtargets";
    case LabelWish::CallTarget:
      break;
  }
  return "the label of .callprototype or .calltargets";
}

}  // namespace

void LabelTable::use_in_operand(const Token& name, LabelWish wish, std::uint32_t instruction,
                                std::uint32_t operand) {
  add({name, wish, false, instruction, operand, 0});
}

void LabelTable::use_in_table(const Token& name, std::uint32_t table, std::uint32_t entry) {
  add({name, LabelWish::Instruction, true, table, entry, 0});
}

void LabelTable::add(Use use) {
  use.number = next_use_++;
  open_[use.name.text].push_back(use);
}

void LabelTable::leave() {
  const Scope scope = scopes_.back();
  scopes_.pop_back();
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = scope.first_definition; i < defined_.size(); ++i) {
    const Definition& definition = defined_[i];
    if (!seen.insert(definition.name.text).second) {
      mistakes_.add(definition.name,
                    fmt::format("the label {} is defined twice", quoted(definition.name.text)));
      continue;
    }
    resolve(definition, scope.first_use);
  }
  defined_.resize(scope.first_definition);
}

/// Uses since the block began are at the end of their list.
void LabelTable::resolve(const Definition& definition, std::uint64_t first_use) {
  const auto found = open_.find(definition.name.text);
  if (found == open_.end()) return;
  std::vector<Use>& uses = found->second;
  for (; !uses.empty() && uses.back().number >= first_use; uses.pop_back())
    complete(uses.back(), definition.target);
  if (uses.empty()) open_.erase(found);
}

void LabelTable::complete(const Use& use, const LabelTarget& target) {
  if (!fits(use.wish, target.kind)) {
    mistakes_.add(use.name, fmt::format("{} is not {}", quoted(use.name.text), describe(use.wish)));
    return;
  }
  if (use.is_in_table) {
    function_.branch_tables[use.index].targets[use.part] = target.index;
    return;
  }
  Operand& operand = function_.body[use.index].operands[use.part];
  operand.kind = target.kind;
  operand.index = target.index;
}

void LabelTable::finish() {
  std::vector<Use> left;
  for (const auto& [name, uses] : open_) left.insert(left.end(), uses.begin(), uses.end());
  std::sort(left.begin(), left.end(),
            [](const Use& one, const Use& other) { return one.number < other.number; });
  for (const Use& use : left) {
    mistakes_.add(use.name, fmt::format("the label {} is not defined", quoted(use.name.text)));
  }
  open_.clear();
}

}  // namespace heddle::ptx
