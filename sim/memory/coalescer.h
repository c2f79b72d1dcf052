// From lane addresses to what memory sees: the lines and sectors that one warp instruction touches.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "isa/base/lane_addresses.h"
#include "isa/base/types.h"

namespace heddle::sim {

/// The part of one cache line that an instruction touches; bit s of `sectors` is the line's sector s.
struct LineAccess {
  Addr line = 0;  ///< Address of the line's first byte.
  std::uint32_t sectors = 0;
  std::uint8_t atomic_lanes = 0;      ///< An atomic's most lanes that name one address of the line.
  std::uint8_t atomic_addresses = 0;  ///< How many addresses of the line an atomic names.
  std::uint16_t turn = 0;             ///< The cycle of its look-up, counted from the first line's.

  friend bool operator==(const LineAccess&, const LineAccess&) = default;
};

/// The lines of one instruction, in the order in which its lanes first name them; once they have turns, turn
/// by turn.
class LineAccesses {
 public:
  void clear() { count_ = 0; }
  void add(Addr line, std::uint32_t sectors);
  void set_atomic(unsigned i, std::uint8_t lanes, std::uint8_t addresses) {
    lines_[i].atomic_lanes = lanes;
    lines_[i].atomic_addresses = addresses;
  }
  /// Moves all lines by so many bytes, a multiple of the line size.
  void move(Addr bytes) {
    for (unsigned i = 0; i < count_; ++i) lines_[i].line += bytes;
  }
  /// Orders the lines by their turns: turns[i] is that of line i. `most` is greater than any turn.
  void order_by_turns(std::span<const std::uint16_t> turns, unsigned most);

  [[nodiscard]] std::span<const LineAccess> list() const { return {lines_.data(), count_}; }
  [[nodiscard]] unsigned size() const { return count_; }
  [[nodiscard]] const LineAccess& operator[](unsigned i) const { return lines_[i]; }

 private:
  unsigned count_ = 0;
  std::array<LineAccess, kMaxWarpSize> lines_;  // a lane's aligned access never leaves its line
};

/// The sectors of all lines together.
std::uint64_t sector_count(const LineAccesses& lines);

/// How memory is cut up: powers of two.
struct LineGeometry {
  std::uint32_t line_bytes = 0;
  std::uint32_t sector_bytes = 0;
};

/// Fills `result` with what the lanes touch; their addresses are multiples of what each of them asks for.
void coalesce(const LaneAccess& access, const LineGeometry& geometry, LineAccesses& result);

/// Finds, for each line that the lanes touch, the sectors of which they name every byte. False if there are
/// none.
bool find_whole_sectors(const LaneAccess& access, const LineGeometry& geometry, const LineAccesses& lines,
                        std::span<std::uint32_t> whole);

/// Fills in, for the lines that the lanes touch, how many lanes at most name one address, and how many are
/// named.
void count_atomic_lanes(const LaneAccess& access, const LineGeometry& geometry, LineAccesses& lines);

}  // namespace heddle::sim
