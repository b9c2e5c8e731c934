/* A picture of what each warp of an SM did over time. It has a row for each warp and a fixed number
 * of columns. When time passes the last column, each column becomes twice as wide. */
#ifndef TIMING_TIMELINE_H
#define TIMING_TIMELINE_H

#include "timing.h"

typedef struct Timeline {
  uint32_t rows;
  /* Clocks per column. */
  double clocks;
  /* [rows][TIMELINE_COLUMNS][WAITS] Clocks that the warp spent in each Wait during the column. */
  float *part;
} Timeline;

void timeline_start(Timeline *, uint32_t warps);
void timeline_add(Timeline *, uint32_t row, double from, double to, Wait what);
/* Returns the rows of letters, which the caller frees. Frees everything else. */
char *timeline_draw(Timeline *);

#endif
