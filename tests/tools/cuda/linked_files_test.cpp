// Device code of several files: calls from one to another, and what each file has for itself. What needs
// clang says so and passes where there is none.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "isa/base/read_file.h"
#include "isa/ptx/module.h"
#include "tests/tools/cuda/cuda_program.h"
#include "tools/cuda/image/ptx_link.h"

namespace heddle::cuda {

namespace {

constexpr const char* kHeader = ".version 8.0\n.target sm_80\n.address_size 64\n";

}  // namespace

TEST_CASE("Files of PTX become one: own names are told apart, weak ones stand once, source files count on") {
  const std::array<std::string, 3> files = {std::string(kHeader) + R"(
.extern .func (.param .b32 r) shared (.param .b32 x);
.weak .func (.param .b32 r) both (.param .b32 x)
{ ret; }
.global .align 4 .u32 own = 5; // a comment with { and ;
.visible .entry first () { .loc 1 3 1
  ret; }
.file 1 "a.cu"
.file 2 "a.h"
)",
                                            std::string(kHeader) + R"(
.visible .global .align 4 .b8 name[4] = {1, 2, 3, 4};
.global .align 4 .u32 own = 6;
.weak .func (.param .b32 r) both (.param .b32 x)
{ ret; }
.func helper () { ret; }
.visible .func (.param .b32 r) shared (.param .b32 x)
{ .reg .b32 %r<2>;
  .loc 1 7 2, function_name $L__info_string0, inlined_at 1 9 1
  { ld.global.u32 %r1, [own]; }
  ret; }
.file 1 "b.cu"
.section .debug_str { $L__info_string0: .b8 104 }
)",
                                            std::string(kHeader) + ".func helper () { ret; }\n"};
  const image::LinkedPtx linked = image::link_ptx(files);
  CHECK(linked.renamed[0].empty());
  CHECK(linked.renamed[1] == std::map<std::string, std::string>{{"own", "own$1"}});
  CHECK(linked.renamed[2] == std::map<std::string, std::string>{{"helper", "helper$2"}});
  CHECK_THAT(linked.text,
             Catch::Contains("ld.global.u32 %r1, [own$1];") &&
                 Catch::Contains(".loc 3 7 2, function_name $L__info_string0_1, inlined_at 3 9 1") &&
                 Catch::Contains(".file 3 \"b.cu\"") && Catch::Contains(".loc 1 3 1"));
  const ptx::Module module = ptx::read_module(linked.text, "linked.ptx");
  std::vector<std::string> bodies;
  for (const ptx::Function& function : module.functions)
    if (function.has_body) bodies.push_back(function.name);
  std::ranges::sort(bodies);
  CHECK(bodies == std::vector<std::string>{"both", "first", "helper", "helper$2", "shared"});
  CHECK(module.variables.size() == 3);

  CHECK(image::needs_other_files(files[0]));
  CHECK_FALSE(image::needs_other_files(files[1]));
  CHECK_FALSE(
      image::needs_other_files(".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);"));
  CHECK_FALSE(image::needs_other_files(linked.text));
  CHECK(image::needs_other_files(".extern .global .align 4 .u32 total;"));
  CHECK_FALSE(image::needs_other_files(".extern .shared .align 16 .b8 memory[];"));
  CHECK(image::link_ptx(std::array<std::string, 2>{"", "{"}).renamed.size() == 2);
}

TEST_CASE(
    "Device code calls functions of other files, and statics and managed variables are each file's own") {
  if (!has_clang() || !has_plain_library()) return;
  const test::ScratchFolder folder;
  folder.write("shared.h", R"(
template <typename T> __device__ __noinline__ T twice(T x) { return x + x; }
static __device__ __noinline__ int less(int x) { return x - 1; }
__device__ int add_up(int x);
__device__ int doubled(int x);
extern __device__ int total;
)");
  const std::string first = folder.write("first.cu", R"(
#include "shared.h"
#include <cstdio>
static __device__ int counter = 5;
static __managed__ int mine = 10;
static __global__ void kernel(int* p) {
  p[0] = add_up(twice(p[0])) + less(1);
  p[1] = ++counter + mine;
  total += 1000;
}
void other(int* p);
int main() {
  int* p;
  cudaMallocManaged(&p, 8);
  p[0] = 4;
  mine += 20;
  kernel<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  std::printf("%d %d ", p[0], p[1]);
  other(p);
  std::printf("%d %d\n", p[0], p[1]);
}
)");
  const std::string second = folder.write("second.cu", R"(
#include "shared.h"
static __device__ int counter = 50;
static __managed__ int mine = 100;
__device__ int total;
__device__ int add_up(int x) { total += x; return total + doubled(x) + less(x); }
static __global__ void kernel(int* p) { p[0] = total; p[1] = ++counter + mine; }
void other(int* p) {
  kernel<<<1, 1>>>(p);
  cudaDeviceSynchronize();
}
)");
  const std::string third = folder.write("third.cu", R"(
#include "shared.h"
__device__ int doubled(int x) { return twice(x); }  // No kernel and no variable.
)");
  // Each file by itself and linked later, as Makefiles do it.
  for (const std::string& file : {first, second, third}) {
    const FinishedProgram compiled = run_program({HEDDLE_COMMAND, "cuda", "-dc", file, "-o", file + ".o"});
    REQUIRE(compiled.errors == "");
  }
  REQUIRE(run_program(
              {HEDDLE_COMMAND, "cuda", first + ".o", second + ".o", third + ".o", "-o", folder.path("app")})
              .errors == "");
  const FinishedProgram run = run_program({folder.path("app")});
  CHECK(run.errors == "");
  // 8 is added up: 8 + 16 + 7 + 0. The static kernel of the second file finds its own counter.
  CHECK(run.output == "31 36 1008 151\n");
  // Both have their own name, and the second says where it is from.
  const std::string reports = folder.path("reports");
  const FinishedProgram told = run_program(
      {HEDDLE_COMMAND, "exec", "--gpu", "tiny", "--timed", "kernel", "--report", reports, "--", folder.path("app")});
  CHECK_THAT(told.errors, Catch::Contains("\nkernel  ") && Catch::Contains("cu:7)") && !Catch::Contains("$"));
  const auto kernel_of = [&](const std::string& file) {
    return nlohmann::json::parse(read_file(reports + "/" + file))["kernel"];
  };
  CHECK(kernel_of("0001-kernel.json") == "_ZL6kernelPi");
  CHECK(kernel_of("0002-kernel.json") == "_ZL6kernelPi$1");
  CHECK_THAT(read_file(reports + "/0002-kernel.txt"), Catch::Contains("kernel(int*)") && !Catch::Contains("$"));
}

TEST_CASE("A variable that no file defines is refused by name") {
  if (!has_clang() || !has_plain_library()) return;
  const CudaProgram program(
      program_of("extern __device__ int total;\n__global__ void read(int* p) { *p = total; }\n", R"(
  int* p;
  check(cudaMallocManaged(&p, 4));
  read<<<1, 1>>>(p);
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
)"));
  const FinishedProgram run = program.run({});
  CHECK(run.output == "cudaErrorInvalidPtx\n");
  CHECK_THAT(run.errors, Catch::Contains("the variable 'total', which is declared and defined nowhere"));
}

}  // namespace heddle::cuda
