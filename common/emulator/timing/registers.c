#include "registers.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "sparing.h"

static bool is_constant_load(const PtxInsn *insn) {
  return insn->form == PTX_LD && insn->space == PTX_CONST;
}

/* Whether a value needs no register: it is the same for a whole thread block and computed from
 * arguments and constants only. Such values are operands in constant memory or uniform registers.
 * clang loads a whole __constant__ array before a loop; ptxas reads it in place. `same` has a bit
 * for each argument of the function that is such a value in all calls. */
static bool is_same(const PtxFunction *f, const PtxInsn *insn, uint64_t same) {
  if (insn->form == PTX_LD_ARG)
    for (uint32_t k = 0; k < f->nparams && k < 64; k++)
      if ((uint64_t)insn->imm - f->params[k].offset < f->params[k].bytes)
        return same >> k & 1;
  return insn->form == PTX_LD_PARAM || insn->form == PTX_ALU || is_constant_load(insn) ||
         (insn->form == PTX_SREG && insn->sub >= PTX_NTID_X && insn->sub <= PTX_NCTAID_Z);
}

static uint8_t *slot_weights(const PtxFunction *f, uint64_t same_arguments) {
  uint8_t *weight = calloc(f->nslots + 1u, 1), *varies = calloc(f->nslots + 1u, 1);
  assert(weight && varies);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < f->ncode; i++) {
      const PtxInsn *insn = &f->code[i];
      Operands o;
      operands_of(insn, &o);
      bool same = is_same(f, insn, same_arguments);
      for (uint32_t k = 0; k < o.nreads && (insn->form == PTX_ALU || is_constant_load(insn)); k++)
        same = same && !varies[o.reads[k]];
      for (uint32_t k = 0; k < o.nwrites && !same; k++)
        if (!varies[o.writes[k]])
          varies[o.writes[k]] = 1, changed = true;
    }
  }
  for (uint32_t s = 0; s < f->value_slots; s++)
    weight[s] = varies[s] ? s < f->wide_slots ? 2 : 1 : 0;
  free(varies);
  return weight;
}

/* ---- one block: its values, and the order that needs the fewest registers -------------------- */
typedef struct Pressure {
  const PtxModule *module;
  const PtxFunction *f;
  uint8_t *weight;
  /* [nslots + RESULTS * ncode of the block] */
  Value *values;
  /* [nslots] The current value of each slot. */
  uint32_t *holds;
  /* Instruction i reads the values from reads[first[i]] on. */
  uint32_t *reads, *first;
  /* The value of its first result; NOBODY if it has none. */
  uint32_t *writes;
  uint8_t *done, *late;
  uint32_t *order;
  /* Arguments that are the same for a thread block. */
  uint64_t same;
  /* The number of live registers: of values that are not addresses, and of addresses. */
  uint32_t now, addresses;
  /* `calls` is the current depth of nested calls. */
  uint32_t most, calls;
} Pressure;

enum {
  /* Maximum depth of the search through operands. */
  DEEP = 200,
  DEEP_CALLS = 4
};
static uint32_t needed(const PtxModule *, const PtxFunction *, uint64_t same, uint32_t calls);

/* If there are many addresses, they are recomputed instead of kept in registers. */
enum { MOST_ADDRESSES = 16 };
static uint32_t alive(const Pressure *p) {
  return p->now + (p->addresses < MOST_ADDRESSES ? p->addresses : MOST_ADDRESSES);
}

/* Returns a mask of the arguments of a call that are the same for a thread block. */
static uint64_t same_arguments(const Pressure *p, const PtxCall *call) {
  uint64_t same = UINT64_MAX;
  for (uint32_t i = 0; i < p->f->ncode; i++) {
    const PtxInsn *insn = &p->f->code[i];
    for (uint32_t k = 0; k < call->nargs && k < 64 && insn->form == PTX_ST_ARG; k++)
      if ((uint64_t)insn->imm - call->args[k].offset < call->args[k].bytes)
        for (uint32_t n = 0; n < insn->count; n++)
          same &= ~((uint64_t)(p->weight[insn->list[n] / PTX_SLOT_BYTES] > 0) << k);
  }
  return same;
}

static uint32_t needed_with(const Pressure *p, const PtxCall *call) {
  const PtxFunction *callee = &p->module->functions[call->function];
  return alive(p) + needed(p->module, callee, same_arguments(p, call), p->calls + 1);
}

static void take(Pressure *p, uint32_t v) {
  *(p->values[v].is_address ? &p->addresses : &p->now) += p->values[v].weight;
  p->most = alive(p) > p->most ? alive(p) : p->most;
}
static void use(Pressure *p, uint32_t v) {
  if (--p->values[v].left == 0 && !p->values[v].lives_on)
    *(p->values[v].is_address ? &p->addresses : &p->now) -= p->values[v].weight;
}

static void emit(Pressure *p, const PtxBlock *b, uint32_t i, unsigned depth);
static void emit_needed(Pressure *p, const PtxBlock *b, uint32_t i, unsigned depth) {
  for (uint32_t k = p->first[i]; k < p->first[i + 1]; k++) {
    uint32_t v = p->reads[k];
    if (v >= p->f->nslots && !p->done[(v - p->f->nslots) / RESULTS])
      emit(p, b, (v - p->f->nslots) / RESULTS, depth + 1);
  }
}
static void emit(Pressure *p, const PtxBlock *b, uint32_t i, unsigned depth) {
  if (p->done[i])
    return;
  p->done[i] = 1;
  if (depth < DEEP)
    emit_needed(p, b, i, depth);
  for (uint32_t k = p->first[i]; k < p->first[i + 1]; k++)
    use(p, p->reads[k]);
  const PtxInsn *insn = &p->f->code[b->first + i];
  if (insn->form == PTX_CALL && insn->call->function >= 0 && p->calls < DEEP_CALLS) {
    uint32_t both = needed_with(p, insn->call);
    p->most = both > p->most ? both : p->most;
  }
  Operands o;
  operands_of(insn, &o);
  for (uint32_t k = 0; k < o.nwrites; k++) {
    uint32_t v = p->f->nslots + RESULTS * i + k;
    if (p->values[v].left || p->values[v].lives_on)
      take(p, v);
  }
}

static bool is_address_of(const PtxInsn *insn, uint32_t slot) {
  bool only = op_is_access(insn) && insn->a / PTX_SLOT_BYTES == slot && insn->a != PTX_NO_REG;
  for (uint32_t i = 0; i < insn->count && insn->form == PTX_ST; i++)
    only = only && insn->list[i] / PTX_SLOT_BYTES != slot;
  return only;
}

/* Finds values that are used only for addresses. Goes from the last instruction to the first. */
static void find_addresses(Pressure *p, const PtxBlock *b) {
  for (uint32_t i = b->count; i-- > 0;) {
    const PtxInsn *insn = &p->f->code[b->first + i];
    Operands o;
    operands_of(insn, &o);
    bool for_address = insn->form == PTX_ALU;
    for (uint32_t k = 0; k < o.nwrites; k++)
      for_address = for_address && p->values[p->f->nslots + RESULTS * i + k].is_address;
    for (uint32_t k = 0; k < o.nreads; k++)
      if (!for_address && !is_address_of(insn, o.reads[k]))
        p->values[p->reads[p->first[i] + k]].is_address = false;
  }
}

/* Returns true if the results of instruction i need no register. Its reads end at `last`. A slot
 * that has a weight may hold such a value temporarily. */
static bool is_same_here(const Pressure *p, const PtxInsn *insn, uint32_t i, uint32_t last) {
  bool same = is_same(p->f, insn, p->same);
  for (uint32_t k = p->first[i]; k < last && (insn->form == PTX_ALU || is_constant_load(insn)); k++)
    same = same && !p->values[p->reads[k]].weight;
  return same;
}

/* Numbers the values: first those of slots at the start of the block, then RESULTS for each
 * instruction. */
static void number_values(Pressure *p, const PtxBlock *b, const uint8_t *live_out) {
  const uint32_t nslots = p->f->nslots;
  uint32_t n = 0;
  memset(p->values, 0, (nslots + RESULTS * (size_t)b->count) * sizeof *p->values);
  for (uint32_t s = 0; s < nslots; s++) {
    p->holds[s] = s;
    p->values[s].weight = p->weight[s];
  }
  for (uint32_t i = 0; i < b->count; i++) {
    Operands o;
    operands_of(&p->f->code[b->first + i], &o);
    p->first[i] = n;
    for (uint32_t k = 0; k < o.nreads; k++) {
      Value *v = &p->values[p->holds[o.reads[k]]];
      p->reads[n++] = p->holds[o.reads[k]];
      v->left++;
    }
    const bool same = is_same_here(p, &p->f->code[b->first + i], i, n);
    for (uint32_t k = 0; k < o.nwrites; k++) {
      uint32_t v = nslots + RESULTS * i + k;
      p->holds[o.writes[k]] = v;
      p->values[v].weight = same ? 0 : p->weight[o.writes[k]];
      p->values[v].is_address = p->f->code[b->first + i].form == PTX_ALU;
    }
  }
  p->first[b->count] = n;
  for (uint32_t s = 0; s < nslots; s++)
    if (live_out[s]) {
      p->values[p->holds[s]].lives_on = true;
      p->values[p->holds[s]].is_address = false;
    }
  find_addresses(p, b);
}

/* Finds the instructions that free no register. They are placed directly before the first use of
 * their result. */
static void find_late(Pressure *p, const PtxBlock *b) {
  uint32_t *last = calloc(p->f->nslots + RESULTS * (size_t)b->count + 1, sizeof *last);
  assert(last);
  for (uint32_t k = 0, i = 0; i < b->count; i++)
    for (; k < p->first[i + 1]; k++)
      last[p->reads[k]] = i;
  for (uint32_t i = 0; i < b->count; i++) {
    const PtxInsn *insn = &p->f->code[b->first + i];
    Operands o;
    operands_of(insn, &o);
    bool frees = false, lives_on = o.nwrites == 0;
    for (uint32_t k = p->first[i]; k < p->first[i + 1]; k++) {
      const Value *v = &p->values[p->reads[k]];
      frees = frees || (v->weight && !v->lives_on && last[p->reads[k]] == i);
    }
    for (uint32_t k = 0; k < o.nwrites; k++)
      lives_on = lives_on || p->values[p->f->nslots + RESULTS * i + k].lives_on;
    p->late[i] = !frees && !lives_on && (insn->form == PTX_ALU || insn->form == PTX_LD);
  }
  free(last);
}

/* ORDER_GIVEN: the order of the PTX. ORDER_LAZY: the same, but instructions that free no register
 * are placed as late as possible. ORDER_SPARING: the order of sparing.c. */
typedef enum Order { ORDER_GIVEN, ORDER_LAZY, ORDER_SPARING } Order;
static uint32_t pressure_of(Pressure *p, const PtxBlock *b, const uint8_t *live_out, Order order) {
  number_values(p, b, live_out);
  memset(p->late, 0, b->count);
  memset(p->done, 0, b->count);
  for (uint32_t i = 0; i < b->count; i++)
    p->order[i] = i;
  if (order == ORDER_LAZY)
    find_late(p, b);
  if (order == ORDER_SPARING)
    sparing_order(&(BlockValues){.code = p->f->code + b->first,
                                 .count = b->count,
                                 .nslots = p->f->nslots,
                                 .values = p->values,
                                 .reads = p->reads,
                                 .first = p->first},
                  p->order);
  p->now = p->addresses = 0;
  for (uint32_t s = 0; s < p->f->nslots; s++)
    if (p->values[s].left || p->values[s].lives_on)
      p->now += p->values[s].weight;
  p->most = alive(p);
  for (uint32_t i = 0; i < b->count; i++)
    if (!p->late[p->order[i]])
      emit(p, b, p->order[i], 0);
  return p->most;
}

static Pressure pressure_create(const PtxModule *m, const PtxFunction *f, uint64_t same,
                                uint32_t calls) {
  uint32_t longest = 0;
  for (uint32_t b = 0; b < f->nblocks; b++)
    longest = f->blocks[b].count > longest ? f->blocks[b].count : longest;
  Pressure p = {.module = m, .f = f, .weight = slot_weights(f, same), .same = same, .calls = calls};
  p.values = calloc(f->nslots + RESULTS * (size_t)longest + 1, sizeof *p.values);
  p.holds = calloc(f->nslots + 1u, sizeof *p.holds);
  p.reads = calloc(40 * (size_t)longest + 1, sizeof *p.reads);
  p.first = calloc(longest + 2u, sizeof *p.first);
  p.done = calloc(longest + 1u, 1);
  p.late = calloc(longest + 1u, 1);
  p.order = calloc(longest + 1u, sizeof *p.order);
  assert(p.values && p.holds && p.reads && p.first && p.done && p.late && p.order);
  return p;
}

static void pressure_free(Pressure *p) {
  free(p->values);
  free(p->holds);
  free(p->reads);
  free(p->first);
  free(p->done);
  free(p->late);
  free(p->order);
  free(p->weight);
}

/* With this number of registers, no resident warp is lost, so no other order is tried. */
enum { ENOUGH = 25 };
static uint32_t needed(const PtxModule *m, const PtxFunction *f, uint64_t same, uint32_t calls) {
  uint32_t most = 0;
  Liveness live = liveness_of(f);
  Pressure p = pressure_create(m, f, same, calls);
  for (uint32_t b = 0; b < f->nblocks; b++) {
    const uint8_t *out = live.out + (size_t)b * f->nslots;
    uint32_t least = pressure_of(&p, &f->blocks[b], out, ORDER_GIVEN);
    for (Order order = ORDER_LAZY; order <= ORDER_SPARING && least > most && least > ENOUGH;
         order++) {
      const uint32_t other = pressure_of(&p, &f->blocks[b], out, order);
      least = other < least ? other : least;
    }
    most = least > most ? least : most;
  }
  pressure_free(&p);
  free(live.out);
  return most;
}

uint32_t registers_needed(const PtxModule *m, const PtxFunction *f) { return needed(m, f, 0, 0); }

/* Values that a loop computes and that are live when its next iteration begins. No order of
 * instructions changes their number. clang moves loads to the start of a block, but it cannot move
 * these values. */
uint32_t registers_of_loop(const PtxFunction *f, const Liveness *live, uint32_t head,
                           uint32_t end) {
  uint8_t *weight = slot_weights(f, 0), *computed = calloc(f->nslots + 1u, 1);
  assert(computed);
  const PtxBlock *first = &f->blocks[head], *last = &f->blocks[end];
  for (uint32_t i = first->first; i < last->first + last->count; i++) {
    Operands o;
    operands_of(&f->code[i], &o);
    for (uint32_t w = 0; w < o.nwrites; w++)
      computed[o.writes[w]] = 1;
  }
  uint32_t carried = 0;
  for (uint32_t s = 0; s < f->nslots; s++)
    carried += computed[s] && live->out[(size_t)end * f->nslots + s] ? weight[s] : 0;
  free(weight);
  free(computed);
  return carried;
}

uint32_t registers_carried(const PtxFunction *f) {
  Liveness live = liveness_of(f);
  uint32_t most = 0;
  for (uint32_t b = 0; b < f->nblocks; b++) {
    uint32_t next[MOST_SUCCESSORS], n = block_successors(&f->blocks[b], next, MOST_SUCCESSORS);
    for (uint32_t k = 0; k < n; k++) {
      const uint32_t carried = next[k] <= b ? registers_of_loop(f, &live, next[k], b) : 0;
      most = carried > most ? carried : most;
    }
  }
  free(live.out);
  return most;
}

/* ---- too few registers ----------------------------------------------------------------------- */
#define NEVER UINT32_MAX
/* Where a value is: `here` in a register, `stored` in local memory. */
typedef struct Place {
  /* Index of its next read; NEVER if there is none in the block. */
  uint32_t next;
  bool here, stored;
} Place;

typedef struct Spills {
  const Pressure *p;
  Place *places;
  /* [reads] The next read of the same value. */
  uint32_t *then;
  uint32_t nvalues, left, words;
} Spills;

static bool wanted(const Spills *s, uint32_t v) {
  return s->places[v].next != NEVER || s->p->values[v].lives_on;
}

static void forget(Spills *s, uint32_t v) {
  s->left += s->places[v].here ? s->p->values[v].weight : 0;
  s->places[v].here = false;
}

/* Frees registers for value v: spills the value whose next read is farthest away, and stores it
 * unless it was stored before. */
static void bring(Spills *s, uint32_t v, uint32_t last) {
  while (s->left < s->p->values[v].weight) {
    uint32_t worst = NEVER;
    for (uint32_t k = 0; k < last; k++)
      if (s->places[k].here && k != v && s->p->values[k].weight &&
          (worst == NEVER || s->places[k].next > s->places[worst].next))
        worst = k;
    if (worst == NEVER)
      return;
    s->words += s->places[worst].stored || !wanted(s, worst) ? 0 : s->p->values[worst].weight;
    s->places[worst].stored = true;
    forget(s, worst);
  }
  s->places[v].here = true;
  s->left -= s->p->values[v].weight;
}

static void follow(Spills *s, const PtxBlock *b, uint32_t i) {
  const Pressure *p = s->p;
  const uint32_t last = p->f->nslots + RESULTS * (i + 1);
  for (uint32_t k = p->first[i]; k < p->first[i + 1]; k++) {
    Place *place = &s->places[p->reads[k]];
    if (!place->here) {
      s->words += p->values[p->reads[k]].weight;
      bring(s, p->reads[k], last);
    }
    place->next = s->then[k];
    if (!wanted(s, p->reads[k]))
      forget(s, p->reads[k]);
  }
  Operands o;
  operands_of(&p->f->code[b->first + i], &o);
  for (uint32_t k = 0; k < o.nwrites; k++)
    if (wanted(s, p->f->nslots + RESULTS * i + k))
      bring(s, p->f->nslots + RESULTS * i + k, last);
}

static uint32_t spilled_in(Pressure *p, const PtxBlock *b, const uint8_t *live_out,
                           uint32_t given) {
  number_values(p, b, live_out);
  const uint32_t nvalues = p->f->nslots + RESULTS * b->count, nreads = p->first[b->count];
  Spills s = {.p = p, .nvalues = nvalues, .left = given};
  s.places = calloc(nvalues + 1u, sizeof *s.places);
  s.then = calloc(nreads + 1u, sizeof *s.then);
  assert(s.places && s.then);
  for (uint32_t v = 0; v < nvalues; v++)
    s.places[v].next = NEVER;
  for (uint32_t k = nreads; k-- > 0;) {
    s.then[k] = s.places[p->reads[k]].next;
    s.places[p->reads[k]].next = k;
  }
  /* The values at the start of the block get registers in slot order, until none is free. */
  for (uint32_t v = 0; v < p->f->nslots; v++) {
    s.places[v].stored = true;
    if (wanted(&s, v) && s.left >= p->values[v].weight) {
      s.places[v].here = true;
      s.left -= p->values[v].weight;
    }
  }
  for (uint32_t i = 0; i < b->count; i++)
    follow(&s, b, i);
  free(s.places);
  free(s.then);
  return s.words;
}

uint32_t *registers_spilled(const PtxModule *m, const PtxFunction *f, uint32_t given) {
  uint32_t *words = calloc(f->nblocks + 1u, sizeof *words);
  assert(words);
  Liveness live = liveness_of(f);
  Pressure p = pressure_create(m, f, 0, 0);
  for (uint32_t b = 0; b < f->nblocks; b++)
    words[b] = spilled_in(&p, &f->blocks[b], live.out + (size_t)b * f->nslots, given);
  pressure_free(&p);
  free(live.out);
  return words;
}
