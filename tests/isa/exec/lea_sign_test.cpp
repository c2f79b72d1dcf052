// LEA with signs: a shifted and b, each perhaps negated, and the carry of their sum.
#include <fmt/format.h>

#include <cstring>

#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"

namespace heddle::exec {
namespace {

constexpr std::uint32_t kValues[] = {0,          1,          2,          0x3fffffff, 0x40000000,
                                     0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};

struct Sum {
  std::uint32_t word;
  std::uint32_t carry;
};

Sum run(const std::string& instruction, std::uint32_t a, std::uint32_t b) {
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", 8);
  test::KernelRun run;
  run.text = fmt::format(
      ".kernel k\n.param out ptr\nMOV R0, {:#x}\nMOV R2, {:#x}\nMOV R3, 0x1\nMOV R4, RZ\nISETP.EQ.AND P1, PT, RZ, RZ, PT\n"
      "{}\nSEL R5, R3, RZ, P0\nMOV R8, c[0x0][0x160]\nMOV R9, c[0x0][0x164]\nSTG.E [R8.64], R1\nSTG.E [R8.64+0x4], R5\nEXIT\n",
      a, b, instruction);
  run.block = {1, 1, 1};
  run.params = {out.address()};
  test::run_kernel(run, memory);
  Sum sum{};
  std::memcpy(&sum, out.bytes().data(), sizeof sum);
  return sum;
}

/// A negated term is the opposite bits and 1, as in a subtraction: 2^32 minus it.
std::uint64_t term(std::uint32_t value, bool negated) {
  return negated ? (std::uint64_t{1} << 32) - value : value;
}

TEST_CASE("LEA adds and subtracts, and its carry is that of the sum") {
  for (const std::uint32_t a : kValues) {
    for (const std::uint32_t b : kValues) {
      for (const bool negates_a : {false, true}) {
        for (const bool negates_b : {false, true}) {
          const std::string text =
              fmt::format("LEA R1, P0, {}R0, {}R2, 0x2", negates_a ? "-" : "", negates_b ? "-" : "");
          INFO(text << " " << a << " " << b);
          const std::uint64_t sum = term(a << 2, negates_a) + term(b, negates_b);
          const Sum found = run(text, a, b);
          CHECK(found.word == static_cast<std::uint32_t>(sum));
          CHECK(found.carry == (sum >> 32 != 0 ? 1U : 0U));
        }
      }
      const Sum extended = run("LEA.X R1, P0, R0, R2, 0x2, P1", a, b);
      const std::uint64_t sum = std::uint64_t{a << 2} + b + 1;
      CHECK(extended.word == static_cast<std::uint32_t>(sum));
      CHECK(extended.carry == sum >> 32);
      CHECK(run("LEA.X R1, P0, R0, ~R2, 0x2, P1", a, b).word == (a << 2) - b);
      // The high word of 1:a shifted by 3, minus b; ~b and a carry are minus b.
      const std::uint32_t high = static_cast<std::uint32_t>(((std::uint64_t{1} << 32 | a) << 3) >> 32);
      CHECK(run("LEA.HI R1, P0, R0, -R2, R3, 0x3", a, b).word == high - b);
      CHECK(run("LEA.HI.X R1, P0, R0, ~R2, R3, 0x3, P1", a, b).word == high - b);
    }
  }
}

}  // namespace
}  // namespace heddle::exec
