// The functions for dynamic programming (DPX): maxima and minima of sums and of three, of whole words and of halves. GPUs
// from 9.0 on have single instructions for some of them; here each is several.
#ifndef HEDDLE_DPX_H
#define HEDDLE_DPX_H

#define HEDDLE_BOTH static __inline__ __host__ __device__ __attribute__((always_inline))

/// Sums wrap around.
#define HEDDLE_DPX_EXTREME(NAME, SIGN)                                                              \
  template <typename Number>                                                                        \
  HEDDLE_BOTH Number __heddle_dpx_##NAME(Number a, Number b) {                                      \
    return a SIGN b ? a : b;                                                                        \
  }                                                                                                 \
  template <typename Number>                                                                        \
  HEDDLE_BOTH Number __heddle_dpx_##NAME##3(Number a, Number b, Number c) {                         \
    return __heddle_dpx_##NAME(__heddle_dpx_##NAME(a, b), c);                                       \
  }                                                                                                 \
  template <typename Number>                                                                        \
  HEDDLE_BOTH Number __heddle_dpx_add##NAME(Number a, Number b, Number c) {                         \
    return __heddle_dpx_##NAME((Number)((unsigned int)a + (unsigned int)b), c);                     \
  }
HEDDLE_DPX_EXTREME(max, >)
HEDDLE_DPX_EXTREME(min, <)

template <typename Half, Half (*function)(Half, Half, Half)>
HEDDLE_BOTH unsigned int __heddle_dpx_halves(unsigned int a, unsigned int b, unsigned int c) {
  const Half low = function((Half)a, (Half)b, (Half)c);
  const Half high = function((Half)(a >> 16), (Half)(b >> 16), (Half)(c >> 16));
  return (unsigned int)(unsigned short)low | ((unsigned int)(unsigned short)high << 16);
}
/// Not below 0.
HEDDLE_BOTH unsigned int __heddle_dpx_relu(unsigned int a) {
  return __heddle_dpx_halves<short, __heddle_dpx_max3<short>>(a, 0, 0);
}

#define HEDDLE_DPX_OF_THREE(NAME, FUNCTION)                                                                         \
  HEDDLE_BOTH int NAME##_s32(int a, int b, int c) { return FUNCTION(a, b, c); }                                     \
  HEDDLE_BOTH int NAME##_s32_relu(int a, int b, int c) { return __heddle_dpx_max(FUNCTION(a, b, c), 0); }           \
  HEDDLE_BOTH unsigned int NAME##_u32(unsigned int a, unsigned int b, unsigned int c) { return FUNCTION(a, b, c); } \
  HEDDLE_BOTH unsigned int NAME##_s16x2(unsigned int a, unsigned int b, unsigned int c) {                           \
    return __heddle_dpx_halves<short, FUNCTION<short>>(a, b, c);                                                    \
  }                                                                                                                 \
  HEDDLE_BOTH unsigned int NAME##_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {                      \
    return __heddle_dpx_relu(NAME##_s16x2(a, b, c));                                                                \
  }                                                                                                                 \
  HEDDLE_BOTH unsigned int NAME##_u16x2(unsigned int a, unsigned int b, unsigned int c) {                           \
    return __heddle_dpx_halves<unsigned short, FUNCTION<unsigned short>>(a, b, c);                                  \
  }
HEDDLE_DPX_OF_THREE(__vimax3, __heddle_dpx_max3)
HEDDLE_DPX_OF_THREE(__vimin3, __heddle_dpx_min3)
HEDDLE_DPX_OF_THREE(__viaddmax, __heddle_dpx_addmax)
HEDDLE_DPX_OF_THREE(__viaddmin, __heddle_dpx_addmin)

/// The predicates say whether the first was taken, the first too where both are equal.
#define HEDDLE_DPX_OF_TWO(EXTREME, SIGN)                                                                           \
  HEDDLE_BOTH int __vi##EXTREME##_s32_relu(int a, int b) { return __vi##EXTREME##3_s32_relu(a, b, b); }            \
  HEDDLE_BOTH unsigned int __vi##EXTREME##_s16x2_relu(unsigned int a, unsigned int b) {                            \
    return __vi##EXTREME##3_s16x2_relu(a, b, b);                                                                   \
  }                                                                                                                \
  HEDDLE_BOTH int __vib##EXTREME##_s32(int a, int b, bool* is_first) {                                             \
    *is_first = a SIGN b;                                                                                          \
    return *is_first ? a : b;                                                                                      \
  }                                                                                                                \
  HEDDLE_BOTH unsigned int __vib##EXTREME##_u32(unsigned int a, unsigned int b, bool* is_first) {                  \
    *is_first = a SIGN b;                                                                                          \
    return *is_first ? a : b;                                                                                      \
  }                                                                                                                \
  HEDDLE_BOTH unsigned int __vib##EXTREME##_s16x2(unsigned int a, unsigned int b, bool* is_high, bool* is_low) {   \
    *is_high = (short)(a >> 16) SIGN(short)(b >> 16);                                                              \
    *is_low = (short)a SIGN(short) b;                                                                              \
    return __vi##EXTREME##3_s16x2(a, b, b);                                                                        \
  }                                                                                                                \
  HEDDLE_BOTH unsigned int __vib##EXTREME##_u16x2(unsigned int a, unsigned int b, bool* is_high, bool* is_low) {   \
    *is_high = (a >> 16) SIGN(b >> 16);                                                                            \
    *is_low = (a & 0xffffu) SIGN(b & 0xffffu);                                                                     \
    return __vi##EXTREME##3_u16x2(a, b, b);                                                                        \
  }
HEDDLE_DPX_OF_TWO(max, >=)
HEDDLE_DPX_OF_TWO(min, <=)

#undef HEDDLE_DPX_OF_TWO
#undef HEDDLE_DPX_OF_THREE
#undef HEDDLE_DPX_EXTREME
#undef HEDDLE_BOTH

#endif
