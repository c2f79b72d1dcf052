// The reports of single launches, in files.
#pragma once

#include <cstdint>

#include "tools/cuda/runtime/settings.h"
#include "tools/report/summary.h"

namespace heddle::cudart {

/// The program, its arguments, and what its environment changed.
report::Provenance provenance_of(const Settings& settings, const sim::GpuSpec& gpu);

/// Writes "0003-reduce.txt" and "0003-reduce.json" into the folder of reports: the report of launch 3. Each
/// appears whole or not at all. Throws InputError.
void write_launch_report(const Settings& settings, std::uint64_t number, const report::Summary& summary);

}  // namespace heddle::cudart
