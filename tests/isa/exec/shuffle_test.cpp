// SHFL against the pseudo-code of PTX shfl.
#include <fmt/format.h>

#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"
#include "tests/support/lane_harness.h"
#include "tests/support/lane_values.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;

constexpr std::size_t kThreads = 10'240;

struct Shuffled {
  unsigned from = 0;  ///< Lane whose value comes, within the group of 32.
  bool in_range = false;
};

/// From the PTX document, "shfl": lane, b and c are those of the reading lane.
Shuffled ptx_shfl(const std::string& mode, unsigned lane, std::uint32_t b, std::uint32_t c) {
  const int bval = static_cast<int>(b & 0x1f);
  const unsigned cval = c & 0x1f;
  const unsigned mask = c >> 8 & 0x1f;
  const auto max_lane = static_cast<int>((lane & mask) | (cval & ~mask & 0x1f));
  const auto min_lane = static_cast<int>(lane & mask);
  const auto own = static_cast<int>(lane);
  int j = 0;
  bool p = false;
  if (mode == "UP") {
    j = own - bval;
    p = j >= max_lane;
  } else if (mode == "DOWN") {
    j = own + bval;
    p = j <= max_lane;
  } else if (mode == "BFLY") {
    j = own ^ bval;
    p = j <= max_lane;
  } else {
    j = min_lane | (bval & ~static_cast<int>(mask) & 0x1f);
    p = j <= max_lane;
  }
  return {p ? static_cast<unsigned>(j) : lane, p};
}

/// R1 and R2 become the operands b and c. In a warp of 16 nobody may read a lane beyond.
LaneInputs shuffle_inputs(LaneValues& values, unsigned warp_size) {
  LaneInputs inputs = values.inputs(4, kThreads);
  for (std::size_t t = 0; t < kThreads; ++t) {
    inputs.registers[1][t] = values.one_in(4) ? values.any_bits() : values.below(40);
    inputs.registers[2][t] =
        values.one_in(4) ? values.any_bits() : (values.below(32) << 8 | values.below(32));
    if (warp_size == 16) inputs.registers[2][t] = (inputs.registers[2][t] | 0x1000U) & ~0x10U;
  }
  return inputs;
}

TEST_CASE("SHFL reads the lane that the PTX pseudo-code names and says whether it was in range") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const std::string mode = GENERATE("IDX", "UP", "DOWN", "BFLY");
  const std::uint64_t seed = 0x5f1 + warp_size;
  CAPTURE(warp_size, mode, seed);
  LaneValues values(seed);
  const LaneInputs inputs = shuffle_inputs(values, warp_size);
  const LaneOutputs outputs = run_lanes(
      fmt::format("SHFL.{0} P2, R16, R0, R1, R2\nMOV R17, R3\nSHFL.{0} PT, R17, R17, R1, R2\n", mode), inputs,
      2, warp_size);
  Row expected(kThreads);
  Row expected_in_place(kThreads);
  Row predicates = inputs.predicates;
  const unsigned group = std::min(warp_size, 32U);
  for (std::size_t t = 0; t < kThreads; ++t) {
    const auto lane = static_cast<unsigned>(t % group);
    const Shuffled found = ptx_shfl(mode, lane, inputs.registers[1][t], inputs.registers[2][t]);
    expected[t] = inputs.registers[0][t - lane + found.from];
    expected_in_place[t] = inputs.registers[3][t - lane + found.from];
    predicates[t] = (predicates[t] & ~4U) | (found.in_range ? 4U : 0);
  }
  CHECK(first_difference(outputs.registers[0], expected, inputs) == "");
  CHECK(first_difference(outputs.registers[1], expected_in_place, inputs) == "");
  CHECK(first_difference(outputs.predicates, predicates, inputs) == "");
}

TEST_CASE("shuffles of CUDA's widths stay in their segments") {
  const std::uint32_t width = GENERATE(1U, 2U, 4U, 8U, 16U, 32U);
  LaneInputs inputs{{Row(64)}, Row(64), {}};
  for (std::uint32_t t = 0; t < 64; ++t) inputs.registers[0][t] = 100 + t;
  const std::uint32_t segment = (32 - width) << 8;
  for (std::uint32_t distance = 0; distance < width; ++distance) {
    const LaneOutputs outputs =
        run_lanes(fmt::format("SHFL.UP PT, R16, R0, {0:#x}, {1:#x}\nSHFL.DOWN PT, R17, R0, {0:#x}, {2:#x}\n"
                              "SHFL.BFLY PT, R18, R0, {0:#x}, {2:#x}\nSHFL.IDX PT, R19, R0, {0:#x}, {2:#x}\n",
                              distance, segment, segment | 0x1f),
                  inputs, 4, 32);
    CAPTURE(width, distance);
    for (std::uint32_t t = 0; t < 64; ++t) {
      const std::uint32_t place = t % width;
      const std::uint32_t begin = 100 + t - place;
      CHECK(outputs.registers[0][t] == begin + (place >= distance ? place - distance : place));
      CHECK(outputs.registers[1][t] == begin + (place + distance < width ? place + distance : place));
      CHECK(outputs.registers[2][t] == begin + (place ^ distance));
      CHECK(outputs.registers[3][t] == begin + distance);
    }
  }
}

TEST_CASE("lanes that take part may read one another while the others keep what they have") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  LaneValues values(warp_size);
  LaneInputs inputs = values.inputs(2, 1'280);
  for (std::size_t t = 0; t < inputs.threads(); t += 2) {
    inputs.predicates[t + 1] =
        (inputs.predicates[t + 1] & ~1U) | (inputs.predicates[t] & 1U);  // pairs agree in P0
  }
  const std::uint32_t segment = warp_size == 16 ? 0x100f : 0x1f;
  const LaneOutputs outputs = run_lanes(
      fmt::format("MOV R16, R1\n@P0 SHFL.BFLY P3, R16, R0, 0x1, {:#x}\n", segment), inputs, 1, warp_size);
  Row expected = inputs.registers[1];
  for (std::size_t t = 0; t < inputs.threads(); ++t) {
    if (inputs.predicate(0, t)) expected[t] = inputs.registers[0][t ^ 1];
  }
  CHECK(first_difference(outputs.registers[0], expected, inputs) == "");
  Row predicates = inputs.predicates;
  for (std::size_t t = 0; t < inputs.threads(); ++t) predicates[t] |= inputs.predicate(0, t) ? 8U : 0;
  CHECK(first_difference(outputs.predicates, predicates, inputs) == "");  // all that took part were in range
}

std::string fault_with(const std::string& body, unsigned block, unsigned warp_size) {
  GlobalMemory memory;
  return fault_of(
      {".kernel partial\nS2R R0, SR_TID.X\n" + body + "EXIT\n", {1, 1, 1}, {block, 1, 1}, warp_size, {}},
      memory);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_CASE("reading a lane that does not take part is a fault") {
  const std::string guarded =
      fault_with("ISETP.LT.U32.AND P0, PT, R0, 0x8, PT\n@P0 SHFL.DOWN PT, R1, R0, 0x2, 0x1f\n", 32, 32);
  CAPTURE(guarded);
  CHECK(has(guarded, "kernel partial: instruction 2 (@P0 SHFL.DOWN PT, R1, R0, 0x2, 0x1f"));
  CHECK(has(guarded, "block (0,0,0), warp 0"));
  CHECK(has(guarded, "lane 6 reads lane 8"));

  const std::string exited =
      fault_with("ISETP.GE.U32.AND P0, PT, R0, 0x8, PT\n@P0 EXIT\nSHFL.BFLY PT, R1, R0, 0x8, 0x1f\n", 32, 32);
  CHECK(has(exited, "lane 0 reads lane 8"));

  const std::string partial_warp = fault_with("SHFL.IDX PT, R1, R0, 0x14, 0x1f\n", 52, 32);
  CHECK(has(partial_warp, "warp 1: lane 0 reads lane 20"));

  const std::string short_warp = fault_with("SHFL.DOWN PT, R1, R0, 0x1, 0x1f\n", 16, 16);
  CHECK(has(short_warp, "lane 15 reads lane 16"));
}

}  // namespace
}  // namespace heddle::exec
