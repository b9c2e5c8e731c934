/* Describes the difference between two runs in panels. The panels show the two accesses whose order
 * differs, the word that they access, and the number that differs in the result. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/words.h"
#include "race.h"

enum { WARP = 32 };

/* ---- values and names ------------------------------------------------------------------------ */
static bool looks_like_float(uint32_t bits) {
  const uint32_t exponent = bits >> 23 & 255;
  return bits == UINT32_MAX || (exponent > 64 && exponent < 190);
}

void value_text(char out[VALUE_BYTES], uint8_t type, unsigned bytes, uint64_t value) {
  const uint32_t low = (uint32_t)value;
  float single;
  double wide;
  memcpy(&single, &low, sizeof single);
  memcpy(&wide, &value, sizeof wide);
  if (bytes == 4 && (type == TAPE_FLOATING || (type == TAPE_BITS && looks_like_float(low))))
    snprintf(out, VALUE_BYTES, isnan(single) ? "NaN" : "%.6g", (double)single);
  else if (bytes == 8 && type == TAPE_FLOATING)
    snprintf(out, VALUE_BYTES, isnan(wide) ? "NaN" : "%.6g", wide);
  else if (type == TAPE_UNSIGNED)
    snprintf(out, VALUE_BYTES, "%" PRIu64, value);
  else
    snprintf(out, VALUE_BYTES, "%" PRId64,
             bytes == 1   ? (int64_t)(int8_t)value
             : bytes == 2 ? (int64_t)(int16_t)value
             : bytes == 4 ? (int64_t)(int32_t)value
                          : (int64_t)value);
}

/* Formats the value that `lane` reads or writes at `address` in access `a`. The type and the size
 * are those of access `as`, because `a` may load or store two floats as one 64-bit element. */
static void say_value(char out[VALUE_BYTES], const TapeAccess *a, unsigned lane, uint64_t address,
                      const TapeAccess *as) {
  uint64_t value;
  if (!access_value(a, lane, address, &value)) {
    snprintf(out, VALUE_BYTES, "changed atomically");
    return;
  }
  if (as->element < 8)
    value &= (UINT64_C(1) << 8 * as->element) - 1;
  value_text(out, as->type, as->element, value);
}

static const TapeBuffer *buffer_at(const TapedLaunch *l, uint64_t address) {
  for (size_t i = 0; i < l->nbuffers; i++)
    if (address - l->buffers[i]->address < l->buffers[i]->bytes)
      return l->buffers[i];
  return NULL;
}

static void name_element(char *out, size_t size, const TapeBuffer *b, uint64_t element) {
  if (b->columns)
    snprintf(out, size, "%s, row %" PRIu64 ", column %" PRIu64, tape_name(&b->head),
             element / b->columns, element % b->columns);
  else
    snprintf(out, size, "%s, element %" PRIu64, tape_name(&b->head), element);
}

static void name_word(char *out, size_t size, const TapedLaunch *l, const TapeAccess *a,
                      uint64_t address) {
  const TapeBuffer *b = a->space == TAPE_IN_GLOBAL ? buffer_at(l, address) : NULL;
  if (b) {
    name_element(out, size, b, (address - b->address) / (b->element ? b->element : a->element));
    return;
  }
  for (size_t i = 0; a->space == TAPE_IN_SHARED && i < l->nshared; i++)
    if (address - l->shared[i]->offset < l->shared[i]->bytes) {
      snprintf(out, size, "%s, word %" PRIu64, tape_name(&l->shared[i]->head),
               (address - l->shared[i]->offset) / a->element);
      return;
    }
  snprintf(out, size, "a word of memory");
}

static const char *who(char out[WHO_BYTES], const TapedLaunch *l, uint64_t block, uint32_t thread) {
  const uint32_t *size = l->launch->block, *grid = l->launch->grid;
  const uint32_t threads[3] = {thread % size[0], thread / size[0] % size[1],
                               thread / size[0] / size[1]},
                 blocks[3] = {(uint32_t)(block % grid[0]), (uint32_t)(block / grid[0] % grid[1]),
                              (uint32_t)(block / grid[0] / grid[1])};
  return who_text(out, threads, blocks);
}

/* ---- panels ---------------------------------------------------------------------------------- */
static Panel *panel(Story *s, int actor, const TapeAccess *a) {
  Panel *p = &s->panels[s->npanels < PANELS_MOST ? s->npanels++ : PANELS_MOST - 1];
  *p = (Panel){.actor = actor, .line = a ? a->line : 0, .file = a ? tape_file(a) : NULL};
  return p;
}

static const TapeAccess *shown_as(const Choice *c) {
  const TapeAccess *a = c->first->access, *b = c->second->access;
  return b->element < a->element || (b->element == a->element && b->type == TAPE_FLOATING) ? b : a;
}

/* Writes the position of the warp of moment `of` after event number `event`. */
static void whereabouts(char out[80], const TapedLaunch *l, const Moment *of, size_t event) {
  unsigned line = 0, held = 0, barrier = 0;
  for (size_t i = 0; i <= event && i < l->nevents; i++) {
    const TapeHead *h = l->events[i];
    const TapeAccess *a = tape_access(h);
    const TapeHold *hold = (const void *)h;
    const bool own = a ? a->block == of->block && a->warp == of->warp && a->lanes >> of->lane & 1
                       : hold->block == of->block && hold->lanes >> of->lane & 1 &&
                             (h->kind == TAPE_BARRIER || hold->warp == of->warp);
    if (!own)
      continue;
    if (h->kind == TAPE_HELD)
      held = hold->line;
    if (h->kind == TAPE_LET_GO)
      held = 0;
    barrier = h->kind == TAPE_ARRIVES ? hold->line : 0;
    line = a ? a->line : line;
  }
  if (held)
    snprintf(out, 80, "held back before line %u", held);
  else if (barrier)
    snprintf(out, 80, "waits at the barrier, line %u", barrier);
  else if (line)
    snprintf(out, 80, "has reached line %u", line);
  else
    snprintf(out, 80, "has not reached these lines");
}

static void place_both(const Telling *t, Panel *p, const Choice *c, size_t event) {
  whereabouts(p->waits[0], t->launch, c->first, event);
  whereabouts(p->waits[1], t->launch, c->second, event);
}

/* Returns the last access before event number `event` that changes the word; NULL if there is none.
 * Sets *lane and *when to the lane and the event of that access. */
static const TapeAccess *written_before(const TapedLaunch *l, const Moment *m, size_t event,
                                        unsigned *lane, size_t *when) {
  for (size_t i = event; i-- > 0;) {
    const TapeAccess *a = tape_access(l->events[i]);
    for (unsigned k = WARP; a && a->operation != TAPE_READS && k-- > 0;)
      if (access_touches(a, k, m->access->space, m->block, m->address, 1)) {
        *lane = k;
        *when = i;
        return a;
      }
  }
  return NULL;
}

static void tell_before(const Telling *t, const Choice *c) {
  unsigned lane;
  size_t when = 0;
  const TapeAccess *a = written_before(t->launch, c->first, c->first->event, &lane, &when);
  char name[WHO_BYTES];
  if (!a && c->first->access->space == TAPE_IN_GLOBAL)
    return;
  Panel *p = panel(t->story, -1, a);
  if (!a) {
    snprintf(p->says, sizeof p->says, "Nothing has been stored in %s so far.", t->story->word);
    snprintf(p->word, sizeof p->word, "no value");
  } else {
    char value[VALUE_BYTES];
    say_value(value, a, lane, c->first->address, shown_as(c));
    memcpy(p->word, value, sizeof value);
    snprintf(p->says, sizeof p->says, "%s has stored %s in %s.",
             who(name, t->launch, a->block, a->warp * WARP + lane), value, t->story->word);
  }
  place_both(t, p, c, when);
}

static void tell_held(const Telling *t, const Choice *c) {
  size_t event = SIZE_MAX;
  for (size_t i = 0; i < c->second->event && event == SIZE_MAX; i++)
    if (t->launch->events[i]->kind == TAPE_HELD)
      event = i;
  if (event == SIZE_MAX)
    return;
  const TapeHold *h = (const void *)t->launch->events[event];
  const int actor = h->block == c->second->block && h->warp == c->second->warp ? 1
                    : h->block == c->first->block && h->warp == c->first->warp ? 0
                                                                               : -1;
  Panel *p = panel(t->story, actor, NULL);
  p->line = h->line;
  p->file = c->second->access->line == h->line ? tape_file(c->second->access)
                                               : tape_file(c->first->access);
  snprintf(p->says, sizeof p->says, "%s", t->story->order);
  place_both(t, p, c, event);
}

static void tell_access(const Telling *t, const Choice *c, const Moment *m, int actor,
                        const char *more) {
  char name[WHO_BYTES], value[VALUE_BYTES];
  Panel *p = panel(t->story, actor, m->access);
  say_value(value, m->access, m->lane, m->address, shown_as(c));
  snprintf(p->word, sizeof p->word, "%s", value);
  snprintf(p->says, sizeof p->says, "%s %s %s %s %s%s",
           who(name, t->launch, m->block, m->warp * WARP + m->lane),
           m->access->operation == TAPE_READS ? "reads" : "stores", value,
           m->access->operation == TAPE_READS ? "from" : "in", t->story->word, more);
  place_both(t, p, c, m->event);
}

static const char *what_is_wrong(const Choice *c) {
  const TapeAccess *first = c->first->access, *second = c->second->access;
  return first == second ? ", in the same instruction: only one of the values is kept."
         : first->operation == TAPE_READS  ? ": too late, the other thread has read the word."
         : second->operation == TAPE_READS ? ": the other thread has already stored another value."
                                           : ": over the other value.";
}

static void name_actors(const Telling *t, const Choice *c) {
  const bool one_warp = c->first->block == c->second->block && c->first->warp == c->second->warp,
             blocks = c->first->block != c->second->block;
  for (int i = 0; i < 2; i++) {
    const Moment *m = i ? c->second : c->first;
    char name[WHO_BYTES];
    if (one_warp)
      snprintf(t->story->actor[i], sizeof t->story->actor[i], "lane %u of warp %u", m->lane,
               m->warp);
    else if (blocks) {
      const char *of = strstr(who(name, t->launch, m->block, 0), "block");
      snprintf(t->story->actor[i], sizeof t->story->actor[i], "warp %u of %s", m->warp, of);
    } else
      snprintf(t->story->actor[i], sizeof t->story->actor[i], "warp %u", m->warp);
  }
}

static void name_order(const Telling *t, char *out, size_t size, const Outcome *o) {
  uint64_t block = 0;
  unsigned warp = 0, line = 0, time = 0, lanes = 0;
  char access[20] = "", name[WHO_BYTES];
  const char *text = o->order;
  int fields =
      sscanf(text, "hold launch %*u block %" SCNu64 " warp %u lanes %x %19s line %u time %u",
             &block, &warp, &lanes, access, &line, &time);
  if (fields != 6)
    fields = sscanf(text, "hold launch %*u block %" SCNu64 " warp %u %19s line %u time %u", &block,
                    &warp, access, &line, &time) +
             1;
  if (fields != 6) {
    snprintf(out, size, "The warps run in ascending order, each as far as it can.");
    return;
  }
  const char *in_block = strstr(who(name, t->launch, block, 0), "block");
  const bool blocks = strstr(text, "blocks") != NULL;
  char which[80] = "";
  if (lanes && !(lanes & (lanes - 1)))
    snprintf(which, sizeof which, "Lane %d of warp %u", __builtin_ctz(lanes), warp);
  else
    snprintf(which, sizeof which, "%s %u", lanes ? "All lanes but one of warp" : "Warp", warp);
  snprintf(
      out, size,
      "%s of %s %s held back before its %s at line %u (number %u) until no other %s can go on%s.",
      which, in_block, lanes && lanes & (lanes - 1) ? "are" : "is", access, line, time,
      blocks ? "block" : "warp", strchr(text, ';') ? "; a second warp is held back, too" : "");
}

static void number_text(char out[VALUE_BYTES], const TapeBuffer *b, uint64_t at, unsigned bytes,
                        uint8_t type) {
  uint64_t value = 0;
  if (at + bytes <= b->kept)
    memcpy(&value, tape_bytes(b) + at, bytes);
  value_text(out, type, bytes, value);
}

/* Writes the last sentence, for example "C, row 1, column 0 comes out as 1.3; it should be 0.7."
 * Prints more digits if the two numbers would look the same. */
static void say_right(Telling *t, const TapeBuffer *own, const TapeBuffer *others, uint64_t at) {
  Story *s = t->story;
  const Gold *gold = &t->found->gold;
  const unsigned bytes = gold_bytes(gold, own);
  char right[60] = "", digits[VALUE_BYTES];
  if (bytes) {
    snprintf(digits, sizeof digits, "%.6g", gold->values[at / bytes]);
    const bool alike = !strcmp(digits, s->got) || !strcmp(s->other, s->got);
    if (alike) {
      snprintf(digits, sizeof digits, "%.9g", gold->values[at / bytes]);
      snprintf(s->got, sizeof s->got, "%.9g", buffer_number(own, at / bytes, bytes));
      snprintf(s->other, sizeof s->other, "%.9g", buffer_number(others, at / bytes, bytes));
    }
    snprintf(right, sizeof right, "; it should be %s", digits);
  }
  snprintf(s->end, sizeof s->end, "%s comes out as %s%s. In another order it is %s.", s->element,
           s->got, right, s->other);
}

static void tell_end(Telling *t, const Choice *c) {
  Story *s = t->story;
  const Difference *d = &t->found->difference;
  if (!d->buffer) {
    snprintf(s->element, sizeof s->element, "what the program prints");
    snprintf(s->end, sizeof s->end,
             "The output or the exit status of the program differs from that in the other order.");
    snprintf(panel(s, -1, NULL)->says, PANEL_WORDS, "%s", s->end);
    return;
  }
  const TapeBuffer *own = same_buffer(&t->shown->tape.launches[d->launch], d->buffer),
                   *others = same_buffer(&t->other->tape.launches[d->launch], d->buffer);
  if (!own || !others)
    return;
  uint64_t at = d->at, word;
  if (c->race && t->result && wrote_result(t, c->first->differs ? c->first : c->second, &word))
    at = word * 4 / d->bytes * d->bytes;
  name_element(s->element, sizeof s->element, d->buffer,
               at / (d->buffer->element ? d->buffer->element : d->bytes));
  number_text(s->got, own, at, d->bytes, t->type);
  number_text(s->other, others, at, d->bytes, t->type);
  name_order(t, s->contrast, sizeof s->contrast, t->other);
  say_right(t, own, others, at);
  Panel *p = panel(s, -1, NULL);
  snprintf(p->says, sizeof p->says, "%s", s->end);
  snprintf(p->word, sizeof p->word, "%s", s->got);
}

void story_tell(const Found *f, Story *s) {
  Telling t;
  *s = (Story){.race = f->pair.race};
  if (!telling_begin(&t, f))
    return;
  t.story = s;
  name_order(&t, s->order, sizeof s->order, t.shown);
  Choice c = choose(&t);
  if (c.race) {
    s->race = c.race;
    name_actors(&t, &c);
    name_word(s->word, sizeof s->word, t.launch, c.first->access, c.first->address);
    if (f->difference.plain_is_wrong)
      snprintf(panel(s, -1, NULL)->says, PANEL_WORDS, "%s", s->order);
    tell_before(&t, &c);
    if (!f->difference.plain_is_wrong)
      tell_held(&t, &c);
    tell_access(&t, &c, c.first, 0, ".");
    tell_access(&t, &c, c.second, 1, what_is_wrong(&c));
  }
  tell_end(&t, &c);
  telling_end(&t);
}
