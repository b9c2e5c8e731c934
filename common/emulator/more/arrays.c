/* The API functions for CUDA arrays: one- to three-dimensional memory that only textures, surfaces
 * and copies access.
 *
 * CUDA does not specify the layout of an array. This file stores an array as planes of rows of
 * elements, so a copy to an array is a copy of rows. */
#include "arrays.h"

#include <stdlib.h>

static bool good_format(const struct cudaChannelFormatDesc *d) {
  const int bits[4] = {d->x, d->y, d->z, d->w};
  bool plain = d->f == cudaChannelFormatKindSigned || d->f == cudaChannelFormatKindUnsigned ||
               (d->f == cudaChannelFormatKindFloat && d->x != 8);
  bool width = d->x == 8 || d->x == 16 || d->x == 32;
  for (int i = 1; i < 4; i++)
    plain = plain && (bits[i] == d->x || bits[i] == 0) && (bits[i] == 0 || bits[i - 1] != 0);
  return plain && width && (d->z == 0 || d->w != 0); /* there are 1, 2 or 4 channels */
}

bool runtime_channels(const struct cudaChannelFormatDesc *d, uint8_t *channels, uint8_t *bytes) {
  if (!good_format(d))
    return false;
  *channels = d->w ? 4 : d->y ? 2 : 1;
  *bytes = (uint8_t)(d->x / 8);
  return true;
}

static size_t element_bytes(const struct cudaArray *a) {
  uint8_t channels = 0, bytes = 0;
  runtime_channels(&a->format, &channels, &bytes);
  return (size_t)channels * bytes;
}

static size_t least_one(size_t n) { return n ? n : 1; }

size_t runtime_array_pitch(const struct cudaArray *a) { return a->extent.width * element_bytes(a); }

/* ---- making and freeing ---------------------------------------------------------------------- */
static struct cudaArray *last_array;

bool runtime_is_array(const void *pointer) {
  for (const struct cudaArray *a = last_array; a; a = a->earlier)
    if (a == pointer)
      return true;
  return false;
}

enum { MOST_LAYERS = 2048, FACES = 6 };

/* Returns true if each dimension is within the limits of the card. The third dimension is the
 * number of layers if the flags contain cudaArrayLayered, and the number of faces for a cube. */
static bool fits(struct cudaExtent e, unsigned flags) {
  const Device *card = selected_device();
  const bool cube = flags & cudaArrayCubemap;
  if (flags & (cudaArrayLayered | cudaArrayCubemap)) {
    if (e.width == 0 || e.depth == 0 || e.depth > MOST_LAYERS || (cube && e.width != e.height))
      return false;
    if (cube && (flags & cudaArrayLayered ? e.depth % FACES != 0 : e.depth != FACES))
      return false;
    return e.height ? e.width <= card->texture_2d[0] && e.height <= card->texture_2d[1]
                    : e.width <= card->texture_1d;
  }
  if (e.width == 0 || (e.depth && !e.height))
    return false;
  if (e.depth)
    return e.width <= card->texture_3d[0] && e.height <= card->texture_3d[1] &&
           e.depth <= card->texture_3d[2];
  if (e.height)
    return e.width <= card->texture_2d[0] && e.height <= card->texture_2d[1];
  return e.width <= card->texture_1d;
}

static cudaError_t allocate(cudaArray_t *out, const struct cudaChannelFormatDesc *format,
                            struct cudaExtent extent, unsigned flags) {
  uint8_t channels, bytes;
  if (!out || !format || !runtime_channels(format, &channels, &bytes) || !fits(extent, flags))
    return cudaErrorInvalidValue;
  if (flags & ~(unsigned)(cudaArraySurfaceLoadStore | cudaArrayTextureGather | cudaArrayLayered |
                          cudaArrayCubemap))
    return cudaErrorNotSupported;
  struct cudaArray *a = calloc(1, sizeof *a);
  if (!a)
    return cudaErrorMemoryAllocation;
  *a = (struct cudaArray){.format = *format, .extent = extent, .flags = flags};
  a->memory =
      memory_allocate(runtime_array_pitch(a) * least_one(extent.height) * least_one(extent.depth),
                      MEMORY_ARRAY, NULL);
  if (!a->memory) {
    free(a);
    return cudaErrorMemoryAllocation;
  }
  memory_made_here(a->memory);
  a->earlier = last_array;
  *out = last_array = a;
  return cudaSuccess;
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format,
                            size_t width, size_t height, unsigned flags) {
  struct cudaExtent extent = {width, height, 0};
  RUNTIME_CALL(allocate(array, format, extent, flags));
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format,
                              struct cudaExtent extent, unsigned flags) {
  RUNTIME_CALL(allocate(array, format, extent, flags));
}

/* Frees the memory of an array. The handle stays in the list, so that a later use of it is reported
 * instead of accessing freed memory. */
static cudaError_t release(cudaArray_t array) {
  bool freed_before;
  order_host_waits_for_all();
  if (!array)
    return cudaSuccess;
  return runtime_free(array->memory->address, &freed_before) ? cudaSuccess
                                                             : cudaErrorContextIsDestroyed;
}

cudaError_t cudaFreeArray(cudaArray_t array) { RUNTIME_SYNC(release(array)); }

static cudaError_t info(struct cudaChannelFormatDesc *format, struct cudaExtent *extent,
                        unsigned *flags, cudaArray_t array) {
  if (!array)
    return cudaErrorInvalidResourceHandle;
  if (format)
    *format = array->format;
  if (extent)
    *extent = array->extent;
  if (flags)
    *flags = array->flags;
  return cudaSuccess;
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *format, struct cudaExtent *extent,
                             unsigned *flags, cudaArray_t array) {
  RUNTIME_CALL(info(format, extent, flags, array));
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *format, cudaArray_const_t array) {
  RUNTIME_CALL(info(format, NULL, NULL, (cudaArray_t)(uintptr_t)array));
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind kind) {
  struct cudaChannelFormatDesc format = {x, y, z, w, kind};
  return format;
}

/* ---- copies: x counts bytes ------------------------------------------------------------------ */
static bool inside(const struct cudaArray *a, size_t x, size_t y, size_t width, size_t height) {
  size_t pitch = runtime_array_pitch(a), rows = least_one(a->extent.height);
  return x <= pitch && width <= pitch - x && y <= rows && height <= rows - y;
}

void *runtime_array_place(const struct cudaArray *a, size_t x, size_t y, size_t z) {
  size_t rows = z * least_one(a->extent.height) + y;
  return (void *)(uintptr_t)(a->memory->address + rows * runtime_array_pitch(a) + x);
}

static cudaError_t to_array(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                            size_t width, size_t height, enum cudaMemcpyKind kind) {
  if (!to)
    return cudaErrorInvalidResourceHandle;
  if (!inside(to, x, y, width, height))
    return cudaErrorInvalidValue;
  return runtime_copy_rows(runtime_array_place(to, x, y, 0), runtime_array_pitch(to), from, pitch,
                           width, height, kind);
}

static cudaError_t from_array(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                              size_t width, size_t height, enum cudaMemcpyKind kind) {
  if (!from)
    return cudaErrorInvalidResourceHandle;
  if (!inside(from, x, y, width, height))
    return cudaErrorInvalidValue;
  return runtime_copy_rows(to, pitch, runtime_array_place(from, x, y, 0), runtime_array_pitch(from),
                           width, height, kind);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind) {
  RUNTIME_WAITING(to_array(to, x, y, from, pitch, width, height, kind),
                  kind != cudaMemcpyDeviceToDevice);
}
RUNTIME_ALIAS(cudaMemcpy2DToArray, _ptds);

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream) {
  RUNTIME_STREAM(stream, to_array(to, x, y, from, pitch, width, height, kind));
}
RUNTIME_ALIAS(cudaMemcpy2DToArrayAsync, _ptsz);

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind) {
  RUNTIME_WAITING(from_array(to, pitch, from, x, y, width, height, kind),
                  kind != cudaMemcpyDeviceToDevice);
}
RUNTIME_ALIAS(cudaMemcpy2DFromArray, _ptds);

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t stream) {
  RUNTIME_STREAM(stream, from_array(to, pitch, from, x, y, width, height, kind));
}
RUNTIME_ALIAS(cudaMemcpy2DFromArrayAsync, _ptsz);

/* Returns true if an array has `bytes` bytes from position (x, y) on. Used by cudaMemcpyToArray and
 * cudaMemcpyFromArray, whose range may continue in the next rows. */
static bool holds(cudaArray_const_t a, size_t x, size_t y, size_t bytes) {
  size_t pitch = a ? runtime_array_pitch(a) : 0, rows = a ? least_one(a->extent.height) : 0;
  return a && x < pitch && y < rows && bytes <= (rows - y) * pitch - x;
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                              enum cudaMemcpyKind kind) {
  RUNTIME_WAITING(holds(to, x, y, bytes)
                      ? runtime_copy(runtime_array_place(to, x, y, 0), from, bytes, kind)
                      : cudaErrorInvalidValue,
                  true);
}
RUNTIME_ALIAS(cudaMemcpyToArray, _ptds);

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind) {
  RUNTIME_WAITING(holds(from, x, y, bytes)
                      ? runtime_copy(to, runtime_array_place(from, x, y, 0), bytes, kind)
                      : cudaErrorInvalidValue,
                  true);
}
RUNTIME_ALIAS(cudaMemcpyFromArray, _ptds);

/* `to_x`, `from_x` and `width` are in bytes; in cudaMemcpy3DParms, positions and widths are in
 * elements. */
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width, size_t rows, enum cudaMemcpyKind kind) {
  struct cudaChannelFormatDesc format = {0};
  cudaError_t error = cudaArrayGetInfo(&format, NULL, NULL, (cudaArray_t)(uintptr_t)from);
  if (error)
    return error;
  size_t element = (size_t)(format.x + format.y + format.z + format.w) / 8;
  if (!element || width % element || from_x % element || to_x % element)
    return cudaErrorInvalidValue;
  struct cudaMemcpy3DParms copy = {.srcArray = (cudaArray_t)(uintptr_t)from,
                                   .srcPos = {from_x / element, from_y, 0},
                                   .dstArray = to,
                                   .dstPos = {to_x / element, to_y, 0},
                                   .extent = {width / element, rows, 1},
                                   .kind = kind};
  return cudaMemcpy3D(&copy);
}
RUNTIME_ALIAS(cudaMemcpy2DArrayToArray, _ptds);
