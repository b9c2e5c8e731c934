/* Selects the step function for each memory access. Also implements local memory, kernel parameters
 * and the arguments of calls. */
#include "access.h"

#include <assert.h>
#include <string.h>

/* Compares the read with the last POLLED reads. If `address` is among them, this read counts as a
 * poll. */
void access_polls(Warp *w, uint64_t address, uint64_t value) {
  uint32_t known = w->npolled < POLLED ? w->npolled : POLLED, i = 0;
  while (i < known && w->polled_at[i] != address)
    i++;
  if (i < known) {
    w->polled_value[i] = value;
    w->polled = true;
    return;
  }
  i = w->npolled++ % POLLED;
  w->polled_at[i] = address;
  w->polled_value[i] = value;
  if (w->npolled == 2 * POLLED)
    w->npolled = POLLED;
}

/* ---- local memory: arrays and spills of one thread ------------------------------------------- */
static void report_wrong(Warp *w, const PtxInsn *insn, unsigned lane, uint64_t address,
                         unsigned bytes) {
  const uint32_t used = w->frame->local_end;
  if (address > used || bytes > used - address) {
    run_fail(w, LAUNCH_ILLEGAL_ADDRESS);
    hook_wrong_access(w, insn, lane, PTX_LOCAL, address, bytes, REPORT_OUT_OF_BOUNDS);
  } else {
    run_fail(w, LAUNCH_MISALIGNED);
    hook_wrong_access(w, insn, lane, PTX_LOCAL, address, bytes, REPORT_MISALIGNED);
  }
}

static void local_access(Warp *w, const PtxInsn *insn, uint32_t lanes, const uint64_t *address) {
  Frame *f = w->frame;
  const unsigned bytes = access_bytes(insn);
  uint32_t offset[WARP_LANES], good = 0, differ = 0;
  if (f->local_end >= bytes)
    good = lanes_within(offset, address, lanes, lowest(lanes), 0, 0, f->local_end - bytes, bytes);
  if (good != lanes) {
    EACH_SET(lane, lanes & ~good) report_wrong(w, insn, lane, address[lane], bytes);
    if (insn->form == PTX_LD)
      put_no_value(f->registers, insn, lanes & ~good);
    if (!good)
      return;
    for (int lane = 0; lane < WARP_LANES; lane++)
      /* Give each lane with an invalid address the address of a valid lane. */
      offset[lane] = (uint32_t)address[good >> lane & 1 ? (unsigned)lane : lowest(good)];
  }
  for (int lane = 0; lane < WARP_LANES; lane++)
    differ |= offset[lane] ^ offset[0];
  if (insn->form == PTX_LD) {
    hook_local_access(w, f, insn, good, offset, !differ);
    put_interleaved(f->registers, insn, good, w->local, offset, !differ);
  } else {
    hook_local_access(w, f, insn, good, offset, !differ);
    get_interleaved(f->registers, insn, good, w->local, offset, !differ);
  }
}

static void step_local(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  uint64_t address[WARP_LANES];
  lane_addresses(w->frame->registers, insn, address);
  local_access(w, insn, lanes, address);
}

/* ---- generic addresses ----------------------------------------------------------------------- */
static void step_generic(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  uint64_t address[WARP_LANES];
  uint32_t shared[WARP_LANES], local[WARP_LANES];
  lane_addresses(w->frame->registers, insn, address);
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    shared[lane] = address[lane] - PTX_SHARED_WINDOW < PTX_WINDOW_BYTES ? UINT32_MAX : 0;
    local[lane] = address[lane] - PTX_LOCAL_WINDOW < PTX_WINDOW_BYTES ? UINT32_MAX : 0;
    address[lane] -= shared[lane] ? PTX_SHARED_WINDOW : local[lane] ? PTX_LOCAL_WINDOW : 0;
  }
  const uint32_t in_shared = lanes_from_truth(shared) & lanes;
  const uint32_t in_local = lanes_from_truth(local) & lanes;
  if (in_shared)
    shared_access(w, insn, in_shared, address);
  if (in_local)
    local_access(w, insn, in_local, address);
  if (lanes & ~in_shared & ~in_local)
    global_access(w, insn, lanes & ~in_shared & ~in_local, address);
}

/* ---- partial loads --------------------------------------------------------------------------- */
/* Executes the load of a cp.async. The register insn->mask has the number of bytes that a lane
 * reads, which may be 0. The other bytes are set to zero. */
static void step_part(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  uint8_t *registers = w->frame->registers;
  const uint32_t *wanted = slot32(registers, insn->mask), bytes = access_bytes(insn);
  uint64_t address[WARP_LANES];
  uint32_t all = 0, at[WARP_LANES];
  uint8_t value[WARP_LANES][16] = {{0}};
  lane_addresses(registers, insn, address);
  EACH_SET(lane, lanes) all |= (uint32_t)(wanted[lane] >= bytes) << lane;
  EACH_SET(lane, lanes & ~all)
  if (wanted[lane] && !generic_read(w, lane, address[lane], value[lane], wanted[lane])) {
    run_fail(w, LAUNCH_ILLEGAL_ADDRESS);
    hook_wrong_access(w, insn, lane, PTX_GLOBAL, address[lane], wanted[lane], REPORT_OUT_OF_BOUNDS);
  }
  for (unsigned i = 0; i < insn->count; i++) {
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
      at[lane] = lane * 16 + bytes / insn->count * i;
    put_gathered(registers, insn, insn->list[i], lanes & ~all, value[0], at);
  }
  if (all)
    global_access(w, insn, all, address);
}

/* ---- parameters and arguments ---------------------------------------------------------------- */
static void step_parameter(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  const Launch *launch = w->worker->run->launch;
  const unsigned bytes = access_bytes(insn);
  const uint32_t size = launch->function->param_bytes;
  uint64_t address[WARP_LANES];
  uint32_t good = 0;
  lane_addresses(w->frame->registers, insn, address);
  EACH_SET(lane, lanes)
  /* Members of packed structs may have any alignment. */
  good |= (uint32_t)(bytes <= size && address[lane] <= size - bytes) << lane;
  EACH_SET(each, lanes & ~good) {
    run_fail(w, LAUNCH_ILLEGAL_ADDRESS);
    hook_wrong_access(w, insn, each, PTX_PARAM, address[each], bytes, REPORT_OUT_OF_BOUNDS);
  }
  if (good != lanes)
    put_no_value(w->frame->registers, insn, lanes & ~good);
  if (good)
    put_lanes(w->frame->registers, insn,
              shape_of(&w->frame->recent[insn->number], good, address, bytes),
              launch->parameters + address[lowest(good)], launch->parameters + size);
}

/* Reads a parameter if all 32 lanes are active and read at the same offset. This is the usual case;
 * otherwise calls step_parameter. */
static ALWAYS_INLINE void parameter_same(Warp *w, const PtxInsn *insn, uint32_t lanes,
                                         unsigned size, unsigned count) {
  const Launch *launch = w->worker->run->launch;
  const uint32_t bytes = launch->function->param_bytes;
  const uint64_t offset = (uint64_t)insn->imm;
  if (lanes != ALL_LANES || offset > bytes || size * count > bytes - offset)
    step_parameter(w, insn, lanes);
  else
    put_same(w->frame->registers, insn, size, count, launch->parameters + offset);
}
STEP(step_parameter_4, parameter_same(w, i, lanes, 4, 1))
STEP(step_parameter_8, parameter_same(w, i, lanes, 8, 1))
STEP(step_parameter_same, parameter_same(w, i, lanes, ptx_type_bytes((PtxType)i->type), i->count))

/* Reads or writes an argument that may begin in one word and end in the next. This happens because
 * clang 14 passes each member of a packed struct as one argument. */
static void packed_argument(Frame *f, const PtxInsn *insn, uint32_t lanes, uint32_t offset) {
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type);
  uint8_t value[WARP_LANES * 8] = {0};
  uint32_t at[WARP_LANES];
  for (uint32_t lane = 0; lane < WARP_LANES; lane++)
    at[lane] = lane * 8;
  for (unsigned i = 0; i < insn->count; i++, offset += bytes) {
    if (insn->form == PTX_LD_ARG) {
      EACH_SET(lane, lanes) interleaved_get(f->arguments, lane, offset, value + at[lane], bytes);
      put_gathered(f->registers, insn, insn->list[i], lanes, value, at);
    } else {
      get_scattered(f->registers, insn, insn->list[i], lanes, value, at);
      EACH_SET(lane, lanes) interleaved_put(f->arguments, lane, offset, value + at[lane], bytes);
    }
  }
}

static void step_argument(Warp *w, const PtxInsn *insn, uint32_t lanes) {
  Frame *f = w->frame;
  const uint32_t offset = (uint32_t)insn->imm;
  const unsigned word =
      ptx_type_bytes((PtxType)insn->type) < 4 ? ptx_type_bytes((PtxType)insn->type) : 4;
  assert((uint64_t)insn->imm + access_bytes(insn) <= f->function->argument_bytes);
  if (offset % word) {
    packed_argument(f, insn, lanes, offset);
    return;
  }
  if (insn->form == PTX_LD_ARG)
    put_interleaved(f->registers, insn, lanes, f->arguments, &offset, true);
  else
    get_interleaved(f->registers, insn, lanes, f->arguments, &offset, true);
}

/* Returns the host address of a generic address in shared, global or constant memory; NULL: the
 * bytes are in none of these spaces. */
static uint8_t *generic_place(const Warp *w, uint64_t address, size_t bytes, Allocation **a) {
  const uint64_t offset = address - PTX_SHARED_WINDOW;
  if (offset < PTX_WINDOW_BYTES)
    return offset <= w->shared_bytes && bytes <= w->shared_bytes - offset ? w->shared + offset
                                                                          : NULL;
  *a = memory_find(address);
  return *a && bytes <= (*a)->bytes - (address - (*a)->address) ? on_host(*a, address) : NULL;
}

static bool is_in_frame(const Warp *w, uint64_t offset, size_t bytes) {
  return offset <= w->frame->local_end && bytes <= w->frame->local_end - offset;
}

bool generic_read(Warp *w, unsigned lane, uint64_t address, void *out, size_t bytes) {
  const uint64_t offset = address - PTX_LOCAL_WINDOW;
  Allocation *a;
  if (offset < PTX_WINDOW_BYTES) {
    if (is_in_frame(w, offset, bytes))
      interleaved_get(w->local, lane, (uint32_t)offset, out, bytes);
    return is_in_frame(w, offset, bytes);
  }
  const uint8_t *from = generic_place(w, address, bytes, &a);
  if (from)
    memcpy(out, from, bytes);
  return from;
}

bool generic_write(Warp *w, unsigned lane, uint64_t address, const void *in, size_t bytes) {
  const uint64_t offset = address - PTX_LOCAL_WINDOW;
  Allocation *a = NULL;
  if (offset < PTX_WINDOW_BYTES) {
    if (!is_in_frame(w, offset, bytes))
      return false;
    interleaved_put(w->local, lane, (uint32_t)offset, in, bytes);
    hook_given(w, lane, PTX_LOCAL, (uint32_t)offset, (uint32_t)bytes);
    return true;
  }
  uint8_t *to = generic_place(w, address, bytes, &a);
  if (!to)
    return false;
  memcpy(to, in, bytes);
  if (a)
    global_define(a, address - a->address, bytes, false);
  else
    hook_given(w, lane, PTX_SHARED, (uint32_t)(address - PTX_SHARED_WINDOW), (uint32_t)bytes);
  return true;
}

/* ---- selecting the step function ------------------------------------------------------------- */
int access_shape(const PtxInsn *insn) {
  unsigned size = ptx_type_bytes((PtxType)insn->type);
  if (insn->a == PTX_NO_REG || insn->mask != PTX_NO_REG || (size == 4 && insn->sub == 8))
    return -1;
  if (insn->count == 1 && insn->list[0] == PTX_NO_REG)
    return -1;
  if (insn->flags & PTX_NARROW_ADDRESS && insn->space != PTX_SHARED && insn->space != PTX_CONST)
    return -1;
  return size == 4 && insn->count == 1                               ? 0
         : size == 4 && insn->count == 2                             ? 1
         : size == 4 && insn->count == 4                             ? 2
         : size == 8 && insn->count == 1                             ? 3
         : size == 8 && insn->count == 2                             ? 4
         : size > 2 || insn->count != 1 || insn->space == PTX_SHARED ? -1
                                                                     : 4 + (int)size;
}

bool access_finds_rows(const PtxInsn *insn) { return access_shape(insn) >= 0; }

bool access_finds_base(const PtxInsn *insn) {
  bool async = insn->form == PTX_ST && insn->flags & PTX_ASYNC;
  bool access = (insn->form == PTX_LD || insn->form == PTX_ST) && !async &&
                !(insn->flags & PTX_VOLATILE) && insn->mask == PTX_NO_REG;
  bool space = insn->space == PTX_GLOBAL || insn->space == PTX_CONST || insn->space == PTX_SHARED;
  return access && space && insn->a != PTX_NO_REG;
}

Step access_step_careful(const PtxInsn *insn) {
  bool moves = (insn->form == PTX_LD || insn->form == PTX_ST) && insn->mask == PTX_NO_REG;
  return moves && insn->space == PTX_SHARED                                 ? any_shared
         : moves && (insn->space == PTX_GLOBAL || insn->space == PTX_CONST) ? any_global
                                                                            : insn->step;
}

Step access_step(const PtxInsn *insn) {
  switch (insn->form) {
  case PTX_LD_PARAM: {
    unsigned size = ptx_type_bytes((PtxType)insn->type);
    bool plain = insn->a == PTX_NO_REG && (size == 8 || (size == 4 && insn->sub != 8));
    return !plain             ? step_parameter
           : insn->count != 1 ? step_parameter_same
           : size == 8        ? step_parameter_8
                              : step_parameter_4;
  }
  case PTX_LD_ARG:
  case PTX_ST_ARG:
    return step_argument;
  case PTX_ATOM:
    return step_atomic;
  case PTX_LD:
  case PTX_ST:
    return insn->mask != PTX_NO_REG                          ? step_part
           : insn->flags & PTX_ASYNC && insn->form == PTX_ST ? any_shared
           : insn->space == PTX_LOCAL                        ? step_local
           : insn->space == PTX_GENERIC                      ? step_generic
           : insn->space == PTX_PARAM                        ? step_parameter
           : insn->space == PTX_SHARED                       ? shared_step(insn)
                                                             : global_step(insn);
  default:
    return NULL;
  }
}
