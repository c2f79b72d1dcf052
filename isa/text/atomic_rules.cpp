#include "isa/text/atomic_rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "isa/text/mistakes.h"

namespace heddle::text {

namespace {

struct Form {
  ir::Modifier operation;
  ir::Modifier type;
};

constexpr Form kForms[] = {
#define ATOMIC_FORM(operation, type, ...) \
  {ir::Modifier::AtomicOperation##operation, ir::Modifier::AtomicType##type},
#include "isa/ir/atomic_forms.def"
#undef ATOMIC_FORM
    // Compare-and-swap and counts, which have no operation among their modifiers.
    {ir::Modifier::AtomicOperationNone, ir::Modifier::AtomicTypeU32},
    {ir::Modifier::AtomicOperationNone, ir::Modifier::AtomicTypeU64},
};

std::vector<std::string_view> types_of(ir::Modifier operation) {
  std::vector<std::string_view> types;
  for (const Form& form : kForms) {
    if (form.operation == operation) types.push_back(ir::info(form.type).token);
  }
  return types;
}

}  // namespace

bool is_atomic_form(const ir::Modifiers& modifiers) {
  const ir::Modifier type = modifiers.get(ir::ModifierGroup::AtomicType);
  if (modifiers.has(ir::Modifier::AtomicDenormalsFlushed) && type != ir::Modifier::AtomicTypeF32) return false;
  return std::any_of(std::begin(kForms), std::end(kForms), [&](const Form& form) {
    return modifiers.has(form.operation) && form.type == type;
  });
}

void check_atomic(const Token& opcode, const ir::Instruction& instruction) {
  const ir::Modifiers& modifiers = instruction.modifiers;
  if (ir::info(instruction.opcode).action != ir::Action::Atomic || is_atomic_form(modifiers)) return;
  const ir::Modifier operation = modifiers.get(ir::ModifierGroup::AtomicOperation);
  const std::vector<std::string_view> types = types_of(operation);
  const std::string_view type = ir::info(modifiers.get(ir::ModifierGroup::AtomicType)).token;
  if (std::find(types.begin(), types.end(), type) != types.end()) {
    fail(opcode, fmt::format("{}: .FTZ is for .F32 only", quoted(opcode.text)));
  }
  fail(opcode, fmt::format("{} takes no .{} here; types are .{}", quoted(opcode.text), type, fmt::join(types, " .")));
}

}  // namespace heddle::text
