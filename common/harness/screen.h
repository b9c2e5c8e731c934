/* How wide a page of text may be, how wide a text is, and text that is broken to fit. */
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

/* As wide as the terminal it goes to, 80 columns where it goes elsewhere; COLUMNS overrides both. */
static inline int screen_width(int file) {
  struct winsize size;
  const char *columns = getenv("COLUMNS");
  int width = columns ? atoi(columns) : 0;
  if (width < SCREEN_LEAST && isatty(file) && ioctl(file, TIOCGWINSZ, &size) == 0)
    width = size.ws_col;
  return width >= SCREEN_LEAST ? width : SCREEN_USUAL;
}

/* Places on the screen of the first so many bytes: UTF-8 continuation bytes take none. */
static inline int screen_places(const char *text, size_t bytes) {
  int places = 0;
  for (size_t i = 0; i < bytes && text[i]; i++)
    places += ((unsigned char)text[i] & 0xc0) != 0x80;
  return places;
}

/* Text behind a label, broken between words before the margin; further lines begin below its first word. */
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
