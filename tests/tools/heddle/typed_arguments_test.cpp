// Values for the parameters of PTX and CUDA C++: each becomes what the kernel declares.
#include "isa/base/diagnostic.h"
#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tools/cuda/compiler.h"

namespace heddle::command {

namespace {

// Stores its parameters one behind the other.
constexpr const char* kKeep = R"(.version 7.5
.target sm_80
.address_size 64
.visible .entry keep(
  .param .u64 out,
  .param .f32 f,
  .param .f64 d,
  .param .u32 u,
  .param .s32 s,
  .param .u64 l,
  .param .u8 b,
  .param .b32 w)
{
  .reg .b64 %o, %l;
  .reg .f32 %f;
  .reg .f64 %d;
  .reg .b32 %r;
  .reg .b16 %h;
  ld.param.u64 %o, [out];
  ld.param.f32 %f, [f]; st.global.f32 [%o], %f;
  ld.param.f64 %d, [d]; st.global.f64 [%o+8], %d;
  ld.param.u32 %r, [u]; st.global.u32 [%o+16], %r;
  ld.param.u32 %r, [s]; st.global.u32 [%o+20], %r;
  ld.param.u64 %l, [l]; st.global.u64 [%o+24], %l;
  ld.param.u8 %h, [b]; cvt.u32.u16 %r, %h; st.global.u32 [%o+32], %r;
  ld.param.b32 %r, [w]; st.global.b32 [%o+36], %r;
  ret;
}
)";

struct Files {
  launch::ScratchFolder folder;
  std::string kernel = folder.write("keep.ptx", std::string(kKeep));
};

Outcome run(const std::string& kernel, const std::string& arguments, const std::string& print) {
  return heddle({"run", kernel, "--args", arguments, "--print", print}, {{{"HEDDLE_CACHE", "off"}}});
}

}  // namespace

TEST_CASE("A number becomes a float or an integer as PTX declares the parameter") {
  const Files files;
  const Outcome floats = run(files.kernel, "o=f32[10], 2, 3, 4, -5, 6, 7, 8", "o[0:2]");
  CAPTURE(floats.err);
  CHECK(floats.exit_code == 0);
  CHECK_THAT(floats.out, Catch::Contains("o[0:2] = 2 0\n"));
  const Outcome doubles = run(files.kernel, "o=f64[5], 2, 3, 4, -5, 6, 7, 8", "o[1:2]");
  CHECK_THAT(doubles.out, Catch::Contains("o[1:2] = 3\n"));
  const Outcome words = run(files.kernel, "o=s32[10], 0.5, -1, 4.0, -5, 6, 7, 8", "o[4:10]");
  CAPTURE(words.err);
  CHECK_THAT(words.out, Catch::Contains("o[4:10] = 4 -5 6 0 7 8\n"));
  // What has a type of its own keeps it.
  const Outcome typed =
      run(files.kernel, "o=u32[10], {u32: 2}, 0, {type: f32, value: 1}, 0, 0, 0, 1.0", "o[0:10]");
  CAPTURE(typed.err);
  CHECK_THAT(typed.out, Catch::Contains("= 2 0 0 0 1065353216 0 0 0 0 1065353216\n"));
}

TEST_CASE("A number that the parameter cannot hold is refused with the place of the parameter") {
  const Files files;
  const auto refused = [&](const std::string& arguments) {
    const Outcome outcome = run(files.kernel, arguments, "o[0]");
    CHECK(outcome.exit_code == 2);
    return outcome.err;
  };
  CHECK_THAT(refused("o=u32[10], 1, 1, 0.5, 1, 1, 1, 1"),
             Catch::Contains("0.5 is no whole number") &&
                 Catch::Contains("(parameter 4, an integer of 32 bits: " + files.kernel + ":8)"));
  CHECK_THAT(refused("o=u32[10], 1, 1, 1, 1, 1e-3, 1, 1"),
             Catch::Contains("(parameter 6, an integer of 64 bits: "));
  CHECK_THAT(refused("o=u32[10], 1, 1, 5000000000, 1, 1, 1, 1"), Catch::Contains("does not fit u32"));
  CHECK_THAT(refused("o=u32[10], 1, 1, 1, 1, 1, 300, 1"), Catch::Contains("does not fit u8"));
  CHECK_THAT(refused("o=u32[10], 1e300, 1, 1, 1, 1, 1, 1"),
             Catch::Contains("does not fit f32 (parameter 2, a float of 32 bits: "));
}

TEST_CASE("Of CUDA C++ the message has the parameter's name and its line in the source") {
  try {
    cuda::find_compiler({});
  } catch (const InputError&) {
    WARN("skipped: there is no compiler for CUDA C++; apt install clang");
    return;
  }
  const launch::ScratchFolder folder;
  const std::string path = folder.write("scale.cu", std::string(R"(
__global__ void scale(float* x, float factor,
                      int n) {
  if (threadIdx.x < n) x[threadIdx.x] = factor;
}
)"));
  const Outcome outcome = run(path, "x=f32[4], 2, 0.5", "x[0]");
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.err, Catch::Contains("(parameter 3, 'n', an integer of 32 bits: " + path + ":3)"));
  const Outcome right = run(path, "x=f32[4], 2, 1", "x[0:2]");
  CAPTURE(right.err);
  CHECK_THAT(right.out, Catch::Contains("x[0:2] = 2 0\n"));
}

}  // namespace heddle::command
