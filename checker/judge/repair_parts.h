#ifndef LOCKSTEP_REPAIR_PARTS_H
#define LOCKSTEP_REPAIR_PARTS_H

/* What repair.c, repair_order.c and repair_words.c share. Others ask repair_explains (repair.h). */
#include "versions.h"

/* ---- repair_order.c: which change is tried first? Of one verdict at a time ----------------------- */
/* What this verdict says of where to look, in the file at `path`; few: of the changes only some are tried, as in a class. */
void repair_seek(int task, const char *path, bool few, const Verdict *);
void repair_put_in_order(Version *, size_t count);
int repair_rank(const Edit *); /* less: likelier */
/* Of how many it is made; 0: it is one. */
int repair_parts(const Edit *);
/* Does it change several lines? A right file has other words there, too, where the student goes another way. */
bool repair_goes_another_way(const Edit *);
/* That, or a condition that is always so: another change would tell more. */
bool repair_says_little(const Edit *);
bool repair_may_be(
    const Edit *); /* false: with such a change it comes out right, and stays wrong */

/* ---- repair_words.c ------------------------------------------------------------------------------ */
/* Adds to the verdict that this change of a file's text is the one; replaces: nothing else was known. */
void repair_say(const char *text, const char *path, const Edit *, const Wanted *, bool replaces,
                Verdict *);

#endif
