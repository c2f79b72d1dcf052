#include "isa/exec/whole_product.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "isa/exec/wide_value.h"

namespace heddle::exec {

namespace {

constexpr unsigned kLanes = 32;
constexpr unsigned kGroup = 4;     // lanes that hold a row of A, or a column of B
constexpr unsigned kMostSums = 4;  // of a lane
constexpr unsigned kSumsOfRow = 2;

/// The i-th number of a register.
std::int32_t number(std::uint32_t word, unsigned i, MatrixElement element) {
  const unsigned bits = bits_of(element);
  const unsigned unused = 32 - bits;
  const std::uint32_t top = word >> bits * i << unused;
  const bool has_sign = element == MatrixElement::S8 || element == MatrixElement::S4;
  return has_sign ? static_cast<std::int32_t>(top) >> unused : static_cast<std::int32_t>(top >> unused);
}

/// The products of all places of two registers, added.
std::int64_t dot(std::uint32_t a, std::uint32_t b, const MatrixElements& elements) {
  if (elements.a == MatrixElement::Bit) return std::popcount(elements.combines_and ? a & b : a ^ b);
  std::int64_t sum = 0;
  for (unsigned i = 0; i < 32 / bits_of(elements.a); ++i)
    sum += std::int64_t{number(a, i, elements.a)} * number(b, i, elements.b);
  return sum;
}

/// The number at a place along k, in the registers of four lanes from `row` on, every `step`-th of which counts.
std::int32_t number_at(const std::uint32_t* row, std::size_t step, unsigned place, MatrixElement element) {
  const unsigned in_word = 32 / bits_of(element);
  const unsigned word = place / in_word;
  return number(row[word / kGroup * step + word % kGroup], place % in_word, element);
}

/// The products of a row of A and a column of B, added.
std::int64_t dense_dot(const WholeProduct& product, unsigned block, unsigned row, unsigned column) {
  std::int64_t sum = 0;
  for (unsigned step = 0; step < product.depth; ++step) {
    const std::uint32_t* a = product.a + (step * product.row_blocks + block) * product.stride + row;
    const std::uint32_t* b = product.b + step * product.stride + column;
    for (unsigned t = 0; t < kGroup; ++t) sum += dot(a[t], b[t], product.elements);
  }
  return sum;
}

/// Those of what is given of a row of A.
std::int64_t sparse_dot(const WholeProduct& product, unsigned block, unsigned row, unsigned column) {
  const unsigned given = product.depth / 2 * kGroup * 32 / bits_of(product.elements.a);
  const std::uint32_t* const a = product.a + block * product.stride + row;
  std::int64_t sum = 0;
  for (unsigned i = 0; i < given; ++i) {
    const std::int64_t left = number_at(a, std::size_t{product.row_blocks} * product.stride, i, product.elements.a);
    const unsigned place = product.places->of(row / kGroup + 8 * block, i);
    sum += left * number_at(product.b + column, product.stride, place, product.elements.b);
  }
  return sum;
}

std::uint32_t limited(std::int64_t sum, bool saturates) {
  using Limits = std::numeric_limits<std::int32_t>;
  if (saturates) sum = std::clamp<std::int64_t>(sum, Limits::min(), Limits::max());
  return static_cast<std::uint32_t>(sum);
}

double double_at(const std::uint32_t* rows, unsigned pair, unsigned lane, unsigned stride) {
  return std::bit_cast<double>(wide_value(rows + std::size_t{2} * pair * stride, 2, lane, stride));
}

/// Calls visit(where the sum has its register, row block, lane of A's row, lane of B's column) for each sum
/// of the lane.
template <typename Visit>
void for_each_sum(unsigned row_blocks, unsigned lane, Visit visit) {
  for (unsigned block = 0; block < row_blocks; ++block) {
    for (unsigned i = 0; i < kSumsOfRow; ++i)
      visit(kSumsOfRow * block + i, block, lane / kGroup * kGroup, (lane % kGroup * kSumsOfRow + i) * kGroup);
  }
}

}  // namespace

void multiply_whole(const WholeProduct& product) {
  std::uint32_t sums[kMostSums * kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    for_each_sum(product.row_blocks, lane, [&](unsigned at, unsigned block, unsigned row, unsigned column) {
      const std::int64_t c = static_cast<std::int32_t>(product.c[at * product.stride + lane]);
      const auto products = product.places == nullptr ? dense_dot : sparse_dot;
      const std::int64_t sum = c + products(product, block, row, column);
      sums[at * kLanes + lane] = limited(sum, product.elements.saturates);
    });
  }
  for (unsigned at = 0; at < kSumsOfRow * product.row_blocks; ++at)
    std::copy_n(sums + at * kLanes, kLanes, product.d + at * product.stride);
}

void multiply_doubles(const WholeProduct& product) {
  double sums[kMostSums * kLanes];
  const auto at_pair = [&](const std::uint32_t* rows, unsigned pair, unsigned lane) {
    return double_at(rows, pair, lane, product.stride);
  };
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    for_each_sum(product.row_blocks, lane, [&](unsigned at, unsigned block, unsigned row, unsigned column) {
      double sum = at_pair(product.c, at, lane);
      for (unsigned step = 0; step < product.depth; ++step) {
        for (unsigned t = 0; t < kGroup; ++t)
          sum = std::fma(at_pair(product.a, step * product.row_blocks + block, row + t),
                         at_pair(product.b, step, column + t), sum);
      }
      sums[at * kLanes + lane] = sum;
    });
  }
  for (unsigned at = 0; at < kSumsOfRow * product.row_blocks; ++at) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const auto bits = std::bit_cast<std::uint64_t>(sums[at * kLanes + lane]);
      product.d[std::size_t{2} * at * product.stride + lane] = static_cast<std::uint32_t>(bits);
      product.d[(std::size_t{2} * at + 1) * product.stride + lane] = static_cast<std::uint32_t>(bits >> 32);
    }
  }
}

}  // namespace heddle::exec
