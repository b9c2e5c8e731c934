/* Records all accesses except rows, in marks, cells and notes (global_notes.h, global_cells.h).
 *
 * A function that returns false has recorded nothing that matters, and the next, slower one does
 * all of it. These functions accept only `simple` accesses (CellAccess.simple). */
#ifndef OBSERVE_GLOBAL_TOUCH_H
#define OBSERVE_GLOBAL_TOUCH_H

#include "global_cells.h"

/* Records the granules of a full warp's row: `count` granules, 1 << per_lane for each lane. */
bool global_touch_row(const CellAccess *, unsigned count, unsigned per_lane);
/* Records a shape word by word, if its words fill at least a quarter of its span. `n`: words per
 * lane. `start`: the lowest lane's offset. */
bool global_touch_words(const CellAccess *, const Shape *, uint64_t start, unsigned n);
/* Records any lanes. `places`: one lane for each distinct address; `several`: those of them that
 * represent several lanes. */
void global_touch_lanes(const CellAccess *, uint32_t places, uint32_t several);

#endif
