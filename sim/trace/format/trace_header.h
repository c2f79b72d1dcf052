// The head of a kernel trace: what Accel-Sim's tracer writes about the launch before the first block.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/base/dim3.h"
#include "isa/base/types.h"

namespace heddle::trace {

/// First version of the tracer without columns for block and warp in each line.
inline constexpr unsigned kFirstGroupedVersion = 3;
/// First version in which a source line can precede a line and immediates end it.
inline constexpr unsigned kFirstImmediateVersion = 4;
/// The version in which register values, or NoVal, end a line.
inline constexpr unsigned kValuesVersion = 6;

/// Stands for the version of the tool that instrumented the kernel, since there was none.
inline constexpr std::string_view kRecordedByHeddle = "none: recorded by Heddle";

/// The launch that a trace records, and the versions of the tools that wrote it.
struct TraceHeader {
  std::string kernel;  ///< Mangled name.
  std::uint64_t id = 0;
  Dim3 grid;
  Dim3 block;
  std::uint32_t shared_bytes = 0;    ///< Per block in bytes, static and dynamic.
  std::uint32_t registers = 0;       ///< Per thread.
  std::uint32_t binary_version = 0;  ///< Compute capability without the point: 70, 86.
  std::uint64_t stream = 0;
  Addr shared_base = 0;  ///< Start of the generic addresses that mean shared memory; 0 if unknown.
  Addr local_base = 0;
  std::string nvbit_version;
  std::string tracer_version;        ///< As written: "3", "1.2". Empty if the line is missing.
  bool has_line_numbers = false;     ///< Each instruction line begins with the line number in the source.
  std::string format;                ///< The text behind "#traces format = ".
  std::vector<std::string> unknown;  ///< Lines that are not understood, unchanged.

  /// The integer part of the tracer's version; 0 if there is none.
  [[nodiscard]] unsigned version() const;
  /// Whether a line ends in two immediates instead of one.
  [[nodiscard]] bool has_second_immediate() const;
};

/// The lines of a head with the line that ends it and a blank line.
std::string to_text(const TraceHeader& header);

}  // namespace heddle::trace
