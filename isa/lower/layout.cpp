#include "isa/lower/layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/base/diagnostic.h"
#include "isa/lower/module_variables.h"

namespace heddle::lower {

namespace {

using ptx::StateSpace;
using ptx::SymbolRef;

std::uint64_t aligned(std::uint64_t offset, std::uint64_t alignment) {
  const std::uint64_t unit = std::max<std::uint64_t>(alignment, 1);
  return (offset + unit - 1) / unit * unit;
}

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;  // shared or local memory; no GPU has more

/// The place at the end of what so far has `bytes`, which grow.
std::uint64_t append(std::uint32_t& bytes, const ptx::Variable& variable) {
  const std::uint64_t offset = aligned(bytes, variable.alignment);
  if (offset + variable.bytes() > kMostBytes)
    throw InputError(
        {}, fmt::format("variable '{}' has {} bytes, more than any GPU's", variable.name, variable.bytes()));
  bytes = static_cast<std::uint32_t>(offset + variable.bytes());
  return offset;
}

/// Appends data to constant bank 3; its offset.
std::uint64_t append_constant(ir::Kernel& kernel, const ptx::Variable& variable,
                              const std::vector<std::byte>& data) {
  auto bytes = static_cast<std::uint32_t>(4 * kernel.constant_data.size());
  const std::uint64_t offset = append(bytes, variable);
  if (bytes > ir::kConstantBankBytes)
    throw InputError({},
                     fmt::format("constants have more than the {} bytes of a bank", ir::kConstantBankBytes));
  kernel.constant_data.resize((bytes + 3) / 4);
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::uint64_t at = offset + i;
    kernel.constant_data[at / 4] |= std::to_integer<std::uint32_t>(data[i]) << (8 * (at % 4));
  }
  return offset;
}

/// Room in constant bank 3 for the address of a global variable; its offset.
std::uint64_t append_address(ir::Kernel& kernel, const ptx::Variable& variable) {
  ptx::Variable address;
  address.name = variable.name;
  address.type = ptx::Modifier::U64;
  address.alignment = 8;
  const std::uint64_t offset = append_constant(kernel, address, {});
  return offset;
}

/// The variable as the launch must know it, for what it adds to bank 3.
void note_variable(ir::Kernel& kernel, ir::Variable variable, std::uint64_t at) {
  kernel.variables.push_back({std::move(variable), static_cast<std::uint32_t>(at)});
}

}  // namespace

void Layout::note_use(const ptx::Operand& operand) {
  if (operand.symbol.kind == SymbolRef::Kind::ModuleVariable) is_used_[operand.symbol.index] = true;
  for (const ptx::Operand& element : operand.elements) note_use(element);
}

Layout::Layout(const ptx::Module& module, const ptx::Function& function, const Target& target,
               ir::Kernel& kernel)
    : is_used_(module.variables.size()) {
  for (const ptx::Instruction& instruction : function.body) {
    for (const ptx::Operand& operand : instruction.operands) note_use(operand);
  }
  place_parameters(function, target, kernel);
  for (std::size_t i = 0; i < module.variables.size(); ++i) {
    const auto place = is_used_[i] ? place_variable(module, module.variables[i], kernel) : std::nullopt;
    module_variables_.push_back(place);
  }
  for (const ptx::Variable& variable : function.variables)
    local_variables_.push_back(place_variable(module, variable, kernel));
  note_pointed_to(module, kernel);
  place_dynamic(module, function, kernel);
}

/// What the launch adds lies behind all others, and all such variables begin together.
void Layout::place_dynamic(const ptx::Module& module, const ptx::Function& function, ir::Kernel& kernel) {
  constexpr std::uint64_t kLeastAlignment = 16;
  const auto is_dynamic = [](const ptx::Variable& variable) {
    return variable.space == StateSpace::Shared && variable.is_open;
  };
  std::uint64_t alignment = 1;
  for (std::size_t i = 0; i < module.variables.size(); ++i) {
    const ptx::Variable& variable = module.variables[i];
    if (is_used_[i] && is_dynamic(variable))
      alignment = std::max({alignment, variable.alignment, kLeastAlignment});
  }
  for (const ptx::Variable& variable : function.variables) {
    if (is_dynamic(variable)) alignment = std::max({alignment, variable.alignment, kLeastAlignment});
  }
  kernel.static_shared_bytes = static_cast<std::uint32_t>(aligned(kernel.static_shared_bytes, alignment));
  const Place behind{StateSpace::Shared, kernel.static_shared_bytes};
  for (std::size_t i = 0; i < module.variables.size(); ++i) {
    if (is_used_[i] && is_dynamic(module.variables[i])) module_variables_[i] = behind;
  }
  for (std::size_t i = 0; i < function.variables.size(); ++i) {
    if (is_dynamic(function.variables[i])) local_variables_[i] = behind;
  }
}

void Layout::place_parameters(const ptx::Function& function, const Target& target, ir::Kernel& kernel) {
  kernel.param_base = target.param_base();
  kernel.has_open_params = true;
  std::uint32_t bytes = 0;
  for (const ptx::Variable& parameter : function.parameters) {
    const std::uint64_t offset = append(bytes, parameter);
    parameters_.push_back(Place{StateSpace::Param, kernel.param_base + offset});
    kernel.param_slots.push_back(
        {static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(parameter.bytes())});
  }
}

std::optional<Layout::Place> Layout::place_variable(const ptx::Module& module, const ptx::Variable& variable,
                                                    ir::Kernel& kernel) {
  switch (variable.space) {
    case StateSpace::Shared:
      if (variable.is_open) return std::nullopt;
      return Place{StateSpace::Shared, append(kernel.static_shared_bytes, variable)};
    case StateSpace::Local:
      return Place{StateSpace::Local, append(kernel.local_bytes, variable)};
    case StateSpace::Const: {
      ir::Variable made = module_variable(module, variable);
      const Place place{StateSpace::Const, append_constant(kernel, variable, made.data)};
      note_variable(kernel, std::move(made), place.offset);
      return place;
    }
    case StateSpace::Global: {
      const Place place{StateSpace::Global, append_address(kernel, variable)};
      note_variable(kernel, module_variable(module, variable), place.offset);
      return place;
    }
    default:
      return std::nullopt;
  }
}

/// Variables whose addresses others begin with, and theirs.
void Layout::note_pointed_to(const ptx::Module& module, ir::Kernel& kernel) {
  const auto is_noted = [&](const std::string& name) {
    return std::ranges::any_of(kernel.variables, [&](const auto& used) { return used.variable.name == name; });
  };
  for (std::size_t i = 0; i < kernel.variables.size(); ++i) {
    const std::vector<ir::Relocation> relocations = kernel.variables[i].variable.relocations;
    for (const ir::Relocation& relocation : relocations) {
      if (is_noted(relocation.variable)) continue;
      const auto target = std::ranges::find(module.variables, relocation.variable, &ptx::Variable::name);
      note_variable(kernel, module_variable(module, *target), ir::UsedVariable::kNowhere);
    }
  }
}

std::optional<Layout::Place> Layout::place_of(const SymbolRef& symbol) const {
  switch (symbol.kind) {
    case SymbolRef::Kind::Parameter:
      return parameters_[symbol.index];
    case SymbolRef::Kind::ModuleVariable:
      return module_variables_[symbol.index];
    case SymbolRef::Kind::LocalVariable:
      return local_variables_[symbol.index];
    default:
      return std::nullopt;
  }
}

}  // namespace heddle::lower
