/* A loaded module: where its variables are stored, and the source lines of its accesses by number.
 */
#ifndef STATE_MODULE_H
#define STATE_MODULE_H

#include "../ptx/program.h"
#include "memory.h"

/* The largest number that a shadow-memory entry can hold. Later lines share the last number. */
#define MODULE_SITES 1023

/* Allocates the module's variables and numbers the source lines of its accesses ("sites"). Shadow
 * memory stores these short numbers. */
void module_place(PtxModule *);
/* The allocation of module->variables[variable]. */
Allocation *module_variable(const PtxModule *, uint32_t variable);
/* The limit on dynamic shared memory for launches of the kernel: what fits beside the static part,
 * or the value set by module_allow_dynamic (cudaFuncAttributeMaxDynamicSharedMemorySize). */
uint32_t module_dynamic_limit(const PtxModule *, const PtxFunction *);
void module_allow_dynamic(const PtxModule *, const PtxFunction *, uint32_t bytes);
/* The first access of the source line with this site number; NULL if there is none. */
const PtxInsn *module_site(const PtxModule *, uint32_t site);

#endif
