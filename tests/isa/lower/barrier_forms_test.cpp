// Barriers of the block and asynchronous copies in PTX, against the PTX ISA's text.
#include <fmt/format.h>

#include <algorithm>

#include "isa/base/diagnostic.h"
#include "tests/support/catch.h"
#include "tests/support/lane_values.h"
#include "tests/support/ptx_kernel_run.h"
#include "tests/support/seed.h"

namespace heddle::lower {
namespace {

using namespace heddle::test;
using U32 = std::uint32_t;
using Words = std::vector<U32>;

constexpr unsigned kThreads = 128;

Words random_words(LaneValues& values, std::size_t count) {
  Words words(count);
  for (U32& word : words) word = values.any_bits();
  return words;
}

TEST_CASE("bar.sync lets a block exchange data") {
  const std::string barrier =
      GENERATE("bar.sync 0;", "barrier.sync 3;", "barrier.sync.aligned 15;", "bar.sync 1, 128;",
               "mov.u32 %x8, 5; bar.sync %x8;", "mov.u32 %x8, 5; mov.u32 %x9, 128; barrier.sync %x8, %x9;",
               "bar.cta.sync 0;");
  const unsigned capability = GENERATE(70U, 80U, 100U);
  const std::string text = fmt::format(R"(
    mov.u32 %x0, words;
    mad.lo.u32 %x1, %t, 4, %x0;
    st.shared.b32 [%x1], %a;
    {}
    mov.u32 %x2, 127;
    sub.u32 %x2, %x2, %t;
    mad.lo.u32 %x3, %x2, 4, %x0;
    ld.shared.b32 %x4, [%x3];
    st.global.b32 [%outa], %x4;
  )",
                                       barrier);
  LaneValues values(3);
  const Words input = random_words(values, kThreads);
  const Words found =
      run_ptx_kernel({text, capability, exec::Divergence::Barriers, kThreads}, input, kThreads);
  for (unsigned t = 0; t < kThreads; ++t) REQUIRE(found[t] == input[kThreads - 1 - t]);
}

TEST_CASE("bar.arrive and bar.sync pair producers with consumers") {
  // Warps 0 and 1 produce for warps 2 and 3.
  const std::string text = R"(
    mov.u32 %x0, words;
    mad.lo.u32 %x1, %t, 4, %x0;
    setp.lt.u32 %p0, %t, 64;
    @!%p0 bra consume;
    st.shared.b32 [%x1], %a;
    bar.arrive 1, 128;
    bra done;
  consume:
    bar.sync 1, 128;
    ld.shared.b32 %x4, [%x1+-256];
    st.global.b32 [%outa], %x4;
  done:
  )";
  LaneValues values(4);
  const Words input = random_words(values, kThreads);
  const Words found = run_ptx_kernel({text, 80, exec::Divergence::Barriers, kThreads}, input, kThreads);
  for (unsigned t = 0; t < kThreads; ++t) REQUIRE(found[t] == (t < 64 ? 0 : input[t - 64]));
}

TEST_CASE("bar.red tells all threads about a predicate") {
  const unsigned kind = GENERATE(0U, 1U, 2U);  // none, some, all
  const std::string barrier = GENERATE("0", "2, 128");
  const bool is_negated = GENERATE(false, true);
  const std::string text = fmt::format(R"(
    setp.ne.u32 %p0, %a, 0;
    bar.red.popc.u32 %x0, {0}, {1}%p0;
    bar.red.and.pred %p1, {0}, {1}%p0;
    barrier.red.or.pred %p2, {0}, {1}%p0;
    selp.b32 %x1, 1, 0, %p1;
    selp.b32 %x2, 1, 0, %p2;
    st.global.b32 [%outa], %x0;
    st.global.b32 [%outa+512], %x1;
    st.global.b32 [%outa+1024], %x2;
  )",
                                       barrier, is_negated ? "!" : "");
  Words input(kThreads);
  for (unsigned t = 0; t < kThreads; ++t) input[t] = kind == 2 || (kind == 1 && t % 5 == 0) ? 1 : 0;
  const auto ones = static_cast<U32>(std::count(input.begin(), input.end(), 1));
  const U32 holds = is_negated ? kThreads - ones : ones;
  const Words found = run_ptx_kernel({text, 80, exec::Divergence::Barriers, kThreads}, input, 3 * kThreads);
  for (unsigned t = 0; t < kThreads; ++t) {
    REQUIRE(found[t] == holds);
    REQUIRE(found[kThreads + t] == (holds == kThreads ? 1 : 0));
    REQUIRE(found[2 * kThreads + t] == (holds != 0 ? 1 : 0));
  }
}

TEST_CASE("a kernel has as many barriers as it names") {
  CHECK(lower_statements({"bar.sync 0;"}).barriers == 1);
  CHECK(lower_statements({"bar.sync 0; bar.sync 6;"}).barriers == 7);
  CHECK(lower_statements({"bar.sync %a;"}).barriers == 16);
  CHECK(lower_statements({"membar.cta;"}).barriers == 0);
  CHECK_THROWS_AS(lower_statements({"bar.sync 16;"}), InputError);
}

// -- asynchronous copies ------------------------------------------------------------------------------------

TEST_CASE("cp.async copies while the warp goes on") {
  struct Form {
    const char* words;
    unsigned bytes;
  };
  const Form form = GENERATE(Form{"ca.shared.global", 4}, Form{"ca.shared.global", 8},
                             Form{"ca.shared.global", 16}, Form{"cg.shared.global", 16},
                             Form{"cg.shared.global.L2::128B", 16}, Form{"ca.shared::cta.global.L2::64B", 8});
  const std::string wait = GENERATE("cp.async.commit_group; cp.async.wait_group 0;", "cp.async.wait_all;");
  // none: no fourth operand; else what of the source is copied by even and by odd threads
  const std::string zeros = GENERATE("none", "number", "selp", "ignore");
  std::string size;
  if (zeros == "number") size = ", 0";
  if (zeros == "selp") size = ", %x6";
  if (zeros == "ignore") size = ", %p1";
  const std::string text = fmt::format(
      R"(
    mov.u32 %x0, words;
    mad.lo.u32 %x1, %t, {0}, %x0;
    mad.wide.u32 %y1, %t, {0}, %in;
    mad.wide.u32 %y2, %t, {0}, %out;
    and.b32 %x5, %t, 1;
    setp.eq.u32 %p1, %x5, 0;
    selp.b32 %x6, 0, {0}, %p1;
    mov.b32 %x7, -1;
    {1}
    cp.async.{2} [%x1+16], [%y1], {0}{3};
    {4}
    bar.sync 0;
    {5}
  )",
      form.bytes,
      [&] {
        std::string fill;
        for (unsigned i = 0; i < form.bytes; i += 4)
          fill += fmt::format("st.shared.b32 [%x1+{}], %x7;", 16 + i);
        return fill;
      }(),
      form.words, size, wait,
      [&] {
        std::string copy;
        for (unsigned i = 0; i < form.bytes; i += 4)
          copy += fmt::format("ld.shared.b32 %x8, [%x1+{}]; st.global.b32 [%y2+{}], %x8;", 16 + i, i);
        return copy;
      }());
  const std::uint32_t seed = drawn_seed();
  CAPTURE(form.words, form.bytes, zeros, seed);
  LaneValues values(seed);
  const std::size_t words = std::size_t{kThreads} * form.bytes / 4;
  const Words input = random_words(values, words);
  const Words found = run_ptx_kernel({text, 80, exec::Divergence::Barriers, kThreads}, input, words);
  for (std::size_t i = 0; i < words; ++i) {
    const bool is_even = i * 4 / form.bytes % 2 == 0;
    const bool is_zero = zeros == "number" || (zeros != "none" && is_even);
    REQUIRE(found[i] == (is_zero ? 0 : input[i]));
  }
}

TEST_CASE("copies of other sizes are refused") {
  for (const char* text :
       {"cp.async.ca.shared.global [words], [%in], 12;", "cp.async.cg.shared.global [words], [%in], 8;",
        "cp.async.ca.shared.global [words], [%in], %a;"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(lower_statements({text}), InputError);
  }
}

}  // namespace
}  // namespace heddle::lower
