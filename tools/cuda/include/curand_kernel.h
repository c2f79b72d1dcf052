// Random numbers in kernels. Philox4x32-10 is that of Salmon et al. (SC '11); xorwow is Marsaglia's (Journal of
// Statistical Software 8, 2003), started from bits that Philox makes of seed and sequence. With Philox `curand` gives what
// cuRAND gives; xorwow's numbers are others. Uniform numbers are in (0, 1], normal ones by Box and Muller.
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include "cuda_runtime.h"

#define HEDDLE_BOTH static __inline__ __host__ __device__

/// The 4 words at one place of a sequence.
HEDDLE_BOTH uint4 __heddle_philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = (unsigned long long)counter.x * 0xd2511f53u;
    const unsigned long long b = (unsigned long long)counter.z * 0xcd9e8d57u;
    counter = make_uint4((unsigned int)(b >> 32) ^ counter.y ^ key.x, (unsigned int)b,
                         (unsigned int)(a >> 32) ^ counter.w ^ key.y, (unsigned int)a);
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return counter;
}

/// The second of a pair of normal numbers, kept for the next call.
struct __heddle_normal_rest {
  float single;
  double exact;
  bool has_single, has_exact;
};

struct curandStateXORWOW {
  unsigned int v[5], d;
  __heddle_normal_rest rest;
};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;

struct curandStatePhilox4_32_10 {
  uint4 counter, words;  // z and w of the counter are the sequence.
  uint2 key;
  unsigned int next;  // Of the 4 words.
  __heddle_normal_rest rest;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

HEDDLE_BOTH unsigned int curand(curandStateXORWOW* state) {
  const unsigned int t = state->v[0] ^ (state->v[0] >> 2);
  for (int i = 0; i < 4; ++i) state->v[i] = state->v[i + 1];
  state->v[4] = state->v[4] ^ (state->v[4] << 4) ^ t ^ (t << 1);
  state->d += 362437u;
  return state->v[4] + state->d;
}
HEDDLE_BOTH void skipahead(unsigned long long n, curandStateXORWOW* state) {
  for (; n > 0; --n) curand(state);
}
HEDDLE_BOTH void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                             curandStateXORWOW* state) {
  const uint2 key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
  const uint2 at = make_uint2((unsigned int)sequence, (unsigned int)(sequence >> 32));
  const uint4 a = __heddle_philox(make_uint4(0u, 0u, at.x, at.y), key);
  const uint4 b = __heddle_philox(make_uint4(1u, 0u, at.x, at.y), key);
  state->v[0] = a.x | 1u;  // Not all may be 0.
  state->v[1] = a.y;
  state->v[2] = a.z;
  state->v[3] = a.w;
  state->v[4] = b.x;
  state->d = b.y;
  state->rest = __heddle_normal_rest();
  skipahead(offset, state);
}

HEDDLE_BOTH void __heddle_advance(unsigned long long n, curandStatePhilox4_32_10* state) {
  const unsigned long long at = (((unsigned long long)state->counter.y << 32) | state->counter.x) + n;
  if (at < n && ++state->counter.z == 0) ++state->counter.w;
  state->counter.x = (unsigned int)at;
  state->counter.y = (unsigned int)(at >> 32);
}
HEDDLE_BOTH void skipahead(unsigned long long n, curandStatePhilox4_32_10* state) {
  state->next += (unsigned int)(n & 3u);
  __heddle_advance((n >> 2) + (state->next >> 2), state);
  state->next &= 3u;
  state->words = __heddle_philox(state->counter, state->key);
}
HEDDLE_BOTH void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* state) {
  const unsigned long long at = (((unsigned long long)state->counter.w << 32) | state->counter.z) + n;
  state->counter.z = (unsigned int)at;
  state->counter.w = (unsigned int)(at >> 32);
  state->words = __heddle_philox(state->counter, state->key);
}
HEDDLE_BOTH void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                             curandStatePhilox4_32_10* state) {
  state->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
  state->counter = make_uint4(0u, 0u, (unsigned int)sequence, (unsigned int)(sequence >> 32));
  state->next = 0;
  state->rest = __heddle_normal_rest();
  skipahead(offset, state);
}
HEDDLE_BOTH unsigned int curand(curandStatePhilox4_32_10* state) {
  const unsigned int n = state->next;
  const uint4 w = state->words;
  if (n == 3) {
    skipahead(1, state);
  } else {
    ++state->next;
  }
  return n == 0 ? w.x : n == 1 ? w.y : n == 2 ? w.z : w.w;
}
HEDDLE_BOTH uint4 curand4(curandStatePhilox4_32_10* state) {
  uint4 four;
  four.x = curand(state);
  four.y = curand(state);
  four.z = curand(state);
  four.w = curand(state);
  return four;
}

HEDDLE_BOTH float __heddle_uniform(unsigned int x) { return (float)x * 2.3283064e-10f + 1.1641532e-10f; }
HEDDLE_BOTH double __heddle_uniform(unsigned int x, unsigned int y) {
  const unsigned long long bits = (unsigned long long)x ^ ((unsigned long long)y << 21);
  return (double)bits * 1.1102230246251565e-16 + 5.551115123125783e-17;
}
HEDDLE_BOTH float2 __heddle_normal(unsigned int x, unsigned int y) {
  const float size = sqrtf(-2.0f * logf(__heddle_uniform(x))), turn = 6.2831853f * __heddle_uniform(y);
  return make_float2(size * sinf(turn), size * cosf(turn));
}

template <typename State>
HEDDLE_BOTH float curand_uniform(State* state) {
  return __heddle_uniform(curand(state));
}
template <typename State>
HEDDLE_BOTH double curand_uniform_double(State* state) {
  const unsigned int x = curand(state);
  return __heddle_uniform(x, curand(state));
}
template <typename State>
HEDDLE_BOTH float2 curand_normal2(State* state) {
  const unsigned int x = curand(state);
  return __heddle_normal(x, curand(state));
}
template <typename State>
HEDDLE_BOTH double2 curand_normal2_double(State* state) {
  const double size = sqrt(-2.0 * log(curand_uniform_double(state)));
  const double turn = 6.283185307179586 * curand_uniform_double(state);
  return make_double2(size * sin(turn), size * cos(turn));
}
template <typename State>
HEDDLE_BOTH float curand_normal(State* state) {
  state->rest.has_single = !state->rest.has_single;
  if (!state->rest.has_single) return state->rest.single;
  const float2 pair = curand_normal2(state);
  state->rest.single = pair.y;
  return pair.x;
}
template <typename State>
HEDDLE_BOTH double curand_normal_double(State* state) {
  state->rest.has_exact = !state->rest.has_exact;
  if (!state->rest.has_exact) return state->rest.exact;
  const double2 pair = curand_normal2_double(state);
  state->rest.exact = pair.y;
  return pair.x;
}
template <typename State>
HEDDLE_BOTH float curand_log_normal(State* state, float mean, float deviation) {
  return expf(mean + deviation * curand_normal(state));
}
template <typename State>
HEDDLE_BOTH double curand_log_normal_double(State* state, double mean, double deviation) {
  return exp(mean + deviation * curand_normal_double(state));
}
template <typename State>
HEDDLE_BOTH float2 curand_log_normal2(State* state, float mean, float deviation) {
  const float2 pair = curand_normal2(state);
  return make_float2(expf(mean + deviation * pair.x), expf(mean + deviation * pair.y));
}
/// The sum of two numbers of Poisson's distribution is one of the sum of their means: each step counts arrivals in a
/// part that is short enough for its chance of none not to vanish.
template <typename State>
HEDDLE_BOTH unsigned int curand_poisson(State* state, double mean) {
  unsigned int arrivals = 0;
  for (; mean > 0; mean -= 64) {
    const double none = exp(mean < 64 ? -mean : -64.0);
    for (double chance = curand_uniform_double(state); chance > none; chance *= curand_uniform_double(state)) ++arrivals;
  }
  return arrivals;
}

HEDDLE_BOTH float4 curand_uniform4(curandStatePhilox4_32_10* state) {
  const uint4 w = curand4(state);
  return make_float4(__heddle_uniform(w.x), __heddle_uniform(w.y), __heddle_uniform(w.z), __heddle_uniform(w.w));
}
HEDDLE_BOTH double2 curand_uniform2_double(curandStatePhilox4_32_10* state) {
  const uint4 w = curand4(state);
  return make_double2(__heddle_uniform(w.x, w.y), __heddle_uniform(w.z, w.w));
}
HEDDLE_BOTH float4 curand_normal4(curandStatePhilox4_32_10* state) {
  const uint4 w = curand4(state);
  const float2 a = __heddle_normal(w.x, w.y), b = __heddle_normal(w.z, w.w);
  return make_float4(a.x, a.y, b.x, b.y);
}

#undef HEDDLE_BOTH

#endif
