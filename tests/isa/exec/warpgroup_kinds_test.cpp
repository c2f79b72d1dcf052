// HGMMA of tf32 and with sums of 16 bits, QGMMA, IGMMA, BGMMA; what may stand behind descriptors, and UP0.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"
#include "tests/support/lane_values.h"
#include "tests/support/tensor_reference.h"
#include "tests/support/warpgroup_sums.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;
using U32 = std::uint32_t;
using Words = std::vector<U32>;

constexpr unsigned kThreads = 128;
constexpr unsigned kRows = 64;
constexpr unsigned kColumns = 24;
constexpr unsigned kWords = 8;  // of a row of A and a column of B, whatever the elements
constexpr U32 kStartB = 2048;   // behind A
constexpr U32 kSharedBytes = 4096;
constexpr unsigned kFirstSum = 24;

/// A kind of product: its line up to D's register, and what one sum is of a row of A and a column of B.
struct Kind {
  std::string mnemonic;
  bool has_wide_sums = true;
  std::function<U32(const Words& row, const Words& column, U32 c)> sum;
  std::string signs;  ///< Behind the descriptor.
  U32 keep = ~0U;     ///< Of the random bits of A and B.
};

struct Source {
  bool a_in_registers = false;
  std::string adds;  ///< ", UP0": a predicate behind C's registers.
  bool is_added = true;
};

/// Core matrices of 8 lines by 16 bytes, the two of K side by side.
U32 place(U32 start, unsigned line, unsigned word) {
  return start + word / 4 * 128 + line / 8 * 256 + line % 8 * 16 + word % 4 * 4;
}

std::uint64_t descriptor(U32 start) { return std::uint64_t{256 / 16} << 32 | std::uint64_t{128 / 16} << 16 | start / 16; }

std::string text_of(const Kind& kind, const Source& source) {
  std::string text = fmt::format(".kernel k\n.param image ptr\n.param sums ptr\n.param a ptr\n.shared tile {} align 1024\n",
                                 kSharedBytes);
  text += R"(
    S2R R0, SR_TID.X
    IMAD.WIDE R2, R0, 0x20, c[image]
    SHF.L.U32 R1, R0, 0x5, RZ
    LDG.E.128 R8, [R2.64]
    STS.128 [R1], R8
    LDG.E.128 R8, [R2.64+0x10]
    STS.128 [R1+0x10], R8
    BAR.SYNC 0x0
    UMOV UR4, 0x1
    UISETP.EQ.U32.AND UP0, UPT, UR4, 0x2, UPT
    IMAD.WIDE R2, R0, 0x4, c[sums]
    IMAD.WIDE R6, R0, 0x10, c[a]
    LDG.E.128 R12, [R6.64]
)";
  const unsigned registers = kColumns / (kind.has_wide_sums ? 2 : 4);
  for (unsigned i = 0; i < registers; ++i)
    text += fmt::format("    LDG.E R{}, [R2.64+{:#x}]\n", kFirstSum + i, 4 * kThreads * i);
  const unsigned first_of_b = source.a_in_registers ? 8 : 10;
  for (unsigned i = 0; i < 2; ++i) {
    text += fmt::format("    UMOV UR{}, {:#x}\n", 8 + i, descriptor(0) >> (32 * i) & 0xffffffff);
    text += fmt::format("    UMOV UR{}, {:#x}\n", first_of_b + i, descriptor(kStartB) >> (32 * i) & 0xffffffff);
  }
  text += fmt::format("    WARPGROUP.ARRIVE\n    {} R{}, {}gdesc[UR8]{}, R{}{}, gsb0\n    WARPGROUP.DEPBAR.LE gsb0, 0x0\n",
                      kind.mnemonic, kFirstSum, source.a_in_registers ? "R12, " : "", kind.signs, kFirstSum, source.adds);
  for (unsigned i = 0; i < registers; ++i)
    text += fmt::format("    STG.E [R2.64+{:#x}], R{}\n", 4 * kThreads * i, kFirstSum + i);
  return text + "    EXIT\n";
}

std::vector<Words> random_lines(LaneValues& values, unsigned count, U32 keep) {
  std::vector<Words> lines(count, Words(kWords));
  for (Words& line : lines) {
    for (U32& word : line) word = values.any_bits() & keep;
  }
  return lines;
}

void check(const Kind& kind, const Source& source, std::uint64_t seed) {
  CAPTURE(kind.mnemonic, kind.signs, source.a_in_registers, source.adds, seed);
  LaneValues values(seed);
  const std::vector<Words> rows = random_lines(values, kRows, kind.keep);
  const std::vector<Words> columns = random_lines(values, kColumns, kind.keep);
  GlobalMemory memory;
  const Buffer& image = memory.allocate("image", kSharedBytes);
  const Buffer& sums = memory.allocate("sums", 4ULL * kThreads * kColumns / 2);
  const Buffer& a = memory.allocate("a", 16ULL * kThreads);
  for (unsigned word = 0; word < kWords; ++word) {
    for (unsigned i = 0; i < kRows && !source.a_in_registers; ++i) image.as<U32>()[place(0, i, word) / 4] = rows[i][word];
    for (unsigned i = 0; i < kColumns; ++i) image.as<U32>()[place(kStartB, i, word) / 4] = columns[i][word];
  }
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    for (unsigned i = 0; i < 4; ++i)
      a.as<U32>()[4 * thread + i] = rows[thread / 32 * 16 + thread % 32 / 4 + i % 2 * 8][thread % 4 + i / 2 * 4];
  }
  const auto half = [&] { return narrow_operand(values, false, 1); };
  for (U32& sum : sums.as<U32>()) sum = kind.has_wide_sums ? single_operand(values, 1) : half() << 16 | half();
  const Words before(sums.as<U32>().begin(), sums.as<U32>().end());

  KernelRun run;
  run.text = text_of(kind, source);
  run.block = {kThreads};
  run.params = {image.address(), sums.address(), a.address()};
  REQUIRE(fault_of(run, memory) == "");
  unsigned wrong = 0;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    for (unsigned i = 0; i < kColumns / 2; ++i) {
      const std::size_t at = std::size_t{kind.has_wide_sums ? i : i / 2} * kThreads + thread;
      const unsigned shift = kind.has_wide_sums ? 0 : 16 * (i % 2);
      const U32 mask = kind.has_wide_sums ? ~0U : 0xffff;
      const U32 c = source.is_added ? before[at] >> shift & mask : 0;
      const U32 expected = kind.sum(rows[row_of_sum(thread, i)], columns[column_of_sum(thread, i)], c);
      if ((sums.as<U32>()[at] >> shift & mask) != expected) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

/// With A in both places, and with all that can stand behind C.
void check_all(const Kind& kind, std::uint64_t seed) {
  check(kind, {}, seed);
  check(kind, {false, ", UP0", false}, seed + 1);
  check(kind, {false, ", !UP0", true}, seed + 2);
  check(kind, {false, ", !UPT", false}, seed + 3);
  if (kind.signs.find('A') != std::string::npos) return;
  check(kind, {true, "", true}, seed + 4);
  check(kind, {true, ", UP0", false}, seed + 5);
}

Words elements_of(const Words& line, unsigned bits) {
  Words elements;
  for (unsigned i = 0; i < kWords * 32 / bits; ++i) {
    const U32 word = line[i * bits / 32] >> i * bits % 32;
    elements.push_back(bits == 32 ? word : word & ((1U << bits) - 1));
  }
  return elements;
}

Words turned(Words elements, U32 sign) {
  for (U32& element : elements) element ^= sign;
  return elements;
}

Kind of_floats(const std::string& mnemonic, TensorNumbers numbers, unsigned bits, const TensorArithmetic& arithmetic,
               const std::string& signs = "") {
  const U32 sign = 1U << (bits - 1);
  const U32 sign_a = signs.find("negA") == std::string::npos ? 0 : sign;
  const U32 sign_b = signs.find("negB") == std::string::npos ? 0 : sign;
  const auto sum = [=](const Words& row, const Words& column, U32 c) {
    return tensor_element(numbers, arithmetic, turned(elements_of(row, bits), sign_a),
                          turned(elements_of(column, bits), sign_b), c);
  };
  // A bit of each exponent is missing: numbers are finite, and of tf32 near one.
  return {mnemonic, numbers.has_wide_sums, sum, signs, bits == 32 ? 0xbcffffffU : bits == 16 ? 0xbbffbbffU : 0xbbbbbbbbU};
}

TEST_CASE("HGMMA of tf32, of 16-bit sums and with turned signs is that of the tensor cores") {
  constexpr TensorArithmetic kHopper = {16, 25};
  constexpr TensorArithmetic kTf32 = {8, 25};
  const TensorNumbers tf32 = {.has_tf32 = true};
  const TensorNumbers halves = {.has_wide_sums = true};
  const TensorNumbers narrow = {.has_wide_sums = false};
  check_all(of_floats("HGMMA.64x24x8.F32.TF32", tf32, 32, kTf32), 0x100);
  check_all(of_floats("HGMMA.64x24x8.F32.TF32", tf32, 32, kTf32, ".negB"), 0x110);
  check_all(of_floats("HGMMA.64x24x16.F16", narrow, 16, kHopper), 0x120);
  check_all(of_floats("HGMMA.64x24x16.F32", halves, 16, kHopper, ".negA"), 0x130);
  check_all(of_floats("HGMMA.64x24x16.F32", halves, 16, kHopper, ".negA.negB"), 0x140);
}

TEST_CASE("QGMMA adds 32 products of 8-bit floats at once, of whose sum 13 bits are kept") {
  constexpr TensorArithmetic kHopper = {32, 13};
  for (const bool wide : {true, false}) {
    for (unsigned i = 0; i < 4; ++i) {
      const bool a = (i & 1) != 0;
      const bool b = (i & 2) != 0;
      const std::string mnemonic = fmt::format("QGMMA.64x24x32.{}.{}.{}", wide ? "F32" : "F16", a ? "E4M3" : "E5M2",
                                               b ? "E4M3" : "E5M2");
      const TensorNumbers numbers = {.has_wide_sums = wide, .has_bytes = true, .a_is_e4m3 = a, .b_is_e4m3 = b};
      check_all(of_floats(mnemonic, numbers, 8, kHopper), 0x200 + 0x10 * i + (wide ? 0 : 0x80));
      check_all(of_floats(mnemonic, numbers, 8, kHopper, ".negB"), 0x300 + 0x10 * i + (wide ? 0 : 0x80));
    }
  }
}

std::int64_t byte_value(U32 byte, bool has_sign) { return has_sign && byte >= 128 ? std::int64_t{byte} - 256 : byte; }

Kind of_bytes(bool a_has_sign, bool b_has_sign, bool saturates) {
  const auto sum = [=](const Words& row, const Words& column, U32 c) {
    const Words a = elements_of(row, 8);
    const Words b = elements_of(column, 8);
    std::int64_t total = static_cast<std::int32_t>(c);
    for (unsigned k = 0; k < a.size(); ++k) total += byte_value(a[k], a_has_sign) * byte_value(b[k], b_has_sign);
    if (saturates) {
      using Limits = std::numeric_limits<std::int32_t>;
      total = std::clamp<std::int64_t>(total, Limits::min(), Limits::max());
    }
    return static_cast<U32>(total);
  };
  return {fmt::format("IGMMA.64x24x32.{}.{}{}", a_has_sign ? "S8" : "U8", b_has_sign ? "S8" : "U8", saturates ? ".SAT" : ""),
          true, sum, "", ~0U};
}

TEST_CASE("IGMMA and BGMMA are exact") {
  for (unsigned i = 0; i < 8; ++i) check_all(of_bytes((i & 1) != 0, (i & 2) != 0, (i & 4) != 0), 0x400 + 0x10 * i);
  const auto bits = [](const Words& row, const Words& column, U32 c) {
    for (unsigned word = 0; word < kWords; ++word) c += static_cast<U32>(std::popcount(row[word] & column[word]));
    return c;
  };
  check_all({"BGMMA.64x24x256.AND.POPC", true, bits, "", ~0U}, 0x500);
}

}  // namespace
}  // namespace heddle::exec
