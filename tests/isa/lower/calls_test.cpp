// Calls that are not inlined: recursive ones, and those of functions whose addresses are computed.
#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "isa/base/diagnostic.h"
#include "tests/support/catch.h"
#include "tests/support/ptx_kernel_run.h"

namespace heddle {

namespace {

using test::PtxKernelRun;

constexpr std::uint32_t kThreads = 64;

/// Runs it over generations, both mechanisms of divergence, and as few registers as there may be.
void check(const std::string& functions, const std::string& statements,
           const std::function<std::uint32_t(std::uint32_t)>& expected) {
  std::vector<std::uint32_t> input;
  for (std::uint32_t i = 0; i < kThreads; ++i) input.push_back(i * 7 % 11);
  for (const unsigned capability : {75U, 80U, 90U}) {
    for (const exec::Divergence divergence : {exec::Divergence::Barriers, exec::Divergence::Stack}) {
      for (const unsigned registers : {256U, 16U}) {
        CAPTURE(capability, divergence, registers);
        PtxKernelRun run{statements, capability, divergence, kThreads, functions, registers};
        const std::vector<std::uint32_t> output = run_ptx_kernel(run, input, kThreads);
        for (std::uint32_t i = 0; i < kThreads; ++i) {
          CAPTURE(i, input[i]);
          CHECK(output[i] == expected(input[i]));
        }
      }
    }
  }
}

/// A call of a function with one number, whose result is stored.
std::string store_call(const std::string& name) {
  return "{ .param .b32 p; .param .b32 r; st.param.b32 [p], %a; call.uni (r), " + name +
         ", (p); ld.param.b32 %x1, [r]; } st.global.b32 [%outa], %x1;";
}

std::uint32_t fibonacci(std::uint32_t n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

constexpr const char* kFibonacci = R"(
.func (.param .b32 result) fib (.param .b32 number)
{
  .reg .b32 %r<6>;
  .reg .pred %p;
  ld.param.b32 %r1, [number];
  setp.lt.u32 %p, %r1, 2;
  mov.b32 %r2, %r1;
  @%p bra DONE;
  add.u32 %r3, %r1, -1;
  { .param .b32 n; .param .b32 f;
    st.param.b32 [n], %r3;
    call.uni (f), fib, (n);
    ld.param.b32 %r4, [f]; }
  add.u32 %r3, %r1, -2;
  { .param .b32 n; .param .b32 f;
    st.param.b32 [n], %r3;
    call.uni (f), fib, (n);
    ld.param.b32 %r5, [f]; }
  add.u32 %r2, %r4, %r5;
DONE:
  st.param.b32 [result], %r2;
  ret;
}
)";

}  // namespace

TEST_CASE("A function that calls itself twice keeps what it needs in between") {
  check(kFibonacci, store_call("fib"), fibonacci);
}

TEST_CASE("Lanes that return from a recursive call at different depths go on together") {
  check(kFibonacci, store_call("fib") + "activemask.b32 %x2; st.global.b32 [%outa], %x2;",
        [](std::uint32_t) { return 0xffffffff; });
}

TEST_CASE("Lanes meet within a recursive function, too") {
  // Lanes leave the short branch one by one; all of the same depth count each other behind it.
  constexpr const char* kMeet = R"(
.func (.param .b32 result) meet (.param .b32 number, .param .b32 depth)
{
  .reg .b32 %r<9>;
  .reg .pred %p, %q;
  ld.param.b32 %r1, [number];
  ld.param.b32 %r2, [depth];
  mov.b32 %r4, 0;
  setp.eq.u32 %p, %r2, 0;
  @%p bra DONE;
  and.b32 %r5, %r1, 1;
  setp.ne.u32 %q, %r5, 0;
  @%q bra ODD;
  add.u32 %r6, %r2, -1;
  { .param .b32 n; .param .b32 d; .param .b32 f;
    st.param.b32 [n], %r1; st.param.b32 [d], %r6;
    call.uni (f), meet, (n, d);
    ld.param.b32 %r4, [f]; }
  bra BOTH;
ODD:
  add.u32 %r4, %r1, %r2;
  xor.b32 %r4, %r4, %r4;
BOTH:
  activemask.b32 %r7;
  popc.b32 %r7, %r7;
  add.u32 %r4, %r4, %r7;
DONE:
  st.param.b32 [result], %r4;
  ret;
}
)";
  // All 32 lanes call with a depth of 3. Odd lanes leave the first call; 16 even ones go on twice.
  check(kMeet, R"({ .param .b32 p; .param .b32 d; .param .b32 r; st.param.b32 [p], %lane; mov.b32 %x3, 3;
    st.param.b32 [d], %x3; call.uni (r), meet, (p, d); ld.param.b32 %x1, [r]; }
    and.b32 %x4, %lane, 1; setp.ne.u32 %p1, %x4, 0; @%p1 mov.b32 %x1, 64; st.global.b32 [%outa], %x1;)",
        [](std::uint32_t) { return 32U + 16 + 16; });
}

TEST_CASE("Two functions that call each other") {
  // Each is what the other one is not of the number before.
  const auto function = [](const char* name, const char* other, int of_zero) {
    return fmt::format(R"(
.func (.param .b32 result) {0} (.param .b32 number)
{{
  .reg .b32 %r<3>;
  .reg .pred %p;
  ld.param.b32 %r1, [number];
  setp.eq.u32 %p, %r1, 0;
  mov.b32 %r2, {2};
  @%p bra DONE;
  add.u32 %r1, %r1, -1;
  {{ .param .b32 n; .param .b32 f; st.param.b32 [n], %r1; call.uni (f), {1}, (n);
    ld.param.b32 %r2, [f]; }}
DONE:
  st.param.b32 [result], %r2;
  ret;
}}
)",
                       name, other, of_zero);
  };
  const std::string parity = ".func (.param .b32 result) is_odd (.param .b32 number);" +
                             function("is_even", "is_odd", 1) + function("is_odd", "is_even", 0);
  check(parity, store_call("is_odd"), [](std::uint32_t n) { return n % 2; });
}

TEST_CASE("Predicates, doubles and an array are a call's own in a recursive function") {
  // sum(n) = n is even ? n + a[n % 4] + sum(n - 1) : 3 n + a[n % 4] + sum(n - 1), where a[i] = 10 n + i.
  constexpr const char* kSum = R"(
.func (.param .f64 result) sum (.param .b32 number)
{
  .local .align 8 .b32 array[4];
  .reg .b32 %r<9>;
  .reg .b64 %l<5>;
  .reg .f64 %d<6>;
  .reg .pred %p, %q;
  ld.param.b32 %r1, [number];
  setp.eq.u32 %p, %r1, 0;
  mov.f64 %d1, 0d0000000000000000;
  @%p bra DONE;
  mul.lo.u32 %r2, %r1, 10;
  st.local.b32 [array], %r2;
  add.u32 %r3, %r2, 1;
  st.local.b32 [array+4], %r3;
  mov.u64 %l1, array;
  cvta.local.u64 %l2, %l1;
  add.u32 %r3, %r2, 2;
  st.b32 [%l2+8], %r3;
  add.u32 %r3, %r2, 3;
  st.local.b32 [%l1+12], %r3;
  cvt.rn.f64.u32 %d2, %r1;
  and.b32 %r4, %r1, 1;
  setp.ne.u32 %q, %r4, 0;
  add.u32 %r5, %r1, -1;
  { .param .b32 n; .param .f64 f; st.param.b32 [n], %r5; call.uni (f), sum, (n);
    ld.param.f64 %d3, [f]; }
  @%q mul.f64 %d2, %d2, 0d4008000000000000;
  and.b32 %r6, %r1, 3;
  mul.wide.u32 %l3, %r6, 4;
  add.u64 %l4, %l1, %l3;
  ld.local.b32 %r7, [%l4];
  cvt.rn.f64.u32 %d4, %r7;
  add.f64 %d1, %d2, %d3;
  add.f64 %d1, %d1, %d4;
DONE:
  st.param.f64 [result], %d1;
  ret;
}
)";
  check(kSum, R"({ .param .b32 p; .param .f64 r; st.param.b32 [p], %a; call.uni (r), sum, (p);
    ld.param.f64 %d1, [r]; } cvt.rzi.u32.f64 %x1, %d1; st.global.b32 [%outa], %x1;)",
        [](std::uint32_t n) {
          std::uint32_t sum = 0;
          for (; n > 0; --n) sum += (n % 2 == 0 ? n : 3 * n) + 10 * n + n % 4;
          return sum;
        });
}

namespace {

constexpr const char* kTable = R"(
.func (.param .b32 result) twice (.param .b32 number)
{
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [number]; add.u32 %r2, %r1, %r1; st.param.b32 [result], %r2; ret;
}
.func (.param .b32 result) square (.param .b32 number)
{
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [number]; mul.lo.u32 %r2, %r1, %r1; st.param.b32 [result], %r2; ret;
}
.func (.param .b32 result) negative (.param .b32 number)
{
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [number]; neg.s32 %r2, %r1; st.param.b32 [result], %r2; ret;
}
.func nothing () { ret; }
)";

std::uint32_t by_table(std::uint32_t n) { return n % 3 == 0 ? 2 * n : n % 3 == 1 ? n * n : 0U - n; }

/// Puts the function's address into %y1.
constexpr const char* kChoose = R"(
  rem.u32 %x2, %a, 3;
  mov.u64 %y1, twice;
  setp.eq.u32 %p1, %x2, 1;
  @%p1 mov.u64 %y1, square;
  setp.eq.u32 %p1, %x2, 2;
  @%p1 mov.u64 %y1, negative;
)";

}  // namespace

TEST_CASE("Each lane calls the function whose address it has") {
  check(kTable, std::string(kChoose) + R"({ .param .b32 p; .param .b32 r;
    st.param.b32 [p], %a;
    proto: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (r), %y1, (p), proto;
    ld.param.b32 %x1, [r]; } activemask.b32 %x3; setp.ne.u32 %p2, %x3, -1; @%p2 mov.b32 %x1, 0;
    st.global.b32 [%outa], %x1;)",
        by_table);
}

TEST_CASE("A call chooses from the functions of its table") {
  check(kTable, std::string(kChoose) + R"({ .param .b32 p; .param .b32 r;
    st.param.b32 [p], %a;
    targets: .calltargets twice, square, negative;
    call (r), %y1, (p), targets;
    ld.param.b32 %x1, [r]; } st.global.b32 [%outa], %x1;)",
        by_table);
}

TEST_CASE("A function that is called through its address may call itself") {
  check(std::string(kFibonacci) + kTable, R"(
  mov.u64 %y1, fib;
  setp.gt.u32 %p1, %a, 5;
  @%p1 mov.u64 %y1, square;
  { .param .b32 p; .param .b32 r;
    st.param.b32 [p], %a;
    proto: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (r), %y1, (p), proto;
    ld.param.b32 %x1, [r]; } st.global.b32 [%outa], %x1;)",
        [](std::uint32_t n) { return n > 5 ? n * n : fibonacci(n); });
}

TEST_CASE("An address of no function that fits ends the program, and so does a recursion without an end") {
  const std::vector<std::uint32_t> input(kThreads, 1);
  // `nothing` has no parameter.
  PtxKernelRun wrong{R"(mov.u64 %y1, nothing; mov.u64 %y2, twice; { .param .b32 p; .param .b32 r;
    st.param.b32 [p], %a;
    proto: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (r), %y1, (p), proto;
    ld.param.b32 %x1, [r]; } st.global.b32 [%outa], %x1;)"};
  wrong.functions = kTable;
  CHECK_THROWS_WITH(run_ptx_kernel(wrong, input, kThreads), Catch::Contains("trap"));
  PtxKernelRun endless{store_call("endless")};
  endless.functions = R"(
.func (.param .b32 result) endless (.param .b32 number)
{
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [number];
  { .param .b32 n; .param .b32 f; st.param.b32 [n], %r1; call.uni (f), endless, (n);
    ld.param.b32 %r2, [f]; }
  add.u32 %r2, %r2, %r1;
  st.param.b32 [result], %r2;
  ret;
}
)";
  CHECK_THROWS_WITH(run_ptx_kernel(endless, input, kThreads), Catch::Contains("trap"));
}

TEST_CASE("A guarded recursive call, a structure by value and 64 bits") {
  constexpr const char* kStruct = R"(
.func (.param .b64 result) fold (.param .align 8 .b8 pair[16], .param .b32 rest)
{
  .reg .b64 %l<6>;
  .reg .b32 %r<3>;
  .reg .pred %p;
  ld.param.b64 %l1, [pair];
  ld.param.b64 %l2, [pair+8];
  ld.param.b32 %r1, [rest];
  setp.ne.u32 %p, %r1, 0;
  add.u32 %r2, %r1, -1;
  add.u64 %l3, %l1, %l2;
  mov.b64 %l4, %l1;
  { .param .align 8 .b8 q[16]; .param .b32 n; .param .b64 f;
    st.param.b64 [q], %l2; st.param.b64 [q+8], %l3; st.param.b32 [n], %r2;
    @%p call (f), fold, (q, n);
    @%p ld.param.b64 %l4, [f]; }
  add.u64 %l4, %l4, %l1;
  st.param.b64 [result], %l4;
  ret;
}
)";
  const std::function<std::uint64_t(std::uint64_t, std::uint64_t, std::uint32_t)> fold =
      [&](std::uint64_t one, std::uint64_t other, std::uint32_t rest) -> std::uint64_t {
    return one + (rest == 0 ? one : fold(other, one + other, rest - 1));
  };
  check(kStruct, R"({ .param .align 8 .b8 q[16]; .param .b32 n; .param .b64 f;
    mov.b64 %y1, 0x100000001; mov.b64 %y2, 5;
    st.param.b64 [q], %y1; st.param.b64 [q+8], %y2; st.param.b32 [n], %a;
    call (f), fold, (q, n);
    ld.param.b64 %y3, [f]; }
    shr.u64 %y4, %y3, 32; xor.b64 %y3, %y3, %y4; cvt.u32.u64 %x1, %y3; st.global.b32 [%outa], %x1;)",
        [&](std::uint32_t n) {
          const std::uint64_t sum = fold(0x100000001, 5, n);
          return static_cast<std::uint32_t>(sum ^ sum >> 32);
        });
}

}  // namespace heddle
