/* From a lane's wrong access to a report that a person can act on. */
#include "watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "names.h"
#include "shared_shadow.h"

/* ---- places ---------------------------------------------------------------------------------- */
static void place_thread(ReportPlace *p, const Warp *w, uint32_t number) {
  const uint32_t *size = w->block->run->launch->block;
  p->thread[0] = number % size[0];
  p->thread[1] = number / size[0] % size[1];
  p->thread[2] = number / size[0] / size[1];
  memcpy(p->block, w->block->index, sizeof p->block);
  p->has_thread = true;
}

static void place_line(ReportPlace *p, const Warp *w, uint32_t line) {
  p->file = ptx_file(w->block->run->module, line);
  p->line = ptx_line(w->block->run->module, line);
}

void watch_place(ReportPlace *p, const Warp *w, unsigned lane, uint32_t line) {
  place_line(p, w, line);
  place_thread(p, w, w->number * WARP_LANES + lane);
}

static Report report_at(const Warp *w, ReportKind kind, uint32_t line, unsigned lane) {
  Report r = report_make(kind);
  r.kernel = w->block->run->function->name;
  watch_place(&r.at, w, lane, line);
  return r;
}

uint32_t watch_site_line(const Warp *w, uint32_t site) {
  const PtxModule *m = w->block->run->module;
  for (uint32_t n = 0; n < m->nfunctions; n++)
    for (uint32_t i = 0; i < m->functions[n].ncode; i++) {
      const PtxInsn *insn = &m->functions[n].code[i];
      bool access = insn->form == PTX_LD || insn->form == PTX_ST || insn->form == PTX_ATOM;
      if (access && insn->site == site)
        return insn->line;
    }
  return 0;
}

/* ---- what was touched ------------------------------------------------------------------------ */
const PtxVariable *watch_shared_variable(const PtxModule *m, const PtxFunction *f, uint64_t address,
                                         uint32_t *start) {
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

/* Buffer, element, row and column of an address. */
static void describe(Report *r, const Warp *w, PtxSpace space, uint64_t address, unsigned bytes) {
  if (space == PTX_SHARED) {
    uint32_t start = 0;
    const Run *run = w->block->run;
    const PtxVariable *v = watch_shared_variable(run->module, run->function, address, &start);
    r->space = "shared";
    if (v)
      name_plain(v->name, r->buffer, sizeof r->buffer);
    r->element = (int64_t)((address - start) / bytes);
    return;
  }
  if (space == PTX_LOCAL) {
    r->space = "local";
    r->element = (int64_t)(address / bytes);
    return;
  }
  r->space = space == PTX_CONST ? "constant" : "global";
  const Allocation *a = memory_find(address);
  if (!a)
    a = memory_nearest(address);
  if (!a)
    return;
  if (a->name)
    name_plain(a->name, r->buffer, sizeof r->buffer);
  else
    snprintf(r->buffer, sizeof r->buffer, "allocation %" PRIu32 " (%zu bytes)", a->number,
             a->bytes);
  size_t size = a->element_bytes ? a->element_bytes : bytes;
  if (address < a->address)
    return;
  r->element = (int64_t)((address - a->address) / size);
  if (a->columns) {
    r->row = r->element / (int64_t)a->columns;
    r->column = r->element % (int64_t)a->columns;
  }
}

static const char *element_text(const Report *r, char *out, size_t size) {
  if (r->element < 0)
    snprintf(out, size, "%s", r->buffer[0] ? r->buffer : "memory");
  else if (r->row >= 0)
    snprintf(out, size, "%s, row %" PRId64 ", column %" PRId64, r->buffer, r->row, r->column);
  else
    snprintf(out, size, "%s, element %" PRId64, r->buffer[0] ? r->buffer : r->space, r->element);
  return out;
}

/* ---- wrong addresses ------------------------------------------------------------------------- */
static const char *access_verb(const PtxInsn *insn) {
  return insn->form == PTX_LD ? "read" : insn->form == PTX_ST ? "write" : "atomic operation";
}

static ReportKind kind_of_address(PtxSpace space, uint64_t address) {
  if (space == PTX_SHARED || space == PTX_LOCAL || space == PTX_PARAM)
    return REPORT_OUT_OF_BOUNDS;
  if (address < 65536)
    return REPORT_NULL_POINTER;
  if (!memory_is_device(address))
    return memory_nearest(address) ? REPORT_OUT_OF_BOUNDS : REPORT_HOST_POINTER;
  const Allocation *near = memory_nearest(address);
  return near && !near->live && address - near->address < near->bytes ? REPORT_USE_AFTER_FREE
                                                                      : REPORT_OUT_OF_BOUNDS;
}

void watch_out_of_bounds(Warp *w, const PtxInsn *insn, unsigned lane, PtxSpace space,
                         uint64_t address, unsigned bytes) {
  run_fail(w->worker->run, LAUNCH_ILLEGAL_ADDRESS);
  ReportKind kind = kind_of_address(space, address);
  Report r = report_at(w, kind, insn->line, lane);
  r.at.column = insn->column;
  describe(&r, w, space, address, bytes);
  char element[128];
  element_text(&r, element, sizeof element);
  const char *verb = access_verb(insn);
  const Allocation *near =
      space == PTX_GLOBAL || space == PTX_CONST ? memory_nearest(address) : NULL;
  switch (kind) {
  case REPORT_NULL_POINTER:
    r.element = -1;
    snprintf(r.sentence, sizeof r.sentence, "%s through a null pointer", verb);
    break;
  case REPORT_HOST_POINTER:
    r.element = -1;
    snprintf(r.sentence, sizeof r.sentence, "%s through a pointer that is not the device's", verb);
    break;
  case REPORT_USE_AFTER_FREE:
    snprintf(r.sentence, sizeof r.sentence, "%s of freed memory: %s", verb, element);
    break;
  default:
    if (space == PTX_SHARED)
      snprintf(r.sentence, sizeof r.sentence,
               "%s out of bounds of shared memory: byte %" PRIu64 " of %u", verb, address,
               w->block->shared_bytes);
    else if (space == PTX_LOCAL)
      snprintf(r.sentence, sizeof r.sentence, "%s out of bounds of a thread's local array", verb);
    else if (near && address < near->address)
      snprintf(r.sentence, sizeof r.sentence, "%s out of bounds: %" PRIu64 " bytes before %s", verb,
               near->address - address, r.buffer);
    else if (near)
      snprintf(r.sentence, sizeof r.sentence, "%s out of bounds: %s; it has %zu", verb, element,
               near->bytes / (near->element_bytes ? near->element_bytes : bytes));
    else
      snprintf(r.sentence, sizeof r.sentence,
               "%s out of bounds: address 0x%" PRIx64 " is in no buffer", verb, address);
  }
  snprintf(r.at.did, sizeof r.at.did, "%s", insn->form == PTX_LD ? "read it" : "wrote it");
  report_file(&r);
}

void watch_misaligned(Warp *w, const PtxInsn *insn, unsigned lane, PtxSpace space, uint64_t address,
                      unsigned bytes) {
  run_fail(w->worker->run, LAUNCH_MISALIGNED);
  Report r = report_at(w, REPORT_MISALIGNED, insn->line, lane);
  r.at.column = insn->column;
  describe(&r, w, space, address, bytes);
  snprintf(r.sentence, sizeof r.sentence, "%s of %u bytes at an address that is no multiple of %u",
           access_verb(insn), bytes, bytes);
  report_file(&r);
}

/* ---- races ----------------------------------------------------------------------------------- */
void watch_shared_race(Warp *w, const PtxInsn *insn, unsigned lane, uint32_t offset, uint32_t old,
                       bool in_warp, bool wrote_before, bool writes_now, bool same_value) {
  ReportKind kind = same_value ? REPORT_SAME_VALUE
                    : in_warp  ? REPORT_RACE_WARP
                               : REPORT_RACE_SHARED;
  Report r = report_at(w, kind, insn->line, lane);
  r.other = r.at;
  place_line(&r.at, w, watch_site_line(w, old & SHADOW_SITE_MASK)); /* the earlier access first */
  place_thread(&r.at, w, (old & SHADOW_THREAD_MASK) >> SHADOW_THREAD);
  snprintf(r.at.did, sizeof r.at.did, "%s it", wrote_before ? "wrote" : "read");
  snprintf(r.other.did, sizeof r.other.did, "%s it", writes_now ? "wrote" : "read");
  describe(&r, w, PTX_SHARED, offset, 4);
  snprintf(r.sentence, sizeof r.sentence, "%s on %s, word %" PRId64,
           same_value ? "same value written twice" : "race",
           r.buffer[0] ? r.buffer : "shared memory", r.element);
  report_file(&r);
}

void watch_global_race(Warp *w, const PtxInsn *insn, unsigned lane, const Allocation *a,
                       uint64_t address, uint64_t old_block, uint32_t old_thread, uint32_t old_site,
                       bool wrote_before, bool writes_now, bool same_value) {
  (void)a;
  Report r = report_at(w, same_value ? REPORT_SAME_VALUE : REPORT_RACE_GLOBAL, insn->line, lane);
  r.other = r.at;
  place_line(&r.at, w, watch_site_line(w, old_site));
  place_thread(&r.at, w, old_thread);
  const uint32_t *grid = w->block->run->launch->grid;
  r.at.block[0] = (uint32_t)(old_block % grid[0]);
  r.at.block[1] = (uint32_t)(old_block / grid[0] % grid[1]);
  r.at.block[2] = (uint32_t)(old_block / grid[0] / grid[1]);
  snprintf(r.at.did, sizeof r.at.did, "%s it", wrote_before ? "wrote" : "read");
  snprintf(r.other.did, sizeof r.other.did, "%s it", writes_now ? "wrote" : "read");
  describe(&r, w, PTX_GLOBAL, address, ptx_type_bytes((PtxType)insn->type));
  char element[128];
  snprintf(r.sentence, sizeof r.sentence, "%s between blocks on %s",
           same_value ? "same value written twice" : "race",
           element_text(&r, element, sizeof element));
  report_file(&r);
}

/* ---- undefined values, and the end of it ----------------------------------------------------- */
void watch_undefined(Warp *w, const Origin *origin, unsigned lane, uint32_t line, const char *use) {
  Report r = report_at(w, REPORT_UNINITIALISED, line, lane);
  if (!origin) {
    snprintf(r.sentence, sizeof r.sentence, "a variable that nothing set %s", use);
    r.cause = "give the variable a value on every path that leads here";
    report_file(&r);
    return;
  }
  r.other = r.at;
  place_line(&r.at, w, origin->insn->line);
  place_thread(&r.at, w, w->number * WARP_LANES + lane);
  snprintf(r.at.did, sizeof r.at.did, "read it");
  snprintf(r.other.did, sizeof r.other.did, "here the value %s", use);
  describe(&r, w, (PtxSpace)origin->space, origin->address,
           ptx_type_bytes((PtxType)origin->insn->type));
  char element[128];
  snprintf(r.sentence, sizeof r.sentence, "read of %s memory that nothing wrote: %s", r.space,
           element_text(&r, element, sizeof element));
  report_file(&r);
}

void watch_endless(Warp *w, uint32_t line, unsigned lane) {
  Report r = report_at(w, REPORT_ENDLESS, line, lane);
  snprintf(r.sentence, sizeof r.sentence,
           "kernel does not end: a warp took more than %" PRIu64 " branches",
           machine_settings()->branch_limit);
  snprintf(r.at.did, sizeof r.at.did, "is still looping here");
  report_file(&r);
}

void watch_stop(Warp *w, ReportKind kind, uint32_t line, unsigned lane, const char *sentence) {
  Report r = report_at(w, kind, line, lane);
  snprintf(r.sentence, sizeof r.sentence, "%s", sentence);
  report_file(&r);
}
