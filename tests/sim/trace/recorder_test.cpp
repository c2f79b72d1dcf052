// What a run leaves as a trace. Expected lines are written by hand, from the description of the format.
#include "sim/trace/write/recorder.h"

#include <filesystem>

#include "sim/config/load.h"
#include "sim/device/run.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"

namespace heddle::trace {
namespace {

class TextSink final : public ByteSink {
 public:
  void write(std::string_view bytes) override { text += bytes; }
  void finish() override { is_finished = true; }

  std::string text;
  bool is_finished = false;
};

struct Recorded {
  std::string trace;
  std::string facts;
};

Recorded record(const test::KernelRun& run, exec::GlobalMemory& memory) {
  const auto kernel = test::make_kernel(run, memory);
  Spool spool(std::filesystem::temp_directory_path().string());
  RecordingKernel recorder(*kernel, kernel->launch().kernel, spool);
  recorder.set_compute_capability("8.9");
  sim::run(recorder, sim::load_gpu("tiny"));
  TextSink trace;
  TextSink facts;
  recorder.write(3, "k.facts", trace, facts);
  CHECK(trace.is_finished);
  CHECK(facts.is_finished);
  return {trace.text, facts.text};
}

TEST_CASE("a run becomes head, block, warps and lines as Accel-Sim's parser insists on them") {
  exec::GlobalMemory memory;
  const Addr out = memory.allocate("out", 256).address();
  test::KernelRun run;
  run.text = R"(.kernel k
.param out ptr
    S2R R0, SR_TID.X
    ISETP.GE.U32.AND P0, PT, R0, 0x20, PT
    IMAD.WIDE R2, R0, 0x4, c[out]
@P0 STG.E [R2.64], R0
    EXIT
)";
  run.block = {40, 1, 1};
  run.params = {out};
  const Recorded recorded = record(run, memory);
  REQUIRE(out == 0x7f0000000000);  // the lines below name what lies 128 bytes behind it
  CHECK(recorded.trace == R"(-kernel name = k
-kernel id = 3
-grid dim = (1,1,1)
-block dim = (40,1,1)
-shmem = 0
-nregs = 4
-binary version = 86
-cuda stream id = 0
-shmem base_addr = 0x00007fff00000000
-local mem base_addr = 0x00007ffe00000000
-nvbit version = none: recorded by Heddle
-accelsim tracer version = 5
-enable lineinfo = 0
-heddle facts = k.facts

#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate

#BEGIN_TB

thread block = 0,0,0

warp = 0
insts = 5
0000 ffffffff 1 R0 S2R 0 0 0 
0010 ffffffff 0 ISETP.GE.U32.AND 1 R0 0 32 
0020 ffffffff 1 R2 IMAD.WIDE 1 R0 0 4 
0030 00000000 0 STG.E 2 R2 R0 4 1 0x0 0 0 
0040 ffffffff 0 EXIT 0 0 0 
warp = 1
insts = 5
0000 000000ff 1 R0 S2R 0 0 0 
0010 000000ff 0 ISETP.GE.U32.AND 1 R0 0 32 
0020 000000ff 1 R2 IMAD.WIDE 1 R0 0 4 
0030 000000ff 0 STG.E 2 R2 R0 4 1 0x7f0000000080 4 0 
0040 000000ff 0 EXIT 0 0 0 
#END_TB

)");
}

TEST_CASE("what a line cannot say stands among the facts, and nothing else does") {
  exec::GlobalMemory memory;
  test::KernelRun run;
  run.text = R"(.kernel k
    S2R R0, SR_TID.X
    ISETP.GE.U32.AND P0, PT, R0, 0x8, PT
    MOV R1, 0x40
@P0 BRA high
    NANOSLEEP 0x64
    BRA meet
high:
@P0 MOV R2, 0x1
@!P0 MOV R2, 0x2
meet:
    BAR.SYNC 0x3, R1
    EXIT
)";
  run.block = {64, 1, 1};
  const Recorded recorded = record(run, memory);
  CHECK(recorded.facts.starts_with("heddle facts 1\nbarriers = 4\nkernel = 13 lines\n.kernel k\n"));
  // Warp 0: instruction 3 jumps with lanes 8 to 31 of all, as a guarded instruction is expected to. Lanes 0
  // to 7 go first, sleep at 4 and jump at 5. At 6 the others come, under a guard, which the line before does
  // not tell; at 7, masked off, it does. All meet at 8. Warp 1 jumps as a whole and is there two instructions
  // earlier.
  CHECK(recorded.facts.substr(recorded.facts.find("block")) == R"(block 0
warp 0
4 sleep=100
6 active=ffffff00
8 barrier=3,2
warp 1
6 barrier=3,2
)");
}

TEST_CASE("a GPU whose warps have other than 32 lanes cannot be recorded") {
  exec::GlobalMemory memory;
  test::KernelRun run;
  run.text = ".kernel k\n    EXIT\n";
  run.warp_size = 64;
  const auto kernel = test::make_kernel(run, memory);
  Spool spool(std::filesystem::temp_directory_path().string());
  CHECK_THROWS_WITH(RecordingKernel(*kernel, kernel->launch().kernel, spool),
                    Catch::Contains("traces have warps of 32 lanes; this GPU's have 64"));
}

}  // namespace
}  // namespace heddle::trace
