// Converts a trace to another version of the format. What an older version cannot express is left out and
// counted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/base/new_file.h"
#include "sim/trace/format/trace_header.h"
#include "sim/trace/read/trace_reader.h"
#include "sim/trace/write/trace_writer.h"

namespace heddle::command {

/// One conversion.
class TraceConversion {
 public:
  /// Converts to a version, such as "3". Without one nothing changes.
  TraceConversion(const trace::TraceHeader& from, const std::optional<std::string>& version);

  [[nodiscard]] const trace::TraceHeader& header() const { return to_; }
  [[nodiscard]] trace::TraceBlock adapted(const trace::TraceBlock& block);
  [[nodiscard]] const trace::TraceLine& adapted(const trace::TraceLine& line);

  /// What was left out, as sentences.
  [[nodiscard]] std::vector<std::string> losses() const;

 private:
  trace::TraceHeader to_;
  bool is_changed_;
  bool has_new_form_;  // two immediates, clusters, tiles, ends of GMMA groups
  bool loses_source_lines_ = false;
  trace::TraceLine line_;
  std::uint64_t clusters_ = 0;
  std::uint64_t values_ = 0;
  std::uint64_t immediates_ = 0;
  std::uint64_t second_immediates_ = 0;
  std::uint64_t tiles_ = 0;
};

/// The versions that can be chosen.
std::vector<std::string> trace_versions();

/// The form follows from the file's name: a .tracez container, or text with the compression of its ending.
std::unique_ptr<trace::TraceWriter> open_trace_writer(const trace::TraceHeader& header, const NewFile& file);

}  // namespace heddle::command
