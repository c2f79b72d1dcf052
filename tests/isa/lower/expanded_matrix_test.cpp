// mma, movmatrix and stmatrix of PTX for which lowering writes functions, against the fragments of the PTX
// ISA.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>

#include "isa/base/narrow_float.h"
#include "tests/support/catch.h"
#include "tests/support/ptx_kernel_run.h"
#include "tests/support/seed.h"

namespace heddle::test {
namespace {

using U32 = std::uint32_t;
using U64 = std::uint64_t;
using S64 = std::int64_t;
using Words = std::vector<U32>;

constexpr unsigned kLanes = 32;

/// One product: its rows, its depth, and how many bits the elements of A and B have.
struct Product {
  std::string mnemonic;
  unsigned m, k, bits;
  bool a_signed = false, b_signed = false;

  [[nodiscard]] unsigned in_register() const { return bits >= 32 ? 1 : 32 / bits; }
  [[nodiscard]] unsigned a_registers() const { return m * k / in_register() / kLanes; }
  [[nodiscard]] unsigned b_registers() const { return 8 * k / in_register() / kLanes; }
  [[nodiscard]] unsigned sums() const { return m * 8 / kLanes; }
};

struct Place {
  unsigned across, along;
};

/// Where an element of a lane's fragment lies: in A its row and k, in B its column and k.
Place place_of(const Product& p, bool is_a, unsigned lane, unsigned reg, unsigned element) {
  const unsigned halves = is_a ? p.m / 8 : 1;
  return {lane / 4 + 8 * (reg % halves),
          4 * p.in_register() * (reg / halves) + p.in_register() * (lane % 4) + element};
}

Place sum_place(unsigned lane, unsigned reg) { return {lane / 4 + 8 * (reg / 2), 2 * (lane % 4) + reg % 2}; }

/// Statements that load a lane's registers, one behind another, run the product and store its sums.
std::string kernel_of(const Product& p) {
  const bool is_wide = p.bits == 64;
  const char* type = is_wide ? "b64" : "b32";
  const unsigned bytes = is_wide ? 8 : 4;
  const unsigned count = p.a_registers() + p.b_registers() + p.sums();
  std::string text = fmt::format(".reg .{} %m<32>; mul.wide.u32 %y0, %lane, {}; add.s64 %y1, %in, %y0;\n",
                                 type, count * bytes);
  for (unsigned k = 0; k < count; ++k)
    text += fmt::format("ld.global.{} %m{}, [%y1+{}];\n", type, k, k * bytes);
  const auto list = [](unsigned first, unsigned size) {
    std::string made = "{";
    for (unsigned k = 0; k < size; ++k) made += fmt::format("{}%m{}", k == 0 ? "" : ", ", first + k);
    return made + "}";
  };
  const unsigned c = p.a_registers() + p.b_registers();
  text += fmt::format("{} {}, {}, {}, {};\n", p.mnemonic, list(c, p.sums()), list(0, p.a_registers()),
                      list(p.a_registers(), p.b_registers()), list(c, p.sums()));
  text += fmt::format("mul.wide.u32 %y0, %lane, {}; add.s64 %y1, %out, %y0;\n", p.sums() * bytes);
  for (unsigned k = 0; k < p.sums(); ++k)
    text += fmt::format("st.global.{} [%y1+{}], %m{};\n", type, k * bytes, c + k);
  return text;
}

S64 element(U32 word, unsigned bits, unsigned index, bool is_signed) {
  const U32 raw = word >> (bits * index) & ((bits == 32 ? 0 : U32{1} << bits) - 1);
  const bool is_negative = is_signed && (raw >> (bits - 1) & 1) != 0;
  return S64{raw} - (is_negative ? S64{1} << bits : 0);
}

template <typename Number>
using Matrix = std::vector<std::vector<Number>>;

/// A by rows, B by columns.
template <typename Number, typename Read>
Matrix<Number> gathered(const Product& p, bool is_a, Read read) {
  Matrix<Number> made(is_a ? p.m : 8, std::vector<Number>(p.k));
  const unsigned registers = is_a ? p.a_registers() : p.b_registers();
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    for (unsigned reg = 0; reg < registers; ++reg) {
      for (unsigned e = 0; e < p.in_register(); ++e) {
        const Place at = place_of(p, is_a, lane, reg, e);
        made[at.across][at.along] = read(lane, (is_a ? 0 : p.a_registers()) + reg, e);
      }
    }
  }
  return made;
}

Words random_words(std::size_t count, std::mt19937_64& random) {
  Words words(count);
  for (U32& word : words) word = static_cast<U32>(random());
  return words;
}

TEST_CASE("mma of integers sums all products") {
  const std::uint32_t seed = drawn_seed();
  INFO("HEDDLE_SEED=" << seed);
  std::mt19937_64 random(seed);
  struct Shape {
    unsigned m, k, bits;
  };
  constexpr Shape kShapes[] = {{8, 16, 8}, {16, 16, 8}, {16, 32, 8}, {8, 32, 4}, {16, 32, 4}, {16, 64, 4}};
  for (const Shape& shape : kShapes) {
    for (unsigned kind = 0; kind < 8; ++kind) {
      const bool saturates = (kind & 4U) != 0;
      Product p{"", shape.m, shape.k, shape.bits, (kind & 1U) != 0, (kind & 2U) != 0};
      const auto type = [&](bool is_signed) {
        return fmt::format("{}{}", is_signed ? 's' : 'u', shape.bits);
      };
      p.mnemonic = fmt::format("mma.sync.aligned.m{}n8k{}.row.col{}.s32.{}.{}.s32", p.m, p.k,
                               saturates ? ".satfinite" : "", type(p.a_signed), type(p.b_signed));
      INFO(p.mnemonic);
      const unsigned count = p.a_registers() + p.b_registers() + p.sums();
      Words input = random_words(kLanes * count, random);
      // Sums near the limits.
      for (unsigned lane = 0; lane < kLanes; lane += 3)
        input[(lane + 1) * count - 1] = lane % 2 == 0 ? 0x7ffffff0 : 0x80000010;
      const auto read = [&](unsigned lane, unsigned reg, unsigned e) {
        return element(input[lane * count + reg], p.bits, e, reg < p.a_registers() ? p.a_signed : p.b_signed);
      };
      const auto a = gathered<S64>(p, true, read);
      const auto b = gathered<S64>(p, false, read);
      const Words found =
          run_ptx_kernel({kernel_of(p), 80, exec::Divergence::Barriers, kLanes}, input, kLanes * p.sums());
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        for (unsigned reg = 0; reg < p.sums(); ++reg) {
          const Place at = sum_place(lane, reg);
          S64 sum = static_cast<std::int32_t>(input[lane * count + count - p.sums() + reg]);
          for (unsigned k = 0; k < p.k; ++k) sum += a[at.across][k] * b[at.along][k];
          if (saturates) sum = std::clamp<S64>(sum, INT32_MIN, INT32_MAX);
          REQUIRE(found[lane * p.sums() + reg] == static_cast<U32>(sum));
        }
      }
    }
  }
}

TEST_CASE("mma of bits counts those that are left") {
  std::mt19937_64 random(5);
  for (const auto& [m, k] : {std::pair{8U, 128U}, {16U, 128U}, {16U, 256U}}) {
    for (const bool is_and : {false, true}) {
      const Product p{fmt::format("mma.sync.aligned.m{}n8k{}.row.col.s32.b1.b1.s32.{}.popc", m, k,
                                  is_and ? "and" : "xor"),
                      m, k, 1};
      INFO(p.mnemonic);
      const unsigned count = p.a_registers() + p.b_registers() + p.sums();
      const Words input = random_words(kLanes * count, random);
      const auto read = [&](unsigned lane, unsigned reg, unsigned e) {
        return input[lane * count + reg] >> e & 1;
      };
      const auto a = gathered<U32>(p, true, read);
      const auto b = gathered<U32>(p, false, read);
      const Words found =
          run_ptx_kernel({kernel_of(p), 80, exec::Divergence::Barriers, kLanes}, input, kLanes * p.sums());
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        for (unsigned reg = 0; reg < p.sums(); ++reg) {
          const Place at = sum_place(lane, reg);
          U32 sum = input[lane * count + count - p.sums() + reg];
          for (unsigned j = 0; j < k; ++j)
            sum += is_and ? a[at.across][j] & b[at.along][j] : a[at.across][j] ^ b[at.along][j];
          REQUIRE(found[lane * p.sums() + reg] == sum);
        }
      }
    }
  }
}

TEST_CASE("mma of tf32 and doubles sums small whole numbers exactly") {
  std::mt19937_64 random(7);
  struct Shape {
    unsigned m, k, bits;
  };
  constexpr Shape kShapes[] = {{16, 4, 32}, {16, 8, 32}, {8, 4, 64}, {16, 4, 64}, {16, 8, 64}, {16, 16, 64}};
  for (const Shape& shape : kShapes) {
    const bool is_wide = shape.bits == 64;
    const Product p{fmt::format("mma.sync.aligned.m{}n8k{}.row.col.{}", shape.m, shape.k,
                                is_wide ? "f64.f64.f64.f64" : "f32.tf32.tf32.f32"),
                    shape.m, shape.k, shape.bits};
    INFO(p.mnemonic);
    const unsigned count = p.a_registers() + p.b_registers() + p.sums();
    std::vector<double> numbers(kLanes * count);
    for (double& number : numbers) number = static_cast<double>(random() % 2001) - 1000;
    Words input;
    for (const double number : numbers) {
      if (!is_wide) {
        input.push_back(std::bit_cast<U32>(static_cast<float>(number)));
        continue;
      }
      const auto bits = std::bit_cast<U64>(number);
      input.push_back(static_cast<U32>(bits));
      input.push_back(static_cast<U32>(bits >> 32));
    }
    const auto read = [&](unsigned lane, unsigned reg, unsigned) { return numbers[lane * count + reg]; };
    const auto a = gathered<double>(p, true, read);
    const auto b = gathered<double>(p, false, read);
    const unsigned words = is_wide ? 2 : 1;
    const Words found = run_ptx_kernel({kernel_of(p), 90, exec::Divergence::Barriers, kLanes}, input,
                                       kLanes * p.sums() * words);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      for (unsigned reg = 0; reg < p.sums(); ++reg) {
        const Place at = sum_place(lane, reg);
        double sum = numbers[lane * count + count - p.sums() + reg];
        for (unsigned j = 0; j < p.k; ++j) sum += a[at.across][j] * b[at.along][j];
        const std::size_t i = lane * p.sums() + reg;
        const double got = is_wide ? std::bit_cast<double>(U64{found[2 * i + 1]} << 32 | found[2 * i])
                                   : static_cast<double>(std::bit_cast<float>(found[i]));
        REQUIRE(got == sum);
      }
    }
  }
}

/// The value of a float of 8 bits without infinities, by its definition.
double small_value(U32 byte, unsigned fraction_bits, int least) {
  const U32 magnitude = byte & 0x7f;
  const U32 fraction = magnitude & ((1U << fraction_bits) - 1);
  const U32 field = magnitude >> fraction_bits;
  const double units = field == 0 ? fraction : fraction + (1U << fraction_bits);
  const double value = std::ldexp(
      units, static_cast<int>(std::max<U32>(field, 1)) - 1 + least - static_cast<int>(fraction_bits));
  return (byte & 0x80) != 0 ? -value : value;
}

TEST_CASE("mma of 8-bit floats sums exact products") {
  std::mt19937_64 random(17);
  for (unsigned kind = 0; kind < 16; ++kind) {
    const bool a_wide = (kind & 1U) != 0;  // e5m2, with two bits of fraction
    const bool b_wide = (kind & 2U) != 0;
    const bool has_halves = (kind & 4U) != 0;
    Product p{"", 16, (kind & 8U) != 0 ? 32U : 16U, 8};
    p.mnemonic = fmt::format("mma.sync.aligned.m16n8k{0}.row.col.{2}.{1}.{3}.{2}", p.k,
                             a_wide ? "e5m2" : "e4m3", has_halves ? "f16" : "f32", b_wide ? "e5m2" : "e4m3");
    INFO(p.mnemonic);
    const unsigned sums = has_halves ? 2 : 4;
    const unsigned count = p.a_registers() + p.b_registers() + sums;
    Words input(kLanes * count);
    // Numbers from 2^-2 to 2^1, so that all sums are exact.
    const auto byte = [&](bool is_wide) {
      const U32 bias = is_wide ? 15 : 7;
      const U32 bits = is_wide ? 2 : 3;
      return static_cast<U32>((bias - 2 + random() % 4) << bits | (random() & ((1U << bits) - 1)) |
                              (random() & 1) << 7);
    };
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      for (unsigned reg = 0; reg < count - sums; ++reg) {
        for (unsigned e = 0; e < 4; ++e)
          input[lane * count + reg] |= byte(reg < p.a_registers() ? a_wide : b_wide) << (8 * e);
      }
    }
    const auto read = [&](unsigned lane, unsigned reg, unsigned e) {
      const bool is_wide = reg < p.a_registers() ? a_wide : b_wide;
      return small_value(input[lane * count + reg] >> (8 * e) & 0xff, is_wide ? 2 : 3, is_wide ? -14 : -6);
    };
    const auto a = gathered<double>(p, true, read);
    const auto b = gathered<double>(p, false, read);
    std::string text = kernel_of(p);
    if (has_halves) {
      // Two registers of sums instead of four.
      text =
          fmt::format(".reg .b32 %m<32>; mul.wide.u32 %y0, %lane, {}; add.s64 %y1, %in, %y0;\n", 4 * count);
      for (unsigned k = 0; k < count; ++k) text += fmt::format("ld.global.b32 %m{}, [%y1+{}];\n", k, 4 * k);
      std::string lists[2];
      for (unsigned k = 0; k < count - sums; ++k) {
        std::string& list = lists[k < p.a_registers() ? 0 : 1];
        list += fmt::format("{}%m{}", list.empty() ? "" : ", ", k);
      }
      text += fmt::format("{0} {{%m{3}, %m{4}}}, {{{1}}}, {{{2}}}, {{%m{3}, %m{4}}};\n", p.mnemonic, lists[0],
                          lists[1], count - 2, count - 1);
      text += fmt::format(
          "mul.wide.u32 %y0, %lane, 8; add.s64 %y1, %out, %y0; st.global.v2.b32 [%y1], {{%m{}, %m{}}};",
          count - 2, count - 1);
    }
    const Words found = run_ptx_kernel({text, 90, exec::Divergence::Barriers, kLanes}, input, kLanes * sums);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      for (unsigned reg = 0; reg < 4; ++reg) {
        const Place at = sum_place(lane, reg);
        double sum = 0;
        for (unsigned j = 0; j < p.k; ++j) sum += a[at.across][j] * b[at.along][j];
        if (has_halves) {
          const U32 half = found[lane * 2 + reg / 2] >> (16 * (reg % 2)) & 0xffff;
          const double got = Half::value(half);
          REQUIRE(std::fabs(got - sum) <= std::max(std::fabs(sum) * 0x1p-11, 0x1p-25));
        } else {
          REQUIRE(static_cast<double>(std::bit_cast<float>(found[lane * 4 + reg])) == sum);
        }
      }
    }
  }
}

/// The half at a place of a matrix of 8 x 8 that lanes hold: lane 4 g + t has columns 2 t and 2 t + 1 of row
/// g.
U32 half_at(const Words& words, unsigned row, unsigned column, unsigned first = 0) {
  return words[first + 4 * row + column / 2] >> (16 * (column % 2)) & 0xffff;
}

TEST_CASE("movmatrix transposes") {
  std::mt19937_64 random(9);
  const Words input = random_words(kLanes, random);
  const Words found =
      run_ptx_kernel({"movmatrix.sync.aligned.m8n8.trans.b16 %x0, %a; st.global.b32 [%outa], %x0;", 80,
                      exec::Divergence::Barriers, kLanes},
                     input, kLanes);
  for (unsigned row = 0; row < 8; ++row) {
    for (unsigned column = 0; column < 8; ++column)
      REQUIRE(half_at(found, row, column) == half_at(input, column, row));
  }
}

TEST_CASE("stmatrix stores what ldmatrix loads") {
  const unsigned count = GENERATE(1U, 2U, 4U);
  const bool transposes = GENERATE(false, true);
  std::string list;
  for (unsigned k = 0; k < count; ++k) list += fmt::format("{}%x{}", k == 0 ? "" : ", ", 10 + k);
  // Row j of matrix i, which lane 8 i + j names, lies 48 bytes behind the one before.
  const std::string text = fmt::format(R"(
    mul.lo.u32 %x0, %lane, 48;
    mov.u32 %x1, words;
    add.u32 %x0, %x0, %x1;
    ld.global.b32 %x10, [%ina];
    ld.global.b32 %x11, [%ina+128];
    ld.global.b32 %x12, [%ina+256];
    ld.global.b32 %x13, [%ina+384];
    stmatrix.sync.aligned.m8n8.x{0}{1}.shared.b16 [%x0+16], {{{2}}};
    bar.warp.sync -1;
    ld.shared.v4.b32 {{%x20, %x21, %x22, %x23}}, [%x0+16];
    mul.wide.u32 %y0, %lane, 16;
    add.s64 %y0, %y0, %out;
    st.global.v4.b32 [%y0], {{%x20, %x21, %x22, %x23}};
    cvta.shared.u64 %y1, words;
    mul.wide.u32 %y2, %lane, 48;
    add.s64 %y1, %y1, %y2;
    ldmatrix.sync.aligned.m8n8.x{0}{1}.b16 {{{2}}}, [%y1+16];
    st.global.b32 [%outa+512], %x10;
    st.global.b32 [%outa+640], %x11;
    st.global.b32 [%outa+768], %x12;
    st.global.b32 [%outa+896], %x13;
  )",
                                       count, transposes ? ".trans" : "", list);
  std::mt19937_64 random(11);
  const Words input = random_words(4 * kLanes, random);
  const Words found = run_ptx_kernel({text, 90, exec::Divergence::Barriers, kLanes}, input, 8 * kLanes);
  for (unsigned matrix = 0; matrix < count; ++matrix) {
    for (unsigned row = 0; row < 8; ++row) {
      for (unsigned column = 0; column < 8; ++column) {
        const U32 stored = found[4 * (8 * matrix + row) + column / 2] >> (16 * (column % 2)) & 0xffff;
        const U32 wanted = transposes ? half_at(input, column, row, kLanes * matrix)
                                      : half_at(input, row, column, kLanes * matrix);
        REQUIRE(stored == wanted);
      }
    }
  }
  for (unsigned k = 0; k < 4 * kLanes; ++k) REQUIRE(found[4 * kLanes + k] == input[k]);
}

/// A wmma: its tile, the elements of A and B, and how all four matrices lie in memory.
struct Wmma {
  unsigned m, n, k;
  const char* type;
  const char* sum_type;
  unsigned bits;
  bool is_signed = false;
  bool a_by_rows = true, b_by_rows = false, c_by_rows = true, d_by_rows = true;
  std::string space = {};
};

std::string registers_of(char name, unsigned count) {
  std::string made = "{";
  for (unsigned k = 0; k < count; ++k) made += fmt::format("{}%{}{}", k == 0 ? "" : ", ", name, k);
  return made + "}";
}

/// A at 0, B at 4096 and C at 8192 bytes of the input; D at the beginning of the output.
std::string kernel_of(const Wmma& p) {
  const unsigned in_register = p.bits >= 32 ? 1 : 32 / p.bits;
  const char* reg = p.bits == 64 ? "b64" : "b32";
  const auto layout = [](bool by_rows) { return by_rows ? "row" : "col"; };
  const std::string shape = fmt::format("m{}n{}k{}", p.m, p.n, p.k);
  const std::string a = registers_of('A', p.m * p.k / in_register / 32);
  const std::string b = registers_of('B', p.n * p.k / in_register / 32);
  const std::string c = registers_of('C', p.m * p.n / 32);
  std::string text = fmt::format(".reg .{} %A<9>, %B<9>, %C<9>;\n", reg);
  text += fmt::format("wmma.load.a.sync.aligned.{}.{}{}.{} {}, [%in];\n", layout(p.a_by_rows), shape, p.space,
                      p.type, a);
  text += fmt::format("mov.u32 %x0, {}; wmma.load.b.sync.aligned.{}.{}{}.{} {}, [%in+4096], %x0;\n",
                      p.b_by_rows ? p.n : p.k, layout(p.b_by_rows), shape, p.space, p.type, b);
  text += fmt::format("wmma.load.c.sync.aligned.{}.{}{}.{} {}, [%in+8192];\n", layout(p.c_by_rows), shape,
                      p.space, p.sum_type, c);
  const bool is_of_bits = p.bits == 1;
  text += fmt::format("wmma.mma{}.sync.aligned.{}.{}.{}.{}.{}.{}.{} {}, {}, {}, {};\n",
                      is_of_bits ? ".xor.popc" : "", layout(p.a_by_rows), layout(p.b_by_rows), shape,
                      p.sum_type, p.type, p.type, p.sum_type, c, a, b, c);
  text += fmt::format("wmma.store.d.sync.aligned.{}.{}{}.{} [%out], {};\n", layout(p.d_by_rows), shape,
                      p.space, p.sum_type, c);
  return text;
}

/// Element number `index` of a matrix in memory; of floats, its value.
double number_at(const Words& words, unsigned byte, unsigned bits, unsigned index, bool is_signed,
                 bool is_float) {
  if (bits == 64) {
    const std::size_t at = byte / 4 + 2 * index;
    return std::bit_cast<double>(U64{words[at + 1]} << 32 | words[at]);
  }
  const U32 word = words[byte / 4 + index * bits / 32];
  if (is_float) return static_cast<double>(std::bit_cast<float>(word));
  if (bits == 32) return static_cast<double>(static_cast<std::int32_t>(word));
  return static_cast<double>(element(word, bits, index % (32 / bits), is_signed));
}

void check_wmma(const Wmma& p, std::mt19937_64& random) {
  const std::string text = kernel_of(p);
  INFO(text);
  const bool is_float = p.bits >= 32;
  Words input = random_words(4096, random);
  const auto put = [&](std::size_t word, double value) {
    if (p.bits == 64) {
      const auto bits = std::bit_cast<U64>(value);
      input[word] = static_cast<U32>(bits);
      input[word + 1] = static_cast<U32>(bits >> 32);
    } else {
      input[word] = std::bit_cast<U32>(static_cast<float>(value));
    }
  };
  for (std::size_t word = 0; is_float && word < input.size(); word += p.bits / 32)
    put(word, static_cast<double>(random() % 2001) - 1000);
  const unsigned sum_bits = p.bits == 64 ? 64 : 32;
  const Words found =
      run_ptx_kernel({text, 80, exec::Divergence::Barriers, kLanes}, input, p.m * p.n * sum_bits / 32);
  for (unsigned row = 0; row < p.m; ++row) {
    for (unsigned column = 0; column < p.n; ++column) {
      const unsigned c = p.c_by_rows ? row * p.n + column : column * p.m + row;
      double sum = number_at(input, 8192, sum_bits, c, true, is_float);
      for (unsigned k = 0; k < p.k; ++k) {
        const double a =
            number_at(input, 0, p.bits, p.a_by_rows ? row * p.k + k : k * p.m + row, p.is_signed, is_float);
        const double b = number_at(input, 4096, p.bits, p.b_by_rows ? k * p.n + column : column * p.k + k,
                                   p.is_signed, is_float);
        sum += p.bits == 1 ? static_cast<double>(a != b) : a * b;
      }
      const unsigned d = p.d_by_rows ? row * p.n + column : column * p.m + row;
      if (is_float) {
        REQUIRE(number_at(found, 0, sum_bits, d, true, true) == sum);
      } else {
        REQUIRE(found[d] == static_cast<U32>(static_cast<S64>(sum)));
      }
    }
  }
}

TEST_CASE("wmma of integers, bits, tf32 and doubles multiplies matrices in memory") {
  std::mt19937_64 random(13);
  for (unsigned layout = 0; layout < 16; ++layout) {
    const auto check = [&](Wmma p) {
      p.a_by_rows = (layout & 1U) == 0 || p.bits < 8;
      p.b_by_rows = (layout & 2U) != 0 && p.bits >= 8;
      p.c_by_rows = (layout & 4U) == 0;
      p.d_by_rows = (layout & 8U) == 0;
      p.space = layout % 3 == 0 ? "" : ".global";
      check_wmma(p, random);
    };
    check({16, 16, 16, "s8", "s32", 8, true});
    check({32, 8, 16, "u8", "s32", 8});
    check({8, 32, 16, "s8", "s32", 8, true});
    check({16, 16, 8, "tf32", "f32", 32});
    check({8, 8, 4, "f64", "f64", 64});
    check({8, 8, 32, "s4", "s32", 4, true});
    check({8, 8, 32, "u4", "s32", 4});
    check({8, 8, 128, "b1", "s32", 1});
  }
}

TEST_CASE("wmma takes sums of halves and gives floats, and the other way round") {
  const bool narrows = GENERATE(true, false);
  const std::string shape = GENERATE("m16n16k16", "m32n8k16", "m8n32k16");
  // Small whole numbers: A is row + k, B is k - column, C is 3 row - column, by products with ones.
  const unsigned m = shape == "m16n16k16" ? 16 : shape == "m32n8k16" ? 32 : 8;
  const unsigned n = 256 / m;
  Words input(4096);
  const auto half = [](int value) -> U32 {
    if (value == 0) return 0;
    const int size = std::abs(value);
    const int exponent = static_cast<int>(std::bit_width(static_cast<unsigned>(size))) - 1;
    return (value < 0 ? 0x8000U : 0U) | static_cast<U32>((exponent + 15) << 10) |
           static_cast<U32>((size << (10 - exponent)) & 0x3ff);
  };
  const auto put_half = [&](std::size_t byte, unsigned index, int value) {
    input[byte / 4 + index / 2] |= half(value) << (16 * (index % 2));
  };
  for (unsigned row = 0; row < m; ++row) {
    for (unsigned k = 0; k < 16; ++k) put_half(0, 16 * row + k, static_cast<int>((row + k) % 7));
  }
  for (unsigned column = 0; column < n; ++column) {
    for (unsigned k = 0; k < 16; ++k)
      put_half(4096, 16 * column + k, static_cast<int>(k % 5) - static_cast<int>(column % 3));
  }
  const auto c_at = [](unsigned row, unsigned column) {
    return 3 * static_cast<int>(row % 9) - static_cast<int>(column % 11);
  };
  for (unsigned row = 0; row < m; ++row) {
    for (unsigned column = 0; column < n; ++column) {
      if (narrows) {
        input[2048 + row * n + column] = std::bit_cast<U32>(static_cast<float>(c_at(row, column)));
      } else {
        put_half(8192, row * n + column, c_at(row, column));
      }
    }
  }
  const std::string c = registers_of('C', narrows ? 8 : 4);
  const std::string d = registers_of('D', narrows ? 4 : 8);
  const std::string text = fmt::format(R"(
    .reg .b32 %A<8>, %B<8>, %C<8>, %D<8>;
    wmma.load.a.sync.aligned.row.{0}.f16 {1}, [%in];
    wmma.load.b.sync.aligned.col.{0}.f16 {2}, [%in+4096];
    wmma.load.c.sync.aligned.row.{0}.{3} {4}, [%in+8192];
    wmma.mma.sync.aligned.row.col.{0}.{5}.{3} {6}, {1}, {2}, {4};
    wmma.store.d.sync.aligned.row.{0}.{5} [%out], {6};
  )",
                                       shape, registers_of('A', 8), registers_of('B', 8),
                                       narrows ? "f32" : "f16", c, narrows ? "f16" : "f32", d);
  const Words found =
      run_ptx_kernel({text, 80, exec::Divergence::Barriers, kLanes}, input, narrows ? 128 : 256);
  for (unsigned row = 0; row < m; ++row) {
    for (unsigned column = 0; column < n; ++column) {
      int sum = c_at(row, column);
      for (unsigned k = 0; k < 16; ++k)
        sum += static_cast<int>((row + k) % 7) * (static_cast<int>(k % 5) - static_cast<int>(column % 3));
      const unsigned at = row * n + column;
      if (narrows) {
        REQUIRE((found[at / 2] >> (16 * (at % 2)) & 0xffff) == half(sum));
      } else {
        REQUIRE(std::bit_cast<float>(found[at]) == static_cast<float>(sum));
      }
    }
  }
}

}  // namespace
}  // namespace heddle::test
