#include "tests/support/random_program.h"

#include <fmt/format.h>

namespace heddle::test {

namespace {

constexpr unsigned kPredicates = 5;  // P5 belongs to the loops

// -- making ---------------------------------------------------------------------------------------

class Maker {
 public:
  /// What is made may call the functions from this one on.
  Maker(LaneValues& values, unsigned first_callable, bool is_function)
      : values_(values), first_callable_(first_callable), is_function_(is_function) {}

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
    if (made.kind == Statement::Kind::Call) {
      made.target = first_callable_ + values_.below(kFunctions - first_callable_);
    }
    if (made.kind == Statement::Kind::Switch) {
      made.cases.resize(2U << values_.below(2));
      for (std::vector<Statement>& body : made.cases) body = block(depth + 2, loops);
    }
    if (made.kind == Statement::Kind::If || made.kind == Statement::Kind::Loop) {
      const bool is_loop = made.kind == Statement::Kind::Loop;
      made.body = block(depth + 1, loops + (is_loop ? 1 : 0));
      if (!is_loop && values_.one_in(2)) made.otherwise = block(depth + 1, loops);
    }
    return made;
  }

  Statement::Kind kind(unsigned depth, unsigned loops) {
    using Kind = Statement::Kind;
    const unsigned draw = values_.below(23);
    if (draw < 4) return Kind::Compare;
    if (draw < 8 && depth < 5) return Kind::If;
    if (draw < 11 && depth < 5 && loops < 3) return Kind::Loop;
    if (draw == 11 && loops > 0) return Kind::Break;
    if (draw == 12 && loops > 0) return Kind::Continue;
    if (draw == 13 && depth > 0 && values_.one_in(3)) return Kind::Exit;
    if (draw == 14 && is_function_ && depth > 0) return Kind::Return;
    if (draw == 15 && depth < 4) return Kind::Switch;
    if (draw == 16 && first_callable_ < kFunctions) return Kind::Call;
    return Kind::Assign;
  }

  LaneValues& values_;
  unsigned first_callable_;
  bool is_function_;
};

// -- writing --------------------------------------------------------------------------------------

constexpr const char* kCompares[6] = {"LT", "EQ.U32", "LE", "GT.U32", "NE", "GE.U32"};

class Writer {
 public:
  explicit Writer(bool names_barriers) : names_barriers_(names_barriers) {}

  std::string write(const std::vector<Statement>& statements, const Functions& functions) {
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
    for (unsigned f = 0; f < kFunctions; ++f) {
      function_ = f + 1;
      label("function", f);
      block(functions[f]);
      line("RET.REL.NODEC");
    }
    return text_;
  }

 private:
  struct Loop {
    unsigned number;
    unsigned depth;
    std::size_t regions;  ///< Open ones outside of it.
  };
  static constexpr unsigned kMostRegions = 5;  // of the program and of each function: B0 to B14

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
        leave_regions(statement.condition, loops_.back().regions);
        line("{} BRA end{}", guard(statement.condition), loops_.back().number);
        break;
      case Statement::Kind::Continue:
        leave_regions(statement.condition, loops_.back().regions);
        line("{} BRA next{}", guard(statement.condition), loops_.back().number);
        break;
      case Statement::Kind::Switch:
        switch_over(statement);
        break;
      case Statement::Kind::Call:
        line("{}CALL.REL.NOINC function{}", statement.guarded ? guard(statement.condition) + " " : "",
             statement.target);
        break;
      case Statement::Kind::Return:
        leave_regions(statement.condition, 0);
        line("{} RET.REL.NODEC", guard(statement.condition));
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
    const bool is_region = open_region("join", number);
    const bool body_first = statement.form % 2 == 0 || statement.otherwise.empty();
    line("{} BRA other{}", guard(statement.condition, body_first), number);
    block(body_first ? statement.body : statement.otherwise);
    if (!statement.otherwise.empty()) line("BRA join{}", number);
    label("other", number);
    if (!statement.otherwise.empty()) block(body_first ? statement.otherwise : statement.body);
    label("join", number);
    if (is_region) close_region();
  }

  /// An indirect branch to one of the cases.
  void switch_over(const Statement& statement) {
    const unsigned number = labels_++;
    const bool is_region = open_region("join", number);
    const auto cases = static_cast<unsigned>(statement.cases.size());
    line("LOP3.LUT R8, R{}, {:#x}, RZ, 0xc0, !PT", statement.sources[0], cases - 1);
    line("MOV R9, case{}_0", number);
    for (unsigned i = 1; i < cases; ++i) {
      line("ISETP.EQ.AND P5, PT, R8, {:#x}, PT", i);
      line("@P5 MOV R9, case{}_{}", number, i);
    }
    line("BRX R9");
    for (unsigned i = 0; i < cases; ++i) {
      text_ += fmt::format("case{}_{}:\n", number, i);
      block(statement.cases[i]);
      line("BRA join{}", number);
    }
    label("join", number);
    if (is_region) close_region();
  }

  // -- barriers of the text: lanes that leave a region by a jump BREAK out of its barrier -------------

  bool open_region(const char* end, unsigned number) {
    const auto open = static_cast<unsigned>(regions_.size());
    if (!names_barriers_ || open == kMostRegions || number % 3 == 0) return false;
    regions_.push_back(function_ * kMostRegions + open);
    line("BSSY B{}, {}{}", regions_.back(), end, number);
    return true;
  }

  void close_region() {
    line("BSYNC B{}", regions_.back());
    regions_.pop_back();
  }

  void leave_regions(const Condition& condition, std::size_t outer) {
    for (std::size_t i = regions_.size(); i > outer; --i)
      line("{} BREAK B{}", guard(condition), regions_[i - 1]);
  }

  /// Forms: tested at the top, or at the bottom.
  void loop(const Statement& statement) {
    const unsigned number = labels_++;
    const bool is_region = open_region("end", number);
    const Loop own{number, static_cast<unsigned>(loops_.size()), regions_.size()};
    const unsigned count = 16 + 8 * function_ + own.depth;
    const unsigned trips = count + 4;
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
    if (is_region) close_region();
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

  bool names_barriers_;
  std::string text_;
  unsigned function_ = 0;  // 0: the program
  std::vector<Loop> loops_;
  std::vector<unsigned> regions_;
  unsigned labels_ = 0;
};

// -- interpreting ---------------------------------------------------------------------------------

enum class Flow { Next, Break, Continue, Return, Exit };

class Thread {
 public:
  Thread(const Variables& variables, const Functions& functions)
      : variables_(variables), functions_(functions) {
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
      case Statement::Kind::Switch:
        return run(statement.cases[variables_[statement.sources[0]] % statement.cases.size()]);
      case Statement::Kind::Call: {
        const bool calls = !statement.guarded || taken;
        return calls && run(functions_[statement.target]) == Flow::Exit ? Flow::Exit : Flow::Next;
      }
      case Statement::Kind::Return:
        return taken ? Flow::Return : Flow::Next;
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
      if (flow == Flow::Exit || flow == Flow::Return) return flow;
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
  const Functions& functions_;
  std::array<bool, kPredicates> predicates_{};
};

}  // namespace

RandomProgram::RandomProgram(LaneValues& values) : names_barriers_(values.one_in(2)) {
  for (unsigned f = 0; f < kFunctions; ++f) functions_[f] = Maker(values, f + 1, true).block(1, 0);
  statements_ = Maker(values, 0, false).block(0, 0);
}

std::string RandomProgram::text() const { return Writer(names_barriers_).write(statements_, functions_); }

Variables RandomProgram::interpret(Variables variables) const {
  Thread thread(variables, functions_);
  thread.run(statements_);
  return thread.variables();
}

}  // namespace heddle::test
