/* The panels as a picture for a slide: a row for each, what happens on the left, what the word holds then on the right. */
#include <ctype.h>
#include <string.h>

#include "draw/draw.h"
#include "race.h"

enum {
  WIDTH = 1120,
  TOP = 44,
  ROW = 84,
  SIZE = 19,
  LINE = 24,
  LETTERS = 78,
  WORD_X = 900,
  WORD_WIDTH = 200
};

/* The first letters of a text, up to a blank; *rest: what follows it. */
static int piece(const char *text, const char **rest) {
  size_t length = strlen(text);
  if (length > LETTERS)
    for (length = LETTERS; length > 1 && text[length] != ' ';)
      length--;
  *rest = text + length + strspn(text + length, " ");
  return (int)length;
}

/* Begins with a capital letter; returns how many lines it takes. */
static int draw_sentence(FILE *out, const char *text, double y) {
  int lines = 0;
  for (char first = (char)toupper((unsigned char)*text); *text && lines < 2;
       first = *text, lines++) {
    const char *rest;
    const int length = piece(text, &rest);
    svg_text(out, PAINT_INK, (Font){SIZE, false, LEFT}, 60, y + lines * LINE, "%c%.*s", first,
             length - 1, text + 1);
    text = rest;
  }
  return lines;
}

static void draw_word(FILE *out, const char *word, bool changed, double y) {
  svg_box(out, changed ? PAINT_BAD : PAINT_IDLE, WORD_X, y + 8, WORD_WIDTH, 46);
  svg_text(out, changed ? PAINT_ON : PAINT_INK, (Font){SIZE, changed, MIDDLE},
           WORD_X + WORD_WIDTH / 2, y + 38, "%s", word);
}

static void draw_row(FILE *out, const Panel *p, size_t i) {
  const double y = TOP + (double)i * ROW;
  svg_text(out, PAINT_DIM, (Font){SIZE, true, LEFT}, 24, y + 26, "%zu", i + 1);
  const int lines = draw_sentence(out, p->says, y + 26);
  if (p->line && p->file)
    svg_text(out, PAINT_DIM, (Font){SIZE - 3, false, LEFT}, 60, y + 26 + lines * LINE,
             "line %u:  %.80s", p->line, line_of_source(p->file, p->line));
}

bool figure_write(FILE *out, const Report *r, const char *id) {
  const Story *s = r->story;
  const char *held = "";
  char text[600];
  if (!s || !s->npanels)
    return false;
  snprintf(text, sizeof text, "%s The other order: %s", s->panels[s->npanels - 1].says,
           s->contrast);
  svg_begin(out, id, WIDTH, TOP + (int)s->npanels * ROW,
            "How a missing barrier makes a number wrong", text);
  svg_text(out, PAINT_INK, (Font){SIZE, true, MIDDLE}, WORD_X + WORD_WIDTH / 2, TOP - 14, "%s",
           s->word);
  for (size_t i = 0; i < s->npanels; i++) {
    const Panel *p = &s->panels[i];
    const bool of_word = p->waits[0][0] && p->waits[1][0]; /* else of the number at the end */
    const char *word = p->word[0] || !of_word ? p->word : held;
    if (i)
      svg_line(out, PAINT_GRID, 1, 20, TOP + (double)i * ROW, WIDTH - 20, TOP + (double)i * ROW);
    draw_row(out, p, i);
    if (*word)
      draw_word(out, word, !of_word || strcmp(held, word) != 0, TOP + (double)i * ROW);
    held = word;
  }
  svg_end(out);
  return true;
}
