// V2: see ../kernels/float_chains.sass. Chains of FFMAs or FADDs, timed by the first thread's clock.

#define TIMED(BEGIN, STEP, SUM)                                                 \
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;                     \
  BEGIN;                                                                        \
  const unsigned long long start = clock64();                                   \
  for (int i = 0; i < iterations; ++i) {                                        \
    STEP;                                                                       \
  }                                                                             \
  const unsigned long long end = clock64();                                     \
  numbers[thread] = SUM;                                                        \
  if (thread == 0) *took = static_cast<unsigned>(end - start)

extern "C" __global__ void ffma_chains_1(float* numbers, unsigned* took, int iterations) {
  TIMED(float a = numbers[thread], a = a * 1.000001f + 1.000002f, a);
}
extern "C" __global__ void ffma_chains_2(float* numbers, unsigned* took, int iterations) {
  TIMED(float a = numbers[thread]; float b = numbers[thread] + 1, a = a * 1.000001f + 1.000002f;
        b = b * 1.000002f + 1.000001f, a + b);
}
extern "C" __global__ void ffma_chains_3(float* numbers, unsigned* took, int iterations) {
  TIMED(float a = numbers[thread]; float b = numbers[thread] + 1; float c = numbers[thread] + 2,
        a = a * 1.000001f + 1.000002f; b = b * 1.000003f + 1.000004f; c = c * 1.000005f + 1.000006f, a + b + c);
}
extern "C" __global__ void fadd_chains_1(float* numbers, unsigned* took, int iterations) {
  TIMED(float a = numbers[thread], a = a + 1, a);
}
extern "C" __global__ void fadd_chains_2(float* numbers, unsigned* took, int iterations) {
  TIMED(float a = numbers[thread]; float b = numbers[thread] + 1, a = a + 1; b = b + 1, a + b);
}
extern "C" __global__ void fadd_chains_3(float* numbers, unsigned* took, int iterations) {
  TIMED(float a = numbers[thread]; float b = numbers[thread] + 1; float c = numbers[thread] + 2, a = a + 1; b = b + 1;
        c = c + 1, a + b + c);
}
