#include "tools/launch/element_type.h"

#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "tests/support/catch.h"

namespace heddle::launch {
namespace {

/// What an element of the type holds after the number has been stored in it.
Number stored(ElementType type, Number number) {
  std::array<std::byte, 8> element{};
  store_element(type, element.data(), number);
  return load_element(type, element.data());
}

Number whole(std::int64_t value) { return value; }

TEST_CASE("Whole numbers are stored modulo the size of the type") {
  CHECK(stored(ElementType::U8, whole(257)) == whole(1));
  CHECK(stored(ElementType::U32, whole(-1)) == whole(4294967295));
  CHECK(stored(ElementType::S32, whole(0x80000000)) == whole(-2147483648LL));
  CHECK(stored(ElementType::S64, whole(std::numeric_limits<std::int64_t>::min())) ==
        whole(std::numeric_limits<std::int64_t>::min()));
  CHECK(stored(ElementType::U32, 3.0) == whole(3));
}

TEST_CASE("Floats are rounded once and overflow to infinity") {
  CHECK(stored(ElementType::F32, 0.1) == Number{static_cast<double>(0.1F)});
  // Rounding to a double first would lose the last 1 and then round down to 2^60.
  const std::int64_t between = (std::int64_t{1} << 60) + (std::int64_t{1} << 36) + 1;
  CHECK(stored(ElementType::F32, between) == Number{std::ldexp(1.0, 60) + std::ldexp(1.0, 37)});
  CHECK(stored(ElementType::F32, 1e300) == Number{std::numeric_limits<double>::infinity()});
  CHECK(stored(ElementType::F32, -1e300) == Number{-std::numeric_limits<double>::infinity()});
  const double greatest = std::numeric_limits<float>::max();
  CHECK(stored(ElementType::F32, greatest + std::ldexp(1.0, 102)) == Number{greatest});
  CHECK(stored(ElementType::F32, greatest + std::ldexp(1.0, 103)) ==
        Number{std::numeric_limits<double>::infinity()});
}

TEST_CASE("Halves are rounded to nearest even, and sorted and written by value") {
  CHECK(stored(ElementType::F16, 2049.0) == Number{2048.0});
  CHECK(stored(ElementType::F16, whole(2051)) == Number{2052.0});
  CHECK(stored(ElementType::F16, -std::ldexp(3.0, -24)) == Number{-std::ldexp(3.0, -24)});
  CHECK(stored(ElementType::F16, std::ldexp(1.0, -26)) == Number{0.0});
  CHECK(stored(ElementType::F16, 1e6) == Number{std::numeric_limits<double>::infinity()});
  CHECK(misfit(ElementType::F16, 65519.0) == std::nullopt);
  CHECK(misfit(ElementType::F16, whole(65520)) == "does not fit f16");
  // 1.5, -2, 0.25 as bits, and back.
  std::array<std::uint16_t, 3> elements = {0x3e00, 0xc000, 0x3400};
  const auto bytes = std::as_writable_bytes(std::span(elements));
  CHECK(element_text(ElementType::F16, bytes.data()) == "1.5");
  sort_elements(ElementType::F16, bytes);
  CHECK(elements == std::array<std::uint16_t, 3>{0xc000, 0x3400, 0x3e00});
}

TEST_CASE("A number that does not fit is told so, with the range") {
  CHECK(misfit(ElementType::U8, whole(255)) == std::nullopt);
  CHECK(misfit(ElementType::U8, whole(256)) == "does not fit u8 (0 to 255)");
  CHECK(misfit(ElementType::S32, whole(-2147483649LL)) == "does not fit s32 (-2147483648 to 2147483647)");
  CHECK(misfit(ElementType::U64, whole(-1)) == "does not fit u64 (0 to 18446744073709551615)");
  CHECK(misfit(ElementType::U32, 0.5) == "is no whole number, as u32 needs");
  CHECK(misfit(ElementType::U32, std::nan("")) == "is no whole number, as u32 needs");
  CHECK(misfit(ElementType::F32, 1e39) == "does not fit f32");
  CHECK(misfit(ElementType::F32, std::numeric_limits<double>::infinity()) == std::nullopt);
  CHECK(misfit(ElementType::F64, 1e300) == std::nullopt);
}

TEST_CASE("Types are found by both of their names") {
  for (const ElementType type : {ElementType::U8, ElementType::U32, ElementType::S32, ElementType::U64,
                                 ElementType::S64, ElementType::F16, ElementType::F32, ElementType::F64}) {
    CHECK(find_element_type(info(type).name) == type);
    CHECK(find_npy_type(info(type).npy) == type);
  }
  CHECK(find_element_type("f8") == std::nullopt);
  CHECK(element_type_names() == "u8, s8, u16, s16, u32, s32, u64, s64, f16, f32 or f64");
}

}  // namespace
}  // namespace heddle::launch
