// The request of a `heddle occupancy` command line.
#pragma once

#include <string>
#include <vector>

#include "tools/heddle/base/options.h"
#include "tools/heddle/base/provenance.h"
#include "tools/launch/launch_file.h"
#include "tools/occupancy/question.h"

namespace heddle::command {

/// What to compute, for which kernels, and how to report it.
struct OccupancyRequest {
  report::Provenance provenance;  ///< Includes the GPU if it was chosen by name or file.
  std::vector<std::string> launches;
  std::optional<std::string> ptxas;   ///< A file, or "-" for standard input.
  std::optional<std::string> batch;   ///< A file, or "-" for standard input.
  std::optional<std::string> kernel;  ///< Part of a kernel's name; other kernels are left out.
  /// The device's name is empty if none was chosen.
  occupancy::Question question;
  bool has_barriers = false;
  /// Which of these the command line gives.
  struct Given {
    bool registers = false;
    bool static_shared = false;
    bool grid = false;
    bool cluster = false;
    bool params = false;
  } given;  ///< On the command line.
  launch::LaunchOverrides overrides;
  std::optional<double> target;  ///< Target occupancy, more than 0 and at most 1.
  bool suggest = false;
  std::uint32_t most_threads = 0;  ///< Limit for a suggested block.
  /// Dynamic shared memory in bytes, as an expression in `block`.
  std::optional<std::string> shared_of_block;
  bool explain = false;
  bool curves = false;
  std::string format;  ///< text, json or csv
  std::optional<std::string> output;
  bool ascii = false;

  /// Whether more is asked for than how many blocks fit: the reasons, or other blocks, registers or memory.
  [[nodiscard]] bool asks_what_if() const { return explain || curves || suggest || target; }
};

/// Throws UsageError, and InputError if the GPU cannot be used.
OccupancyRequest read_occupancy_request(const ReportedCommand& command);

}  // namespace heddle::command
