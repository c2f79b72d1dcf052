// The handles of cuBLASLt, which programs make beside those of cuBLAS. Its products are not there.
#ifndef CUBLASLT_H_
#define CUBLASLT_H_

#include "cublas_v2.h"

typedef struct cublasLtContext* cublasLtHandle_t;

extern "C" {
cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle);
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle);
}

#endif
