// What disassemblers other than NVIDIA's write beside an instruction of how it is scheduled. Heddle's model
// decides that.
#pragma once

#include <cstddef>
#include <string_view>

namespace heddle::text {

/// How many letters the text begins with that are such an annotation; 0 if it begins with none:
/// `&req={0} &wr=0x1`, `?trans5`, `[B------:R-:W0:-:S01]`, `--:-:0:-:1`, or a list of targets
/// (*"BRANCH_TARGETS .."*).
std::size_t annotation_length(std::string_view text);

}  // namespace heddle::text
