// How many runs are made at a time, and on how many threads each.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/heddle/run/run_request.h"

namespace heddle::command {

/// A run on one thread is never held up by its other threads: the more run side by side, the faster all are
/// done. So there are as many as there are threads, but for --jobs, unless they would not fit the memory of
/// the machine, where the largest has buffers of so many bytes; each gets its share of the threads.
void share_threads(std::vector<RunRequest>& points, std::size_t runs, std::uint64_t bytes);

}  // namespace heddle::command
