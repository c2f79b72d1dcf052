// The order of instructions that do not depend on one another: chains side by side, loads before what waits
// for them.
#include <fmt/format.h>

#include <algorithm>

#include "tests/support/catch.h"
#include "tests/support/ptx_kernel_run.h"

namespace heddle::lower {
namespace {

using namespace heddle::test;

/// A loop around these statements that is not unrolled.
std::string loop(const std::string& body) {
  return "mov.b32 %x30, 0;\nagain:\n.pragma \"nounroll\";\n" + body +
         "add.u32 %x30, %x30, 1; setp.ne.u32 %p9, %x30, 8; @%p9 bra again;\n";
}

std::vector<ir::Instruction> of_opcode(const ir::Kernel& kernel, ir::Opcode opcode) {
  std::vector<ir::Instruction> found;
  std::copy_if(kernel.instructions.begin(), kernel.instructions.end(), std::back_inserter(found),
               [&](const ir::Instruction& one) { return one.opcode == opcode; });
  return found;
}

TEST_CASE("Chains that a loop carries are interleaved") {
  const unsigned chains = GENERATE(2U, 3U, 4U);
  // All steps of the first chain, then all of the next: the order is the scheduler's.
  std::string body;
  constexpr unsigned kSteps = 8;
  for (unsigned chain = 0; chain < chains; ++chain) {
    for (unsigned step = 0; step < kSteps; ++step) {
      const unsigned from = step == 0 ? chain : 10 + chain;
      const unsigned to = step + 1 == kSteps ? chain : 10 + chain;
      body += fmt::format("fma.rn.f32 %f{}, %f{}, %f38, %f39;\n", to, from);
    }
  }
  std::string begin = "mov.b32 %f38, %a; mov.b32 %f39, %t;\n";
  std::string end;
  for (unsigned chain = 0; chain < chains; ++chain) {
    begin += fmt::format("cvt.rn.f32.u32 %f{}, %lane;\n", chain);
    end += fmt::format("st.global.f32 [%outa+{}], %f{};\n", 256 * chain, chain);
  }
  const ir::Kernel kernel = lower_statements({begin + loop(body) + end});
  const std::vector<ir::Instruction> sums = of_opcode(kernel, ir::Opcode::Ffma);
  REQUIRE(sums.size() == chains * kSteps);
  for (std::size_t i = 0; i + 1 < sums.size(); ++i) {
    CAPTURE(chains, i);
    CHECK(sums[i].operands[0].index != sums[i + 1].operands[1].index);
  }
  CHECK(kernel.registers <= 16 + 2 * chains);
}

TEST_CASE("Loads of independent chains are under way together") {
  const ir::Kernel kernel = lower_statements({R"(
    mov.b32 %f0, %lane; mov.b32 %f1, %t; and.b32 %x1, %t, 3; and.b32 %x2, %lane, 3;
  )" + loop(R"(
    mad.wide.u32 %y1, %x1, 4, %in; ld.global.f32 %f3, [%y1]; fma.rn.f32 %f0, %f3, %f3, %f0;
    add.u32 %x1, %x1, 1;
    mad.wide.u32 %y2, %x2, 4, %in; ld.global.f32 %f4, [%y2]; fma.rn.f32 %f1, %f4, %f4, %f1;
    add.u32 %x2, %x2, 1;
  )") + "st.global.f32 [%outa], %f0; st.global.f32 [%outa+256], %f1;\n"});
  // In the loop both loads come before both sums.
  std::string order;
  for (const ir::Instruction& one : kernel.instructions) {
    if (one.opcode == ir::Opcode::Ldg) order += 'L';
    if (one.opcode == ir::Opcode::Ffma) order += 'F';
  }
  CHECK(order.ends_with("LLFF"));
}

}  // namespace
}  // namespace heddle::lower
