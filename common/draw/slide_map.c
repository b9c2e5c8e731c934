/* Draws one request for a slide: the touched lines of memory, with the lane in each word. The
 * letters are large, so there is room for only the first lines and the last line.
 *
 * A line of shared memory has one word of each of the 32 banks. Two words in the same column are in
 * the same bank and conflict. A line of global memory has 128 bytes in four sectors.
 */
#include <string.h>

#include "draw.h"
#include "emulator/observe/banks.h"

enum {
  WIDTH = 1120,
  LEFT_EDGE = 112,
  CELL = 28, /* width of a word */
  TOP = 34,
  SIZE = 18,
  MOST = 8, /* maximum number of lines, including a line of dots for omitted lines */
  LINE_BYTES = BANKS * 4,
  SECTOR_WORDS = SECTOR_BYTES / 4
};

static const Font label = {SIZE, false, RIGHT}, middle = {SIZE, false, MIDDLE},
                  words = {SIZE, false, LEFT};

/* The touched lines, in ascending order. */
typedef struct Lines {
  uint64_t number[MOST_WORDS];
  unsigned count;
  /* Height of a line in the picture. */
  int height;
} Lines;

static void add_line(Lines *l, uint64_t number) {
  unsigned at = l->count;
  while (at > 0 && l->number[at - 1] > number)
    at--;
  if (at > 0 && l->number[at - 1] == number)
    return;
  memmove(&l->number[at + 1], &l->number[at], (l->count - at) * sizeof *l->number);
  l->number[at] = number;
  l->count++;
}

/* ---- the lines that are shown ---------------------------------------------------------------- */
static unsigned shown(const Lines *l) { return l->count < MOST ? l->count : MOST; }

/* Sets *row to the row of line i in the picture. Row MOST - 2 contains the dots if lines are
 * omitted. Returns false if line i is omitted. */
static bool row_of(const Lines *l, unsigned i, unsigned *row) {
  *row = i;
  if (l->count <= MOST || i < MOST - 2)
    return true;
  *row = MOST - 1;
  return i == l->count - 1;
}

static bool place(const Lines *l, uint64_t number, double *y) {
  unsigned row;
  for (unsigned i = 0; i < l->count; i++)
    if (l->number[i] == number && row_of(l, i, &row)) {
      *y = TOP + (double)row * l->height;
      return true;
    }
  return false;
}

static double column_x(uint64_t column) { return LEFT_EDGE + (double)column * CELL; }

static void draw_row(FILE *out, const Lines *l, double y) {
  svg_box(out, PAINT_IDLE, LEFT_EDGE, y, BANKS * CELL, l->height);
  svg_grid(out, LEFT_EDGE, y, BANKS, 1, CELL, l->height);
}

static void draw_dots(FILE *out, const Lines *l) {
  if (l->count > MOST)
    svg_text(out, PAINT_DIM, middle, WIDTH / 2.0, TOP + (MOST - 2) * l->height + 22,
             "… %u lines more, then the last", l->count - (MOST - 1));
}

/* Draws a box for one word, or for several adjacent words, and the lanes that access them. */
static void draw_wanted(FILE *out, const Lines *l, Paint p, double x, double y, double width,
                        uint32_t lanes) {
  int count = __builtin_popcount(lanes), first = __builtin_ctz(lanes);
  double base = y + l->height / 2.0 + 7;
  svg_box(out, p, x + 1, y + 1, width - 2, l->height - 2);
  if (count == 1)
    svg_text(out, PAINT_ON, middle, x + width / 2, base, "%d", first);
  else if (count < 10)
    svg_text(out, PAINT_ON, (Font){SIZE, true, MIDDLE}, x + width / 2, base, "×%d", count);
  else {
    svg_box(out, PAINT_PAPER, x + width + 1, y + 1, 5 * CELL - 2, l->height - 2);
    svg_text(out, PAINT_INK, words, x + width + 8, base, "all %d lanes", count);
  }
}

/* ---- shared memory --------------------------------------------------------------------------- */
/* Writes the wavefronts that serve a line, for example "3" or "1–2". */
static void draw_wavefronts(FILE *out, const Schedule *s, uint64_t line, double y) {
  unsigned first = UINT32_MAX, last = 0;
  for (unsigned i = 0; i < s->count; i++)
    if (s->words[i].number / BANKS == line) {
      first = s->words[i].wavefront < first ? s->words[i].wavefront : first;
      last = s->words[i].wavefront > last ? s->words[i].wavefront : last;
    }
  const Font font = {SIZE, true, LEFT};
  if (first == last)
    svg_text(out, first ? PAINT_BAD : PAINT_GOOD, font, column_x(BANKS) + 14, y, "%u", first + 1);
  else
    svg_text(out, PAINT_BAD, font, column_x(BANKS) + 14, y, "%u–%u", first + 1, last + 1);
}

static void draw_shared(FILE *out, const Schedule *s, const Lines *l) {
  double y;
  svg_text(out, PAINT_DIM, label, LEFT_EDGE - 10, TOP - 10, "bank");
  for (unsigned bank = 0; bank < BANKS; bank++)
    svg_text(out, PAINT_DIM, middle, column_x(bank) + CELL / 2.0, TOP - 10, "%u", bank);
  svg_text(out, PAINT_DIM, words, column_x(BANKS) + 10, TOP - 10, "wavefront");
  for (unsigned i = 0; i < l->count; i++)
    if (place(l, l->number[i], &y)) {
      draw_row(out, l, y);
      svg_text(out, PAINT_INK, label, LEFT_EDGE - 10, y + l->height / 2.0 + 7, "word %llu",
               (unsigned long long)l->number[i] * BANKS);
      draw_wavefronts(out, s, l->number[i], y + l->height / 2.0 + 7);
    }
  for (unsigned i = 0; i < s->count; i++)
    if (place(l, s->words[i].number / BANKS, &y))
      draw_wanted(out, l, s->words[i].extra ? PAINT_BAD : PAINT_GOOD,
                  column_x(s->words[i].number % BANKS), y, CELL, s->words[i].lanes);
}

/* ---- global memory --------------------------------------------------------------------------- */
static void name_line(FILE *out, const Request *r, uint64_t line, double y) {
  uint64_t first = line * LINE_BYTES / (r->sample->element ? r->sample->element : 4);
  if (r->columns && first < r->rows * r->columns)
    svg_text(out, PAINT_INK, label, LEFT_EDGE - 10, y, "%.3s[%llu][%llu]", r->name,
             (unsigned long long)(first / r->columns), (unsigned long long)(first % r->columns));
  else
    svg_text(out, PAINT_INK, label, LEFT_EDGE - 10, y, "byte %llu",
             (unsigned long long)line * LINE_BYTES);
}

static void each_sector(FILE *out, const Footprint *f, const Lines *l, bool frames) {
  double y;
  for (unsigned i = 0; i < f->count; i++) {
    uint64_t at = f->sector[i] * SECTOR_BYTES;
    double x = column_x(at % LINE_BYTES / 4);
    if (!place(l, at / LINE_BYTES, &y))
      continue;
    if (frames)
      svg_frame(out, PAINT_INK, 2.5, x + 1, y + 1, SECTOR_WORDS * CELL - 2, l->height - 2);
    else
      svg_hatched(out, PAINT_WASTE, PAINT_BAD, x + 1, y + 1, SECTOR_WORDS * CELL - 2,
                  l->height - 2);
  }
}

static void draw_global(FILE *out, const Request *r, const Footprint *f, const Lines *l) {
  const Sample *s = r->sample;
  double y;
  for (unsigned sector = 0; sector < BANKS / SECTOR_WORDS; sector++)
    svg_text(out, PAINT_DIM, middle, column_x(sector * SECTOR_WORDS) + SECTOR_WORDS * CELL / 2.0,
             TOP - 10, "sector of 32 bytes");
  for (unsigned i = 0; i < l->count; i++)
    if (place(l, l->number[i], &y)) {
      draw_row(out, l, y);
      name_line(out, r, l->number[i], y + l->height / 2.0 + 7);
    }
  each_sector(out, f, l, false);
  for (int lane = 0; lane < LANES; lane++) {
    uint32_t same = 0;
    for (int other = 0; s->offset[lane] != NO_OFFSET && other < LANES; other++)
      same |= (uint32_t)(s->offset[other] == s->offset[lane]) << other;
    if (same && __builtin_ctz(same) == lane && place(l, (uint64_t)s->offset[lane] / LINE_BYTES, &y))
      draw_wanted(out, l, PAINT_GOOD, column_x((uint64_t)s->offset[lane] % LINE_BYTES / 4), y,
                  r->access->bytes * CELL / 4.0, same);
  }
  each_sector(out, f, l, true);
}

/* ---- the legend ------------------------------------------------------------------------------ */
static void draw_key(FILE *out, Paint p, double x, double y, const char *text) {
  if (p == PAINT_WASTE)
    svg_hatched(out, p, PAINT_BAD, x, y - 16, 20, 20);
  else
    svg_box(out, p, x, y - 16, 20, 20);
  svg_text(out, PAINT_INK, words, x + 28, y, "%s", text);
}

void draw_slide(FILE *out, const Request *r, const Words *w) {
  bool shared = r->access->space == SPACE_SHARED;
  Schedule s = shared ? request_schedule(r) : (Schedule){.count = 0};
  Footprint f = shared ? (Footprint){.count = 0} : request_footprint(r);
  Lines l = {.count = 0};
  char title[200], text[4000];
  for (unsigned i = 0; i < s.count; i++)
    add_line(&l, s.words[i].number / BANKS);
  for (unsigned i = 0; i < f.count; i++)
    add_line(&l, f.sector[i] * SECTOR_BYTES / LINE_BYTES);
  l.height = l.count > 4 ? 32 : l.count > 2 ? 48 : 72;
  double y = TOP + (double)shown(&l) * l.height + 36;
  if (shared)
    banks_words(r, &s, title, sizeof title, text, sizeof text);
  else
    sectors_words(r, &f, title, sizeof title, text, sizeof text);
  svg_begin(out, w->id, WIDTH, (int)y + 48, w->title ? w->title : title, text);
  if (shared)
    draw_shared(out, &s, &l);
  else
    draw_global(out, r, &f, &l);
  draw_dots(out, &l);
  svg_text(out, PAINT_INK, (Font){SIZE + 2, true, LEFT}, LEFT_EDGE, y, "%s",
           w->title ? w->title : title);
  draw_key(out, PAINT_GOOD, LEFT_EDGE, y + 34,
           shared ? "served at once: its lane" : "wanted, by which lane");
  if (shared ? s.wavefronts > s.ideal : f.bytes_used < f.count * SECTOR_BYTES)
    draw_key(out, shared ? PAINT_BAD : PAINT_WASTE, LEFT_EDGE + 330, y + 34,
             shared ? "waits: its bank gives another word first"
                    : "moved with it, wanted by no lane");
  svg_end(out);
}
