// heddle exec --check: each check finds what was planted, by its line, and says nothing of a clean twin. What
// needs clang says so and passes where there is none.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "tests/tools/cuda/cuda_program.h"

namespace heddle::cuda {

namespace {

/// The line of the program in which a word stands that the program has once.
int line_of(const std::string& text, const std::string& word) {
  const std::size_t at = text.find(word);
  REQUIRE(at != std::string::npos);
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

FinishedProgram checked(const std::string& text, const std::string& checks) {
  const CudaProgram program(text);
  return program.exec({"--check", checks, "--summary", program.folder.path("summary.txt")});
}

}  // namespace

TEST_CASE("Check initial names the line that reads device memory which nobody has written", "[.heavy]") {
  if (!has_clang()) return;
  const auto program = [](bool is_wrong) {
    return program_of(R"(
__global__ void fill(int* p, int n) { if (threadIdx.x < n) p[threadIdx.x] = threadIdx.x; }
__global__ void sum(const int* p, int* out) {
  int own = p[threadIdx.x];  // planted
  atomicAdd(out, own);
}
)",
                      R"(
  int *p, *out;
  check(cudaMalloc(&out, sizeof *out));
  check(cudaMemset(out, 0, sizeof *out));
  check(cudaMalloc(&p, 64 * sizeof(int)));
  fill<<<1, 64>>>(p, )" + std::string(is_wrong ? "63" : "64") +
                          R"();
  sum<<<1, 64>>>(p, out);
  check(cudaDeviceSynchronize());
)");
  };
  const std::string wrong = program(true);
  const FinishedProgram found = checked(wrong, "initial");
  CHECK(found.exit_code == 3);
  CHECK_THAT(found.errors,
             Catch::Contains("heddle: check initial: kernel sum, ") &&
                 Catch::Contains(fmt::format("program.cu:{}: thread (63,0,0) of block (0,0,0) reads byte "
                                             "252 of 'cudaMalloc 2', which has 256, which nobody has "
                                             "written\n",
                                             line_of(wrong, "// planted"))));
  const FinishedProgram clean = checked(program(false), "initial");
  CHECK(clean.errors == "");
  CHECK(clean.exit_code == 0);
}

TEST_CASE("Check races names both lines that touch shared memory with no barrier between them", "[.heavy]") {
  if (!has_clang()) return;
  const auto program = [](const std::string& barrier) {
    return program_of(R"(
__global__ void turn(int* out) {
  __shared__ int own[64];
  own[threadIdx.x] = threadIdx.x;  // written
  )" + barrier + R"(
  out[threadIdx.x] = own[63 - threadIdx.x];  // read
  __syncthreads();
  own[threadIdx.x] = 0;
  if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;" ::: "memory"); else asm volatile("bar.arrive 1, 64;" ::: "memory");
  if (threadIdx.x < 32) out[threadIdx.x] += own[threadIdx.x + 32];
}
__global__ void count(const int* in, int* out) {
  __shared__ int bins[4];
  if (threadIdx.x < 4) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[in[threadIdx.x] % 4], 1);
  __syncthreads();
  if (threadIdx.x < 4) out[threadIdx.x] = bins[threadIdx.x];
}
)",
                      R"(
  int* out;
  check(cudaMalloc(&out, 64 * sizeof(int)));
  turn<<<1, 64>>>(out);
  count<<<1, 64>>>(out, out);
  check(cudaDeviceSynchronize());
)");
  };
  const std::string wrong = program("");
  const FinishedProgram found = checked(wrong, "races");
  CHECK(found.exit_code == 3);
  CHECK_THAT(found.errors,
             Catch::Contains("heddle: check races: kernel turn, ") &&
                 Catch::Contains(fmt::format("program.cu:{}: thread (", line_of(wrong, "// read"))) &&
                 Catch::Contains("of block (0,0,0) reads byte ") &&
                 Catch::Contains(fmt::format("program.cu:{}, with no barrier between them",
                                             line_of(wrong, "// written"))));
  const FinishedProgram clean = checked(program("__syncthreads();"), "races");
  CHECK(clean.errors == "");
  CHECK(clean.exit_code == 0);
}

TEST_CASE("Check races tells of lanes of one store that disagree", "[.heavy]") {
  if (!has_clang()) return;
  const auto program = [](const std::string& value) {
    return program_of(
        "__global__ void put(int* out) {\n"
        "  __shared__ int one;\n"
        "  one = " +
            value +
            ";  // planted\n"
            "  __syncthreads();\n"
            "  out[threadIdx.x] = one;\n"
            "}\n",
        "  int* out;\n"
        "  check(cudaMalloc(&out, 32 * sizeof(int)));\n"
        "  put<<<1, 32>>>(out);\n"
        "  check(cudaDeviceSynchronize());\n");
  };
  const std::string wrong = program("threadIdx.x");
  CHECK_THAT(checked(wrong, "races").errors,
             Catch::Contains(fmt::format("program.cu:{}: thread (1,0,0)", line_of(wrong, "// planted"))) &&
                 Catch::Contains("by the same store, another value"));
  CHECK(checked(program("blockDim.x"), "races").errors == "");
}

TEST_CASE("Check races finds blocks that touch one place of global memory with nothing to order them",
          "[.heavy]") {
  if (!has_clang()) return;
  const auto program = [](const std::string& body) {
    return program_of(R"(
__device__ unsigned ended;
__global__ void work(int* p, volatile int* flag, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
)" + body + R"(
}
)",
                      R"(
  int *p, *flag, *out;
  check(cudaMallocManaged(&p, 128 * sizeof(int)));
  check(cudaMallocManaged(&flag, 128 * sizeof(int)));
  check(cudaMallocManaged(&out, 128 * sizeof(int)));
  for (int i = 0; i < 128; ++i) p[i] = 3 * i + 1;
  work<<<4, 32>>>(p, flag, out);
  work<<<4, 32>>>(p, flag, out);
  check(cudaDeviceSynchronize());
)");
  };
  const auto found_in = [&](const std::string& body) {
    const FinishedProgram found = checked(program(body), "races");
    CHECK(found.exit_code == (found.errors.empty() ? 0 : 3));
    return found.errors;
  };
  // Each block reads what the next one writes.
  const std::string shift = "  if (i < 127) p[i] = p[i + 1];  // planted";
  const std::string line = fmt::format("program.cu:{}", line_of(program(shift), "// planted"));
  CHECK_THAT(
      found_in(shift),
      Catch::Contains(fmt::format("heddle: check races: kernel work, ")) &&
          Catch::Contains(fmt::format("{}: thread (0,0,0) of block (1,0,0) writes byte 128 of "
                                      "'cudaMallocManaged 1', which has 512, which thread (31,0,0) of block "
                                      "(0,0,0) read at ",
                                      line)) &&
          Catch::EndsWith(fmt::format("{}, and nothing orders the two blocks; 6 times\n", line)));
  CHECK_THAT(found_in("  *out = i;"),
             Catch::Contains("of block (1,0,0) writes byte 0 of") && Catch::Contains("wrote at"));
  CHECK_THAT(found_in("  if (i % 32 == 0) { atomicAdd(out, 1); p[i] = *out; }"),
             Catch::Contains("nothing orders the two blocks"));
  CHECK_THAT(found_in("  reinterpret_cast<char*>(out)[i % 64] = i;"),
             Catch::Contains("of block (2,0,0) writes"));
  // What is ordered, the same for all, or nobody else's.
  CHECK(found_in("  out[i] = p[i] + p[127 - i];") == "");
  CHECK(found_in("  *out = 5;") == "");
  CHECK(found_in("  atomicAdd(out, p[i]);") == "");
  CHECK(found_in("  reinterpret_cast<char*>(out)[i] = i;") == "");
  CHECK(found_in("  if (i == 0) *flag = 7; else if (i == 32) out[i] = *flag;") == "");
  // Past L1, as CUB's scans tell each other of their sums.
  CHECK(found_in("  if (i == 0) __stcg(out, 7); else if (i == 32) p[i] = __ldcg(out);") == "");
  CHECK(found_in("  if (i % 32 != 0) return;\n  out[i / 32] = p[i];\n  __threadfence();\n"
                 "  if (atomicInc(&ended, 3) == 3) p[0] = out[0] + out[1] + out[2] + out[3];") == "");
}

TEST_CASE("Check memory names the line and the thread of a bad address, and what was not freed", "[.heavy]") {
  if (!has_clang()) return;
  const auto program = [](const std::string& index, const std::string& end) {
    return program_of(
        "__global__ void put(int* p) {\n"
        "  p[" +
            index +
            "] = 1;  // planted\n"
            "}\n",
        "  int* p;\n"
        "  check(cudaMalloc(&p, 32 * sizeof(int)));\n"
        "  put<<<1, 32>>>(p);\n" +
            end);
  };
  const std::string wrong = program("threadIdx.x + 1", "  cudaDeviceSynchronize();\n");
  const FinishedProgram found = checked(wrong, "memory");
  CHECK(found.exit_code == 3);
  CHECK_THAT(found.errors, Catch::Contains("byte 128 of buffer 'cudaMalloc 1', which has 128") &&
                               Catch::Contains(fmt::format("program.cu:{}, thread (31,0,0) of put\n",
                                                           line_of(wrong, "// planted"))));

  const FinishedProgram leaky =
      checked(program("threadIdx.x", "  check(cudaDeviceSynchronize());\n"), "memory");
  CHECK(leaky.exit_code == 3);
  CHECK_THAT(leaky.errors, Catch::Contains("heddle: check memory: 128 bytes of 'cudaMalloc 1', at 0x") &&
                               Catch::EndsWith("were not freed\n"));

  const FinishedProgram late = checked(program("threadIdx.x",
                                               "  check(cudaDeviceSynchronize());\n"
                                               "  check(cudaFree(p));\n"
                                               "  put<<<1, 32>>>(p);\n"
                                               "  cudaDeviceSynchronize();\n"),
                                       "memory");
  CHECK(late.exit_code == 3);
  CHECK_THAT(late.errors, Catch::Contains("use after free"));

  const FinishedProgram clean = checked(program("threadIdx.x", "  check(cudaFree(p));\n"), "all");
  CHECK(clean.errors == "");
  CHECK(clean.exit_code == 0);
}

TEST_CASE("Check sync names the line of a __syncthreads() that not all threads of a block come to",
          "[.heavy]") {
  if (!has_clang()) return;
  const auto program = [](const std::string& condition) {
    return program_of(
        "__global__ void halve(int* p, int n) {\n"
        "  for (int left = n / 2; left > 0; left /= 2) {\n"
        "    if (" +
            condition +
            ") {\n"
            "      if (threadIdx.x < left) p[threadIdx.x] += p[threadIdx.x + left];\n"
            "      __syncthreads();  // planted\n"
            "    }\n"
            "  }\n"
            "}\n",
        "  int* p;\n"
        "  check(cudaMallocManaged(&p, 128 * sizeof(int)));\n"
        "  for (int i = 0; i < 128; ++i) p[i] = 1;\n"
        "  halve<<<1, 64>>>(p, 128);\n"
        "  std::printf(\"%s \", cudaGetErrorName(cudaDeviceSynchronize()));\n"
        "  std::printf(\"%d\\n\", p[0]);\n"
        "  cudaFree(p);\n");
  };
  // Threads beyond those that add leave out the barrier: in the first warp half of its lanes do.
  const std::string wrong = program("threadIdx.x < left");
  const FinishedProgram found = checked(wrong, "sync");
  CHECK(found.exit_code == 3);
  CHECK_THAT(found.output, Catch::StartsWith("cudaErrorLaunchFailure "));
  CHECK_THAT(found.errors, Catch::Contains("divergent barrier: lanes 0xffff of 0xffffffff arrive") &&
                               Catch::Contains(fmt::format("program.cu:{}", line_of(wrong, "// planted"))));
  const FinishedProgram clean = checked(program("left > 0"), "sync");
  CHECK(clean.errors == "");
  CHECK(clean.output == "cudaSuccess 128\n");
  CHECK(clean.exit_code == 0);

  const auto both = [](const std::string& meeting) {
    return program_of("__global__ void meet(int* p) {\n" + meeting + "  *p = 1;\n}\n",
                      "  int* p;\n  check(cudaMalloc(&p, 4));\n  meet<<<1, 64>>>(p);\n"
                      "  cudaDeviceSynchronize();\n  cudaFree(p);\n");
  };
  const std::string two =
      both("  if (threadIdx.x < 32)\n    __syncthreads();\n  else\n    __syncthreads();  // other\n");
  const FinishedProgram mismatched = checked(two, "sync");
  CHECK(mismatched.exit_code == 3);
  CHECK_THAT(mismatched.errors, Catch::Contains("mismatched barrier 0: a warp comes by instruction ") &&
                                    Catch::Contains(fmt::format("program.cu:{}", line_of(two, "// other"))));
  CHECK(checked(both("  __syncthreads();\n"), "sync").exit_code == 0);
  // A GPU lets warps meet wherever they come to the barrier, and programs rely on it.
  const FinishedProgram unchecked = checked(two, "memory");
  CHECK(unchecked.errors == "");
  CHECK(unchecked.exit_code == 0);
}

TEST_CASE(
    "Check sync tells of a barrier to which not all threads come, and words that are no checks are refused") {
  if (!has_clang()) return;
  const std::string wrong = program_of(
      "__global__ void meet(int* p) {\n"
      "  if (threadIdx.x < 32) asm volatile(\"bar.sync 0, 64;\");  // planted\n"
      "}\n",
      "  meet<<<1, 64>>>(nullptr);\n"
      "  cudaDeviceSynchronize();\n");
  const CudaProgram program(wrong);
  const FinishedProgram found = program.exec({"--check", "sync", "--timed", "none"});
  CHECK(found.exit_code == 3);
  CHECK_THAT(found.errors, Catch::Contains("deadlock"));
  CHECK_THAT(program.exec({"--check", "everything"}).errors,
             Catch::Contains("'everything' is no check; there are memory, initial, races, sync, all"));
}

TEST_CASE("What a GPU lets pass is told of and goes on, and with check memory it is a fault") {
  if (!has_clang()) return;
  const std::string wrong = program_of(R"(
__global__ void sum(const int* from, int* to) {
  const int lane = threadIdx.x;
  int value = from[lane] + from[lane + 1];  // The last lane reads beyond the end.
  if (lane < 16)
    value += __shfl_down_sync(~0u, value, 8);  // Lanes 16 to 23 are not there.
  if (lane == 0) *to = value;
}

)",
                                       R"(
  int *from, *to, host[32];
  for (int i = 0; i < 32; ++i) host[i] = i;
  check(cudaMalloc(&from, sizeof host));
  check(cudaMalloc(&to, sizeof *to));
  check(cudaMemcpy(from, host, sizeof host, cudaMemcpyHostToDevice));
  sum<<<1, 32>>>(from, to);
  check(cudaMemcpy(host, to, sizeof *to, cudaMemcpyDeviceToHost));
  std::printf("%d\n", host[0]);
  check(cudaFree(from));
  check(cudaFree(to));
)");
  const auto run_with = [&](const std::string& words) {
    const CudaProgram program(wrong);
    std::vector<std::string> options = {"--summary", program.folder.path("summary.txt")};
    if (!words.empty()) options.insert(options.end(), {"--check", words});
    return program.exec(options);
  };
  const FinishedProgram forgiven = run_with("");
  CHECK(forgiven.exit_code == 0);
  CHECK(forgiven.output == "18\n");  // 0 + 1, and 8 + 9 of lane 8.
  CHECK_THAT(forgiven.errors,
             Catch::Contains(fmt::format("program.cu:{}: a load beyond the end of "
                                         "'cudaMalloc 1', which has 128 bytes; a GPU lets it pass",
                                         line_of(wrong, "// The last lane"))) &&
                 Catch::Contains("a shuffle that reads a lane which takes no part in it"));
  const FinishedProgram strict = run_with("memory");
  CHECK(strict.exit_code == 3);
  CHECK_THAT(strict.errors,
             Catch::Contains("out-of-bounds load of 4 bytes") && Catch::Contains("in lane 31"));

  // Behind the last of its pages of 2 MiB a buffer is not there.
  const CudaProgram beyond(program_of("__global__ void far(int* p, long n) { p[n] = 1; }\n", R"(
  int *p, *next;
  check(cudaMalloc(&p, 4));
  check(cudaMalloc(&next, 4));
  far<<<1, 1>>>(next, -1);
  check(cudaFree(next));
  far<<<1, 1>>>(p, (2 << 20) / 4 - 1);
  std::printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
  far<<<1, 1>>>(p, (2 << 20) / 4);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
)"));
  const FinishedProgram ended = beyond.run({});
  CHECK(ended.output == "cudaSuccess cudaErrorIllegalAddress\n");
  CHECK_THAT(ended.errors, Catch::Contains("a store before the begin of 'cudaMalloc 2'"));
}

}  // namespace heddle::cuda
