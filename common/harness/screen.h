/* Functions for the width of the terminal and of text, and for word wrapping. */
#ifndef SCREEN_H
#define SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { SCREEN_USUAL = 80, SCREEN_LEAST = 60 };

/* Returns the width of the terminal in columns; 80 if the file is not a terminal. The environment
 * variable COLUMNS overrides both. */
static inline int screen_width(int file) {
  struct winsize size;
  const char *columns = getenv("COLUMNS");
  int width = columns ? atoi(columns) : 0;
  if (width < SCREEN_LEAST && isatty(file) && ioctl(file, TIOCGWINSZ, &size) == 0)
    width = size.ws_col;
  return width >= SCREEN_LEAST ? width : SCREEN_USUAL;
}

/* Returns the number of screen columns of the first `bytes` bytes. UTF-8 continuation bytes have no
 * width. */
static inline int screen_places(const char *text, size_t bytes) {
  int places = 0;
  for (size_t i = 0; i < bytes && text[i]; i++)
    places += ((unsigned char)text[i] & 0xc0) != 0x80;
  return places;
}

/* Prints text after a label, wrapped at `margin`. Continuation lines are aligned with the first
 * word. */
static inline void screen_wrapped(FILE *out, int indent, const char *label, const char *text,
                                  int margin) {
  int start = indent + screen_places(label, SIZE_MAX), column = start;
  fprintf(out, "%*s%s", indent, "", label);
  for (bool first = true; *text; first = false) {
    size_t length = strcspn(text, " ");
    int places = screen_places(text, length);
    if (!first && column + 1 + places > margin) {
      fprintf(out, "\n%*s", start, "");
      column = start;
      first = true;
    }
    fprintf(out, "%s%.*s", first ? "" : " ", (int)length, text);
    column += !first + places;
    text += length + strspn(text + length, " ");
  }
  fputc('\n', out);
}

#endif
