/* Converts the records of a chunk from rows and marks to notes and cells (global_notes.h). */
#include "global_notes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void global_notes_open(const Run *run, const struct GlobalShadow *s, Chunk *c, unsigned n) {
  const size_t granules = CHUNK_BYTES >> s->shift;
  if (!c->notes[n]) {
    c->notes[n] = malloc(granules * sizeof *c->notes[n]);
    assert(c->notes[n]);
  }
  memset(c->notes[n], 0, granules * sizeof *c->notes[n]);
  c->epoch[n] = run->observed->epoch;
}

static void spread_class(const Run *run, const struct GlobalShadow *s, Chunk *c, Class class) {
  const Rows *rows = c->rows[class];
  if (c->epoch_of_rows[class] != run->observed->epoch)
    return;
  c->epoch_of_rows[class] = 0;
  global_notes_open(run, s, c, 2 * class + FIRST);
  for (size_t g = 0, n = CHUNK_BYTES >> s->shift; g < n; g++) {
    const uint64_t first = rows->note[g / LINE], per_lane = (first & HASH_MASK) - 1;
    if (first)
      c->notes[2 * class + FIRST][g] = (first & ~HASH_MASK) +
                                       (g % LINE >> per_lane << THREAD_SHIFT) +
                                       (class == READS ? 0 : rows->hash[g]);
  }
}

/* Finds the block of each mark with a table that is indexed by the mark's time. In a transpose or a
 * scatter, the marks of a chunk come from hundreds of blocks, and the table is faster than one
 * comparison per mark and stretch. FEW_STRETCHES: the table is used if there are more stretches. */
enum { FEW_STRETCHES = 4 };
static void blocks_by_time(const Stretch *stretch, const Stretch *last, uint32_t first,
                           const uint32_t *mark, uint32_t *block, size_t granules) {
  static _Thread_local uint32_t block_at[MARK_LATEST + 1];
  uint32_t time = 1;
  for (; stretch <= last; stretch++) {
    const uint32_t end = stretch < last ? stretch[1].start - first + 1 : MARK_LATEST + 1;
    for (; time < end; time++)
      block_at[time] = stretch->block + 1;
  }
  for (size_t g = 0; g < granules; g++)
    block[g] = block_at[mark[g] >> MARK_TIME];
}

void global_blocks_of_marks(const Timeline *t, const Chunk *c, Class class, uint32_t *block,
                            size_t granules) {
  const uint32_t *mark = c->marks[class].of, first = c->first_time;
  uint32_t most = 0;
  for (size_t g = 0; g < granules; g++)
    most = mark[g] > most ? mark[g] : most;
  const uint32_t latest = most >> MARK_TIME;
  if (!latest) {
    memset(block, 0, granules * sizeof *block);
    return;
  }
  const Stretch *stretch = cell_stretch(t, first);
  const Stretch *last = cell_stretch(t, first + latest - 1);
  if (last - stretch > FEW_STRETCHES) {
    blocks_by_time(stretch, last, first, mark, block, granules);
    return;
  }
  for (size_t g = 0; g < granules; g++)
    block[g] = mark[g] ? stretch->block + 1 : 0;
  for (; stretch < last; stretch++) {
    const uint32_t from = (stretch[1].start - first + 1) << MARK_TIME;
    const uint32_t step = stretch[1].block - stretch->block;
    for (size_t g = 0; g < granules; g++)
      block[g] += mark[g] >= from ? step : 0;
  }
}

static void spread_marks(const Run *run, const struct GlobalShadow *s, uint32_t worker, Chunk *c,
                         Class class) {
  const size_t granules = CHUNK_BYTES >> s->shift;
  const uint32_t *mark = c->marks[class].of;
  const uint16_t *hash = c->marks[class].hash;
  const uint64_t most = GLOBAL_RACE_BLOCKS;
  uint32_t block[CHUNK_BYTES];
  if (c->epoch_of_marks[class] != run->observed->epoch)
    return;
  c->epoch_of_marks[class] = 0;
  global_notes_open(run, s, c, 2 * class + FIRST);
  uint64_t *note = c->notes[2 * class + FIRST];
  global_blocks_of_marks(&run->observed->timelines[worker], c, class, block, granules);
  for (size_t g = 0; g < granules; g++) {
    const uint64_t number = block[g] < most + 1 ? block[g] : most + 1;
    note[g] = number << BLOCK_SHIFT | (uint64_t)(mark[g] >> CELL_THREAD & 1023) << THREAD_SHIFT |
              (uint64_t)(mark[g] & 1023) << SITE_SHIFT;
  }
  for (size_t g = 0; hash && g < granules; g++)
    note[g] |= mark[g] ? hash[g] : 0;
}

void global_notes_spread(const Run *run, const struct GlobalShadow *s, uint32_t worker, Chunk *c) {
  spread_class(run, s, c, WRITES);
  spread_class(run, s, c, READS);
  spread_marks(run, s, worker, c, WRITES);
  spread_marks(run, s, worker, c, READS);
}

/* Creates the cells for the last write or the last read of each granule from rows. */
static void cells_from_rows(const Run *run, const struct GlobalShadow *s, Chunk *c, Class class) {
  const Rows *rows = c->rows[class];
  const size_t granules = CHUNK_BYTES >> s->shift;
  if (c->epoch_of_rows[class] != run->observed->epoch)
    return;
  Cell *cells = cells_of(c->cells, class == WRITES ? LAST_WRITE : READ, granules);
  uint16_t *hash = class == WRITES ? cell_hashes_of(c->cells, LAST_WRITE, granules) : NULL;
  for (size_t g = 0; g < granules; g++) {
    const uint64_t first = rows->note[g / LINE], per_lane = (first & HASH_MASK) - 1;
    if (!first)
      continue;
    const uint64_t thread = (first >> THREAD_SHIFT & 1023) + (g % LINE >> per_lane);
    cells[g] = (Cell)rows->time[g / LINE] << CELL_TIME | thread << CELL_THREAD |
               (first >> SITE_SHIFT & 1023);
    if (hash)
      hash[g] = rows->hash[g];
  }
}

static void cells_from_marks(const Run *run, const struct GlobalShadow *s, Chunk *c, Class class) {
  const GranuleMarks *marks = &c->marks[class];
  const size_t granules = CHUNK_BYTES >> s->shift;
  if (c->epoch_of_marks[class] != run->observed->epoch)
    return;
  Cell *cells = cells_of(c->cells, class == WRITES ? LAST_WRITE : READ, granules);
  for (size_t g = 0; g < granules; g++) {
    const uint32_t mark = marks->of[g];
    const Cell cell = (Cell)(c->first_time + (mark >> MARK_TIME) - 1) << CELL_TIME |
                      (mark & ((1u << MARK_TIME) - 1));
    cells[g] = mark ? cell : cells[g];
  }
  if (class == WRITES)
    memcpy(cell_hashes_of(c->cells, LAST_WRITE, granules), marks->hash,
           granules * sizeof *marks->hash);
}

void global_cells_open(const Run *run, const struct GlobalShadow *s, uint32_t worker, Chunk *c) {
  c->cells = c->cells ? c->cells : calloc(1, sizeof *c->cells);
  assert(c->cells);
  for (int i = 0; i < 2; i++) {
    cells_from_rows(run, s, c, i ? READS : WRITES);
    cells_from_marks(run, s, c, i ? READS : WRITES);
  }
  global_notes_spread(run, s, worker, c);
  c->epoch_of_cells = run->observed->epoch;
}
