// The lock of spin_lock in the form that a SIMT stack can run, too.

__global__ void try_lock(unsigned* lock, volatile unsigned* count) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *count = *count + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
