// Barriers and fences of CUDA C++ keep accesses of shared memory in order, through the compiler and the
// lowering. Skipped where there is no clang.
#include <fmt/format.h>

#include "isa/base/diagnostic.h"
#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tools/cuda/compiler.h"

namespace heddle::command {

namespace {

bool has_compiler() {
  try {
    cuda::find_compiler({});
    return true;
  } catch (const InputError&) {
    WARN("skipped: there is no compiler for CUDA C++; apt install clang");
    return false;
  }
}

std::string run_block(const std::string& source, unsigned threads, const std::string& arguments,
                      const std::string& print) {
  const launch::ScratchFolder folder;
  const std::string path = folder.write("k.cu", source);
  const Outcome outcome =
      heddle({"run", path, "--block", fmt::format("{}", threads), "--args", arguments, "--print", print},
             {{{"HEDDLE_CACHE", "off"}}});
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 0);
  return outcome.out;
}

// Thread 0 decides in each round whether there is another one; all others read what it decided.
constexpr const char* kRounds = R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void rounds(int* out, int n) {{
  __shared__ int stop;
  int i = 0;
  if (threadIdx.x == 0) stop = 0;
  {0};
  while (stop == 0) {{
    {0};
    ++i;
    if (threadIdx.x == 0 && i == n) stop = 1;
    {0};
  }}
  out[threadIdx.x] = i;
}}
)";

}  // namespace

TEST_CASE("A shared variable is read again behind each barrier") {
  if (!has_compiler()) return;
  struct Form {
    const char* barrier;
    unsigned threads;
  };
  const Form form =
      GENERATE(Form{"__syncthreads()", 64}, Form{"__syncthreads_and(1)", 64}, Form{"__syncthreads_or(i)", 64},
               Form{"__syncthreads_count(i)", 64}, Form{"cg::this_thread_block().sync()", 64},
               Form{"__syncwarp()", 32}, Form{"__syncwarp(0xffffffffu)", 32}, Form{"__barrier_sync(3)", 64},
               Form{"__barrier_sync_count(3, 64)", 64},
               Form{"cg::tiled_partition<32>(cg::this_thread_block()).sync()", 32});
  CAPTURE(form.barrier);
  const std::string out =
      run_block(fmt::format(kRounds, form.barrier), form.threads, "out=s32[64], 5", "out[28:32]");
  CHECK_THAT(out, Catch::Contains("out[28:32] = 5 5 5 5\n"));
}

TEST_CASE("A fence in a loop makes it read shared memory again") {
  if (!has_compiler()) return;
  const std::string fence = GENERATE("__threadfence_block", "__threadfence", "__threadfence_system");
  CAPTURE(fence);
  const std::string out = run_block(fmt::format(R"(
__global__ void wait(int* out) {{
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 32) flag = 7;
  if (threadIdx.x < 32) {{
    int seen;
    do {{
      {}();
      seen = flag;
    }} while (seen == 0);
    out[threadIdx.x] = seen;
  }}
}}
)",
                                                fence),
                                    64, "out=s32[32]", "out[0:3]");
  CHECK_THAT(out, Catch::Contains("out[0:3] = 7 7 7\n"));
}

TEST_CASE("A warp adds up in shared memory, with volatile accesses or __syncwarp") {
  if (!has_compiler()) return;
  const bool is_volatile = GENERATE(false, true);
  const std::string out =
      run_block(fmt::format(R"(
__global__ void sum(int* out) {{
  __shared__ {0} int s[64];
  const int t = threadIdx.x;
  s[t] = t + 1;
  s[t + 32] = 0;
  {1};
  for (int d = 16; d > 0; d /= 2) {{
    const int other = s[t + d];
    {1};
    s[t] = s[t] + other;
    {1};
  }}
  out[t] = s[t];
}}
)",
                            is_volatile ? "volatile" : "", is_volatile ? "" : "__syncwarp()"),
                32, "out=s32[32]", "out[0]");
  CHECK_THAT(out, Catch::Contains("= 528\n"));
}

}  // namespace heddle::command
