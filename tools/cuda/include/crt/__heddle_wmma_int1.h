// Products of bytes. This file is a part of mma.h.
#pragma once

namespace nvcuda {
namespace wmma {

template <>
struct __heddle_shape<matrix_a, 16, 16, 16, signed char> {
  using element = signed char;
  static constexpr int elements = 8;
};
template <>
struct __heddle_shape<matrix_b, 16, 16, 16, signed char> {
  using element = signed char;
  static constexpr int elements = 8;
};
__device__ __inline__ void load_matrix_sync(fragment<matrix_a, 16, 16, 16, signed char, row_major>& f, const signed char* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.s8 {%0, %1}, [%2], %3;"
               : "=r"(r[0]), "=r"(r[1])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_a, 16, 16, 16, signed char, col_major>& f, const signed char* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.a.sync.aligned.col.m16n16k16.s8 {%0, %1}, [%2], %3;"
               : "=r"(r[0]), "=r"(r[1])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_b, 16, 16, 16, signed char, row_major>& f, const signed char* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.b.sync.aligned.row.m16n16k16.s8 {%0, %1}, [%2], %3;"
               : "=r"(r[0]), "=r"(r[1])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_b, 16, 16, 16, signed char, col_major>& f, const signed char* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.b.sync.aligned.col.m16n16k16.s8 {%0, %1}, [%2], %3;"
               : "=r"(r[0]), "=r"(r[1])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void mma_sync(fragment<accumulator, 16, 16, 16, int>& d,
                                    const fragment<matrix_a, 16, 16, 16, signed char, row_major>& a,
                                    const fragment<matrix_b, 16, 16, 16, signed char, row_major>& b,
                                    const fragment<accumulator, 16, 16, 16, int>& c) {
  int* rd = (int*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const int* rc = (const int*)c.x;
  asm("wmma.mma.sync.aligned.row.row.m16n16k16.s32.s8.s8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};"
      : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rb[1]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 16, 16, 16, int>& d,
                                    const fragment<matrix_a, 16, 16, 16, signed char, row_major>& a,
                                    const fragment<matrix_b, 16, 16, 16, signed char, col_major>& b,
                                    const fragment<accumulator, 16, 16, 16, int>& c) {
  int* rd = (int*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const int* rc = (const int*)c.x;
  asm("wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};"
      : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rb[1]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 16, 16, 16, int>& d,
                                    const fragment<matrix_a, 16, 16, 16, signed char, col_major>& a,
                                    const fragment<matrix_b, 16, 16, 16, signed char, row_major>& b,
                                    const fragment<accumulator, 16, 16, 16, int>& c) {
  int* rd = (int*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const int* rc = (const int*)c.x;
  asm("wmma.mma.sync.aligned.col.row.m16n16k16.s32.s8.s8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};"
      : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rb[1]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 16, 16, 16, int>& d,
                                    const fragment<matrix_a, 16, 16, 16, signed char, col_major>& a,
                                    const fragment<matrix_b, 16, 16, 16, signed char, col_major>& b,
                                    const fragment<accumulator, 16, 16, 16, int>& c) {
  int* rd = (int*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const int* rc = (const int*)c.x;
  asm("wmma.mma.sync.aligned.col.col.m16n16k16.s32.s8.s8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};"
      : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rb[1]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
}
template <>
struct __heddle_shape<matrix_a, 16, 16, 16, unsigned char> {
  using element = unsigned char;
  static constexpr int elements = 8;
};
template <>
struct __heddle_shape<matrix_b, 16, 16, 16, unsigned char> {
  using element = unsigned char;
  static constexpr int elements = 8;
};
__device__ __inline__ void load_matrix_sync(fragment<matrix_a, 16, 16, 16, unsigned char, row_major>& f, const unsigned char* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.u8 {%0, %1}, [%2], %3;"
               : "=r"(r[0]), "=r"(r[1])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_a, 16, 16, 16, unsigned char, col_major>& f, const unsigned char* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.a.sync.aligned.col.m16n16k16.u8 {%0, %1}, [%2], %3;"
               : "=r"(r[0]), "=r"(r[1])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_b, 16, 16, 16, unsigned char, row_major>& f, const unsigned char* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.b.sync.aligned.row.m16n16k16.u8 {%0, %1}, [%2], %3;"
               : "=r"(r[0]), "=r"(r[1])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_b, 16, 16, 16, unsigned char, col_major>& f, const unsigned char* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.b.sync.aligned.col.m16n16k16.u8 {%0, %1}, [%2], %3;"
               : "=r"(r[0]), "=r"(r[1])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void mma_sync(fragment<accumulator, 16, 16, 16, int>& d,
                                    const fragment<matrix_a, 16, 16, 16, unsigned char, row_major>& a,
                                    const fragment<matrix_b, 16, 16, 16, unsigned char, row_major>& b,
                                    const fragment<accumulator, 16, 16, 16, int>& c) {
  int* rd = (int*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const int* rc = (const int*)c.x;
  asm("wmma.mma.sync.aligned.row.row.m16n16k16.s32.u8.u8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};"
      : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rb[1]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 16, 16, 16, int>& d,
                                    const fragment<matrix_a, 16, 16, 16, unsigned char, row_major>& a,
                                    const fragment<matrix_b, 16, 16, 16, unsigned char, col_major>& b,
                                    const fragment<accumulator, 16, 16, 16, int>& c) {
  int* rd = (int*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const int* rc = (const int*)c.x;
  asm("wmma.mma.sync.aligned.row.col.m16n16k16.s32.u8.u8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};"
      : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rb[1]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 16, 16, 16, int>& d,
                                    const fragment<matrix_a, 16, 16, 16, unsigned char, col_major>& a,
                                    const fragment<matrix_b, 16, 16, 16, unsigned char, row_major>& b,
                                    const fragment<accumulator, 16, 16, 16, int>& c) {
  int* rd = (int*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const int* rc = (const int*)c.x;
  asm("wmma.mma.sync.aligned.col.row.m16n16k16.s32.u8.u8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};"
      : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rb[1]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 16, 16, 16, int>& d,
                                    const fragment<matrix_a, 16, 16, 16, unsigned char, col_major>& a,
                                    const fragment<matrix_b, 16, 16, 16, unsigned char, col_major>& b,
                                    const fragment<accumulator, 16, 16, 16, int>& c) {
  int* rd = (int*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const int* rc = (const int*)c.x;
  asm("wmma.mma.sync.aligned.col.col.m16n16k16.s32.u8.u8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};"
      : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rb[1]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
}
__device__ __inline__ void load_matrix_sync(fragment<accumulator, 16, 16, 16, int>& f, const int* p,
                                            unsigned int stride, layout_t layout) {
  int* r = (int*)f.x;
  if (layout == mem_row_major) {
    asm volatile("wmma.load.c.sync.aligned.row.m16n16k16.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
                 : "l"(p), "r"(stride)
                 : "memory");
  } else {
    asm volatile("wmma.load.c.sync.aligned.col.m16n16k16.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
                 : "l"(p), "r"(stride)
                 : "memory");
  }
}
__device__ __inline__ void store_matrix_sync(int* p, const fragment<accumulator, 16, 16, 16, int>& f,
                                             unsigned int stride, layout_t layout) {
  const int* r = (const int*)f.x;
  if (layout == mem_row_major) {
    asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.s32 [%0], {%2, %3, %4, %5, %6, %7, %8, %9}, %1;"
                 :
                 : "l"(p), "r"(stride), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(r[4]), "r"(r[5]), "r"(r[6]), "r"(r[7])
                 : "memory");
  } else {
    asm volatile("wmma.store.d.sync.aligned.col.m16n16k16.s32 [%0], {%2, %3, %4, %5, %6, %7, %8, %9}, %1;"
                 :
                 : "l"(p), "r"(stride), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(r[4]), "r"(r[5]), "r"(r[6]), "r"(r[7])
                 : "memory");
  }
}
template <>
struct __heddle_shape<matrix_a, 32, 8, 16, signed char> {
  using element = signed char;
  static constexpr int elements = 16;
};
template <>
struct __heddle_shape<matrix_b, 32, 8, 16, signed char> {
  using element = signed char;
  static constexpr int elements = 4;
};
__device__ __inline__ void load_matrix_sync(fragment<matrix_a, 32, 8, 16, signed char, row_major>& f, const signed char* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.a.sync.aligned.row.m32n8k16.s8 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_a, 32, 8, 16, signed char, col_major>& f, const signed char* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.a.sync.aligned.col.m32n8k16.s8 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_b, 32, 8, 16, signed char, row_major>& f, const signed char* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.b.sync.aligned.row.m32n8k16.s8 {%0}, [%1], %2;"
               : "=r"(r[0])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_b, 32, 8, 16, signed char, col_major>& f, const signed char* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.b.sync.aligned.col.m32n8k16.s8 {%0}, [%1], %2;"
               : "=r"(r[0])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void mma_sync(fragment<accumulator, 32, 8, 16, int>& d,
                                    const fragment<matrix_a, 32, 8, 16, signed char, row_major>& a,
                                    const fragment<matrix_b, 32, 8, 16, signed char, row_major>& b,
                                    const fragment<accumulator, 32, 8, 16, int>& c) {
  int* rd = (int*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const int* rc = (const int*)c.x;
  asm("wmma.mma.sync.aligned.row.row.m32n8k16.s32.s8.s8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12}, {%13, %14, %15, %16, %17, %18, %19, %20};"
      : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 32, 8, 16, int>& d,
                                    const fragment<matrix_a, 32, 8, 16, signed char, row_major>& a,
                                    const fragment<matrix_b, 32, 8, 16, signed char, col_major>& b,
                                    const fragment<accumulator, 32, 8, 16, int>& c) {
  int* rd = (int*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const int* rc = (const int*)c.x;
  asm("wmma.mma.sync.aligned.row.col.m32n8k16.s32.s8.s8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12}, {%13, %14, %15, %16, %17, %18, %19, %20};"
      : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 32, 8, 16, int>& d,
                                    const fragment<matrix_a, 32, 8, 16, signed char, col_major>& a,
                                    const fragment<matrix_b, 32, 8, 16, signed char, row_major>& b,
                                    const fragment<accumulator, 32, 8, 16, int>& c) {
  int* rd = (int*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const int* rc = (const int*)c.x;
  asm("wmma.mma.sync.aligned.col.row.m32n8k16.s32.s8.s8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12}, {%13, %14, %15, %16, %17, %18, %19, %20};"
      : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 32, 8, 16, int>& d,
                                    const fragment<matrix_a, 32, 8, 16, signed char, col_major>& a,
                                    const fragment<matrix_b, 32, 8, 16, signed char, col_major>& b,
                                    const fragment<accumulator, 32, 8, 16, int>& c) {
  int* rd = (int*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const int* rc = (const int*)c.x;
  asm("wmma.mma.sync.aligned.col.col.m32n8k16.s32.s8.s8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12}, {%13, %14, %15, %16, %17, %18, %19, %20};"
      : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
}
template <>
struct __heddle_shape<matrix_a, 32, 8, 16, unsigned char> {
  using element = unsigned char;
  static constexpr int elements = 16;
};
template <>
struct __heddle_shape<matrix_b, 32, 8, 16, unsigned char> {
  using element = unsigned char;
  static constexpr int elements = 4;
};
__device__ __inline__ void load_matrix_sync(fragment<matrix_a, 32, 8, 16, unsigned char, row_major>& f, const unsigned char* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.a.sync.aligned.row.m32n8k16.u8 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_a, 32, 8, 16, unsigned char, col_major>& f, const unsigned char* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.a.sync.aligned.col.m32n8k16.u8 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_b, 32, 8, 16, unsigned char, row_major>& f, const unsigned char* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.b.sync.aligned.row.m32n8k16.u8 {%0}, [%1], %2;"
               : "=r"(r[0])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void load_matrix_sync(fragment<matrix_b, 32, 8, 16, unsigned char, col_major>& f, const unsigned char* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.b.sync.aligned.col.m32n8k16.u8 {%0}, [%1], %2;"
               : "=r"(r[0])
               : "l"(p), "r"(stride)
               : "memory");
}
__device__ __inline__ void mma_sync(fragment<accumulator, 32, 8, 16, int>& d,
                                    const fragment<matrix_a, 32, 8, 16, unsigned char, row_major>& a,
                                    const fragment<matrix_b, 32, 8, 16, unsigned char, row_major>& b,
                                    const fragment<accumulator, 32, 8, 16, int>& c) {
  int* rd = (int*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const int* rc = (const int*)c.x;
  asm("wmma.mma.sync.aligned.row.row.m32n8k16.s32.u8.u8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12}, {%13, %14, %15, %16, %17, %18, %19, %20};"
      : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 32, 8, 16, int>& d,
                                    const fragment<matrix_a, 32, 8, 16, unsigned char, row_major>& a,
                                    const fragment<matrix_b, 32, 8, 16, unsigned char, col_major>& b,
                                    const fragment<accumulator, 32, 8, 16, int>& c) {
  int* rd = (int*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const int* rc = (const int*)c.x;
  asm("wmma.mma.sync.aligned.row.col.m32n8k16.s32.u8.u8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12}, {%13, %14, %15, %16, %17, %18, %19, %20};"
      : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 32, 8, 16, int>& d,
                                    const fragment<matrix_a, 32, 8, 16, unsigned char, col_major>& a,
                                    const fragment<matrix_b, 32, 8, 16, unsigned char, row_major>& b,
                                    const fragment<accumulator, 32, 8, 16, int>& c) {
  int* rd = (int*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const int* rc = (const int*)c.x;
  asm("wmma.mma.sync.aligned.col.row.m32n8k16.s32.u8.u8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12}, {%13, %14, %15, %16, %17, %18, %19, %20};"
      : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 32, 8, 16, int>& d,
                                    const fragment<matrix_a, 32, 8, 16, unsigned char, col_major>& a,
                                    const fragment<matrix_b, 32, 8, 16, unsigned char, col_major>& b,
                                    const fragment<accumulator, 32, 8, 16, int>& c) {
  int* rd = (int*)d.x;
  const unsigned int* ra = (const unsigned int*)a.x;
  const unsigned int* rb = (const unsigned int*)b.x;
  const int* rc = (const int*)c.x;
  asm("wmma.mma.sync.aligned.col.col.m32n8k16.s32.u8.u8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12}, {%13, %14, %15, %16, %17, %18, %19, %20};"
      : "=r"(rd[0]), "=r"(rd[1]), "=r"(rd[2]), "=r"(rd[3]), "=r"(rd[4]), "=r"(rd[5]), "=r"(rd[6]), "=r"(rd[7])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rc[0]), "r"(rc[1]), "r"(rc[2]), "r"(rc[3]), "r"(rc[4]), "r"(rc[5]), "r"(rc[6]), "r"(rc[7]));
}
__device__ __inline__ void load_matrix_sync(fragment<accumulator, 32, 8, 16, int>& f, const int* p,
                                            unsigned int stride, layout_t layout) {
  int* r = (int*)f.x;
  if (layout == mem_row_major) {
    asm volatile("wmma.load.c.sync.aligned.row.m32n8k16.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
                 : "l"(p), "r"(stride)
                 : "memory");
  } else {
    asm volatile("wmma.load.c.sync.aligned.col.m32n8k16.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
                 : "l"(p), "r"(stride)
                 : "memory");
  }
}
__device__ __inline__ void store_matrix_sync(int* p, const fragment<accumulator, 32, 8, 16, int>& f,
                                             unsigned int stride, layout_t layout) {
  const int* r = (const int*)f.x;
  if (layout == mem_row_major) {
    asm volatile("wmma.store.d.sync.aligned.row.m32n8k16.s32 [%0], {%2, %3, %4, %5, %6, %7, %8, %9}, %1;"
                 :
                 : "l"(p), "r"(stride), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(r[4]), "r"(r[5]), "r"(r[6]), "r"(r[7])
                 : "memory");
  } else {
    asm volatile("wmma.store.d.sync.aligned.col.m32n8k16.s32 [%0], {%2, %3, %4, %5, %6, %7, %8, %9}, %1;"
                 :
                 : "l"(p), "r"(stride), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(r[4]), "r"(r[5]), "r"(r[6]), "r"(r[7])
                 : "memory");
  }
}
template <>
struct __heddle_shape<matrix_a, 8, 32, 16, signed char> {
  using element = signed char;
  static constexpr int elements = 4;
};
template <>
struct __heddle_shape<matrix_b, 8, 32, 16, signed char> {
  using element = signed char;
  static constexpr int elements = 16;
};
__device__ __inline__ void load_matrix_sync(fragment<matrix_a, 8, 32, 16, signed char, row_major>& f, const signed char* p,
                                            unsigned int stride) {
  unsigned int* r = (unsigned int*)f.x;
  asm volatile("wmma.load.a.sync.aligned.row.m8n32k16.s8 {%0}, [%1], %2;"
               : "=r"(r[0])
               : "l"(p), "r"(stride)
               : "memory");
}

}  // namespace wmma
}  // namespace nvcuda
