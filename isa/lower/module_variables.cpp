#include "isa/lower/module_variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "isa/base/diagnostic.h"
#include "isa/lower/call_graph.h"

namespace heddle::lower {

namespace {

using ptx::StateSpace;

[[noreturn]] void refuse(const ptx::Module& module, const ptx::Variable& variable,
                         const ptx::InitialValue& value, const char* what) {
  throw InputError({module.file, value.place.line, value.place.column},
                   fmt::format("variable '{}' begins with {}, which is not supported", variable.name, what));
}

/// The pointer that the variable has there. All addresses but those of shared memory are generic ones.
ir::Relocation relocation_of(const ptx::Module& module, const ptx::Variable& variable,
                             const ptx::InitialValue& value, std::uint64_t width) {
  const ptx::Variable& target = module.variables[value.symbol.index];
  if (target.space != StateSpace::Global && target.space != StateSpace::Const)
    refuse(module, variable, value, "an address of shared or local memory");
  if (target.space == StateSpace::Const && !value.is_generic)
    refuse(module, variable, value, "an address in constant memory");
  return {value.index * width, static_cast<std::uint32_t>(width),
          static_cast<std::uint32_t>(std::countr_zero(value.mask)), target.name, value.bits};
}

/// The value of an element that is known without the module's place in memory.
std::uint64_t number_of(const ptx::InitialValue& value) {
  if (value.symbol.kind != ptx::SymbolRef::Kind::Function) return value.bits;
  const std::uint64_t address = function_address(value.symbol.index) + value.bits;
  return (address & value.mask) >> std::countr_zero(value.mask);
}

void put(std::vector<std::byte>& data, std::uint64_t at, std::uint64_t width, std::uint64_t bits) {
  for (std::uint64_t i = 0; i < width && at + i < data.size(); ++i)
    data[at + i] = static_cast<std::byte>(bits >> (8 * i) & 0xff);
}

/// The bytes up to the last that is given: an array that begins with nothing takes no memory of the host's
/// for that.
std::uint64_t given_bytes(const ptx::Variable& variable, std::uint64_t width) {
  std::uint64_t given = 0;
  for (const ptx::InitialValue& value : variable.initial) given = std::max(given, (value.index + 1) * width);
  return std::min(given, variable.bytes());
}

}  // namespace

ir::Variable module_variable(const ptx::Module& module, const ptx::Variable& variable) {
  ir::Variable made;
  made.name = variable.name;
  made.space = variable.space == StateSpace::Const ? ir::VariableSpace::Constant : ir::VariableSpace::Global;
  made.bytes = variable.bytes();
  made.alignment = static_cast<std::uint32_t>(variable.alignment);
  const std::uint64_t width = ptx::info(variable.type).bits / 8U;
  const bool is_whole = made.space == ir::VariableSpace::Constant;  // it lies in the kernel's bank
  made.data.resize(is_whole ? variable.bytes() : given_bytes(variable, width));
  for (const ptx::InitialValue& value : variable.initial) {
    if (value.symbol.kind == ptx::SymbolRef::Kind::ModuleVariable) {
      made.relocations.push_back(relocation_of(module, variable, value, width));
    } else {
      put(made.data, value.index * width, width, number_of(value));
    }
  }
  return made;
}

std::vector<ir::Variable> module_variables(const ptx::Module& module) {
  std::vector<ir::Variable> made;
  for (const ptx::Variable& variable : module.variables) {
    const bool is_loaded = variable.space == StateSpace::Global || variable.space == StateSpace::Const;
    if (is_loaded && variable.linkage != ptx::Linkage::Extern && !variable.is_open)
      made.push_back(module_variable(module, variable));
  }
  return made;
}

}  // namespace heddle::lower
