// PTX ISA, register fragments of wgmma.mma_async: where a thread has its sums.
#pragma once

namespace heddle::test {

/// Thread t of warp w has row 16 w + t / 4, or 8 more, and two neighbouring columns of each eight.
constexpr unsigned row_of_sum(unsigned thread, unsigned i) {
  return thread / 32 * 16 + thread % 32 / 4 + (i / 2 % 2) * 8;
}
constexpr unsigned column_of_sum(unsigned thread, unsigned i) { return i / 4 * 8 + thread % 4 * 2 + i % 2; }

}  // namespace heddle::test
