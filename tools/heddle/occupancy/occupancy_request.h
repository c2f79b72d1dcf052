// What `heddle occupancy` is asked to do.
#pragma once

#include <string>
#include <vector>

#include "tools/heddle/base/options.h"
#include "tools/heddle/base/provenance.h"
#include "tools/launch/launch_file.h"
#include "tools/occupancy/question.h"

namespace heddle::command {

struct OccupancyRequest {
  report::Provenance provenance;  ///< With the GPU, if one was chosen by its name or file.
  std::vector<std::string> launches;
  std::optional<std::string> ptxas;   ///< A file, or - for standard input.
  std::optional<std::string> batch;   ///< The same.
  std::optional<std::string> kernel;  ///< Part of a kernel's name: the others are left out.
  /// The device's name is empty where none was chosen.
  occupancy::Question question;
  bool has_barriers = false;
  struct Given {
    bool registers = false;
    bool static_shared = false;
    bool grid = false;
    bool cluster = false;
    bool params = false;
  } given;  ///< On the command line.
  launch::LaunchOverrides overrides;
  std::optional<double> target;  ///< Above 0 to 1.
  bool suggest = false;
  std::uint32_t most_threads = 0;              ///< Of a suggested block.
  std::optional<std::string> shared_of_block;  ///< Dynamic bytes as an expression of `block`.
  bool explain = false;
  bool curves = false;
  std::string format;  ///< text, json or csv
  std::optional<std::string> output;
  bool ascii = false;

  /// More than what fits an SM: why, or with what other block, registers or memory.
  [[nodiscard]] bool asks_what_if() const { return explain || curves || suggest || target; }
};

/// Throws UsageError, and InputError for a GPU that cannot be used.
OccupancyRequest read_occupancy_request(const ReportedCommand& command);

}  // namespace heddle::command
