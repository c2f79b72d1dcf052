// heddle run --lines: which line of the source costs what.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>

#include "isa/base/diagnostic.h"
#include "sim/config/load.h"
#include "sim/device/run.h"
#include "sim/session/live_kernel.h"
#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tools/cuda/compiler.h"
#include "tools/heddle/run/line_request.h"

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

/// The load is on line 5, the store on line 7.
constexpr const char* kCuda = R"(__global__ void scale(const float* from, float* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float x = from[8 * i];
  const float y = x * x;
  to[i] = y;
}
)";

/// The load is on line 2, in a function that line 8 calls.
constexpr const char* kCalls = R"(__device__ __forceinline__ float eighth(const float* from, int i) {
  return from[8 * i];
}
__global__ void scale(const float* from, float* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float x = eighth(from, i);
  to[i] = x * x;
}
)";

/// The load is on line 17, the store on line 20.
constexpr const char* kPtx = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry scale(.param .u64 from, .param .u64 to, .param .u32 n) {
  .reg .pred %p<2>;
  .reg .f32 %f<3>;
  .reg .b32 %r<5>;
  .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [to];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.s32 %rd3, %r4, 32;
  add.s64 %rd4, %rd1, %rd3;
  ld.global.f32 %f1, [%rd4];
  mul.wide.s32 %rd5, %r4, 4;
  add.s64 %rd6, %rd2, %rd5;
  st.global.f32 [%rd6], %f1;
  ret;
}
)";

/// The square root and the atomic, functions of CUDA's headers, are on line 3.
constexpr const char* kOfHeaders = R"(__global__ void scale(const float* from, float* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&to[i % n], sqrtf(from[i]));
  __syncthreads();
}
)";

/// As nvcc -lineinfo writes it of a kernel on lines 9 to 12 that calls outer() on line 10 and inner() on line
/// 11. outer() calls inner() on line 5 and squares on line 6; the load of inner() is on line 2.
constexpr const char* kInlined = R"(.version 7.5
.target sm_75
.address_size 64
.visible .entry scale(.param .u64 from, .param .u64 to, .param .u32 n) {
  .reg .f32 %f<5>;
  .reg .b32 %r<5>;
  .reg .b64 %rd<9>;
  .loc 1 8 0
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [to];
  .loc 1 9 3
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  .loc 1 10 3
  .loc 1 5 3, function_name $L__info_string0, inlined_at 1 10 3
  .loc 1 2 3, function_name $L__info_string1, inlined_at 1 5 3
  mul.wide.s32 %rd3, %r4, 32;
  add.s64 %rd4, %rd1, %rd3;
  ld.global.f32 %f1, [%rd4];
  .loc 1 6 3, function_name $L__info_string0, inlined_at 1 10 3
  mul.f32 %f2, %f1, %f1;
  .loc 1 11 3
  .loc 1 2 3, function_name $L__info_string1, inlined_at 1 11 3
  ld.global.f32 %f3, [%rd4+4];
  .loc 1 12 3
  add.f32 %f4, %f2, %f3;
  mul.wide.s32 %rd5, %r4, 4;
  add.s64 %rd6, %rd2, %rd5;
  st.global.f32 [%rd6], %f4;
  ret;
}
  .file 1 "{}"
  .section .debug_str
  {{
$L__info_string0:
.b8 111,117,116,101,114,0
$L__info_string1:
.b8 105,110,110,101,114,0
  }}
)";

constexpr const char* kLaunch = R"(kernel: {}
grid: 8
block: 128
params: [from, to, 1024]
buffers:
  from: {{type: f32, count: 8192}}
  to: {{type: f32, count: 1024}}
)";

/// A kernel that loads every eighth float, in scratch files.
struct Scaled {
  explicit Scaled(const std::string& name, const char* text) {
    folder.write(name, std::string(text));
    launch = folder.write("scale.yaml", fmt::format(kLaunch, name));
  }

  launch::ScratchFolder folder;
  std::string launch;
};

struct Profiled {
  sim::RunResult result;
  report::LineProfile profile;

  [[nodiscard]] sim::PcCounters at(std::uint32_t line) const {
    for (const sim::LineFigures& each : profile.lines) {
      if (each.place.line == line && !profile.file_of(each.place).lines.empty()) return each.counters;
    }
    return {};
  }
};

Profiled profiled(const std::string& launch, const LineRequest& request) {
  const sim::GpuSpec spec = sim::load_gpu("tiny", {});
  launch::LaunchFile file = launch::load_launch(launch, launch::for_gpu({}, spec));
  exec::LiveKernel kernel = session::live_kernel(spec, file.launch, file.memory);
  sim::RunOptions options;
  options.by_instruction = true;
  Profiled made;
  made.result = sim::run(kernel, spec, options);
  const launch::KernelSource source = launch::kernel_source(launch, launch::for_gpu({}, spec));
  made.profile = line_profile(request, source, file.launch.kernel, made.result);
  return made;
}

void check_sums(const Profiled& run) {
  sim::PcCounters sum;
  for (const sim::LineFigures& line : run.profile.lines) sum += line.counters;
  CHECK(sum.issued == run.result.total.warp_instructions);
  CHECK(sum.lost_slots == run.result.total.issue_slots.stalled);
  CHECK(sum.stalls == run.result.total.stalls);
  CHECK(sum.lane_slots == run.result.total.lane_slots);
  CHECK(sum.memory.global_load_sectors == run.result.total.memory.global_load_sectors);
  CHECK(sum.memory.global_store_sectors == run.result.total.memory.global_store_sectors);
}

/// 8 blocks of 4 warps; each lane of a load touches a sector of its own, eight lanes of a store share one.
void check_accesses(const Profiled& run, std::uint32_t load, std::uint32_t store) {
  CHECK(run.at(load).memory.global_load_requests == 32);
  CHECK(run.at(load).memory.global_load_sectors == 32 * 32);
  CHECK(run.at(store).memory.global_store_requests == 32);
  CHECK(run.at(store).memory.global_store_sectors == 32 * 4);
}

std::size_t columns_of(const std::string& line) {
  return static_cast<std::size_t>(std::count_if(
      line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

TEST_CASE("Lines of a kernel in PTX are those of the PTX, and of its instructions on demand") {
  const Scaled files("scale.ptx", kPtx);
  const Profiled ptx = profiled(files.launch, {});
  CHECK(ptx.profile.level == report::SourceLevel::Ptx);
  check_sums(ptx);
  check_accesses(ptx, 17, 20);
  const Profiled ir = profiled(files.launch, {report::SourceLevel::Ir});
  CHECK(ir.profile.level == report::SourceLevel::Ir);
  check_sums(ir);
  CHECK(ir.result.total == ptx.result.total);
  for (const sim::LineFigures& line : ir.profile.lines) {
    const std::string text(ir.profile.file_of(line.place).line(line.place.line));
    CHECK((line.counters.memory.global_load_requests != 0) == (text.find("LDG") != std::string::npos));
    CHECK((line.counters.memory.global_store_requests != 0) == (text.find("STG") != std::string::npos));
  }
}

TEST_CASE("Lines of a kernel in CUDA C++ are those of the file") {
  if (!has_compiler()) return;
  const Scaled files("scale.cu", kCuda);
  const Profiled cuda = profiled(files.launch, {});
  CHECK(cuda.profile.level == report::SourceLevel::Cuda);
  check_sums(cuda);
  check_accesses(cuda, 5, 7);
  const Profiled ptx = profiled(files.launch, {report::SourceLevel::Ptx});
  CHECK(ptx.profile.level == report::SourceLevel::Ptx);
  check_sums(ptx);
  check_sums(profiled(files.launch, {report::SourceLevel::Ir}));
}

TEST_CASE("What CUDA's own functions do belongs to the lines that call them") {
  if (!has_compiler()) return;
  const Scaled files("scale.cu", kOfHeaders);
  const Profiled run = profiled(files.launch, {});
  check_sums(run);
  CHECK(run.at(3).memory.global_atomic_requests == 32);
  CHECK(run.at(4).issued >= 32);  // the barrier
  for (const sim::LineFigures& line : run.profile.lines) {
    if (line.place.line == 0) continue;
    CHECK_THAT(run.profile.file_of(line.place).name, Catch::EndsWith("scale.cu"));
  }
}

TEST_CASE("Inlined code stands where it is written, and with --callers where it is called") {
  if (!has_compiler()) return;
  const Scaled files("scale.cu", kCalls);
  const Profiled written = profiled(files.launch, {});
  check_sums(written);
  check_accesses(written, 2, 9);
  if (launch::kernel_source(files.launch, {}).text.find("inlined_at") == std::string::npos) {
    WARN("skipped: this compiler does not say where it inlined; nvcc does");
    return;
  }
  const Profiled called = profiled(files.launch, {{}, true});
  check_sums(called);
  check_accesses(called, 8, 9);
  CHECK(called.at(2).issued == 0);
}

TEST_CASE(
    "Code inlined in inlined code belongs to the kernel's line with --callers, and to its own without") {
  const launch::ScratchFolder folder;
  const std::string source = folder.write("scale.cu", std::string(12, '\n'));
  std::string text = kInlined;
  const std::string end = text.substr(text.find("  .file"));
  text.replace(text.find("  .file"), std::string::npos, fmt::format(fmt::runtime(end), source));
  folder.write("scale.ptx", text);
  const std::string launch = folder.write("scale.yaml", fmt::format(kLaunch, "scale.ptx"));

  // 32 warps; each lane of a load touches a sector of its own, eight lanes of the store share one.
  const auto check = [](const Profiled& run, std::uint32_t line, std::uint64_t loads, std::uint64_t stores) {
    INFO("line " << line);
    CHECK(run.at(line).memory.global_load_requests == 32 * loads);
    CHECK(run.at(line).memory.global_load_sectors == 32 * 32 * loads);
    CHECK(run.at(line).memory.global_store_sectors == 32 * 4 * stores);
  };
  const Profiled written = profiled(launch, {report::SourceLevel::Cuda});
  check_sums(written);
  check(written, 2, 2, 0);
  check(written, 10, 0, 0);
  check(written, 11, 0, 0);
  check(written, 12, 0, 1);
  CHECK(written.at(6).issued == 32);  // the product
  const Profiled called = profiled(launch, {report::SourceLevel::Cuda, true});
  check_sums(called);
  check(called, 10, 1, 0);
  check(called, 11, 1, 0);
  check(called, 12, 0, 1);
  for (const std::uint32_t inlined : {2U, 5U, 6U}) CHECK(called.at(inlined).issued == 0);
  CHECK(called.at(11).issued == 32);  // its load alone
  CHECK(called.at(10).issued == written.at(2).issued + written.at(6).issued - 32);
  CHECK(called.at(9).issued == written.at(9).issued);
  CHECK(called.at(12).issued == written.at(12).issued);
  CHECK(called.result.total == written.result.total);
}

TEST_CASE("Option --lines lists the source in 80 columns, marks the worst line, and the verdict names it") {
  const Outcome outcome =
      heddle({"run", "traces/reduce_v1.yaml", "--param", "n=65536", "--lines", "--threads", "2"});
  INFO(outcome.out << outcome.err);
  REQUIRE(outcome.exit_code == 0);
  std::string marked;
  for (const std::string& line : lines_of(outcome.out)) {
    CHECK(columns_of(line) <= 80);
    std::smatch found;
    if (!std::regex_search(line, found, std::regex(" >\\s+([0-9]+)  "))) continue;
    CHECK(marked.empty());
    marked = found[1];
  }
  REQUIRE_FALSE(marked.empty());
  std::string text = outcome.out;  // the verdict's lines are wrapped
  text = std::regex_replace(text, std::regex("\\s+"), " ");
  CHECK(text.find(fmt::format("Line {} of reduce_v1.sass: ", marked)) != std::string::npos);
  CHECK(heddle({"run", "traces/reduce_v1.yaml", "--param", "n=65536", "--lines", "--threads", "1"}).out ==
        outcome.out);
}

TEST_CASE("Option --lines in JSON and CSV has whole numbers that add up to those of the run") {
  const std::vector<std::string> run = {"run",     "traces/reduce_v1.yaml", "--param", "n=65536", "--lines",
                                        "--format"};
  std::vector<std::string> json = run;
  json.emplace_back("json");
  const auto report = nlohmann::json::parse(heddle(json).out);
  CHECK(report["lines"]["level"] == "ir");
  std::uint64_t issued = 0;
  std::uint64_t lost = 0;
  std::uint64_t costs = 0;
  std::uint64_t passes = 0;
  for (const auto& line : report["lines"]["lines"]) {
    issued += line["issued"].get<std::uint64_t>();
    lost += line["lost_slots"]["total"].get<std::uint64_t>();
    costs += line["costs"]["total"].get<std::uint64_t>();
    passes += line["memory"].value("shared_load_passes", std::uint64_t{0});
  }
  const auto& ledger = report["ledgers"]["issue_slots"];
  const auto total = ledger["total"].get<std::uint64_t>();
  CHECK(issued == report["warp_instructions"].get<std::uint64_t>());
  CHECK(lost == total - ledger["issued"].get<std::uint64_t>() - ledger["no_warp"].get<std::uint64_t>());
  CHECK(costs == lost);
  CHECK(passes == report["memory"]["shared_load_passes"].get<std::uint64_t>());
  const auto& worst = report["lines"]["worst"].at(0);
  const std::string name = fmt::format("Line {} of reduce_v1.sass: ", worst["line"].get<unsigned>());
  CHECK(report["verdict"]["line"].get<std::string>().find(name) == 0);

  std::vector<std::string> csv = run;
  csv.emplace_back("csv");
  const std::vector<std::string> rows = lines_of(heddle(csv).out);
  REQUIRE(rows.size() == report["lines"]["lines"].size() + 1);
  CHECK(rows[0].find("file,line,text,share,issued,mean_lanes,") == 0);
  CHECK(rows[0].find(",provenance.command") != std::string::npos);
}

TEST_CASE("Option --lines says what it cannot show") {
  check_refused({"run", "vecadd", "--lines=c"}, "--lines=c: must be cuda, ptx or ir");
  check_refused({"run", "vecadd", "--lines", "ptx"},
                "--lines=ptx: of this kernel there are only lines of ir");
  check_refused({"run", "vecadd", "saxpy", "--lines"}, "--lines goes with one launch");
  check_refused({"run", "vecadd", "--callers"}, "--callers goes with --lines");
  check_refused({"run", "vecadd", "--lines", "--callers"}, "--callers is of lines of CUDA C++");
  check_refused({"run", "vecadd", "--lines", "--sweep", "n=1,2"}, "go with one run, not with --sweep");
  check_refused({"run", "traces/traced/kernelslist.g", "--lines"}, "--lines makes no sense with a trace");
}

}  // namespace heddle::command
