#include "isa/cubin/operands.h"

#include <fmt/format.h>

#include <bit>

#include "isa/cubin/named_operands.h"
#include "isa/cubin/numbers.h"

namespace heddle::cubin {

namespace {

using Kind = Item::Kind;

// Where the sources lie: a register of the first in bits 24 to 31; one of the others in bits 32 to 63, where
// numbers and constants fit, too, and the other in bits 64 to 71.
constexpr BitRange kLowRegister = {32, 8};
constexpr BitRange kLowNumber = {32, 32};
constexpr BitRange kHighRegister = {64, 8};

/// Which bits change how a source reads.
struct SignBits {
  unsigned negate;
  unsigned absolute;
  unsigned half;
};
constexpr SignBits kLowSigns = {63, 62, 60};
constexpr SignBits kHighSigns = {75, 74, 0};
constexpr SignBits kHighSignsOfHalves = {84, 83, 81};

// .reuse belongs to the place of a source in the instruction, wherever its register lies in the encoding.
constexpr unsigned kSecondReuse = 123;
constexpr unsigned kThirdReuse = 124;

/// Which half of a register is read, in two bits.
std::string_view half_text(std::uint64_t bits) {
  switch (bits) {
    case 0:
      return "";
    case 1:
      return ".F32";
    case 2:
      return ".H0_H0";
    default:
      return ".H1_H1";
  }
}

/// A source with its signs and .reuse: "-|R1|.reuse".
std::string signed_source(const Item& item, Reading& reading, std::string text) {
  if (item.absolute != kNoBit && reading.bit(item.absolute)) text = fmt::format("|{}|", text);
  if (item.negate != kNoBit && reading.bit(item.negate)) text = "-" + text;
  if (item.invert != kNoBit && reading.bit(item.invert)) text = "~" + text;
  if (item.reuse != kNoBit && reading.bit(item.reuse)) text += ".reuse";
  if (item.half != kNoBit) text += half_text(reading.take({item.half, 2}));
  return text;
}

/// The item of {b} or {c} with the bits of the place where the source lies.
Item placed(const Item& item, const SignBits& signs) {
  Item made = item;
  made.half = item.text.find_first_of("hg") != std::string::npos ? signs.half : kNoBit;
  if (made.negate != kNoBit) made.negate = signs.negate;
  if (made.absolute != kNoBit) made.absolute = signs.absolute;
  if (made.invert != kNoBit) made.invert = signs.negate;
  if (made.reuse == kPlaceOfSource) made.reuse = item.kind == Kind::Second ? kSecondReuse : kThirdReuse;
  if (made.reuse == kPlaceOfThird) made.reuse = kThirdReuse;
  return made;
}

std::string number_text(const Item& item, std::uint32_t bits) {
  switch (item.text.empty() ? 'x' : item.text.front()) {
    case 'f':
      return float_text(bits);
    case 'd':
      return double_text(bits);
    case 'h':
      return half_pair_text(bits);
    case 'g':
      return bfloat_pair_text(bits);
    case 'i':
      return signed_text(std::bit_cast<std::int32_t>(bits));
    default:
      return unsigned_text(bits);
  }
}

std::string high_source(const Item& item, bool is_uniform, Reading& reading) {
  const bool is_half = item.text.find_first_of("hg") != std::string::npos;
  Item here = placed(item, is_half ? kHighSignsOfHalves : kHighSigns);
  const std::uint64_t index = reading.take(kHighRegister);
  return signed_source(here, reading, is_uniform ? uniform_text(index) : register_text(index));
}

enum class Low : std::uint8_t { Register, Number, Constant, Uniform };

std::string low_source(Low what, const Item& item, bool is_uniform, Reading& reading) {
  Item here = placed(item, kLowSigns);
  if (what == Low::Number) return number_text(item, static_cast<std::uint32_t>(reading.take(kLowNumber)));
  if (what != Low::Register) here.reuse = kNoBit;
  if (what == Low::Constant) {
    std::string text = constant_text(reading);
    // nvdisasm writes a constant that halves are chosen from with a blank: c[0x0] [0x16c].H0_H0.
    const bool is_half = item.text.find_first_of("hg") != std::string::npos;
    const std::size_t bank = text.starts_with("c[") ? text.find(']') : std::string::npos;
    if (is_half && bank != std::string::npos)
      text = fmt::format("{} {}", text.substr(0, bank + 1), text.substr(bank + 1));
    return signed_source(here, reading, std::move(text));
  }
  if (is_uniform || what == Low::Uniform) {
    here.reuse = kNoBit;
    reading.mark({91, 1});
    return signed_source(here, reading, uniform_text(reading.take(kLowRegister)));
  }
  return signed_source(here, reading, register_text(reading.take(kLowRegister)));
}

constexpr unsigned kRegisters = 1;  // forms: the value of bits 9 to 11
constexpr unsigned kThirdNumber = 2;
constexpr unsigned kThirdConstant = 3;
constexpr unsigned kSecondNumber = 4;
constexpr unsigned kSecondConstant = 5;
constexpr unsigned kSecondUniform = 6;
constexpr unsigned kThirdUniform = 7;

std::optional<std::string> second_source(const Item& item, bool is_uniform, Reading& reading) {
  switch (reading.form()) {
    case kRegisters:
      return low_source(Low::Register, item, is_uniform, reading);
    case kSecondNumber:
      return low_source(Low::Number, item, is_uniform, reading);
    case kSecondConstant:
      return low_source(Low::Constant, item, is_uniform, reading);
    case kSecondUniform:
      return low_source(Low::Uniform, item, is_uniform, reading);
    case kThirdNumber:
    case kThirdConstant:
    case kThirdUniform:
      return high_source(item, is_uniform, reading);
    default:
      return std::nullopt;
  }
}

std::optional<std::string> third_source(const Item& item, bool is_uniform, Reading& reading) {
  switch (reading.form()) {
    case kRegisters:
    case kSecondNumber:
    case kSecondConstant:
    case kSecondUniform:
      return high_source(item, is_uniform, reading);
    case kThirdNumber:
      return low_source(Low::Number, item, is_uniform, reading);
    case kThirdConstant:
      return low_source(Low::Constant, item, is_uniform, reading);
    case kThirdUniform:
      return low_source(Low::Uniform, item, is_uniform, reading);
    default:
      return std::nullopt;
  }
}

std::string predicate_operand(const Item& item, Reading& reading) {
  const std::uint64_t index = reading.take(item.bits);
  const bool is_negated = item.negate != kNoBit && reading.bit(item.negate);
  constexpr std::uint64_t kTrue = 7;
  const bool is_shown = !item.is_optional || reading.capability() >= item.shown_from;
  if (!is_shown && index == kTrue && !is_negated) return "";
  const std::string text = predicate_text(index, item.kind == Kind::UniformPredicate);
  const bool has_comma_behind = item.is_optional && !item.is_last;
  return fmt::format("{}{}{}{}", item.is_last ? ", " : "", is_negated ? "!" : "", text,
                     has_comma_behind ? ", " : "");
}

/// "R6, ", or nothing for RZ.
std::string optional_register(const Item& item, Reading& reading) {
  const std::uint64_t index = reading.take(item.bits);
  const bool is_uniform = item.kind == Kind::Uniform;
  const std::string text = is_uniform ? uniform_text(index) : register_text(index);
  return text.ends_with("RZ") ? "" : text + ", ";
}

}  // namespace

std::string register_text(std::uint64_t index) { return index == 255 ? "RZ" : fmt::format("R{}", index); }

std::string uniform_text(std::uint64_t index) {
  return index == 63 || index == 255 ? "URZ" : fmt::format("UR{}", index);
}

std::string predicate_text(std::uint64_t index, bool is_uniform) {
  const std::string name = index == 7 ? "PT" : fmt::format("P{}", index);
  return is_uniform ? "U" + name : name;
}

std::optional<std::string> operand_text(const Item& item, bool is_uniform, Reading& reading) {
  switch (item.kind) {
    case Kind::Register:
    case Kind::Uniform:
      if (item.is_optional) return optional_register(item, reading);
      if (item.kind == Kind::Uniform)
        return signed_source(item, reading, uniform_text(reading.take(item.bits)));
      return signed_source(item, reading, register_text(reading.take(item.bits)));
    case Kind::Predicate:
    case Kind::UniformPredicate:
      return predicate_operand(item, reading);
    case Kind::Unsigned:
      return unsigned_text(reading.take(item.bits));
    case Kind::Signed:
      return signed_text(as_signed(reading.take(item.bits), item.bits.count));
    case Kind::Second:
      return second_source(item, is_uniform, reading);
    case Kind::Third:
      return third_source(item, is_uniform, reading);
    case Kind::Named:
      return named_operand(item.text, reading);
    default:
      return std::nullopt;
  }
}

}  // namespace heddle::cubin
