/* Writes one block of a run as JSON for the page.
 *
 * Each event of the block is a short list. The events are in the order of execution:
 *   ["s",warp,lanes,line,file]   these lanes of a warp begin a step
 *   ["a",operation,lanes,array,where,element,type,count,"bytes"]   the access of this step
 *   ["m",lanes,line]             these lanes reach a barrier or a __syncwarp()
 *   ["b"]                        all threads of the block have reached the barrier
 *
 *   file             index in "files"
 *   operation, type  TapeOperation and TapeType (emulator/tape.h)
 *   array            index in "arrays"; -1 if the array is unknown
 *   where            [offset of the first active lane, distance between active lanes], or [[offset
 *                    of each active lane]]; offsets and distances are in bytes
 *   element          size of an element in bytes
 *   count            number of elements of each lane
 *   bytes            values of each active lane, as hexadecimal digits
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "step.h"

enum { FILES_MOST = 32, WRONG_MOST = 4096 };

typedef struct Writer {
  FILE *out;
  const TapedLaunch *launch;
  const char *files[FILES_MOST];
  unsigned nfiles;
  /* One entry per buffer of the launch. `touched`: true if the block accesses the buffer.
   * `written`: true if the block writes to it. */
  bool *touched, *written;
} Writer;

static FILE *begin(Text *t) {
  FILE *out = open_memstream(&t->bytes, &t->length);
  if (!out)
    abort();
  return out;
}

Text show_refusal(const char *sentence) {
  Text t = {0};
  FILE *out = begin(&t);
  fputs("{\"refused\":", out);
  json_text(out, sentence);
  fputs("}", out);
  fclose(out);
  return t;
}

static void put_three(FILE *out, const char *key, const uint32_t v[3]) {
  fprintf(out, ",\"%s\":[%u,%u,%u]", key, v[0], v[1], v[2]);
}

static void put_key_text(FILE *out, const char *key, const char *text) {
  fprintf(out, ",\"%s\":", key);
  json_text(out, text);
}

/* ---- the data that the page loads first ------------------------------------------------------ */
static void put_source(FILE *out, const char *path) {
  FILE *source = fopen(path, "r");
  char *line = NULL;
  size_t room = 0;
  fputs(",\"lines\":[", out);
  for (bool first = true; source && getline(&line, &room, source) > 0; first = false) {
    line[strcspn(line, "\r\n")] = 0;
    fputs(first ? "" : ",", out);
    json_text(out, line);
  }
  fputs("]", out);
  free(line);
  if (source)
    fclose(source);
}

static uint64_t linear(const uint32_t at[3], const uint32_t size[3]) {
  return at[0] + size[0] * (at[1] + (uint64_t)size[1] * at[2]);
}

/* Returns the launch that the page shows first, and sets *block. It is the launch of the first
 * race. Without a race it is the first launch with shared arrays, otherwise the first launch. */
static const TapedLaunch *first_to_show(const Stepper *s, uint64_t *block) {
  const Tape *t = &s->plain.tape;
  const Race *r = s->plain.nraces ? s->plain.races : NULL;
  *block = 0;
  for (size_t i = 0; r && i < t->nlaunches; i++)
    if (!strcmp(t->launches[i].kernel, r->kernel)) {
      *block = r->at.has_thread ? linear(r->at.block, t->launches[i].launch->grid) : 0;
      return &t->launches[i];
    }
  for (size_t i = 0; i < t->nlaunches; i++)
    if (t->launches[i].nshared)
      return &t->launches[i];
  return t->launches;
}

static void put_launches(FILE *out, const Tape *t) {
  fputs(",\"launches\":[", out);
  for (size_t i = 0; i < t->nlaunches; i++) {
    const TapedLaunch *l = &t->launches[i];
    fprintf(out, "%s{\"number\":%" PRIu64, i ? "," : "", l->launch->number);
    put_key_text(out, "kernel", l->kernel);
    put_three(out, "grid", l->launch->grid);
    put_three(out, "block", l->launch->block);
    fputs("}", out);
  }
  fputs("]", out);
}

static void put_races(FILE *out, const Outcome *o) {
  fputs(",\"races\":[", out);
  for (size_t i = 0; i < o->nraces; i++) {
    const Race *r = &o->races[i];
    fprintf(out, "%s{\"line\":%u,\"wrote\":%s,\"other\":%u,\"otherWrote\":%s", i ? "," : "",
            r->at.line, r->at.wrote ? "true" : "false", r->other.line,
            r->other.wrote ? "true" : "false");
    put_key_text(out, "kernel", r->kernel);
    put_key_text(out, "sentence", r->sentence);
    put_key_text(out, "cause", r->cause);
    fputs("}", out);
  }
  fputs("]", out);
}

Text show_start(const Stepper *s) {
  Text t = {0};
  FILE *out = begin(&t);
  uint64_t block;
  const TapedLaunch *first = first_to_show(s, &block);
  fprintf(out, "{\"launch\":%" PRIu64 ",\"block\":%" PRIu64, first->launch->number, block);
  put_key_text(out, "title", s->title);
  put_key_text(out, "command", s->command ? s->command : "");
  put_key_text(out, "file", s->source);
  put_source(out, s->source);
  put_launches(out, &s->plain.tape);
  put_races(out, &s->plain);
  if (s->plain.mistake)
    put_key_text(out, "mistake", s->plain.mistake);
  fputs("}", out);
  fclose(out);
  return t;
}

/* ---- arrays ---------------------------------------------------------------------------------- */
static long array_of(const TapedLaunch *l, const TapeAccess *a, uint64_t address, uint64_t *base) {
  for (size_t i = 0; a->space == TAPE_IN_SHARED && i < l->nshared; i++)
    if (address - l->shared[i]->offset < l->shared[i]->bytes) {
      *base = l->shared[i]->offset;
      return (long)i;
    }
  for (size_t i = 0; a->space == TAPE_IN_GLOBAL && i < l->nbuffers; i++)
    if (address - l->buffers[i]->address < l->buffers[i]->bytes) {
      *base = l->buffers[i]->address;
      return (long)(l->nshared + i);
    }
  return -1;
}

static unsigned lowest_lane(uint32_t lanes) { return (unsigned)__builtin_ctz(lanes); }

static void note_touched(Writer *w) {
  const TapedLaunch *l = w->launch;
  for (size_t i = 0; i < l->nevents; i++) {
    const TapeAccess *a = tape_access(l->events[i]);
    uint64_t base;
    const long array = a ? array_of(l, a, a->address[lowest_lane(a->lanes)], &base) : -1;
    if (array < (long)l->nshared)
      continue;
    w->touched[array - (long)l->nshared] = true;
    w->written[array - (long)l->nshared] |= a->operation != TAPE_READS;
  }
}

/* Returns true if the kernel is launched only once. The result of such a launch can be compared
 * with the correct result. If a kernel is launched several times, each launch does a part of the
 * work. */
static bool leaves_result(const Outcome *o, const TapedLaunch *l) {
  size_t same = 0;
  for (size_t i = 0; i < o->tape.nlaunches; i++)
    same += !strcmp(o->tape.launches[i].kernel, l->kernel);
  return same == 1;
}

/* Writes the list of the numbers in a buffer that differ from the correct result after the launch.
 */
static void put_wrong(FILE *out, const Gold *g, const TapeBuffer *b) {
  const unsigned bytes = gold_bytes(g, b);
  uint64_t count = 0;
  if (!bytes)
    return;
  fprintf(out, ",\"wrong\":{\"bytes\":%u,\"of\":%zu,\"at\":[", bytes, g->count);
  for (uint64_t i = 0; i < g->count; i++)
    if (gold_differs(g, i, buffer_number(b, i, bytes)) && count++ < WRONG_MOST)
      fprintf(out, "%s[%" PRIu64 ",%.9g]", count > 1 ? "," : "", i,
              isfinite(g->values[i]) ? g->values[i] : 0);
  fprintf(out, "],\"count\":%" PRIu64 "}", count);
}

static void put_arrays(const Stepper *s, const Outcome *o, Writer *w) {
  const TapedLaunch *l = w->launch;
  FILE *out = w->out;
  fputs(",\"arrays\":[", out);
  for (size_t i = 0; i < l->nshared; i++) {
    fprintf(out, "%s{\"space\":\"shared\",\"bytes\":%u", i ? "," : "", l->shared[i]->bytes);
    put_key_text(out, "name", tape_name(&l->shared[i]->head));
    fputs("}", out);
  }
  for (size_t i = 0; i < l->nbuffers; i++) {
    const TapeBuffer *b = l->buffers[i];
    fprintf(out, "%s{\"space\":\"global\",\"bytes\":%" PRIu64, i || l->nshared ? "," : "",
            b->bytes);
    fprintf(out, ",\"rows\":%" PRIu64 ",\"columns\":%" PRIu64 ",\"element\":%" PRIu64, b->rows,
            b->columns, b->element);
    put_key_text(out, "name", tape_name(&b->head));
    if (b->argument && !strncmp(tape_name(&b->head), "allocation ", strlen("allocation ")))
      fprintf(out, ",\"argument\":%" PRIu64, b->argument); /* the page names it after the kernel's
                                                            * parameter */
    if (w->touched[i] && w->written[i] && b->kept && leaves_result(o, l))
      put_wrong(out, &s->gold, b);
    fputs("}", out);
  }
  fputs("]", out);
}

/* ---- events ---------------------------------------------------------------------------------- */
static unsigned file_number(Writer *w, const char *file) {
  for (unsigned i = 0; i < w->nfiles; i++)
    if (!strcmp(w->files[i], file))
      return i;
  if (w->nfiles == FILES_MOST)
    return FILES_MOST - 1;
  w->files[w->nfiles] = file;
  return w->nfiles++;
}

/* Writes the offsets of the active lanes in the array, in the format of `where` at the top of this
 * file. */
static void put_places(FILE *out, const TapeAccess *a, uint64_t base) {
  const unsigned first = lowest_lane(a->lanes);
  const uint32_t others = a->lanes & (a->lanes - 1);
  const int64_t from = (int64_t)(a->address[first] - base);
  int64_t distance = 0, rank = 0;
  bool even = true;
  if (others)
    distance = (int64_t)(a->address[lowest_lane(others)] - a->address[first]);
  for (unsigned lane = first; lane < TAPE_LANES; lane++)
    if (a->lanes >> lane & 1)
      even = even && (int64_t)(a->address[lane] - base) == from + distance * rank++;
  if (even) {
    fprintf(out, "[%" PRId64 ",%" PRId64 "]", from, distance);
    return;
  }
  fputs("[[", out);
  for (unsigned lane = first; lane < TAPE_LANES; lane++)
    if (a->lanes >> lane & 1)
      fprintf(out, "%s%" PRId64, lane == first ? "" : ",", (int64_t)(a->address[lane] - base));
  fputs("]]", out);
}

static void put_access(Writer *w, const TapeAccess *a) {
  uint8_t bytes[TAPE_LANES * 128];
  size_t count = 0;
  uint64_t base = 0;
  const long array = array_of(w->launch, a, a->address[lowest_lane(a->lanes)], &base);
  fprintf(w->out, "[\"a\",%u,%u,%ld,", a->operation, a->lanes, array);
  put_places(w->out, a, base);
  fprintf(w->out, ",%u,%u,%u,", a->element, a->type, a->count);
  for (unsigned lane = 0; lane < TAPE_LANES; lane++)
    for (uint32_t i = 0; a->lanes >> lane & 1 && i < a->count; i++)
      if (count + a->element <= sizeof bytes) {
        memcpy(bytes + count, &a->value[i * TAPE_LANES + lane], a->element);
        count += a->element;
      }
  json_hex(w->out, bytes, count);
  fputs("]", w->out);
}

static void put_event(Writer *w, const TapeHead *h) {
  const TapeHold *hold = (const void *)h;
  switch ((TapeKind)h->kind) {
  case TAPE_ACCESS:
    put_access(w, tape_access(h));
    return;
  case TAPE_STEP:
    fprintf(w->out, "[\"s\",%u,%u,%u,%u]", hold->warp, hold->lanes, hold->line,
            file_number(w, tape_name(h)));
    return;
  case TAPE_ARRIVES:
    fprintf(w->out, "[\"m\",%u,%u]", hold->lanes, hold->line);
    return;
  default:
    fputs("[\"b\"]", w->out);
  }
}

static bool is_shown(const TapeHead *h) {
  return h->kind == TAPE_ACCESS || h->kind == TAPE_STEP || h->kind == TAPE_ARRIVES ||
         h->kind == TAPE_BARRIER;
}

static void put_events(Writer *w) {
  const TapedLaunch *l = w->launch;
  bool first = true;
  fputs(",\"events\":[", w->out);
  for (size_t i = 0; i < l->nevents; i++) {
    if (!is_shown(l->events[i]))
      continue;
    fputs(first ? "\n" : ",\n", w->out);
    put_event(w, l->events[i]);
    first = false;
  }
  fputs("],\"files\":[", w->out);
  for (unsigned i = 0; i < w->nfiles; i++) {
    fputs(i ? "," : "", w->out);
    json_text(w->out, w->files[i]);
  }
  fputs("]", w->out);
}

/* ---- a block --------------------------------------------------------------------------------- */
static void put_block(const Stepper *s, const Outcome *o, Writer *w, uint64_t block) {
  const TapedLaunch *l = w->launch;
  const uint32_t *grid = l->launch->grid;
  FILE *out = w->out;
  fprintf(out, "{\"launch\":%" PRIu64 ",\"number\":%" PRIu64, l->launch->number, block);
  fprintf(out, ",\"index\":[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", block % grid[0],
          block / grid[0] % grid[1], block / grid[0] / grid[1]);
  put_key_text(out, "kernel", l->kernel);
  put_three(out, "grid", grid);
  put_three(out, "block", l->launch->block);
  fprintf(out, ",\"whole\":%s,\"cut\":%" PRIu64, l->end && !l->end->status ? "true" : "false",
          l->end ? l->end->cut : 0);
  if (o->mistake)
    put_key_text(out, "mistake", o->mistake);
  put_arrays(s, o, w);
  put_events(w);
  fputs("}", out);
}

Text show_block(const Stepper *s, const Outcome *o, uint64_t launch, uint64_t block) {
  Writer w = {0};
  for (size_t i = 0; i < o->tape.nlaunches; i++)
    if (o->tape.launches[i].launch->number == launch)
      w.launch = &o->tape.launches[i];
  if (!w.launch)
    return show_refusal("There is no such launch.");
  const uint32_t *grid = w.launch->launch->grid;
  if (block >= (uint64_t)grid[0] * grid[1] * grid[2])
    return show_refusal("There is no such block.");
  Text t = {0};
  w.out = begin(&t);
  w.touched = calloc(w.launch->nbuffers + 1, sizeof *w.touched);
  w.written = calloc(w.launch->nbuffers + 1, sizeof *w.written);
  if (!w.touched || !w.written)
    abort();
  note_touched(&w);
  put_block(s, o, &w, block);
  fclose(w.out);
  free(w.touched);
  free(w.written);
  return t;
}
