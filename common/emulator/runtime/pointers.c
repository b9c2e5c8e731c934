/* Classifies pointers, for cudaPointerGetAttributes and for messages that name buffers. */
#include "runtime.h"

#include <stdio.h>

const char *runtime_buffer_name(const Allocation *memory, char *out, size_t size) {
  if (memory->name)
    snprintf(out, size, "%s", memory->name);
  else
    snprintf(out, size, "allocation %u (%zu bytes)", memory->number, memory->bytes);
  return out;
}

const char *runtime_describe(const void *pointer, char *out, size_t size) {
  uint64_t address = runtime_address(pointer);
  const Allocation *memory = memory_find(address);
  char name[80];
  if (memory) {
    runtime_buffer_name(memory, name, sizeof name);
    if (address == memory->address)
      snprintf(out, size, "%s", name);
    else
      snprintf(out, size, "byte %llu of %s", (unsigned long long)(address - memory->address), name);
  } else if (!pointer) {
    snprintf(out, size, "the null pointer");
  } else if (runtime_is_array(pointer)) {
    snprintf(out, size, "a CUDA array, for cudaMemcpy2DToArray and similar functions");
  } else if (!memory_is_device(address)) {
    snprintf(out, size, "host memory");
  } else {
    const Allocation *near = memory_nearest(address);
    if (!near)
      snprintf(out, size, "device memory that was never allocated");
    else
      snprintf(out, size, "%s %s", near->live ? "memory beside" : "the freed",
               runtime_buffer_name(near, name, sizeof name));
  }
  return out;
}

static cudaError_t attributes_of(struct cudaPointerAttributes *out, const void *pointer) {
  if (!out)
    return cudaErrorInvalidValue;
  Allocation *memory = memory_find(runtime_address(pointer));
  *out = (struct cudaPointerAttributes){.type = cudaMemoryTypeUnregistered, .device = -2};
  out->hostPointer = (void *)(uintptr_t)pointer;
  if (!memory)
    return cudaSuccess;
  out->device = 0;
  out->devicePointer = (void *)(uintptr_t)pointer;
  switch ((MemoryKind)memory->kind) {
  case MEMORY_MANAGED:
    out->type = cudaMemoryTypeManaged;
    break;
  case MEMORY_PINNED:
    out->type = cudaMemoryTypeHost;
    break;
  case MEMORY_VARIABLE:
    if (memory->registered) {
      out->type = cudaMemoryTypeManaged;
      break;
    } /* fall through */
  default:
    out->type = cudaMemoryTypeDevice, out->hostPointer = NULL;
  }
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                     const void *pointer) {
  RUNTIME_CALL(attributes_of(attributes, pointer));
}
