// Compiler output of CUDA 9 to 13, as it comes out of builds.
#include "tools/occupancy/ptxas.h"

#include <fmt/format.h>

#include "tests/support/catch.h"
#include "tools/occupancy/reports.h"

namespace heddle::occupancy {

namespace {

std::vector<CompiledKernel> read(std::string_view text) { return read_ptxas(text, "build.log"); }

std::string refusal(std::string_view text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "not refused";
}

// ptxas 13.0, of kernels compiled for this test.
constexpr std::string_view kCuda13 =
    R"(pt.cu(7): warning #177-D: variable "s" was declared but never referenced
Remark: The warnings can be suppressed with "-diag-suppress <warning-number>"

ptxas warning : Value of threads per SM for entry _Z6spillyPfi is out of range. .minnctapersm will be ignored
ptxas info    : 24 bytes gmem, 8 bytes cmem[4]
ptxas info    : Compiling entry function '_ZN2ns4tileEPKfPf' for 'sm_75'
ptxas info    : Function properties for _ZN2ns4tileEPKfPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 14 registers, used 1 barriers, 4224 bytes smem, 368 bytes cmem[0]
ptxas info    : Compile time = 5.445 ms
ptxas info    : Compiling entry function 'bars' for 'sm_75'
ptxas info    : Function properties for bars
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 4 barriers, 360 bytes cmem[0]
ptxas info    : Compile time = 0.699 ms
ptxas info    : Compiling entry function '_Z6spillyPfi' for 'sm_90a'
ptxas info    : Function properties for _Z6spillyPfi
    248 bytes stack frame, 408 bytes spill stores, 604 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers, 248 bytes cumulative stack size
ptxas info    : Compile time = 79.092 ms
ptxas info    : Function properties for _Z6helperfi
    16 bytes stack frame, 5 bytes spill stores, 6 bytes spill loads
ptxas info    : Compiling entry function '_Z4axpyIdEvT_PKS0_PS0_i' for 'sm_90a'
ptxas info    : Function properties for _Z4axpyIdEvT_PKS0_PS0_i
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, used 0 barriers
)";

}  // namespace

TEST_CASE("output of CUDA 13 names registers, barriers, shared memory and spills of each kernel") {
  const std::vector<CompiledKernel> kernels = read(kCuda13);
  REQUIRE(kernels.size() == 4);
  CHECK(kernels[0].name == "ns::tile(float const*, float*)");
  CHECK(kernels[0].mangled == "_ZN2ns4tileEPKfPf");
  CHECK(kernels[0].architecture == "sm_75");
  CHECK(kernels[0].registers == 14);
  CHECK(kernels[0].static_shared == 4224);
  CHECK(kernels[0].barriers == 1u);
  CHECK(kernels[0].where.line == 6);
  CHECK(kernels[1].name == "bars");
  CHECK(kernels[1].barriers == 4u);
  CHECK(kernels[2].architecture == "sm_90a");
  CHECK(kernels[2].stack_bytes == 248);
  CHECK(kernels[2].spill_stores == 408);
  CHECK(kernels[2].spill_loads == 604);
  CHECK(kernels[2].barriers == 0u);
  CHECK(kernels[3].name == "void axpy<double>(double, double const*, double*, int)");
  CHECK(kernels[3].spill_stores == 0);
}

TEST_CASE("output of CUDA 9 comes through a Windows build, without barriers") {
  const std::vector<CompiledKernel> kernels = read(
      "1>  ptxas info    : 0 bytes gmem\r\n"
      "1>  ptxas info    : Function properties for cudaDeviceGetAttribute\r\n"
      "1>      8 bytes stack frame, 1 bytes spill stores, 2 bytes spill loads\r\n"
      "1>  ptxas info    : Compiling entry function '_Z7digit_3ILj9EEvPf' for 'sm_52'\r\n"
      "1>  ptxas info    : Function properties for _Z7digit_3ILj9EEvPf\r\n"
      "1>      176 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads\r\n"
      "1>  ptxas info    : Used 62 registers, 200 bytes cumulative stack size, 46472 bytes smem, 324 bytes "
      "cmem[0], 4 bytes cmem[2]\r\n"
      "1>  ptxas info    : Function properties for _ZN4dim3C2Ejjj\r\n"
      "1>      16 bytes stack frame, 16 bytes spill stores, 16 bytes spill loads\r\n");
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].name == "void digit_3<9u>(float*)");
  CHECK(kernels[0].architecture == "sm_52");
  CHECK(kernels[0].registers == 62);
  CHECK(kernels[0].static_shared == 46472);
  CHECK_FALSE(kernels[0].barriers);
  CHECK(kernels[0].stack_bytes == 176);
  CHECK(kernels[0].spill_stores == 12);
  CHECK(kernels[0].spill_loads == 16);
}

TEST_CASE("output of CUDA 11 and of 12 differ in the barriers") {
  const std::vector<CompiledKernel> kernels = read(
      "ptxas info    : Compiling entry function 'saxpy' for 'sm_80'\n"
      "ptxas info    : Function properties for saxpy\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 40 registers, 2112 bytes smem, 368 bytes cmem[0], 1 textures\n"
      "ptxas info    : Compiling entry function 'dot' for 'sm_89'\n"
      "ptxas info    : Function properties for dot\n"
      "    64 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 112 registers, used 2 barriers, 768 bytes cumulative stack size, 72 bytes smem, "
      "408 "
      "bytes cmem[0]\n");
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].static_shared == 2112);
  CHECK_FALSE(kernels[0].barriers);
  CHECK(kernels[1].registers == 112);
  CHECK(kernels[1].static_shared == 72);
  CHECK(kernels[1].barriers == 2u);
}

TEST_CASE("shared memory in two parts is their sum, and broken lines go on") {
  const std::vector<CompiledKernel> kernels = read(
      "ptxas info    : Compiling entry function '_Z3addiiPi' for 'sm_50'\n"
      "ptxas info    : Used 2 registers, 4096+16 bytes smem\n"
      "ptxas info    : Compiling entry function 'main_kernel' for 'sm_90a'\n"
      "ptxas info  : Used 168 registers, used 5 barriers,\n"
      "              1128 bytes cumulative stack size, 1024 bytes smem\n"
      "some other program: 7 bytes smem\n");
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].static_shared == 4112);
  CHECK(kernels[1].registers == 168);
  CHECK(kernels[1].barriers == 5u);
  CHECK(kernels[1].static_shared == 1024);
}

TEST_CASE("text without kernels, or with half of one, is refused at its place") {
  CHECK(refusal("").find("build.log: error: there is no kernel in it") != std::string::npos);
  CHECK(refusal("ptxas info    : 0 bytes gmem\nUsed 10 registers\n").find("no kernel") != std::string::npos);
  CHECK(refusal("\nptxas info    : Compiling entry function '_Z1fv' for 'sm_80'\n") ==
        "build.log:2: error: kernel 'f()' has no line 'Used ... registers'\n");
  const std::string huge = refusal(
      "ptxas info : Compiling entry function 'k' for 'sm_80'\n"
      "ptxas info : Used 99999999999999999999999 registers, 99999999999 bytes smem\n");
  CHECK(huge.find("build.log:2: error: the number before 'registers' is too large") != std::string::npos);
  CHECK(huge.find("the number before 'bytes smem' is too large") != std::string::npos);
  for (const char* sum : {"99999999999999999999+16", "16+99999999999999999999", "2147483647+1"}) {
    CAPTURE(sum);
    const std::string text = fmt::format(
        "ptxas info : Compiling entry function 'k' for 'sm_80'\nptxas info : Used 8 registers, {} bytes smem\n",
        sum);
    CHECK(refusal(text) == "build.log:2: error: the number before 'bytes smem' is too large\n");
  }
}

TEST_CASE("any prefix of a build's output is read or refused, and no more") {
  int read_whole = 0;
  int refused = 0;
  for (std::size_t length = 0; length < kCuda13.size(); ++length) {
    try {
      read(kCuda13.substr(0, length));
      ++read_whole;
    } catch (const InputError&) {
      ++refused;
    }
  }
  CHECK(read_whole > 100);
  CHECK(refused > 100);
}

TEST_CASE("kernels have short names for tables") {
  CHECK(short_name("void axpy<float>(float, float const*, float*, int)") == "axpy<float>");
  CHECK(short_name("ns::tile(float const*, float*)") == "ns::tile");
  CHECK(short_name("void (anonymous namespace)::k<int (*)(int)>(int)") ==
        "(anonymous namespace)::k<int (*)(int)>");
  CHECK(short_name("vecadd") == "vecadd");
  CHECK(short_name(std::string(100, 'x')).size() == 40);
}

TEST_CASE("A compiler behind a JIT names its kernels by their properties alone") {
  const std::vector<CompiledKernel> kernels = read(
      "ptxas info  : (C7507) setmaxnreg ignored\n"
      "ptxas info  : Function properties for tile_kernel\n"
      "    96 bytes stack frame, 120 bytes spill stores, 128 bytes spill loads\n"
      "ptxas info  : Used 168 registers, used 3 barriers, 96 bytes cumulative stack size, 1024 bytes smem\n"
      "ptxas info  : Function properties for _Z6helperfi\n"
      "    16 bytes stack frame, 5 bytes spill stores, 6 bytes spill loads\n"
      "ptxas info  : Function properties for _Z4tailPf\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info  : Used 12 registers\n"
      "ptxas info  : Used 13 registers\n");
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].name == "tile_kernel");
  CHECK(kernels[0].registers == 168);
  CHECK(kernels[0].static_shared == 1024);
  CHECK(kernels[0].barriers == 3u);
  CHECK(kernels[0].stack_bytes == 96);
  CHECK(kernels[0].spill_stores == 120);
  CHECK(kernels[0].spill_loads == 128);
  CHECK(kernels[0].architecture.empty());
  CHECK(kernels[0].where.line == 2);
  CHECK(kernels[1].name == "tail(float*)");
  CHECK(kernels[1].registers == 12);
  CHECK(kernels[1].stack_bytes == 0);
}

TEST_CASE("What cuobjdump -res-usage says of a binary is read, of each architecture in it") {
  const std::vector<CompiledKernel> kernels = read(
      "\nFatbin elf code:\n================\narch = sm_89\ncode version = [1,8]\nhost = linux\ncompile_size = 64bit\n\n"
      "Resource usage:\n Common:\n  GLOBAL:0 CONSTANT[3]:16\n Function _Z4topkPf:\n"
      "  REG:64 STACK:8 SHARED:4256 LOCAL:0 CONSTANT[0]:380 TEXTURE:0 SURFACE:0 SAMPLER:0\n Function plain:\r\n"
      "  REG:10 STACK:UNKNOWN SHARED:0 LOCAL:0\r\n\nFatbin elf code:\n================\narch = sm_90a\n"
      "Resource usage:\n Function _Z4topkPf:\n  REG:62 STACK:0 SHARED:5280 LOCAL:0\n");
  REQUIRE(kernels.size() == 3);
  CHECK(kernels[0].name == "topk(float*)");
  CHECK(kernels[0].architecture == "sm_89");
  CHECK(kernels[0].registers == 64);
  CHECK(kernels[0].static_shared == 4256);
  CHECK(kernels[0].stack_bytes == 8);
  CHECK_FALSE(kernels[0].barriers.has_value());
  CHECK(kernels[1].name == "plain");
  CHECK(kernels[1].registers == 10);
  CHECK(kernels[2].architecture == "sm_90a");
  CHECK(kernels[2].static_shared == 5280);
  CHECK(refusal(" Function k:\n  REG:x SHARED:0\n").find("what stands behind 'REG:' is no number") != std::string::npos);
}

}  // namespace heddle::occupancy
