// Products of bfloat16, tf32 and doubles. This file is a part of mma.h.
#pragma once

namespace nvcuda {
namespace wmma {

template <>
struct __heddle_shape<matrix_a, 16, 16, 16, __nv_bfloat16> {
  using element = __nv_bfloat16;
  static constexpr int elements = 8;
};
template <>
struct __heddle_shape<matrix_b, 16, 16, 16, __nv_bfloat16> {
  using element = __nv_bfloat16;
  static constexpr int elements = 8;
};
__device__ __inline__ void load_matrix_sync(fragment<matrix_a, 16, 16, 16, __nv_bfloat16, row_major>& f, const __nv_bfloat16* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.bf16 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_a, 16, 16, 16, __nv_bfloat16, col_major>& f, const __nv_bfloat16* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.a.sync.aligned.col.m16n16k16.bf16 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_b, 16, 16, 16, __nv_bfloat16, row_major>& f, const __nv_bfloat16* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.b.sync.aligned.row.m16n16k16.bf16 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_b, 16, 16, 16, __nv_bfloat16, col_major>& f, const __nv_bfloat16* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.b.sync.aligned.col.m16n16k16.bf16 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void mma_sync(fragment<accumulator, 16, 16, 16, float>& d,
                                    const fragment<matrix_a, 16, 16, 16, __nv_bfloat16, row_major>& a,
                                    const fragment<matrix_b, 16, 16, 16, __nv_bfloat16, row_major>& b,
                                    const fragment<accumulator, 16, 16, 16, float>& c) {
  float* rd = (float*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const float* rc = (const float*)c.x;
  asm("wmma.mma.sync.aligned.row.row.m16n16k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23};"
      : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 16, 16, 16, float>& d,
                                    const fragment<matrix_a, 16, 16, 16, __nv_bfloat16, row_major>& a,
                                    const fragment<matrix_b, 16, 16, 16, __nv_bfloat16, col_major>& b,
                                    const fragment<accumulator, 16, 16, 16, float>& c) {
  float* rd = (float*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const float* rc = (const float*)c.x;
  asm("wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23};"
      : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 16, 16, 16, float>& d,
                                    const fragment<matrix_a, 16, 16, 16, __nv_bfloat16, col_major>& a,
                                    const fragment<matrix_b, 16, 16, 16, __nv_bfloat16, row_major>& b,
                                    const fragment<accumulator, 16, 16, 16, float>& c) {
  float* rd = (float*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const float* rc = (const float*)c.x;
  asm("wmma.mma.sync.aligned.col.row.m16n16k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23};"
      : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 16, 16, 16, float>& d,
                                    const fragment<matrix_a, 16, 16, 16, __nv_bfloat16, col_major>& a,
                                    const fragment<matrix_b, 16, 16, 16, __nv_bfloat16, col_major>& b,
                                    const fragment<accumulator, 16, 16, 16, float>& c) {
  float* rd = (float*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const float* rc = (const float*)c.x;
  asm("wmma.mma.sync.aligned.col.col.m16n16k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23};"
      : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
}
template <>
struct __heddle_shape<matrix_a, 32, 8, 16, __nv_bfloat16> {
  using element = __nv_bfloat16;
  static constexpr int elements = 16;
};
template <>
struct __heddle_shape<matrix_b, 32, 8, 16, __nv_bfloat16> {
  using element = __nv_bfloat16;
  static constexpr int elements = 4;
};
__device__ __inline__ void load_matrix_sync(fragment<matrix_a, 32, 8, 16, __nv_bfloat16, row_major>& f, const __nv_bfloat16* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.a.sync.aligned.row.m32n8k16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_a, 32, 8, 16, __nv_bfloat16, col_major>& f, const __nv_bfloat16* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.a.sync.aligned.col.m32n8k16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_b, 32, 8, 16, __nv_bfloat16, row_major>& f, const __nv_bfloat16* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.b.sync.aligned.row.m32n8k16.bf16 {%0, %1}, [%2], %3;"
               : "=r"(r[0]), "=r"(r[1])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_b, 32, 8, 16, __nv_bfloat16, col_major>& f, const __nv_bfloat16* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.b.sync.aligned.col.m32n8k16.bf16 {%0, %1}, [%2], %3;"
               : "=r"(r[0]), "=r"(r[1])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void mma_sync(fragment<accumulator, 32, 8, 16, float>& d,
                                    const fragment<matrix_a, 32, 8, 16, __nv_bfloat16, row_major>& a,
                                    const fragment<matrix_b, 32, 8, 16, __nv_bfloat16, row_major>& b,
                                    const fragment<accumulator, 32, 8, 16, float>& c) {
  float* rd = (float*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const float* rc = (const float*)c.x;
  asm("wmma.mma.sync.aligned.row.row.m32n8k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17}, {%18, %19, %20, %21, %22, %23, %24, %25};"
      : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 32, 8, 16, float>& d,
                                    const fragment<matrix_a, 32, 8, 16, __nv_bfloat16, row_major>& a,
                                    const fragment<matrix_b, 32, 8, 16, __nv_bfloat16, col_major>& b,
                                    const fragment<accumulator, 32, 8, 16, float>& c) {
  float* rd = (float*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const float* rc = (const float*)c.x;
  asm("wmma.mma.sync.aligned.row.col.m32n8k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17}, {%18, %19, %20, %21, %22, %23, %24, %25};"
      : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 32, 8, 16, float>& d,
                                    const fragment<matrix_a, 32, 8, 16, __nv_bfloat16, col_major>& a,
                                    const fragment<matrix_b, 32, 8, 16, __nv_bfloat16, row_major>& b,
                                    const fragment<accumulator, 32, 8, 16, float>& c) {
  float* rd = (float*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const float* rc = (const float*)c.x;
  asm("wmma.mma.sync.aligned.col.row.m32n8k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17}, {%18, %19, %20, %21, %22, %23, %24, %25};"
      : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 32, 8, 16, float>& d,
                                    const fragment<matrix_a, 32, 8, 16, __nv_bfloat16, col_major>& a,
                                    const fragment<matrix_b, 32, 8, 16, __nv_bfloat16, col_major>& b,
                                    const fragment<accumulator, 32, 8, 16, float>& c) {
  float* rd = (float*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const float* rc = (const float*)c.x;
  asm("wmma.mma.sync.aligned.col.col.m32n8k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17}, {%18, %19, %20, %21, %22, %23, %24, %25};"
      : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]), "r"(rb[1]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
}
template <>
struct __heddle_shape<matrix_a, 8, 32, 16, __nv_bfloat16> {
  using element = __nv_bfloat16;
  static constexpr int elements = 4;
};
template <>
struct __heddle_shape<matrix_b, 8, 32, 16, __nv_bfloat16> {
  using element = __nv_bfloat16;
  static constexpr int elements = 16;
};
__device__ __inline__ void load_matrix_sync(fragment<matrix_a, 8, 32, 16, __nv_bfloat16, row_major>& f, const __nv_bfloat16* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.a.sync.aligned.row.m8n32k16.bf16 {%0, %1}, [%2], %3;"
               : "=r"(r[0]), "=r"(r[1])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_a, 8, 32, 16, __nv_bfloat16, col_major>& f, const __nv_bfloat16* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.a.sync.aligned.col.m8n32k16.bf16 {%0, %1}, [%2], %3;"
               : "=r"(r[0]), "=r"(r[1])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_b, 8, 32, 16, __nv_bfloat16, row_major>& f, const __nv_bfloat16* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.b.sync.aligned.row.m8n32k16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_b, 8, 32, 16, __nv_bfloat16, col_major>& f, const __nv_bfloat16* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.b.sync.aligned.col.m8n32k16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void mma_sync(fragment<accumulator, 8, 32, 16, float>& d,
                                    const fragment<matrix_a, 8, 32, 16, __nv_bfloat16, row_major>& a,
                                    const fragment<matrix_b, 8, 32, 16, __nv_bfloat16, row_major>& b,
                                    const fragment<accumulator, 8, 32, 16, float>& c) {
  float* rd = (float*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const float* rc = (const float*)c.x;
  asm("wmma.mma.sync.aligned.row.row.m8n32k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13, %14, %15, %16, %17}, {%18, %19, %20, %21, %22, %23, %24, %25};"
      : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 8, 32, 16, float>& d,
                                    const fragment<matrix_a, 8, 32, 16, __nv_bfloat16, row_major>& a,
                                    const fragment<matrix_b, 8, 32, 16, __nv_bfloat16, col_major>& b,
                                    const fragment<accumulator, 8, 32, 16, float>& c) {
  float* rd = (float*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const float* rc = (const float*)c.x;
  asm("wmma.mma.sync.aligned.row.col.m8n32k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13, %14, %15, %16, %17}, {%18, %19, %20, %21, %22, %23, %24, %25};"
      : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 8, 32, 16, float>& d,
                                    const fragment<matrix_a, 8, 32, 16, __nv_bfloat16, col_major>& a,
                                    const fragment<matrix_b, 8, 32, 16, __nv_bfloat16, row_major>& b,
                                    const fragment<accumulator, 8, 32, 16, float>& c) {
  float* rd = (float*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const float* rc = (const float*)c.x;
  asm("wmma.mma.sync.aligned.col.row.m8n32k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13, %14, %15, %16, %17}, {%18, %19, %20, %21, %22, %23, %24, %25};"
      : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 8, 32, 16, float>& d,
                                    const fragment<matrix_a, 8, 32, 16, __nv_bfloat16, col_major>& a,
                                    const fragment<matrix_b, 8, 32, 16, __nv_bfloat16, col_major>& b,
                                    const fragment<accumulator, 8, 32, 16, float>& c) {
  float* rd = (float*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const float* rc = (const float*)c.x;
  asm("wmma.mma.sync.aligned.col.col.m8n32k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13, %14, %15, %16, %17}, {%18, %19, %20, %21, %22, %23, %24, %25};"
      : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
}
template <>
struct __heddle_shape<matrix_a, 16, 16, 8, precision::tf32> {
  using element = float;
  static constexpr int elements = 4;
};
template <>
struct __heddle_shape<matrix_b, 16, 16, 8, precision::tf32> {
  using element = float;
  static constexpr int elements = 4;
};
template <>
struct __heddle_shape<accumulator, 16, 16, 8, float> {
  using element = float;
  static constexpr int elements = 8;
};
__device__ __inline__ void load_matrix_sync(fragment<matrix_a, 16, 16, 8, precision::tf32, row_major>& f, const float* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.a.sync.aligned.row.m16n16k8.tf32 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_a, 16, 16, 8, precision::tf32, col_major>& f, const float* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.a.sync.aligned.col.m16n16k8.tf32 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_b, 16, 16, 8, precision::tf32, row_major>& f, const float* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.b.sync.aligned.row.m16n16k8.tf32 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_b, 16, 16, 8, precision::tf32, col_major>& f, const float* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.b.sync.aligned.col.m16n16k8.tf32 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<accumulator, 16, 16, 8, float>& f, const float* p,
                                            unsigned int stride, layout_t layout) {
  float* r = (float*)f.x;
  if (layout == mem_row_major) {
    asm volatile("wmma.load.c.sync.aligned.row.m16n16k8.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
                 : "=f"(r[0]), "=f"(r[1]), "=f"(r[2]), "=f"(r[3]), "=f"(r[4]), "=f"(r[5]), "=f"(r[6]), "=f"(r[7])
                 : "l"(p), "r"(stride)
                 : "memory");
  } else {
    asm volatile("wmma.load.c.sync.aligned.col.m16n16k8.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
                 : "=f"(r[0]), "=f"(r[1]), "=f"(r[2]), "=f"(r[3]), "=f"(r[4]), "=f"(r[5]), "=f"(r[6]), "=f"(r[7])
                 : "l"(p), "r"(stride)
                 : "memory");
  }
}
__device__ __inline__ void store_matrix_sync(float* p, const fragment<accumulator, 16, 16, 8, float>& f,
                                             unsigned int stride, layout_t layout) {
  const float* r = (const float*)f.x;
  if (layout == mem_row_major) {
    asm volatile("wmma.store.d.sync.aligned.row.m16n16k8.f32 [%0], {%2, %3, %4, %5, %6, %7, %8, %9}, %1;"
                 :
                 : "l"(p), "r"(stride), "f"(r[0]), "f"(r[1]), "f"(r[2]), "f"(r[3]), "f"(r[4]), "f"(r[5]), "f"(r[6]), "f"(r[7])
                 : "memory");
  } else {
    asm volatile("wmma.store.d.sync.aligned.col.m16n16k8.f32 [%0], {%2, %3, %4, %5, %6, %7, %8, %9}, %1;"
                 :
                 : "l"(p), "r"(stride), "f"(r[0]), "f"(r[1]), "f"(r[2]), "f"(r[3]), "f"(r[4]), "f"(r[5]), "f"(r[6]), "f"(r[7])
                 : "memory");
  }
}
__device__ __inline__ void mma_sync(fragment<accumulator, 16, 16, 8, float>& d,
                                    const fragment<matrix_a, 16, 16, 8, precision::tf32, row_major>& a,
                                    const fragment<matrix_b, 16, 16, 8, precision::tf32, row_major>& b,
                                    const fragment<accumulator, 16, 16, 8, float>& c) {
  float* rd = (float*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const float* rc = (const float*)c.x;
  asm("wmma.mma.sync.aligned.row.row.m16n16k8.f32.tf32.tf32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23};"
      : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 16, 16, 8, float>& d,
                                    const fragment<matrix_a, 16, 16, 8, precision::tf32, row_major>& a,
                                    const fragment<matrix_b, 16, 16, 8, precision::tf32, col_major>& b,
                                    const fragment<accumulator, 16, 16, 8, float>& c) {
  float* rd = (float*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const float* rc = (const float*)c.x;
  asm("wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23};"
      : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 16, 16, 8, float>& d,
                                    const fragment<matrix_a, 16, 16, 8, precision::tf32, col_major>& a,
                                    const fragment<matrix_b, 16, 16, 8, precision::tf32, row_major>& b,
                                    const fragment<accumulator, 16, 16, 8, float>& c) {
  float* rd = (float*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const float* rc = (const float*)c.x;
  asm("wmma.mma.sync.aligned.col.row.m16n16k8.f32.tf32.tf32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23};"
      : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 16, 16, 8, float>& d,
                                    const fragment<matrix_a, 16, 16, 8, precision::tf32, col_major>& a,
                                    const fragment<matrix_b, 16, 16, 8, precision::tf32, col_major>& b,
                                    const fragment<accumulator, 16, 16, 8, float>& c) {
  float* rd = (float*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const float* rc = (const float*)c.x;
  asm("wmma.mma.sync.aligned.col.col.m16n16k8.f32.tf32.tf32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23};"
      : "=f"(rd[0]), "=f"(rd[1]), "=f"(rd[2]), "=f"(rd[3]), "=f"(rd[4]), "=f"(rd[5]), "=f"(rd[6]), "=f"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "f"(rc[0]), "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
}
template <>
struct __heddle_shape<matrix_a, 8, 8, 4, double> {
  using element = double;
  static constexpr int elements = 1;
};
template <>
struct __heddle_shape<matrix_b, 8, 8, 4, double> {
  using element = double;
  static constexpr int elements = 1;
};
template <>
struct __heddle_shape<accumulator, 8, 8, 4, double> {
  using element = double;
  static constexpr int elements = 2;
};
__device__ __inline__ void load_matrix_sync(fragment<matrix_a, 8, 8, 4, double, row_major>& f, const double* p,
                                            unsigned int stride) {
  double* r = (double*)f.x;
  asm volatile("wmma.load.a.sync.aligned.row.m8n8k4.f64 {%0}, [%1], %2;"
               : "=d"(r[0])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_a, 8, 8, 4, double, col_major>& f, const double* p,
                                            unsigned int stride) {
  double* r = (double*)f.x;
  asm volatile("wmma.load.a.sync.aligned.col.m8n8k4.f64 {%0}, [%1], %2;"
               : "=d"(r[0])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_b, 8, 8, 4, double, row_major>& f, const double* p,
                                            unsigned int stride) {
  double* r = (double*)f.x;
  asm volatile("wmma.load.b.sync.aligned.row.m8n8k4.f64 {%0}, [%1], %2;"
               : "=d"(r[0])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_b, 8, 8, 4, double, col_major>& f, const double* p,
                                            unsigned int stride) {
  double* r = (double*)f.x;
  asm volatile("wmma.load.b.sync.aligned.col.m8n8k4.f64 {%0}, [%1], %2;"
               : "=d"(r[0])
               : "l"(p), "r"(stride)
               : "memory");
}

}  // namespace wmma
}  // namespace nvcuda
