/* The API functions for memory pools. A pool only counts the bytes that are allocated from it; the
 * memory itself comes from the same allocator as cudaMalloc. Functions that need several processes
 * are refused with a one-line message. */
#include "../runtime/runtime.h"

#include <stdio.h>
#include <stdlib.h>

/* A pool reserves memory of the device in multiples of PIECE bytes. When memory is freed, it stays
 * reserved up to the threshold of the pool. */
#define PIECE ((uint64_t)32 << 20)

typedef struct Level {
  uint64_t now, most;
} Level;

/* Prints that `call` would need a second process, and returns the error. */
static cudaError_t one_process(const char *call) {
  fprintf(stderr,
          "lockstep: %s: the emulated device belongs to one process, and no other can use its "
          "memory or its events\n",
          call);
  return cudaErrorNotSupported;
}

struct CUmemPoolHandle_st {
  Level used, reserved;
  /* Both in bytes. `limit` is 0 if the pool has no limit. */
  uint64_t threshold, limit;
  /* The values of the boolean attributes. Element 0 is cudaMemPoolReuseFollowEventDependencies. */
  int reuse[3];
  /* True if the program has destroyed the pool. The pool is freed when all its memory has been
   * freed. */
  bool destroyed;
};

static struct CUmemPoolHandle_st usual = {.reuse = {1, 1, 1}};
static cudaMemPool_t current = &usual;

static uint64_t in_pieces(uint64_t bytes) { return (bytes + PIECE - 1) / PIECE * PIECE; }

static void set_level(Level *level, uint64_t now) {
  level->now = now;
  if (level->most < now)
    level->most = now;
}

cudaMemPool_t pool_current(void) { return current; }

bool pool_has_room(cudaMemPool_t pool, size_t bytes) {
  return !pool->limit || (pool->used.now <= pool->limit && bytes <= pool->limit - pool->used.now);
}

void pool_took(cudaMemPool_t pool, size_t bytes) {
  set_level(&pool->used, pool->used.now + bytes);
  if (pool->reserved.now < in_pieces(pool->used.now))
    set_level(&pool->reserved, in_pieces(pool->used.now));
}

/* Gives reserved memory back to the device, but keeps at least `keep` bytes and all bytes in use.
 */
static void trim(cudaMemPool_t pool, uint64_t keep) {
  uint64_t least = in_pieces(pool->used.now);
  if (keep < pool->reserved.now)
    pool->reserved.now = keep < least ? least : in_pieces(keep);
}

void pool_got_back(cudaMemPool_t pool, size_t bytes) {
  pool->used.now -= bytes;
  trim(pool, pool->threshold);
  if (pool->destroyed && pool->used.now == 0)
    free(pool);
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  RUNTIME_CALL(pool ? runtime_allocate_queued(pointer, bytes, pool, stream)
                    : cudaErrorInvalidValue);
}
RUNTIME_ALIAS(cudaMallocFromPoolAsync, _ptsz);

/* ---- the pools of the device ----------------------------------------------------------------- */
static cudaError_t give_pool(cudaMemPool_t *out, cudaMemPool_t pool, int device) {
  if (!out)
    return cudaErrorInvalidValue;
  *out = pool;
  return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  RUNTIME_CALL(give_pool(pool, &usual, device));
}

/* Returns the device number of a memory location; -1 if the location is not memory of a device. */
static int device_of(const struct cudaMemLocation *location, enum cudaMemAllocationType type) {
  return location && location->type == cudaMemLocationTypeDevice &&
                 type == cudaMemAllocationTypePinned
             ? location->id
             : -1;
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *pool, struct cudaMemLocation *location,
                                     enum cudaMemAllocationType type) {
  RUNTIME_CALL(give_pool(pool, &usual, device_of(location, type)));
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t *pool, struct cudaMemLocation *location,
                              enum cudaMemAllocationType type) {
  RUNTIME_CALL(give_pool(pool, current, device_of(location, type)));
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
  RUNTIME_CALL(give_pool(pool, current, device));
}

static cudaError_t set_pool(int device, cudaMemPool_t pool) {
  if (device != 0 || !pool)
    return device != 0 ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
  current = pool;
  return cudaSuccess;
}

cudaError_t cudaMemSetMemPool(struct cudaMemLocation *location, enum cudaMemAllocationType type,
                              cudaMemPool_t pool) {
  RUNTIME_CALL(set_pool(device_of(location, type), pool));
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  RUNTIME_CALL(set_pool(device, pool));
}

static cudaError_t make_pool(cudaMemPool_t *out, const struct cudaMemPoolProps *wanted) {
  if (!out || !wanted || wanted->allocType != cudaMemAllocationTypePinned ||
      wanted->location.type != cudaMemLocationTypeDevice || wanted->location.id != 0)
    return cudaErrorInvalidValue;
  if (wanted->handleTypes != cudaMemHandleTypeNone)
    return one_process("cudaMemPoolCreate with a handle for others");
  cudaMemPool_t pool = calloc(1, sizeof *pool);
  if (!pool)
    return cudaErrorMemoryAllocation;
  *pool = (struct CUmemPoolHandle_st){.reuse = {1, 1, 1}, .limit = wanted->maxSize};
  *out = pool;
  return cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties) {
  RUNTIME_CALL(make_pool(pool, properties));
}

static cudaError_t destroy_pool(cudaMemPool_t pool) {
  if (!pool || pool == &usual || pool->destroyed)
    return cudaErrorInvalidValue;
  if (current == pool)
    current = &usual;
  pool->destroyed = true;
  if (pool->used.now == 0)
    free(pool);
  return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) { RUNTIME_CALL(destroy_pool(pool)); }

/* ---- attributes of a pool -------------------------------------------------------------------- */
/* Returns the address of the number that is the value of an attribute; NULL if the attribute is
 * boolean or unknown. */
static uint64_t *number_of(cudaMemPool_t pool, enum cudaMemPoolAttr attribute) {
  switch ((int)attribute) {
  case cudaMemPoolAttrReleaseThreshold:
    return &pool->threshold;
  case cudaMemPoolAttrReservedMemCurrent:
    return &pool->reserved.now;
  case cudaMemPoolAttrReservedMemHigh:
    return &pool->reserved.most;
  case cudaMemPoolAttrUsedMemCurrent:
    return &pool->used.now;
  case cudaMemPoolAttrUsedMemHigh:
    return &pool->used.most;
  default:
    return NULL;
  }
}

static int *switch_of(cudaMemPool_t pool, enum cudaMemPoolAttr attribute) {
  bool known = attribute >= cudaMemPoolReuseFollowEventDependencies &&
               attribute <= cudaMemPoolReuseAllowInternalDependencies;
  return known ? &pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies] : NULL;
}

static cudaError_t tell(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value) {
  if (!pool || !value || (!number_of(pool, attribute) && !switch_of(pool, attribute)))
    return cudaErrorInvalidValue;
  if (number_of(pool, attribute))
    *(uint64_t *)value = *number_of(pool, attribute);
  else
    *(int *)value = *switch_of(pool, attribute);
  return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void *value) {
  RUNTIME_CALL(tell(pool, attribute, value));
}

/* The maxima can only be set to 0, which resets them to the current value. */
static cudaError_t set(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, const void *value) {
  if (!pool || !value)
    return cudaErrorInvalidValue;
  if (switch_of(pool, attribute))
    *switch_of(pool, attribute) = *(const int *)value;
  else if (attribute == cudaMemPoolAttrReleaseThreshold)
    pool->threshold = *(const uint64_t *)value;
  else if (attribute == cudaMemPoolAttrReservedMemHigh && *(const uint64_t *)value == 0)
    pool->reserved.most = pool->reserved.now;
  else if (attribute == cudaMemPoolAttrUsedMemHigh && *(const uint64_t *)value == 0)
    pool->used.most = pool->used.now;
  else
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void *value) {
  RUNTIME_CALL(set(pool, attribute, value));
}

static cudaError_t trim_to(cudaMemPool_t pool, size_t keep) {
  if (!pool)
    return cudaErrorInvalidValue;
  order_host_waits_for_all();
  trim(pool, keep);
  return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep) {
  RUNTIME_SYNC(trim_to(pool, keep));
}

/* Checks the arguments. Has no effect, because the only device always has access to its own memory.
 */
static cudaError_t set_access(cudaMemPool_t pool, const struct cudaMemAccessDesc *wanted,
                              size_t count) {
  bool good = pool && (wanted || !count);
  for (size_t i = 0; good && i < count; i++)
    good = wanted[i].location.type == cudaMemLocationTypeDevice && wanted[i].location.id == 0 &&
           wanted[i].flags == cudaMemAccessFlagsProtReadWrite;
  return good ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *wanted,
                                 size_t count) {
  RUNTIME_CALL(set_access(pool, wanted, count));
}

static cudaError_t get_access(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                              const struct cudaMemLocation *location) {
  if (!flags || !pool || !location || location->type != cudaMemLocationTypeDevice || location->id)
    return cudaErrorInvalidValue;
  *flags = cudaMemAccessFlagsProtReadWrite;
  return cudaSuccess;
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *location) {
  RUNTIME_CALL(get_access(flags, pool, location));
}

/* ---- other processes ------------------------------------------------------------------------- */
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *memory) {
  (void)handle, (void)memory;
  RUNTIME_CALL(one_process(__func__));
}

cudaError_t cudaIpcOpenMemHandle(void **memory, cudaIpcMemHandle_t handle, unsigned flags) {
  (void)memory, (void)handle, (void)flags;
  RUNTIME_CALL(one_process(__func__));
}

cudaError_t cudaIpcCloseMemHandle(void *memory) {
  (void)memory;
  RUNTIME_CALL(one_process(__func__));
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event) {
  (void)handle, (void)event;
  RUNTIME_CALL(one_process(__func__));
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle) {
  (void)event, (void)handle;
  RUNTIME_CALL(one_process(__func__));
}
