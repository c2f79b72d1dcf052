// The uniform datapath: one value for the warp, by the references of what lanes compute.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "isa/ir/opcode.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"
#include "tests/support/lane_harness.h"
#include "tests/support/lane_operations.h"
#include "tests/support/lane_values.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

constexpr std::size_t kThreads = 10'240;
constexpr unsigned kWarp = 32;

/// UR4, UR5 and UR6 are what the first lane of the warp has in R0, R1 and R2.
const std::string kToUniform = "R2UR UR4, R0\nR2UR UR5, R1\nR2UR UR6, R2\n";

/// What every lane of a warp gets, from what its first lane has.
template <typename Function>
Row for_warps(const LaneInputs& inputs, Function function) {
  Row row(inputs.threads());
  for (std::size_t t = 0; t < row.size(); ++t) row[t] = function(t / kWarp * kWarp);
  return row;
}

bool has_uniform_form(const LaneOperation& operation) {
  const auto opcode = ir::find_opcode("U" + operation.mnemonic);
  if (!opcode || !ir::runs_once(ir::info(*opcode))) return false;
  return ir::info(*opcode).mnemonic.substr(1) == ir::info(*ir::find_opcode(operation.mnemonic)).mnemonic;
}

std::string uniform_text(const LaneOperation& operation, unsigned result) {
  std::string tail = operation.tail;
  if (const std::size_t at = tail.find("PT"); at != std::string::npos) tail.insert(at, "U");
  std::string text = fmt::format("U{} UR7", operation.mnemonic);
  for (unsigned i = 0; i < operation.sources; ++i) text += fmt::format(", UR{}", 4 + i);
  return text + tail + fmt::format("\nMOV {}, UR7\n", result_register(result));
}

void check_uniform(std::span<const LaneOperation> operations, const LaneInputs& inputs) {
  std::string body = kToUniform;
  const auto count = static_cast<unsigned>(operations.size());
  for (unsigned i = 0; i < count; ++i) body += uniform_text(operations[i], i);
  const LaneOutputs outputs = run_lanes(body, inputs, count, kWarp);
  for (unsigned i = 0; i < count; ++i) {
    CAPTURE(operations[i].mnemonic, operations[i].tail);
    const Row expected = for_warps(inputs, [&](std::size_t t) {
      return operations[i].reference(inputs.registers[0][t], inputs.registers[1][t], inputs.registers[2][t]);
    });
    CHECK(first_difference(outputs.registers[i], expected, inputs) == "");
  }
}

TEST_CASE("each instruction of the uniform datapath computes what the one behind its U does") {
  LaneValues values(0x0f17);
  const LaneInputs inputs = values.inputs(3, kThreads);
  std::vector<LaneOperation> operations;
  for (const LaneOperation& each : lane_operations()) {
    if (has_uniform_form(each)) operations.push_back(each);
  }
  constexpr std::size_t kAtOnce = 100;  // as many have registers for their results
  REQUIRE(operations.size() > kAtOnce);
  for (std::size_t i = 0; i < operations.size(); i += kAtOnce)
    check_uniform(std::span(operations).subspan(i, std::min(kAtOnce, operations.size() - i)), inputs);
}

TEST_CASE("UISETP compares for the warp, and its predicates stand wherever a predicate is read") {
  LaneValues values(0x15e7);
  LaneInputs inputs = values.inputs(3, kThreads);
  for (std::size_t t = 0; t < kThreads; ++t) {
    if (values.one_in(4)) inputs.registers[1][t] = inputs.registers[0][t];
  }
  std::vector<LaneComparison> comparisons = lane_comparisons();
  std::erase_if(comparisons, [](const LaneComparison& each) { return each.is_float; });
  std::string body = kToUniform;
  for (unsigned i = 0; i < comparisons.size(); ++i) {
    body += fmt::format("U{}.AND UP0, UP1, UR4, UR5, UPT\n", comparisons[i].mnemonic);
    body += fmt::format("SEL {0}, R0, R1, UP0\n@UP1 MOV {0}, R2\n", result_register(i));
  }
  const LaneOutputs outputs = run_lanes(body, inputs, static_cast<unsigned>(comparisons.size()), kWarp);
  for (unsigned i = 0; i < comparisons.size(); ++i) {
    CAPTURE(comparisons[i].mnemonic);
    Row expected(kThreads);
    for (std::size_t t = 0; t < kThreads; ++t) {
      const std::size_t first = t / kWarp * kWarp;
      const bool holds = comparisons[i].reference(inputs.registers[0][first], inputs.registers[1][first]);
      expected[t] = inputs.registers[holds ? 0 : 2][t];
    }
    CHECK(first_difference(outputs.registers[i], expected, inputs) == "");
  }
}

TEST_CASE("UIMAD.WIDE.U32.X adds a product, 64 bits and a carry, and says whether 64 bits were too few") {
  LaneValues values(0x51a7);
  LaneInputs inputs = values.inputs(4, kThreads);
  for (std::size_t t = 0; t < kThreads; ++t)
    if (values.one_in(2)) inputs.registers[3][t] = ~U32{0};
  const std::string body =
      "R2UR UR4, R0\nR2UR UR5, R1\nR2UR UR6, R2\nR2UR UR7, R3\n"
      "UISETP.LT.U32.AND UP0, UPT, UR4, UR6, UPT\nUIMAD.WIDE.U32.X UR8, UP1, UR4, UR5, UR6, UP0\n"
      "USEL UR10, UR4, UR5, UP1\nMOV R16, UR8\nMOV R17, UR9\nMOV R18, UR10\n";
  const LaneOutputs outputs = run_lanes(body, inputs, 3, kWarp);
  const auto product = [&](std::size_t t) { return U64{inputs.registers[0][t]} * inputs.registers[1][t]; };
  const auto sum = [&](std::size_t t) {
    const U64 addend = U64{inputs.registers[3][t]} << 32 | inputs.registers[2][t];
    return product(t) + addend + (inputs.registers[0][t] < inputs.registers[2][t] ? 1 : 0);
  };
  const auto check = [&](unsigned result, auto function) {
    CAPTURE(result);
    CHECK(first_difference(outputs.registers[result],
                           for_warps(inputs, [&](std::size_t t) { return static_cast<U32>(function(t)); }),
                           inputs) == "");
  };
  check(0, sum);
  check(1, [&](std::size_t t) { return sum(t) >> 32; });
  // The product and a carry are less than 2^64, so that there is a carry where the sum is less than they are.
  check(2, [&](std::size_t t) {
    const U64 without = product(t) + (inputs.registers[0][t] < inputs.registers[2][t] ? 1 : 0);
    return inputs.registers[sum(t) < without ? 0 : 1][t];
  });
}

TEST_CASE("numbers of 64 bits are added, subtracted, multiplied and compared on the uniform datapath") {
  LaneValues values(0x6417);
  const LaneInputs inputs = values.inputs(4, kThreads);
  const std::string body =
      "R2UR UR4, R0\nR2UR UR5, R1\nR2UR UR6, R2\nR2UR UR7, R3\n"
      "UIADD3 UR8, UP0, UR4, UR6, URZ\nUIADD3.X UR9, URZ, UR5, UR7, UP0, !UPT\n"
      "UIADD3 UR10, UP1, UR4, -UR6, URZ\nUIADD3.X UR11, UR5, ~UR7, URZ, UP1\n"
      "UIMAD.WIDE.U32 UR12, UR4, UR5, UR6\nUIMAD.WIDE UR14, UR4, UR5, -UR6\n"
      "ULEA UR16, UP2, UR4, UR6, 0x3\nULEA.HI.X UR17, UR4, UR7, UR5, 0x3, UP2\n"
      "UIMAD.WIDE.U32 UR18, UP3, UR4, UR5, UR6\nUSEL UR18, UR4, UR5, UP3\n"
      "UISETP.LT.U32.AND UP4, UPT, UR4, UR6, UPT\nUISETP.LT.U32.AND.EX UP4, UPT, UR5, UR7, UPT, UP4\n"
      "USEL UR19, UR4, UR5, !UP4\nUIMAD.HI.U32 UR20, UR4, UR5, UR6\n"
      "MOV R16, UR8\nMOV R17, UR9\nMOV R18, UR10\nMOV R19, UR11\nMOV R20, UR12\nMOV R21, UR13\nMOV R22, UR14\n"
      "MOV R23, UR15\nMOV R24, UR16\nMOV R25, UR17\nMOV R26, UR18\nMOV R27, UR19\nMOV R28, UR20\n";
  const LaneOutputs outputs = run_lanes(body, inputs, 13, kWarp);
  const auto pair = [&](unsigned i, std::size_t t) {
    return U64{inputs.registers[i + 1][t]} << 32 | inputs.registers[i][t];
  };
  const auto check = [&](unsigned result, auto function) {
    CAPTURE(result);
    CHECK(first_difference(outputs.registers[result],
                           for_warps(inputs, [&](std::size_t t) { return static_cast<U32>(function(t)); }),
                           inputs) == "");
    CHECK(first_difference(
              outputs.registers[result + 1],
              for_warps(inputs, [&](std::size_t t) { return static_cast<U32>(function(t) >> 32); }),
              inputs) == "");
  };
  const auto product = [&](std::size_t t) { return U64{inputs.registers[0][t]} * inputs.registers[1][t]; };
  const auto signed_product = [&](std::size_t t) {
    const auto as_signed = [](U32 x) { return std::int64_t{static_cast<std::int32_t>(x)}; };
    return static_cast<U64>(as_signed(inputs.registers[0][t]) * as_signed(inputs.registers[1][t]));
  };
  check(0, [&](std::size_t t) { return pair(0, t) + pair(2, t); });
  check(2, [&](std::size_t t) { return pair(0, t) - pair(2, t); });
  check(4, [&](std::size_t t) { return product(t) + pair(2, t); });
  check(6, [&](std::size_t t) { return signed_product(t) - pair(2, t); });
  check(8, [&](std::size_t t) { return (pair(0, t) << 3) + pair(2, t); });
  check(10, [&](std::size_t t) {
    const bool carries = product(t) + pair(2, t) < pair(2, t);
    const bool is_less = pair(0, t) < pair(2, t);
    return U64{inputs.registers[is_less ? 1 : 0][t]} << 32 | inputs.registers[carries ? 0 : 1][t];
  });
  CHECK(
      first_difference(
          outputs.registers[12],
          for_warps(inputs, [&](std::size_t t) { return static_cast<U32>((product(t) + pair(2, t)) >> 32); }),
          inputs) == "");
}

TEST_CASE("IMAD.WIDE and IMAD.HI carry out of 64 bits, and in") {
  LaneValues values(0xca77);
  const LaneInputs inputs = values.inputs(4, kThreads);
  const std::string body =
      "IMAD.WIDE.U32 R16, P0, R0, R1, R2\nIMAD.WIDE.U32.X R18, P1, R0, R1, R2, P0\nIMAD.HI.U32 R20, P2, R0, R1, R2\n"
      "IMAD.HI.U32.X R21, R0, R1, R2, P2\nIMAD.WIDE.U32 R22, P3, R0, R1, -R2\nIMAD.WIDE R24, R0, R1, -R2\n";
  const LaneOutputs outputs = run_lanes(body, inputs, 10, kWarp);
  std::vector<Row> expected(10, Row(kThreads));
  Row predicates = inputs.predicates;
  __extension__ using U128 = unsigned __int128;
  for (std::size_t t = 0; t < kThreads; ++t) {
    const U64 product = U64{inputs.registers[0][t]} * inputs.registers[1][t];
    const U64 c = U64{inputs.registers[3][t]} << 32 | inputs.registers[2][t];
    const U128 sum = U128{product} + c;
    const U128 carried = U128{product} + c + (sum >> 64);
    const U128 difference = U128{product} + static_cast<U64>(~c) + 1;
    const auto put = [&](unsigned i, U128 value) {
      expected[i][t] = static_cast<U32>(value);
      expected[i + 1][t] = static_cast<U32>(value >> 32);
    };
    put(0, sum);
    put(2, carried);
    expected[4][t] = static_cast<U32>(sum >> 32);
    expected[5][t] = static_cast<U32>(carried >> 32);
    put(6, difference);
    const auto as_signed = [&](unsigned i) {
      return std::int64_t{static_cast<std::int32_t>(inputs.registers[i][t])};
    };
    put(8, static_cast<U64>(as_signed(0) * as_signed(1)) - c);
    const U32 carries = (sum >> 64 != 0 ? 1U : 0) | (carried >> 64 != 0 ? 2U : 0) |
                        (sum >> 64 != 0 ? 4U : 0) | (difference >> 64 != 0 ? 8U : 0);
    predicates[t] = (predicates[t] & ~15U) | carries;
  }
  for (unsigned i = 0; i < 10; ++i) {
    CAPTURE(i);
    CHECK(first_difference(outputs.registers[i], expected[i], inputs) == "");
  }
  CHECK(first_difference(outputs.predicates, predicates, inputs) == "");
}

// -- what single warps see ----------------------------------------------------------------------------------

/// What 32 threads that have their number in R0 leave in `out`, whose address R2 has, by the value in R4.
std::vector<U32> words_after(const std::string& lines, Divergence divergence = Divergence::Stack) {
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", 128);
  KernelRun run;
  run.text =
      ".kernel k\n.param out ptr\n.const table u32 10, 11, 12, 13\n    S2R R0, SR_TID.X\n    IMAD.WIDE R2, R0, 0x4, c[out]\n" +
      lines + "\n    STG.E [R2.64], R4\n    EXIT\n";
  run.params = {out.address()};
  run.divergence = divergence;
  CHECK(fault_of(run, memory) == "");
  const auto words = out.as<U32>();
  return {words.begin(), words.end()};
}

void check_all(const std::string& lines, U32 expected) {
  CAPTURE(lines);
  for (const Divergence divergence : {Divergence::Stack, Divergence::Barriers})
    CHECK(words_after(lines, divergence) == std::vector<U32>(32, expected));
}

TEST_CASE("a uniform predicate guards instructions of either datapath for the whole warp") {
  const std::string compare = "UISETP.EQ.AND UP0, UP1, URZ, URZ, UPT\nUMOV UR4, 0x1\nMOV R4, 0x1\n";
  check_all(compare + "@UP0 UMOV UR4, 0x2\n@UP1 UMOV UR4, 0x3\nMOV R4, UR4", 2);
  check_all(compare + "@!UP0 UIADD3 UR4, UR4, 0x5, URZ\n@!UP1 UIADD3 UR4, UR4, 0x7, URZ\nMOV R4, UR4", 8);
  check_all(compare + "@UP0 MOV R4, 0x2\n@UP1 MOV R4, 0x3", 2);
  check_all(compare + "@!UPT UMOV UR4, 0x3\n@UPT UIADD3 UR4, UR4, 0x1, URZ\nMOV R4, UR4", 2);
  check_all(compare + "@UP1 BRA over\nMOV R4, 0x4\nover: NOP", 4);
  check_all(compare + "PLOP3.LUT P0, PT, PT, PT, UP0, 0x80, 0x0\n@P0 MOV R4, 0x6", 6);
  check_all(compare + "UPLOP3.LUT UP2, UP3, UP0, UP1, UPT, 0x20, 0xdf\n@UP2 MOV R4, 0x7\n@UP3 MOV R4, 0x8",
            7);
}

TEST_CASE("uniform predicates are packed into a uniform register and back") {
  check_all(
      "UISETP.EQ.AND UP0, UP1, URZ, URZ, UPT\nUISETP.EQ.AND UP6, UPT, URZ, URZ, UPT\n"
      "UMOV UR5, 0xf00\nUP2UR UR4, UPR, UR5, 0x43\nMOV R4, UR4",
      0xf41);
  check_all(
      "UMOV UR4, 0x28\nUR2UP UPR, UR4, 0x2b\nUMOV UR5, 0x1\n@UP3 UIADD3 UR5, UR5, 0x10, URZ\n"
      "@UP5 UIADD3 UR5, UR5, 0x20, URZ\n@UP0 UMOV UR5, 0x0\n@UP1 UMOV UR5, 0x0\nMOV R4, UR5",
      0x31);
}

TEST_CASE("what lanes have comes into uniform registers by those that take part") {
  check_all("S2UR UR4, SR_TID.X\nMOV R4, UR4", 0);
  check_all("ISETP.GE.AND P0, PT, R0, 0x5, PT\n@P0 S2UR UR4, SR_TID.X\nMOV R4, UR4", 5);
  check_all("ISETP.GE.AND P0, PT, R0, 0x5, PT\n@P0 R2UR UR4, R0\nMOV R4, UR4", 5);
  check_all("SHF.R.U32.HI R5, RZ, 0x2, R0\nR2UR P0, UR4, R5\nVOTE.ANY R4, PT, P0", 0xfffffff0);
  // Lanes 0 to 3 have the first value of one, 0 to 7 of the other.
  check_all("SHF.R.U32.HI R5, RZ, 0x3, R0\nSHF.R.U32.HI R6, RZ, 0x2, R0\nR2UR P0, UR4, R6\nR2UR.OR P0, UR5, R5\nVOTE.ANY R4, PT, P0",
            0xfffffff0);
  check_all("MOV R5, 0x7\nMOV R4, 0x1\nR2UR P0, URZ, R5\n@P0 MOV R4, 0x2", 1);
  check_all("REDUX.SUM UR4, R0\nMOV R4, UR4", 496);
  check_all("ISETP.GE.AND P0, PT, R0, 0x1e, PT\n@P0 REDUX.SUM UR4, R0\nMOV R4, UR4", 61);
  check_all("CREDUX.MAX UR4, R0\nMOV R4, UR4", 31);
  check_all("ISETP.LT.AND P0, PT, R0, 0x3, PT\nVOTEU.ANY UR4, UP0, P0\nMOV R4, UR4\n@!UP0 MOV R4, RZ", 7);
  check_all("ISETP.LT.AND P0, PT, R0, 0x3, PT\nVOTEU.ALL UP0, P0\nMOV R4, 0x1\n@UP0 MOV R4, 0x2", 1);
  check_all(
      "ISETP.LT.AND P0, PT, R0, 0x3, PT\nVOTEU.ALL UP0, !P0\nVOTEU.ANY UP1, !P0\nMOV R4, 0x1\n@UP1 MOV R4, 0x2",
      2);
}

TEST_CASE("a divergent path's uniform instructions count its own lanes, and all see the result") {
  const std::string parted =
      "ISETP.LT.AND P0, PT, R0, 0x3, PT\nUMOV UR5, 0x0\nBSSY B0, meet\n@P0 BRA few\n"
      "VOTEU.ANY UR4, UPT, PT\nMOV R4, UR4\nBRA meet\nfew: VOTEU.ANY UR4, UPT, PT\nMOV R4, UR4\nmeet: BSYNC B0\n";
  for (const Divergence divergence : {Divergence::Stack, Divergence::Barriers}) {
    const std::vector<U32> words = words_after(parted, divergence);
    for (U32 t = 0; t < 32; ++t) CHECK(words[t] == (t < 3 ? 7U : ~7U));
  }
}

TEST_CASE("the place of a constant may be in a uniform register") {
  check_all("UMOV UR4, 0x8\nLDC R4, c[0x3][UR4]", 12);
  check_all("UMOV UR4, 0x4\nULDC UR5, c[0x3][UR4+0x8]\nMOV R4, UR5", 13);
  check_all("UMOV UR4, 0x8\nULDC.64 UR6, c[0x3][UR4]\nIADD3 R4, RZ, UR7, RZ", 13);
  check_all("UMOV UR4, 0x0\nLDCU UR5, c[0x3][UR4]\nMOV R4, UR5", 10);
}

TEST_CASE("pairs of uniform registers stand where pairs of registers do") {
  check_all(
      "UMOV UR4, 0x0\nUMOV UR5, 0x40000000\nMOV R6, UR4\nMOV R7, UR5\nDFMA R8, R6, UR4, R6\nF2I.F64 R4, R8",
      6);
  check_all(
      "UMOV UR4, 0x0\nUMOV UR5, 0x40000000\nMOV R6, UR4\nMOV R7, UR5\nDFMA R8, R6, -UR4, R6\nF2I.F64 R4, R8",
      static_cast<U32>(-2));
  check_all("UMOV UR4, 0x1\nUMOV UR5, 0x2\nMOV R6, 0x3\nIMAD.WIDE.U32 R8, R6, 0x4, UR4\nIADD3 R4, R8, R9, RZ",
            15);
}

TEST_CASE("a uniform predicate that nobody wrote is reported as a guard and as an operand") {
  const auto fault_in = [](const std::string& lines) {
    GlobalMemory memory;
    KernelRun run;
    run.text = ".kernel k\n" + lines + "\nEXIT\n";
    return fault_of(run, memory);
  };
  const std::string message = "reads UP2, which was never written, in lane 0";
  CHECK(fault_in("@UP2 UMOV UR4, 0x1").find(message) != std::string::npos);
  CHECK(fault_in("USEL UR4, URZ, 0x1, !UP2").find(message) != std::string::npos);
  CHECK(fault_in("@!UPT UISETP.EQ.AND UP2, UPT, URZ, URZ, UPT\nSEL R4, RZ, 0x1, UP2").find(message) !=
        std::string::npos);
  CHECK(fault_in(
            "UISETP.EQ.AND UP2, UPT, URZ, URZ, UPT\n@UP2 UMOV UR4, 0x1\n@!UP2 UMOV UR4, 0x2\nMOV R0, UR4") ==
        "");
}

TEST_CASE("BMOV.32.CLEAR leaves nothing of a barrier that nobody waits at, WARPSYNC.ALL waits for all") {
  for (const Divergence divergence : {Divergence::Stack, Divergence::Barriers}) {
    const std::vector<U32> words = words_after(
        "ISETP.LT.AND P0, PT, R0, 0x3, PT\nBMOV.32.CLEAR RZ, B0\nBSSY.RECONVERGENT B0, meet\nMOV R4, 0x1\n@P0 BRA meet\n"
        "MOV R4, 0x2\nmeet: BSYNC.RECONVERGENT B0\nWARPSYNC.ALL\nVOTE.ANY R5, PT, PT\nPOPC R5, R5\nIADD3 R4, R4, R5, RZ",
        divergence);
    for (U32 t = 0; t < 32; ++t) CHECK(words[t] == (t < 3 ? 33 : 34));
  }
}

TEST_CASE("BMOV.32.CLEAR keeps a barrier in a register, and BMOV.32 gives it back") {
  for (const Divergence divergence : {Divergence::Stack, Divergence::Barriers}) {
    const std::vector<U32> words = words_after(
        "ISETP.LT.AND P0, PT, R0, 0x3, PT\nISETP.LT.AND P1, PT, R0, 0x2, PT\nMOV R4, 0x1\n"
        "BSSY B6, meet\n@P0 BRA few\nMOV R4, 0x2\nmeet: BSYNC B6\nVOTE.ANY R5, PT, PT\nPOPC R5, R5\n"
        "IADD3 R4, R4, R5, RZ\nBRA out\n"
        "few: BMOV.32.CLEAR R7, B6\nBSSY B6, inner\n@P1 BRA inner\nMOV R4, 0x3\ninner: BSYNC B6\n"
        "VOTE.ANY R6, PT, PT\nPOPC R6, R6\nIMAD R4, R6, 0x64, R4\nBMOV.32 B6, R7\nBRA meet\nout: NOP",
        divergence);
    for (U32 t = 0; t < 32; ++t) CHECK(words[t] == 32 + (t < 2 ? 301 : t < 3 ? 303 : 2));
  }
}

TEST_CASE("what is no kept barrier is not given back") {
  GlobalMemory memory;
  KernelRun run;
  run.text = ".kernel k\nMOV R7, 0x63\nBMOV.32 B6, R7\nEXIT\n";
  run.divergence = Divergence::Barriers;
  CHECK(fault_of(run, memory).find(
            "gives B6 back in lane 0 from a register that does not hold what BMOV.32.CLEAR kept of it") !=
        std::string::npos);
}

TEST_CASE("CS2UR reads a pair, CS2UR.32 its low word") {
  check_all("UMOV UR4, 0x7\nUMOV UR5, 0x9\nCS2UR UR4, SRZ\nMOV R4, UR4\nIADD3 R4, R4, UR5, RZ", 0);
  check_all("UMOV UR4, 0x7\nUMOV UR5, 0x9\nCS2UR.32 UR4, SRZ\nMOV R4, UR4\nIADD3 R4, R4, UR5, RZ", 9);
}

TEST_CASE("WARPSYNC.COLLECTIVE brings the lanes of its mask together for a shuffle") {
  const std::vector<U32> words = words_after(
      "ISETP.LT.AND P0, PT, R0, 0x10, PT\nMOV R7, 0xffff\n@!P0 MOV R7, 0xffff0000\nMOV R4, R0\n@!P0 BRA high\nNOP\n"
      "high: WARPSYNC.COLLECTIVE R7, end\nSHFL.DOWN P1, R4, R4, 0x8, 0x101f\nENDCOLLECTIVE\nend: NOP",
      Divergence::Barriers);
  for (U32 t = 0; t < 32; ++t) CHECK(words[t] == (t % 16 < 8 ? t + 8 : t));
}

TEST_CASE("WARPSYNC.COLLECTIVE.ALL brings all lanes together for a shuffle") {
  const std::vector<U32> words = words_after(
      "ISETP.LT.AND P0, PT, R0, 0x10, PT\nMOV R4, R0\n@!P0 BRA high\nNOP\n"
      "high: WARPSYNC.COLLECTIVE.ALL end\nSHFL.DOWN P1, R4, R4, 0x10, 0x1f\nENDCOLLECTIVE\nend: NOP",
      Divergence::Barriers);
  for (U32 t = 0; t < 32; ++t) CHECK(words[t] == (t < 16 ? t + 16 : t));
}

}  // namespace
}  // namespace heddle::exec
