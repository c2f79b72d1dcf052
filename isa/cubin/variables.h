// The variables of machine code: those in global memory (__device__), whose addresses its code has in
// constant bank 4, which a loader fills (section .nv.constant4 and its relocations), and those in constant
// bank 3 (__constant__).
#pragma once

#include <cstdint>
#include <optional>

#include "isa/cubin/elf.h"
#include "isa/cubin/image.h"

namespace heddle::cubin {

/// Makes constant bank 3 longer by so many zeros, which begin at a multiple of 8 bytes. Returns where;
/// nothing if the bank is too full for them.
std::optional<std::uint32_t> add_constants(Image& image, std::uint32_t bytes);

/// Reads all variables, those whose addresses bank 4 has, and how many bytes that bank has.
void read_variables(const Elf& elf, Image& image);

/// Does what a loader would: bank 4 comes to lie behind bank 3, in all instructions that read it, so that
/// whoever launches a kernel completes one bank. Afterwards Image::variables count from the begin of bank 3.
void move_addresses(Image& image);

/// Likewise where code of nvcc -rdc=true has an address in itself: a MOV of a word that a loader would fill
/// in, of a variable's address, becomes one of bank 3. Other relocations stay.
void move_code_addresses(Image& image);

/// Gives code that reads %envreg1 and %envreg2 the address of ir::kGridWorkspaceVariable there, in bank 3
/// likewise. Code for 10.0 and later is left as it is.
void add_grid_workspace(Image& image);

}  // namespace heddle::cubin
