// Gathers what made a result.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "tools/heddle/base/options.h"
#include "tools/report/provenance.h"

namespace heddle::command {

/// "0.1.0"
std::string_view program_version();

/// The arguments in a form that two command lines with the same meaning share: operands, then options in
/// their order, without those named in `passed_over`. Throws UsageError.
Arguments essential_arguments(const Syntax& syntax, const Arguments& arguments,
                              std::span<const std::string_view> passed_over);

/// Version and command, "heddle" and `command` before the arguments.
report::Provenance provenance_of(std::string_view command, const Arguments& essential);

/// The GPU's files and what the settings change of what they say.
void add_gpu(report::Provenance& provenance, const std::string& name_or_path, const sim::GpuSpec& spec,
             bool has_settings);

/// Reads and adds a file that is not there yet. What came with Heddle stands as "configs/h100.yaml" and
/// "traces/vecadd.yaml", wherever it is installed. Throws InputError if the file cannot be read.
void add_file(report::Provenance& provenance, const std::string& path);
/// The same of what came on standard input.
void add_standard_input(report::Provenance& provenance, const std::string& text);

/// Where the file that provenance calls `path` is now.
std::string place_of(const std::string& path);

}  // namespace heddle::command
