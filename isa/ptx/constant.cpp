#include "isa/ptx/constant.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "isa/base/quoted.h"
#include "isa/ptx/mistakes.h"

namespace heddle::ptx {

namespace {

using Kind = Constant::Kind;

constexpr unsigned kDeepest = 64;  // parentheses and signs within each other

struct BinaryOperator {
  std::string_view sign;
  unsigned precedence;
};

constexpr std::array<BinaryOperator, 18> kOperators = {{{"||", 1},
                                                        {"&&", 2},
                                                        {"|", 3},
                                                        {"^", 4},
                                                        {"&", 5},
                                                        {"==", 6},
                                                        {"!=", 6},
                                                        {"<", 7},
                                                        {">", 7},
                                                        {"<=", 7},
                                                        {">=", 7},
                                                        {"<<", 8},
                                                        {">>", 8},
                                                        {"+", 9},
                                                        {"-", 9},
                                                        {"*", 10},
                                                        {"/", 10},
                                                        {"%", 10}}};

std::optional<unsigned> precedence_of(const Token& token) {
  if (token.kind != Token::Kind::Symbol) return std::nullopt;
  for (const BinaryOperator& each : kOperators) {
    if (each.sign == token.text) return each.precedence;
  }
  return std::nullopt;
}

Constant truth(bool value) { return {Kind::Signed, value ? 1U : 0U}; }
Constant of_double(double value) { return {Kind::Double, std::bit_cast<std::uint64_t>(value)}; }

template <typename Number>
std::optional<Constant> compare(std::string_view sign, Number a, Number b) {
  if (sign == "<") return truth(a < b);
  if (sign == ">") return truth(a > b);
  if (sign == "<=") return truth(a <= b);
  if (sign == ">=") return truth(a >= b);
  return std::nullopt;
}

std::optional<Constant> combine_doubles(std::string_view sign, double a, double b) {
  if (sign == "+") return of_double(a + b);
  if (sign == "-") return of_double(a - b);
  if (sign == "*") return of_double(a * b);
  if (sign == "/") return of_double(a / b);
  if (sign == "==") return truth(a <= b && a >= b);
  if (sign == "!=") return truth(a < b || a > b);
  return compare(sign, a, b);
}

/// Operators that do not care for the sign.
std::optional<std::uint64_t> combine_bits(std::string_view sign, std::uint64_t a, std::uint64_t b) {
  if (sign == "+") return a + b;
  if (sign == "-") return a - b;
  if (sign == "*") return a * b;
  if (sign == "&") return a & b;
  if (sign == "|") return a | b;
  if (sign == "^") return a ^ b;
  return std::nullopt;
}

/// The result has the type of what is shifted.
Constant shift(std::string_view sign, Constant a, std::uint64_t by) {
  const auto value = static_cast<std::int64_t>(a.bits);
  if (sign == "<<") return {a.kind, by > 63 ? 0 : a.bits << by};
  if (a.kind == Kind::Unsigned) return {a.kind, by > 63 ? 0 : a.bits >> by};
  return {a.kind, static_cast<std::uint64_t>(value >> (by > 63 ? 63 : by))};
}

Constant divide(const Token& sign, Constant a, Constant b, Kind kind) {
  const bool is_quotient = sign.text == "/";
  if (b.bits == 0) fail(sign, "division by zero");
  if (kind == Kind::Unsigned) return {kind, is_quotient ? a.bits / b.bits : a.bits % b.bits};
  const auto x = static_cast<std::int64_t>(a.bits);
  const auto y = static_cast<std::int64_t>(b.bits);
  if (y == -1) return {kind, is_quotient ? 0 - a.bits : 0};
  return {kind, static_cast<std::uint64_t>(is_quotient ? x / y : x % y)};
}

Constant combine_integers(const Token& sign, Constant a, Constant b) {
  if (sign.text == "==") return truth(a.bits == b.bits);
  if (sign.text == "!=") return truth(a.bits != b.bits);
  if (sign.text == "<<" || sign.text == ">>") return shift(sign.text, a, b.bits);
  const bool is_unsigned = a.kind == Kind::Unsigned || b.kind == Kind::Unsigned;
  const Kind kind = is_unsigned ? Kind::Unsigned : Kind::Signed;
  if (sign.text == "/" || sign.text == "%") return divide(sign, a, b, kind);
  if (const auto bits = combine_bits(sign.text, a.bits, b.bits)) return {kind, *bits};
  const auto order =
      is_unsigned ? compare(sign.text, a.bits, b.bits)
                  : compare(sign.text, static_cast<std::int64_t>(a.bits), static_cast<std::int64_t>(b.bits));
  return order.value_or(Constant{});
}

Constant combine(const Token& sign, Constant a, Constant b) {
  if (sign.text == "&&") return truth(a.is_true() && b.is_true());
  if (sign.text == "||") return truth(a.is_true() || b.is_true());
  if (a.is_integer() && b.is_integer()) return combine_integers(sign, a, b);
  const auto value = combine_doubles(sign.text, a.as_double(), b.as_double());
  if (!value) fail(sign, fmt::format("{} needs integers", quoted(sign.text)));
  return *value;
}

Constant negate(Constant value) {
  switch (value.kind) {
    case Kind::Signed:
    case Kind::Unsigned:
      return {value.kind == Kind::Unsigned && value.bits != std::uint64_t{1} << 63 ? Kind::Unsigned
                                                                                   : Kind::Signed,
              0 - value.bits};
    case Kind::Double:
      return {Kind::Double, value.bits ^ std::uint64_t{1} << 63};
    case Kind::Single:
      break;
  }
  return {Kind::Single, value.bits ^ std::uint64_t{1} << 31};
}

Constant invert(const Token& sign, Constant value) {
  if (!value.is_integer()) fail(sign, "'~' needs an integer");
  return {value.kind, ~value.bits};
}

class Expression {
 public:
  explicit Expression(TokenReader& tokens) : tokens_(tokens) {}

  Constant read() { return read_choice(read_binary(read_unary(), 1)); }
  Constant read_after_minus() { return read_choice(read_binary(negate(read_unary()), 1)); }

 private:
  Constant read_unary();
  Constant read_operand(const Token& sign);
  Constant read_parentheses();
  Constant read_cast();
  Constant read_binary(Constant left, unsigned precedence);
  Constant read_choice(Constant condition);
  void descend(const Token& at) {
    if (++depth_ > kDeepest) fail(at, fmt::format("an expression may be nested {} deep", kDeepest));
  }

  TokenReader& tokens_;
  unsigned depth_ = 0;
};

Constant Expression::read_unary() {
  const Token first = tokens_.take();
  descend(first);
  const Constant value = read_operand(first);
  --depth_;
  return value;
}

Constant Expression::read_operand(const Token& first) {
  if (first.is(Token::Kind::Number)) return read_literal(first);
  if (first.is_word(kWarpSize)) return {Kind::Signed, 32};
  if (first.is_symbol('-')) return negate(read_unary());
  if (first.is_symbol('+')) return read_unary();
  if (first.is_symbol('~')) return invert(first, read_unary());
  if (first.is_symbol('!')) return truth(!read_unary().is_true());
  if (first.is_symbol('(')) return read_parentheses();
  fail_expected("a number", first);
}

Constant Expression::read_parentheses() {
  if (tokens_.peek().is(Token::Kind::DotWord)) return read_cast();
  const Constant value = read();
  tokens_.expect(')');
  return value;
}

/// (.s64) and (.u64).
Constant Expression::read_cast() {
  const Token type = tokens_.take();
  if (!type.is_dot("s64") && !type.is_dot("u64")) fail_expected("'.s64' or '.u64'", type);
  tokens_.expect(')');
  const Constant value = read_unary();
  if (!value.is_integer()) fail(type, "only integers can be cast");
  return {type.is_dot("s64") ? Kind::Signed : Kind::Unsigned, value.bits};
}

/// All operators that bind at least as strongly as `precedence`. They stand in a loop, not within each other.
Constant Expression::read_binary(Constant left, unsigned precedence) {
  while (true) {
    const auto first = precedence_of(tokens_.peek());
    if (!first || *first < precedence) return left;
    const Token sign = tokens_.take();
    Constant right = read_unary();
    for (auto next = precedence_of(tokens_.peek()); next && *next > *first;
         next = precedence_of(tokens_.peek())) {
      right = read_binary(right, *first + 1);
    }
    left = combine(sign, left, right);
  }
}

Constant Expression::read_choice(Constant condition) {
  if (!tokens_.peek().is_symbol('?')) return condition;
  descend(tokens_.take());
  const Constant yes = read();
  tokens_.expect(':');
  const Constant no = read();
  --depth_;
  return condition.is_true() ? yes : no;
}

}  // namespace

bool begins_constant(const Token& token) {
  if (token.is(Token::Kind::Number) || token.is_word(kWarpSize)) return true;
  if (!token.is(Token::Kind::Symbol)) return false;
  return token.is_symbol('-') || token.is_symbol('+') || token.is_symbol('~') || token.is_symbol('(') ||
         token.is_symbol('!');
}

Constant read_constant(TokenReader& tokens) { return Expression(tokens).read(); }

Constant read_constant_after_minus(TokenReader& tokens) { return Expression(tokens).read_after_minus(); }

std::uint64_t read_count(TokenReader& tokens, std::string_view what, std::uint64_t most) {
  const Token first = tokens.peek();
  if (!begins_constant(first)) fail_expected(what, first);
  const Constant value = read_constant(tokens);
  if (!value.is_integer() || value.is_negative())
    fail(first, fmt::format("expected {}, found {}", what, quoted(first.text)));
  if (value.bits > most) fail(first, fmt::format("{} may be at most {}, found {}", what, most, value.bits));
  return value.bits;
}

}  // namespace heddle::ptx
