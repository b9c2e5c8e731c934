/* Chooses the thread blocks of a launch that are sampled, and records the instruction blocks and
 * memory accesses that their warps execute (trace.h). */
#include "trace.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../state/lanes.h"
#include "banks.h"

enum {
  /* Maximum number of thread blocks that are sampled. */
  SAMPLED_BLOCKS = 24,
  /* Approximate maximum number of warps in all sampled thread blocks. Up to four blocks are sampled
   * even if they have more warps. */
  SAMPLED_WARPS = 80,
  /* Maximum number of instructions that all sampled warps together record in their first stretches.
   * A stretch is a sequence of instruction blocks that a warp records without a gap. LEAST_STRETCH:
   * minimum number of instructions in the first stretch of a warp. */
  SAMPLED_RUN = 60000,
  LEAST_STRETCH = 600
};

/* How the next instruction block of a sampled warp is treated: recorded, skipped, used to find the
 * start of a loop iteration, or skipped until this start is reached. */
typedef enum Phase { RECORDS, SKIPS, LOOKS, WAITS_FOR_ROUND } Phase;

static void *grown(void *items, uint32_t *room, size_t bytes) {
  *room = *room ? 2 * *room : 64;
  items = realloc(items, *room * bytes);
  assert(items);
  return items;
}
#define PUSH(w, list, count, room)                                                                 \
  ((w)->count == (w)->room ? (void)((w)->list = grown((w)->list, &(w)->room, sizeof *(w)->list))   \
                           : (void)0,                                                              \
   &(w)->list[(w)->count++])

/* ---- choosing blocks ------------------------------------------------------------------------- */
static void add(Trace *t, uint64_t *numbers, uint32_t most, uint64_t number) {
  for (uint32_t i = 0; i < t->nsampled; i++)
    if (numbers[i] == number)
      return;
  if (number < t->nblocks && t->nsampled < most)
    numbers[t->nsampled++] = number;
}

static int ascending(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static uint32_t place(const Trace *t, uint64_t number) {
  for (uint32_t i = 0; i < t->nsampled; i++)
    if (t->blocks[i].number == number)
      return i;
  return UINT32_MAX;
}

static void choose_blocks(Trace *t, const Device *d) {
  uint64_t numbers[SAMPLED_BLOCKS], step[3] = {1, t->grid[0], (uint64_t)t->grid[0] * t->grid[1]};
  uint64_t middle = 0;
  uint32_t most = SAMPLED_WARPS / t->nwarps;
  most = most < 4 ? 4 : most > SAMPLED_BLOCKS ? SAMPLED_BLOCKS : most;
  for (int i = 0; i < 3; i++)
    middle += (t->grid[i] - 1) / 2 * step[i];
  add(t, numbers, most, middle);
  for (int i = 0; i < 3; i++)
    if (t->grid[i] > 1)
      add(t, numbers, most, middle + step[i]);
  for (uint64_t i = 1; i < 3; i++)
    add(t, numbers, most, middle + i * d->sms);
  add(t, numbers, most, t->nblocks - 1);
  add(t, numbers, most, 0);
  for (uint64_t parts = 4; t->nsampled < most && parts <= 64; parts *= 2)
    for (uint64_t i = 1; i < parts; i += 2)
      /* The distances between the chosen blocks are irregular. Regular distances might match a
       * period in the work of the grid. */
      add(t, numbers, most, (t->nblocks * i / parts + 37 * i + parts) % t->nblocks);
  for (uint64_t i = 0; t->nblocks <= most && i < t->nblocks; i++)
    add(t, numbers, most, i);
  uint64_t sorted[SAMPLED_BLOCKS];
  memcpy(sorted, numbers, sizeof sorted);
  qsort(sorted, t->nsampled, sizeof *sorted, ascending);
  t->blocks = calloc(t->nsampled, sizeof *t->blocks);
  assert(t->blocks);
  for (uint32_t i = 0; i < t->nsampled; i++)
    t->blocks[i].number = sorted[i];
  t->middle = place(t, middle);
  for (int i = 0; i < 3; i++)
    t->neighbour[i] = t->grid[i] > 1 ? place(t, middle + step[i]) : UINT32_MAX;
}

static void make_warps(Trace *t) {
  uint32_t length = SAMPLED_RUN / (t->nsampled * t->nwarps);
  t->shapes = calloc((size_t)t->nsampled * TRACED_SHAPES, sizeof *t->shapes);
  assert(t->shapes);
  for (uint32_t i = 0; i < t->nsampled; i++) {
    t->blocks[i].shapes = t->shapes + (size_t)i * TRACED_SHAPES;
    t->blocks[i].warps = calloc(t->nwarps, sizeof *t->blocks[i].warps);
    assert(t->blocks[i].warps);
    for (uint32_t k = 0; k < t->nwarps; k++) {
      TracedWarp *w = &t->blocks[i].warps[k];
      w->trace = t;
      w->nstretches = 1;
      w->first_length = length < LEAST_STRETCH ? LEAST_STRETCH : length;
      w->next = w->start = w->first_length;
      w->header = PTX_NO_BLOCK;
    }
  }
}

Trace *trace_create(const Run *run) {
  Trace *t = calloc(1, sizeof *t);
  assert(t);
  t->module = run->module;
  t->kernel = run->function;
  memcpy(t->grid, run->launch->grid, sizeof t->grid);
  memcpy(t->block, run->launch->block, sizeof t->block);
  t->shared_bytes = run->shared_bytes;
  t->nwarps = run->nwarps;
  t->banks = run->bank_mode;
  t->nblocks = run->nblocks;
  choose_blocks(t, selected_device());
  make_warps(t);
  return t;
}

void trace_free(Trace *t) {
  if (!t)
    return;
  for (uint32_t i = 0; i < t->nsampled; i++) {
    for (uint32_t k = 0; k < t->nwarps; k++) {
      free(t->blocks[i].warps[k].runs);
      free(t->blocks[i].warps[k].accesses);
      free(t->blocks[i].warps[k].lines);
      free(t->blocks[i].warps[k].barriers);
    }
    free(t->blocks[i].warps);
  }
  free(t->shapes);
  free(t->blocks);
  free(t);
}

/* ---- the digest ------------------------------------------------------------------------------ */
typedef struct Digest {
  uint64_t value;
  /* The first line of each buffer in the trace, plus 1, and the buffer of the most recent line. */
  uint64_t first[256];
  const Allocation *recent;
} Digest;

static void mix(Digest *d, uint64_t value) {
  d->value = (d->value ^ value) * UINT64_C(0x9e3779b97f4a7c15);
  d->value ^= d->value >> 29;
}

/* Lines count from the first one of their buffer, so the digest does not change if a launch uses
 * another part of a buffer than the launch before, such as the next time step. */
static void mix_line(Digest *d, uint64_t entry) {
  const uint64_t address = traced_line(entry) * LINE_BYTES;
  if (!d->recent || address < d->recent->address ||
      address >= d->recent->address + d->recent->bytes)
    d->recent = memory_find(address);
  const uint32_t buffer = d->recent ? d->recent->number & 255 : 0;
  if (!d->first[buffer])
    d->first[buffer] = traced_line(entry) + 1;
  mix(d, ((traced_line(entry) + 1 - d->first[buffer]) << 4 | traced_sectors(entry)) ^
             (uint64_t)buffer << 56);
}

static void mix_access(Digest *d, const TracedWarp *w, const TracedAccess *a, uint32_t *next) {
  mix(d, (uint64_t)a->insn << 32 | a->line);
  mix(d, (uint64_t)a->bytes << 48 | (uint64_t)a->wavefronts << 32 | (uint32_t)a->most << 24 |
             (uint32_t)a->lanes << 16 | (uint32_t)a->lines << 8 | a->space);
  mix(d, (uint64_t)a->whole << 2 | (uint64_t)a->filled << 1 | a->loaded);
  for (; *next < a->line + a->lines; ++*next)
    if (a->space == PTX_LOCAL)
      mix(d, w->lines[*next]);
    else
      mix_line(d, w->lines[*next]);
}

static void mix_warp(Digest *d, const TracedWarp *w) {
  uint32_t next = 0;
  mix(d, w->executed);
  for (uint32_t i = 0; i < w->nstretches; i++) {
    mix(d, w->from[i]);
    mix(d, w->recorded[i]);
  }
  for (uint32_t i = 0; i < w->nruns; i++) {
    const TracedRun *r = &w->runs[i];
    mix(d, (uint64_t)r->block << 32 | (uint64_t)r->function << 16 | r->stretch);
    mix(d, (uint64_t)r->lanes << 32 | r->access);
  }
  for (uint32_t i = 0; i < w->naccesses; i++)
    mix_access(d, w, &w->accesses[i], &next);
}

uint64_t trace_digest(const Trace *t) {
  Digest d = {.value = t->instructions};
  mix(&d, (uint64_t)t->banks << 1 | t->waits_for_others);
  for (int i = 0; i < 3; i++)
    mix(&d, (uint64_t)t->grid[i] << 32 | t->block[i]);
  mix(&d, t->shared_bytes);
  for (Allocation *a = memory_next(NULL); a; a = memory_next(a))
    mix(&d, (a->bytes << 1 | a->live) ^ a->number);
  for (uint32_t i = 0; i < t->nsampled; i++)
    for (uint32_t k = 0; k < t->nwarps; k++)
      mix_warp(&d, &t->blocks[i].warps[k]);
  return d.value;
}

/* ---- recording blocks ------------------------------------------------------------------------ */
TracedBlock *trace_block(Trace *t, uint64_t number) {
  uint32_t from = 0, to = t->nsampled;
  while (from < to) {
    uint32_t middle = (from + to) / 2;
    if (t->blocks[middle].number < number)
      from = middle + 1;
    else
      to = middle;
  }
  return from < t->nsampled && t->blocks[from].number == number ? &t->blocks[from] : NULL;
}

/* ---- recording warps ------------------------------------------------------------------------- */
/* Finds the instruction block with which an iteration of the outermost loop begins: the lowest
 * block that the code jumps back to. */
static void look_for_round(TracedWarp *w, uint32_t block) {
  if (block <= w->before && block < w->header)
    w->header = block;
  w->before = block;
}

static uint64_t at_most(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Ends a stretch, or starts the next stretch. The later stretches start when the warp has executed
 * about 2, 4, 8 ... times the number of instructions of the first stretch. A later stretch is a
 * quarter as long as the first, and is extended to the end of a loop iteration. */
static void turn_over(TracedWarp *w, uint32_t block) {
  const uint64_t longest = 4 * (uint64_t)w->first_length;
  switch ((Phase)w->phase) {
  case RECORDS:
    if (w->nstretches > 1 && block != w->header && w->header != PTX_NO_BLOCK &&
        w->executed < w->from[w->nstretches - 1] + at_most(longest, w->start / 2))
      return;
    while (w->start <= w->executed)
      w->start *= 2;
    w->phase = w->nstretches < STRETCHES ? SKIPS : RECORDS;
    w->next = w->start - at_most(longest, w->start / 4);
    return;
  case SKIPS:
    w->phase = LOOKS;
    w->next = w->start;
    w->before = 0;
    w->header = PTX_NO_BLOCK;
    return;
  case LOOKS:
    w->phase = WAITS_FOR_ROUND;
    w->next = w->executed + (w->header == PTX_NO_BLOCK ? 0 : at_most(longest, w->start / 4));
    if (w->executed < w->next && block != w->header)
      return;
    /* fall through */
  case WAITS_FOR_ROUND:
    w->phase = RECORDS;
    w->from[w->nstretches++] = w->executed;
    w->next = w->executed + w->first_length / 4;
    return;
  }
}

bool trace_run(Warp *warp, const Frame *f, uint32_t block, uint32_t lanes) {
  TracedWarp *w = warp->observed->trace;
  const PtxBlock *b = &f->function->blocks[block];
  const uint32_t length = b->count + (b->end != PTX_END_FALL);
  const uint32_t place = f->function == w->trace->kernel ? block : PTX_NO_BLOCK;
  if (w->phase == LOOKS && place != PTX_NO_BLOCK)
    look_for_round(w, place);
  if (w->executed >= w->next || (w->phase == WAITS_FOR_ROUND && place == w->header))
    turn_over(w, place);
  w->executed += length;
  if (w->phase != RECORDS)
    return false;
  TracedRun *run = PUSH(w, runs, nruns, runs_room);
  run->function = (uint16_t)(f->function - warp->block->run->module->functions);
  run->block = block;
  run->lanes = lanes;
  run->stretch = (uint16_t)(w->nstretches - 1);
  run->access = w->naccesses;
  w->recorded[w->nstretches - 1] += length;
  return true;
}

void trace_barrier(Block *b, const uint32_t *lanes) {
  TracedBlock *t = b->observed->trace;
  for (uint32_t i = 0; t && i < b->nwarps; i++) {
    TracedWarp *w = &t->warps[i];
    if (w->phase != RECORDS || !(lanes ? lanes[i] : b->warps[i].alive))
      continue;
    const uint32_t stretch = (w->nstretches - 1) << 16;
    const uint32_t before = w->nbarriers ? w->barriers[w->nbarriers - 1] : 0;
    const bool first = !w->nbarriers || before < stretch;
    *PUSH(w, barriers, nbarriers, barriers_room) = first ? stretch : before + 1;
  }
}

/* Adds each cache line that the access touches once, with a mask of the touched sectors. */
static void add_lines(TracedWarp *w, TracedAccess *a, const uint64_t *address, uint32_t lanes,
                      unsigned bytes) {
  /* A filter: the bit with the hash of a line is set when the line is added. If the bit is 0, the
   * search for the line can be skipped. */
  uint64_t seen[4] = {0};
  EACH_SET(lane, lanes) {
    uint64_t line = address[lane] / LINE_BYTES;
    unsigned first = address[lane] % LINE_BYTES / SECTOR_BYTES;
    unsigned last = (address[lane] % LINE_BYTES + bytes - 1) / SECTOR_BYTES;
    uint64_t mask = (2u << last) - (1u << first);
    const unsigned bit = (unsigned)(line * UINT64_C(0x9e3779b97f4a7c15) >> 56);
    uint32_t i = seen[bit / 64] >> bit % 64 & 1 ? w->nlines : a->line;
    seen[bit / 64] |= UINT64_C(1) << bit % 64;
    while (i > a->line && traced_line(w->lines[i - 1]) != line)
      i--;
    if (i > a->line) {
      w->lines[i - 1] |= mask & 15;
      continue;
    }
    *PUSH(w, lines, nlines, lines_room) = line << 4 | (mask & 15);
    a->lines++;
  }
}

/* Like add_lines, but reuses the lines of a recent access to the same sectors. Consecutive
 * instructions often access adjacent words, which are in the same sectors. */
static void find_lines(TracedWarp *w, TracedAccess *a, const uint64_t *address, uint32_t lanes,
                       unsigned bytes) {
  const unsigned first = (unsigned)__builtin_ctz(lanes);
  /* `crosses` is not 0 if a lane touches two sectors. Compilers vectorize this form of the loop. */
  uint64_t sector[WARP_LANES], crosses = 0;
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    sector[lane] = address[lane] / SECTOR_BYTES * (lanes >> lane & 1);
    crosses |= (address[lane] % SECTOR_BYTES + bytes - 1) / SECTOR_BYTES;
  }
  for (TracedSectors *s = w->sectors; !crosses && s < w->sectors + TRACED_SECTORS; s++)
    if (s->lanes == lanes && s->sector[first] == sector[first] &&
        !memcmp(s->sector, sector, sizeof sector)) {
      a->line = s->line;
      a->lines = s->lines;
      return;
    }
  add_lines(w, a, address, lanes, bytes);
  if (crosses)
    return;
  TracedSectors *s = &w->sectors[w->nsectors++ % TRACED_SECTORS];
  memcpy(s->sector, sector, sizeof sector);
  s->lanes = lanes;
  s->line = a->line;
  s->lines = a->lines;
}

static unsigned sectors_of(const TracedWarp *w, const TracedAccess *a) {
  unsigned sectors = 0;
  for (uint32_t i = a->line; i < a->line + a->lines; i++)
    sectors += (unsigned)__builtin_popcount(traced_sectors(w->lines[i]));
  return sectors;
}

/* Maximum number of bytes that one lane accesses. */
enum { WIDEST_ACCESS = 16 };
/* Returns true if the access may copy 8 bytes of a struct. clang copies structs as unsigned
 * integers. */
static bool is_copied_piece(const PtxInsn *insn) {
  return access_bytes(insn) == 8 && (insn->type == PTX_B64 || insn->type == PTX_U64);
}
static bool same_lines(const TracedWarp *w, const TracedAccess *a, const TracedAccess *before) {
  return before->space == a->space && before->lanes && before->lines == a->lines &&
         !memcmp(w->lines + before->line, w->lines + a->line, a->lines * sizeof *w->lines);
}

/* Joins a store with earlier stores to the same cache lines. A GPU combines consecutive stores to a
 * few lines before L2. Two stores of 8 bytes of a struct are joined too, because clang copies
 * structs in pieces of 8 bytes where nvcc copies 16 bytes. `filled`: several stores together fill
 * the sectors, so L2 does not fetch them. `loaded`: the warp has loaded the sectors before, so they
 * are complete in L2. */
static void join_stores(TracedWarp *w, const Frame *f, TracedAccess *a, uint32_t first) {
  const uint32_t whole = sectors_of(w, a) * SECTOR_BYTES;
  uint32_t bytes = a->bytes;
  for (TracedAccess *before = a - 1; !a->whole && before >= w->accesses + first; before--) {
    const PtxInsn *insn = &f->function->code[before->insn];
    if (!same_lines(w, a, before))
      continue;
    a->loaded = a->loaded || insn->form == PTX_LD;
    if (insn->form != PTX_ST)
      continue;
    bytes += before->bytes;
    before->filled = a->filled = bytes >= whole;
    const bool pieces = is_copied_piece(insn) && is_copied_piece(&f->function->code[a->insn]);
    if ((a->lines > COMBINED_LINES && !pieces) ||
        a->bytes + before->bytes > WIDEST_ACCESS * a->lanes)
      continue;
    a->bytes = (uint16_t)(a->bytes + before->bytes);
    a->whole = a->bytes >= whole;
    before->lanes = 0;
  }
}

static uint8_t meeting_lanes(const uint64_t *address, uint32_t lanes) {
  unsigned most = 0;
  EACH_SET(lane, lanes) {
    unsigned same = 0;
    for (unsigned other = 0; other < WARP_LANES; other++)
      same += lanes >> other & 1 && address[other] == address[lane];
    most = same > most ? same : most;
  }
  return (uint8_t)most;
}

static uint16_t different_addresses(const uint64_t *address, uint32_t lanes) {
  unsigned count = 0;
  EACH_SET(lane, lanes) {
    bool seen = false;
    for (unsigned before = 0; before < lane; before++)
      seen = seen || (lanes >> before & 1 && address[before] == address[lane]);
    count += !seen;
  }
  return (uint16_t)count;
}

/* Returns the space of the access. If generic addresses are in several spaces, returns that of the
 * highest lane in shared or local memory. Generic addresses of shared and local memory are
 * converted to offsets. */
static PtxSpace space_of(const PtxInsn *insn, uint64_t *address, uint32_t lanes) {
  if (insn->space != PTX_GENERIC)
    return (PtxSpace)insn->space;
  PtxSpace space = PTX_GLOBAL;
  EACH_SET(lane, lanes) {
    if (address[lane] - PTX_SHARED_WINDOW < PTX_WINDOW_BYTES) {
      space = PTX_SHARED;
      address[lane] -= PTX_SHARED_WINDOW;
    } else if (address[lane] - PTX_LOCAL_WINDOW < PTX_WINDOW_BYTES) {
      space = PTX_LOCAL;
      address[lane] -= PTX_LOCAL_WINDOW;
    }
  }
  return space;
}

static uint16_t wavefronts_of(TracedShape *shapes, const PtxInsn *insn, const uint32_t *address,
                              uint32_t lanes, unsigned bytes, unsigned banks, bool load) {
  TracedShape *s = &shapes[insn->number % TRACED_SHAPES],
              new = {.insn = insn, .lanes = lanes, .banks = banks};
  const uint32_t first = address[__builtin_ctz(lanes)];
  new.phase = first % banks_period(banks);
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    new.offset[lane] = lanes >> lane & 1 ? address[lane] - first : 0;
  new.wavefronts = s->wavefronts;
  if (!s->lanes || memcmp(s, &new, sizeof new) != 0) {
    new.wavefronts = banks_use(address, lanes, bytes, banks, load).wavefronts;
    *s = new;
  }
  return (uint16_t)s->wavefronts;
}

/* Returns the wavefronts of an access. The assembler merges several adjacent accesses into one
 * wider access; the result for this one has all wavefronts, and the result for the others is 0. One
 * row of banks is added to all offsets: this does not change the result, and no offset becomes
 * negative. */
static uint16_t shared_wavefronts(const TracedBlock *b, const PtxInsn *insn,
                                  const uint64_t *address, uint32_t lanes, BankMode banks) {
  const bool merges = insn->form != PTX_ATOM && insn->space == PTX_SHARED;
  const unsigned bytes = merges ? insn->merged.bytes : access_bytes(insn);
  uint32_t near[WARP_LANES];
  if (!bytes)
    return 0;
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    near[lane] =
        (uint32_t)address[lane] + banks_row_bytes(banks) - (merges ? insn->merged.before : 0);
  return wavefronts_of(b->shapes, insn, near, lanes, bytes, banks, insn->form == PTX_LD);
}

void trace_access(Warp *warp, const Frame *f, const PtxInsn *insn, uint32_t lanes) {
  TracedWarp *w = warp->observed->trace;
  const TracedBlock *b = warp->block->observed->trace;
  bool access = insn->form == PTX_LD || insn->form == PTX_ST || insn->form == PTX_ATOM;
  if (w->phase != RECORDS || !access)
    return;
  TracedAccess *a = PUSH(w, accesses, naccesses, accesses_room);
  *a = (TracedAccess){.insn = insn->number, .line = w->nlines};
  a->lanes = (uint8_t)__builtin_popcount(lanes);
  if (!lanes)
    return;
  uint64_t address[WARP_LANES];
  uint32_t near[WARP_LANES];
  const unsigned bytes = access_bytes(insn);
  lane_addresses(f->registers, insn, address);
  a->space = (uint8_t)space_of(insn, address, lanes);
  if (insn->form == PTX_ATOM)
    a->most = meeting_lanes(address, lanes);
  switch ((PtxSpace)a->space) {
  case PTX_SHARED:
    a->wavefronts = shared_wavefronts(b, insn, address, lanes, w->trace->banks);
    break;
  case PTX_CONST:
    a->wavefronts = different_addresses(address, lanes);
    add_lines(w, a, address, lanes, bytes);
    break;
  /* In local memory, word i of lane 0 to word i of lane 31 are adjacent. */
  case PTX_LOCAL:
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
      address[lane] = (address[lane] / 4 * WARP_LANES + lane) * 4;
    add_lines(w, a, address, lanes, 4);
    a->bytes = (uint16_t)(a->lanes * 4);
    a->whole = a->bytes >= sectors_of(w, a) * SECTOR_BYTES;
    break;
  default:
    find_lines(w, a, address, lanes, bytes);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
      near[lane] = (uint32_t)address[lane];
    a->wavefronts = wavefronts_of(b->shapes, insn, near, lanes, bytes, BANKS_4, false);
    a->bytes = (uint16_t)(a->lanes * bytes);
    a->whole = a->bytes >= sectors_of(w, a) * SECTOR_BYTES;
    if (insn->form == PTX_ST)
      join_stores(w, f, a, w->runs[w->nruns - 1].access);
    break;
  }
}
