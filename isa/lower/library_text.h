// The functions of the library. $R is a rounding, $FTZ is .ftz or nothing, and $SUFFIX a name's part for it.
//
// Quotients and roots are refined from MUFU's approximation by Newton's method and rounded once at the end,
// from a quotient whose remainder is exact (Markstein, "IA-64 and Elementary Functions", 2000). What is out
// of reach of that goes another way: floats by doubles, whose quotients of floats are never so near to the
// middle of two floats that rounding twice would harm; doubles by mantissas from 1 to 2, and results that are
// denormal by their bits. The low word 1 puts the first approximation above the reciprocal of a number whose
// fraction is all ones, from where alone Newton's method comes to the nearest double.
#pragma once

#include <string_view>

namespace heddle::lower {

inline constexpr std::string_view kFlushOne = "add.ftz.f32 %a, %a, 0f80000000;\n";
inline constexpr std::string_view kFlushTwo =
    "add.ftz.f32 %a, %a, 0f80000000;\nadd.ftz.f32 %b, %b, 0f80000000;\n";

inline constexpr std::string_view kDivideFloats = R"(
.func (.reg .f32 %q) div_$R$SUFFIX_f32(.reg .f32 %from_a, .reg .f32 %from_b) {
.reg .f32 %a, %b, %y0, %e, %y, %n, %q0, %r0, %q1, %r1, %m;
.reg .f64 %da, %db, %dn, %dy, %de, %dq, %dr;
.reg .pred %p, %far;
mov.f32 %a, %from_a;
mov.f32 %b, %from_b;
rcp.approx.ftz.f32 %y0, %b;
__heddle_fchk.f32 %far, %a, %b;
neg.f32 %n, %b;
fma.rn.f32 %e, %n, %y0, 0f3F800000;
fma.rn.f32 %y, %y0, %e, %y0;
fma.rn.f32 %q0, %a, %y, 0f00000000;
fma.rn.f32 %r0, %n, %q0, %a;
fma.rn.f32 %q1, %y, %r0, %q0;
fma.rn.f32 %r1, %n, %q1, %a;
fma.$R.f32 %q, %y, %r1, %q1;
@!%far bra DONE;
$FLUSH_TWO
abs.f32 %m, %b;
setp.gt.f32 %p, %m, 0f00000000;
setp.lt.and.f32 %p, %m, 0f7F800000, %p;
@%p bra DIVISOR_IS_PLAIN;
rcp.approx.ftz.f32 %y0, %b;
mul.f32 %q, %a, %y0;
bra DONE;
DIVISOR_IS_PLAIN:
abs.f32 %m, %a;
setp.gt.f32 %p, %m, 0f00000000;
setp.lt.and.f32 %p, %m, 0f7F800000, %p;
@%p bra BOTH_ARE_PLAIN;
mul.f32 %q, %a, %b;
bra DONE;
BOTH_ARE_PLAIN:
cvt.f64.f32 %da, %a;
cvt.f64.f32 %db, %b;
rcp.approx.ftz.f64 %dy, %db;
neg.f64 %dn, %db;
fma.rn.f64 %de, %dn, %dy, 0d3FF0000000000000;
fma.rn.f64 %de, %de, %de, %de;
fma.rn.f64 %dy, %dy, %de, %dy;
fma.rn.f64 %de, %dn, %dy, 0d3FF0000000000000;
fma.rn.f64 %dy, %dy, %de, %dy;
mul.rn.f64 %dq, %da, %dy;
fma.rn.f64 %dr, %dn, %dq, %da;
fma.rn.f64 %dq, %dy, %dr, %dq;
cvt.$R$FTZ.f32.f64 %q, %dq;
DONE:
ret;
}
)";

inline constexpr std::string_view kFloatReciprocal = R"(
.func (.reg .f32 %q) rcp_$R$SUFFIX_f32(.reg .f32 %from) {
.reg .f32 %a, %y, %e, %n, %m;
.reg .f64 %db, %dn, %dy, %de;
.reg .b32 %i;
.reg .pred %p;
mov.f32 %a, %from;
mov.b32 %i, %a;
add.u32 %i, %i, 0x1800000;
and.b32 %i, %i, 0x7f800000;
setp.le.u32 %p, %i, 0x1ffffff;
rcp.approx.ftz.f32 %y, %a;
fma.rn.f32 %e, %a, %y, 0fBF800000;
neg.ftz.f32 %n, %e;
fma.$R.f32 %q, %y, %n, %y;
@!%p bra DONE;
$FLUSH_ONE
abs.f32 %m, %a;
setp.gt.f32 %p, %m, 0f00000000;
setp.lt.and.f32 %p, %m, 0f7F800000, %p;
@%p bra IS_PLAIN;
rcp.approx.ftz.f32 %q, %a;
bra DONE;
IS_PLAIN:
cvt.f64.f32 %db, %a;
rcp.approx.ftz.f64 %dy, %db;
neg.f64 %dn, %db;
fma.rn.f64 %de, %dn, %dy, 0d3FF0000000000000;
fma.rn.f64 %de, %de, %de, %de;
fma.rn.f64 %dy, %dy, %de, %dy;
fma.rn.f64 %de, %dn, %dy, 0d3FF0000000000000;
fma.rn.f64 %dy, %dy, %de, %dy;
cvt.$R$FTZ.f32.f64 %q, %dy;
DONE:
ret;
}
)";

/// Refines the root before it is rounded in a direction: where the root can be exact, it must be.
inline constexpr std::string_view kRefineRoot = R"(
fma.rn.f$BITS %g, %r, %h, %g;
neg.f$BITS %n, %g;
fma.rn.f$BITS %r, %n, %g, %a;
)";

inline constexpr std::string_view kFloatRoot = R"(
.func (.reg .f32 %q) sqrt_$R$SUFFIX_f32(.reg .f32 %from) {
.reg .f32 %a, %y, %g, %h, %n, %r;
.reg .f64 %d, %dy, %dt, %dn, %de, %dc, %dg, %dh, %dr;
.reg .b32 %i;
.reg .pred %p;
mov.f32 %a, %from;
mov.b32 %i, %a;
add.s32 %i, %i, -218103808;
setp.gt.u32 %p, %i, 0x727fffff;
rsqrt.approx.ftz.f32 %y, %a;
mul.ftz.f32 %g, %a, %y;
mul.ftz.f32 %h, %y, 0f3F000000;
neg.f32 %n, %g;
fma.rn.f32 %r, %n, %g, %a;
$REFINE_AGAIN_ROOT32
fma.$R.f32 %q, %r, %h, %g;
@!%p bra DONE;
$FLUSH_ONE
setp.geu.f32 %p, %a, 0f00000000;
@%p bra IS_NOT_NEGATIVE;
mov.b32 %q, 0x7fffffff;
bra DONE;
IS_NOT_NEGATIVE:
setp.gt.f32 %p, %a, 0f00000000;
setp.lt.and.f32 %p, %a, 0f7F800000, %p;
@%p bra IS_PLAIN;
add.f32 %q, %a, %a;
bra DONE;
IS_PLAIN:
cvt.f64.f32 %d, %a;
rsqrt.approx.ftz.f64 %dy, %d;
mul.rn.f64 %dt, %dy, %dy;
neg.f64 %dn, %dt;
fma.rn.f64 %de, %dn, %d, 0d3FF0000000000000;
fma.rn.f64 %dc, %de, 0d3FD8000000000000, 0d3FE0000000000000;
mul.rn.f64 %dt, %dy, %de;
fma.rn.f64 %dy, %dc, %dt, %dy;
mul.rn.f64 %dg, %d, %dy;
mul.rn.f64 %dh, %dy, 0d3FE0000000000000;
neg.f64 %dn, %dg;
fma.rn.f64 %dr, %dn, %dg, %d;
fma.rn.f64 %dg, %dr, %dh, %dg;
cvt.$R$FTZ.f32.f64 %q, %dg;
DONE:
ret;
}
)";

// What is added to the bits %bits before %shift of them are cut off; %sign is the result's.
inline constexpr std::string_view kAddHalf = R"(
shr.u64 %t, %bits, %shift;
and.b64 %t, %t, 1;
sub.u32 %j, %shift, 1;
shl.b64 %mask, 1, %j;
sub.u64 %mask, %mask, 1;
add.u64 %bits, %bits, %mask;
add.u64 %bits, %bits, %t;
)";
inline constexpr std::string_view kAddUpwards = R"(
shl.b64 %mask, 1, %shift;
sub.u64 %mask, %mask, 1;
setp.ne.s64 %p, %sign, 0;
selp.b64 %mask, 0, %mask, %p;
add.u64 %bits, %bits, %mask;
)";
inline constexpr std::string_view kAddDownwards = R"(
shl.b64 %mask, 1, %shift;
sub.u64 %mask, %mask, 1;
setp.eq.s64 %p, %sign, 0;
selp.b64 %mask, 0, %mask, %p;
add.u64 %bits, %bits, %mask;
)";

/// From two numbers %a and %b that the plain way does not divide to %q and DONE.
inline constexpr std::string_view kDivideDoublesSlowly = R"(
abs.f64 %m, %b;
setp.gt.f64 %p, %m, 0d0000000000000000;
setp.lt.and.f64 %p, %m, 0d7FF0000000000000, %p;
@%p bra DIVISOR_IS_PLAIN;
rcp.approx.ftz.f64 %y, %b;
mul.rn.f64 %q, %a, %y;
setp.nan.f64 %p, %b, %b;
@%p add.rn.f64 %q, %b, %a;
bra DONE;
DIVISOR_IS_PLAIN:
abs.f64 %k, %a;
setp.gt.f64 %p, %k, 0d0000000000000000;
setp.lt.and.f64 %p, %k, 0d7FF0000000000000, %p;
@%p bra BOTH_ARE_PLAIN;
mul.rn.f64 %q, %a, %b;
bra DONE;
BOTH_ARE_PLAIN:
mov.b64 %bits, %a;
mov.b64 %t, %b;
xor.b64 %sign, %bits, %t;
and.b64 %sign, %sign, 0x8000000000000000;
mov.u32 %exponent, 0;
setp.lt.f64 %p, %k, 0d0010000000000000;
@%p mul.rn.f64 %k, %k, 0d4350000000000000;
@%p mov.u32 %exponent, -54;
setp.lt.f64 %p, %m, 0d0010000000000000;
@%p mul.rn.f64 %m, %m, 0d4350000000000000;
@%p add.s32 %exponent, %exponent, 54;
mov.b64 {%i, %j}, %k;
shr.u32 %shift, %j, 20;
add.s32 %exponent, %exponent, %shift;
and.b32 %j, %j, 0xfffff;
or.b32 %j, %j, 0x3ff00000;
mov.b64 %bits, {%i, %j};
or.b64 %bits, %bits, %sign;
mov.b64 %k, %bits;
mov.b64 {%i, %j}, %m;
shr.u32 %shift, %j, 20;
sub.s32 %exponent, %exponent, %shift;
and.b32 %j, %j, 0xfffff;
or.b32 %j, %j, 0x3ff00000;
mov.b64 %m, {%i, %j};
rcp.approx.ftz.f64 %y, %m;
mov.b64 {_, %i}, %y;
mov.b64 %y, {1, %i};
neg.f64 %n, %m;
fma.rn.f64 %e, %n, %y, 0d3FF0000000000000;
fma.rn.f64 %e, %e, %e, %e;
fma.rn.f64 %y, %y, %e, %y;
fma.rn.f64 %e, %n, %y, 0d3FF0000000000000;
fma.rn.f64 %y, %y, %e, %y;
mul.rn.f64 %r, %k, %y;
fma.rn.f64 %e, %n, %r, %k;
fma.rn.f64 %g, %y, %e, %r;
fma.rn.f64 %r, %n, %g, %k;
fma.$R.f64 %q, %y, %r, %g;
mov.b64 %bits, %q;
mov.b64 {%i, %j}, %q;
bfe.u32 %shift, %j, 20, 11;
add.s32 %shift, %shift, %exponent;
setp.gt.s32 %p, %shift, 2046;
@%p bra IS_TOO_GREAT;
setp.lt.s32 %p, %shift, 1;
@%p bra IS_DENORMAL;
shl.b32 %i, %exponent, 20;
mov.b64 %t, {0, %i};
add.u64 %bits, %bits, %t;
mov.b64 %q, %bits;
bra DONE;
IS_TOO_GREAT:
or.b64 %bits, %sign, 0x7fe0000000000000;
mov.b64 %q, %bits;
mul.$R.f64 %q, %q, 0d7FE0000000000000;
bra DONE;
IS_DENORMAL:
fma.rz.f64 %q, %y, %r, %g;
fma.rn.f64 %r, %n, %q, %k;
setp.neu.f64 %p, %r, 0d0000000000000000;
mov.b64 {%i, %j}, %q;
bfe.u32 %shift, %j, 20, 11;
add.s32 %shift, %shift, %exponent;
sub.s32 %shift, 2, %shift;
min.s32 %shift, %shift, 63;
and.b32 %j, %j, 0xfffff;
or.b32 %j, %j, 0x100000;
mov.b64 %bits, {%i, %j};
shl.b64 %bits, %bits, 1;
selp.b64 %t, 1, 0, %p;
or.b64 %bits, %bits, %t;
$ADD_BEFORE_CUT
shr.u64 %bits, %bits, %shift;
or.b64 %bits, %bits, %sign;
mov.b64 %q, %bits;
)";

inline constexpr std::string_view kDivideDoubles = R"(
.func (.reg .f64 %q) div_$R_f64(.reg .f64 %a, .reg .f64 %b) {
.reg .f64 %y, %n, %e, %r, %g, %m, %k;
.reg .b64 %bits, %t, %sign, %mask;
.reg .b32 %i, %j, %shift, %exponent;
.reg .f32 %fa, %fb, %fq, %ft;
.reg .pred %p, %far;
rcp.approx.ftz.f64 %y, %b;
mov.b64 {_, %i}, %y;
mov.b64 %y, {1, %i};
neg.f64 %n, %b;
fma.rn.f64 %e, %n, %y, 0d3FF0000000000000;
fma.rn.f64 %e, %e, %e, %e;
fma.rn.f64 %y, %y, %e, %y;
fma.rn.f64 %e, %n, %y, 0d3FF0000000000000;
fma.rn.f64 %y, %y, %e, %y;
mul.rn.f64 %g, %a, %y;
fma.rn.f64 %r, %n, %g, %a;
$REFINE_AGAIN_QUOTIENT
fma.$R.f64 %q, %y, %r, %g;
mov.b64 {_, %fa}, %a;
mov.b64 {_, %fb}, %b;
mov.b64 {_, %fq}, %q;
abs.f32 %fa, %fa;
setp.geu.f32 %p, %fa, 0f03600000;
fma.rn.f32 %ft, %fb, 0f00000000, %fq;
abs.f32 %ft, %ft;
setp.gt.and.f32 %p, %ft, 0f00100000, %p;
@%p bra DONE;
$SLOWLY
DONE:
ret;
}
)";

inline constexpr std::string_view kRefineQuotient = R"(
fma.rn.f64 %g, %y, %r, %g;
fma.rn.f64 %r, %n, %g, %a;
)";

inline constexpr std::string_view kDoubleReciprocal = R"(
.func (.reg .f64 %q) rcp_$R_f64(.reg .f64 %b) {
.reg .f64 %a, %y, %n, %e, %r, %g, %m, %k;
.reg .b64 %bits, %t, %sign, %mask;
.reg .b32 %i, %j, %shift, %exponent;
.reg .f32 %fb;
.reg .pred %p;
mov.b64 {_, %i}, %b;
add.s32 %i, %i, 0x300402;
mov.b32 %fb, %i;
abs.f32 %fb, %fb;
setp.geu.f32 %p, %fb, 0f00400402;
rcp.approx.ftz.f64 %y, %b;
mov.b64 {_, %i}, %y;
mov.b64 %y, {1, %i};
neg.f64 %n, %b;
fma.rn.f64 %e, %n, %y, 0d3FF0000000000000;
fma.rn.f64 %e, %e, %e, %e;
fma.rn.f64 %y, %y, %e, %y;
fma.rn.f64 %e, %n, %y, 0d3FF0000000000000;
fma.$R.f64 %q, %y, %e, %y;
@%p bra DONE;
mov.f64 %a, 0d3FF0000000000000;
$SLOWLY
DONE:
ret;
}
)";

inline constexpr std::string_view kDoubleRoot = R"(
.func (.reg .f64 %q) sqrt_$R_f64(.reg .f64 %from) {
.reg .f64 %a, %y, %t, %e, %c, %g, %h, %n, %r, %scale;
.reg .b32 %i;
.reg .pred %p;
mov.f64 %a, %from;
mov.f64 %scale, 0d3FF0000000000000;
mov.b64 {_, %i}, %a;
add.s32 %i, %i, -55574528;
setp.lt.u32 %p, %i, 0x7ca00000;
@%p bra IS_PLAIN;
setp.geu.f64 %p, %a, 0d0000000000000000;
@%p bra IS_NOT_NEGATIVE;
mov.b64 %q, 0xfff8000000000000;
bra DONE;
IS_NOT_NEGATIVE:
setp.gt.f64 %p, %a, 0d0000000000000000;
setp.lt.and.f64 %p, %a, 0d7FF0000000000000, %p;
@%p bra IS_SMALL;
add.rn.f64 %q, %a, %a;
bra DONE;
IS_SMALL:
mul.rn.f64 %a, %a, 0d46B0000000000000;
mov.f64 %scale, 0d3C90000000000000;
IS_PLAIN:
rsqrt.approx.ftz.f64 %y, %a;
mul.rn.f64 %t, %y, %y;
neg.f64 %n, %t;
fma.rn.f64 %e, %n, %a, 0d3FF0000000000000;
fma.rn.f64 %c, %e, 0d3FD8000000000000, 0d3FE0000000000000;
mul.rn.f64 %t, %y, %e;
fma.rn.f64 %y, %c, %t, %y;
mul.rn.f64 %g, %a, %y;
mul.rn.f64 %h, %y, 0d3FE0000000000000;
neg.f64 %n, %g;
fma.rn.f64 %r, %n, %g, %a;
$REFINE_AGAIN_ROOT64
fma.$R.f64 %q, %r, %h, %g;
mul.rn.f64 %q, %q, %scale;
DONE:
ret;
}
)";

inline constexpr std::string_view kDoubleInverseRoot = R"(
.func (.reg .f64 %q) rsqrt_f64(.reg .f64 %from) {
.reg .f64 %a, %y, %t, %e, %c, %n, %scale;
.reg .pred %p;
mov.f64 %a, %from;
mov.f64 %scale, 0d3FF0000000000000;
setp.gt.f64 %p, %a, 0d0000000000000000;
setp.lt.and.f64 %p, %a, 0d7FF0000000000000, %p;
@%p bra IS_NUMBER;
rsqrt.approx.ftz.f64 %q, %a;
setp.lt.f64 %p, %a, 0d0000000000000000;
@%p mov.b64 %q, 0xfff8000000000000;
setp.nan.f64 %p, %a, %a;
@%p add.rn.f64 %q, %a, %a;
bra DONE;
IS_NUMBER:
setp.geu.f64 %p, %a, 0d0010000000000000;
@%p bra IS_PLAIN;
mul.rn.f64 %a, %a, 0d46B0000000000000;
mov.f64 %scale, 0d4350000000000000;
IS_PLAIN:
rsqrt.approx.ftz.f64 %y, %a;
mul.rn.f64 %t, %y, %y;
neg.f64 %n, %t;
fma.rn.f64 %e, %n, %a, 0d3FF0000000000000;
fma.rn.f64 %c, %e, 0d3FD8000000000000, 0d3FE0000000000000;
mul.rn.f64 %t, %y, %e;
fma.rn.f64 %y, %c, %t, %y;
mul.rn.f64 %q, %y, %scale;
DONE:
ret;
}
)";

/// To the quotient %d and the remainder %r of %n and %m.
inline constexpr std::string_view kDivideWords = R"(
cvt.rp.f32.u64 %f, %m;
rcp.approx.ftz.f32 %f, %f;
mov.b32 %i, %f;
add.u32 %i, %i, 0x1ffffffe;
mov.b32 %f, %i;
cvt.rzi.u64.f32 %x, %f;
mul.lo.u64 %t, %x, %m;
sub.u64 %t, 0, %t;
mul.hi.u64 %t, %x, %t;
add.u64 %x, %x, %t;
mul.lo.u64 %t, %x, %m;
sub.u64 %t, 0, %t;
mul.hi.u64 %t, %x, %t;
add.u64 %x, %x, %t;
mul.hi.u64 %d, %x, %n;
mul.lo.u64 %t, %d, %m;
sub.u64 %r, %n, %t;
setp.ge.u64 %p, %r, %m;
@%p sub.u64 %r, %r, %m;
@%p add.u64 %d, %d, 1;
setp.ge.u64 %p, %r, %m;
@%p sub.u64 %r, %r, %m;
@%p add.u64 %d, %d, 1;
)";

inline constexpr std::string_view kUnsignedQuotient = R"(
.func (.reg .u64 %q) $NAME_u64(.reg .u64 %n, .reg .u64 %m) {
.reg .f32 %f;
.reg .b32 %i;
.reg .b64 %x, %t, %d, %r;
.reg .pred %p;
$DIVIDE
setp.eq.s64 %p, %m, 0;
@%p mov.b64 $RESULT, -1;
mov.b64 %q, $RESULT;
ret;
}
)";

inline constexpr std::string_view kSignedQuotient = R"(
.func (.reg .u64 %q) $NAME_s64(.reg .u64 %from_n, .reg .u64 %from_m) {
.reg .f32 %f;
.reg .b32 %i;
.reg .b64 %n, %m, %x, %t, %d, %r, %signs;
.reg .pred %p;
abs.s64 %n, %from_n;
abs.s64 %m, %from_m;
$DIVIDE
$SIGNS
setp.lt.s64 %p, %signs, 0;
@%p neg.s64 $RESULT, $RESULT;
setp.eq.s64 %p, %from_m, 0;
@%p mov.b64 $RESULT, -1;
mov.b64 %q, $RESULT;
ret;
}
)";

}  // namespace heddle::lower
