// One thread follows a chain: each address comes from the load before.

__global__ void pointer_chase(const char* chain, unsigned* result, unsigned hops) {
  unsigned at = 0;
#pragma unroll 1
  for (unsigned k = 0; k < hops; k++) at = *(const unsigned*)(chain + at);
  *result = at;
}
