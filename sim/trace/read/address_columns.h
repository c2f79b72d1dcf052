// Decodes the addresses of a line with vectors, all lanes at a time.
//
// Only what tracers write is understood: plain columns with one blank behind each. Everything else, malformed
// columns too, is left to the scans of column_scan.h, which know what to say.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isa/base/types.h"
#include "sim/trace/format/trace_line.h"

namespace heddle::trace {

/// So many bytes are read before the first column and behind the line, whatever they are.
inline constexpr std::size_t kBeforeColumns = 16;
inline constexpr std::size_t kBehindColumns = 1024;

/// Decodes `count` hexadecimal numbers, each with 0x and 1 to 16 digits. Returns the position behind the last
/// blank; null if a column is not of this form, or if there are fewer. Then `numbers` has anything. All its
/// kLanes elements may be written.
const char* decode_addresses(const char* at, unsigned count, Addr* numbers);

/// The same for decimal numbers of 1 to 8 digits, each with or without a minus.
const char* decode_distances(const char* at, unsigned count, std::int64_t* numbers);

}  // namespace heddle::trace
