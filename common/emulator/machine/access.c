/* Which code serves which access; and the memory that one thread has to itself: local arrays,
 * parameters, arguments. */
#include "access.h"

#include <assert.h>
#include <string.h>

#include "../observe/taint.h"
#include "../observe/watch.h"
#include "lanes.h"

/* ---- local memory: arrays and spills of one thread ------------------------------------------- */
static bool local_ok(Warp *w, const PtxInsn *insn, unsigned lane, uint64_t address,
                     unsigned bytes) {
  if (address > w->local_used || bytes > w->local_used - address) {
    watch_out_of_bounds(w, insn, lane, PTX_LOCAL, address, bytes);
    return false;
  }
  if (address & (bytes - 1)) {
    watch_misaligned(w, insn, lane, PTX_LOCAL, address, bytes);
    return false;
  }
  return true;
}

static void local_lanes(Warp *w, const PtxInsn *insn, uint32_t lanes, const uint64_t *address) {
  Frame *f = warp_frame(w);
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type) * insn->count;
  uint32_t undefined = 0;
  EACH_SET(lane, lanes) {
    if (!local_ok(w, insn, lane, address[lane], bytes)) {
      if (insn->form == PTX_LD)
        put_lanes(f->registers, insn, lane, no_value);
      continue;
    }
    size_t at = (size_t)lane * w->local_size + address[lane];
    if (insn->form == PTX_LD) {
      put_lanes(f->registers, insn, lane, w->local + at);
      for (unsigned i = 0; i < bytes; i++)
        undefined |= (uint32_t)(w->local_defined[at + i] == 0) << lane;
    } else {
      get_lanes(f->registers, insn, lane, w->local + at);
      uint32_t unknown = 0; /* copying an undefined value here is no mistake yet */
      for (unsigned i = 0; i < insn->count && w->tainted; i++)
        unknown |= f->undefined[insn->list[i] / PTX_SLOT_BYTES];
      memset(w->local_defined + at, !(unknown >> lane & 1), bytes);
    }
  }
  AccessCount *c = access_count(w, insn);
  c->requests++;
  c->lanes += (unsigned)__builtin_popcount(lanes);
  if (insn->form == PTX_LD && w->worker->run->checks && (undefined || w->tainted))
    taint_load(w, f, insn, lanes, undefined, address, PTX_LOCAL);
}

static void step_local(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  uint64_t address[WARP_LANES];
  scattered_addresses(warp_frame(w)->registers, insn, address);
  local_lanes(w, insn, lanes, address);
}

/* ---- generic addresses ----------------------------------------------------------------------- */
static void step_generic(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  uint64_t address[WARP_LANES];
  scattered_addresses(warp_frame(w)->registers, insn, address);
  uint32_t shared = 0, local = 0;
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    shared |= (uint32_t)(address[lane] - PTX_SHARED_WINDOW < PTX_WINDOW_BYTES) << lane;
    local |= (uint32_t)(address[lane] - PTX_LOCAL_WINDOW < PTX_WINDOW_BYTES) << lane;
  }
  shared &= lanes;
  local &= lanes;
  uint32_t global = lanes & ~shared & ~local;
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    address[lane] -= shared >> lane & 1  ? PTX_SHARED_WINDOW
                     : local >> lane & 1 ? PTX_LOCAL_WINDOW
                                         : 0;
  bool load = insn->form == PTX_LD;
  if (shared)
    (load ? load_shared_lanes : store_shared_lanes)(w, insn, shared, address);
  if (local)
    local_lanes(w, insn, local, address);
  if (global)
    (load ? load_global_lanes : store_global_lanes)(w, insn, global, address);
}

/* ---- parameters and arguments ---------------------------------------------------------------- */
static void step_parameter(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  Frame *f = warp_frame(w);
  const Launch *launch = w->worker->run->launch;
  unsigned bytes = ptx_type_bytes((PtxType)insn->type) * insn->count;
  uint64_t address[WARP_LANES];
  scattered_addresses(f->registers, insn, address);
  EACH_SET(lane, lanes) {
    bool ok = address[lane] <= launch->function->param_bytes &&
              bytes <= launch->function->param_bytes - address[lane];
    if (!ok)
      watch_out_of_bounds(w, insn, lane, PTX_PARAM, address[lane], bytes);
    put_lanes(f->registers, insn, lane, ok ? launch->parameters + address[lane] : no_value);
  }
}

/* The usual case: one place for all lanes. */
static void step_parameter_same(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  const Launch *launch = w->worker->run->launch;
  unsigned size = ptx_type_bytes((PtxType)insn->type);
  uint64_t offset = (uint64_t)insn->imm;
  if (lanes != ALL_LANES || offset > launch->function->param_bytes ||
      size * insn->count > launch->function->param_bytes - offset)
    step_parameter(w, insn, lanes);
  else
    put_same(warp_frame(w)->registers, insn, size, insn->count, launch->parameters + offset);
}

static void step_argument(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  Frame *f = warp_frame(w);
  size_t area = f->function->argument_bytes;
  assert((uint64_t)insn->imm + ptx_type_bytes((PtxType)insn->type) * insn->count <= area);
  EACH_SET(lane, lanes) {
    uint8_t *at = f->arguments + lane * area + (size_t)insn->imm;
    if (insn->form == PTX_LD_ARG)
      put_lanes(f->registers, insn, lane, at);
    else
      get_lanes(f->registers, insn, lane, at);
  }
}

const uint8_t *generic_bytes(Warp *w, unsigned lane, uint64_t address, size_t bytes) {
  if (address - PTX_LOCAL_WINDOW < PTX_WINDOW_BYTES) {
    uint64_t offset = address - PTX_LOCAL_WINDOW;
    return offset <= w->local_used && bytes <= w->local_used - offset
               ? w->local + (size_t)lane * w->local_size + offset
               : NULL;
  }
  if (address - PTX_SHARED_WINDOW < PTX_WINDOW_BYTES) {
    uint64_t offset = address - PTX_SHARED_WINDOW;
    return offset <= w->block->shared_bytes && bytes <= w->block->shared_bytes - offset
               ? w->block->shared + offset
               : NULL;
  }
  const Allocation *a = memory_find(address);
  return a && bytes <= a->bytes - (address - a->address) ? a->view + (address - a->address) : NULL;
}

/* ---- which step for which instruction -------------------------------------------------------- */
int access_shape(const PtxInsn *insn) {
  unsigned size = ptx_type_bytes((PtxType)insn->type);
  if (insn->a == PTX_NO_REG || (size != 8 && (size != 4 || insn->sub == 8)))
    return -1;
  if (insn->count == 1 && insn->list[0] == PTX_NO_REG)
    return -1;
  if (insn->flags & PTX_NARROW_ADDRESS && insn->space != PTX_SHARED && insn->space != PTX_CONST)
    return -1;
  return size == 4 && insn->count == 1   ? 0
         : size == 4 && insn->count == 2 ? 1
         : size == 4 && insn->count == 4 ? 2
         : size == 8 && insn->count == 1 ? 3
         : size == 8 && insn->count == 2 ? 4
                                         : -1;
}

bool access_finds_base(const PtxInsn *insn) {
  bool access = insn->form == PTX_LD || insn->form == PTX_ST;
  bool space = insn->space == PTX_GLOBAL || insn->space == PTX_CONST || insn->space == PTX_SHARED;
  return access && space && access_shape(insn) >= 0;
}

Step access_step(const PtxInsn *insn) {
  switch (insn->form) {
  case PTX_LD_PARAM: {
    unsigned size = ptx_type_bytes((PtxType)insn->type);
    bool plain = insn->a == PTX_NO_REG && (size == 8 || (size == 4 && insn->sub != 8));
    return plain ? step_parameter_same : step_parameter;
  }
  case PTX_LD_ARG:
  case PTX_ST_ARG:
    return step_argument;
  case PTX_ATOM:
    return step_atomic;
  case PTX_LD:
  case PTX_ST:
    return insn->space == PTX_LOCAL     ? step_local
           : insn->space == PTX_GENERIC ? step_generic
           : insn->space == PTX_PARAM   ? step_parameter
           : insn->space == PTX_SHARED  ? shared_step(insn)
                                        : global_step(insn);
  default:
    return NULL;
  }
}
