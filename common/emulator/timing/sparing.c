/* Chooses an order of instructions that keeps few values alive.
 *
 * The next instruction is the first one that starts at most as many values as it ends. If there is
 * none, it is the one with the fewest readers that also wait for another instruction. So a load is
 * placed late, when the other operands of its readers are available.
 *
 * ptxas does about the same if the order of the PTX needs so many registers that fewer warps would
 * be resident. It gives at most 32 registers to 120 of 131 variants of one convolution, although
 * the order of the PTX needs up to 255. */
#include "sparing.h"

#include <assert.h>
#include <stdlib.h>

enum {
  /* Maximum number of candidates that are compared. */
  WINDOW = 1024
};

/* Edges from an instruction to those that must come later, sorted by the first instruction. */
typedef struct Edges {
  uint32_t *first, *to;
} Edges;

typedef struct Sparing {
  const BlockValues *b;
  Edges readers, later;
  /* For each instruction: the number of its operands that are not available yet; of the accesses
   * that must precede it and have not; of the readers of its results that also wait for another
   * instruction. */
  uint32_t *missing, *pending, *blocked;
  /* For each value: the number of reads that have not been placed. */
  uint32_t *left;
  bool *done;
} Sparing;

static uint32_t producer(const BlockValues *b, uint32_t value) {
  return value < b->nslots ? NOBODY : (value - b->nslots) / RESULTS;
}

static uint32_t *counters(size_t n) {
  uint32_t *c = calloc(n + 1, sizeof *c);
  assert(c);
  return c;
}

/* ---- edges ----------------------------------------------------------------------------------- */
/* Calls visit(edges, from, to) for each pair of accesses whose order must be kept. An access is
 * compared with the last store to the same kind of memory, and with the loads after it. */
typedef void VisitEdge(Edges *, uint32_t from, uint32_t to);
static bool orders_all(const PtxInsn *insn) {
  return insn->form != PTX_ALU && insn->form != PTX_LD && insn->form != PTX_ST &&
         insn->form != PTX_SREG && insn->form != PTX_LD_PARAM;
}
static void each_order(const BlockValues *b, Edges *edges, VisitEdge *visit) {
  uint32_t store[2] = {NOBODY, NOBODY}, since[2] = {0, 0};
  for (uint32_t i = 0; i < b->count; i++) {
    const PtxInsn *insn = &b->code[i];
    const int where = insn->space == PTX_SHARED;
    if (orders_all(insn)) {
      for (uint32_t k = since[0] < since[1] ? since[0] : since[1]; k < i; k++)
        visit(edges, k, i);
      store[0] = store[1] = i;
      since[0] = since[1] = i;
      continue;
    }
    if (insn->form != PTX_LD && insn->form != PTX_ST)
      continue;
    if (store[where] != NOBODY)
      visit(edges, store[where], i);
    if (insn->form != PTX_ST)
      continue;
    for (uint32_t k = since[where]; k < i; k++)
      if (b->code[k].form == PTX_LD && (b->code[k].space == PTX_SHARED) == where)
        visit(edges, k, i);
    store[where] = since[where] = i;
  }
}
static void each_read(const BlockValues *b, Edges *edges, VisitEdge *visit) {
  for (uint32_t i = 0; i < b->count; i++)
    for (uint32_t k = b->first[i]; k < b->first[i + 1]; k++)
      if (producer(b, b->reads[k]) != NOBODY)
        visit(edges, producer(b, b->reads[k]), i);
}

static void count_edge(Edges *e, uint32_t from, uint32_t to) {
  (void)to;
  e->first[from + 2]++;
}
static void add_edge(Edges *e, uint32_t from, uint32_t to) { e->to[e->first[from + 1]++] = to; }

static Edges edges_of(const BlockValues *b,
                      void (*each)(const BlockValues *, Edges *, VisitEdge *)) {
  Edges e = {.first = counters(b->count + 2)};
  each(b, &e, count_edge);
  for (uint32_t i = 0; i < b->count; i++)
    e.first[i + 2] += e.first[i + 1];
  e.to = counters(e.first[b->count + 1]);
  each(b, &e, add_edge);
  return e;
}

/* ---- choosing -------------------------------------------------------------------------------- */
/* The one instruction whose results are all that `reader` still waits for; NOBODY if it waits for
 * more or for nothing. `reads`: how many of its reads these are. */
static uint32_t waits_only_for(const Sparing *s, uint32_t reader, uint32_t *reads) {
  uint32_t only = NOBODY;
  *reads = 0;
  if (s->pending[reader])
    return NOBODY;
  for (uint32_t k = s->b->first[reader]; k < s->b->first[reader + 1]; k++) {
    const uint32_t from = producer(s->b, s->b->reads[k]);
    if (from == NOBODY || s->done[from])
      continue;
    if (only != NOBODY && only != from)
      return NOBODY;
    only = from;
    ++*reads;
  }
  return only;
}

static void unblock(Sparing *s, uint32_t reader) {
  uint32_t reads, from = waits_only_for(s, reader, &reads);
  if (from != NOBODY)
    s->blocked[from] -= reads;
}

static int weight_of(const Value *v) { return v->is_address ? 0 : v->weight; }

/* Returns by how many registers instruction i increases the number of live ones. */
static int growth(const Sparing *s, uint32_t i) {
  const BlockValues *b = s->b;
  int sum = 0;
  for (uint32_t v = b->nslots + RESULTS * i; v < b->nslots + RESULTS * (i + 1); v++)
    sum += s->left[v] || b->values[v].lives_on ? weight_of(&b->values[v]) : 0;
  for (uint32_t k = b->first[i]; k < b->first[i + 1]; k++) {
    const uint32_t v = b->reads[k];
    uint32_t here = 0, before = 0;
    for (uint32_t n = b->first[i]; n < b->first[i + 1]; n++) {
      here += b->reads[n] == v;
      before += b->reads[n] == v && n < k;
    }
    if (!before && s->left[v] == here && !b->values[v].lives_on)
      sum -= weight_of(&b->values[v]);
  }
  return sum;
}

static uint32_t choose(const Sparing *s, uint32_t from) {
  uint32_t best = NOBODY, seen = 0;
  int best_growth = 0;
  for (uint32_t i = from; i < s->b->count && seen < WINDOW; i++) {
    if (s->done[i] || s->missing[i] || s->pending[i])
      continue;
    const int grown = growth(s, i);
    seen++;
    if (grown <= 0)
      return i;
    if (best == NOBODY || s->blocked[i] < s->blocked[best] ||
        (s->blocked[i] == s->blocked[best] && grown < best_growth)) {
      best = i;
      best_growth = grown;
    }
  }
  return best;
}

static bool reads_from(const BlockValues *b, uint32_t reader, uint32_t from) {
  for (uint32_t k = b->first[reader]; k < b->first[reader + 1]; k++)
    if (producer(b, b->reads[k]) == from)
      return true;
  return false;
}

static void finish(Sparing *s, uint32_t i) {
  const BlockValues *b = s->b;
  s->done[i] = true;
  for (uint32_t k = b->first[i]; k < b->first[i + 1]; k++)
    s->left[b->reads[k]]--;
  for (uint32_t k = s->readers.first[i]; k < s->readers.first[i + 1]; k++)
    s->missing[s->readers.to[k]]--;
  for (uint32_t k = s->later.first[i]; k < s->later.first[i + 1]; k++)
    s->pending[s->later.to[k]]--;
  for (uint32_t k = s->readers.first[i]; k < s->readers.first[i + 1]; k++)
    if (k == s->readers.first[i] || s->readers.to[k] != s->readers.to[k - 1])
      unblock(s, s->readers.to[k]);
  for (uint32_t k = s->later.first[i]; k < s->later.first[i + 1]; k++)
    if (!reads_from(s->b, s->later.to[k], i))
      unblock(s, s->later.to[k]);
}

void sparing_order(const BlockValues *b, uint32_t *order) {
  Sparing s = {.b = b, .readers = edges_of(b, each_read), .later = edges_of(b, each_order)};
  const size_t nvalues = b->nslots + RESULTS * (size_t)b->count;
  s.missing = counters(b->count);
  s.pending = counters(b->count);
  s.blocked = counters(b->count);
  s.left = counters(nvalues);
  s.done = calloc(b->count + 1u, sizeof *s.done);
  assert(s.done);
  for (size_t v = 0; v < nvalues; v++)
    s.left[v] = b->values[v].left;
  for (uint32_t i = 0; i < b->count; i++) {
    for (uint32_t k = s.readers.first[i]; k < s.readers.first[i + 1]; k++, s.blocked[i]++)
      s.missing[s.readers.to[k]]++;
    for (uint32_t k = s.later.first[i]; k < s.later.first[i + 1]; k++)
      s.pending[s.later.to[k]]++;
  }
  for (uint32_t i = 0; i < b->count; i++)
    unblock(&s, i);
  for (uint32_t n = 0, from = 0; n < b->count; n++) {
    order[n] = choose(&s, from);
    finish(&s, order[n]);
    while (from < b->count && s.done[from])
      from++;
  }
  free(s.readers.first);
  free(s.readers.to);
  free(s.later.first);
  free(s.later.to);
  free(s.missing);
  free(s.pending);
  free(s.blocked);
  free(s.left);
  free(s.done);
}
