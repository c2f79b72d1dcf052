// Reports of `heddle trace info` as text and as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "tools/heddle/trace/trace_summary.h"

namespace heddle::command {

/// A file on the command line: a trace, or a list with its copies.
struct FileInfo {
  std::string path;
  std::uint64_t copies = 0;
  std::uint64_t copied_bytes = 0;
  std::vector<TraceSummary> kernels;
};

/// What `heddle trace info` is asked to report, for all traces.
struct InfoRequest {
  report::Provenance provenance;
  std::optional<sim::GpuSpec> gpu;
  std::string gpu_name;  ///< Name or file.
  bool has_settings = false;
};

std::string trace_info_text(const InfoRequest& request, const std::vector<FileInfo>& files);
std::string trace_info_json(const InfoRequest& request, const std::vector<FileInfo>& files);

}  // namespace heddle::command
