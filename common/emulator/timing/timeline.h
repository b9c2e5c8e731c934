/* What each warp of an SM did when, in so many columns: the columns grow twice as wide whenever time runs out. */
#ifndef TIMING_TIMELINE_H
#define TIMING_TIMELINE_H

#include "timing.h"

typedef struct Timeline {
  uint32_t rows;
  double clocks; /* of a column */
  float *part;   /* [rows][TIMELINE_COLUMNS][WAITS] clocks */
} Timeline;

void timeline_start(Timeline *, uint32_t warps);
void timeline_add(Timeline *, uint32_t row, double from, double to, Wait what);
/* Rows of letters, the caller's; frees the rest. */
char *timeline_draw(Timeline *);

#endif
