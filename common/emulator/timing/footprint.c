#include "footprint.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double stretch_weight(const TracedWarp *w, uint32_t s) {
  uint64_t end = s + 1 < w->nstretches ? w->from[s + 1] : w->executed;
  return w->recorded[s] ? (double)(end - w->from[s]) / w->recorded[s] : 1;
}

/* ---- numbers of lines ------------------------------------------------------------------------ */
static uint64_t renumbered(uint64_t entry, const Allocation **recent) {
  uint64_t address = traced_line(entry) * LINE_BYTES;
  const Allocation *a = *recent;
  if (!a || address + LINE_BYTES <= a->address || address >= a->address + a->bytes)
    a = memory_find(address);
  /* The line may begin before the buffer. Then one of its later sectors is in the buffer. */
  for (int i = 1; !a && i < 4; i++)
    a = memory_find(address + (uint64_t)i * SECTOR_BYTES);
  *recent = a;
  uint64_t number = a ? a->number & 255 : 0, from = a ? a->address / LINE_BYTES : 0;
  uint64_t line = (traced_line(entry) - from) & ((UINT64_C(1) << LINE_BITS) - 1);
  return (number << LINE_BITS | line) << 4 | traced_sectors(entry);
}

/* ---- sets of sectors: line -> mask ----------------------------------------------------------- */
typedef struct SectorSet {
  /* [room] Line number plus 1 and mask of sectors, in the format of TracedWarp.lines; 0 if the
   * entry is free. */
  uint64_t *lines;
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

static SectorSet copy_of(const SectorSet *s) {
  SectorSet copy = {malloc(s->room * sizeof *s->lines), s->room, s->count};
  assert(copy.lines);
  memcpy(copy.lines, s->lines, s->room * sizeof *s->lines);
  return copy;
}

/* Adds sectors and returns how many of them are new. */
static unsigned add_sectors(SectorSet *s, uint64_t entry) {
  if (2 * s->count >= s->room)
    grow(s);
  uint32_t at = slot_of(s, traced_line(entry));
  s->count += !s->lines[at];
  unsigned before = s->lines[at] ? traced_sectors(s->lines[at]) : 0;
  s->lines[at] = (traced_line(entry) + 1) << 4 | before | traced_sectors(entry);
  return (unsigned)__builtin_popcount(traced_sectors(entry) & ~before);
}

/* ---- which lines one block has to itself ----------------------------------------------------- */
/* Calls `visit` once for each entry of the lists of lines, except those of local memory. An entry
 * that several accesses share is visited for the first of them. */
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

typedef struct Owners {
  const Trace *trace;
  /* In place of a mask of sectors, each line has the name of the block that touched it last, or
   * SEVERAL. */
  SectorSet lines;
  /* Blocks whose numbers differ by no more than this may hit each other's lines in L1. */
  uint64_t near;
  /* Bit i is set if the replay does not run sampled block i. */
  uint32_t neighbours;
  const Allocation *recent;
} Owners;

/* The name of a sampled block is its index modulo 14, plus 1, so that it fits the 4 bits of a mask.
 * is_near() finds the last block before `block` that has the name. */
enum { SEVERAL = 15, NAMES = 14 };
static bool is_near(const Owners *o, uint32_t block, uint64_t name) {
  uint32_t before = block - (block + NAMES + 1 - (uint32_t)name) % NAMES;
  return o->trace->blocks[block].number - o->trace->blocks[before].number <= o->near;
}
static void number_line(uint64_t *entry, uint32_t block, void *data) {
  Owners *o = data;
  *entry = renumbered(*entry, &o->recent);
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
  grow(&o.lines);
  each_line(t, number_line, &o);
  each_line(t, mark_private, &o);
  free(o.lines.lines);
}

/* ---- pieces of DRAM -------------------------------------------------------------------------- */
/* DRAM moves pieces of two sectors. Isolated pieces take longer: each region of 256 bytes of which
 * a launch touches a part costs the time of VISIT additional bytes. Measured on an H100
 * (tests/timing/micro/dram.cu): random pieces of 64 bytes at 0.64 of the rate of a copy, of 128
 * bytes at 0.77; loads 128 bytes apart at 0.77, 512 bytes apart at 0.63. */
enum { VISIT = 36 };
typedef struct Pieces {
  /* `alone` counts sectors that are the only one of their line. */
  double sectors, pieces, visits, alone;
  /* Number of sectors that the touched lines occupy in L2. */
  double room;
} Pieces;

static unsigned sectors_at(const SectorSet *s, uint64_t line) {
  return traced_sectors(s->lines[slot_of(s, line)]);
}

/* Returns true if the region of 256 bytes around `line` does not count as touched in part: other
 * blocks touch other sectors of it, or the touched range continues in the next region. */
static bool goes_on(const SectorSet *own, const SectorSet *all, uint64_t line) {
  const uint64_t first = line & ~UINT64_C(1), last = first | 1;
  if (sectors_at(all, first) != sectors_at(own, first) ||
      sectors_at(all, last) != sectors_at(own, last))
    return true;
  return (sectors_at(all, first) & 1 && sectors_at(all, first - 1) & 8) ||
         (sectors_at(all, last) & 8 && sectors_at(all, last + 1) & 1);
}

static void add_pieces(Pieces *by_buffer, const SectorSet *own, const SectorSet *all) {
  for (uint32_t i = 0; i < own->room; i++) {
    if (!own->lines[i])
      continue;
    const uint64_t line = traced_line(own->lines[i]) - 1;
    const unsigned mask = traced_sectors(own->lines[i]), other = sectors_at(own, line ^ 1);
    const unsigned pieces = ((mask & 3) != 0) + ((mask & 12) != 0);
    const unsigned others = ((other & 3) != 0) + ((other & 12) != 0);
    Pieces *p = &by_buffer[line_buffer(line) % BUFFERS];
    p->sectors += __builtin_popcount(mask);
    p->pieces += pieces;
    p->alone += __builtin_popcount(mask) == 1;
    p->room +=
        sectors_at(all, line) == mask && !goes_on(own, all, line) ? 4 : __builtin_popcount(mask);
    if (pieces + others < 4 && !goes_on(own, all, line))
      p->visits += other ? 0.5 : 1;
  }
}

/* ---- what blocks touch ----------------------------------------------------------------------- */
/* Sums over the accesses of one block, or of two. Element i of each array is for the buffer
 * buffer[i]. */
typedef struct Sums {
  uint32_t buffer[BUFFERS], n;
  /* Different sectors that are touched; different sectors that are stored to; sectors of all
   * stores, counted for each store. */
  double sectors[BUFFERS], stored[BUFFERS], stores[BUFFERS];
  /* Bytes of all stores. */
  double stored_bytes[BUFFERS];
  /* Sectors of all loads, counted for each load. */
  double loads[BUFFERS];
  /* The touched sectors of all buffers, and those that are stored to. */
  SectorSet set, stored_set;
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

/* Adds the accesses of one block, each with the weight of its stretch. */
static void add_block(Sums *sums, const Trace *t, const TracedBlock *b) {
  for (uint32_t k = 0; k < t->nwarps; k++) {
    const TracedWarp *w = &b->warps[k];
    /* The first entry that may be new. The sectors of earlier ones are all in the set. */
    uint32_t new = 0;
    for (uint32_t r = 0; r < w->nruns; r++) {
      const TracedRun *run = &w->runs[r];
      uint32_t end = r + 1 < w->nruns ? w->runs[r + 1].access : w->naccesses;
      const PtxFunction *f = &t->module->functions[run->function];
      double weight = stretch_weight(w, run->stretch);
      for (uint32_t n = run->access; n < end; n++) {
        const TracedAccess *a = &w->accesses[n];
        bool stores = f->code[a->insn].form != PTX_LD;
        const bool first = a->line >= new, added = a->lanes || a->space == PTX_LOCAL;
        new += added && a->line == new ? a->lines : 0;
        for (uint32_t l = a->line; l < a->line + a->lines && a->lanes && a->space != PTX_LOCAL;
             l++) {
          uint32_t at = place_of(sums, line_buffer(traced_line(w->lines[l])));
          if (first)
            sums->sectors[at] +=
                weight * add_sectors(&sums->set, w->lines[l] & ~(LINE_PRIVATE << 4));
          if (!stores) {
            sums->loads[at] += weight * __builtin_popcount(traced_sectors(w->lines[l]));
            continue;
          }
          sums->stores[at] += weight * __builtin_popcount(traced_sectors(w->lines[l]));
          sums->stored_bytes[at] += weight * a->bytes / a->lines;
          sums->stored[at] +=
              weight * add_sectors(&sums->stored_set, w->lines[l] & ~(LINE_PRIVATE << 4));
        }
      }
    }
  }
}

static Sums sums_of(const Trace *t, uint32_t block) {
  Sums sums = {0};
  /* Lookups and copies need a free entry. */
  grow(&sums.set);
  grow(&sums.stored_set);
  add_block(&sums, t, &t->blocks[block]);
  return sums;
}

/* Returns the sums of the block of `one` and of a second block. */
static Sums sums_with(const Sums *one, const Trace *t, uint32_t second) {
  Sums sums = *one;
  sums.set = copy_of(&one->set);
  sums.stored_set = copy_of(&one->stored_set);
  add_block(&sums, t, &t->blocks[second]);
  return sums;
}

static void sums_free(Sums *sums) {
  free(sums->set.lines);
  free(sums->stored_set.lines);
}

/* ---- where atomics meet ---------------------------------------------------------------------- */
/* L2 consists of slices, over which chunks of 512 bytes are distributed. A slice needs these clocks
 * for a sector, or for each of several lanes that use one word. Measured on an H100
 * (tests/timing/micro/atomics.cu: 1 to 4096 words). */
#define INTEGER_TURN 1.45
#define FLOAT_TURN 3.5

/* The operations of one access on one chunk. */
typedef struct Meeting {
  uint64_t chunk;
  uint32_t block;
  bool measured;
  double clocks;
} Meeting;

static int by_chunk(const void *a, const void *b) {
  const Meeting *x = a, *y = b;
  return x->chunk < y->chunk   ? -1
         : x->chunk > y->chunk ? 1
                               : (x->block > y->block) - (x->block < y->block);
}

/* If the PTX shows that all lanes have the same address, the assembler combines their operations
 * into one. */
double footprint_turn(const TracedAccess *a, const PtxInsn *insn, unsigned sectors) {
  const bool floating = insn->type == PTX_F32 || insn->type == PTX_F64;
  const double lanes = insn->merged.turns == PTX_TURNS_ONE ? 1 : a->most;
  const double turns = lanes * (floating ? FLOAT_TURN : INTEGER_TURN);
  return turns > sectors * INTEGER_TURN ? turns : sectors * INTEGER_TURN;
}

static bool is_measured(const PtxInsn *insn) {
  return insn->sub == PTX_ATOM_ADD && insn->type >= PTX_B32;
}

static uint32_t add_meetings(const TracedWarp *w, const PtxModule *m, uint32_t block,
                             Meeting *list) {
  uint32_t n = 0;
  for (uint32_t r = 0; r < w->nruns; r++) {
    const TracedRun *run = &w->runs[r];
    uint32_t end = r + 1 < w->nruns ? w->runs[r + 1].access : w->naccesses;
    for (uint32_t k = run->access; k < end; k++) {
      const TracedAccess *a = &w->accesses[k];
      if (!a->most || a->space != PTX_GLOBAL)
        continue;
      const PtxInsn *insn = &m->functions[run->function].code[a->insn];
      for (uint32_t l = a->line; l < a->line + a->lines && list; l++)
        list[n + l - a->line] = (Meeting){
            (traced_line(w->lines[l]) & ~LINE_PRIVATE) / CHUNK_LINES, block, is_measured(insn),
            footprint_turn(a, insn, (unsigned)__builtin_popcount(traced_sectors(w->lines[l]))) *
                stretch_weight(w, run->stretch)};
      n += a->lines;
    }
  }
  return n;
}

double footprint_meeting(const Trace *t, double *unmeasured) {
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
  qsort(list, n, sizeof *list, by_chunk);
  const double times = (double)t->nblocks / t->nsampled;
  double most = *unmeasured = 0;
  for (uint32_t from = 0, to = 0; from < n; from = to) {
    double sum = 0;
    bool measured = true;
    for (to = from; to < n && list[to].chunk == list[from].chunk; to++) {
      sum += times * list[to].clocks;
      measured = measured && list[to].measured;
    }
    if (list[to - 1].block == list[from].block)
      continue;
    most = fmax(most, sum);
    *unmeasured = fmax(*unmeasured, measured ? 0 : sum);
  }
  free(list);
  return most;
}

/* ---- the grid -------------------------------------------------------------------------------- */
/* Returns the different sectors of a box of size[0] × size[1] × size[2] blocks. `sectors` are those
 * of one block; each further block along axis i adds the share more[i] of them. */
static double in_box(double sectors, const double *more, const double *size) {
  for (int i = 0; i < 3; i++)
    sectors *= 1 + (size[i] - 1) * more[i];
  return sectors;
}

/* Computes the size of the box of blocks that are resident at the same time. Blocks start row by
 * row. */
static void shape_of_wave(const Trace *t, uint64_t at_once, double *size) {
  double left = (double)at_once;
  for (int i = 0; i < 3; i++) {
    size[i] = left < t->grid[i] ? left : t->grid[i];
    left = left / size[i] < 1 ? 1 : left / size[i];
  }
}

/* Returns true if neighbours along each axis have less than half of their sectors in common.
 * Otherwise blocks do not read at random. */
static bool neighbours_differ(const double *more, const double *grid) {
  bool differ = true;
  for (int i = 0; i < 3; i++)
    differ = differ && (grid[i] <= 1 || more[i] >= 0.5);
  return differ;
}

static double buffer_sectors(uint32_t number) {
  for (Allocation *a = memory_next(NULL); a; a = memory_next(a))
    if (a->live && (a->number & 255) == number)
      return (double)a->bytes / SECTOR_BYTES;
  return 1e18;
}

/* Shares of L2. KEPT: the part that keeps data for later waves. KEPT_AT_RANDOM: the part that is
 * useful for data which all SMs read at random, because each half of L2 keeps a copy. It was
 * measured on an H100 and is the same for footprints from 32 to 256 MB. */
#define KEPT 0.7
#define KEPT_AT_RANDOM 0.52
/* At the end of a launch, L2 holds the most recent data. RECENT: the size of these data. The stores
 * among them have not been written to DRAM. MOST_STORES: the maximum part for stores. Both are
 * computed from the bytes that an H200 wrote to DRAM (tests/timing/h200.csv): 0.56 to 0.69 for
 * eleven kernels in which a third or a half of the data are stores, 0.43 for one that only
 * stores. */
#define RECENT 0.64
#define MOST_STORES 0.43
/* The maximum part for sectors that are stored in part. 'spread' stores to 1.05 million of them,
 * and an H200 writes 0.86 million to DRAM. */
#define MOST_WITH_HOLES 0.1

/* Stores fill their sectors if they have this share of the bytes. */
#define FULL 0.9

static void find_pieces(Footprint *f, const Sums *one, const Sums *two) {
  Pieces by_buffer[BUFFERS] = {0};
  SectorSet all = copy_of(&two[0].set);
  for (int i = 1; i < 3; i++)
    for (uint32_t k = 0; k < two[i].set.room && two[i].set.lines != one->set.lines; k++)
      if (two[i].set.lines[k])
        add_sectors(&all, (traced_line(two[i].set.lines[k]) - 1) << 4 |
                              traced_sectors(two[i].set.lines[k]));
  add_pieces(by_buffer, &one->set, &all);
  free(all.lines);
  for (uint32_t k = 0; k < f->nuses; k++) {
    BufferUse *use = &f->use[k];
    const Pieces *p = &by_buffer[use->buffer % BUFFERS];
    const double n = p->sectors > 0 ? p->sectors : 1, visits = p->visits * VISIT / SECTOR_BYTES;
    use->read_moves = p->sectors > 0 ? 2 * p->pieces / n : 1;
    use->read_takes = use->read_moves + visits / n;
    use->part_takes = 1 + (p->alone + visits) / n;
    use->scattered = p->visits > 0.25 * n;
    use->room = p->sectors > 0 ? p->room / n : 1;
  }
}

/* The expected number of different sectors if blocks touch `asked` sectors at random out of
 * `size`. */
static double different_at_random(double asked, double size) {
  return size < 1e17 && size > 0 ? size * (1 - exp(-asked / size)) : asked;
}

/* Blocks that together touch the whole buffer touch both sectors of each piece. A sector that is
 * read again from DRAM still moves a piece. */
static void complete_pieces(BufferUse *use, double repeated) {
  const double reads = use->all_sectors + repeated;
  const double most = use->all_sectors > 0 ? use->size / use->all_sectors : 1;
  const double first = use->read_moves < most ? use->read_moves : most;
  const double moves =
      reads > 0 ? (use->all_sectors * first + repeated * use->read_moves) / reads : 1;
  use->read_takes -= use->read_moves - moves;
  use->read_moves = moves;
}

/* Returns the number of sectors that the touched data of a buffer occupy in L2. */
static double room_of(const BufferUse *use) {
  const double size = buffer_sectors(use->buffer), room = use->all_sectors * use->room;
  return room < size ? room : size;
}

/* Returns the number of sectors of L2 that a box of blocks occupies. */
static double box_in_l2(const Footprint *f, double more[][3], const double *box) {
  double sum = 0;
  for (uint32_t k = 0; k < f->nuses; k++) {
    const BufferUse *use = &f->use[k];
    const double sectors = in_box(use->block_sectors, more[k], box);
    sum += (sectors < use->size ? sectors : use->size) * use->room;
  }
  return sum;
}

/* Returns the share of data that L2 has evicted after `sectors` others went through it. */
static double share_lost(double sectors, double l2) {
  const double lost = sectors / l2 - 1;
  return lost < 0 ? 0 : lost > 1 ? 1 : lost;
}

/* Returns how many sectors of buffer k all blocks fetch from DRAM. Blocks that are neighbours along
 * axis i start one box of the lower axes apart. If they are resident together, they share what L2
 * has fetched. Otherwise the data of the blocks between them go through L2. If blocks would touch
 * more than the whole buffer, they repeat sectors after all the others of the buffer. */
static double fetches_of_all(const Footprint *f, uint32_t k, double more[][3], const double *grid,
                             const double *wave, double l2) {
  const BufferUse *use = &f->use[k];
  const double at_once = wave[0] * wave[1] * wave[2];
  const double own = room_of(use), total = box_in_l2(f, more, grid);
  double box[3] = {1, 1, 1}, blocks = 1, different = use->block_sectors, fetches = different;
  for (int i = 0; i < 3; i++) {
    const double all = different * (1 + (grid[i] - 1) * more[k][i]);
    const double next = all < use->size ? all : use->size;
    const double repeated = share_lost(own + (total - own) * next / (all > 0 ? all : 1), l2);
    const double kept = different > 0 ? fetches * (next + (all - next) * repeated) / different : 0;
    const double apart = blocks < at_once ? blocks / at_once : 1;
    const double lost = share_lost(box_in_l2(f, more, blocks < at_once ? wave : box), l2);
    fetches = kept + (fetches * grid[i] - kept) * apart * lost;
    box[i] = grid[i];
    blocks *= grid[i];
    different = next;
  }
  return fetches;
}

/* ---- blocks in step ------------------------------------------------------------------------- */
/* Adds to *all the middle block's accesses to a buffer, and to *same those for which the neighbour
 * uses the same line at the same place of its program. */
static void compare_accesses(const Trace *t, uint32_t neighbour, uint32_t buffer, uint64_t *all,
                             uint64_t *same) {
  for (uint32_t k = 0; k < t->nwarps; k++) {
    const TracedWarp *one = &t->blocks[t->middle].warps[k];
    const TracedWarp *two = &t->blocks[neighbour].warps[k];
    for (uint32_t n = 0; n < one->naccesses; n++) {
      const TracedAccess *a = &one->accesses[n];
      if (a->space != PTX_GLOBAL || !a->lines)
        continue;
      const uint64_t line = traced_line(one->lines[a->line]) & ~LINE_PRIVATE;
      if (line_buffer(line) != buffer)
        continue;
      ++*all;
      *same += n < two->naccesses && two->accesses[n].lines &&
               (traced_line(two->lines[two->accesses[n].line]) & ~LINE_PRIVATE) == line;
    }
  }
}

/* Returns true if a neighbour along x, y or z reads nearly always the same line at the same
 * place. */
static bool is_in_step(const Trace *t, uint32_t buffer) {
  for (int i = 0; i < 3; i++) {
    uint64_t all = 0, same = 0;
    if (t->neighbour[i] == UINT32_MAX)
      continue;
    compare_accesses(t, t->neighbour[i], buffer, &all, &same);
    if (all && 10 * same >= 9 * all)
      return true;
  }
  return false;
}

Footprint footprint_of(const Trace *t, const Device *d, uint64_t at_once) {
  Footprint f = {0};
  Sums one = sums_of(t, t->middle), two[3];
  double wave[3], grid[3], more[BUFFERS][3], total = 0, stored = 0;
  const double l2 = KEPT * d->l2_bytes / SECTOR_BYTES;
  for (int i = 0; i < 3; i++) {
    grid[i] = t->grid[i];
    two[i] = t->neighbour[i] == UINT32_MAX ? one : sums_with(&one, t, t->neighbour[i]);
  }
  shape_of_wave(t, at_once, wave);
  for (uint32_t k = 0; k < one.n; k++) {
    const double size = buffer_sectors(one.buffer[k]);
    for (int i = 0; i < 3; i++) {
      double both = two[i].sectors[place_of(&two[i], one.buffer[k])];
      more[k][i] = one.sectors[k] > 0 ? both / one.sectors[k] - 1 : 0;
      more[k][i] = more[k][i] < 0 ? 0 : more[k][i] > 1 ? 1 : more[k][i];
    }
    BufferUse *use = &f.use[f.nuses++];
    use->buffer = one.buffer[k];
    use->size = size;
    use->in_step = is_in_step(t, use->buffer);
    use->block_sectors = one.sectors[k];
    use->all_sectors = in_box(one.sectors[k], more[k], grid);
    use->all_sectors = use->all_sectors < size ? use->all_sectors : size;
    /* Blocks share the sectors that they store to as they share those that they touch. */
    use->written = one.sectors[k] > 0 ? one.stored[k] * use->all_sectors / one.sectors[k] : 0;
    use->has_holes = one.stored_bytes[k] * (double)t->nblocks < FULL * SECTOR_BYTES * use->written;
  }
  find_pieces(&f, &one, two);
  for (uint32_t k = 0; k < f.nuses; k++) {
    BufferUse *use = &f.use[k];
    use->scattered = use->scattered && neighbours_differ(more[k], grid);
    const double room = use->all_sectors * use->room, written = use->written * use->room;
    total += room_of(use);
    stored += written < room ? written : room;
  }
  for (uint32_t k = 0; k < f.nuses; k++) {
    BufferUse *use = &f.use[k];
    double repeated = fetches_of_all(&f, k, more, grid, wave, l2) - use->all_sectors;
    double asked = use->block_sectors * (double)t->nblocks, missed = 1;
    /* If L1 keeps no global data, each load asks L2. */
    if (!d->l1_holds_globals && one.loads[k] > use->block_sectors)
      asked = one.loads[k] * (double)t->nblocks;
    if (use->scattered && use->block_sectors * (double)t->nblocks > use->all_sectors) {
      const double own = room_of(use);
      /* DRAM reads pieces, so L2 has the other sector of a piece as well. */
      use->density = asked * use->read_moves / use->all_sectors;
      const double first = different_at_random(asked * use->read_moves, use->all_sectors);
      use->all_sectors = first / use->read_moves;
      repeated = asked - use->all_sectors;
      /* L2 evicts what was not used for the longest time. Between two reads of a sector, the other
       * buffers move only a part of their data through L2. */
      const double between = own + (total - own) / use->density;
      missed = 1 - KEPT_AT_RANDOM * d->l2_bytes / SECTOR_BYTES / between;
      missed = missed < 0 ? 0 : missed;
    } else {
      use->scattered = false;
    }
    if (!use->scattered)
      complete_pieces(use, repeated);
    use->asked = asked;
    use->missed = missed;
    use->cold_again = use->scattered ? missed : share_lost(box_in_l2(&f, more, wave), l2);
    use->cold = asked > 0 ? (use->all_sectors + missed * repeated) / asked : 0;
    use->cold = use->cold > 1 ? 1 : use->cold;
  }
  const double dirty =
      fmin(RECENT * stored / fmax(total, 1), MOST_STORES) * d->l2_bytes / SECTOR_BYTES;
  const double back = stored > dirty ? 1 - dirty / stored : 0;
  const double few = MOST_WITH_HOLES * d->l2_bytes / SECTOR_BYTES;
  const double back_with_holes = stored > few ? 1 - few / stored : 0;
  for (uint32_t k = 0; k < f.nuses; k++)
    f.use[k].written_back =
        (f.use[k].has_holes ? back_with_holes : back) *
        (one.stores[k] > 0 ? f.use[k].written / (one.stores[k] * (double)t->nblocks) : 0);
  for (int i = 0; i < 3; i++)
    if (t->neighbour[i] != UINT32_MAX)
      sums_free(&two[i]);
  sums_free(&one);
  return f;
}

const BufferUse *footprint_use(const Footprint *f, uint64_t line) {
  for (uint32_t i = 0; i < f->nuses; i++)
    if (f->use[i].buffer == line_buffer(line))
      return &f->use[i];
  return NULL;
}
