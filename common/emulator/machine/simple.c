/* The rest of the instructions: special registers, packing, local addresses, fences, traps. */
#include <string.h>
#include <time.h>

#include "../observe/global_shadow.h"
#include "../observe/watch.h"
#include "warp.h"

/* ---- special registers ----------------------------------------------------------------------- */
static uint32_t lane_mask(unsigned which, unsigned lane) {
  uint32_t equal = 1u << lane, less = equal - 1;
  switch (which) {
  case PTX_LANEMASK_EQ:
    return equal;
  case PTX_LANEMASK_LT:
    return less;
  case PTX_LANEMASK_LE:
    return less | equal;
  case PTX_LANEMASK_GE:
    return ~less;
  default:
    return ~(less | equal);
  }
}

/* A register that is the same for all lanes of the warp. */
static uint64_t uniform_value(const Warp *w, unsigned which) {
  const Launch *launch = w->worker->run->launch;
  if (which >= PTX_NTID_X && which <= PTX_NTID_Z)
    return launch->block[which - PTX_NTID_X];
  if (which >= PTX_CTAID_X && which <= PTX_CTAID_Z)
    return w->block->index[which - PTX_CTAID_X];
  if (which >= PTX_NCTAID_X && which <= PTX_NCTAID_Z)
    return launch->grid[which - PTX_NCTAID_X];
  switch (which) {
  case PTX_WARPID:
    return w->number;
  case PTX_NWARPID:
    return w->block->nwarps;
  case PTX_SMID:
    return w->block->number % selected_device()->sms;
  case PTX_NSMID:
    return selected_device()->sms;
  case PTX_DYNAMIC_SMEM_SIZE:
    return launch->dynamic_shared;
  case PTX_TOTAL_SMEM_SIZE:
    return w->block->shared_bytes;
  case PTX_ENVREG1:
    return w->worker->run->grid_memory >> 32;
  case PTX_ENVREG2:
    return (uint32_t)w->worker->run->grid_memory;
  case PTX_CLOCK:
  case PTX_CLOCK64:
    return w->branches * 16 + w->picks; /* rises, and is the same in every run */
  case PTX_GLOBALTIMER: {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  }
  default:
    return 0; /* %gridid */
  }
}

static void put(Frame *f, const PtxInsn *insn, uint32_t lanes, const uint64_t *values) {
  if (lanes == ALL_LANES && ptx_type_bytes((PtxType)insn->type) != 8) {
    uint32_t *to = slot32(f->registers, insn->d);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
      to[lane] = (uint32_t)values[lane];
  } else if (ptx_type_bytes((PtxType)insn->type) == 8) {
    EACH_SET(lane, lanes) slot64(f->registers, insn->d)[lane] = values[lane];
  } else {
    EACH_SET(lane, lanes) slot32(f->registers, insn->d)[lane] = (uint32_t)values[lane];
  }
}

static void step_special(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  uint64_t values[WARP_LANES];
  unsigned which = insn->sub;
  if (which <= PTX_TID_Z) {
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
      values[lane] = w->thread[which - PTX_TID_X][lane];
  } else if (which == PTX_LANEID || (which >= PTX_LANEMASK_EQ && which <= PTX_LANEMASK_GT)) {
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
      values[lane] = which == PTX_LANEID ? lane : lane_mask(which, lane);
  } else {
    uint64_t value = uniform_value(w, which);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
      values[lane] = value;
  }
  put(warp_frame(w), insn, lanes, values);
}

static void step_local_address(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  Frame *f = warp_frame(w);
  uint64_t values[WARP_LANES];
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    values[lane] = f->local_base + (uint64_t)insn->imm;
  put(f, insn, lanes, values);
}

/* ---- packing --------------------------------------------------------------------------------- */
static uint64_t lane_bits(Frame *f, uint32_t slot, unsigned lane, unsigned bytes) {
  return bytes == 8 ? slot64(f->registers, slot)[lane] : slot32(f->registers, slot)[lane];
}

static void step_pack(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  Frame *f = warp_frame(w);
  unsigned piece = ptx_type_bytes((PtxType)insn->type) / insn->count;
  uint64_t mask = piece >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * piece) - 1, values[WARP_LANES];
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    values[lane] = 0;
    for (unsigned i = 0; i < insn->count; i++)
      values[lane] |= (lane_bits(f, insn->list[i], lane, piece) & mask) << 8 * piece * i;
  }
  put(f, insn, lanes, values);
}

static void step_unpack(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  Frame *f = warp_frame(w);
  unsigned whole = ptx_type_bytes((PtxType)insn->type), piece = whole / insn->count;
  uint64_t mask = piece >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * piece) - 1;
  EACH_SET(lane, lanes) {
    uint64_t value = lane_bits(f, insn->a, lane, whole);
    for (unsigned i = 0; i < insn->count; i++) {
      if (insn->list[i] == PTX_NO_REG)
        continue;
      uint64_t bits = value >> 8 * piece * i & mask;
      if (piece == 8)
        slot64(f->registers, insn->list[i])[lane] = bits;
      else
        slot32(f->registers, insn->list[i])[lane] = (uint32_t)bits;
    }
  }
}

/* ---- the others ------------------------------------------------------------------------------ */
static void step_nothing(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  (void)w, (void)insn,
      (void)lanes; /* memory is coherent here, and nobody needs to be kept waiting */
}

static void step_fence(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  if (insn->sub) /* wider than the block */
    global_shadow_fence(w, lanes);
}

static void step_trap(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  if (grid_is_missing(w))
    grid_report_missing(w, insn->line, lowest(lanes));
  else
    watch_stop(w, REPORT_TRAP, insn->line, lowest(lanes), "came here",
               "the kernel stopped itself: __trap()");
  run_fail(w->worker->run, LAUNCH_TRAP);
  atomic_store(&w->worker->run->stop, true);
}

Step simple_step(const PtxInsn *insn) {
  switch (insn->form) {
  case PTX_SREG:
    return step_special;
  case PTX_LOCAL_ADDR:
    return step_local_address;
  case PTX_PACK:
    return step_pack;
  case PTX_UNPACK:
    return step_unpack;
  case PTX_TEX:
    return step_texture;
  case PTX_FENCE:
    return step_fence;
  case PTX_TRAP:
    return step_trap;
  default:
    return step_nothing;
  }
}
