#include "isa/text/immediate_reader.h"

#include <fmt/format.h>

#include <bit>
#include <limits>

#include "isa/base/narrow_float.h"
#include "isa/text/mistakes.h"
#include "isa/text/names.h"
#include "isa/text/number.h"

namespace heddle::text {

namespace {

constexpr std::uint32_t kSignBit = 0x80000000;
constexpr std::uint64_t kDoubleSignBit = std::uint64_t{1} << 63;

ir::Operand immediate(std::uint64_t bits) {
  ir::Operand made;
  made.value = bits;
  return made;
}

/// Whether 0.5 may stand for its bits: in float rows, and in rows that move bits without looking at them.
bool allows_float_literals(const ir::OpcodeInfo& row) {
  return row.number_type == ir::NumberType::Bits || row.number_type >= ir::NumberType::Float;
}

void refuse_sign(const Token& token, bool negative) {
  if (negative)
    fail(token,
         fmt::format("{} gives the bits of a float; a sign cannot stand before them", quoted(token.text)));
}

std::uint32_t integer_bits(const Token& token, std::uint64_t magnitude, bool negative) {
  if (magnitude > (negative ? kSignBit : std::numeric_limits<std::uint32_t>::max())) {
    fail(token, fmt::format("'{}{}' does not fit 32 bits", negative ? "-" : "", token.text.substr(0, 40)));
  }
  const auto bits = static_cast<std::uint32_t>(magnitude);
  return negative ? 0 - bits : bits;
}

/// The bits of a 64-bit integer, with its sign.
std::uint64_t wide_integer_bits(const Token& token, const ir::OpcodeInfo& row, bool negative) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  constexpr std::size_t kLongestHexadecimal = 18;
  const auto magnitude = parse_integer(token.text);
  if (!magnitude) fail(token, fmt::format("{} takes integers of 64 bits, not {}", row.mnemonic, quoted(token.text)));
  const bool is_whole = is_hexadecimal(token.text) ? token.text.size() <= kLongestHexadecimal : *magnitude != kMost;
  if (!is_whole || (negative && *magnitude > kDoubleSignBit))
    fail(token, fmt::format("'{}{}' does not fit 64 bits", negative ? "-" : "", token.text.substr(0, 40)));
  return negative ? 0 - *magnitude : *magnitude;
}

std::uint32_t float_bits(const Token& token, bool negative) {
  const ParsedFloat parsed = parse_float(token.text);
  if (parsed.error == FloatError::NoNumber) fail(token, fmt::format("{} is no number", quoted(token.text)));
  if (parsed.error == FloatError::OutOfRange) {
    fail(token, fmt::format("{} does not fit a 32-bit float", quoted(token.text)));
  }
  return std::bit_cast<std::uint32_t>(parsed.value) ^ (negative ? kSignBit : 0);
}

std::uint32_t bits_in_float_row(const Token& token, bool negative) {
  const auto integer = is_hexadecimal(token.text) ? parse_integer(token.text) : std::nullopt;
  if (!integer) return float_bits(token, negative);
  refuse_sign(token, negative);
  return integer_bits(token, *integer, false);
}

std::uint32_t bits_in_integer_row(const Token& token, const ir::OpcodeInfo& row, bool negative) {
  if (const auto integer = parse_integer(token.text)) return integer_bits(token, *integer, negative);
  const std::uint32_t bits = float_bits(token, negative);
  if (!allows_float_literals(row)) {
    fail(token, fmt::format("{} takes integers; the bits of this float are {:#x}", row.mnemonic, bits));
  }
  return bits;
}

std::uint32_t named_float_bits(const Token& token, const ir::OpcodeInfo& row, bool negative) {
  if (!allows_float_literals(row)) {
    fail(token, fmt::format("{} takes integers, not {}", row.mnemonic, quoted(token.text)));
  }
  return (token.text == kInfinityName ? kInfinityBits : kQuietNanBits) ^ (negative ? kSignBit : 0);
}

/// A decimal number, INF or QNAN.
std::uint64_t double_bits(const Token& token) {
  if (token.text == kInfinityName) return kDoubleInfinityBits;
  if (token.text == kQuietNanName) return kDoubleNanBits;
  const ParsedDouble parsed = parse_double(token.text);
  if (parsed.error == FloatError::NoNumber) fail(token, fmt::format("{} is no number", quoted(token.text)));
  if (parsed.error == FloatError::OutOfRange) {
    fail(token, fmt::format("{} does not fit a 64-bit float", quoted(token.text)));
  }
  return std::bit_cast<std::uint64_t>(parsed.value);
}

std::uint64_t bits_in_double_row(const Token& token, bool negative) {
  const auto integer = is_hexadecimal(token.text) ? parse_integer(token.text) : std::nullopt;
  if (!integer) return double_bits(token) ^ (negative ? kDoubleSignBit : 0);
  refuse_sign(token, negative);
  constexpr std::size_t kLongestHexadecimal = 18;
  if (token.text.size() > kLongestHexadecimal) fail(token, fmt::format("{} does not fit 64 bits", quoted(token.text)));
  return *integer;
}

template <typename Format>
std::uint32_t narrow_bits(const Token& token, bool negative) {
  const auto value = std::bit_cast<double>(double_bits(token));
  const std::uint32_t bits = Format::from(value);
  if (bits == Format::kInfinity && token.text != kInfinityName) {
    fail(token, fmt::format("{} does not fit a 16-bit float", quoted(token.text)));
  }
  return bits ^ (negative ? Format::kSign : 0);
}

/// Both halves, the high one first, or the bits of the whole register.
template <typename Format>
std::uint32_t bits_of_two(const Token& token, StatementReader& reader, bool negative) {
  const auto integer = is_hexadecimal(token.text) ? parse_integer(token.text) : std::nullopt;
  if (integer) {
    refuse_sign(token, negative);
    return integer_bits(token, *integer, false);
  }
  // Both are read before either is judged: a bad high half must not leave the low one behind as a further operand.
  reader.expect(',');
  const bool low_negative = reader.accept('-');
  if (!low_negative) reader.accept('+');
  if (!number_follows(reader)) fail_expected("the number for the low half", reader.peek());
  const Token low = reader.take();
  const std::uint32_t high_bits = narrow_bits<Format>(token, negative);
  return high_bits << 16 | narrow_bits<Format>(low, low_negative);
}

}  // namespace

bool number_follows(const StatementReader& reader) {
  const Token next = reader.peek();
  return next.kind == Token::Kind::Number || next.text == kInfinityName || next.text == kQuietNanName;
}

ir::Operand read_number(StatementReader& reader, const ir::OpcodeInfo& row, bool negative, unsigned words) {
  const Token token = reader.take();
  switch (row.number_type) {
    case ir::NumberType::Double:
      return immediate(bits_in_double_row(token, negative));
    case ir::NumberType::Half2:
      return immediate(bits_of_two<Half>(token, reader, negative));
    case ir::NumberType::Bfloat2:
      return immediate(bits_of_two<Bfloat>(token, reader, negative));
    default:
      break;
  }
  if (words == 2) return immediate(wide_integer_bits(token, row, negative));
  if (token.kind == Token::Kind::Word) return immediate(named_float_bits(token, row, negative));
  if (const auto raw = parse_raw_float(token.text)) {
    refuse_sign(token, negative);
    return immediate(*raw);
  }
  return immediate(row.number_type == ir::NumberType::Float ? bits_in_float_row(token, negative)
                                                            : bits_in_integer_row(token, row, negative));
}

ir::Operand read_number_up_to(StatementReader& reader, std::uint32_t limit) {
  const Token token = reader.expect(Token::Kind::Number, "a number");
  const auto value = parse_integer(token.text);
  if (!value || *value > std::numeric_limits<std::uint32_t>::max()) {
    fail(token, fmt::format("expected a number from 0 to {}, found {}", limit, quoted(token.text)));
  }
  return immediate(static_cast<std::uint32_t>(*value));
}

}  // namespace heddle::text
