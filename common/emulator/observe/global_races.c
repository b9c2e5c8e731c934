/* Chooses the buffers on which a launch may race, and records accesses to these buffers. Rows get
 * one note per line; global_touch.c records other accesses. */
#include "global_races.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../state/lanes.h"
#include "../state/settings.h"
#include "global_cells.h"
#include "global_notes.h"
#include "global_touch.h"

static struct GlobalShadow **shadows; /* indexed by the number of the allocation */
static uint32_t nshadows;

/* ---- choosing buffers ------------------------------------------------------------------------ */
static void forget(struct GlobalShadow *s) {
  for (uint32_t k = 0; s && k < machine_settings()->workers; k++) {
    for (size_t i = 0; s->of_worker[k] && i < s->chunks; i++) {
      Chunk *c = &s->of_worker[k][i];
      for (unsigned n = 0; n < NOTES; n++)
        free(c->notes[n]);
      for (unsigned n = 0; n < CLASSES; n++) {
        free(c->rows[n]);
        free(c->marks[n].of);
        free(c->marks[n].hash);
      }
      cells_free(c->cells);
    }
    free(s->of_worker[k]);
    s->of_worker[k] = NULL;
  }
}

static struct GlobalShadow *shadow_of(const Allocation *a, unsigned shift) {
  uint32_t workers = machine_settings()->workers;
  if (a->number >= nshadows) {
    uint32_t more = a->number + 64;
    shadows = realloc(shadows, more * sizeof *shadows);
    assert(shadows);
    memset(shadows + nshadows, 0, (more - nshadows) * sizeof *shadows);
    nshadows = more;
  }
  struct GlobalShadow **s = &shadows[a->number];
  if (!*s) {
    *s = calloc(1, sizeof **s + workers * sizeof(*s)->of_worker[0]);
    assert(*s);
    (*s)->chunks = a->bytes / CHUNK_BYTES + 2;
    (*s)->shift = shift;
  }
  if ((*s)->shift != shift)
    forget(*s);
  (*s)->shift = shift;
  return *s;
}

void global_races_free(Allocation *a) {
  if (a->number >= nshadows)
    return;
  forget(shadows[a->number]);
  free(shadows[a->number]);
  shadows[a->number] = NULL;
  a->shadow = NULL;
}

/* Starts a new epoch, which invalidates all earlier notes. The workers' clocks are not reset. If a
 * clock is about to overflow, all shadows are discarded and the clocks restart. */
void global_notes_begin(Run *run) {
  static uint32_t epoch;
  static Timeline *timelines; /* one per worker */
  const uint32_t workers = machine_settings()->workers;
  uint32_t latest = 0;
  timelines = timelines ? timelines : calloc(workers, sizeof *timelines);
  assert(timelines);
  for (uint32_t k = 0; k < workers; k++) {
    timelines[k].count = 0;
    latest = timelines[k].latest > latest ? timelines[k].latest : latest;
  }
  for (uint32_t i = 0; latest > UINT32_MAX / 2 && i < nshadows; i++)
    forget(shadows[i]);
  for (uint32_t k = 0; latest > UINT32_MAX / 2 && k < workers; k++)
    timelines[k].latest = 0;
  run->observed->timelines = timelines;
  run->observed->epoch = ++epoch;
}

/* Returns true if accesses of these kinds can race. `ways`: flags such as PTX_STORES. A race
 * requires a write. Atomic operations race with each other only if they differ in scope or size. */
static bool may_race(unsigned ways) {
  const unsigned sizes = PTX_CHANGES_WIDE | PTX_CHANGES_NARROW;
  return ways & PTX_STORES || (ways & PTX_CHANGES && ways & (PTX_READS | PTX_MEETS)) ||
         ways & PTX_CHANGES_IN_BLOCK || (ways & sizes) == sizes;
}

static const Allocation **buffers_given(const Launch *launch, const PtxFunction *f) {
  const Allocation **given = calloc(f->nparams + 1, sizeof *given);
  assert(given);
  for (uint32_t i = 0; i < f->nparams; i++)
    given[i] = launch_buffer(launch, &f->params[i]);
  return given;
}

void global_races_launch(Run *run) {
  RunObserved *o = run->observed;
  const PtxFunction *f = run->function;
  o->given = buffers_given(run->launch, f);
  o->watch_global = run->checks && run->nblocks * run->nthreads > 1;
  o->orders = run->checks && f->orders;
  o->in_turn = run->in_turn;
  global_notes_begin(run);
  unsigned shift = f->global_granule == 1 ? 0 : f->global_granule == 2 ? 1 : 2;
  for (Allocation *a = memory_next(NULL); a; a = memory_next(a)) {
    bool watched = o->watch_global && a->kind != MEMORY_CONSTANT &&
                   a->address != run->grid_memory && may_race(launch_accesses(run->launch, a));
    a->shadow = watched ? shadow_of(a, shift) : NULL;
  }
}

/* Returns an array of the values that the lanes write, without gaps. May use `space` for the
 * array. */
static const uint8_t *all_values(const Warp *w, const PtxInsn *insn, uint32_t lanes,
                                 uint8_t *space) {
  const uint32_t bytes = access_bytes(insn), element = ptx_type_bytes((PtxType)insn->type);
  uint32_t offset[WARP_LANES];
  if (insn->count == 1 && (element == 8 || (element == 4 && !has_wide_registers(insn))))
    return w->frame->registers + insn->list[0]; /* the values in the register have no gaps */
  for (uint32_t lane = 0; lane < WARP_LANES; lane++)
    offset[lane] = lane * bytes;
  if (insn->count == 1)
    get_row(w->frame->registers, insn, space);
  else
    get_lanes(w->frame->registers, insn, lanes, space, offset);
  return space;
}

/* ---- rows ------------------------------------------------------------------------------------ */
static __attribute__((noinline)) void open_rows(const Run *run, const struct GlobalShadow *s,
                                                Chunk *c, Class class) {
  const size_t granules = CHUNK_BYTES >> s->shift, lines = granules / LINE;
  Rows *rows = c->rows[class];
  if (!rows) {
    rows = c->rows[class] =
        malloc(sizeof *rows + lines * (sizeof rows->note[0] + sizeof rows->time[0]) +
               granules * sizeof rows->hash[0]);
    assert(rows);
    rows->hash = (uint16_t *)(void *)(rows->note + lines);
    rows->time = (uint32_t *)(void *)(rows->hash + granules);
  }
  memset(rows->note, 0, lines * sizeof rows->note[0]);
  c->epoch_of_rows[class] = run->observed->epoch;
}

/* An access of a full warp whose lanes access consecutive granules (a row, global_notes.h). `line`:
 * index of its first group of LINE granules in the chunk. `lines`: number of these groups. `base`:
 * the note of the first group. */
typedef struct Row {
  uint64_t line, base;
  /* `per_lane`: log2 of the number of granules per lane. */
  unsigned per_lane, lines;
  uint32_t time;
} Row;

static ALWAYS_INLINE uint64_t row_note(const Row *r, unsigned k) {
  return r->base + ((uint64_t)(k * LINE >> r->per_lane) << THREAD_SHIFT);
}

/* Compares a row with rows of the other class: reads with writes, or writes with reads. Returns
 * true if no granule was accessed by two threads of this block. Lines of other blocks are
 * ignored. */
static ALWAYS_INLINE bool rows_agree(const Rows *other, const Row *r) {
  const uint64_t site = UINT64_C(1023) << SITE_SHIFT;
  uint64_t wrong = 0;
  for (unsigned k = 0; k < r->lines; k++) {
    const uint64_t old = other->note[r->line + k], differ = old ^ row_note(r, k);
    wrong |= (old != 0) & (differ >> BLOCK_SHIFT == 0) & ((differ & ~site) != 0);
  }
  return !wrong;
}

/* Writes the notes of all lines if no line has a note. Also returns true if all lines have these
 * notes and hashes already. Otherwise returns false: a note must not be replaced. */
static ALWAYS_INLINE bool note_lines(Rows *rows, const Row *r, const uint32_t *value) {
  uint64_t *note = rows->note + r->line, any = 0, other = 0;
  uint16_t *hash = rows->hash + r->line * LINE, differ = 0;
  uint32_t *time = rows->time + r->line;
  const unsigned count = r->lines * LINE;
  for (unsigned k = 0; k < r->lines; k++) {
    any |= note[k];
    other |= note[k] ^ row_note(r, k);
  }
  if (!any) {
    for (unsigned k = 0; k < r->lines; k++) {
      note[k] = row_note(r, k);
      time[k] = r->time;
    }
    for (unsigned k = 0; value && k < count; k++)
      hash[k] = (uint16_t)cell_hash(value[k]);
    return true;
  }
  for (unsigned k = 0; !other && value && k < count; k++)
    differ |= hash[k] ^ (uint16_t)cell_hash(value[k]);
  for (unsigned k = 0; !other && k < r->lines; k++)
    time[k] = r->time;
  return !other && !differ;
}

/* Records a row with one note for each of its lines. Returns false if the row must be recorded
 * granule by granule instead. */
static ALWAYS_INLINE bool note_row(Warp *w, const PtxInsn *insn, const Allocation *a, uint64_t at,
                                   Class class, const uint32_t *value, unsigned per_lane,
                                   unsigned count) {
  const Run *run = w->worker->run;
  const uint32_t epoch = run->observed->epoch;
  const unsigned shift = a->shadow->shift;
  Chunk *c = chunk_of(w, a, at);
  const Class other = class == READS ? WRITES : READS;
  if (at % ((uint64_t)LINE << shift) || c->epoch_of_cells == epoch || run->observed->orders ||
      (c->epoch_of_first == epoch && c->marked))
    return false;
  const Row r = {(at % CHUNK_BYTES >> shift) / LINE, note_of(w, insn, 0) + per_lane + 1, per_lane,
                 count / LINE, cell_time(w, timeline_of(w))};
  note_first_time(run, c, r.time);
  if (c->epoch_of_rows[class] != epoch)
    open_rows(run, a->shadow, c, class);
  return (c->epoch_of_rows[other] != epoch || rows_agree(c->rows[other], &r)) &&
         note_lines(c->rows[class], &r, value);
}

/* Returns true if a row is within one chunk and each of its elements is one granule, or consists of
 * several granules of 4 bytes. */
static ALWAYS_INLINE bool is_plain_row(const PtxInsn *insn, const Allocation *a, uint64_t at) {
  const unsigned bytes = access_bytes(insn), shift = a->shadow->shift;
  return (shift == 2 ? bytes >= 4 && bytes <= 16 : bytes == 1u << shift) &&
         at % CHUNK_BYTES <= CHUNK_BYTES - bytes * WARP_LANES;
}

/* Returns the values of a row for which is_plain_row is true: one 32-bit word per granule, as
 * cell_hash needs them. */
static ALWAYS_INLINE const uint32_t *row_words(const uint8_t *value, unsigned shift,
                                               uint32_t *space) {
  if (!value || shift == 2)
    return (const uint32_t *)(const void *)value;
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    space[lane] = shift == 0 ? value[lane] : value[2 * lane] | (uint32_t)value[2 * lane + 1] << 8;
  return space;
}

static ALWAYS_INLINE bool note_whole(Warp *w, const PtxInsn *insn, Allocation *a, uint64_t at,
                                     Class class, const uint8_t *value) {
  const unsigned n = granules(insn, a);
  uint32_t space[WARP_LANES];
  if (!is_plain_row(insn, a, at))
    return false;
  const uint32_t *words = row_words(value, a->shadow->shift, space);
  return n == 1   ? note_row(w, insn, a, at, class, words, 0, WARP_LANES)
         : n == 2 ? note_row(w, insn, a, at, class, words, 1, 2 * WARP_LANES)
                  : note_row(w, insn, a, at, class, words, 2, 4 * WARP_LANES);
}

/* ---- accesses that miss their buffer --------------------------------------------------------- */
/* Returns true if the address was computed from a pointer to another buffer than `a`, because the
 * index is beyond the guard zone of that buffer. Such an access is reported as out of bounds; a
 * report of its races would be misleading. */
static ALWAYS_INLINE bool misses_buffer(const Warp *w, const PtxInsn *insn, const Allocation *a) {
  const Run *run = w->worker->run;
  if (insn->parameter < 0 || w->frame->function != run->function)
    return false;
  const Allocation *given = run->observed->given[insn->parameter];
  return given && given != a && a->kind != MEMORY_VARIABLE && a->kind != MEMORY_CONSTANT;
}

static __attribute__((noinline)) void tell_missed(Warp *w, const PtxInsn *insn, uint32_t lanes,
                                                  uint64_t address, uint64_t step) {
  EACH_SET(lane, lanes)
  mistake_access(w, insn, lane, PTX_GLOBAL, address + lane * step, access_bytes(insn),
                 REPORT_OUT_OF_BOUNDS);
}

/* ---- accesses -------------------------------------------------------------------------------- */
/* Returns true if granules have 4 bytes and each lane accesses complete granules, at most four. */
static bool is_in_words(const PtxInsn *insn, const Allocation *a) {
  const unsigned bytes = access_bytes(insn);
  return a->shadow->shift == 2 && bytes >= 4 && bytes <= 16;
}

void global_races_access(Warp *w, const PtxInsn *insn, const Shape *shape, Allocation *a,
                         uint64_t at, AccessKind kind) {
  const uint64_t start = at - a->address;
  uint8_t space[32 * 32 + 4];
  uint64_t each[WARP_LANES];
  uint32_t places = shape->lanes, several = 0;
  if (__builtin_expect(misses_buffer(w, insn, a), 0)) {
    EACH_SET(lane, shape->lanes) tell_missed(w, insn, 1u << lane, shape_at(shape, at, lane), 0);
    return;
  }
  const uint8_t *value = kind == ACCESS_WRITES ? all_values(w, insn, shape->lanes, space) : NULL;
  for (uint32_t lane = 0; lane < WARP_LANES; lane++)
    each[lane] = shape_at(shape, start, lane);
  if (kind == ACCESS_READS && shape_places(shape) != shape->nlanes) {
    places = 0;
    for (uint32_t k = 0; k < shape->nplaces; k++)
      places |= 1u << shape->place[k];
    several = lanes_from_truth(shape->several) & places;
  }
  CellAccess x = cell_access(w, insn, a, kind, timeline_of(w));
  x.lanes = shape->lanes;
  x.at = each;
  x.value = value;
  if (x.simple && is_in_words(insn, a) && global_touch_words(&x, shape, start, granules(insn, a)))
    return;
  global_touch_lanes(&x, places, several);
}

/* All lanes read the same address, so only the first thread is recorded, with CELL_SEVERAL. */
void global_races_read_one(Warp *w, const PtxInsn *insn, Allocation *a, uint64_t address) {
  const uint64_t each[WARP_LANES] = {address - a->address};
  if (__builtin_expect(misses_buffer(w, insn, a), 0)) {
    tell_missed(w, insn, 1, address, 0);
    return;
  }
  CellAccess x = cell_access(w, insn, a, ACCESS_READS, timeline_of(w));
  x.lanes = 1;
  x.at = each;
  x.mine |= CELL_SEVERAL;
  global_touch_lanes(&x, 1, 0);
}

void global_races_row(Warp *w, const PtxInsn *insn, Allocation *a, uint64_t address,
                      AccessKind kind) {
  const Class class = class_of(insn, kind);
  const uint64_t at = address - a->address;
  uint8_t space[16 * WARP_LANES];
  uint64_t each[WARP_LANES];
  if (__builtin_expect(misses_buffer(w, insn, a), 0)) {
    tell_missed(w, insn, ALL_LANES, address, access_bytes(insn));
    return;
  }
  const uint8_t *value = kind == ACCESS_WRITES ? all_values(w, insn, ALL_LANES, space) : NULL;
  if ((class == READS || class == WRITES) && note_whole(w, insn, a, at, class, value))
    return;
  for (uint32_t lane = 0; lane < WARP_LANES; lane++)
    each[lane] = at + lane * access_bytes(insn);
  CellAccess x = cell_access(w, insn, a, kind, timeline_of(w));
  x.lanes = ALL_LANES;
  x.at = each;
  x.value = value;
  if (x.simple && is_plain_row(insn, a, at) &&
      global_touch_row(&x, WARP_LANES * granules(insn, a), lowest(granules(insn, a))))
    return;
  global_touch_lanes(&x, ALL_LANES, 0);
}
