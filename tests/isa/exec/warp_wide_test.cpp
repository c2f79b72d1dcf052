// Votes, matches, reductions and lane masks: instructions that look at other lanes, as far as they execute.
#include <fmt/format.h>

#include <algorithm>

#include "tests/support/catch.h"
#include "tests/support/lane_harness.h"
#include "tests/support/lane_values.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

constexpr std::size_t kThreads = 10'240;

/// The threads that execute together with one another: a group of at most 32, as far as P3 holds.
struct Group {
  std::size_t first;
  std::vector<std::size_t> members;

  [[nodiscard]] U32 bit(std::size_t thread) const { return 1U << (thread - first); }
  template <typename Predicate>
  [[nodiscard]] U32 mask(Predicate holds) const {
    U32 lanes = 0;
    for (const std::size_t t : members) lanes |= holds(t) ? bit(t) : 0;
    return lanes;
  }
};

std::vector<Group> groups_of(const LaneInputs& inputs, unsigned warp_size, bool guarded) {
  const std::size_t size = std::min(warp_size, 32U);
  std::vector<Group> groups;
  for (std::size_t first = 0; first < inputs.threads(); first += size) {
    groups.push_back({first, {}});
    for (std::size_t t = first; t < first + size; ++t) {
      if (!guarded || inputs.predicate(3, t)) groups.back().members.push_back(t);
    }
  }
  return groups;
}

/// In a third of the warps all agree, in a third few do.
LaneInputs agreeing_inputs(LaneValues& values) {
  LaneInputs inputs = values.inputs(3, kThreads);
  for (std::size_t first = 0; first < kThreads; first += 16) {
    const unsigned kind = values.below(3);
    for (std::size_t t = first; t < first + 16; ++t) {
      if (kind == 0) inputs.predicates[t] = inputs.predicates[first];
      if (kind == 1) inputs.predicates[t] |= 1;
      if (kind == 2 && !values.one_in(16)) inputs.predicates[t] &= ~1U;
      if (kind != 1) inputs.registers[0][t] = kind == 0 ? inputs.registers[0][0] : values.below(4);
      if (kind != 2 || values.one_in(2)) inputs.registers[1][t] = inputs.registers[1][first];
    }
    for (std::size_t t = first; t < first + 16; ++t) inputs.predicates[t] |= values.one_in(8) ? 0U : 8U;
  }
  return inputs;
}

TEST_CASE("VOTE counts the lanes that execute it") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const bool guarded = GENERATE(false, true);
  CAPTURE(warp_size, guarded);
  LaneValues values(0x607e + warp_size);
  const LaneInputs inputs = agreeing_inputs(values);
  const std::string on = guarded ? "@P3 " : "";
  std::string body = "MOV R16, R2\nMOV R17, R2\n";
  body += on + "VOTE.ALL P4, P0\n" + on + "VOTE.ANY R16, P5, P0\n" + on + "VOTE.EQ P6, !P0\n" + on +
          "VOTE.ANY R17, PT, PT\n";
  const LaneOutputs outputs = run_lanes(body, inputs, 2, warp_size);
  Row ballot = inputs.registers[2];
  Row active = inputs.registers[2];
  Row predicates = inputs.predicates;
  for (const Group& group : groups_of(inputs, warp_size, guarded)) {
    const U32 holds = group.mask([&](std::size_t t) { return inputs.predicate(0, t); });
    const U32 all = group.mask([](std::size_t) { return true; });
    const U32 results = (holds == all ? 0x10U : 0) | (holds != 0 ? 0x20U : 0) | (holds == all || holds == 0 ? 0x40U : 0);
    for (const std::size_t t : group.members) {
      ballot[t] = holds;
      active[t] = all;
      predicates[t] = (predicates[t] & 0xfU) | results;
    }
  }
  CHECK(first_difference(outputs.registers[0], ballot, inputs) == "");
  CHECK(first_difference(outputs.registers[1], active, inputs) == "");
  CHECK(first_difference(outputs.predicates, predicates, inputs) == "");
}

TEST_CASE("MATCH finds the lanes with the same value, or says whether all have one") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const bool guarded = GENERATE(false, true);
  CAPTURE(warp_size, guarded);
  LaneValues values(0x3a7c + warp_size);
  const LaneInputs inputs = agreeing_inputs(values);
  const std::string on = guarded ? "@P3 " : "";
  std::string body;
  for (unsigned i = 0; i < 4; ++i) body += fmt::format("MOV {}, R2\n", result_register(i));
  body += on + "MATCH.ANY R16, R0\n" + on + "MATCH.ANY.U64 R17, R0\n" + on + "MATCH.ALL P5, R18, R0\n" + on +
          "MATCH.ALL.U64 P6, R19, R0\n";
  const LaneOutputs outputs = run_lanes(body, inputs, 4, warp_size);
  std::vector<Row> expected(4, inputs.registers[2]);
  Row predicates = inputs.predicates;
  const auto low = [&](std::size_t t) { return U64{inputs.registers[0][t]}; };
  const auto both = [&](std::size_t t) { return U64{inputs.registers[1][t]} << 32 | inputs.registers[0][t]; };
  for (const Group& group : groups_of(inputs, warp_size, guarded)) {
    const U32 all = group.mask([](std::size_t) { return true; });
    for (const std::size_t t : group.members) {
      const U32 same = group.mask([&](std::size_t other) { return low(other) == low(t); });
      const U32 same_pair = group.mask([&](std::size_t other) { return both(other) == both(t); });
      expected[0][t] = same;
      expected[1][t] = same_pair;
      expected[2][t] = same == all ? all : 0;
      expected[3][t] = same_pair == all ? all : 0;
      predicates[t] = (predicates[t] & 0x1fU) | (same == all ? 0x20U : 0) | (same_pair == all ? 0x40U : 0);
    }
  }
  for (unsigned i = 0; i < 4; ++i) {
    CAPTURE(i);
    CHECK(first_difference(outputs.registers[i], expected[i], inputs) == "");
  }
  CHECK(first_difference(outputs.predicates, predicates, inputs) == "");
}

struct Reduction {
  const char* mnemonic;
  U32 (*fold)(U32, U32);
};

constexpr Reduction kReductions[] = {
    {"REDUX", [](U32 a, U32 b) { return a & b; }},
    {"REDUX.OR", [](U32 a, U32 b) { return a | b; }},
    {"REDUX.XOR", [](U32 a, U32 b) { return a ^ b; }},
    {"REDUX.SUM", [](U32 a, U32 b) { return a + b; }},
    {"REDUX.SUM.S32", [](U32 a, U32 b) { return a + b; }},
    {"REDUX.MIN", [](U32 a, U32 b) { return std::min(a, b); }},
    {"REDUX.MAX", [](U32 a, U32 b) { return std::max(a, b); }},
    {"REDUX.MIN.S32",
     [](U32 a, U32 b) { return static_cast<U32>(std::min(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b))); }},
    {"REDUX.MAX.S32",
     [](U32 a, U32 b) { return static_cast<U32>(std::max(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b))); }},
};

TEST_CASE("REDUX makes one value of those of all lanes that execute it") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const bool guarded = GENERATE(false, true);
  CAPTURE(warp_size, guarded);
  LaneValues values(0x4ed + warp_size);
  const LaneInputs inputs = values.inputs(2, kThreads);
  std::string body;
  unsigned count = 0;
  for (const Reduction& reduction : kReductions) {
    const std::string out = result_register(count++);
    body += fmt::format("MOV {1}, R1\n{0}{2} {1}, R0\n", guarded ? "@P3 " : "", out, reduction.mnemonic);
  }
  const LaneOutputs outputs = run_lanes(body, inputs, count, warp_size);
  for (unsigned i = 0; i < count; ++i) {
    Row expected = inputs.registers[1];
    for (const Group& group : groups_of(inputs, warp_size, guarded)) {
      if (group.members.empty()) continue;
      U32 total = inputs.registers[0][group.members[0]];
      for (std::size_t m = 1; m < group.members.size(); ++m) {
        total = kReductions[i].fold(total, inputs.registers[0][group.members[m]]);
      }
      for (const std::size_t t : group.members) expected[t] = total;
    }
    CAPTURE(kReductions[i].mnemonic);
    CHECK(first_difference(outputs.registers[i], expected, inputs) == "");
  }
}

TEST_CASE("the lane mask registers name the lanes on one side of a lane") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  LaneValues values(1);
  const LaneInputs inputs = values.inputs(1, 256);
  const LaneOutputs outputs = run_lanes(
      "S2R R16, SR_EQMASK\nS2R R17, SR_LTMASK\nS2R R18, SR_LEMASK\nS2R R19, SR_GTMASK\nS2R R20, SR_GEMASK\n", inputs, 5,
      warp_size);
  for (std::size_t t = 0; t < 256; ++t) {
    const std::size_t lane = t % std::min(warp_size, 32U);
    U32 expected[5] = {};
    for (std::size_t other = 0; other < 32; ++other) {
      const bool holds[5] = {other == lane, other < lane, other <= lane, other > lane, other >= lane};
      for (unsigned i = 0; i < 5; ++i) expected[i] |= holds[i] ? 1U << other : 0;
    }
    for (unsigned i = 0; i < 5; ++i) CHECK(outputs.registers[i][t] == expected[i]);
  }
}

}  // namespace
}  // namespace heddle::exec
