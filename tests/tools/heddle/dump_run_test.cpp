// Disassemblies of a compiler's code, run as they are: the results are those of the source,
// tests/isa/dumps/kernels.cu.
#include <fmt/format.h>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {
namespace {

const std::string kDumps = HEDDLE_SOURCE_DIR "/tests/isa/dumps/";

// Three of four quotients are in the usual range, so that lanes of a warp part.
constexpr std::string_view kQuotients = R"yaml(entry: quotients
values: {n: 1000}
grid: (n + 127) // 128
block: 128
params: {a: a, b: b, c: c, n: n}
buffers:
  a: {type: f32, count: n, fill: {each: "i % 4 == 0 and 3e37 + i * 1e30 or i + 0.5"}}
  b: {type: f32, count: n, fill: {each: "i % 4 == 0 and 2e38 - i * 1e32 or 1000 - i"}}
  c: {type: f32, count: n}
check:
  - {buffer: c, equals: "f32(a[i] / b[i])"
}
)yaml";

constexpr std::string_view kSaxpy = R"yaml(entry: saxpy
values: {n: 1000}
grid: (n + 127) // 128
block: 128
params: {n: n, a: 2.5, x: x, y: y}
buffers:
  x: {type: f32, count: n, fill: ramp}
  y: {type: f32, count: n, fill: {random: {seed: 1}}}
check:
  - {buffer: y, equals: "ffma(2.5, x[i], before.y[i])"
}
)yaml";

// Lanes leave the loop in different rounds.
constexpr std::string_view kSteps = R"yaml(entry: steps
values: {n: 1000, most: 900}
grid: (n + 127) // 128
block: 128
params: [from, to, n, most]
buffers:
  from: {type: s32, count: n, fill: {each: "i * 7919 % 100003"}}
  to: {type: s32, count: n}
check:
  - buffer: to
    equals: |
      local x, sum = from[i], 0
      for j = 0, 39 do
        if x % 2 == 1 then
          sum = sum + x * 3 + 1
          if sum > most and j > 5 then break end
        elseif x % 4 > 1 then
          sum = sum - j
        end
        x = x // 2
      end
      return sum
)yaml";

constexpr std::string_view kMixed = R"yaml(entry: mixed
grid: 1
block: 32
params: {c: 3, m: [1.5, {type: f64, value: 2.25}, 7], h: 5, out: out}
buffers:
  out: {type: f64, count: 32}
check:
  - {buffer: out, equals: "1.5 + 2.25 + 7 + 3 + 5"}
)yaml";

constexpr std::string_view kReversed = R"yaml(entry: reversed
grid: 1
block: 128
params: [data]
buffers:
  data: {type: f32, count: 128, fill: ramp}
check:
  - {buffer: data, equals: 127 - i}
)yaml";

void check_run(const std::string& dump, std::string_view launch, const std::string& shared = "0") {
  const launch::ScratchFolder folder;
  const std::string file = folder.write("run.yaml", fmt::format("kernel: {}{}\n{}", kDumps, dump, launch));
  for (const char* divergence : {"stack", "barrier"}) {
    const Outcome outcome =
        heddle({"run", file, "--gpu", "tiny", "--divergence", divergence, "--shared", shared});
    INFO(dump << " " << divergence << "\n" << outcome.err);
    CHECK(outcome.exit_code == 0);
    launch::check_says(outcome.out, "is as expected");
  }
}

const char* const kRunnable[] = {
    "75.cuobjdump.sass",          "75.nvdisasm-c-g.sass",       "75.nvdisasm-c-plr.sass",
    "80.cuobjdump.sass",          "80.nvdisasm.sass",           "89.cuobjdump.sass",
    "90.cuobjdump.sass",          "90.nvdisasm.sass",           "90.nvdisasm-c-hex.sass",
    "100.cuobjdump.sass",         "100.nvdisasm.sass",          "120.cuobjdump.sass",
    "../cubins/kernels.75.cubin", "../cubins/kernels.80.cubin", "../cubins/kernels.90.cubin"};

TEST_CASE("Sums of a compiler's code are right in all forms of its disassembly") {
  for (const char* dump : kRunnable) check_run(dump, kSaxpy);
}

TEST_CASE("Lanes that leave a loop by a branch with two predicates come to the right sums") {
  for (const char* dump : kRunnable) check_run(dump, kSteps);
}

TEST_CASE("Functions that a compiler's code calls return to the address that it gave them") {
  for (const char* dump : kRunnable) check_run(dump, kQuotients);
}

TEST_CASE("Shared memory that the sections around code declare is there, and else the launch gives it") {
  check_run("80.nvdisasm.sass", kReversed);
  check_run("../cubins/kernels.80.cubin", kReversed);
  check_run("../cubins/kernels.90.cubin", kReversed);
  check_run("80.cuobjdump.sass", kReversed, "512");
  // With the system's first KiB.
  check_run("90.nvdisasm.sass", kReversed);
  check_run("90.cuobjdump.sass", kReversed, "1536");
}

TEST_CASE("Parameters of all sizes lie where the code reads them") {
  for (const char* dump : {"75.cuobjdump.sass", "80.cuobjdump.sass", "80.nvdisasm.sass", "90.cuobjdump.sass",
                           "90.nvdisasm.sass", "100.nvdisasm.sass"})
    check_run(dump, kMixed);
}

constexpr std::string_view kChosen = R"yaml(grid: 1
block: 64
params: [which, from, to, 1000]
buffers:
  which: {type: s32, count: 64, fill: {each: "(i * 5 + i // 9) % 9"}}
  from: {type: s32, count: 80, fill: {each: "i * 37 + 5"}}
  to: {type: s32, count: 64}
check:
  - buffer: to
    equals: |
      local way = which[i]
      if way == 0 then return from[i + 1] * 3 end
      if way == 1 then return from[i] // 7 end
      if way == 2 then return from[i + 2] ~ 9 end
      if way == 3 then return from[i + 3] + from[i + 4] end
      if way == 4 then return 77 * from[i + 5] end
      if way == 5 then return from[i + 6] + from[i + 7] * from[i + 8] end
      if way ~= 6 then return 1000 end
      local bits, rest = 0, from[i + 8]
      while rest ~= 0 do bits, rest = bits + rest % 2, rest // 2 end
      return bits
)yaml";

TEST_CASE("A switch jumps by the compiler's table to the addresses in it") {
  for (const char* dump : {"75.switch.sass", "80.switch.sass", "90.switch.sass"}) check_run(dump, kChosen);
}

TEST_CASE("A launch that does not fit what machine code reads is refused") {
  const launch::ScratchFolder folder;
  const auto message = [&](const std::string& dump, const std::string& launch) {
    const std::string file = folder.write("bad.yaml", fmt::format("kernel: {}{}\n{}", kDumps, dump, launch));
    const Outcome outcome = heddle({"run", file, "--gpu", "tiny"});
    CHECK(outcome.exit_code == 2);
    return outcome.err;
  };
  const std::string shape = "grid: 1\nblock: 128\nbuffers: {data: {type: f32, count: 128}}\n";
  launch::check_says(message("80.cuobjdump.sass", shape + "params: [data]\n"),
                     "'entry' must name one kernel");
  launch::check_says(message("80.cuobjdump.sass", shape + "entry: reversed\n"),
                     "reads parameters up to c[0x0][0x168], but 'params' has 0 bytes");
  launch::check_says(message("80.cuobjdump.sass", shape + "entry: reversed\nparams: [7]\n"),
                     "reads parameters up to c[0x0][0x168], but 'params' has 4 bytes, from 0x160 to 0x164");
  launch::check_says(message("80.nvdisasm.sass", shape + "entry: reversed\nparams: [data, data]\n"),
                     "the kernel has 1 parameters, of 8 bytes; here are 2");
  launch::check_says(message("80.nvdisasm.sass", shape + "entry: saxpy\nparams: [data, 1, data, data]\n"),
                     "the kernel has a parameter of 4 bytes here, not of 8");
  launch::check_says(message("80.cuobjdump.sass", shape + "entry: reversed\nparams: [1 << 40]\n"),
                     "does not fit 32 bits; with its type: {type: u64, value: 1099511627776}");
}

TEST_CASE("Option --entry chooses a kernel of a file, for a listing and for a run") {
  const std::string dump = kDumps + "80.cuobjdump.sass";
  const Outcome listing = heddle({"asm", dump, "--entry", "saxpy"});
  CHECK(listing.exit_code == 0);
  launch::check_says(listing.out, "// _Z5saxpyifPKfPf: ");
  CHECK(listing.out.find("quotients") == std::string::npos);
  CHECK(heddle({"asm", dump, "--entry", "nothing"}).exit_code == 2);
  const launch::ScratchFolder folder;
  const std::string file = folder.write("run.yaml", fmt::format("kernel: {}\n{}", dump, kSaxpy));
  CHECK(heddle({"run", file, "--gpu", "tiny", "--entry", "saxpy(int, float, float const*, float*)"})
            .exit_code == 0);
  const Outcome other = heddle({"run", file, "--gpu", "tiny", "--entry", "sexpy"});
  CHECK(other.exit_code == 2);
  launch::check_says(other.err, "--entry sexpy: error: there is no such kernel");
}

TEST_CASE(
    "A file some of whose kernels have mistakes is judged whole: which ones, and that others can be chosen") {
  const launch::ScratchFolder folder;
  const std::string file = folder.write("mixed.sass",
                                        ".kernel good\nEXIT\n.kernel bad\nFOO R1\nEXIT\n.kernel fine\nEXIT\n"
                                        ".kernel worse\nBAR.SINK 0x0\nMOV R1\nEXIT\n");
  const Outcome whole = heddle({"asm", file});
  CHECK(whole.exit_code == 2);
  CHECK(whole.out.empty());
  launch::check_says(whole.err, "mixed.sass:4:1: error: 'FOO' is no instruction");
  launch::check_says(whole.err, "'BAR.SINK' is no instruction");
  launch::check_says(whole.err,
                     "2 of 4 kernels cannot be run: 'bad', 'worse'; --entry NAME lists another one");
  CHECK(heddle({"asm", file, "--entry", "fine"}).exit_code == 0);
  const std::string bad = folder.write("bad.sass", ".kernel bad\nFOO R1\nEXIT\n");
  CHECK(heddle({"asm", bad}).err.find("cannot be run") == std::string::npos);
}

}  // namespace
}  // namespace heddle::command
