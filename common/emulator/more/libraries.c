/* The API functions for libraries of kernels that a program loads at run time, and for handles of
 * kernels. A library is a module of the driver API (driver.c), and a kernel handle is a function of
 * the driver API. */
#include "include/cuda.h"

#include "../runtime/runtime.h"

static cudaError_t loaded(CUresult result) {
  return result == CUDA_ERROR_FILE_NOT_FOUND ? cudaErrorFileNotFound
         : result == CUDA_SUCCESS            ? cudaSuccess
                                             : cudaErrorInvalidPtx;
}

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
                                enum cudaJitOption *options, void **values, unsigned count,
                                enum cudaLibraryOption *library_options, void **library_values,
                                unsigned library_count) {
  (void)options, (void)values, (void)count;
  (void)library_options, (void)library_values, (void)library_count;
  if (!library || !code)
    return cudaErrorInvalidValue;
  return loaded(cuModuleLoadData((CUmodule *)library, code));
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *path,
                                    enum cudaJitOption *options, void **values, unsigned count,
                                    enum cudaLibraryOption *library_options, void **library_values,
                                    unsigned library_count) {
  (void)options, (void)values, (void)count;
  (void)library_options, (void)library_values, (void)library_count;
  if (!library || !path)
    return cudaErrorInvalidValue;
  return loaded(cuModuleLoad((CUmodule *)library, path));
}

static cudaError_t good(const void *handle) {
  return handle ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) { RUNTIME_CALL(good(library)); }

static cudaError_t kernel_of(cudaKernel_t *kernel, cudaLibrary_t library, const char *name) {
  if (!kernel || !library || !name)
    return cudaErrorInvalidValue;
  *kernel = (cudaKernel_t)runtime_module_kernel((RuntimeModule *)library, name);
  return *kernel ? cudaSuccess : cudaErrorSymbolNotFound;
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name) {
  RUNTIME_CALL(kernel_of(kernel, library, name));
}

/* Writes at most `most` kernels of a library to `kernels`, which may be NULL. Returns the number of
 * kernels in the library. */
static unsigned kernels_of(cudaKernel_t *kernels, unsigned most, cudaLibrary_t library) {
  RuntimeModule *module = (RuntimeModule *)library;
  unsigned count = 0;
  for (uint32_t i = 0; i < module->program->nfunctions; i++) {
    const PtxFunction *function = &module->program->functions[i];
    if (!function->is_entry)
      continue;
    if (count < most)
      kernels[count] = (cudaKernel_t)runtime_module_kernel(module, function->name);
    count++;
  }
  return count;
}

static cudaError_t count_kernels(unsigned *count, cudaLibrary_t library) {
  if (!count || !library)
    return cudaErrorInvalidValue;
  *count = kernels_of(NULL, 0, library);
  return cudaSuccess;
}

cudaError_t cudaLibraryGetKernelCount(unsigned *count, cudaLibrary_t library) {
  RUNTIME_CALL(count_kernels(count, library));
}

static cudaError_t list_kernels(cudaKernel_t *kernels, unsigned most, cudaLibrary_t library) {
  if (!kernels || !library)
    return cudaErrorInvalidValue;
  kernels_of(kernels, most, library);
  return cudaSuccess;
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned most,
                                        cudaLibrary_t library) {
  RUNTIME_CALL(list_kernels(kernels, most, library));
}

static cudaError_t variable_of(void **address, size_t *bytes, cudaLibrary_t library,
                               const char *name) {
  if (!library || !name)
    return cudaErrorInvalidValue;
  const Allocation *memory = runtime_module_variable((RuntimeModule *)library, name);
  if (!memory)
    return cudaErrorSymbolNotFound;
  if (address)
    *address = (void *)(uintptr_t)memory->address;
  if (bytes)
    *bytes = memory->bytes;
  return cudaSuccess;
}

cudaError_t cudaLibraryGetGlobal(void **address, size_t *bytes, cudaLibrary_t library,
                                 const char *name) {
  RUNTIME_CALL(variable_of(address, bytes, library, name));
}

/* ---- kernels of the program ------------------------------------------------------------------ */
static cudaError_t handle_of(void **handle, const void *host) {
  if (!handle)
    return cudaErrorInvalidValue;
  *handle = runtime_kernel(host);
  return *handle ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *function) {
  RUNTIME_CALL(handle_of((void **)kernel, function));
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *kernel, const void *function) {
  RUNTIME_CALL(handle_of((void **)kernel, function));
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attribute,
                                            int value, int device) {
  return device ? cudaErrorInvalidDevice : cudaFuncSetAttribute(kernel, attribute, value);
}
