// The variables of the functions that CUDA's own code brings to every kernel: device printf, failed assert(), malloc and
// free, and launches of kernels by kernels (isa/lower/system_functions.h). Threads write them, whoever launched the kernel
// reads them.
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
//   __heddle_grid_workspace   16 bytes by which the blocks of a cooperative grid wait for each other, at the address that
//                     %envreg1 (its upper half) and %envreg2 have
//   __heddle_launches a LaunchHeader, and kLaunchRecords records of kLaunchRecordBytes: a LaunchRecord, and from
//                     kLaunchParameters on the bytes of the parameters. The address of a kernel is that of a variable
//                     called kKernelVariable and the kernel's name.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::ir {

/// The functions themselves.
inline constexpr std::array<std::string_view, 13> kSystemFunctions = {
    "vprintf",       "__assertfail",      "malloc",
    "free",          "cudaMalloc",        "cudaFree",
    "cudaGetDevice", "cudaGetLastError",  "cudaPeekAtLastError",
    "cudaStreamCreateWithFlags",          "cudaStreamDestroy",
    "cudaGetParameterBufferV2",           "cudaLaunchDeviceV2"};

/// Whether it is one of them by the name that PTX has for it: nvcc's is __cudaCDP2Malloc where clang's is
/// cudaMalloc.
inline constexpr std::string_view kDeviceRuntimePrefix = "__cudaCDP2";
constexpr bool is_named(std::string_view in_ptx, std::string_view function) {
  constexpr std::string_view kOfClang = "cuda";
  if (in_ptx == function) return true;
  return in_ptx.starts_with(kDeviceRuntimePrefix) && function.starts_with(kOfClang) &&
         in_ptx.substr(kDeviceRuntimePrefix.size()) == function.substr(kOfClang.size());
}
constexpr bool is_system_function(std::string_view in_ptx) {
  for (const std::string_view function : kSystemFunctions) {
    if (is_named(in_ptx, function)) return true;
  }
  return false;
}

/// Their names in machine code. Files have code for the later ones, which calls a driver: these stand in its place.
inline constexpr std::array<std::string_view, 13> kMachineCodeFunctions = {
    "vprintf",             "__assertfail",           "malloc",
    "free",                "__cudaCDP2Malloc",       "__cudaCDP2Free",
    "__cudaCDP2GetDevice", "__cudaCDP2GetLastError", "__cudaCDP2PeekAtLastError",
    "__cudaCDP2StreamCreateWithFlags",               "__cudaCDP2StreamDestroy",
    "__cudaCDP2GetParameterBufferV2",                "__cudaCDP2LaunchDeviceV2"};
static_assert(std::ranges::equal(kMachineCodeFunctions, kSystemFunctions, is_named));

inline constexpr std::string_view kOutputVariable = "__heddle_output";
inline constexpr std::string_view kGridWorkspaceVariable = "__heddle_grid_workspace";
inline constexpr std::string_view kHeapVariable = "__heddle_heap";
inline constexpr std::string_view kLaunchesVariable = "__heddle_launches";
inline constexpr std::string_view kKernelVariable = "__heddle_kernel_";
inline constexpr std::uint64_t kKernelVariableBytes = 16;  ///< It is aligned to as many.
/// The variable whose address is a kernel's.
inline std::string kernel_variable(std::string_view kernel) { return std::string(kKernelVariable).append(kernel); }
/// The name of the buffer that malloc takes from.
inline constexpr std::string_view kHeapBuffer = "the heap of malloc";

inline constexpr std::uint64_t kGridWorkspaceBytes = 16;

/// What CUDA's own buffer has is one, or seven, of such megabytes.
inline constexpr std::uint64_t kOutputBytes = 8 << 20;
inline constexpr std::uint64_t kOutputHeader = 16;
inline constexpr std::uint64_t kOutputRecordHeader = 16;

/// What malloc has unless somebody says otherwise, as CUDA's.
inline constexpr std::uint64_t kHeapBytes = 8 << 20;

/// How many launches of kernels by kernels are kept until the kernel that asked for them has ended.
inline constexpr std::uint64_t kLaunchRecords = 16384;
inline constexpr std::uint64_t kLaunchRecordBytes = 4352;
inline constexpr std::uint64_t kLaunchParameters = 256;
inline constexpr std::uint64_t kMostParameterBytes = kLaunchRecordBytes - kLaunchParameters;

/// How kLaunchesVariable begins.
struct LaunchHeader {
  std::uint64_t taken;     ///< Records that threads have taken; those beyond kLaunchRecords are lost.
  std::uint64_t launched;  ///< Launches that were asked for.
  std::uint64_t streams;   ///< Streams that were made.
  std::uint32_t error;     ///< What cudaGetLastError says on the device.
  std::uint32_t lost;      ///< Launches for which there was no record.
  std::uint64_t unused[4];
};

/// A launch that a thread asks for.
struct LaunchRecord {
  std::uint64_t kernel;  ///< Its address.
  std::uint32_t grid[3];
  std::uint32_t block[3];
  std::uint32_t shared_bytes;
  std::uint32_t parent;        ///< %gridid of the thread,
  std::uint64_t parent_block;  ///< and its block, x first.
  std::uint64_t stream;        ///< cudaStream_t
  std::uint64_t order;         ///< From 1 on; 0: it is not launched yet, or no more.
};

inline constexpr std::uint64_t kTextFormat = 1;
inline constexpr std::uint64_t kAssertionFormat = 2;

}  // namespace heddle::ir
