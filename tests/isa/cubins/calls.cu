// calls.80.cubin, calls.90.cubin: nvcc -cubin -arch=sm_80 or sm_90 of CUDA 13.0; calls_rdc.80.cubin and
// calls_rdc.90.cubin: nvcc -rdc=true -cubin, then nvcc -dlink -cubin. Calls of CUDA's own functions and through
// addresses.
#include <cassert>
#include <cstdio>

// Values live over the call, and lanes come to it one by one.
extern "C" __global__ void prints(int* out) {
  const int i = threadIdx.x;
  int sum = out[i];
  for (int k = 0; k < i; ++k) sum += printf("%d of %d: %s %.2f %lld\n", k, i, k % 2 ? "odd" : "even", k / 4.0, 1LL << k);
  out[i] = sum;
}

extern "C" __global__ void asserts(int least) { assert(threadIdx.x + 3 > least); }

// Each thread's list goes backwards through what it has taken.
extern "C" __global__ void takes(int* out) {
  struct Node {
    int value;
    Node* next;
  };
  Node* last = nullptr;
#pragma unroll 1
  for (int i = 0; i <= threadIdx.x % 8; ++i) last = new Node{i, last};
  int sum = 0;
#pragma unroll 1
  while (last != nullptr) {
    sum = 10 * sum + last->value;
    Node* next = last->next;
    delete last;
    last = next;
  }
  out[threadIdx.x] = sum;
}

struct Shape {
  __device__ virtual int area(int n) const { return n; }
};
struct Square : Shape {
  __device__ int area(int n) const override { return n * n; }
};
struct Cube : Shape {
  int sides = 6;
  __device__ int area(int n) const override { return sides * n * n; }
};

__device__ int twice(int n) { return 2 * n; }
__device__ int negative(int n) { return -n; }
__device__ int (*functions[2])(int) = {twice, negative};

extern "C" __global__ void chooses(int* out) {
  const Shape shape;
  const Square square;
  const Cube cube;
  const Shape* all[3] = {&shape, &square, &cube};
  const int i = threadIdx.x;
  out[i] = all[out[i] % 3]->area(i) + functions[i % 2](1000);
}
