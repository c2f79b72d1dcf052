// Mbarriers, bulk copies, and rare accesses to memory in PTX, against the PTX ISA's text.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "isa/base/diagnostic.h"
#include "tests/support/catch.h"
#include "tests/support/lane_values.h"
#include "tests/support/ptx_kernel_run.h"
#include "tests/support/seed.h"

namespace heddle::test {
namespace {

using U32 = std::uint32_t;
using U64 = std::uint64_t;
using Words = std::vector<U32>;

constexpr unsigned kThreads = 128;

Words random_words(std::size_t count, unsigned seed) {
  LaneValues values(seed);
  Words words(count);
  for (U32& word : words) word = values.any_bits();
  return words;
}

Words run(const std::string& statements, const Words& input, std::size_t output = kThreads,
          unsigned capability = 90, unsigned threads = kThreads) {
  return run_ptx_kernel({statements, capability, exec::Divergence::Barriers, threads}, input, output);
}

/// All threads meet, the first one having made an mbarrier at words + 8192.
std::string with_mbarrier(unsigned count, const std::string& rest) {
  return fmt::format(R"(
    mov.u32 %x39, words;
    add.u32 %x38, %x39, 8192;
    setp.eq.u32 %p19, %t, 0;
    @%p19 mbarrier.init.shared.b64 [%x38], {};
    bar.sync 0;
    {}
  )",
                     count, rest);
}

TEST_CASE("all threads that arrive at an mbarrier see what the others stored before") {
  const unsigned capability = GENERATE(80U, 90U);
  const std::string arrival = GENERATE("mbarrier.arrive.shared.b64 %y0, [%x38];",
                                       "cvta.shared.u64 %y9, words; mbarrier.arrive.b64 %y0, [%y9+8192];",
                                       "mov.u32 %x30, 1; mbarrier.arrive.shared.b64 %y0, [%x38], %x30;");
  const std::string wait = GENERATE("mbarrier.test_wait.shared.b64 %p0, [%x38], %y0;",
                                    "mbarrier.try_wait.shared.b64 %p0, [%x38], %y0, 100;",
                                    "mbarrier.try_wait.parity.shared.b64 %p0, [%x38], %x20;");
  const std::string text = with_mbarrier(kThreads, fmt::format(R"(
    mov.u32 %x20, 0;
    mov.u32 %x21, 0;
    mov.u32 %x22, %a;
    round:
    mad.lo.u32 %x1, %t, 4, %x39;
    shl.b32 %x23, %x20, 9;
    add.u32 %x1, %x1, %x23;
    st.shared.b32 [%x1], %x22;
    {}
    again:
    {}
    @!%p0 bra again;
    mov.u32 %x2, 127;
    sub.u32 %x2, %x2, %t;
    mad.lo.u32 %x3, %x2, 4, %x39;
    add.u32 %x3, %x3, %x23;
    ld.shared.b32 %x22, [%x3];
    add.u32 %x22, %x22, 1;
    xor.b32 %x20, %x20, 1;
    add.u32 %x21, %x21, 1;
    setp.lt.u32 %p1, %x21, 3;
    @%p1 bra round;
    st.global.b32 [%outa], %x22;
  )",
                                                               arrival, wait));
  const Words input = random_words(kThreads, 5);
  const Words found = run(text, input, kThreads, capability);
  for (unsigned t = 0; t < kThreads; ++t) REQUIRE(found[t] == input[kThreads - 1 - t] + 3);
}

// From 9.0 on there are instructions for mbarriers; before it, loops of atomics do what they do.
TEST_CASE("an mbarrier counts what its phase still waits for") {
  const unsigned capability = GENERATE(80U, 90U);
  // Threads arrive by themselves, one after another, and note what was pending before.
  const std::string text = with_mbarrier(6, R"(
    setp.ne.u32 %p0, %t, 0;
    @%p0 bra done;
    mbarrier.arrive.shared.b64 %y0, [%x38];
    mbarrier.arrive.shared.b64 %y1, [%x38], 2;
    mbarrier.arrive_drop.shared.b64 %y2, [%x38];
    mbarrier.test_wait.shared.b64 %p1, [%x38], %y0;
    selp.b32 %x5, 1, 0, %p1;
    mbarrier.arrive.noComplete.shared.b64 %y3, [%x38], 1;
    mbarrier.arrive.shared.b64 %y4, [%x38];
    mbarrier.test_wait.shared.b64 %p1, [%x38], %y0;
    selp.b32 %x6, 1, 0, %p1;
    mbarrier.test_wait.parity.shared.b64 %p1, [%x38], 0;
    selp.b32 %x7, 1, 0, %p1;
    mbarrier.test_wait.parity.shared.b64 %p1, [%x38], 1;
    selp.b32 %x8, 1, 0, %p1;
    mbarrier.arrive.shared.b64 %y5, [%x38], 4;
    mbarrier.arrive_drop.shared.b64 _, [%x38], 1;
    mbarrier.arrive.shared.b64 %y6, [%x38];
    mbarrier.pending_count.b64 %x10, %y0;
    mbarrier.pending_count.b64 %x11, %y1;
    mbarrier.pending_count.b64 %x12, %y2;
    mbarrier.pending_count.b64 %x13, %y3;
    mbarrier.pending_count.b64 %x14, %y4;
    mbarrier.pending_count.b64 %x15, %y5;
    mbarrier.pending_count.b64 %x16, %y6;
    st.global.v4.b32 [%out], {%x5, %x6, %x7, %x8};
    st.global.v4.b32 [%out+16], {%x10, %x11, %x12, %x13};
    st.global.v2.b32 [%out+32], {%x14, %x15};
    st.global.b32 [%out+40], %x16;
    mbarrier.inval.shared.b64 [%x38];
    done:
  )");
  const Words found = run(text, random_words(kThreads, 1), 11, capability);
  // Six arrivals end the first phase, five the second after a drop, and four the third.
  CHECK(found == Words{0, 1, 1, 0, 6, 5, 3, 2, 1, 5, 4});
}

TEST_CASE("a phase of an mbarrier waits for the bytes that were announced") {
  const unsigned capability = GENERATE(80U, 90U);
  const std::string text = with_mbarrier(1, R"(
    setp.ne.u32 %p0, %t, 0;
    @%p0 bra done;
    mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%x38], 16;
    mbarrier.arrive.expect_tx.shared::cta.b64 %y0, [%x38], 8;
    mbarrier.test_wait.shared.b64 %p1, [%x38], %y0;
    selp.b32 %x1, 1, 0, %p1;
    mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%x38], 20;
    mbarrier.test_wait.shared.b64 %p1, [%x38], %y0;
    selp.b32 %x2, 1, 0, %p1;
    mbarrier.complete_tx.shared::cta.b64 [%x38], 4;
    mbarrier.test_wait.shared.b64 %p1, [%x38], %y0;
    selp.b32 %x3, 1, 0, %p1;
    mbarrier.complete_tx.shared::cta.b64 [%x38], 4;
    mbarrier.arrive.expect_tx.shared::cta.b64 %y0, [%x38], 4;
    mbarrier.test_wait.shared.b64 %p1, [%x38], %y0;
    selp.b32 %x4, 1, 0, %p1;
    st.global.v4.b32 [%out], {%x1, %x2, %x3, %x4};
    done:
  )");
  CHECK(run(text, random_words(kThreads, 1), 4, capability) == Words{0, 0, 1, 1});
}

TEST_CASE("each lane makes an mbarrier of its own, which expects what the lane says") {
  const unsigned capability = GENERATE(80U, 90U);
  const std::string text = R"(
    mov.u32 %x39, words;
    mad.lo.u32 %x1, %t, 8, %x39;
    add.u32 %x2, %t, 1;
    mbarrier.init.shared.b64 [%x1], %x2;
    mbarrier.arrive.shared.b64 %y0, [%x1];
    mbarrier.pending_count.b64 %x3, %y0;
    mbarrier.test_wait.shared.b64 %p0, [%x1], %y0;
    selp.b32 %x4, 1000, 0, %p0;
    add.u32 %x3, %x3, %x4;
    st.global.b32 [%outa], %x3;
  )";
  const Words found = run(text, random_words(kThreads, 1), kThreads, capability);
  for (unsigned t = 0; t < kThreads; ++t) REQUIRE(found[t] == t + 1 + (t == 0 ? 1000 : 0));
}

TEST_CASE("bulk copies move all bytes and tell an mbarrier") {
  const unsigned bytes = GENERATE(16U, 48U, 64U, 272U, 512U);
  const std::string text = with_mbarrier(1, fmt::format(R"(
    @!%p19 bra wait;
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%x38], {0};
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%x39+64], [%in], {0}, [%x38];
    wait:
    mbarrier.try_wait.parity.shared.b64 %p0, [%x38], 0;
    @!%p0 bra wait;
    bar.sync 0;
    @!%p19 bra done;
    cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%x39+2048], [%x39+64], {0}, [%x38];
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%x38], {0};
    fence.proxy.async.shared::cta;
    cp.async.bulk.global.shared::cta.bulk_group [%out], [%x39+2048], {0};
    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group.read 0;
    cp.async.bulk.wait_group 0;
    mbarrier.test_wait.parity.shared.b64 %p1, [%x38], 1;
    @!%p1 trap;
    done:
  )",
                                                        bytes));
  const Words input = random_words(kThreads, 9);
  const Words found = run(text, input);
  for (unsigned i = 0; i < kThreads; ++i) REQUIRE(found[i] == (i < bytes / 4 ? input[i] : 0));
}

TEST_CASE("bulk reductions combine element by element") {
  // Twice the input, from shared memory.
  const auto text = [](const std::string& operation) {
    return fmt::format(R"(
    mov.u32 %x39, words;
    mad.lo.u32 %x1, %t, 4, %x39;
    st.shared.b32 [%x1], %a;
    bar.sync 0;
    setp.ne.u32 %p0, %t, 0;
    @%p0 bra done;
    cp.reduce.async.bulk.global.shared::cta.bulk_group.{0} [%out], [%x39], 256;
    cp.reduce.async.bulk.global.shared::cta.bulk_group.{0} [%out], [%x39], 256;
    done:
  )",
                       operation);
  };
  const Words input = random_words(kThreads, 11);
  const Words sums = run(text("add.u32"), input);
  const Words greatest = run(text("max.u32"), input);
  const Words differences = run(text("xor.b32"), input);
  const Words wide = run(text("add.u64"), input);
  for (unsigned i = 0; i < kThreads; ++i) {
    CHECK(sums[i] == (i < 64 ? 2 * input[i] : 0));
    CHECK(greatest[i] == (i < 64 ? input[i] : 0));
    CHECK(differences[i] == 0);
    if (i % 2 == 0 && i < 64) {
      const U64 twice = 2 * (U64{input[i + 1]} << 32 | input[i]);
      CHECK(wide[i] == static_cast<U32>(twice));
      CHECK(wide[i + 1] == static_cast<U32>(twice >> 32));
    }
  }
}

TEST_CASE("stores and reductions tell an mbarrier of their bytes") {
  const std::string text = with_mbarrier(1, R"(
    setp.ne.u32 %p0, %t, 0;
    @%p0 bra done;
    mapa.shared::cluster.u32 %x30, %x39, 0;
    mapa.shared::cluster.u32 %x31, %x38, 0;
    mbarrier.arrive.expect_tx.shared::cta.b64 %y0, [%x38], 24;
    st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%x30], {%a, 2, 3, 4}, [%x31];
    st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%x30+8], 7, [%x31];
    mbarrier.test_wait.shared.b64 %p1, [%x38], %y0;
    selp.b32 %x1, 1, 0, %p1;
    red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%x30+4], 40, [%x31];
    mbarrier.test_wait.shared.b64 %p1, [%x38], %y0;
    selp.b32 %x2, 1, 0, %p1;
    ld.shared.v4.b32 {%x3, %x4, %x5, %x6}, [%x39];
    st.global.v2.b32 [%out], {%x1, %x2};
    st.global.v4.b32 [%out+16], {%x3, %x4, %x5, %x6};
    done:
  )");
  const Words input = random_words(kThreads, 3);
  CHECK(run(text, input, 8) == Words{0, 1, 0, 0, input[0], 42, 7, 4});
}

TEST_CASE("an mbarrier hears of a thread's copies when they are done") {
  const unsigned capability = GENERATE(80U, 90U);
  const std::string mode = GENERATE(".noinc", "");
  const std::string text =
      with_mbarrier(mode.empty() ? 2 * kThreads : kThreads,
                    fmt::format(R"(
    mad.lo.u32 %x1, %t, 4, %x39;
    cp.async.ca.shared.global [%x1], [%ina], 4;
    cp.async.mbarrier.arrive{}.shared.b64 [%x38];
    {}
    again:
    mbarrier.test_wait.parity.shared.b64 %p0, [%x38], 0;
    @!%p0 bra again;
    mov.u32 %x2, 127;
    sub.u32 %x2, %x2, %t;
    mad.lo.u32 %x3, %x2, 4, %x39;
    ld.shared.b32 %x4, [%x3];
    st.global.b32 [%outa], %x4;
  )",
                                mode, mode.empty() ? "mbarrier.arrive.shared.b64 _, [%x38], 2;" : ""));
  const Words input = random_words(kThreads, 7);
  const Words found = run(text, input, kThreads, capability);
  for (unsigned t = 0; t < kThreads; ++t) REQUIRE(found[t] == input[kThreads - 1 - t]);
}

TEST_CASE("cp.async copies as many bytes as it is told and fills the rest with zeros") {
  const unsigned bytes = GENERATE(4U, 8U, 16U);
  const bool is_number = GENERATE(true, false);
  // Thread t copies t % 20 bytes, or so many as the number says.
  const std::string size = is_number ? "3" : "%x5";
  const std::string text = fmt::format(R"(
    mov.u32 %x39, words;
    mad.lo.u32 %x1, %t, 16, %x39;
    rem.u32 %x5, %t, 20;
    st.shared.v4.b32 [%x1], {{-1, -1, -1, -1}};
    mul.wide.u32 %y1, %t, 16;
    add.s64 %y1, %y1, %in;
    cp.async.ca.shared.global [%x1], [%y1], {}, {};
    cp.async.wait_all;
    ld.shared.v4.b32 {{%x10, %x11, %x12, %x13}}, [%x1];
    mul.wide.u32 %y2, %t, 16;
    add.s64 %y2, %y2, %out;
    st.global.v4.b32 [%y2], {{%x10, %x11, %x12, %x13}};
  )",
                                       bytes, size);
  const Words input = random_words(4 * kThreads, 13);
  const Words found = run(text, input, 4 * kThreads, 80);
  const auto byte = [](const Words& words, unsigned at) { return words[at / 4] >> (8 * (at % 4)) & 0xff; };
  for (unsigned t = 0; t < kThreads; ++t) {
    const unsigned wanted = is_number ? 3 : t % 20;
    for (unsigned k = 0; k < 16; ++k) {
      const U32 expected = k >= bytes ? 0xff : k < wanted ? byte(input, 16 * t + k) : 0;
      REQUIRE(byte(found, 16 * t + k) == expected);
    }
  }
}

TEST_CASE("loads and stores of 32 bytes") {
  const std::string text = R"(
    mul.wide.u32 %y1, %t, 32;
    add.s64 %y2, %y1, %in;
    add.s64 %y3, %y1, %out;
    ld.global.nc.v8.b32 {%x0, %x1, %x2, %x3, %x4, _, %x6, %x7}, [%y2];
    mov.b64 %y5, {%x0, %x1};
    mov.b64 %y6, {%x2, %x3};
    mov.b64 %y7, {%x4, %x4};
    mov.b64 %y8, {%x6, %x7};
    st.global.v4.b64 [%y3], {%y8, %y7, %y6, %y5};
  )";
  const Words input = random_words(8 * kThreads, 17);
  const Words found = run(text, input, 8 * kThreads, 100);
  for (unsigned t = 0; t < kThreads; ++t) {
    constexpr unsigned kFrom[] = {6, 7, 4, 4, 2, 3, 0, 1};
    for (unsigned k = 0; k < 8; ++k) REQUIRE(found[8 * t + k] == input[8 * t + kFrom[k]]);
  }
}

TEST_CASE("st.bulk fills shared memory with zeros") {
  const std::string text = R"(
    mov.u32 %x39, words;
    mad.lo.u32 %x1, %t, 4, %x39;
    st.shared.b32 [%x1], %a;
    bar.sync 0;
    setp.eq.u32 %p0, %t, 0;
    @%p0 st.bulk.shared::cta [%x39+64], 128, 0;
    bar.sync 0;
    ld.shared.b32 %x2, [%x1];
    st.global.b32 [%outa], %x2;
  )";
  const Words input = random_words(kThreads, 19);
  const Words found = run(text, input);
  for (unsigned t = 0; t < kThreads; ++t) REQUIRE(found[t] == (t >= 16 && t < 48 ? 0 : input[t]));
}

TEST_CASE("redux of floats takes the least or the greatest number") {
  const bool is_min = GENERATE(true, false);
  const bool has_abs = GENERATE(true, false);
  const bool has_nan = GENERATE(true, false);
  const std::string text = fmt::format("redux.sync.{}{}{}.f32 %x1, %a, -1; st.global.b32 [%outa], %x1;",
                                       is_min ? "min" : "max", has_abs ? ".abs" : "", has_nan ? ".NaN" : "");
  LaneValues values(23);
  Words input(kThreads);
  for (unsigned t = 0; t < kThreads; ++t) {
    // A warp of numbers, one with a NaN, one of NaN alone, and one of zeros and numbers.
    const float number = static_cast<float>(static_cast<std::int32_t>(values.any_bits())) * 0x1p-20F;
    input[t] = std::bit_cast<U32>(number);
    if ((t >= 32 && t < 64 && t % 32 == 7) || (t >= 64 && t < 96)) input[t] = 0xffc00001;
    if (t >= 96 && t % 3 == 0) input[t] = t % 2 == 0 ? 0x80000000 : 0;
  }
  const Words found = run(text, input, kThreads, 100);
  for (unsigned warp = 0; warp < 4; ++warp) {
    bool any_nan = false;
    bool all_nan = true;
    U32 best = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      const U32 word = input[32 * warp + lane] & (has_abs ? 0x7fffffff : ~U32{0});
      const bool is_nan = (word & 0x7fffffff) > 0x7f800000;
      any_nan |= is_nan;
      if (is_nan) continue;
      const auto key = [](U32 one) { return (one >> 31) != 0 ? ~one : one | 0x80000000; };
      if (all_nan || (is_min ? key(word) < key(best) : key(word) > key(best))) best = word;
      all_nan = false;
    }
    const U32 wanted = all_nan || (has_nan && any_nan) ? 0x7fffffff : best;
    for (unsigned lane = 0; lane < 32; ++lane) CHECK(found[32 * warp + lane] == wanted);
  }
}

TEST_CASE("atomics on vectors of halves take the least of each") {
  const std::string text = R"(
    setp.eq.u32 %p0, %t, 0;
    mov.b32 {%s0, %s1}, %a;
    @%p0 st.global.v2.b32 [%out], {0x7bff7bff, 0xfbfffbff};
    bar.sync 0;
    atom.global.v2.f16.min.noftz {%s2, %s3}, [%out], {%s0, %s1};
    red.global.v2.f16x2.max.noftz [%out], {-1, %a};
  )";
  Words input(kThreads);
  for (unsigned t = 0; t < kThreads; ++t) input[t] = 0x3c004000 + 0x10001 * t;
  const Words found = run(text, input, 2);
  CHECK(found == Words{input[0], input[kThreads - 1]});
}

TEST_CASE("each block is a cluster by itself") {
  const std::string text = R"(
    mov.u32 %x0, %cluster_ctarank;
    mov.u32 %x1, %cluster_nctarank;
    mov.u32 %x2, %cluster_nctaid.y;
    mov.u32 %x3, %clusterid.x;
    mov.u32 %x4, %nclusterid.x;
    mov.pred %p0, %is_explicit_cluster;
    selp.b32 %x5, 1, 0, %p0;
    cvta.shared.u64 %y0, words;
    mapa.u64 %y1, %y0, %x0;
    getctarank.u64 %x6, %y1;
    isspacep.shared::cluster %p1, %y1;
    isspacep.shared::cta %p2, %y1;
    isspacep.const %p3, %y1;
    selp.b32 %x7, 1, 0, %p1;
    selp.b32 %x8, 2, 0, %p2;
    selp.b32 %x9, 4, 0, %p3;
    or.b32 %x7, %x7, %x8;
    or.b32 %x7, %x7, %x9;
    mov.u32 %x11, words;
    mad.lo.u32 %x10, %t, 4, %x11;
    st.shared::cluster.b32 [%x10], %a;
    barrier.cluster.arrive.release;
    barrier.cluster.wait.acquire;
    mad.wide.u32 %y2, %t, 4, %y1;
    ld.b32 %x12, [%y2+4];
    setp.ne.u32 %p4, %t, 5;
    @%p4 bra done;
    st.global.v4.b32 [%out], {%x0, %x1, %x2, %x3};
    st.global.v4.b32 [%out+16], {%x4, %x5, %x6, %x7};
    st.global.b32 [%out+32], %x12;
    done:
  )";
  const Words input = random_words(kThreads, 29);
  CHECK(run(text, input, 9) == Words{0, 1, 1, 0, 1, 0, 0, 3, input[6]});
}

TEST_CASE("hints and special registers of PTX") {
  const std::string text = R"(
    prefetch.global.L2::evict_last [%in];
    applypriority.global.L2::evict_normal [%in], 128;
    createpolicy.fractional.L2::evict_first.b64 %y0, 1.0;
    ld.global.L2::cache_hint.b32 %x0, [%ina], %y0;
    createpolicy.cvt.L2.b64 %y1, %y0;
    griddepcontrol.wait;
    griddepcontrol.launch_dependents;
    pmevent 3;
    setp.eq.u32 %p0, %t, 100;
    @!%p0 bra done;
    cvt.u64.u32 %y2, %tid.x;
    cvt.u16.u32 %s0, %ntid.x;
    cvt.u32.u16 %x2, %s0;
    mov.u32 %x3, %nwarpid;
    mov.u32 %x4, %envreg3;
    st.global.v2.b32 [%out], {%x0, %x2};
    st.global.b64 [%out+8], %y2;
    st.global.v2.b32 [%out+16], {%x3, %x4};
    done:
  )";
  const Words input = random_words(kThreads, 31);
  CHECK(run(text, input, 6) == Words{input[100], kThreads, 100, 0, 64, 0});
}

TEST_CASE("the timer, the SM and the sizes of shared memory are special registers") {
  // run_ptx_kernel has 4096 words of shared memory and no dynamic ones, and runs without time on SM 0.
  const unsigned capability = GENERATE(75U, 80U, 90U, 100U);
  const std::string text = R"(
    mov.u64 %y0, %globaltimer;
    mov.u32 %x0, words;
    st.shared.b32 [%x0], %a;
    mov.u64 %y1, %globaltimer;
    mov.u32 %x1, %globaltimer_lo;
    mov.u32 %x2, %globaltimer_hi;
    mov.b64 %y2, {%x1, %x2};
    setp.lt.u64 %p0, %y0, %y1;
    setp.le.and.u64 %p0, %y1, %y2, %p0;
    selp.b32 %x3, 1, 0, %p0;
    mov.u32 %x4, %smid;
    mov.u32 %x5, %dynamic_smem_size;
    mov.u32 %x6, %total_smem_size;
    mov.u32 %x7, %nsmid;
    setp.lt.u32 %p1, %x4, %x7;
    selp.b32 %x7, 1, 0, %p1;
    st.global.v4.b32 [%out], {%x3, %x4, %x5, %x6};
    st.global.b32 [%out+16], %x7;
  )";
  CHECK(run(text, random_words(kThreads, 37), 5, capability) == Words{1, 0, 0, 16384, 1});
}

}  // namespace
}  // namespace heddle::test
