// Products of warpgroups: four warps, each with 16 of the 64 rows.
#include <fmt/format.h>

#include <cstring>
#include <span>

#include "isa/exec/matrix_instructions.h"
#include "isa/exec/matrix_product.h"
#include "isa/exec/whole_product.h"
#include "isa/exec/wide_value.h"

namespace heddle::exec {

namespace {

constexpr unsigned kRowsOfWarp = 16;
constexpr unsigned kColumns = 8;  // columns of the products that it is made of
constexpr unsigned kWordsOfA = 4;
constexpr unsigned kWordsOfB = 2;

/// Reads what shared memory has of matrices, whatever their elements are: registers hold 32 bits along K.
class Gatherer {
 public:
  explicit Gatherer(const std::vector<std::byte>& shared) : shared_(shared) {}

  /// A's fragment of mma.m16n8k16, which is wgmma's for the rows of one warp.
  void gather_a(const SharedMatrix& matrix, unsigned first_row, std::uint32_t* words) {
    for (unsigned word = 0; word < kWordsOfA; ++word) {
      gather(matrix, first_row + word % 2 * 8, word / 2 * 8, words + word * kMatrixLanes);
    }
  }

  /// B's fragment for eight columns.
  void gather_b(const SharedMatrix& matrix, unsigned first_column, std::uint32_t* words) {
    for (unsigned word = 0; word < kWordsOfB; ++word)
      gather(matrix, first_column, word * 8, words + word * kMatrixLanes);
  }

  static constexpr Addr kNoAddress = ~Addr{0};
  /// The last address out of shared memory that was asked for; kNoAddress if none was.
  [[nodiscard]] Addr bad_address() const { return bad_address_; }

 private:
  /// Lane l gets two neighbouring halves in K of line l / 4.
  void gather(const SharedMatrix& matrix, unsigned first_line, unsigned first_k, std::uint32_t* words) {
    for (unsigned lane = 0; lane < kMatrixLanes; ++lane) {
      const unsigned line = first_line + lane / 4;
      const unsigned k = first_k + lane % 4 * 2;
      words[lane] = half(matrix.address(line, k)) | half(matrix.address(line, k + 1)) << 16;
    }
  }

  std::uint32_t half(std::uint32_t address) {
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

/// The signs of all elements of a word, if the descriptor's sign asks to turn them over.
std::uint32_t turned_signs(const Decoded& op, std::uint64_t sign) {
  if ((op.immediate & sign) == 0) return 0;
  switch (bits_of(op.elements.a)) {
    case 8: return 0x80808080U;
    case 16: return 0x80008000U;
    default: return 0x80000000U;
  }
}

void turn_over(std::span<std::uint32_t> words, std::uint32_t signs) {
  for (std::uint32_t& word : words) word ^= signs;
}

/// The products of a warp's rows with eight columns of B each time.
class ColumnProducts {
 public:
  ColumnProducts(const Decoded& op, const TensorArithmetic& arithmetic)
      : arithmetic_(arithmetic), is_whole_(is_whole(op.elements.a)) {
    wide_.elements = op.elements;
    wide_.depth = 256U / bits_of(op.elements.a);
    whole_.elements = op.elements;
    whole_.row_blocks = kRowsOfWarp / 8;
    whole_.depth = kWordsOfB;
  }

  void multiply(const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* c, std::uint32_t* d) {
    if (is_whole_) {
      whole_.a = a, whole_.b = b, whole_.c = c, whole_.d = d;
      return multiply_whole(whole_);
    }
    wide_.a = a, wide_.b = b, wide_.c = c, wide_.d = d;
    exec::multiply(wide_, arithmetic_);
  }

 private:
  const TensorArithmetic& arithmetic_;
  bool is_whole_;
  MatrixProduct wide_;
  WholeProduct whole_;
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

void MatrixInstructions::require_float_bytes(const Decoded& op, const Warp& warp) const {
  if (!is_float_byte(op.elements.a) || machine_.kernel.tensor().fp8_fraction_bits != 0) return;
  machine_.fail(warp, stream::FaultKind::Other, "the GPU has no products of 8-bit floats");
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
  require_float_bytes(op, warp);
  if (op.out_is_lost) return;
  std::uint32_t a[kWordsOfA * kMatrixLanes];
  std::uint32_t b[kWordsOfB * kMatrixLanes];
  Gatherer gatherer(machine_.shared(warp));
  const bool has_two = op.a.rows == 0;  // descriptors
  const SharedMatrix matrix_b =
      shared_matrix(warp, op.b, has_two ? 1 : 0, (op.immediate & ir::kTransposedB) != 0);
  if (has_two) {
    const unsigned first_row = warp.warp_in_block % stream::kWarpgroupWarps * kRowsOfWarp;
    gatherer.gather_a(shared_matrix(warp, op.b, 0, (op.immediate & ir::kTransposedA) != 0), first_row, a);
    turn_over(a, turned_signs(op, ir::kNegatedA));
  }
  const bool adds = op.c.rows != 0 && warp.predicate(op.predicates[0].index, op.predicates[0].negated) != 0;
  const unsigned registers = op.elements.has_narrow_sums ? 2 : 4;  // that hold the sums of eight columns
  const std::uint32_t signs_of_b = turned_signs(op, ir::kNegatedB);
  ColumnProducts products(op, machine_.kernel.tensor());
  for (unsigned i = 0; i < op.out_rows / registers; ++i) {
    const std::size_t first = std::size_t{i} * registers * machine_.lanes;
    gatherer.gather_b(matrix_b, i * kColumns, b);
    turn_over(b, signs_of_b);
    products.multiply(has_two ? a : machine_.source(warp, op.a), b,
                      adds ? machine_.source(warp, op.c) + first : machine_.constants,
                      machine_.out(op, warp) + first);
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
