#include "tests/support/ptx_run.h"

#include <algorithm>
#include <cstring>

#include "isa/exec/functional.h"
#include "isa/lower/lower.h"

namespace heddle::test {

namespace {

constexpr const char* kHead = R"(.version 7.5
.target sm_80
.address_size 64
.visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pr, .param .u32 n)
{
  .reg .b64 %A, %B, %C, %R, %base, %at, %y<10>;
  .reg .b32 %a, %b, %c, %r, %h, %t, %u, %v, %x<10>;
  .reg .b16 %s<10>;
  .reg .pred %p<10>, %out;
  mov.u32 %t, %tid.x;
  mov.u32 %u, %ctaid.x;
  mov.u32 %v, %ntid.x;
  mad.lo.s32 %t, %u, %v, %t;
  ld.param.u32 %u, [n];
  setp.ge.u32 %out, %t, %u;
  @%out bra done;
  mul.wide.u32 %at, %t, 8;
  ld.param.u64 %base, [pa];
  add.s64 %base, %base, %at;
  ld.global.b64 %A, [%base];
  mov.b64 {%a, _}, %A;
  ld.param.u64 %base, [pb];
  add.s64 %base, %base, %at;
  ld.global.b64 %B, [%base];
  mov.b64 {%b, _}, %B;
  ld.param.u64 %base, [pc];
  add.s64 %base, %base, %at;
  ld.global.b64 %C, [%base];
  mov.b64 {%c, _}, %C;
  mov.b32 %r, 0;
  mov.b32 %h, 0;
)";

constexpr const char* kTail = R"(
  ld.param.u64 %base, [pr];
  add.s64 %base, %base, %at;
  st.global.b64 [%base], %R;
done:
  ret;
}
)";

void append(std::vector<std::byte>& bytes, std::uint64_t value, std::size_t size) {
  const std::size_t at = bytes.size();
  bytes.resize(at + size);
  std::memcpy(bytes.data() + at, &value, size);
}

}  // namespace

std::vector<std::uint64_t> run_ptx(const PtxRun& run, const PtxInputs& inputs) {
  const std::string pack = run.is_wide ? "" : "mov.b64 %R, {%r, %h};";
  const ptx::Module module = ptx::read_module(kHead + run.statements + pack + kTail, "test.ptx");
  constexpr std::uint32_t kBlock = 128;
  const std::size_t count = inputs.a.size();
  exec::Launch launch;
  launch.kernel = lower::lower_kernel(module, "k", {run.compute_capability}, run.most_registers);
  launch.block = {kBlock, 1, 1};
  launch.grid = {static_cast<std::uint32_t>((count + kBlock - 1) / kBlock), 1, 1};
  exec::GlobalMemory memory;
  for (const auto* values : {&inputs.a, &inputs.b, &inputs.c}) {
    exec::Buffer& buffer = memory.allocate("input", 8 * count);
    std::memcpy(buffer.bytes().data(), values->data(), 8 * count);
    append(launch.params, buffer.address(), 8);
  }
  const exec::Buffer& results = memory.allocate("results", 8 * count);
  append(launch.params, results.address(), 8);
  append(launch.params, count, 4);
  exec::LiveKernel kernel(std::move(launch), memory, 32);
  exec::run_functionally(kernel);
  const auto words = results.as<std::uint64_t>();
  return {words.begin(), words.end()};
}

}  // namespace heddle::test
