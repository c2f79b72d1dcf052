// Collects the provenance of a result: what it was made from.
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

/// The arguments in a normal form, which is equal for command lines with the same meaning: operands, then
/// options in order, without those in `passed_over`. Throws UsageError.
Arguments essential_arguments(const Syntax& syntax, const Arguments& arguments,
                              std::span<const std::string_view> passed_over);

/// Version and command line: "heddle" and `command` ("run", "trace info") before the arguments.
report::Provenance provenance_of(std::string_view command, const Arguments& essential);

/// A parsed command line whose report states its provenance.
struct ReportedCommand {
  OptionValues values;
  report::Provenance provenance;  ///< Version and command.
};

/// Like parse_or_help(). With --again, it is the command line of that report; see again.h. `passed_over` are
/// options that the report does not depend on.
std::optional<ReportedCommand> read_reported(const Syntax& syntax, std::string_view command,
                                             const Arguments& arguments,
                                             std::span<const std::string_view> passed_over = {});

/// Adds the GPU's files and the settings that change them.
void add_gpu(report::Provenance& provenance, const std::string& name_or_path, const sim::GpuSpec& spec,
             bool has_settings);

/// The GPU as a file that can be edited and loaded again. Its first lines state the provenance.
std::string gpu_file_of(report::Provenance provenance, const std::string& name_or_path,
                        const sim::GpuSpec& spec, bool has_settings);

/// Reads a file and adds it if it is not there yet. Files that come with Heddle are named "configs/h100.yaml"
/// and "traces/vecadd.yaml", wherever it is installed. A pipe has no hash, because it can be read only once.
/// Throws InputError if the file cannot be read.
void add_file(report::Provenance& provenance, const std::string& path);
/// Adds a text from standard input.
void add_standard_input(report::Provenance& provenance, const std::string& text);
/// Adds a text that read_input() has read from `path`.
void add_input(report::Provenance& provenance, const std::string& path, const std::string& text);

/// The present path of a file that the provenance calls `path`.
std::string place_of(const std::string& path);

}  // namespace heddle::command
