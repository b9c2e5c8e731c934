/* Finds the source line, the thread, and the element of a buffer for a report (report_places.h). */
#include "report_places.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../state/pieces.h"
#include "names.h"

/* ---- places ---------------------------------------------------------------------------------- */
void place_thread(ReportPlace *p, const Run *run, uint64_t block, uint32_t number) {
  const uint32_t *size = run->launch->block, *grid = run->launch->grid;
  p->thread[0] = number % size[0];
  p->thread[1] = number / size[0] % size[1];
  p->thread[2] = number / size[0] / size[1];
  p->block[0] = (uint32_t)(block % grid[0]);
  p->block[1] = (uint32_t)(block / grid[0] % grid[1]);
  p->block[2] = (uint32_t)(block / grid[0] / grid[1]);
  p->has_thread = true;
}

void place_line(ReportPlace *p, const Run *run, uint32_t line) {
  p->file = ptx_file(run->module, line);
  p->line = ptx_line(run->module, line);
}

void mistake_place(ReportPlace *p, const Warp *w, unsigned lane, uint32_t line) {
  place_line(p, w->block->run, line);
  place_thread(p, w->block->run, w->block->number, w->number * WARP_LANES + lane);
}

Report report_at(const Warp *w, ReportKind kind, uint32_t line, unsigned lane) {
  Report r = report_make(kind);
  r.kernel = w->block->run->function->name;
  r.start_order = w->block->start_order;
  mistake_place(&r.at, w, lane, line);
  return r;
}

/* ---- memory ---------------------------------------------------------------------------------- */
const PtxVariable *mistake_shared_variable(const PtxModule *m, const PtxFunction *f,
                                           uint64_t address, uint32_t *start) {
  const PtxVariable *best = NULL;
  uint32_t dynamic = (f->shared_bytes + 15) / 16 * 16;
  for (uint32_t i = 0; i < m->nshared; i++) {
    const PtxVariable *v = &m->shared[i];
    uint32_t from = v->is_extern ? dynamic : f->shared_offset[i];
    if (from == UINT32_MAX || address < from)
      continue;
    if (!best || from >= *start) {
      best = v;
      *start = from;
    }
  }
  return best;
}

static void describe_shared(Report *r, Around *around, const Warp *w, uint64_t address) {
  const Block *b = w->block;
  uint32_t start = 0;
  const PtxVariable *v = mistake_shared_variable(b->run->module, b->run->function, address, &start);
  r->space = "shared";
  around->start = start;
  around->bytes = b->shared_bytes - start;
  if (!v)
    return;
  name_plain(v->name, r->buffer, sizeof r->buffer);
  if (!v->is_extern)
    around->bytes = v->bytes;
}

static void describe_local(Report *r, Around *around, const Warp *w) {
  const Frame *f = w->frame;
  r->space = "local";
  snprintf(r->buffer, sizeof r->buffer, "the thread's local memory");
  around->start = f->local_base;
  around->bytes = f->function->local_bytes;
}

const Allocation *argument_buffer(const Warp *w, const PtxInsn *insn) {
  const PtxFunction *f = w->block->run->function;
  if (insn->parameter < 0 || w->frame->function != f)
    return NULL;
  return launch_buffer(w->block->run->launch, &f->params[insn->parameter]);
}

void describe_allocation(Report *r, Around *around, const Allocation *a, uint64_t address) {
  if (!a)
    return;
  r->space = a->kind == MEMORY_CONSTANT ? "constant" : "global";
  PieceAt piece;
  if (a->kind == MEMORY_HEAP && pieces_at(a, address, &piece)) {
    snprintf(r->buffer, sizeof r->buffer, "%" PRIu64 " bytes that malloc or new returned",
             piece.bytes);
    *around = (Around){.start = piece.address, .bytes = piece.bytes, .element = around->element};
    return;
  }
  if (a->name)
    name_plain(a->name, r->buffer, sizeof r->buffer);
  else
    snprintf(r->buffer, sizeof r->buffer, "allocation %" PRIu32 " (%zu bytes)", a->number,
             a->bytes);
  *around = (Around){a->address, a->bytes,
                     a->element_bytes ? (unsigned)a->element_bytes : around->element, a->rows,
                     a->columns};
}

const Allocation *allocation_around(uint64_t address) {
  const Allocation *a = memory_find(address);
  return a ? a : memory_nearest(address);
}

uint64_t bytes_before(const Report *r, const Around *around, uint64_t address) {
  if (address < around->start)
    return around->start - address;
  const bool wraps = r->space && strcmp(r->space, "shared") == 0 && address > INT32_MAX;
  return wraps ? around->start + UINT32_MAX + 1 - address : 0;
}

void place_element(Report *r, const Around *around, uint64_t address) {
  if (!around->bytes || bytes_before(r, around, address))
    return;
  r->element = (int64_t)((address - around->start) / around->element);
  if (around->columns) {
    r->row = r->element / (int64_t)around->columns;
    r->column = r->element % (int64_t)around->columns;
  }
}

Around describe_within(Report *r, const Warp *w, PtxSpace space, uint64_t address, unsigned bytes,
                       const Allocation *given) {
  Around around = {.element = bytes};
  r->space = "global";
  if (space == PTX_SHARED)
    describe_shared(r, &around, w, address);
  else if (space == PTX_LOCAL)
    describe_local(r, &around, w);
  else
    describe_allocation(r, &around, given ? given : allocation_around(address), address);
  place_element(r, &around, address);
  return around;
}

Around describe(Report *r, const Warp *w, PtxSpace space, uint64_t address, unsigned bytes) {
  return describe_within(r, w, space, address, bytes, NULL);
}

const char *element_text(const Report *r, char *out, size_t size) {
  if (r->element < 0)
    snprintf(out, size, "%s", r->buffer[0] ? r->buffer : "memory");
  else if (r->row >= 0)
    snprintf(out, size, "%s, row %" PRId64 ", column %" PRId64, r->buffer, r->row, r->column);
  else
    snprintf(out, size, "%s, element %" PRId64, r->buffer[0] ? r->buffer : r->space, r->element);
  return out;
}
