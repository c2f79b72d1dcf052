// Which functions call which (section .nv.callgraph): pairs of symbols, a caller and a function that it
// calls. The pairs stand behind one of symbol 0 and -1; other negative numbers begin lists that say who is
// called through registers, and by whom. (As found in files of ptxas and nvlink 13.0.)
#pragma once

#include "isa/cubin/elf.h"
#include "isa/cubin/image.h"

namespace heddle::cubin {

/// Fills Function::called. Variables must have been read.
void read_call_graph(const Elf& elf, Image& image);

}  // namespace heddle::cubin
