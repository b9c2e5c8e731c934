/* Assigns every virtual register a slot in the warp's register file.
 *
 * Registers that are never live at the same time share a slot, which keeps the register file small
 * enough for the first-level cache. The allocation is a linear scan over the final order of
 * instructions. Only registers of one class (predicates, 32-bit or 64-bit registers) share a slot:
 * diverged lanes may use the slot for different registers, and each class stores a lane at
 * different bytes of the slot. Constants and invariant registers do not share their slots.
 * Temporary registers, which are live only within one execution of one instruction block, share
 * slots only with each other. Diverged lanes have no values in these slots, so an instruction may
 * write a temporary register in all lanes.
 *
 * Liveness is computed for one register at a time. A walk starts at each read that has no write
 * before it in its instruction block, and follows the predecessors back to the writes. The walk
 * does not stop at a guarded write, because such a write keeps the old value of some lanes. The
 * visited range is the interval of the register. If the walk reaches the entry of the function, the
 * register may be read before it is written. */
#include <stdlib.h>

#include "ptx.h"

enum { MAX_STEPS = 1 << 26 };

/* A read or a write of a register. An instruction at position p reads at time 2p and writes at time
 * 2p + 1. The end of each instruction block has a position too. `kills`: a write without a guard.
 */
typedef struct Occurrence {
  uint32_t time, block;
  bool writes, kills;
} Occurrence;

typedef struct Interval {
  /* start > end: the register is never used. */
  uint32_t reg, start, end;
} Interval;

typedef struct Allocator {
  Decoder *decoder;
  PtxFunction *function;
  PtxArena *scratch;
  const Register *registers;
  uint32_t nregisters;
  /* The occurrences of register r are first[r] .. first[r + 1). */
  uint32_t *first;
  Occurrence *occurrences;
  /* The first and last time of each instruction block. */
  uint32_t *block_start, *block_end;
  uint32_t *predecessor_first, *predecessors;
  /* For each instruction block: 1 + the register that was last found to be live at the start of the
   * block (live_in), live at its end (live_out), or written in it without a guard (killed). The
   * arrays need not be cleared for the next register. */
  uint32_t *live_in, *live_out, *killed;
  uint32_t *todo, ntodo;
  /* At each time, the change of the number of live 32-bit registers; after sum_pressure, the
   * number. */
  int32_t *pressure;
  Interval *intervals;
  /* The byte offset of each register in the register file. */
  uint32_t *place;
  VECTOR(uint32_t) undefined;
  uint64_t steps;
} Allocator;

/* ---- operands ---------------------------------------------------------------------------- */

typedef void Visit(Allocator *, uint32_t *operand, bool writes, const PtxInsn *, uint32_t block,
                   uint32_t time);

static void visit_operands(Allocator *all, PtxInsn *insn, uint32_t block, uint32_t position,
                           Visit *visit) {
  uint32_t *reads[] = {&insn->a, &insn->b, &insn->c, &insn->mask, &insn->guard};
  uint32_t *writes[] = {&insn->d, &insn->e};
  const uint32_t written = ptx_written(insn);
  /* An ALU instruction reads the operands of a lane before it writes that lane, so its result may
   * use the slot of an operand. Other instructions do not guarantee this, so their operands stay
   * live until the write. */
  uint32_t read_time = 2 * position + (insn->form != PTX_ALU), write_time = 2 * position + 1;
  for (size_t i = 0; i < sizeof reads / sizeof reads[0]; i++)
    visit(all, reads[i], false, insn, block, read_time);
  for (uint32_t i = 0; i < insn->count; i++)
    visit(all, (uint32_t *)&insn->list[i], i < written, insn, block,
          i < written ? write_time : read_time);
  for (size_t i = 0; i < sizeof writes / sizeof writes[0]; i++)
    visit(all, writes[i], true, insn, block, write_time);
}

static void visit_function(Allocator *all, Visit *visit) {
  for (uint32_t b = 0; b < all->function->nblocks; b++) {
    PtxBlock *block = &all->function->blocks[b];
    for (uint32_t i = block->first; i < block->first + block->count; i++)
      visit_operands(all, &all->function->code[i], b, i + b, visit);
    visit(all, &block->predicate, false, NULL, b, 2 * (block->first + block->count + b));
  }
}

static bool is_allocated(const Allocator *all, uint32_t reg) {
  return reg != PTX_NO_REG && !all->registers[reg].constant;
}

static void count_occurrence(Allocator *all, uint32_t *operand, bool writes, const PtxInsn *insn,
                             uint32_t block, uint32_t time) {
  (void)writes, (void)insn, (void)block, (void)time;
  if (is_allocated(all, *operand))
    all->first[*operand + 1]++;
}

/* Adds an occurrence. During this pass, first[r + 1] is the index at which the next occurrence of
 * register r is stored. */
static void add_occurrence(Allocator *all, uint32_t *operand, bool writes, const PtxInsn *insn,
                           uint32_t block, uint32_t time) {
  if (is_allocated(all, *operand))
    all->occurrences[all->first[*operand + 1]++] =
        (Occurrence){time, block, writes, writes && insn->guard == PTX_NO_REG};
}

static void collect_occurrences(Allocator *all) {
  uint32_t total = 0;
  all->first = ARENA_ARRAY(all->scratch, uint32_t, all->nregisters + 2);
  visit_function(all, count_occurrence);
  for (uint32_t r = 0; r <= all->nregisters; r++) {
    uint32_t count = all->first[r + 1];
    all->first[r + 1] = total;
    total += r < all->nregisters ? count : 0;
  }
  all->occurrences = ARENA_ARRAY(all->scratch, Occurrence, total);
  visit_function(all, add_occurrence);
}

/* ---- liveness ---------------------------------------------------------------------------- */

typedef void VisitEdge(Allocator *, uint32_t from, uint32_t to);

static void visit_edges(Allocator *all, VisitEdge *visit) {
  for (uint32_t b = 0; b < all->function->nblocks; b++) {
    const PtxBlock *block = &all->function->blocks[b];
    if (block->end == PTX_END_BRANCH || block->end == PTX_END_IF)
      visit(all, b, block->taken);
    if (block->end == PTX_END_FALL || block->end == PTX_END_IF)
      visit(all, b, block->next);
    for (uint32_t i = 0; i < block->ntable; i++)
      visit(all, b, block->table[i]);
  }
}

static void count_edge(Allocator *all, uint32_t from, uint32_t to) {
  (void)from;
  all->predecessor_first[to + 1]++;
}

static void add_edge(Allocator *all, uint32_t from, uint32_t to) {
  all->predecessors[all->predecessor_first[to + 1]++] = from;
}

static void find_predecessors(Allocator *all) {
  uint32_t nblocks = all->function->nblocks, total = 0;
  all->predecessor_first = ARENA_ARRAY(all->scratch, uint32_t, nblocks + 2);
  visit_edges(all, count_edge);
  for (uint32_t b = 0; b <= nblocks; b++) {
    uint32_t count = all->predecessor_first[b + 1];
    all->predecessor_first[b + 1] = total;
    total += b < nblocks ? count : 0;
  }
  all->predecessors = ARENA_ARRAY(all->scratch, uint32_t, total);
  visit_edges(all, add_edge);
}

static void make_live_in(Allocator *all, uint32_t block, uint32_t stamp) {
  if (all->live_in[block] == stamp)
    return;
  all->live_in[block] = stamp;
  all->todo[all->ntodo++] = block;
}

/* Initialises live_in and killed for the register: live_in for blocks with a read that no unguarded
 * write precedes, killed for blocks with an unguarded write. */
static void start_walk(Allocator *all, uint32_t reg) {
  uint32_t stamp = reg + 1;
  all->ntodo = 0;
  for (uint32_t i = all->first[reg]; i < all->first[reg + 1]; i++) {
    const Occurrence *at = &all->occurrences[i];
    if (!at->writes && all->killed[at->block] != stamp)
      make_live_in(all, at->block, stamp);
    if (at->kills)
      all->killed[at->block] = stamp;
  }
}

static void add_pressure(Allocator *all, uint32_t reg, uint32_t start, uint32_t end) {
  static const int weight[CLASSES] = {[CLASS_PREDICATE] = 0, [CLASS_NARROW] = 1, [CLASS_WIDE] = 2};
  all->pressure[start] += weight[all->registers[reg].class];
  all->pressure[end + 1] -= weight[all->registers[reg].class];
}

static void extend(Interval *interval, uint32_t start, uint32_t end) {
  interval->start = start < interval->start ? start : interval->start;
  interval->end = end > interval->end ? end : interval->end;
}

static void walk_back(Allocator *all, Interval *interval) {
  uint32_t stamp = interval->reg + 1;
  for (uint32_t i = 0; i < all->ntodo; i++) {
    uint32_t block = all->todo[i];
    extend(interval, all->block_start[block], all->block_start[block]);
    for (uint32_t p = all->predecessor_first[block]; p < all->predecessor_first[block + 1]; p++) {
      uint32_t from = all->predecessors[p];
      all->steps++;
      if (all->live_out[from] == stamp)
        continue;
      all->live_out[from] = stamp;
      extend(interval, all->block_end[from], all->block_end[from]);
      if (all->killed[from] != stamp)
        make_live_in(all, from, stamp);
    }
  }
}

/* Adds the register to `pressure`: in each instruction block, from its first to its last live
 * time. */
static void add_segments(Allocator *all, uint32_t reg) {
  uint32_t stamp = reg + 1, i = all->first[reg], end = all->first[reg + 1];
  while (i < end) { /* blocks with an occurrence of the register */
    uint32_t block = all->occurrences[i].block, start = all->occurrences[i].time;
    while (i + 1 < end && all->occurrences[i + 1].block == block)
      i++;
    uint32_t last = all->occurrences[i++].time;
    add_pressure(all, reg, all->live_in[block] == stamp ? all->block_start[block] : start,
                 all->live_out[block] == stamp ? all->block_end[block] : last);
    if (all->live_in[block] == stamp)
      all->live_in[block] = 0;
  }
  /* Blocks in which the register is live without an occurrence. */
  for (i = 0; i < all->ntodo; i++) {
    uint32_t block = all->todo[i];
    if (all->live_in[block] == stamp)
      add_pressure(all, reg, all->block_start[block], all->block_end[block]);
  }
}

static void find_interval(Allocator *all, uint32_t reg) {
  Interval *interval = &all->intervals[reg];
  *interval = (Interval){reg, NONE, 0};
  if (all->first[reg] == all->first[reg + 1])
    return;
  for (uint32_t i = all->first[reg]; i < all->first[reg + 1]; i++)
    extend(interval, all->occurrences[i].time, all->occurrences[i].time);
  start_walk(all, reg);
  walk_back(all, interval);
  if (all->function->nblocks && all->live_in[0] == reg + 1)
    *VECTOR_PUSH(all->scratch, all->undefined) = reg;
  add_segments(all, reg);
  all->steps += all->first[reg + 1] - all->first[reg];
  if (all->steps > MAX_STEPS)
    refuse(all->decoder, "ends a function too large for the emulated device");
}

/* Converts `pressure` from changes to numbers of live registers, and stores the maxima in the
 * function. */
static void sum_pressure(Allocator *all, uint32_t times) {
  PtxFunction *f = all->function;
  for (uint32_t t = 0; t < times; t++) {
    all->pressure[t] += t ? all->pressure[t - 1] : 0;
    if ((uint32_t)all->pressure[t] > f->live_registers)
      f->live_registers = (uint32_t)all->pressure[t];
  }
  for (uint32_t b = 0; b < f->nblocks; b++)
    for (uint32_t i = f->blocks[b].first; i < f->blocks[b].first + f->blocks[b].count; i++)
      if (f->code[i].form == PTX_CALL &&
          (uint32_t)all->pressure[2 * (i + b) + 1] > f->saved_registers)
        f->saved_registers = (uint32_t)all->pressure[2 * (i + b) + 1];
}

static void find_liveness(Allocator *all) {
  uint32_t nblocks = all->function->nblocks, times = 2 * (all->function->ncode + nblocks) + 2;
  uint32_t **per_block[] = {&all->block_start, &all->block_end, &all->live_in,
                            &all->live_out,    &all->killed,    &all->todo};
  for (size_t i = 0; i < sizeof per_block / sizeof per_block[0]; i++)
    *per_block[i] = ARENA_ARRAY(all->scratch, uint32_t, nblocks);
  for (uint32_t b = 0; b < nblocks; b++) {
    const PtxBlock *block = &all->function->blocks[b];
    all->block_start[b] = 2 * (block->first + b);
    all->block_end[b] = 2 * (block->first + block->count + b) + 1;
  }
  all->pressure = ARENA_ARRAY(all->scratch, int32_t, times + 2);
  all->intervals = ARENA_ARRAY(all->scratch, Interval, all->nregisters);
  for (uint32_t r = 0; r < all->nregisters; r++)
    find_interval(all, r);
  sum_pressure(all, times);
}

/* Returns true if all occurrences of the register are in one instruction block and the first is a
 * write without a guard. */
static bool is_temporary(const Allocator *all, uint32_t reg) {
  const Occurrence *first = &all->occurrences[all->first[reg]],
                   *end = &all->occurrences[all->first[reg + 1]];
  bool is = first < end && first->kills;
  for (const Occurrence *at = first; at < end && is; at++)
    is = at->block == first->block;
  return is;
}

static void mark_unused(Allocator *all) {
  for (uint32_t i = 0; i < all->function->ncode; i++) {
    PtxInsn *insn = &all->function->code[i];
    if (insn->form == PTX_ATOM)
      insn->unused = insn->d == PTX_NO_REG || all->first[insn->d + 1] - all->first[insn->d] == 1;
  }
}

static void mark_temporaries(Allocator *all) {
  Register *registers = all->decoder->source->registers.items;
  for (uint32_t r = 0; r < all->nregisters; r++)
    registers[r].temporary = is_temporary(all, r);
  for (uint32_t i = 0; i < all->function->ncode; i++) {
    PtxInsn *insn = &all->function->code[i];
    insn->temporary = insn->form == PTX_ALU && insn->guard == PTX_NO_REG && insn->e == PTX_NO_REG &&
                      registers[insn->d].temporary;
  }
}

/* Returns true if the register is written once and read once. */
static bool is_for_one(const Allocator *all, uint32_t reg) {
  return reg != PTX_NO_REG && all->first[reg + 1] - all->first[reg] == 2;
}

static bool is_address(const Allocator *all, const PtxInsn *product, const PtxInsn *sum) {
  return (product->op == PTX_OP_MUL_WIDE_S32 || product->op == PTX_OP_MUL_WIDE_U32) &&
         (sum->op == PTX_OP_ADD_S64 || sum->op == PTX_OP_ADD_U64) && product->guard == PTX_NO_REG &&
         sum->guard == PTX_NO_REG && (sum->a == product->d) != (sum->b == product->d) &&
         is_for_one(all, product->d);
}

static bool is_factor(const Allocator *all, const PtxInsn *load) {
  return load->form == PTX_LD && load->space == PTX_SHARED && load->count == 1 &&
         load->guard == PTX_NO_REG && load->mask == PTX_NO_REG && !(load->flags & PTX_VOLATILE) &&
         ptx_type_bytes((PtxType)load->type) == 4 && is_for_one(all, load->list[0]);
}

static bool is_product(const Allocator *all, const PtxInsn *first) {
  const PtxInsn *second = first + 1, *sum = first + 2;
  return is_factor(all, first) && is_factor(all, second) && sum->op == PTX_OP_FMA_F32 &&
         sum->guard == PTX_NO_REG && !sum->flags &&
         ((sum->a == first->list[0] && sum->b == second->list[0]) ||
          (sum->a == second->list[0] && sum->b == first->list[0]));
}

static void mark_joined(const Allocator *all) {
  for (uint32_t b = 0; b < all->function->nblocks; b++) {
    const PtxBlock *block = &all->function->blocks[b];
    PtxInsn *insn = &all->function->code[block->first];
    for (uint32_t i = 0; i + 1 < block->count; i++)
      insn[i].joins = is_address(all, &insn[i], &insn[i + 1])             ? 1
                      : i + 2 < block->count && is_product(all, &insn[i]) ? 2
                                                                          : 0;
  }
}

static void mark_invariants(const Allocator *all) {
  bool *undefined = ARENA_ARRAY(all->scratch, bool, all->nregisters + 1);
  for (uint32_t i = 0; i < all->undefined.count; i++)
    undefined[all->undefined.items[i]] = true;
  find_invariants(all->decoder, undefined);
}

/* ---- slots ----------------------------------------------------------------------------------- */

static int by_start(const void *a, const void *b) {
  const Interval *x = a, *y = b;
  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return x->reg < y->reg ? -1 : x->reg > y->reg;
}

static int by_end(const void *a, const void *b) {
  const Interval *x = a, *y = b;
  if (x->end != y->end)
    return x->end < y->end ? -1 : 1;
  return x->reg < y->reg ? -1 : x->reg > y->reg;
}

static bool has_own_place(const Register *reg) { return reg->constant || reg->invariant; }

/* Assigns place numbers to the registers of one class: to its temporary registers or to all others.
 * Each register gets a vacant number or a new one, counted from `used` on. Stores the numbers in
 * all->place and returns the next unused number. */
static uint32_t scan_class(Allocator *all, RegisterClass class, bool temporary, uint32_t used) {
  VECTOR(Interval) starts = {0};
  VECTOR(uint32_t) vacant = {0};
  uint32_t ended = 0;
  for (uint32_t r = 0; r < all->nregisters; r++)
    if (all->registers[r].class == class && all->registers[r].temporary == temporary &&
        !has_own_place(&all->registers[r]) && all->intervals[r].start <= all->intervals[r].end)
      *VECTOR_PUSH(all->scratch, starts) = all->intervals[r];
  if (!starts.count)
    return used;
  Interval *ends = ARENA_ARRAY(all->scratch, Interval, starts.count);
  memcpy(ends, starts.items, starts.count * sizeof *ends);
  qsort(starts.items, starts.count, sizeof *ends, by_start);
  qsort(ends, starts.count, sizeof *ends, by_end);
  for (uint32_t i = 0; i < starts.count; i++) {
    for (; ends[ended].end < starts.items[i].start; ended++)
      *VECTOR_PUSH(all->scratch, vacant) = all->place[ends[ended].reg];
    uint32_t *place = &all->place[starts.items[i].reg];
    *place = vacant.count ? vacant.items[--vacant.count] : used++;
  }
  return used;
}

/* Assigns a byte offset to every register. The order is: 64-bit registers, which must begin at even
 * slots, 32-bit registers, predicates. In each class, constants and invariant registers are
 * last. */
static void assign_places(Allocator *all) {
  uint32_t top = 0;
  static const RegisterClass order[] = {CLASS_WIDE, CLASS_NARROW, CLASS_PREDICATE};
  for (size_t k = 0; k < sizeof order / sizeof order[0]; k++) {
    RegisterClass class = order[k];
    uint32_t slots = class == CLASS_WIDE ? 2 : 1;
    uint32_t used = scan_class(all, class, true, scan_class(all, class, false, 0));
    for (uint32_t r = 0; r < all->nregisters; r++) {
      const Register *reg = &all->registers[r];
      if (reg->class == class && has_own_place(reg))
        all->place[r] = used++;
      if (reg->class == class)
        all->place[r] = (top + all->place[r] * slots) * PTX_SLOT_BYTES;
    }
    top += used * slots;
    if (class != CLASS_PREDICATE)
      *(class == CLASS_WIDE ? &all->function->wide_slots : &all->function->value_slots) = top;
  }
  all->function->nslots = top;
  if (top > UINT32_MAX / PTX_SLOT_BYTES / 2)
    refuse(all->decoder, "ends a function too large for the emulated device");
}

static void rewrite_operand(Allocator *all, uint32_t *operand, bool writes, const PtxInsn *insn,
                            uint32_t block, uint32_t time) {
  (void)writes, (void)insn, (void)block, (void)time;
  if (*operand != PTX_NO_REG)
    *operand = all->place[*operand];
}

static void list_undefined(Allocator *all) {
  uint32_t *list =
      ARENA_ARRAY(all->decoder->loader->module->arena, uint32_t, 2 * all->undefined.count);
  all->function->undefined = list;
  for (uint32_t i = 0; i < all->undefined.count; i++) {
    uint32_t reg = all->undefined.items[i];
    list[all->function->nundefined++] = all->place[reg];
    if (all->registers[reg].class == CLASS_WIDE)
      list[all->function->nundefined++] = all->place[reg] + PTX_SLOT_BYTES;
  }
}

static void list_constants(Allocator *all) {
  Decoder *decoder = all->decoder;
  PtxConstant *list =
      ARENA_ARRAY(decoder->loader->module->arena, PtxConstant, decoder->constants.count);
  for (uint32_t i = 0; i < decoder->constants.count; i++) {
    list[i] = decoder->constants.items[i];
    list[i].slot = all->place[list[i].slot];
    list[i].bytes = list[i].bytes ? list[i].bytes : 4;
  }
  all->function->constants = list;
  all->function->nconstants = decoder->constants.count;
}

void assign_registers(Decoder *decoder) {
  Allocator *all = arena_take(decoder->loader->scratch, sizeof *all);
  all->decoder = decoder;
  all->function = decoder->function;
  all->scratch = decoder->loader->scratch;
  all->registers = decoder->source->registers.items;
  all->nregisters = decoder->source->registers.count;
  all->place = ARENA_ARRAY(all->scratch, uint32_t, all->nregisters);
  collect_occurrences(all);
  find_predecessors(all);
  find_liveness(all);
  mark_unused(all);
  mark_temporaries(all);
  mark_joined(all);
  mark_invariants(all);
  assign_places(all);
  visit_function(all, rewrite_operand);
  list_undefined(all);
  list_constants(all);
}
