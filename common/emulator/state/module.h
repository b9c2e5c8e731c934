/* A module that has moved in: where its variables lie, and its source lines by number. */
#ifndef STATE_MODULE_H
#define STATE_MODULE_H

#include "../ptx/program.h"
#include "memory.h"

#define MODULE_SITES 1023 /* what a shadow's entry can name; later lines share the last number */

/* Gives the module's variables a place in memory and numbers the source lines of its accesses
 * ("sites"), for the short entries of shadows. */
void module_place(PtxModule *);
/* Where variable number `variable` of module->variables lies. */
Allocation *module_variable(const PtxModule *, uint32_t variable);
/* Dynamic shared memory that a launch of the kernel may ask for: what fits beside the static part, or what was opted in. */
uint32_t module_dynamic_limit(const PtxModule *, const PtxFunction *);
void module_allow_dynamic(const PtxModule *, const PtxFunction *, uint32_t bytes);
/* The first access of the source line with this site number; NULL: none. */
const PtxInsn *module_site(const PtxModule *, uint32_t site);

#endif
