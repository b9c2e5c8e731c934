/* Draws the roofline of a kernel on a card. The x axis shows FLOP per byte, the y axis FLOP per
 * second. Both axes are logarithmic.
 *
 * Each memory has a sloped line, at its peak bandwidth times FLOP per byte. The arithmetic pipes
 * have a horizontal line. The kernel has one point for each memory that it uses. The x coordinate
 * is the kernel's FLOP per byte of that memory; the y coordinate is its predicted FLOP per second.
 * The memory whose point is closest to its line limits the kernel most. */
#include <math.h>
#include <string.h>

#include "draw.h"
#include "emulator/state/constants.h"
#include "emulator/state/device.h"
#include "emulator/words.h"

enum {
  WIDTH = 760,
  HEIGHT = 440,
  LEFT_EDGE = 80,
  RIGHT_EDGE = 730,
  TOP = 30,
  BOTTOM = 380,
  SIZE = 14
};
enum { MEMORY_DRAM, MEMORY_L2, MEMORY_L1, MEMORY_SHARED, MEMORY_CONSTANT, MEMORIES };

typedef struct Memory {
  const char *name;
  Paint paint;
  /* `bytes`: number of bytes moved per launch, 0 if the memory is not used. `rate`: peak in bytes
   * per second, 0 if it is not known. */
  double bytes, rate;
} Memory;

typedef struct Roofline {
  Memory memories[MEMORIES];
  /* `flop`: FLOP per launch; `seconds`: predicted time of a launch; `peak`: FLOP per second. */
  double flop, seconds, peak;
  /* True if most of the kernel's arithmetic is in double precision. */
  bool wide;
  /* Decimal logarithms of the limits of the axes. */
  double x0, x1, y0, y1;
} Roofline;

static double per_launch(const Kernel *k, uint64_t count) {
  return k->launches ? (double)count / (double)k->launches : 0;
}

static Roofline roofline_of(const Kernel *k, const Device *card) {
  const Predicted *p = k->predicted;
  const EmulatorCounters *c = &k->counters;
  double clock = 1000.0 * card->clock_khz * card->sms, seconds = p->us * 1e-6;
  /* The GPU's assembler merges loads. These counters count the merged loads, as the prediction
   * does. */
  double wavefronts = per_launch(k, c->gpu_shared_load_wavefronts + c->gpu_shared_store_wavefronts);
  double line = (double)card->bank_bytes * BANKS;
  bool wide = p->busy[RESOURCE_FP64] > p->busy[RESOURCE_FP32];
  Roofline r = {.flop = per_launch(k, c->flop), .seconds = seconds, .wide = wide};
  r.memories[MEMORY_DRAM] = (Memory){"device memory", PAINT_BAD, p->dram_bytes,
                                     device_peak_memory_rate(card) * card->memory_share};
  r.memories[MEMORY_L2] =
      (Memory){"L2", PAINT_THIRD, p->l2_bytes, 1000.0 * card->clock_khz * card->l2_bytes_clock};
  if (card->l1_holds_globals)
    r.memories[MEMORY_L1] =
        (Memory){"L1", PAINT_PIPE,
                 SECTOR_BYTES * per_launch(k, c->global_load_sectors + c->global_store_sectors),
                 device_l1_rate(card)};
  r.memories[MEMORY_SHARED] = (Memory){"shared memory", PAINT_GOOD, wavefronts * line,
                                       clock * line / card->wavefront_clocks};
  if (c->constant_passes) /* one pass reads one word of four bytes */
    r.memories[MEMORY_CONSTANT] = (Memory){"constant memory", PAINT_ARITHMETIC,
                                           4 * per_launch(k, c->constant_passes), 4 * clock};
  r.peak = 2 * clock * (wide ? card->fp64_lanes : card->fp32_lanes) *
           device_multiply_add_share(card, wide);
  return r;
}

/* ---- the axes -------------------------------------------------------------------------------- */
static double x_at(const Roofline *r, double intensity) {
  return LEFT_EDGE + (log10(intensity) - r->x0) / (r->x1 - r->x0) * (RIGHT_EDGE - LEFT_EDGE);
}

static double y_at(const Roofline *r, double rate) {
  return BOTTOM - (log10(rate) - r->y0) / (r->y1 - r->y0) * (BOTTOM - TOP);
}

static void choose_axes(Roofline *r) {
  double speed = log10(r->flop / r->seconds), peak = log10(r->peak);
  r->x0 = -1;
  r->x1 = 2;
  for (int i = 0; i < MEMORIES; i++)
    if (r->memories[i].bytes > 0) {
      double x = log10(r->flop / r->memories[i].bytes);
      r->x0 = fmin(r->x0, floor(x - 0.2));
      r->x1 = fmax(r->x1, ceil(x + 0.2));
    }
  r->y0 = fmin(floor(speed), floor(peak) - 2);
  r->y1 = peak + 0.3;
}

static void draw_axes(FILE *out, const Roofline *r) {
  char number[COUNT_BYTES];
  for (double power = r->x0; power <= r->x1; power++) {
    double x = x_at(r, pow(10, power));
    svg_line(out, PAINT_GRID, 1, x, TOP, x, BOTTOM);
    svg_text(out, PAINT_DIM, (Font){SIZE, false, MIDDLE}, x, BOTTOM + 20, "%g", pow(10, power));
  }
  for (double power = r->y0; power <= r->y1; power++) {
    double y = y_at(r, pow(10, power));
    svg_line(out, PAINT_GRID, 1, LEFT_EDGE, y, RIGHT_EDGE, y);
    svg_text(out, PAINT_DIM, (Font){SIZE, false, RIGHT}, LEFT_EDGE - 8, y + 5, "%s",
             sentence_number(number, pow(10, power - 9)));
  }
  svg_text(out, PAINT_INK, (Font){SIZE, false, MIDDLE}, (LEFT_EDGE + RIGHT_EDGE) / 2.0, BOTTOM + 44,
           "FLOP for each byte asked of a memory");
  svg_text(out, PAINT_INK, (Font){SIZE, false, LEFT}, LEFT_EDGE, TOP - 12, "GFLOP/s");
}

/* ---- the roofs ------------------------------------------------------------------------------- */
/* Draws the line of a memory. The lines of L1 and of shared memory may be the same, so the line of
 * L1 is wider and is drawn first. */
static void draw_slope(FILE *out, const Roofline *r, const Memory *m) {
  const double width = m == &r->memories[MEMORY_L1] ? 6 : 2.5;
  double from = fmax(pow(10, r->x0), pow(10, r->y0) / m->rate), to = r->peak / m->rate;
  if (!(m->rate > 0) || from >= to || log10(to) < r->x0)
    return;
  to = fmin(to, pow(10, r->x1));
  double x = x_at(r, from), y = y_at(r, from * m->rate);
  svg_line(out, m->paint, width, x, y, x_at(r, to), y_at(r, to * m->rate));
}

static void draw_peak(FILE *out, const Roofline *r) {
  char number[COUNT_BYTES];
  double y = y_at(r, r->peak);
  svg_line(out, PAINT_INK, 2.5, LEFT_EDGE, y, RIGHT_EDGE, y);
  svg_text(out, PAINT_INK, (Font){SIZE, true, RIGHT}, RIGHT_EDGE, y - 8,
           "%s multiply-adds: %s GFLOP/s", r->wide ? "double" : "float",
           sentence_number(number, r->peak * 1e-9));
}

static void draw_point(FILE *out, const Roofline *r, const Memory *m) {
  if (!(m->bytes > 0))
    return;
  double x = x_at(r, r->flop / m->bytes), y = y_at(r, r->flop / r->seconds);
  double roof = fmin(r->peak, r->flop / m->bytes * (m->rate > 0 ? m->rate : INFINITY));
  svg_dashes(out, m->paint, x, y, x, y_at(r, roof));
  svg_box(out, m->paint, x - 6, y - 6, 12, 12);
}

/* Draws the legend in the lower right corner, where no line passes. */
static void draw_key(FILE *out, const Roofline *r) {
  char number[COUNT_BYTES];
  double y = BOTTOM - 12;
  for (int i = MEMORIES - 1; i >= 0; i--) {
    const Memory *m = &r->memories[i];
    if (!(m->bytes > 0) && !(m->rate > 0))
      continue;
    svg_box(out, m->paint, RIGHT_EDGE - 300, y - 10, 12, 12);
    if (m->rate > 0)
      svg_text(out, PAINT_INK, (Font){SIZE, false, LEFT}, RIGHT_EDGE - 280, y, "%s, %s GB/s%s",
               m->name, sentence_number(number, m->rate * 1e-9), m->bytes > 0 ? "" : ": not used");
    else
      svg_text(out, PAINT_INK, (Font){SIZE, false, LEFT}, RIGHT_EDGE - 280, y, "%s", m->name);
    y -= 20;
  }
}

bool draw_roofline(FILE *out, const Kernel *k, const char *id) {
  const Device *card = k->predicted ? device_named(k->predicted->card) : NULL;
  char title[200], text[400], time[NUMBER_ROOM];
  if (!card || !k->counters.flop)
    return false;
  Roofline r = roofline_of(k, card);
  choose_axes(&r);
  snprintf(title, sizeof title, "%s under the roofs of %s", k->name, card->title);
  snprintf(text, sizeof text,
           "%s does %.3g GFLOP/s in a predicted %s; multiply-adds reach %.3g GFLOP/s.", k->name,
           r.flop / r.seconds * 1e-9, time_text(k->predicted->us, time), r.peak * 1e-9);
  svg_begin(out, id, WIDTH, HEIGHT, title, text);
  draw_axes(out, &r);
  for (int i = 0; i < MEMORIES; i++)
    draw_slope(out, &r, &r.memories[i]);
  draw_peak(out, &r);
  for (int i = 0; i < MEMORIES; i++)
    draw_point(out, &r, &r.memories[i]);
  draw_key(out, &r);
  svg_end(out);
  return true;
}
