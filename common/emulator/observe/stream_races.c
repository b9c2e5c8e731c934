/* Records the accesses of each piece of work to each buffer, and compares new accesses with those
 * of earlier work (stream_races.h). */
#include "stream_races.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mistakes.h"
#include "names.h"

/* Limits on the list of touches of a buffer: at most REMEMBERED_MOST touches. Their sets may have
 * PARTS_ALWAYS chunks with a bitmap in total, plus PARTS_MOST for each chunk of the buffer. If a
 * limit is exceeded, the oldest two touches of one stream are merged. */
enum { REMEMBERED_MOST = 64, PARTS_MOST = 8, PARTS_ALWAYS = 4096 };

/* A touch: the accesses of one piece of work to one buffer. */
struct StreamTouch {
  /* The next older touch of the buffer. */
  StreamTouch *next;
  /* The stream and the number of the work, as in clocks (clock.h). */
  uint32_t stream, number;
  char what[48], where[28];
  /* A verb for the access, if the work neither reads nor writes; otherwise NULL. */
  const char *verb;
  bool defaults, apart, in_graph;
  /* Size of the smallest access in bytes; 0: the work is a copy. */
  unsigned element;
  CallSite site;
  /* The clock at the end of the work. It covers all work that happens before this work, and the
   * work itself. */
  Clock after;
  ByteSet bytes[TOUCH_WAYS];
};

/* The current piece of work, and its touch of each buffer. */
static struct {
  StreamWork work;
  bool is_open;
  size_t count, capacity;
  struct Now {
    Allocation *memory;
    StreamTouch *touch;
  } * now;
} open_work;

/* The vector clock of the host. It covers the work that the host has waited for. */
static Clock host_clock;

/* ---- the current work ------------------------------------------------------------------------ */
void stream_races_begin(const StreamWork *work) {
  open_work.work = *work;
  open_work.is_open = true;
  open_work.count = 0;
}

static StreamTouch *touch_of(Allocation *a) {
  for (size_t i = 0; i < open_work.count; i++)
    if (open_work.now[i].memory == a)
      return open_work.now[i].touch;
  if (open_work.count == open_work.capacity) {
    open_work.capacity = open_work.capacity ? 2 * open_work.capacity : 16;
    open_work.now = realloc(open_work.now, open_work.capacity * sizeof *open_work.now);
    assert(open_work.now);
  }
  StreamTouch *t = calloc(1, sizeof *t);
  assert(t);
  open_work.now[open_work.count].memory = a;
  return open_work.now[open_work.count++].touch = t;
}

void stream_races_touch(Allocation *a, TouchWay way, uint64_t address, size_t bytes) {
  if (!open_work.is_open || !a)
    return;
  const uint64_t from = address - a->address;
  byte_set_add(&touch_of(a)->bytes[way], from, from + bytes);
}

void stream_races_kernel(void) {
  for (Allocation *a = memory_next(NULL); a && open_work.is_open; a = memory_next(a)) {
    ByteSet sets[TOUCH_WAYS] = {{0}};
    unsigned element;
    if (!a->touched || !touched_take(a, sets, &element))
      continue;
    StreamTouch *t = touch_of(a);
    t->element = element;
    memcpy(t->bytes, sets, sizeof sets);
  }
}

static void destroy(StreamTouch *t) {
  for (int way = 0; way < TOUCH_WAYS; way++)
    byte_set_clear(&t->bytes[way]);
  clock_clear(&t->after);
  free(t);
}

/* ---- races ----------------------------------------------------------------------------------- */
/* A conflict of two pieces of work: the most severe pair of accesses to a common byte. */
typedef struct Meeting {
  /* Offset of the first common byte. */
  uint64_t at;
  TouchWay earlier, later;
} Meeting;

static bool meet(const StreamTouch *earlier, const StreamTouch *later, Meeting *m) {
  static const TouchWay ways[][2] = {
      {TOUCH_WRITE, TOUCH_WRITE},  {TOUCH_WRITE, TOUCH_READ},   {TOUCH_READ, TOUCH_WRITE},
      {TOUCH_WRITE, TOUCH_ATOMIC}, {TOUCH_ATOMIC, TOUCH_WRITE}, {TOUCH_READ, TOUCH_ATOMIC},
      {TOUCH_ATOMIC, TOUCH_READ},  {TOUCH_WRITE, TOUCH_SYSTEM}, {TOUCH_SYSTEM, TOUCH_WRITE},
      {TOUCH_READ, TOUCH_SYSTEM},  {TOUCH_SYSTEM, TOUCH_READ}};
  bool any = false;
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    uint64_t at;
    if (!byte_set_meet(&earlier->bytes[ways[i][0]], &later->bytes[ways[i][1]], &at) ||
        (any && at >= m->at))
      continue;
    *m = (Meeting){at, ways[i][0], ways[i][1]};
    any = true;
  }
  return any;
}

static StreamAccess access_of(const StreamTouch *t, TouchWay way) {
  return (StreamAccess){.work = t->what,
                        .where = t->where,
                        .verb = t->verb              ? t->verb
                                : way == TOUCH_READ  ? "read"
                                : way == TOUCH_WRITE ? "wrote"
                                                     : "changed",
                        .defaults = t->defaults,
                        .apart = t->apart,
                        .in_graph = t->in_graph,
                        .site = &t->site};
}

static void report_race(const Allocation *a, const StreamTouch *earlier, const StreamTouch *later,
                        const Meeting *m) {
  const StreamAccess first = access_of(earlier, m->earlier), second = access_of(later, m->later);
  unsigned element = earlier->element;
  if (later->element && (!element || later->element < element))
    element = later->element;
  mistake_stream_race(a, m->at, element, &first, &second);
}

/* Compares the touch with the earlier touches of the buffer, the latest first. After a report, the
 * clock of the current work covers the earlier work, as if the missing synchronisation existed.
 * This synchronisation would also order all work before the earlier work, so the same mistake is
 * not reported again. */
static void judge(const Allocation *a, const StreamTouch *later) {
  Meeting m = {0};
  for (const StreamTouch *t = a->history; t; t = t->next)
    if (t->stream != later->stream && t->number > clock_at(open_work.work.after, t->stream) &&
        meet(t, later, &m)) {
      report_race(a, t, later, &m);
      clock_join(open_work.work.after, &t->after);
    }
}

/* ---- memory of earlier work ------------------------------------------------------------------ */
static bool is_settled(const StreamTouch *t) {
  return t->number <= clock_at(&host_clock, t->stream);
}

/* Returns true if all future work that races with `earlier` also races with `later`. Then `earlier`
 * can be deleted. */
static bool replaces(const StreamTouch *later, const StreamTouch *earlier) {
  for (int way = 0; way < TOUCH_WAYS; way++)
    if (!byte_set_contains(&later->bytes[way], &earlier->bytes[way]))
      return false;
  return later->stream == earlier->stream;
}

static void drop(StreamTouch **at) {
  StreamTouch *t = *at;
  *at = t->next;
  destroy(t);
}

/* Merges the oldest two touches of one stream. The merged touch has the number and clock of the
 * earlier touch. This may hide a race, but never causes a false report. */
static void squeeze(Allocation *a) {
  StreamTouch *second = NULL, **first = NULL;
  for (StreamTouch *one = a->history; one; one = one->next)
    for (StreamTouch **at = &one->next; *at; at = &(*at)->next)
      if ((*at)->stream == one->stream) {
        second = one;
        first = at;
        break;
      }
  if (!second)
    return;
  second->number = (*first)->number;
  clock_copy(&second->after, &(*first)->after);
  for (int way = 0; way < TOUCH_WAYS; way++)
    byte_set_join(&second->bytes[way], &(*first)->bytes[way]);
  drop(first);
}

static void remember(Allocation *a, StreamTouch *new) {
  size_t count = 0, parts = 0;
  for (StreamTouch **at = &a->history; *at;)
    if (is_settled(*at) || replaces(new, *at)) {
      drop(at);
    } else {
      for (int way = 0; way < TOUCH_WAYS; way++)
        parts += (*at)->bytes[way].parts;
      at = &(*at)->next;
      count++;
    }
  new->next = a->history;
  a->history = new;
  if (count >= REMEMBERED_MOST || parts > PARTS_ALWAYS + PARTS_MOST * (a->bytes / SET_CHUNK))
    squeeze(a);
}

static void mark(Allocation *a, const ByteSet *set, unsigned what) {
  byte_set_mark(set, what == MEMORY_UNSETTLED ? a->unsettled : a->in_use);
  for (size_t i = 0; i < set->count; i++)
    memory_await(a, set->runs[i].first * SET_CHUNK, set->runs[i].end * SET_CHUNK, what);
}

/* Marks the bytes of managed and pinned memory that the work accesses. Until the host has waited
 * for the work, the host must not access bytes that the work writes, and must not write bytes that
 * the work reads. Bytes that only atomic operations with system scope change are not marked,
 * because the host may access such bytes at the same time. */
static void close_to_host(Allocation *a, const StreamTouch *t) {
  if (!a->unsettled)
    return;
  mark(a, &t->bytes[TOUCH_WRITE], MEMORY_UNSETTLED);
  mark(a, &t->bytes[TOUCH_READ], MEMORY_IN_USE);
  if (a->kind == MEMORY_MANAGED)
    mark(a, &t->bytes[TOUCH_ATOMIC], MEMORY_UNSETTLED);
  a->dirty = true;
}

static void name_work(StreamTouch *t, const StreamWork *work) {
  char name[40];
  snprintf(name, sizeof name, "%s", work->what);
  if (work->is_kernel)
    name_plain(work->what, name, sizeof name);
  snprintf(t->what, sizeof t->what, "%s%s", work->is_kernel ? "kernel " : "", name);
}

bool stream_races_end(bool done) {
  bool tells = false;
  const StreamWork *work = &open_work.work;
  CallSite site;
  if (open_work.count && done)
    call_site(&site);
  for (size_t i = 0; i < open_work.count; i++) {
    struct Now *now = &open_work.now[i];
    StreamTouch *t = now->touch;
    if (!done) {
      destroy(t);
      continue;
    }
    t->stream = work->stream;
    t->number = work->number;
    t->defaults = work->defaults;
    t->apart = work->apart;
    t->in_graph = work->in_graph;
    t->site = site;
    t->verb = work->verb;
    name_work(t, work);
    memcpy(t->where, work->where, sizeof t->where);
    tells = tells || (now->memory->kind == MEMORY_PINNED &&
                      (t->bytes[TOUCH_ATOMIC].count || t->bytes[TOUCH_SYSTEM].count));
    judge(now->memory, t);
    close_to_host(now->memory, t);
  }
  for (size_t i = 0; i < open_work.count && done; i++) {
    clock_copy(&open_work.now[i].touch->after, work->after);
    remember(open_work.now[i].memory, open_work.now[i].touch);
  }
  open_work.count = 0;
  open_work.is_open = false;
  return tells;
}

void stream_races_forget(const Clock *host) {
  clock_copy(&host_clock, host);
  for (Allocation *a = memory_next(NULL); a; a = memory_next(a))
    for (StreamTouch **at = &a->history; *at;)
      if (is_settled(*at))
        drop(at);
      else
        at = &(*at)->next;
}

void stream_races_free(Allocation *a) {
  while (a->history)
    drop(&a->history);
}

/* ---- accesses by the host -------------------------------------------------------------------- */
void stream_races_unsettle(Allocation *a) {
  for (const StreamTouch *t = a->history; t; t = t->next)
    close_to_host(a, t);
}

const StreamTouch *stream_races_at(const Allocation *a, uint64_t offset, bool writes) {
  for (const StreamTouch *t = a->history; t; t = t->next)
    if (byte_set_has(&t->bytes[writes ? TOUCH_WRITE : TOUCH_READ], offset) ||
        (writes && byte_set_has(&t->bytes[TOUCH_ATOMIC], offset)))
      return t;
  return NULL;
}

void stream_races_say(const StreamTouch *t, bool writes, ReportPlace *place, CallSite *site) {
  snprintf(place->did, sizeof place->did, "%s %s it, in %s", t->what, writes ? "writes" : "reads",
           t->where);
  *site = t->site;
}
