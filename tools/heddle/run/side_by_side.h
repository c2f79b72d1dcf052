// Decides how many runs are made in parallel, and on how many threads each.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/heddle/run/run_request.h"

namespace heddle::command {

/// A run on one thread never waits for other threads, so many parallel runs are fastest. There are as many
/// runs as threads, or as many as --jobs says, but no more than fit in the memory of the machine; `bytes` is
/// the size of the largest run's buffers. Each run gets its share of the threads.
void share_threads(std::vector<RunRequest>& points, std::size_t runs, std::uint64_t bytes);

}  // namespace heddle::command
