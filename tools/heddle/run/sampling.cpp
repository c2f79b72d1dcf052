#include "tools/heddle/run/sampling.h"

#include <fmt/format.h>

#include "isa/cfg/polling.h"
#include "isa/exec/functional.h"
#include "isa/text/disassemble.h"
#include "tools/heddle/run/kernel_sources.h"

namespace heddle::command {

namespace {

/// Limit for polls. A warp issues at most one instruction per cycle, but without timing it may poll more
/// often.
constexpr std::uint64_t kMostPolls = std::uint64_t{1} << 26;

}  // namespace

sim::SmSample sample_of(const RunRequest& request, const sim::GpuSpec& whole) {
  const std::uint32_t sms = request.sms.value_or(whole.sms);
  if (sms > whole.sms)
    throw UsageError(fmt::format("--sms {}: GPU '{}' has {} SMs", sms, whole.name, whole.sms));
  return {sms, whole.sms};
}

sim::GpuSpec simulated_gpu(const RunRequest& request, const sim::GpuSpec& whole) {
  return sim::share_of(whole, sample_of(request, whole));
}

void require_apart(const ir::Kernel& kernel, Diagnostics& problems) {
  for (const Pc pc : cfg::polling_accesses(kernel)) {
    problems.add(
        {kernel.file, kernel.instructions[pc].line, 0},
        fmt::format("{}: kernel {} asks again and again for what this finds, and goes on by it: it may "
                    "wait for a block that --sms leaves out; only all SMs can run it",
                    text::disassemble(kernel, pc), kernel.name));
  }
}

void execute_rest(const RunRequest& request, const sim::GpuSpec& spec, launch::LaunchFile& file,
                  const std::function<bool(BlockId)>& rest) {
  exec::LiveKernel kernel = live_kernel(spec, file);
  const std::uint64_t most = request.max_cycles && *request.max_cycles < kNever - kMostPolls
                                 ? *request.max_cycles + kMostPolls
                                 : kNever;
  exec::run_functionally(kernel, rest, most);
}

}  // namespace heddle::command
