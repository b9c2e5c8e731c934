/* Checks in double. If the machine has a second core, another process makes them while this one
 * makes those in float. */
#ifndef BESIDE_H
#define BESIDE_H

#include "grade/grade.h"

typedef struct Beside Beside;

/* Starts the process. Returns NULL if none is needed or it cannot be started. */
Beside *beside_begin(const Check *, const Sheet *);
/* Judges task number `task` of the sheet in double, or takes the other process's result. The
 * verdict, the parts and the work are stored in the check. */
void beside_judge(Beside *, Check *, const Sheet *, size_t task);
void beside_end(Beside *);
/* Judges one task with the check's settings. If the task itself does not fail, its verdict is that
 * of its first wrong part, if any. */
void task_judge(Check *, const Task *);

#endif
