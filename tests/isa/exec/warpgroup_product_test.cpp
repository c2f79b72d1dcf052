// HGMMA: where shared memory has the elements that a descriptor names, and what comes of them.
#include <fmt/format.h>

#include <vector>

#include "isa/base/diagnostic.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"
#include "tests/support/tensor_reference.h"
#include "tests/support/warpgroup_sums.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;
using U32 = std::uint32_t;

constexpr unsigned kRows = 64;
constexpr unsigned kDepth = 16;
constexpr unsigned kThreads = 128;
constexpr TensorArithmetic kHopper = {16, 25};

/// A layout of shared memory as PTX's figures have it, in chunks of 8 elements (16 bytes). `lines` by 16
/// elements; a transposed matrix has its chunks along the lines, another one along K.
struct Layout {
  unsigned swizzle = 0;  ///< Bytes: 0, 32, 64 or 128.
  bool is_transposed = false;
  unsigned leading = 0;
  unsigned stride = 0;

  [[nodiscard]] std::uint64_t descriptor(U32 start) const {
    const unsigned code = swizzle == 0 ? 0 : swizzle == 128 ? 1 : swizzle == 64 ? 2 : 3;
    return std::uint64_t{code} << 62 | std::uint64_t{stride / 16} << 32 | std::uint64_t{leading / 16} << 16 |
           start / 16;
  }

  /// Where an element lies, by counting: which core matrix or atom, which line of it, which chunk of the
  /// line.
  [[nodiscard]] U32 place(U32 start, unsigned line, unsigned k) const {
    const unsigned across = is_transposed ? line : k;
    const unsigned along = is_transposed ? k : line;
    if (swizzle == 0) {
      // Core matrices of 8 lines by 16 bytes.
      const unsigned of_k = is_transposed ? along / 8 : across / 8;
      const unsigned of_lines = is_transposed ? across / 8 : along / 8;
      return start + of_k * leading + of_lines * stride + along % 8 * 16 + across % 8 * 2;
    }
    // Atoms of 8 lines, as wide as the swizzle; chunk c of line r lies where chunk c ^ (r, cut to fit) would.
    const unsigned chunks = swizzle / 16;
    const unsigned atom = across / 8 / chunks;
    const unsigned row = along % 8;
    const unsigned turned = (across / 8 % chunks) ^ (row * chunks / 8);
    return start + atom * (is_transposed ? leading : 0) + along / 8 * stride + row * swizzle + turned * 16 +
           across % 8 * 2;
  }
};

/// Bytes that a matrix of so many lines takes, and offsets that leave no gaps.
Layout packed(unsigned swizzle, bool is_transposed, unsigned lines) {
  if (swizzle == 0) return {0, is_transposed, 128, 256};  // the two of K beside one another
  if (!is_transposed) return {swizzle, false, 0, 8 * swizzle};
  const unsigned atoms = (lines * 2 + swizzle - 1) / swizzle;
  return {swizzle, true, 8 * swizzle, 8 * swizzle * atoms};
}

struct Case {
  unsigned columns;
  bool is_bfloat;
  Layout a;  ///< Not used where A is in registers.
  Layout b;
  bool a_in_registers = false;
  bool adds = true;
};

constexpr U32 kStartA = 1024;
constexpr U32 kStartB = 1024 + 16384;
constexpr U32 kSharedBytes = kStartB + 65536;
constexpr unsigned kFirstSum = 24;

/// Copies `image` to shared memory, reads C, multiplies, writes D: register i of thread t at word i * 128 +
/// t.
std::string text_of(const Case& c) {
  std::string text =
      fmt::format(".kernel k\n.param image ptr\n.param sums ptr\n.param a ptr\n.shared tile {} align 1024\n",
                  kSharedBytes);
  text += fmt::format(R"(
    S2R R0, SR_TID.X
    IMAD.WIDE R2, R0, 0x10, c[image]
    SHF.L.U32 R1, R0, 0x4, RZ
    MOV R4, {:#x}
copy:
    LDG.E.128 R8, [R2.64]
    STS.128 [R1], R8
    IADD3 R2, P1, R2, 0x800, RZ
    IADD3.X R3, R3, RZ, RZ, P1
    IADD3 R1, R1, 0x800, RZ
    ISETP.LT.AND P0, PT, R1, R4, PT
@P0 BRA copy
    BAR.SYNC 0x0
    IMAD.WIDE R2, R0, 0x4, c[sums]
    IMAD.WIDE R6, R0, 0x10, c[a]
    LDG.E.128 R12, [R6.64]
)",
                      kSharedBytes);
  const unsigned registers = c.columns / 2;
  for (unsigned i = 0; i < registers; ++i)
    text += fmt::format("    LDG.E R{}, [R2.64+{:#x}]\n", kFirstSum + i, 4 * kThreads * i);
  const std::uint64_t a = c.a.descriptor(kStartA);
  const std::uint64_t b = c.b.descriptor(kStartB);
  const unsigned first_of_b = c.a_in_registers ? 8 : 10;
  for (unsigned i = 0; i < 2; ++i) {
    text += fmt::format("    UMOV UR{}, {:#x}\n", 8 + i, a >> (32 * i) & 0xffffffff);
  }
  for (unsigned i = 0; i < 2; ++i) {
    text += fmt::format("    UMOV UR{}, {:#x}\n", first_of_b + i, b >> (32 * i) & 0xffffffff);
  }
  text += "    WARPGROUP.ARRIVE\n";
  text +=
      fmt::format("    HGMMA.64x{}x16.F32{} R{}, {}gdesc[UR8]{}{}, {}, gsb0\n", c.columns,
                  c.is_bfloat ? ".BF16" : "", kFirstSum, c.a_in_registers ? "R12, " : "",
                  c.a.is_transposed && !c.a_in_registers ? ".tnspA" : "", c.b.is_transposed ? ".tnspB" : "",
                  c.adds ? fmt::format("R{}", kFirstSum) : fmt::format("R{}, !UPT", kFirstSum));
  text += "    WARPGROUP.DEPBAR.LE gsb0, 0x0\n";
  for (unsigned i = 0; i < registers; ++i)
    text += fmt::format("    STG.E [R2.64+{:#x}], R{}\n", 4 * kThreads * i, kFirstSum + i);
  return text + "    EXIT\n";
}

struct Matrices {
  std::vector<std::vector<U32>> rows;     ///< The rows of A.
  std::vector<std::vector<U32>> columns;  ///< The columns of B.
};

Matrices random_matrices(LaneValues& values, const Case& c) {
  Matrices made;
  const auto line = [&](unsigned kind) {
    std::vector<U32> elements;
    for (unsigned k = 0; k < kDepth; ++k) elements.push_back(narrow_operand(values, c.is_bfloat, kind));
    return elements;
  };
  for (unsigned i = 0; i < kRows; ++i) made.rows.push_back(line(i % 4));
  for (unsigned i = 0; i < c.columns; ++i) made.columns.push_back(line(i / 2 % 4));
  return made;
}

void check(const Case& c, std::uint64_t seed) {
  CAPTURE(c.columns, c.is_bfloat, c.a.swizzle, c.a.is_transposed, c.b.swizzle, c.b.is_transposed,
          c.a_in_registers, c.adds, seed);
  LaneValues values(seed);
  const Matrices matrices = random_matrices(values, c);
  GlobalMemory memory;
  const Buffer& image = memory.allocate("image", kSharedBytes);
  const Buffer& sums = memory.allocate("sums", 4ULL * kThreads * 128);
  const Buffer& a = memory.allocate("a", 16ULL * kThreads);
  const auto put = [&](U32 address, U32 bits) {
    REQUIRE(address + 2 <= kSharedBytes);
    image.as<std::uint16_t>()[address / 2] = static_cast<std::uint16_t>(bits);
  };
  for (unsigned k = 0; k < kDepth; ++k) {
    for (unsigned i = 0; i < kRows && !c.a_in_registers; ++i)
      put(c.a.place(kStartA, i, k), matrices.rows[i][k]);
    for (unsigned i = 0; i < c.columns; ++i) put(c.b.place(kStartB, i, k), matrices.columns[i][k]);
  }
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    for (unsigned i = 0; i < 8; ++i) {
      const unsigned row = thread / 32 * 16 + thread % 32 / 4 + (i / 2 % 2) * 8;
      const unsigned k = i / 4 * 8 + thread % 4 * 2 + i % 2;
      a.as<std::uint16_t>()[8 * thread + i] = static_cast<std::uint16_t>(matrices.rows[row][k]);
    }
  }
  for (U32& sum : sums.as<U32>()) sum = single_operand(values, values.below(4));
  const std::vector<U32> before(sums.as<U32>().begin(), sums.as<U32>().end());

  KernelRun run;
  run.text = text_of(c);
  run.block = {kThreads};
  run.params = {image.address(), sums.address(), a.address()};
  REQUIRE(fault_of(run, memory) == "");
  unsigned wrong = 0;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    for (unsigned i = 0; i < c.columns / 2; ++i) {
      const std::size_t at = std::size_t{i} * kThreads + thread;
      const U32 expected =
          tensor_element({c.is_bfloat, true}, kHopper, matrices.rows[row_of_sum(thread, i)],
                         matrices.columns[column_of_sum(thread, i)], c.adds ? before[at] : 0);
      if (sums.as<U32>()[at] != expected) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("a warpgroup's product is that of the tensor cores, to the bit, at every size") {
  for (unsigned columns = 8; columns <= 208; columns += 40) {
    for (const bool is_bfloat : {false, true}) {
      check({columns, is_bfloat, packed(0, false, kRows), packed(0, false, columns)}, 0x9a + columns);
      check({columns, is_bfloat, packed(128, false, kRows), packed(128, false, columns)}, 0x19a + columns);
    }
  }
}

TEST_CASE("descriptors find matrices in all layouts, either dimension being the major one") {
  constexpr unsigned kColumns = 96;
  for (const unsigned swizzle : {0U, 32U, 64U, 128U}) {
    for (const bool is_transposed : {false, true}) {
      const Layout mine = packed(swizzle, is_transposed, kColumns);
      check({kColumns, false, packed(128, false, kRows), mine}, 0xb0 + swizzle);
      check({kColumns, true, packed(swizzle, is_transposed, kRows), packed(0, false, kColumns)},
            0xb1 + swizzle);
    }
  }
}

TEST_CASE("offsets may leave gaps, and a start may lie within a swizzled line") {
  check({64, false, {0, false, 2064, 144}, {0, false, 4096, 160}}, 0xc0);
  check({64, false, {0, true, 2064, 144}, {0, true, 4096, 160}}, 0xc1);
  check({64, false, {128, false, 0, 1024 + 1024}, {64, false, 0, 1024}}, 0xc2);
}

TEST_CASE("A may come from registers, and the sums may be left out") {
  check({40, false, packed(0, false, kRows), packed(128, true, 40), true}, 0xd0);
  check({40, true, packed(0, false, kRows), packed(0, false, 40), true, false}, 0xd1);
  check({48, false, packed(128, false, kRows), packed(128, false, 48), false, false}, 0xd2);
}

std::string fault_in(const std::string& body, unsigned threads, unsigned warp_size = 32) {
  GlobalMemory memory;
  KernelRun run;
  run.text = ".kernel k\n.shared tile 4096\n" + body + "\nEXIT\n";
  run.block = {threads};
  run.warp_size = warp_size;
  return fault_of(run, memory);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string with_descriptors(std::uint64_t a, std::uint64_t b) {
  return fmt::format("UMOV UR0, {:#x}\nUMOV UR1, {:#x}\nUMOV UR2, {:#x}\nUMOV UR3, {:#x}\n", a & 0xffffffff,
                     a >> 32, b & 0xffffffff, b >> 32);
}

const std::string kProduct = "HGMMA.64x8x16.F32 R4, gdesc[UR0], RZ, gsb0";

TEST_CASE("products without a warpgroup, or out of shared memory, are the program's mistakes") {
  const Layout rows = packed(0, false, kRows);
  const std::string good = with_descriptors(rows.descriptor(0), rows.descriptor(2048));
  CHECK(fault_in(good + kProduct, 128) == "");
  CHECK(has(fault_in(good + kProduct, 64), "needs a warpgroup of 4 warps"));
  CHECK(has(fault_in(good + "WARPGROUP.ARRIVE", 96), "the block has 3 warps"));
  CHECK(has(fault_in(good + kProduct, 120), "needs all 32 lanes"));  // 24 of the last
  CHECK(has(fault_in("S2R R0, SR_LANEID\nISETP.LT.AND P0, PT, R0, 0x5, PT\n" + good + "@P0 " + kProduct, 128),
            "lanes 0xffffffe0 do not take part"));
  const std::string past = with_descriptors(rows.descriptor(2048), rows.descriptor(0));
  CHECK(fault_in(past + kProduct, 128) == "");
  CHECK(has(fault_in(with_descriptors(rows.descriptor(2064), 0) + kProduct, 128),
            "a matrix descriptor leads to address 0x100e, out of the block's 0x1000 bytes of shared memory"));
  CHECK(has(fault_in(with_descriptors(std::uint64_t{3} << 49, 0) + kProduct, 128), "has a base offset"));
  CHECK(has(fault_in("HGMMA.64x8x16.F32 R4, gdesc[UR0], RZ", 128), "reads UR0, which was never written"));
  CHECK(
      has(fault_in(good + "HGMMA.64x8x16.F32 R4, gdesc[UR0], R4", 128), "reads R4, which was never written"));
  CHECK(has(fault_in(good + "UISETP.EQ.U32.AND UP0, UPT, UR0, UR0, UPT\nHGMMA.64x8x16.F32 R4, gdesc[UR0], R4, !UP0", 128),
            "reads R4, which was never written"));
  CHECK(fault_in(good + "HGMMA.64x8x16.F32 R4, gdesc[UR0], R4, !UPT", 128) == "");
}

TEST_CASE("a product needs warps of 32 threads") {
  GlobalMemory memory;
  for (const unsigned lanes : {16U, 64U}) {
    KernelRun run;
    run.text =
        ".kernel k\nUMOV UR0, 0x0\nUMOV UR1, 0x0\nUMOV UR2, 0x0\nUMOV UR3, 0x0\n" + kProduct + "\nEXIT\n";
    run.block = {4 * lanes};
    run.warp_size = lanes;
    std::string refused;
    try {
      make_kernel(run, memory);
    } catch (const InputError& error) {
      refused = error.what();
    }
    CHECK(has(refused, fmt::format("HGMMA needs warps of 32 threads, not of {}", lanes)));
  }
}

TEST_CASE("uniform registers hold one value for the warp") {
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", 8ULL * 64 * 4);
  KernelRun run;
  run.text = R"(
.kernel k
.param out ptr
    S2R R0, SR_TID.X
    UMOV UR62, 0x7
    UIADD3 UR5, UR62, -0x3, URZ
    UIADD3 UR5, UR5, -UR62, UR5
    ISETP.GE.AND P0, PT, R0, 0x25, PT
    MOV R1, 0x0
    MOV R2, 0x0
@!P0 BRA rest
    R2UR UR6, R0
    MOV R1, UR6
rest:
    IADD3 R2, R1, UR5, R2
    ULDC.64 UR8, c[out]
    ULDC.U8 UR10, c[0x0][0x0]
    MOV R6, UR8
    MOV R7, UR9
    IADD3 R10, RZ, UR10, RZ
    IMAD.WIDE R6, R0, 0x10, R6                // as R8 below
    IMAD R3, R0, UR62, RZ
    MOV R4, URZ
    MOV R5, R3
    IMAD.WIDE R8, R0, 0x10, c[out]
    STG.E [R8.64], R1
    STG.E [R8.64+0x4], R2
    STG.E [R8.64+0x8], R4
    STG.E [R6.64+0xc], R5
    STG.E [R6.64+0x400], R10
    EXIT)";
  run.block = {64};
  run.params = {out.address()};
  REQUIRE(fault_of(run, memory) == "");
  for (unsigned t = 0; t < 64; ++t) {
    const U32 first = t < 0x25 ? 0 : 0x25;  // the first of those lanes that take part
    CHECK(out.as<U32>()[4 * t] == first);
    CHECK(out.as<U32>()[4 * t + 1] == first + 1);  // 4 - 7 + 4
    CHECK(out.as<U32>()[4 * t + 2] == 0);
    CHECK(out.as<U32>()[4 * t + 3] == 7 * t);
    CHECK(out.as<U32>()[4 * (64 + t)] == 64);
  }
}

}  // namespace
}  // namespace heddle::exec
