// Loops that lowering unrolls do what they did.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/ptx_kernel_run.h"

namespace heddle {

namespace {

using test::PtxKernelRun;

constexpr std::uint32_t kMostRounds = 200;
constexpr std::uint32_t kHighest = std::numeric_limits<std::int32_t>::max();
constexpr std::uint32_t kLowest = kHighest + 1;

struct Loop {
  std::string condition;  ///< "lt"
  std::string type;       ///< "s32"
  std::int32_t step = 1;
};

bool holds(const Loop& loop, std::uint32_t counter, std::uint32_t limit) {
  const bool is_less = loop.type == "s32"
                           ? static_cast<std::int32_t>(counter) < static_cast<std::int32_t>(limit)
                           : counter < limit;
  if (loop.condition == "lt") return is_less;
  if (loop.condition == "le") return is_less || counter == limit;
  if (loop.condition == "gt") return !is_less && counter != limit;
  if (loop.condition == "ge") return !is_less;
  return counter != limit;
}

/// How often the loop goes round that tests at its end; nothing if that is too often for a test.
std::optional<std::uint32_t> rounds_of(const Loop& loop, std::uint32_t first, std::uint32_t limit) {
  std::uint32_t counter = first;
  for (std::uint32_t rounds = 1; rounds <= kMostRounds; ++rounds) {
    counter += static_cast<std::uint32_t>(loop.step);
    if (!holds(loop, counter, limit)) return rounds;
  }
  return std::nullopt;
}

/// A sum over the rounds in which each depends on its number, then the counter.
std::uint32_t sum_of(const Loop& loop, std::uint32_t first, std::uint32_t rounds) {
  std::uint32_t sum = 1;
  std::uint32_t counter = first;
  for (std::uint32_t i = 0; i < rounds; ++i) {
    const std::uint32_t term = 3 * counter;
    if (counter % 4 == 1) sum ^= term;
    sum = 5 * sum + term;
    counter += static_cast<std::uint32_t>(loop.step);
  }
  return sum ^ counter;
}

std::string text_of(const Loop& loop, const std::string& first, const std::string& limit) {
  return fmt::format(R"(
  mov.u32 %x1, {};
  mov.u32 %x2, {};
  mov.u32 %x3, 1;
LOOP:
  mul.lo.u32 %x4, %x1, 3;
  and.b32 %x5, %x1, 3;
  setp.eq.u32 %p2, %x5, 1;
  @%p2 xor.b32 %x3, %x3, %x4;
  mad.lo.u32 %x3, %x3, 5, %x4;
  add.u32 %x1, %x1, {};
  setp.{}.{} %p1, %x1, %x2;
  @%p1 bra LOOP;
  xor.b32 %x3, %x3, %x1;
  st.global.b32 [%outa], %x3;)",
                     first, limit, static_cast<std::uint32_t>(loop.step), loop.condition, loop.type);
}

std::vector<Loop> loops() {
  std::vector<Loop> list;
  for (const std::string type : {"s32", "u32"}) {
    for (const std::int32_t step : {1, 2, 3, 4}) {
      for (const std::string condition : {"lt", "le"}) list.push_back({condition, type, step});
      for (const std::string condition : {"gt", "ge"}) list.push_back({condition, type, -step});
    }
  }
  for (const std::int32_t step : {1, -1, 4, -4}) list.push_back({"ne", "s32", step});
  return list;
}

/// Limits around a number, by threads.
std::vector<std::uint32_t> limits_around(std::uint32_t first) {
  std::vector<std::uint32_t> limits;
  for (std::uint32_t i = 0; i < 64; ++i) limits.push_back(first + i - 32);
  return limits;
}

}  // namespace

TEST_CASE("A loop of unknown rounds gives the same unrolled, whatever its condition and where it begins") {
  for (const Loop& loop : loops()) {
    for (const std::uint32_t first : {0U, 100U, kHighest - 20, kLowest + 20, kHighest, kLowest, 0U - 20}) {
      const std::vector<std::uint32_t> limits = limits_around(first);
      std::vector<std::uint32_t> input = limits;
      std::vector<std::optional<std::uint32_t>> rounds;
      for (std::size_t i = 0; i < input.size(); ++i) {
        rounds.push_back(rounds_of(loop, first, limits[i]));
        // What would go round too often gets the limit of one that does not.
        if (!rounds[i]) input[i] = first + static_cast<std::uint32_t>(loop.step);
      }
      CAPTURE(loop.condition, loop.type, loop.step, first);
      // The counter begins with what only the program knows.
      PtxKernelRun run{fmt::format("shr.u32 %x6, %t, 16; add.u32 %x6, %x6, {};\n{}", first,
                                   text_of(loop, "%x6", "%a"))};
      const std::vector<std::uint32_t> output = run_ptx_kernel(run, input, input.size());
      for (std::size_t i = 0; i < input.size(); ++i) {
        if (!rounds[i]) continue;
        CAPTURE(i, limits[i], *rounds[i]);
        CHECK(output[i] == sum_of(loop, first, *rounds[i]));
      }
    }
  }
}

TEST_CASE("A loop of known rounds gives the same unrolled, wholly or by a factor") {
  for (const Loop& loop : loops()) {
    const bool is_upward = loop.step > 0;
    for (const std::uint32_t distance : {0U, 1U, 3U, 4U, 16U, 60U, 100U, 128U, 180U}) {
      const std::uint32_t first = 1000;
      const std::uint32_t limit = is_upward ? first + distance : first - distance;
      const auto rounds = rounds_of(loop, first, limit);
      if (!rounds) continue;
      CAPTURE(loop.condition, loop.type, loop.step, distance, *rounds);
      PtxKernelRun run{text_of(loop, fmt::to_string(first), fmt::to_string(limit))};
      const std::vector<std::uint32_t> output = run_ptx_kernel(run, std::vector<std::uint32_t>(64), 64);
      CHECK(output == std::vector<std::uint32_t>(64, sum_of(loop, first, *rounds)));
    }
  }
}

TEST_CASE("Loads of an unrolled loop have offsets, and its pointer advances once for all") {
  const std::string text = R"(
  mov.u64 %y1, %in;
  mov.u32 %x1, 0;
  mov.u32 %x3, 0;
LOOP:
  ld.global.b32 %x4, [%y1];
  ld.global.b32 %x5, [%y1+4];
  mad.lo.u32 %x3, %x3, 3, %x4;
  add.s64 %y1, %y1, 8;
  ld.global.b32 %x6, [%y1-4];
  add.u32 %x3, %x3, %x6;
  xor.b32 %x3, %x3, %x5;
  add.u32 %x1, %x1, 1;
  setp.ne.u32 %p1, %x1, 32;
  @%p1 bra LOOP;
  st.global.b32 [%outa], %x3;
  cvt.u32.u64 %x7, %y1;
  cvt.u32.u64 %x8, %in;
  sub.u32 %x7, %x7, %x8;
  setp.eq.u32 %p2, %t, 0;
  @%p2 st.global.b32 [%outa], %x7;)";
  std::vector<std::uint32_t> input;
  for (std::uint32_t i = 0; i < 64; ++i) input.push_back(i * 2654435761U);
  std::uint32_t sum = 0;
  for (std::uint32_t i = 0; i < 32; ++i) sum = ((3 * sum + input[2 * i]) + input[2 * i + 1]) ^ input[2 * i + 1];
  const std::vector<std::uint32_t> output = test::run_ptx_kernel({text}, input, 64);
  CHECK(output[0] == 256);
  CHECK(output[1] == sum);
  CHECK(output[63] == sum);
  const ir::Kernel kernel = test::lower_statements({text});
  const auto is_branch = [](const ir::Instruction& one) { return one.opcode == ir::Opcode::Bra; };
  CHECK(std::ranges::count_if(kernel.instructions, is_branch) == 0);
}

TEST_CASE("A loop stays as it is where a pragma says so, and where lanes exchange values") {
  const auto loads_of = [](const std::string& more) {
    const ir::Kernel kernel = test::lower_statements({fmt::format(R"(
  mov.u32 %x1, 0;
  mov.u32 %x3, 0;
LOOP:
  {}
  ld.volatile.global.b32 %x4, [%in];
  add.u32 %x3, %x3, %x4;
  add.u32 %x1, %x1, 1;
  setp.ne.u32 %p1, %x1, 32;
  @%p1 bra LOOP;
  st.global.b32 [%outa], %x3;)",
                                                                  more)});
    return std::ranges::count_if(kernel.instructions,
                                 [](const ir::Instruction& one) { return one.opcode == ir::Opcode::Ldg; });
  };
  // One load is of the kernel's own input, which nobody uses here and is not there.
  CHECK(loads_of("") == 32);
  CHECK(loads_of(".pragma \"nounroll\";") == 1);
  CHECK(loads_of("shfl.sync.bfly.b32 %x3, %x3, 1, 31, -1;") == 1);
}

TEST_CASE("A pragma of a function goes with its loop to where the function is inlined") {
  test::PtxKernelRun run{R"(
  mov.u32 %x9, 7;
  { .param .b64 p; .param .b32 r; st.param.b64 [p], %in; call.uni (r), sum, (p); ld.param.b32 %x1, [r]; }
  mul.lo.u32 %x9, %x9, %x1;
  { .param .b64 p; .param .b32 r; st.param.b64 [p], %in; call.uni (r), sum, (p); ld.param.b32 %x2, [r]; }
  mul.lo.u32 %x9, %x9, %x2;
  xor.b32 %x9, %x9, %x1;
  st.global.b32 [%outa], %x9;)"};
  run.functions = R"(
.func (.param .b32 result) sum (.param .b64 of)
{
  .reg .b32 %r<4>;
  .reg .b64 %l<2>;
  .reg .pred %p;
  ld.param.b64 %l1, [of];
  mov.u32 %r1, 0;
  mov.u32 %r2, 0;
AGAIN:
  .pragma "nounroll";
  ld.volatile.global.b32 %r3, [%l1];
  add.u32 %r2, %r2, %r3;
  add.u32 %r1, %r1, 1;
  setp.ne.u32 %p, %r1, 32;
  @%p bra AGAIN;
  st.param.b32 [result], %r2;
  ret;
}
)";
  const ir::Kernel kernel = test::lower_statements(run);
  CHECK(std::ranges::count_if(kernel.instructions, [](const ir::Instruction& one) {
          return one.opcode == ir::Opcode::Ldg;
        }) == 2);
}

}  // namespace heddle
