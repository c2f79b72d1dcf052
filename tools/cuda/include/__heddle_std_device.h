// Functions of <cmath> that device code may call and that clang's headers leave out; new and delete for devices.
#ifndef HEDDLE_STD_DEVICE_H
#define HEDDLE_STD_DEVICE_H

#include <new>  // clang's own, which has new and delete for devices

// Overloads that clang's headers declare and leave to the toolkit to define.
static inline __device__ float acosh(float x) { return ::acoshf(x); }
static inline __device__ float asinh(float x) { return ::asinhf(x); }
static inline __device__ float atanh(float x) { return ::atanhf(x); }
static inline __device__ float cbrt(float x) { return ::cbrtf(x); }
static inline __device__ float erfc(float x) { return ::erfcf(x); }
static inline __device__ float erf(float x) { return ::erff(x); }
static inline __device__ float exp2(float x) { return ::exp2f(x); }
static inline __device__ float expm1(float x) { return ::expm1f(x); }
static inline __device__ float lgamma(float x) { return ::lgammaf(x); }
static inline __device__ float log1p(float x) { return ::log1pf(x); }
static inline __device__ float log2(float x) { return ::log2f(x); }
static inline __device__ float logb(float x) { return ::logbf(x); }
static inline __device__ float nearbyint(float x) { return ::nearbyintf(x); }
static inline __device__ float rint(float x) { return ::rintf(x); }
static inline __device__ float round(float x) { return ::roundf(x); }
static inline __device__ float tgamma(float x) { return ::tgammaf(x); }
static inline __device__ float trunc(float x) { return ::truncf(x); }
static inline __device__ float copysign(float x, float y) { return ::copysignf(x, y); }
static inline __device__ float fdim(float x, float y) { return ::fdimf(x, y); }
static inline __device__ float fmax(float x, float y) { return ::fmaxf(x, y); }
static inline __device__ float fmin(float x, float y) { return ::fminf(x, y); }
static inline __device__ float hypot(float x, float y) { return ::hypotf(x, y); }
static inline __device__ float nextafter(float x, float y) { return ::nextafterf(x, y); }
static inline __device__ float remainder(float x, float y) { return ::remainderf(x, y); }
static inline __device__ float fma(float x, float y, float z) { return ::fmaf(x, y, z); }
static inline __device__ int ilogb(float x) { return ::ilogbf(x); }
static inline __device__ long long llrint(float x) { return ::llrintf(x); }
static inline __device__ long lrint(float x) { return ::lrintf(x); }
static inline __device__ long lround(float x) { return ::lroundf(x); }
static inline __device__ long long llround(float x) { return ::llroundf(x); }
static inline __device__ float scalbn(float x, int n) { return ::scalbnf(x, n); }
static inline __device__ float scalbln(float x, long n) { return ::scalblnf(x, n); }

static inline __device__ float rsqrt(float x) { return ::rsqrtf(x); }
static inline __device__ float rcbrt(float x) { return ::rcbrtf(x); }
static inline __device__ float sinpi(float x) { return ::sinpif(x); }
static inline __device__ float cospi(float x) { return ::cospif(x); }
static inline __device__ float erfinv(float x) { return ::erfinvf(x); }
static inline __device__ float erfcinv(float x) { return ::erfcinvf(x); }
static inline __device__ float erfcx(float x) { return ::erfcxf(x); }
static inline __device__ float normcdf(float x) { return ::normcdff(x); }
static inline __device__ float normcdfinv(float x) { return ::normcdfinvf(x); }
static inline __device__ float exp10(float x) { return ::exp10f(x); }
static inline __device__ void sincos(float x, float* s, float* c) { ::sincosf(x, s, c); }
static inline __device__ void sincospi(float x, float* s, float* c) { ::sincospif(x, s, c); }

// The host half of a program may call what the toolkit declares for both sides.
static inline __host__ float rsqrtf(float x) { return 1.0f / ::sqrtf(x); }
static inline __host__ double rsqrt(double x) { return 1.0 / ::sqrt(x); }

#define HEDDLE_BOTH static inline __host__ __device__
static inline __host__ int min(int a, int b) { return a < b ? a : b; }
HEDDLE_BOTH unsigned int min(unsigned int a, unsigned int b) { return a < b ? a : b; }
HEDDLE_BOTH unsigned int min(int a, unsigned int b) { return min((unsigned int)a, b); }
HEDDLE_BOTH unsigned int min(unsigned int a, int b) { return min(a, (unsigned int)b); }
HEDDLE_BOTH long min(long a, long b) { return a < b ? a : b; }
HEDDLE_BOTH unsigned long min(unsigned long a, unsigned long b) { return a < b ? a : b; }
HEDDLE_BOTH long long min(long long a, long long b) { return a < b ? a : b; }
HEDDLE_BOTH unsigned long long min(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
static inline __host__ int max(int a, int b) { return a > b ? a : b; }
HEDDLE_BOTH unsigned int max(unsigned int a, unsigned int b) { return a > b ? a : b; }
HEDDLE_BOTH unsigned int max(int a, unsigned int b) { return max((unsigned int)a, b); }
HEDDLE_BOTH unsigned int max(unsigned int a, int b) { return max(a, (unsigned int)b); }
HEDDLE_BOTH long max(long a, long b) { return a > b ? a : b; }
HEDDLE_BOTH unsigned long max(unsigned long a, unsigned long b) { return a > b ? a : b; }
HEDDLE_BOTH long long max(long long a, long long b) { return a > b ? a : b; }
HEDDLE_BOTH unsigned long long max(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
#undef HEDDLE_BOTH
static inline __host__ __device__ float min(float a, float b) { return __builtin_fminf(a, b); }
static inline __host__ __device__ double min(double a, double b) { return __builtin_fmin(a, b); }
static inline __host__ __device__ double min(float a, double b) { return __builtin_fmin(a, b); }
static inline __host__ __device__ double min(double a, float b) { return __builtin_fmin(a, b); }
static inline __host__ __device__ float max(float a, float b) { return __builtin_fmaxf(a, b); }
static inline __host__ __device__ double max(double a, double b) { return __builtin_fmax(a, b); }
static inline __host__ __device__ double max(float a, double b) { return __builtin_fmax(a, b); }
static inline __host__ __device__ double max(double a, float b) { return __builtin_fmax(a, b); }

#endif
