/* cublasLt's handle, for programs that make one beside cuBLAS's own; its products are not here (cublasGemmEx is). */
#ifndef CUBLASLT_H
#define CUBLASLT_H

#include "cublas_v2.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cublasLtContext *cublasLtHandle_t;
cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle);
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle);
size_t cublasLtGetVersion(void);

#ifdef __cplusplus
}
#endif
#endif
