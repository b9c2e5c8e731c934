/* The driver API, implemented with the runtime API. Programs use it to launch kernels from PTX that
 * they load or compile at run time.
 *
 * The handle of a function is a RuntimeKernel, and the handle of a module is a RuntimeModule. There
 * is exactly one context. */
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../runtime/runtime.h"

static struct CUctx_st { int of_device; } the_context;

CUresult driver_result(cudaError_t error) {
  return (int)error <= CUDA_ERROR_DEINITIALIZED ? (CUresult)error
         : error == cudaErrorDevicesUnavailable ? CUDA_ERROR_DEVICE_UNAVAILABLE
         : (int)error < CUDA_ERROR_NO_DEVICE    ? CUDA_ERROR_INVALID_VALUE
                                                : (CUresult)error;
}

static void *pointer(CUdeviceptr address) { return (void *)(uintptr_t)address; }

/* ---- errors and the device ------------------------------------------------------------------- */
CUresult cuInit(unsigned flags) { return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS; }
CUresult cuDriverGetVersion(int *version) { return driver_result(cudaDriverGetVersion(version)); }

CUresult cuGetErrorName(CUresult error, const char **name) {
  static const struct {
    CUresult value;
    const char *name;
  } names[] = {
#define CUDA_RESULT(name, value) {name, #name},
#include "include/cuda_driver_errors.def"
  };
  if (!name)
    return CUDA_ERROR_INVALID_VALUE;
  *name = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].value == error)
      *name = names[i].name;
  return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
  if (!text)
    return CUDA_ERROR_INVALID_VALUE;
  *text = cudaGetErrorString((cudaError_t)error);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) { return driver_result(cudaGetDeviceCount(count)); }

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  if (!device || ordinal)
    return device ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
  *device = 0;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  struct cudaDeviceProp properties;
  cudaError_t error = cudaGetDeviceProperties(&properties, device);
  if (!error && (!name || length < 1))
    return CUDA_ERROR_INVALID_VALUE;
  if (!error)
    snprintf(name, (size_t)length, "%s", properties.name);
  return driver_result(error);
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
  struct cudaDeviceProp properties;
  cudaError_t error = cudaGetDeviceProperties(&properties, device);
  if (!error && bytes)
    *bytes = properties.totalGlobalMem;
  return bytes ? driver_result(error) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  return driver_result(cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device));
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  return driver_result(cudaDeviceCanAccessPeer(can, device, peer));
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  cudaError_t error = cudaDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor, device);
  return driver_result(
      error ? error : cudaDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, device));
}

/* ---- the context ----------------------------------------------------------------------------- */
static CUresult give_context(CUcontext *context, CUdevice device) {
  if (!context || device)
    return context ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
  *context = &the_context;
  return CUDA_SUCCESS;
}

static CUresult good_context(CUcontext context) {
  return context == &the_context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device) {
  (void)flags;
  return give_context(context, device);
}
CUresult cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *parameters, unsigned flags,
                        CUdevice device) {
  (void)parameters, (void)flags;
  return give_context(context, device);
}
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  return give_context(context, device);
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}
CUresult cuCtxDestroy(CUcontext context) { return good_context(context); }
CUresult cuCtxSetCurrent(CUcontext context) {
  return context ? good_context(context) : CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext *context) { return give_context(context, 0); }
CUresult cuCtxPushCurrent(CUcontext context) { return good_context(context); }
CUresult cuCtxPopCurrent(CUcontext *context) { return give_context(context, 0); }
CUresult cuCtxGetDevice(CUdevice *device) { return cuDeviceGet(device, 0); }
CUresult cuCtxSynchronize(void) { return driver_result(cudaDeviceSynchronize()); }

/* ---- modules --------------------------------------------------------------------------------- */
CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  char error[200] = "";
  if (!module || !image)
    return CUDA_ERROR_INVALID_VALUE;
  runtime_enter();
  RuntimeModule *loaded = runtime_load(image, error, sizeof error);
  if (!loaded)
    fprintf(stderr, "lockstep: cuModuleLoadData: the PTX cannot be read: %s\n", error);
  runtime_leave(__func__, loaded ? cudaSuccess : cudaErrorInvalidPtx);
  *module = (CUmodule)loaded;
  return loaded ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count,
                            CUjit_option *options, void **values) {
  (void)count, (void)options, (void)values;
  return cuModuleLoadData(module, image);
}

/* Reads a file up to its first NUL. The caller frees the text. */
static CUresult read_text(const char *path, char **text) {
  FILE *file = path ? fopen(path, "rb") : NULL;
  *text = NULL;
  if (!file)
    return path ? CUDA_ERROR_FILE_NOT_FOUND : CUDA_ERROR_INVALID_VALUE;
  size_t length = 0;
  ssize_t got = getdelim(text, &length, '\0', file);
  fclose(file);
  return got > 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_IMAGE;
}

CUresult cuModuleLoad(CUmodule *module, const char *path) {
  char *text;
  CUresult error = read_text(path, &text);
  if (!error)
    error = cuModuleLoadData(module, text);
  free(text);
  return error;
}

/* Does not free the module, because reports may still need the names and lines of its kernels. */
CUresult cuModuleUnload(CUmodule module) {
  return module ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* ---- several texts linked into one ----------------------------------------------------------- */
/* A link in progress. Its PTX texts are concatenated; ptx_load() recognises each text by its
 * .version. */
struct CUlinkState_st {
  char *text;
  size_t length;
  /* The program's buffer for error messages, or NULL. */
  char *log;
  size_t log_bytes;
};

CUresult cuLinkCreate(unsigned count, CUjit_option *options, void **values, CUlinkState *link) {
  if (!link || (count && (!options || !values)))
    return CUDA_ERROR_INVALID_VALUE;
  *link = calloc(1, sizeof **link);
  if (!*link)
    return CUDA_ERROR_OUT_OF_MEMORY;
  for (unsigned i = 0; i < count; i++) {
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
      (*link)->log = values[i];
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
      (*link)->log_bytes = (size_t)(uintptr_t)values[i];
  }
  return CUDA_SUCCESS;
}

static CUresult link_refuses(CUlinkState link, CUresult error, const char *what, const char *why) {
  fprintf(stderr, "lockstep: %s: %s\n", what, why);
  if (link->log && link->log_bytes)
    snprintf(link->log, link->log_bytes, "%s: %s", what, why);
  return error;
}

CUresult cuLinkAddData(CUlinkState link, CUjitInputType type, void *data, size_t bytes,
                       const char *name, unsigned count, CUjit_option *options, void **values) {
  (void)count, (void)options, (void)values;
  if (!link || !data || !bytes)
    return CUDA_ERROR_INVALID_VALUE;
  if (!name || !*name)
    name = "cuLinkAddData";
  if (type != CU_JIT_INPUT_PTX)
    return link_refuses(link, CUDA_ERROR_NOT_SUPPORTED, name,
                        "the emulated device links PTX (CU_JIT_INPUT_PTX) and no machine code");
  char error[200] = "";
  size_t length = strnlen(data, bytes);
  char *text = realloc(link->text, link->length + length + 2);
  if (!text)
    return CUDA_ERROR_OUT_OF_MEMORY;
  memcpy(text + link->length, data, length);
  memcpy(text + link->length + length, "\n", 2);
  link->text = text;
  if (!runtime_reads(text + link->length, error, sizeof error)) {
    text[link->length] = '\0';
    return link_refuses(link, CUDA_ERROR_INVALID_PTX, name, error);
  }
  link->length += length + 1;
  return CUDA_SUCCESS;
}

CUresult cuLinkAddFile(CUlinkState link, CUjitInputType type, const char *path, unsigned count,
                       CUjit_option *options, void **values) {
  char *text;
  CUresult error = read_text(path, &text);
  if (!error)
    error = cuLinkAddData(link, type, text, strlen(text), path, count, options, values);
  free(text);
  return error;
}

/* Returns the linked PTX, which is freed when the program destroys the link. */
CUresult cuLinkComplete(CUlinkState link, void **image, size_t *bytes) {
  char error[200] = "";
  if (!link || !image || !link->text)
    return CUDA_ERROR_INVALID_VALUE;
  if (!runtime_reads(link->text, error, sizeof error))
    return link_refuses(link, CUDA_ERROR_INVALID_PTX, "cuLinkComplete", error);
  *image = link->text;
  if (bytes)
    *bytes = link->length + 1;
  return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState link) {
  if (!link)
    return CUDA_ERROR_INVALID_HANDLE;
  free(link->text);
  free(link);
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  if (!function || !module || !name)
    return CUDA_ERROR_INVALID_VALUE;
  runtime_enter();
  *function = (CUfunction)runtime_module_kernel((RuntimeModule *)module, name);
  runtime_leave(__func__, cudaSuccess);
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
  if (!module || !name)
    return CUDA_ERROR_INVALID_VALUE;
  runtime_enter();
  const Allocation *memory = runtime_module_variable((RuntimeModule *)module, name);
  runtime_leave(__func__, cudaSuccess);
  if (!memory)
    return CUDA_ERROR_NOT_FOUND;
  if (address)
    *address = memory->address;
  if (bytes)
    *bytes = memory->bytes;
  return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
  struct cudaFuncAttributes all;
  cudaError_t error = value ? cudaFuncGetAttributes(&all, function) : cudaErrorInvalidValue;
  if (error)
    return driver_result(error);
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value = all.maxThreadsPerBlock;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    *value = (int)all.sharedSizeBytes;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
    *value = (int)all.constSizeBytes;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    *value = (int)all.localSizeBytes;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_NUM_REGS:
    *value = all.numRegs;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *value = all.maxDynamicSharedSizeBytes;
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return driver_result(cudaFuncSetAttribute(function, (enum cudaFuncAttribute)attribute, value));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function,
                                                     int block_size, size_t dynamic_shared) {
  return driver_result(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size, dynamic_shared));
}

/* Chooses the block size that gives the most resident threads, like the template of the runtime
 * API. If several sizes are equally good, it chooses the largest. */
CUresult cuOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size, CUfunction function,
                                          CUoccupancyB2DSize shared_of, size_t dynamic_shared,
                                          int limit) {
  struct cudaFuncAttributes attributes;
  int sms = 0, best = 0;
  if (!grid_size || !block_size)
    return CUDA_ERROR_INVALID_VALUE;
  cudaError_t error = cudaFuncGetAttributes(&attributes, function);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  if (error != cudaSuccess)
    return driver_result(error);
  int most = attributes.maxThreadsPerBlock;
  if (limit > 0 && limit < most)
    most = limit;
  for (int size = most >= 32 ? most / 32 * 32 : most; size > 0; size -= 32) {
    int blocks = 0;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, function, size, shared_of ? shared_of(size) : dynamic_shared);
    if (error != cudaSuccess)
      return driver_result(error);
    if (blocks * size <= best)
      continue;
    best = blocks * size;
    *block_size = size;
    *grid_size = blocks * sms;
  }
  return CUDA_SUCCESS;
}

/* The arguments are passed as a list of pointers (`parameters`), or in one buffer with the layout
 * of the kernel's parameters (`extra`). */
CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        CUstream stream, void **parameters, void **extra) {
  void **packed = NULL;
  for (size_t i = 0; extra && extra[i] != CU_LAUNCH_PARAM_END; i += 2) {
    runtime_enter();
    const RuntimeKernel *kernel = runtime_kernel(function);
    runtime_leave(__func__, cudaSuccess);
    if (extra[i] == CU_LAUNCH_PARAM_BUFFER_POINTER && kernel && !packed)
      packed = runtime_argument_places(&(KernelCall){.kernel = kernel, .arguments = extra[i + 1]});
  }
  cudaError_t error =
      cudaLaunchKernel(function, (dim3){grid_x, grid_y, grid_z}, (dim3){block_x, block_y, block_z},
                       packed ? packed : parameters, shared, stream);
  free(packed);
  return driver_result(error);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared, CUstream stream,
                                   void **parameters) {
  return driver_result(cudaLaunchCooperativeKernel(function, (dim3){grid_x, grid_y, grid_z},
                                                   (dim3){block_x, block_y, block_z}, parameters,
                                                   shared, stream));
}

/* ---- memory ---------------------------------------------------------------------------------- */
CUresult cuMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
  return driver_result(cudaMemGetInfo(free_bytes, total_bytes));
}

static CUresult allocated(CUdeviceptr *out, void *memory, cudaError_t error) {
  if (!error)
    *out = runtime_address(memory);
  return driver_result(error);
}

CUresult cuMemAlloc(CUdeviceptr *out, size_t bytes) {
  void *memory = NULL;
  cudaError_t error = out && bytes ? cudaMalloc(&memory, bytes) : cudaErrorInvalidValue;
  return allocated(out, memory, error);
}
CUresult cuMemAllocManaged(CUdeviceptr *out, size_t bytes, unsigned flags) {
  void *memory = NULL;
  cudaError_t error =
      out && bytes ? cudaMallocManaged(&memory, bytes, flags) : cudaErrorInvalidValue;
  return allocated(out, memory, error);
}
CUresult cuMemFree(CUdeviceptr address) { return driver_result(cudaFree(pointer(address))); }
CUresult cuMemAllocHost(void **out, size_t bytes) {
  return driver_result(cudaMallocHost(out, bytes));
}
CUresult cuMemHostAlloc(void **out, size_t bytes, unsigned flags) {
  return driver_result(cudaHostAlloc(out, bytes, flags));
}
CUresult cuMemHostGetDevicePointer(CUdeviceptr *out, void *host, unsigned flags) {
  void *device = NULL;
  cudaError_t error = out ? cudaHostGetDevicePointer(&device, host, flags) : cudaErrorInvalidValue;
  return allocated(out, device, error);
}
CUresult cuMemFreeHost(void *memory) { return driver_result(cudaFreeHost(memory)); }

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return driver_result(cudaMemcpy(pointer(to), pointer(from), bytes, cudaMemcpyDefault));
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) {
  return driver_result(cudaMemcpy(pointer(to), from, bytes, cudaMemcpyHostToDevice));
}
CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
  return driver_result(cudaMemcpy(to, pointer(from), bytes, cudaMemcpyDeviceToHost));
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return driver_result(cudaMemcpy(pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice));
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
  return driver_result(cudaMemcpyAsync(pointer(to), from, bytes, cudaMemcpyHostToDevice, stream));
}
CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return driver_result(cudaMemcpyAsync(to, pointer(from), bytes, cudaMemcpyDeviceToHost, stream));
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return driver_result(
      cudaMemcpyAsync(pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice, stream));
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return driver_result(
      cudaMemcpyAsync(pointer(to), pointer(from), bytes, cudaMemcpyDefault, stream));
}

CUresult cuMemGetAddressRange(CUdeviceptr *start, size_t *bytes, CUdeviceptr address) {
  runtime_enter();
  const Allocation *memory = memory_find(address);
  if (memory && start)
    *start = memory->address;
  if (memory && bytes)
    *bytes = memory->bytes;
  runtime_leave("cuMemGetAddressRange", cudaSuccess);
  return memory ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
CUresult cuMemHostRegister(void *memory, size_t bytes, unsigned flags) {
  return driver_result(cudaHostRegister(memory, bytes, flags));
}
CUresult cuMemHostUnregister(void *memory) { return driver_result(cudaHostUnregister(memory)); }

static CUresult set(const char *call, CUdeviceptr to, unsigned value, unsigned element,
                    size_t count) {
  runtime_enter();
  cudaError_t error = runtime_sticky();
  if (!error) {
    order_begin(0, (StreamWork){.what = call});
    error = order_end(0, runtime_set(&(struct cudaMemsetParams){pointer(to), count * element, value,
                                                                element, count, 1}));
  }
  return driver_result(runtime_leave(call, error));
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) {
  return set(__func__, to, value, 1, count);
}
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count) {
  return set(__func__, to, value, 2, count);
}
CUresult cuMemsetD32(CUdeviceptr to, unsigned value, size_t count) {
  return set(__func__, to, value, 4, count);
}

/* ---- streams and events ---------------------------------------------------------------------- */
CUresult cuStreamDestroy(CUstream stream) { return driver_result(cudaStreamDestroy(stream)); }
CUresult cuStreamSynchronize(CUstream stream) {
  return driver_result(cudaStreamSynchronize(stream));
}
CUresult cuStreamQuery(CUstream stream) { return driver_result(cudaStreamQuery(stream)); }
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return driver_result(cudaStreamWaitEvent(stream, event, flags));
}
CUresult cuEventCreate(CUevent *event, unsigned flags) {
  return driver_result(cudaEventCreateWithFlags(event, flags));
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  return driver_result(cudaEventRecord(event, stream));
}
CUresult cuEventSynchronize(CUevent event) { return driver_result(cudaEventSynchronize(event)); }
CUresult cuEventQuery(CUevent event) { return driver_result(cudaEventQuery(event)); }
CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  return driver_result(cudaEventElapsedTime(milliseconds, start, end));
}
CUresult cuEventDestroy(CUevent event) { return driver_result(cudaEventDestroy(event)); }
