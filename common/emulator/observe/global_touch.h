/* Records accesses to global memory that one note per line cannot represent: in marks, or in cells
 * and notes (global_notes.h, global_cells.h).
 *
 * If a function returns false, it has not recorded the whole access. Then the caller calls the
 * next, slower function, which records the whole access. The functions that return bool accept only
 * accesses with CellAccess.simple. */
#ifndef OBSERVE_GLOBAL_TOUCH_H
#define OBSERVE_GLOBAL_TOUCH_H

#include "global_cells.h"

/* Records the granules of a row that a full warp accesses: `count` granules, 1 << per_lane of them
 * for each lane. */
bool global_touch_row(const CellAccess *, unsigned count, unsigned per_lane);
/* Records an access to words of 4 bytes. Returns false unless the words fill at least a quarter of
 * the span. `n`: words per lane. `start`: the lowest lane's offset in the buffer. */
bool global_touch_words(const CellAccess *, const Shape *, uint64_t start, unsigned n);
/* Records an access at any offsets. `places`: one lane for each distinct offset. `several`: the
 * lanes in `places` whose offset other lanes have too. */
void global_touch_lanes(const CellAccess *, uint32_t places, uint32_t several);

#endif
