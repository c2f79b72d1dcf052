// The element types of buffers, and conversions from and to numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace heddle::launch {

/// The type of a buffer's elements: unsigned, signed and floating-point numbers by their number of bits.
enum class ElementType : std::uint8_t { U8, S8, U16, S16, U32, S32, U64, S64, F16, F32, F64 };

/// The names and properties of an element type.
struct ElementTypeInfo {
  std::string_view name;  ///< The name in launch files.
  std::string_view npy;   ///< The name in .npy headers.
  unsigned bytes;
  bool is_float;
};

const ElementTypeInfo& info(ElementType type);
std::optional<ElementType> find_element_type(std::string_view name);
/// "|b1", which are Booleans of one byte, is read as u8.
std::optional<ElementType> find_npy_type(std::string_view descr);

/// "u8, s8, u16, s16, u32, s32, u64, s64, f16, f32 or f64".
std::string element_type_names();
/// "|u1, |i1, <u2, <i2, <u4, <i4, <u8, <i8, <f2, <f4, <f8, |b1".
std::string npy_type_names();

/// A number as in Lua: a 64-bit integer or a double. An element of a u64 buffer is the integer with the same
/// bits.
using Number = std::variant<std::int64_t, double>;

double to_double(Number number);
/// The integer with this value, written as 3 or as 3.0; nothing for 0.5 or 1e300.
std::optional<std::int64_t> to_integer(Number number);
std::string to_text(Number number);

/// The reason why an element of the type cannot hold this value, as the end of a sentence that begins with
/// the value: "does not fit u8 (0 to 255)". Nothing if it can. Rounding to f16 or f32 is allowed, overflow is
/// not.
std::optional<std::string> misfit(ElementType type, Number number);

/// Stores a number with C++'s conversion: integers modulo the type's size, floats rounded once. For an
/// integer type the number must be an integer.
void store_element(ElementType type, std::byte* element, Number number);
/// The same of all elements, in their order.
void store_elements(ElementType type, std::span<std::byte> elements, const std::function<Number()>& next);
Number load_element(ElementType type, const std::byte* element);
/// Sorts in ascending order. NaN is not allowed.
void sort_elements(ElementType type, std::span<std::byte> elements);
std::string element_text(ElementType type, const std::byte* element);

}  // namespace heddle::launch
