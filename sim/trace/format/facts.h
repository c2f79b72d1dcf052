// What Heddle knows of a run and Accel-Sim's trace format cannot say, in a file beside the trace:
//
//   heddle facts 1
//   barriers = 1
//   kernel = 14 lines
//   <the kernel's text>
//   block 0
//   warp 2
//   17 active=0000ffff                lanes on the path, where the line's mask does not tell
//   18 barrier=1,4                    named barrier, and how many warps meet there (0: all)
//   21 sleep=100                      nanoseconds
//   22 shared=2:0x0:16:16             of copies, where in shared memory each lane's data go
//   23 constant=1:0x40:4              of LDC, what each lane reads
//
// Warps' lines begin with the instruction's number in the warp; lines, warps and blocks without facts are
// left out. Addresses are as in the trace, with colons.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "isa/stream/warp_source.h"
#include "sim/trace/format/trace_line.h"

namespace heddle::trace {

/// The line in a trace's head that names the file.
inline constexpr std::string_view kFactsKey = "-heddle facts = ";

/// How the lines of the file begin, or end.
inline constexpr std::string_view kFactsFirstLine = "heddle facts 1";
inline constexpr std::string_view kFactsBarriers = "barriers = ";
inline constexpr std::string_view kFactsKernel = "kernel = ";
inline constexpr std::string_view kFactsKernelLines = " lines";
inline constexpr std::string_view kFactsBlock = "block ";
inline constexpr std::string_view kFactsWarp = "warp ";

/// What a line can say, and how the file calls it.
enum class Fact : std::uint8_t { Active, Barrier, Sleep, Shared, Constant };
inline constexpr std::array<std::string_view, 5> kFactNames = {"active", "barrier", "sleep", "shared",
                                                               "constant"};
constexpr std::string_view name_of(Fact fact) { return kFactNames[static_cast<std::size_t>(fact)]; }
std::optional<Fact> find_fact(std::string_view name);

struct FactsHead {
  std::uint32_t barriers = 1;  ///< Of a block.
  std::string kernel;          ///< Its text, as assemble() reads it.
};

/// What one instruction of a warp did, beyond its line.
struct Facts {
  std::uint64_t number = 0;  ///< Of the instruction in its warp.
  std::optional<std::uint32_t> active;
  std::optional<stream::BarrierUse> barrier;
  std::optional<std::uint32_t> nanoseconds;
  std::optional<std::array<Addr, kLanes>> shared;
  std::optional<std::array<Addr, kLanes>> constant;
};

/// The path's lanes as they are taken to be where no fact says otherwise: those of the line's mask; where an
/// instruction stands under a guard, those of the line before, as far as they live.
constexpr std::uint32_t expected_active(std::uint32_t mask, bool guarded, std::uint32_t before,
                                        std::uint32_t live) {
  return guarded ? before & live : mask;
}

std::string to_text(const FactsHead& head);
/// A line, if there is anything to say; `mask` has the lanes of the addresses.
void append_facts(std::string& text, const Facts& facts, std::uint32_t mask);

}  // namespace heddle::trace
