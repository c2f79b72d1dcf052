// The examples with virtual registers, allocated again: they compute the same, in no more registers, and with
// few registers by way of local memory.
#include "isa/exec/functional.h"
#include "isa/ir/verify.h"
#include "isa/lower/allocate.h"
#include "sim/config/load.h"
#include "tests/examples/cross_product.h"
#include "tests/examples/example_runs.h"
#include "tests/support/catch.h"
#include "tests/support/virtual_registers.h"

namespace heddle::examples {
namespace {

using Contents = std::vector<std::vector<std::byte>>;

/// Its blocks wait for one another, so that all must be there at once.
constexpr std::string_view kAtOnce = "grid_barrier";

/// All global memory after the kernel's run.
Contents run(launch::LaunchFile file, const sim::GpuSpec& spec) {
  if (file.launch.kernel.name == kAtOnce) {
    run_example(file, spec);
  } else {
    exec::LiveKernel kernel = live_kernel(file, spec);
    exec::run_functionally(kernel);
  }
  Contents contents;
  for (const auto& buffer : file.memory.buffers()) {
    const auto bytes = buffer->bytes();
    contents.emplace_back(bytes.begin(), bytes.end());
  }
  return contents;
}

/// What allocation made of a kernel. `refused`: if the registers do not suffice, the message that says how
/// many do.
struct Allocated {
  lower::Allocation figures;
  std::string refused;
  Contents results;
};

Allocated run_allocated(std::string_view name, const sim::GpuSpec& spec, unsigned registers) {
  launch::LaunchFile file = load_small_example(name);
  ir::Kernel& kernel = file.launch.kernel;
  kernel = test::with_virtual_registers(kernel);
  Allocated result;
  lower::AllocationLimits limits;
  limits.registers = registers;
  try {
    result.figures = lower::allocate_registers(kernel, limits);
  } catch (const InputError& error) {
    result.refused = error.what();
    return result;
  }
  CHECK(result.figures.registers <= registers);
  CHECK_FALSE(test::has_virtual_registers(kernel));
  const std::vector<ir::Problem> problems = ir::problems_of(kernel);
  for (const ir::Problem& problem : problems)
    FAIL_CHECK("instruction " << problem.pc << ": " << problem.text());
  file.launch.registers_per_thread = kernel.registers;
  result.results = run(std::move(file), spec);
  return result;
}

TEST_CASE("examples whose registers are allocated again compute the same in no more registers") {
  const sim::GpuSpec spec = sim::load_gpu("h100", {});
  for (const std::string& name : launches()) {
    INFO(name);
    launch::LaunchFile original = load_small_example(name);
    const unsigned before = original.launch.kernel.registers;
    const Contents expected = run(std::move(original), spec);
    for (const unsigned limit : {255U, 32U, 24U, 16U, 12U, 8U}) {
      INFO("at most " << limit << " registers");
      const Allocated allocated = run_allocated(name, spec, limit);
      const lower::Allocation& figures = allocated.figures;
      if (!allocated.refused.empty()) continue;
      CHECK(allocated.results == expected);
      if (limit >= before) CHECK(figures.registers <= before);
    }
  }
}

}  // namespace
}  // namespace heddle::examples
