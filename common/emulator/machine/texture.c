/* Implements texture fetches by the rules of the CUDA C++ Programming Guide, "Texture Fetching".
 *
 * Coordinate x is in texel floor(x). Linear filtering uses the two texels around x - 0.5 along each
 * axis. Their weights are computed from the fraction of x, rounded to 8 bits. Products of weights
 * are rounded to 8 bits too, as measured on an H200. A coordinate outside the texture is clamped or
 * returns the border colour; a normalised coordinate may also wrap around or be mirrored. A GPU
 * fetches through the texture cache. Therefore fetches are not counted as accesses to global
 * memory, and a kernel must not fetch values that it writes. */
#include "texture.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arith.h"
#include "warp.h"

/* ---- objects --------------------------------------------------------------------------------- */
static Texture **textures;
static uint64_t ntextures;

uint64_t texture_create(const Texture *texture) {
  textures = realloc(textures, (ntextures + 1) * sizeof *textures);
  Texture *copy = malloc(sizeof *copy);
  assert(textures && copy);
  *copy = *texture;
  textures[ntextures++] = copy;
  return ntextures;
}

const Texture *texture_find(uint64_t handle) {
  return handle - 1 < ntextures ? textures[handle - 1] : NULL;
}

bool texture_destroy(uint64_t handle) {
  if (!texture_find(handle))
    return false;
  free(textures[handle - 1]);
  textures[handle - 1] = NULL;
  return true;
}

/* ---- addressing ------------------------------------------------------------------------------ */
/* The texels that a fetch uses along one axis. */
typedef struct Axis {
  /* -1: outside of the texture; use the border colour. */
  int32_t index[2];
  /* The weight of the second texel, in units of 1/256. */
  uint32_t upper;
  int count;
} Axis;

static int32_t inside(const Texture *t, unsigned axis, int32_t i) {
  int32_t n = (int32_t)t->size[axis], period = 2 * n;
  if (i >= 0 && i < n)
    return i;
  TextureMode mode = (TextureMode)t->mode[axis];
  if (t->is_linear || mode == TEXTURE_BORDER)
    return -1;
  if (mode == TEXTURE_CLAMP || !t->normalised)
    return i < 0 ? 0 : n - 1;
  if (mode == TEXTURE_WRAP)
    return (i % n + n) % n;
  i = (i % period + period) % period;
  return i < n ? i : period - 1 - i;
}

static int32_t whole(float x) {
  float floor_x = floorf(x);
  return !(floor_x > -1e9f) ? -1000000000 : floor_x > 1e9f ? 1000000000 : (int32_t)floor_x;
}

/* Converts a coordinate of the program to texels. */
static float in_texels(const Texture *t, unsigned axis, float x) {
  if (t->normalised && t->mode[axis] == TEXTURE_WRAP)
    x -= floorf(x);
  if (t->normalised && t->mode[axis] == TEXTURE_MIRROR)
    x -= 2 * floorf(x / 2);
  if (isnan(x))
    return 0;
  return t->normalised ? x * (float)t->size[axis] : x;
}

static Axis locate(const Texture *t, unsigned axis, float x, bool filters) {
  /* In units of 1/256 texel. */
  const float steps = floorf(x * 256 - 128 + 0.5f);
  if (!filters)
    return (Axis){{inside(t, axis, whole(x)), 0}, 0, 1};
  if (!(fabsf(steps) < 1e9f))
    return (Axis){{inside(t, axis, whole(x)), inside(t, axis, whole(x))}, 0, 2};
  const int32_t i = (int32_t)floorf(steps / 256);
  return (Axis){{inside(t, axis, i), inside(t, axis, i + 1)}, (uint32_t)(int32_t)steps % 256, 2};
}

/* ---- reading texels -------------------------------------------------------------------------- */
typedef struct Fetch {
  const Warp *w;
  const Texture *texture;
  const Allocation *memory;
  bool undefined;
  /* The address of an undefined texel. */
  uint64_t where;
  /* The address of a fetched texel beyond the end of the memory; 0: there is no such texel. */
  uint64_t beyond;
} Fetch;

static uint32_t channel_bits(const Texture *t, const uint8_t *from) {
  uint32_t bits = 0;
  memcpy(&bits, from, t->channel_bytes);
  if (t->kind == TEXTURE_SIGNED && t->channel_bytes == 1)
    return (uint32_t)(int8_t)bits;
  if (t->kind == TEXTURE_SIGNED && t->channel_bytes == 2)
    return (uint32_t)(int16_t)bits;
  return bits;
}

static float channel_float(const Texture *t, uint32_t bits) {
  float value;
  if (t->kind == TEXTURE_FLOAT && t->channel_bytes == 2)
    return (float)half_to_float((u16)bits);
  if (t->kind == TEXTURE_FLOAT) {
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  unsigned width = 8u * t->channel_bytes;
  if (t->kind == TEXTURE_UNSIGNED)
    return (float)bits / (float)((1u << width) - 1);
  value = (float)(int32_t)bits / (float)((1u << (width - 1)) - 1);
  return value < -1 ? -1 : value;
}

static bool gives_floats(const Texture *t) { return t->to_float || t->kind == TEXTURE_FLOAT; }

/* Returns a channel of the border colour, with the precision of a texel. */
static float border(const Texture *t, unsigned c) {
  if (t->kind == TEXTURE_FLOAT || t->channel_bytes > 2)
    return t->border[c];
  const float most = (float)((1u << (8u * t->channel_bytes - (t->kind == TEXTURE_SIGNED))) - 1);
  const float least = t->kind == TEXTURE_SIGNED ? -1 : 0, value = t->border[c];
  return nearbyintf((value > 1 ? 1 : value > least ? value : least) * most) / most;
}

/* Returns true if channels are copied from memory to registers without conversion. */
static bool is_plain(const Texture *t) {
  return t->channel_bytes == 4 && (t->kind == TEXTURE_FLOAT || !t->to_float);
}

/* Passes a texel that is read to the observers, and records the texel if it is undefined. */
static void look_at(Fetch *f, size_t offset, size_t bytes) {
  const uint8_t *defined = f->memory->defined;
  hook_texel(f->w, f->memory, offset, (unsigned)bytes);
  if (f->memory->all_defined)
    return;
  for (size_t i = offset; i < offset + bytes; i++)
    if (!(defined[i / 8] >> i % 8 & 1)) {
      f->undefined = true;
      f->where = f->memory->address + offset;
    }
}

/* Reads the channels of one texel, as the bits of floats or integers. */
static void texel(Fetch *f, const int32_t *at, uint32_t *out) {
  const Texture *t = f->texture;
  const size_t bytes = (size_t)t->channels * t->channel_bytes;
  bool outside = at[0] < 0 || at[1] < 0 || at[2] < 0;
  size_t offset = outside ? 0
                          : (size_t)at[2] * t->slice + (size_t)at[1] * t->pitch +
                                (size_t)at[0] * bytes + (t->address - f->memory->address);
  if (offset + bytes > f->memory->bytes) {
    /* The texture object is larger than its memory. */
    f->beyond = f->memory->address + offset;
    outside = true;
  }
  if (!outside && is_plain(t)) {
    memset(out, 0, 4 * sizeof *out);
    for (unsigned c = 0; c < t->channels; c++)
      memcpy(&out[c], f->memory->view + offset + c * sizeof *out, sizeof *out);
    look_at(f, offset, bytes);
    return;
  }
  for (unsigned c = 0; c < 4; c++) {
    float value = outside && !t->is_linear ? border(t, c) : 0;
    out[c] = 0;
    if (c < t->channels && !outside)
      out[c] = channel_bits(t, f->memory->view + offset + c * t->channel_bytes);
    if (!gives_floats(t))
      continue;
    if (c < t->channels && !outside)
      value = channel_float(t, out[c]);
    memcpy(&out[c], &value, sizeof value);
  }
  if (!outside)
    look_at(f, offset, bytes);
}

/* Computes the weights of the eight texels of a filter, in units of 1/256. Bit 0 of an index
 * selects the second texel along x, bit 1 along y, bit 2 along z. In two dimensions the weights are
 * equal to those of an H200. In three dimensions, at some points, one weight of an H200 differs by
 * 1. */
static void weigh(const Axis *axes, uint32_t *weight) {
  static const uint8_t order[3] = {0, 2, 1};
  unsigned done = 0;
  weight[0] = 256;
  for (unsigned k = 0; k < 3; done |= 1u << order[k++])
    for (unsigned i = 0; i < 8; i++)
      if (!(i & ~done)) {
        const unsigned upper = i | 1u << order[k], half = i & 1 ? 128 : 127;
        weight[upper] = (weight[i] * axes[order[k]].upper + half) / 256;
        weight[i] -= weight[upper];
      }
}

static void filtered(Fetch *f, const Axis *axes, uint32_t *out) {
  float sum[4] = {0}, value;
  uint32_t weight[8];
  weigh(axes, weight);
  for (unsigned i = 0; i < 8; i++) {
    int32_t at[3] = {axes[0].index[i & 1], axes[1].index[i >> 1 & 1], axes[2].index[i >> 2]};
    if (weight[i] == 0)
      continue;
    texel(f, at, out);
    for (unsigned c = 0; c < 4; c++) {
      memcpy(&value, &out[c], sizeof value);
      sum[c] += (float)weight[i] / 256 * value;
    }
  }
  memcpy(out, sum, sizeof sum);
}

/* Returns the face of a cube that direction `d` points to. `where`: the position on this face, from
 * 0 to 1 along both axes. Source: the table in the Programming Guide. */
static int32_t face(const float *d, float *where) {
  const float x = fabsf(d[0]), y = fabsf(d[1]), z = fabsf(d[2]);
  /* If several coordinates have the same magnitude, the last of these axes is chosen. */
  const int axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
  const bool back = signbit(d[axis]);
  const float most = axis == 0 ? x : axis == 1 ? y : z;
  const float s = axis == 0 ? (back ? d[2] : -d[2]) : axis == 1 ? d[0] : back ? -d[0] : d[0];
  const float t = axis == 1 ? (back ? -d[2] : d[2]) : -d[1];
  where[0] = most > 0 ? (s / most + 1) / 2 : 0;
  where[1] = most > 0 ? (t / most + 1) / 2 : 0;
  return 2 * axis + back;
}

static int32_t clamped(int32_t i, uint32_t n) {
  return i < 0 ? 0 : i >= (int32_t)n ? (int32_t)n - 1 : i;
}

/* Reads one channel of the four texels that a linear filter would use, counter-clockwise from the
 * lower left texel. */
static void gather(Fetch *f, const Axis *axes, unsigned channel, uint32_t *out) {
  static const uint8_t right[4] = {0, 1, 1, 0}, below[4] = {1, 1, 0, 0};
  for (int i = 0; i < 4; i++) {
    uint32_t one[4];
    const int32_t at[3] = {axes[0].index[right[i]], axes[1].index[below[i]], axes[2].index[0]};
    texel(f, at, one);
    out[i] = one[channel];
  }
}

static void fetch(Fetch *f, const PtxInsn *insn, const uint32_t *coordinates, uint32_t *out) {
  const Texture *t = f->texture;
  const bool floats = insn->sub & PTX_TEX_FLOAT, gathers = insn->sub & PTX_TEX_GATHER;
  const unsigned last = (insn->sub & 3u) - 1;
  float x[3], where[3] = {0};
  Axis axes[3];
  memcpy(x, coordinates, sizeof x);
  const int32_t number = insn->sub & PTX_TEX_CUBE ? face(x, where) : (int32_t)coordinates[last];
  for (unsigned i = 0; i < 3; i++) {
    axes[i] = (Axis){{0, 0}, 0, 1};
    if (i == last && insn->sub & (PTX_TEX_LAYERED | PTX_TEX_CUBE))
      axes[i].index[0] =
          /* The layer index is unsigned, so a negative number is a large index. */
          number < 0 ? (int32_t)t->size[i] - 1 : clamped(number, t->size[i]);
    else if (insn->sub & PTX_TEX_CUBE)
      axes[i] = locate(t, i, where[i] * (float)t->size[i], t->filters);
    else if (i < t->rank && floats)
      axes[i] = locate(t, i, in_texels(t, i, x[i]), t->filters || gathers);
    else if (i < t->rank)
      axes[i].index[0] = inside(t, i, (int32_t)coordinates[i]);
  }
  int32_t first[3] = {axes[0].index[0], axes[1].index[0], axes[2].index[0]};
  if (gathers)
    gather(f, axes, (unsigned)insn->imm, out);
  else if (t->filters && floats)
    filtered(f, axes, out);
  else
    texel(f, first, out);
}

/* Returns the address of a surface element. The first coordinate, x, is in bytes. Returns 0, or an
 * address beyond the end of the memory, if the element is outside of the surface. */
static uint64_t surface_place(const Fetch *f, const PtxInsn *insn, const uint32_t *coordinates) {
  const Texture *t = f->texture;
  const uint32_t bytes = insn->imm & 0xff, row = t->size[0] * t->channels * t->channel_bytes;
  const PtxOutside outside = (PtxOutside)(insn->imm >> 8);
  int32_t at[3] = {(int32_t)coordinates[0], 0, 0};
  bool in = at[0] >= 0 && (uint32_t)at[0] + bytes <= row;
  for (unsigned i = 1; i < (insn->sub & 3u); i++) {
    at[i] = (int32_t)coordinates[i];
    in &= i < t->rank && (uint32_t)at[i] < t->size[i];
    at[i] = i < t->rank ? clamped(at[i], t->size[i]) : 0;
  }
  if (!in && outside == PTX_OUTSIDE_ZERO)
    return 0;
  if (!in && outside == PTX_OUTSIDE_TRAP)
    return f->memory->address + f->memory->bytes;
  at[0] = at[0] < 0 ? 0 : (uint32_t)at[0] + bytes > row ? (int32_t)(row - bytes) : at[0];
  return t->address + (uint64_t)at[2] * t->slice + (uint64_t)at[1] * t->pitch + (uint64_t)at[0];
}

/* ---- the instruction ------------------------------------------------------------------------- */
/* Looks up the texture for a lane's handle. If the handle is invalid, reports this and returns
 * false. */
static bool open_texture(Warp *w, const PtxInsn *insn, unsigned lane, uint64_t handle, Fetch *f) {
  const bool surface = insn->sub & PTX_TEX_PLACE;
  *f = (Fetch){.w = w, .texture = texture_find(handle)};
  if (!f->texture || f->texture->is_surface != surface) {
    hook_mistake((Mistake){.kind = MISTAKE_STOPPED,
                           .at = {w, lane, insn->line},
                           .report = REPORT_NULL_POINTER,
                           .did = surface ? "used it" : "fetched from it",
                           .sentence = surface
                                           ? "a handle that is no surface object"
                                           : "fetch through a handle that is no texture object"});
    run_fail(w, LAUNCH_ILLEGAL_ADDRESS);
    return false;
  }
  f->memory = memory_find(f->texture->address);
  if (!f->memory) {
    run_fail(w, LAUNCH_ILLEGAL_ADDRESS);
    hook_wrong_access(w, insn, lane, PTX_GLOBAL, f->texture->address,
                      (unsigned)f->texture->channels * f->texture->channel_bytes,
                      REPORT_OUT_OF_BOUNDS);
  }
  return f->memory != NULL;
}

static void fail_beyond(const Fetch *f, Warp *w, const PtxInsn *insn, unsigned lane) {
  run_fail(w, LAUNCH_ILLEGAL_ADDRESS);
  hook_wrong_access(w, insn, lane, PTX_GLOBAL, f->beyond,
                    (unsigned)f->texture->channels * f->texture->channel_bytes,
                    REPORT_OUT_OF_BOUNDS);
}

/* ---- fast path for all lanes: the nearest texel of one texture ------------------------------- */
/* Computes the texel of each lane along one axis; -1: outside. NaN selects texel 0. After wrapping
 * or clamping, an index can be out of range only because of rounding. */
static void nearest(const Texture *t, unsigned axis, const uint32_t *coordinates, bool floats,
                    int32_t *at) {
  const int32_t n = (int32_t)t->size[axis];
  const TextureMode mode = (TextureMode)t->mode[axis];
  const float scale = t->normalised ? (float)n : 1;
  float x[WARP_LANES];
  memcpy(x, coordinates, sizeof x);
  if (floats && !t->is_linear && mode == TEXTURE_WRAP && t->normalised)
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
      const float texels = (x[lane] - floorf(x[lane])) * scale;
      const int32_t i = (int32_t)(texels > 0 ? texels : 0);
      at[lane] = i < n ? i : i - n;
    }
  else if (floats && !t->is_linear &&
           (mode == TEXTURE_CLAMP || (mode != TEXTURE_BORDER && !t->normalised)))
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
      const float texels = x[lane] > 0 ? x[lane] * scale : 0;
      at[lane] = texels < (float)(n - 1) ? (int32_t)texels : n - 1;
    }
  else
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
      at[lane] =
          inside(t, axis, floats ? whole(in_texels(t, axis, x[lane])) : (int32_t)coordinates[lane]);
}

/* Loads the texels if all of them are in bounds and defined; otherwise returns false and does
 * nothing. */
static bool load_texels(Frame *f, const PtxInsn *insn, uint32_t lanes, const Texture *t,
                        const Allocation *a, int32_t at[3][WARP_LANES]) {
  const uint32_t bytes = (uint32_t)t->channels * t->channel_bytes;
  const uint64_t start = t->address - a->address, pitch = t->pitch, slice = t->slice;
  uint64_t offset[WARP_LANES];
  uint32_t out = 0;
  if (!a->all_defined || a->touched)
    return false;
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    offset[lane] = start + (uint64_t)at[2][lane] * slice + (uint64_t)at[1][lane] * pitch +
                   (uint64_t)at[0][lane] * bytes;
    out |=
        (uint32_t)((at[0][lane] | at[1][lane] | at[2][lane]) < 0 || offset[lane] + bytes > a->bytes)
        << lane;
  }
  if (out & lanes)
    return false;
  for (unsigned i = 0; i < insn->count; i++) {
    if (insn->list[i] == PTX_NO_REG)
      continue;
    uint32_t *to = slot32(f->registers, insn->list[i]);
    EACH_SET(lane, lanes) {
      to[lane] = 0;
      if (i < t->channels)
        memcpy(&to[lane], a->view + offset[lane] + i * sizeof *to, sizeof *to);
    }
  }
  return true;
}

/* Executes a fetch if all lanes fetch the nearest texel of the same texture. Otherwise returns
 * false and does nothing. */
static bool fetch_nearest(Warp *w, const PtxInsn *insn, uint32_t lanes, uint64_t *address,
                          uint32_t *undefined) {
  Frame *f = w->frame;
  const uint32_t slots[3] = {insn->b, insn->c, insn->mask};
  const unsigned axes = insn->sub & 3u, first = (unsigned)__builtin_ctz(lanes);
  const bool floats = insn->sub & PTX_TEX_FLOAT;
  const uint64_t *handles = slot64(f->registers, insn->a);
  int32_t at[3][WARP_LANES] = {{0}};
  uint32_t different = 0;
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    different |= (uint32_t)(handles[lane] != handles[first]) << lane;
  if (different & lanes ||
      insn->sub & (PTX_TEX_PLACE | PTX_TEX_GATHER | PTX_TEX_LAYERED | PTX_TEX_CUBE))
    return false;
  const Texture *t = texture_find(handles[first]);
  if (!t || t->is_surface || (t->filters && floats) || !is_plain(t))
    return false;
  const Fetch all = {.w = w, .texture = t, .memory = memory_find(t->address)};
  if (!all.memory)
    return false;
  for (unsigned i = 0; i < axes && i < t->rank; i++)
    nearest(t, i, slot32(f->registers, slots[i]), floats, at[i]);
  if (load_texels(f, insn, lanes, t, all.memory, at))
    return true;
  EACH_SET(lane, lanes) {
    const int32_t place[3] = {at[0][lane], at[1][lane], at[2][lane]};
    uint32_t out[4];
    Fetch one = all;
    texel(&one, place, out);
    if (one.beyond)
      fail_beyond(&one, w, insn, lane);
    *undefined |= (uint32_t)one.undefined << lane;
    address[lane] = one.where;
    for (unsigned i = 0; i < insn->count; i++)
      if (insn->list[i] != PTX_NO_REG)
        slot32(f->registers, insn->list[i])[lane] = out[i];
  }
  return true;
}

void step_texture(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  Frame *f = w->frame;
  const uint32_t slots[3] = {insn->b, insn->c, insn->mask};
  uint64_t address[WARP_LANES] = {0};
  uint32_t undefined = 0;
  const uint32_t left = fetch_nearest(w, insn, lanes, address, &undefined) ? 0 : lanes;
  EACH_SET(lane, left) {
    uint32_t at[3] = {0}, out[4] = {0};
    Fetch one;
    for (unsigned i = 0; i < (insn->sub & 3u); i++)
      at[i] = slot32(f->registers, slots[i])[lane];
    const bool open = open_texture(w, insn, lane, slot64(f->registers, insn->a)[lane], &one);
    if (insn->sub & PTX_TEX_PLACE)
      slot64(f->registers, insn->d)[lane] = open ? surface_place(&one, insn, at) : 0;
    else if (open)
      fetch(&one, insn, at, out);
    if (one.beyond)
      fail_beyond(&one, w, insn, lane);
    undefined |= (uint32_t)one.undefined << lane;
    address[lane] = one.where;
    for (unsigned i = 0; i < insn->count; i++)
      if (insn->list[i] != PTX_NO_REG)
        slot32(f->registers, insn->list[i])[lane] = out[i];
  }
  if (!(insn->sub & PTX_TEX_PLACE))
    hook_texture_load(w, f, insn, lanes, undefined, address);
}
