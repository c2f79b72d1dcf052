#include "isa/cubin/decoder.h"

#include <fmt/format.h>

#include "isa/cubin/operands.h"

namespace heddle::cubin {

namespace {

using Kind = Item::Kind;

constexpr BitRange kOpcode = {0, 9};
constexpr BitRange kForm = {9, 3};
constexpr BitRange kGuard = {12, 3};
constexpr unsigned kGuardNegation = 15;
constexpr std::uint64_t kTrue = 7;

/// A row as it is written.
struct Written {
  std::uint16_t opcode;
  std::string_view forms;  ///< Digits.
  std::string_view pattern;
};

constexpr auto kWritten = std::to_array<Written>({
#define ENCODING(opcode, forms, ...) {opcode, forms, __VA_ARGS__},
#include "isa/cubin/encodings.def"
#undef ENCODING
});

/// Whether the row is for such an encoding.
bool holds(const Item& item, Reading& reading) {
  switch (item.kind) {
    case Kind::Equal:
      return reading.take(item.bits) == item.value;
    case Kind::Unequal:
      return bits_of(reading.encoding(), item.bits) != item.value;
    case Kind::FromCapability:
      return reading.capability() >= item.value;
    case Kind::BelowCapability:
      return reading.capability() < item.value;
    default:
      return true;
  }
}

bool is_condition(Kind kind) {
  return kind == Kind::Equal || kind == Kind::Unequal || kind == Kind::FromCapability ||
         kind == Kind::BelowCapability;
}

std::optional<std::string> item_text(const Item& item, bool is_uniform, Reading& reading) {
  if (item.kind == Kind::Text) return item.text;
  if (item.kind == Kind::Unused) {
    reading.mark(item.bits);
    return "";
  }
  if (item.kind != Kind::Choice) return operand_text(item, is_uniform, reading);
  const std::uint64_t value = reading.take(item.bits);
  if (value >= item.choices.size() || item.choices[value] == "?") return std::nullopt;
  return item.choices[value];
}

std::string guard_text(bool is_uniform, Reading& reading) {
  const std::uint64_t guard = reading.take(kGuard);
  const bool is_negated = reading.bit(kGuardNegation);
  if (guard == kTrue && !is_negated) return "";
  return fmt::format("@{}{} ", is_negated ? "!" : "", predicate_text(guard, is_uniform));
}

std::optional<std::string> text_by(const Row& row, Reading& reading) {
  for (const Item& item : row.items)
    if (is_condition(item.kind) && !holds(item, reading)) return std::nullopt;
  std::string text = guard_text(row.is_uniform, reading);
  for (const Item& item : row.items) {
    if (is_condition(item.kind)) continue;
    const auto part = item_text(item, row.is_uniform, reading);
    if (!part) return std::nullopt;
    text += *part;
  }
  if (reading.has_unknown()) return std::nullopt;
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace

Decoder::Decoder(unsigned capability) : capability_(capability) {
  constexpr std::string_view kUniform = "{uniform}";
  for (const Written& written : kWritten) {
    Row row;
    row.opcode = written.opcode;
    for (const char digit : written.forms)
      row.forms = static_cast<std::uint8_t>(row.forms | 1U << (digit - '0'));
    std::string_view pattern = written.pattern;
    row.is_uniform = pattern.starts_with(kUniform);
    if (row.is_uniform) pattern.remove_prefix(kUniform.size());
    row.items = parse_pattern(pattern);
    by_opcode_[row.opcode].push_back(static_cast<std::uint16_t>(rows_.size()));
    rows_.push_back(std::move(row));
  }
}

std::optional<std::string> Decoder::decode(const Encoding& encoding, std::uint64_t address) const {
  for (const std::uint16_t index : by_opcode_[bits_of(encoding, kOpcode)]) {
    const Row& row = rows_[index];
    if ((row.forms >> bits_of(encoding, kForm) & 1U) == 0) continue;
    Reading reading(encoding, address, capability_);
    reading.mark(kOpcode);
    reading.mark(kForm);
    constexpr BitRange kControl = {105, 17};
    constexpr BitRange kAboveReuse = {126, 2};
    reading.mark(kControl);
    reading.mark(kAboveReuse);
    if (auto text = text_by(row, reading)) return text;
  }
  return std::nullopt;
}

std::string to_text(const Encoding& encoding) {
  return fmt::format("0x{:016x} 0x{:016x}", encoding[1], encoding[0]);
}

}  // namespace heddle::cubin
