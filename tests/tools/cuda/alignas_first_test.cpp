// alignas behind __shared__, which nvcc takes and clang does not.
#include "tools/cuda/alignas_first.h"

#include "tests/tools/cuda/cuda_program.h"

namespace heddle::cuda {

TEST_CASE("alignas behind __shared__ goes before it where a declaration begins, and lines stay") {
  CHECK(with_alignas_first("{ __attribute__((shared)) alignas(16) float x[4]; }") ==
        "{ alignas(16) __attribute__((shared)) float x[4]; }");
  CHECK(with_alignas_first("; __attribute__((shared))\n alignas ( sizeof(T) * (2 + 1) ) T x;\n"
                           "# 3 \"a.cu\" 2\n __attribute__((shared)) alignas(8) int y;") ==
        "; alignas ( sizeof(T) * (2 + 1) ) __attribute__((shared))\n T x;\n"
        "# 3 \"a.cu\" 2\n alignas(8) __attribute__((shared)) int y;");
  CHECK_FALSE(with_alignas_first("static __attribute__((shared)) alignas(16) float x[4];"));
  CHECK_FALSE(with_alignas_first("alignas(16) __attribute__((shared)) float x[4];"));
  CHECK_FALSE(
      with_alignas_first("; __attribute__((shared)) float alignas_of; __attribute__((shared)) alignas(16"));
}

TEST_CASE("A program with alignas behind __shared__ compiles unedited, and mistakes keep their lines") {
  if (!has_clang()) return;
  const std::string text = program_of(R"(
#define TILE 32
__global__ void turn(int* p) {
  __shared__ char before;
  __shared__ alignas(64) int x[TILE];
  before = 1;
  x[threadIdx.x] = threadIdx.x;
  __syncthreads();
  p[threadIdx.x] = x[TILE - 1 - threadIdx.x] + before + (unsigned long long)x % 64;
}
)",
                                      R"(
  int* p;
  check(cudaMallocManaged(&p, TILE * sizeof(int)));
  turn<<<1, TILE>>>(p);
  check(cudaDeviceSynchronize());
  std::printf("%d %d\n", p[0], p[31]);
)");
  CHECK(CudaProgram(text).run().output == "32 1\n");
  const test::ScratchFolder folder;
  const std::string wrong = folder.write(
      "wrong.cu", "__global__ void k() {\n  __shared__ alignas(16) float x[4];\n  x[0] = fly;\n}\n");
  const FinishedProgram refused = run_program({HEDDLE_COMMAND, "cuda", "-c", "-o", folder.path("o"), wrong});
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.errors, Catch::Contains("wrong.cu:3:10: error: "));
}

}  // namespace heddle::cuda
