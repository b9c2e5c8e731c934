#include "timeline.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 64, FIRST_CLOCKS = 16 };

void timeline_start(Timeline *t, uint32_t warps) {
  t->rows = warps < MOST_ROWS ? warps : MOST_ROWS;
  t->clocks = FIRST_CLOCKS;
  t->part = calloc((size_t)t->rows * TIMELINE_COLUMNS * WAITS + 1, sizeof *t->part);
  assert(t->part);
}

static float *part(const Timeline *t, uint32_t row, uint32_t column) {
  return t->part + ((size_t)row * TIMELINE_COLUMNS + column) * WAITS;
}

static void widen(Timeline *t) {
  for (uint32_t row = 0; row < t->rows; row++)
    for (uint32_t c = 0; c < TIMELINE_COLUMNS; c++)
      for (int w = 0; w < WAITS; w++)
        part(t, row, c)[w] =
            2 * c < TIMELINE_COLUMNS ? part(t, row, 2 * c)[w] + part(t, row, 2 * c + 1)[w] : 0;
  t->clocks *= 2;
}

void timeline_add(Timeline *t, uint32_t row, double from, double to, Wait what) {
  if (row >= t->rows || to <= from)
    return;
  while (to >= t->clocks * TIMELINE_COLUMNS)
    widen(t);
  for (uint32_t c = (uint32_t)(from / t->clocks); from < to; c++) {
    double end = (c + 1) * t->clocks < to ? (c + 1) * t->clocks : to;
    part(t, row, c)[what] += (float)(end - from);
    from = end;
  }
}

char *timeline_draw(Timeline *t) {
  char *text = malloc((size_t)t->rows * TIMELINE_COLUMNS + 1);
  assert(text);
  for (uint32_t row = 0; row < t->rows; row++)
    for (uint32_t c = 0; c < TIMELINE_COLUMNS; c++) {
      const float *p = part(t, row, c);
      int most = -1;
      for (int w = 0; w < WAITS; w++)
        if (p[w] > 0 && (most < 0 || p[w] > p[most]))
          most = w;
      text[(size_t)row * TIMELINE_COLUMNS + c] = most < 0 ? '.' : wait_letter((Wait)most);
    }
  free(t->part);
  t->part = NULL;
  return text;
}
