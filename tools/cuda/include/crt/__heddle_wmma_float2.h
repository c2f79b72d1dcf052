// Products of bfloat16, tf32 and doubles. This file is a part of mma.h.
#pragma once

namespace nvcuda {
namespace wmma {

__device__ __inline__ void load_matrix_sync(fragment<accumulator, 8, 8, 4, double>& f, const double* p,
                                            unsigned int stride, layout_t layout) {
  double* r = (double*)f.x;
  if (layout == mem_row_major) {
    asm volatile("wmma.load.c.sync.aligned.row.m8n8k4.f64 {%0, %1}, [%2], %3;"
                 : "=d"(r[0]), "=d"(r[1])
                 : "l"(p), "r"(stride)
                 : "memory");
  } else {
    asm volatile("wmma.load.c.sync.aligned.col.m8n8k4.f64 {%0, %1}, [%2], %3;"
                 : "=d"(r[0]), "=d"(r[1])
                 : "l"(p), "r"(stride)
                 : "memory");
  }
}
__device__ __inline__ void store_matrix_sync(double* p, const fragment<accumulator, 8, 8, 4, double>& f,
                                             unsigned int stride, layout_t layout) {
  const double* r = (const double*)f.x;
  if (layout == mem_row_major) {
    asm volatile("wmma.store.d.sync.aligned.row.m8n8k4.f64 [%0], {%2, %3}, %1;"
                 :
                 : "l"(p), "r"(stride), "d"(r[0]), "d"(r[1])
                 : "memory");
  } else {
    asm volatile("wmma.store.d.sync.aligned.col.m8n8k4.f64 [%0], {%2, %3}, %1;"
                 :
                 : "l"(p), "r"(stride), "d"(r[0]), "d"(r[1])
                 : "memory");
  }
}
__device__ __inline__ void mma_sync(fragment<accumulator, 8, 8, 4, double>& d,
                                    const fragment<matrix_a, 8, 8, 4, double, row_major>& a,
                                    const fragment<matrix_b, 8, 8, 4, double, row_major>& b,
                                    const fragment<accumulator, 8, 8, 4, double>& c) {
  double* rd = (double*)d.x;
  const double* ra = (const double*)a.x;
  const double* rb = (const double*)b.x;
  const double* rc = (const double*)c.x;
  asm("wmma.mma.sync.aligned.row.row.m8n8k4.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
      : "=d"(rd[0]), "=d"(rd[1])
      : "d"(ra[0]), "d"(rb[0]), "d"(rc[0]), "d"(rc[1]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 8, 8, 4, double>& d,
                                    const fragment<matrix_a, 8, 8, 4, double, row_major>& a,
                                    const fragment<matrix_b, 8, 8, 4, double, col_major>& b,
                                    const fragment<accumulator, 8, 8, 4, double>& c) {
  double* rd = (double*)d.x;
  const double* ra = (const double*)a.x;
  const double* rb = (const double*)b.x;
  const double* rc = (const double*)c.x;
  asm("wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
      : "=d"(rd[0]), "=d"(rd[1])
      : "d"(ra[0]), "d"(rb[0]), "d"(rc[0]), "d"(rc[1]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 8, 8, 4, double>& d,
                                    const fragment<matrix_a, 8, 8, 4, double, col_major>& a,
                                    const fragment<matrix_b, 8, 8, 4, double, row_major>& b,
                                    const fragment<accumulator, 8, 8, 4, double>& c) {
  double* rd = (double*)d.x;
  const double* ra = (const double*)a.x;
  const double* rb = (const double*)b.x;
  const double* rc = (const double*)c.x;
  asm("wmma.mma.sync.aligned.col.row.m8n8k4.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
      : "=d"(rd[0]), "=d"(rd[1])
      : "d"(ra[0]), "d"(rb[0]), "d"(rc[0]), "d"(rc[1]));
}
__device__ __inline__ void mma_sync(fragment<accumulator, 8, 8, 4, double>& d,
                                    const fragment<matrix_a, 8, 8, 4, double, col_major>& a,
                                    const fragment<matrix_b, 8, 8, 4, double, col_major>& b,
                                    const fragment<accumulator, 8, 8, 4, double>& c) {
  double* rd = (double*)d.x;
  const double* ra = (const double*)a.x;
  const double* rb = (const double*)b.x;
  const double* rc = (const double*)c.x;
  asm("wmma.mma.sync.aligned.col.col.m8n8k4.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
      : "=d"(rd[0]), "=d"(rd[1])
      : "d"(ra[0]), "d"(rb[0]), "d"(rc[0]), "d"(rc[1]));
}

}  // namespace wmma
}  // namespace nvcuda
