// atom and red of PTX, against the PTX ISA's text.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <map>

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
using U64 = std::uint64_t;
using Words = std::vector<U32>;

constexpr unsigned kThreads = 64;

/// What an atomic makes of the old value and its operands, and what operands it gets.
struct Form {
  const char* words;  ///< "add.u32"
  unsigned bits;
  std::function<U64(U64 old, U64 a, U64 b)> update;
  bool is_commutative = true;
  enum class Values : std::uint8_t { Any, Floats, Doubles } values = Values::Any;
};

template <typename Type, typename Function>
auto as(Function function) {
  return [function](U64 old, U64 a, U64) {
    return static_cast<U64>(
        static_cast<std::make_unsigned_t<Type>>(function(static_cast<Type>(old), static_cast<Type>(a))));
  };
}

float flushed(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0F, value) : value;
}

const Form kForms[] = {
    {"add.u32", 32, as<U32>([](U32 x, U32 y) { return x + y; })},
    {"add.s32", 32, as<U32>([](U32 x, U32 y) { return x + y; })},
    {"add.u64", 64, as<U64>([](U64 x, U64 y) { return x + y; })},
    {"min.u32", 32, as<U32>([](U32 x, U32 y) { return std::min(x, y); })},
    {"max.u32", 32, as<U32>([](U32 x, U32 y) { return std::max(x, y); })},
    {"min.s32", 32, as<std::int32_t>([](std::int32_t x, std::int32_t y) { return std::min(x, y); })},
    {"max.s32", 32, as<std::int32_t>([](std::int32_t x, std::int32_t y) { return std::max(x, y); })},
    {"min.u64", 64, as<U64>([](U64 x, U64 y) { return std::min(x, y); })},
    {"max.u64", 64, as<U64>([](U64 x, U64 y) { return std::max(x, y); })},
    {"min.s64", 64, as<std::int64_t>([](std::int64_t x, std::int64_t y) { return std::min(x, y); })},
    {"max.s64", 64, as<std::int64_t>([](std::int64_t x, std::int64_t y) { return std::max(x, y); })},
    {"inc.u32", 32, as<U32>([](U32 x, U32 y) { return x >= y ? 0 : x + 1; }), false},
    {"dec.u32", 32, as<U32>([](U32 x, U32 y) { return x == 0 || x > y ? y : x - 1; }), false},
    {"and.b32", 32, as<U32>([](U32 x, U32 y) { return x & y; })},
    {"or.b32", 32, as<U32>([](U32 x, U32 y) { return x | y; })},
    {"xor.b32", 32, as<U32>([](U32 x, U32 y) { return x ^ y; })},
    {"and.b64", 64, as<U64>([](U64 x, U64 y) { return x & y; })},
    {"or.b64", 64, as<U64>([](U64 x, U64 y) { return x | y; })},
    {"xor.b64", 64, as<U64>([](U64 x, U64 y) { return x ^ y; })},
    {"exch.b32", 32, [](U64, U64 a, U64) { return a; }, false},
    {"exch.b64", 64, [](U64, U64 a, U64) { return a; }, false},
    {"cas.b32", 32, [](U64 old, U64 a, U64 b) { return old == a ? b : old; }, false},
    {"cas.b64", 64, [](U64 old, U64 a, U64 b) { return old == a ? b : old; }, false},
    {"add.f64", 64,
     [](U64 old, U64 a, U64) {
       return std::bit_cast<U64>(std::bit_cast<double>(old) + std::bit_cast<double>(a));
     },
     true, Form::Values::Doubles},
};

bool is_cas(const Form& form) { return std::string_view(form.words).starts_with("cas"); }
/// red has no exch and no cas.
bool is_reduction(const Form& form) {
  return !is_cas(form) && !std::string_view(form.words).starts_with("exch");
}

U64 value_of(LaneValues& values, const Form& form) {
  switch (form.values) {
    // Sums of small whole numbers are exact, whatever their order.
    case Form::Values::Doubles:
      return std::bit_cast<U64>(static_cast<double>(values.below(2001)) - 1000);
    case Form::Values::Floats:
      return std::bit_cast<U32>(static_cast<float>(values.below(2001)) - 1000);
    default:
      break;
  }
  const U64 low = values.one_in(2) ? values.below(5) : values.word();
  return form.bits == 32 ? low : (values.one_in(2) ? U64{values.word()} << 32 : 0) | low;
}

/// Every thread has four words of 64 bits: its cell's first value, a, b and the cell's index.
struct Inputs {
  std::vector<U64> first, a, b, cell;

  [[nodiscard]] Words words() const {
    Words all;
    for (unsigned t = 0; t < kThreads; ++t) {
      for (const auto* list : {&first, &a, &b, &cell}) {
        all.push_back(static_cast<U32>((*list)[t]));
        all.push_back(static_cast<U32>((*list)[t] >> 32));
      }
    }
    return all;
  }
};

Inputs inputs_for(LaneValues& values, const Form& form, bool is_shared_cell) {
  Inputs inputs;
  for (unsigned t = 0; t < kThreads; ++t) {
    inputs.first.push_back(value_of(values, form));
    inputs.a.push_back(is_cas(form) && values.one_in(2) ? inputs.first.back() : value_of(values, form));
    inputs.b.push_back(value_of(values, form));
    inputs.cell.push_back(is_shared_cell ? values.below(5) : t);
  }
  return inputs;
}

/// The cells lie from byte 1024 of the output on, or in shared memory and are copied there.
std::string program(const Form& form, const std::string& space, bool has_result, const std::string& guard) {
  const std::string type = form.bits == 32 ? "b32" : "b64";
  const std::string reg = form.bits == 32 ? "%x" : "%y";
  const unsigned bytes = form.bits / 8;
  const bool is_shared = space == "shared";
  const std::string cells = is_shared ? "shared" : "global";
  std::string text = fmt::format(R"(
    mad.wide.u32 %y10, %t, 32, %in;
    ld.global.{0} {1}1, [%y10];
    ld.global.{0} {1}2, [%y10+8];
    ld.global.{0} {1}3, [%y10+16];
    ld.global.b32 %x10, [%y10+24];
    ld.global.b32 %x11, [%y10+28];
    and.b32 %x12, %t, 1;
    setp.eq.u32 %p1, %x12, 0;
    mov.{0} {1}5, 77;
  )",
                                 type, reg);
  if (is_shared) {
    text += fmt::format(
        "mov.u32 %x20, words; mad.lo.u32 %x21, %t, {0}, %x20; mad.lo.u32 %x22, %x10, {0}, %x20;\n", bytes);
    text += fmt::format("st.shared.{} [%x21+16], {}1; bar.sync 0;\n", type, reg);
  } else {
    text += fmt::format("mad.wide.u32 %y15, %t, {0}, %out; mad.wide.u32 %y16, %x10, {0}, %out;\n", bytes);
    text += fmt::format("st.global.{} [%y15+1024], {}1; bar.sync 0;\n", type, reg);
  }
  const std::string place = is_shared ? "%x22+16" : "%y16+1024";
  const std::string named = space == "generic" ? "" : "." + cells;
  const std::string operands = is_cas(form) ? fmt::format("{0}2, {0}3", reg) : reg + "2";
  text += has_result
              ? fmt::format("{}atom{}.{} {}5, [{}], {};\n", guard, named, form.words, reg, place, operands)
              : fmt::format("{}red{}.{} [{}], {};\n", guard, named, form.words, place, operands);
  text += "bar.sync 0;\n";
  if (is_shared) {
    text += fmt::format(
        "ld.shared.{0} {1}6, [%x21+16]; mad.wide.u32 %y15, %t, {2}, %out; st.global.{0} [%y15+1024], {1}6;\n",
        type, reg, bytes);
  }
  text += fmt::format("mad.wide.u32 %y17, %t, 8, %out; st.global.{} [%y17], {}5;\n", type, reg);
  return text;
}

U64 word_at(const Words& words, std::size_t byte, unsigned bits) {
  const std::size_t at = byte / 4;
  return bits == 32 ? words[at] : U64{words[at + 1]} << 32 | words[at];
}

U64 result_at(const Words& words, unsigned thread, unsigned bits) {
  return word_at(words, std::size_t{8} * thread, bits);
}
U64 cell_at(const Words& words, unsigned cell, unsigned bits) {
  return word_at(words, 1024 + std::size_t{cell} * bits / 8, bits);
}

constexpr std::size_t kOutputWords = 512;

void check_alone(const Form& form, const std::string& space, bool has_result, bool is_guarded) {
  const std::uint32_t seed = drawn_seed();
  CAPTURE(form.words, space, has_result, is_guarded, seed);
  LaneValues values(seed);
  const Inputs inputs = inputs_for(values, form, false);
  const Words found = run_ptx_kernel({program(form, space, has_result, is_guarded ? "@%p1 " : "")},
                                     inputs.words(), kOutputWords);
  for (unsigned t = 0; t < kThreads; ++t) {
    CAPTURE(t, inputs.first[t], inputs.a[t], inputs.b[t]);
    const bool acts = !is_guarded || t % 2 == 0;
    REQUIRE(cell_at(found, t, form.bits) ==
            (acts ? form.update(inputs.first[t], inputs.a[t], inputs.b[t]) : inputs.first[t]));
    REQUIRE(result_at(found, t, form.bits) == (acts && has_result ? inputs.first[t] : 77));
  }
}

TEST_CASE("atom and red update a cell each") {
  const std::string space = GENERATE("global", "shared", "generic");
  for (const Form& form : kForms) {
    for (const bool is_guarded : {false, true}) {
      check_alone(form, space, true, is_guarded);
      if (is_reduction(form)) check_alone(form, space, false, is_guarded);
    }
  }
}

TEST_CASE("atom and red of one cell act one after another") {
  const std::string space = GENERATE("global", "shared");
  for (const Form& form : kForms) {
    if (!form.is_commutative) continue;
    const std::uint32_t seed = drawn_seed();
    CAPTURE(form.words, space, seed);
    LaneValues values(seed);
    const Inputs inputs = inputs_for(values, form, true);
    const Words found = run_ptx_kernel({program(form, space, true, "@%p1 ")}, inputs.words(), kOutputWords);
    std::vector<U64> cells = inputs.first;
    std::map<U64, std::vector<U64>> olds;
    for (unsigned t = 0; t < kThreads; t += 2) {
      cells[inputs.cell[t]] = form.update(cells[inputs.cell[t]], inputs.a[t], 0);
      olds[inputs.cell[t]].push_back(result_at(found, t, form.bits));
    }
    for (unsigned t = 0; t < kThreads; ++t) REQUIRE(cell_at(found, t, form.bits) == cells[t]);
    // Somebody has found the cell as it was.
    for (const auto& [cell, values_found] : olds)
      CHECK(std::find(values_found.begin(), values_found.end(), inputs.first[cell]) != values_found.end());
  }
}

TEST_CASE("exch and inc of one cell hand each value on once") {
  const std::string space = GENERATE("global", "shared");
  const std::string operation = GENERATE("exch.b32", "inc.u32");
  const std::string address = space == "global" ? "%out+1024" : "words+64";
  const std::string text =
      fmt::format(R"(
    mov.u32 %x0, 0;
    mov.u32 %x2, 1000000;
    st.{0}.u32 [{1}], %x0;
    bar.sync 0;
    add.u32 %x1, %t, 1;
    {3}
    atom.{0}.{2} %x3, [{1}], {4};
    st.global.u32 [%outa], %x3;
  )",
                  space, address, operation, "", operation == "exch.b32" ? "%x1" : "%x2");
  Words found = run_ptx_kernel({text}, Words(kThreads), kOutputWords);
  found.resize(kThreads);
  std::sort(found.begin(), found.end());
  // All numbers from 0 to 64 but one: the last one is left in the cell.
  CHECK(std::adjacent_find(found.begin(), found.end()) == found.end());
  CHECK(found.front() == 0);
  CHECK(found.back() <= kThreads);
}

// -- floats -------------------------------------------------------------------------------------------------

TEST_CASE("sums of floats flush denormals in global memory, and keep them in shared memory") {
  const std::string space = GENERATE("global", "shared");
  const std::uint32_t seed = drawn_seed();
  CAPTURE(space, seed);
  LaneValues values(seed);
  const Form form{"add.f32", 32, {}, true, Form::Values::Any};
  for (unsigned round = 0; round < 8; ++round) {
    Inputs inputs = inputs_for(values, form, false);
    for (unsigned t = 0; t < kThreads; ++t) {
      inputs.first[t] = values.word();
      inputs.a[t] = values.one_in(3) ? values.below(0x800000) : values.word();
    }
    const Words found = run_ptx_kernel({program(form, space, true, "")}, inputs.words(), kOutputWords);
    for (unsigned t = 0; t < kThreads; ++t) {
      float x = std::bit_cast<float>(static_cast<U32>(inputs.first[t]));
      float y = std::bit_cast<float>(static_cast<U32>(inputs.a[t]));
      CAPTURE(x, y, t);
      const float sum = space == "global" ? flushed(flushed(x) + flushed(y)) : x + y;
      const auto got = std::bit_cast<float>(static_cast<U32>(cell_at(found, t, 32)));
      REQUIRE(result_at(found, t, 32) == inputs.first[t]);
      if (std::isnan(sum)) {
        REQUIRE(std::isnan(got));
      } else {
        REQUIRE(std::bit_cast<U32>(got) == std::bit_cast<U32>(sum));
      }
    }
  }
}

U32 half_bits(float value) { return Half::from(static_cast<double>(value)); }
U32 bfloat_bits(float value) { return std::bit_cast<U32>(value) >> 16; }

TEST_CASE("sums of halves update one or both of a word") {
  const std::string space = GENERATE("global", "shared");
  const bool is_bfloat = GENERATE(false, true);
  const std::string type = is_bfloat ? "bf16" : "f16";
  const auto bits = [&](int value) {
    return is_bfloat ? bfloat_bits(static_cast<float>(value)) : half_bits(static_cast<float>(value));
  };
  // Thread t adds t % 4 + 1 to both halves of word t / 8, and 1 to the half t % 2 of word 16 + t / 8.
  const std::string base = space == "global" ? "%y2" : "%x5";
  const std::string text = fmt::format(
      R"(
    shr.u32 %x0, %t, 3;
    mov.u32 %x4, words;
    mad.lo.u32 %x5, %x0, 4, %x4;
    mad.wide.u32 %y2, %x0, 4, %out;
    mov.b32 %x6, 0;
    st.{0}.b32 [{1}], %x6;
    st.{0}.b32 [{1}+64], %x6;
    bar.sync 0;
    atom.{0}.add.noftz.{2}x2 %x7, [{1}], %a;
    and.b32 %x8, %t, 1;
    mad.lo.u32 %x5, %x8, 2, %x5;
    mad.wide.u32 %y2, %x8, 2, %y2;
    mov.b16 %s0, {3};
    atom.{0}.add.noftz.{2} %s1, [{1}+64], %s0;
    red.{0}.add.noftz.{2} [{1}+64], %s0;
    bar.sync 0;
    mad.lo.u32 %x5, %t, 4, %x4;
    {4}
  )",
      space, base, type, bits(1),
      space == "global"
          ? ""
          : "ld.shared.b32 %x9, [%x5]; setp.lt.u32 %p2, %t, 24; @%p2 st.global.b32 [%outa], %x9;");
  Words input;
  for (unsigned t = 0; t < kThreads; ++t) {
    const U32 half = bits(static_cast<int>(t % 4) + 1);
    input.push_back(half << 16 | half);
  }
  const Words found = run_ptx_kernel({text}, input, kOutputWords);
  for (unsigned word = 0; word < 8; ++word) {
    CAPTURE(space, type, word);
    REQUIRE(found[word] == (bits(20) << 16 | bits(20)));     // twice 1 + 2 + 3 + 4
    REQUIRE(found[16 + word] == (bits(8) << 16 | bits(8)));  // four threads, twice each
  }
}

TEST_CASE("atom.cas.b16 compares and swaps half a word") {
  const std::string space = GENERATE("global", "shared");
  const std::string base = space == "global" ? "%y2" : "%x5";
  // Words with halves 2 t and 2 t + 1; even threads guess the upper one right, odd ones the lower one wrong.
  const std::string text = fmt::format(R"(
    shl.b32 %x0, %t, 1;
    add.u32 %x1, %x0, 1;
    shl.b32 %x2, %x1, 16;
    or.b32 %x3, %x2, %x0;
    mov.u32 %x4, words;
    mad.lo.u32 %x5, %t, 4, %x4;
    mad.wide.u32 %y2, %t, 4, %out;
    st.{0}.b32 [{1}], %x3;
    and.b32 %x6, %t, 1;
    setp.eq.u32 %p0, %x6, 0;
    mov.b32 {{%s0, %s3}}, %x1;
    mov.b16 %s1, 0x7777;
    mov.b16 %s2, 0;
    @%p0 atom.{0}.cas.b16 %s2, [{1}+2], %s0, %s1;
    @!%p0 atom.{0}.cas.b16 %s2, [{1}], %s0, %s1;
    ld.{0}.b32 %x8, [{1}];
    st.global.b32 [%outa], %x8;
    st.global.b16 [%outa+1024], %s2;
  )",
                                       space, base);
  const Words found = run_ptx_kernel({text}, Words(kThreads), kOutputWords);
  for (unsigned t = 0; t < kThreads; ++t) {
    CAPTURE(space, t);
    const U32 upper = t % 2 == 0 ? 0x7777 : 2 * t + 1;
    CHECK(found[t] == (upper << 16 | 2 * t));
    CHECK((found[256 + t] & 0xffff) == (t % 2 == 0 ? 2 * t + 1 : 2 * t));
  }
}

// -- form ---------------------------------------------------------------------------------------------------

std::size_t count_of(const ir::Kernel& kernel, ir::Opcode opcode) {
  return static_cast<std::size_t>(std::count_if(kernel.instructions.begin(), kernel.instructions.end(),
                                                [&](const auto& one) { return one.opcode == opcode; }));
}

TEST_CASE("atomics without use of their result are reductions, and counting has its own instruction") {
  const auto lowered = [](const std::string& text, unsigned capability) {
    return lower_statements({text, capability});
  };
  const ir::Kernel unused = lowered("atom.global.add.u32 %x0, [%out], 5;", 80);
  CHECK(count_of(unused, ir::Opcode::Red) == 1);
  CHECK(count_of(unused, ir::Opcode::Atomg) == 0);
  CHECK(count_of(lowered("atom.global.add.u32 %x0, [%out], 5;", 90), ir::Opcode::Redg) == 1);
  CHECK(count_of(lowered("atom.global.add.u32 %x0, [%out], 5; st.global.u32 [%outa], %x0;", 80),
                 ir::Opcode::Atomg) == 1);
  CHECK(count_of(lowered("atom.global.exch.b32 %x0, [%out], 5;", 80), ir::Opcode::Atomg) == 1);
  CHECK(count_of(lowered("atom.shared.add.u32 %x0, [words], 1;", 80), ir::Opcode::AtomsCount) == 1);
  CHECK(count_of(lowered("atom.shared.add.u32 %x0, [words], 2;", 80), ir::Opcode::Atoms) == 1);
}

TEST_CASE("the memory order of atomics and fences is kept by MEMBAR and CCTL.IVALL") {
  using ir::Opcode;
  struct Case {
    const char* text;
    Opcode fence;
    unsigned fences;
    unsigned acquires;
  };
  const Case cases[] = {
      {"atom.relaxed.gpu.global.add.u32 %x0, [%out], 5;", Opcode::MembarAllGpu, 0, 0},
      {"atom.acquire.gpu.global.add.u32 %x0, [%out], 5;", Opcode::MembarAllGpu, 0, 1},
      {"atom.release.gpu.global.add.u32 %x0, [%out], 5;", Opcode::MembarAllGpu, 1, 0},
      {"atom.acq_rel.sys.global.add.u32 %x0, [%out], 5;", Opcode::MembarAllSys, 1, 1},
      {"red.release.cta.global.add.u32 [%out], 5;", Opcode::MembarAllCta, 1, 0},
      {"membar.gl;", Opcode::MembarScGpu, 1, 1},
      {"membar.cta;", Opcode::MembarScCta, 1, 0},
      {"membar.sys;", Opcode::MembarScSys, 1, 1},
      {"fence.sc.sys;", Opcode::MembarScSys, 1, 1},
      {"fence.acq_rel.gpu;", Opcode::MembarAllGpu, 1, 1},
      {"fence.acq_rel.cta;", Opcode::MembarAllCta, 1, 0},
  };
  for (const Case& one : cases) {
    CAPTURE(one.text);
    const ir::Kernel kernel = lower_statements({one.text});
    CHECK(count_of(kernel, one.fence) == one.fences);
    CHECK(count_of(kernel, Opcode::CctlIvall) == one.acquires);
  }
}

TEST_CASE("atomics that are not supported are refused by name and line") {
  for (const char* text : {"atom.global.exch.b128 %y0, [%out], %y1;", "atom.global.inc.u64 %y0, [%out], %y1;",
                           "atom.shared::cluster.inc.u64 %y0, [%x1], %y1;", "multimem.red.global.add.u32 [%out], %x2;"}) {
    CAPTURE(text);
    try {
      lower_statements({text});
      FAIL("not refused");
    } catch (const InputError& error) {
      CHECK_THAT(error.what(),
                 Catch::Contains(std::string(text).substr(0, std::string(text).find_first_of(" ;"))));
    }
  }
}

TEST_CASE("vectors of floats are added element by element") {
  const std::string text = R"(
    mad.wide.u32 %y2, %t, 16, %out;
    mov.b32 %f0, %a;
    mov.f32 %f1, 0f3f800000;
    red.global.add.v2.f32 [%y2+8], {%f0, %f1};
    atom.global.add.v2.f32 {%f2, %f3}, [%y2+8], {%f1, %f0};
    st.global.f32 [%y2], %f2;
    st.global.f32 [%y2+4], %f3;
  )";
  Words input;
  for (unsigned t = 0; t < kThreads; ++t) input.push_back(std::bit_cast<U32>(static_cast<float>(t)));
  const Words found = run_ptx_kernel({text}, input, kOutputWords);
  for (unsigned t = 0; t < kThreads; ++t) {
    const auto value = [&](unsigned i) { return std::bit_cast<float>(found[4 * t + i]); };
    const auto number = static_cast<float>(t);
    CHECK(value(0) == number);
    CHECK(value(1) == 1);
    CHECK(value(2) == number + 1);
    CHECK(value(3) == number + 1);
  }
}

}  // namespace
}  // namespace heddle::lower
