/* Allocates the variables of a loaded module, and numbers the source lines of its accesses
 * (module.h). */
#include "module.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

/* The data to which PtxModule.machine points. */
typedef struct Placed {
  /* The first access of each site (source line). */
  const PtxInsn *sites[MODULE_SITES];
  uint32_t nsites;
  /* [PtxModule.nfunctions]: the limits set by module_allow_dynamic; -1: not set. */
  int64_t *dynamic_limits;
  /* [PtxModule.nvariables] */
  Allocation *variables[];
} Placed;

/* Numbers the source lines of memory accesses. The numbers are unique in the module, because a
 * kernel and the functions that it calls write them to the same shadow memory. */
static void number_sites(PtxFunction *f, Placed *placed) {
  for (uint32_t i = 0; i < f->ncode; i++) {
    PtxInsn *insn = &f->code[i];
    if (insn->form != PTX_LD && insn->form != PTX_ST && insn->form != PTX_ATOM)
      continue;
    uint32_t site = 0;
    while (site < placed->nsites && placed->sites[site]->line != insn->line)
      site++;
    if (site == placed->nsites && placed->nsites < MODULE_SITES)
      placed->sites[placed->nsites++] = insn;
    insn->site = (uint16_t)(site < MODULE_SITES ? site : MODULE_SITES - 1);
  }
}

static void patch(Allocation **places, const PtxModule *m, uint32_t variable) {
  const PtxVariable *v = &m->variables[variable];
  for (uint32_t i = 0; i < v->npatches; i++) {
    uint64_t address = places[v->patches[i].variable]->address + (uint64_t)v->patches[i].addend;
    assert(v->patches[i].offset + 8 <= v->bytes);
    memcpy(places[variable]->view + v->patches[i].offset, &address, sizeof address);
  }
}

void module_place(PtxModule *m) {
  Placed *placed = calloc(1, sizeof *placed + m->nvariables * sizeof placed->variables[0]);
  assert(placed);
  Allocation **places = placed->variables;
  for (uint32_t i = 0; i < m->nvariables; i++) {
    const PtxVariable *v = &m->variables[i];
    places[i] = v->host ? memory_share(v->host, v->bytes, v->name)
                        : memory_allocate(v->bytes ? v->bytes : 1,
                                          v->space == PTX_CONST ? MEMORY_CONSTANT : MEMORY_VARIABLE,
                                          v->name);
    if (!places[i]) {
      fprintf(stderr, "the emulated device has no room for variable %s (%llu bytes)\n", v->name,
              (unsigned long long)v->bytes);
      exit(2);
    }
    memset(places[i]->view, 0, v->bytes ? v->bytes : 1);
    if (v->initial)
      memcpy(places[i]->view, v->initial, v->bytes);
  }
  for (uint32_t i = 0; i < m->nvariables; i++)
    patch(places, m, i);
  m->machine = placed;
  placed->dynamic_limits = malloc((m->nfunctions + 1u) * sizeof *placed->dynamic_limits);
  assert(placed->dynamic_limits);
  memset(placed->dynamic_limits, 0xff, (m->nfunctions + 1u) * sizeof *placed->dynamic_limits);
  for (uint32_t i = 0; i < m->nfunctions; i++)
    number_sites(&m->functions[i], placed);
}

Allocation *module_variable(const PtxModule *m, uint32_t variable) {
  assert(variable < m->nvariables);
  return ((const Placed *)m->machine)->variables[variable];
}

const PtxInsn *module_site(const PtxModule *m, uint32_t site) {
  const Placed *placed = m->machine;
  return site < placed->nsites ? placed->sites[site] : NULL;
}

static int64_t *dynamic_limit(const PtxModule *m, const PtxFunction *f) {
  return &((const Placed *)m->machine)->dynamic_limits[f - m->functions];
}

uint32_t module_dynamic_limit(const PtxModule *m, const PtxFunction *f) {
  const uint32_t usual = selected_device()->shared_per_block;
  if (*dynamic_limit(m, f) >= 0)
    return (uint32_t)*dynamic_limit(m, f);
  return f->shared_bytes < usual ? usual - f->shared_bytes : 0;
}

void module_allow_dynamic(const PtxModule *m, const PtxFunction *f, uint32_t bytes) {
  *dynamic_limit(m, f) = bytes;
}
