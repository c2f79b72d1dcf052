// Instructions on matrices, which the lanes of a warp hold together.
#include <fmt/format.h>

#include <cstring>

#include "isa/exec/live_source.h"

namespace heddle::exec {

namespace {

constexpr unsigned kRows = stream::kMatrixRows;

/// Lanes that name a row, of those that the warp has.
LaneMask naming_lanes(unsigned matrices, unsigned lanes) {
  LaneMask named = 0;
  for (unsigned first = 0; first < lanes; first += kMatrixLanes)
    named |= first_lanes(matrices * kRows) << first;
  return named;
}

struct Rows {
  std::uint16_t values[kRows][kRows];

  /// What a lane gets: two neighbours of row lane / 4, or of that column.
  [[nodiscard]] std::uint32_t word(unsigned lane, bool transposed) const {
    const unsigned line = lane / 4;
    const unsigned first = 2 * (lane % 4);
    const std::uint32_t low = transposed ? values[first][line] : values[line][first];
    const std::uint32_t high = transposed ? values[first + 1][line] : values[line][first + 1];
    return high << 16 | low;
  }
};

}  // namespace

/// PTX's .aligned: all lanes of the warp must be there.
void LiveSource::require_all_lanes(const Warp& warp, LaneMask executed) const {
  const LaneMask missing = first_lanes(lanes_) & ~executed;
  if (missing == 0) return;
  fail(warp, stream::FaultKind::Lanes,
       fmt::format("needs all {} lanes of the warp; lanes {:#x} do not take part", lanes_, missing));
}

void LiveSource::multiply_matrices(const Decoded& op, Warp& warp, LaneMask executed) {
  if (executed == 0) return;
  require_all_lanes(warp, executed);
  MatrixProduct product;
  product.stride = lanes_;
  product.depth = 8U * op.b.rows;
  product.is_bfloat = op.is_bfloat;
  product.has_wide_sums = op.out_rows == 4;
  for (unsigned first = 0; first < lanes_; first += kMatrixLanes) {
    product.a = source(warp, op.a) + first;
    product.b = source(warp, op.b) + first;
    product.c = source(warp, op.c) + first;
    product.d = out(op, warp) + first;
    multiply(product, kernel_.tensor());
  }
}

/// Lane 8 i + j of each 32 names row j of matrix i, which goes to register i.
void LiveSource::load_matrices(const Decoded& op, Warp& warp, LaneMask executed) {
  if (executed == 0) return;
  require_all_lanes(warp, executed);
  const std::uint32_t* base = near_base(op, warp);
  const auto offset = static_cast<std::uint32_t>(op.offset);
  for (unsigned i = 0; i < lanes_; ++i) addresses_[i] = base[i] + offset;
  const std::vector<std::byte>& shared = contexts_[warp.block_context].shared;
  const LaneMask named = naming_lanes(op.out_rows, lanes_);
  for_each_lane(named, [&](unsigned lane) {
    if (addresses_[lane] % op.bytes != 0) fail_address(op, warp, named, true);
    if (addresses_[lane] + op.bytes > shared.size()) fail_address(op, warp, named, false);
  });
  const Row to = out(op, warp);
  for (unsigned first = 0; first < lanes_; first += kMatrixLanes) {
    for (unsigned matrix = 0; matrix < op.out_rows; ++matrix) {
      Rows rows;
      for (unsigned row = 0; row < kRows; ++row) {
        std::memcpy(rows.values[row], shared.data() + addresses_[first + matrix * kRows + row], op.bytes);
      }
      for (unsigned lane = 0; lane < kMatrixLanes; ++lane) {
        to[matrix * lanes_ + first + lane] = rows.word(lane, op.is_transposed);
      }
    }
  }
}

}  // namespace heddle::exec
