// malloc and free in kernels that heddle run starts: 8 MiB, as CUDA's default.
#include <string>
#include <string_view>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {

namespace {

/// Each thread takes 24 bytes, keeps its number there, and adds what its neighbour keeps; then all give them back. The
/// first one asks for 16 MiB, too, which there are not.
constexpr std::string_view kKernel = R"(
.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b64 pointer) malloc (.param .b64 bytes);
.extern .func free (.param .b64 pointer);

.visible .entry keep (.param .u64 out) {
  .reg .pred %p;
  .reg .b32 %i, %next, %mine, %other, %low, %high;
  .reg .b64 %out, %at, %own, %far;
  .shared .align 8 .b64 places[32];
  mov.u32 %i, %tid.x;
  { .param .b64 b; .param .b64 r;
    st.param.b64 [b], 24;
    call (r), malloc, (b);
    ld.param.b64 %own, [r]; }
  st.u32 [%own+20], %i;
  mov.u32 %low, places;
  mad.lo.u32 %mine, %i, 8, %low;
  st.shared.b64 [%mine], %own;
  bar.sync 0;
  add.u32 %next, %i, 1;
  and.b32 %next, %next, 31;
  mad.lo.u32 %other, %next, 8, %low;
  ld.shared.b64 %far, [%other];
  ld.u32 %other, [%far+20];
  bar.sync 0;
  { .param .b64 b;
    st.param.b64 [b], %own;
    call free, (b); }
  setp.ne.u32 %p, %i, 0;
  @%p bra store;
  { .param .b64 b; .param .b64 r;
    st.param.b64 [b], 16777216;
    call (r), malloc, (b);
    ld.param.b64 %far, [r]; }
  setp.eq.s64 %p, %far, 0;
  selp.b32 %other, 100, 200, %p;
store:
  ld.param.u64 %out, [out];
  mad.wide.u32 %at, %i, 4, %out;
  st.global.u32 [%at], %other;
  ret;
}
)";

}  // namespace

TEST_CASE("malloc in a kernel of heddle run takes from 8 MiB") {
  launch::ScratchFolder folder;
  const std::string path = folder.write("heap.ptx", std::string(kKernel));
  const Outcome run = heddle({"run", path, "--gpu", "tiny", "--grid", "1", "--block", "32", "--args", "out=u32[32]",
                              "--print", "out[0:4]", "--print", "out[30:32]"});
  INFO(run.out << run.err);
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.out, Catch::Contains("100 2 3 4") || Catch::Contains("100, 2, 3, 4"));
  CHECK_THAT(run.out, Catch::Contains("31 0") || Catch::Contains("31, 0"));
}

}  // namespace heddle::command
