/* Checks tasks in double. If the machine has a second core, a second process does this while this
 * process checks the tasks in float. */
#ifndef LOCKSTEP_IN_DOUBLE_H
#define LOCKSTEP_IN_DOUBLE_H

#include "grade/grade.h"

typedef struct Beside Beside;

/* Starts the second process. Returns NULL if none is needed or it cannot be started. */
Beside *beside_begin(const Check *, const Sheet *);
/* Judges task number `task` of the sheet in double, or reads the second process's result. Stores
 * the verdict, the parts and the counters in the check. */
void beside_judge(Beside *, Check *, const Sheet *, size_t task);
void beside_end(Beside *);
/* Judges one task with the settings of the check. If the task itself passes but one of its parts is
 * wrong, the verdict is the verdict of the first wrong part. */
void task_judge(Check *, const Task *);

#endif
