/* Implements cudaMalloc, cudaFree and the other API functions that allocate, free or pin memory. */
#include "runtime.h"

#include <stdio.h>
#include <string.h>

/* Alignment of the rows of pitched memory, as on current GPUs. */
enum { PITCH = 512 };

/* Prints a message if an allocation fails only because the host does not have enough memory. This
 * is so if the card has enough memory, or if the allocation is managed memory, which may exceed the
 * card's memory. */
static void say_too_large(size_t bytes, MemoryKind kind) {
  static bool said;
  size_t free_bytes, total_bytes, live;
  memory_totals(&free_bytes, &total_bytes, &live);
  if (said || (kind != MEMORY_MANAGED && (bytes > total_bytes || free_bytes == total_bytes)))
    return;
  said = true;
  fprintf(stderr,
          "lockstep: %.1f GB cannot be allocated: programs get half of this computer's memory "
          "(LOCKSTEP_MEMORY=bytes), and %.1f GB of it are left\n",
          (double)bytes * 1e-9, (double)free_bytes * 1e-9);
}

static cudaError_t allocate(void **out, size_t bytes, MemoryKind kind) {
  if (!out)
    return cudaErrorInvalidValue;
  *out = NULL;
  if (bytes == 0) {
    memory_made_empty();
    return cudaSuccess;
  }
  Allocation *memory = memory_allocate(bytes, kind, NULL);
  if (!memory) {
    if (bytes > PTRDIFF_MAX)
      report_host(REPORT_BAD_SIZE, "%zu bytes were asked for, which is %td as a signed number",
                  bytes, (ptrdiff_t)bytes);
    else
      say_too_large(bytes, kind);
    return cudaErrorMemoryAllocation;
  }
  memory_made_here(memory);
  if (kind == MEMORY_MANAGED || kind == MEMORY_PINNED)
    copies_shared(bytes);
  *out = (void *)(uintptr_t)memory->address;
  return cudaSuccess;
}

static cudaError_t allocate_pitched(void **out, size_t *pitch, size_t width, size_t rows) {
  if (!out || !pitch || width > SIZE_MAX - PITCH)
    return cudaErrorInvalidValue;
  *pitch = (width + PITCH - 1) / PITCH * PITCH;
  if (rows && *pitch > SIZE_MAX / rows)
    return cudaErrorMemoryAllocation;
  cudaError_t error = allocate(out, *pitch * rows, MEMORY_DEVICE);
  if (*out)
    memory_find(runtime_address(*out))->pitch = *pitch;
  return error;
}

/* Notifies the observers and the memory pool, and frees the allocation. */
bool runtime_free(uint64_t address, bool *freed_before) {
  Allocation *memory = memory_find(address);
  if (memory && memory->address == address) {
    hook_freed(memory);
    memory_freed_here(memory);
    if (memory->pool)
      pool_got_back(memory->pool, memory->bytes);
    memory->pool = NULL;
  }
  return memory_free(address, freed_before);
}

static void freed_twice(const Allocation *memory, const char *call) {
  char name[80];
  Report report = report_make(REPORT_DOUBLE_FREE);
  snprintf(report.sentence, sizeof report.sentence,
           memory->reset ? "%s was called after cudaDeviceReset for %s"
                         : "%s was called again for %s",
           call, runtime_buffer_name(memory, name, sizeof name));
  strcpy(report.at.did, memory->reset ? "freed here" : "freed again");
  strcpy(report.other.did, memory->reset ? "reset before" : "freed before");
  CallSite here;
  call_site(&here);
  if (memory->reset) {
    report.cause =
        "cudaDeviceReset frees all memory of the device. Free before it, or leave it out: "
        "the end of the program does the same.";
    runtime_leak_was_freed(memory->number);
  }
  report_file_from(&report, &here, memory->freed);
}

static cudaError_t release(void *pointer, bool host_side, const char *call) {
  if (!pointer)
    return cudaSuccess;
  char what[120];
  uint64_t address = runtime_address(pointer);
  const Allocation *memory = memory_find(address);
  bool freed_before = false;
  if (memory && host_side != (memory->kind == MEMORY_PINNED)) {
    report_host(REPORT_BAD_FREE, "%s was given %s, which is %s memory", call,
                runtime_describe(pointer, what, sizeof what), host_side ? "device" : "pinned host");
    return cudaErrorInvalidValue;
  }
  runtime_describe(pointer, what, sizeof what);
  if (memory && (memory->kind == MEMORY_VARIABLE || memory->kind == MEMORY_CONSTANT ||
                 memory->kind == MEMORY_HEAP))
    report_host(REPORT_BAD_FREE, "%s was given the variable %s", call, what);
  else if (memory && memory->registered)
    report_host(REPORT_BAD_FREE, "%s was given %s, which cudaHostRegister pinned", call, what);
  else if (graph_takes_back(pointer, &freed_before) ? !freed_before
                                                    : runtime_free(address, &freed_before))
    return cudaSuccess;
  else if (freed_before)
    freed_twice(memory ? memory : memory_nearest(address), call);
  else
    report_host(REPORT_BAD_FREE, "%s was given %s", call, what);
  return cudaErrorInvalidValue;
}

cudaError_t runtime_allocate(void **out, size_t bytes) {
  return allocate(out, bytes, MEMORY_DEVICE);
}

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  RUNTIME_CALL(capture_forbids_waiting() ? cudaErrorStreamCaptureUnsupported
                                         : runtime_allocate(pointer, bytes));
}

/* Records that allocating or freeing the buffer in a stream is work that writes the whole buffer.
 * Then work in another stream that accesses the buffer, and that nothing orders, is reported as a
 * race. */
static void touch_all(void *pointer, cudaStream_t stream, const char *call, const char *verb) {
  Allocation *memory = memory_find(runtime_address(pointer));
  order_begin(stream, (StreamWork){.what = call, .verb = verb});
  if (memory)
    stream_races_touch(memory, TOUCH_WRITE, memory->address, memory->bytes);
  order_end(stream, cudaSuccess);
}

cudaError_t runtime_allocate_queued(void **pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  if (!runtime_stream_valid(stream))
    return cudaErrorInvalidResourceHandle;
  if (pool && !pool_has_room(pool, bytes))
    return cudaErrorMemoryAllocation;
  cudaError_t error = allocate(pointer, bytes, MEMORY_DEVICE);
  if (!error && bytes && capture_takes(stream))
    return capture_memory(stream, *pointer, bytes, false);
  if (!error && bytes) {
    touch_all(*pointer, stream, "cudaMallocAsync", "allocated");
    memory_find(runtime_address(*pointer))->pool = pool;
    if (pool)
      pool_took(pool, bytes);
  }
  return error;
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) {
  RUNTIME_CALL(runtime_allocate_queued(pointer, bytes, pool_current(), stream));
}
RUNTIME_ALIAS(cudaMallocAsync, _ptsz);

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
  bool good = flags == cudaMemAttachGlobal || flags == cudaMemAttachHost;
  RUNTIME_CALL(!selected_device()->managed_memory ? cudaErrorNotSupported
               : good ? (flags == cudaMemAttachHost ? runtime_shared_memory_attached() : (void)0,
                         allocate(pointer, bytes, MEMORY_MANAGED))
                      : cudaErrorInvalidValue);
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
  RUNTIME_CALL(allocate(pointer, bytes, MEMORY_PINNED));
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  RUNTIME_CALL(flags <= 7 ? allocate(pointer, bytes, MEMORY_PINNED) : cudaErrorInvalidValue);
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t rows) {
  RUNTIME_CALL(allocate_pitched(pointer, pitch, width, rows));
}

static cudaError_t allocate_3d(struct cudaPitchedPtr *out, struct cudaExtent extent) {
  if (!out || (extent.depth && extent.height > SIZE_MAX / extent.depth))
    return cudaErrorInvalidValue;
  out->xsize = extent.width;
  out->ysize = extent.height;
  return allocate_pitched(&out->ptr, &out->pitch, extent.width, extent.height * extent.depth);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitched, struct cudaExtent extent) {
  RUNTIME_CALL(allocate_3d(pitched, extent));
}

/* Frees memory after waiting for all queued work. */
static cudaError_t release_waiting(void *pointer, bool host_side, const char *call) {
  if (capture_forbids_waiting())
    return cudaErrorStreamCaptureUnsupported;
  order_host_waits_for_all();
  return release(pointer, host_side, call);
}

cudaError_t cudaFree(void *pointer) { RUNTIME_SYNC(release_waiting(pointer, false, "cudaFree")); }
cudaError_t cudaFreeHost(void *pointer) {
  RUNTIME_SYNC(release_waiting(pointer, true, "cudaFreeHost"));
}

static cudaError_t release_queued(void *pointer, cudaStream_t stream) {
  if (!runtime_stream_valid(stream))
    return cudaErrorInvalidResourceHandle;
  if (capture_takes(stream))
    return capture_memory(stream, pointer, 0, true);
  return runtime_release_queued(pointer, stream);
}

cudaError_t runtime_release_queued(void *pointer, cudaStream_t stream) {
  touch_all(pointer, stream, "cudaFreeAsync", "freed");
  return release(pointer, false, "cudaFreeAsync");
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
  RUNTIME_QUEUED(release_queued(pointer, stream));
}
RUNTIME_ALIAS(cudaFreeAsync, _ptsz);

/* ---- host memory owned by the program -------------------------------------------------------- */
static cudaError_t pin(void *pointer, size_t bytes, unsigned flags) {
  if (!pointer || bytes == 0 || flags > 15 || memory_is_device(runtime_address(pointer)))
    return cudaErrorInvalidValue;
  Allocation *memory = memory_register(pointer, bytes);
  if (!memory)
    return cudaErrorHostMemoryAlreadyRegistered;
  memory_made_here(memory);
  copies_shared(bytes);
  return cudaSuccess;
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags) {
  RUNTIME_CALL(pin(pointer, bytes, flags));
}

static cudaError_t unpin(void *pointer) {
  Allocation *memory = memory_find(runtime_address(pointer));
  order_host_waits_for_all();
  if (!pointer)
    return cudaErrorInvalidValue;
  if (!memory || !memory->registered)
    return cudaErrorHostMemoryNotRegistered;
  if (memory->address != runtime_address(pointer))
    return cudaErrorInvalidValue;
  hook_freed(memory);
  memory_unregister(memory);
  return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *pointer) { RUNTIME_SYNC(unpin(pointer)); }

static cudaError_t mapped(void **device, void *host, unsigned flags) {
  const Allocation *memory = memory_find(runtime_address(host));
  if (!device || flags || !memory || memory->kind != MEMORY_PINNED)
    return cudaErrorInvalidValue;
  *device = host; /* host and device use the same address */
  return cudaSuccess;
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
  RUNTIME_CALL(mapped(device, host, flags));
}

static cudaError_t host_flags(unsigned *flags, void *host) {
  const Allocation *memory = memory_find(runtime_address(host));
  if (!flags || !memory || memory->kind != MEMORY_PINNED)
    return cudaErrorInvalidValue;
  *flags = cudaHostAllocPortable | cudaHostAllocMapped;
  return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *host) { RUNTIME_CALL(host_flags(flags, host)); }

static cudaError_t totals(size_t *free_bytes, size_t *total_bytes) {
  if (!free_bytes || !total_bytes)
    return cudaErrorInvalidValue;
  size_t live;
  memory_totals(free_bytes, total_bytes, &live);
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
  RUNTIME_CALL(totals(free_bytes, total_bytes));
}

/* Checks the arguments of cudaMemAdvise or cudaMemPrefetchAsync, which have no effect: the range
 * must be managed memory. */
static cudaError_t advised(const void *pointer, size_t bytes) {
  uint64_t address = runtime_address(pointer);
  const Allocation *memory = memory_find(address);
  bool inside = memory && bytes <= memory->bytes - (size_t)(address - memory->address);
  return inside && memory->kind == MEMORY_MANAGED ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location) {
  (void)advice, (void)location;
  RUNTIME_CALL(advised(pointer, bytes));
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, struct cudaMemLocation location,
                                 unsigned flags, cudaStream_t stream) {
  (void)location, (void)flags, (void)stream;
  RUNTIME_CALL(advised(pointer, bytes));
}
RUNTIME_ALIAS(cudaMemPrefetchAsync, _ptsz);

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes,
                                     unsigned flags) {
  (void)flags;
  RUNTIME_CALL(runtime_stream_valid(stream)
                   ? (runtime_shared_memory_attached(), advised(pointer, bytes))
                   : cudaErrorInvalidResourceHandle);
}
RUNTIME_ALIAS(cudaStreamAttachMemAsync, _ptsz);
