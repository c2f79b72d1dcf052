// V5: see ../kernels/strided_loads.sass. The pointer moves by nothing, which the compiler does not know.

struct Place {
  unsigned shift, last_row, first_row, pitch, last_column, stride;

  __device__ unsigned element() const {
    return ((threadIdx.x >> shift & last_row) + first_row) * pitch + (threadIdx.x & last_column) * stride;
  }
};

template <typename T>
__device__ void eight(T* a, unsigned rounds, const Place& place) {
  const int nothing = static_cast<int>(rounds >> 31);
  T* at = a + place.element();
  T sum = 0;
#pragma unroll 1
  for (unsigned n = 0; n < rounds; ++n) {
    at += nothing;
    sum += at[0] * at[4];
    sum += at[8] * at[12];
    sum += at[20] * at[16];
    sum += at[24] * at[28];
  }
  if (sum == T(123123.23)) a[threadIdx.x] = sum;
}

template <typename T>
__device__ void eighteen(T* a, unsigned rounds, const Place& place) {
  const int nothing = static_cast<int>(rounds >> 31);
  T* at = a + place.element();
  T sum = 0;
#pragma unroll 1
  for (unsigned n = 0; n < rounds; ++n) {
    at += nothing;
    T v1 = at[0] + at[3] * at[5], v2 = at[10] + at[12] * at[15], v3 = at[17] + at[20] * at[22];
    T v4 = at[24] + at[26] * at[30], v5 = at[32] + at[35] * at[38], v6 = at[40] + at[43] * at[45];
    v1 = v1 + v2 * v3;
    v5 = v4 + v5 * v6;
    sum += v1 * v5;
  }
  if (sum == T(123123.23)) a[threadIdx.x] = sum;
}

#define KERNEL(NAME, T, LOADS)                                                                                   \
  extern "C" __global__ void __launch_bounds__(1024) NAME(T* a, unsigned rounds, unsigned shift,                 \
                                                          unsigned last_row, unsigned first_row, unsigned pitch, \
                                                          unsigned last_column, unsigned stride) {               \
    LOADS(a, rounds, {shift, last_row, first_row, pitch, last_column, stride});                                  \
  }
KERNEL(strided_float, float, eight)
KERNEL(strided_double, double, eight)
KERNEL(strided_float_18, float, eighteen)
KERNEL(strided_double_18, double, eighteen)
