// Prices of European options: ten special functions a thread.

__device__ __forceinline__ float cnd(float d) {  // cumulative normal distribution by a polynomial
  float K = __fdividef(1.0f, 1.0f + 0.2316419f * fabsf(d));
  float cnd =
      0.39894228f * __expf(-0.5f * d * d) *
      (K * (0.31938153f + K * (-0.356563782f + K * (1.781477937f + K * (-1.821255978f + K * 1.330274429f)))));
  return d > 0 ? 1.0f - cnd : cnd;
}

__global__ void black_scholes(float* call, float* put, const float* price, const float* strike,
                              const float* years, float riskfree, float volatility, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float S = price[i], X = strike[i], T = years[i], R = riskfree, V = volatility;
  float sqrtT = __fdividef(1.0f, rsqrtf(T));
  float d1 = __fdividef(__logf(__fdividef(S, X)) + (R + 0.5f * V * V) * T, V * sqrtT);
  float d2 = d1 - V * sqrtT;
  float cnd1 = cnd(d1), cnd2 = cnd(d2);
  float discounted = X * __expf(-R * T);
  call[i] = S * cnd1 - discounted * cnd2;
  put[i] = discounted * (1.0f - cnd2) - S * (1.0f - cnd1);
}
