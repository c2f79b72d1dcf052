// What `heddle trace info` has found, as text and as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "tools/heddle/trace/trace_summary.h"

namespace heddle::command {

/// Of a file on the command line.
struct FileInfo {
  std::string path;
  std::uint64_t copies = 0;
  std::uint64_t copied_bytes = 0;
  std::vector<TraceSummary> kernels;
};

/// What is asked, of all traces.
struct InfoRequest {
  report::Provenance provenance;
  std::optional<sim::GpuSpec> gpu;
  std::string gpu_name;  ///< Or its file.
  bool has_settings = false;
};

std::string trace_info_text(const InfoRequest& request, const std::vector<FileInfo>& files);
std::string trace_info_json(const InfoRequest& request, const std::vector<FileInfo>& files);

}  // namespace heddle::command
