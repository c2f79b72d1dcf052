// Memory in huge pages (2 MiB), where the kernel gives them.
#pragma once

#include <cstddef>

namespace heddle {

/// Lets malloc take its next `bytes` for the calling thread from huge pages. The state of a whole GPU is tens
/// of MiB that are touched at random, and a host does not keep at hand where so many pages of 4 KiB lie.
/// Memory is taken when it is touched; from then on, the process keeps up to 2 GiB that are freed at its
/// heap's end. To be called first in main(). Only the host's speed can tell.
void prefer_huge_pages(std::size_t bytes);

}  // namespace heddle
