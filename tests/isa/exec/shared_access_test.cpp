// Loads and stores of shared memory against arrays.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"
#include "tests/support/lane_values.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;

const char* suffix_of(unsigned words) { return words == 4 ? ".128" : words == 2 ? ".64" : ""; }

/// Every thread stores its words at one offset and, behind a barrier, loads from another.
std::string exchange_kernel(unsigned words, std::int64_t shift) {
  return fmt::format(R"(
.kernel exchange
.param offsets ptr
.param data ptr
    S2R R0, SR_CTAID.X
    S2R R1, SR_TID.X
    IMAD R0, R0, c[blockDim.x], R1
    IMAD.WIDE.U32 R2, R0, 0x8, c[offsets]
    LDG.E.64 R4, [R2.64]
    IMAD.WIDE.U32 R6, R0, {bytes:#x}, c[data]
    LDG.E{suffix} R8, [R6.64]
    STS{suffix} [R4+{shift}], R8
    BAR.SYNC 0x0
    LDS{suffix} R8, [R5+{shift}]
    STG.E{suffix} [R6.64], R8
    EXIT
)",
                     fmt::arg("bytes", 4 * words), fmt::arg("suffix", suffix_of(words)),
                     fmt::arg("shift", shift));
}

std::vector<std::uint32_t> shuffled(std::uint32_t count, LaneValues& values) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  for (std::uint32_t i = count; i > 1; --i) std::swap(order[i - 1], order[values.below(i)]);
  return order;
}

enum class Places { InOrder, Shuffled, Strided };

struct Exchange {
  unsigned words;
  unsigned warp_size;
  Places places;
  std::int64_t shift;
};

constexpr std::uint32_t kBlock = 150;
constexpr std::uint32_t kBlocks = 2;

/// Where each thread of a block stores, in elements; no two at the same place.
std::vector<std::uint32_t> store_places(Places places, LaneValues& values) {
  std::vector<std::uint32_t> order = shuffled(kBlock, values);
  if (places != Places::Shuffled) std::iota(order.begin(), order.end(), 0U);
  if (places == Places::Strided) {
    for (std::uint32_t& place : order) place *= 3;
  }
  return order;
}

void check_exchange(const Exchange& exchange, LaneValues& values) {
  GlobalMemory memory;
  const std::uint32_t bytes = 4 * exchange.words;
  const Buffer& offsets = memory.allocate("offsets", kBlocks * kBlock * 8);
  const Buffer& data = memory.allocate("data", kBlocks * kBlock * bytes);
  for (std::uint32_t& word : data.as<std::uint32_t>()) word = values.any_bits();
  const std::vector<std::byte> stored(data.bytes().begin(), data.bytes().end());
  std::vector<std::byte> expected(stored.size());
  for (std::uint32_t block = 0; block < kBlocks; ++block) {
    const std::vector<std::uint32_t> places = store_places(exchange.places, values);
    for (std::uint32_t t = 0; t < kBlock; ++t) {
      // Loads: in the same pattern when that is in order, else anybody's place, some twice.
      const std::uint32_t partner =
          exchange.places == Places::InOrder ? kBlock - 1 - t : values.below(kBlock);
      const std::size_t thread = std::size_t{block} * kBlock + t;
      const auto base = [&](std::uint32_t place) {
        return static_cast<std::uint32_t>(place * bytes) - static_cast<std::uint32_t>(exchange.shift);
      };
      offsets.as<std::uint32_t>()[2 * thread] = base(places[t]);
      offsets.as<std::uint32_t>()[2 * thread + 1] = base(places[partner]);
      const std::size_t from = std::size_t{block} * kBlock + partner;
      std::copy_n(stored.begin() + static_cast<std::ptrdiff_t>(from * bytes), bytes,
                  expected.begin() + static_cast<std::ptrdiff_t>(thread * bytes));
    }
  }
  run_kernel({exchange_kernel(exchange.words, exchange.shift),
              {kBlocks, 1, 1},
              {kBlock, 1, 1},
              exchange.warp_size,
              {offsets.address(), data.address()},
              3 * kBlock * bytes},
             memory);
  CHECK(std::equal(expected.begin(), expected.end(), data.bytes().begin()));
}

TEST_CASE("threads find in shared memory what others of their block stored") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const unsigned words = GENERATE(1U, 2U, 4U);
  const std::uint64_t seed = 0x54a4ed + warp_size + words;
  CAPTURE(warp_size, words, seed);
  LaneValues values(seed);
  for (const Places places : {Places::InOrder, Places::Shuffled, Places::Strided}) {
    CAPTURE(static_cast<int>(places));
    check_exchange({words, warp_size, places, 0}, values);
    check_exchange({words, warp_size, places, 0x40},
                   values);  // the register wraps to negative, the sum does not
    check_exchange({words, warp_size, places, -0x40}, values);
  }
}

/// What a warp of 32 threads has in R4 behind these lines, before which each has its number in R0.
std::vector<std::uint32_t> words_after(const std::string& lines) {
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", 128);
  KernelRun run;
  run.text = ".kernel k\n.param out ptr\n.shared words 1024\nS2R R0, SR_TID.X\n" + lines +
             "S2R R0, SR_TID.X\nIMAD.WIDE.U32 R2, R0, 0x4, c[out]\nSTG.E [R2.64], R4\nEXIT\n";
  run.params = {out.address()};
  run_kernel(run, memory);
  const auto words = out.as<std::uint32_t>();
  return {words.begin(), words.end()};
}

/// Each thread t stores t in word t + 8 of shared memory, by this address of 4 t + 32; then those of the
/// other half load it, by that one.
void check_addresses(const std::string& stores, const std::string& loads) {
  INFO("STS " << stores << ", LDS " << loads);
  const std::vector<std::uint32_t> words = words_after(fmt::format(R"(
    UMOV UR4, 0x10
    SHF.L.U32 R1, R0, 0x2, RZ        // 4 t
    STS {}, R0
    LOP3.LUT R0, R0, 0x10, RZ, 0x3c, !PT
    SHF.L.U32 R1, R0, 0x2, RZ
    LDS R4, {}
)",
                                                                   stores, loads));
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(words[t] == (t ^ 16));
}

TEST_CASE("addresses in shared memory can count words and add a uniform register") {
  const std::string plain = "[R1+0x20]";
  for (const std::string address :
       {"[R0.X4+0x20]", "[R0.X4+UR4+0x10]", "[R1+UR4+0x10]", "[UR4+R0.X4+words+0x10]", "[R1+URZ+0x20]"}) {
    check_addresses(plain, address);
    check_addresses(address, plain);
  }
}

TEST_CASE("registers of addresses in shared memory count 8 or 16 bytes, uniform ones are added alone") {
  const std::vector<std::uint32_t> words = words_after(R"(
    UMOV UR4, 0x20
    STS [R0.X16], R0                 // word 4 t: t
    ATOMS.ADD RZ, [UR4+0x10], R0     // word 12: 3, and 0 + ... + 31
    LDS R1, [R0.X8]                  // word 2 t: t / 2 where t is even
    LDS R4, [UR4+0x10]
    IADD3 R4, R1, R4, RZ
)");
  constexpr std::uint32_t kSum = 31 * 32 / 2;
  for (std::uint32_t t = 0; t < 32; ++t) {
    const std::uint32_t word = t % 2 != 0 ? 0 : t / 2 + (t / 2 == 3 ? kSum : 0);
    CHECK(words[t] == word + 3 + kSum);
  }
}

TEST_CASE("lanes that store at one place of shared memory leave the value of one of them") {
  const std::vector<std::uint32_t> words = words_after(R"(
    IADD3 R1, R0, 0x64, RZ
    STS [words], R1
    LDS R4, [words]
)");
  CHECK(words[0] >= 100);
  CHECK(words[0] < 132);
  CHECK(std::all_of(words.begin(), words.end(), [&](std::uint32_t word) { return word == words[0]; }));
}

TEST_CASE("neighbouring lanes in the middle of a warp reach neighbouring words") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", 64 * 4);
  // Lanes 5 to 11 store 100 + lane at their own place and load it into R4, which holds 7 elsewhere.
  run_kernel({R"(
.kernel middle
.param out ptr
.shared row 256
    S2R R0, SR_TID.X
    LOP3.LUT R1, R0, 0xf, RZ, 0xc0, !PT
    IADD3 R1, R1, -0x5, RZ
    ISETP.LT.U32.AND P0, PT, R1, 0x7, PT
    IADD3 R2, R0, 0x64, RZ
    IMAD R3, R0, 0x4, RZ
    MOV R4, 0x7
@P0 STS [R3+row], R2
@P0 LDS R4, [R3+row]
    LDS R5, [R3+row]
    IADD3 R4, R4, R5, RZ
    IMAD.WIDE.U32 R6, R0, 0x4, c[out]
    STG.E [R6.64], R4
    EXIT
)",
              {1, 1, 1},
              {64, 1, 1},
              warp_size,
              {out.address()}},
             memory);
  for (std::uint32_t t = 0; t < 64; ++t) {
    CHECK(out.as<std::uint32_t>()[t] == (t % 16 >= 5 && t % 16 < 12 ? 2 * (100 + t) : 7));
  }
}

TEST_CASE("symbols lie apart, dynamic memory behind them, and every block begins with zeros") {
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", 3 * 16);
  run_kernel({R"(
.kernel symbols
.param out ptr
.shared first 8
.shared second 16
    S2R R0, SR_CTAID.X
    IMAD.WIDE.U32 R4, R0, 0x10, c[out]
    LDS R8, [first+4]
    LDS R9, [second]
    LDS R10, [second+12]
    MOV R1, 0x18
    LDS R11, [R1]
    STG.E.128 [R4.64], R8
    MOV R2, 0x7
    STS [first+4], R2
    STS [second], R2
    STS [second+12], R2
    STS [R1], R2
    EXIT
)",
              {3, 1, 1},
              {1, 1, 1},
              32,
              {out.address()},
              4},
             memory);
  for (const std::uint32_t word : out.as<std::uint32_t>()) CHECK(word == 0);
}

}  // namespace
}  // namespace heddle::exec
