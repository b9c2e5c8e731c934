/* Implements the functions by which host code accesses __device__ and __constant__ variables, such
 * as cudaMemcpyToSymbol. */
#include "runtime.h"

#include <stdio.h>

static void say_no_symbol(const void *symbol) {
  char what[120];
  Report r = report_make(REPORT_BAD_SYMBOL);
  snprintf(r.sentence, sizeof r.sentence, "the symbol is %s, not a device variable",
           runtime_describe(symbol, what, sizeof what));
  report_file(&r);
}

cudaError_t runtime_symbol_place(const void *symbol, size_t bytes, size_t offset, void **out) {
  const char *name;
  size_t size;
  Allocation *memory = symbol ? runtime_symbol(symbol, &name, &size) : NULL;
  if (!memory) {
    say_no_symbol(symbol);
    return cudaErrorInvalidSymbol;
  }
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
  cudaError_t error = runtime_symbol_place(symbol, bytes, offset, &at);
  if (error)
    return error;
  if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost)
    return cudaErrorInvalidMemcpyDirection;
  return runtime_copy(at, from, bytes, kind);
}

static cudaError_t copy_from(void *to, const void *symbol, size_t bytes, size_t offset,
                             enum cudaMemcpyKind kind) {
  void *at;
  cudaError_t error = runtime_symbol_place(symbol, bytes, offset, &at);
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
  void *to = NULL;
  RUNTIME_CAPTURED(stream,
                   runtime_symbol_place(symbol, bytes, offset, &to)
                       ? cudaErrorInvalidValue
                       : capture_copy(stream, to, bytes, from, bytes, bytes, 1, kind),
                   copy_to(symbol, from, bytes, offset, kind));
}
RUNTIME_ALIAS(cudaMemcpyToSymbolAsync, _ptsz);

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                 enum cudaMemcpyKind kind) {
  RUNTIME_WAITING(copy_from(to, symbol, bytes, offset, kind), kind != cudaMemcpyDeviceToDevice);
}
RUNTIME_ALIAS(cudaMemcpyFromSymbol, _ptds);

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
  void *from = NULL;
  RUNTIME_CAPTURED(stream,
                   runtime_symbol_place(symbol, bytes, offset, &from)
                       ? cudaErrorInvalidValue
                       : capture_copy(stream, to, bytes, from, bytes, bytes, 1, kind),
                   copy_from(to, symbol, bytes, offset, kind));
}
RUNTIME_ALIAS(cudaMemcpyFromSymbolAsync, _ptsz);

static cudaError_t size_of(size_t *bytes, const void *symbol) {
  const char *name;
  if (!bytes)
    return cudaErrorInvalidValue;
  return runtime_symbol(symbol, &name, bytes) ? cudaSuccess : cudaErrorInvalidSymbol;
}

cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol) {
  RUNTIME_CALL(pointer ? runtime_symbol_place(symbol, 0, 0, pointer) : cudaErrorInvalidValue);
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  RUNTIME_CALL(size_of(bytes, symbol));
}
