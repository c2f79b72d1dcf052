// What kernels launch kernels with, in PTX: the functions of CUDA's device runtime that fill and commit a
// record of ir::kLaunchesVariable, and those that programs call beside them. NAME stands for the function's
// own name: clang calls cudaLaunchDeviceV2, nvcc __cudaCDP2LaunchDeviceV2.
#pragma once

#include <string_view>

#include "isa/ir/system_variables.h"

namespace heddle::lower {

// The text below says these in numbers.
static_assert(ir::kLaunchRecords == 16384 && ir::kLaunchRecordBytes == 4352 && ir::kLaunchParameters == 256);
static_assert(sizeof(ir::LaunchHeader) == 64 && ir::kLaunchRecordBytes * ir::kLaunchRecords + 64 == 71303232);

inline constexpr std::string_view kLaunches = R"(
.global .align 64 .b8 __heddle_launches[71303232];
)";

inline constexpr std::string_view kGetParameterBuffer = R"(
.func (.param .b64 buffer_of) NAME (.param .b64 kernel_of, .param .align 4 .b8 grid_of[12],
                                    .param .align 4 .b8 block_of[12], .param .b32 shared_of)
{
  .reg .pred %p;
  .reg .b32 %word, %size;
  .reg .b64 %place, %record, %wide, %block;
  mov.u64 %record, 0;
  atom.global.add.u64 %place, [__heddle_launches], 1;
  setp.ge.u64 %p, %place, 16384;
  @%p bra FULL;
  mov.u64 %wide, __heddle_launches;
  mad.lo.u64 %record, %place, 4352, %wide;
  add.u64 %record, %record, 64;
  ld.param.u64 %wide, [kernel_of];
  st.global.u64 [%record], %wide;
  ld.param.u32 %word, [grid_of];
  st.global.u32 [%record+8], %word;
  ld.param.u32 %word, [grid_of+4];
  st.global.u32 [%record+12], %word;
  ld.param.u32 %word, [grid_of+8];
  st.global.u32 [%record+16], %word;
  ld.param.u32 %word, [block_of];
  st.global.u32 [%record+20], %word;
  ld.param.u32 %word, [block_of+4];
  st.global.u32 [%record+24], %word;
  ld.param.u32 %word, [block_of+8];
  st.global.u32 [%record+28], %word;
  ld.param.u32 %word, [shared_of];
  st.global.u32 [%record+32], %word;
  mov.u64 %wide, %gridid;
  cvt.u32.u64 %word, %wide;
  st.global.u32 [%record+36], %word;
  mov.u32 %word, %ctaid.z;
  cvt.u64.u32 %block, %word;
  mov.u32 %size, %nctaid.y;
  cvt.u64.u32 %wide, %size;
  mul.lo.u64 %block, %block, %wide;
  mov.u32 %word, %ctaid.y;
  cvt.u64.u32 %wide, %word;
  add.u64 %block, %block, %wide;
  mov.u32 %size, %nctaid.x;
  cvt.u64.u32 %wide, %size;
  mul.lo.u64 %block, %block, %wide;
  mov.u32 %word, %ctaid.x;
  cvt.u64.u32 %wide, %word;
  add.u64 %block, %block, %wide;
  st.global.u64 [%record+40], %block;
  add.u64 %record, %record, 256;
  bra DONE;
FULL:
  red.global.add.u32 [__heddle_launches+28], 1;
  st.global.u32 [__heddle_launches+24], 69;
DONE:
  st.param.b64 [buffer_of], %record;
  ret;
}
)";

/// The same as machine code calls it, whose arguments are words.
inline constexpr std::string_view kGetParameterBufferByWords = R"(
.func (.param .b64 buffer_of) NAME (.param .b64 kernel_of, .param .b32 grid_x, .param .b32 grid_y, .param .b32 grid_z,
                                    .param .b32 block_x, .param .b32 block_y, .param .b32 block_z, .param .b32 shared_of)
{
  .reg .b32 %word;
  .reg .b64 %kernel, %buffer;
  {
    .param .b64 kernel;
    .param .align 4 .b8 grid[12];
    .param .align 4 .b8 block[12];
    .param .b32 shared;
    .param .b64 buffer;
    ld.param.u64 %kernel, [kernel_of];
    st.param.b64 [kernel], %kernel;
    ld.param.u32 %word, [grid_x];
    st.param.b32 [grid], %word;
    ld.param.u32 %word, [grid_y];
    st.param.b32 [grid+4], %word;
    ld.param.u32 %word, [grid_z];
    st.param.b32 [grid+8], %word;
    ld.param.u32 %word, [block_x];
    st.param.b32 [block], %word;
    ld.param.u32 %word, [block_y];
    st.param.b32 [block+4], %word;
    ld.param.u32 %word, [block_z];
    st.param.b32 [block+8], %word;
    ld.param.u32 %word, [shared_of];
    st.param.b32 [shared], %word;
    call.uni (buffer), cudaGetParameterBufferV2, (kernel, grid, block, shared);
    ld.param.b64 %buffer, [buffer];
  }
  st.param.b64 [buffer_of], %buffer;
  ret;
}
)";

inline constexpr std::string_view kLaunchDevice = R"(
.func (.param .b32 code_of) NAME (.param .b64 buffer_of, .param .b64 stream_of)
{
  .reg .pred %p;
  .reg .b32 %code;
  .reg .b64 %record, %wide;
  mov.u32 %code, 1;
  ld.param.u64 %record, [buffer_of];
  setp.eq.u64 %p, %record, 0;
  @%p bra DONE;
  ld.param.u64 %wide, [stream_of];
  st.global.u64 [%record+-208], %wide;
  membar.gl;
  atom.global.add.u64 %wide, [__heddle_launches+8], 1;
  add.u64 %wide, %wide, 1;
  st.global.u64 [%record+-200], %wide;
  mov.u32 %code, 0;
DONE:
  st.param.b32 [code_of], %code;
  ret;
}
)";

/// The error of any thread of the GPU since one asked last.
inline constexpr std::string_view kGetLastError = R"(
.func (.param .b32 code_of) NAME ()
{
  .reg .b32 %code;
  atom.global.exch.b32 %code, [__heddle_launches+24], 0;
  st.param.b32 [code_of], %code;
  ret;
}
)";

inline constexpr std::string_view kPeekAtLastError = R"(
.func (.param .b32 code_of) NAME ()
{
  .reg .b32 %code;
  ld.volatile.global.u32 %code, [__heddle_launches+24];
  st.param.b32 [code_of], %code;
  ret;
}
)";

/// Streams are numbers behind those that CUDA's headers have names for.
inline constexpr std::string_view kCreateStream = R"(
.func (.param .b32 code_of) NAME (.param .b64 stream_of, .param .b32 flags_of)
{
  .reg .b32 %code;
  .reg .b64 %place, %stream;
  ld.param.u64 %place, [stream_of];
  atom.global.add.u64 %stream, [__heddle_launches+16], 1;
  add.u64 %stream, %stream, 16;
  st.u64 [%place], %stream;
  mov.u32 %code, 0;
  st.param.b32 [code_of], %code;
  ret;
}
)";

/// What was launched in it goes on.
inline constexpr std::string_view kDestroyStream = R"(
.func (.param .b32 code_of) NAME (.param .b64 stream_of)
{
  .reg .b32 %code;
  mov.u32 %code, 0;
  st.param.b32 [code_of], %code;
  ret;
}
)";

inline constexpr std::string_view kGetDevice = R"(
.func (.param .b32 code_of) NAME (.param .b64 device_of)
{
  .reg .b32 %code;
  .reg .b64 %place;
  ld.param.u64 %place, [device_of];
  mov.u32 %code, 0;
  st.u32 [%place], %code;
  st.param.b32 [code_of], %code;
  ret;
}
)";

/// From the heap of malloc, as with CUDA.
inline constexpr std::string_view kDeviceMalloc = R"(
.func (.param .b32 code_of) NAME (.param .b64 pointer_of, .param .b64 bytes_of)
{
  .reg .pred %p;
  .reg .b32 %code;
  .reg .b64 %place, %bytes, %made;
  ld.param.u64 %place, [pointer_of];
  ld.param.u64 %bytes, [bytes_of];
  {
    .param .b64 bytes;
    .param .b64 made;
    st.param.b64 [bytes], %bytes;
    call.uni (made), malloc, (bytes);
    ld.param.b64 %made, [made];
  }
  st.u64 [%place], %made;
  setp.eq.u64 %p, %made, 0;
  selp.u32 %code, 2, 0, %p;
  st.param.b32 [code_of], %code;
  ret;
}
)";

inline constexpr std::string_view kDeviceFree = R"(
.func (.param .b32 code_of) NAME (.param .b64 pointer_of)
{
  .reg .b32 %code;
  .reg .b64 %pointer;
  ld.param.u64 %pointer, [pointer_of];
  {
    .param .b64 pointer;
    st.param.b64 [pointer], %pointer;
    call.uni free, (pointer);
  }
  mov.u32 %code, 0;
  st.param.b32 [code_of], %code;
  ret;
}
)";

}  // namespace heddle::lower
