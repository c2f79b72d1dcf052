// The resources of kernels from their machine code: a .cubin says of each kernel what ptxas -v prints, except
// for how many bytes it spills.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/occupancy/ptxas.h"

namespace heddle::occupancy {

/// Whether a path that stands among launch files names machine code, by its ending.
bool is_machine_code_path(std::string_view path);

/// The kernels of a .cubin in the order of their names, or else those of what a compiler prints (read_ptxas).
/// Throws InputError if the bytes are neither, or if there is no kernel. Messages call them `file`.
std::vector<CompiledKernel> read_compiled(std::string_view bytes, const std::string& file);

}  // namespace heddle::occupancy
