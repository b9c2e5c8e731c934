/* Textures: how the device looks at a piece of memory when a kernel fetches from it. */
#ifndef MACHINE_TEXTURE_H
#define MACHINE_TEXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum TextureKind { TEXTURE_SIGNED, TEXTURE_UNSIGNED, TEXTURE_FLOAT } TextureKind;
typedef enum TextureMode { /* as cudaTextureAddressMode */
                           TEXTURE_WRAP,
                           TEXTURE_CLAMP,
                           TEXTURE_MIRROR,
                           TEXTURE_BORDER
} TextureMode;

typedef struct Texture {
  uint64_t address;
  size_t pitch, slice;    /* bytes from row to row, from plane to plane */
  uint32_t size[3], rank; /* texels along x, y, z; how many of these count */
  uint8_t channels, channel_bytes, kind;
  bool is_surface; /* for loads and stores: nothing below counts */
  bool is_linear;  /* plain memory: fetched by number, and zero beyond its end */
  bool normalised; /* coordinates run from 0 to 1 */
  bool filters;    /* between neighbours; else the nearest texel */
  bool to_float;   /* integers become fractions of their largest value */
  uint8_t mode[3]; /* TextureMode, along each axis */
  float border[4];
} Texture;

/* A handle for kernels; never 0. */
uint64_t texture_create(const Texture *);
bool texture_destroy(uint64_t handle);
/* NULL: no such texture, or no more. */
const Texture *texture_find(uint64_t handle);

#endif
