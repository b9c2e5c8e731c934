/* Implements the API functions for devices. There is one device, whose properties are those of the
 * selected card (devices.def). */
#include "runtime.h"

#include <stdio.h>
#include <string.h>

enum { VERSION = CUDART_VERSION };

/* ---- choosing the device --------------------------------------------------------------------- */
static cudaError_t give(int *out, int value) {
  if (!out)
    return cudaErrorInvalidValue;
  *out = value;
  return cudaSuccess;
}

static cudaError_t the_device(int device) {
  return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaGetDeviceCount(int *count) { RUNTIME_ALWAYS(give(count, 1)); }
cudaError_t cudaGetDevice(int *device) { RUNTIME_ALWAYS(give(device, 0)); }
cudaError_t cudaSetDevice(int device) { RUNTIME_ALWAYS(the_device(device)); }

cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags) {
  (void)device_flags, (void)flags;
  RUNTIME_CALL(the_device(device));
}

cudaError_t cudaSetValidDevices(int *devices, int count) {
  RUNTIME_CALL(count > 0 && devices ? the_device(devices[0]) : cudaSuccess);
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *properties) {
  RUNTIME_CALL(properties ? give(device, 0) : cudaErrorInvalidValue);
}

cudaError_t cudaDriverGetVersion(int *version) { RUNTIME_ALWAYS(give(version, VERSION)); }
cudaError_t cudaRuntimeGetVersion(int *version) { RUNTIME_ALWAYS(give(version, VERSION)); }

/* ---- properties ------------------------------------------------------------------------------ */
enum { PITCH_MOST = 2147483647, TEXTURE_ALIGNMENT = 512, TEXTURE_PITCH_ALIGNMENT = 32 };

static void copy_dims(int *to, const uint32_t *from, int count) {
  for (int i = 0; i < count; i++)
    to[i] = (int)from[i];
}

static void fill_limits(struct cudaDeviceProp *p, const Device *d) {
  p->major = (int)d->capability[0];
  p->minor = (int)d->capability[1];
  p->multiProcessorCount = (int)d->sms;
  p->warpSize = WARP_LANES;
  p->maxThreadsPerBlock = (int)d->threads_per_block;
  copy_dims(p->maxThreadsDim, d->block_dim, 3);
  copy_dims(p->maxGridSize, d->grid_dim, 3);
  p->maxThreadsPerMultiProcessor = (int)d->threads_per_sm;
  p->maxBlocksPerMultiProcessor = (int)d->blocks_per_sm;
  p->regsPerBlock = (int)d->registers_per_block;
  p->regsPerMultiprocessor = (int)d->registers_per_sm;
  p->sharedMemPerBlock = d->shared_per_block;
  p->sharedMemPerBlockOptin = d->shared_per_block_optin;
  p->sharedMemPerMultiprocessor = d->shared_per_sm;
  p->reservedSharedMemPerBlock = d->shared_reserved;
  p->totalConstMem = d->constant_bytes;
}

static void fill_chip(struct cudaDeviceProp *p, const Device *d) {
  p->clockRate = (int)d->clock_khz;
  p->memoryClockRate = (int)d->memory_khz;
  p->memoryBusWidth = (int)d->memory_bits;
  p->l2CacheSize = (int)d->l2_bytes;
  p->singleToDoublePrecisionPerfRatio = (int)(d->fp32_lanes / d->fp64_lanes);
  p->memPitch = PITCH_MOST;
  p->textureAlignment = p->surfaceAlignment = TEXTURE_ALIGNMENT;
  p->texturePitchAlignment = TEXTURE_PITCH_ALIGNMENT;
  p->maxTexture1D = (int)d->texture_1d;
  copy_dims(p->maxTexture2D, d->texture_2d, 2);
  copy_dims(p->maxTexture3D, d->texture_3d, 3);
  copy_dims(p->maxTexture2DLinear, d->texture_pitched, 2);
  p->globalL1CacheSupported = p->localL1CacheSupported = 1;
}

static void fill_abilities(struct cudaDeviceProp *p, const Device *d) {
  p->unifiedAddressing = 1;
  p->canMapHostMemory = 1;
  p->managedMemory = (int)d->managed_memory;
  p->concurrentManagedAccess = (int)d->concurrent_managed;
  p->concurrentKernels = 1;
  p->cooperativeLaunch = (int)d->cooperative;
  p->memoryPoolsSupported = 1;
  p->streamPrioritiesSupported = 10 * d->capability[0] + d->capability[1] >= 35;
  p->asyncEngineCount = (int)d->copy_engines;
  p->deviceOverlap = 1;
  p->hostNumaId = -1;
  p->deviceNumaId = -1;
}

static cudaError_t properties_of(struct cudaDeviceProp *p, int device) {
  size_t free_bytes, live;
  if (!p)
    return cudaErrorInvalidValue;
  if (device != 0)
    return cudaErrorInvalidDevice;
  memset(p, 0, sizeof *p);
  snprintf(p->name, sizeof p->name, "%s, emulated by Lockstep", selected_device()->title);
  memcpy(p->uuid.bytes, "lockstep", 8);
  memory_totals(&free_bytes, &p->totalGlobalMem, &live);
  fill_limits(p, selected_device());
  fill_chip(p, selected_device());
  fill_abilities(p, selected_device());
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device) {
  RUNTIME_ALWAYS(properties_of(properties, device));
}

static cudaError_t attribute_of(int *value, enum cudaDeviceAttr attribute, int device) {
  struct cudaDeviceProp p;
  if (!value)
    return cudaErrorInvalidValue;
  cudaError_t error = properties_of(&p, device);
  if (error)
    return error;
  switch ((int)attribute) {
#define CUDA_ATTRIBUTE(name, driver, number, field)                                                \
  case number:                                                                                     \
    *value = (int)p.field;                                                                         \
    return cudaSuccess;
#include "../include/cuda_attributes.def"
  default:
    break;
  }
  if ((int)attribute <= 0 || attribute >= cudaDevAttrMax)
    return cudaErrorInvalidValue;
  /* Other attributes are 0: for example, sharing between processes is not supported. */
  *value = 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
  RUNTIME_ALWAYS(attribute_of(value, attribute, device));
}

static cudaError_t bus_id(char *text, int length, int device) {
  if (!text || length < 13)
    return cudaErrorInvalidValue;
  snprintf(text, (size_t)length, "0000:00:00.0");
  return the_device(device);
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int length, int device) {
  RUNTIME_CALL(bus_id(text, length, device));
}

static cudaError_t by_bus_id(int *device, const char *text) {
  unsigned domain, bus, slot;
  if (!device || !text || sscanf(text, "%x:%x:%x", &domain, &bus, &slot) != 3)
    return cudaErrorInvalidValue;
  if (domain || bus || slot)
    return cudaErrorInvalidDevice;
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text) {
  RUNTIME_CALL(by_bus_id(device, text));
}

/* ---- waiting and reset ----------------------------------------------------------------------- */
cudaError_t cudaDeviceSynchronize(void) {
  RUNTIME_SYNC(capture_forbids_waiting()
                   ? cudaErrorStreamCaptureUnsupported
                   : (asynchrony_asked_to_wait(), order_host_waits_for_all(), cudaSuccess));
}

/* Implements cudaDeviceReset: frees all allocations, as on a real device. Allocations that the
 * program has not freed itself are still reported at the end. Device variables keep their
 * memory. */
static cudaError_t reset(void) {
  bool freed_before;
  Allocation *next;
  order_host_waits_for_all();
  runtime_note_left();
  for (Allocation *each = memory_next(NULL); each; each = next) {
    next = memory_next(each);
    if (each->kind != MEMORY_VARIABLE && each->kind != MEMORY_CONSTANT && each->kind != MEMORY_HEAP)
      each->reset = runtime_free(each->address, &freed_before);
  }
  runtime_clear_errors();
  return cudaSuccess;
}

cudaError_t cudaDeviceReset(void) {
  runtime_enter();
  return runtime_leave(__func__, reset());
}

/* ---- settings, most of them without effect --------------------------------------------------- */
/* The default limits, indexed by cudaLimit. */
static size_t limits_set[] = {1024, 8650752, 8388608, 0, 2048, 64, 11796480};
size_t runtime_limit(enum cudaLimit which) { return limits_set[which]; }
size_t runtime_pending_launches(void) { return limits_set[cudaLimitDevRuntimePendingLaunchCount]; }
static unsigned device_flags;
static enum cudaFuncCache cache_config;

static cudaError_t limit(size_t *out, const size_t *in, enum cudaLimit which) {
  if ((size_t)which >= sizeof limits_set / sizeof *limits_set ||
      which == cudaLimitDevRuntimeSyncDepth)
    return cudaErrorUnsupportedLimit;
  if (!out && !in)
    return cudaErrorInvalidValue;
  if (in && which == cudaLimitMallocHeapSize && !machine_heap(*in))
    return cudaErrorInvalidValue;
  if (in)
    limits_set[which] = *in;
  if (in && which == cudaLimitStackSize)
    machine_stack(*in);
  if (out)
    *out = limits_set[which];
  return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit which, size_t value) {
  RUNTIME_CALL(limit(NULL, &value, which));
}
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit which) {
  RUNTIME_CALL(limit(value, NULL, which));
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  RUNTIME_CALL(flags > 0xff ? cudaErrorInvalidValue : (device_flags = flags, cudaSuccess));
}

cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  RUNTIME_CALL(flags ? (*flags = device_flags | cudaDeviceMapHost, cudaSuccess)
                     : cudaErrorInvalidValue);
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
  RUNTIME_CALL((unsigned)config > 3 ? cudaErrorInvalidValue : (cache_config = config, cudaSuccess));
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config) {
  RUNTIME_CALL(config ? (*config = cache_config, cudaSuccess) : cudaErrorInvalidValue);
}

/* ---- banks of shared memory ------------------------------------------------------------------ */
/* Sets the bank size. On a card with 4-byte banks the call has no effect and returns no error. */
static cudaError_t set_banks(enum cudaSharedMemConfig config) {
  if ((unsigned)config > cudaSharedMemBankSizeEightByte)
    return cudaErrorInvalidValue;
  choose_banks(runtime_bank_choice(config));
  return cudaSuccess;
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
  RUNTIME_CALL(set_banks(config));
}

static cudaError_t get_banks(enum cudaSharedMemConfig *config) {
  if (!config)
    return cudaErrorInvalidValue;
  *config = selected_bank_mode(BANK_CHOICE_DEFAULT) == BANKS_8 ? cudaSharedMemBankSizeEightByte
                                                               : cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config) {
  RUNTIME_CALL(get_banks(config));
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  runtime_enter();
  if (least)
    *least = 0;
  if (greatest)
    *greatest = -5;
  return runtime_leave(__func__, runtime_sticky());
}

/* ---- peers: there are none ------------------------------------------------------------------- */
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
  RUNTIME_CALL(the_device(device) || the_device(peer) ? cudaErrorInvalidDevice : give(can, 0));
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  (void)flags;
  RUNTIME_CALL(the_device(peer) ? cudaErrorInvalidDevice : cudaErrorPeerAccessUnsupported);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  RUNTIME_CALL(the_device(peer) ? cudaErrorInvalidDevice : cudaErrorPeerAccessNotEnabled);
}

/* Always fails, because there is only one device and a device is not its own peer. */
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int from,
                                      int to) {
  (void)attribute, (void)from, (void)to;
  RUNTIME_CALL(value ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
}

/* Has no effect, because the emulated L2 cache has no persisting lines. */
cudaError_t cudaCtxResetPersistingL2Cache(void) { RUNTIME_CALL(cudaSuccess); }

/* ---- profiler calls without effect ----------------------------------------------------------- */
cudaError_t cudaProfilerStart(void) { RUNTIME_CALL(cudaSuccess); }
cudaError_t cudaProfilerStop(void) { RUNTIME_CALL(cudaSuccess); }
