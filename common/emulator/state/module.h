/* The machine's data about a loaded module: the memory of its variables, and numbers for the source
 * lines of its accesses ("sites"). */
#ifndef STATE_MODULE_H
#define STATE_MODULE_H

#include "../ptx/program.h"
#include "memory.h"

/* The largest site number that an entry of shadow memory can store. All further lines of the module
 * share this number. */
#define MODULE_SITES 1023

/* Allocates the variables of the module, and numbers the source lines of its accesses. Shadow
 * memory stores these numbers, because they are shorter than lines. */
void module_place(PtxModule *);
/* Returns the allocation of module->variables[variable]. */
Allocation *module_variable(const PtxModule *, uint32_t variable);
/* Returns the maximum number of bytes of dynamic shared memory for launches of the kernel: the
 * default limit minus its static shared memory, or the value that module_allow_dynamic has set
 * (cudaFuncAttributeMaxDynamicSharedMemorySize). */
uint32_t module_dynamic_limit(const PtxModule *, const PtxFunction *);
void module_allow_dynamic(const PtxModule *, const PtxFunction *, uint32_t bytes);
/* Returns the first access of the source line with this site number; NULL: there is no such
 * line. */
const PtxInsn *module_site(const PtxModule *, uint32_t site);

#endif
