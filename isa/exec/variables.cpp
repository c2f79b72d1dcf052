#include "isa/exec/variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "isa/base/diagnostic.h"

namespace heddle::exec {

namespace {

Addr address_of(const ir::Relocation& relocation, const ir::Variable& variable, const GlobalMemory& memory) {
  const Buffer* target = memory.find_variable(relocation.variable);
  if (target == nullptr) {
    throw InputError({}, fmt::format("variable '{}' begins with the address of '{}', which is not there",
                                     variable.name, relocation.variable));
  }
  return target->address() + relocation.addend;
}

void initialise(const ir::Variable& variable, const GlobalMemory& memory) {
  const std::span<std::byte> bytes = memory.find_variable(variable.name)->bytes();
  std::copy(variable.data.begin(), variable.data.end(), bytes.begin());
  for (const ir::Relocation& relocation : variable.relocations) {
    const Addr address = address_of(relocation, variable, memory) >> relocation.shift;
    for (std::uint32_t i = 0; i < relocation.bytes && relocation.offset + i < bytes.size(); ++i)
      bytes[relocation.offset + i] = static_cast<std::byte>(address >> (8 * i) & 0xff);
  }
}

void place(const ir::Variable& variable, GlobalMemory& memory, const HostPlaces& places) {
  const auto found = places.find(variable.name);
  if (found == places.end()) {
    memory.allocate_variable(variable.name, variable.bytes);
  } else if (found->second.size() != variable.bytes ||
             memory.adopt_variable(variable.name, found->second) == nullptr) {
    throw InputError({}, fmt::format("variable '{}' cannot lie where the host has it", variable.name));
  }
}

void put(std::vector<std::uint32_t>& words, std::uint32_t at, std::span<const std::byte> bytes) {
  words.resize(std::max<std::size_t>(words.size(), (at + bytes.size() + 3) / 4));
  std::memcpy(reinterpret_cast<std::byte*>(words.data()) + at, bytes.data(), bytes.size());
}

}  // namespace

void place_variables(std::span<const ir::Variable* const> variables, GlobalMemory& memory,
                     const HostPlaces& places) {
  std::vector<const ir::Variable*> fresh;
  for (const ir::Variable* variable : variables) {
    if (memory.find_variable(variable->name) != nullptr) continue;
    place(*variable, memory, places);
    const bool is_set = places.contains(variable->name) && variable->relocations.empty();
    if (!is_set) fresh.push_back(variable);
  }
  for (const ir::Variable* variable : fresh) initialise(*variable, memory);
}

void bind_variables(ir::Kernel& kernel, GlobalMemory& memory) {
  std::vector<const ir::Variable*> global;
  for (const ir::UsedVariable& used : kernel.variables) {
    if (used.variable.space == ir::VariableSpace::Global) global.push_back(&used.variable);
  }
  place_variables(global, memory);
  for (const ir::UsedVariable& used : kernel.variables) {
    const Buffer* buffer = memory.find_variable(used.variable.name);
    if (buffer == nullptr || used.at == ir::UsedVariable::kNowhere) continue;
    if (used.variable.space == ir::VariableSpace::Constant) {
      put(kernel.constant_data, used.at, buffer->bytes());
    } else {
      const Addr address = buffer->address();
      put(kernel.constant_data, used.at, std::as_bytes(std::span(&address, 1)));
    }
  }
}

}  // namespace heddle::exec
