// Which line of the source each instruction was made from: the section .debug_line, a line number program of
// DWARF 2 (DWARF 2.0.0, section 6.2), as nvcc -lineinfo and ptxas write it.
#pragma once

#include "isa/cubin/elf.h"
#include "isa/cubin/image.h"

namespace heddle::cubin {

/// Sets Image::files and the places of its functions' instructions. Without such a section, and of versions
/// other than 2 to 4, there are none. Throws InputError where the section is cut off.
void read_line_table(const Elf& elf, Image& image);

}  // namespace heddle::cubin
