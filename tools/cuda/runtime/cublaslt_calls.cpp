// Products of matrices with an epilogue, as programs ask cuBLASLt for them: D = f(alpha A B + beta C + bias),
// with a column of the bias for all columns. The host computes them, in the order of the stream, without
// simulated time.
#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "tools/cuda/runtime/call.h"
#include "tools/cuda/runtime/failure.h"

#pragma GCC visibility push(default)
#include "tools/cuda/include/cublasLt.h"
#pragma GCC visibility pop

struct cublasLtContext {};
struct cublasLtMatmulDescOpaque {
  cublasOperation_t a = CUBLAS_OP_N, b = CUBLAS_OP_N;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const float* bias = nullptr;
  cudaDataType scale = CUDA_R_32F;
};
struct cublasLtMatrixLayoutOpaque {
  cudaDataType type = CUDA_R_32F;
  std::uint64_t rows = 0, columns = 0;
  std::int64_t leading = 0;
  std::int32_t count = 1;
  std::int64_t stride = 0;  ///< Elements from one matrix to the next.
};
struct cublasLtMatmulPreferenceOpaque {};

using heddle::cudart::Failure;
using heddle::cudart::Gpu;
using heddle::cudart::require;

namespace {

template <typename Made>
cublasStatus_t made(Made** place, const Made& value) {
  if (place == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *place = new Made(value);
  return CUBLAS_STATUS_SUCCESS;
}

template <typename Made>
cublasStatus_t destroyed(Made* given) {
  delete given;
  return CUBLAS_STATUS_SUCCESS;
}

/// Says what is not there.
cublasStatus_t refused(const char* function, const std::string& what) {
  heddle::cudart::call(function,
                       [&](heddle::cudart::Process&) { throw Failure(cudaErrorNotSupported, what); });
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

/// Reads what the program's pointer leads to.
template <typename Value>
cublasStatus_t read(Value& to, const void* value, std::size_t bytes) {
  if (value == nullptr || bytes != sizeof to) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(&to, value, sizeof to);
  return CUBLAS_STATUS_SUCCESS;
}

/// Passes over an attribute that must have this value, since it changes nothing.
template <typename Value>
cublasStatus_t only(Value allowed, const char* function, int attribute, const void* value,
                    std::size_t bytes) {
  Value asked{};
  const cublasStatus_t status = read(asked, value, bytes);
  if (status != CUBLAS_STATUS_SUCCESS || asked == allowed) return status;
  return refused(function, fmt::format("attribute {} has the value {}; Heddle has {} alone", attribute,
                                       static_cast<int>(asked), static_cast<int>(allowed)));
}

bool has_bias(cublasLtEpilogue_t epilogue) { return (epilogue & CUBLASLT_EPILOGUE_BIAS) != 0; }

float finished(float value, cublasLtEpilogue_t epilogue) {
  if ((epilogue & CUBLASLT_EPILOGUE_RELU) != 0) return value > 0 ? value : 0;
  if ((epilogue & CUBLASLT_EPILOGUE_GELU) == 0) return value;
  // By the hyperbolic tangent, as cuBLASLt has it.
  constexpr float kRootOfTwoByPi = 0.7978845608F;
  return 0.5F * value * (1 + std::tanh(kRootOfTwoByPi * (value + 0.044715F * value * value * value)));
}

/// All that a product needs, as it was when it was asked for.
struct FusedProduct {
  cublasLtMatmulDescOpaque how;
  float alpha, beta;
  const float* a;
  const float* b;
  const float* c;
  float* d;
  cublasLtMatrixLayoutOpaque in_a, in_b, in_c, in_d;

  [[nodiscard]] std::uint64_t inner() const { return how.a == CUBLAS_OP_N ? in_a.columns : in_a.rows; }

  static float at(const float* data, const cublasLtMatrixLayoutOpaque& layout, cublasOperation_t operation,
                  std::uint64_t row, std::uint64_t column) {
    if (operation != CUBLAS_OP_N) std::swap(row, column);
    return data[row + column * static_cast<std::uint64_t>(layout.leading)];
  }

  void compute() const {
    for (std::int64_t i = 0; i < in_d.count; ++i) compute(i);
  }

  void compute(std::int64_t batch) const {
    const float* from_a = a + batch * in_a.stride;
    const float* from_b = b + batch * in_b.stride;
    for (std::uint64_t column = 0; column < in_d.columns; ++column) {
      for (std::uint64_t row = 0; row < in_d.rows; ++row) {
        float sum = 0;
        for (std::uint64_t k = 0; k < inner(); ++k)
          sum += at(from_a, in_a, how.a, row, k) * at(from_b, in_b, how.b, k, column);
        sum *= alpha;
        if (beta != 0) sum += beta * at(c + batch * in_c.stride, in_c, CUBLAS_OP_N, row, column);
        if (has_bias(how.epilogue)) sum += how.bias[row];
        d[batch * in_d.stride +
          static_cast<std::int64_t>(row + column * static_cast<std::uint64_t>(in_d.leading))] =
            finished(sum, how.epilogue);
      }
    }
  }

  /// Throws Failure if the shapes do not fit, or if it is none of those that Heddle computes.
  void check() const {
    for (const auto* layout : {&in_a, &in_b, &in_c, &in_d})
      if (layout->type != CUDA_R_32F)
        throw Failure(cudaErrorNotSupported, "Heddle's cuBLASLt multiplies matrices of floats only");
    const std::uint64_t rows = how.a == CUBLAS_OP_N ? in_a.rows : in_a.columns;
    const std::uint64_t columns = how.b == CUBLAS_OP_N ? in_b.columns : in_b.rows;
    const std::uint64_t inner_b = how.b == CUBLAS_OP_N ? in_b.rows : in_b.columns;
    require(inner() == inner_b && rows == in_d.rows && columns == in_d.columns,
            fmt::format("{} x {} by {} x {} is no product of {} x {}", rows, inner(), inner_b, columns,
                        in_d.rows, in_d.columns));
    require(beta == 0 || c != nullptr, "beta is not 0, and there is no C");
    require(!has_bias(how.epilogue) || how.bias != nullptr, "an epilogue with a bias, and no bias");
  }
};

cublasStatus_t status_of(cudaError_t error) {
  if (error == cudaErrorInvalidValue) return CUBLAS_STATUS_INVALID_VALUE;
  if (error == cudaErrorNotSupported) return CUBLAS_STATUS_NOT_SUPPORTED;
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

}  // namespace

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) { return made(handle, {}); }
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) { return destroyed(handle); }

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* place, cublasComputeType_t,
                                        cudaDataType scale) {
  return made(place, {.scale = scale});
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t description) { return destroyed(description); }

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t description,
                                              cublasLtMatmulDescAttributes_t attribute, const void* value,
                                              size_t bytes) {
  constexpr const char* kFunction = "cublasLtMatmulDescSetAttribute";
  if (description == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  switch (attribute) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return read(description->a, value, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSB:
      return read(description->b, value, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
      return read(description->bias, value, bytes);
    case CUBLASLT_MATMUL_DESC_SCALE_TYPE:
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
      return only(CUDA_R_32F, kFunction, attribute, value, bytes);
    case CUBLASLT_MATMUL_DESC_POINTER_MODE:
      return only(CUBLAS_POINTER_MODE_HOST, kFunction, attribute, value, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSC:
      return only(CUBLAS_OP_N, kFunction, attribute, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE: {
      cublasLtEpilogue_t asked{};
      const cublasStatus_t status = read(asked, value, bytes);
      if (status != CUBLAS_STATUS_SUCCESS) return status;
      constexpr int kKnown = CUBLASLT_EPILOGUE_DEFAULT | CUBLASLT_EPILOGUE_RELU_BIAS | CUBLASLT_EPILOGUE_GELU;
      if ((asked & ~kKnown) != 0)
        return refused(kFunction, fmt::format("epilogue {}; Heddle has those of bias, RELU and GELU",
                                              static_cast<int>(asked)));
      description->epilogue = asked;
      return status;
    }
    default:
      return refused(kFunction,
                     fmt::format("Heddle has no attribute {} of products", static_cast<int>(attribute)));
  }
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* place, cudaDataType type, uint64_t rows,
                                          uint64_t columns, int64_t leading) {
  return made(place, {.type = type, .rows = rows, .columns = columns, .leading = leading});
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) { return destroyed(layout); }

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute, const void* value,
                                                size_t bytes) {
  if (layout == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  switch (attribute) {
    case CUBLASLT_MATRIX_LAYOUT_TYPE:
      return read(layout->type, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_ROWS:
      return read(layout->rows, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_COLS:
      return read(layout->columns, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_LD:
      return read(layout->leading, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
      return read(layout->count, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
      return read(layout->stride, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_ORDER:
      break;
  }
  return refused("cublasLtMatrixLayoutSetAttribute",
                 fmt::format("Heddle has no attribute {} of matrices", static_cast<int>(attribute)));
}

// All products are computed in the same way: nothing is preferred.
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* place) { return made(place, {}); }
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t given) { return destroyed(given); }
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t,
                                                    cublasLtMatmulPreferenceAttributes_t, const void*,
                                                    size_t) {
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t, cublasLtMatrixLayout_t,
                                              cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                              cublasLtMatrixLayout_t, cublasLtMatmulPreference_t, int wanted,
                                              cublasLtMatmulHeuristicResult_t* results, int* count) {
  if (results == nullptr || count == nullptr || wanted < 1) return CUBLAS_STATUS_INVALID_VALUE;
  results[0] = {};
  *count = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t how, const void* alpha,
                              const void* a, cublasLtMatrixLayout_t in_a, const void* b,
                              cublasLtMatrixLayout_t in_b, const void* beta, const void* c,
                              cublasLtMatrixLayout_t in_c, void* d, cublasLtMatrixLayout_t in_d,
                              const cublasLtMatmulAlgo_t*, void*, size_t, cudaStream_t stream) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  for (const void* each : {static_cast<const void*>(how), alpha, a, b, beta, static_cast<const void*>(d)})
    if (each == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  for (const auto* layout : {in_a, in_b, in_c, in_d})
    if (layout == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const auto number = [](const void* at) { return *static_cast<const float*>(at); };
  const auto floats = [](const void* at) { return static_cast<const float*>(at); };
  return status_of(heddle::cudart::owner_call("cublasLtMatmul", stream, [&](Gpu& gpu) {
    if (how->scale != CUDA_R_32F) throw Failure(cudaErrorNotSupported, "scales are floats here");
    const FusedProduct product{*how,      number(alpha),          number(beta), floats(a), floats(b),
                               floats(c), static_cast<float*>(d), *in_a,        *in_b,     *in_c,
                               *in_d};
    product.check();
    gpu.give(stream, [product](Gpu& on, cudaStream_t to) {
      on.device.submit(on.streams.enter(to),
                       {heddle::sim::Engine::None, 0, [product] { product.compute(); }});
    });
  }));
}
}
