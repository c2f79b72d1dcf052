// Scheduling annotations that disassemblers other than NVIDIA's write beside instructions. The lexer skips
// them; of the control codes in brackets the instruction takes notice (read_instruction).
#pragma once

#include <cstddef>
#include <string_view>

namespace heddle::text {

/// The length of the annotation that the text begins with; 0 if it begins with none:
/// `&req={0} &wr=0x1`, `?trans5`, `[B------:R-:W0:-:S01]`, `--:-:0:-:1`, or a list of targets
/// (*"BRANCH_TARGETS .."*).
std::size_t annotation_length(std::string_view text);

}  // namespace heddle::text
