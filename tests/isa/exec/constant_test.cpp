// Constants: what .const declares, read by operands and by LDC, with a register in the address or without.
#include <fmt/format.h>

#include "isa/exec/narrow_data.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"
#include "tests/support/lane_harness.h"
#include "tests/support/lane_values.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;
using U32 = std::uint32_t;

constexpr unsigned kThreads = 256;
constexpr unsigned kWords = 64;

/// Words whose bytes all differ from their neighbours': byte i is 5 i + 3.
std::uint8_t byte_of(unsigned i) { return static_cast<std::uint8_t>(5 * i + 3); }

U32 word_of(unsigned word) {
  U32 value = 0;
  for (unsigned i = 0; i < 4; ++i) value |= U32{byte_of(4 * word + i)} << (8 * i);
  return value;
}

std::string table() {
  std::string text = ".const table u32";
  for (unsigned word = 0; word < kWords; ++word)
    text += fmt::format("{} {}", word == 0 ? "" : ",", word_of(word));
  return text + "\n";
}

/// What a lane that reads `bytes` at `place` gets in register `row`, byte by byte.
U32 expected_word(unsigned place, unsigned bytes, bool is_signed, unsigned row) {
  U32 value = 0;
  for (unsigned i = 4 * row; i < std::min(bytes, 4 * row + 4); ++i)
    value |= U32{byte_of(place + i)} << (8 * (i % 4));
  if (is_signed && bytes < 4 && (value >> (8 * bytes - 1) & 1) != 0) value |= ~0U << (8 * bytes);
  return value;
}

struct Width {
  const char* suffix;
  unsigned bytes;
  bool is_signed;
};
constexpr Width kWidths[] = {{".U8", 1, false}, {".S8", 1, true},  {".U16", 2, false}, {".S16", 2, true},
                             {"", 4, false},    {".64", 8, false}, {".128", 16, false}};

TEST_CASE("LDC reads any width from where each lane's register says") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  for (const Width& width : kWidths) {
    CAPTURE(warp_size, width.suffix);
    LaneValues values(0x1dc + width.bytes);
    LaneInputs inputs;
    inputs.registers.assign(1, Row(kThreads));
    inputs.predicates.assign(kThreads, 0);
    for (U32& place : inputs.registers[0])
      place = width.bytes * values.below((4 * kWords - 16) / width.bytes);
    for (U32& predicates : inputs.predicates) predicates = values.below(2);
    const unsigned rows = std::max(1U, width.bytes / 4);
    std::string body = table();
    for (unsigned row = 0; row < rows; ++row) body += fmt::format("MOV {}, 0x77\n", result_register(row));
    body += fmt::format("@P0 LDC{} R16, c[0x3][R0+table+0x10]\n", width.suffix);
    const LaneOutputs outputs = run_lanes(body, inputs, rows, warp_size);
    for (unsigned row = 0; row < rows; ++row) {
      Row expected(kThreads, 0x77);
      for (unsigned t = 0; t < kThreads; ++t) {
        if (!inputs.predicate(0, t)) continue;
        expected[t] = expected_word(inputs.registers[0][t] + 16, width.bytes, width.is_signed, row);
      }
      CHECK(first_difference(outputs.registers[row], expected, inputs) == "");
    }
  }
}

TEST_CASE("constants of bank 3 are operands, and LDC reads them without a register, too") {
  LaneInputs inputs;
  inputs.registers.assign(1, Row(64, 7));
  inputs.predicates.assign(64, 0);
  const std::string body =
      ".const first s32 -5, +6\n.const scale f32 1.5, -INF, -0.25\n"
      "IADD3 R16, R0, c[0x3][0x0], c[0x3][first+0x4]\nFADD R17, RZ, -c[0x3][scale]\nMOV R18, "
      "c[0x3][scale+0x4]\n"
      "LDC R19, c[0x3][0x18]\nLDC.S8 R20, c[0x3][first]\nLDC.U16 R21, c[0x3][0x2]\nMOV R22, c[0x3][0x8]\n"
      "MOV R23, c[0x3][0xc]\nLDC R24, c[0x3][RZ+0x4]\n";
  const LaneOutputs outputs = run_lanes(body, inputs, 9, 32);
  const U32 expected[] = {8, 0xbfc00000, 0xff800000, 0xbe800000, 0xfffffffb, 0xffff, 0, 0, 6};
  for (unsigned i = 0; i < std::size(expected); ++i) {
    CAPTURE(i);
    CHECK(outputs.registers[i] == Row(64, expected[i]));
  }
}

TEST_CASE("LDC reads parameters as an array") {
  LaneInputs inputs;
  inputs.registers.assign(1, Row(64));
  inputs.predicates.assign(64, 0);
  inputs.constants = {11, 22, 33, 44};
  Row expected(64);
  for (unsigned t = 0; t < 64; ++t) {
    inputs.registers[0][t] = 4 * (t % 4);
    expected[t] = 11 * (t % 4 + 1);
  }
  const std::string first = constant_at(0);  // c[0x0][0x170]
  const std::string place = first.substr(0, first.size() - 1) + "+R0]";
  CHECK(run_lanes("LDC R16, " + place + "\n", inputs, 1, 32).registers[0] == expected);
}

std::string fault_of_lines(const std::string& lines) {
  GlobalMemory memory;
  KernelRun run;
  run.text = ".kernel k\n.const table u32 1, 2, 3\nS2R R0, SR_LANEID\n" + lines + "EXIT\n";
  return fault_of(run, memory);
}

TEST_CASE("LDC beyond the constants, or at a crooked place, names lane and place") {
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(fault_of_lines("AND_NOTHING:\nLOP3.LUT R0, R0, 0x1, RZ, 0xc0, !PT\nLDC.U8 R1, c[0x3][R0+0xa]\n") ==
        "");
  CHECK(has(fault_of_lines("LDC.U8 R1, c[0x3][R0]\n"),
            "out-of-bounds load of 1 bytes at c[0x3][0xc] in lane 12: the bank has 12 bytes"));
  CHECK(has(fault_of_lines("LDC R1, c[0x3][R0]\n"), "misaligned load of 4 bytes at c[0x3][0x1] in lane 1"));
}

}  // namespace
}  // namespace heddle::exec
