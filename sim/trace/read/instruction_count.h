// Counts the instructions of a trace without parsing them: a scan that is many times as fast as a replay. A
// .tracez container has the number of each warp in its index; of a text trace each line is passed over.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::trace {

/// The warp instructions that the trace says it has: the sum of what its warps declare, marks of spin loops
/// included. Nothing else of the file's body is checked. Throws InputError if the file cannot be read, if its
/// compressed stream or its index is damaged, or if a number of instructions is no number.
std::uint64_t count_instructions(const std::string& path);

}  // namespace heddle::trace
