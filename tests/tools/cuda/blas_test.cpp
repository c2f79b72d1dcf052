// Products that programs ask cuBLASLt for. What needs clang says so and passes where there is none.
#include "tests/tools/cuda/cuda_program.h"

namespace heddle::cuda {

// The transpose of the columns (1, 2) and (3, 4) by (5, 6) is (17, 39). GELU by the hyperbolic tangent is
// 0.841192 of 1.
TEST_CASE("cuBLASLt multiplies floats with bias, RELU and GELU") {
  if (!has_clang()) return;
  const FinishedProgram run = CudaProgram(program_of(R"(
#include <cublasLt.h>
cublasStatus_t multiply(cublasLtEpilogue_t epilogue, int size, float alpha, float beta, float* m, cudaDataType type = CUDA_R_32F) {
  cublasLtHandle_t handle;
  cublasLtMatmulDesc_t product;
  cublasLtMatrixLayout_t square, column;
  cublasLtMatmulPreference_t preference;
  cublasLtMatmulHeuristicResult_t found;
  int count = 0;
  const cublasOperation_t transposed = CUBLAS_OP_T;
  const float* bias = m + 8;
  cublasLtCreate(&handle);
  cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed);
  cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue);
  cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof bias);
  cublasLtMatrixLayoutCreate(&square, type, size, size, size);
  cublasLtMatrixLayoutCreate(&column, CUDA_R_32F, size, 1, size);
  cublasLtMatmulPreferenceCreate(&preference);
  cublasLtMatmulAlgoGetHeuristic(handle, product, square, column, column, column, preference, 1, &found, &count);
  const cublasStatus_t status = cublasLtMatmul(handle, product, &alpha, m, square, m + 4, column, &beta, m + 6, column,
                                               m + 6, column, &found.algo, nullptr, 0, 0);
  cudaDeviceSynchronize();
  cublasLtMatmulPreferenceDestroy(preference);
  cublasLtMatrixLayoutDestroy(square);
  cublasLtMatrixLayoutDestroy(column);
  cublasLtMatmulDescDestroy(product);
  cublasLtDestroy(handle);
  return count == 1 ? status : CUBLAS_STATUS_INTERNAL_ERROR;
}
)",
                                                     R"(
  float* m;
  check(cudaMallocManaged(&m, 10 * sizeof(float)));
  const float values[10] = {1, 2, 3, 4, 5, 6, 1, 1, -20, 1};
  for (int i = 0; i < 10; ++i) m[i] = values[i];
  std::printf("%d ", multiply(CUBLASLT_EPILOGUE_BIAS, 2, 1, 1, m));
  std::printf("%g %g ", m[6], m[7]);  // C was (1, 1)
  std::printf("%d ", multiply(CUBLASLT_EPILOGUE_RELU_BIAS, 2, 1, 0, m));
  std::printf("%g %g ", m[6], m[7]);
  std::printf("%d ", multiply(CUBLASLT_EPILOGUE_DEFAULT, 2, 2, 0, m));
  std::printf("%g %g ", m[6], m[7]);
  m[4] = 1;
  std::printf("%d ", multiply(CUBLASLT_EPILOGUE_GELU, 1, 1, 0, m));
  std::printf("%.6f ", m[6]);
  std::printf("%d %d\n", multiply(CUBLASLT_EPILOGUE_DEFAULT, 2, 1, 0, m, CUDA_R_16F) == CUBLAS_STATUS_NOT_SUPPORTED,
              multiply(CUBLASLT_EPILOGUE_DEFAULT, 2, 1, 0, nullptr) == CUBLAS_STATUS_INVALID_VALUE);
)"))
                                  .run();
  CHECK(run.output == "0 -2 41 0 0 40 0 34 78 0 0.841192 1 1\n");
}

}  // namespace heddle::cuda
