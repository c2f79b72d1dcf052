// The variables of the functions that CUDA's own code brings to every kernel: device printf, failed assert(), malloc and
// free (isa/lower/system_functions.h). Threads write them, whoever launched the kernel reads them.
//
//   __heddle_output   the records of printf and assert, in the order in which threads took their places
//     0   8 bytes     bytes of records that threads have taken; more than kOutputBytes if some were lost
//     8   4           records that were lost
//     12  4           assertions that failed
//     16              the records, each a multiple of 8 bytes: the address of its format (8), its bytes (4; 0 while it is
//                     being written), and behind those 16 the arguments as C passes them, 4 or 8 bytes each. The format
//                     kTextFormat marks text that a %s of a later record points to, kAssertionFormat a failed assertion:
//                     message, file and function (8 each), line (4), and the block's and the thread's three indices (4
//                     each).
//   __heddle_heap     whence malloc takes: where it begins and how many bytes it has (8 each; none unless they are set),
//                     how many have been taken (8), and for each power of two the last that was given back (8 each)
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace heddle::ir {

/// The functions themselves.
inline constexpr std::array<std::string_view, 4> kSystemFunctions = {"vprintf", "__assertfail", "malloc", "free"};

inline constexpr std::string_view kOutputVariable = "__heddle_output";
inline constexpr std::string_view kHeapVariable = "__heddle_heap";
/// The name of the buffer that malloc takes from.
inline constexpr std::string_view kHeapBuffer = "the heap of malloc";

/// What CUDA's own buffer has is one, or seven, of such megabytes.
inline constexpr std::uint64_t kOutputBytes = 8 << 20;
inline constexpr std::uint64_t kOutputHeader = 16;
inline constexpr std::uint64_t kOutputRecordHeader = 16;

/// What malloc has unless somebody says otherwise, as CUDA's.
inline constexpr std::uint64_t kHeapBytes = 8 << 20;

inline constexpr std::uint64_t kTextFormat = 1;
inline constexpr std::uint64_t kAssertionFormat = 2;

}  // namespace heddle::ir
