#include "tests/support/ptx_kernel_run.h"

#include <fmt/format.h>

#include <cstring>

#include "isa/exec/functional.h"
#include "isa/lower/lower.h"
#include "isa/ptx/module.h"

namespace heddle::test {

namespace {

constexpr const char* kHead = R"(.version 8.0
.target sm_90
.address_size 64
)";

constexpr const char* kKernel = R"(
.visible .entry k(.param .u64 pin, .param .u64 pout)
{
  .reg .b64 %in, %out, %ina, %outa, %y<20>;
  .reg .b32 %a, %t, %lane, %x<40>;
  .reg .f32 %f<40>;
  .reg .f64 %d<10>;
  .reg .b16 %s<20>;
  .reg .pred %p<20>;
  .shared .align 128 .b32 words[4096];
  ld.param.u64 %in, [pin];
  ld.param.u64 %out, [pout];
  mov.u32 %t, %tid.x;
  mov.u32 %lane, %laneid;
  mad.wide.u32 %ina, %t, 4, %in;
  mad.wide.u32 %outa, %t, 4, %out;
  ld.global.b32 %a, [%ina];
)";

constexpr std::size_t kPointer = 8;

}  // namespace

ir::Kernel lower_statements(const PtxKernelRun& run) {
  const ptx::Module module = ptx::read_module(
      fmt::format("{}{}{}{}\n  ret;\n}}\n", kHead, run.functions, kKernel, run.statements), "test.ptx");
  return lower::lower_kernel(module, "k", {run.compute_capability}, run.most_registers);
}

std::vector<std::uint32_t> run_ptx_kernel(const PtxKernelRun& run, const std::vector<std::uint32_t>& input,
                                          std::size_t output_words) {
  exec::Launch launch;
  launch.kernel = lower_statements(run);
  launch.grid = {1, 1, 1};
  launch.block = {run.threads, 1, 1};
  exec::GlobalMemory memory;
  const exec::Buffer& in = memory.allocate("in", 4 * input.size());
  const exec::Buffer& out = memory.allocate("out", 4 * output_words);
  std::memcpy(in.bytes().data(), input.data(), 4 * input.size());
  launch.params.resize(2 * kPointer);
  const std::uint64_t pointers[] = {in.address(), out.address()};
  std::memcpy(launch.params.data(), pointers, sizeof pointers);
  exec::LiveKernel kernel(std::move(launch), memory, 32, run.divergence);
  exec::run_functionally(kernel);
  const auto words = out.as<std::uint32_t>();
  return {words.begin(), words.end()};
}

}  // namespace heddle::test
