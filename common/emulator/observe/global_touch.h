/* Records accesses to global memory that notes of lines cannot represent: in marks, or in cells and
 * notes (global_notes.h, global_cells.h).
 *
 * A function that returns false has not recorded the whole access. The caller then calls the next,
 * slower function, which records all of it. These functions accept only accesses with
 * CellAccess.simple. */
#ifndef OBSERVE_GLOBAL_TOUCH_H
#define OBSERVE_GLOBAL_TOUCH_H

#include "global_cells.h"

/* Records the granules of a row that a full warp accesses: `count` granules, 1 << per_lane of them
 * for each lane. */
bool global_touch_row(const CellAccess *, unsigned count, unsigned per_lane);
/* Records an access to words, if these fill at least a quarter of its span. `n`: words per lane.
 * `start`: the lowest lane's offset in the buffer. */
bool global_touch_words(const CellAccess *, const Shape *, uint64_t start, unsigned n);
/* Records lanes at any offsets. `places`: one lane for each distinct offset. `several`: the lanes
 * in `places` whose offset other lanes have too. */
void global_touch_lanes(const CellAccess *, uint32_t places, uint32_t several);

#endif
