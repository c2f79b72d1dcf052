#include "isa/load/system_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "isa/base/types.h"
#include "isa/cubin/variables.h"
#include "isa/ir/system_variables.h"
#include "isa/lower/lower_function.h"
#include "isa/lower/system_functions.h"
#include "isa/ptx/module.h"
#include "isa/text/disassemble.h"

namespace heddle::load {

namespace {

bool is_called(const cubin::Image& image, std::string_view name) {
  const auto names = [&](const cubin::Function& function) {
    return std::ranges::find(function.called, name) != function.called.end() ||
           std::ranges::find(function.relocations, name, &cubin::CodeRelocation::symbol) !=
               function.relocations.end();
  };
  // The code of CUDA's device runtime that a file has asks a driver.
  const bool is_own = has_code(image, name) && !name.starts_with(ir::kDeviceRuntimePrefix);
  return !is_own && std::ranges::any_of(image.functions, names);
}

/// Its constants are put behind those of the image. False if there is no room for them.
bool move_constants(ir::Kernel& function, cubin::Image& image) {
  const auto base =
      cubin::add_constants(image, static_cast<std::uint32_t>(4 * function.constant_data.size()));
  if (!base) return false;
  std::ranges::copy(function.constant_data, image.constants.begin() + *base / 4);
  for (ir::Instruction& instruction : function.instructions) {
    for (ir::Operand& operand : instruction.operands) {
      const bool is_constant = operand.kind == ir::Operand::Kind::Constant && operand.bank == ir::kDataBank;
      if (is_constant) operand.value += *base;
    }
  }
  for (ir::UsedVariable& used : function.variables) {
    used.at += *base;
    const bool is_known = std::ranges::find(image.all_variables, used.variable.name, &ir::Variable::name) !=
                          image.all_variables.end();
    if (!is_known) image.all_variables.push_back(used.variable);
    image.variables.push_back(used);
  }
  return true;
}

/// Each instruction waits for the one before: its result, and where memory is asked, until it has read its
/// sources. The first waits for whatever the caller has under way.
ir::ControlCode control_of(const ir::Instruction& instruction) {
  constexpr unsigned kWritten = 0;
  constexpr unsigned kRead = 1;
  constexpr unsigned kLeastStall = 2;  // between raising a barrier and waiting for it
  ir::ControlCode code{.is_given = true, .stall = kLeastStall, .write_barrier = kWritten};
  if (ir::info(ir::info(instruction.opcode).timing_class).uses_mio()) code.read_barrier = kRead;
  code.wait_mask = ir::kEveryBarrier;
  return code;
}

void label_targets(ir::Kernel& function) {
  std::vector<Pc> targets;
  for (const ir::Instruction& instruction : function.instructions) {
    for (const ir::Operand& operand : instruction.operands) {
      if (operand.kind == ir::Operand::Kind::Target) targets.push_back(static_cast<Pc>(operand.value));
    }
  }
  std::ranges::sort(targets);
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  for (const Pc pc : targets) function.labels.push_back({fmt::format(".L_{}_{}", function.name, pc), pc});
}

cubin::SystemFunction as_text(ir::Kernel function) {
  label_targets(function);
  cubin::SystemFunction made{function.name, {}, function.local_bytes, 0};
  for (Pc pc = 0; pc < function.instructions.size(); ++pc)
    made.code.push_back({{}, text::disassemble(function, pc), control_of(function.instructions[pc])});
  for (const ir::Label& label : function.labels) made.code[label.pc].label = label.name;
  return made;
}

}  // namespace

void add_system_functions(cubin::Image& image) {
  for (const std::string_view name : ir::kMachineCodeFunctions) {
    if (!is_called(image, name)) continue;
    std::erase_if(image.functions, [&](const cubin::Function& each) { return each.name == name; });
    const ptx::Module module = ptx::read_module(lower::system_function(name), std::string(name));
    ir::Kernel function = lower::lower_function(module, std::string(name), {image.capability});
    if (move_constants(function, image)) image.system_functions.push_back(as_text(std::move(function)));
  }
}

std::uint32_t local_bytes_of_system_functions(const cubin::Image& image, const cubin::Function& function) {
  constexpr std::uint64_t kStackAlignment = 16;
  std::uint32_t bytes = 0;
  for (const std::size_t index : function.system_functions)
    bytes = std::max(bytes, image.system_functions[index].local_bytes);
  return static_cast<std::uint32_t>(round_up(bytes, kStackAlignment));
}

}  // namespace heddle::load
