/* Draws how one block of a tiled matrix product C = A·B moves through A and B. Each kernel of the
 * recording is one step. The picture shows the elements that its sampled warp loaded from A and B
 * and stored to C. A is on the left, B is above, and C is to the right of A and below B.
 */
#include <stdlib.h>
#include <string.h>

#include "draw.h"

enum { CELL = 16, GAP = 40, LEFT_EDGE = 24, TOP = 30, MOST_SIDE = 24, NOTES = 560, SIZE = 21 };

static const Font words = {SIZE, false, LEFT};

typedef struct Matrix {
  const char *name;
  /* Number of rows and columns; 0 if the matrix is not in the recording. */
  uint64_t rows, columns;
  /* Upper left corner of the matrix in the picture. */
  double x, y;
} Matrix;

static void find_shape(const Recording *r, Matrix *m) {
  for (size_t k = 0; k < r->kernel_count; k++)
    for (size_t i = 0; i < r->kernels[k].access_count; i++) {
      const Sample *s = r->kernels[k].accesses[i].sample;
      if (s && s->space == SPACE_GLOBAL && !strcmp(s->buffer, m->name) && s->element &&
          s->rows <= MOST_SIDE && s->columns <= MOST_SIDE) {
        m->rows = s->rows;
        m->columns = s->columns;
      }
    }
}

/* ---- one step -------------------------------------------------------------------------------- */
/* The rectangle of elements that the warp accessed. */
typedef struct Tile {
  /* First row and column, and number of rows and columns; `rows` is 0 if there is no rectangle. */
  uint64_t row, column, rows, columns;
} Tile;

static Tile tile_of(const Sample *s) {
  uint64_t low_row = UINT64_MAX, high_row = 0, low = UINT64_MAX, high = 0;
  for (int lane = 0; lane < LANES; lane++) {
    if (s->offset[lane] == NO_OFFSET)
      continue;
    uint64_t e = (uint64_t)s->offset[lane] / s->element;
    uint64_t row = e / s->columns, column = e % s->columns;
    low_row = row < low_row ? row : low_row;
    high_row = row > high_row ? row : high_row;
    low = column < low ? column : low;
    high = column > high ? column : high;
  }
  if (low_row > high_row)
    return (Tile){.rows = 0};
  return (Tile){low_row, low, high_row - low_row + 1, high - low + 1};
}

static double tile_middle_x(const Matrix *m, const Tile *t) {
  return m->x + ((double)t->column + (double)t->columns / 2) * CELL;
}
static double tile_middle_y(const Matrix *m, const Tile *t) {
  return m->y + ((double)t->row + (double)t->rows / 2) * CELL;
}

static void draw_elements(FILE *out, const Matrix *m, const Sample *s, Paint p) {
  for (int lane = 0; lane < LANES; lane++) {
    if (s->offset[lane] == NO_OFFSET)
      continue;
    uint64_t e = (uint64_t)s->offset[lane] / s->element;
    svg_box(out, p, m->x + (double)(e % m->columns) * CELL + 1,
            m->y + (double)(e / m->columns) * CELL + 1, CELL - 2, CELL - 2);
  }
}

static void draw_tile(FILE *out, const Matrix *m, const Tile *t, const char *text, Paint p) {
  double x = tile_middle_x(m, t), y = tile_middle_y(m, t);
  svg_frame(out, PAINT_INK, 2, m->x + (double)t->column * CELL, m->y + (double)t->row * CELL,
            (double)t->columns * CELL, (double)t->rows * CELL);
  svg_box(out, p, x - 1.75 * CELL, y - 12, 3.5 * CELL, 24);
  svg_text(out, PAINT_ON, (Font){SIZE, true, MIDDLE}, x, y + 7, "%s", text);
}

/* Returns the sample of the kernel's first access to the matrix; NULL if there is none. */
static const Sample *sample_of(const Kernel *k, const Matrix *m) {
  for (size_t i = 0; i < k->access_count; i++) {
    const Sample *s = k->accesses[i].sample;
    if (s && s->space == SPACE_GLOBAL && !strcmp(s->buffer, m->name) && s->rows == m->rows &&
        s->columns == m->columns && s->element)
      return s;
  }
  return NULL;
}

static void draw_walk(FILE *out, const Recording *r, const Matrix *m, Paint p, bool numbered) {
  for (size_t k = 0; k < r->kernel_count; k++) {
    const Sample *s = sample_of(&r->kernels[k], m);
    Tile t = s ? tile_of(s) : (Tile){.rows = 0};
    char text[24] = "sums";
    if (!t.rows)
      continue;
    if (numbered)
      snprintf(text, sizeof text, "%zu", k + 1);
    draw_elements(out, m, s, p);
    draw_tile(out, m, &t, text, p);
  }
}

/* ---- the whole picture ----------------------------------------------------------------------- */
static void draw_matrix(FILE *out, const Matrix *m) {
  svg_box(out, PAINT_IDLE, m->x, m->y, (double)m->columns * CELL, (double)m->rows * CELL);
  svg_grid(out, m->x, m->y, (int)m->columns, (int)m->rows, CELL, CELL);
  svg_text(out, PAINT_INK, (Font){SIZE, true, LEFT}, m->x, m->y - 8, "%s", m->name);
  svg_text(out, PAINT_DIM, (Font){SIZE, false, RIGHT}, m->x + (double)m->columns * CELL, m->y - 8,
           "%llu × %llu", (unsigned long long)m->rows, (unsigned long long)m->columns);
}

/* Draws lines from the tile of C to A along its rows, and to B along its columns. */
static void draw_guides(FILE *out, const Recording *r, const Matrix *a, const Matrix *b,
                        const Matrix *c) {
  for (size_t k = 0; k < r->kernel_count; k++) {
    const Sample *s = sample_of(&r->kernels[k], c);
    Tile t = s ? tile_of(s) : (Tile){.rows = 0};
    if (!t.rows)
      continue;
    double left = c->x + (double)t.column * CELL, top = c->y + (double)t.row * CELL,
           right = left + (double)t.columns * CELL, low = top + (double)t.rows * CELL;
    svg_dashes(out, PAINT_INK, a->x, top, left, top);
    svg_dashes(out, PAINT_INK, a->x, low, left, low);
    svg_dashes(out, PAINT_INK, left, b->y, left, top);
    svg_dashes(out, PAINT_INK, right, b->y, right, top);
  }
}

static void draw_notes(FILE *out, size_t steps, unsigned threads, double x, double y) {
  svg_text(out, PAINT_INK, words, x, y, "Steps 1 to %zu: the block loads a tile of A and", steps);
  svg_text(out, PAINT_INK, words, x, y + 28, "one of B, multiplies them, adds to its sums.");
  svg_text(out, PAINT_INK, words, x, y + 70, "A's tile walks to the right, B's walks down.");
  svg_box(out, PAINT_GOOD, x, y + 96, 20, 20);
  svg_text(out, PAINT_INK, words, x + 30, y + 113, "loaded, one element by each of %u threads",
           threads);
  svg_box(out, PAINT_THIRD, x, y + 132, 20, 20);
  svg_text(out, PAINT_INK, words, x + 30, y + 149, "stored after the last step");
}

bool draw_tiles(FILE *out, const Recording *r, const Words *w) {
  Matrix a = {.name = "A"}, b = {.name = "B"}, c = {.name = "C"};
  char text[400];
  find_shape(r, &a);
  find_shape(r, &b);
  find_shape(r, &c);
  if (!a.columns || !b.columns || !c.columns || !r->kernel_count)
    return false;
  b.y = TOP;
  double beside = (double)a.columns * CELL;
  b.x = c.x = LEFT_EDGE + (beside > NOTES ? beside : NOTES) + GAP;
  a.x = c.x - GAP - beside;
  a.y = c.y = b.y + (double)b.rows * CELL + GAP;
  const unsigned *block = r->kernels[0].block, *at = NULL;
  for (size_t k = 0; k < r->kernel_count; k++)
    if (sample_of(&r->kernels[k], &a))
      at = sample_of(&r->kernels[k], &a)->block;
  const char *title = w->title ? w->title : "the walk of the tiles";
  snprintf(text, sizeof text,
           "The block of threads (%u,%u) computes one tile of C in %zu steps. In each it loads one "
           "tile of A, further to the right each time, and one of B, further down each time.",
           at ? at[0] : 0, at ? at[1] : 0, r->kernel_count);
  double right = c.x + (double)c.columns * CELL, low = c.y + (double)c.rows * CELL;
  svg_begin(out, w->id, (int)right + LEFT_EDGE, (int)low + 20, title, text);
  draw_matrix(out, &a);
  draw_matrix(out, &b);
  draw_matrix(out, &c);
  draw_walk(out, r, &a, PAINT_GOOD, true);
  draw_walk(out, r, &b, PAINT_GOOD, true);
  draw_walk(out, r, &c, PAINT_THIRD, false);
  draw_guides(out, r, &a, &b, &c);
  draw_notes(out, r->kernel_count, block[0] * block[1], LEFT_EDGE, b.y + 24);
  svg_end(out);
  return true;
}
