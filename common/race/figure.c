/* Draws the panels of a story as an SVG picture for a slide, one row per panel. The left side of a
 * row describes the event. The right side shows the value of the word after the event. */
#include <ctype.h>
#include <string.h>

#include "draw/draw.h"
#include "race.h"

enum {
  WIDTH = 1120,
  TOP = 40,
  MARGIN = 20, /* sum of the space above and the space below the text of a row */
  SIZE = 22,
  LINE = 28,
  LETTERS = 68,
  WORD_X = 900,
  WORD_WIDTH = 200,
  WORD_HEIGHT = 40
};

/* Returns the length of the first line when `text` is wrapped at blanks to LETTERS characters. Sets
 * *rest to the text of the next line. */
static int piece(const char *text, const char **rest) {
  size_t length = strlen(text);
  if (length > LETTERS)
    for (length = LETTERS; length > 1 && text[length] != ' ';)
      length--;
  *rest = text + length + strspn(text + length, " ");
  return (int)length;
}

/* Draws a text of at most two lines and makes its first letter a capital. Returns the number of
 * lines. If `out` is NULL, only counts them. */
static int draw_sentence(FILE *out, const char *text, double y) {
  int lines = 0;
  for (char first = (char)toupper((unsigned char)*text); *text && lines < 2;
       first = *text, lines++) {
    const char *rest;
    const int length = piece(text, &rest);
    if (out)
      svg_text(out, PAINT_INK, (Font){SIZE, false, LEFT}, 60, y + lines * LINE, "%c%.*s", first,
               length - 1, text + 1);
    text = rest;
  }
  return lines;
}

static bool has_line(const Panel *p) { return p->line && p->file; }

static int height_of(const Panel *p) {
  return MARGIN + (draw_sentence(NULL, p->says, 0) + has_line(p)) * LINE;
}

static void draw_word(FILE *out, const char *word, bool changed, double y) {
  svg_box(out, changed ? PAINT_BAD : PAINT_IDLE, WORD_X, y + 8, WORD_WIDTH, WORD_HEIGHT);
  svg_text(out, changed ? PAINT_ON : PAINT_INK, (Font){SIZE, changed, MIDDLE},
           WORD_X + WORD_WIDTH / 2, y + 36, "%s", word);
}

static void draw_row(FILE *out, const Panel *p, size_t i, double y) {
  svg_text(out, PAINT_DIM, (Font){SIZE, true, LEFT}, 24, y + LINE, "%zu", i + 1);
  const int lines = draw_sentence(out, p->says, y + LINE);
  if (has_line(p))
    svg_text(out, PAINT_DIM, (Font){SIZE, false, LEFT}, 60, y + (lines + 1) * LINE,
             "line %u:  %.64s", p->line, line_of_source(p->file, p->line));
}

bool figure_write(FILE *out, const Report *r, const char *id) {
  const Story *s = r->story;
  const char *held = "";
  char text[800];
  int y = TOP;
  if (!s || !s->npanels)
    return false;
  for (size_t i = 0; i < s->npanels; i++)
    y += height_of(&s->panels[i]);
  snprintf(text, sizeof text, "%s The other order: %s", s->panels[s->npanels - 1].says,
           s->contrast);
  svg_begin(out, id, WIDTH, y, "How a missing barrier makes a number wrong", text);
  svg_text(out, PAINT_INK, (Font){SIZE, true, MIDDLE}, WORD_X + WORD_WIDTH / 2, TOP - 10, "%s",
           s->word);
  y = TOP;
  for (size_t i = 0; i < s->npanels; i++) {
    const Panel *p = &s->panels[i];
    const bool of_word = p->waits[0][0] && p->waits[1][0]; /* false for the panel about the
                                                            * result */
    const char *word = p->word[0] || !of_word ? p->word : held;
    if (i)
      svg_line(out, PAINT_GRID, 1, 20, y, WIDTH - 20, y);
    draw_row(out, p, i, y);
    if (*word)
      draw_word(out, word, !of_word || strcmp(held, word) != 0, y);
    held = word;
    y += height_of(p);
  }
  svg_end(out);
  return true;
}
