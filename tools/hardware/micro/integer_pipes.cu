// Latency and interval of integer instructions and conversions.
#include "tools/hardware/micro/pipes.h"

namespace kit {

namespace {

/// An operation whose arithmetic the CPU can do, too: Derived::next is one step.
template <class Derived, class V = unsigned>
struct Integer : Operation<V> {
  static V seed() { return 0x12345677; }
  static V a() { return 0x00550013; }
  static V b() { return 0x00c3a5e1; }
  static V after(V x, V a, V b, int n) {
    for (int i = 0; i < n; ++i) x = Derived::next(x, a, b);
    return x;
  }
};

struct Iadd3 : Integer<Iadd3> {
  static __device__ void step(unsigned& x, unsigned a, unsigned b) {
    asm volatile("{ .reg .u32 t; add.u32 t, %0, %1; add.u32 %0, t, %2; }" : "+r"(x) : "r"(a), "r"(b));
  }
  static unsigned next(unsigned x, unsigned a, unsigned b) { return x + a + b; }
};

struct Imad : Integer<Imad> {
  static __device__ void step(unsigned& x, unsigned a, unsigned b) {
    asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
  }
  static unsigned next(unsigned x, unsigned a, unsigned b) { return x * a + b; }
};

/// Both halves of the result are used; otherwise the compiler would compute only one.
struct ImadWide : Integer<ImadWide, unsigned long long> {
  static unsigned long long seed() { return 0x9e3779b97f4a7c15; }
  static __device__ void step(unsigned long long& x, unsigned long long, unsigned long long) {
    asm volatile("{ .reg .u32 l, h; mov.b64 {l, h}, %0; mul.wide.u32 %0, l, h; }" : "+l"(x));
  }
  static unsigned long long next(unsigned long long x, unsigned long long, unsigned long long) {
    return (x >> 32) * (x & 0xffffffff);
  }
};

struct ImadHi : Integer<ImadHi> {
  static unsigned a() { return 0xfffffff1; }
  static __device__ void step(unsigned& x, unsigned a, unsigned b) {
    asm volatile("mad.hi.u32 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
  }
  static unsigned next(unsigned x, unsigned a, unsigned b) {
    return static_cast<unsigned>(std::uint64_t{x} * a >> 32) + b;
  }
};

struct Lop3 : Integer<Lop3> {
  static constexpr unsigned kTable = 0x6a;
  static __device__ void step(unsigned& x, unsigned a, unsigned b) {
    asm volatile("lop3.b32 %0, %0, %1, %2, 0x6a;" : "+r"(x) : "r"(a), "r"(b));
  }
  static unsigned next(unsigned x, unsigned a, unsigned b) {
    unsigned result = 0;
    for (unsigned bit = 0; bit < 32; ++bit) {
      const unsigned row = (x >> bit & 1) * 4 + (a >> bit & 1) * 2 + (b >> bit & 1);
      result |= (kTable >> row & 1) << bit;
    }
    return result;
  }
};

struct Shf : Integer<Shf> {
  static unsigned b() { return 7; }
  static __device__ void step(unsigned& x, unsigned a, unsigned b) {
    asm volatile("shf.l.wrap.b32 %0, %1, %0, %2;" : "+r"(x) : "r"(a), "r"(b));
  }
  static unsigned next(unsigned x, unsigned a, unsigned b) { return x << b | a >> (32 - b); }
};

struct Prmt : Integer<Prmt> {
  static unsigned b() { return 0x1605; }
  static __device__ void step(unsigned& x, unsigned a, unsigned b) {
    asm volatile("prmt.b32 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
  }
  static unsigned next(unsigned x, unsigned a, unsigned b) {
    const std::uint64_t bytes = std::uint64_t{a} << 32 | x;
    unsigned result = 0;
    for (unsigned i = 0; i < 4; ++i)
      result |= static_cast<unsigned>(bytes >> 8 * (b >> 4 * i & 7) & 255) << 8 * i;
    return result;
  }
};

/// A signed maximum and a signed minimum in turn.
struct Imnmx : Integer<Imnmx> {
  static constexpr int kInstructions = 2;
  static unsigned b() { return 0x00440000; }
  static __device__ void step(unsigned& x, unsigned a, unsigned b) {
    asm volatile("{ .reg .s32 t; min.s32 t, %0, %1; max.s32 %0, t, %2; }" : "+r"(x) : "r"(a), "r"(b));
  }
  static unsigned next(unsigned x, unsigned a, unsigned b) {
    const unsigned least = x < a ? x : a;  // all numbers are non-negative
    return least > b ? least : b;
  }
};

struct Popc : Integer<Popc> {
  static __device__ void step(unsigned& x, unsigned, unsigned) { asm volatile("popc.b32 %0, %0;" : "+r"(x)); }
  static unsigned next(unsigned x, unsigned, unsigned) {
    return static_cast<unsigned>(__builtin_popcount(x));
  }
};

struct Flo : Integer<Flo> {
  static __device__ void step(unsigned& x, unsigned, unsigned) {
    asm volatile("bfind.u32 %0, %0;" : "+r"(x));
  }
  static unsigned next(unsigned x, unsigned, unsigned) {
    return x == 0 ? 0xffffffff : 31 - static_cast<unsigned>(__builtin_clz(x));
  }
};

/// A conversion to float and back. Without the sum in between, the compiler would remove all but the first.
struct I2fFaddF2i : Integer<I2fFaddF2i> {
  static __device__ void step(unsigned& x, unsigned, unsigned) {
    asm volatile("{ .reg .f32 t; cvt.rn.f32.s32 t, %0; add.rn.f32 t, t, 0f41A00000; cvt.rzi.s32.f32 %0, t; }"
                 : "+r"(x));
  }
  static unsigned next(unsigned x, unsigned, unsigned) {
    return static_cast<unsigned>(static_cast<int>(static_cast<float>(static_cast<int>(x)) + 20));
  }
};

/// A comparison, and a selection that depends on it.
struct IsetpSel : Integer<IsetpSel> {
  static __device__ void step(unsigned& x, unsigned a, unsigned b) {
    asm volatile("{ .reg .pred p; setp.gt.u32 p, %0, %1; selp.u32 %0, %1, %2, p; }"
                 : "+r"(x)
                 : "r"(a), "r"(b));
  }
  static unsigned next(unsigned x, unsigned a, unsigned b) { return x > a ? a : b; }
};

struct Idp : Integer<Idp> {
  static __device__ void step(unsigned& x, unsigned a, unsigned b) {
    asm volatile("dp4a.u32.u32 %0, %1, %2, %0;" : "+r"(x) : "r"(a), "r"(b));
  }
  static unsigned next(unsigned x, unsigned a, unsigned b) {
    for (int i = 0; i < 32; i += 8) x += (a >> i & 255) * (b >> i & 255);
    return x;
  }
};

}  // namespace

void measure_integer_pipes(Bench& bench) {
  measure_pipe<Iadd3>(bench, "IADD3");
  measure_pipe<Imad>(bench, "IMAD");
  measure_pipe<ImadWide>(bench, "IMAD.WIDE");
  measure_pipe<ImadHi>(bench, "IMAD.HI");
  measure_pipe<Lop3>(bench, "LOP3");
  measure_pipe<Shf>(bench, "SHF");
  measure_pipe<Prmt>(bench, "PRMT");
  measure_pipe<Imnmx>(bench, "IMNMX");
  measure_pipe<Popc>(bench, "POPC");
  measure_pipe<Flo>(bench, "FLO");
  measure_pipe<I2fFaddF2i>(bench, "I2F+FADD+F2I");
  measure_pipe<IsetpSel>(bench, "ISETP+SEL");
  measure_pipe<Idp>(bench, "IDP.4A");
}

}  // namespace kit
