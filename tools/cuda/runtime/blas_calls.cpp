// Products of matrices, as programs ask cuBLAS for them: columns lie behind one another. The host computes
// them, in the order of the stream, and they take no simulated time.
#include <cstddef>

#include "tools/cuda/runtime/call.h"
#include "tools/cuda/runtime/failure.h"
#include "tools/cuda/runtime/graph.h"

#pragma GCC visibility push(default)
#include "tools/cuda/include/cublas_v2.h"
#pragma GCC visibility pop

struct cublasContext {
  cudaStream_t stream = nullptr;
};

using heddle::cudart::Gpu;
using heddle::cudart::gpu_call;

namespace {

/// A matrix, or its transpose.
template <typename Number>
struct Matrix {
  Number* data;
  int leading;
  bool is_transposed;

  Number& at(int row, int column) const {
    const int first = is_transposed ? column : row;
    const int second = is_transposed ? row : column;
    return data[first + static_cast<std::ptrdiff_t>(second) * leading];
  }
};

/// C = alpha A B + beta C, with m rows, n columns and k products in each sum.
template <typename Number>
struct Product {
  int m, n, k;
  Number alpha, beta;
  Matrix<const Number> a, b;
  Matrix<Number> c;

  void compute() const {
    for (int column = 0; column < n; ++column) {
      for (int row = 0; row < m; ++row) {
        Number sum = 0;
        for (int i = 0; i < k; ++i) sum += a.at(row, i) * b.at(i, column);
        Number& to = c.at(row, column);
        to = beta == 0 ? alpha * sum : alpha * sum + beta * to;
      }
    }
  }
};

bool transposes(cublasOperation_t operation) { return operation != CUBLAS_OP_N; }

/// Queues the work of a function of this name.
template <typename Work>
cublasStatus_t queued(const char* function, cublasHandle_t handle, const Work& work) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const cudaError_t error = gpu_call(function, [&](Gpu& gpu) {
    gpu.give(handle->stream, [work](Gpu& on, cudaStream_t stream) {
      on.device.submit(on.streams.enter(stream), {heddle::sim::Engine::None, 0, work});
    });
  });
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

template <typename Number>
cublasStatus_t product(const char* function, cublasHandle_t handle, const Product<Number>& asked) {
  return queued(function, handle, [asked] { asked.compute(); });
}

cublasStatus_t unsupported(const char* function) {
  heddle::cudart::call(function, [](heddle::cudart::Process&) {
    throw heddle::cudart::Failure(cudaErrorNotSupported,
                                  "Heddle multiplies matrices of floats and doubles only");
  });
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

}  // namespace

extern "C" {

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t) { return CUBLAS_STATUS_SUCCESS; }

const char* cublasGetStatusString(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return "the operation completed successfully";
  return status == CUBLAS_STATUS_NOT_SUPPORTED ? "the functionality is not supported"
                                               : "the operation failed";
}

cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n,
                           int k, const float* alpha, const float* A, int lda, const float* B, int ldb,
                           const float* beta, float* C, int ldc) {
  return product<float>(
      "cublasSgemm", handle,
      {m, n, k, *alpha, *beta, {A, lda, transposes(opA)}, {B, ldb, transposes(opB)}, {C, ldc, false}});
}

cublasStatus_t cublasDgemm(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n,
                           int k, const double* alpha, const double* A, int lda, const double* B, int ldb,
                           const double* beta, double* C, int ldc) {
  return product<double>(
      "cublasDgemm", handle,
      {m, n, k, *alpha, *beta, {A, lda, transposes(opA)}, {B, ldb, transposes(opB)}, {C, ldc, false}});
}

cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB,
                                         int m, int n, int k, const float* alpha, const float* A, int lda,
                                         long long strideA, const float* B, int ldb, long long strideB,
                                         const float* beta, float* C, int ldc, long long strideC, int count) {
  for (int i = 0; i < count; ++i) {
    const cublasStatus_t status = cublasSgemm(handle, opA, opB, m, n, k, alpha, A + i * strideA, lda,
                                              B + i * strideB, ldb, beta, C + i * strideC, ldc);
    if (status != CUBLAS_STATUS_SUCCESS) return status;
  }
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSgemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const float* alpha,
                           const float* A, int lda, const float* x, int incx, const float* beta, float* y,
                           int incy) {
  const bool is_transposed = transposes(op);
  return product<float>("cublasSgemv", handle,
                        {is_transposed ? n : m,
                         1,
                         is_transposed ? m : n,
                         *alpha,
                         *beta,
                         {A, lda, is_transposed},
                         // Elements of a vector lie incx and incy apart: they are a row of such a matrix.
                         {x, incx, true},
                         {y, incy, true}});
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n,
                            int k, const void* alpha, const void* A, cudaDataType typeA, int lda,
                            const void* B, cudaDataType typeB, int ldb, const void* beta, void* C,
                            cudaDataType typeC, int ldc, cublasComputeType_t, cublasGemmAlgo_t) {
  if (typeA != CUDA_R_32F || typeB != CUDA_R_32F || typeC != CUDA_R_32F) return unsupported("cublasGemmEx");
  return cublasSgemm(handle, opA, opB, m, n, k, static_cast<const float*>(alpha),
                     static_cast<const float*>(A), lda, static_cast<const float*>(B), ldb,
                     static_cast<const float*>(beta), static_cast<float*>(C), ldc);
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB,
                                          int m, int n, int k, const void* alpha, const void* A,
                                          cudaDataType typeA, int lda, long long strideA, const void* B,
                                          cudaDataType typeB, int ldb, long long strideB, const void* beta,
                                          void* C, cudaDataType typeC, int ldc, long long strideC, int count,
                                          cublasComputeType_t, cublasGemmAlgo_t) {
  if (typeA != CUDA_R_32F || typeB != CUDA_R_32F || typeC != CUDA_R_32F)
    return unsupported("cublasGemmStridedBatchedEx");
  return cublasSgemmStridedBatched(handle, opA, opB, m, n, k, static_cast<const float*>(alpha),
                                   static_cast<const float*>(A), lda, strideA, static_cast<const float*>(B),
                                   ldb, strideB, static_cast<const float*>(beta), static_cast<float*>(C), ldc,
                                   strideC, count);
}
}
