// Reads of registers that nobody wrote: found where they happen, lane by lane, and only there.
#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;

KernelRun one_block(const std::string& body, unsigned threads = 32) {
  return {".kernel unwritten\n.param data ptr\n" + body + "\nEXIT\n", {1, 1, 1}, {threads, 1, 1}, 32, {0}};
}

std::string fault_in(const std::string& body) {
  GlobalMemory memory;
  return fault_of(one_block(body), memory);
}

bool watches(const std::string& body) {
  GlobalMemory memory;
  return !make_kernel(one_block(body), memory)->decoded().watched.empty();
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string kSplit = "S2R R0, SR_TID.X\nISETP.LT.AND P0, PT, R0, 0x6, PT\n";

TEST_CASE("a register that no path writes is reported with its lane and place") {
  const std::string message = fault_in("MOV R1, 0x1\nIADD3 R2, R1, R5, RZ");
  CAPTURE(message);
  CHECK(has(message,
            "kernel unwritten: instruction 1 (IADD3 R2, R1, R5, RZ, test.sass:4), block (0,0,0), warp 0"));
  CHECK(has(message, "reads R5, which was never written, in lane 0"));
}

TEST_CASE("machine code may read what nobody wrote: compilers leave out guards where nobody uses the result") {
  const std::string text =
      ".kernel compiled\n.param data ptr\n[B------:R-:W-:-:S05] MOV R1, 0x1 ;\n[B------:R-:W-:-:S05] @!PT MOV R5, "
      "0x1 ;\n[B------:R-:W-:-:S05] IADD3 R2, R1, R5, RZ ;\n[B------:R-:W-:-:S05] EXIT ;\n";
  GlobalMemory memory;
  CHECK(make_kernel({text, {1, 1, 1}, {32, 1, 1}, 32, {0}}, memory)->decoded().watched.empty());
}

TEST_CASE("a register that other lanes wrote is reported for the first lane that did not") {
  CHECK(
      has(fault_in(kSplit + "@P0 MOV R3, 0x1\nMOV R4, R3"), "reads R3, which was never written, in lane 6"));
  CHECK(
      has(fault_in(kSplit + "@!P0 MOV R3, 0x1\nMOV R4, R3"), "reads R3, which was never written, in lane 0"));
  CHECK(has(fault_in(kSplit + "@P0 BRA skip\nMOV R3, 0x1\nskip: MOV R4, R3"), "reads R3"));
}

TEST_CASE("predicates are watched as operands and as guards") {
  CHECK(has(fault_in("MOV R1, 0x1\nSEL R0, R1, RZ, P3"), "reads P3, which was never written, in lane 0"));
  CHECK(has(fault_in("@P4 MOV R1, 0x1"), "reads P4, which was never written, in lane 0"));
  CHECK(has(fault_in("ISETP.LT.OR P0, PT, RZ, RZ, !P2"), "reads P2, which was never written"));
  CHECK(has(fault_in(kSplit + "@P0 ISETP.LT.AND P1, PT, RZ, RZ, PT\n@P1 BRA next\nnext: NOP"),
            "reads P1, which was never written, in lane 6"));
}

TEST_CASE("every register of a wide operand is watched") {
  CHECK(has(fault_in("MOV R4, RZ\nMOV R5, RZ\nMOV R6, RZ\nSTG.E.128 [R4.64], R4"), "reads R7"));
  CHECK(has(fault_in("MOV R4, RZ\nLDG.E R0, [R4.64]"), "reads R5"));
  CHECK(has(fault_in("MOV R4, RZ\nIMAD.WIDE R0, R4, R4, R4"), "reads R5"));
}

TEST_CASE("bytes of its own register that PRMT leaves in their place are not asked for") {
  CHECK(fault_in("PRMT R5, RZ, 0x7610, R5\nMOV R6, R5") == "");
  CHECK(fault_in("PRMT R5, R5, 0x3254, RZ") == "");
  CHECK(fault_in("PRMT R5, R5, 0x3650, R5") == "");
  CHECK(fault_in("PRMT R5, R5, 0x3640, R5") != "");
  CHECK(has(fault_in("PRMT R5, RZ, 0x7601, R5\nPRMT R6, RZ, 0x7610, R5\nPRMT R7, RZ, 0x7610, R8"), "reads R8"));
  CHECK(has(fault_in("PRMT R5, RZ, 0x6710, R5"), "reads R5"));
  CHECK(has(fault_in("PRMT R5, RZ, 0xf610, R5"), "reads R5"));  // its sign
  CHECK(has(fault_in("PRMT.F4E R5, RZ, 0x2, R5"), "reads R5"));
}

TEST_CASE("what functions save on the stack need not have been written") {
  const std::string stack = ".local 64\nMOV R1, 0x20\n";
  CHECK(fault_in(stack + "STL [R1+0x4], R20") == "");
  CHECK(fault_in(stack + "STL.64 [R1+-0x8], R22") == "");
  CHECK(fault_in(stack + "STL [R1], R1") == "");
  CHECK(has(fault_in(".local 64\nSTL [R1+0x4], R20"), "reads R1"));
  CHECK(has(fault_in(stack + "MOV R2, R1\nSTL [R2+0x4], R20"), "reads R20"));
  CHECK(has(fault_in(stack + "STL [0x4], R20"), "reads R20"));
}

TEST_CASE("reads under guards that do not hold, and of RZ and PT, are none") {
  CHECK(fault_in(kSplit + "@P0 MOV R3, 0x1\n@P0 MOV R4, R3") == "");
  CHECK(fault_in("ISETP.NE.AND P0, PT, RZ, RZ, PT\n@P0 MOV R4, R3") == "");
  CHECK(fault_in("@!PT MOV R4, R3") == "");
  CHECK(fault_in("IADD3 R0, RZ, RZ, RZ\nSEL R1, R0, RZ, PT") == "");
}

TEST_CASE("what the data flow proves is not watched") {
  CHECK_FALSE(watches("MOV R1, 0x1\nIADD3 R2, R1, R1, RZ"));
  CHECK_FALSE(watches(kSplit + "@P0 BRA other\nMOV R3, 0x1\nBRA join\nother: MOV R3, 0x2\njoin: MOV R4, R3"));
  CHECK(watches(kSplit + "@P0 BRA skip\nMOV R3, 0x1\nskip: MOV R4, R3"));
}

TEST_CASE("what cannot be proved but is written when the kernel runs is no fault") {
  // Both loops run once at least for these data, which the data flow cannot know.
  const std::string late =
      "MOV R0, 0x0\nISETP.GE.AND P0, PT, R0, 0x3, PT\ntop: @P0 BRA end\nMOV R3, R0\n"
      "IADD3 R0, R0, 0x1, RZ\nISETP.GE.AND P0, PT, R0, 0x3, PT\nBRA top\nend: MOV R4, R3";
  CHECK(watches(late));
  CHECK(fault_in(late) == "");
  const std::string split =
      kSplit + "@P0 MOV R3, 0x1\nISETP.GE.AND P1, PT, R0, 0x6, PT\n@P1 MOV R3, 0x2\nMOV R4, R3";
  CHECK(watches(split));
  CHECK(fault_in(split) == "");
}

TEST_CASE("a block does not inherit what an earlier one wrote in its place") {
  GlobalMemory memory;
  KernelRun run = one_block(
      "S2R R0, SR_CTAID.X\nISETP.EQ.AND P0, PT, R0, RZ, PT\n@P0 MOV R5, 0x1\n@P0 ISETP.EQ.AND P1, PT, R0, "
      "RZ, PT\nMOV R6, R5");
  run.grid = {2, 1, 1};
  const std::string message = fault_of(run, memory);
  CAPTURE(message);
  CHECK(has(message, "block (1,0,0), warp 0: reads R5, which was never written, in lane 0"));
}

TEST_CASE("threads that are not there are not watched") {
  GlobalMemory memory;
  // All three threads of the block write, the other lanes of the warp do not exist.
  CHECK(fault_of(one_block(kSplit + "@P0 MOV R3, 0x1\nMOV R4, R3", 3), memory) == "");
  CHECK(has(fault_of(one_block(kSplit + "@P0 MOV R3, 0x1\nMOV R4, R3", 7), memory), "in lane 6"));
}

}  // namespace
}  // namespace heddle::exec
