#ifndef LOCKSTEP_REBUILD_H
#define LOCKSTEP_REBUILD_H

#include "checker.h"

/* The same as repair_explains (repair.h) where the mistake may lie in host code: is there one change of the student's file towards
 * the solution, outside of the kernels, with which the whole task is done? The program is built anew with each, so only few
 * are tried. Asks for Settings.rebuilt and .solution. Seconds. */
bool rebuild_explains(Check *, const Task *, int number, Verdict *);

#endif
