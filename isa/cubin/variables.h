// The variables of machine code: those in global memory (__device__), whose addresses its code has in
// constant bank 4, which a loader fills (section .nv.constant4 and its relocations), and those in constant
// bank 3 (__constant__).
#pragma once

#include "isa/cubin/elf.h"
#include "isa/cubin/image.h"

namespace heddle::cubin {

/// Reads all variables, those whose addresses bank 4 has, and how many bytes that bank has.
void read_variables(const Elf& elf, Image& image);

/// Does what a loader would: bank 4 comes to lie behind bank 3, in all instructions that read it, so that
/// whoever launches a kernel completes one bank. Afterwards Image::variables count from the begin of bank 3.
void move_addresses(Image& image);

}  // namespace heddle::cubin
