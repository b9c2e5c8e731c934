/* Reads the predicted time of a kernel on a card from the log, and describes it in words.
 *
 * emulator/timing/timing.h describes the model. Every sentence with a time says "about" and names
 * the card, because the time is a prediction. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/state/device.h"
#include "emulator/words.h"
#include "profile.h"

/* ---- names ----------------------------------------------------------------------------------- */
static const char *const resource_names[RESOURCES] = {
#define RESOURCE(id, name, ...) name,
#include "emulator/timing/timing.def"
};
static const char *const resource_sentences[RESOURCES] = {
#define RESOURCE(id, name, sentence, ...) sentence,
#include "emulator/timing/timing.def"
};
static const char *const wait_names[WAITS] = {
#define WAIT(id, name, ...) name,
#include "emulator/timing/timing.def"
};
static const char *const wait_meanings[WAITS] = {
#define WAIT(id, name, meaning) meaning,
#include "emulator/timing/timing.def"
};
static const char *const wait_words[WAITS] = {
    [WAIT_SELECTED] = "issue", [WAIT_NOT_SELECTED] = "other",
    [WAIT_WAIT] = "arith",     [WAIT_LONG] = "long",
    [WAIT_SHORT] = "short",    [WAIT_MATH] = "math",
    [WAIT_MIO] = "mio",        [WAIT_LG] = "lg",
    [WAIT_BARRIER] = "barr",   [WAIT_BRANCH] = "brnch"};

const char *busy_name(Resource r) { return resource_names[r]; }
const char *busy_sentence(Resource r) { return resource_sentences[r]; }
const char *stall_name(Wait w) { return wait_names[w]; }
const char *stall_meaning(Wait w) { return wait_meanings[w]; }
const char *stall_word(Wait w) { return wait_words[w]; }

const char *card_title(const char *name) {
  const Device *card = device_named(name);
  return card ? card->title : name;
}

/* ---- reading --------------------------------------------------------------------------------- */
/* Returns a number of a JSON object of the log; 0 if it is missing, not finite, or negative. */
static double real(const json_t *object, const char *key) {
  double value = json_number_value(json_object_get(object, key));
  return value > 0 && isfinite(value) ? value : 0;
}

static void shares(const json_t *object, const char *const *names, size_t count, double *out) {
  for (size_t i = 0; i < count; i++)
    out[i] = fmin(real(object, names[i]), 1);
}

static void take_lines(Predicted *p, const json_t *list) {
  p->lines = calloc(json_array_size(list) + 1, sizeof *p->lines);
  assert(p->lines);
  size_t i;
  const json_t *line;
  json_array_foreach(list, i, line) {
    WaitingLine *l = &p->lines[p->line_count++];
    l->file = log_text(line, "file", "?");
    l->line = log_small(line, "line");
    l->share = fmin(real(line, "share"), 1);
    shares(json_object_get(line, "waits"), wait_names, WAITS, l->waits);
  }
}

/* Drops rows whose length differs from the length of the first row. */
static void take_timeline(Predicted *p, const json_t *timeline) {
  const json_t *rows = json_object_get(timeline, "warps");
  p->timeline.clocks = log_small(timeline, "clocks");
  p->timeline.rows = calloc(json_array_size(rows) + 1, sizeof *p->timeline.rows);
  assert(p->timeline.rows);
  for (size_t i = 0; i < json_array_size(rows); i++) {
    const char *row = json_string_value(json_array_get(rows, i));
    if (row && !p->timeline.count)
      p->timeline.columns = strlen(row);
    if (row && strlen(row) == p->timeline.columns)
      p->timeline.rows[p->timeline.count++] = row;
  }
}

Predicted *predicted_read(const json_t *event) {
  if (!json_is_object(event) || !real(event, "us"))
    return NULL;
  const json_t *occupancy = json_object_get(event, "occupancy"),
               *bytes = json_object_get(event, "bytes");
  Predicted *p = calloc(1, sizeof *p);
  assert(p);
  *p = (Predicted){.event = event,
                   .card = log_text(event, "card", "?"),
                   .limit = log_text(event, "limit", "?"),
                   .unknown = log_text(event, "unknown", NULL),
                   .us = real(event, "us"),
                   .waves = real(event, "waves"),
                   .registers = log_small(event, "registers"),
                   .spilled = log_small(event, "spilled"),
                   .blocks = log_small(occupancy, "blocks"),
                   .warps = log_small(occupancy, "warps"),
                   .most_warps = log_small(occupancy, "of"),
                   .achieved = real(occupancy, "achieved"),
                   .occupancy_limit = log_text(occupancy, "limit", "?"),
                   .l2_bytes = real(bytes, "l2"),
                   .dram_bytes = real(bytes, "dram")};
  shares(json_object_get(event, "busy"), resource_names, RESOURCES, p->busy);
  shares(json_object_get(event, "waits"), wait_names, WAITS, p->waits);
  take_lines(p, json_object_get(event, "lines"));
  take_timeline(p, json_object_get(event, "timeline"));
  return p;
}

void predicted_free(Predicted *p) {
  if (p) {
    free(p->lines);
    free(p->timeline.rows);
  }
  free(p);
}

/* ---- words ----------------------------------------------------------------------------------- */
const char *time_text(double us, char out[NUMBER_ROOM]) {
  static const struct {
    double us;
    const char *unit;
  } units[] = {{1e6, "s"}, {1e3, "ms"}, {1, "µs"}};
  size_t i = 0;
  while (i < 2 && us < 0.9995 * units[i].us)
    i++;
  double value = us / units[i].us;
  snprintf(out, NUMBER_ROOM, "%.*f %s",
           value < 9.995   ? 2
           : value < 99.95 ? 1
                           : 0,
           value, units[i].unit);
  return out;
}

Wait longest_stall(const double waits[WAITS]) {
  Wait most = WAIT_SELECTED;
  for (Wait w = 0; w < WAITS; w++)
    if (w != WAIT_SELECTED && w != WAIT_NOT_SELECTED &&
        (most == WAIT_SELECTED || waits[w] > waits[most]))
      most = w;
  return waits[most] > 0 ? most : WAIT_SELECTED;
}

Resource predicted_busiest(const Predicted *p) {
  Resource most = 0;
  for (Resource r = 1; r < RESOURCES; r++)
    if (p->busy[r] > p->busy[most])
      most = r;
  return most;
}

static const Device *device_of(const Predicted *p) { return device_named(p->card); }

/* The timeline has a fixed number of columns. A short kernel does not use the last columns, so this
 * function searches for the last used column. */
size_t timeline_columns(const Timeline *t) {
  size_t used = 1;
  for (size_t i = 0; i < t->count; i++)
    for (size_t at = used; t->rows[i][at]; at++)
      if (t->rows[i][at] != '.')
        used = at + 1;
  return used;
}

/* An upper bound of the clock cycles before the first warp starts and after the last warp ends. */
#define LAUNCH_CLOCKS 10000
bool timeline_cut(const Predicted *p, double *all) {
  const Device *device = device_of(p);
  double shown = (double)timeline_columns(&p->timeline) * p->timeline.clocks;
  *all = device ? p->us * device->clock_khz / 1e3 : 0;
  return *all > shown + LAUNCH_CLOCKS && *all > shown * 4 / 3;
}

void predicted_card(const Predicted *p, char *out, size_t size) {
  const char *title = card_title(p->card);
  snprintf(out, size, "%s %s", strncmp(title, "NVIDIA", 6) ? "a" : "an", title);
}

double predicted_grid(const Predicted *p) {
  const Device *device = device_of(p);
  return device ? round(p->waves * p->blocks * device->sms) : 0;
}

double predicted_turns(const Predicted *p, double *places, double *last) {
  const Device *device = device_of(p);
  *places = device ? (double)device->sms * p->blocks : 0;
  double turns = *places > 0 ? ceil(predicted_grid(p) / *places) : 0;
  *last = predicted_grid(p) - (turns - 1) * *places;
  return turns;
}

/* Names the busiest resource. Also says whether some multiprocessors have no block, or the last
 * wave has few blocks. */
static void say_limit(const Predicted *p, char *out, size_t size) {
  Resource busiest = predicted_busiest(p);
  const Device *device = device_of(p);
  double blocks = predicted_grid(p), places, last, turns = predicted_turns(p, &places, &last);
  char number[COUNT_BYTES];
  if (turns >= 2 && turns <= 4 && last < 0.5 * places)
    snprintf(out, size, "%s blocks take %.0f turns, and the last has %.0f of them; ",
             sentence_count(number, blocks), turns, last);
  else
    *out = '\0';
  size_t used = strlen(out);
  if (strcmp(p->limit, "latency"))
    snprintf(out + used, size - used, "%s %.0f\u00a0%% busy", resource_sentences[busiest],
             100 * p->busy[busiest]);
  else
    snprintf(out + used, size - used, "no part is busy for more than half of the time");
  used = strlen(out);
  if (device && blocks > 0 && blocks < device->sms)
    snprintf(out + used, size - used, ", and only %.0f of its %u multiprocessors %s a block",
             blocks, device->sms, blocks > 1 ? "have" : "has");
}

void predicted_sentence(const Predicted *p, char *out, size_t size) {
  char card[80], time[NUMBER_ROOM], limit[240];
  Wait wait = longest_stall(p->waits);
  predicted_card(p, card, sizeof card);
  say_limit(p, limit, sizeof limit);
  time_text(p->us, time);
  int number = (int)strcspn(time, " "); /* no line break between the number and its unit */
  int used = snprintf(out, size, "on %s about %.*s\u00a0%s: %s", card, number, time,
                      time + number + 1, limit);
  if (used > 0 && (size_t)used < size && wait != WAIT_SELECTED)
    snprintf(out + used, size - (size_t)used, "; warps wait %s (%.0f\u00a0%% of their time)",
             wait_meanings[wait], 100 * p->waits[wait]);
}

void longest_stalls_legend(const Recording *r, char *out, size_t size) {
  bool named[WAITS] = {[WAIT_SELECTED] = true};
  size_t used = 0;
  *out = '\0';
  for (size_t i = 0; i < r->kernel_count; i++) {
    const Predicted *p = r->kernels[i].predicted;
    Wait wait = p ? longest_stall(p->waits) : WAIT_SELECTED;
    if (!named[wait] && used < size)
      used += (size_t)snprintf(out + used, size - used, "%s%s: %s", used ? "; " : "",
                               wait_names[wait], wait_meanings[wait]);
    named[wait] = true;
  }
}

const Kernel *longest_kernel(const Recording *r, const Source *source) {
  const Kernel *longest = NULL;
  bool own = false;
  for (size_t i = 0; i < r->kernel_count; i++) {
    const Kernel *k = &r->kernels[i];
    bool given = source && source_gives(source, k);
    if (!k->predicted || (own && given))
      continue;
    if (!longest || (!own && !given) || k->predicted->us > longest->predicted->us)
      longest = k;
    own = own || !given;
  }
  return longest;
}
