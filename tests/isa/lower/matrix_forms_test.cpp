// mma, ldmatrix and wmma of PTX, against sums of products. The elements are small whole numbers, so that
// every sum is exact: how products are rounded is tested where they are executed.
#include <fmt/format.h>

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

/// rows x columns whole numbers from -4 to 4.
struct Matrix {
  unsigned rows;
  unsigned columns;
  std::vector<int> elements;

  [[nodiscard]] int at(unsigned row, unsigned column) const { return elements[row * columns + column]; }
};

Matrix random_matrix(LaneValues& values, unsigned rows, unsigned columns) {
  Matrix matrix{rows, columns, {}};
  for (unsigned i = 0; i < rows * columns; ++i)
    matrix.elements.push_back(static_cast<int>(values.below(9)) - 4);
  return matrix;
}

int expected_at(const Matrix& a, const Matrix& b, const Matrix& c, unsigned row, unsigned column) {
  int sum = c.at(row, column);
  for (unsigned k = 0; k < a.columns; ++k) sum += a.at(row, k) * b.at(k, column);
  return sum;
}

U32 narrow(int value, bool is_bfloat) {
  return is_bfloat ? Bfloat::from(static_cast<double>(value)) : Half::from(static_cast<double>(value));
}
U32 single(int value) { return std::bit_cast<U32>(static_cast<float>(value)); }

// -- mma ----------------------------------------------------------------------------------------------------

struct MmaForm {
  unsigned depth;
  const char* types;
  bool is_bfloat;
  bool has_wide_sums;
};

constexpr MmaForm kMmaForms[] = {
    {16, "f32.f16.f16.f32", false, true},  {16, "f16.f16.f16.f16", false, false},
    {16, "f32.bf16.bf16.f32", true, true}, {8, "f32.f16.f16.f32", false, true},
    {8, "f16.f16.f16.f16", false, false},  {8, "f32.bf16.bf16.f32", true, true},
};

/// The fragments of the PTX ISA: where element i of a lane lies.
struct Fragments {
  unsigned depth;

  [[nodiscard]] static unsigned group(unsigned lane) { return lane >> 2; }
  [[nodiscard]] static unsigned in_group(unsigned lane) { return lane % 4; }
  [[nodiscard]] unsigned a_row(unsigned lane, unsigned i) const {
    const bool is_upper = depth == 8 ? i < 2 : i < 2 || (i >= 4 && i < 6);
    return is_upper ? group(lane) : group(lane) + 8;
  }
  [[nodiscard]] unsigned a_column(unsigned lane, unsigned i) const {
    return in_group(lane) * 2 + (i & 1) + (depth == 16 && i >= 4 ? 8 : 0);
  }
  [[nodiscard]] static unsigned b_row(unsigned lane, unsigned i) {
    return in_group(lane) * 2 + (i & 1) + (i >= 2 ? 8 : 0);
  }
  [[nodiscard]] static unsigned c_row(unsigned lane, unsigned i) {
    return i < 2 ? group(lane) : group(lane) + 8;
  }
  [[nodiscard]] static unsigned c_column(unsigned lane, unsigned i) { return in_group(lane) * 2 + (i & 1); }
};

TEST_CASE("mma.sync multiplies fragments as the PTX ISA lays them out") {
  const unsigned capability = GENERATE(75U, 80U, 90U);
  for (const MmaForm& form : kMmaForms) {
    const std::uint32_t seed = drawn_seed();
    CAPTURE(form.depth, form.types, capability, seed);
    LaneValues values(seed);
    const Matrix a = random_matrix(values, 16, form.depth);
    const Matrix b = random_matrix(values, form.depth, 8);
    const Matrix c = random_matrix(values, 16, 8);
    const Fragments fragments{form.depth};
    const unsigned a_words = form.depth / 4;
    const unsigned b_words = form.depth / 8;
    const unsigned c_words = form.has_wide_sums ? 4 : 2;
    Words input(kLanes * (a_words + b_words + c_words));
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      unsigned word = 0;
      const auto put = [&](U32 bits) { input[kLanes * word++ + lane] = bits; };
      const auto pair = [&](int low, int high) {
        put(narrow(high, form.is_bfloat) << 16 | narrow(low, form.is_bfloat));
      };
      const auto a_at = [&](unsigned i) {
        return a.at(fragments.a_row(lane, i), fragments.a_column(lane, i));
      };
      const auto b_at = [&](unsigned i) { return b.at(Fragments::b_row(lane, i), Fragments::group(lane)); };
      const auto c_at = [&](unsigned i) {
        return c.at(Fragments::c_row(lane, i), Fragments::c_column(lane, i));
      };
      for (unsigned i = 0; i < a_words; ++i) pair(a_at(2 * i), a_at(2 * i + 1));
      for (unsigned i = 0; i < b_words; ++i) pair(b_at(2 * i), b_at(2 * i + 1));
      if (form.has_wide_sums) {
        for (unsigned i = 0; i < 4; ++i) put(single(c_at(i)));
      } else {
        for (unsigned i = 0; i < 2; ++i) pair(c_at(2 * i), c_at(2 * i + 1));
      }
    }
    std::string text;
    const auto list = [&](const char* letter, unsigned first, unsigned count) {
      std::string names;
      for (unsigned i = 0; i < count; ++i)
        names += fmt::format("{}%{}{}", i == 0 ? "{" : ", ", letter, first + i);
      return names + "}";
    };
    const char* sums = form.has_wide_sums ? "f" : "x";
    const unsigned factors = a_words + b_words;
    for (unsigned i = 0; i < factors; ++i)
      text += fmt::format("ld.global.b32 %x{}, [%ina+{}];\n", i, 4 * kLanes * i);
    for (unsigned i = 0; i < c_words; ++i)
      text += fmt::format("ld.global.b32 %{}{}, [%ina+{}];\n", sums, 20 + i, 4 * kLanes * (factors + i));
    text += fmt::format("mma.sync.aligned.m16n8k{}.row.col.{} {}, {}, {}, {};\n", form.depth, form.types,
                        list(sums, 30, c_words), list("x", 0, a_words), list("x", a_words, b_words),
                        list(sums, 20, c_words));
    for (unsigned i = 0; i < c_words; ++i)
      text += fmt::format("st.global.b32 [%outa+{}], %{}{};\n", 4 * kLanes * i, sums, 30 + i);
    const Words found = run_ptx_kernel({text, capability, exec::Divergence::Barriers, kLanes}, input,
                                       std::size_t{4} * kLanes);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      for (unsigned i = 0; i < 4; ++i) {
        const int sum = expected_at(a, b, c, Fragments::c_row(lane, i), Fragments::c_column(lane, i));
        if (form.has_wide_sums) {
          REQUIRE(found[kLanes * i + lane] == single(sum));
        } else {
          REQUIRE((found[kLanes * (i / 2) + lane] >> (16 * (i % 2)) & 0xffff) == narrow(sum, false));
        }
      }
    }
  }
}

// -- ldmatrix -----------------------------------------------------------------------------------------------

TEST_CASE("ldmatrix gives each lane two neighbours of a row, or of a column") {
  const unsigned count = GENERATE(1U, 2U, 4U);
  const bool is_transposed = GENERATE(false, true);
  const bool is_generic = GENERATE(false, true);
  std::string registers = "{%x10";
  for (unsigned i = 1; i < count; ++i) registers += fmt::format(", %x{}", 10 + i);
  registers += "}";
  std::string text = R"(
    mov.u32 %x0, words;
    mad.lo.u32 %x1, %t, 16, %x0;
    mad.wide.u32 %y1, %t, 16, %in;
    ld.global.v4.b32 {%x2, %x3, %x4, %x5}, [%y1];
    st.shared.v4.b32 [%x1], {%x2, %x3, %x4, %x5};
    bar.sync 0;
    mov.u64 %y2, words;
    cvta.shared.u64 %y2, %y2;
    mad.wide.u32 %y2, %t, 16, %y2;
  )";
  text +=
      fmt::format("ldmatrix.sync.aligned.m8n8.x{}{}{}.b16 {}, [{}];\n", count, is_transposed ? ".trans" : "",
                  is_generic ? "" : ".shared", registers, is_generic ? "%y2" : "%x1");
  for (unsigned i = 0; i < count; ++i)
    text += fmt::format("st.global.b32 [%outa+{}], %x{};\n", 4 * kLanes * i, 10 + i);
  LaneValues values(5);
  Words input(std::size_t{4} * kLanes);
  for (U32& word : input) word = values.any_bits();
  const Words found =
      run_ptx_kernel({text, 80, exec::Divergence::Barriers, kLanes}, input, std::size_t{4} * kLanes);
  // Row j of matrix i is what thread 8 i + j has stored.
  const auto element = [&](unsigned matrix, unsigned row, unsigned column) {
    return input[(8 * matrix + row) * 4 + column / 2] >> (16 * (column % 2)) & 0xffff;
  };
  for (unsigned matrix = 0; matrix < count; ++matrix) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const unsigned line = lane / 4;
      const unsigned first = 2 * (lane % 4);
      const U32 low = is_transposed ? element(matrix, first, line) : element(matrix, line, first);
      const U32 high = is_transposed ? element(matrix, first + 1, line) : element(matrix, line, first + 1);
      REQUIRE(found[kLanes * matrix + lane] == (high << 16 | low));
    }
  }
}

// -- wmma ---------------------------------------------------------------------------------------------------

struct Shape {
  unsigned m;
  unsigned n;
};

struct WmmaRun {
  Shape shape{};
  bool a_by_rows = true;
  bool b_by_rows = false;
  bool sums_by_rows = true;
  bool is_bfloat = false;
  bool has_wide_sums = true;
  bool is_shared = false;
  std::string line =
      "number";  ///< How the distance of lines is given: "number", "register", or "none": as the tile.
  unsigned capability = 80;
};

/// A matrix in memory, and how PTX names it.
struct Stored {
  const Matrix& matrix;
  bool is_by_rows;
  unsigned line;  ///< Elements from one line to the next.

  [[nodiscard]] unsigned place(unsigned row, unsigned column) const {
    return is_by_rows ? row * line + column : column * line + row;
  }
  [[nodiscard]] unsigned elements() const { return line * (is_by_rows ? matrix.rows : matrix.columns); }
};

Stored stored(const Matrix& matrix, bool is_by_rows, const WmmaRun& run) {
  const unsigned least = is_by_rows ? matrix.columns : matrix.rows;
  return {matrix, is_by_rows, run.line == "none" ? least : least + 8};
}

void append_halves(Words& words, const Stored& from, bool is_bfloat) {
  std::vector<U32> halves((from.elements() + 1) / 2 * 2, narrow(7, is_bfloat));
  for (unsigned row = 0; row < from.matrix.rows; ++row) {
    for (unsigned column = 0; column < from.matrix.columns; ++column)
      halves[from.place(row, column)] = narrow(from.matrix.at(row, column), is_bfloat);
  }
  for (std::size_t i = 0; i < halves.size(); i += 2) words.push_back(halves[i + 1] << 16 | halves[i]);
}

void append_floats(Words& words, const Stored& from) {
  std::vector<U32> floats(from.elements(), single(7));
  for (unsigned row = 0; row < from.matrix.rows; ++row) {
    for (unsigned column = 0; column < from.matrix.columns; ++column)
      floats[from.place(row, column)] = single(from.matrix.at(row, column));
  }
  words.insert(words.end(), floats.begin(), floats.end());
}

std::string registers(const char* letter, unsigned first, std::size_t count) {
  std::string names;
  for (std::size_t i = 0; i < count; ++i)
    names += fmt::format("{}%{}{}", i == 0 ? "{" : ", ", letter, first + i);
  return names + "}";
}

std::size_t factor_registers(const WmmaRun& run, unsigned extent) {
  if (!run.is_bfloat) return 8;
  return extent == 8 ? 2 : extent == 16 ? 4 : 8;
}

/// Everything that is in memory, where it begins, in words, and the statements.
struct WmmaText {
  Words input;
  std::string text;
};

WmmaText text_of(const WmmaRun& run, const Stored& a, const Stored& b, const Stored& c) {
  WmmaText made;
  const auto align = [&] { made.input.resize((made.input.size() + 7) / 8 * 8); };
  append_halves(made.input, a, run.is_bfloat);
  align();
  const std::size_t b_at = made.input.size();
  append_halves(made.input, b, run.is_bfloat);
  align();
  const std::size_t c_at = made.input.size();
  if (run.has_wide_sums) {
    append_floats(made.input, c);
  } else {
    append_halves(made.input, c, false);
  }
  align();
  // All is copied to shared memory, or stays where it is.
  if (run.is_shared) {
    made.text = "mov.u32 %x0, words; mad.lo.u32 %x1, %t, 4, %x0; mov.b64 %y1, %ina;\n";
    for (std::size_t i = 0; i < made.input.size(); i += kLanes)
      made.text += fmt::format("ld.global.b32 %x2, [%y1+{0}]; st.shared.b32 [%x1+{0}], %x2;\n", 4 * i);
    made.text += "bar.sync 0;\n";
  }
  const std::string space = run.is_shared ? "shared" : "global";
  const auto order = [](bool is_by_rows) { return is_by_rows ? "row" : "col"; };
  const auto line = [&](const Stored& matrix) -> std::string {
    if (run.line == "none") return "";
    return run.line == "number" ? fmt::format(", {}", matrix.line) : ", %x39";
  };
  const auto set_line = [&](const Stored& matrix) {
    made.text += fmt::format("mov.u32 %x39, {};\n", matrix.line);
  };
  const std::string shape = fmt::format("m{}n{}k16", run.shape.m, run.shape.n);
  const char* factor = run.is_bfloat ? "bf16" : "f16";
  const char* sum = run.has_wide_sums ? "f32" : "f16";
  const char* letter = run.has_wide_sums ? "f" : "x";
  const std::string a_list = registers("x", 10, factor_registers(run, run.shape.m));
  const std::string b_list = registers("x", 18, factor_registers(run, run.shape.n));
  const std::size_t sums = run.has_wide_sums ? 8 : 4;
  const std::string base = run.is_shared ? "%x0" : "%in";
  const auto load = [&](const char* what, const Stored& matrix, const char* type, const std::string& list,
                        std::size_t at) {
    set_line(matrix);
    made.text += fmt::format("wmma.load.{}.sync.aligned.{}.{}.{}.{} {}, [{}+{}]{};\n", what,
                             order(matrix.is_by_rows), shape, space, type, list, base, 4 * at, line(matrix));
  };
  load("a", a, factor, a_list, 0);
  load("b", b, factor, b_list, b_at);
  load("c", c, sum, registers(letter, 26, sums), c_at);
  const std::string types = run.is_bfloat ? "f32.bf16.bf16.f32" : fmt::format("{0}.{0}", sum);
  made.text += fmt::format("wmma.mma.sync.aligned.{}.{}.{}.{} {}, {}, {}, {};\n", order(run.a_by_rows),
                           order(run.b_by_rows), shape, types, registers(letter, 30, sums), a_list, b_list,
                           registers(letter, 26, sums));
  const std::string to = run.is_shared ? "%x0" : "%out";
  // In place of the input, where it is shared.
  made.text += fmt::format("wmma.store.d.sync.aligned.{}.{}.{}.{} [{}], {}{};\n", order(run.sums_by_rows),
                           shape, space, sum, to, registers(letter, 30, sums), line(c));
  if (run.is_shared) {
    made.text += "bar.sync 0;\n";
    for (std::size_t i = 0; i < c.elements(); i += kLanes)
      made.text += fmt::format("ld.shared.b32 %x2, [%x1+{0}]; st.global.b32 [%outa+{0}], %x2;\n", 4 * i);
  }
  made.input.resize((made.input.size() + kLanes) / kLanes * kLanes);
  return made;
}

void check_wmma(const WmmaRun& run) {
  const std::uint32_t seed = drawn_seed();
  CAPTURE(run.shape.m, run.shape.n, run.a_by_rows, run.b_by_rows, run.sums_by_rows, run.is_bfloat,
          run.has_wide_sums, run.is_shared, run.line, run.capability, seed);
  LaneValues values(seed);
  const Matrix a = random_matrix(values, run.shape.m, 16);
  const Matrix b = random_matrix(values, 16, run.shape.n);
  const Matrix c = random_matrix(values, run.shape.m, run.shape.n);
  const Stored sums = stored(c, run.sums_by_rows, run);
  const WmmaText made = text_of(run, stored(a, run.a_by_rows, run), stored(b, run.b_by_rows, run), sums);
  const Words found =
      run_ptx_kernel({made.text, run.capability, exec::Divergence::Barriers, kLanes}, made.input, 4096);
  for (unsigned row = 0; row < c.rows; ++row) {
    for (unsigned column = 0; column < c.columns; ++column) {
      CAPTURE(row, column);
      const unsigned at = sums.place(row, column);
      const int sum = expected_at(a, b, c, row, column);
      if (run.has_wide_sums) {
        REQUIRE(found[at] == single(sum));
      } else {
        REQUIRE((found[at / 2] >> (16 * (at % 2)) & 0xffff) == narrow(sum, false));
      }
    }
  }
}

TEST_CASE("wmma multiplies matrices in memory") {
  for (const Shape shape : {Shape{16, 16}, Shape{32, 8}, Shape{8, 32}}) {
    for (const bool is_shared : {false, true}) {
      for (unsigned orders = 0; orders < 8; ++orders) {
        WmmaRun run{shape, (orders & 1) != 0, (orders & 2) != 0, (orders & 4) != 0};
        run.is_shared = is_shared;
        check_wmma(run);
        run.has_wide_sums = false;
        run.line = "register";
        check_wmma(run);
        run.has_wide_sums = run.is_bfloat = true;
        run.line = "none";
        check_wmma(run);
      }
    }
  }
}

TEST_CASE("wmma before compute capability 8.0 multiplies in steps of 8") {
  WmmaRun run{{16, 16}};
  run.capability = 75;
  check_wmma(run);
}

TEST_CASE("all elements of a fragment can be scaled one by one") {
  // As programs do: D = 2 C, element by element, stored without a product.
  std::string text =
      "wmma.load.c.sync.aligned.row.m16n16k16.global.f32 " + registers("f", 0, 8) + ", [%in], 16;\n";
  for (unsigned i = 0; i < 8; ++i)
    text += fmt::format("mov.b32 %x{0}, %f{0}; add.u32 %x{0}, %x{0}, 0x800000; mov.b32 %f{0}, %x{0};\n", i);
  text += "wmma.store.d.sync.aligned.col.m16n16k16.global.f32 [%out], " + registers("f", 0, 8) + ", 16;\n";
  LaneValues values(9);
  const Matrix c = random_matrix(values, 16, 16);
  Words input;
  for (const int element : c.elements) input.push_back(single(element == 0 ? 1 : element));
  const Words found = run_ptx_kernel({text, 80, exec::Divergence::Barriers, kLanes}, input, 256);
  for (unsigned row = 0; row < 16; ++row) {
    for (unsigned column = 0; column < 16; ++column) {
      REQUIRE(std::bit_cast<float>(found[column * 16 + row]) ==
              2 * std::bit_cast<float>(input[row * 16 + column]));
    }
  }
}

TEST_CASE("products of other shapes and types are refused") {
  for (
      const char* text : {
          "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, {%x0,%x1}, {%x2,%x3}, {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7};",
          "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e2m1.f32 {%f0,%f1,%f2,%f3}, {%x4,%x5,%x6,%x7}, {%x8,%x9}, {%f0,%f1,%f2,%f3};",
          "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%x0,%x1,%x2,%x3}, {%x4,%x5}, {%x8,%x9}, {%x0,%x1,%x2,%x3};",
          "wmma.load.a.sync.aligned.row.m16n16k16.global.u8 {%x0,%x1,%x2}, [%in], 16;",
          "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%x0,%x1}, [%in], 16;",
          "wgmma.fence.sync.aligned;",
      }) {
    CAPTURE(text);
    CHECK_THROWS_AS(lower_statements({text}), InputError);
  }
}

}  // namespace
}  // namespace heddle::lower
