// What a disassembly's frame says of a kernel.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/text/dump_data.h"
#include "isa/text/kernel_draft.h"

namespace heddle::text {

/// The kernel is for that compute capability, 90 of 9.0 (0: not known), which decides where its parameters
/// lie. Unless the text has declared parameters, the launch says what they are. Throws Mistake.
void set_machine(KernelDraft& draft, unsigned capability);

/// The words of constant bank 3.
void set_constants(KernelDraft& draft, const std::vector<std::uint32_t>& words);

/// Adds what the sections around the code say: registers, shared memory, the stack, parameters.
void complete(ir::Kernel& kernel, const DumpData::Function& known);

}  // namespace heddle::text
