// Machine code that nvcc 13.0 made of examples, run with the examples' launch files: the results are the
// references'.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/base/read_file.h"
#include "tests/support/catch.h"
#include "tests/tools/cuda/cuda_program.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {
namespace {

const std::string kCubins = HEDDLE_SOURCE_DIR "/tests/isa/cubins/";

std::string replaced(std::string text, std::string_view old, const std::string& by) {
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), by);
}

/// The example's launch file with fewer elements and with the cubin in place of its kernel.
std::string launch_of(const std::string& example, unsigned capability) {
  std::string text = read_file(HEDDLE_SOURCE_DIR "/traces/" + example + ".yaml");
  text = replaced(text, example + ".sass", fmt::format("{}{}.{}.cubin", kCubins, example, capability));
  if (text.find("n: 1081344") != std::string::npos) text = replaced(text, "n: 1081344", "n: 5000");
  if (text.find("blocks: 1056") != std::string::npos) text = replaced(text, "blocks: 1056", "blocks: 8");
  return text.find("n: 320") == std::string::npos ? text : replaced(text, "n: 320", "n: 48");
}

TEST_CASE("Examples compute the same as machine code") {
  for (const char* example : {"vecadd", "saxpy", "reduce_v1", "matmul_v2", "switch_paths"}) {
    for (const unsigned capability : {80U, 90U}) {
      const launch::ScratchFolder folder;
      const std::string file = folder.write("run.yaml", launch_of(example, capability));
      for (const char* divergence : {"stack", "barrier"}) {
        const Outcome outcome = heddle({"run", file, "--gpu", "tiny", "--divergence", divergence});
        INFO(example << " " << capability << " " << divergence << "\n" << outcome.err);
        CHECK(outcome.exit_code == 0);
        launch::check_says(outcome.out, "is as expected");
      }
    }
  }
}

TEST_CASE("Lanes that spin for a lock let the one that has it go on, since their loop has a YIELD") {
  const launch::ScratchFolder folder;
  for (const unsigned capability : {80U, 90U}) {
    const std::string file = folder.write("run.yaml", launch_of("spin_lock", capability));
    const Outcome outcome = heddle({"run", file, "--gpu", "tiny", "--divergence", "barrier"});
    INFO(capability << "\n" << outcome.err);
    CHECK(outcome.exit_code == 0);
    launch::check_says(outcome.out, "2 buffers as expected");
  }
}

/// Runs the kernel of the cubins of this name, with the rest of its launch file, whose check must hold; `more` looks at
/// what comes out.
void check_cubins(const std::string& name, const std::string& launch,
                  const std::function<void(const std::string&)>& more = {}) {
  const launch::ScratchFolder folder;
  for (const unsigned capability : {80U, 90U}) {
    const std::string file =
        folder.write("run.yaml", fmt::format("kernel: {}{}.{}.cubin\n{}", kCubins, name, capability, launch));
    for (const char* divergence : {"stack", "barrier"}) {
      const Outcome outcome = heddle({"run", file, "--gpu", "tiny", "--divergence", divergence});
      INFO(name << " " << capability << " " << divergence << "\n" << outcome.err);
      CHECK(outcome.exit_code == 0);
      launch::check_says(outcome.out, "is as expected");
      if (more) more(outcome.out);
    }
  }
}

TEST_CASE("Machine code reads and writes the variables of its module") {
  check_cubins("variables", R"(grid: 1
block: 8
params: {out: out}
buffers:
  out: {type: u32, count: 16, fill: zeros}
check:
  - {buffer: out, equals: 'i < 8 and i * i + 3 or 7 - i % 8'}
)");
}

TEST_CASE("Blocks of a cooperative grid wait for each other in machine code") {
  check_cubins("cooperative", R"(grid: 4
block: 1
params: {slots: slots, out: out}
buffers:
  slots: {type: u32, count: 4, fill: zeros}
  out: {type: u32, count: 4, fill: zeros}
check:
  - {buffer: out, equals: '((i + 1) % 4) * ((i + 1) % 4)'}
)");
}

// squares(n) is 107 and the squares of n, n - 2, ... down to 2 or 3.
TEST_CASE("Machine code calls functions that have sections of their own, and finds its variables in them") {
  check_cubins("linked", R"(grid: 1
block: 32
params: {out: out}
buffers:
  out: {type: u32, count: 32, fill: zeros}
check:
  - {buffer: out, equals: '2 * (i * (i + 1) * (i + 2) // 6 - i % 2 + 107) + 6'}
)");
}

/// All lines that begin so, sorted: lanes and warps print in no order.
std::vector<std::string> lines_with(const std::string& text, std::string_view part) {
  std::vector<std::string> lines;
  for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
    if (text.substr(at, end - at).find(part) != std::string::npos) lines.push_back(text.substr(at, end - at));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST_CASE("printf in machine code prints, and leaves what the caller has in registers") {
  constexpr int kThreads = 40;
  std::vector<std::string> expected;
  for (int i = 0; i < kThreads; ++i) {
    for (int k = 0; k < i; ++k)
      expected.push_back(fmt::format("{} of {}: {} {:.2f} {}", k, i, k % 2 == 1 ? "odd" : "even", k / 4.0,
                                     std::int64_t{1} << k));
  }
  std::sort(expected.begin(), expected.end());
  const std::string launch = fmt::format(R"(entry: prints
grid: 1
block: {0}
params: [out]
buffers:
  out: {{type: s32, count: {0}, fill: {{each: 1000 * i}}}}
check:
  - {{buffer: out, equals: '1005 * i'}}
)",
                                         kThreads);
  for (const char* name : {"calls", "calls_rdc"}) {
    check_cubins(name, launch, [&](const std::string& out) {
      CHECK(lines_with(out, " of ").size() >= expected.size());
      std::vector<std::string> printed = lines_with(out, ": even ");
      for (const std::string& line : lines_with(out, ": odd ")) printed.push_back(line);
      std::sort(printed.begin(), printed.end());
      CHECK(printed == expected);
    });
  }
}

TEST_CASE("A failed assertion of machine code names its line and its threads") {
  const launch::ScratchFolder folder;
  for (const char* cubin : {"calls.80", "calls.90", "calls_rdc.80", "calls_rdc.90"}) {
    const auto run = [&](int least) {
      const std::string file = folder.write(
          "run.yaml", fmt::format("kernel: {}{}.cubin\nentry: asserts\ngrid: 1\nblock: 8\nparams: [{}]\n",
                                  kCubins, cubin, least));
      return heddle({"run", file, "--gpu", "tiny"});
    };
    INFO(cubin);
    CHECK(run(2).exit_code == 0);
    const Outcome failed = run(4);
    CHECK(failed.exit_code == 3);
    for (const int thread : {0, 1})
      launch::check_says(failed.err,
                         fmt::format("calls.cu:15: void asserts(int): block: [0,0,0], thread: [{},0,0] "
                                     "Assertion `threadIdx.x + 3 > least` failed.",
                                     thread));
    CHECK(lines_with(failed.err, "Assertion").size() == 2);
  }
}

// The sum over k of k times 10 to the k, for k from 0 to i % 8.
TEST_CASE("Machine code takes memory from the heap and gives it back") {
  for (const char* name : {"calls", "calls_rdc"})
    check_cubins(name, R"(entry: takes
grid: 1
block: 64
params: [out]
buffers:
  out: {type: s32, count: 64, fill: zeros}
check:
  - {buffer: out, equals: '10 * (1 + (9 * (i % 8) - 1) * 10 ^ (i % 8)) // 81'}
)");
}

TEST_CASE("Machine code calls virtual functions and functions whose addresses it has in memory") {
  for (const char* name : {"calls", "calls_rdc"})
    check_cubins(name, R"(entry: chooses
grid: 1
block: 64
params: [out]
buffers:
  out: {type: s32, count: 64, fill: {each: i}}
check:
  - {buffer: out, equals: '(i % 3 == 0 and i or i % 3 == 1 and i * i or 6 * i * i) + (i % 2 == 0 and 2000 or -1000)'}
)");
}

TEST_CASE("With --code machine nvcc compiles the CUDA C++ of an example, and that runs") {
  const Outcome refused = heddle({"run", "vecadd", "--code", "machine", "--compiler", "clang++"});
  CHECK(refused.exit_code != 0);
  if (cuda::nvcc_if_any().empty()) return;
  const Outcome outcome =
      heddle({"run", "vecadd", "--code", "machine", "--gpu", "a100", "--param", "n=5000", "--lines"});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  launch::check_says(outcome.out, "is as expected");
  launch::check_says(outcome.out, "Lines of vecadd.cu");
  CHECK(outcome.out.find("estimated") == std::string::npos);  // registers are the compiler's
}

TEST_CASE("Lines of machine code are those of its source, or of its listing") {
  const launch::ScratchFolder folder;
  const auto run = [&](const std::string& cubin) {
    const std::string file =
        folder.write("run.yaml", fmt::format("kernel: {}{}\ngrid: 1\nblock: 32\nparams: [x]\n"
                                             "buffers:\n  x: {{type: f32, count: 32, fill: zeros}}\n",
                                             kCubins, cubin));
    return heddle({"run", file, "--gpu", "tiny", "--lines"});
  };
  const Outcome with_table = run("lines.80.cubin");
  CHECK(with_table.exit_code == 0);
  launch::check_says(with_table.out, "Lines of lines.cu");
  check_refused({"run", folder.path("run.yaml"), "--gpu", "tiny", "--lines", "--callers"}, "by way of PTX");
}

TEST_CASE("Distances between dependent instructions are those of the compiler's stall counts") {
  const Outcome outcome = heddle({"asm", kCubins + "matmul_v2.80.cubin", "--dependences", "a100"});
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  launch::check_says(outcome.out, "0 not waited for");
  launch::check_says(outcome.out, "fp32");
  check_refused({"asm", HEDDLE_SOURCE_DIR "/traces/vecadd.sass", "--dependences", "a100"},
                "has no control codes");
}

TEST_CASE("A cubin, its listing and its recorded trace take the same cycles") {
  const launch::ScratchFolder folder;
  const std::string cubin = kCubins + "matmul_v2.80.cubin";
  const std::string launch = launch_of("matmul_v2", 80);
  const std::string listing = folder.write("listing.sass", heddle({"asm", cubin}).out);
  const std::string trace = folder.path("trace");
  const auto cycles_of = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--gpu", "a100"});
    const std::string out = heddle(arguments).out;
    const std::size_t end = out.find(" cycles = ");
    REQUIRE(end != std::string::npos);
    return out.substr(out.rfind('\n', end), end - out.rfind('\n', end));
  };
  const std::string cycles = cycles_of({"run", folder.write("run.yaml", launch), "--record", trace});
  CHECK(cycles_of({"run", folder.write("text.yaml", replaced(launch, cubin, listing))}) == cycles);
  CHECK(cycles_of({"run", trace + "/kernelslist.g"}) == cycles);
}

TEST_CASE("A kernel with mbarriers or bulk copies is refused where it is recorded, with its line, and leaves nothing") {
  const launch::ScratchFolder folder;
  folder.write("k.sass",
               ".kernel k\n.shared tile 64\n.shared bar 8\n    UMOV UR4, 0x0\n    UMOV UR5, 0x0\n"
               "    SYNCS.EXCH.64 URZ, [bar], UR4\n    EXIT\n");
  const std::string launch = folder.write("run.yaml", "kernel: k.sass\ngrid: 1\nblock: 32\n");
  const std::string trace = folder.path("trace");
  const Outcome outcome = heddle({"run", launch, "--gpu", "h100", "--record", trace});
  CHECK(outcome.exit_code != 0);
  launch::check_says(outcome.err, "k.sass:6: error: kernel 'k' cannot be recorded: traces with SYNCS.EXCH.64 are read");
  CHECK_FALSE(std::filesystem::exists(trace + "/kernelslist.g"));
  CHECK(heddle({"run", launch, "--gpu", "h100"}).exit_code == 0);
}

TEST_CASE("What machine code reads before it is there is reported, as the GPU's latencies have it") {
  const launch::ScratchFolder folder;
  const std::string file = folder.write("run.yaml", launch_of("matmul_v2", 80));
  const auto run = [&](const std::string& latency) {
    return heddle({"run", file, "--gpu", "a100", "--dependences", "--set",
                   "sm.instructions.imad_wide.latency=" + latency});
  };
  // nvcc keeps 5 cycles between an IMAD.WIDE and an access: one of them is for the way between the units.
  launch::check_says(run("4").out, "Read before they were there: 0 of ");
  const Outcome outcome = run("6");
  CHECK(outcome.exit_code == 0);
  launch::check_says(outcome.out, "reads R2 of IMAD.WIDE R2, R3, R2, c[C]: 2 cycles too early, 72 times");
  check_refused({"run", "vecadd", "--dependences"}, "has no control codes");
}

TEST_CASE("A cubin is listed with what its instructions tell the scheduler") {
  const Outcome outcome = heddle({"asm", kCubins + "vecadd.80.cubin"});
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  // As cuobjdump -sass 13.5 prints them: the control codes are bits 105 to 125 of 0x000fe40000000f00 and
  // 0x000e280000002500.
  launch::check_says(outcome.out, "[B------:R-:W-:-:S02] /*0000*/ MOV R1, c[0x0][0x28] ;");
  launch::check_says(outcome.out, "[B------:R-:W0:-:S04] /*0010*/ S2R R6, SR_CTAID.X ;");
  launch::check_says(outcome.out, ".sectioninfo @\"SHI_REGISTERS=");
  launch::check_says(outcome.out, "EXIT ;");
}

TEST_CASE("An instruction that is not known is refused, with its kernel, address and encoding") {
  std::string bytes = read_file(kCubins + "vecadd.80.cubin");
  // The first EXIT: bits that no instruction has.
  const std::size_t at = bytes.find(std::string("\x4d\x09\x00\x00\x00\x00\x00\x00", 8));
  const std::size_t always = bytes.find(std::string("\x4d\x79\x00\x00\x00\x00\x00\x00", 8));
  const std::size_t exit = std::min(at, always);
  REQUIRE(exit != std::string::npos);
  bytes[exit + 7] = '\x40';
  const launch::ScratchFolder folder;
  const std::string cubin = folder.write("bad.cubin", bytes);
  check_refused({"asm", cubin}, "bad.cubin: error: kernel '_Z6vecadd");
  check_refused({"asm", cubin}, "no instruction is known for the encoding 0x");
  const std::string file =
      folder.write("run.yaml", replaced(launch_of("vecadd", 80), kCubins + "vecadd.80.cubin", cubin));
  check_refused({"run", file, "--gpu", "tiny"}, "no instruction is known for the encoding 0x");
}

}  // namespace
}  // namespace heddle::command
