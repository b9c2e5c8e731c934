/* Writes the reports of data races in shared and global memory, and of races between streams: the
 * sentence and the likely cause. */
#include "report_places.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "names.h"
#include "shared_races.h"

static const char *const access_did[] = {[ACCESS_READS] = "read it",
                                         [ACCESS_WRITES] = "wrote it",
                                         [ACCESS_CHANGES] = "changed it atomically"};

/* Describes the thread of `p` by the text `who`, without its number. Used if shadow memory does not
 * contain the exact number: it records only one of several lanes that read a word together, and one
 * common number for all blocks from GLOBAL_RACE_BLOCKS on. */
static void unnamed(ReportPlace *p, const char *who, const char *what) {
  p->has_thread = false;
  assert(strlen(who) + 1 + strlen(what) < sizeof p->did);
  stpcpy(stpcpy(stpcpy(p->did, who), " "), what);
}

static void place_earlier(Report *r, const Warp *w, unsigned lane, const Earlier *e,
                          AccessKind now) {
  const Run *run = w->block->run;
  const PtxInsn *before = module_site(run->module, e->site);
  r->other = r->at; /* `at` becomes the earlier access below */
  strcpy(r->at.did, access_did[e->kind]);
  strcpy(r->other.did, access_did[now]);
  r->at.wrote = e->kind == ACCESS_WRITES;
  r->other.wrote = now == ACCESS_WRITES;
  place_line(&r->at, run, before ? before->line : 0);
  place_thread(&r->at, run, e->block, e->thread);
  if (e->block == w->block->number && e->thread == w->number * WARP_LANES + lane)
    unnamed(&r->at, "another lane of its warp", access_did[e->kind]);
}

static ReportKind race_kind(const Warp *w, const Earlier *e) {
  const bool within = e->block == w->block->number;
  return e->same_value                         ? REPORT_SAME_VALUE
         : !within                             ? REPORT_RACE_GLOBAL
         : e->together                         ? REPORT_RACE_LANES
         : e->thread / WARP_LANES == w->number ? REPORT_RACE_WARP
                                               : REPORT_RACE_SHARED;
}

static const char atomic_beside_plain[] =
    "An atomic operation is atomic only for other atomic operations. Make the plain access atomic, "
    "too, or put a barrier between the two accesses.";
static const char one_block_only[] =
    "An atomic operation with the suffix _block is atomic only for the threads of one block. Other "
    "blocks need the operation without this suffix.";
static const char barrier_of_one_block[] =
    "__syncthreads() orders the threads of one block only, and blocks run in any order. Use two "
    "launches in one stream, or a cooperative launch with grid.sync().";
static const char two_sizes[] = "Atomic operations of different sizes are not atomic for each "
                                "other. Access the variable with one size only.";

static const char no_fence[] =
    "No fence orders the two accesses. The first block needs a __threadfence() before the atomic "
    "operation that signals the other block. The other block needs a __threadfence() after the "
    "operation that reads the signal.";

static const char other_lane_heard[] =
    "Another lane of the warp waited for the first access, but nothing has synchronised this lane "
    "with the waiting lane since. The lanes need a __syncwarp() after the wait.";

static const char *const missing_barrier[] = {
    [NO_BARRIER_MISSING] = NULL,
    [BARRIER_AFTER_STORES] = "No barrier separates the two accesses. All threads must have stored "
                             "their values before any thread reads them.",
    [BARRIER_AFTER_READS] = "No barrier separates the reads of the old values from the store of "
                            "the new values. In a loop, the store may be in the next iteration."};

/* Returns the cause of a race in which one or both threads hold a lock. `locked`: the current
 * thread holds a lock. */
static const char *lock_cause(const Earlier *e, bool locked) {
  return !e->locked || !locked
             ? "Only one of the two threads holds the lock. The other thread must acquire it, too."
         : !e->same_lock ? "The two threads hold different locks. All threads that use this "
                           "variable must acquire the same lock."
                         : "The lock needs a __threadfence() after the atomicCAS that acquires it, "
                           "and one before the operation that releases it.";
}

/* Returns true if one source line loads and stores through the same address register and offset, as
 * in counts[i]++. */
static bool is_one_change(const PtxInsn *before, const PtxInsn *now) {
  return before && before->line == now->line && before->form != now->form && before->a == now->a &&
         before->imm == now->imm;
}

/* Returns the cause `barrier_of_one_block` if one block reads what another writes and the kernel
 * has a barrier; otherwise NULL. The barrier was probably meant to synchronise the whole grid. */
static const char *barrier_cause(const PtxFunction *f, AccessKind a, AccessKind b) {
  bool waits = false;
  for (uint32_t i = 0; i < f->ncode && !waits; i++)
    waits = f->code[i].form == PTX_BARRIER;
  return waits && a != b ? barrier_of_one_block : NULL;
}

/* Returns the cause of a race; NULL: use the cause of the kind (report_kinds.def). */
static const char *race_cause(const Warp *w, unsigned lane, const PtxInsn *insn, PtxSpace space,
                              ReportKind kind, const Earlier *e, AccessKind now) {
  const PtxInsn *before = module_site(w->block->run->module, e->site);
  const bool is_volatile = (insn->flags | (before ? before->flags : 0)) & PTX_VOLATILE;
  const bool changes = e->kind == ACCESS_CHANGES || now == ACCESS_CHANGES;
  if (kind == REPORT_SAME_VALUE || kind == REPORT_RACE_LANES)
    return NULL;
  if (e->heard)
    return other_lane_heard;
  if (e->kind == ACCESS_CHANGES && now == ACCESS_CHANGES)
    return kind == REPORT_RACE_GLOBAL ? one_block_only : two_sizes;
  if (changes)
    return kind == REPORT_RACE_GLOBAL && w->worker->run->observed->orders ? NULL
                                                                          : atomic_beside_plain;
  const bool locked = w->observed->order.inside >> lane & 1;
  if (space == PTX_GLOBAL && (e->locked || locked))
    return lock_cause(e, locked);
  if (kind == REPORT_RACE_GLOBAL)
    return w->worker->run->observed->orders ? no_fence
                                            : barrier_cause(w->worker->run->function, e->kind, now);
  if (is_one_change(before, insn))
    return "Each of these threads loads the element, changes it and stores it, so one change is "
           "lost. Use an atomic operation, such as atomicAdd().";
  if (space == PTX_GLOBAL && before && before->line == insn->line && e->kind != now)
    return "If several threads change this element, use an atomic operation, such as atomicAdd(). "
           "Otherwise a barrier must separate the reads from the writes.";
  if (space == PTX_GLOBAL && kind == REPORT_RACE_SHARED && e->kind == ACCESS_WRITES &&
      now == ACCESS_WRITES)
    return "Two threads of the block store to the same element. Give each its own element, or use "
           "an atomic operation.";
  if (is_volatile && space == PTX_SHARED)
    return kind == REPORT_RACE_WARP
               ? "The keyword volatile orders nothing. Lanes of a warp need a __syncwarp()."
               : "The keyword volatile orders nothing. Only __syncthreads() or an atomic operation "
                 "does.";
  return kind == REPORT_RACE_SHARED && space == PTX_SHARED
             ? missing_barrier[shared_race_barrier(w, e, insn->site, now)]
             : NULL;
}

void mistake_race(Warp *w, const PtxInsn *insn, unsigned lane, PtxSpace space, uint64_t address,
                  const Earlier *e, AccessKind now) {
  const ReportKind kind = race_kind(w, e);
  const bool within = e->block == w->block->number;
  Report r = report_at(w, kind, insn->line, lane);
  char element[128];
  place_earlier(&r, w, lane, e, now);
  if (report_again(&r))
    return;
  describe(&r, w, space, address, space == PTX_SHARED ? 4 : ptx_type_bytes((PtxType)insn->type));
  const char *what = kind == REPORT_SAME_VALUE   ? "same value written twice"
                     : kind == REPORT_RACE_LANES ? "different values written at once"
                                                 : "race";
  if (space == PTX_SHARED)
    snprintf(r.sentence, sizeof r.sentence, "%s on %s, word %" PRId64, what,
             r.buffer[0] ? r.buffer : "shared memory", r.element);
  else
    snprintf(r.sentence, sizeof r.sentence, "%s %s on %s", what,
             within ? "within a block" : "between blocks",
             element_text(&r, element, sizeof element));
  const char *cause = race_cause(w, lane, insn, space, kind, e, now);
  r.cause = cause ? cause : r.cause;
  report_file(&r);
}

void mistake_pending(Warp *w, const PtxInsn *insn, unsigned lane, uint32_t offset, uint32_t thread,
                     uint32_t site, bool writes_now) {
  const PtxInsn *before = module_site(w->block->run->module, site);
  Report r = report_at(w, REPORT_COPY_PENDING, insn->line, lane);
  r.other = r.at;
  strcpy(r.other.did, access_did[writes_now ? ACCESS_WRITES : ACCESS_READS]);
  strcpy(r.at.did, "began to copy to it");
  place_line(&r.at, w->block->run, before ? before->line : 0);
  place_thread(&r.at, w->block->run, w->block->number, thread);
  if (report_again(&r))
    return;
  describe(&r, w, PTX_SHARED, offset, 4);
  snprintf(r.sentence, sizeof r.sentence,
           "%s before its asynchronous copy is complete: %s, word %" PRId64,
           writes_now ? "write" : "read", r.buffer[0] ? r.buffer : "shared memory", r.element);
  report_file(&r);
}

static const char *global_race_cause(const Run *run, const GlobalRace *race) {
  const bool changes = race->kind[0] == ACCESS_CHANGES || race->kind[1] == ACCESS_CHANGES;
  return race->same_value ? NULL
         : race->mixed    ? two_sizes
         : race->in_block ? one_block_only
         : changes        ? atomic_beside_plain
         : run->function->meets_by_atomics
             ? "An atomic operation orders only its own variable. A __threadfence() before it and "
               "one after it order the other variables."
             : barrier_cause(run->function, race->kind[0], race->kind[1]);
}

void mistake_global_race(const Run *run, const GlobalRace *race, uint64_t times) {
  const PtxInsn *insn[2] = {module_site(run->module, race->site[0]),
                            module_site(run->module, race->site[1])};
  Report r = report_make(race->same_value ? REPORT_SAME_VALUE : REPORT_RACE_GLOBAL);
  ReportPlace *places[2] = {&r.at, &r.other};
  r.kernel = run->function->name;
  for (unsigned i = 0; i < 2; i++) {
    place_line(places[i], run, insn[i] ? insn[i]->line : 0);
    place_thread(places[i], run, race->block[i], race->thread[i]);
    snprintf(places[i]->did, sizeof places[i]->did, "%s", access_did[race->kind[i]]);
    places[i]->wrote = race->kind[i] == ACCESS_WRITES;
    if (race->block[i] == GLOBAL_RACE_BLOCKS)
      unnamed(places[i], "one of the last blocks", access_did[race->kind[i]]);
  }
  Around around = {.element = insn[1] ? ptx_type_bytes((PtxType)insn[1]->type) : 4};
  describe_allocation(&r, &around, race->memory, race->address);
  place_element(&r, &around, race->address);
  char element[128];
  snprintf(r.sentence, sizeof r.sentence, "%s between blocks on %s",
           race->same_value ? "same value written twice" : "race",
           element_text(&r, element, sizeof element));
  const char *cause = global_race_cause(run, race);
  r.cause = cause ? cause : r.cause;
  report_file_times(&r, times);
}

/* ---- races between streams ------------------------------------------------------------------- */
static void place_stream_access(ReportPlace *place, const StreamAccess *a) {
  snprintf(place->did, sizeof place->did, "%s %s it, in %s", a->work, a->verb, a->where);
}

static void name_element(Report *r, const Allocation *a, uint64_t at, unsigned element) {
  char name[64];
  if (a->name)
    name_plain(a->name, name, sizeof name);
  else
    snprintf(name, sizeof name, "allocation %" PRIu32 " (%zu bytes)", a->number, a->bytes);
  strcpy(r->buffer, name);
  r->space = a->kind == MEMORY_CONSTANT ? "constant" : "global";
  r->element = element ? (int64_t)(at / element) : -1;
  if (element && a->columns) {
    r->row = r->element / (int64_t)a->columns;
    r->column = r->element % (int64_t)a->columns;
    snprintf(r->sentence, sizeof r->sentence,
             "race between streams on %s, row %" PRId64 ", column %" PRId64, name, r->row,
             r->column);
  } else {
    snprintf(r->sentence, sizeof r->sentence, "race between streams on %s, %s %" PRIu64, name,
             element ? "element" : "byte", element ? at / element : at);
  }
}

void mistake_stream_race(const Allocation *a, uint64_t at, unsigned element,
                         const StreamAccess *earlier, const StreamAccess *later) {
  Report r = report_make(REPORT_RACE_STREAMS);
  name_element(&r, a, at, a->element_bytes ? (unsigned)a->element_bytes : element);
  place_stream_access(&r.at, earlier);
  place_stream_access(&r.other, later);
  if (earlier->in_graph && later->in_graph)
    r.cause =
        "No edge of the graph orders the two nodes. Let one node wait for the other; in captured "
        "streams, let one stream wait for an event of the other.";
  else if ((earlier->defaults && later->apart) || (later->defaults && earlier->apart))
    r.cause = "A stream made with cudaStreamNonBlocking and the default stream do not wait for "
              "each other. Use an event, or a stream made with cudaStreamCreate.";
  report_file_from(&r, earlier->site, later->site);
}
