// Shuffles, votes, matches and reductions of PTX, against the PTX ISA's text.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>

#include "tests/support/catch.h"
#include "tests/support/lane_values.h"
#include "tests/support/ptx_kernel_run.h"
#include "tests/support/seed.h"

namespace heddle::lower {
namespace {

using namespace heddle::test;
using U32 = std::uint32_t;
using Words = std::vector<U32>;

constexpr unsigned kThreads = 64;

exec::Divergence any_divergence() { return GENERATE(exec::Divergence::Stack, exec::Divergence::Barriers); }

Words random_words(LaneValues& values, std::size_t count) {
  Words words(count);
  for (U32& word : words) word = values.one_in(2) ? values.below(4) : values.word();
  return words;
}

// -- shuffles -----------------------------------------------------------------------------------------------

struct Shuffled {
  unsigned source;
  bool in_range;
};

/// The pseudocode of shfl.sync.
Shuffled shuffle(const std::string& mode, unsigned lane, U32 b, U32 c) {
  const int bval = static_cast<int>(b & 0x1f);
  const unsigned cval = c & 0x1f;
  const unsigned segmask = c >> 8 & 0x1f;
  const int max_lane = static_cast<int>((lane & segmask) | (cval & ~segmask));
  const int min_lane = static_cast<int>(lane & segmask);
  int j = 0;
  bool in_range = false;
  if (mode == "up") {
    j = static_cast<int>(lane) - bval;
    in_range = j >= max_lane;
  } else if (mode == "down") {
    j = static_cast<int>(lane) + bval;
    in_range = j <= max_lane;
  } else if (mode == "bfly") {
    j = static_cast<int>(lane) ^ bval;
    in_range = j <= max_lane;
  } else {
    j = min_lane | (bval & ~static_cast<int>(segmask));
    in_range = j <= max_lane;
  }
  return {in_range ? static_cast<unsigned>(j) : lane, in_range};
}

TEST_CASE("shfl.sync reads the lane that the PTX ISA says") {
  const std::string mode = GENERATE("up", "down", "bfly", "idx");
  const unsigned width = GENERATE(1U, 2U, 4U, 8U, 16U, 32U);
  const exec::Divergence divergence = any_divergence();
  const std::uint32_t seed = drawn_seed();
  CAPTURE(mode, width, seed);
  LaneValues values(seed);
  const U32 c = (32 - width) << 8 | (mode == "up" ? 0U : 0x1fU);
  Words input(3 * kThreads);
  for (unsigned t = 0; t < kThreads; ++t) {
    input[t] = values.word();
    input[kThreads + t] = values.one_in(4) ? values.any_bits() : values.below(width + 1);
  }
  // The lane as a register, and as a number; c likewise.
  const std::string text = fmt::format(R"(
    ld.global.b32 %x0, [%ina+{0}];
    shfl.sync.{1}.b32 %x1|%p1, %a, %x0, {2}, -1;
    selp.b32 %x2, 1, 0, %p1;
    mov.b32 %x3, {2};
    shfl.sync.{1}.b32 %x4, %a, 3, %x3, 0xffffffff;
    st.global.b32 [%outa], %x1;
    st.global.b32 [%outa+{0}], %x2;
    st.global.b32 [%outa+{3}], %x4;
  )",
                                       4 * kThreads, mode, c, 8 * kThreads);
  const Words found = run_ptx_kernel({text, 80, divergence}, input, std::size_t{3} * kThreads);
  for (unsigned t = 0; t < kThreads; ++t) {
    CAPTURE(t);
    const Shuffled by_register = shuffle(mode, t % 32, input[kThreads + t], c);
    const Shuffled by_number = shuffle(mode, t % 32, 3, c);
    REQUIRE(found[t] == input[t / 32 * 32 + by_register.source]);
    REQUIRE(found[kThreads + t] == (by_register.in_range ? 1 : 0));
    REQUIRE(found[2 * kThreads + t] == input[t / 32 * 32 + by_number.source]);
  }
}

TEST_CASE("shuffles take numbers without a register for them") {
  const ir::Kernel kernel = lower_statements(
      {"shfl.sync.down.b32 %x0, %a, 16, 31, -1; shfl.sync.bfly.b32 %x1, %x0, 1, 0x1f, -1; st.global.b32 [%outa], %x1;"});
  const auto moves =
      std::count_if(kernel.instructions.begin(), kernel.instructions.end(), [](const auto& one) {
        const ir::Operand& from = one.operands[1];
        return one.opcode == ir::Opcode::Mov && from.kind == ir::Operand::Kind::Immediate && from.value != 4;
      });
  CHECK(moves == 0);  // but the four of addresses
  const auto gathers =
      std::count_if(kernel.instructions.begin(), kernel.instructions.end(), [](const auto& one) {
        return one.opcode == ir::Opcode::Warpsync || one.opcode == ir::Opcode::WarpsyncAll;
      });
  CHECK(gathers == 0);  // nothing has parted the lanes
}

// -- groups -------------------------------------------------------------------------------------------------

/// For each lane the mask of its group: random ones, or all lanes.
Words random_groups(LaneValues& values, bool is_whole) {
  Words masks(kThreads, 0xffffffffU);
  if (is_whole) return masks;
  for (unsigned first = 0; first < kThreads; first += 32) {
    const unsigned groups = 1 + values.below(5);
    std::vector<U32> of_group(groups);
    std::vector<unsigned> group_of(32);
    for (unsigned lane = 0; lane < 32; ++lane) {
      group_of[lane] = values.below(groups);
      of_group[group_of[lane]] |= 1U << lane;
    }
    for (unsigned lane = 0; lane < 32; ++lane) masks[first + lane] = of_group[group_of[lane]];
  }
  return masks;
}

/// Visits the threads of the group of one.
template <typename Visit>
void each_member(const Words& masks, unsigned thread, Visit visit) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((masks[thread] >> lane & 1) != 0) visit(thread / 32 * 32 + lane, lane);
  }
}

/// Input: words, second words, masks. Groups whose masks differ are together in a warp.
struct GroupRun {
  Words a;
  Words b;
  Words masks;

  [[nodiscard]] Words input() const {
    Words all = a;
    all.insert(all.end(), b.begin(), b.end());
    all.insert(all.end(), masks.begin(), masks.end());
    return all;
  }
};

constexpr const char* kLoadGroups = "ld.global.b32 %x0, [%ina+256]; ld.global.b32 %x1, [%ina+512];\n";

GroupRun random_run(LaneValues& values, bool is_whole) {
  GroupRun run{random_words(values, kThreads), random_words(values, kThreads),
               random_groups(values, is_whole)};
  // In some groups all agree.
  for (unsigned t = 0; t < kThreads; ++t) {
    if (!values.one_in(3)) continue;
    each_member(run.masks, t, [&](unsigned other, unsigned) {
      run.a[other] = run.a[t];
      run.b[other] = run.b[t];
    });
  }
  return run;
}

/// What the statements leave in %x10 of each thread, with the mask as a register and, for whole warps, as a
/// number.
void check_groups(const std::string& statements,
                  const std::function<U32(const GroupRun&, unsigned)>& expected) {
  const bool is_whole = GENERATE(true, false);
  const bool is_number = is_whole && GENERATE(true, false);
  const exec::Divergence divergence = any_divergence();
  const std::uint32_t seed = drawn_seed();
  CAPTURE(statements, is_whole, is_number, seed);
  LaneValues values(seed);
  const std::string with_mask =
      fmt::format(fmt::runtime(statements), fmt::arg("m", is_number ? "-1" : "%x1"));
  for (unsigned round = 0; round < 6; ++round) {
    const GroupRun run = random_run(values, is_whole);
    const Words found = run_ptx_kernel(
        {kLoadGroups + with_mask + "\nst.global.b32 [%outa], %x10;", 80, divergence}, run.input(), kThreads);
    for (unsigned t = 0; t < kThreads; ++t) {
      CAPTURE(round, t, run.masks[t]);
      REQUIRE(found[t] == expected(run, t));
    }
  }
}

constexpr const char* kCondition = "and.b32 %x2, %a, 1; setp.ne.u32 %p0, %x2, 0;\n";
constexpr const char* kAnswer = "selp.b32 %x10, 1, 0, %p1;";

struct Ballot {
  U32 holds = 0;
  U32 members = 0;
};

Ballot ballot(const GroupRun& run, unsigned t) {
  Ballot result;
  each_member(run.masks, t, [&](unsigned other, unsigned lane) {
    result.members |= 1U << lane;
    if ((run.a[other] & 1) != 0) result.holds |= 1U << lane;
  });
  return result;
}

TEST_CASE("vote.sync counts the members of the mask") {
  SECTION("ballot") {
    check_groups(std::string(kCondition) + "vote.sync.ballot.b32 %x10, %p0, {m};",
                 [](const GroupRun& run, unsigned t) { return ballot(run, t).holds; });
  }
  SECTION("negated ballot") {
    check_groups(
        std::string(kCondition) + "vote.sync.ballot.b32 %x10, !%p0, {m};",
        [](const GroupRun& run, unsigned t) { return ballot(run, t).holds ^ ballot(run, t).members; });
  }
  SECTION("any") {
    check_groups(std::string(kCondition) + "vote.sync.any.pred %p1, %p0, {m};" + kAnswer,
                 [](const GroupRun& run, unsigned t) { return ballot(run, t).holds != 0 ? 1U : 0U; });
  }
  SECTION("all") {
    check_groups(std::string(kCondition) + "vote.sync.all.pred %p1, %p0, {m};" + kAnswer,
                 [](const GroupRun& run, unsigned t) {
                   return ballot(run, t).holds == ballot(run, t).members ? 1U : 0U;
                 });
  }
  SECTION("uni") {
    check_groups(std::string(kCondition) + "vote.sync.uni.pred %p1, %p0, {m};" + kAnswer,
                 [](const GroupRun& run, unsigned t) {
                   const Ballot result = ballot(run, t);
                   return result.holds == result.members || result.holds == 0 ? 1U : 0U;
                 });
  }
}

U32 equal_members(const GroupRun& run, unsigned t, bool is_wide) {
  U32 equal = 0;
  each_member(run.masks, t, [&](unsigned other, unsigned lane) {
    if (run.a[other] == run.a[t] && (!is_wide || run.b[other] == run.b[t])) equal |= 1U << lane;
  });
  return equal;
}

TEST_CASE("match.sync finds the members of the mask that have the same value") {
  const bool is_wide = GENERATE(false, true);
  const std::string type = is_wide ? "b64" : "b32";
  const std::string value = is_wide ? "%y0" : "%a";
  const std::string pack = is_wide ? "mov.b64 %y0, {{%a, %x0}};" : "";
  SECTION("any") {
    check_groups(pack + "match.any.sync." + type + " %x10, " + value + ", {m};",
                 [&](const GroupRun& run, unsigned t) { return equal_members(run, t, is_wide); });
  }
  SECTION("all, the mask") {
    check_groups(pack + "match.all.sync." + type + " %x10, " + value + ", {m};",
                 [&](const GroupRun& run, unsigned t) {
                   return equal_members(run, t, is_wide) == run.masks[t] ? run.masks[t] : 0U;
                 });
  }
  SECTION("all, the predicate") {
    check_groups(pack + "match.all.sync." + type + " %x3|%p1, " + value + ", {m};" + kAnswer,
                 [&](const GroupRun& run, unsigned t) {
                   return equal_members(run, t, is_wide) == run.masks[t] ? 1U : 0U;
                 });
  }
}

struct Reduction {
  const char* form;
  std::function<U32(U32, U32)> combine;
};

TEST_CASE("redux.sync combines the members of the mask") {
  const auto as_signed = [](U32 word) { return static_cast<std::int32_t>(word); };
  const Reduction reductions[] = {
      {"add.u32", [](U32 x, U32 y) { return x + y; }},
      {"add.s32", [](U32 x, U32 y) { return x + y; }},
      {"min.u32", [](U32 x, U32 y) { return std::min(x, y); }},
      {"max.u32", [](U32 x, U32 y) { return std::max(x, y); }},
      {"min.s32", [&](U32 x, U32 y) { return as_signed(x) < as_signed(y) ? x : y; }},
      {"max.s32", [&](U32 x, U32 y) { return as_signed(x) < as_signed(y) ? y : x; }},
      {"and.b32", [](U32 x, U32 y) { return x & y; }},
      {"or.b32", [](U32 x, U32 y) { return x | y; }},
      {"xor.b32", [](U32 x, U32 y) { return x ^ y; }},
  };
  for (const Reduction& reduction : reductions) {
    DYNAMIC_SECTION(reduction.form) {
      check_groups(fmt::format("redux.sync.{} %x10, %a, {{m}};", reduction.form),
                   [&](const GroupRun& run, unsigned t) {
                     bool is_first = true;
                     U32 total = 0;
                     each_member(run.masks, t, [&](unsigned other, unsigned) {
                       total = is_first ? run.a[other] : reduction.combine(total, run.a[other]);
                       is_first = false;
                     });
                     return total;
                   });
    }
  }
}

TEST_CASE("redux.sync under a guard leaves the other lanes alone") {
  // The odd lanes, in two groups: one of those below 16, one of the others.
  const std::string text = R"(
    and.b32 %x0, %lane, 1;
    setp.ne.u32 %p0, %x0, 0;
    setp.lt.u32 %p1, %lane, 16;
    selp.b32 %x1, 0x0000aaaa, 0xaaaa0000, %p1;
    mov.b32 %x10, 5;
    @%p0 redux.sync.add.u32 %x10, %a, %x1;
    st.global.b32 [%outa], %x10;
  )";
  const std::uint32_t seed = drawn_seed();
  CAPTURE(seed);
  LaneValues values(seed);
  const Words input = random_words(values, kThreads);
  const Words found = run_ptx_kernel({text}, input, kThreads);
  for (unsigned t = 0; t < kThreads; ++t) {
    U32 sum = 0;
    for (unsigned i = 1; i < 16; i += 2) sum += input[t / 16 * 16 + i];
    REQUIRE(found[t] == (t % 2 == 0 ? 5 : sum));
  }
}

TEST_CASE("elect.sync chooses one member of the mask") {
  SECTION("who it is") {
    check_groups("elect.sync %x10|%p1, {m};", [](const GroupRun& run, unsigned t) {
      return static_cast<U32>(std::countr_zero(run.masks[t]));
    });
  }
  SECTION("who knows it") {
    check_groups(std::string("elect.sync _|%p1, {m};") + kAnswer, [](const GroupRun& run, unsigned t) {
      return static_cast<unsigned>(std::countr_zero(run.masks[t])) == t % 32 ? 1U : 0U;
    });
  }
}

// -- lanes that are apart -----------------------------------------------------------------------------------

TEST_CASE("lanes that have gone different ways are gathered by the mask") {
  // The lower half of the quads comes late; then all lanes of a group meet in the other arm of a branch.
  const std::string text = R"(
    and.b32 %x0, %lane, 2;
    setp.ne.u32 %p0, %x0, 0;
    mov.b32 %x5, 0;
    @%p0 bra other;
    and.b32 %x1, %lane, 1;
    setp.ne.u32 %p1, %x1, 0;
    @%p1 bra late;
    add.u32 %a, %a, 1;
    bra meet;
  late:
    add.u32 %a, %a, 2;
    bra meet;
  meet:
    redux.sync.add.u32 %x5, %a, 0x33333333;
    bra done;
  other:
    activemask.b32 %x6;
    shfl.sync.bfly.b32 %x5, %a, 1, 31, 0xcccccccc;
  done:
    vote.sync.ballot.b32 %x7, %p0, -1;
    st.global.b32 [%outa], %x5;
    st.global.b32 [%outa+256], %x7;
  )";
  const std::uint32_t seed = drawn_seed();
  CAPTURE(seed);
  LaneValues values(seed);
  const Words input = random_words(values, kThreads);
  const Words found = run_ptx_kernel({text}, input, std::size_t{2} * kThreads);
  for (unsigned t = 0; t < kThreads; ++t) {
    CAPTURE(t);
    U32 sum = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if ((lane & 2) == 0) sum += input[t / 32 * 32 + lane] + 1 + (lane & 1);
    }
    REQUIRE(found[t] == ((t & 2) == 0 ? sum : input[t ^ 1]));
    REQUIRE(found[kThreads + t] == 0xccccccccU);
  }
}

TEST_CASE("activemask and old forms without .sync see the lanes that execute") {
  const std::string text = R"(
    and.b32 %x0, %a, 1;
    setp.ne.u32 %p0, %x0, 0;
    mov.b32 %x1, 0;
    @%p0 activemask.b32 %x1;
    vote.ballot.b32 %x2, %p0;
    shfl.up.b32 %x3, %a, 1, 0;
    bar.warp.sync 0xffffffff;
    st.global.b32 [%outa], %x1;
    st.global.b32 [%outa+256], %x2;
    st.global.b32 [%outa+512], %x3;
  )";
  LaneValues values(7);
  const Words input = random_words(values, kThreads);
  const Words found = run_ptx_kernel({text}, input, std::size_t{3} * kThreads);
  for (unsigned t = 0; t < kThreads; ++t) {
    U32 odd = 0;
    for (unsigned lane = 0; lane < 32; ++lane) odd |= (input[t / 32 * 32 + lane] & 1) << lane;
    CHECK(found[t] == ((input[t] & 1) != 0 ? odd : 0));
    CHECK(found[kThreads + t] == odd);
    CHECK(found[2 * kThreads + t] == input[t % 32 == 0 ? t : t - 1]);
  }
}

}  // namespace
}  // namespace heddle::lower
