/* The checks in double. Where a second core is free, a process of its own makes them beside those in float. */
#ifndef BESIDE_H
#define BESIDE_H

#include "grade/grade.h"

typedef struct Beside Beside;

/* Starts the process; NULL: none is wanted, or none can be had. */
Beside *beside_begin(const Check *, const Sheet *);
/* Judges the n-th task of the sheet in double, or takes the result of the other process. The check holds the verdict, the
 * parts and the work afterwards. */
void beside_judge(Beside *, Check *, const Sheet *, size_t task);
void beside_end(Beside *);
/* Judges one task with the check's settings; a task with parts gets the verdict of its first wrong part. */
void task_judge(Check *, const Task *);

#endif
