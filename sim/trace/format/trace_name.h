// What the name of a file tells about the trace in it.
#pragma once

#include <array>
#include <string_view>

namespace heddle::trace {

/// The endings of trace files: text, plain or compressed, and Accel-Sim's container.
inline constexpr std::array<std::string_view, 5> kTraceEndings = {".traceg", ".traceg.gz", ".traceg.xz",
                                                                  ".traceg.zst", ".tracez"};

/// The ending that a name has; empty if it is not the name of a trace.
constexpr std::string_view trace_ending(std::string_view name) {
  for (const std::string_view ending : kTraceEndings) {
    if (name.ends_with(ending)) return ending;
  }
  return {};
}

/// "kernel-1" for "kernel-1.traceg.xz". The name of any other file is returned unchanged.
constexpr std::string_view trace_stem(std::string_view name) {
  return name.substr(0, name.size() - trace_ending(name).size());
}

}  // namespace heddle::trace
