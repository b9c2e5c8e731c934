/* Draws the timeline of one multiprocessor as the timing model predicts it. The timeline begins
 * with the launch. Each row is a warp slot, and time increases from left to right. The colour shows
 * what the warp does or what it waits for. */
#include <string.h>

#include "draw.h"
#include "emulator/words.h"

enum {
  LEFT_EDGE = 60,
  TOP = 20,
  WIDTH = 840, /* width of the whole timeline */
  LEAST_ROW = 5,
  KEY_ROW = 22,
  KEY_COLUMN = 310,
  SIZE = 14
};

typedef struct Kind {
  /* The letters by which the log's timeline denotes this kind. */
  const char *letters;
  Paint paint;
  const char *meaning;
} Kind;

static const Kind kinds[] = {
    {"#", PAINT_GOOD, "issues an instruction"},
    {"n", PAINT_GRID, "could issue, another warp does"},
    {"w>", PAINT_ARITHMETIC, "arithmetic or a branch"},
    {"l", PAINT_GLOBAL, "global or local memory"},
    {"s", PAINT_SHARED, "shared memory, special functions"},
    {"mqg", PAINT_PIPE, "a full pipe or queue"},
    {"b", PAINT_INK, "a barrier"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Returns the kind for a letter of the log; NULL if the slot is empty. */
static const Kind *kind_of(char letter) {
  for (size_t i = 0; i < KINDS; i++)
    if (strchr(kinds[i].letters, letter))
      return &kinds[i];
  return NULL;
}

static void draw_row(FILE *out, const char *row, double cell, double y, double height) {
  for (size_t at = 0, end; row[at]; at = end) {
    const Kind *kind = kind_of(row[at]);
    for (end = at; row[end] && kind_of(row[end]) == kind; end++)
      ;
    if (kind)
      svg_box(out, kind->paint, LEFT_EDGE + (double)at * cell, y, (double)(end - at) * cell,
              height);
  }
}

static void draw_clocks(FILE *out, const Predicted *p, size_t used, double bottom) {
  const Timeline *t = &p->timeline;
  double all;
  char clock[COUNT_BYTES];
  size_t step = used < 6 ? 1 : (used + 5) / 6;
  for (size_t column = 0; column <= used; column += step)
    svg_text(out, PAINT_DIM, (Font){SIZE, false, MIDDLE},
             LEFT_EDGE + (double)column * WIDTH / (double)used, bottom + 18, "%s",
             sentence_count(clock, (double)(column * t->clocks)));
  svg_text(out, PAINT_DIM, (Font){SIZE, false, RIGHT}, LEFT_EDGE - 14, bottom + 18, "clock");
  if (timeline_cut(p, &all))
    svg_text(out, PAINT_INK, (Font){SIZE, false, RIGHT}, LEFT_EDGE + WIDTH, TOP - 6,
             "to about clock %s: not shown →", sentence_count(clock, all));
}

static void draw_key(FILE *out, double y) {
  for (size_t i = 0; i < KINDS; i++) {
    double x = LEFT_EDGE + (double)(i % 3) * KEY_COLUMN, line = y + (double)(i / 3) * KEY_ROW;
    svg_box(out, kinds[i].paint, x, line - 11, 14, 14);
    svg_text(out, PAINT_INK, (Font){SIZE, false, LEFT}, x + 20, line, "%s%s",
             i > 1 ? "waits: " : "", kinds[i].meaning);
  }
}

bool draw_timeline(FILE *out, const Kernel *k, const char *id) {
  const Timeline *t = k->predicted ? &k->predicted->timeline : NULL;
  char title[200];
  if (!t || !t->count || !t->columns)
    return false;
  double height = t->count > 40 ? LEAST_ROW : LEAST_ROW + 4,
         bottom = TOP + (height + 1) * (double)t->count;
  size_t used = timeline_columns(t);
  snprintf(title, sizeof title, "What the warps of one multiprocessor do in %s, predicted",
           k->name);
  svg_begin(out, id, LEFT_EDGE + WIDTH + 40, (int)bottom + 50 + 3 * KEY_ROW, title,
            "A row for each warp, clocks from left to right. The table of waits says the same in "
            "numbers.");
  svg_text(out, PAINT_DIM, (Font){SIZE, false, RIGHT}, LEFT_EDGE - 14, TOP + 12, "warps");
  for (size_t i = 0; i < t->count; i++)
    draw_row(out, t->rows[i], (double)WIDTH / (double)used, TOP + (double)i * (height + 1), height);
  draw_clocks(out, k->predicted, used, bottom);
  draw_key(out, bottom + 48);
  svg_end(out);
  return true;
}
