/* Draws the sectors of global memory that a request touches. The left part shows the touched cache
 * lines, each of 128 bytes in four sectors. Memory moves whole sectors, so the bytes of a touched
 * sector that no lane uses are hatched. The right part shows the same sectors in the matrix.
 */
#include <stdlib.h>
#include <string.h>

#include "draw.h"

enum {
  WIDTH = 1120,
  LEFT_EDGE = 104,
  WORD = 20, /* width of 4 bytes in the picture */
  LINE_BYTES = 128,
  TOP = 100,
  SIDE = 780,
  SIDE_WIDTH = 320,
  LEAST_ROWS = 12, /* minimum number of rows and columns of the matrix that are drawn */
  LEAST_COLUMNS = 32
};

static const Font words = {13, false, LEFT}, heading = {19, true, LEFT}, label = {12, false, RIGHT};

static double byte_x(uint64_t offset) {
  return LEFT_EDGE + (double)(offset % LINE_BYTES) * WORD / 4;
}

/* ---- the lines ------------------------------------------------------------------------------- */
typedef struct Lines {
  uint64_t number[LANES * 2];
  unsigned count;
  int height;
} Lines;

static Lines lines_of(const Footprint *f) {
  Lines l = {.count = 0};
  for (unsigned i = 0; i < f->count; i++) {
    uint64_t line = f->sector[i] * SECTOR_BYTES / LINE_BYTES;
    if (!l.count || l.number[l.count - 1] != line)
      l.number[l.count++] = line;
  }
  l.height = l.count <= 12 ? 22 : 15;
  return l;
}

static double line_y(const Lines *l, uint64_t offset) {
  unsigned i = 0;
  while (i + 1 < l->count && l->number[i] != offset / LINE_BYTES)
    i++;
  return TOP + (double)i * l->height;
}

static void draw_line(FILE *out, const Request *r, const Lines *l, unsigned i) {
  double y = TOP + (double)i * l->height;
  uint64_t element = r->sample->element ? r->sample->element : 4,
           first = l->number[i] * LINE_BYTES / element;
  svg_box(out, PAINT_IDLE, LEFT_EDGE, y + 1, 32 * WORD, l->height - 2);
  if (r->columns && first < r->rows * r->columns)
    svg_text(out, PAINT_INK, label, LEFT_EDGE - 8, y + l->height / 2.0 + 4, "%.6s[%llu][%llu]",
             r->name, (unsigned long long)(first / r->columns),
             (unsigned long long)(first % r->columns));
  else
    svg_text(out, PAINT_INK, label, LEFT_EDGE - 8, y + l->height / 2.0 + 4, "byte %llu",
             (unsigned long long)(l->number[i] * LINE_BYTES));
}

/* Draws the lanes in the bytes that they access. Lanes with the same address are drawn as one cell.
 */
static void draw_lanes(FILE *out, const Request *r, const Lines *l) {
  const Sample *s = r->sample;
  for (int lane = 0; lane < LANES; lane++) {
    uint32_t same = 0;
    if (s->offset[lane] == NO_OFFSET)
      continue;
    for (int other = 0; other < LANES; other++)
      same |= (uint32_t)(s->offset[other] == s->offset[lane]) << other;
    if (__builtin_ctz(same) != lane)
      continue;
    uint64_t offset = (uint64_t)s->offset[lane];
    double x = byte_x(offset), y = line_y(l, offset), width = r->access->bytes * WORD / 4.0;
    int count = __builtin_popcount(same);
    if (x + width > LEFT_EDGE + 32 * WORD)
      width = LEFT_EDGE + 32 * WORD - x;
    svg_box(out, PAINT_GOOD, x + 0.5, y + 2, width - 1, l->height - 4);
    if (width >= 16)
      svg_text(out, PAINT_ON, (Font){10, false, MIDDLE}, x + width / 2, y + l->height / 2.0 + 4,
               count > 1 ? "×%d" : "%d", count > 1 ? count : lane);
  }
}

static void draw_lines(FILE *out, const Request *r, const Footprint *f, const Lines *l) {
  for (int sector = 0; sector < LINE_BYTES / SECTOR_BYTES; sector++)
    svg_text(out, PAINT_DIM, (Font){12, false, MIDDLE}, LEFT_EDGE + (sector + 0.5) * 8 * WORD,
             TOP - 10, "%d … %d", sector * SECTOR_BYTES, sector * SECTOR_BYTES + 31);
  svg_text(out, PAINT_DIM, label, LEFT_EDGE - 8, TOP - 10, "byte of line");
  for (unsigned i = 0; i < l->count; i++)
    draw_line(out, r, l, i);
  for (unsigned i = 0; i < f->count; i++)
    svg_hatched(out, PAINT_WASTE, PAINT_BAD, byte_x(f->sector[i] * SECTOR_BYTES) + 1,
                line_y(l, f->sector[i] * SECTOR_BYTES) + 1, 8 * WORD - 2, l->height - 2);
  draw_lanes(out, r, l);
  for (unsigned i = 0; i < f->count; i++)
    svg_frame(out, PAINT_INK, 1.5, byte_x(f->sector[i] * SECTOR_BYTES) + 1,
              line_y(l, f->sector[i] * SECTOR_BYTES) + 1, 8 * WORD - 2, l->height - 2);
}

/* ---- the sectors in the matrix --------------------------------------------------------------- */
/* The part of the matrix that is drawn. */
typedef struct Window {
  uint64_t row, column, rows, columns;
  double scale;
} Window;

static void widen(uint64_t *first, uint64_t *count, uint64_t least, uint64_t whole) {
  if (*count < least)
    *count = least;
  if (*count >= whole)
    *first = 0, *count = whole;
  else if (*first > whole - *count)
    *first = whole - *count;
}

static Window window_of(const Request *r, const Footprint *f) {
  uint64_t element = r->sample->element, low_row = UINT64_MAX, high_row = 0, low = UINT64_MAX,
           high = 0;
  for (unsigned i = 0; i < f->count; i++)
    for (uint64_t at = 0; at < SECTOR_BYTES; at += element) {
      uint64_t e = (f->sector[i] * SECTOR_BYTES + at) / element;
      uint64_t row = e / r->columns, column = e % r->columns;
      if (row >= r->rows)
        continue;
      low_row = row < low_row ? row : low_row;
      high_row = row > high_row ? row : high_row;
      low = column < low ? column : low;
      high = column > high ? column : high;
    }
  if (low_row > high_row)
    return (Window){.rows = 0};
  Window w = {low_row, low, high_row - low_row + 1, high - low + 1, 0};
  widen(&w.row, &w.rows, LEAST_ROWS, r->rows);
  widen(&w.column, &w.columns, LEAST_COLUMNS, r->columns);
  uint64_t span = w.rows > w.columns ? w.rows : w.columns;
  w.scale = (double)SIDE_WIDTH / (double)span;
  return w;
}

static void draw_element(FILE *out, const Request *r, const Window *w, Paint p, uint64_t e,
                         double elements) {
  uint64_t row = e / r->columns, column = e % r->columns;
  double size = w->scale < 2 ? 2 : w->scale,
         left = (double)w->columns - (double)(column - w->column);
  if (row < w->row || row >= w->row + w->rows || column < w->column || left <= 0)
    return;
  elements = elements < left ? elements : left;
  svg_box(out, p, SIDE + (double)(column - w->column) * w->scale,
          TOP + (double)(row - w->row) * w->scale,
          elements * w->scale < 2 ? 2 : elements * w->scale, size);
}

/* Draws the matrix on the right side. Returns the y coordinate of its lower edge. */
static int draw_matrix(FILE *out, const Request *r, const Footprint *f) {
  uint64_t element = r->sample->element;
  Window w = r->columns && r->rows && element && element <= SECTOR_BYTES ? window_of(r, f)
                                                                         : (Window){.rows = 0};
  if (!w.rows)
    return TOP;
  svg_text(out, PAINT_INK, (Font){13, true, LEFT}, SIDE, TOP - 34, "on %s", r->name);
  svg_text(out, PAINT_DIM, (Font){11, false, LEFT}, SIDE, TOP - 17,
           "rows %llu–%llu of %llu, columns %llu–%llu of %llu", (unsigned long long)w.row,
           (unsigned long long)(w.row + w.rows - 1), (unsigned long long)r->rows,
           (unsigned long long)w.column, (unsigned long long)(w.column + w.columns - 1),
           (unsigned long long)r->columns);
  svg_box(out, PAINT_IDLE, SIDE, TOP, (double)w.columns * w.scale, (double)w.rows * w.scale);
  for (unsigned i = 0; i < f->count; i++)
    draw_element(out, r, &w, PAINT_WASTE, f->sector[i] * SECTOR_BYTES / element,
                 (double)SECTOR_BYTES / (double)element);
  for (int lane = 0; lane < LANES; lane++)
    if (r->sample->offset[lane] != NO_OFFSET)
      draw_element(out, r, &w, PAINT_GOOD, (uint64_t)r->sample->offset[lane] / element,
                   (double)r->access->bytes / (double)element);
  svg_frame(out, PAINT_DIM, 1, SIDE, TOP, (double)w.columns * w.scale, (double)w.rows * w.scale);
  return TOP + (int)((double)w.rows * w.scale) + 12;
}

/* ---- title and description ------------------------------------------------------------------- */
static void say_title(const Request *r, const Footprint *f, char *out, size_t size) {
  snprintf(out, size, "%s of %s: %u sector%s, %u of %u bytes used", request_verb(r), r->name,
           f->count, f->count == 1 ? "" : "s", f->bytes_used, f->count * SECTOR_BYTES);
}

static void say_text(const Request *r, const Footprint *f, char *out, size_t size) {
  unsigned active = 0;
  for (int lane = 0; lane < LANES; lane++)
    active += r->sample->offset[lane] != NO_OFFSET;
  int used = snprintf(out, size,
                      "%u lanes access %u bytes each, %u different bytes in all. Memory moves in "
                      "sectors of 32 bytes: %u are touched, %u bytes are moved, %u of them unused.",
                      active, r->access->bytes, f->bytes_used, f->count, f->count * SECTOR_BYTES,
                      f->count * SECTOR_BYTES - f->bytes_used);
  if (r->sample->elsewhere)
    snprintf(out + used, size - (size_t)used, " %u lanes more are in another buffer.",
             r->sample->elsewhere);
}

void sectors_words(const Request *r, const Footprint *f, char *title, size_t title_size, char *text,
                   size_t text_size) {
  say_title(r, f, title, title_size);
  say_text(r, f, text, text_size);
}

static void draw_legend(FILE *out, const Footprint *f, double y) {
  double x = LEFT_EDGE;
  svg_frame(out, PAINT_INK, 1.5, x, y - 11, 26, 13);
  svg_text(out, PAINT_INK, words, x + 33, y, "a sector, 32 bytes");
  svg_box(out, PAINT_GOOD, x + 170, y - 11, 13, 13);
  svg_text(out, PAINT_INK, words, x + 189, y, "what a lane asked for (×n: n lanes the same)");
  if (f->bytes_used < f->count * SECTOR_BYTES) {
    svg_hatched(out, PAINT_WASTE, PAINT_BAD, x, y + 11, 13, 13);
    svg_text(out, PAINT_INK, words, x + 19, y + 22, "moved with it, and not used by this request");
  }
}

void draw_sectors(FILE *out, const Request *r, const Words *w) {
  Footprint f = request_footprint(r);
  Lines l = lines_of(&f);
  char title[200], text[500], place[160], *matrix = NULL;
  size_t length;
  FILE *side = open_memstream(&matrix, &length);
  int side_end = draw_matrix(side, r, &f), end = TOP + (int)l.count * l.height + 62;
  fclose(side);
  sectors_words(r, &f, title, sizeof title, text, sizeof text);
  request_place(r, place, sizeof place);
  svg_begin(out, w->id, WIDTH, end > side_end ? end : side_end, w->title ? w->title : title, text);
  svg_text(out, PAINT_INK, heading, 12, 28, "%s", w->title ? w->title : title);
  svg_text(out, PAINT_DIM, words, 12, 50, "%s", place);
  draw_lines(out, r, &f, &l);
  draw_legend(out, &f, TOP + l.count * l.height + 26);
  fwrite(matrix, 1, length, out);
  free(matrix);
  svg_end(out);
}
