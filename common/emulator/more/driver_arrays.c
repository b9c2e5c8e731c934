/* The functions of the driver API for arrays, 2-D copies and textures, implemented with the runtime
 * API. */
#include "driver.h"

#include <string.h>

#include "../runtime/runtime.h"

static bool take_format(CUarray_format format, unsigned channels,
                        struct cudaChannelFormatDesc *out) {
  static const struct {
    CUarray_format format;
    enum cudaChannelFormatKind kind;
    int bits;
  } formats[] = {
      {CU_AD_FORMAT_UNSIGNED_INT8, cudaChannelFormatKindUnsigned, 8},
      {CU_AD_FORMAT_UNSIGNED_INT16, cudaChannelFormatKindUnsigned, 16},
      {CU_AD_FORMAT_UNSIGNED_INT32, cudaChannelFormatKindUnsigned, 32},
      {CU_AD_FORMAT_SIGNED_INT8, cudaChannelFormatKindSigned, 8},
      {CU_AD_FORMAT_SIGNED_INT16, cudaChannelFormatKindSigned, 16},
      {CU_AD_FORMAT_SIGNED_INT32, cudaChannelFormatKindSigned, 32},
      {CU_AD_FORMAT_HALF, cudaChannelFormatKindFloat, 16},
      {CU_AD_FORMAT_FLOAT, cudaChannelFormatKindFloat, 32},
  };
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (formats[i].format == format) {
      const int bits = formats[i].bits;
      *out = (struct cudaChannelFormatDesc){bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0,
                                            channels > 3 ? bits : 0, formats[i].kind};
      return channels == 1 || channels == 2 || channels == 4;
    }
  return false;
}

CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *what) {
  struct cudaChannelFormatDesc format;
  if (!array || !what || !take_format(what->Format, what->NumChannels, &format))
    return CUDA_ERROR_INVALID_VALUE;
  return driver_result(cudaMallocArray(array, &format, what->Width, what->Height, 0));
}
CUresult cuArrayDestroy(CUarray array) { return driver_result(cudaFreeArray(array)); }

/* ---- copies of rectangles -------------------------------------------------------------------- */
/* The source or the destination of a copy. */
typedef struct Side {
  /* NULL if this side is linear memory. */
  CUarray array;
  const void *memory;
  size_t pitch, x, y;
  bool host, any;
} Side;

static Side side(CUmemorytype type, const void *host, CUdeviceptr device, CUarray array,
                 size_t pitch, size_t x, size_t y, size_t width) {
  if (type == CU_MEMORYTYPE_ARRAY)
    return (Side){.array = array, .x = x, .y = y};
  const bool is_host = type == CU_MEMORYTYPE_HOST;
  const char *start = is_host ? host : (const void *)(uintptr_t)device;
  pitch = pitch ? pitch : width;
  return (Side){.memory = start + y * pitch + x,
                .pitch = pitch,
                .host = is_host,
                .any = type == CU_MEMORYTYPE_UNIFIED};
}

static enum cudaMemcpyKind direction(const Side *to, const Side *from) {
  if (to->any || from->any)
    return cudaMemcpyDefault;
  return to->host     ? from->host ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost
         : from->host ? cudaMemcpyHostToDevice
                      : cudaMemcpyDeviceToDevice;
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *c) {
  if (!c)
    return CUDA_ERROR_INVALID_VALUE;
  const size_t width = c->WidthInBytes, height = c->Height;
  const Side to = side(c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstPitch,
                       c->dstXInBytes, c->dstY, width);
  const Side from = side(c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcPitch,
                         c->srcXInBytes, c->srcY, width);
  const enum cudaMemcpyKind kind = direction(&to, &from);
  if (to.array && from.array)
    return driver_result(cudaMemcpy2DArrayToArray(to.array, to.x, to.y, from.array, from.x, from.y,
                                                  width, height, kind));
  if (to.array)
    return driver_result(
        cudaMemcpy2DToArray(to.array, to.x, to.y, from.memory, from.pitch, width, height, kind));
  if (from.array)
    return driver_result(cudaMemcpy2DFromArray((void *)to.memory, to.pitch, from.array, from.x,
                                               from.y, width, height, kind));
  return driver_result(
      cudaMemcpy2D((void *)to.memory, to.pitch, from.memory, from.pitch, width, height, kind));
}

/* ---- textures -------------------------------------------------------------------------------- */
static bool take_resource(const CUDA_RESOURCE_DESC *from, struct cudaResourceDesc *to) {
  switch (from->resType) {
  case CU_RESOURCE_TYPE_ARRAY:
    to->resType = cudaResourceTypeArray;
    to->res.array.array = from->res.array.hArray;
    return true;
  case CU_RESOURCE_TYPE_LINEAR:
    to->resType = cudaResourceTypeLinear;
    to->res.linear.devPtr = (void *)(uintptr_t)from->res.linear.devPtr;
    to->res.linear.sizeInBytes = from->res.linear.sizeInBytes;
    return take_format(from->res.linear.format, from->res.linear.numChannels, &to->res.linear.desc);
  case CU_RESOURCE_TYPE_PITCH2D:
    to->resType = cudaResourceTypePitch2D;
    to->res.pitch2D.devPtr = (void *)(uintptr_t)from->res.pitch2D.devPtr;
    to->res.pitch2D.width = from->res.pitch2D.width;
    to->res.pitch2D.height = from->res.pitch2D.height;
    to->res.pitch2D.pitchInBytes = from->res.pitch2D.pitchInBytes;
    return take_format(from->res.pitch2D.format, from->res.pitch2D.numChannels,
                       &to->res.pitch2D.desc);
  default:
    return false;
  }
}

/* Returns the read mode of a texture. In the driver API, integers of 8 or 16 bits are read as
 * floats in [0, 1] or [-1, 1], if the flags do not contain CU_TRSF_READ_AS_INTEGER. */
static enum cudaTextureReadMode read_mode(const struct cudaResourceDesc *r, unsigned flags) {
  const struct cudaChannelFormatDesc *format =
      r->resType == cudaResourceTypeArray    ? &r->res.array.array->format
      : r->resType == cudaResourceTypeLinear ? &r->res.linear.desc
                                             : &r->res.pitch2D.desc;
  return flags & CU_TRSF_READ_AS_INTEGER || format->f == cudaChannelFormatKindFloat ||
                 format->x > 16
             ? cudaReadModeElementType
             : cudaReadModeNormalizedFloat;
}

CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource,
                           const CUDA_TEXTURE_DESC *texture, const CUDA_RESOURCE_VIEW_DESC *view) {
  struct cudaResourceDesc what = {0};
  struct cudaTextureDesc how = {0};
  if (!object || !resource || !texture || !take_resource(resource, &what) ||
      (what.resType == cudaResourceTypeArray && !what.res.array.array))
    return CUDA_ERROR_INVALID_VALUE;
  if (view)
    return CUDA_ERROR_NOT_SUPPORTED;
  for (int i = 0; i < 3; i++)
    how.addressMode[i] = (enum cudaTextureAddressMode)texture->addressMode[i];
  how.filterMode = (enum cudaTextureFilterMode)texture->filterMode;
  how.readMode = read_mode(&what, texture->flags);
  how.sRGB = (texture->flags & CU_TRSF_SRGB) != 0;
  how.normalizedCoords = (texture->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  memcpy(how.borderColor, texture->borderColor, sizeof how.borderColor);
  return driver_result(cudaCreateTextureObject((cudaTextureObject_t *)object, &what, &how, NULL));
}
CUresult cuTexObjectDestroy(CUtexObject object) {
  return driver_result(cudaDestroyTextureObject(object));
}
