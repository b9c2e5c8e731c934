/* Tracks happens-before: barriers, the synchronisation of lanes, fences, and memory words that
 * threads release and acquire (order.h). */
#include "order.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "observed.h"
#include "shared_races.h"

/* ---- words that threads release and acquire -------------------------------------------------- */
/* The accesses that one warp has published in a word by releases. A fast warp may increment a
 * counter a second time before a slow warp reads it. The program does not order the accesses of the
 * fast warp between the two increments before those of the slow warp, even if this run read the
 * higher value. Therefore releases are numbered by rounds: if a warp has waited for the word since
 * its last release, its next release begins a new round. From a warp with a higher round, a warp
 * acquires only what was published before that round. */
typedef struct Releaser {
  uint32_t round;
  bool released, waited;
  KnownSet before, before_round;
} Releaser;

/* A memory word through which threads synchronise. `by` has one element per warp of the block; for
 * a word with device scope, all threads share by[0]. */
typedef struct SyncWord {
  uint64_t address;
  /* `version` increases with each release. */
  uint32_t nby, version;
  Releaser by[];
} SyncWord;

static SyncWord **place_of(const SyncWords *words, uint64_t address) {
  uint32_t at = (uint32_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 32);
  while (words->places[at & (words->room - 1)] &&
         words->places[at & (words->room - 1)]->address != address)
    at++;
  return &words->places[at & (words->room - 1)];
}

static SyncWord *find(const SyncWords *words, uint64_t address) {
  return words->room ? *place_of(words, address) : NULL;
}

static void make_room(SyncWords *words) {
  const SyncWords old = *words;
  if (2 * old.count < old.room)
    return;
  words->room = old.room ? 2 * old.room : 16;
  words->places = calloc(words->room, sizeof *words->places);
  assert(words->places);
  for (uint32_t i = 0; i < old.room; i++)
    if (old.places[i])
      *place_of(words, old.places[i]->address) = old.places[i];
  free(old.places);
}

static SyncWord *find_or_add(SyncWords *words, uint64_t address, uint32_t nby) {
  make_room(words);
  SyncWord **place = place_of(words, address);
  if (!*place) {
    SyncWord *word = *place = calloc(1, sizeof *word + nby * sizeof word->by[0]);
    assert(word);
    word->address = address;
    word->nby = nby;
    words->count++;
  }
  return *place;
}

static void empty(SyncWord *word) {
  for (uint32_t i = 0; word && i < word->nby; i++) {
    known_free(&word->by[i].before);
    known_free(&word->by[i].before_round);
    word->by[i].released = false;
    word->version++;
  }
}

void order_forget(SyncWords *words) {
  for (uint32_t i = 0; i < words->room; i++) {
    empty(words->places[i]);
    free(words->places[i]);
  }
  free(words->places);
  *words = (SyncWords){0};
}

static void publish(SyncWord *word, uint32_t by_number, const KnownSet *released) {
  Releaser *by = &word->by[by_number];
  if (by->released && by->waited) {
    by->round++;
    known_clear(&by->before_round);
    known_join(&by->before_round, &by->before);
  }
  by->released = true;
  by->waited = false;
  word->version++;
  known_join(&by->before, released);
}

static void acquire(const SyncWord *word, uint32_t number, KnownSet *to) {
  const Releaser *own = &word->by[number];
  for (uint32_t i = 0; i < word->nby; i++) {
    const Releaser *by = &word->by[i];
    if (by->released)
      known_join(to, own->released && by->round > own->round ? &by->before_round : &by->before);
  }
}

/* ---- views ----------------------------------------------------------------------------------- */
static void view_join(View *to, const View *from) {
  known_join(&to->known, &from->known);
  for (int scope = 0; scope < SCOPES; scope++)
    known_join(&to->released[scope], &from->released[scope]);
}

static void view_clear(View *view) {
  known_clear(&view->known);
  for (int scope = 0; scope < SCOPES; scope++)
    known_clear(&view->released[scope]);
}

static void view_free(View *view) {
  known_free(&view->known);
  for (int scope = 0; scope < SCOPES; scope++)
    known_free(&view->released[scope]);
}

static BlockOrder *of_block(const Block *b) { return &b->observed->order; }
static WarpOrder *of_warp(const Warp *w) { return &w->observed->order; }

void order_block_begins(Block *b) {
  BlockOrder *o = of_block(b);
  o->epoch = o->barrier_floor = 1;
  view_clear(&o->view);
  order_forget(&o->words);
  for (int i = 0; i < NAMED_BARRIERS; i++)
    known_clear(&o->arrived[i]);
}

void order_block_gone(Block *b) {
  BlockOrder *o = of_block(b);
  view_free(&o->view);
  order_forget(&o->words);
  for (int i = 0; i < NAMED_BARRIERS; i++)
    known_free(&o->arrived[i]);
}

static void clear_pending(WarpOrder *o) {
  known_clear(&o->pending[IN_BLOCK]);
  known_clear(&o->pending[ON_DEVICE]);
  o->readers = 0;
}

static void clear_heard(WarpOrder *o) {
  known_clear(&o->heard);
  o->hearers = 0;
}

void order_warp_begins(Warp *w) {
  WarpOrder *o = of_warp(w);
  o->sync_floor = 1;
  view_clear(&o->view);
  clear_heard(o);
  clear_pending(o);
  memset(o->last, 0, sizeof o->last);
  o->inside = 0;
  free(o->met);
  o->met = NULL;
}

void order_warp_gone(Warp *w) {
  WarpOrder *o = of_warp(w);
  view_free(&o->view);
  known_free(&o->heard);
  known_free(&o->pending[IN_BLOCK]);
  known_free(&o->pending[ON_DEVICE]);
  free(o->met);
}

/* Begins a new epoch of the block, so that later accesses are distinguished from earlier ones. */
static void advance(Block *b) {
  of_block(b)->epoch++;
  shared_shadow_advance(b->observed->shadow, b);
}

/* Adds to the set `to` all accesses of these lanes so far, and all accesses that are ordered before
 * them. */
static void add_own(KnownSet *to, const Warp *w, uint32_t lanes) {
  const BlockOrder *b = of_block(w->block);
  const uint64_t number = w->block->number;
  known_raise(to, known_block(number), b->barrier_floor);
  known_raise(to, known_warp(number, w->number), of_warp(w)->sync_floor);
  EACH_SET(lane, lanes)
  known_raise(to, known_thread(number, w->number * WARP_LANES + lane), b->epoch + 1);
  known_join(to, &b->view.known);
  known_join(to, &of_warp(w)->view.known);
  if (of_warp(w)->hearers & lanes)
    known_join(to, &of_warp(w)->heard);
}

/* Called when these lanes have acquired a set. A warp has only one set of acquired accesses
 * (`heard`), so what other lanes have acquired counts as acquired by these lanes too. */
static void hear(WarpOrder *o, uint32_t lanes, const KnownSet *acquired) {
  if (!acquired->count)
    return;
  known_join(&o->heard, acquired);
  o->hearers |= lanes;
}

/* Called when these lanes have synchronised. If one of the lanes has acquired accesses, these are
 * ordered before the later accesses of all these lanes. */
static void pass_on(Warp *w, uint32_t lanes) {
  WarpOrder *o = of_warp(w);
  if (!(o->hearers & lanes))
    return;
  o->hearers |= lanes;
  if (w->alive & ~o->hearers)
    return;
  known_join(&o->view.known, &o->heard);
  clear_heard(o);
}

static void take_pending(Warp *w, uint32_t lanes, bool wide) {
  WarpOrder *o = of_warp(w);
  o->unfenced[IN_BLOCK] &= ~lanes;
  o->unfenced[ON_DEVICE] &= wide ? ~lanes : ALL_LANES;
  hear(o, lanes | o->readers, &o->pending[IN_BLOCK]);
  known_clear(&o->pending[IN_BLOCK]);
  if (!wide)
    return;
  hear(o, lanes | o->readers, &o->pending[ON_DEVICE]);
  clear_pending(o);
}

/* ---- barriers -------------------------------------------------------------------------------- */
void order_barrier(Block *b) {
  BlockOrder *o = of_block(b);
  for (uint32_t i = 0; i < b->nwarps; i++) {
    Warp *w = &b->warps[i];
    take_pending(w, ALL_LANES, true);
    view_join(&o->view, &of_warp(w)->view);
    known_join(&o->view.known, &of_warp(w)->heard);
    view_clear(&of_warp(w)->view);
    clear_heard(of_warp(w));
  }
  advance(b);
  o->barrier_floor = o->epoch;
  shared_shadow_barrier(b->observed->shadow);
}

void order_named_barrier(Block *b, uint32_t number, const uint32_t *lanes) {
  BlockOrder *o = of_block(b);
  View all = {0};
  known_join(&all.known, &o->arrived[number]);
  known_clear(&o->arrived[number]);
  for (uint32_t i = 0; i < b->nwarps; i++) {
    if (!lanes[i])
      continue;
    take_pending(&b->warps[i], lanes[i], true);
    view_join(&all, &of_warp(&b->warps[i])->view);
    add_own(&all.known, &b->warps[i], lanes[i]);
  }
  for (uint32_t i = 0; i < b->nwarps; i++)
    if (lanes[i])
      view_join(&of_warp(&b->warps[i])->view, &all);
  view_free(&all);
  advance(b);
}

void order_arrive(Warp *w, uint32_t number, uint32_t lanes) {
  add_own(&of_block(w->block)->arrived[number], w, lanes);
  advance(w->block);
}

/* ---- lanes ----------------------------------------------------------------------------------- */
static void meet_some(WarpOrder *o, uint32_t lanes, uint32_t epoch) {
  uint32_t all[WARP_LANES] = {0};
  if (!o->met)
    o->met = calloc(WARP_LANES, sizeof *o->met);
  assert(o->met);
  EACH_SET(lane, lanes)
  for (unsigned other = 0; other < WARP_LANES; other++)
    all[other] = o->met[lane][other] > all[other] ? o->met[lane][other] : all[other];
  EACH_SET(mine, lanes) all[mine] = epoch;
  EACH_SET(lane, lanes) memcpy(o->met[lane], all, sizeof all);
}

void order_lanes(Warp *w, uint32_t lanes) {
  WarpOrder *o = of_warp(w);
  advance(w->block);
  pass_on(w, lanes);
  if (w->alive & ~lanes) {
    meet_some(o, lanes, of_block(w->block)->epoch);
    return;
  }
  o->sync_floor = of_block(w->block)->epoch;
  shared_shadow_syncwarp(w->observed->shadow, w);
}

/* ---- fences ---------------------------------------------------------------------------------- */
void order_fence(Warp *w, uint32_t lanes, bool wide) {
  WarpOrder *o = of_warp(w);
  take_pending(w, lanes, wide);
  for (int scope = IN_BLOCK; scope <= (wide ? ON_DEVICE : IN_BLOCK); scope++)
    add_own(&o->view.released[scope], w, lanes);
  advance(w->block);
}

/* Returns true if a fence of this thread, or a fence before a barrier of its block, has released
 * accesses in this scope. */
static bool has_released(const Warp *w, int scope) {
  return of_block(w->block)->view.released[scope].count || of_warp(w)->view.released[scope].count;
}

/* Adds to the set `to` the accesses that fences of this lane have released. For the other lanes of
 * the warp, these are the accesses up to the last synchronisation of the whole warp. */
static void join_released(KnownSet *to, const Warp *w, unsigned lane, int scope) {
  const KnownSet *all = &of_warp(w)->view.released[scope];
  const uint64_t number = w->block->number, own = known_thread(number, w->number * WARP_LANES);
  const uint32_t floor = of_warp(w)->sync_floor;
  for (uint32_t i = 0; all->count && i < all->room; i++) {
    const KnownEntry *e = &all->entries[i];
    const bool others = e->key - own < WARP_LANES && e->key != own + lane && e->before > floor;
    if (e->key)
      known_raise(to, e->key, others ? floor : e->before);
  }
}

static bool publish_released(Warp *w, SyncWords *words, unsigned lane, uint64_t address, int scope,
                             bool replaces) {
  const bool in_block = scope == IN_BLOCK;
  if (replaces)
    empty(find(words, address));
  if (!has_released(w, scope))
    return false;
  SyncWord *word = find_or_add(words, address, in_block ? w->block->nwarps : 1);
  const uint32_t by = in_block ? w->number : 0;
  publish(word, by, &of_block(w->block)->view.released[scope]);
  join_released(&word->by[by].before, w, lane, scope);
  return true;
}

static const uint8_t *operand(const Warp *w, const PtxInsn *insn, uint32_t slot, unsigned lane) {
  return w->frame->registers + slot + lane * (ptx_type_bytes((PtxType)insn->type) == 8 ? 8 : 4);
}

/* Returns true if the access is a compare-and-swap whose new value differs from the expected value,
 * because this may take a lock. */
static bool takes_lock(const Warp *w, const PtxInsn *insn, unsigned lane) {
  return insn->form == PTX_ATOM && insn->sub == PTX_ATOM_CAS &&
         memcmp(operand(w, insn, insn->b, lane), operand(w, insn, insn->c, lane),
                ptx_type_bytes((PtxType)insn->type)) != 0;
}

/* Returns true if the access changes its word. An atomic operation that writes back the same value
 * only polls, like a thread that waits for a lock. */
static bool writes(const Warp *w, const PtxInsn *insn, unsigned lane, const uint8_t *place) {
  static const uint8_t zero[8];
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type);
  if (insn->form != PTX_ATOM)
    return insn->form == PTX_ST;
  switch ((PtxAtomic)insn->sub) {
  case PTX_ATOM_CAS:
    return memcmp(operand(w, insn, insn->b, lane), place, bytes) == 0;
  case PTX_ATOM_EXCH:
    return memcmp(operand(w, insn, insn->b, lane), place, bytes) != 0;
  case PTX_ATOM_ADD:
  case PTX_ATOM_OR:
    return memcmp(operand(w, insn, insn->b, lane), zero, bytes) != 0;
  default:
    return true;
  }
}

static void acquire_word(Warp *w, const PtxInsn *insn, unsigned lane, SyncWords *words,
                         uint64_t address, int scope) {
  SyncWord *word = find(words, address);
  const bool at_once = insn->form == PTX_ATOM && !takes_lock(w, insn, lane);
  const uint32_t number = scope == IN_BLOCK ? w->number : 0;
  WarpOrder *o = of_warp(w);
  const uint32_t bit = 1u << lane;
  if (!word)
    return;
  word->by[number].waited |= insn->form == PTX_LD;
  const bool again = o->last[scope].word == word && o->last[scope].version == word->version &&
                     o->last[scope].at_once == at_once;
  if (again && o->last[scope].lanes & bit)
    return;
  o->last[scope].word = word;
  o->last[scope].version = word->version;
  o->last[scope].at_once = at_once;
  o->last[scope].lanes = again ? o->last[scope].lanes | bit : bit;
  acquire(word, number, at_once ? &o->heard : &o->pending[scope]);
  if (at_once)
    o->hearers |= o->heard.count ? bit : 0;
  else
    o->readers |= o->pending[scope].count ? bit : 0;
}

/* Returns true if a lane in `took` does a compare-and-swap on the same word. Only one of the two
 * lanes can succeed. */
static bool comes_second(const PtxInsn *insn, const Shape *shape, unsigned lane, uint32_t took) {
  EACH_SET(other, insn->form == PTX_ATOM && insn->sub == PTX_ATOM_CAS ? took : 0)
  if (shape->offset[other] == shape->offset[lane])
    return true;
  return false;
}

/* Called when a lane changes a word. If the change takes or releases a lock, records this. */
static void note_lock(Warp *w, const PtxInsn *insn, unsigned lane, uint64_t address) {
  WarpOrder *o = of_warp(w);
  const uint32_t bit = 1u << lane;
  if (takes_lock(w, insn, lane)) {
    o->inside |= bit;
    o->unfenced[IN_BLOCK] |= bit;
    o->unfenced[ON_DEVICE] |= bit;
    o->lock[lane] = address;
  } else if (o->inside & bit && o->lock[lane] == address) {
    o->inside &= ~bit;
  }
}

void order_access(Warp *w, const PtxInsn *insn, const Shape *shape, uint64_t at,
                  const uint8_t *lead, bool shared) {
  RunObserved *run = w->worker->run->observed;
  const uint64_t space = shared ? UINT64_C(1) << 63 : 0;
  const bool wide = !shared && run->in_turn && !(insn->flags & PTX_BLOCK_SCOPE);
  uint32_t took = 0;
  bool released = false;
  if (!run->orders)
    return;
  if (insn->flags & PTX_RELEASES)
    order_fence(w, shape->lanes, wide);
  EACH_SET(lane, shape->lanes) {
    const uint64_t address = shape_at(shape, at, lane) | space;
    const bool changes = writes(w, insn, lane, lead + (int32_t)shape->offset[lane]) &&
                         !comes_second(insn, shape, lane, took);
    took |= (uint32_t)changes << lane;
    if (changes)
      note_lock(w, insn, lane, address);
    for (int scope = IN_BLOCK; scope <= (wide ? ON_DEVICE : IN_BLOCK); scope++) {
      SyncWords *words = scope == IN_BLOCK ? &of_block(w->block)->words : &run->words;
      if (insn->form != PTX_ST)
        acquire_word(w, insn, lane, words, address, scope);
      if (changes)
        released |= publish_released(w, words, lane, address, scope, insn->form == PTX_ST);
    }
  }
  if (insn->flags & PTX_ACQUIRES)
    take_pending(w, shape->lanes, wide);
  if (released)
    advance(w->block);
}

bool order_is_heard(const Warp *w, unsigned lane, uint64_t block, uint32_t thread, uint32_t epoch) {
  const WarpOrder *o = of_warp(w);
  return !(o->hearers >> lane & 1) && known_has(&o->heard, block, thread, epoch);
}

bool order_is_known(const Warp *w, unsigned lane, uint64_t block, uint32_t thread, uint32_t epoch,
                    bool strong) {
  const WarpOrder *o = of_warp(w);
  return known_has(&of_block(w->block)->view.known, block, thread, epoch) ||
         known_has(&o->view.known, block, thread, epoch) ||
         (o->hearers >> lane & 1 && known_has(&o->heard, block, thread, epoch)) ||
         (strong && (known_has(&o->pending[IN_BLOCK], block, thread, epoch) ||
                     known_has(&o->pending[ON_DEVICE], block, thread, epoch)));
}
