// What the tensor cores compute, bit for bit.
//
// An instruction's sums are made in steps of `terms` products. A step adds its products, which are exact, and
// what the steps before it came to (C at first), all at once: every term is cut towards zero at
// `fraction_bits` bits behind the point of the term with the greatest exponent, the exponent of a product
// being the sum of its factors', that of zero -126. The sum, exact from here on, is cut towards zero to 32
// bits, denormals kept, or rounded to nearest even to 16 bits. NaNs, infinity times zero and opposite
// infinities make the NaN 0x7fffffff (0x7fff).
//
// Source: P. Xie et al., MMA-Sim: Bit-Accurate Reference Model of Tensor Cores and Matrix Cores, arXiv
// 2511.10909, which compared it with hardware from Volta to Blackwell; F. A. Khattak and M. Mikaitis,
// Accurate Models of NVIDIA Tensor Cores, arXiv 2512.07004.
#pragma once

#include <cstdint>

#include "isa/exec/matrix_elements.h"
#include "isa/exec/sparse_matrix.h"

namespace heddle::exec {

/// Where the tensor cores of one GPU differ from those of another.
struct TensorArithmetic {
  std::uint32_t terms = 16;          ///< Products of a step: a power of two. Of floats of 8 bits twice as many.
  std::uint32_t fraction_bits = 25;  ///< Kept behind the point of the greatest term; at most 32.
  /// The same for products of 8-bit floats. Where these are fewer than a sum of 32 bits has, it keeps no more. 0: the GPU
  /// has no such products.
  std::uint32_t fp8_fraction_bits = 13;
};

/// Matrices are spread over this many lanes.
inline constexpr unsigned kMatrixLanes = 32;

/// D = A B + C for A of 16 x depth, B of depth x 8, C and D of 16 x 8, in the registers of 32 lanes: row r of
/// a matrix's registers begins at word r * stride. Elements lie as PTX's mma.m16n8k8, k16 and k32 have
/// them. Products of Tf32, twice as wide as halves, are added half as many at once, those of 8-bit floats twice as many.
/// Those of a sparse A are added as if only what is given were there: no measurement of them is published.
struct MatrixProduct {
  const std::uint32_t* a = nullptr;
  const std::uint32_t* b = nullptr;
  const std::uint32_t* c = nullptr;
  std::uint32_t* d = nullptr;  ///< May be the registers of a, b or c.
  unsigned stride = kMatrixLanes;
  unsigned depth = 16;  ///< Or 8; of Tf32 8 or 4, of 8-bit floats 32 or 16. Of a sparse A, what is given of a row; B has twice as many.
  MatrixElements elements;  ///< Half, Bfloat or Tf32; or E4m3 and E5m2, which may meet.
  const SparsePlaces* places = nullptr;  ///< Of a sparse A.
};

void multiply(const MatrixProduct& product, const TensorArithmetic& arithmetic);

}  // namespace heddle::exec
