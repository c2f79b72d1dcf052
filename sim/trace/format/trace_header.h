// The head of a kernel trace: what Accel-Sim's tracer says about the launch before the first block.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/base/dim3.h"
#include "isa/base/types.h"

namespace heddle::trace {

/// From this version of the tracer on, lines have no columns for block and warp.
inline constexpr unsigned kFirstGroupedVersion = 3;
/// From this one on, lines may have a source line before them, and end in immediates.
inline constexpr unsigned kFirstImmediateVersion = 4;
/// The version whose lines end in register values, or in NoVal.
inline constexpr unsigned kValuesVersion = 6;

/// What stands where other traces name the version of the tool that instrumented the kernel.
inline constexpr std::string_view kRecordedByHeddle = "none: recorded by Heddle";

struct TraceHeader {
  std::string kernel;  ///< As linked: mangled.
  std::uint64_t id = 0;
  Dim3 grid;
  Dim3 block;
  std::uint32_t shared_bytes = 0;    ///< Of a block, static and dynamic.
  std::uint32_t registers = 0;       ///< Of a thread.
  std::uint32_t binary_version = 0;  ///< Compute capability without its point: 70, 86.
  std::uint64_t stream = 0;
  Addr shared_base = 0;  ///< Where generic addresses mean shared memory; 0 if unknown.
  Addr local_base = 0;
  std::string nvbit_version;
  std::string tracer_version;        ///< As written: "3", "1.2"; empty if there is no such line.
  bool has_line_numbers = false;     ///< Each instruction begins with its line in the source.
  std::string format;                ///< What stands behind "#traces format = ".
  std::vector<std::string> unknown;  ///< Other lines, as they are.

  /// The whole part of the tracer's version; 0 if there is none.
  [[nodiscard]] unsigned version() const;
  /// Whether lines end in two immediates rather than one.
  [[nodiscard]] bool has_second_immediate() const;
};

/// The lines of a head, the one that ends it included, with a blank line after it.
std::string to_text(const TraceHeader& header);

}  // namespace heddle::trace
