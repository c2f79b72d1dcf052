// Applies what a disassembly tells about a kernel apart from its code.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "isa/text/dump_data.h"
#include "isa/text/kernel_draft.h"

namespace heddle::text {

/// Sets the compute capability: 90 for 9.0, 0 for unknown. It decides where the kernel's parameters begin. If
/// the text has no declared parameters, the launch declares them. Throws Mistake.
void set_machine(KernelDraft& draft, unsigned capability);

/// The name that messages and listings give to constant bank 3 of a disassembly.
inline constexpr std::string_view kConstantsName = "constant3";

/// Sets the words of constant bank 3.
void set_constants(KernelDraft& draft, const std::vector<std::uint32_t>& words);

/// Adds the data of the sections around the code: registers, shared memory, stack, parameters.
void complete(ir::Kernel& kernel, const DumpData::Function& known);

}  // namespace heddle::text
