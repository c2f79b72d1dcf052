// Atomics: every operation of every type against a plain reference, lanes on one address in turn, and the
// faults.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <functional>

#include "isa/base/diagnostic.h"
#include "isa/text/assemble.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"
#include "tests/support/lane_values.h"

namespace heddle::test {
namespace {

using exec::Buffer;
using exec::GlobalMemory;
using U64 = std::uint64_t;

struct Operation {
  std::string modifiers;
  unsigned bytes = 4;
  std::function<U64(U64, U64)> result;
};

template <typename Word>
Operation least(const char* modifiers) {
  return {modifiers, sizeof(Word),
          [](U64 old, U64 a) { return static_cast<Word>(a) < static_cast<Word>(old) ? a : old; }};
}

template <typename Word>
Operation greatest(const char* modifiers) {
  return {modifiers, sizeof(Word),
          [](U64 old, U64 a) { return static_cast<Word>(a) > static_cast<Word>(old) ? a : old; }};
}

U64 float_sum(U64 old, U64 a) {
  const float sum = std::bit_cast<float>(static_cast<std::uint32_t>(old)) +
                    std::bit_cast<float>(static_cast<std::uint32_t>(a));
  return std::isnan(sum) ? 0x7fffffffU : std::bit_cast<std::uint32_t>(sum);
}

U64 without_denormal(U64 bits) {
  return std::fpclassify(std::bit_cast<float>(static_cast<std::uint32_t>(bits))) == FP_SUBNORMAL
             ? bits & 0x80000000U
             : bits;
}

std::vector<Operation> operations() {
  const auto sum = [](U64 old, U64 a) { return old + a; };
  const auto both = [](U64 old, U64 a) { return old & a; };
  const auto any = [](U64 old, U64 a) { return old | a; };
  const auto one_of = [](U64 old, U64 a) { return old ^ a; };
  const auto second = [](U64, U64 a) { return a; };
  const auto up = [](U64 old, U64 a) { return old >= a ? 0 : old + 1; };
  const auto down = [](U64 old, U64 a) { return old == 0 || old > a ? a : old - 1; };
  const auto flushed_sum = [](U64 old, U64 a) {
    return without_denormal(float_sum(without_denormal(old), without_denormal(a)));
  };
  const auto double_sum = [](U64 old, U64 a) {
    const double value = std::bit_cast<double>(old) + std::bit_cast<double>(a);
    return std::isnan(value) ? 0xfff8000000000000U : std::bit_cast<U64>(value);
  };
  return {{"ADD", 4, sum},
          {"ADD.S32", 4, sum},
          {"ADD.64", 8, sum},
          {"AND", 4, both},
          {"AND.64", 8, both},
          {"OR", 4, any},
          {"OR.64", 8, any},
          {"XOR", 4, one_of},
          {"XOR.64", 8, one_of},
          {"EXCH", 4, second},
          {"EXCH.64", 8, second},
          {"INC", 4, up},
          {"DEC", 4, down},
          {"ADD.F32", 4, float_sum},
          {"ADD.F32.FTZ.RN", 4, flushed_sum},
          {"ADD.F64.RN", 8, double_sum},
          least<std::uint32_t>("MIN"),
          least<std::int32_t>("MIN.S32"),
          least<std::uint64_t>("MIN.64"),
          least<std::int64_t>("MIN.S64"),
          greatest<std::uint32_t>("MAX"),
          greatest<std::int32_t>("MAX.S32"),
          greatest<std::uint64_t>("MAX.64"),
          greatest<std::int64_t>("MAX.S64")};
}

/// What threads do, in the order in which they do it, and the memory they do it to.
struct Scene {
  static constexpr std::uint32_t kOff = ~0U;
  static constexpr unsigned kPlaces = 16;
  static constexpr U64 kUntouched = 0xabababababababab;

  std::vector<U64> operands;
  std::vector<U64> seconds;           // of compare-and-swap
  std::vector<std::uint32_t> places;  // a byte offset, or kOff
  std::vector<U64> data;              // kPlaces values of 8 bytes

  Scene(std::size_t threads, LaneValues& values) {
    const std::uint32_t used = values.one_in(3) ? 1 : kPlaces;
    for (std::size_t i = 0; i < threads; ++i) {
      operands.push_back(U64{values.word()} << 32 | values.word());
      seconds.push_back(U64{values.word()} << 32 | values.word());
      places.push_back(values.one_in(5) ? kOff : 8 * values.below(used));
    }
    for (unsigned i = 0; i < kPlaces; ++i) data.push_back(U64{values.word()} << 32 | values.word());
  }
};

/// Runs the scene by an instruction on R10 (the place), R4 (the operand), R14 (the second one); what it
/// returns in R12 becomes the scene's operands, what memory holds then its data. One block, perhaps of
/// several warps.
Scene run_scene(const Scene& scene, const std::string& instruction, bool shared, unsigned warp_size) {
  GlobalMemory memory;
  const auto threads = static_cast<std::uint32_t>(scene.places.size());
  Buffer& operands = memory.allocate("operands", 8 * threads);
  Buffer& seconds = memory.allocate("seconds", 8 * threads);
  Buffer& places = memory.allocate("places", 4 * threads);
  Buffer& data = memory.allocate("data", 8 * Scene::kPlaces);
  std::copy(scene.operands.begin(), scene.operands.end(), operands.as<U64>().begin());
  std::copy(scene.seconds.begin(), scene.seconds.end(), seconds.as<U64>().begin());
  std::copy(scene.places.begin(), scene.places.end(), places.as<std::uint32_t>().begin());
  std::copy(scene.data.begin(), scene.data.end(), data.as<U64>().begin());
  const std::string begin = R"(
.kernel atomics
.param operands ptr
.param seconds ptr
.param places ptr
.param data ptr
.shared tile 128
    S2R R0, SR_TID.X
    IMAD.WIDE.U32 R2, R0, 0x8, c[operands]
    LDG.E.64 R4, [R2.64]
    IMAD.WIDE.U32 R6, R0, 0x8, c[seconds]
    LDG.E.64 R14, [R6.64]
    IMAD.WIDE.U32 R6, R0, 0x4, c[places]
    LDG.E R8, [R6.64]
    ISETP.NE.U32.AND P0, PT, R8, 0xffffffff, PT
    ISETP.LT.U32.AND P1, PT, R0, 0x10, PT
    IMAD.WIDE.U32 R10, R8, 0x1, c[data]
    IMAD.WIDE.U32 R20, R0, 0x8, c[data]
    MOV R12, 0xabababab
    MOV R13, 0xabababab
)";
  const std::string tile_in =
      "@P1 LDG.E.64 R22, [R20.64]\n    IMAD R24, R0, 0x8, RZ\n@P1 STS.64 [R24], R22\n"
      "    MOV R10, R8\n    BAR.SYNC 0x0\n";
  const std::string tile_out = "    BAR.SYNC 0x0\n@P1 LDS.64 R22, [R24]\n@P1 STG.E.64 [R20.64], R22\n";
  run_kernel({begin + (shared ? tile_in : "") + "@P0 " + instruction + "\n" + (shared ? tile_out : "") +
                  "    STG.E.64 [R2.64], R12\n    EXIT\n",
              {1, 1, 1},
              {threads, 1, 1},
              warp_size,
              {operands.address(), seconds.address(), places.address(), data.address()}},
             memory);
  Scene after = scene;
  std::copy_n(operands.as<U64>().begin(), threads, after.operands.begin());
  std::copy_n(data.as<U64>().begin(), Scene::kPlaces, after.data.begin());
  return after;
}

U64 low_part(U64 value, unsigned bytes) { return bytes == 8 ? value : value & 0xffffffffU; }

/// The same, one thread after the other.
Scene reference(const Scene& scene, unsigned bytes, bool returns,
                const std::function<U64(U64, U64, U64)>& result) {
  Scene after = scene;
  const U64 kept = bytes == 8 ? 0 : ~U64{0xffffffffU};
  for (std::size_t i = 0; i < scene.places.size(); ++i) {
    after.operands[i] = Scene::kUntouched;
    if (scene.places[i] == Scene::kOff) continue;
    U64& word = after.data[scene.places[i] / 8];
    const U64 old = low_part(word, bytes);
    const U64 value = result(old, low_part(scene.operands[i], bytes), low_part(scene.seconds[i], bytes));
    if (returns) after.operands[i] = (Scene::kUntouched & kept) | old;
    word = (word & kept) | low_part(value, bytes);
  }
  return after;
}

void check_scene(const std::string& instruction, const Operation& operation, bool shared, bool returns,
                 unsigned warp_size, LaneValues& values) {
  INFO(instruction << ", warps of " << warp_size);
  const Scene before(64, values);
  const auto result = [&](U64 old, U64 a, U64) { return operation.result(old, a); };
  const Scene expected = reference(before, operation.bytes, returns, result);
  const Scene found = run_scene(before, instruction, shared, warp_size);
  CHECK(found.operands == expected.operands);
  CHECK(found.data == expected.data);
}

TEST_CASE("atomics do to memory what their lanes would do one after the other") {
  LaneValues values(71);
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  for (const Operation& operation : operations()) {
    for (unsigned round = 0; round < 6; ++round) {
      const std::string& name = operation.modifiers;
      check_scene("ATOMG.E." + name + ".STRONG.GPU PT, R12, [R10.64], R4", operation, false, true, warp_size,
                  values);
      check_scene("RED.E." + name + ".STRONG.GPU [R10.64], R4", operation, false, false, warp_size, values);
      check_scene("REDG.E." + name + ".STRONG.SYS [R10.64], R4", operation, false, false, warp_size, values);
      check_scene("ATOMS." + name + " R12, [R10], R4", operation, true, true, warp_size, values);
      check_scene("ATOMS." + name + " RZ, [R10], R4", operation, true, false, warp_size, values);
    }
  }
}

TEST_CASE("a count adds one for each lane") {
  LaneValues values(73);
  const Operation count{"", 4, [](U64 old, U64) { return low_part(old + 1, 4); }};
  for (unsigned round = 0; round < 6; ++round) {
    check_scene("ATOMS.POPC.INC.32 R12, [R10]", count, true, true, 32, values);
    check_scene("ATOMS.POPC.INC.32 RZ, [R10]", count, true, false, 32, values);
  }
}

// What ptxas 13.0 makes of mbarrier.init for 8.0 is 2^30 - n below 2^31 - n, and of a test an exclusive or of
// bit 63.
TEST_CASE("an mbarrier's parity changes with every n-th arrival, whoever arrives") {
  constexpr unsigned kThreads = 96;
  for (const unsigned n : {1U, 4U, 32U}) {
    GlobalMemory memory;
    Buffer& out = memory.allocate("out", 2 * kThreads * sizeof(std::uint32_t));
    const std::string text = fmt::format(R"(
.kernel arrivals
.param out ptr
.shared barrier 8
    S2R R0, SR_TID.X
    MOV R2, {:#x}
    MOV R3, {:#x}
    ISETP.EQ.AND P0, PT, R0, RZ, PT
@P0 STS.64 [RZ], R2
    BAR.SYNC 0x0
    ATOMS.ARRIVE.64 R4, [URZ]
    BAR.SYNC 0x0
    LDS.64 R6, [RZ]
    SHF.R.U32.HI R4, RZ, 0x1f, R5
    SHF.R.U32.HI R5, RZ, 0x1f, R7
    IMAD.WIDE R8, R0, 0x8, c[out]
    STG.E.64 [R8.64], R4
    EXIT
)",
                                         0x40000000U - n, 0x80000000U - n);
    run_kernel({text, {1, 1, 1}, {kThreads, 1, 1}, 32, {out.address()}}, memory);
    const auto parities = out.as<std::uint32_t>();
    const unsigned phases = kThreads / n;
    unsigned found_zero = 0;
    for (unsigned i = 0; i < kThreads; ++i) {
      found_zero += parities[2 * i] == 0 ? 1 : 0;
      CHECK(parities[2 * i + 1] == phases % 2);
    }
    CHECK(found_zero == (phases + 1) / 2 * n);  // every second phase, from the first on
  }
}

TEST_CASE("compare-and-swap replaces what it names and nothing else, and returns what was there") {
  LaneValues values(72);
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  for (unsigned round = 0; round < 20; ++round) {
    for (const unsigned bytes : {4U, 8U}) {
      Scene before(64, values);
      // Compare with what is there or has been put there, mostly: else nothing would ever be replaced.
      for (std::size_t i = 0; i < before.places.size(); ++i) {
        if (before.places[i] == Scene::kOff || values.one_in(4)) continue;
        before.operands[i] =
            values.one_in(2) ? before.data[before.places[i] / 8] : before.seconds[values.below(64)];
      }
      const auto result = [](U64 old, U64 a, U64 b) { return old == a ? b : old; };
      const Scene expected = reference(before, bytes, true, result);
      CHECK(expected.data != before.data);
      for (const bool shared : {false, true}) {
        const std::string width = bytes == 8 ? ".64" : "";
        const std::string instruction =
            shared ? "ATOMS.CAS" + width + " R12, [R10], R4, R14"
                   : "ATOMG.E.CAS" + width + ".STRONG.GPU PT, R12, [R10.64], R4, R14";
        INFO(instruction);
        const Scene found = run_scene(before, instruction, shared, warp_size);
        CHECK(found.operands == expected.operands);
        CHECK(found.data == expected.data);
      }
    }
  }
}

TEST_CASE("ATOMS.CAST.SPIN says in a register or a predicate whether it has stored") {
  for (const exec::Divergence divergence : {exec::Divergence::Stack, exec::Divergence::Barriers}) {
    GlobalMemory memory;
    const Buffer& out = memory.allocate("out", 16 * 32);
    KernelRun run;
    run.text = R"(
.kernel cast
.param out ptr
.shared cells 32
    S2R R0, SR_TID.X
    IMAD.WIDE R2, R0, 0x10, c[out]
    MOV R4, RZ
    MOV R5, RZ
    MOV R6, RZ
    MOV R7, RZ
    STS.128 [cells], R4
    STS.128 [cells+16], R4
    IADD3 R6, R0, 0x1, RZ
    ATOMS.CAST.SPIN R8, [cells], R4, R6
    ATOMS.CAST.SPIN P0, [cells+4], R4, R6
    SEL R9, RZ, 0x1, !P0
wide:
    LDS.64 R4, [cells+16]
    IADD3 R6, P1, R4, R0, RZ
    IADD3.X R7, R5, 0x3, RZ, P1, !PT
    ATOMS.CAST.SPIN.64 R6, [cells+16], R4, R6
    ISETP.EQ.U32.AND P0, PT, R6, 0x1, PT
    ISETP.EQ.U32.AND.EX P0, PT, R7, RZ, PT, P0
    @!P0 BRA wide
sum:
    LDS R4, [cells+24]
    FADD R5, R4, 1
    ATOMS.CAST.SPIN P0, [cells+24], R4, R5
    @!P0 BRA sum
    LDS.64 R4, [cells+16]
    IADD3 R10, R4, R5, RZ
    LDS R11, [cells+24]
    STG.E.128 [R2.64], R8
    EXIT
)";
    run.params = {out.address()};
    run.divergence = divergence;
    CHECK(fault_of(run, memory) == "");
    const auto words = out.as<std::uint32_t>();
    bool has_all = false;  // the last lane to come has seen all sums
    for (std::uint32_t t = 0; t < 32; ++t) {
      CHECK(words[4 * t] == (t == 0 ? 1 : 0));
      CHECK(words[4 * t + 1] == (t == 0 ? 1 : 0));
      has_all = has_all || (words[4 * t + 2] == 31 * 16 + 3 * 32 && words[4 * t + 3] == 0x42000000);
    }
    CHECK(has_all);
  }
}

TEST_CASE("a counter gives each thread of a grid another number") {
  GlobalMemory memory;
  const Buffer& counter = memory.allocate("counter", 4);
  const Buffer& numbers = memory.allocate("numbers", 4 * 480);
  run_kernel({R"(
.kernel count
.param counter ptr
.param numbers ptr
    MOV R2, c[0x0][0x160]
    MOV R3, c[0x0][0x164]
    MOV R4, 0x1
    ATOMG.E.ADD.STRONG.GPU PT, R4, [R2.64], R4
    IMAD.WIDE.U32 R6, R4, 0x4, c[numbers]
    RED.E.ADD [R6.64], R4
    EXIT
)",
              {5, 1, 1},
              {96, 1, 1},
              32,
              {counter.address(), numbers.address()}},
             memory);
  CHECK(counter.as<std::uint32_t>()[0] == 480);
  for (std::uint32_t i = 0; i < 480; ++i) CHECK(numbers.as<std::uint32_t>()[i] == i);
}

TEST_CASE("an atomic that is misaligned or out of bounds is a fault at its first such lane") {
  GlobalMemory memory;
  const Buffer& data = memory.allocate("data", 64);
  const std::string begin =
      ".kernel k\n.param data ptr\n.shared tile 64\nS2R R0, SR_TID.X\n"
      "IMAD.WIDE.U32 R2, R0, 0x4, c[data]\nIMAD R4, R0, 0x4, RZ\n";
  const auto fault = [&](const std::string& instruction) {
    return fault_of({begin + instruction + "\nEXIT\n", {1, 1, 1}, {32, 1, 1}, 32, {data.address()}}, memory);
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(has(fault("RED.E.ADD [R2.64], R0"),
            fmt::format("out-of-bounds atomic of 4 bytes at {:#x} in lane 16: byte 64 of buffer 'data'",
                        data.address() + 64)));
  CHECK(has(fault("ATOMG.E.ADD.64 PT, R6, [R2.64], RZ"),
            fmt::format("misaligned atomic of 8 bytes at {:#x} in lane 1", data.address() + 4)));
  CHECK(has(fault("ATOMS.ADD R6, [R4], R0"),
            "out-of-bounds atomic of 4 bytes at 0x40 in lane 16: the block has 64"));
  CHECK(has(fault("ATOMS.CAS R6, [R4+2], R0, R0"), "misaligned atomic of 4 bytes at 0x2 in lane 0"));
}

/// The message that an instruction is refused with; empty if it is taken.
std::string refusal(const std::string& instruction) {
  try {
    text::assemble(".kernel k\n.local 64\n" + instruction + "\nEXIT\n", "t.sass");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("operations that no GPU has for a type are refused") {
  for (const char* good :
       {"ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU PT, R0, [R2.64], R4", "ATOMS.MAX.S64 R0, [R2], R4",
        "ATOMG.E.CAS.64.STRONG.SYS PT, R0, [R2.64], R4, R6"}) {
    CHECK(refusal(good) == "");
  }
  for (const char* bad :
       {"ATOMG.E.MIN.F32 PT, R0, [R2.64], R4", "RED.E.INC.64 [R2.64], R4", "ATOMS.AND.S32 R0, [R2], R4",
        "ATOMS.CAS.F32 R0, [R2], R4, R5", "RED.E.ADD.FTZ [R2.64], R4", "ATOMG.E.ADD PT, R1, [R2.64]",
        "ATOMG.E.ADD P0, R1, [R2.64], R4", "ATOMG.E PT, R1, [R2.64], R4", "ATOMS.ADD.64 R1, [R2], R4",
        "RED.E.ADD.S64 [R2.64], R4"}) {
    INFO(bad);
    CHECK(refusal(bad) != "");
  }
  CHECK(refusal("RED.E.INC.64 [R2.64], R4").find("'RED.E.INC.64' takes no .64 here; types are .U32") !=
        std::string::npos);
}

}  // namespace
}  // namespace heddle::test
