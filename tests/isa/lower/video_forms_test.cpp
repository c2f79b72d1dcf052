// Video instructions of PTX, lowered, against the pseudocode of the PTX ISA.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>

#include "tests/support/catch.h"
#include "tests/support/ptx_run.h"
#include "tests/support/seed.h"

namespace heddle::test {
namespace {

using U64 = std::uint64_t;
using U32 = std::uint32_t;
using Wide = __int128;

/// One part of a word, as a selector names it: .b2 is {8, 2}; all of it is {32, 0}.
struct Part {
  unsigned bits = 32;
  unsigned index = 0;

  [[nodiscard]] std::string text() const {
    return bits == 32 ? "" : fmt::format(".{}{}", bits == 8 ? 'b' : 'h', index);
  }
};

constexpr Part kParts[] = {{}, {8, 0}, {8, 1}, {8, 2}, {8, 3}, {16, 0}, {16, 1}};
constexpr const char* kTypes[] = {"u32", "s32"};
constexpr const char* kComparisons[] = {"eq", "ne", "lt", "le", "gt", "ge"};

Wide field(U32 word, unsigned bits, unsigned index, bool is_signed) {
  const U64 raw = U64{word} >> (bits * index) & ((U64{1} << bits) - 1);
  const bool is_negative = is_signed && (raw >> (bits - 1) & 1U) != 0;
  return Wide{raw} - (is_negative ? Wide{1} << bits : 0);
}

Wide clamp(Wide value, bool is_signed, unsigned bits) {
  const Wide least = is_signed ? -(Wide{1} << (bits - 1)) : 0;
  const Wide most = (Wide{1} << (is_signed ? bits - 1 : bits)) - 1;
  return std::clamp(value, least, most);
}

bool compare(Wide a, Wide b, std::string_view how) {
  if (how == "eq") return a == b;
  if (how == "ne") return a != b;
  if (how == "lt") return a < b;
  if (how == "le") return a <= b;
  return how == "gt" ? a > b : a >= b;
}

Wide combined(std::string_view operation, Wide a, Wide b) {
  if (operation == "add") return a + b;
  if (operation == "sub") return a - b;
  if (operation == "absdiff") return a > b ? a - b : b - a;
  if (operation == "min") return std::min(a, b);
  if (operation == "max") return std::max(a, b);
  return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;  // avrg
}

class Draw {
 public:
  explicit Draw(std::uint32_t seed) : random_(seed) {}
  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }
  bool coin() { return below(2) != 0; }
  template <typename List>
  const auto& of(const List& list) {
    return list[below(static_cast<unsigned>(std::size(list)))];
  }
  U32 word() {
    constexpr U32 kEdges[] = {0,          1,          0x7f,       0x80,       0xff,    0x7fff,
                              0x8000,     0xffff,     0x7fffffff, 0x80000000, ~U32{0}, 0x80808080,
                              0x7f7f7f7f, 0x80008000, 0x7fff7fff, 31,         32,      33};
    return below(3) == 0 ? of(kEdges) : static_cast<U32>(random_()) >> (below(4) == 0 ? below(32) : 0);
  }

 private:
  std::mt19937_64 random_;
};

PtxInputs inputs_of(Draw& draw) {
  PtxInputs inputs;
  for (unsigned i = 0; i < 512; ++i) {
    inputs.a.push_back(draw.word());
    inputs.b.push_back(i % 8 == 0 ? inputs.a.back() : draw.word());
    inputs.c.push_back(draw.word());
  }
  return inputs;
}

template <typename Reference>
void check(const std::string& statement, const PtxInputs& inputs, Reference reference) {
  INFO(statement);
  for (const auto& [capability, registers] : {std::pair{80U, 255U}, {90U, 16U}}) {
    const auto found = run_ptx({statement, false, capability, registers}, inputs);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const U32 wanted = reference(static_cast<U32>(inputs.a[i]), static_cast<U32>(inputs.b[i]),
                                   static_cast<U32>(inputs.c[i]));
      if (found[i] == wanted) continue;
      INFO(std::hex << "a " << inputs.a[i] << " b " << inputs.b[i] << " c " << inputs.c[i]);
      CHECK(found[i] == wanted);
      return;
    }
    SUCCEED("all are right");
  }
}

/// What stands behind a scalar operation: a second operation, a merge into c, or nothing.
U32 finished(Wide value, std::string_view second, const Part& to, bool is_signed, U32 c) {
  const U32 word = static_cast<U32>(value);
  if (to.bits != 32) {
    const U32 mask = ((U32{1} << to.bits) - 1) << (to.bits * to.index);
    return (word << (to.bits * to.index) & mask) | (c & ~mask);
  }
  if (second == ".add") return word + c;
  const bool is_less = is_signed ? static_cast<std::int32_t>(word) < static_cast<std::int32_t>(c) : word < c;
  if (second == ".min") return is_less ? word : c;
  if (second == ".max") return is_less ? c : word;
  return word;
}

/// A scalar instruction's parts and what follows.
struct Scalar {
  Part to, a, b;
  std::string second;

  explicit Scalar(Draw& draw) : a(draw.of(kParts)), b(draw.of(kParts)) {
    constexpr const char* kSecond[] = {"", ".add", ".min", ".max"};
    if (draw.coin()) {
      second = draw.of(kSecond);
    } else {
      to = draw.of(kParts);
    }
  }
  [[nodiscard]] std::string operands() const {
    const bool has_third = to.bits != 32 || !second.empty();
    return fmt::format("%r{}, %a{}, %b{}{};", to.text(), a.text(), b.text(), has_third ? ", %c" : "");
  }
};

TEST_CASE("scalar video instructions give what the PTX ISA says") {
  const std::uint32_t seed = drawn_seed();
  INFO("HEDDLE_SEED=" << seed);
  Draw draw(seed);
  constexpr const char* kOperations[] = {"add", "sub", "absdiff", "min", "max"};
  for (const char* operation : kOperations) {
    for (unsigned k = 0; k < 16; ++k) {
      const bool d_signed = (k & 1U) != 0;
      const bool a_signed = (k & 2U) != 0;
      const bool b_signed = (k & 4U) != 0;
      const bool saturates = (k & 8U) != 0;
      const Scalar form(draw);
      const std::string statement =
          fmt::format("v{}.{}.{}.{}{}{} {}", operation, kTypes[d_signed], kTypes[a_signed], kTypes[b_signed],
                      saturates ? ".sat" : "", form.second, form.operands());
      check(statement, inputs_of(draw), [&](U32 a, U32 b, U32 c) {
        Wide made = combined(operation, field(a, form.a.bits, form.a.index, a_signed),
                             field(b, form.b.bits, form.b.index, b_signed));
        if (saturates) made = clamp(made, d_signed, form.to.bits);
        return finished(made, form.second, form.to, d_signed, c);
      });
    }
  }
}

TEST_CASE("vshl and vshr give what the PTX ISA says") {
  const std::uint32_t seed = drawn_seed();
  INFO("HEDDLE_SEED=" << seed);
  Draw draw(seed);
  for (unsigned k = 0; k < 32; ++k) {
    const bool is_left = (k & 1U) != 0;
    const bool d_signed = (k & 2U) != 0;
    const bool a_signed = (k & 4U) != 0;
    const bool saturates = (k & 8U) != 0;
    const bool wraps = (k & 16U) != 0;
    const Scalar form(draw);
    const std::string statement =
        fmt::format("{}.{}.{}.u32{}.{}{} {}", is_left ? "vshl" : "vshr", kTypes[d_signed], kTypes[a_signed],
                    saturates ? ".sat" : "", wraps ? "wrap" : "clamp", form.second, form.operands());
    check(statement, inputs_of(draw), [&](U32 a, U32 b, U32 c) {
      const Wide value = field(a, form.a.bits, form.a.index, a_signed);
      const auto places = static_cast<U32>(field(b, form.b.bits, form.b.index, false));
      const U32 by = wraps ? places & 31 : std::min<U32>(places, 32);
      Wide made = is_left ? value * (Wide{1} << by) : value >> by;
      if (saturates) made = clamp(made, d_signed, form.to.bits);
      return finished(made, form.second, form.to, d_signed, c);
    });
  }
}

TEST_CASE("vset gives what the PTX ISA says") {
  const std::uint32_t seed = drawn_seed();
  INFO("HEDDLE_SEED=" << seed);
  Draw draw(seed);
  for (const char* how : kComparisons) {
    for (unsigned k = 0; k < 4; ++k) {
      const bool a_signed = (k & 1U) != 0;
      const bool b_signed = (k & 2U) != 0;
      const Scalar form(draw);
      check(fmt::format("vset.{}.{}.{}{} {}", kTypes[a_signed], kTypes[b_signed], how, form.second,
                        form.operands()),
            inputs_of(draw), [&](U32 a, U32 b, U32 c) {
              const bool holds = compare(field(a, form.a.bits, form.a.index, a_signed),
                                         field(b, form.b.bits, form.b.index, b_signed), how);
              return finished(holds ? 1 : 0, form.second, form.to, false, c);
            });
    }
  }
}

TEST_CASE("vmad gives what the PTX ISA says") {
  const std::uint32_t seed = drawn_seed();
  INFO("HEDDLE_SEED=" << seed);
  Draw draw(seed);
  constexpr std::pair<const char*, unsigned> kScales[] = {{"", 0}, {".shr7", 7}, {".shr15", 15}};
  for (unsigned k = 0; k < 60; ++k) {
    const bool a_signed = (k & 1U) != 0;
    const bool b_signed = (k & 2U) != 0;
    const bool saturates = (k & 4U) != 0;
    const auto scale = kScales[k % 3];
    const unsigned sign = k % 5;  // none, of a, of b, of c, .po
    const Part from_a = draw.of(kParts);
    const Part from_b = draw.of(kParts);
    const std::string statement =
        fmt::format("vmad.s32.{}.{}{}{}{} %r, {}%a{}, {}%b{}, {}%c;", kTypes[a_signed], kTypes[b_signed],
                    sign == 4 ? ".po" : "", saturates ? ".sat" : "", scale.first, sign == 1 ? "-" : "",
                    from_a.text(), sign == 2 ? "-" : "", from_b.text(), sign == 3 ? "-" : "");
    check(statement, inputs_of(draw), [&](U32 a, U32 b, U32 c) {
      const bool is_signed = a_signed || b_signed || sign == 1 || sign == 2 || sign == 3;
      Wide made =
          field(a, from_a.bits, from_a.index, a_signed) * field(b, from_b.bits, from_b.index, b_signed);
      Wide addend = 0;
      if (sign == 1 || sign == 2) made = -made;
      if (sign == 3) c = ~c;
      addend = field(c, 32, 0, is_signed) + (sign == 3 || sign == 4 ? 1 : 0);
      made = (made + addend) >> scale.second;
      if (saturates && is_signed) {
        made = clamp(static_cast<std::int64_t>(made), true, 32);
      } else if (saturates) {
        made = static_cast<Wide>(std::min<U64>(static_cast<U64>(made), 0xffffffffU));
      }
      return static_cast<U32>(made);
    });
  }
}

/// Names of halves or bytes of two words, the highest first, and what they choose.
struct Selection {
  std::string text;
  std::array<unsigned, 4> chosen{};

  Selection(Draw& draw, unsigned parts, bool is_second) {
    const bool is_default = draw.coin();
    for (unsigned k = 0; k < parts; ++k)
      chosen[k] = is_default ? k + (is_second ? parts : 0) : draw.below(2 * parts);
    if (is_default) return;
    text = parts == 4 ? ".b" : ".h";
    for (unsigned k = parts; k-- > 0;) text += fmt::format("{}", chosen[k]);
  }
  [[nodiscard]] Wide part(U32 a, U32 b, unsigned k, unsigned parts, bool is_signed) const {
    const unsigned at = chosen[k];
    return field(at < parts ? a : b, 32 / parts, at % parts, is_signed);
  }
};

/// Which halves or bytes are written.
struct Mask {
  std::string text;
  unsigned bits;

  Mask(Draw& draw, unsigned parts) : bits((1U << parts) - 1) {
    if (draw.coin()) return;
    bits = 1 + draw.below(bits);
    text = parts == 4 ? ".b" : ".h";
    for (unsigned k = parts; k-- > 0;) {
      if ((bits >> k & 1U) != 0) text += fmt::format("{}", k);
    }
  }
};

template <typename Each>
U32 merged(const Mask& mask, unsigned parts, bool adds, U32 c, Each each) {
  const unsigned bits = 32 / parts;
  U32 made = c;
  for (unsigned k = 0; k < parts; ++k) {
    if ((mask.bits >> k & 1U) == 0) continue;
    const U32 value = static_cast<U32>(each(k));
    const U32 ones = ((U32{1} << bits) - 1) << (bits * k);
    made = adds ? made + value : (made & ~ones) | (value << (bits * k) & ones);
  }
  return made;
}

TEST_CASE("video instructions on halves and bytes give what the PTX ISA says") {
  const std::uint32_t seed = drawn_seed();
  INFO("HEDDLE_SEED=" << seed);
  Draw draw(seed);
  constexpr const char* kOperations[] = {"add", "sub", "avrg", "absdiff", "min", "max"};
  constexpr const char* kEnds[] = {"", ".sat", ".add"};
  for (const char* operation : kOperations) {
    for (unsigned k = 0; k < 24; ++k) {
      const unsigned parts = (k & 1U) != 0 ? 4 : 2;
      const bool d_signed = draw.coin();
      const bool a_signed = draw.coin();
      const bool b_signed = draw.coin();
      const std::string end = kEnds[k % 3];
      const Selection from_a(draw, parts, false);
      const Selection from_b(draw, parts, true);
      const Mask mask(draw, parts);
      const std::string statement =
          fmt::format("v{}{}.{}.{}.{}{} %r{}, %a{}, %b{}, %c;", operation, parts, kTypes[d_signed],
                      kTypes[a_signed], kTypes[b_signed], end, mask.text, from_a.text, from_b.text);
      check(statement, inputs_of(draw), [&](U32 a, U32 b, U32 c) {
        return merged(mask, parts, end == ".add", c, [&](unsigned part) {
          const Wide made = combined(operation, from_a.part(a, b, part, parts, a_signed),
                                     from_b.part(a, b, part, parts, b_signed));
          return end == ".sat" ? clamp(made, d_signed, 32 / parts) : made;
        });
      });
    }
  }
}

TEST_CASE("vset2 and vset4 give what the PTX ISA says") {
  const std::uint32_t seed = drawn_seed();
  INFO("HEDDLE_SEED=" << seed);
  Draw draw(seed);
  for (const char* how : kComparisons) {
    for (unsigned k = 0; k < 4; ++k) {
      const unsigned parts = (k & 1U) != 0 ? 4 : 2;
      const bool adds = (k & 2U) != 0;
      const bool a_signed = draw.coin();
      const bool b_signed = draw.coin();
      const Selection from_a(draw, parts, false);
      const Selection from_b(draw, parts, true);
      const Mask mask(draw, parts);
      const std::string statement =
          fmt::format("vset{}.{}.{}.{}{} %r{}, %a{}, %b{}, %c;", parts, kTypes[a_signed], kTypes[b_signed],
                      how, adds ? ".add" : "", mask.text, from_a.text, from_b.text);
      check(statement, inputs_of(draw), [&](U32 a, U32 b, U32 c) {
        return merged(mask, parts, adds, c, [&](unsigned part) {
          return compare(from_a.part(a, b, part, parts, a_signed), from_b.part(a, b, part, parts, b_signed),
                         how)
                     ? 1
                     : 0;
        });
      });
    }
  }
}

}  // namespace
}  // namespace heddle::test
