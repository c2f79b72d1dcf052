// Measures the cases of `heddle bench`.
#pragma once

#include <vector>

#include "tools/bench/row.h"
#include "tools/heddle/bench/bench_request.h"

namespace heddle::command {

/// Throws InputError with the mistakes in the launches and traces that the user named, before anything is
/// measured.
void require_given(const BenchRequest& request);

/// A row for each case. Cases that cannot run to their end on this GPU are left out with a message on standard
/// error, unless the user named them; then their InputError or KernelFault is thrown.
std::vector<bench::Row> measure_all(const BenchRequest& request);

}  // namespace heddle::command
