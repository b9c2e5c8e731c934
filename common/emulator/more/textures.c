/* The API functions for texture and surface objects. A texture object describes memory, and how a
 * fetch converts and filters its elements. A surface object describes an array that kernels load
 * from and store to. machine/texture.c implements the accesses. Mipmaps, resource views and sRGB
 * return cudaErrorNotSupported. */
#include "arrays.h"

#include <stdlib.h>
#include <string.h>

#include "../machine/texture.h"

/* The parameters of a texture or surface object. A program may query them. */
typedef struct Description {
  cudaTextureObject_t object;
  struct cudaResourceDesc resource;
  struct cudaTextureDesc texture;
  struct Description *next;
} Description;
static Description *descriptions;

static bool take_format(Texture *t, const struct cudaChannelFormatDesc *format) {
  t->kind = format->f == cudaChannelFormatKindSigned     ? TEXTURE_SIGNED
            : format->f == cudaChannelFormatKindUnsigned ? TEXTURE_UNSIGNED
                                                         : TEXTURE_FLOAT;
  return runtime_channels(format, &t->channels, &t->channel_bytes);
}

static void take_array(Texture *t, const struct cudaArray *a) {
  t->address = a->memory->address;
  t->pitch = runtime_array_pitch(a);
  t->slice = t->pitch * a->extent.height;
  t->size[0] = (uint32_t)a->extent.width;
  t->size[1] = (uint32_t)a->extent.height;
  t->size[2] = (uint32_t)a->extent.depth;
  t->rank = a->extent.depth ? 3 : a->extent.height ? 2 : 1;
  if (a->extent.depth && !a->extent.height) { /* a layered one-dimensional array */
    t->slice = t->pitch;
    t->size[1] = t->size[2];
    t->rank = 2;
  }
}

/* Returns true if `bytes` bytes from `pointer` on are within one allocation. */
static bool covers(const void *pointer, size_t bytes) {
  const Allocation *memory = memory_find(runtime_address(pointer));
  return memory && bytes <= memory->bytes - (runtime_address(pointer) - memory->address);
}

static bool aligned(const void *pointer, size_t to) { return runtime_address(pointer) % to == 0; }

static cudaError_t take_linear(Texture *t, const struct cudaResourceDesc *r) {
  if (!take_format(t, &r->res.linear.desc))
    return cudaErrorInvalidChannelDescriptor;
  /* A size that exceeds the allocation is not an error, as with the CUDA driver. A fetch beyond the
   * allocation is reported as out of bounds. */
  if (!aligned(r->res.linear.devPtr, 512) || !covers(r->res.linear.devPtr, 0))
    return cudaErrorInvalidValue;
  t->address = runtime_address(r->res.linear.devPtr);
  t->size[0] = (uint32_t)(r->res.linear.sizeInBytes / ((size_t)t->channels * t->channel_bytes));
  t->rank = 1;
  t->is_linear = true;
  return cudaSuccess;
}

static cudaError_t take_pitched(Texture *t, const struct cudaResourceDesc *r) {
  size_t width = r->res.pitch2D.width, height = r->res.pitch2D.height;
  size_t pitch = r->res.pitch2D.pitchInBytes;
  if (!take_format(t, &r->res.pitch2D.desc))
    return cudaErrorInvalidChannelDescriptor;
  if (!aligned(r->res.pitch2D.devPtr, 512) || pitch % 32 || width == 0 || height == 0 ||
      width > selected_device()->texture_pitched[0] ||
      height > selected_device()->texture_pitched[1] ||
      width * t->channels * t->channel_bytes > pitch ||
      !covers(r->res.pitch2D.devPtr, (height - 1) * pitch + width * t->channels * t->channel_bytes))
    return cudaErrorInvalidValue;
  t->address = runtime_address(r->res.pitch2D.devPtr);
  t->pitch = pitch;
  t->size[0] = (uint32_t)width;
  t->size[1] = (uint32_t)height;
  t->rank = 2;
  return cudaSuccess;
}

static cudaError_t take_resource(Texture *t, const struct cudaResourceDesc *r) {
  switch (r->resType) {
  case cudaResourceTypeArray:
    if (!r->res.array.array)
      return cudaErrorInvalidValue;
    take_array(t, r->res.array.array);
    return take_format(t, &r->res.array.array->format) ? cudaSuccess : cudaErrorInvalidValue;
  case cudaResourceTypeLinear:
    return take_linear(t, r);
  case cudaResourceTypePitch2D:
    return take_pitched(t, r);
  default:
    return cudaErrorNotSupported;
  }
}

/* Reports a texture with an address mode that has no effect: if coordinates are not normalised, a
 * GPU clamps instead of wrapping or mirroring. */
static void look_for_wrap(const Texture *t) {
  for (uint32_t i = 0; i < t->rank; i++) {
    if (t->normalised || t->is_linear ||
        (t->mode[i] != cudaAddressModeWrap && t->mode[i] != cudaAddressModeMirror))
      continue;
    Report r = not_on_a_gpu(NOT_ON_A_GPU_TEXTURE_WRAP);
    snprintf(r.sentence, sizeof r.sentence,
             "a texture is to %s coordinates that are not normalised",
             t->mode[i] == cudaAddressModeWrap ? "wrap" : "mirror");
    report_file(&r);
    return;
  }
}

static cudaError_t take_sampling(Texture *t, const struct cudaTextureDesc *d) {
  bool fractions = d->readMode == cudaReadModeNormalizedFloat;
  if (d->sRGB || d->seamlessCubemap)
    return cudaErrorNotSupported;
  if ((unsigned)d->filterMode > cudaFilterModeLinear ||
      (unsigned)d->readMode > cudaReadModeNormalizedFloat)
    return cudaErrorInvalidValue;
  t->filters = d->filterMode == cudaFilterModeLinear && !t->is_linear;
  t->to_float = fractions && t->kind != TEXTURE_FLOAT;
  t->normalised = d->normalizedCoords && !t->is_linear;
  if (t->to_float && t->channel_bytes > 2)
    return cudaErrorInvalidNormSetting;
  if (t->filters && t->kind != TEXTURE_FLOAT && !fractions)
    return cudaErrorInvalidFilterSetting;
  for (int i = 0; i < 3; i++) {
    if ((unsigned)d->addressMode[i] > cudaAddressModeBorder)
      return cudaErrorInvalidValue;
    t->mode[i] = (uint8_t)d->addressMode[i];
  }
  look_for_wrap(t);
  memcpy(t->border, d->borderColor, sizeof t->border);
  return cudaSuccess;
}

static cudaError_t remember(unsigned long long *object, const Texture *t,
                            const struct cudaResourceDesc *resource,
                            const struct cudaTextureDesc *texture) {
  Description *d = malloc(sizeof *d);
  if (!d)
    return cudaErrorMemoryAllocation;
  *object = texture_create(t);
  *d = (Description){*object, *resource, *texture, descriptions};
  descriptions = d;
  return cudaSuccess;
}

static cudaError_t create(cudaTextureObject_t *object, const struct cudaResourceDesc *resource,
                          const struct cudaTextureDesc *texture,
                          const struct cudaResourceViewDesc *view) {
  Texture t = {.address = 0};
  if (!object || !resource || !texture)
    return cudaErrorInvalidValue;
  if (view)
    return cudaErrorNotSupported;
  cudaError_t error = take_resource(&t, resource);
  if (!error)
    error = take_sampling(&t, texture);
  if (error)
    return error;
  return remember(object, &t, resource, texture);
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *texture,
                                    const struct cudaResourceViewDesc *view) {
  RUNTIME_CALL(create(object, resource, texture, view));
}

static Description **find(cudaTextureObject_t object) {
  Description **at = &descriptions;
  while (*at && (*at)->object != object)
    at = &(*at)->next;
  return at;
}

static cudaError_t destroy(cudaTextureObject_t object) {
  Description **at = find(object), *gone = *at;
  order_host_waits_for_all();
  if (object == 0)
    return cudaSuccess;
  if (!gone)
    return cudaErrorInvalidValue;
  texture_destroy(object);
  *at = gone->next;
  free(gone);
  return cudaSuccess;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) { RUNTIME_SYNC(destroy(object)); }

static cudaError_t describe(struct cudaResourceDesc *resource, struct cudaTextureDesc *texture,
                            cudaTextureObject_t object) {
  const Description *d = *find(object);
  if (!d || (!resource && !texture))
    return cudaErrorInvalidValue;
  if (resource)
    *resource = d->resource;
  if (texture)
    *texture = d->texture;
  return cudaSuccess;
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaTextureObject_t object) {
  RUNTIME_CALL(describe(resource, NULL, object));
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *texture,
                                            cudaTextureObject_t object) {
  RUNTIME_CALL(describe(NULL, texture, object));
}

/* ---- surfaces ------------------------------------------------------------------------------- */
static cudaError_t create_surface(cudaSurfaceObject_t *object,
                                  const struct cudaResourceDesc *resource) {
  Texture t = {.is_surface = true};
  if (!object || !resource)
    return cudaErrorInvalidValue;
  if (resource->resType != cudaResourceTypeArray)
    return cudaErrorInvalidChannelDescriptor;
  if (!resource->res.array.array || !(resource->res.array.array->flags & cudaArraySurfaceLoadStore))
    return cudaErrorInvalidValue;
  take_array(&t, resource->res.array.array);
  if (!take_format(&t, &resource->res.array.array->format))
    return cudaErrorInvalidValue;
  return remember(object, &t, resource, &(struct cudaTextureDesc){0});
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object,
                                    const struct cudaResourceDesc *resource) {
  RUNTIME_CALL(create_surface(object, resource));
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) { RUNTIME_SYNC(destroy(object)); }

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaSurfaceObject_t object) {
  RUNTIME_CALL(describe(resource, NULL, object));
}
