/* How wide a page of text may be: as wide as the terminal it goes to, 80 columns where it goes elsewhere.
 * COLUMNS overrides both.
 */
#ifndef SCREEN_H
#define SCREEN_H

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { SCREEN_USUAL = 80, SCREEN_LEAST = 60 };

static inline int screen_width(int file) {
  struct winsize size;
  const char *columns = getenv("COLUMNS");
  int width = columns ? atoi(columns) : 0;
  if (width < SCREEN_LEAST && isatty(file) && ioctl(file, TIOCGWINSZ, &size) == 0)
    width = size.ws_col;
  return width >= SCREEN_LEAST ? width : SCREEN_USUAL;
}

#endif
