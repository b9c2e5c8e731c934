/* Lanes touch granules that are no rows: marks, cells and notes of these (global_notes.h, global_cells.h).
 *
 * What answers false has done nothing that matters: the next, slower one does all of it. `simple` accesses
 * (CellAccess.simple) alone come to those.
 */
#ifndef OBSERVE_GLOBAL_TOUCH_H
#define OBSERVE_GLOBAL_TOUCH_H

#include "global_cells.h"

/* `count` granules of a whole warp's row, 1 << per_lane of each lane. */
bool global_touch_row(const CellAccess *, unsigned count, unsigned per_lane);
/* The words of a shape, if they are at least a quarter of its span; n for each lane. `start`: of the lowest lane. */
bool global_touch_words(const CellAccess *, const Shape *, uint64_t start, unsigned n);
/* Any lanes. `places`: those of which each stands for all at its address, `several` of which there are. */
void global_touch_lanes(const CellAccess *, uint32_t places, uint32_t several);

#endif
