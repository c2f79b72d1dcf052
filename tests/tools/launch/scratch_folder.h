// A folder for one test case, with the kernel that launches need.
#pragma once

#include <string_view>

#include "tests/support/scratch_folder.h"

namespace heddle::launch {

/// A kernel with a parameter of each type; uses 4 registers.
inline constexpr std::string_view kScaleKernel = R"(.kernel scale
.param data ptr
.param n u32
.param shift s32
.param factor f32
.param big u64
    S2R R0, SR_TID.X
    ISETP.GE.U32.AND P0, PT, R0, c[n], PT
@P0 EXIT
    IMAD.WIDE.U32 R2, R0, 0x4, c[data]
    LDG.E R1, [R2.64]
    FMUL R1, R1, c[factor]
    STG.E [R2.64], R1
    EXIT
)";

class ScratchFolder : public test::ScratchFolder {
 public:
  ScratchFolder() { write("scale.sass", kScaleKernel); }
};

}  // namespace heddle::launch
