#include "isa/lower/layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/base/diagnostic.h"

namespace heddle::lower {

namespace {

using ptx::StateSpace;
using ptx::SymbolRef;

std::uint64_t aligned(std::uint64_t offset, std::uint64_t alignment) {
  const std::uint64_t unit = std::max<std::uint64_t>(alignment, 1);
  return (offset + unit - 1) / unit * unit;
}

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;  // of shared or local memory; no GPU has more

/// The place at the end of what so far has `bytes`, which grow.
std::uint64_t append(std::uint32_t& bytes, const ptx::Variable& variable) {
  const std::uint64_t offset = aligned(bytes, variable.alignment);
  if (offset + variable.bytes() > kMostBytes)
    throw InputError(
        {}, fmt::format("variable '{}' has {} bytes, more than any GPU's", variable.name, variable.bytes()));
  bytes = static_cast<std::uint32_t>(offset + variable.bytes());
  return offset;
}

/// The bytes that the variable begins with.
std::vector<std::byte> initial_bytes(const ptx::Variable& variable) {
  std::vector<std::byte> bytes(variable.bytes());
  const std::uint64_t width = ptx::info(variable.type).bits / 8U;
  for (const ptx::InitialValue& value : variable.initial) {
    if (value.kind == ptx::InitialValue::Kind::Symbol)
      throw InputError(
          {}, fmt::format("variable '{}' begins with an address, which is not supported", variable.name));
    for (std::uint64_t i = 0; i < width; ++i) {
      const std::uint64_t at = value.index * width + i;
      if (at < bytes.size()) bytes[at] = static_cast<std::byte>(value.bits >> (8 * i) & 0xff);
    }
  }
  return bytes;
}

/// Appends data to constant bank 3; its offset.
std::uint64_t append_constant(ir::Kernel& kernel, const ptx::Variable& variable) {
  auto bytes = static_cast<std::uint32_t>(4 * kernel.constant_data.size());
  const std::uint64_t offset = append(bytes, variable);
  if (bytes > ir::kConstantBankBytes)
    throw InputError({},
                     fmt::format("constants have more than the {} bytes of a bank", ir::kConstantBankBytes));
  kernel.constant_data.resize((bytes + 3) / 4);
  const std::vector<std::byte> data = initial_bytes(variable);
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::uint64_t at = offset + i;
    kernel.constant_data[at / 4] |= std::to_integer<std::uint32_t>(data[i]) << (8 * (at % 4));
  }
  return offset;
}

}  // namespace

Layout::Layout(const ptx::Module& module, const ptx::Function& function, const Target& target,
               ir::Kernel& kernel) {
  place_parameters(function, target, kernel);
  place_variables(module.variables, module_variables_, kernel);
  place_variables(function.variables, local_variables_, kernel);
  // What the launch adds lies behind all others.
  const auto place_open = [&](const std::vector<ptx::Variable>& variables,
                              std::vector<std::optional<Place>>& places) {
    for (std::size_t i = 0; i < variables.size(); ++i) {
      if (variables[i].space != StateSpace::Shared || !variables[i].is_open) continue;
      kernel.static_shared_bytes = static_cast<std::uint32_t>(
          aligned(kernel.static_shared_bytes, std::max<std::uint64_t>(variables[i].alignment, 16)));
      places[i] = Place{StateSpace::Shared, kernel.static_shared_bytes};
    }
  };
  place_open(module.variables, module_variables_);
  place_open(function.variables, local_variables_);
  for (std::size_t i = 0; i < module.variables.size(); ++i) {
    const ptx::Variable& variable = module.variables[i];
    if (variable.space != StateSpace::Shared || !variable.is_open) continue;
    module_variables_[i] =
        Place{StateSpace::Shared, kernel.static_shared_bytes};  // all of them begin together
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

void Layout::place_variables(const std::vector<ptx::Variable>& variables,
                             std::vector<std::optional<Place>>& places, ir::Kernel& kernel) {
  for (const ptx::Variable& variable : variables) places.push_back(place_variable(variable, kernel));
}

std::optional<Layout::Place> Layout::place_variable(const ptx::Variable& variable, ir::Kernel& kernel) {
  switch (variable.space) {
    case StateSpace::Shared:
      if (variable.is_open) return std::nullopt;
      return Place{StateSpace::Shared, append(kernel.static_shared_bytes, variable)};
    case StateSpace::Local:
      return Place{StateSpace::Local, append(kernel.local_bytes, variable)};
    case StateSpace::Const:
      return Place{StateSpace::Const, append_constant(kernel, variable)};
    default:
      return std::nullopt;
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
