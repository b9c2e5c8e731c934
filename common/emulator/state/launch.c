#include "launch.h"

#include <string.h>

bool launch_may_write(const Launch *launch, const Allocation *a) {
  const PtxFunction *f = launch->function;
  if (f->writes_unknown || a->kind == MEMORY_VARIABLE)
    return true;
  for (uint32_t i = 0; i < f->nparams; i++) {
    uint64_t pointer;
    if (!f->writes_parameter[i] || f->params[i].bytes != sizeof pointer)
      continue;
    memcpy(&pointer, launch->parameters + f->params[i].offset, sizeof pointer);
    if (pointer - a->address <= a->bytes)
      return true;
  }
  return false;
}
