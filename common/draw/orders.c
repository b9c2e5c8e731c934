/* Draws one of the two possible orders of the accesses of a data race. The picture shows the value
 * that the load returns. If both accesses are stores, it shows the value that remains.
 *
 * The recorded run had one of the two orders. Because of the race, the other order is possible too.
 */
#include <string.h>

#include "draw.h"
#include "emulator/words.h"

enum {
  WIDTH = 340,
  TOP = 34,
  BOX = 54, /* height of an access */
  GAP = 30, /* space between two accesses */
  THREADS = 196,
  WORD = 290, /* x coordinate of the centre of the box that shows the word */
  WORD_WIDTH = 76,
  SIZE = 14
};

typedef struct Side {
  char who[WHO_BYTES];
  unsigned line;
  bool wrote;
} Side;

static Side first_side(const Mistake *m) {
  Side s = {.line = m->line, .wrote = m->wrote};
  who_text(s.who, m->thread, m->block);
  return s;
}

static Side second_side(const Mistake *m) {
  Side s = {.line = m->other_line, .wrote = m->other_wrote};
  who_text(s.who, m->other_thread, m->other_block);
  return s;
}

bool has_orders(const Mistake *m) {
  return m->threads && m->other_threads && (m->wrote || m->other_wrote) && m->line && m->other_line;
}

/* Writes the name of the word: "C(1,0)" if row and column are known, otherwise "Bs[33]". */
static void word_text(const Mistake *m, char *out, size_t size) {
  if (m->row >= 0 && m->column >= 0)
    snprintf(out, size, "%s(%lld,%lld)", m->buffer, (long long)m->row, (long long)m->column);
  else if (m->element >= 0)
    snprintf(out, size, "%s[%lld]", m->buffer, (long long)m->element);
  else
    snprintf(out, size, "%s", *m->buffer ? m->buffer : "the word");
}

/* Draws an access as a box with two lines of text: the thread, then the source line and the block.
 */
static void draw_access(FILE *out, const Side *s, unsigned turn, double y) {
  char who[WHO_BYTES];
  snprintf(who, sizeof who, "%s", s->who);
  char *block = strstr(who, " of block");
  if (block)
    *block = '\0';
  svg_frame(out, s->wrote ? PAINT_GOOD : PAINT_THIRD, 2, 4, y, THREADS - 8, BOX);
  svg_text(out, PAINT_INK, (Font){SIZE, true, LEFT}, 12, y + 20, "%u. %s", turn, who);
  svg_text(out, PAINT_DIM, (Font){SIZE, false, LEFT}, 12, y + 42, "line %u%s%s", s->line,
           block ? ", " : "", block ? block + strlen(" of ") : "");
  if (s->wrote)
    svg_arrow(out, PAINT_GOOD, THREADS - 4, y + BOX / 2.0, WORD - WORD_WIDTH / 2.0, y + BOX / 2.0);
  else
    svg_arrow(out, PAINT_THIRD, WORD - WORD_WIDTH / 2.0, y + BOX / 2.0, THREADS - 4, y + BOX / 2.0);
  svg_text(out, s->wrote ? PAINT_GOOD : PAINT_THIRD, (Font){SIZE, false, MIDDLE}, WORD,
           y + BOX / 2.0 + 5, s->wrote ? "stores" : "loads");
}

/* Returns a sentence about the value that the load returns, or about the value that remains. */
static const char *outcome(const Side *first, const Side *second) {
  return first->wrote && second->wrote ? "The second value stays."
         : first->wrote                ? "The load finds the new value."
                                       : "The load finds the old value.";
}

void draw_order(FILE *out, const Mistake *m, bool turned, const char *id) {
  Side one = first_side(m), two = second_side(m);
  const Side *first = turned ? &two : &one, *second = turned ? &one : &two;
  char word[100], title[200], text[600];
  double below = TOP + BOX + GAP, bottom = below + BOX;
  word_text(m, word, sizeof word);
  snprintf(title, sizeof title, turned ? "The other order" : "One order");
  snprintf(text, sizeof text, "%s in line %u %s %s, then %s in line %u %s it. %s", first->who,
           first->line, first->wrote ? "stores to" : "loads", word, second->who, second->line,
           second->wrote ? "stores to" : "loads", outcome(first, second));
  svg_begin(out, id, WIDTH, (int)bottom + 34, title, text);
  svg_text(out, PAINT_INK, (Font){SIZE, true, LEFT}, 4, 18, "%s", title);
  svg_text(out, PAINT_INK, (Font){SIZE, true, RIGHT}, WIDTH - 6, 18, "%s", word);
  svg_dashes(out, PAINT_GRID, WORD, 26, WORD, TOP + 8);
  svg_dashes(out, PAINT_GRID, WORD, TOP + BOX - 8, WORD, below + 8);
  draw_access(out, first, 1, TOP);
  draw_access(out, second, 2, below);
  svg_text(out, PAINT_BAD, (Font){SIZE, true, LEFT}, 4, bottom + 24, "%s", outcome(first, second));
  svg_end(out);
}
