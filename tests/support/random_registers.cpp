#include "tests/support/random_registers.h"

#include <fmt/format.h>

namespace heddle::test {

namespace {

constexpr unsigned kFirstVariable = 16;  // R0 to R15: addresses and counters of loops
constexpr unsigned kFirstCounter = 8;
constexpr unsigned kLoopPredicate = 6;
constexpr unsigned kUniforms = 6;        // UR0 to UR5 hold values for long,
constexpr unsigned kFirstMomentary = 8;  // UR8 to UR11 for a few instructions

class Maker {
 public:
  explicit Maker(LaneValues& values)
      : values_(values), words_(4 * (2 + values.below(values.one_in(4) ? 40 : 10))) {}

  RegistersProgram make() {
    begin();
    const unsigned statements = 4 + values_.below(24);
    for (unsigned i = 0; i < statements; ++i) statement(0, 0);
    end();
    return {text_, words_};
  }

 private:
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += "    " + fmt::format(format, std::forward<Args>(args)...) + "\n";
  }

  void begin() {
    text_ = ".kernel program\n.param in ptr\n.param out ptr\n";
    line("S2R R0, SR_CTAID.X");
    line("S2R R1, SR_TID.X");
    line("IMAD R0, R0, c[blockDim.x], R1");
    line("IMAD.WIDE.U32 R2, R0, {:#x}, c[in]", 4 * words_);
    line("IMAD.WIDE.U32 R4, R0, {:#x}, c[out]", 4 * words_);
    for (unsigned i = 0; i < words_; i += 4) line("LDG.E.128 R{}, [R2.64+{:#x}]", kFirstVariable + i, 4 * i);
    for (unsigned p = 0; p < kLoopPredicate; ++p) line("ISETP.LT.AND P{}, PT, {}, {}, PT", p, word(), word());
    for (unsigned u = 0; u < kUniforms; ++u) line("UMOV UR{}, {:#x}", u, values_.word());
    line("UISETP.LT.AND UP0, UPT, UR0, UR1, UPT");
    line("UISETP.LT.AND UP1, UPT, UR2, UR3, UPT");
  }

  void end() {
    line("IADD3 R{0}, R{0}, UR{1}, UR{2}", kFirstVariable, values_.below(kUniforms),
         values_.below(kUniforms));
    for (unsigned i = 0; i < words_; i += 4) line("STG.E.128 [R4.64+{:#x}], R{}", 4 * i, kFirstVariable + i);
    line("EXIT");
  }

  unsigned variable(unsigned width = 1) { return kFirstVariable + width * values_.below(words_ / width); }
  std::string word() { return fmt::format("R{}", variable()); }
  std::string condition() {
    return fmt::format("{}P{}", values_.one_in(2) ? "!" : "", values_.below(kLoopPredicate));
  }
  std::string guard() { return values_.one_in(3) ? "@" + condition() + " " : std::string(); }
  std::string source() {
    if (values_.one_in(4)) return fmt::format("{:#x}", values_.word());
    if (values_.one_in(5)) return fmt::format("UR{}", values_.below(kUniforms));
    return word();
  }

  void statement(unsigned depth, unsigned loops) {
    const unsigned draw = values_.below(20);
    if (draw < 2 && depth < 4) return branch(depth, loops);
    if (draw == 2 && depth < 4 && loops < 3) return loop(depth, loops);
    if (draw == 3 && depth == 0) return uniform();
    if (draw == 4) return momentary();
    if (draw < 8) return wide();
    if (draw == 8) return predicate();
    narrow();
  }

  void narrow() {
    const std::string on = guard();
    switch (values_.below(7)) {
      case 0:
        return line("{}IADD3 {}, {}, -{}, {}", on, word(), word(), word(), source());
      case 1:
        return line("{}IMAD {}, {}, {}, {}", on, word(), word(), source(), word());
      case 2:
        return line("{}LOP3.LUT {}, {}, {}, {}, 0x96, !PT", on, word(), word(), source(), word());
      case 3:
        return line("{}SEL {}, {}, {}, {}", on, word(), word(), source(), select());
      case 4:
        return line("{}MOV {}, {:#x}", on, word(), values_.word());
      case 5:
        return line("{}SHF.R.U32.HI {}, RZ, {:#x}, {}", on, word(), values_.below(32), word());
      default:
        return line("{}MOV {}, {}", on, word(), source());
    }
  }

  std::string select() { return values_.one_in(4) ? fmt::format("UP{}", values_.below(2)) : condition(); }

  void wide() {
    const std::string on = guard();
    switch (values_.below(7)) {
      case 0:
      case 1:
        return line("{}IMAD.WIDE.U32 R{}, {}, {}, R{}", on, variable(2), word(), word(), variable(2));
      case 2:
        return line("{}MOV.64 R{}, R{}", on, variable(2), variable(2));
      case 3:
        return line("{}IADD.64 R{}, R{}, R{}", on, variable(2), variable(2), variable(2));
      case 4:
        return line("{}LDG.E.128 R{}, [R2.64+{:#x}]", on, variable(4), 16 * values_.below(words_ / 4));
      case 5:
        return line("{}STG.E.64 [R4.64+{:#x}], R{}", on, 8 * values_.below(words_ / 2), variable(2));
      default:
        return copy_quad();
    }
  }

  /// As a compiler gathers what a vector store takes.
  void copy_quad() {
    const unsigned to = variable(4);
    for (unsigned i = 0; i < 4; ++i) line("MOV R{}, {}", to + i, word());
    line("STG.E.128 [R4.64+{:#x}], R{}", 16 * values_.below(words_ / 4), to);
  }

  void predicate() {
    const std::string on = guard();
    const unsigned first = values_.below(kLoopPredicate);
    if (values_.one_in(2))
      return line("{}ISETP.LT.AND P{}, PT, {}, {}, {}", on, first, word(), source(), condition());
    line("{}ISETP.GE.U32.OR P{}, P{}, {}, {}, {}", on, first, (first + 1) % kLoopPredicate, word(), word(),
         condition());
  }

  void uniform() {
    const unsigned to = values_.below(kUniforms);
    const auto any = [this] { return values_.below(kUniforms); };
    switch (values_.below(4)) {
      case 0:
        return line("UMOV UR{}, {:#x}", to, values_.word());
      case 1:
        return line("UIADD3 UR{}, UR{}, UR{}, UR{}", to, any(), any(), any());
      case 2:
        return line("USEL UR{}, UR{}, UR{}, UP{}", to, any(), any(), values_.below(2));
      default:
        return line("UISETP.GE.AND UP{}, UPT, UR{}, UR{}, UPT", values_.below(2), any(), any());
    }
  }

  /// Read before lanes part.
  void momentary() {
    const unsigned at = kFirstMomentary + 2 * values_.below(2);
    line("UMOV UR{}, {:#x}", at, values_.word());
    line("UIMAD.WIDE.U32 UR{}, UR{}, UR{}, URZ", at, at, values_.below(kUniforms));
    if (values_.one_in(2)) narrow();
    line("IADD3 {}, {}, UR{}, RZ", word(), word(), at);
    line("LOP3.LUT {}, {}, UR{}, RZ, 0x3c, !PT", word(), word(), at + 1);
  }

  void block(unsigned depth, unsigned loops) {
    const unsigned count = 1 + values_.below(5);
    for (unsigned i = 0; i < count; ++i) statement(depth, loops);
  }

  void branch(unsigned depth, unsigned loops) {
    const unsigned number = labels_++;
    const bool has_other = values_.one_in(2);
    line("@{} BRA other{}", condition(), number);
    block(depth + 1, loops);
    if (has_other) line("BRA join{}", number);
    text_ += fmt::format("other{}:\n", number);
    if (has_other) block(depth + 1, loops);
    text_ += fmt::format("join{}:\n", number);
    narrow();
  }

  /// Each lane makes up to four trips.
  void loop(unsigned depth, unsigned loops) {
    const unsigned number = labels_++;
    const unsigned counter = kFirstCounter + loops;
    line("LOP3.LUT R{}, {}, 0x3, RZ, 0xc0, !PT", counter, word());
    text_ += fmt::format("top{}:\n", number);
    block(depth + 1, loops + 1);
    if (values_.one_in(3)) line("@{} BRA end{}", condition(), number);
    if (values_.one_in(2)) block(depth + 1, loops + 1);
    line("IADD3 R{0}, R{0}, -0x1, RZ", counter);
    line("ISETP.GE.AND P{}, PT, R{}, RZ, PT", kLoopPredicate, counter);
    line("@P{} BRA top{}", kLoopPredicate, number);
    text_ += fmt::format("end{}:\n", number);
    narrow();
  }

  LaneValues& values_;
  unsigned words_;
  unsigned labels_ = 0;
  std::string text_;
};

}  // namespace

RegistersProgram random_registers_program(LaneValues& values) { return Maker(values).make(); }

}  // namespace heddle::test
