#include "schedule.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Stretches of long warps have 600 instructions, so long chains of guarded blocks would not fit. */
enum { MOST_STEPS = 1200, MOST_GUARDED_STEPS = 200, MOST_PIECE_STEPS = 40, MOST_EDGES = 24 };

/* Latencies that the assembler assumes, in clocks. The latency of a global load is large, so the
 * schedule places loads before other instructions. */
enum { EXPECTED_SHARED = 24, EXPECTED_GLOBAL = 300, EXPECTED_SHUFFLE = 22 };

typedef struct Node {
  Step step;
  /* The steps that it depends on. */
  uint32_t edges[MOST_EDGES];
  uint16_t nedges;
  uint16_t latency;
  /* The step that computes the condition of a predicated instruction or a branch; NO_INSN if there
   * is none. */
  uint32_t guard;
  /* All instructions of a part precede those of the parts with higher numbers. */
  uint32_t part;
  uint32_t priority, earliest;
  bool done;
} Node;

typedef struct Builder {
  LoweredFunction *lowered;
  Node *nodes;
  uint32_t nnodes, room;
  /* [nslots] The current value of each slot: the slot number for its value at the start, or nslots
   * plus the node that computed it. */
  uint32_t *last;
  uint32_t *reads, nreads, reads_room;
  /* Index 0: shared memory, index 1: other memory. */
  uint32_t last_store[2], last_fence;
  /* The first node after the last call, and the node of that call; NO_INSN if there was none. */
  uint32_t arguments, call;
  uint32_t *loads[2], nloads[2];
  /* The last store to a chosen local variable (Op.chosen); NO_INSN if there was none. */
  uint32_t last_choice;
  uint32_t part;
  uint16_t run;
  /* Slot of the condition of a guarded block; NO_INSN if there is none. `side` is the first node of
   * the other side of its branch, if that came before. */
  uint32_t guard, side;
} Builder;

static uint16_t expected_latency(const PtxInsn *insn, const Op *op) {
  static const uint16_t of_pipe[PIPES] = {
      [PIPE_FP32] = 4, [PIPE_HEAVY] = 5,    [PIPE_INT] = 5,     [PIPE_ANY] = 5,    [PIPE_FP64] = 8,
      [PIPE_SFU] = 18, [PIPE_CONVERT] = 12, [PIPE_TENSOR] = 33, [PIPE_CONTROL] = 2};
  unsigned sum = 0;
  if (op->kind == OP_LOAD || op->kind == OP_ATOMIC)
    return insn->space == PTX_SHARED ? EXPECTED_SHARED : EXPECTED_GLOBAL;
  if (op->kind == OP_SHUFFLE)
    return EXPECTED_SHUFFLE;
  for (int p = 0; p < PIPES && op->kind == OP_COMPUTE; p++)
    sum += (unsigned)op->chain[p] * of_pipe[p];
  return (uint16_t)sum;
}

/* ---- dependences ----------------------------------------------------------------------------- */
static void add_edge(Node *n, uint32_t to) {
  for (uint32_t i = 0; i < n->nedges; i++)
    if (n->edges[i] == to)
      return;
  if (n->nedges < MOST_EDGES)
    n->edges[n->nedges++] = to;
}

static void add_value(Builder *b, Node *n, uint32_t value) {
  if (b->nreads == b->reads_room) {
    b->reads_room = b->reads_room ? 2 * b->reads_room : 256;
    b->reads = realloc(b->reads, b->reads_room * sizeof *b->reads);
    assert(b->reads);
  }
  b->reads[b->nreads++] = value;
  n->step.nreads++;
  if (value >= b->lowered->function->nslots)
    add_edge(n, value - b->lowered->function->nslots);
}
static void add_read(Builder *b, Node *n, uint32_t slot) {
  if (!b->lowered->is_constant[slot])
    add_value(b, n, b->last[slot]);
}
/* Adds the condition of a predicated instruction or a branch, which must be the first operand. */
static void add_guard(Builder *b, Node *n, uint32_t slot) {
  add_read(b, n, slot);
  n->step.guarded = n->step.nreads > 0;
  if (n->nedges)
    n->guard = n->edges[0];
}

/* Makes a call depend on the arguments that were stored since the previous call. Its result is read
 * by a PTX_LD_ARG. */
static void read_arguments(Builder *b, Node *n) {
  const uint32_t self = b->nnodes - 1;
  for (uint32_t i = b->arguments; i < self; i++)
    if (b->nodes[i].step.insn != NO_INSN &&
        b->lowered->function->code[b->nodes[i].step.insn].form == PTX_ST_ARG)
      add_value(b, n, b->lowered->function->nslots + i);
  b->call = self;
  b->arguments = self + 1;
}

/* Makes loads of local variables in registers depend on the last store to a chosen one. */
static void read_choice(Builder *b, Node *n, uint32_t self, const PtxInsn *insn) {
  const bool local = insn->space == PTX_LOCAL || insn->space == PTX_GENERIC;
  if (n->step.op->kind != OP_FREE || !local)
    return;
  if (insn->form == PTX_LD && b->last_choice != NO_INSN)
    add_value(b, n, b->lowered->function->nslots + b->last_choice);
  if (insn->form == PTX_ST && n->step.op->chosen)
    b->last_choice = self;
}

/* Keeps the order of two accesses if one is a store and both may use the same memory. */
static void order_access(Builder *b, Node *n, uint32_t self, const PtxInsn *insn, bool free_load) {
  const int where = insn->space != PTX_SHARED;
  if (b->last_fence != NO_INSN)
    add_edge(n, b->last_fence);
  if (n->step.op->kind == OP_LOAD) {
    if (b->last_store[where] != NO_INSN && !free_load)
      add_edge(n, b->last_store[where]);
    b->loads[where][b->nloads[where]++] = self;
    return;
  }
  if (b->last_store[where] != NO_INSN)
    add_edge(n, b->last_store[where]);
  for (uint32_t i = b->nloads[where]; i-- > 0 && n->nedges < MOST_EDGES;)
    add_edge(n, b->loads[where][i]);
  b->last_store[where] = self;
}

static void order_fence(Builder *b, Node *n, uint32_t self) {
  for (int where = 0; where < 2; where++) {
    if (b->last_store[where] != NO_INSN)
      add_edge(n, b->last_store[where]);
    for (uint32_t i = b->nloads[where]; i-- > 0 && n->nedges < MOST_EDGES;)
      add_edge(n, b->loads[where][i]);
  }
  if (b->last_fence != NO_INSN)
    add_edge(n, b->last_fence);
  b->last_fence = self;
}

/* Returns true if the memory is never written: a __restrict__ pointer to const. */
static bool never_stored(const Builder *b, const PtxInsn *insn) {
  char text[96];
  ptx_instruction_text(b->lowered->module, insn, text, sizeof text);
  return strstr(text, ".nc") != NULL;
}

static Node *new_node(Builder *b) {
  if (b->nnodes == b->room) {
    b->room = b->room ? 2 * b->room : 128;
    b->nodes = realloc(b->nodes, b->room * sizeof *b->nodes);
    for (int i = 0; i < 2; i++) {
      b->loads[i] = realloc(b->loads[i], b->room * sizeof **b->loads);
      assert(b->loads[i]);
    }
    assert(b->nodes);
  }
  Node *n = &b->nodes[b->nnodes++];
  memset(n, 0, sizeof *n);
  n->step.read = b->nreads;
  n->part = b->part;
  n->guard = NO_INSN;
  return n;
}

static void add_insn(Builder *b, uint32_t at, bool nothing, bool counts) {
  const PtxInsn *insn = &b->lowered->function->code[at];
  const uint32_t self = b->nnodes;
  Operands o;
  Node *n = new_node(b);
  n->step.op = &b->lowered->ops[at];
  n->step.insn = at;
  n->step.line = insn->line;
  n->step.run = b->run;
  n->step.access = b->lowered->accesses[at];
  n->step.nothing = nothing || n->step.op->kind == OP_FREE;
  n->step.counts = counts;
  n->step.copies = insn->form == PTX_ST && insn->flags & PTX_ASYNC;
  operands_of(insn, &o);
  if (b->guard != NO_INSN)
    add_guard(b, n, b->guard);
  else if (insn->guard != PTX_NO_REG)
    add_guard(b, n, insn->guard / PTX_SLOT_BYTES);
  for (uint32_t i = 0; i < o.nreads; i++)
    add_read(b, n, o.reads[i]);
  if (insn->form == PTX_CALL)
    read_arguments(b, n);
  if (insn->form == PTX_LD_ARG && b->call != NO_INSN)
    add_value(b, n, b->lowered->function->nslots + b->call);
  /* Lanes without the condition keep the old value, or that of the other side of the branch. Other
   * results are seldom used after the block, and their slots may hold unrelated values. */
  for (uint32_t i = 0; i < o.nwrites && b->guard != NO_INSN; i++)
    if (insn->form == PTX_LD ||
        (b->side != NO_INSN && b->last[o.writes[i]] >= b->lowered->function->nslots + b->side))
      add_read(b, n, o.writes[i]);
  read_choice(b, n, self, insn);
  if (op_is_access(insn))
    order_access(b, n, self, insn, never_stored(b, insn));
  else if (n->step.op->kind == OP_BARRIER || n->step.op->kind == OP_FENCE ||
           n->step.op->kind == OP_COPY_GROUP || n->step.op->kind == OP_COPY_WAIT)
    order_fence(b, n, self);
  n->latency = n->step.nothing ? 0 : expected_latency(insn, n->step.op);
  b->part += !n->step.nothing && divides_code(n->step.op);
  for (uint32_t i = 0; i < o.nwrites; i++)
    b->last[o.writes[i]] = b->lowered->function->nslots + self;
}

static void add_branch(Builder *b, const PtxBlock *block, bool predicated, bool counts) {
  static const Op jump = {.kind = OP_COMPUTE, .slots = {[PIPE_CONTROL] = 1}};
  Node *n = new_node(b);
  n->step.op = &jump;
  n->step.insn = NO_INSN;
  n->step.line = block->line;
  n->step.run = b->run;
  n->step.nothing = predicated;
  n->step.counts = counts;
  if (block->end == PTX_END_IF || block->end == PTX_END_TABLE)
    add_guard(b, n, block->predicate / PTX_SLOT_BYTES);
}

/* In an unrolled loop, only the last iteration counts and compares. `ends`: the schedule ends with
 * the branch of the block. */
static void add_block(Builder *b, uint32_t number, bool last_round, bool ends) {
  const LoweredFunction *l = b->lowered;
  const PtxBlock *block = &l->function->blocks[number];
  const bool turns = l->turns[number] > 1;
  for (uint32_t i = block->first; i < block->first + block->count; i++) {
    const bool counts = l->ops[i].induction || i == l->loop_test[number];
    add_insn(b, i, !last_round && counts, turns && counts);
  }
  if (block->end != PTX_END_FALL && ends)
    add_branch(b, block, l->predicated[number], turns);
  b->run++;
}

/* ---- the order ------------------------------------------------------------------------------- */
/* Returns the clocks between the start of an instruction and that of `n`, which depends on it. */
static uint32_t edge_latency(const Builder *b, const Node *n, uint32_t from) {
  return b->nodes[from].latency + (from == n->guard && !n->step.nothing ? GUARD_CLOCKS : 0);
}

static void find_priorities(Builder *b) {
  for (uint32_t i = b->nnodes; i-- > 0;) {
    Node *n = &b->nodes[i];
    n->priority = n->priority > n->latency ? n->priority : n->latency;
    for (uint32_t k = 0; k < n->nedges; k++) {
      const uint32_t urgent = n->priority + edge_latency(b, n, n->edges[k]);
      Node *from = &b->nodes[n->edges[k]];
      from->priority = from->priority > urgent ? from->priority : urgent;
    }
  }
}

static bool is_last(const Builder *b, uint32_t i) { return b->nodes[i].step.insn == NO_INSN; }

static bool is_ready(const Builder *b, Node *n) {
  n->earliest = 0;
  for (uint32_t k = 0; k < n->nedges; k++) {
    const Node *from = &b->nodes[n->edges[k]];
    if (!from->done)
      return false;
    uint32_t then = from->earliest + edge_latency(b, n, n->edges[k]);
    n->earliest = then > n->earliest ? then : n->earliest;
  }
  return true;
}

/* Places one instruction at a time: the most urgent of those whose operands are available,
 * otherwise the one whose operands arrive first. Only the first WINDOW instructions are
 * considered. */
enum { WINDOW = 160 };
static void put_in_order(Builder *b, uint32_t *order) {
  uint32_t first = 0, now = 0;
  for (uint32_t done = 0; done < b->nnodes;) {
    uint32_t best = NO_INSN, seen = 0;
    while (first < b->nnodes && b->nodes[first].done)
      first++;
    for (uint32_t i = first; i < b->nnodes && seen < WINDOW; i++) {
      Node *n = &b->nodes[i];
      if (n->part != b->nodes[first].part)
        break;
      if (n->done)
        continue;
      seen++;
      if ((is_last(b, i) && i != first) || !is_ready(b, n))
        continue;
      if (n->step.nothing) {
        best = i;
        break;
      }
      const Node *m = best == NO_INSN ? NULL : &b->nodes[best];
      bool now_ready = n->earliest <= now, its_ready = m && m->earliest <= now;
      if (!m || (now_ready && !its_ready) ||
          (now_ready == its_ready &&
           (now_ready ? n->priority > m->priority : n->earliest < m->earliest)))
        best = i;
      if (is_last(b, i))
        break;
    }
    Node *n = &b->nodes[best];
    n->done = true;
    n->earliest = n->earliest > now ? n->earliest : now;
    if (!n->step.nothing)
      now = n->earliest + 1;
    order[done++] = best;
  }
}

static Schedule *finish(Builder *b) {
  const uint32_t nslots = b->lowered->function->nslots;
  Schedule *s = calloc(1, sizeof *s);
  uint32_t *order = calloc(b->nnodes + 1u, sizeof *order);
  uint32_t *value = calloc(b->nnodes + 1u, sizeof *value);
  s->steps = calloc(b->nnodes + 1u, sizeof *s->steps);
  s->commits = calloc(nslots + 1u, sizeof *s->commits);
  assert(s && order && value && s->steps && s->commits);
  find_priorities(b);
  put_in_order(b, order);
  for (uint32_t i = 0; i < b->nnodes; i++) {
    s->steps[i] = b->nodes[order[i]].step;
    value[order[i]] = nslots + i;
  }
  s->nsteps = b->nnodes;
  s->nruns = b->run;
  s->reads = b->reads;
  s->nreads = b->nreads;
  for (uint32_t i = 0; i < s->nreads; i++)
    if (s->reads[i] >= nslots)
      s->reads[i] = value[s->reads[i] - nslots];
  for (uint32_t slot = 0; slot < nslots; slot++)
    if (b->last[slot] >= nslots)
      s->commits[s->ncommits++] = (Commit){slot, value[b->last[slot] - nslots]};
  free(order);
  free(value);
  return s;
}

/* Adds a block of a chain after the block `before`. */
static void add_next(Builder *b, uint32_t before, uint32_t number, uint32_t *side, bool last_round,
                     bool ends) {
  const LoweredFunction *l = b->lowered;
  if (!l->guarded[number])
    b->guard = b->side = NO_INSN;
  else if (!l->guarded[before])
    b->guard = l->function->blocks[before].predicate / PTX_SLOT_BYTES;
  else
    b->side = *side;
  *side = b->nnodes;
  add_block(b, number, last_round, ends);
}

static Schedule *build(LoweredFunction *l, uint32_t block, ScheduleKind kind) {
  const uint32_t nslots = l->function->nslots, end = l->loop_end[block];
  Builder b = {.lowered = l,
               .last_store = {NO_INSN, NO_INSN},
               .last_fence = NO_INSN,
               .last_choice = NO_INSN,
               .call = NO_INSN,
               .guard = NO_INSN,
               .side = NO_INSN};
  uint32_t side = 0;
  b.last = calloc(nslots + 1u, sizeof *b.last);
  assert(b.last);
  for (uint32_t slot = 0; slot < nslots; slot++)
    b.last[slot] = slot;
  if (kind >= SCHEDULE_QUARTER) {
    const uint32_t head = block, rounds = schedule_rounds(l, head, kind);
    for (uint32_t round = 0; round < rounds; round++) {
      const bool last = round == rounds - 1;
      add_next(&b, end, head, &side, last, last && head == end);
      for (block = head; block != end; block = l->chain_next[block]) {
        const uint32_t next = l->chain_next[block];
        add_next(&b, block, next, &side, last, last && next == end);
      }
    }
  } else {
    uint32_t next = kind == SCHEDULE_BLOCK ? PTX_NO_BLOCK : l->chain_next[block];
    uint32_t most = kind == SCHEDULE_PIECE ? MOST_PIECE_STEPS : MOST_STEPS;
    add_block(&b, block, true, next == PTX_NO_BLOCK);
    while (next != PTX_NO_BLOCK) {
      const uint32_t before = block;
      if (l->guarded[next] && most > MOST_GUARDED_STEPS)
        most = MOST_GUARDED_STEPS;
      block = next;
      next = l->guarded[block] || b.nnodes < most ? l->chain_next[block] : PTX_NO_BLOCK;
      add_next(&b, before, block, &side, true, next == PTX_NO_BLOCK);
    }
  }
  Schedule *s = finish(&b);
  free(b.last);
  free(b.nodes);
  free(b.loads[0]);
  free(b.loads[1]);
  return s;
}

const Schedule *schedule_of(LoweredFunction *l, uint32_t block, ScheduleKind kind) {
  Schedule **s = &l->schedules[SCHEDULES * (size_t)block + kind];
  if (!*s)
    *s = build(l, block, kind);
  return *s;
}

void schedule_free(Schedule *s) {
  if (!s)
    return;
  free(s->steps);
  free(s->reads);
  free(s->commits);
  free(s);
}
