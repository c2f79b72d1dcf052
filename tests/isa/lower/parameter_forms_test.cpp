// Loads of parameters and constants: whole structures by parts, vectors, and registers wider than what is
// loaded.
#include <fmt/format.h>

#include <cstring>

#include "isa/exec/functional.h"
#include "isa/lower/lower.h"
#include "isa/ptx/module.h"
#include "tests/support/catch.h"

namespace heddle::lower {
namespace {

using U64 = std::uint64_t;
using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kStructBytes = 64;
constexpr std::size_t kResults = 8;

/// No two bytes are the same, and every other one has its highest bit set.
Bytes pattern() {
  Bytes bytes;
  for (std::size_t i = 0; i < kStructBytes; ++i)
    bytes.push_back(static_cast<std::uint8_t>((i % 2) * 128 + i + 1));
  return bytes;
}

/// So many bytes of the pattern as a number, with its sign or zeros above.
U64 part(std::size_t from, unsigned bytes, bool has_sign = false) {
  U64 value = has_sign && (pattern()[from + bytes - 1] & 0x80) != 0 ? ~U64{0} : 0;
  for (unsigned i = bytes; i-- > 0;) value = value << 8 | pattern()[from + i];
  return value;
}

/// What the statements leave in %q0 to %q7, with the pattern as parameter s and as constant c.
std::vector<U64> run(const std::string& statements) {
  std::string table;
  for (const std::uint8_t byte : pattern()) table += fmt::format("{}{}", table.empty() ? "" : ", ", byte);
  std::string text = fmt::format(R"(.version 8.0
.target sm_90
.address_size 64
.const .align 16 .b8 c[{0}] = {{ {1} }};
.visible .entry k(.param .u64 out, .param .align 16 .b8 s[{0}])
{{
  .reg .b64 %q<8>, %o, %at;
  .reg .b32 %r<8>, %t;
  .reg .b16 %h<8>;
  .reg .f32 %f<8>;
  .reg .f64 %d<8>;
  ld.param.u64 %o, [out];
  mov.u32 %t, %tid.x;
)",
                                 kStructBytes, table);
  for (std::size_t i = 0; i < kResults; ++i) text += fmt::format("mov.b64 %q{}, 0;\n", i);
  text += statements;
  for (std::size_t i = 0; i < kResults; ++i) text += fmt::format("\nst.global.b64 [%o+{}], %q{};", 8 * i, i);
  exec::Launch launch;
  launch.kernel = lower_kernel(ptx::read_module(text + "\nret;\n}\n", "test.ptx"), "k", {80});
  exec::GlobalMemory memory;
  const exec::Buffer& out = memory.allocate("out", 8 * kResults);
  const U64 address = out.address();
  launch.params.resize(16 + kStructBytes);
  std::memcpy(launch.params.data(), &address, sizeof address);
  const Bytes bytes = pattern();
  std::memcpy(launch.params.data() + 16, bytes.data(), bytes.size());
  exec::LiveKernel kernel(std::move(launch), memory, 32, exec::Divergence::Barriers);
  exec::run_functionally(kernel);
  const auto words = out.as<U64>();
  return {words.begin(), words.end()};
}

TEST_CASE("Vectors of parameters are loaded whole") {
  CHECK(run("ld.param.v4.b32 {%r0, %r1, %r2, %r3}, [s+16]; mov.b64 %q0, {%r0, %r1}; mov.b64 %q1, {%r2, %r3};"
            "ld.param.v2.u64 {%q2, %q3}, [s+32]; ld.param.v2.f32 {%f0, %f1}, [s+8]; mov.b64 %q4, {%f0, %f1};"
            "ld.param.v4.u16 {%h0, %h1, %h2, %h3}, [s+48]; mov.b64 %q5, {%h0, %h1, %h2, %h3};"
            "ld.param.v2.f64 {%d0, %d1}, [s]; mov.b64 %q6, %d1;") ==
        std::vector<U64>{part(16, 8), part(24, 8), part(32, 8), part(40, 8), part(8, 8), part(48, 8),
                         part(8, 8), 0});
}

TEST_CASE("A register may be wider than what is loaded from parameters and constants") {
  const std::string space = GENERATE("param", "const");
  const std::string name = space == "param" ? "s" : "c";
  CHECK(run(fmt::format("ld.{0}.u32 %q0, [{1}+4]; ld.{0}.s32 %q1, [{1}+4]; ld.{0}.b32 %q2, [{1}+8];"
                        "ld.{0}.s16 %q3, [{1}+6]; ld.{0}.u16 %q4, [{1}+6]; ld.{0}.s8 %q5, [{1}+3];"
                        "ld.{0}.u8 %q6, [{1}+3]; ld.{0}.s32 %q7, [{1}+12];",
                        space, name)) == std::vector<U64>{part(4, 4), part(4, 4, true), part(8, 4),
                                                          part(6, 2, true), part(6, 2), part(3, 1, true),
                                                          part(3, 1), part(12, 4, true)});
}

TEST_CASE("Vectors are loaded from constants and parameters at an address in a register") {
  // Thread 0 alone: its index is 0 and not known to the compiler.
  const std::string words = R"(
    add.u64 %at, %at, %q0;
    ld.const.v4.u32 {%r0, %r1, %r2, %r3}, [%at+16]; mov.b64 %q0, {%r0, %r1}; mov.b64 %q1, {%r2, %r3};
    ld.const.v2.b64 {%q2, %q3}, [%at+32];
    ld.const.v2.u32 {%r0, %r1}, [%at+8]; mov.b64 %q4, {%r0, %r1};
    ld.const.v4.u8 {%h0, %h1, %h2, %h3}, [%at+60]; cvt.u64.u16 %q5, %h3;
    ld.const.s32 %q6, [%at+4];
  )";
  CHECK(run("mov.u64 %at, c; and.b32 %t, %t, 64; cvt.u64.u32 %q0, %t;" + words) ==
        std::vector<U64>{part(16, 8), part(24, 8), part(32, 8), part(40, 8), part(8, 8), part(63, 1),
                         part(4, 4, true), 0});
}

}  // namespace
}  // namespace heddle::lower
