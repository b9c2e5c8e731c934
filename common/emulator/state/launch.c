/* Determines the kinds of accesses of a launch to a buffer, and checks a launch against the limits
 * of the card. */
#include "launch.h"

#include <stdio.h>
#include <string.h>

/* Returns true if the argument, or a member of it, is a pointer into the allocation. */
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
  if (a->kind == MEMORY_VARIABLE || a->kind == MEMORY_HEAP)
    return PTX_READS | PTX_STORES | PTX_CHANGES | PTX_MEETS;
  for (uint32_t i = 0; i < f->nparams; i++)
    if (f->accesses_parameter[i] & ~ways && leads_to(launch, &f->params[i], a))
      ways |= f->accesses_parameter[i];
  return ways;
}

Allocation *launch_buffer(const Launch *launch, const PtxParameter *p) {
  uint64_t pointer;
  if (p->bytes != sizeof pointer)
    return NULL;
  memcpy(&pointer, launch->parameters + p->offset, sizeof pointer);
  return memory_find(pointer);
}

/* ---- limits ---------------------------------------------------------------------------------- */
#define REFUSED(...) (snprintf(text, size, __VA_ARGS__), text)

static const char *block_limit(const Launch *launch, char *text, size_t size) {
  const Device *limits = selected_device();
  const uint32_t *block = launch->block, bound = launch->function->max_threads;
  const uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
  for (int i = 0; i < 3; i++)
    if (block[i] > limits->block_dim[i])
      return REFUSED("a block of %u threads along %c, where the hardware allows %u", block[i],
                     'x' + i, limits->block_dim[i]);
  if (threads == 0)
    return REFUSED("an empty block: %u×%u×%u threads", block[0], block[1], block[2]);
  if (threads > limits->threads_per_block)
    return REFUSED("a block of %u×%u×%u = %llu threads, where the hardware allows %u", block[0],
                   block[1], block[2], (unsigned long long)threads, limits->threads_per_block);
  if (bound && threads > bound)
    return REFUSED("a block of %llu threads, where the kernel's __launch_bounds__ allow %u",
                   (unsigned long long)threads, bound);
  return NULL;
}

static const char *grid_limit(const Launch *launch, char *text, size_t size) {
  const uint32_t *grid = launch->grid, *most = selected_device()->grid_dim;
  for (int i = 0; i < 3; i++) {
    if (grid[i] == 0)
      return REFUSED("an empty grid: %u×%u×%u blocks", grid[0], grid[1], grid[2]);
    if (grid[i] > most[i])
      return REFUSED("a grid of %u blocks along %c, where the hardware allows %u", grid[i], 'x' + i,
                     most[i]);
  }
  return NULL;
}

static const char *shared_limit(const Launch *launch, size_t shared, char *text, size_t size) {
  const Device *limits = selected_device();
  const PtxFunction *function = launch->function;
  const uint32_t allowed = module_dynamic_limit(launch->module, function);
  if (function->shared_bytes > limits->shared_per_block)
    return REFUSED("%u bytes of static shared memory, where a block may have %u",
                   function->shared_bytes, limits->shared_per_block);
  if (shared > allowed && limits->shared_per_block_optin > limits->shared_per_block)
    return REFUSED(
        "%zu bytes of dynamic shared memory, where this kernel may have %u (up to %u after "
        "cudaFuncSetAttribute)",
        shared, allowed, limits->shared_per_block_optin - function->shared_bytes);
  if (shared > allowed)
    return REFUSED("%zu bytes of dynamic shared memory, where this kernel may have %u", shared,
                   allowed);
  return NULL;
}

const char *launch_limit(const Launch *launch, size_t shared, char *text, size_t size) {
  const char *why = block_limit(launch, text, size);
  why = why ? why : grid_limit(launch, text, size);
  return why ? why : shared_limit(launch, shared, text, size);
}
