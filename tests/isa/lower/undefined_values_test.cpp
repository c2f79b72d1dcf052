// Compilers let kernels copy and select values that nobody wrote, where nobody uses the result.
#include <cstdint>
#include <vector>

#include "isa/ir/kernel.h"
#include "tests/support/catch.h"
#include "tests/support/ptx_kernel_run.h"

namespace heddle::test {

TEST_CASE("A value that nobody wrote may be copied and left, from PTX") {
  PtxKernelRun run{R"(
    setp.eq.u32 %p1, %t, 0;
    @%p1 mov.u32 %x1, 7;
    @%p1 setp.ne.u32 %p2, %a, %a;
    add.u32 %x2, %x1, 1;
    selp.u32 %x3, %x2, %x1, %p2;
    selp.u32 %x4, %x3, 5, %p1;
    st.global.u32 [%outa], %x4;)"};
  std::vector<std::uint32_t> wanted(64, 5);
  wanted[0] = 7;
  for (const unsigned most : {256U, 16U}) {
    run.most_registers = most;
    for (const exec::Divergence divergence : {exec::Divergence::Stack, exec::Divergence::Barriers}) {
      run.divergence = divergence;
      CHECK(run_ptx_kernel(run, std::vector<std::uint32_t>(64, 1), 64) == wanted);
    }
  }
  CHECK_FALSE(ir::must_write_before_reading(lower_statements(run)));
}

}  // namespace heddle::test
