#include "isa/exec/bulk_instructions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "isa/exec/wide_value.h"
#include "isa/ir/windows.h"

namespace heddle::exec {

namespace {

constexpr unsigned kPiece = 16;  // bytes that UBLKCP counts
constexpr unsigned kTileAlignment = 128;
constexpr unsigned kMapAlignment = 64;

/// The low half of the register counts pieces; the high one would say to which blocks of a cluster they go.
std::uint64_t copied_bytes(std::uint32_t size) { return std::uint64_t{size & 0xffff} * kPiece; }

/// Whether the instruction names the map of a tensor, and coordinates.
bool has_tensor(const Decoded& op) { return op.c.rows == 0; }

/// Numbers the rows of a tile, the second dimension first.
class TileRows {
 public:
  explicit TileRows(const TensorMap& map) : map_(map) {}

  [[nodiscard]] std::uint32_t along(unsigned dimension) const { return at_[dimension]; }
  /// False behind the last one.
  bool next() {
    for (unsigned i = 1; i < map_.rank; ++i) {
      if (++at_[i] < map_.tile_size(i)) return true;
      at_[i] = 0;
    }
    return false;
  }

 private:
  const TensorMap& map_;
  std::array<std::uint32_t, TensorMap::kMostDimensions> at_{};
};

}  // namespace

std::uint32_t BulkInstructions::word(const Warp& warp, const SourceRows& rows, unsigned which) const {
  return machine_.source(warp, rows)[which * machine_.lanes];
}

Addr BulkInstructions::address(const Warp& warp, const SourceRows& rows) const {
  return wide_value(machine_.source(warp, rows), 2, 0, machine_.lanes);
}

/// What the copy is in time: the pieces that lie in the tensor, all of which have as many bytes.
void BulkInstructions::tell(const Tile& tile) {
  step_ = {};
  step_.action = stream::AsyncStep::Action::Copy;
  for (const BulkRow& row : tile.rows) step_.addresses.push_back(row.global);
  if (!tile.rows.empty()) step_.piece_bytes = static_cast<std::uint32_t>(tile.rows.front().bytes);
  step_.bytes = tile.bytes;
  machine_.step.async = &step_;
}

void BulkInstructions::copy(const Decoded& op, Warp& warp, LaneMask executed) {
  ++machine_.changes;
  const Tile tile = has_tensor(op) ? tile_of_tensor(op, warp) : bytes_of_instruction(op, warp);
  for (const BulkRow& row : tile.rows) {
    if (is_load(op)) {
      pieces_.load(op, warp, row);
    } else if (tile.reduction == nullptr) {
      pieces_.store(op, warp, row);
    } else {
      pieces_.reduce(op, warp, row, tile.reduction, tile.element_bytes);
    }
  }
  tell(tile);
  if (!is_load(op)) return;
  for (const BulkRow& row : tile.zeros) pieces_.clear(op, warp, row);
  mbarriers_.receive(op, warp, executed, tile.barrier, tile.bytes);
  step_.uses = {{tile.barrier}};
}

void BulkInstructions::require_reduction(const Decoded& op, const Warp& warp, const Tile& tile) const {
  if (is_load(op) || op.reduction == ir::Modifier::AtomicOperationNone || tile.reduction != nullptr) return;
  machine_.fail(warp, stream::FaultKind::Other, "no elements of this type can be combined in this way");
}

BulkInstructions::Tile BulkInstructions::bytes_of_instruction(const Decoded& op, Warp& warp) {
  Tile tile;
  tile.bytes = copied_bytes(word(warp, op.c));
  tile.reduction = op.atomic;
  tile.element_bytes = op.bytes;
  require_reduction(op, warp, tile);
  BulkRow row;
  row.global = address(warp, is_load(op) ? op.b : op.a);
  row.shared = word(warp, is_load(op) ? op.a : op.b);
  row.bytes = tile.bytes;
  if (is_load(op)) tile.barrier = word(warp, op.a, 1);
  pieces_.require_alignment(op, warp, stream::MemorySpace::Global, row.global, kPiece);
  pieces_.require_alignment(op, warp, stream::MemorySpace::Shared, row.shared, kPiece);
  if (row.bytes != 0) tile.rows.push_back(row);
  return tile;
}

/// A map is a parameter of the kernel, or lies in global memory.
TensorMap BulkInstructions::map_of(const Decoded& op, Warp& warp) {
  const Addr place = address(warp, op.b);
  std::array<std::byte, TensorMap::kBytes> bytes{};
  if (place >> 32 == ir::kParameterWindow) {
    const std::span<const std::byte> bank = machine_.decoded.launch_bank;
    const std::size_t first = std::min<std::size_t>(place & 0xffffffff, bank.size());
    std::ranges::copy(bank.subspan(first, std::min(TensorMap::kBytes, bank.size() - first)), bytes.begin());
  } else if (addressing_.buffer_at(place, TensorMap::kBytes) != nullptr) {
    pieces_.require_alignment(op, warp, stream::MemorySpace::Global, place, kMapAlignment);
    pieces_.read(op, warp, place, bytes);
  }
  const std::optional<TensorMap> map = decode_tensor_map(bytes);
  if (!map) {
    machine_.fail(warp, stream::FaultKind::Other,
                  fmt::format("at {:#x} lies no tensor map that cuTensorMapEncodeTiled has made", place));
  }
  const unsigned places = is_load(op) ? 2 : 1;
  if (map->rank + places != op.a.rows) {
    machine_.fail(warp, stream::FaultKind::Other,
                  fmt::format("names {} coordinates, but the tensor map at {:#x} is of {} dimensions",
                              op.a.rows - places, place, map->rank));
  }
  return *map;
}

BulkInstructions::Tile BulkInstructions::tile_of_tensor(const Decoded& op, Warp& warp) {
  const TensorMap map = map_of(op, warp);
  Tile tile;
  tile.bytes = map.tile_bytes();
  tile.element_bytes = bytes_of(map.element);
  if (!is_load(op)) tile.reduction = bulk_reduction(op.reduction, map.element);
  require_reduction(op, warp, tile);
  const Addr shared = word(warp, op.a);
  if (is_load(op)) tile.barrier = word(warp, op.a, 1);
  pieces_.require_alignment(op, warp, stream::MemorySpace::Shared, shared, kTileAlignment);
  pieces_.require_room(op, warp, shared, tile.bytes);
  std::array<std::uint32_t, TensorMap::kMostDimensions> first{};
  for (unsigned i = 0; i < map.rank; ++i) first[i] = word(warp, op.a, i + (is_load(op) ? 2 : 1));
  add_rows(map, first.data(), shared, tile);
  return tile;
}

/// Coordinates are signed; what lies out of the tensor reads as zeros and is not written.
void BulkInstructions::add_rows(const TensorMap& map, const std::uint32_t* first, Addr shared, Tile& tile) const {
  const std::int64_t bytes = bytes_of(map.element);
  const auto clipped = [&](std::int64_t at) {
    return std::clamp<std::int64_t>(at, 0, static_cast<std::int64_t>(map.sizes[0]));
  };
  const std::int64_t begin = static_cast<std::int32_t>(first[0]);
  const std::int64_t left = clipped(begin);
  const std::int64_t right = clipped(begin + map.box[0]);
  const auto row_bytes = static_cast<Addr>(map.box[0] * bytes);
  const auto add = [&](std::vector<BulkRow>& rows, Addr global, Addr place, std::int64_t from, std::int64_t to) {
    if (from >= to) return;
    rows.push_back({global, place + static_cast<Addr>((from - begin) * bytes),
                    static_cast<std::uint64_t>((to - from) * bytes), map.swizzle});
  };
  TileRows row(map);
  do {
    Addr global = map.address;
    bool is_inside = true;
    for (unsigned i = 1; i < map.rank; ++i) {
      const std::int64_t at = static_cast<std::int32_t>(first[i]) + std::int64_t{row.along(i)} * map.steps[i];
      is_inside = is_inside && at >= 0 && static_cast<std::uint64_t>(at) < map.sizes[i];
      global += static_cast<Addr>(at) * map.strides[i - 1];
    }
    if (is_inside && left < right) {
      add(tile.rows, global + static_cast<Addr>(left * bytes), shared, left, right);
      add(tile.zeros, 0, shared, begin, left);
      add(tile.zeros, 0, shared, right, begin + map.box[0]);
    } else {
      add(tile.zeros, 0, shared, begin, begin + map.box[0]);
    }
    shared += row_bytes;
  } while (row.next());
}

}  // namespace heddle::exec
