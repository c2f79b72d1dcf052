#include "tools/heddle/run/side_by_side.h"

#include <unistd.h>

#include <algorithm>

namespace heddle::command {

namespace {

/// Memory for a GPU's state and for reading a trace.
constexpr std::uint64_t kBytesOfARun = std::uint64_t{256} << 20;
/// Factor for the buffers with copies for checks and pending stores.
constexpr std::uint64_t kTimesTheBuffers = 3;

/// Half of the machine's memory is left to other programs.
std::uint64_t runs_that_fit(std::uint64_t bytes) {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return 1;
  const std::uint64_t memory = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page) / 2;
  return std::max<std::uint64_t>(memory / (kBytesOfARun + kTimesTheBuffers * bytes), 1);
}

}  // namespace

void share_threads(std::vector<RunRequest>& points, std::size_t runs, std::uint64_t bytes) {
  const unsigned threads = points[0].threads;
  const auto usual = static_cast<unsigned>(
      std::min<std::uint64_t>({std::uint64_t{threads}, std::uint64_t{runs}, runs_that_fit(bytes)}));
  const unsigned jobs = points[0].jobs == 0 ? usual : points[0].jobs;
  for (RunRequest& point : points) {
    point.jobs = jobs;
    point.threads = std::max(threads / jobs, 1U);
  }
}

}  // namespace heddle::command
