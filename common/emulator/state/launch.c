#include "launch.h"

#include <string.h>

/* Is the parameter, or a member of it, a pointer into the allocation? */
static bool leads_to(const Launch *launch, const PtxParameter *p, const Allocation *a) {
  uint64_t pointer;
  const uint32_t step = p->align && p->align < sizeof pointer ? p->align : sizeof pointer;
  for (uint32_t at = 0; at + sizeof pointer <= p->bytes; at += step) {
    memcpy(&pointer, launch->parameters + p->offset + at, sizeof pointer);
    if (pointer - a->address <= a->bytes)
      return true;
  }
  return false;
}

unsigned launch_accesses(const Launch *launch, const Allocation *a) {
  const PtxFunction *f = launch->function;
  unsigned ways = f->accesses_unknown;
  if (a->kind == MEMORY_VARIABLE)
    return PTX_READS | PTX_STORES | PTX_CHANGES | PTX_MEETS;
  for (uint32_t i = 0; i < f->nparams; i++)
    if (f->accesses_parameter[i] & ~ways && leads_to(launch, &f->params[i], a))
      ways |= f->accesses_parameter[i];
  return ways;
}
