// Latency and interval of float, double and half-precision instructions, and of special functions.
#include "tools/hardware/micro/pipes.h"

namespace kit {

namespace {

struct Fadd : Operation<float> {
  static float seed() { return 3; }
  static float a() { return 0.25f; }
  static float b() { return 0; }
  static __device__ void step(float& x, float a, float) {
    asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(a));
  }
  static float after(float x, float a, float, int n) { return x + a * static_cast<float>(n); }
};

struct Fmul : Operation<float> {
  static float seed() { return 3; }
  static float a() { return 0.999f; }
  static float b() { return 0; }
  static __device__ void step(float& x, float a, float) {
    asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(a));
  }
  static float after(float x, float a, float, int n) {
    for (int i = 0; i < n; ++i) x *= a;
    return x;
  }
};

struct Dadd : Operation<double> {
  static double seed() { return 3; }
  static double a() { return 0.25; }
  static double b() { return 0; }
  static __device__ void step(double& x, double a, double) {
    asm volatile("add.rn.f64 %0, %0, %1;" : "+d"(x) : "d"(a));
  }
  static double after(double x, double a, double, int n) { return x + a * n; }
};

struct Dmul : Operation<double> {
  static double seed() { return 3; }
  static double a() { return 0.999; }
  static double b() { return 0; }
  static __device__ void step(double& x, double a, double) {
    asm volatile("mul.rn.f64 %0, %0, %1;" : "+d"(x) : "d"(a));
  }
  static double after(double x, double a, double, int n) {
    for (int i = 0; i < n; ++i) x *= a;
    return x;
  }
};

/// Pairs of half-precision numbers that an operation leaves unchanged, so the CPU needs no half-precision
/// arithmetic.
struct Halves : Operation<unsigned> {
  static constexpr unsigned kThreeAndTwo = 0x42004000, kOnes = 0x3c003c00;
  static unsigned seed() { return kThreeAndTwo; }
  static unsigned after(unsigned x, unsigned, unsigned, int) { return x; }
};

struct Hfma2 : Halves {
  static unsigned a() { return kOnes; }
  static unsigned b() { return 0; }
  static __device__ void step(unsigned& x, unsigned a, unsigned b) {
    asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
  }
};

struct Hadd2 : Halves {
  static unsigned a() { return 0; }
  static unsigned b() { return 0; }
  static __device__ void step(unsigned& x, unsigned a, unsigned) {
    asm volatile("add.rn.f16x2 %0, %0, %1;" : "+r"(x) : "r"(a));
  }
};

/// The compiler would remove the reciprocal of a reciprocal, so there is a sum in between.
struct MufuRcpFadd : Approximation {
  static float seed() { return 3; }
  static float a() { return 1; }
  static float b() { return 0; }
  static __device__ void step(float& x, float a, float) {
    asm volatile("{ .reg .f32 t; rcp.approx.ftz.f32 t, %0; add.rn.f32 %0, t, %1; }" : "+f"(x) : "f"(a));
  }
  static float after(float, float, float, int) { return 1.618034f; }  // the limit of the chain
};

struct MufuRsq : Approximation {
  static float seed() { return 3; }
  static float a() { return 0; }
  static float b() { return 0; }
  static __device__ void step(float& x, float, float) {
    asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x));
  }
  static float after(float, float, float, int) { return 1; }  // the limit of the chain
};

struct MufuSqrt : Approximation {
  static float seed() { return 3; }
  static float a() { return 0; }
  static float b() { return 0; }
  static __device__ void step(float& x, float, float) {
    asm volatile("sqrt.approx.ftz.f32 %0, %0;" : "+f"(x));
  }
  static float after(float, float, float, int) { return 1; }
};

struct MufuEx2 : Approximation {
  static float seed() { return -3; }
  static float a() { return 0; }
  static float b() { return 0; }
  static __device__ void step(float& x, float, float) {
    asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
  }
  static float after(float, float, float, int) { return INFINITY; }  // 2^x > x
};

struct MufuLg2 : Approximation {
  static float seed() { return 3; }
  static float a() { return 0; }
  static float b() { return 0; }
  static __device__ void step(float& x, float, float) {
    asm volatile("lg2.approx.ftz.f32 %0, %0;" : "+f"(x));
  }
  static float after(float, float, float, int) { return NAN; }  // x falls below zero
};

struct MufuTanh : Approximation {
  static float seed() { return 3; }
  static float a() { return 0; }
  static float b() { return 0; }
  static __device__ void step(float& x, float, float) { asm volatile("tanh.approx.f32 %0, %0;" : "+f"(x)); }
  static float after(float x, float, float, int n) {
    for (int i = 0; i < n; ++i) x = std::tanh(x);
    return x;
  }
  static bool close(float have, float want) { return std::fabs(have - want) <= 0.1f * std::fabs(want); }
};

/// The hardware's sine takes turns instead of radians, so a product with 1 / (2 pi) precedes it.
struct FmulMufuSin : Approximation {
  static float seed() { return 3; }
  static float a() { return 0; }
  static float b() { return 0; }
  static __device__ void step(float& x, float, float) {
    asm volatile("sin.approx.ftz.f32 %0, %0;" : "+f"(x));
  }
  static float after(float x, float, float, int n) {
    for (int i = 0; i < n; ++i) x = std::sin(x);
    return x;
  }
  static bool close(float have, float want) { return std::fabs(have - want) <= 0.1f * std::fabs(want); }
};

}  // namespace

void measure_float_pipes(Bench& bench) {
  measure_pipe<Ffma>(bench, "FFMA");
  measure_pipe<Fadd>(bench, "FADD");
  measure_pipe<Fmul>(bench, "FMUL");
  measure_pipe<Dfma>(bench, "DFMA");
  measure_pipe<Dadd>(bench, "DADD");
  measure_pipe<Dmul>(bench, "DMUL");
  measure_pipe<Hfma2>(bench, "HFMA2");
  measure_pipe<Hadd2>(bench, "HADD2");
  measure_pipe<MufuRcpFadd>(bench, "MUFU.RCP+FADD");
  measure_pipe<MufuRsq>(bench, "MUFU.RSQ");
  measure_pipe<MufuSqrt>(bench, "MUFU.SQRT");
  measure_pipe<MufuEx2>(bench, "MUFU.EX2");
  measure_pipe<MufuLg2>(bench, "MUFU.LG2");
  measure_pipe<MufuTanh>(bench, "MUFU.TANH");
  measure_pipe<FmulMufuSin>(bench, "FMUL+MUFU.SIN");
}

}  // namespace kit
