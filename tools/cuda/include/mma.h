// The warp matrix functions of CUDA's namespace wmma, by PTX's wmma instructions.
#ifndef HEDDLE_MMA_H
#define HEDDLE_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

// What the elements of a fragment are held as, how many there are, and in how many registers.
template <class Use, int M, int N, int K, class T>
struct __heddle_shape;

template <>
struct __heddle_shape<accumulator, 16, 16, 16, int> {
  using element = int;
  static constexpr int elements = 8;
};
template <>
struct __heddle_shape<accumulator, 32, 8, 16, int> {
  using element = int;
  static constexpr int elements = 8;
};
template <>
struct __heddle_shape<accumulator, 8, 32, 16, int> {
  using element = int;
  static constexpr int elements = 8;
};

template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
  using shape = __heddle_shape<Use, M, N, K, T>;
  using element_type = typename shape::element;
  using storage_element_type = typename shape::element;
  static constexpr int num_elements = shape::elements;
  static constexpr int num_storage_elements = shape::elements;
  __attribute__((aligned(8))) element_type x[num_elements];
};

template <class Use, int M, int N, int K, class T, class Layout, class V>
__device__ __inline__ void fill_fragment(fragment<Use, M, N, K, T, Layout>& f, const V& value) {
  for (int i = 0; i < f.num_elements; ++i) f.x[i] = value;
}
__device__ __inline__ float __float_to_tf32(float value) {
  float result;
  unsigned int bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
  __builtin_memcpy(&result, &bits, sizeof(result));
  return result;
}

}  // namespace wmma
}  // namespace nvcuda

#include "crt/__heddle_wmma_half1.h"
#include "crt/__heddle_wmma_half2.h"
#include "crt/__heddle_wmma_float1.h"
#include "crt/__heddle_wmma_float2.h"
#include "crt/__heddle_wmma_int1.h"
#include "crt/__heddle_wmma_int2.h"

#endif
