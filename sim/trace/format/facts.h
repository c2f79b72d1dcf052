// The facts file: a file beside a recorded trace with what Accel-Sim's format has no columns for:
//
//   heddle facts 1
//   barriers = 1
//   kernel = 14 lines
//   <the kernel's text>
//   block 0
//   warp 2
//   17 active=0000ffff                active lanes, if they do not follow from the line's mask
//   18 barrier=1,4                    named barrier, and how many warps it waits for (0: all)
//   21 sleep=100                      nanoseconds
//   22 shared=2:0x0:16:16             for a copy, where in shared memory each lane's data go
//   23 constant=1:0x40:4              for LDC, what each lane reads
//
// The line of an instruction begins with the instruction's number in its warp. Instructions, warps and blocks
// without facts are left out. Addresses are written as in the trace, but with colons.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "isa/stream/warp_source.h"
#include "sim/trace/format/trace_line.h"

namespace heddle::trace {

/// The line in the head of a trace that names its facts file.
inline constexpr std::string_view kFactsKey = "-heddle facts = ";

/// How the lines of the file begin or end.
inline constexpr std::string_view kFactsFirstLine = "heddle facts 1";
inline constexpr std::string_view kFactsBarriers = "barriers = ";
inline constexpr std::string_view kFactsKernel = "kernel = ";
inline constexpr std::string_view kFactsKernelLines = " lines";
inline constexpr std::string_view kFactsBlock = "block ";
inline constexpr std::string_view kFactsWarp = "warp ";

/// The kinds of facts.
enum class Fact : std::uint8_t { Active, Barrier, Sleep, Shared, Constant };
inline constexpr std::array<std::string_view, 5> kFactNames = {"active", "barrier", "sleep", "shared",
                                                               "constant"};
constexpr std::string_view name_of(Fact fact) { return kFactNames[static_cast<std::size_t>(fact)]; }
std::optional<Fact> find_fact(std::string_view name);

/// The head of a facts file.
struct FactsHead {
  std::uint32_t barriers = 1;  ///< Named barriers of a block.
  std::string kernel;          ///< The kernel's text, as assemble() reads it.
};

/// The facts of one instruction of a warp. A field is not set if the trace's line tells as much.
struct Facts {
  std::uint64_t number = 0;  ///< The instruction's number in its warp.
  std::optional<std::uint32_t> active;
  std::optional<stream::BarrierUse> barrier;
  std::optional<std::uint32_t> nanoseconds;
  std::optional<std::array<Addr, kLanes>> shared;
  std::optional<std::array<Addr, kLanes>> constant;
};

/// The active lanes that are assumed if there is no such fact: the lanes of the line's mask; for an
/// instruction with a guard, the live ones of the lanes that were active before.
constexpr std::uint32_t expected_active(std::uint32_t mask, bool guarded, std::uint32_t before,
                                        std::uint32_t live) {
  return guarded ? before & live : mask;
}

std::string to_text(const FactsHead& head);
/// Appends a line if there is a fact. `mask` holds the lanes that have an address.
void append_facts(std::string& text, const Facts& facts, std::uint32_t mask);

}  // namespace heddle::trace
