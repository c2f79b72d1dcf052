// Memory in huge pages (2 MiB), if the operating system offers them.
#pragma once

#include <cstddef>

namespace heddle {

/// Makes malloc take the next `bytes` of the calling thread from huge pages. The state of a whole GPU is tens
/// of MiB with random accesses; with pages of 4 KiB that causes many TLB misses on the host. Memory is taken
/// when it is touched. Afterwards the process keeps up to 2 GiB of freed memory at the end of its heap. Call
/// this first in main(). It changes only the speed.
void prefer_huge_pages(std::size_t bytes);

}  // namespace heddle
