/* Predicts the times of launches, in parallel with the program, and sums the times per kernel
 * (predict.h). */
#include "predict.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../emulator.h"
#include "../state/settings.h"
#include "../timing/registers.h"
#include "counters.h"
#include "log.h"

/* Returns the value rounded to three significant digits, because the model is not more precise. */
static json_t *number(double value) {
  char text[32];
  snprintf(text, sizeof text, "%.3g", value);
  return json_real(strtod(text, NULL));
}

static json_t *busy_json(const Prediction *p) {
  json_t *o = json_object();
  for (Resource r = 0; r < RESOURCES; r++)
    json_object_set_new(o, resource_name(r), number(p->busy[r]));
  return o;
}

static json_t *waits_json(const double *waits) {
  json_t *o = json_object();
  for (Wait w = 0; w < WAITS; w++)
    if (waits[w] > 0.0005)
      json_object_set_new(o, wait_name(w), number(waits[w]));
  return o;
}

static json_t *occupancy_json(const Prediction *p, const Device *d) {
  static const char *const limits[] = {"blocks", "threads", "registers", "shared"};
  return json_pack("{s:i, s:i, s:i, s:s, s:o}", "blocks", (int)p->occupancy.blocks, "warps",
                   (int)p->occupancy.warps, "of", (int)device_warps_per_sm(d), "limit",
                   limits[p->occupancy.limit], "achieved", number(p->achieved));
}

static json_t *lines_json(const Prediction *p, const PtxModule *m) {
  json_t *list = json_array();
  for (uint32_t line = 1; line < p->nlines; line++) {
    const double *waits = p->line_waits + (size_t)line * WAITS;
    double sum = 0;
    for (Wait w = 0; w < WAITS; w++)
      sum += waits[w];
    if (sum > 0.0005 && ptx_line(m, line))
      json_array_append_new(list, json_pack("{s:s, s:i, s:o, s:o}", "file", ptx_file(m, line),
                                            "line", (int)ptx_line(m, line), "share", number(sum),
                                            "waits", waits_json(waits)));
  }
  return list;
}

static json_t *timeline_json(const Prediction *p) {
  json_t *rows = json_array();
  for (uint32_t i = 0; i < p->timeline_warps; i++)
    json_array_append_new(
        rows, json_stringn(p->timeline + (size_t)i * TIMELINE_COLUMNS, TIMELINE_COLUMNS));
  return json_pack("{s:i, s:o}", "clocks", (int)p->timeline_clocks, "warps", rows);
}

static json_t *prediction_json(const Prediction *p, const PtxModule *m, double us) {
  const Device *d = selected_device();
  json_t *o = json_pack(
      "{s:s, s:o, s:s, s:o, s:o, s:o, s:i, s:i, s:o, s:o, s:o}", "card", d->name, "us", number(us),
      "limit", prediction_limit_name(p), "busy", busy_json(p), "waits", waits_json(p->waits),
      "occupancy", occupancy_json(p, d), "registers", (int)p->registers, "spilled", (int)p->spilled,
      "waves", json_real(p->waves), "lines", lines_json(p, m), "bytes",
      json_pack("{s:o, s:o}", "l2", number(p->l2_bytes), "dram", number(p->dram_bytes)));
  if (p->timeline)
    json_object_set_new(o, "timeline", timeline_json(p));
  if (p->unknown)
    json_object_set_new(o, "unknown", json_string(p->unknown));
  return o;
}

/* ---- kernels and launch shapes --------------------------------------------------------------- */
enum { MOST_SHAPES = 32 };
typedef struct LaunchShape {
  uint32_t grid[3], block[3], shared;
  uint64_t launches;
  /* The predicted time and its details for the last sampled launch of this shape. */
  Prediction prediction;
  /* Number of instructions that the last sampled launch executed, and the digest of its trace. */
  double instructions;
  uint64_t digest;
  /* The predicted time in microseconds, summed over all launches of this shape. */
  double us;
} LaunchShape;

typedef struct KernelTimes {
  const PtxModule *module;
  const PtxFunction *kernel;
  LaunchShape shapes[MOST_SHAPES];
  uint32_t nshapes;
  /* The shape of the launch that is running. */
  LaunchShape *current;
  /* Number of instructions that the running launch has executed. */
  double instructions;
  /* Predicted time in microseconds and number of launches: since the last reset, and in total
   * (all_). */
  double us, all_us;
  uint64_t launches, all_launches;
  struct KernelTimes *next;
} KernelTimes;

typedef struct LoweredModule {
  const PtxModule *module;
  LoweredFunction **functions;
  struct LoweredModule *next;
} LoweredModule;

static KernelTimes *kernels;
static LoweredModule *modules;

static KernelTimes *times_of(const PtxModule *module, const PtxFunction *kernel) {
  KernelTimes **at = &kernels;
  while (*at && (*at)->kernel != kernel)
    at = &(*at)->next;
  if (!*at) {
    *at = calloc(1, sizeof **at);
    assert(*at);
    (*at)->module = module;
    (*at)->kernel = kernel;
  }
  return *at;
}

static LoweredFunction **lowered_of(const PtxModule *module) {
  LoweredModule **at = &modules;
  while (*at && (*at)->module != module)
    at = &(*at)->next;
  if (!*at) {
    *at = calloc(1, sizeof **at);
    assert(*at);
    (*at)->module = module;
    (*at)->functions = calloc(module->nfunctions + 1u, sizeof *(*at)->functions);
    assert((*at)->functions);
  }
  return (*at)->functions;
}

/* Returns the entry for the shape of the launch. If there are too many shapes, all further ones
 * share the last entry. */
static LaunchShape *shape_of_launch(KernelTimes *k, const Run *run) {
  const Launch *l = run->launch;
  for (uint32_t i = 0; i < k->nshapes; i++) {
    LaunchShape *s = &k->shapes[i];
    if (!memcmp(s->grid, l->grid, sizeof s->grid) && !memcmp(s->block, l->block, sizeof s->block) &&
        s->shared == run->shared_bytes)
      return s;
  }
  if (k->nshapes == MOST_SHAPES)
    return &k->shapes[MOST_SHAPES - 1];
  LaunchShape *s = &k->shapes[k->nshapes++];
  memcpy(s->grid, l->grid, sizeof s->grid);
  memcpy(s->block, l->block, sizeof s->block);
  s->shared = run->shared_bytes;
  return s;
}

/* ---- a launch -------------------------------------------------------------------------------- */
/* Returns true for the 1st, 2nd, 4th, 8th ... launch of a shape. If only sampled blocks run,
 * returns true only for the first: later launches read memory that the skipped blocks have not
 * written. */
static bool is_sampled(uint64_t launch) {
  const MachineSettings *s = machine_settings();
  return s->predict && (s->samples_only ? launch == 1 : (launch & (launch - 1)) == 0);
}

uint32_t predict_carried_registers(const PtxFunction *f) { return registers_carried(f); }

uint32_t predict_registers(const PtxModule *m, const PtxFunction *f) {
  const uint32_t needed = registers_needed(m, f);
  return f->max_registers && f->max_registers < needed ? f->max_registers : needed;
}

void predict_launch_begins(const Run *run) {
  KernelTimes *k = times_of(run->module, run->function);
  LaunchShape *s = k->current = shape_of_launch(k, run);
  uint64_t number = ++s->launches;
  k->instructions = 0;
  if (is_sampled(number))
    run->observed->trace = trace_create(run);
}

void predict_add(const Run *run, const Worker *worker) {
  KernelTimes *k = times_of(run->module, run->function);
  for (uint32_t i = 0; i < run->module->nfunctions; i++) {
    const PtxFunction *f = &run->module->functions[i];
    const FunctionCount *c = &worker->observed->functions[i];
    for (uint32_t b = 0; c->blocks && b < f->nblocks; b++)
      k->instructions +=
          (double)c->blocks[b].runs * (f->blocks[b].count + (f->blocks[b].end != PTX_END_FALL));
  }
}

static void add_launch(KernelTimes *k, LaunchShape *s, double instructions, double fixed,
                       bool forgotten) {
  double us = s->prediction.us;
  if (s->instructions > 0 && us > fixed && !machine_settings()->samples_only)
    us = fixed + (us - fixed) * instructions / s->instructions;
  s->us += us;
  k->us += forgotten ? 0 : us;
  k->all_us += us;
  k->launches += !forgotten;
  k->all_launches++;
}

/* ---- in parallel with the program ------------------------------------------------------------ */
/* The prediction of the last sampled launch. A separate thread computes it while the program
 * continues, because this may take longer than the launch. The program waits for the thread when
 * the next launch has ended or when the prediction is needed. */
static struct {
  bool under_way;
  pthread_t thread;
  /* The process in which the thread runs. A forked child has only a copy of the memory. */
  pid_t process;
  Trace *trace;
  Forecast *forecast;
  LoweredFunction **lowered;
  KernelTimes *kernel;
  LaunchShape *shape;
  /* The number of the launch among the launches of its shape, from 1. */
  uint64_t launch;
  double instructions, fixed;
  uint64_t digest;
  /* `nested`: a kernel made the launch. `forgotten`: the sums were reset after the launch. */
  bool nested, forgotten;
  Prediction prediction;
} last;

static void *work_out(void *nothing) {
  last.prediction = forecast_end(last.forecast, last.lowered);
  return nothing;
}

/* Writes the event of one sampled launch to the log. (The event of a kernel contains the mean over
 * its launches.) */
static void log_launch(const KernelTimes *k, const LaunchShape *s, uint64_t launch) {
  const Prediction *p = &s->prediction;
  json_t *event =
      json_pack("{s:s, s:s, s:[I,I,I], s:[I,I,I], s:I, s:s, s:o, s:s}", "event", "predicted",
                "kernel", k->kernel->name, "grid", (json_int_t)s->grid[0], (json_int_t)s->grid[1],
                (json_int_t)s->grid[2], "block", (json_int_t)s->block[0], (json_int_t)s->block[1],
                (json_int_t)s->block[2], "launch", (json_int_t)launch, "card",
                selected_device()->name, "us", number(p->us), "limit", prediction_limit_name(p));
  if (p->unknown)
    json_object_set_new(event, "unknown", json_string(p->unknown));
  log_event(event);
}

static void take_last(void) {
  LaunchShape *s = last.shape;
  prediction_free(&s->prediction);
  s->prediction = last.prediction;
  if (last.nested)
    s->prediction.unknown = "which of the kernels that kernels launch run side by side";
  if (log_wanted())
    log_launch(last.kernel, s, last.launch);
  s->instructions = last.instructions;
  s->digest = last.digest;
  trace_free(last.trace);
  add_launch(last.kernel, s, last.instructions, last.fixed, last.forgotten);
}

void predict_settle(void) {
  if (!last.under_way || last.process != getpid())
    return;
  last.under_way = false;
  pthread_join(last.thread, NULL);
  take_last();
}

/* Starts the thread. pthread_atfork makes fork wait for the thread, because a forked child needs
 * the result but does not have the thread. */
static void start(void) {
  static bool asked;
  sigset_t all, before;
  if (!asked)
    asked = pthread_atfork(predict_settle, NULL, NULL) == 0;
  /* The new thread inherits this mask, so signals are delivered to the threads of the program. */
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  last.process = getpid();
  last.under_way =
      machine_settings()->workers > 1 && pthread_create(&last.thread, NULL, work_out, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (last.under_way)
    return;
  work_out(NULL);
  take_last();
}

void predict_launch_ends(const Run *run) {
  KernelTimes *k = times_of(run->module, run->function);
  Trace *t = run->observed->trace;
  const Device *d = selected_device();
  predict_settle();
  if (!t) {
    add_launch(k, k->current, k->instructions, 1e-3 * d->launch_ns, false);
    return;
  }
  t->waits_for_others = run->waits_for_skipped;
  t->instructions = machine_settings()->samples_only ? 0 : (uint64_t)k->instructions;
  const uint64_t digest = trace_digest(t) + run->launch->nested;
  if (k->current->launches > 1 && digest == k->current->digest) {
    /* A program that repeats a launch would get the same prediction again. */
    trace_free(t);
    if (log_wanted())
      log_launch(k, k->current, k->current->launches);
    add_launch(k, k->current, k->instructions, 1e-3 * d->launch_ns, false);
    return;
  }
  last.digest = digest;
  last.trace = t;
  last.forecast = forecast_begin(t, d);
  last.lowered = lowered_of(run->module);
  last.kernel = k;
  last.shape = k->current;
  last.launch = k->current->launches;
  last.instructions = k->instructions;
  last.fixed = 1e-3 * d->launch_ns;
  last.nested = run->launch->nested;
  last.forgotten = false;
  start();
}

/* ---- queries --------------------------------------------------------------------------------- */
void predict_reset(void) {
  last.forgotten = true;
  for (KernelTimes *k = kernels; k; k = k->next) {
    k->us = 0;
    k->launches = 0;
  }
}

static const LaunchShape *longest(const KernelTimes *k) {
  const LaunchShape *most = &k->shapes[0];
  for (uint32_t i = 1; i < k->nshapes; i++)
    if (k->shapes[i].us > most->us)
      most = &k->shapes[i];
  return most;
}

json_t *predict_json(const PtxModule *module, const PtxFunction *kernel) {
  predict_settle();
  const KernelTimes *k = times_of(module, kernel);
  if (!k->all_launches || !machine_settings()->predict)
    return NULL;
  return prediction_json(&longest(k)->prediction, module, k->all_us / (double)k->all_launches);
}

int emulator_predicted(const char *kernel, EmulatorPrediction *out) {
  double most = 0;
  predict_settle();
  *out = (EmulatorPrediction){.card = selected_device()->name, .limit = "latency"};
  for (const KernelTimes *k = kernels; k; k = k->next) {
    if (!k->launches || !machine_settings()->predict ||
        (kernel && strcmp(kernel, k->kernel->name) != 0))
      continue;
    const Prediction *p = &longest(k)->prediction;
    if (k->us > most) {
      most = k->us;
      out->limit = prediction_limit_name(p);
    }
    out->us += k->us;
    out->launches += k->launches;
    out->unknown = out->unknown ? out->unknown : p->unknown;
  }
  return out->launches > 0;
}
