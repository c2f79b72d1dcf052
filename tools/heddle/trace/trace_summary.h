// Counts what a trace contains.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/trace/format/trace_header.h"
#include "tools/report/provenance.h"

namespace heddle::command {

/// How often an opcode was executed.
struct OpcodeCount {
  std::string opcode;
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
};

inline constexpr std::size_t kAddressFormats = 5;

/// The counts of one trace.
struct TraceSummary {
  std::string path;
  std::uint64_t file_bytes = 0;
  trace::TraceHeader header;
  std::uint64_t blocks = 0;
  std::uint64_t warps = 0;
  std::uint64_t warp_instructions = 0;    ///< Without the marks of spin loops.
  std::uint64_t thread_instructions = 0;  ///< Sum of the executing lanes.
  std::uint64_t memory_instructions = 0;
  /// Memory instructions by trace::AddressFormat.
  std::array<std::uint64_t, kAddressFormats> address_formats{};
  std::uint64_t spin_loops = 0;
  std::vector<OpcodeCount> opcodes;  ///< Most frequent first.
  report::Provenance provenance;     ///< Set by the caller.

  [[nodiscard]] double mean_active_lanes() const {
    return warp_instructions == 0
               ? 0
               : static_cast<double>(thread_instructions) / static_cast<double>(warp_instructions);
  }
};

/// "list", "base and stride", ...
std::string_view address_format_name(std::size_t format);

/// Reads the whole trace. Throws InputError.
TraceSummary summarize_trace(const std::string& path);

}  // namespace heddle::command
