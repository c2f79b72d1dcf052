// Memory in huge pages (2 MiB), where the kernel gives them.
#pragma once

#include <cstddef>

namespace heddle {

/// Lets malloc take its next `bytes` from huge pages. The state of a whole GPU is tens of MiB that are
/// touched at random, and a host does not keep at hand where so many pages of 4 KiB lie. Memory is taken when
/// it is touched, and kept when it is freed. To be called first in main(). Only the host's speed can tell.
void prefer_huge_pages(std::size_t bytes);

}  // namespace heddle
