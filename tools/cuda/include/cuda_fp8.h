// Numbers of eight bits: e4m3 (up to 448, no infinity) and e5m2 (the upper byte of a half). They are kept and converted;
// CUDA has no arithmetic for them. Conversions round to nearest, ties to even; NaN is 0x7f.
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#define HEDDLE_BOTH static __inline__ __host__ __device__ __attribute__((always_inline))

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t {
  __NV_NOSAT,      // What is too great becomes infinity, with e4m3 NaN.
  __NV_SATFINITE,  // What is too great, infinity too, becomes the greatest number.
} __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t {
  __NV_E4M3,
  __NV_E5M2,
} __nv_fp8_interpretation_t;

HEDDLE_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(float value, __nv_saturation_t saturation,
                                                     __nv_fp8_interpretation_t kind) {
  const int digits = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
  const unsigned int greatest = kind == __NV_E4M3 ? 0x7eu : 0x7bu;
  unsigned int x;
  __builtin_memcpy(&x, &value, sizeof(x));
  const unsigned int sign = (x >> 24) & 0x80u;
  x &= 0x7fffffffu;
  if (x > 0x7f800000u) return 0x7fu;
  const int e = (int)(x >> 23) - 127 + bias;
  const int drop = 23 - digits + (e > 0 ? 0 : 1 - e);
  if (drop > 24) return (__nv_fp8_storage_t)sign;  // Less than half of the least number.
  const unsigned int m = (x & 0x7fffffu) | 0x800000u;
  const unsigned int rest = m & ((1u << drop) - 1), half = 1u << (drop - 1);
  unsigned int whole = (e > 0 ? (unsigned int)(e - 1) << digits : 0u) + (m >> drop);
  whole += rest > half || (rest == half && (whole & 1u)) ? 1u : 0u;
  if (whole > greatest) whole = saturation == __NV_SATFINITE ? greatest : greatest + 1u;
  return (__nv_fp8_storage_t)(sign | whole);
}
HEDDLE_BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(double value, __nv_saturation_t saturation,
                                                      __nv_fp8_interpretation_t kind) {
  // Rounded to odd first, so that rounding twice gives what rounding once does.
  float near = (float)value;
  if (near == near && (double)near != value) {
    unsigned int bits;
    __builtin_memcpy(&bits, &near, sizeof(bits));
    const double size = value < 0 ? -value : value, near_size = near < 0 ? -(double)near : (double)near;
    if (near_size > size) --bits;
    bits |= 1u;
    __builtin_memcpy(&near, &bits, sizeof(near));
  }
  return __nv_cvt_float_to_fp8(near, saturation, kind);
}
HEDDLE_BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 value, __nv_saturation_t saturation,
                                                          __nv_fp8_interpretation_t kind) {
  return (__nv_fp8x2_storage_t)(__nv_cvt_float_to_fp8(value.x, saturation, kind) |
                                (__nv_cvt_float_to_fp8(value.y, saturation, kind) << 8));
}
HEDDLE_BOTH __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 value, __nv_saturation_t saturation,
                                                           __nv_fp8_interpretation_t kind) {
  return (__nv_fp8x2_storage_t)(__nv_cvt_double_to_fp8(value.x, saturation, kind) |
                                (__nv_cvt_double_to_fp8(value.y, saturation, kind) << 8));
}
HEDDLE_BOTH __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw value, __nv_saturation_t saturation,
                                                       __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__heddle_half_value(value.x), saturation, kind);
}
HEDDLE_BOTH __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw value, __nv_saturation_t saturation,
                                                            __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float2_to_fp8x2(make_float2(__heddle_half_value(value.x), __heddle_half_value(value.y)), saturation,
                                  kind);
}
HEDDLE_BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw value, __nv_saturation_t saturation,
                                                           __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__heddle_bfloat_value(value.x), saturation, kind);
}
HEDDLE_BOTH __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw value, __nv_saturation_t saturation,
                                                                __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float2_to_fp8x2(make_float2(__heddle_bfloat_value(value.x), __heddle_bfloat_value(value.y)),
                                  saturation, kind);
}

/// Each number of eight bits is a half.
HEDDLE_BOTH float __heddle_fp8_value(__nv_fp8_storage_t bits, __nv_fp8_interpretation_t kind) {
  if (kind == __NV_E5M2 || (bits & 0x7fu) == 0x7fu) return __heddle_half_value((unsigned short)(bits << 8));
  const unsigned int e = (bits >> 3) & 15u, m = bits & 7u, sign = (unsigned int)(bits & 0x80u) << 24;
  if (e == 0) return (bits & 0x80u ? -1.0f : 1.0f) * (float)m * 0.001953125f;
  const unsigned int x = sign | ((e + 120u) << 23) | (m << 20);
  float value;
  __builtin_memcpy(&value, &x, sizeof(value));
  return value;
}
HEDDLE_BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t bits, __nv_fp8_interpretation_t kind) {
  return __half_raw{__heddle_half_bits(__heddle_fp8_value(bits, kind))};
}
HEDDLE_BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t bits, __nv_fp8_interpretation_t kind) {
  return __half2_raw{__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)bits, kind).x,
                     __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(bits >> 8), kind).x};
}

/// Numbers become these by saturating, as in CUDA.
#define HEDDLE_FP8_WHOLE(TYPE, KIND, WHOLE)                                                                            \
  explicit __host__ __device__ TYPE(WHOLE value) : __x(__nv_cvt_double_to_fp8((double)value, __NV_SATFINITE, KIND)) {} \
  explicit __host__ __device__ operator WHOLE() const { return (WHOLE)__heddle_fp8_value(__x, KIND); }
#define HEDDLE_FP8(TYPE, KIND)                                                                                       \
  struct TYPE {                                                                                                      \
    __nv_fp8_storage_t __x;                                                                                          \
                                                                                                                     \
    TYPE() = default;                                                                                                \
    explicit __host__ __device__ TYPE(__half value) : __x(__nv_cvt_halfraw_to_fp8(value, __NV_SATFINITE, KIND)) {}   \
    explicit __host__ __device__ TYPE(__nv_bfloat16 value)                                                           \
        : __x(__nv_cvt_bfloat16raw_to_fp8(value, __NV_SATFINITE, KIND)) {}                                           \
    explicit __host__ __device__ TYPE(float value) : __x(__nv_cvt_float_to_fp8(value, __NV_SATFINITE, KIND)) {}      \
    explicit __host__ __device__ TYPE(double value) : __x(__nv_cvt_double_to_fp8(value, __NV_SATFINITE, KIND)) {}    \
    explicit __host__ __device__ operator __half() const { return __half(__nv_cvt_fp8_to_halfraw(__x, KIND)); }      \
    explicit __host__ __device__ operator __nv_bfloat16() const {                                                    \
      return __nv_bfloat16(__heddle_fp8_value(__x, KIND));                                                           \
    }                                                                                                                \
    explicit __host__ __device__ operator float() const { return __heddle_fp8_value(__x, KIND); }                    \
    explicit __host__ __device__ operator double() const { return (double)__heddle_fp8_value(__x, KIND); }           \
    explicit __host__ __device__ operator bool() const { return (__x & 0x7fu) != 0; }                                \
    HEDDLE_FP8_WHOLE(TYPE, KIND, short)                                                                              \
    HEDDLE_FP8_WHOLE(TYPE, KIND, unsigned short)                                                                     \
    HEDDLE_FP8_WHOLE(TYPE, KIND, int)                                                                                \
    HEDDLE_FP8_WHOLE(TYPE, KIND, unsigned int)                                                                       \
    HEDDLE_FP8_WHOLE(TYPE, KIND, long)                                                                               \
    HEDDLE_FP8_WHOLE(TYPE, KIND, unsigned long)                                                                      \
    HEDDLE_FP8_WHOLE(TYPE, KIND, long long)                                                                          \
    HEDDLE_FP8_WHOLE(TYPE, KIND, unsigned long long)                                                                 \
  };
HEDDLE_FP8(__nv_fp8_e4m3, __NV_E4M3)
HEDDLE_FP8(__nv_fp8_e5m2, __NV_E5M2)

/// Two and four, the first in the lowest byte.
#define HEDDLE_FP8_PAIR(TYPE, KIND)                                                                                   \
  struct TYPE {                                                                                                       \
    __nv_fp8x2_storage_t __x;                                                                                         \
                                                                                                                      \
    TYPE() = default;                                                                                                 \
    explicit __host__ __device__ TYPE(__half2 value)                                                                  \
        : __x(__nv_cvt_halfraw2_to_fp8x2(value, __NV_SATFINITE, KIND)) {}                                             \
    explicit __host__ __device__ TYPE(__nv_bfloat162 value)                                                           \
        : __x(__nv_cvt_bfloat16raw2_to_fp8x2(value, __NV_SATFINITE, KIND)) {}                                         \
    explicit __host__ __device__ TYPE(float2 value) : __x(__nv_cvt_float2_to_fp8x2(value, __NV_SATFINITE, KIND)) {}   \
    explicit __host__ __device__ TYPE(double2 value) : __x(__nv_cvt_double2_to_fp8x2(value, __NV_SATFINITE, KIND)) {} \
    explicit __host__ __device__ operator __half2() const {                                                           \
      return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, KIND));                                                          \
    }                                                                                                                 \
    explicit __host__ __device__ operator float2() const {                                                            \
      return make_float2(__heddle_fp8_value((__nv_fp8_storage_t)__x, KIND),                                           \
                         __heddle_fp8_value((__nv_fp8_storage_t)(__x >> 8), KIND));                                   \
    }                                                                                                                 \
  };
HEDDLE_FP8_PAIR(__nv_fp8x2_e4m3, __NV_E4M3)
HEDDLE_FP8_PAIR(__nv_fp8x2_e5m2, __NV_E5M2)

#define HEDDLE_FP8_FOUR(TYPE, PAIR)                                                                             \
  struct TYPE {                                                                                                 \
    __nv_fp8x4_storage_t __x;                                                                                   \
                                                                                                                \
    TYPE() = default;                                                                                           \
    template <typename Two>                                                                                     \
    __host__ __device__ TYPE(Two low, Two high) : __x(PAIR(low).__x | ((unsigned int)PAIR(high).__x << 16)) {}  \
    explicit __host__ __device__ TYPE(float4 value)                                                             \
        : TYPE(make_float2(value.x, value.y), make_float2(value.z, value.w)) {}                                 \
    explicit __host__ __device__ TYPE(double4 value)                                                            \
        : TYPE(make_double2(value.x, value.y), make_double2(value.z, value.w)) {}                               \
    explicit __host__ __device__ operator float4() const {                                                      \
      PAIR low, high;                                                                                           \
      low.__x = (__nv_fp8x2_storage_t)__x;                                                                      \
      high.__x = (__nv_fp8x2_storage_t)(__x >> 16);                                                             \
      const float2 a = (float2)low, b = (float2)high;                                                           \
      return make_float4(a.x, a.y, b.x, b.y);                                                                   \
    }                                                                                                           \
  };
HEDDLE_FP8_FOUR(__nv_fp8x4_e4m3, __nv_fp8x2_e4m3)
HEDDLE_FP8_FOUR(__nv_fp8x4_e5m2, __nv_fp8x2_e5m2)

#undef HEDDLE_FP8_FOUR
#undef HEDDLE_FP8_PAIR
#undef HEDDLE_FP8
#undef HEDDLE_FP8_WHOLE
#undef HEDDLE_BOTH

#endif
