// The swizzles of shared memory that tensor cores and copies of tiles agree on.
#pragma once

namespace heddle::exec {

inline constexpr unsigned kChunkBytes = 16;  ///< They move chunks of so many bytes.

/// Where a byte lies that would lie at `plain` without a swizzle: bits 7 and up of the address turn bits 4 and up over, three of
/// them where 8 chunks change places (128 bytes), two where 4 do, one where 2 do, none where there is 1.
template <typename Address>
constexpr Address swizzled(Address plain, Address chunks) {
  return plain ^ (plain >> 7 & (chunks - 1)) * kChunkBytes;
}

}  // namespace heddle::exec
