// A lock as it is first written: needs that the lanes of a warp make progress independently.

__global__ void spin_lock(unsigned* lock, volatile unsigned* count) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *count = *count + 1;
  __threadfence();
  atomicExch(lock, 0);
}
