#include "isa/exec/matrix_product.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "isa/base/narrow_float.h"
#include "isa/exec/result_nan.h"

namespace heddle::exec {

namespace {

constexpr unsigned kRows = 16;
constexpr unsigned kColumns = 8;
constexpr unsigned kMostDepth = 32;  // of B, where A is sparse
constexpr int kZeroExponent = -126;
constexpr std::uint32_t kFloatInfinity = 0x7f800000U;
constexpr std::uint32_t kFloatSign = 0x80000000U;

/// A finite number: significand / 2^(bits behind the point of its format) x 2^exponent.
struct Number {
  std::int32_t significand = 0;
  std::int32_t exponent = 0;
};

/// One row of A, or one column of B.
struct Vector {
  std::uint32_t bits[kMostDepth];
  Number numbers[kMostDepth];
  bool is_finite = true;
};

template <typename Format>
bool is_finite(std::uint32_t bits) {
  return (bits & ~Format::kSign) < Format::kInfinity;
}

template <typename Format>
Number split(std::uint32_t bits) {
  const std::uint32_t magnitude = bits & ~Format::kSign;
  if (magnitude == 0) return {0, kZeroExponent};
  const auto field = static_cast<std::int32_t>(magnitude >> Format::kFractionBits);
  const auto fraction = static_cast<std::int32_t>(magnitude & ((1U << Format::kFractionBits) - 1));
  const std::int32_t significand = field == 0 ? fraction : fraction | 1 << Format::kFractionBits;
  const std::int32_t exponent = std::max(field, 1) - 1 + Format::kLeastExponent;
  return {(bits & Format::kSign) != 0 ? -significand : significand, exponent};
}

/// C and D as 32-bit floats.
struct Single {
  static constexpr std::uint32_t kSign = kFloatSign;
  static constexpr std::uint32_t kInfinity = kFloatInfinity;
  static constexpr std::uint32_t kNan = kFloatNan;
  static constexpr int kFractionBits = 23;
  static constexpr int kLeastExponent = -126;

  static double value(std::uint32_t bits) { return static_cast<double>(std::bit_cast<float>(bits)); }

  /// units x 2^exponent, cut towards zero.
  static std::uint32_t from(std::int64_t units, int exponent) {
    if (units == 0) return 0;
    const std::uint32_t sign = units < 0 ? kSign : 0;
    const auto magnitude = static_cast<std::uint64_t>(units < 0 ? -units : units);
    const int leading = std::max(exponent + static_cast<int>(std::bit_width(magnitude)) - 1, kLeastExponent);
    if (leading > 127) return sign | kInfinity;
    const int drop = leading - kFractionBits - exponent;
    const std::uint64_t significand = drop >= 0 ? magnitude >> std::min(drop, 63) : magnitude << -drop;
    // The leading bit of a normal number adds the one by which its exponent's field is short.
    return sign | ((static_cast<std::uint32_t>(leading - kLeastExponent) << kFractionBits) +
                   static_cast<std::uint32_t>(significand));
  }
};

/// A and B as floats of 19 bits, the upper ones of a register.
struct Tf32 {
  static constexpr std::uint32_t kSign = 1U << 18;
  static constexpr std::uint32_t kInfinity = 0xffU << 10;
  static constexpr int kFractionBits = 10;
  static constexpr int kLeastExponent = -126;

  static double value(std::uint32_t bits) { return Single::value(bits << 13); }
};

/// C and D as 16-bit floats.
struct Narrow : Half {
  using Half::from;
  /// units x 2^exponent, to nearest even.
  static std::uint32_t from(std::int64_t units, int exponent) {
    return Half::from(std::ldexp(static_cast<double>(units), exponent));
  }
};

/// significand x 2^shift, cut towards zero.
std::int64_t shifted(std::int64_t significand, int shift) {
  if (significand == 0) return 0;  // its exponent says nothing
  if (shift >= 0) return significand << shift;
  const int down = std::min(-shift, 62);
  return significand < 0 ? -(-significand >> down) : significand >> down;
}

/// How products of one kind are added.
struct Steps {
  std::uint32_t terms = 16;
  std::uint32_t fraction_bits = 25;
  std::uint32_t kept_bits = ~0U;  ///< Of a sum: all, or some of its fraction.
};

/// The steps of one element of D.
template <typename Format, typename Sum>
class Dot {
 public:
  Dot(const Vector& row, const Vector& column, const Steps& arithmetic)
      : row_(row), column_(column), arithmetic_(arithmetic) {}

  [[nodiscard]] std::uint32_t run(std::uint32_t c, unsigned depth) const {
    const unsigned terms = std::min(depth, arithmetic_.terms);
    for (unsigned k = 0; k < depth; k += terms) c = step(c, k, k + terms);
    return c;
  }

 private:
  [[nodiscard]] std::uint32_t step(std::uint32_t c, unsigned begin, unsigned end) const {
    if (!row_.is_finite || !column_.is_finite || !is_finite<Sum>(c)) {
      const double sum = rough_sum(c, begin, end);
      if (std::isnan(sum)) return Sum::kNan;
      if (std::isinf(sum)) return (sum < 0 ? Sum::kSign : 0) | Sum::kInfinity;
    }
    const Number addend = split<Sum>(c);
    int top = addend.exponent;
    for (unsigned k = begin; k < end; ++k) {
      const Number& a = row_.numbers[k];
      const Number& b = column_.numbers[k];
      if (a.significand != 0 && b.significand != 0) top = std::max(top, a.exponent + b.exponent);
    }
    const int unit = top - static_cast<int>(arithmetic_.fraction_bits);
    std::int64_t sum = shifted(addend.significand, addend.exponent - Sum::kFractionBits - unit);
    for (unsigned k = begin; k < end; ++k) {
      const Number& a = row_.numbers[k];
      const Number& b = column_.numbers[k];
      const std::int64_t product = std::int64_t{a.significand} * b.significand;
      sum += shifted(product, a.exponent + b.exponent - 2 * Format::kFractionBits - unit);
    }
    return Sum::from(sum, unit) & arithmetic_.kept_bits;
  }

  /// Not finite exactly where the terms make it so: finite products are far from a double's limits.
  [[nodiscard]] double rough_sum(std::uint32_t c, unsigned begin, unsigned end) const {
    double sum = Sum::value(c);
    for (unsigned k = begin; k < end; ++k)
      sum += Format::value(row_.bits[k]) * Format::value(column_.bits[k]);
    return sum;
  }

  const Vector& row_;
  const Vector& column_;
  const Steps& arithmetic_;
};

// What the elements of A and B are: so many bits of a register, and their value as a number of `Format`.

/// Floats of the format itself.
template <typename F, unsigned kBitsOfElement, unsigned kUnused = 0>
struct Plain {
  using Format = F;
  static constexpr unsigned kBits = kBitsOfElement;
  static std::uint32_t bits(std::uint32_t raw) { return raw >> kUnused; }
  static Number number(std::uint32_t raw) { return split<Format>(bits(raw)); }
};
using HalfElement = Plain<Half, 16>;
using BfloatElement = Plain<Bfloat, 16>;
using Tf32Element = Plain<Tf32, 32, 13>;

/// Floats with five bits of exponent: the upper bytes of halves.
struct E5m2Element {
  using Format = Half;
  static constexpr unsigned kBits = 8;
  static std::uint32_t bits(std::uint32_t raw) { return raw << 8; }
  static Number number(std::uint32_t raw) { return split<Format>(bits(raw)); }
};

/// Floats with four, without infinities. number() leaves denormals as they are, with the least exponent, though halves could
/// have them with a smaller one: what is cut off of a sum hangs on it.
struct E4m3Element {
  using Format = Half;
  static constexpr unsigned kBits = 8;
  static constexpr std::uint32_t kNan = 0x7f;
  static constexpr int kFractionBits = 3;
  static constexpr int kLeastExponent = -6;

  static std::uint32_t bits(std::uint32_t raw) {
    const std::uint32_t sign = (raw & 0x80) << 8;
    if ((raw & kNan) == kNan) return sign | Half::kNan;
    const Number value = number(raw & kNan);
    return sign | Half::from(std::ldexp(static_cast<double>(value.significand), value.exponent - Half::kFractionBits));
  }
  static Number number(std::uint32_t raw) {
    const auto field = static_cast<std::int32_t>(raw >> kFractionBits & 15);
    const auto fraction = static_cast<std::int32_t>(raw & 7);
    if (field == 0 && fraction == 0) return {0, kZeroExponent};
    const std::int32_t eighths = field == 0 ? fraction : fraction + 8;
    const std::int32_t significand = eighths << (Half::kFractionBits - kFractionBits);
    return {(raw & 0x80) != 0 ? -significand : significand, std::max(field, 1) - 1 + kLeastExponent};
  }
};

template <typename Element>
void set(Vector& vector, unsigned k, std::uint32_t raw) {
  const std::uint32_t bits = Element::bits(raw);
  const bool finite = is_finite<typename Element::Format>(bits);
  vector.bits[k] = bits;
  vector.is_finite = vector.is_finite && finite;
  vector.numbers[k] = finite ? Element::number(raw) : Number{};
}

// The lanes are 8 groups of 4; group g holds rows g and g + 8 of A, C and D, and column g of B. A word of A
// holds neighbours of a row, a word of B those of a column, the first one in its lowest bits.

template <typename Element>
constexpr unsigned kInWord = 32 / Element::kBits;

/// The elements of a word, from k on.
template <typename Element>
void set_word(Vector& vector, unsigned k, std::uint32_t word) {
  constexpr std::uint32_t kMask = Element::kBits == 32 ? ~0U : (1U << (Element::kBits % 32)) - 1;
  for (unsigned i = 0; i < kInWord<Element>; ++i) set<Element>(vector, k + i, word >> Element::kBits * i & kMask);
}

template <typename Element>
void gather_a(const MatrixProduct& product, Vector (&rows)[kRows]) {
  for (unsigned lane = 0; lane < kMatrixLanes; ++lane) {
    for (unsigned word = 0; word < product.depth / (2 * kInWord<Element>); ++word) {
      Vector& row = rows[lane / 4 + 8 * (word % 2)];
      const unsigned k = kInWord<Element> * (lane % 4 + 4 * (word / 2));
      set_word<Element>(row, k, product.a[word * product.stride + lane]);
    }
  }
}

template <typename Element>
void gather_b(const MatrixProduct& product, Vector (&columns)[kColumns]) {
  const unsigned depth = product.places == nullptr ? product.depth : 2 * product.depth;
  for (unsigned lane = 0; lane < kMatrixLanes; ++lane) {
    for (unsigned word = 0; word < depth / (4 * kInWord<Element>); ++word) {
      const unsigned k = kInWord<Element> * (lane % 4 + 4 * word);
      set_word<Element>(columns[lane / 4], k, product.b[word * product.stride + lane]);
    }
  }
}

/// What of a column meets the elements that are given of a row.
template <typename Format>
Vector picked(const Vector& column, const SparsePlaces& places, unsigned row, unsigned given) {
  Vector made;
  for (unsigned i = 0; i < given; ++i) {
    const unsigned place = places.of(row, i);
    made.bits[i] = column.bits[place];
    made.numbers[i] = column.numbers[place];
    made.is_finite = made.is_finite && is_finite<Format>(made.bits[i]);
  }
  return made;
}

/// The elements of D.
template <typename A, typename B, typename Sum>
class Sums {
  using Format = typename A::Format;

 public:
  Sums(const MatrixProduct& product, const Steps& steps) : product_(product), steps_(steps) {
    gather_a<A>(product, rows_);
    gather_b<B>(product, columns_);
  }

  [[nodiscard]] std::uint32_t at(unsigned row, unsigned column, std::uint32_t c) const {
    if (product_.places == nullptr) return dot(rows_[row], columns_[column], c);
    return dot(rows_[row], picked<Format>(columns_[column], *product_.places, row, product_.depth), c);
  }

 private:
  [[nodiscard]] std::uint32_t dot(const Vector& row, const Vector& column, std::uint32_t c) const {
    return Dot<Format, Sum>(row, column, steps_).run(c, product_.depth);
  }

  const MatrixProduct& product_;
  const Steps& steps_;
  Vector rows_[kRows];
  Vector columns_[kColumns];
};

template <typename A, typename B>
void multiply_wide(const MatrixProduct& product, const Steps& steps) {
  const Sums<A, B, Single> sums(product, steps);
  for (unsigned lane = 0; lane < kMatrixLanes; ++lane) {
    for (unsigned word = 0; word < 4; ++word) {
      const unsigned at = word * product.stride + lane;
      product.d[at] = sums.at(lane / 4 + 8 * (word / 2), 2 * (lane % 4) + word % 2, product.c[at]);
    }
  }
}

template <typename A, typename B>
void multiply_narrow(const MatrixProduct& product, const Steps& steps) {
  const Sums<A, B, Narrow> sums(product, steps);
  for (unsigned lane = 0; lane < kMatrixLanes; ++lane) {
    for (unsigned half = 0; half < 2; ++half) {
      const unsigned at = half * product.stride + lane;
      const std::uint32_t c = product.c[at];
      const unsigned row = lane / 4 + 8 * half;
      const unsigned column = 2 * (lane % 4);
      product.d[at] = sums.at(row, column + 1, c >> 16) << 16 | sums.at(row, column, c & 0xffff);
    }
  }
}

template <typename A, typename B = A>
void multiply_as(const MatrixProduct& product, const Steps& steps) {
  product.elements.has_narrow_sums ? multiply_narrow<A, B>(product, steps) : multiply_wide<A, B>(product, steps);
}

/// Of floats of 8 bits.
template <typename A>
void multiply_bytes(const MatrixProduct& product, const Steps& steps) {
  return product.elements.b == MatrixElement::E4m3 ? multiply_as<A, E4m3Element>(product, steps)
                                                   : multiply_as<A, E5m2Element>(product, steps);
}

Steps steps_of_bytes(const MatrixProduct& product, const TensorArithmetic& arithmetic) {
  Steps steps = {2 * arithmetic.terms, arithmetic.fp8_fraction_bits};
  const bool has_short_sums = steps.fraction_bits < Single::kFractionBits && !product.elements.has_narrow_sums;
  if (has_short_sums) steps.kept_bits <<= Single::kFractionBits - steps.fraction_bits;
  return steps;
}

}  // namespace

void multiply(const MatrixProduct& product, const TensorArithmetic& arithmetic) {
  const Steps steps = {arithmetic.terms, arithmetic.fraction_bits};
  switch (product.elements.a) {
    case MatrixElement::Bfloat: return multiply_as<BfloatElement>(product, steps);
    case MatrixElement::Tf32:
      return multiply_as<Tf32Element>(product, {std::max(arithmetic.terms / 2, 1U), arithmetic.fraction_bits});
    case MatrixElement::E4m3: return multiply_bytes<E4m3Element>(product, steps_of_bytes(product, arithmetic));
    case MatrixElement::E5m2: return multiply_bytes<E5m2Element>(product, steps_of_bytes(product, arithmetic));
    default: return multiply_as<HalfElement>(product, steps);
  }
}

}  // namespace heddle::exec
