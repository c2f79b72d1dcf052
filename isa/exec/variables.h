// A module's variables in the memory of the GPU.
#pragma once

#include <map>
#include <span>
#include <string>

#include "isa/exec/memory.h"
#include "isa/ir/kernel.h"

namespace heddle::exec {

/// Where the host has variables that it shares with the GPU, by name. It has written there what they begin with, addresses
/// of others aside.
using HostPlaces = std::map<std::string, std::span<std::byte>>;

/// Gives each variable that has no buffer yet one of its name, with what it begins with. Addresses of others
/// in it are those of their buffers. Throws InputError if one that it names is not among them, and has no
/// buffer, or if the host's place of a variable is taken.
void place_variables(std::span<const ir::Variable* const> variables, GlobalMemory& memory,
                     const HostPlaces& places = {});

/// Completes the kernel's constant bank 3: by the addresses of its global variables, which are placed if they
/// are not yet, and by what its constant ones hold now, if they have a buffer.
void bind_variables(ir::Kernel& kernel, GlobalMemory& memory);

}  // namespace heddle::exec
