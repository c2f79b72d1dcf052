// Generic addresses of constants and parameters in PTX.
#include <cstring>

#include "isa/exec/functional.h"
#include "isa/exec/variables.h"
#include "isa/lower/lower.h"
#include "tests/support/catch.h"

namespace heddle::test {
namespace {

using U32 = std::uint32_t;
using U64 = std::uint64_t;

// Thread t reads byte, half, word or two words t % 4 of a constant, of a parameter, of shared or of global
// memory, by an address of which nobody knows before which it is; and says which it is.
constexpr const char* kKernel = R"(.version 8.0
.target sm_80
.address_size 64
.const .align 8 .b32 table[4] = {11, 22, 33, 44};
.visible .entry k(.param .u64 in, .param .u64 out, .param .align 8 .b8 values[16])
{
  .reg .pred %p<6>;
  .reg .b32 %t, %kind, %x<8>;
  .reg .b64 %at, %other, %out, %y<4>;
  .shared .align 8 .b32 own[4];
  mov.u32 %t, %tid.x;
  shr.u32 %kind, %t, 2;
  and.b32 %t, %t, 3;
  mov.u32 %x0, own;
  mad.lo.u32 %x0, %t, 4, %x0;
  add.u32 %x1, %t, 300;
  st.shared.b32 [%x0], %x1;
  bar.sync 0;
  ld.param.u64 %at, [in];
  mov.u64 %other, table;
  cvta.const.u64 %other, %other;
  setp.eq.u32 %p0, %kind, 1;
  selp.b64 %at, %other, %at, %p0;
  mov.u64 %other, values;
  cvta.param.u64 %other, %other;
  setp.eq.u32 %p0, %kind, 2;
  selp.b64 %at, %other, %at, %p0;
  cvta.shared.u64 %other, own;
  setp.eq.u32 %p0, %kind, 3;
  selp.b64 %at, %other, %at, %p0;
  isspacep.global %p0, %at;
  isspacep.const %p1, %at;
  isspacep.param %p2, %at;
  isspacep.shared %p3, %at;
  isspacep.local %p4, %at;
  selp.b32 %x2, 1, 0, %p0;
  selp.b32 %x3, 2, 0, %p1;
  add.u32 %x2, %x2, %x3;
  selp.b32 %x3, 4, 0, %p2;
  add.u32 %x2, %x2, %x3;
  selp.b32 %x3, 8, 0, %p3;
  add.u32 %x2, %x2, %x3;
  selp.b32 %x3, 16, 0, %p4;
  add.u32 %x2, %x2, %x3;
  ld.v4.u32 {%x4, _, _, %x7}, [%at];
  mad.wide.u32 %y1, %t, 4, %at;
  ld.u32 %x5, [%y1];
  ld.u8 %x6, [%y1];
  ld.u64 %y2, [%at+8];
  shr.u64 %y2, %y2, 32;
  cvt.u32.u64 %x0, %y2;
  add.u32 %x6, %x6, %x0;
  ld.param.u64 %out, [out];
  mov.u32 %t, %tid.x;
  mad.wide.u32 %out, %t, 32, %out;
  st.global.v4.u32 [%out], {%x2, %x4, %x5, %x6};
  st.global.u32 [%out+16], %x7;
  ret;
}
)";

void append(std::vector<std::byte>& bytes, const void* from, std::size_t size) {
  const std::size_t at = bytes.size();
  bytes.resize(at + size);
  std::memcpy(bytes.data() + at, from, size);
}

TEST_CASE("generic addresses may be those of constants and parameters") {
  const unsigned capability = GENERATE(75U, 80U, 90U, 100U);
  const unsigned registers = GENERATE(255U, 16U);
  exec::Launch launch;
  launch.kernel =
      lower::lower_kernel(ptx::read_module(kKernel, "constants.ptx"), "k", {capability}, registers);
  launch.block = {16, 1, 1};
  launch.grid = {1, 1, 1};
  exec::GlobalMemory memory;
  exec::Buffer& in = memory.allocate("in", 16);
  const U32 input[] = {1000, 2000, 3000, 4000};
  std::memcpy(in.bytes().data(), input, sizeof input);
  const exec::Buffer& out = memory.allocate("out", 16 * 32);
  const U64 addresses[] = {in.address(), out.address()};
  append(launch.params, addresses, sizeof addresses);
  const U32 values[] = {5, 6, 7, 8};
  append(launch.params, values, sizeof values);
  exec::bind_variables(launch.kernel, memory);
  exec::LiveKernel kernel(std::move(launch), memory, 32);
  exec::run_functionally(kernel);
  const auto found = out.as<U32>();
  const U32 tables[4][4] = {{1000, 2000, 3000, 4000}, {11, 22, 33, 44}, {5, 6, 7, 8}, {300, 301, 302, 303}};
  for (unsigned t = 0; t < 16; ++t) {
    INFO(t);
    const U32* const table = tables[t / 4];
    CHECK(found[8 * t] == 1U << (t / 4));
    CHECK(found[8 * t + 1] == table[0]);
    CHECK(found[8 * t + 2] == table[t % 4]);
    CHECK(found[8 * t + 3] == (table[t % 4] & 0xff) + table[3]);
    CHECK(found[8 * t + 4] == table[3]);
  }
}

}  // namespace
}  // namespace heddle::test
