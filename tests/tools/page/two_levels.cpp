#include "tests/tools/page/two_levels.h"

#include <fmt/format.h>

namespace heddle::command {

namespace {

constexpr const char* kCuda = R"(__global__ void scale(float* data) {
  const int i = threadIdx.x;
  data[i] = 2 * data[i];
}
)";

constexpr const char* kPtx = R"(.version 7.0
.target sm_70
.address_size 64
.file 1 "{}"
.visible .entry scale(.param .u64 data) {{
  .reg .f32 %f<3>;
  .reg .b32 %r<2>;
  .reg .b64 %rd<5>;
  .loc 1 1 0
  ld.param.u64 %rd1, [data];
  cvta.to.global.u64 %rd2, %rd1;
  .loc 1 2 3
  mov.u32 %r1, %tid.x;
  .loc 1 3 3
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;

  ld.global.f32 %f1, [%rd4];
  add.f32 %f2, %f1, %f1;
  st.global.f32 [%rd4], %f2;
  .loc 1 4 1
  ret;
}}
)";

constexpr const char* kLaunch = R"(kernel: scale.ptx
grid: 4
block: 128
params: [data]
buffers:
  data: {type: f32, count: 128}
)";

}  // namespace

std::string write_two_levels(const launch::ScratchFolder& folder) {
  folder.write("scale.cu", std::string(kCuda));
  folder.write("scale.ptx", fmt::format(kPtx, folder.path("scale.cu")));
  return folder.write("scale.yaml", std::string(kLaunch));
}

}  // namespace heddle::command
