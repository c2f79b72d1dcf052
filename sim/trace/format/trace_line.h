// One line of a kernel trace: a warp's instruction, the lanes that executed it, the addresses they named.
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

enum class RegisterFile : std::uint8_t { General, Uniform, Predicate, UniformPredicate };  // R UR P UP

struct TraceRegister {
  RegisterFile file = RegisterFile::General;
  std::uint8_t index = 0;  ///< 255: reads as zero.

  friend bool operator==(const TraceRegister&, const TraceRegister&) = default;
};

inline constexpr std::size_t kMaxSources = 5;

/// What is the same whenever a program comes by. Called functions have instructions at the same places as
/// the kernel: a place alone does not name one.
struct TraceInstruction {
  std::uint32_t index = 0;  ///< In the order in which the file first shows them.
  std::uint32_t source_line = 0;
  std::uint64_t pc = 0;  ///< Bytes from the beginning of its function.
  std::string opcode;    ///< LDG.E.64
  bool has_destination = false;
  TraceRegister destination;
  std::uint8_t sources = 0;
  std::array<TraceRegister, kMaxSources> source{};
  bool closes_group = false;  ///< Of GMMA: the last of its group.
};

/// How the addresses were written.
enum class AddressFormat : std::uint8_t {
  List = 0,
  BaseStride = 1,
  BaseDelta = 2,
  BulkList = 3,
  BulkDelta = 4
};

/// Of an instruction that moves a tile (TMA): no lane's addresses, but those of pieces in global memory.
struct BulkTransfer {
  /// Address in shared memory of the barrier that counts what has come; 0 if none.
  std::uint32_t barrier = 0;
  bool is_multicast = false;
  std::uint16_t blocks = 0;  ///< Of the cluster, that get it.
  std::uint64_t bytes = 0;
  std::uint64_t outside_bytes = 0;
  std::vector<Addr> addresses;
};

/// What a register held in each lane before the instruction.
struct RegisterValues {
  bool is_uniform = false;  ///< Lane 0's value is everyone's.
  std::array<std::uint64_t, kLanes> lanes{};
};

struct TraceLine {
  const TraceInstruction* instruction = nullptr;
  std::uint32_t mask = 0;   ///< Lanes that executed it: on the path, and their guard held.
  std::uint32_t width = 0;  ///< Bytes a lane, of memory operations; else 0. As written, not to be relied on.
  AddressFormat format = AddressFormat::List;
  std::array<Addr, kLanes> addresses{};  ///< Where the mask is set; only if `width` is not 0.
  std::int64_t immediate = 0;
  std::int64_t second_immediate = 0;
  bool has_bulk = false;
  BulkTransfer bulk;
  /// The destination's, if there is one, then the sources'. Empty if NoVal.
  std::vector<RegisterValues> values;
};

/// A block of the trace, by its place in the grid and in its cluster.
struct TraceBlock {
  std::array<std::uint32_t, 3> id{};
  std::array<std::uint32_t, 3> cluster{};
  std::array<std::uint32_t, 3> place_in_cluster{};
  std::uint32_t rank_in_cluster = 0;
  bool has_cluster = false;  ///< Whether the trace says anything of clusters.

  /// The block's linear index in a grid that has it; x runs fastest.
  [[nodiscard]] std::uint64_t index_in(const Dim3& grid) const {
    return (std::uint64_t{id[2]} * grid.y + id[1]) * grid.x + id[0];
  }
};

struct TraceWarp {
  std::uint32_t index = 0;  ///< In its block.
  std::uint64_t instructions = 0;
};

}  // namespace heddle::trace
