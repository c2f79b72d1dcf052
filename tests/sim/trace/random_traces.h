// Traces drawn at random, of everything that the format can say.
#pragma once

#include <random>

#include "sim/trace/write/trace_writer.h"
#include "tests/sim/trace/small_traces.h"

namespace heddle::trace {

/// As a reader would see it.
SeenTrace random_trace(std::mt19937& random);

/// Hands a trace to a writer, as a reader's events come. Finishes it.
void write(const SeenTrace& trace, TraceWriter& writer);

}  // namespace heddle::trace
