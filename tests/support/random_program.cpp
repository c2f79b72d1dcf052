#include "tests/support/random_program.h"

#include <fmt/format.h>

namespace heddle::test {

namespace {

constexpr unsigned kPredicates = 5;  // P5 belongs to the loops

// -- making ---------------------------------------------------------------------------------------

class Maker {
 public:
  explicit Maker(LaneValues& values) : values_(values) {}

  std::vector<Statement> block(unsigned depth, unsigned loops) {
    std::vector<Statement> statements;
    const unsigned count = 1 + values_.below(depth == 0 ? 8 : 4);
    for (unsigned i = 0; i < count; ++i) statements.push_back(statement(depth, loops));
    return statements;
  }

 private:
  Statement statement(unsigned depth, unsigned loops) {
    Statement made;
    made.form = values_.below(6);
    made.target = values_.below(kVariables);
    made.sources = {values_.below(kVariables), values_.below(kVariables)};
    made.number = values_.word();
    made.guarded = values_.one_in(3);
    made.condition = {values_.below(kPredicates), values_.one_in(2)};
    made.kind = kind(depth, loops);
    if (made.kind == Statement::Kind::Compare) made.target = values_.below(kPredicates);
    if (made.kind == Statement::Kind::If || made.kind == Statement::Kind::Loop) {
      const bool is_loop = made.kind == Statement::Kind::Loop;
      made.body = block(depth + 1, loops + (is_loop ? 1 : 0));
      if (!is_loop && values_.one_in(2)) made.otherwise = block(depth + 1, loops);
    }
    return made;
  }

  Statement::Kind kind(unsigned depth, unsigned loops) {
    using Kind = Statement::Kind;
    const unsigned draw = values_.below(20);
    if (draw < 4) return Kind::Compare;
    if (draw < 8 && depth < 5) return Kind::If;
    if (draw < 11 && depth < 5 && loops < 3) return Kind::Loop;
    if (draw == 11 && loops > 0) return Kind::Break;
    if (draw == 12 && loops > 0) return Kind::Continue;
    if (draw == 13 && depth > 0 && values_.one_in(3)) return Kind::Exit;
    return Kind::Assign;
  }

  LaneValues& values_;
};

// -- writing --------------------------------------------------------------------------------------

constexpr const char* kCompares[6] = {"LT", "EQ.U32", "LE", "GT.U32", "NE", "GE.U32"};

class Writer {
 public:
  std::string write(const std::vector<Statement>& statements) {
    text_ = R"(
.kernel program
.param in ptr
.param out ptr
    S2R R10, SR_CTAID.X
    S2R R11, SR_TID.X
    IMAD R10, R10, c[blockDim.x], R11
    IMAD.WIDE.U32 R12, R10, 0x20, c[in]
    IMAD.WIDE.U32 R14, R10, 0x20, c[out]
    LDG.E.128 R0, [R12.64]
    LDG.E.128 R4, [R12.64+0x10]
)";
    for (unsigned p = 0; p < kPredicates; ++p) line("ISETP.LT.AND P{0}, PT, R{0}, R{1}, PT", p, p + 1);
    block(statements);
    store();
    line("EXIT");
    return text_;
  }

 private:
  struct Loop {
    unsigned number;
    unsigned depth;
  };

  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += "    " + fmt::format(format, std::forward<Args>(args)...) + "\n";
  }
  void label(const char* name, unsigned number) { text_ += fmt::format("{}{}:\n", name, number); }

  static std::string guard(const Condition& condition, bool opposite = false) {
    return fmt::format("@{}P{}", condition.negated != opposite ? "!" : "", condition.predicate);
  }

  void store() {
    line("STG.E.128 [R14.64], R0");
    line("STG.E.128 [R14.64+0x10], R4");
  }

  void block(const std::vector<Statement>& statements) {
    for (const Statement& statement : statements) write_one(statement);
  }

  void write_one(const Statement& statement) {
    switch (statement.kind) {
      case Statement::Kind::Assign:
        assign(statement);
        break;
      case Statement::Kind::Compare:
        line("{}ISETP.{}.AND P{}, PT, R{}, R{}, PT",
             statement.guarded ? guard(statement.condition) + " " : "", kCompares[statement.form],
             statement.target, statement.sources[0], statement.sources[1]);
        break;
      case Statement::Kind::If:
        condition(statement);
        break;
      case Statement::Kind::Loop:
        loop(statement);
        break;
      case Statement::Kind::Break:
        line("{} BRA end{}", guard(statement.condition), loops_.back().number);
        break;
      case Statement::Kind::Continue:
        line("{} BRA next{}", guard(statement.condition), loops_.back().number);
        break;
      case Statement::Kind::Exit:
        leave(statement);
        break;
    }
  }

  void assign(const Statement& statement) {
    const std::string on = statement.guarded ? guard(statement.condition) + " " : "";
    const unsigned out = statement.target;
    const auto [a, b] = statement.sources;
    switch (statement.form) {
      case 0:
        line("{}IADD3 R{}, R{}, -R{}, {:#x}", on, out, a, b, statement.number);
        break;
      case 1:
        line("{}IMAD R{}, R{}, R{}, R{}", on, out, a, b, out);
        break;
      case 2:
        line("{}LOP3.LUT R{}, R{}, R{}, {:#x}, 0x96, !PT", on, out, a, b, statement.number);
        break;
      case 3:
        line("{}SEL R{}, R{}, R{}, P{}", on, out, a, b, statement.number % kPredicates);
        break;
      case 4:
        line("{}MOV R{}, {:#x}", on, out, statement.number);
        break;
      default:
        line("{}SHF.R.U32.HI R{}, RZ, {:#x}, R{}", on, out, statement.number % 32, a);
        break;
    }
  }

  /// Forms: the condition's lanes fall through, or they jump.
  void condition(const Statement& statement) {
    const unsigned number = labels_++;
    const bool body_first = statement.form % 2 == 0 || statement.otherwise.empty();
    line("{} BRA other{}", guard(statement.condition, body_first), number);
    block(body_first ? statement.body : statement.otherwise);
    if (!statement.otherwise.empty()) line("BRA join{}", number);
    label("other", number);
    if (!statement.otherwise.empty()) block(body_first ? statement.otherwise : statement.body);
    label("join", number);
  }

  /// Forms: tested at the top, or at the bottom.
  void loop(const Statement& statement) {
    const Loop own{labels_++, static_cast<unsigned>(loops_.size())};
    const unsigned count = 16 + own.depth;
    const unsigned trips = 20 + own.depth;
    loops_.push_back(own);
    line("LOP3.LUT R{}, R{}, 0x7, RZ, 0xc0, !PT", trips, statement.sources[0]);
    line("MOV R{}, RZ", count);
    label("top", own.number);
    if (statement.form % 2 == 0) {
      line("ISETP.GE.U32.AND P5, PT, R{}, R{}, PT", count, trips);
      line("@P5 BRA end{}", own.number);
    }
    block(statement.body);
    label("next", own.number);
    line("IADD3 R{0}, R{0}, 0x1, RZ", count);
    if (statement.form % 2 == 0) {
      line("BRA top{}", own.number);
    } else {
      line("ISETP.LT.U32.AND P5, PT, R{}, R{}, PT", count, trips);
      line("@P5 BRA top{}", own.number);
    }
    label("end", own.number);
    loops_.pop_back();
  }

  /// Forms: a branch around an EXIT, or a guarded EXIT.
  void leave(const Statement& statement) {
    if (statement.form % 2 == 0) {
      const unsigned number = labels_++;
      line("{} BRA stay{}", guard(statement.condition, true), number);
      store();
      line("EXIT");
      label("stay", number);
    } else {
      store();
      line("{} EXIT", guard(statement.condition));
    }
  }

  std::string text_;
  std::vector<Loop> loops_;
  unsigned labels_ = 0;
};

// -- interpreting ---------------------------------------------------------------------------------

enum class Flow { Next, Break, Continue, Exit };

class Thread {
 public:
  explicit Thread(const Variables& variables) : variables_(variables) {
    for (unsigned p = 0; p < kPredicates; ++p) predicates_[p] = is_less(variables[p], variables[p + 1]);
  }

  Flow run(const std::vector<Statement>& statements) {
    for (const Statement& statement : statements) {
      const Flow flow = step(statement);
      if (flow != Flow::Next) return flow;
    }
    return Flow::Next;
  }

  [[nodiscard]] const Variables& variables() const { return variables_; }

 private:
  static bool is_less(std::uint32_t a, std::uint32_t b) {
    return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
  }
  [[nodiscard]] bool holds(const Condition& condition) const {
    return predicates_[condition.predicate] != condition.negated;
  }

  Flow step(const Statement& statement) {
    const bool taken = holds(statement.condition);
    switch (statement.kind) {
      case Statement::Kind::Assign:
        if (!statement.guarded || taken) variables_[statement.target] = value(statement);
        return Flow::Next;
      case Statement::Kind::Compare:
        if (!statement.guarded || taken) predicates_[statement.target] = compare(statement);
        return Flow::Next;
      case Statement::Kind::If:
        return run(taken ? statement.body : statement.otherwise);
      case Statement::Kind::Loop:
        return loop(statement);
      case Statement::Kind::Break:
        return taken ? Flow::Break : Flow::Next;
      case Statement::Kind::Continue:
        return taken ? Flow::Continue : Flow::Next;
      case Statement::Kind::Exit:
        return taken ? Flow::Exit : Flow::Next;
    }
    return Flow::Next;
  }

  Flow loop(const Statement& statement) {
    std::uint32_t trips = variables_[statement.sources[0]] & 7;
    if (statement.form % 2 == 1 && trips == 0) trips = 1;
    for (std::uint32_t i = 0; i < trips; ++i) {
      const Flow flow = run(statement.body);
      if (flow == Flow::Exit) return flow;
      if (flow == Flow::Break) break;
    }
    return Flow::Next;
  }

  [[nodiscard]] std::uint32_t value(const Statement& statement) const {
    const std::uint32_t a = variables_[statement.sources[0]];
    const std::uint32_t b = variables_[statement.sources[1]];
    switch (statement.form) {
      case 0:
        return a - b + statement.number;
      case 1:
        return a * b + variables_[statement.target];
      case 2:
        return a ^ b ^ statement.number;
      case 3:
        return predicates_[statement.number % kPredicates] ? a : b;
      case 4:
        return statement.number;
      default:
        return a >> statement.number % 32;
    }
  }

  [[nodiscard]] bool compare(const Statement& statement) const {
    const std::uint32_t a = variables_[statement.sources[0]];
    const std::uint32_t b = variables_[statement.sources[1]];
    switch (statement.form) {
      case 0:
        return is_less(a, b);
      case 1:
        return a == b;
      case 2:
        return !is_less(b, a);
      case 3:
        return a > b;
      case 4:
        return a != b;
      default:
        return a >= b;
    }
  }

  Variables variables_;
  std::array<bool, kPredicates> predicates_{};
};

}  // namespace

RandomProgram::RandomProgram(LaneValues& values) : statements_(Maker(values).block(0, 0)) {}

std::string RandomProgram::text() const { return Writer().write(statements_); }

Variables RandomProgram::interpret(Variables variables) const {
  Thread thread(variables);
  thread.run(statements_);
  return thread.variables();
}

}  // namespace heddle::test
