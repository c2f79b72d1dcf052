// PTX as a kernel file, wherever one is named: its results, its registers, and what is said of its mistakes.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {
namespace {

using Json = nlohmann::json;

/// Two kernels: a sum with a shuffle and an atomic, and one that Heddle refuses.
constexpr std::string_view kPtx = R"(.version 8.0
.target sm_80
.address_size 64

.visible .entry _Z5totalPKjPjj(
    .param .u64 from, .param .u64 to, .param .u32 n)
{
    .reg .pred %p<3>;
    .reg .b32 %r<16>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [from];
    ld.param.u64 %rd2, [to];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    mov.u32 %r6, 0;
    setp.ge.u32 %p1, %r5, %r1;
    @%p1 bra $add;
    mul.wide.u32 %rd3, %r5, 4;
    add.s64 %rd4, %rd1, %rd3;
    ld.global.u32 %r6, [%rd4];
$add:
    shfl.sync.bfly.b32 %r7, %r6, 16, 31, -1;
    add.s32 %r6, %r6, %r7;
    shfl.sync.bfly.b32 %r7, %r6, 8, 31, -1;
    add.s32 %r6, %r6, %r7;
    shfl.sync.bfly.b32 %r7, %r6, 4, 31, -1;
    add.s32 %r6, %r6, %r7;
    shfl.sync.bfly.b32 %r7, %r6, 2, 31, -1;
    add.s32 %r6, %r6, %r7;
    shfl.sync.bfly.b32 %r7, %r6, 1, 31, -1;
    add.s32 %r6, %r6, %r7;
    and.b32 %r8, %r4, 31;
    setp.ne.s32 %p2, %r8, 0;
    @%p2 bra $done;
    red.global.add.u32 [%rd2], %r6;
$done:
    ret;
}

.visible .entry fetch(.param .u64 to)
{
    .reg .b32 %r<5>;
    wgmma.fence.sync.aligned;
    ret;
}
)";

constexpr std::string_view kLaunch = R"(kernel: total.ptx
entry: total
values: {n: 1000}
grid: (n + 127) // 128
block: 128
params: [from, to, n]
buffers:
  from: {type: u32, count: n, fill: {each: "i % 10"}}
  to: {type: u32, count: 1}
check:
  - {buffer: to, equals: "4500"}
)";

struct Files {
  launch::ScratchFolder folder;
  std::string kernel = folder.write("total.ptx", std::string(kPtx));
  std::string launch = folder.write("total.yaml", std::string(kLaunch));
};

TEST_CASE("A launch file takes PTX, on every generation") {
  const Files files;
  for (const char* gpu : {"p100", "v100", "a100", "h100", "b200"}) {
    const Outcome outcome = heddle({"run", files.launch, "--gpu", gpu});
    CAPTURE(gpu, outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, Catch::Contains("a thread (estimated)"));
  }
  const Json report = run_report({files.launch, "--gpu", "a100"});
  CHECK(report["registers_estimated"] == true);
  CHECK_FALSE(run_report({"vecadd", "--gpu", "a100"}).contains("registers_estimated"));
}

TEST_CASE("asm shows the IR of PTX for a compute capability") {
  const Files files;
  const Outcome before =
      heddle({"asm", files.kernel, "--entry", "total(unsigned int const*, unsigned int*, unsigned int)"});
  CAPTURE(before.err);
  CHECK(before.exit_code == 0);
  CHECK_THAT(before.out, Catch::Contains("a thread (estimated)"));
  CHECK_THAT(before.out, Catch::Contains("SHFL.BFLY PT"));
  CHECK_THAT(before.out, Catch::Contains("    RED.E.ADD.STRONG.GPU"));
  CHECK_THAT(before.out, Catch::Contains("c[0x0][0x160]"));
  const Outcome after = heddle({"asm", files.kernel, "--entry", "total", "--sm", "sm_90"});
  CHECK_THAT(after.out, Catch::Contains("REDG.E.ADD.STRONG.GPU"));
  CHECK_THAT(after.out, Catch::Contains("c[0x0][0x210]"));
  const Json listing = Json::parse(heddle({"asm", files.kernel, "--entry", "total", "--format", "json"}).out);
  CHECK(listing[0]["registers_estimated"] == true);
  check_refused({"asm", files.kernel, "--entry", "total", "--sm", "7.9"}, "--sm 7.9");
}

TEST_CASE("occupancy takes a launch file with PTX") {
  const Files files;
  const Outcome outcome = heddle({"occupancy", files.launch, "--gpu", "h100"});
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 0);
}

TEST_CASE("Mistakes of PTX are said with their place") {
  const Files files;
  // What a launched kernel needs is refused by name and line, and that of others is not looked at.
  check_refused({"asm", files.kernel, "--entry", "fetch"}, "total.ptx:46:5: error: wgmma.fence.sync.aligned");
  check_refused({"asm", files.kernel},
                "1 of 2 kernels cannot be run: 'fetch'; --entry NAME lists another one");
  check_refused({"asm", files.kernel, "--entry", "nothing"},
                "there is no kernel 'nothing', or several are meant");
  const std::string bad =
      files.folder.write("bad.ptx", ".version 8.0\n.target sm_80\n.entry k()\n{\n  add.s32 %r1;\n");
  check_refused({"asm", bad}, "bad.ptx:");
  files.folder.write("total.ptx", ".version 8.0\n.target sm_80\n.address_size 64\n");
  check_refused({"run", files.launch}, "there is no kernel in it");
}

}  // namespace
}  // namespace heddle::command
