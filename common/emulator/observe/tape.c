/* Writes the tape of a run with a prescribed order: records of its launches, accesses, holds, steps
 * and barriers (tape.h). */
#include "tape.h"

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../emulator.h"
#include "../state/memory.h"
#include "../state/order.h"
#include "names.h"

static struct {
  FILE *file;
  /* `pending`: the current access is to be recorded when it is done. */
  bool opened, pending;
  uint64_t written, cut;
  TapeAccess access;
} tape;

static FILE *tape_file(void) {
  const char *path = prescribed_order()->tape;
  if (!tape.opened && path && !(tape.file = fopen(path, "wbe"))) {
    perror(path);
    exit(2);
  }
  tape.opened = true;
  return tape.file;
}

/* Writes a record: the head (`bytes` bytes), then `part` and `name` if they are not NULL. Pads the
 * record to a multiple of 8 bytes. */
static void put(TapeHead *head, size_t bytes, const void *part, size_t part_bytes,
                const char *name) {
  static const char zeros[8];
  const size_t length = name ? strlen(name) + 1 : 0, all = bytes + part_bytes + length;
  head->bytes = (uint32_t)((all + 7) / 8 * 8);
  fwrite(head, bytes, 1, tape.file);
  if (part_bytes)
    fwrite(part, part_bytes, 1, tape.file);
  if (length)
    fwrite(name, length, 1, tape.file);
  fwrite(zeros, head->bytes - all, 1, tape.file);
}

/* Returns true if the block is not recorded. If the warps of one block are single-stepped, only
 * this block is recorded. */
static bool is_left_out(const Block *b) {
  const PrescribedOrder *order = prescribed_order();
  return order->stepping &&
         (b->run->number != order->step_launch || b->number != order->step_block);
}

/* ---- launches -------------------------------------------------------------------------------- */
static void put_shared_arrays(const Run *run) {
  const PtxModule *m = run->module;
  char name[128];
  for (uint32_t i = 0; i < m->nshared; i++) {
    const PtxVariable *v = &m->shared[i];
    const uint32_t dynamic = (run->function->shared_bytes + 15) / 16 * 16,
                   offset = v->is_extern ? dynamic : run->function->shared_offset[i];
    if (offset >= run->shared_bytes)
      continue;
    TapeShared s = {.head = {.kind = TAPE_SHARED},
                    .offset = offset,
                    .bytes = v->is_extern ? run->shared_bytes - offset : (uint32_t)v->bytes};
    name_plain(v->name, name, sizeof name);
    put(&s.head, sizeof s, NULL, 0, name);
  }
}

void tape_launch_begins(const Run *run) {
  char name[128];
  if (!tape_file())
    return;
  TapeLaunch l = {.head = {.kind = TAPE_LAUNCH}, .number = run->number};
  memcpy(l.grid, run->launch->grid, sizeof l.grid);
  memcpy(l.block, run->launch->block, sizeof l.block);
  name_plain(run->function->name, name, sizeof name);
  put(&l.head, sizeof l, NULL, 0, name);
  put_shared_arrays(run);
}

static uint64_t argument_for(const Run *run, const Allocation *a) {
  const PtxFunction *f = run->function;
  for (uint32_t i = 0; i < f->nparams; i++)
    if (launch_buffer(run->launch, &f->params[i]) == a)
      return i + 1;
  return 0;
}

static void put_buffer(const Run *run, const Allocation *a) {
  const bool keeps = a->bytes <= TAPE_BUFFER_MOST;
  char name[128] = "";
  TapeBuffer b = {.head = {.kind = TAPE_BUFFER},
                  .address = a->address,
                  .bytes = a->bytes,
                  .kept = keeps ? a->bytes : 0,
                  .hash = emulator_hash(a->view, a->bytes),
                  .rows = a->rows,
                  .columns = a->columns,
                  .element = a->element_bytes,
                  .argument = argument_for(run, a)};
  if (a->name)
    name_plain(a->name, name, sizeof name);
  else
    snprintf(name, sizeof name, "allocation %u", a->number);
  put(&b.head, sizeof b, a->view, b.kept, name);
}

void tape_launch_ends(const Run *run, int status) {
  if (!tape_file())
    return;
  for (Allocation *a = memory_next(NULL); a; a = memory_next(a))
    if (a->kind != MEMORY_CONSTANT && a->kind != MEMORY_HEAP && a->address != run->grid_memory)
      put_buffer(run, a);
  TapeEnd e = {.head = {.kind = TAPE_END}, .status = (uint64_t)status, .cut = tape.cut};
  put(&e.head, sizeof e, NULL, 0, NULL);
  fflush(tape.file);
}

/* ---- accesses -------------------------------------------------------------------------------- */
static uint8_t type_of(const PtxInsn *insn) {
  switch ((PtxType)insn->type) {
  case PTX_F32:
  case PTX_F64:
    return TAPE_FLOATING;
  case PTX_S8:
  case PTX_S16:
  case PTX_S32:
  case PTX_S64:
    return TAPE_SIGNED;
  case PTX_U8:
  case PTX_U16:
  case PTX_U32:
  case PTX_U64:
    return TAPE_UNSIGNED;
  default:
    return TAPE_BITS;
  }
}

/* Sets the space of the access and converts generic addresses of shared memory to offsets. Returns
 * the lanes that access this space: shared memory if any lane accesses it, otherwise global
 * memory. */
static uint32_t place(const PtxInsn *insn, uint32_t lanes, TapeAccess *a) {
  uint32_t shared = insn->space == PTX_SHARED ? lanes : 0, local = 0;
  EACH_SET(lane, insn->space == PTX_GENERIC ? lanes : 0) {
    const uint64_t at = a->address[lane];
    shared |= (uint32_t)(at - PTX_SHARED_WINDOW < PTX_WINDOW_BYTES) << lane;
    local |= (uint32_t)(at - PTX_LOCAL_WINDOW < PTX_WINDOW_BYTES) << lane;
    if (shared >> lane & 1)
      a->address[lane] -= PTX_SHARED_WINDOW;
  }
  a->space = shared ? TAPE_IN_SHARED : TAPE_IN_GLOBAL;
  return shared ? shared : lanes & ~local;
}

static TapeOperation operation_of(const PtxInsn *insn) {
  return insn->form == PTX_LD ? TAPE_READS : insn->form == PTX_ST ? TAPE_WRITES : TAPE_CHANGES;
}

void tape_access_begins(const Warp *w, const PtxInsn *insn, uint32_t lanes, uint32_t time) {
  TapeAccess *a = &tape.access;
  tape.pending = false;
  if (is_left_out(w->block))
    return;
  if (!tape.file || tape.written > TAPE_MOST) {
    tape.cut += tape.file != NULL;
    return;
  }
  *a = (TapeAccess){.head = {.kind = TAPE_ACCESS},
                    .block = w->block->number,
                    .warp = w->number,
                    .line = ptx_line(w->block->run->module, insn->line),
                    .time = time,
                    .operation = (uint8_t)operation_of(insn),
                    .type = type_of(insn),
                    .element = (uint8_t)ptx_type_bytes((PtxType)insn->type),
                    .count = insn->form != PTX_ATOM ? insn->count : prescribed_order()->stepping};
  lane_addresses(w->frame->registers, insn, a->address);
  a->lanes = place(insn, lanes, a);
  tape.pending = a->lanes != 0;
}

/* Copies the element in memory at a lane's address to `out`. If the address is invalid, leaves
 * `out` unchanged. */
static void memory_value(const Warp *w, unsigned lane, uint8_t *out) {
  const TapeAccess *a = &tape.access;
  const uint64_t at = a->address[lane];
  if (a->space == TAPE_IN_SHARED) {
    if (at + a->element <= w->shared_bytes)
      memcpy(out, w->shared + at, a->element);
    return;
  }
  const Allocation *there = memory_find(at);
  if (there && at + a->element <= there->address + there->bytes)
    memcpy(out, there->view + (at - there->address), a->element);
}

void tape_access_ends(const Warp *w, const PtxInsn *insn) {
  uint64_t value[16][TAPE_LANES] = {{0}};
  uint8_t bytes[128] = {0};
  TapeAccess *a = &tape.access;
  if (!tape.pending)
    return;
  const bool change = a->operation == TAPE_CHANGES;
  for (uint32_t i = 0; i < a->count && !change; i++)
    if (i >= 16 || insn->list[i] == PTX_NO_REG)
      a->count = i;
  EACH_SET(lane, a->count ? a->lanes : 0) {
    if (change)
      memory_value(w, lane, bytes);
    else
      lane_value(w->frame->registers, insn, lane, bytes);
    for (uint32_t i = 0; i < a->count; i++)
      memcpy(&value[i][lane], bytes + i * a->element, a->element);
  }
  put(&a->head, sizeof *a, value, a->count * sizeof value[0],
      ptx_file(w->block->run->module, insn->line));
  tape.written += a->head.bytes;
}

/* ---- holds and barriers ---------------------------------------------------------------------- */
static void put_hold(const Block *b, TapeHold h, const char *file) {
  h.block = b->number;
  if (tape.file && !is_left_out(b))
    put(&h.head, sizeof h, NULL, 0, file);
}

void tape_order(const Warp *w, const PtxInsn *insn, uint32_t lanes, TapeKind event, uint32_t hold) {
  const PtxModule *m = w->block->run->module;
  put_hold(w->block,
           (TapeHold){.head.kind = event,
                      .warp = w->number,
                      .lanes = lanes,
                      .hold = hold,
                      .line = ptx_line(m, insn->line)},
           ptx_file(m, insn->line));
}

void tape_barrier(const Block *b) {
  put_hold(b, (TapeHold){.head.kind = TAPE_BARRIER, .lanes = ALL_LANES}, NULL);
}
