/* cuFFT plans with explicit element types. Transforms on several devices, transforms of types that
 * cufft.h does not support, and callbacks are not implemented. */
#ifndef _CUFFTXT_H_
#define _CUFFTXT_H_

#include "cufft.h"

#ifdef __cplusplus
extern "C" {
#endif

cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long int *n,
                                long long int *inembed, long long int istride, long long int idist,
                                cudaDataType input, long long int *onembed, long long int ostride,
                                long long int odist, cudaDataType output, long long int batch,
                                size_t *room, cudaDataType computed);
cufftResult cufftXtExec(cufftHandle plan, void *in, void *out, int direction);

#ifdef __cplusplus
}
#endif

#endif
