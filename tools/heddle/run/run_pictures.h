// The pictures of a run that its command line asks for, each a file: --html and --perfetto.
#pragma once

#include <optional>

#include "isa/ir/kernel.h"
#include "tools/heddle/run/run_report.h"
#include "tools/history/run_history.h"
#include "tools/launch/kernel_source.h"

namespace heddle::command {

/// What the pictures are drawn from, beside the figures.
struct PictureFacts {
  history::RunHistory history;
  ir::Kernel kernel;
  sim::GpuSpec spec;  ///< What was simulated: the GPU, or the sample of its SMs.
  std::vector<sim::PcCounters> by_pc;
  std::vector<report::LineProfile> sources;  ///< Level by level; empty unless a page is asked for.
};

/// Each text that the instructions were made from, CUDA C++ and its PTX, or one of them, and where in it each
/// instruction stands. A page adds up the figures itself.
std::vector<report::LineProfile> page_sources(const launch::KernelSource& source, const ir::Kernel& kernel);

/// Writes the files, each whole or not at all, unless no picture is asked for. The report has one run. Throws
/// InputError.
void write_pictures(const RunRequest& request, const RunReport& report,
                    const std::optional<PictureFacts>& facts);

}  // namespace heddle::command
