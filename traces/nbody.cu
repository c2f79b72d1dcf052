// The forces between all bodies, by tiles of bodies in shared memory.

__global__ void nbody(const float4* body, float* force, unsigned n, float softening) {
  extern __shared__ float4 tile[];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = i < n ? body[i] : make_float4(0, 0, 0, 0);
  float ax = 0, ay = 0, az = 0;
  for (unsigned first = 0; first < n; first += blockDim.x) {
    unsigned j = first + threadIdx.x;
    tile[threadIdx.x] = j < n ? body[j] : make_float4(0, 0, 0, 0);  // without mass there is no force
    __syncthreads();
#pragma unroll 2
    for (unsigned k = 0; k < blockDim.x; k++) {
      float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
      float inverse = rsqrtf(softening + dx * dx + dy * dy + dz * dz);
      float pull = tile[k].w * (inverse * inverse * inverse);
      ax += dx * pull;
      ay += dy * pull;
      az += dz * pull;
    }
    __syncthreads();
  }
  if (i >= n) return;
  force[3 * i] = ax;
  force[3 * i + 1] = ay;
  force[3 * i + 2] = az;
}
