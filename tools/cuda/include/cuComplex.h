// Complex numbers as pairs: construction, parts, conjugates, arithmetic. A quotient is scaled, so that what is
// between does not overflow.
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include <math.h>

#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define HEDDLE_COMPLEX static __inline__ __host__ __device__
/// T is the type of a part, C of a number; NAME puts cu before a name, and f behind it for floats.
#define HEDDLE_COMPLEX_FUNCTIONS(T, C, MAKE, NAME, ABS, HYPOT)                    \
  HEDDLE_COMPLEX C MAKE(T real, T imaginary) {                                    \
    C made;                                                                       \
    made.x = real;                                                                \
    made.y = imaginary;                                                           \
    return made;                                                                  \
  }                                                                               \
  HEDDLE_COMPLEX T NAME(Creal)(C a) { return a.x; }                               \
  HEDDLE_COMPLEX T NAME(Cimag)(C a) { return a.y; }                               \
  HEDDLE_COMPLEX C NAME(Conj)(C a) { return MAKE(a.x, -a.y); }                    \
  HEDDLE_COMPLEX C NAME(Cadd)(C a, C b) { return MAKE(a.x + b.x, a.y + b.y); }    \
  HEDDLE_COMPLEX C NAME(Csub)(C a, C b) { return MAKE(a.x - b.x, a.y - b.y); }    \
  HEDDLE_COMPLEX C NAME(Cmul)(C a, C b) {                                         \
    return MAKE(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                    \
  }                                                                               \
  HEDDLE_COMPLEX C NAME(Cdiv)(C a, C b) {                                         \
    const T scale = 1 / (ABS(b.x) + ABS(b.y));                                    \
    const T ax = a.x * scale, ay = a.y * scale;                                   \
    const T bx = b.x * scale, by = b.y * scale;                                   \
    const T inverse = 1 / (bx * bx + by * by);                                    \
    return MAKE((ax * bx + ay * by) * inverse, (ay * bx - ax * by) * inverse);    \
  }                                                                               \
  HEDDLE_COMPLEX T NAME(Cabs)(C a) { return HYPOT(a.x, a.y); }                    \
  HEDDLE_COMPLEX C NAME(Cfma)(C a, C b, C c) {                                    \
    return MAKE(a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x);        \
  }

#define HEDDLE_FLOAT_NAME(NAME) cu##NAME##f
#define HEDDLE_DOUBLE_NAME(NAME) cu##NAME
HEDDLE_COMPLEX_FUNCTIONS(float, cuFloatComplex, make_cuFloatComplex, HEDDLE_FLOAT_NAME, fabsf, hypotf)
HEDDLE_COMPLEX_FUNCTIONS(double, cuDoubleComplex, make_cuDoubleComplex, HEDDLE_DOUBLE_NAME, fabs, hypot)

HEDDLE_COMPLEX cuComplex make_cuComplex(float real, float imaginary) { return make_cuFloatComplex(real, imaginary); }
HEDDLE_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return make_cuDoubleComplex(a.x, a.y); }
HEDDLE_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return make_cuFloatComplex((float)a.x, (float)a.y);
}

#undef HEDDLE_DOUBLE_NAME
#undef HEDDLE_FLOAT_NAME
#undef HEDDLE_COMPLEX_FUNCTIONS
#undef HEDDLE_COMPLEX

#endif
