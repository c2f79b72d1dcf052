// Gathers what made a result.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

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

/// Version and command, "heddle" and `command` ("run", "trace info") before the arguments.
report::Provenance provenance_of(std::string_view command, const Arguments& essential);

/// A command line whose report says what made it.
struct ReportedCommand {
  OptionValues values;
  report::Provenance provenance;  ///< Version and command.
};

/// As parse_or_help(); with --again it is the command line of that report, see again.h. `passed_over`:
/// options that no line of the report depends on.
std::optional<ReportedCommand> read_reported(const Syntax& syntax, std::string_view command,
                                             const Arguments& arguments,
                                             std::span<const std::string_view> passed_over = {});

/// The GPU's files and what the settings change of what they say.
void add_gpu(report::Provenance& provenance, const std::string& name_or_path, const sim::GpuSpec& spec,
             bool has_settings);

/// The GPU as a file that can be changed and loaded again, with what made it in its first lines.
std::string gpu_file_of(report::Provenance provenance, const std::string& name_or_path,
                        const sim::GpuSpec& spec, bool has_settings);

/// Reads and adds a file that is not there yet. What came with Heddle stands as "configs/h100.yaml" and
/// "traces/vecadd.yaml", wherever it is installed. A pipe, which can be read once only, has no hash. Throws
/// InputError if the file cannot be read.
void add_file(report::Provenance& provenance, const std::string& path);
/// The same of what came on standard input.
void add_standard_input(report::Provenance& provenance, const std::string& text);
/// The same of what read_input() has read of `path`.
void add_input(report::Provenance& provenance, const std::string& path, const std::string& text);

/// Where the file that provenance calls `path` is now.
std::string place_of(const std::string& path);

}  // namespace heddle::command
