// One line of a kernel trace: an instruction of a warp, the lanes that executed it, and their addresses.
//
//   [source line] pc mask destinations [Rd] opcode sources [Rs...] [gmma] width [addresses] immediates
//   [values]
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/base/dim3.h"
#include "isa/base/types.h"

namespace heddle::trace {

inline constexpr unsigned kLanes = 32;  ///< The format has masks of 32 bits.

/// The register files: R, UR, P and UP in SASS.
enum class RegisterFile : std::uint8_t { General, Uniform, Predicate, UniformPredicate };  // R UR P UP

/// A register in a trace line.
struct TraceRegister {
  RegisterFile file = RegisterFile::General;
  std::uint8_t index = 0;  ///< 255 reads as zero.

  friend bool operator==(const TraceRegister&, const TraceRegister&) = default;
};

inline constexpr std::size_t kMaxSources = 5;

/// The part of a line that is the same each time the instruction executes. The pc alone does not identify an
/// instruction, because called functions have pcs of their own that start at 0, too.
struct TraceInstruction {
  std::uint32_t index = 0;  ///< Counts from 0 in the order in which the file first shows the instructions.
  std::uint32_t source_line = 0;
  std::uint64_t pc = 0;  ///< In bytes from the beginning of its function.
  std::string opcode;    ///< With modifiers: LDG.E.64.
  bool has_destination = false;
  TraceRegister destination;
  std::uint8_t sources = 0;
  std::array<TraceRegister, kMaxSources> source{};
  bool closes_group = false;  ///< For GMMA: the last instruction of its group.
};

/// How the addresses are encoded in the line.
enum class AddressFormat : std::uint8_t {
  List = 0,
  BaseStride = 1,
  BaseDelta = 2,
  BulkList = 3,
  BulkDelta = 4
};

/// A transfer of a tile (TMA). It has no lane addresses, but the addresses of pieces in global memory.
struct BulkTransfer {
  /// Address in shared memory of the mbarrier that counts the bytes that have come; 0 if none.
  std::uint32_t barrier = 0;
  bool is_multicast = false;
  std::uint16_t blocks = 0;  ///< Bit mask of the blocks of the cluster that receive the data.
  std::uint64_t bytes = 0;
  std::uint64_t outside_bytes = 0;
  std::vector<Addr> addresses;
};

/// The values of a register in each lane before the instruction.
struct RegisterValues {
  bool is_uniform = false;  ///< All lanes have the value of lane 0.
  std::array<std::uint64_t, kLanes> lanes{};
};

/// One line of a trace, parsed.
struct TraceLine {
  const TraceInstruction* instruction = nullptr;
  /// Lanes that executed the instruction: they are on the path, and their guard holds.
  std::uint32_t mask = 0;
  std::uint32_t width = 0;  ///< Bytes per lane of a memory operation; else 0. As written; it can be wrong.
  AddressFormat format = AddressFormat::List;
  /// One address per lane of the mask; valid only if `width` is not 0.
  std::array<Addr, kLanes> addresses{};
  std::int64_t immediate = 0;
  std::int64_t second_immediate = 0;
  bool has_bulk = false;
  BulkTransfer bulk;
  /// The values of the destination, if there is one, then those of the sources. Empty for NoVal.
  std::vector<RegisterValues> values;
};

/// A block of the trace: its position in the grid and in its cluster.
struct TraceBlock {
  std::array<std::uint32_t, 3> id{};
  std::array<std::uint32_t, 3> cluster{};
  std::array<std::uint32_t, 3> place_in_cluster{};
  std::uint32_t rank_in_cluster = 0;
  bool has_cluster = false;  ///< Whether the trace tells anything about clusters.

  /// The block's linear index in the grid. x runs fastest.
  [[nodiscard]] std::uint64_t index_in(const Dim3& grid) const {
    return (std::uint64_t{id[2]} * grid.y + id[1]) * grid.x + id[0];
  }
};

/// The head of a warp in a trace.
struct TraceWarp {
  std::uint32_t index = 0;  ///< In its block.
  std::uint64_t instructions = 0;
};

}  // namespace heddle::trace
