// Runs the launch files of traces/ on the GPUs of configs/.
#pragma once

#include <string>
#include <vector>

#include "isa/base/diagnostic.h"
#include "sim/device/support.h"
#include "sim/occupancy/occupancy.h"
#include "sim/session/live_kernel.h"
#include "tests/examples/tested_sizes.h"
#include "tests/support/sm_harness.h"
#include "tools/launch/launch_file.h"

namespace heddle::examples {

/// traces/<name>.yaml in the size in which it is tested, with some of its values changed: {"n=1024",
/// "block=128"}.
inline launch::LaunchFile load_example(const std::string& name, const Overrides& params = {}) {
  launch::LaunchOverrides overrides;
  overrides.params = tested_size(name);
  overrides.params.insert(overrides.params.end(), params.begin(), params.end());
  return launch::load_launch(std::string(HEDDLE_SOURCE_DIR) + "/traces/" + name + ".yaml", overrides);
}

inline exec::LiveKernel live_kernel(launch::LaunchFile& file, const sim::GpuSpec& spec) {
  return session::live_kernel(spec, file.launch, file.memory);
}

/// Whether the GPU has all of its instructions, and room for a block.
inline bool runs_on(launch::LaunchFile& file, const sim::GpuSpec& spec) {
  try {
    const exec::LiveKernel kernel = live_kernel(file, spec);
    if (!sim::unsupported(kernel.static_ops(), spec).empty()) return false;
    sim::theoretical_occupancy(spec.occupancy, kernel.shape());
  } catch (const InputError&) {
    return false;
  }
  return true;
}

/// Runs it on its own memory and tells when each warp issued what.
inline test::Timeline trace_example(launch::LaunchFile& file, const sim::GpuSpec& spec,
                                    const sim::RunOptions& options = {}) {
  exec::LiveKernel kernel = live_kernel(file, spec);
  return test::simulate(kernel, spec, options);
}

/// The same without keeping the issues.
inline sim::RunResult run_example(launch::LaunchFile& file, const sim::GpuSpec& spec,
                                  const sim::RunOptions& options = {}) {
  exec::LiveKernel kernel = live_kernel(file, spec);
  return test::run_by_instruction(kernel, spec, options);
}

/// Both ways of divergence, as settings of a GPU.
inline constexpr const char* kMechanisms[] = {"sm.divergence=stack", "sm.divergence=barrier"};

inline Pc pc_of(const launch::LaunchFile& file, std::string_view label) {
  for (const ir::Label& row : file.launch.kernel.labels) {
    if (row.name == label) return row.pc;
  }
  throw std::logic_error("no label " + std::string(label));
}

}  // namespace heddle::examples
