/* Computes the counters of each kernel from the counts of the workers, and writes them to the log
 * (counters.h). */
#include "counters.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../state/device.h"
#include "../state/occupancy.h"
#include "../state/settings.h"
#include "log.h"
#include "names.h"
#include "predict.h"
#include "report.h"
#include "samples.h"

/* The counts of one kernel, summed over its launches. */
typedef struct Total {
  const PtxModule *module;
  const PtxFunction *kernel;
  uint64_t launches, blocks, threads;
  /* The dimensions of the first launch. */
  uint32_t grid[3], block[3];
  /* Bytes of shared memory per block: the maximum over all launches. */
  uint32_t shared_bytes;
  /* [module->nfunctions] */
  FunctionCount *functions;
  struct Total *next;
} Total;

/* `totals`: the kernels launched since the last reset of the counters. `earlier`: the counts from
 * before the reset, which only the log reports. Both lists are in the order of each kernel's first
 * launch. */
static Total *totals, *earlier;

/* ---- while a kernel runs --------------------------------------------------------------------- */
void count_create(FunctionCount *c, const PtxFunction *f) {
  c->blocks = calloc(f->nblocks + 1u, sizeof *c->blocks);
  c->access = aligned_alloc(64, (f->ncode + 1u) * sizeof *c->access);
  c->samples = calloc(f->ncode + 1u, sizeof *c->samples);
  assert(c->blocks && c->access && c->samples);
  memset(c->access, 0, (f->ncode + 1u) * sizeof *c->access);
}

void count_destroy(FunctionCount *c, const PtxFunction *f) {
  samples_destroy(c, f);
  free(c->blocks);
  free(c->access);
}

/* Writes the offset of each lane from an aligned address that is below all lanes. `phase` is added
 * to all offsets. */
static void offsets_from(uint32_t *out, const Shape *shape, uint32_t phase) {
  const uint32_t row = 2 * 4 * BANKS, origin = (shape->below + row - 1) / row * row + phase;
  for (uint32_t lane = 0; lane < WARP_LANES; lane++)
    out[lane] = origin + shape->offset[lane];
}

static BankUse use_of(const Shape *shape, const uint32_t *offset, unsigned bytes, BankMode mode,
                      bool load) {
  if (bytes <= 4 && mode == BANKS_4 && shape->span <= banks_row_bytes(mode))
    return (BankUse){1, 1}; /* each bank delivers at most one word */
  return banks_use(offset, shape->lanes, bytes, mode, load);
}

static BankUse shared_use(const Shape *shape, const PtxInsn *insn, uint32_t phase, BankMode mode) {
  const unsigned bytes = access_bytes(insn);
  uint32_t offset[WARP_LANES];
  offsets_from(offset, shape, phase);
  return insn->form == PTX_ATOM
             ? banks_atomic(offset, shape->lanes, bytes, mode, (PtxTurns)insn->merged.turns).bank
             : use_of(shape, offset, bytes, mode, insn->form == PTX_LD);
}

/* Returns the cost on a GPU, whose assembler merges accesses. The offsets begin well above 0,
 * because a merged access may begin below the original access. */
static AtomicUse gpu_use(const Shape *shape, const PtxInsn *insn, uint32_t phase, BankMode mode,
                         BankUse own) {
  const PtxMerged *merged = &insn->merged;
  uint32_t offset[WARP_LANES];
  AtomicUse use = {.requests = 1};
  if (insn->form == PTX_ATOM && merged->turns != PTX_TURNS_LOOP)
    return use;
  if (insn->form != PTX_ATOM && !merged->bytes)
    return (AtomicUse){.requests = 0};
  if (insn->form != PTX_ATOM && merged->bytes == access_bytes(insn) && !merged->before) {
    use.load = own;
    return use;
  }
  offsets_from(offset, shape, phase);
  for (int lane = 0; lane < WARP_LANES; lane++)
    offset[lane] += banks_row_bytes(mode) - merged->before;
  if (insn->form == PTX_ATOM)
    return banks_atomic(offset, shape->lanes, access_bytes(insn), mode, (PtxTurns)merged->turns);
  use.load = use_of(shape, offset, merged->bytes, mode, insn->form == PTX_LD);
  return use;
}

void count_banks(Shape *shape, const PtxInsn *insn, uint64_t key, BankMode mode) {
  const uint32_t phase = (uint32_t)key;
  const BankUse use = shared_use(shape, insn, phase, mode);
  const AtomicUse gpu = gpu_use(shape, insn, phase, mode, use);
  shape->cost_key[insn->merged.slot] = key;
  shape->cost[insn->merged.slot] = (Requests){.requests = 1,
                                              .lanes = shape->nlanes,
                                              .wavefronts = use.wavefronts,
                                              .ideal = use.ideal,
                                              .gpu_requests = gpu.requests,
                                              .gpu_wavefronts = gpu.load.wavefronts,
                                              .gpu_ideal = gpu.load.ideal};
}

uint32_t count_sectors(Shape *shape, const PtxInsn *insn, uint32_t phase) {
  uint32_t offset[WARP_LANES];
  offsets_from(offset, shape, phase);
  const unsigned sectors =
      insn->space == PTX_CONST ? (unsigned)__builtin_popcount(lanes_first(offset, shape->lanes))
      : insn->form != PTX_ATOM ? sectors_touched(offset, shape->lanes)
      : insn->merged.turns == PTX_TURNS_ONE ? 1
                                            : sectors_in_turn(offset, shape->lanes);
  return shape->sectors[phase] = (uint8_t)sectors;
}

/* ---- all launches of a kernel ---------------------------------------------------------------- */
static Total *total_in(Total **at, const PtxModule *module, const PtxFunction *kernel) {
  for (; *at; at = &(*at)->next)
    if ((*at)->kernel == kernel)
      return *at;
  Total *t = *at = calloc(1, sizeof *t);
  assert(t);
  t->module = module;
  t->kernel = kernel;
  t->functions = calloc(t->module->nfunctions, sizeof *t->functions);
  assert(t->functions);
  for (uint32_t i = 0; i < t->module->nfunctions; i++)
    count_create(&t->functions[i], &t->module->functions[i]);
  return t;
}

static void add_function(FunctionCount *to, FunctionCount *from, const PtxFunction *f,
                         uint64_t launch) {
  for (uint32_t k = 0; k < f->nblocks; k++) {
    to->blocks[k].runs += from->blocks[k].runs;
    to->blocks[k].lanes += from->blocks[k].lanes;
    to->blocks[k].diverged += from->blocks[k].diverged;
  }
  for (uint32_t k = 0; k < f->ncode; k++) {
    to->access[k].whole += from->access[k].whole;
    to->access[k].same += from->access[k].same;
    add_requests(&to->access[k].sum, &from->access[k].sum);
  }
  to->guarded_flop += from->guarded_flop;
  samples_add(to, from, f, launch);
}

static void note_launch(Total *t, const uint32_t *grid, const uint32_t *block,
                        uint32_t shared_bytes) {
  if (t->launches == 0) {
    memcpy(t->grid, grid, sizeof t->grid);
    memcpy(t->block, block, sizeof t->block);
  }
  if (shared_bytes > t->shared_bytes)
    t->shared_bytes = shared_bytes;
}

void counters_launch(const Run *run) {
  Total *t = total_in(&totals, run->module, run->function);
  note_launch(t, run->launch->grid, run->launch->block, run->shared_bytes);
  t->launches++;
}

/* Adds the wavefronts of full-warp accesses without conflicts. Their number depends on the bank
 * mode of this launch. */
static void add_whole_warps(FunctionCount *c, const PtxFunction *f, unsigned banks) {
  for (uint32_t k = 0; k < f->ncode; k++) {
    AccessCount *a = &c->access[k];
    if (f->code[k].space != PTX_SHARED || !(a->whole | a->same))
      continue;
    unsigned bytes = access_bytes(&f->code[k]);
    uint64_t wavefronts =
        a->whole * banks_consecutive(bytes, banks) + a->same * banks_same(bytes, banks);
    a->sum.wavefronts += wavefronts;
    a->sum.ideal += wavefronts;
    bytes = f->code[k].merged.bytes;
    if (!bytes)
      continue;
    wavefronts = a->whole * banks_consecutive(bytes, banks) + a->same * banks_same(bytes, banks);
    a->sum.gpu_requests += a->whole + a->same;
    a->sum.gpu_wavefronts += wavefronts;
    a->sum.gpu_ideal += wavefronts;
  }
}

void counters_add(const Run *run, Worker *worker) {
  Total *t = total_in(&totals, run->module, run->function);
  t->blocks += worker->blocks_run;
  t->threads += worker->blocks_run * run->nthreads;
  for (uint32_t i = 0; i < t->module->nfunctions; i++) {
    FunctionCount *counted = &worker->observed->functions[i];
    if (!counted->blocks)
      continue;
    add_whole_warps(counted, &t->module->functions[i], run->bank_mode);
    add_function(&t->functions[i], counted, &t->module->functions[i], t->launches);
  }
}

static void add_total(Total *to, Total *from) {
  note_launch(to, from->grid, from->block, from->shared_bytes);
  for (uint32_t i = 0; i < to->module->nfunctions; i++)
    add_function(&to->functions[i], &from->functions[i], &to->module->functions[i],
                 to->launches + 1);
  to->launches += from->launches;
  to->blocks += from->blocks;
  to->threads += from->threads;
}

static void free_total(Total *t) {
  for (uint32_t i = 0; i < t->module->nfunctions; i++)
    count_destroy(&t->functions[i], &t->module->functions[i]);
  free(t->functions);
  free(t);
}

/* Returns the counts of one access instruction, including the requests of full warps that are
 * counted separately. */
static AccessCount access_of(const AccessCount *counted) {
  AccessCount a = *counted;
  a.sum.requests += a.whole + a.same;
  a.sum.lanes += (a.whole + a.same) * WARP_LANES;
  return a;
}

/* ---- derived counters ------------------------------------------------------------------------ */
/* Returns the space for which an access is counted. For an access through a generic pointer, this
 * is the space that it accessed: shared if wavefronts were counted, global if sectors were counted,
 * otherwise local. */
static PtxSpace space_of(const PtxInsn *insn, const AccessCount *a) {
  if (insn->space != PTX_GENERIC)
    return (PtxSpace)insn->space;
  return a->sum.wavefronts ? PTX_SHARED : a->sum.sectors ? PTX_GLOBAL : PTX_LOCAL;
}

/* Adds the counts of an atomic operation on shared memory. If the operation is executed as a loop,
 * it also loads before each attempt. */
static void sum_shared_atomic(EmulatorCounters *c, const PtxInsn *insn, const AccessCount *a) {
  c->shared_atomic_requests += a->sum.requests;
  c->shared_atomic_wavefronts += a->sum.wavefronts;
  c->shared_atomic_conflicts += a->sum.wavefronts - a->sum.ideal;
  c->gpu_shared_atomic_requests += a->sum.gpu_requests;
  if (insn->merged.turns == PTX_TURNS_LOOP)
    c->gpu_shared_load_requests += a->sum.gpu_requests;
  c->gpu_shared_load_wavefronts += a->sum.gpu_wavefronts;
  c->gpu_shared_load_conflicts += a->sum.gpu_wavefronts - a->sum.gpu_ideal;
}

static void sum_access(EmulatorCounters *c, const PtxInsn *insn, const AccessCount *a) {
  uint64_t bytes = a->sum.lanes * access_bytes(insn);
  bool load = insn->form == PTX_LD;
  switch (space_of(insn, a)) {
  case PTX_GLOBAL:
    if (insn->form == PTX_ATOM) {
      c->global_atomic_requests += a->sum.requests;
      c->global_atomic_sectors += a->sum.sectors;
      break;
    }
    *(load ? &c->global_load_requests : &c->global_store_requests) += a->sum.requests;
    *(load ? &c->global_load_sectors : &c->global_store_sectors) += a->sum.sectors;
    if (load && insn->flags & PTX_ASYNC)
      c->global_load_sectors += a->sum.requests; /* a GPU counts one more sector for each cp.async
                                                  */
    *(load ? &c->global_load_bytes : &c->global_store_bytes) += bytes;
    break;
  case PTX_SHARED:
    if (insn->form == PTX_ATOM) {
      sum_shared_atomic(c, insn, a);
      break;
    }
    *(load ? &c->shared_load_requests : &c->shared_store_requests) += a->sum.requests;
    *(load ? &c->shared_load_wavefronts : &c->shared_store_wavefronts) += a->sum.wavefronts;
    *(load ? &c->shared_load_conflicts : &c->shared_store_conflicts) +=
        a->sum.wavefronts - a->sum.ideal;
    *(load ? &c->shared_load_bytes : &c->shared_store_bytes) += bytes;
    if (!load && insn->flags & PTX_ASYNC)
      break; /* a GPU does not count the store of a cp.async */
    *(load ? &c->gpu_shared_load_requests : &c->gpu_shared_store_requests) += a->sum.gpu_requests;
    *(load ? &c->gpu_shared_load_wavefronts : &c->gpu_shared_store_wavefronts) +=
        a->sum.gpu_wavefronts;
    *(load ? &c->gpu_shared_load_conflicts : &c->gpu_shared_store_conflicts) +=
        a->sum.gpu_wavefronts - a->sum.gpu_ideal;
    break;
  case PTX_LOCAL:
    c->local_requests += a->sum.requests;
    c->printed_requests += insn->parameter == PTX_PRINTED ? a->sum.requests : 0;
    break;
  case PTX_CONST:
    c->constant_passes += a->sum.sectors;
    break;
  default:
    break;
  }
}

static bool is_access(const PtxInsn *insn) {
  return insn->form == PTX_LD || insn->form == PTX_ST || insn->form == PTX_ATOM;
}

static void sum_block(EmulatorCounters *c, const PtxFunction *f, const FunctionCount *count,
                      uint32_t block) {
  const PtxBlock *b = &f->blocks[block];
  const uint64_t runs = count->blocks[block].runs, lanes = count->blocks[block].lanes;
  uint64_t flop = 0;
  uint64_t length = b->count + (b->end != PTX_END_FALL);
  c->warp_instructions += runs * length;
  c->thread_instructions += lanes * length;
  c->branches += b->end == PTX_END_IF ? runs : 0;
  c->divergent_branches += count->blocks[block].diverged;
  for (uint32_t i = b->first; i < b->first + b->count; i++) {
    const PtxInsn *insn = &f->code[i];
    if (insn->form == PTX_ALU && insn->guard == PTX_NO_REG)
      flop += ptx_op_flop((PtxOp)insn->op);
    if (insn->form == PTX_BARRIER)
      c->barriers += runs;
    if (insn->form == PTX_SHFL)
      c->shuffles += runs;
    if (insn->form == PTX_VOTE || insn->form == PTX_MATCH || insn->form == PTX_REDUX ||
        insn->form == PTX_MMA || insn->form == PTX_ROWS)
      c->exchanges += runs;
    if (insn->form == PTX_TEX)
      c->texture_requests += runs;
    if (insn->form == PTX_LD && insn->space == PTX_CONST)
      c->constant_requests += runs;
    if (insn->form == PTX_ALU && strstr(ptx_op_name((PtxOp)insn->op), "f64")) {
      c->double_instructions += runs;
      c->printed_doubles += insn->parameter == PTX_PRINTED ? runs : 0;
    }
    if (is_access(insn)) {
      AccessCount a = access_of(&count->access[i]);
      sum_access(c, insn, &a);
    }
  }
  c->flop += flop * lanes;
}

static void sum(EmulatorCounters *c, const Total *t) {
  c->launches += t->launches;
  c->blocks += t->blocks;
  c->threads += t->threads;
  for (uint32_t i = 0; i < t->module->nfunctions; i++) {
    const PtxFunction *f = &t->module->functions[i];
    for (uint32_t k = 0; k < f->nblocks; k++)
      sum_block(c, f, &t->functions[i], k);
    c->flop += t->functions[i].guarded_flop;
  }
}

int emulator_counters(const char *kernel, EmulatorCounters *out) {
  memset(out, 0, sizeof *out);
  int found = 0;
  for (const Total *t = totals; t; t = t->next)
    if (!kernel || strcmp(kernel, t->kernel->name) == 0) {
      sum(out, t);
      found = t->launches > 0 || found;
    }
  return found;
}

int emulator_parameter_access(const char *kernel, int parameter, EmulatorAccess *out) {
  memset(out, 0, sizeof *out);
  int found = 0;
  for (const Total *t = totals; t; t = t->next) {
    if (strcmp(kernel, t->kernel->name) != 0)
      continue;
    found = 1;
    size_t index = (size_t)(t->kernel - t->module->functions);
    for (uint32_t i = 0; i < t->kernel->ncode; i++) {
      const PtxInsn *insn = &t->kernel->code[i];
      const AccessCount counted = access_of(&t->functions[index].access[i]), *a = &counted;
      if (!is_access(insn) || insn->form == PTX_ATOM || space_of(insn, a) != PTX_GLOBAL ||
          (parameter >= 0 && insn->parameter != parameter))
        continue;
      *(insn->form == PTX_LD ? &out->load_requests : &out->store_requests) += a->sum.requests;
      *(insn->form == PTX_LD ? &out->load_sectors : &out->store_sectors) += a->sum.sectors;
    }
  }
  return found;
}

void emulator_reset_counters(void) {
  predict_reset();
  while (totals) {
    Total *t = totals;
    totals = t->next;
    if (log_wanted())
      add_total(total_in(&earlier, t->module, t->kernel), t);
    free_total(t);
  }
}

/* ---- the log --------------------------------------------------------------------------------- */
static json_t *counters_json(const Total *t) {
  EmulatorCounters c = {0};
  sum(&c, t);
  json_t *object = json_object();
#define COUNTER(name, metric, meaning)                                                             \
  json_object_set_new(object, #name, json_integer((json_int_t)c.name));
#include "counters.def"
  return object;
}

static const char *space_name(PtxSpace space) {
  static const char *names[] = {"generic", "global", "constant", "shared", "local", "parameter"};
  return names[space];
}

static json_t *accesses_json(const Total *t) {
  json_t *list = json_array();
  for (uint32_t n = 0; n < t->module->nfunctions; n++) {
    const PtxFunction *f = &t->module->functions[n];
    for (uint32_t i = 0; i < f->ncode; i++) {
      const PtxInsn *insn = &f->code[i];
      const AccessCount counted = access_of(&t->functions[n].access[i]), *a = &counted;
      if (!is_access(insn) || a->sum.requests == 0)
        continue;
      char op[48];
      snprintf(op, sizeof op, "%s.%s%s.%s",
               insn->form == PTX_LD   ? "ld"
               : insn->form == PTX_ST ? "st"
                                      : "atom",
               space_name((PtxSpace)insn->space),
               insn->count == 2   ? ".v2"
               : insn->count == 4 ? ".v4"
                                  : "",
               ptx_type_name((PtxType)insn->type));
      json_t *access =
          json_pack("{s:s, s:i, s:i, s:s, s:s, s:i, s:i, s:I, s:I, s:I, s:I, s:I}", "file",
                    ptx_file(t->module, insn->line), "line", (int)ptx_line(t->module, insn->line),
                    "column", (int)insn->column, "op", op, "space", space_name(space_of(insn, a)),
                    "parameter", (int)insn->parameter, "bytes", (int)access_bytes(insn), "requests",
                    (json_int_t)a->sum.requests, "lanes", (json_int_t)a->sum.lanes, "sectors",
                    (json_int_t)a->sum.sectors, "wavefronts", (json_int_t)a->sum.wavefronts,
                    "ideal", (json_int_t)a->sum.ideal);
      if (t->functions[n].samples[i])
        json_object_set_new(access, "sample",
                            samples_json(t->functions[n].samples[i], t->module, t->kernel, insn));
      json_array_append_new(list, access);
    }
  }
  return list;
}

static json_t *lines_json(const Total *t) {
  json_t *list = json_array();
  uint64_t *executed = calloc(2 * (size_t)t->module->nlines, sizeof *executed),
           *lanes = executed + t->module->nlines;
  assert(executed);
  for (uint32_t n = 0; n < t->module->nfunctions; n++) {
    const PtxFunction *f = &t->module->functions[n];
    for (uint32_t k = 0; k < f->nblocks; k++) {
      const PtxBlock *b = &f->blocks[k];
      for (uint32_t i = b->first; i < b->first + b->count + (b->end != PTX_END_FALL); i++) {
        uint32_t line = i < b->first + b->count ? f->code[i].line : b->line;
        executed[line] += t->functions[n].blocks[k].runs;
        lanes[line] += t->functions[n].blocks[k].lanes;
      }
    }
  }
  for (uint32_t line = 1; line < t->module->nlines; line++)
    if (executed[line] && ptx_line(t->module, line))
      json_array_append_new(
          list, json_pack("{s:s, s:i, s:I, s:I}", "file", ptx_file(t->module, line), "line",
                          (int)ptx_line(t->module, line), "executed", (json_int_t)executed[line],
                          "lanes", (json_int_t)lanes[line]));
  free(executed);
  return list;
}

/* Lists the shared arrays of the kernel. All dynamic arrays begin at the same offset, after the
 * static arrays. */
static json_t *shared_json(const Total *t) {
  json_t *list = json_array();
  uint32_t fixed = (t->kernel->shared_bytes + 15) / 16 * 16;
  for (uint32_t i = 0; i < t->module->nshared; i++) {
    const PtxVariable *v = &t->module->shared[i];
    uint32_t offset = v->is_extern ? fixed : t->kernel->shared_offset[i];
    if (offset == UINT32_MAX || offset >= t->shared_bytes)
      continue;
    char name[64];
    name_plain(v->name, name, sizeof name);
    json_array_append_new(
        list, json_pack("{s:s, s:I, s:I, s:b}", "name", name, "offset", (json_int_t)offset, "bytes",
                        (json_int_t)(v->is_extern ? t->shared_bytes - fixed : v->bytes), "dynamic",
                        v->is_extern));
  }
  return list;
}

static json_t *triple(const uint32_t *n) {
  return json_pack("[i,i,i]", (int)n[0], (int)n[1], (int)n[2]);
}

/* Returns two numbers of registers per thread: the maximum that are live at once, and the limit
 * that follows from the number of resident blocks that __launch_bounds__ requires. */
static json_t *registers_json(const PtxFunction *f) {
  const Device *card = selected_device();
  uint32_t left = occupancy_registers_left(card, f);
  return json_pack("{s:i, s:i}", "alive", (int)f->live_registers, "left", (int)left);
}

static void log_kernel(const Total *t) {
  json_t *event = json_pack("{s:s, s:s, s:I, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:o}", "event",
                            "kernel", "name", t->kernel->name, "launches", (json_int_t)t->launches,
                            "grid", triple(t->grid), "block", triple(t->block), "shared_bytes",
                            (json_int_t)t->shared_bytes, "shared", shared_json(t), "counters",
                            counters_json(t), "registers", registers_json(t->kernel), "accesses",
                            accesses_json(t), "lines", lines_json(t));
  json_t *predicted = predict_json(t->module, t->kernel);
  if (predicted)
    json_object_set_new(event, "predicted", predicted);
  log_event(event);
}

void counters_log(void) {
  emulator_reset_counters(); /* moves all counts to `earlier` */
  for (const Total *t = earlier; t; t = t->next)
    log_kernel(t);
}
