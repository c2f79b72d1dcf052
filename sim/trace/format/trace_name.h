// What the name of a file says of the trace in it.
#pragma once

#include <array>
#include <string_view>

namespace heddle::trace {

/// A trace's name ends in one of these: text, plain or compressed, or Accel-Sim's container.
inline constexpr std::array<std::string_view, 5> kTraceEndings = {".traceg", ".traceg.gz", ".traceg.xz",
                                                                  ".traceg.zst", ".tracez"};

/// The one that it ends in, of all; empty if it ends in none.
constexpr std::string_view trace_ending(std::string_view name) {
  for (const std::string_view ending : kTraceEndings) {
    if (name.ends_with(ending)) return ending;
  }
  return {};
}

/// "kernel-1" of "kernel-1.traceg.xz"; a name that is no trace's as it is.
constexpr std::string_view trace_stem(std::string_view name) {
  return name.substr(0, name.size() - trace_ending(name).size());
}

}  // namespace heddle::trace
