#include "tests/support/kernel_run.h"

#include <cstring>

#include "isa/stream/kernel_fault.h"
#include "isa/text/assemble.h"

namespace heddle::test {

std::unique_ptr<exec::LiveKernel> make_kernel(const KernelRun& run, exec::GlobalMemory& memory) {
  exec::Launch launch;
  launch.kernel = text::assemble(run.text, "test.sass")[0];
  launch.grid = run.grid;
  launch.block = run.block;
  launch.dynamic_shared_bytes = run.dynamic_shared_bytes;
  launch.params.resize(8 * run.params.size());
  if (!run.params.empty()) std::memcpy(launch.params.data(), run.params.data(), launch.params.size());
  return std::make_unique<exec::LiveKernel>(std::move(launch), memory, run.warp_size, run.divergence);
}

exec::FunctionalCounts run_kernel(const KernelRun& run, exec::GlobalMemory& memory) {
  return exec::run_functionally(*make_kernel(run, memory));
}

std::string fault_of(const KernelRun& run, exec::GlobalMemory& memory) {
  try {
    run_kernel(run, memory);
  } catch (const stream::KernelFault& fault) {
    return fault.what();
  }
  return "";
}

}  // namespace heddle::test
