/* Implements instructions that write registers without arithmetic or memory: special registers,
 * addresses of local variables, packing and unpacking. Also implements instructions that write no
 * register: fences, traps, hints. */
#include <string.h>
#include <time.h>

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

static uint64_t nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Returns the value of a special register that is the same for all lanes of the warp. */
static uint64_t uniform_value(const Warp *w, unsigned which) {
  const Launch *launch = w->worker->run->launch;
  if (which >= PTX_NTID_X && which <= PTX_NTID_Z)
    return launch->block[which - PTX_NTID_X];
  if (which >= PTX_CTAID_X && which <= PTX_CTAID_Z)
    return w->block->index[which - PTX_CTAID_X];
  if (which >= PTX_NCTAID_X && which <= PTX_NCTAID_Z)
    return launch->grid[which - PTX_NCTAID_X];
  if (which >= PTX_CLUSTERID_X && which <= PTX_CLUSTERID_Z)
    return w->block->index[which - PTX_CLUSTERID_X];
  if (which >= PTX_NCLUSTERID_X && which <= PTX_NCLUSTERID_Z)
    return launch->grid[which - PTX_NCLUSTERID_X];
  if (which >= PTX_CLUSTER_NCTAID_X && which <= PTX_CLUSTER_NCTARANK)
    return 1;
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
    /* The clock must increase, and its values must be the same in every run. */
    return w->branches * 16;
  case PTX_CLOCK_HI:
    return w->branches * 16 >> 32;
  case PTX_GLOBALTIMER:
  case PTX_GLOBALTIMER_LO:
    return nanoseconds();
  case PTX_GLOBALTIMER_HI:
    return nanoseconds() >> 32;
  default:
    return 0; /* %gridid and %cluster_ctarank */
  }
}

static void put_all(Frame *f, const PtxInsn *insn, uint32_t lanes, uint64_t value) {
  const bool is_wide = ptx_type_bytes((PtxType)insn->type) == 8;
  uint32_t *low = __builtin_assume_aligned(slot32(f->registers, insn->d), 64);
  uint64_t *wide = __builtin_assume_aligned(slot64(f->registers, insn->d), 64);
  if (is_wide && lanes == ALL_LANES)
    for (int lane = 0; lane < WARP_LANES; lane++)
      wide[lane] = value;
  else if (is_wide)
    EACH_SET(lane, lanes) wide[lane] = value;
  else if (lanes == ALL_LANES)
    for (int lane = 0; lane < WARP_LANES; lane++)
      low[lane] = (uint32_t)value;
  else
    EACH_SET(lane, lanes) low[lane] = (uint32_t)value;
}

/* Stores one value per lane in the result register, zero-extended to the size of the register. */
static void put_each(Frame *f, const PtxInsn *insn, uint32_t lanes, const uint32_t *value) {
  uint64_t wide[WARP_LANES];
  if (ptx_type_bytes((PtxType)insn->type) != 8) {
    put32(f->registers, insn->d, lanes, value);
    return;
  }
  for (int lane = 0; lane < WARP_LANES; lane++)
    wide[lane] = value[lane];
  put64(f->registers, insn->d, lanes, wide);
}

static void step_special(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  unsigned which = insn->sub;
  if (which <= PTX_TID_Z) {
    put_each(w->frame, insn, lanes, w->thread[which - PTX_TID_X]);
  } else if (which == PTX_LANEID || (which >= PTX_LANEMASK_EQ && which <= PTX_LANEMASK_GT)) {
    uint32_t values[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
      values[lane] = which == PTX_LANEID ? lane : lane_mask(which, lane);
    put_each(w->frame, insn, lanes, values);
  } else {
    put_all(w->frame, insn, lanes, uniform_value(w, which));
  }
}

static void step_local_address(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  put_all(w->frame, insn, lanes, w->frame->local_base + (uint64_t)insn->imm);
}

/* ---- packing --------------------------------------------------------------------------------- */
static void wide_bits(const Frame *f, uint32_t slot, bool wide, uint64_t *out) {
  const uint32_t *low = slot32(f->registers, slot);
  const uint64_t *all = slot64(f->registers, slot);
  if (wide)
    memcpy(out, all, WARP_LANES * sizeof *out);
  else
    for (int lane = 0; lane < WARP_LANES; lane++)
      out[lane] = low[lane];
}

static void put_bits(Frame *f, uint32_t slot, bool wide, uint32_t lanes, const uint64_t *value) {
  uint32_t low[WARP_LANES];
  if (wide) {
    put64(f->registers, slot, lanes, value);
    return;
  }
  for (int lane = 0; lane < WARP_LANES; lane++)
    low[lane] = (uint32_t)value[lane];
  put32(f->registers, slot, lanes, low);
}

static uint64_t piece_mask(unsigned bytes) {
  return bytes >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1;
}

static void step_pack(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  const unsigned whole = ptx_type_bytes((PtxType)insn->type), piece = whole / insn->count;
  const uint64_t mask = piece_mask(piece);
  uint64_t bits[WARP_LANES], values[WARP_LANES] = {0};
  for (unsigned i = 0; i < insn->count; i++) {
    wide_bits(w->frame, insn->list[i], piece == 8, bits);
    for (int lane = 0; lane < WARP_LANES; lane++)
      values[lane] |= (bits[lane] & mask) << 8 * piece * i;
  }
  put_bits(w->frame, insn->d, whole == 8, lanes, values);
}

static void step_unpack(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  const unsigned whole = ptx_type_bytes((PtxType)insn->type), piece = whole / insn->count;
  const uint64_t mask = piece_mask(piece);
  uint64_t value[WARP_LANES], bits[WARP_LANES];
  wide_bits(w->frame, insn->a, whole == 8, value);
  for (unsigned i = 0; i < insn->count; i++) {
    if (insn->list[i] == PTX_NO_REG)
      continue;
    for (int lane = 0; lane < WARP_LANES; lane++)
      bits[lane] = value[lane] >> 8 * piece * i & mask;
    put_bits(w->frame, insn->list[i], piece == 8, lanes, bits);
  }
}

/* ---- the others ------------------------------------------------------------------------------ */
static void step_nothing(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  (void)w, (void)insn, (void)lanes;
  /* Cache hints and pipeline waits do nothing, because the emulated memory is always coherent. */
}

static void step_fence(Warp *w, const PtxInsn *insn, uint32_t lanes) { hook_fence(w, insn, lanes); }

static void step_trap(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  if (grid_is_missing(w))
    hook_mistake((Mistake){.kind = MISTAKE_GRID_BARRIER, .at = {w, lowest(lanes), insn->line}});
  else
    hook_mistake((Mistake){.kind = MISTAKE_STOPPED,
                           .at = {w, lowest(lanes), insn->line},
                           .report = REPORT_TRAP,
                           .did = "came here",
                           .sentence = "the kernel stopped itself: __trap()"});
  run_stop(w, LAUNCH_TRAP);
}

Step move_step(const PtxInsn *insn) {
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
  case PTX_COPIES:
    return step_fence;
  case PTX_TRAP:
    return step_trap;
  default:
    return step_nothing;
  }
}
