// mma.sp of PTX: a product whose matrix A is sparse is that of the dense matrix which the metadata describe. The elements are
// small whole numbers, so that every sum is exact.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "isa/base/diagnostic.h"
#include "isa/base/narrow_float.h"
#include "tests/support/catch.h"
#include "tests/support/lane_values.h"
#include "tests/support/ptx_kernel_run.h"
#include "tests/support/seed.h"

namespace heddle::lower {
namespace {

using namespace heddle::test;
using U32 = std::uint32_t;
using Words = std::vector<U32>;

constexpr unsigned kLanes = 32;
constexpr unsigned kRows = 16;
constexpr unsigned kColumns = 8;

struct Form {
  const char* types;
  unsigned depth;
  unsigned bits;       // of an element
  unsigned selectors;  // that it has

  [[nodiscard]] bool has(const char* type) const { return std::string_view(types).find(type) != std::string_view::npos; }
  [[nodiscard]] bool has_wide_sums() const { return !std::string_view(types).starts_with("f16"); }
  [[nodiscard]] unsigned in_word() const { return 32 / bits; }
  [[nodiscard]] unsigned given_of_group() const { return bits == 32 ? 1 : 2; }
  [[nodiscard]] unsigned group() const { return bits == 32 ? 2 : 4; }
};

constexpr Form kForms[] = {
    {"f32.f16.f16.f32", 16, 16, 4},   {"f16.f16.f16.f16", 16, 16, 4}, {"f32.bf16.bf16.f32", 16, 16, 4},
    {"f32.f16.f16.f32", 32, 16, 2},   {"f16.f16.f16.f16", 32, 16, 2}, {"f32.bf16.bf16.f32", 32, 16, 2},
    {"f32.tf32.tf32.f32", 8, 32, 4},  {"f32.tf32.tf32.f32", 16, 32, 2},
    {"s32.s8.s8.s32", 32, 8, 2},      {"s32.s8.u8.s32", 64, 8, 1},    {"s32.u8.s8.s32", 64, 8, 1},
};

U32 as_float(int value) { return std::bit_cast<U32>(static_cast<float>(value)); }

U32 element_bits(const Form& form, int value) {
  if (form.bits == 8) return static_cast<U32>(value) & 0xff;
  if (form.bits == 32) return as_float(value);
  return form.has("bf16") ? Bfloat::from(static_cast<double>(value)) : Half::from(static_cast<double>(value));
}

U32 sum_bits(const Form& form, int value) {
  if (form.has("s32.")) return static_cast<U32>(value);
  return form.has_wide_sums() ? as_float(value) : Half::from(static_cast<double>(value));
}

/// A with so many numbers in each group, and where they are.
struct Sparse {
  std::vector<std::vector<int>> dense;
  std::vector<std::vector<int>> given;
  std::vector<std::vector<unsigned>> nibbles;  // four bits of a group
};

Sparse random_sparse(LaneValues& values, const Form& form) {
  Sparse made;
  for (unsigned row = 0; row < kRows; ++row) {
    std::vector<int> dense(form.depth, 0);
    std::vector<int> given;
    std::vector<unsigned> nibbles;
    for (unsigned first = 0; first < form.depth; first += form.group()) {
      unsigned low = values.below(form.group());
      unsigned high = low;
      if (form.given_of_group() == 2) {
        while (high == low) high = values.below(4);
        if (low > high) std::swap(low, high);
      }
      const auto put = [&](unsigned at) {
        given.push_back(1 + static_cast<int>(values.below(4)));
        dense[first + at] = given.back();
      };
      put(low);
      if (high != low) put(high);
      // Of tf32 an element counts as two.
      nibbles.push_back(form.bits == 32 ? (2 * low | (2 * low + 1) << 2) : (low | high << 2));
    }
    made.dense.push_back(dense);
    made.given.push_back(given);
    made.nibbles.push_back(nibbles);
  }
  return made;
}

/// Writes the metadata of a row, four bits after four, into the registers of the lanes that hold it: PTX ISA, sparse matrix
/// storage. Other lanes have what does not count.
void put_metadata(const Form& form, const Sparse& a, unsigned selector, Words& words) {
  std::fill(words.begin(), words.end(), 0xeeeeeeee);
  for (unsigned row = 0; row < kRows; ++row) {
    const unsigned quad = row % 8 * 4;
    const unsigned lower = row / 8;
    for (unsigned group = 0; group < a.nibbles[row].size(); ++group) {
      unsigned lane = quad + selector;  // one lane of four
      unsigned shift = 16 * lower + 4 * (group % 4);
      if (form.selectors == 2) lane = quad + 2 * selector + (form.bits == 8 ? lower : group / 4);
      if (form.selectors == 1) lane = quad + 2 * (group / 8) + lower;
      if (form.bits == 8) shift = 4 * (group % 8);
      words[lane] = (words[lane] & ~(15U << shift)) | a.nibbles[row][group] << shift;
    }
  }
}

/// The register of a lane that holds the elements from `first` on of a row of A, or of a column of B.
template <typename Line>
U32 packed(const Form& form, const Line& line, unsigned first) {
  U32 word = 0;
  for (unsigned i = 0; i < form.in_word(); ++i) {
    const U32 bits = element_bits(form, line[first + i]);
    word |= form.bits == 32 ? bits : bits << i * form.bits;
  }
  return word;
}

std::string list(const char* letter, unsigned first, unsigned count) {
  std::string names;
  for (unsigned i = 0; i < count; ++i) names += fmt::format("{}%{}{}", i == 0 ? "{" : ", ", letter, first + i);
  return names + "}";
}

void check(const Form& form, unsigned selector, const char* opcode, std::uint32_t seed) {
  LaneValues values(seed);
  const Sparse a = random_sparse(values, form);
  std::vector<std::vector<int>> columns(kColumns);
  for (auto& column : columns) {
    for (unsigned k = 0; k < form.depth; ++k) column.push_back(static_cast<int>(values.below(5)));
  }
  const unsigned registers = form.depth / 2 / (2 * form.in_word());  // of A, and of B
  Words metadata(kLanes);
  put_metadata(form, a, selector, metadata);
  Words input;
  // Two rows of A in turn, then four lanes further along k.
  for (unsigned i = 0; i < registers; ++i) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      input.push_back(packed(form, a.given[lane / 4 + 8 * (i % 2)], (lane % 4 + 4 * (i / 2)) * form.in_word()));
  }
  for (unsigned i = 0; i < registers; ++i) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      input.push_back(packed(form, columns[lane / 4], (lane % 4 + 4 * i) * form.in_word()));
  }
  input.insert(input.end(), metadata.begin(), metadata.end());
  std::string text;
  for (unsigned i = 0; i <= 2 * registers; ++i)
    text += fmt::format("ld.global.b32 %x{}, [%ina+{}];\n", i, 4 * kLanes * i);
  const bool is_single = form.has_wide_sums() && !form.has("s32.");
  const char* letter = is_single ? "f" : "x";
  const unsigned sums = form.has_wide_sums() ? 4 : 2;
  for (unsigned i = 0; i < sums; ++i)
    text += fmt::format("mov.{} %{}{}, {};\n", is_single ? "f32" : "b32", letter, 20 + i, is_single ? "0f00000000" : "0");
  text += fmt::format("{}.sync.aligned.m16n8k{}.row.col.{} {}, {}, {}, {}, %x{}, {};\n", opcode, form.depth, form.types,
                      list(letter, 30, sums), list("x", 0, registers), list("x", registers, registers),
                      list(letter, 20, sums), 2 * registers, selector);
  for (unsigned i = 0; i < sums; ++i) text += fmt::format("st.global.b32 [%outa+{}], %{}{};\n", 4 * kLanes * i, letter, 30 + i);
  const Words found = run_ptx_kernel({text, 80, exec::Divergence::Barriers, kLanes}, input, std::size_t{4} * kLanes);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    for (unsigned i = 0; i < 4; ++i) {
      const std::vector<int>& row = a.dense[lane / 4 + (i < 2 ? 0 : 8)];
      const std::vector<int>& column = columns[lane % 4 * 2 + i % 2];
      int sum = 0;
      for (unsigned k = 0; k < form.depth; ++k) sum += row[k] * column[k];
      CAPTURE(lane, i);
      if (form.has_wide_sums()) {
        REQUIRE(found[kLanes * i + lane] == sum_bits(form, sum));
      } else {
        REQUIRE((found[kLanes * (i / 2) + lane] >> (16 * (i % 2)) & 0xffff) == sum_bits(form, sum));
      }
    }
  }
}

TEST_CASE("mma.sp is the product of the dense matrix") {
  for (const Form& form : kForms) {
    for (unsigned selector = 0; selector < form.selectors; ++selector) {
      for (const char* opcode : {"mma.sp", "mma.sp::ordered_metadata"}) {
        const std::uint32_t seed = drawn_seed();
        CAPTURE(form.types, form.depth, selector, opcode, seed);
        check(form, selector, opcode, seed);
      }
    }
  }
}

TEST_CASE("mma.sp that no tensor core has is refused") {
  const auto refusal = [](const std::string& instruction, unsigned capability) {
    return lower_statements({instruction, capability});
  };
  CHECK_THROWS_WITH(refusal("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%x0,%x1,%x2,%x3}, "
                            "{%x4,%x5,%x6,%x7}, {%f4,%f5,%f6,%f7}, %x8, 0;",
                            75),
                    Catch::Contains("sparse products need compute capability 8.0"));
  CHECK_THROWS_WITH(refusal("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%x0,%x1,%x2,%x3}, "
                            "{%x4,%x5,%x6,%x7}, {%f4,%f5,%f6,%f7}, %x8, 2;",
                            80),
                    Catch::Contains("from 0 to 1"));
  CHECK_THROWS_WITH(refusal("mma.sp.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%x0,%x1}, "
                            "{%x4,%x5}, {%f4,%f5,%f6,%f7}, %x8, 0;",
                            80),
                    Catch::Contains("sparse products of this shape and these types are not supported"));
}

}  // namespace
}  // namespace heddle::lower
