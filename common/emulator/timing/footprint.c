#include "footprint.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

double stretch_weight(const TracedWarp *w, uint32_t s) {
  uint64_t end = s + 1 < w->nstretches ? w->from[s + 1] : w->executed;
  return w->recorded[s] ? (double)(end - w->from[s]) / w->recorded[s] : 1;
}

/* ---- numbers of lines ---------------------------------------------------------------------------- */
static uint64_t renumbered(uint64_t entry, const Allocation **recent) {
  uint64_t address = traced_line(entry) * LINE_BYTES;
  const Allocation *a = *recent;
  if (!a || address + LINE_BYTES <= a->address || address >= a->address + a->bytes)
    a = memory_find(address);
  for (int i = 1; !a && i < 4; i++) /* the line's other sectors may be the buffer's first */
    a = memory_find(address + (uint64_t)i * SECTOR_BYTES);
  *recent = a;
  uint64_t number = a ? a->number & 255 : 0, from = a ? a->address / LINE_BYTES : 0;
  uint64_t line = (traced_line(entry) - from) & ((UINT64_C(1) << LINE_BITS) - 1);
  return (number << LINE_BITS | line) << 4 | traced_sectors(entry);
}

/* ---- sets of sectors: line -> mask ----------------------------------------------------------------- */
typedef struct SectorSet {
  uint64_t *lines; /* as in traces; 0: free */
  uint32_t room, count;
} SectorSet;

static uint32_t slot_of(const SectorSet *s, uint64_t line) {
  uint32_t at = (uint32_t)((line + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 40) & (s->room - 1);
  while (s->lines[at] && traced_line(s->lines[at]) != line + 1)
    at = (at + 1) & (s->room - 1);
  return at;
}

static void grow(SectorSet *s) {
  SectorSet larger = {calloc(s->room ? 2 * s->room : 1024, sizeof *s->lines),
                      s->room ? 2 * s->room : 1024, s->count};
  assert(larger.lines);
  for (uint32_t i = 0; i < s->room; i++)
    if (s->lines[i])
      larger.lines[slot_of(&larger, traced_line(s->lines[i]) - 1)] = s->lines[i];
  free(s->lines);
  *s = larger;
}

/* How many of these sectors are new. */
static unsigned add_sectors(SectorSet *s, uint64_t entry) {
  if (2 * s->count >= s->room)
    grow(s);
  uint32_t at = slot_of(s, traced_line(entry));
  s->count += !s->lines[at];
  unsigned before = s->lines[at] ? traced_sectors(s->lines[at]) : 0;
  s->lines[at] = (traced_line(entry) + 1) << 4 | before | traced_sectors(entry);
  return (unsigned)__builtin_popcount(traced_sectors(entry) & ~before);
}

/* ---- which lines one block has to itself ---------------------------------------------------------- */
/* Each entry once: what several accesses share comes with the first of them. */
typedef void VisitLine(uint64_t *entry, uint32_t block, void *data);
static void each_line(Trace *t, VisitLine *visit, void *data) {
  for (uint32_t i = 0; i < t->nsampled; i++)
    for (uint32_t k = 0; k < t->nwarps; k++) {
      TracedWarp *w = &t->blocks[i].warps[k];
      uint32_t new = 0;
      for (uint32_t n = 0; n < w->naccesses; n++) {
        const TracedAccess *a = &w->accesses[n];
        if (a->line < new)
          continue;
        new = a->line + a->lines;
        for (uint32_t l = a->line; l < new && a->space != PTX_LOCAL; l++)
          visit(&w->lines[l], i, data);
      }
    }
}

typedef struct Owners { /* each line, and in the mask's place who had it last; 15: several */
  const Trace *trace;
  SectorSet lines;
  uint64_t near;       /* blocks with numbers no farther apart may find each other's lines in L1 */
  uint32_t neighbours; /* mask of blocks that do not run beside the others */
  const Allocation *recent;
} Owners;

static void number_line(uint64_t *entry, uint32_t block, void *data) {
  (void)block;
  *entry = renumbered(*entry, &((Owners *)data)->recent);
}

/* A block's name is its index modulo 14, and blocks come in ascending order. */
enum { SEVERAL = 15, NAMES = 14 };
static bool is_near(const Owners *o, uint32_t block, uint64_t name) {
  uint32_t before = block - (block + NAMES + 1 - (uint32_t)name) % NAMES;
  return o->trace->blocks[block].number - o->trace->blocks[before].number <= o->near;
}
static void note_owner(uint64_t *entry, uint32_t block, void *data) {
  Owners *o = data;
  if (block < 32 && o->neighbours >> block & 1)
    return;
  if (2 * o->lines.count >= o->lines.room)
    grow(&o->lines);
  uint64_t line = traced_line(*entry), name = block % NAMES + 1;
  uint64_t *slot = &o->lines.lines[slot_of(&o->lines, line)];
  o->lines.count += !*slot;
  uint64_t before = *slot & 15;
  bool several = *slot && before != name && (before == SEVERAL || is_near(o, block, before));
  *slot = (line + 1) << 4 | (several ? SEVERAL : name);
}

static void mark_private(uint64_t *entry, uint32_t block, void *data) {
  const Owners *o = data;
  uint64_t line = traced_line(*entry), slot = o->lines.lines[slot_of(&o->lines, line)];
  (void)block;
  if (slot && (slot & 15) != SEVERAL)
    *entry |= LINE_PRIVATE << 4;
}

void footprint_number_lines(Trace *t, uint64_t near) {
  Owners o = {.trace = t, .near = near};
  for (int i = 0; i < 3; i++)
    if (t->neighbour[i] < 32 && t->nsampled < t->nblocks)
      o.neighbours |= 1u << t->neighbour[i];
  each_line(t, number_line, &o);
  grow(&o.lines);
  each_line(t, note_owner, &o);
  each_line(t, mark_private, &o);
  free(o.lines.lines);
}

/* ---- what blocks touch ------------------------------------------------------------------------------ */
typedef struct Sums { /* by buffer */
  uint32_t buffer[BUFFERS], n;
  double sectors[BUFFERS], stored[BUFFERS], stores[BUFFERS]; /* touched, stored to; stores */
  double loads[BUFFERS];                                     /* each as often as it is asked for */
} Sums;

static uint32_t place_of(Sums *sums, uint32_t buffer) {
  for (uint32_t i = 0; i < sums->n; i++)
    if (sums->buffer[i] == buffer)
      return i;
  if (sums->n == BUFFERS)
    return BUFFERS - 1;
  sums->buffer[sums->n] = buffer;
  return sums->n++;
}

/* The different sectors of a block, what it stores, each as often as its stretch stands for. */
static void add_block(Sums *sums, SectorSet *set, SectorSet *stored, const Trace *t,
                      const TracedBlock *b) {
  for (uint32_t k = 0; k < t->nwarps; k++) {
    const TracedWarp *w = &b->warps[k];
    for (uint32_t r = 0; r < w->nruns; r++) {
      const TracedRun *run = &w->runs[r];
      uint32_t end = r + 1 < w->nruns ? w->runs[r + 1].access : w->naccesses;
      const PtxFunction *f = &t->module->functions[run->function];
      double weight = stretch_weight(w, run->stretch);
      for (uint32_t n = run->access; n < end; n++) {
        const TracedAccess *a = &w->accesses[n];
        bool stores = f->code[a->insn].form != PTX_LD;
        for (uint32_t l = a->line; l < a->line + a->lines && a->lanes && a->space != PTX_LOCAL;
             l++) {
          uint32_t at = place_of(sums, line_buffer(traced_line(w->lines[l])));
          sums->sectors[at] += weight * add_sectors(set, w->lines[l] & ~(LINE_PRIVATE << 4));
          if (!stores) {
            sums->loads[at] += weight * __builtin_popcount(traced_sectors(w->lines[l]));
            continue;
          }
          sums->stores[at] += weight * __builtin_popcount(traced_sectors(w->lines[l]));
          sums->stored[at] += weight * add_sectors(stored, w->lines[l] & ~(LINE_PRIVATE << 4));
        }
      }
    }
  }
}

static Sums sums_of(const Trace *t, uint32_t first, uint32_t second) {
  Sums sums = {0};
  SectorSet set = {0}, stored = {0};
  add_block(&sums, &set, &stored, t, &t->blocks[first]);
  if (second != UINT32_MAX)
    add_block(&sums, &set, &stored, t, &t->blocks[second]);
  free(set.lines);
  free(stored.lines);
  return sums;
}

/* ---- where atomics meet ------------------------------------------------------------------------------ */
typedef struct Meeting {
  uint64_t line;
  uint32_t block;
  double operations;
} Meeting;

static int by_line(const void *a, const void *b) {
  const Meeting *x = a, *y = b;
  return x->line < y->line   ? -1
         : x->line > y->line ? 1
                             : (x->block > y->block) - (x->block < y->block);
}

/* Operations on each line that an access goes to; the assembler adds up lanes that have one address first. */
static uint32_t add_meetings(const TracedWarp *w, const PtxModule *m, uint32_t block,
                             Meeting *list) {
  uint32_t n = 0;
  for (uint32_t r = 0; r < w->nruns; r++) {
    const TracedRun *run = &w->runs[r];
    uint32_t end = r + 1 < w->nruns ? w->runs[r + 1].access : w->naccesses;
    for (uint32_t k = run->access; k < end; k++) {
      const TracedAccess *a = &w->accesses[k];
      const PtxInsn *insn = &m->functions[run->function].code[a->insn];
      if (insn->form != PTX_ATOM || a->space != PTX_GLOBAL)
        continue;
      double lanes = insn->merged.turns == PTX_TURNS_ONE ? 1 : (double)a->lanes / a->lines;
      for (uint32_t l = a->line; l < a->line + a->lines && list; l++)
        list[n + l - a->line] = (Meeting){traced_line(w->lines[l]) & ~LINE_PRIVATE, block,
                                          lanes * stretch_weight(w, run->stretch)};
      n += a->lines;
    }
  }
  return n;
}

double footprint_meeting(const Trace *t) {
  uint32_t n = 0;
  Meeting *list = NULL;
  for (int pass = 0; pass < 2; pass++) {
    list = pass ? calloc(n + 1u, sizeof *list) : NULL;
    n = 0;
    for (uint32_t i = 0; i < t->nsampled; i++)
      for (uint32_t k = 0; k < t->nwarps; k++)
        n += add_meetings(&t->blocks[i].warps[k], t->module, i, list ? list + n : NULL);
  }
  assert(list);
  qsort(list, n, sizeof *list, by_line);
  double most = 0;
  for (uint32_t from = 0, to = 0; from < n; from = to) {
    double sum = 0;
    for (to = from; to < n && list[to].line == list[from].line; to++)
      sum += list[to].operations;
    if (list[to - 1].block != list[from].block && sum > most)
      most = sum;
  }
  free(list);
  return most * (double)t->nblocks / t->nsampled;
}

/* ---- the grid -------------------------------------------------------------------------------------- */
static double in_box(double sectors, const double *more, const double *size) {
  for (int i = 0; i < 3; i++)
    sectors *= 1 + (size[i] - 1) * more[i];
  return sectors;
}

/* The blocks of one time, as a piece of the grid: rows first. */
static void shape_of_wave(const Trace *t, uint64_t at_once, double *size) {
  double left = (double)at_once;
  for (int i = 0; i < 3; i++) {
    size[i] = left < t->grid[i] ? left : t->grid[i];
    left = left / size[i] < 1 ? 1 : left / size[i];
  }
}

static double buffer_sectors(uint32_t number) {
  for (Allocation *a = memory_next(NULL); a; a = memory_next(a))
    if (a->live && (a->number & 255) == number)
      return (double)a->bytes / SECTOR_BYTES;
  return 1e18;
}

/* Of L2: what keeps data for later waves; what still holds stores when the launch is done. */
#define KEPT 0.7
#define DIRTY 0.35

Footprint footprint_of(const Trace *t, const Device *d, uint64_t at_once) {
  Footprint f = {0};
  Sums one = sums_of(t, t->middle, UINT32_MAX), two[3];
  double wave[3], grid[3], total = 0, stored = 0;
  const double l2 = KEPT * d->l2_bytes / SECTOR_BYTES;
  for (int i = 0; i < 3; i++) {
    grid[i] = t->grid[i];
    two[i] = t->neighbour[i] == UINT32_MAX ? one : sums_of(t, t->middle, t->neighbour[i]);
  }
  shape_of_wave(t, at_once, wave);
  double waves = (double)t->nblocks / (wave[0] * wave[1] * wave[2]);
  for (uint32_t k = 0; k < one.n; k++) {
    double more[3], size = buffer_sectors(one.buffer[k]);
    for (int i = 0; i < 3; i++) {
      double both = two[i].sectors[place_of(&two[i], one.buffer[k])];
      more[i] = one.sectors[k] > 0 ? both / one.sectors[k] - 1 : 0;
      more[i] = more[i] < 0 ? 0 : more[i] > 1 ? 1 : more[i];
    }
    BufferUse *use = &f.use[f.nuses++];
    use->buffer = one.buffer[k];
    use->block_sectors = one.sectors[k];
    use->all_sectors = in_box(one.sectors[k], more, grid);
    use->all_sectors = use->all_sectors < size ? use->all_sectors : size;
    use->written = one.stored[k] * (double)t->nblocks;
    total += use->all_sectors;
    stored += use->written < use->all_sectors ? use->written : use->all_sectors;
    double in_wave = in_box(one.sectors[k], more, wave);
    in_wave = in_wave < size ? in_wave : size;
    use->cold = waves * in_wave; /* all that waves fetch, if nothing outlives one */
  }
  double lost = total > l2 ? total / l2 - 1 : 0; /* of what comes back in a later wave */
  lost = lost > 1 ? 1 : lost;
  for (uint32_t k = 0; k < f.nuses; k++) {
    BufferUse *use = &f.use[k];
    double repeated = use->cold > use->all_sectors ? use->cold - use->all_sectors : 0;
    double asked = use->block_sectors * (double)t->nblocks;
    if (!d->l1_holds_globals && one.loads[k] > use->block_sectors) /* none is kept from L2 */
      asked = one.loads[k] * (double)t->nblocks;
    use->cold = asked > 0 ? (use->all_sectors + lost * repeated) / asked : 0;
    use->cold = use->cold > 1 ? 1 : use->cold;
  }
  double back = stored > DIRTY * d->l2_bytes / SECTOR_BYTES
                    ? 1 - DIRTY * d->l2_bytes / SECTOR_BYTES / stored
                    : 0;
  for (uint32_t k = 0; k < f.nuses; k++)
    f.use[k].written_back = one.stores[k] > 0 ? back * one.stored[k] / one.stores[k] : 0;
  return f;
}

const BufferUse *footprint_use(const Footprint *f, uint64_t line) {
  for (uint32_t i = 0; i < f->nuses; i++)
    if (f->use[i].buffer == line_buffer(line))
      return &f->use[i];
  return NULL;
}
