/* Variables of the device that host code reaches by name: __device__ and __constant__. */
#include "runtime.h"

#include <stdio.h>

/* The device address of `bytes` bytes at `offset` in a symbol; NULL when there is no such place. */
static cudaError_t place(const void *symbol, size_t bytes, size_t offset, void **out) {
  const char *name;
  size_t size;
  Allocation *memory = symbol ? runtime_symbol(symbol, &name, &size) : NULL;
  if (!memory)
    return cudaErrorInvalidSymbol;
  if (offset > size || bytes > size - offset) {
    report_host(REPORT_BAD_COPY, "%s has %zu bytes, the copy is of %zu from byte %zu on", name,
                size, bytes, offset);
    return cudaErrorInvalidValue;
  }
  *out = (void *)(uintptr_t)(memory->address + offset);
  return cudaSuccess;
}

static cudaError_t copy_to(const void *symbol, const void *from, size_t bytes, size_t offset,
                           enum cudaMemcpyKind kind) {
  void *at;
  cudaError_t error = place(symbol, bytes, offset, &at);
  if (error)
    return error;
  if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost)
    return cudaErrorInvalidMemcpyDirection;
  return runtime_copy(at, from, bytes, kind);
}

static cudaError_t copy_from(void *to, const void *symbol, size_t bytes, size_t offset,
                             enum cudaMemcpyKind kind) {
  void *at;
  cudaError_t error = place(symbol, bytes, offset, &at);
  if (error)
    return error;
  if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice)
    return cudaErrorInvalidMemcpyDirection;
  return runtime_copy(to, at, bytes, kind);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind) {
  RUNTIME_WAITING(copy_to(symbol, from, bytes, offset, kind), kind != cudaMemcpyDeviceToDevice);
}
RUNTIME_ALIAS(cudaMemcpyToSymbol, _ptds);

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream) {
  RUNTIME_STREAM(stream, copy_to(symbol, from, bytes, offset, kind));
}
RUNTIME_ALIAS(cudaMemcpyToSymbolAsync, _ptsz);

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                 enum cudaMemcpyKind kind) {
  RUNTIME_WAITING(copy_from(to, symbol, bytes, offset, kind), kind != cudaMemcpyDeviceToDevice);
}
RUNTIME_ALIAS(cudaMemcpyFromSymbol, _ptds);

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
  RUNTIME_STREAM(stream, copy_from(to, symbol, bytes, offset, kind));
}
RUNTIME_ALIAS(cudaMemcpyFromSymbolAsync, _ptsz);

static cudaError_t size_of(size_t *bytes, const void *symbol) {
  const char *name;
  if (!bytes)
    return cudaErrorInvalidValue;
  return runtime_symbol(symbol, &name, bytes) ? cudaSuccess : cudaErrorInvalidSymbol;
}

cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol) {
  RUNTIME_CALL(pointer ? place(symbol, 0, 0, pointer) : cudaErrorInvalidValue);
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  RUNTIME_CALL(size_of(bytes, symbol));
}
