#include "tools/launch/element_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "isa/base/narrow_float.h"

namespace heddle::launch {

namespace {

constexpr std::array<ElementTypeInfo, 11> kTable = {{
    {"u8", "|u1", 1, false},
    {"s8", "|i1", 1, false},
    {"u16", "<u2", 2, false},
    {"s16", "<i2", 2, false},
    {"u32", "<u4", 4, false},
    {"s32", "<i4", 4, false},
    {"u64", "<u8", 8, false},
    {"s64", "<i8", 8, false},
    {"f16", "<f2", 2, true},
    {"f32", "<f4", 4, true},
    {"f64", "<f8", 8, true},
}};

constexpr std::string_view kNpyBool = "|b1";

/// A 16-bit float that can be compared by value.
struct Float16 {
  std::uint16_t bits = 0;

  static Float16 of(double value) { return {static_cast<std::uint16_t>(Half::from(value))}; }
  [[nodiscard]] double value() const { return Half::value(bits); }
  friend bool operator<(Float16 a, Float16 b) { return a.value() < b.value(); }
};

/// Calls `visit` with a value of the C++ type of such elements.
template <typename Visitor>
auto with_element(ElementType type, Visitor visit) {
  switch (type) {
    case ElementType::U8:
      return visit(std::uint8_t{});
    case ElementType::S8:
      return visit(std::int8_t{});
    case ElementType::U16:
      return visit(std::uint16_t{});
    case ElementType::S16:
      return visit(std::int16_t{});
    case ElementType::U32:
      return visit(std::uint32_t{});
    case ElementType::S32:
      return visit(std::int32_t{});
    case ElementType::U64:
      return visit(std::uint64_t{});
    case ElementType::S64:
      return visit(std::int64_t{});
    case ElementType::F16:
      return visit(Float16{});
    case ElementType::F32:
      return visit(float{});
    case ElementType::F64:
      break;
  }
  return visit(double{});
}

/// Beyond the greatest float, a plain conversion is undefined. IEEE 754 rounds the first half step down to
/// it.
float round_to_float(double value) {
  constexpr double kFirstInfinite = 0x1.ffffffp127;
  if (std::fabs(value) >= kFirstInfinite)
    return std::copysign(std::numeric_limits<float>::infinity(),
                         static_cast<float>(std::copysign(1.0, value)));
  return static_cast<float>(value);
}

template <typename Element>
Element convert(Number number) {
  if constexpr (std::is_same_v<Element, float>) {
    if (const auto* real = std::get_if<double>(&number)) return round_to_float(*real);
    return static_cast<float>(std::get<std::int64_t>(number));
  } else if constexpr (std::is_same_v<Element, Float16>) {
    return Float16::of(to_double(number));
  } else if constexpr (std::is_same_v<Element, double>) {
    return to_double(number);
  } else {
    return static_cast<Element>(to_integer(number).value_or(0));
  }
}

std::optional<std::string> misfit_float(ElementType type, Number number) {
  if (type == ElementType::F64) return std::nullopt;
  const double value = to_double(number);
  const double rounded =
      type == ElementType::F16 ? Float16::of(value).value() : static_cast<double>(round_to_float(value));
  if (!std::isfinite(value) || std::isfinite(rounded)) return std::nullopt;
  return fmt::format("does not fit {}", info(type).name);
}

template <typename Element>
Element read(const std::byte* element) {
  Element value;
  std::memcpy(&value, element, sizeof value);
  return value;
}

}  // namespace

const ElementTypeInfo& info(ElementType type) { return kTable[static_cast<std::size_t>(type)]; }

std::optional<ElementType> find_element_type(std::string_view name) {
  for (std::size_t i = 0; i < kTable.size(); ++i) {
    if (kTable[i].name == name) return static_cast<ElementType>(i);
  }
  return std::nullopt;
}

std::optional<ElementType> find_npy_type(std::string_view descr) {
  if (descr == kNpyBool) return ElementType::U8;
  for (std::size_t i = 0; i < kTable.size(); ++i) {
    if (kTable[i].npy == descr) return static_cast<ElementType>(i);
  }
  return std::nullopt;
}

std::string element_type_names() {
  std::string names;
  for (std::size_t i = 0; i < kTable.size(); ++i) {
    if (i != 0) names += i + 1 == kTable.size() ? " or " : ", ";
    names += kTable[i].name;
  }
  return names;
}

std::string npy_type_names() {
  std::string names;
  for (const ElementTypeInfo& row : kTable) names += fmt::format("{}, ", row.npy);
  return names += kNpyBool;
}

double to_double(Number number) {
  return std::visit([](auto value) { return static_cast<double>(value); }, number);
}

std::optional<std::int64_t> to_integer(Number number) {
  if (const auto* integer = std::get_if<std::int64_t>(&number)) return *integer;
  const double value = std::get<double>(number);
  if (!(value >= -0x1p63 && value < 0x1p63) || value != std::trunc(value)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

std::string to_text(Number number) {
  return std::visit([](auto value) { return fmt::format("{}", value); }, number);
}

std::optional<std::string> misfit(ElementType type, Number number) {
  if (info(type).is_float) return misfit_float(type, number);
  const std::optional<std::int64_t> integer = to_integer(number);
  if (!integer && std::fabs(to_double(number)) >= 0x1p63)
    return fmt::format("does not fit {}", info(type).name);
  if (!integer) return fmt::format("is no whole number, as {} needs", info(type).name);
  return with_element(type, [&](auto element) -> std::optional<std::string> {
    using Limits = std::numeric_limits<decltype(element)>;
    if constexpr (Limits::is_integer) {
      if (std::in_range<decltype(element)>(*integer)) return std::nullopt;
      return fmt::format("does not fit {} ({} to {})", info(type).name, Limits::min(), Limits::max());
    }
    return std::nullopt;
  });
}

void store_element(ElementType type, std::byte* element, Number number) {
  with_element(type, [&](auto kind) {
    const auto value = convert<decltype(kind)>(number);
    std::memcpy(element, &value, sizeof value);
  });
}

void store_elements(ElementType type, std::span<std::byte> elements, const std::function<Number()>& next) {
  with_element(type, [&](auto kind) {
    for (std::size_t at = 0; at < elements.size(); at += sizeof kind) {
      const auto value = convert<decltype(kind)>(next());
      std::memcpy(&elements[at], &value, sizeof value);
    }
  });
}

Number load_element(ElementType type, const std::byte* element) {
  return with_element(type, [&](auto kind) -> Number {
    using Element = decltype(kind);
    if constexpr (std::is_same_v<Element, Float16>) {
      return read<Element>(element).value();
    } else if constexpr (std::is_floating_point_v<Element>) {
      return static_cast<double>(read<Element>(element));
    } else {
      return static_cast<std::int64_t>(read<Element>(element));
    }
  });
}

void sort_elements(ElementType type, std::span<std::byte> elements) {
  with_element(type, [&](auto kind) {
    auto* first = reinterpret_cast<decltype(kind)*>(elements.data());
    std::sort(first, first + elements.size() / sizeof kind);
  });
}

std::string element_text(ElementType type, const std::byte* element) {
  return with_element(type, [&](auto kind) {
    using Element = decltype(kind);
    if constexpr (std::is_same_v<Element, Float16>) {
      return fmt::format("{}", static_cast<float>(read<Element>(element).value()));
    } else {
      return fmt::format("{}", read<Element>(element));
    }
  });
}

}  // namespace heddle::launch
