#include "tests/tools/heddle/slow_lines.h"

#include <algorithm>

namespace heddle::command {

namespace {

// R0: the thread's number, R1: its number in the block, R2 and R4: the addresses of its words of `from` and
// `to`.
constexpr const char* kSass = R"(.kernel planted
.param from ptr
.param to ptr
.param n u32
.shared tile 16384
    S2R R0, SR_CTAID.X
    S2R R1, SR_TID.X
    IMAD R0, R0, c[blockDim.x], R1
    IMAD.WIDE.U32 R2, R0, 0x4, c[from]
    IMAD.WIDE.U32 R4, R0, 0x4, c[to]
    MOV R10, c[n]
    MOV R9, RZ
)";

// The same in %r4, %r3, %rd4 and %rd5; %r9 is n.
constexpr const char* kPtx = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry planted(.param .u64 from, .param .u64 to, .param .u32 n) {
  .reg .pred %p<9>;
  .reg .f32 %f<20>;
  .reg .f64 %fd<20>;
  .reg .b32 %r<40>;
  .reg .b64 %rd<40>;
  .shared .align 4 .b8 tile[16384];
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [to];
  ld.param.u32 %r9, [n];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd3, %r4, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  cvt.rn.f32.u32 %f1, %r4;
  mov.u32 %r7, tile;
  shl.b32 %r8, %r3, 2;
)";

// -- uncoalesced loads ----------------------------------------------------------------------------

/// Two loads a round: one of neighbours, one of every 32nd word.
constexpr const char* kScatteredLoad = R"(    IMAD R6, R0, 0x20, RZ
    IMAD.WIDE.U32 R6, R6, 0x4, c[from]
loop:
    LDG.E R8, [$.64]          // planted
    LDG.E R11, [R2.64+0x8000]
    FADD R9, R9, R11
    FADD R9, R9, R8
    IADD3 R6, R6, 0x4, RZ
    IADD3 R2, R2, 0x8000, RZ
    IADD3 R10, R10, -0x4, RZ
    ISETP.NE.AND P0, PT, R10, RZ, PT
@P0 BRA loop
    STG.E [R4.64], R9
    EXIT
)";

/// Each thread adds the words of a row, or of a column.
constexpr const char* kRows = R"(  $
  mov.f32 %f2, 0f00000000;
  mov.f32 %f4, 0f00000000;
loop:
  ld.global.f32 %f3, [%rd6]; // planted
  ld.global.f32 %f5, [%rd4];
  add.f32 %f4, %f4, %f5;
  add.f32 %f2, %f2, %f3;
  add.s64 %rd6, %rd6, %rd8;
  add.s64 %rd4, %rd4, 16384;
  add.s32 %r9, %r9, -2;
  setp.ne.s32 %p1, %r9, 0;
  @%p1 bra loop;
  add.f32 %f2, %f2, %f4;
  st.global.f32 [%rd5], %f2;
  ret;
}
)";

// -- bank conflicts -------------------------------------------------------------------------------

constexpr const char* kConflictLoad = R"(    SHF.L.U32 R6, R1, 0x2, RZ
    SHF.L.U32 R7, R1, 0x7, RZ
    LOP3.LUT R7, R7, 0x3fff, RZ, 0xc0, !PT
loop:
    LDS R8, [$]               // planted
    LDS R11, [R6+0x400]
    FADD R9, R9, R11
    FADD R9, R9, R8
    IADD3 R10, R10, -0x1, RZ
    ISETP.NE.AND P0, PT, R10, RZ, PT
@P0 BRA loop
    STG.E [R4.64], R9
    EXIT
)";

constexpr const char* kConflictStore = R"(  shl.b32 %r10, %r3, 7;
  and.b32 %r10, %r10, 16383;
  add.s32 %r10, %r10, %r7;
  add.s32 %r11, %r8, %r7;
loop:
  st.shared.f32 [$], %f1; // planted
  ld.shared.f32 %f2, [%r11+2048];
  add.f32 %f1, %f1, %f2;
  add.s32 %r9, %r9, -1;
  setp.ne.s32 %p1, %r9, 0;
  @%p1 bra loop;
  st.global.f32 [%rd5], %f1;
  ret;
}
)";

// -- divergent branches ---------------------------------------------------------------------------

/// Lanes, or warps, with an odd number take another path of the same length.
constexpr const char* kTwoPaths = R"(    LOP3.LUT R6, R1, $, RZ, 0xc0, !PT
    ISETP.NE.AND P1, PT, R6, RZ, PT
    LDG.E R8, [R2.64]
loop:
@P1 BRA other                 // planted
    FMUL R8, R8, R9
    FADD R9, R8, R9
    FMUL R8, R8, R9
    FADD R9, R8, R9
    FMUL R8, R8, R9
    FADD R9, R8, R9
    BRA join
other:
    FADD R8, R8, R9
    FMUL R9, R8, R9
    FADD R8, R8, R9
    FMUL R9, R8, R9
    FADD R8, R8, R9
    FMUL R9, R8, R9
join:
    IADD3 R10, R10, -0x1, RZ
    ISETP.NE.AND P0, PT, R10, RZ, PT
@P0 BRA loop
    STG.E [R4.64], R9
    EXIT
)";

/// One lane of each warp goes round the loop much longer than the others.
constexpr const char* kLongLane = R"(  and.b32 %r10, %r3, 31;
  setp.eq.s32 %p1, %r10, 0;
  selp.b32 %r11, $, %p1;
  ld.global.f32 %f2, [%rd4];
loop:
  fma.rn.f32 %f1, %f1, %f2, %f2;
  mul.f32 %f3, %f1, %f2;
  add.f32 %f2, %f3, %f2;
  add.s32 %r11, %r11, -1;
  setp.ne.s32 %p2, %r11, 0;
  @%p2 bra loop; // planted
  st.global.f32 [%rd5], %f1;
  ret;
}
)";

// -- dependent chains -----------------------------------------------------------------------------

constexpr const char* kFloatChain = R"(  cvt.rn.f32.u32 %f2, %r3;
  add.f32 %f3, %f2, 0f3F800000;
  add.f32 %f4, %f2, 0f40000000;
  add.f32 %f5, %f2, 0f40400000;
loop:
  $ // planted
  add.s32 %r9, %r9, -1;
  setp.ne.s32 %p1, %r9, 0;
  @%p1 bra loop;
  add.f32 %f2, %f2, %f3;
  add.f32 %f4, %f4, %f5;
  add.f32 %f2, %f2, %f4;
  st.global.f32 [%rd5], %f2;
  ret;
}
)";

std::string repeated(const std::string& words, unsigned count) {
  std::string all;
  for (unsigned i = 0; i < count; ++i) all += words;
  return all;
}

/// 16 operations on one number, or four on each of four.
std::string chain(const std::string& operation) { return repeated(operation + " %f2, %f2, %f1; ", 16); }
std::string four_chains(const std::string& operation) {
  std::string round;
  for (const char* number : {"%f2", "%f3", "%f4", "%f5"})
    round += operation + ' ' + number + ", " + number + ", %f1; ";
  return repeated(round, 4);
}

// -- barriers -------------------------------------------------------------------------------------

/// One warp works alone, or all share the work, while the others wait at the barrier.
constexpr const char* kOneWorks = R"(    SHF.R.U32.HI R6, RZ, $, R1
    ISETP.NE.AND P1, PT, R6, RZ, PT
    MOV R8, c[n]
loop:
    MOV R7, 0x4
@P1 BRA meet
work:
    FMUL R9, R9, R8
    FADD R9, R9, R8
    FMUL R9, R9, R8
    FADD R9, R9, R8
    IADD3 R7, R7, -0x1, RZ
    ISETP.NE.AND P2, PT, R7, RZ, PT
@P2 BRA work
meet:
    BAR.SYNC 0x0              // planted
    IADD3 R10, R10, -0x4, RZ
    ISETP.NE.AND P0, PT, R10, RZ, PT
@P0 BRA loop
    STG.E [R4.64], R9
    EXIT
)";

constexpr const char* kManyBarriers = R"(  add.s32 %r11, %r8, %r7;
  ld.global.f32 %f3, [%rd4];
loop:
  st.shared.f32 [%r11], %f1;
  $ // planted
  ld.shared.f32 %f2, [%r11];
  fma.rn.f32 %f1, %f1, %f2, %f3;
  add.s32 %r9, %r9, -1;
  setp.ne.s32 %p1, %r9, 0;
  @%p1 bra loop;
  st.global.f32 [%rd5], %f1;
  ret;
}
)";

// -- atomics --------------------------------------------------------------------------------------

constexpr const char* kOneCounter = R"(    MOV R12, RZ
    IMAD.WIDE.U32 R6, R12, 0x4, c[to]
    MOV R8, 0x1
loop:
    LDG.E R11, [R2.64]
    RED.E.ADD.STRONG.GPU [$.64], R8 // planted
    IADD3 R2, R2, 0x8000, RZ
    FADD R9, R9, R11
    IADD3 R10, R10, -0x4, RZ
    ISETP.NE.AND P0, PT, R10, RZ, PT
@P0 BRA loop
    STG.E [R2.64], R9
    EXIT
)";

constexpr const char* kOneSharedCounter = R"(  add.s32 %r11, %r8, %r7;
  mov.u32 %r12, 1;
loop:
  ld.global.f32 %f2, [%rd4];
  atom.shared.add.u32 %r13, [$], %r12; // planted
  add.s64 %rd4, %rd4, 32768;
  add.f32 %f1, %f1, %f2;
  add.s32 %r9, %r9, -4;
  setp.ne.s32 %p1, %r9, 0;
  @%p1 bra loop;
  cvt.rn.f32.u32 %f3, %r13;
  add.f32 %f1, %f1, %f3;
  st.global.f32 [%rd5], %f1;
  ret;
}
)";

}  // namespace

std::string SlowLine::with(std::string_view words) const {
  std::string made = ending == "sass" ? kSass : kPtx;
  for (const char c : text) made += c == '$' ? std::string(words) : std::string(1, c);
  return made;
}

std::uint32_t SlowLine::line() const {
  const std::string made = slow_text();
  const auto end = made.begin() + static_cast<std::ptrdiff_t>(made.find("// planted"));
  return static_cast<std::uint32_t>(std::count(made.begin(), end, '\n')) + 1;
}

const std::vector<SlowLine>& slow_lines() {
  static const std::vector<SlowLine> kLines = {
      {"uncoalesced load", "sass", kScatteredLoad, "R6", "R2", "long_scoreboard"},
      {"rows for threads", "ptx", kRows,
       "mul.wide.u32 %rd6, %r4, 256; add.s64 %rd6, %rd6, %rd1; mov.u64 %rd8, 4;",
       "add.s64 %rd6, %rd4, 4096; mov.u64 %rd8, 16384;", "long_scoreboard"},
      {"bank conflicts of a load", "sass", kConflictLoad, "R7", "R6", "short_scoreboard"},
      {"bank conflicts of a store", "ptx", kConflictStore, "%r10", "%r11", "mio_throttle"},
      {"lanes on two paths", "sass", kTwoPaths, "0x1", "0x20", "diverged"},
      {"one lane loops longer", "ptx", kLongLane, "64, 2", "4, 4", "diverged"},
      {"chain of additions", "ptx", kFloatChain, chain("add.f32"), four_chains("add.f32"), "wait"},
      {"chain of fused operations", "ptx", kFloatChain, repeated("fma.rn.f32 %f2, %f2, %f1, %f1; ", 16),
       repeated("fma.rn.f32 %f2, %f2, %f1, %f1; fma.rn.f32 %f3, %f3, %f1, %f1; "
                "fma.rn.f32 %f4, %f4, %f1, %f1; fma.rn.f32 %f5, %f5, %f1, %f1; ",
                4),
       "wait"},
      {"one warp works, the others wait", "sass", kOneWorks, "0x5", "0xa", "barrier"},
      {"a barrier too many", "ptx", kManyBarriers, "bar.sync 0;", "bar.warp.sync 0xffffffff;", "barrier"},
      {"atomics on one word", "sass", kOneCounter, "R6", "R4", "lg_throttle"},
      {"shared atomics on one word", "ptx", kOneSharedCounter, "%r7", "%r11", "mio_throttle"},
  };
  return kLines;
}

}  // namespace heddle::command
