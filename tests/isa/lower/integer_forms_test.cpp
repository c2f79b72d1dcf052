// Integer instructions of PTX, lowered, against what the PTX ISA says of each.
#include <algorithm>
#include <bit>
#include <functional>
#include <random>

#include "tests/support/catch.h"
#include "tests/support/ptx_run.h"
#include "tests/support/seed.h"

namespace heddle::test {
namespace {

using U64 = std::uint64_t;
using S64 = std::int64_t;
using U32 = std::uint32_t;
using S32 = std::int32_t;
using U16 = std::uint16_t;
using S16 = std::int16_t;
using Wide = unsigned __int128;
using SignedWide = __int128;

/// What a form makes of a thread's inputs.
using Reference = std::function<U64(U64, U64, U64)>;

struct Form {
  const char* statements;
  Reference reference;
  bool is_wide = false;
};

S32 s(U64 value) { return static_cast<S32>(static_cast<U32>(value)); }
U32 u(U64 value) { return static_cast<U32>(value); }
S64 sl(U64 value) { return static_cast<S64>(value); }
U32 bits(S32 value) { return static_cast<U32>(value); }
U16 h(U64 value) { return static_cast<U16>(value); }
S16 sh(U64 value) { return static_cast<S16>(static_cast<U16>(value)); }

/// Both halves of two words.
template <typename Half>
U64 halves(U64 a, U64 b, Half (*of)(Half, Half)) {
  const auto at = [&](unsigned shift) { return of(static_cast<Half>(a >> shift), static_cast<Half>(b >> shift)); };
  return U64{h(at(16) & 0xffffU)} << 16 | h(at(0) & 0xffffU);
}
U64 shift_left(U64 value, U32 amount, unsigned width) { return amount >= width ? 0 : value << amount; }
U64 shift_right(U64 value, U32 amount, unsigned width) { return amount >= width ? 0 : value >> amount; }

U64 bfe(U64 value, U32 position, U32 length, unsigned width, bool is_signed) {
  const unsigned pos = position & 0xff;
  const unsigned len = length & 0xff;
  const unsigned msb = width - 1;
  const bool sign = is_signed && len != 0 && (value >> std::min(pos + len - 1, msb) & 1U) != 0;
  U64 made = 0;
  for (unsigned i = 0; i <= msb; ++i) {
    const bool bit = i < len && pos + i <= msb ? (value >> (pos + i) & 1U) != 0 : sign;
    made |= U64{bit} << i;
  }
  return made;
}

/// As the PTX ISA writes them.
U32 bmsk(U32 a, U32 b, bool clamps) {
  U32 mask0 = ~U32{0} << (a & 31);
  const U32 sum = (a & 31) + (b & 31);
  U32 mask1 = sum < 32 ? ~U32{0} << sum : 0;
  bool has_overflow = sum >= 32;
  if (clamps && a >= 32) {
    has_overflow = true;
    mask0 = 0;
  }
  if (clamps && b >= 32) has_overflow = true;
  if (has_overflow) {
    mask1 = 0;
  } else if ((b & 31) == 0) {
    mask1 = ~U32{0};
  }
  return mask0 & ~mask1;
}

U32 szext(U32 a, U32 b, bool clamps, bool is_signed) {
  const U32 count = b & 31;
  const bool is_too_large = clamps && b >= 32;
  const U32 mask = is_too_large ? 0 : ~U32{0} << count;
  const bool sign = is_signed && count != 0 && !is_too_large && (a >> (count - 1) & 1) != 0;
  return (a & ~mask) | (sign ? mask : 0);
}

U32 byte_distances(U32 a, U32 b) {
  U32 made = 0;
  for (unsigned at = 0; at < 32; at += 8) {
    const auto distance = static_cast<U32>(std::abs(static_cast<S32>(a >> at & 0xff) - static_cast<S32>(b >> at & 0xff)));
    made |= distance << at;
  }
  return made;
}

U64 bfi(U64 field, U64 into, U32 position, U32 length, unsigned width) {
  const unsigned pos = position & 0xff;
  const unsigned len = length & 0xff;
  U64 made = into;
  for (unsigned i = 0; i < len && pos + i < width; ++i) {
    made &= ~(U64{1} << (pos + i));
    made |= (field >> i & 1U) << (pos + i);
  }
  return made;
}

U32 prmt(U32 a, U32 b, U32 selector) {
  const U64 both = U64{b} << 32 | a;
  U32 made = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const U32 nibble = selector >> (4 * i) & 0xf;
    U32 byte = static_cast<U32>(both >> (8 * (nibble & 7)) & 0xff);
    if ((nibble & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
    made |= byte << (8 * i);
  }
  return made;
}

U32 dp4a(U64 a, U64 b, U64 c, bool a_signed, bool b_signed) {
  U32 sum = u(c);
  for (unsigned i = 0; i < 4; ++i) {
    const auto x = static_cast<std::uint8_t>(a >> (8 * i));
    const auto y = static_cast<std::uint8_t>(b >> (8 * i));
    const int left = a_signed ? static_cast<std::int8_t>(x) : x;
    const int right = b_signed ? static_cast<std::int8_t>(y) : y;
    sum += static_cast<U32>(left * right);
  }
  return sum;
}

S32 saturated(S64 value) { return static_cast<S32>(std::clamp<S64>(value, INT32_MIN, INT32_MAX)); }

const Form kForms[] = {
    {"add.s32 %r, %a, %b;", [](U64 a, U64 b, U64) -> U64 { return u(a + b); }},
    {"add.u32 %r, %a, 0xfffffff0;", [](U64 a, U64, U64) -> U64 { return u(a + 0xfffffff0); }},
    {"add.sat.s32 %r, %a, %b;", [](U64 a, U64 b, U64) -> U64 { return bits(saturated(S64{s(a)} + s(b))); }},
    {"sub.sat.s32 %r, %a, %b;", [](U64 a, U64 b, U64) -> U64 { return bits(saturated(S64{s(a)} - s(b))); }},
    {"sub.s32 %r, %a, %b;", [](U64 a, U64 b, U64) -> U64 { return u(a - b); }},
    {"sub.s32 %r, 7, %b;", [](U64, U64 b, U64) -> U64 { return u(7 - b); }},
    {"add.s64 %R, %A, %B;", [](U64 a, U64 b, U64) { return a + b; }, true},
    {"add.s64 %R, %A, -8;", [](U64 a, U64, U64) { return a - 8; }, true},
    {"sub.s64 %R, %A, %B;", [](U64 a, U64 b, U64) { return a - b; }, true},
    {"sub.u64 %R, %A, 1;", [](U64 a, U64, U64) { return a - 1; }, true},
    {"sub.s64 %R, 5, %A;", [](U64 a, U64, U64) { return 5 - a; }, true},
    {"add.u16x2 %r, %a, %b;", [](U64 a, U64 b, U64) -> U64 { return U32{h(a + b)} | u(((a & 0xffff0000) + (b & 0xffff0000)) & 0xffff0000); }},
    {"neg.s32 %r, %a;", [](U64 a, U64, U64) -> U64 { return u(0 - a); }},
    {"neg.s64 %R, %A;", [](U64 a, U64, U64) { return 0 - a; }, true},
    {"abs.s32 %r, %a;", [](U64 a, U64, U64) -> U64 { return s(a) < 0 ? u(0 - a) : u(a); }},
    {"abs.s64 %R, %A;", [](U64 a, U64, U64) { return sl(a) < 0 ? 0 - a : a; }, true},
    {"min.s32 %r, %a, %b;", [](U64 a, U64 b, U64) -> U64 { return bits(std::min(s(a), s(b))); }},
    {"min.relu.s32 %r, %a, %b;", [](U64 a, U64 b, U64) -> U64 { return bits(std::max(0, std::min(s(a), s(b)))); }},
    {"max.relu.s32 %r, %a, %b;", [](U64 a, U64 b, U64) -> U64 { return bits(std::max({0, s(a), s(b)})); }},
    {"min.s16x2 %r, %a, %b;", [](U64 a, U64 b, U64) { return halves<S16>(a, b, [](S16 x, S16 y) { return std::min(x, y); }); }},
    {"max.s16x2 %r, %a, %b;", [](U64 a, U64 b, U64) { return halves<S16>(a, b, [](S16 x, S16 y) { return std::max(x, y); }); }},
    {"min.relu.s16x2 %r, %a, %b;", [](U64 a, U64 b, U64) { return halves<S16>(a, b, [](S16 x, S16 y) { return std::max<S16>(0, std::min(x, y)); }); }},
    {"max.u16x2 %r, %a, %b;", [](U64 a, U64 b, U64) { return halves<U16>(a, b, [](U16 x, U16 y) { return std::max(x, y); }); }},
    {"min.u16x2 %r, %a, %b;", [](U64 a, U64 b, U64) { return halves<U16>(a, b, [](U16 x, U16 y) { return std::min(x, y); }); }},
    {"min.u32 %r, %a, %b;", [](U64 a, U64 b, U64) -> U64 { return std::min(u(a), u(b)); }},
    {"max.s32 %r, %a, -5;", [](U64 a, U64, U64) -> U64 { return bits(std::max(s(a), -5)); }},
    {"max.u32 %r, %a, %b;", [](U64 a, U64 b, U64) -> U64 { return std::max(u(a), u(b)); }},
    {"min.s64 %R, %A, %B;", [](U64 a, U64 b, U64) { return static_cast<U64>(std::min(sl(a), sl(b))); }, true},
    {"max.s64 %R, %A, %B;", [](U64 a, U64 b, U64) { return static_cast<U64>(std::max(sl(a), sl(b))); }, true},
    {"min.u64 %R, %A, %B;", [](U64 a, U64 b, U64) { return std::min(a, b); }, true},
    {"max.u64 %R, %A, %B;", [](U64 a, U64 b, U64) { return std::max(a, b); }, true},
    {"sad.s32 %r, %a, %b, %c;", [](U64 a, U64 b, U64 c) -> U64 { return u(static_cast<U64>(std::abs(S64{s(a)} - s(b))) + c); }},
    {"sad.u32 %r, %a, %b, %c;", [](U64 a, U64 b, U64 c) -> U64 { return u(static_cast<U64>(std::abs(S64{u(a)} - S64{u(b)})) + c); }},
    {"mul.lo.s32 %r, %a, %b;", [](U64 a, U64 b, U64) -> U64 { return u(a * b); }},
    {"mul.hi.s32 %r, %a, %b;", [](U64 a, U64 b, U64) -> U64 { return u(static_cast<U64>(S64{s(a)} * s(b)) >> 32); }},
    {"mul.hi.u32 %r, %a, %b;", [](U64 a, U64 b, U64) -> U64 { return U64{u(a)} * u(b) >> 32; }},
    {"mul.wide.s32 %R, %a, %b;", [](U64 a, U64 b, U64) { return static_cast<U64>(S64{s(a)} * s(b)); }, true},
    {"mul.wide.u32 %R, %a, %b;", [](U64 a, U64 b, U64) { return U64{u(a)} * u(b); }, true},
    {"mul.wide.s32 %R, %a, 12;", [](U64 a, U64, U64) { return static_cast<U64>(S64{s(a)} * 12); }, true},
    {"mul.wide.s32 %y0, %a, %b; add.s64 %R, %C, %y0;", [](U64 a, U64 b, U64 c) { return static_cast<U64>(S64{s(a)} * s(b)) + c; }, true},
    {"mul.wide.u32 %y0, %a, 4; add.s64 %R, %y0, %C;", [](U64 a, U64, U64 c) { return U64{u(a)} * 4 + c; }, true},
    {"mul.lo.s64 %R, %A, %B;", [](U64 a, U64 b, U64) { return a * b; }, true},
    {"mul.lo.s64 %R, %A, 10;", [](U64 a, U64, U64) { return a * 10; }, true},
    {"mul.hi.u64 %R, %A, %B;", [](U64 a, U64 b, U64) { return static_cast<U64>(Wide{a} * b >> 64); }, true},
    {"mul.hi.s64 %R, %A, %B;", [](U64 a, U64 b, U64) { return static_cast<U64>(SignedWide{sl(a)} * sl(b) >> 64); }, true},
    {"mad.lo.s32 %r, %a, %b, %c;", [](U64 a, U64 b, U64 c) -> U64 { return u(a * b + c); }},
    {"mad.hi.u32 %r, %a, %b, %c;", [](U64 a, U64 b, U64 c) -> U64 { return u((U64{u(a)} * u(b) >> 32) + c); }},
    {"mad.hi.s32 %r, %a, %b, %c;", [](U64 a, U64 b, U64 c) -> U64 { return u((static_cast<U64>(S64{s(a)} * s(b)) >> 32) + c); }},
    {"mad.wide.s32 %R, %a, %b, %C;", [](U64 a, U64 b, U64 c) { return static_cast<U64>(S64{s(a)} * s(b)) + c; }, true},
    {"mad.wide.u32 %R, %a, %b, %C;", [](U64 a, U64 b, U64 c) { return U64{u(a)} * u(b) + c; }, true},
    {"mad.lo.s64 %R, %A, %B, %C;", [](U64 a, U64 b, U64 c) { return a * b + c; }, true},
    {"mad.hi.u64 %R, %A, %B, %C;", [](U64 a, U64 b, U64 c) { return static_cast<U64>(Wide{a} * b >> 64) + c; }, true},
    {"mul24.lo.u32 %r, %a, %b;", [](U64 a, U64 b, U64) -> U64 { return u((a & 0xffffff) * (b & 0xffffff)); }},
    {"mul24.hi.u32 %r, %a, %b;", [](U64 a, U64 b, U64) -> U64 { return u((a & 0xffffff) * (b & 0xffffff) >> 16); }},
    {"mul24.lo.s32 %r, %a, %b;", [](U64 a, U64 b, U64) -> U64 { return bits((s(a << 8) >> 8)) * bits(s(b << 8) >> 8); }},
    {"mad24.lo.s32 %r, %a, %b, %c;", [](U64 a, U64 b, U64 c) -> U64 { return u(bits((s(a << 8) >> 8)) * bits(s(b << 8) >> 8) + c); }},
    {"add.cc.u32 %r, %a, %b; addc.u32 %h, %a, %c;", [](U64 a, U64 b, U64 c) -> U64 {
       const U64 low = U64{u(a)} + u(b);
       return u(low) | U64{u(a + c + (low >> 32))} << 32;
     }},
    {"add.cc.u32 %r, %a, %b; addc.cc.u32 %h, %a, %c; addc.u32 %r, %r, 0;", [](U64 a, U64 b, U64 c) -> U64 {
       const U64 low = U64{u(a)} + u(b);
       const U64 high = U64{u(a)} + u(c) + (low >> 32);
       return u(low + (high >> 32)) | U64{u(high)} << 32;
     }},
    {"sub.cc.u32 %r, %a, %b; subc.u32 %h, %a, %c;", [](U64 a, U64 b, U64 c) -> U64 {
       return u(a - b) | U64{u(u(a) - u(c) - (u(a) < u(b) ? 1U : 0U))} << 32;
     }},
    {"add.cc.u64 %y0, %A, %B; addc.u64 %R, %C, 0;", [](U64 a, U64 b, U64 c) { return c + (a + b < a ? 1 : 0); }, true},
    {"mad.lo.cc.u32 %r, %a, %b, %c; madc.hi.u32 %h, %a, %b, 0;", [](U64 a, U64 b, U64 c) { return U64{u(a)} * u(b) + u(c); }},
    {"and.b32 %r, %a, %b;", [](U64 a, U64 b, U64) -> U64 { return u(a & b); }},
    {"or.b32 %r, %a, 0x55;", [](U64 a, U64, U64) -> U64 { return u(a | 0x55); }},
    {"xor.b64 %R, %A, %B;", [](U64 a, U64 b, U64) { return a ^ b; }, true},
    {"and.b64 %R, %A, 0xffff0000ffff;", [](U64 a, U64, U64) { return a & 0xffff0000ffff; }, true},
    {"not.b32 %r, %a;", [](U64 a, U64, U64) -> U64 { return u(~a); }},
    {"not.b64 %R, %A;", [](U64 a, U64, U64) { return ~a; }, true},
    {"cnot.b32 %r, %a;", [](U64 a, U64, U64) -> U64 { return u(a) == 0 ? 1 : 0; }},
    {"cnot.b64 %R, %A;", [](U64 a, U64, U64) -> U64 { return a == 0 ? 1 : 0; }, true},
    {"lop3.b32 %r, %a, %b, %c, 0x96;", [](U64 a, U64 b, U64 c) -> U64 { return u(a ^ b ^ c); }},
    {"lop3.b32 %r, %a, %b, %c, 0xca;", [](U64 a, U64 b, U64 c) -> U64 { return u((a & b) | (~a & c)); }},
    {"shl.b32 %r, %a, %b;", [](U64 a, U64 b, U64) -> U64 { return u(shift_left(u(a), u(b), 32)); }},
    {"and.b32 %x0, %b, 63; shl.b32 %r, %a, %x0;", [](U64 a, U64 b, U64) -> U64 { return u(shift_left(u(a), b & 63, 32)); }},
    {"and.b32 %x0, %b, 63; shr.u32 %r, %a, %x0;", [](U64 a, U64 b, U64) -> U64 { return shift_right(u(a), b & 63, 32); }},
    {"and.b32 %x0, %b, 63; shr.s32 %r, %a, %x0;", [](U64 a, U64 b, U64) -> U64 { return bits(s(a) >> std::min<U64>(b & 63, 31)); }},
    {"and.b32 %x0, %b, 127; shl.b64 %R, %A, %x0;", [](U64 a, U64 b, U64) { return shift_left(a, b & 127, 64); }, true},
    {"and.b32 %x0, %b, 127; shr.u64 %R, %A, %x0;", [](U64 a, U64 b, U64) { return shift_right(a, b & 127, 64); }, true},
    {"and.b32 %x0, %b, 127; shr.s64 %R, %A, %x0;", [](U64 a, U64 b, U64) { return static_cast<U64>(sl(a) >> std::min<U64>(b & 127, 63)); }, true},
    {"shl.b64 %R, %A, 3;", [](U64 a, U64, U64) { return a << 3; }, true},
    {"shl.b64 %R, %A, 40;", [](U64 a, U64, U64) { return a << 40; }, true},
    {"shr.u64 %R, %A, 33;", [](U64 a, U64, U64) { return a >> 33; }, true},
    {"shr.s64 %R, %A, 33;", [](U64 a, U64, U64) { return static_cast<U64>(sl(a) >> 33); }, true},
    {"and.b32 %x0, %c, 63; shf.l.wrap.b32 %r, %a, %b, %x0;", [](U64 a, U64 b, U64 c) -> U64 {
       return u((U64{u(b)} << 32 | u(a)) << (c & 31) >> 32);
     }},
    {"and.b32 %x0, %c, 63; shf.r.wrap.b32 %r, %a, %b, %x0;", [](U64 a, U64 b, U64 c) -> U64 {
       return u((U64{u(b)} << 32 | u(a)) >> (c & 31));
     }},
    {"and.b32 %x0, %c, 63; shf.l.clamp.b32 %r, %a, %b, %x0;", [](U64 a, U64 b, U64 c) -> U64 {
       return u((U64{u(b)} << 32 | u(a)) << std::min<U64>(c & 63, 32) >> 32);
     }},
    {"and.b32 %x0, %c, 63; shf.r.clamp.b32 %r, %a, %b, %x0;", [](U64 a, U64 b, U64 c) -> U64 {
       return u((U64{u(b)} << 32 | u(a)) >> std::min<U64>(c & 63, 32));
     }},
    {"popc.b32 %r, %a;", [](U64 a, U64, U64) -> U64 { return static_cast<U64>(std::popcount(u(a))); }},
    {"popc.b64 %r, %A;", [](U64 a, U64, U64) -> U64 { return static_cast<U64>(std::popcount(a)); }},
    {"clz.b32 %r, %a;", [](U64 a, U64, U64) -> U64 { return static_cast<U64>(std::countl_zero(u(a))); }},
    {"clz.b64 %r, %A;", [](U64 a, U64, U64) -> U64 { return static_cast<U64>(std::countl_zero(a)); }},
    {"and.b32 %x0, %a, %b; clz.b32 %r, %x0;", [](U64 a, U64 b, U64) -> U64 { return static_cast<U64>(std::countl_zero(u(a & b))); }},
    {"bfind.u32 %r, %a;", [](U64 a, U64, U64) -> U64 { return u(a) == 0 ? 0xffffffff : 31U - static_cast<U32>(std::countl_zero(u(a))); }},
    {"bfind.s32 %r, %a;", [](U64 a, U64, U64) -> U64 {
       const U32 x = s(a) < 0 ? ~u(a) : u(a);
       return x == 0 ? 0xffffffff : 31U - static_cast<U32>(std::countl_zero(x));
     }},
    {"bfind.shiftamt.u32 %r, %a;", [](U64 a, U64, U64) -> U64 { return u(a) == 0 ? 0xffffffff : static_cast<U32>(std::countl_zero(u(a))); }},
    {"bfind.u64 %r, %A;", [](U64 a, U64, U64) -> U64 { return a == 0 ? 0xffffffff : 63U - static_cast<U32>(std::countl_zero(a)); }},
    {"bfind.s64 %r, %A;", [](U64 a, U64, U64) -> U64 {
       const U64 x = sl(a) < 0 ? ~a : a;
       return x == 0 ? 0xffffffff : 63U - static_cast<U32>(std::countl_zero(x));
     }},
    {"bfind.shiftamt.u64 %r, %A;", [](U64 a, U64, U64) -> U64 { return a == 0 ? 0xffffffff : static_cast<U32>(std::countl_zero(a)); }},
    {"brev.b32 %r, %a;", [](U64 a, U64, U64) -> U64 {
       U32 made = 0;
       for (unsigned i = 0; i < 32; ++i) made |= (u(a) >> i & 1U) << (31 - i);
       return made;
     }},
    {"brev.b64 %R, %A;", [](U64 a, U64, U64) {
       U64 made = 0;
       for (unsigned i = 0; i < 64; ++i) made |= (a >> i & 1U) << (63 - i);
       return made;
     }, true},
    {"bfe.u32 %r, %a, %b, %c;", [](U64 a, U64 b, U64 c) { return bfe(u(a), u(b), u(c), 32, false); }},
    {"bfe.s32 %r, %a, %b, %c;", [](U64 a, U64 b, U64 c) { return bfe(u(a), u(b), u(c), 32, true); }},
    {"and.b32 %x0, %b, 31; and.b32 %x1, %c, 31; bfe.s32 %r, %a, %x0, %x1;", [](U64 a, U64 b, U64 c) { return bfe(u(a), b & 31, c & 31, 32, true); }},
    {"bfe.u32 %r, %a, 4, 8;", [](U64 a, U64, U64) { return bfe(u(a), 4, 8, 32, false); }},
    {"bfe.u64 %R, %A, %b, %c;", [](U64 a, U64 b, U64 c) { return bfe(a, u(b), u(c), 64, false); }, true},
    {"bfe.s64 %R, %A, %b, %c;", [](U64 a, U64 b, U64 c) { return bfe(a, u(b), u(c), 64, true); }, true},
    {"and.b32 %x0, %b, 63; and.b32 %x1, %c, 63; bfe.s64 %R, %A, %x0, %x1;", [](U64 a, U64 b, U64 c) { return bfe(a, b & 63, c & 63, 64, true); }, true},
    {"and.b32 %x0, %c, 31; bfi.b32 %r, %a, %b, %x0, 7;", [](U64 a, U64 b, U64 c) { return bfi(u(a), u(b), c & 31, 7, 32); }},
    {"bfi.b32 %r, %a, 0, %b, %c;", [](U64 a, U64 b, U64 c) { return bfi(u(a), 0, u(b), u(c), 32); }},
    {"and.b32 %x0, %c, 63; bfi.b64 %R, %A, %B, %x0, 9;", [](U64 a, U64 b, U64 c) { return bfi(a, b, c & 63, 9, 64); }, true},
    {"bfi.b64 %R, %A, 0, %b, %c;", [](U64 a, U64 b, U64 c) { return bfi(a, 0, u(b), u(c), 64); }, true},
    {"bmsk.clamp.b32 %r, %a, %b;", [](U64 a, U64 b, U64) -> U64 { return bmsk(u(a), u(b), true); }},
    {"bmsk.wrap.b32 %r, %a, %b;", [](U64 a, U64 b, U64) -> U64 { return bmsk(u(a), u(b), false); }},
    {"bmsk.clamp.b32 %r, 4, %b;", [](U64, U64 b, U64) -> U64 { return bmsk(4, u(b), true); }},
    {"szext.clamp.s32 %r, %a, %b;", [](U64 a, U64 b, U64) -> U64 { return szext(u(a), u(b), true, true); }},
    {"szext.wrap.s32 %r, %a, %b;", [](U64 a, U64 b, U64) -> U64 { return szext(u(a), u(b), false, true); }},
    {"szext.clamp.u32 %r, %a, %b;", [](U64 a, U64 b, U64) -> U64 { return szext(u(a), u(b), true, false); }},
    {"szext.wrap.u32 %r, %a, 5;", [](U64 a, U64, U64) -> U64 { return szext(u(a), 5, false, false); }},
    {"vabsdiff4.u32.u32.u32 %r, %a, %b, %c;", [](U64 a, U64 b, U64) -> U64 { return byte_distances(u(a), u(b)); }},
    {"vabsdiff4.u32.u32.u32.add %r, %a, %b, %c;", [](U64 a, U64 b, U64 c) -> U64 {
       const U32 d = byte_distances(u(a), u(b));
       return u((d & 0xff) + (d >> 8 & 0xff) + (d >> 16 & 0xff) + (d >> 24) + c);
     }},
    {"prmt.b32 %r, %a, %b, %c;", [](U64 a, U64 b, U64 c) -> U64 { return prmt(u(a), u(b), u(c)); }},
    {"prmt.b32 %r, %a, %b, 0x5410;", [](U64 a, U64 b, U64) -> U64 { return prmt(u(a), u(b), 0x5410); }},
    {"dp4a.s32.s32 %r, %a, %b, %c;", [](U64 a, U64 b, U64 c) -> U64 { return dp4a(a, b, c, true, true); }},
    {"dp4a.u32.s32 %r, %a, %b, %c;", [](U64 a, U64 b, U64 c) -> U64 { return dp4a(a, b, c, false, true); }},
    {"setp.lt.s32 %p0, %a, %b; selp.b32 %r, %a, %c, %p0;", [](U64 a, U64 b, U64 c) -> U64 { return s(a) < s(b) ? u(a) : u(c); }},
    {"setp.hs.u32 %p0, %a, %b; selp.b32 %r, 1, 2, %p0;", [](U64 a, U64 b, U64) -> U64 { return u(a) >= u(b) ? 1 : 2; }},
    {"setp.ls.u64 %p0, %A, %B; selp.b32 %r, 1, %c, %p0;", [](U64 a, U64 b, U64 c) -> U64 { return a <= b ? 1 : u(c); }},
    {"setp.gt.s64 %p0, %A, %B; selp.b64 %R, %A, %C, %p0;", [](U64 a, U64 b, U64 c) { return sl(a) > sl(b) ? a : c; }, true},
    {"setp.ne.s64 %p0, %A, 0; selp.b64 %R, %B, %C, %p0;", [](U64 a, U64 b, U64 c) { return a != 0 ? b : c; }, true},
    {"setp.lt.s32 %p1, %b, 0; setp.eq.and.s32 %p0|%p2, %a, %c, %p1; selp.b32 %r, 1, 0, %p0; selp.b32 %h, 1, 0, %p2;",
     [](U64 a, U64 b, U64 c) -> U64 { return (u(a) == u(c) && s(b) < 0 ? 1 : 0) | (u(a) != u(c) && s(b) < 0 ? U64{1} << 32 : 0); }},
    {"setp.lt.s32 %p1, %b, 0; setp.ge.xor.u32 %p0, %a, %c, !%p1; selp.b32 %r, 1, 0, %p0;",
     [](U64 a, U64 b, U64 c) -> U64 { return (u(a) >= u(c)) != (s(b) >= 0) ? 1 : 0; }},
    {"setp.lt.s32 %p0, %a, %c; setp.ge.u32 %p1, %b, %c; or.pred %p2, %p0, %p1; selp.b32 %r, 1, 0, %p2;",
     [](U64 a, U64 b, U64 c) -> U64 { return s(a) < s(c) || u(b) >= u(c) ? 1 : 0; }},
    {"setp.gt.s64 %p0, %A, %B; setp.ne.u32 %p1, %b, %c; and.pred %p2, %p1, %p0; selp.b32 %r, 1, 0, %p2;",
     [](U64 a, U64 b, U64 c) -> U64 { return sl(a) > sl(b) && u(b) != u(c) ? 1 : 0; }},
    {"setp.lt.s32 %p0, %a, %b; setp.lt.s32 %p1, %b, %c; xor.pred %p2, %p0, %p1; selp.b32 %r, 1, 0, %p2;",
     [](U64 a, U64 b, U64 c) -> U64 { return (s(a) < s(b)) != (s(b) < s(c)) ? 1 : 0; }},
    {"setp.lt.s32 %p0, %a, %b; setp.lt.s32 %p1, %b, %c; and.pred %p2, %p0, %p1; selp.b32 %x1, 1, 0, %p0; selp.b32 %r, %x1, 2, %p2;",
     [](U64 a, U64 b, U64 c) -> U64 { return s(a) < s(b) && s(b) < s(c) ? 1 : 2; }},
    {"shl.b32 %x1, %a, 5; add.s32 %r, %x1, %b;", [](U64 a, U64 b, U64) -> U64 { return u((a << 5) + b); }},
    {"shl.b32 %x1, %a, 31; add.s32 %r, %b, %x1; add.s32 %x2, %x1, 12345; xor.b32 %r, %r, %x2;",
     [](U64 a, U64 b, U64) -> U64 { return u((a << 31) + b) ^ u((a << 31) + 12345); }},
    {"shl.b32 %x1, %a, 32; add.s32 %r, %x1, %b;", [](U64, U64 b, U64) -> U64 { return u(b); }},
    {"shl.b64 %y1, %A, 3; add.s64 %R, %y1, %B;", [](U64 a, U64 b, U64) { return (a << 3) + b; }, true},
    {"shl.b64 %y1, %A, 31; add.s64 %R, %B, %y1;", [](U64 a, U64 b, U64) { return (a << 31) + b; }, true},
    {"shl.b64 %y1, %A, 2; add.s64 %R, %y1, 77777777777;", [](U64 a, U64, U64) { return (a << 2) + 77777777777; }, true},
    {"shl.b64 %y1, %A, 33; add.s64 %R, %B, %y1;", [](U64 a, U64 b, U64) { return (a << 33) + b; }, true},
    {"mul.wide.s32 %y1, %a, %b; add.s64 %R, %y1, %C; add.s64 %y2, %y1, %A; xor.b64 %R, %R, %y2;",
     [](U64 a, U64 b, U64 c) {
       const auto product = static_cast<U64>(S64{s(a)} * s(b));
       return (product + c) ^ (product + a);
     },
     true},
    {"setp.lt.s32 %p0, %a, 0; setp.lt.s32 %p1, %b, 0; and.pred %p2, %p0, %p1; or.pred %p3, %p2, %p0; xor.pred %p4, %p3, %p1; not.pred %p5, %p4; selp.b32 %r, 1, 0, %p5;",
     [](U64 a, U64 b, U64) -> U64 { return ((s(a) < 0) != (s(b) < 0)) ? 0 : 1; }},
    {"set.lt.u32.s32 %r, %a, %b;", [](U64 a, U64 b, U64) -> U64 { return s(a) < s(b) ? 0xffffffff : 0; }},
    {"set.eq.f32.s32 %r, %a, %b;", [](U64 a, U64 b, U64) -> U64 { return u(a) == u(b) ? 0x3f800000 : 0; }},
    {"slct.b32.s32 %r, %a, %b, %c;", [](U64 a, U64 b, U64 c) -> U64 { return s(c) >= 0 ? u(a) : u(b); }},
    {"slct.u64.s32 %R, %A, %B, %c;", [](U64 a, U64 b, U64 c) { return s(c) >= 0 ? a : b; }, true},
    {"mov.b32 {%s0, %s1}, %a; mov.b32 %r, {%s1, %s0};", [](U64 a, U64, U64) -> U64 { return u(a << 16) | u(a) >> 16; }},
    {"mov.b64 {%x0, %x1}, %A; mov.b64 %R, {%x1, %x0};", [](U64 a, U64, U64) { return a << 32 | a >> 32; }, true},
    {"mov.b64 {%s0, %s1, %s2, %s3}, %A; mov.b64 %R, {%s3, %s0, %s2, %s1};",
     [](U64 a, U64, U64) { return U64{h(a >> 48)} | U64{h(a)} << 16 | U64{h(a >> 32)} << 32 | U64{h(a >> 16)} << 48; }, true},
    {"mov.b32 {%s0, %s1}, %a; mul.wide.u16 %r, %s0, %s1;", [](U64 a, U64, U64) -> U64 { return U32{h(a)} * h(a >> 16); }},
    {"mov.b32 {%s0, %s1}, %a; mul.wide.s16 %r, %s0, %s1;", [](U64 a, U64, U64) -> U64 { return bits(sh(a) * sh(a >> 16)); }},
    {"mov.b32 {%s0, %s1}, %a; setp.lt.s16 %p0, %s0, %s1; selp.b32 %r, 1, 0, %p0;", [](U64 a, U64, U64) -> U64 { return sh(a) < sh(a >> 16) ? 1 : 0; }},
    {"mov.b32 {%s0, %s1}, %a; shr.s16 %s2, %s0, 3; mov.b32 %r, {%s2, %s1};", [](U64 a, U64, U64) -> U64 { return U32{h(static_cast<U64>(sh(a) >> 3))} | (u(a) & 0xffff0000); }},
    {"mov.b32 {%s0, %s1}, %a; min.u16 %s2, %s0, %s1; max.s16 %s3, %s0, %s1; mov.b32 %r, {%s2, %s3};",
     [](U64 a, U64, U64) -> U64 { return U32{std::min(h(a), h(a >> 16))} | U32{h(static_cast<U64>(std::max(sh(a), sh(a >> 16))))} << 16; }},
    {"mov.b32 {%s0, %s1}, %a; mul.hi.u16 %s2, %s0, %s1; mul.lo.u16 %s3, %s0, %s1; mov.b32 %r, {%s2, %s3};",
     [](U64 a, U64, U64) -> U64 { const U32 p = U32{h(a)} * h(a >> 16); return p >> 16 | p << 16; }},
    {"setp.lt.s32 %p0, %a, 0; mov.b32 %r, 5; @%p0 add.s32 %r, %b, %c; @!%p0 xor.b32 %h, %b, %c;",
     [](U64 a, U64 b, U64 c) -> U64 { return s(a) < 0 ? u(b + c) : 5 | U64{u(b ^ c)} << 32; }},
};

/// Values at the edges of their types, and any.
class Values {
 public:
  explicit Values(std::uint32_t seed) : random_(seed) {}
  U64 next() {
    static constexpr U64 kEdges[] = {0,
                                     1,
                                     2,
                                     31,
                                     32,
                                     33,
                                     63,
                                     64,
                                     65,
                                     0x7f,
                                     0x80,
                                     0xff,
                                     0x7fff,
                                     0x8000,
                                     0xffff,
                                     0x7fffffff,
                                     0x80000000,
                                     0x80000001,
                                     0xffffffff,
                                     0x100000000,
                                     0x7fffffffffffffff,
                                     0x8000000000000000,
                                     0xffffffffffffffff,
                                     0xfffffffffffffffe,
                                     0xffffffff00000000,
                                     0xaaaaaaaaaaaaaaaa,
                                     0x5555555555555555};
    const U64 kind = random_() % 4;
    if (kind == 0) return kEdges[random_() % std::size(kEdges)];
    if (kind == 1) return random_() % 256;
    return random_() >> (kind == 2 ? random_() % 64 : 0);
  }

 private:
  std::mt19937_64 random_;
};

PtxInputs inputs_of(std::uint32_t seed) {
  Values values(seed);
  PtxInputs inputs;
  for (unsigned i = 0; i < 2048; ++i) {
    inputs.a.push_back(values.next());
    inputs.b.push_back(i % 16 == 0 ? inputs.a.back() : values.next());
    inputs.c.push_back(values.next());
  }
  return inputs;
}

void check(const Form& form, const PtxInputs& inputs, unsigned compute_capability, unsigned most_registers) {
  const auto results = run_ptx({form.statements, form.is_wide, compute_capability, most_registers}, inputs);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const U64 wanted = form.reference(inputs.a[i], inputs.b[i], inputs.c[i]);
    if (results[i] == wanted) continue;
    INFO(form.statements);
    INFO(std::hex << "a " << inputs.a[i] << " b " << inputs.b[i] << " c " << inputs.c[i]);
    CHECK(results[i] == wanted);
    return;
  }
}

TEST_CASE("integer instructions of PTX give what the PTX ISA says") {
  const std::uint32_t seed = drawn_seed();
  INFO("HEDDLE_SEED=" << seed);
  const PtxInputs inputs = inputs_of(seed);
  for (const Form& form : kForms) {
    if (!form.reference) continue;
    check(form, inputs, 80, 255);
    check(form, inputs, 90, 16);
  }
}

}  // namespace
}  // namespace heddle::test
