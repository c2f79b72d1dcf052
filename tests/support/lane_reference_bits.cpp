#include "tests/support/lane_reference.h"

namespace heddle::test::reference {

namespace {

bool bit(U32 word, U64 place) { return place < 32 && (word >> place & 1) != 0; }

std::int64_t byte(U32 word, unsigned index, bool is_signed) {
  const auto value = static_cast<std::int64_t>(word / (1ULL << 8 * index) % 256);
  return is_signed && value >= 128 ? value - 256 : value;
}

}  // namespace

U32 lesser(U32 a, U32 b, bool is_signed) {
  return compare_integers(a, b, Relation::Less, is_signed) ? a : b;
}
U32 greater(U32 a, U32 b, bool is_signed) {
  return compare_integers(a, b, Relation::Less, is_signed) ? b : a;
}

U32 distance(U32 a, U32 b, bool is_signed) {
  const auto as_wide = [=](U32 x) { return is_signed ? std::int64_t{static_cast<std::int32_t>(x)} : std::int64_t{x}; };
  const std::int64_t apart = as_wide(a) - as_wide(b);
  return static_cast<U32>(apart < 0 ? -apart : apart);
}

U32 absolute(U32 a) { return a >= 0x80000000 ? static_cast<U32>(0x100000000 - a) : a; }

U32 population(U32 a) {
  U32 count = 0;
  for (unsigned place = 0; place < 32; ++place) count += bit(a, place) ? 1 : 0;
  return count;
}

U32 reversed(U32 a) {
  U32 out = 0;
  for (unsigned place = 0; place < 32; ++place) out |= bit(a, place) ? 1U << (31 - place) : 0;
  return out;
}

/// PTX bfind.
U32 find_leading_one(U32 a, bool is_signed, bool shift_amount) {
  const bool wanted = !(is_signed && bit(a, 31));
  for (unsigned place = 32; place-- > 0;) {
    if (bit(a, place) == wanted) return shift_amount ? 31 - place : place;
  }
  return 0xffffffff;
}

/// PTX prmt, default mode, with the selector as second operand.
U32 permute(U32 a, U32 selector, U32 c) {
  U32 out = 0;
  for (unsigned place = 0; place < 4; ++place) {
    const unsigned nibble = selector / (1U << 4 * place) % 16;
    const U32 word = nibble % 8 < 4 ? a : c;
    const auto value = static_cast<U32>(byte(word, nibble % 4, false));
    out |= (nibble < 8 ? value : (value >= 128 ? 255 : 0)) << 8 * place;
  }
  return out;
}

/// PTX bmsk.
U32 bit_mask(U32 first, U32 width, bool clamp) {
  const U64 begin = clamp ? first : first % 32;
  const U64 end = begin + (clamp ? width : width % 32);
  U32 out = 0;
  for (unsigned place = 0; place < 32; ++place) out |= place >= begin && place < end ? 1U << place : 0;
  return out;
}

/// PTX szext.
U32 extend(U32 a, U32 width, bool is_signed, bool clamp) {
  const U32 kept = clamp ? width : width % 32;
  const bool filling = is_signed && kept != 0 && bit(a, U64{kept} - 1);
  U32 out = 0;
  for (unsigned place = 0; place < 32; ++place) out |= (place < kept ? bit(a, place) : filling) ? 1U << place : 0;
  return out;
}

U32 dot_bytes(U32 a, U32 b, U32 c, bool a_signed, bool b_signed) {
  std::int64_t sum = c;
  for (unsigned i = 0; i < 4; ++i) sum += byte(a, i, a_signed) * byte(b, i, b_signed);
  return static_cast<U32>(sum & 0xffffffff);
}

U64 lea(U32 a, U32 b, unsigned shift) { return U64{a} * (1ULL << shift) % 0x100000000 + b; }

U64 lea_high(U32 a, U32 b, U32 c, unsigned shift, bool carry) {
  // Bits 32 to 63 of the 64-bit value c:a, moved up.
  U64 high = 0;
  for (unsigned place = 0; place < 32; ++place) {
    const unsigned from = 32 + place - shift;
    high |= (from < 32 ? bit(a, from) : bit(c, from - 32)) ? 1ULL << place : 0;
  }
  return high + b + (carry ? 1 : 0);
}

U32 narrowed_integer(U32 a, unsigned bits, bool is_signed) {
  const std::int64_t value = static_cast<std::int32_t>(a);
  const std::int64_t ends = std::int64_t{1} << (is_signed ? bits - 1 : bits);
  if (value >= ends) return static_cast<U32>(ends - 1);
  if (is_signed) return value < -ends ? static_cast<U32>(-ends) : a;
  return value < 0 ? 0 : a;
}

U32 imad_high(U32 a, U32 b, U64 c, bool is_signed) { return static_cast<U32>(imad_wide(a, b, c, is_signed) >> 32); }

}  // namespace heddle::test::reference
