// V7: see ../kernels/reduction.sass. Blocks of 512 threads.

__device__ void last_warp(volatile unsigned* sums, unsigned thread, unsigned block) {
  if (block >= 64) sums[thread] += sums[thread + 32];
  if (block >= 32) sums[thread] += sums[thread + 16];
  if (block >= 16) sums[thread] += sums[thread + 8];
  if (block >= 8) sums[thread] += sums[thread + 4];
  if (block >= 4) sums[thread] += sums[thread + 2];
  if (block >= 2) sums[thread] += sums[thread + 1];
}

__device__ void load_one(const unsigned* in, unsigned n, unsigned* sums) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[threadIdx.x] = i < n ? in[i] : 0;
}

__device__ void load_two(const unsigned* in, unsigned n, unsigned* sums) {
  const unsigned i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  sums[threadIdx.x] = i < n ? in[i] : 0;
  sums[threadIdx.x] += i + blockDim.x < n ? in[i + blockDim.x] : 0;
}

__device__ void unrolled(unsigned* sums) {
  const unsigned thread = threadIdx.x;
  if (blockDim.x >= 512 && thread < 256) sums[thread] += sums[thread + 256];
  __syncthreads();
  if (blockDim.x >= 256 && thread < 128) sums[thread] += sums[thread + 128];
  __syncthreads();
  if (blockDim.x >= 128 && thread < 64) sums[thread] += sums[thread + 64];
  __syncthreads();
  if (thread < 32) last_warp(sums, thread, blockDim.x);
}

__device__ void keep(const unsigned* sums, unsigned* out) {
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

extern "C" __global__ void reduction_1(const unsigned* in, unsigned n, unsigned* out) {
  __shared__ unsigned sums[512];
  const unsigned thread = threadIdx.x;
  load_one(in, n, sums);
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride <<= 1) {
    if (thread % (2 * stride) == 0) sums[thread] += thread + stride < n ? sums[thread + stride] : 0;
    __syncthreads();
  }
  keep(sums, out);
}

extern "C" __global__ void reduction_2(const unsigned* in, unsigned n, unsigned* out) {
  __shared__ unsigned sums[512];
  load_one(in, n, sums);
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride <<= 1) {
    const unsigned index = 2 * stride * threadIdx.x;
    if (index < blockDim.x) sums[index] += index + stride < n ? sums[index + stride] : 0;
    __syncthreads();
  }
  keep(sums, out);
}

extern "C" __global__ void reduction_3(const unsigned* in, unsigned n, unsigned* out) {
  __shared__ unsigned sums[512];
  const unsigned thread = threadIdx.x;
  load_one(in, n, sums);
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (thread < stride) sums[thread] += thread + stride < n ? sums[thread + stride] : 0;
    __syncthreads();
  }
  keep(sums, out);
}

extern "C" __global__ void reduction_4(const unsigned* in, unsigned n, unsigned* out) {
  __shared__ unsigned sums[512];
  const unsigned thread = threadIdx.x;
  load_two(in, n, sums);
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (thread < stride) sums[thread] += sums[thread + stride];
    __syncthreads();
  }
  keep(sums, out);
}

extern "C" __global__ void reduction_5(const unsigned* in, unsigned n, unsigned* out) {
  __shared__ unsigned sums[512];
  const unsigned thread = threadIdx.x;
  load_two(in, n, sums);
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 32; stride >>= 1) {
    if (thread < stride) sums[thread] += sums[thread + stride];
    __syncthreads();
  }
  if (thread < 32) last_warp(sums, thread, blockDim.x);
  keep(sums, out);
}

extern "C" __global__ void reduction_6(const unsigned* in, unsigned n, unsigned* out) {
  __shared__ unsigned sums[512];
  load_two(in, n, sums);
  __syncthreads();
  unrolled(sums);
  keep(sums, out);
}

extern "C" __global__ void reduction_7(const unsigned* in, unsigned n, unsigned* out) {
  __shared__ unsigned sums[512];
  const unsigned tiles = gridDim.x * (blockDim.x * 2);
  sums[threadIdx.x] = 0;
  for (unsigned i = blockIdx.x * (blockDim.x * 2) + threadIdx.x; i < n; i += tiles) {
    sums[threadIdx.x] += in[i];
    sums[threadIdx.x] += i + blockDim.x < n ? in[i + blockDim.x] : 0;
  }
  __syncthreads();
  unrolled(sums);
  keep(sums, out);
}
