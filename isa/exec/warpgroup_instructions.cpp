// Products of warpgroups: four warps, each with 16 of the 64 rows.
#include <fmt/format.h>

#include <cstring>

#include "isa/exec/matrix_instructions.h"
#include "isa/exec/matrix_product.h"
#include "isa/exec/wide_value.h"

namespace heddle::exec {

namespace {

constexpr unsigned kRowsOfWarp = 16;
constexpr unsigned kDepth = 16;
constexpr unsigned kColumns = 8;  // columns of the products that it is made of

/// Reads elements of shared memory, two in a register.
class Gatherer {
 public:
  explicit Gatherer(const std::vector<std::byte>& shared) : shared_(shared) {}

  /// A's fragment of mma.m16n8k16, which is wgmma's for the rows of one warp.
  void gather_a(const SharedMatrix& matrix, unsigned first_row, std::uint32_t* words) {
    for (unsigned word = 0; word < 4; ++word) {
      gather(matrix, first_row + word % 2 * 8, word / 2 * 8, words + word * kMatrixLanes);
    }
  }

  /// B's fragment for eight columns.
  void gather_b(const SharedMatrix& matrix, unsigned first_column, std::uint32_t* words) {
    for (unsigned word = 0; word < 2; ++word)
      gather(matrix, first_column, word * 8, words + word * kMatrixLanes);
  }

  static constexpr Addr kNoAddress = ~Addr{0};
  /// The last address out of shared memory that was asked for; kNoAddress if none was.
  [[nodiscard]] Addr bad_address() const { return bad_address_; }

 private:
  /// Lane l gets two neighbours in K of line l / 4.
  void gather(const SharedMatrix& matrix, unsigned first_line, unsigned first_k, std::uint32_t* words) {
    for (unsigned lane = 0; lane < kMatrixLanes; ++lane) {
      const unsigned line = first_line + lane / 4;
      const unsigned k = first_k + lane % 4 * 2;
      words[lane] = element(matrix.address(line, k)) | element(matrix.address(line, k + 1)) << 16;
    }
  }

  std::uint32_t element(std::uint32_t address) {
    std::uint16_t value = 0;
    if (address + sizeof value > shared_.size()) {
      bad_address_ = address;
    } else {
      std::memcpy(&value, shared_.data() + address, sizeof value);
    }
    return value;
  }

  const std::vector<std::byte>& shared_;
  Addr bad_address_ = kNoAddress;
};

}  // namespace

/// PTX's .aligned for four warps.
void MatrixInstructions::require_warpgroup(const Warp& warp, LaneMask executed) const {
  machine_.require_all_lanes(warp, executed);
  const unsigned first = warp.warp_in_block / stream::kWarpgroupWarps * stream::kWarpgroupWarps;
  const unsigned warps = machine_.kernel.shape().warps_per_block();
  if (first + stream::kWarpgroupWarps <= warps) return;
  machine_.fail(
      warp, stream::FaultKind::Lanes,
      fmt::format(
          "needs a warpgroup of {} warps, the first one's number being a multiple of {}; the block has "
          "{} warps",
          stream::kWarpgroupWarps, stream::kWarpgroupWarps, warps));
}

SharedMatrix MatrixInstructions::shared_matrix(const Warp& warp, const SourceRows& descriptors,
                                               unsigned which, bool is_transposed) const {
  const std::uint64_t bits = wide_value(
      machine_.source(warp, descriptors) + std::size_t{2} * which * machine_.lanes, 2, 0, machine_.lanes);
  const SharedMatrix matrix(bits, is_transposed);
  if (matrix.has_base_offset())
    machine_.fail(warp, stream::FaultKind::Other,
                  fmt::format("the matrix descriptor {:#x} has a base offset, which is not modelled", bits));
  return matrix;
}

void MatrixInstructions::multiply_in_group(const Decoded& op, Warp& warp, LaneMask executed) {
  if (executed == 0) return;
  require_warpgroup(warp, executed);
  if (op.out_is_lost) return;
  std::uint32_t a[4 * kMatrixLanes];
  std::uint32_t b[2 * kMatrixLanes];
  Gatherer gatherer(machine_.shared(warp));
  const bool has_two = op.a.rows == 0;  // descriptors
  const SharedMatrix matrix_b = shared_matrix(warp, op.b, has_two ? 1 : 0, op.is_transposed);
  MatrixProduct product;
  product.a = has_two ? a : machine_.source(warp, op.a);
  product.b = b;
  product.depth = kDepth;
  product.format = op.elements.a;
  if (has_two) {
    const unsigned first_row = warp.warp_in_block % stream::kWarpgroupWarps * kRowsOfWarp;
    gatherer.gather_a(shared_matrix(warp, op.b, 0, op.is_a_transposed), first_row, a);
  }
  constexpr unsigned kRegisters = 4;  // registers that hold the sums of eight columns
  for (unsigned i = 0; i < op.out_rows / kRegisters; ++i) {
    gatherer.gather_b(matrix_b, i * kColumns, b);
    product.c = op.c.rows == 0 ? machine_.constants
                               : machine_.source(warp, op.c) + std::size_t{i} * kRegisters * machine_.lanes;
    product.d = machine_.out(op, warp) + std::size_t{i} * kRegisters * machine_.lanes;
    exec::multiply(product, machine_.kernel.tensor());
  }
  const Addr bad_address = gatherer.bad_address();
  if (bad_address == Gatherer::kNoAddress) return;
  machine_.fail(
      warp, stream::FaultKind::OutOfBounds,
      fmt::format(
          "a matrix descriptor leads to address {:#x}, out of the block's {:#x} bytes of shared memory",
          bad_address, machine_.shared(warp).size()),
      {}, bad_address);
}

void MatrixInstructions::arrive_in_group(const Warp& warp, LaneMask executed) {
  if (executed == 0) return;
  require_warpgroup(warp, executed);
  ++machine_.barrier_arrivals;
}

}  // namespace heddle::exec
