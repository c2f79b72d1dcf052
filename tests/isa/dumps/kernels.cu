// What the disassemblies in this folder are of. nvcc 13.0 -cubin -lineinfo -arch=sm_NN, then cuobjdump -sass
// (NN.cuobjdump.sass) or nvdisasm with the options in the name (NN.nvdisasm-c-g.sass); long rows of blanks are shortened.

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

// A quotient is computed by a function of the compiler's where an exponent is out of the usual range.
__global__ void quotients(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] / b[i];
}

__global__ void steps(const int* from, int* to, int n, int most) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = from[i];
  int sum = 0;
#pragma unroll 1
  for (int j = 0; j < 40; j++) {
    if (x & 1) {
      sum += x * 3 + 1;
      if (sum > most && j > 5) break;
    } else if (x & 2) {
      sum -= j;
    }
    x = x / 2;
  }
  to[i] = sum;
}

struct Mixed {
  float x;
  double y;
  short z;
};

__global__ void mixed(char c, Mixed m, short h, double* out) { out[threadIdx.x] = m.x + m.y + m.z + c + h; }

__global__ void reversed(float* data) {
  __shared__ float tile[128];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[127 - threadIdx.x];
}
