/* Draws which banks of shared memory the lanes of a request access. The upper part connects each
 * lane with its bank. The lower part shows one wavefront per row, with the lanes that each bank
 * serves in it. The right part shows where the accessed words are in the array.
 */
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "emulator/observe/banks.h"

enum {
  WIDTH = 1120,
  LEFT_EDGE = 104, /* left edge of the row of banks */
  CELL = 20,
  LANES_TOP = 76,
  BANKS_TOP = 166,
  BOX = 20,       /* height of a lane or a bank */
  SIDE = 780,     /* left edge of the right part, which shows the array */
  SIDE_CELL = 10, /* width of a word in the right part */
  MOST_ROWS = 66  /* maximum number of rows in the right part */
};

static const Font small = {10, false, MIDDLE}, tiny = {10, false, MIDDLE},
                  label = {12, false, RIGHT}, words = {13, false, LEFT}, heading = {19, true, LEFT};

static double bank_x(unsigned bank) { return LEFT_EDGE + (double)bank * CELL; }
static double middle_of(unsigned bank) { return bank_x(bank) + CELL / 2.0; }

/* ---- lanes and banks ------------------------------------------------------------------------- */
/* Returns true if a bank conflict delays the lane. */
static bool waits(const Schedule *s, int lane) {
  for (unsigned i = 0; i < s->count; i++)
    if ((s->words[i].lanes >> lane & 1) && s->words[i].extra)
      return true;
  return false;
}

static void draw_lane(FILE *out, const Request *r, const Schedule *s, int lane) {
  int64_t offset = r->sample->offset[lane];
  double x = bank_x((unsigned)lane);
  bool active = offset != NO_OFFSET;
  Paint p = !active ? PAINT_IDLE : waits(s, lane) ? PAINT_BAD : PAINT_GOOD;
  if (active)
    svg_line(out, p, 1.3, x + CELL / 2.0, LANES_TOP + BOX,
             middle_of((unsigned)(banks_word((uint64_t)offset, r->banks) % BANKS)), BANKS_TOP);
  svg_box(out, p, x + 1, LANES_TOP, CELL - 2, BOX);
  svg_text(out, active ? PAINT_ON : PAINT_DIM, small, x + CELL / 2.0, LANES_TOP + 14, "%d", lane);
}

static unsigned demand(const Schedule *s, unsigned bank) {
  unsigned count = 0;
  for (unsigned i = 0; i < s->count; i++)
    count += s->words[i].number % BANKS == bank;
  return count;
}

static void draw_bank(FILE *out, const Schedule *s, unsigned bank) {
  bool asked = demand(s, bank) > 0;
  svg_box(out, PAINT_IDLE, bank_x(bank) + 1, BANKS_TOP, CELL - 2, BOX);
  svg_frame(out, asked ? PAINT_INK : PAINT_GRID, 1, bank_x(bank) + 1, BANKS_TOP, CELL - 2, BOX);
  svg_text(out, asked ? PAINT_INK : PAINT_DIM, small, middle_of(bank), BANKS_TOP + 14, "%u", bank);
}

/* ---- the wavefronts -------------------------------------------------------------------------- */
static int wavefront_height(const Schedule *s) { return s->wavefronts <= 12 ? 20 : 14; }

static void draw_word(FILE *out, const Word *w, double top, int height) {
  unsigned bank = (unsigned)(w->number % BANKS);
  double y = top + w->wavefront * height;
  int lanes = __builtin_popcount(w->lanes);
  svg_box(out, w->extra ? PAINT_BAD : PAINT_GOOD, bank_x(bank) + 1, y + 1, CELL - 2, height - 2);
  svg_text(out, PAINT_ON, tiny, middle_of(bank), y + height / 2.0 + 4, lanes > 1 ? "×%d" : "%d",
           lanes > 1 ? lanes : __builtin_ctz(w->lanes));
}

static void draw_schedule(FILE *out, const Schedule *s, double top) {
  int height = wavefront_height(s);
  svg_grid(out, LEFT_EDGE, top, BANKS, (int)s->wavefronts, CELL, height);
  for (unsigned i = 0; i < s->wavefronts; i++)
    svg_text(out, PAINT_INK, label, LEFT_EDGE - 8, top + i * height + height / 2.0 + 4,
             "wavefront %u", i + 1);
  for (unsigned i = 0; i < s->count; i++)
    draw_word(out, &s->words[i], top, height);
}

/* ---- positions of the words ------------------------------------------------------------------ */
/* The rows of the array that are drawn; a row has one word of each bank. A small array is drawn
 * completely. Otherwise the rows from the first to the last accessed one are drawn. */
typedef struct Rows {
  /* `first` and `count`: the rows that are drawn; `all`: number of rows of the array. */
  uint64_t first, count, all;
  /* Height of a row in the picture. */
  int height;
} Rows;

static Rows choose_rows(const Request *r, const Schedule *s) {
  uint64_t bytes = banks_row_bytes(r->banks), low = UINT64_MAX, high = 0;
  for (unsigned i = 0; i < s->count; i++) {
    uint64_t row = s->words[i].number / BANKS;
    low = row < low ? row : low;
    high = row > high ? row : high;
  }
  Rows whole = {r->start / bytes, (r->bytes + bytes - 1) / bytes, (r->bytes + bytes - 1) / bytes,
                0};
  bool inside = s->count && low >= whole.first && high < whole.first + whole.count;
  if (inside && whole.count <= MOST_ROWS)
    return whole;
  if (!s->count)
    return (Rows){0, 0, whole.all, 0};
  uint64_t count = high - low + 1;
  return (Rows){low, count < MOST_ROWS ? count : MOST_ROWS, whole.all, 0};
}

static Rows rows_shown(const Request *r, const Schedule *s) {
  Rows rows = choose_rows(r, s);
  rows.height = rows.count <= 34 ? SIDE_CELL : 7;
  return rows;
}

/* Draws the padding: the last elements of each row of the array. */
static void draw_padding(FILE *out, const Request *r, const Rows *rows, double top) {
  unsigned padding = request_padding(r);
  for (uint64_t row = 0; padding && row < r->rows; row++) {
    uint64_t from = r->start + (row * r->columns + r->columns - padding) * r->sample->element;
    for (uint64_t at = from; at < from + padding * r->sample->element;
         at += banks_word_bytes(r->banks)) {
      uint64_t word = banks_word(at, r->banks), line = word / BANKS;
      if (line >= rows->first && line < rows->first + rows->count)
        svg_hatched(out, PAINT_WASTE, PAINT_BAD, SIDE + (double)(word % BANKS) * SIDE_CELL,
                    top + (double)(line - rows->first) * rows->height, SIDE_CELL, rows->height);
    }
  }
}

static void say_shape(FILE *out, const Request *r, double y) {
  unsigned padding = request_padding(r);
  if (!r->columns)
    svg_text(out, PAINT_DIM, words, SIDE, y, "%s: %llu bytes", r->name,
             (unsigned long long)r->bytes);
  else if (padding)
    svg_text(out, PAINT_DIM, words, SIDE, y, "%s: %llu rows of %llu + %u", r->name,
             (unsigned long long)r->rows, (unsigned long long)(r->columns - padding), padding);
  else
    svg_text(out, PAINT_DIM, words, SIDE, y, "%s: %llu rows of %llu", r->name,
             (unsigned long long)r->rows, (unsigned long long)r->columns);
}

/* Draws the right part. Returns the height of the drawing. */
static int draw_memory(FILE *out, const Request *r, const Schedule *s) {
  Rows rows = rows_shown(r, s);
  double top = LANES_TOP + 30;
  svg_text(out, PAINT_INK, (Font){13, true, LEFT}, SIDE, LANES_TOP - 8, "where the words lie");
  say_shape(out, r, LANES_TOP + 10);
  svg_box(out, PAINT_IDLE, SIDE, top, BANKS * SIDE_CELL, (double)rows.count * rows.height);
  svg_grid(out, SIDE, top, BANKS, (int)rows.count, SIDE_CELL, rows.height);
  draw_padding(out, r, &rows, top);
  for (unsigned i = 0; i < s->count; i++) {
    uint64_t row = s->words[i].number / BANKS - rows.first;
    if (row < rows.count)
      svg_box(out, s->words[i].extra ? PAINT_BAD : PAINT_GOOD,
              SIDE + (double)(s->words[i].number % BANKS) * SIDE_CELL,
              top + (double)row * rows.height, SIDE_CELL, rows.height);
  }
  svg_text(out, PAINT_DIM, (Font){11, false, LEFT}, SIDE, top - 5, "bank 0");
  svg_text(out, PAINT_DIM, (Font){11, false, RIGHT}, SIDE + BANKS * SIDE_CELL, top - 5, "31");
  double y = top + (double)rows.count * rows.height + 16;
  if (rows.count < rows.all)
    svg_text(out, PAINT_DIM, (Font){11, false, LEFT}, SIDE, y, "%llu of %llu lines of 32 words",
             (unsigned long long)rows.count, (unsigned long long)rows.all);
  else if (request_padding(r)) {
    svg_hatched(out, PAINT_WASTE, PAINT_BAD, SIDE, y - 9, 10, 10);
    svg_text(out, PAINT_DIM, (Font){11, false, LEFT}, SIDE + 15, y, "padding, used by no thread");
  }
  return (int)y + 8;
}

/* ---- title and description ------------------------------------------------------------------- */
static void say_title(const Request *r, const Schedule *s, char *out, size_t size) {
  if (s->wavefronts > s->ideal)
    snprintf(out, size, "%s of %s: %u wavefronts where %u would do, %u bank conflict%s",
             request_verb(r), r->name, s->wavefronts, s->ideal, s->wavefronts - s->ideal,
             s->wavefronts - s->ideal == 1 ? "" : "s");
  else
    snprintf(out, size, "%s of %s: %u wavefront%s, no bank conflict", request_verb(r), r->name,
             s->wavefronts, s->wavefronts == 1 ? "" : "s");
}

/* Writes the text alternative of the picture: how many banks are accessed, and the words of the
 * bank with the most accesses. */
static void say_text(const Schedule *s, char *out, size_t size) {
  unsigned busiest = 0, banks = 0;
  for (unsigned bank = 0; bank < BANKS; bank++) {
    banks += demand(s, bank) > 0;
    if (demand(s, bank) > demand(s, busiest))
      busiest = bank;
  }
  size_t used = (size_t)snprintf(out, size, "The warp uses %u of the 32 banks. ", banks);
  used += (size_t)snprintf(out + used, size - used,
                           "Bank %u must deliver %u different word%s:", busiest, demand(s, busiest),
                           demand(s, busiest) == 1 ? "" : "s");
  for (unsigned i = 0; i < s->count && used + 100 < size; i++) {
    const Word *w = &s->words[i];
    char lanes[60];
    if (w->number % BANKS != busiest)
      continue;
    lanes_text(w->lanes, lanes, sizeof lanes);
    used += (size_t)snprintf(out + used, size - used,
                             " wavefront %u, word %llu of shared memory, "
                             "%s;",
                             w->wavefront + 1, (unsigned long long)w->number, lanes);
  }
  out[used - 1] = '.';
}

void banks_words(const Request *r, const Schedule *s, char *title, size_t title_size, char *text,
                 size_t text_size) {
  say_title(r, s, title, title_size);
  say_text(s, text, text_size);
}

static void draw_legend(FILE *out, const Schedule *s, double y) {
  double x = LEFT_EDGE;
  bool shared_word = false;
  for (unsigned i = 0; i < s->count; i++)
    shared_word = shared_word || (s->words[i].lanes & (s->words[i].lanes - 1));
  svg_box(out, PAINT_GOOD, x, y - 11, 13, 13);
  svg_text(out, PAINT_INK, words, x + 19, y, "a word, with the lane that gets it");
  if (s->wavefronts > s->ideal) {
    svg_box(out, PAINT_BAD, x + 270, y - 11, 13, 13);
    svg_text(out, PAINT_INK, words, x + 289, y,
             s->in_turn ? "another lane at the same bank: it waits for its turn"
                        : "another word of the same bank: it has to wait");
  }
  if (shared_word)
    svg_text(out, PAINT_INK, words, x, y + 20,
             "×n: n lanes want this word, and get it at the same time");
}

void draw_banks(FILE *out, const Request *r, const Words *w) {
  Schedule s = request_schedule(r);
  char title[200], text[4000], place[160];
  double top = BANKS_TOP + BOX + 14, bottom = top + s.wavefronts * wavefront_height(&s);
  char *memory = NULL;
  size_t length;
  FILE *side = open_memstream(&memory, &length);
  int side_height = draw_memory(side, r, &s);
  fclose(side);
  banks_words(r, &s, title, sizeof title, text, sizeof text);
  request_place(r, place, sizeof place);
  double end = bottom + 52;
  svg_begin(out, w->id, WIDTH, (int)(end > side_height ? end : side_height),
            w->title ? w->title : title, text);
  svg_text(out, PAINT_INK, heading, 12, 28, "%s", w->title ? w->title : title);
  svg_text(out, PAINT_DIM, words, 12, 50, "%s", place);
  svg_text(out, PAINT_INK, label, LEFT_EDGE - 8, LANES_TOP + 14, "lane");
  svg_text(out, PAINT_INK, label, LEFT_EDGE - 8, BANKS_TOP + 14, "bank");
  for (int lane = 0; lane < LANES; lane++)
    draw_lane(out, r, &s, lane);
  for (unsigned bank = 0; bank < BANKS; bank++)
    draw_bank(out, &s, bank);
  draw_schedule(out, &s, top);
  draw_legend(out, &s, bottom + 24);
  fwrite(memory, 1, length, out);
  free(memory);
  svg_end(out);
}
