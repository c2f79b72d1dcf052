#include "isa/exec/matrix_instructions.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "isa/exec/matrix_product.h"
#include "isa/exec/whole_product.h"
#include "isa/stream/static_op.h"

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
  /// What a lane gives.
  void set_word(unsigned lane, bool transposed, std::uint32_t word) {
    const unsigned line = lane / 4;
    const unsigned first = 2 * (lane % 4);
    for (unsigned i = 0; i < 2; ++i) {
      std::uint16_t& value = transposed ? values[first + i][line] : values[line][first + i];
      value = static_cast<std::uint16_t>(word >> (16 * i));
    }
  }
};

/// What a product is told of its sparse matrix A, if that is one.
class SparseA {
 public:
  SparseA(const Decoded& op, const std::uint32_t* metadata) {
    if (op.metadata().rows == 0) return;
    constexpr unsigned kRowBlocks = 2;
    const unsigned bits = bits_of(op.elements.a);
    places_.emplace(metadata, op.immediate, bits, op.a.rows / kRowBlocks * 4 * 32 / bits);
  }
  [[nodiscard]] const SparsePlaces* places() const { return places_ ? &*places_ : nullptr; }

 private:
  std::optional<SparsePlaces> places_;
};

}  // namespace

void MatrixInstructions::multiply(const Decoded& op, Warp& warp, LaneMask executed) {
  if (executed == 0) return;
  machine_.require_all_lanes(warp, executed);
  require_float_bytes(op, warp);
  if (op.out_is_lost) return;
  if (is_whole(op.elements.a)) return multiply_whole(op, warp);
  MatrixProduct product;
  product.stride = machine_.lanes;
  product.elements = op.elements;
  product.depth = 128U / bits_of(op.elements.a) * op.a.rows / 2;
  for (unsigned first = 0; first < machine_.lanes; first += kMatrixLanes) {
    product.a = machine_.source(warp, op.a) + first;
    product.b = machine_.source(warp, op.b) + first;
    product.c = machine_.source(warp, op.c) + first;
    product.d = machine_.out(op, warp) + first;
    const SparseA sparse(op, machine_.source(warp, op.metadata()) + first);
    product.places = sparse.places();
    exec::multiply(product, machine_.kernel.tensor());
  }
}

/// Of whole numbers, bits or doubles.
void MatrixInstructions::multiply_whole(const Decoded& op, Warp& warp) {
  const bool has_doubles = op.elements.a == MatrixElement::Double;
  const unsigned words = has_doubles ? 2 : 1;
  WholeProduct product;
  product.stride = machine_.lanes;
  product.row_blocks = op.a.rows * (op.metadata().rows == 0 ? 1 : 2) / op.b.rows;
  product.depth = op.b.rows / words;
  product.elements = op.elements;
  for (unsigned first = 0; first < machine_.lanes; first += kMatrixLanes) {
    product.a = machine_.source(warp, op.a) + first;
    product.b = machine_.source(warp, op.b) + first;
    product.c = machine_.source(warp, op.c) + first;
    product.d = machine_.out(op, warp) + first;
    const SparseA sparse(op, machine_.source(warp, op.metadata()) + first);
    product.places = sparse.places();
    has_doubles ? multiply_doubles(product) : exec::multiply_whole(product);
  }
}

/// Leaves in the machine's addresses where the rows lie. Lane 8 i + j of each 32 names row j of matrix i.
void MatrixInstructions::find_rows(const Decoded& op, Warp& warp, LaneMask executed, unsigned matrices) {
  machine_.require_all_lanes(warp, executed);
  const std::uint32_t* base = addressing_.near_base(op, warp);
  const auto offset = static_cast<std::uint32_t>(op.offset);
  for (unsigned i = 0; i < machine_.lanes; ++i) machine_.addresses[i] = base[i] + offset;
  const std::vector<std::byte>& shared = machine_.shared(warp);
  const LaneMask named = naming_lanes(matrices, machine_.lanes);
  for_each_lane(named, [&](unsigned lane) {
    if (machine_.addresses[lane] % op.bytes != 0) addressing_.fail_address(op, warp, named, true);
    if (machine_.addresses[lane] + op.bytes > shared.size()) addressing_.fail_address(op, warp, named, false);
  });
}

/// Matrix i goes to register i.
void MatrixInstructions::load(const Decoded& op, Warp& warp, LaneMask executed) {
  machine_.step.addresses = machine_.addresses.data();
  if (executed == 0) return;
  find_rows(op, warp, executed, op.out_rows);
  const std::vector<std::byte>& shared = machine_.shared(warp);
  std::uint32_t* const to = machine_.out(op, warp);
  for (unsigned first = 0; first < machine_.lanes; first += kMatrixLanes) {
    for (unsigned matrix = 0; matrix < op.out_rows; ++matrix) {
      Rows rows;
      for (unsigned row = 0; row < kRows; ++row) {
        std::memcpy(rows.values[row], shared.data() + machine_.addresses[first + matrix * kRows + row],
                    op.bytes);
      }
      for (unsigned lane = 0; lane < kMatrixLanes; ++lane) {
        to[matrix * machine_.lanes + first + lane] = rows.word(lane, op.is_transposed);
      }
    }
  }
}

void MatrixInstructions::store(const Decoded& op, Warp& warp, LaneMask executed) {
  machine_.step.addresses = machine_.addresses.data();
  if (executed == 0) return;
  find_rows(op, warp, executed, op.b.rows);
  ++machine_.changes;
  std::vector<std::byte>& shared = machine_.shared(warp);
  const std::uint32_t* const from = machine_.source(warp, op.b);
  for (unsigned first = 0; first < machine_.lanes; first += kMatrixLanes) {
    for (unsigned matrix = 0; matrix < op.b.rows; ++matrix) {
      Rows rows;
      for (unsigned lane = 0; lane < kMatrixLanes; ++lane)
        rows.set_word(lane, op.is_transposed, from[matrix * machine_.lanes + first + lane]);
      for (unsigned row = 0; row < kRows; ++row) {
        std::memcpy(shared.data() + machine_.addresses[first + matrix * kRows + row], rows.values[row],
                    sizeof rows.values[row]);
      }
    }
  }
}

}  // namespace heddle::exec
