/* How wide a page of text may be, and how wide a text is. */
#ifndef SCREEN_H
#define SCREEN_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
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

#endif
