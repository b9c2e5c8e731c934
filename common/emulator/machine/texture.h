/* Textures. A texture tells how a fetch interprets a range of memory. */
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
  /* Distances in bytes: from row to row, and from plane to plane. */
  size_t pitch, slice;
  /* `size`: numbers of texels along x, y and z. `rank`: number of dimensions in use. */
  uint32_t size[3], rank;
  uint8_t channels, channel_bytes, kind;
  /* The object is a surface, for loads and stores. Then the members below are not used. */
  bool is_surface;
  /* The texture is linear memory: elements are fetched by index, and an index beyond the end
   * returns zero. */
  bool is_linear;
  /* Coordinates are between 0 and 1. */
  bool normalised;
  /* A fetch interpolates between neighbouring texels; otherwise it returns the nearest texel. */
  bool filters;
  /* A fetch converts integers to fractions of their largest value. */
  bool to_float;
  /* For each axis: a TextureMode. */
  uint8_t mode[3];
  float border[4];
} Texture;

/* Copies the texture and returns a handle for kernels, which is never 0. */
uint64_t texture_create(const Texture *);
bool texture_destroy(uint64_t handle);
/* Returns NULL if there is no texture with this handle. */
const Texture *texture_find(uint64_t handle);

#endif
