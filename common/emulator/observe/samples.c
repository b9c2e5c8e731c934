/* Takes samples of memory requests, merges the samples of all workers, and writes them to the log
 * (samples.h). */
#include "samples.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../state/lanes.h"
#include "log.h"
#include "names.h"
#include "mistakes.h"

struct Sample {
  /* `grid_number`: Warp.grid_number of the sampled warp. `launch`: number of the launch among the
   * launches of the kernel. */
  uint64_t grid_number, launch;
  uint32_t block[3], threads[3], warp;
  /* PTX_SHARED or PTX_GLOBAL. */
  PtxSpace space;
  /* In global memory: the buffer that the lowest lane accesses. The pointer stays valid, because
   * allocations are only marked as freed. */
  const Allocation *buffer;
  /* The lanes that access `buffer`, or shared memory if `space` is PTX_SHARED. */
  uint32_t lanes;
  /* Number of the other lanes of the request: those that access other memory or have an invalid
   * address. */
  unsigned elsewhere;
  /* Number of sectors of the whole request. */
  unsigned sectors;
  /* Number of wavefronts of the whole request. */
  BankUse use;
  /* For each lane in `lanes`: its offset in the buffer or in shared memory. */
  uint64_t offset[WARP_LANES];
};

static bool is_sampled(const PtxInsn *insn) {
  bool access = insn->form == PTX_LD || insn->form == PTX_ST || insn->form == PTX_ATOM;
  return access &&
         (insn->space == PTX_GLOBAL || insn->space == PTX_SHARED || insn->space == PTX_GENERIC);
}

void samples_want(FunctionCount *c, const PtxFunction *f) {
  if (!log_wanted())
    return;
  for (uint32_t k = 0; k < f->nblocks; k++)
    samples_settle(c, f, &f->blocks[k]);
}

void samples_settle(FunctionCount *c, const PtxFunction *f, const PtxBlock *b) {
  uint64_t latest = 0;
  for (uint32_t i = b->first; i < b->first + b->count; i++) {
    uint64_t grid_number = c->samples[i] ? c->samples[i]->grid_number : UINT64_MAX;
    if (is_sampled(&f->code[i]) && grid_number > latest)
      latest = grid_number;
  }
  c->blocks[b - f->blocks].unsampled = latest;
}

/* ---- taking a sample ------------------------------------------------------------------------- */
/* Finds the space and the buffer of a lane's address. A generic address of shared memory is
 * converted to an offset in shared memory. Returns false if the address is invalid or in local
 * memory; such lanes are not sampled. */
static bool resolve(const Warp *w, const PtxInsn *insn, uint64_t *address, unsigned bytes,
                    PtxSpace *space, const Allocation **buffer) {
  *space = (PtxSpace)insn->space;
  *buffer = NULL;
  if (*space == PTX_GENERIC && *address - PTX_LOCAL_WINDOW < PTX_WINDOW_BYTES)
    return false;
  if (*space == PTX_GENERIC) {
    bool shared = *address - PTX_SHARED_WINDOW < PTX_WINDOW_BYTES;
    *space = shared ? PTX_SHARED : PTX_GLOBAL;
    *address -= shared ? PTX_SHARED_WINDOW : 0;
  }
  if (*address & (bytes - 1))
    return false;
  if (*space == PTX_SHARED)
    return *address <= w->shared_bytes && bytes <= w->shared_bytes - *address;
  *buffer = memory_find(*address);
  return *buffer && bytes <= (*buffer)->bytes - (*address - (*buffer)->address) &&
         (insn->form == PTX_LD || (*buffer)->kind != MEMORY_CONSTANT);
}

/* Fills in the sample with the lanes that access the same buffer as the lowest lane with a valid
 * address, or that access shared memory like this lane. Returns false if no lane has a valid
 * address. */
static bool gather(Sample *s, const Warp *w, const Frame *f, const PtxInsn *insn, uint32_t lanes) {
  uint64_t address[WARP_LANES];
  /* Addresses relative to the 4096-byte boundary below the address of the lowest valid lane. */
  uint32_t near[WARP_LANES];
  /* The lanes that access the same space as the lowest valid lane. The sectors or wavefronts of the
   * sample are those of all these lanes. */
  uint32_t together = 0;
  unsigned bytes = access_bytes(insn);
  lane_addresses(f->registers, insn, address);
  memset(s, 0, sizeof *s);
  EACH_SET(lane, lanes) {
    PtxSpace space;
    const Allocation *buffer;
    if (!resolve(w, insn, &address[lane], bytes, &space, &buffer))
      continue;
    if (!together)
      s->space = space, s->buffer = buffer;
    together |= (uint32_t)(space == s->space) << lane;
    s->lanes |= (uint32_t)(space == s->space && buffer == s->buffer) << lane;
    s->offset[lane] = address[lane] - (buffer ? buffer->address : 0);
  }
  if (!together)
    return false;
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    near[lane] = (uint32_t)(address[lane] - (address[lowest(together)] & ~(uint64_t)4095));
  s->elsewhere = (unsigned)__builtin_popcount(lanes & ~s->lanes);
  if (s->space == PTX_SHARED)
    s->use = insn->form == PTX_ATOM ? banks_atomic(near, together, bytes, w->worker->run->bank_mode,
                                                   (PtxTurns)insn->merged.turns)
                                          .bank
                                    : banks_use(near, together, bytes, w->worker->run->bank_mode,
                                                insn->form == PTX_LD);
  else
    s->sectors = sectors_touched(near, together);
  return true;
}

void samples_take(Warp *w, const Frame *f, const PtxInsn *insn, uint32_t lanes) {
  Sample **kept = &f->count->samples[insn->number], s;
  if (!lanes || !is_sampled(insn) || (*kept && (*kept)->grid_number <= w->grid_number) ||
      !gather(&s, w, f, insn, lanes))
    return;
  s.grid_number = w->grid_number;
  s.warp = w->number;
  memcpy(s.block, w->block->index, sizeof s.block);
  memcpy(s.threads, w->block->run->launch->block, sizeof s.threads);
  if (!*kept)
    *kept = malloc(sizeof s);
  assert(*kept);
  **kept = s;
}

void samples_add(FunctionCount *to, FunctionCount *from, const PtxFunction *f, uint64_t launch) {
  for (uint32_t i = 0; i < f->ncode; i++) {
    Sample **kept = &to->samples[i], **other = &from->samples[i];
    if (!*other || (*kept && (*kept)->launch < launch))
      continue;
    (*other)->launch = launch;
    if (*kept && (*kept)->grid_number < (*other)->grid_number)
      continue;
    free(*kept);
    *kept = *other;
    *other = NULL;
  }
}

void samples_destroy(FunctionCount *c, const PtxFunction *f) {
  for (uint32_t i = 0; i < f->ncode; i++)
    free(c->samples[i]);
  free(c->samples);
}

/* ---- the log --------------------------------------------------------------------------------- */
static json_t *triple(const uint32_t *n) {
  return json_pack("[i,i,i]", (int)n[0], (int)n[1], (int)n[2]);
}

static void put(json_t *o, const char *key, uint64_t value) {
  json_object_set_new(o, key, json_integer((json_int_t)value));
}

static void put_buffer(json_t *o, const Allocation *a, unsigned element) {
  char name[64];
  if (a->name)
    name_plain(a->name, name, sizeof name);
  else
    snprintf(name, sizeof name, "allocation %u", a->number);
  json_object_set_new(o, "buffer", json_string(name));
  put(o, "buffer_bytes", a->bytes);
  put(o, "element", a->element_bytes ? a->element_bytes : element);
  if (a->columns) {
    put(o, "rows", a->rows);
    put(o, "columns", a->columns);
  }
}

static void put_array(json_t *o, const Sample *s, const PtxModule *m, const PtxFunction *kernel,
                      unsigned element) {
  uint32_t start;
  const PtxVariable *v = mistake_shared_variable(m, kernel, s->offset[lowest(s->lanes)], &start);
  char name[64] = "";
  if (v)
    name_plain(v->name, name, sizeof name);
  json_object_set_new(o, "buffer", json_string(name));
  put(o, "element", element);
}

json_t *samples_json(const Sample *s, const PtxModule *m, const PtxFunction *kernel,
                     const PtxInsn *insn) {
  bool shared = s->space == PTX_SHARED;
  json_t *offsets = json_array();
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    json_array_append_new(offsets, s->lanes >> lane & 1 ? json_integer((json_int_t)s->offset[lane])
                                                        : json_null());
  json_t *o = json_pack("{s:s, s:o, s:i, s:o, s:o}", "space", shared ? "shared" : "global", "block",
                        triple(s->block), "warp", (int)s->warp, "threads", triple(s->threads),
                        "offsets", offsets);
  if (s->elsewhere)
    put(o, "elsewhere", s->elsewhere);
  if (shared) {
    put_array(o, s, m, kernel, ptx_type_bytes((PtxType)insn->type));
    put(o, "wavefronts", s->use.wavefronts);
    put(o, "ideal", s->use.ideal);
  } else {
    put_buffer(o, s->buffer, ptx_type_bytes((PtxType)insn->type));
    put(o, "sectors", s->sectors);
  }
  return o;
}
