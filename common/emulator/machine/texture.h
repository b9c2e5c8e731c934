/* Textures: how the device interprets a range of memory that a kernel fetches from. */
#ifndef MACHINE_TEXTURE_H
#define MACHINE_TEXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum TextureKind { TEXTURE_SIGNED, TEXTURE_UNSIGNED, TEXTURE_FLOAT } TextureKind;
/* The values are those of cudaTextureAddressMode. */
typedef enum TextureMode {
  TEXTURE_WRAP,
  TEXTURE_CLAMP,
  TEXTURE_MIRROR,
  TEXTURE_BORDER
} TextureMode;

typedef struct Texture {
  uint64_t address;
  /* Bytes from row to row, and from plane to plane. */
  size_t pitch, slice;
  /* Texels along x, y, z; `rank` is the number of dimensions in use. */
  uint32_t size[3], rank;
  uint8_t channels, channel_bytes, kind;
  /* A surface, for loads and stores. The members below do not apply. */
  bool is_surface;
  /* Linear memory: fetched by index, reads zero beyond its end. */
  bool is_linear;
  /* Coordinates range from 0 to 1. */
  bool normalised;
  /* Interpolates between neighbours; otherwise the nearest texel is used. */
  bool filters;
  /* Integers are returned as fractions of their largest value. */
  bool to_float;
  /* TextureMode, along each axis. */
  uint8_t mode[3];
  float border[4];
} Texture;

/* Returns a handle for kernels; never 0. */
uint64_t texture_create(const Texture *);
bool texture_destroy(uint64_t handle);
/* Returns NULL if the handle is not a live texture. */
const Texture *texture_find(uint64_t handle);

#endif
