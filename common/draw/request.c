/* Computes the words, wavefronts and sectors of a request from its 32 addresses. The rules for
 * banks are those of the emulated device (emulator/observe/banks.h). The device only counts
 * wavefronts; this file also stores which lanes access each word. */
#include <string.h>

#include "draw.h"
#include "emulator/observe/banks.h"

/* ---- the accessed array ---------------------------------------------------------------------- */
static const SharedArray *array_named(const Kernel *k, const char *name) {
  for (size_t i = 0; i < k->array_count; i++)
    if (!strcmp(k->arrays[i].name, name))
      return &k->arrays[i];
  return NULL;
}

static void find_shared(Request *r, const Source *source) {
  const SharedArray *array = array_named(r->kernel, r->sample->buffer);
  snprintf(r->name, sizeof r->name, "%s", array ? array->name : "shared memory");
  r->bytes = array ? array->bytes : r->kernel->shared_bytes;
  r->start = array ? array->offset : 0;
  if (array && array->dynamic && !array->bytes && r->kernel->shared_bytes > array->offset)
    /* dynamic shared memory: the launch determines its size */
    r->bytes = r->kernel->shared_bytes - array->offset;
  if (array && source && r->sample->element)
    r->columns = source_columns(source, r->name, r->bytes / r->sample->element, r->access->line);
  if (r->columns)
    r->rows = r->bytes / r->sample->element / r->columns;
}

static void find_global(Request *r, const Source *source) {
  const Sample *s = r->sample;
  bool named = *s->buffer && strncmp(s->buffer, "allocation ", 11);
  r->bytes = s->buffer_bytes;
  r->rows = s->rows;
  r->columns = s->columns;
  if (named || !source ||
      !source_parameter(source, r->kernel->name, r->access->parameter, r->name, sizeof r->name))
    snprintf(r->name, sizeof r->name, "%s", *s->buffer ? s->buffer : "memory");
}

Request request_of(const Recording *recording, const Kernel *k, const Access *a,
                   const Source *source) {
  Request r = {.kernel = k,
               .access = a,
               .sample = a->sample,
               .banks = recording->banks ? recording->banks : BANKS_4};
  (a->space == SPACE_SHARED ? find_shared : find_global)(&r, source);
  return r;
}

/* If the number of columns is 1 more than a multiple of 16, the last column is padding. Several
 * more columns may be the halo of a stencil, so they do not count as padding. */
unsigned request_padding(const Request *r) {
  return r->rows > 1 && r->columns > 16 && r->columns % 16 == 1 && r->rows % 2 == 0;
}

void request_place(const Request *r, char *out, size_t size) {
  const Sample *s = r->sample;
  char block[40];
  snprintf(block, sizeof block, s->block[2] || r->kernel->grid[2] > 1 ? "(%u,%u,%u)" : "(%u,%u)",
           s->block[0], s->block[1], s->block[2]);
  snprintf(out, size, "kernel %.60s, warp %u of block %s", r->kernel->name, s->warp, block);
}

const char *request_verb(const Request *r) {
  return r->access->operation == OPERATION_LOAD    ? "load"
         : r->access->operation == OPERATION_STORE ? "store"
                                                   : "atomic operation";
}

void lanes_text(uint32_t lanes, char *out, size_t size) {
  int count = __builtin_popcount(lanes);
  if (!lanes) {
    snprintf(out, size, "no lane");
    return;
  }
  int first = __builtin_ctz(lanes), last = 31 - __builtin_clz(lanes);
  if (count == 1)
    snprintf(out, size, "lane %d", first);
  else if (count == last - first + 1)
    snprintf(out, size, "lanes %d to %d", first, last);
  else
    snprintf(out, size, "%d lanes from %d to %d", count, first, last);
}

/* ---- shared memory --------------------------------------------------------------------------- */
static unsigned access_size(const Request *r) {
  unsigned bytes = r->access->bytes;
  bool fits = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
  return fits ? bytes : 4;
}

static uint32_t addresses(const Request *r, uint64_t out[LANES]) {
  uint32_t lanes = 0;
  for (int lane = 0; lane < LANES; lane++) {
    bool active = r->sample->offset[lane] != NO_OFFSET;
    out[lane] = active ? (uint64_t)r->sample->offset[lane] : 0;
    lanes |= (uint32_t)active << lane;
  }
  return lanes;
}

/* Adds one lane's access to word `number`. The words of the current phase begin at index `first`,
 * and the first wavefront of the phase is `wavefront`. */
static void want(Schedule *s, unsigned first, unsigned wavefront, uint64_t number, int lane) {
  unsigned depth = 0;
  for (unsigned i = first; i < s->count; i++) {
    if (s->words[i].number == number && !s->in_turn) {
      s->words[i].lanes |= 1u << lane;
      return;
    }
    depth += s->words[i].number % BANKS == number % BANKS;
  }
  s->words[s->count++] = (Word){number, wavefront + depth, 1u << lane, depth > 0};
  if (wavefront + depth + 1 > s->wavefronts)
    s->wavefronts = wavefront + depth + 1;
}

/* Assigns the words to wavefronts. If `in_turn` is true, lanes that access the same word are
 * serialised. */
static Schedule schedule(const Request *r, bool in_turn) {
  Schedule s = {.in_turn = in_turn};
  uint64_t address[LANES];
  uint32_t lanes = addresses(r, address);
  unsigned bytes = access_size(r);
  uint32_t offset[LANES]; /* offsets in shared memory fit in 32 bits */
  for (unsigned lane = 0; lane < LANES; lane++)
    offset[lane] = (uint32_t)address[lane];
  unsigned together =
      banks_phase_lanes(offset, lanes, bytes, r->banks, r->access->operation == OPERATION_LOAD);
  for (unsigned from = 0; from < LANES; from += together) {
    unsigned first = s.count, wavefront = s.wavefronts;
    for (unsigned lane = from; lane < from + together; lane++)
      for (unsigned at = 0; (lanes >> lane & 1) && at < bytes; at += banks_word_bytes(r->banks))
        want(&s, first, wavefront, banks_word(offset[lane] + at, r->banks), (int)lane);
    s.ideal += s.count > first;
  }
  return s;
}

/* Most atomic operations need more wavefronts than loads from the same addresses. If the device
 * counted more wavefronts than the schedule has, lanes with the same word were serialised. */
Schedule request_schedule(const Request *r) {
  Schedule s = schedule(r, false);
  if (r->access->operation == OPERATION_ATOMIC && r->sample->wavefronts > s.wavefronts)
    s = schedule(r, true);
  return s;
}

/* ---- global memory --------------------------------------------------------------------------- */
static void add_sector(Footprint *f, uint64_t sector) {
  unsigned at = f->count;
  for (unsigned i = 0; i < f->count; i++)
    if (f->sector[i] == sector)
      return;
  for (; at > 0 && f->sector[at - 1] > sector; at--)
    f->sector[at] = f->sector[at - 1];
  f->sector[at] = sector;
  f->count++;
}

/* Returns true if a lower lane has the same address. Comparing addresses is enough: accesses are
 * aligned, so two accesses have either all bytes or no byte in common. */
static bool seen_before(const Sample *s, int lane) {
  for (int other = 0; other < lane; other++)
    if (s->offset[other] == s->offset[lane])
      return true;
  return false;
}

Footprint request_footprint(const Request *r) {
  Footprint f = {.count = 0};
  unsigned bytes = access_size(r);
  for (int lane = 0; lane < LANES; lane++) {
    int64_t offset = r->sample->offset[lane];
    if (offset == NO_OFFSET || seen_before(r->sample, lane))
      continue;
    add_sector(&f, (uint64_t)offset / SECTOR_BYTES);
    add_sector(&f, ((uint64_t)offset + bytes - 1) / SECTOR_BYTES);
    f.bytes_used += bytes;
  }
  return f;
}
