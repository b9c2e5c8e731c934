/* Computes how the GPU's assembler merges neighbouring accesses to shared memory into accesses of
 * up to 16 bytes (PtxInsn.merged).
 *
 * ptxas merges accesses within an aligned piece of memory. A piece has 16 bytes, or fewer if the
 * alignment of the address is not known, and at most four elements. ptxas merges accesses if they
 * access all elements of a piece. In a piece of four elements, it also merges loads of any three
 * elements, and accesses to the two elements of one half. An element has at most 8 bytes. The rules
 * were found by experiment with ptxas of CUDA 13 for sm_90; tests/merging_test.c checks the rules.
 *
 * A load can be merged with an earlier load that dominates it. The condition is that no instruction
 * on the paths between the two loads may change shared memory or let another thread change it: no
 * store to shared memory, barrier, fence, atomic operation or call. Branches and loops between the
 * two loads do not matter. An element that has been loaded is not loaded again. Stores to one piece
 * are merged if there is no other access to shared memory and no branch between the stores. Loads
 * of 16-bit elements are not merged across branches. */
#include "ptx.h"

enum { PIECE = 16, ELEMENTS = 4 };

/* A group of accesses to elements of one piece of memory. `root`: the unknown value in the
 * addresses (Sum.value). `piece`: offset of the piece from `root`. `stretch`, `block`, `chain`:
 * where the first access of the group is (see Merger). */
typedef struct Group {
  uint32_t root, stretch, block, chain;
  /* `size` and `width`: bytes of an element and of the piece. */
  uint8_t form, size, width;
  /* Bit i: element i is accessed. */
  uint8_t mask;
  int64_t piece;
  /* Indices of the first and last instruction of the group. */
  uint32_t first, last;
  /* The index of the next group in the hash bucket, plus 1. */
  uint32_t next;
} Group;

typedef struct Member {
  /* The next instruction of the group; NONE: this is the last. */
  uint32_t next;
  uint8_t mask;
} Member;

typedef struct Merger {
  Decoder *decoder;
  PtxFunction *function;
  PtxArena *scratch;
  Sums sums;
  Dominators dominators;
  /* The dominator tree. */
  uint32_t *first_child, *sibling;
  /* For each instruction block, true if it dominates the current block. */
  bool *open;
  /* For each instruction block, true if it may change shared memory, or let another thread change
   * it. */
  bool *clobbers;
  /* For each instruction block, the number of the stretch at its end. A stretch is a part of the
   * code in which no instruction may change shared memory. */
  uint32_t *left_stretch;
  uint32_t *between;
  uint32_t stretch, nstretches;
  /* Number of the current chain of instruction blocks that always run one after the other. */
  uint32_t chain;
  /* The group of the last store, to which the next store may be added; NONE: there is no such
   * group. */
  uint32_t run;
  Member *member;
  uint32_t *buckets, nbuckets;
  VECTOR(Group) groups;
} Merger;

/* ---- instructions that prevent merging ------------------------------------------------------- */

static bool is_mathematics(const PtxCall *call) {
  return call->function == -1 && strncmp(call->name, "__nv_", 5) == 0;
}

/* Returns true for an approximate floating-point division or root. (The assembler implements the
 * correctly rounded ones, and divisions of 16-bit and 64-bit integers, as calls.) */
static bool is_approximate(const Merger *m, const PtxInsn *insn) {
  const char *opcode = m->decoder->loader->module->text + insn->text;
  const size_t length = strcspn(opcode, " \t\n;");
  const char *exact = insn->type == PTX_F64 ? ".approx.ftz." : ".approx.";
  return memmem(opcode, length, exact, strlen(exact)) || memmem(opcode, length, ".full.", 6);
}

static bool calls_arithmetic(const Merger *m, const PtxInsn *insn) {
  switch ((PtxOp)insn->op) {
  case PTX_OP_DIV_U16:
  case PTX_OP_DIV_S16:
  case PTX_OP_REM_U16:
  case PTX_OP_REM_S16:
  case PTX_OP_DIV_U64:
  case PTX_OP_DIV_S64:
  case PTX_OP_REM_U64:
  case PTX_OP_REM_S64:
    return true;
  case PTX_OP_DIV_F32:
  case PTX_OP_RCP_F32:
  case PTX_OP_SQRT_F32:
  case PTX_OP_DIV_F64:
  case PTX_OP_RCP_F64:
  case PTX_OP_SQRT_F64:
  case PTX_OP_RSQRT_F64:
    return !is_approximate(m, insn);
  default:
    return false;
  }
}

static bool may_change(const Merger *m, const PtxInsn *insn) {
  const bool reaches = insn->space == PTX_SHARED || insn->space == PTX_GENERIC;
  switch ((PtxForm)insn->form) {
  case PTX_ST:
  case PTX_ATOM:
    return reaches;
  case PTX_FENCE:
  case PTX_COPIES:
  case PTX_BARRIER:
  case PTX_SYNCWARP:
  case PTX_SLEEP:
    return true;
  case PTX_ALU:
    return calls_arithmetic(m, insn);
  case PTX_CALL:
    return !is_mathematics(insn->call);
  default:
    return false;
  }
}

static void new_stretch(Merger *m) { m->stretch = ++m->nstretches; }

/* ---- groups -------------------------------------------------------------------------------- */

/* Returns true if `wanted` accesses the same piece of memory in the same stretch as the group, and
 * the first access of the group dominates the current block. */
static bool is_same(const Merger *m, const Group *group, const Group *wanted) {
  return group->root == wanted->root && group->piece == wanted->piece &&
         group->stretch == wanted->stretch && group->size == wanted->size &&
         group->width == wanted->width && group->form == wanted->form && m->open[group->block];
}

/* Returns true if `wanted` can be added to the group. 16-bit elements are not merged across a
 * branch. */
static bool can_join(const Merger *m, const Group *group, const Group *wanted) {
  return is_same(m, group, wanted) && (group->size != 2 || group->chain == wanted->chain);
}

static bool has_all(const Merger *m, const Group *group, const Group *wanted) {
  return is_same(m, group, wanted) && !(wanted->mask & ~group->mask);
}

static uint32_t group_number(Merger *m, const Group *wanted) {
  uint64_t key[] = {wanted->root, wanted->stretch, (uint64_t)wanted->piece, wanted->size};
  uint32_t *bucket = &m->buckets[hash_bytes(key, sizeof key, wanted->form) % m->nbuckets], i;
  for (i = *bucket; i; i = m->groups.items[i - 1].next)
    if (has_all(m, &m->groups.items[i - 1], wanted))
      return i - 1;
  for (i = *bucket; i; i = m->groups.items[i - 1].next)
    if (can_join(m, &m->groups.items[i - 1], wanted))
      return i - 1;
  Group *group = VECTOR_PUSH(m->scratch, m->groups);
  *group = *wanted;
  group->mask = 0;
  group->next = *bucket;
  *bucket = m->groups.count;
  return m->groups.count - 1;
}

static void add_member(Merger *m, uint32_t number, uint32_t i, uint8_t mask) {
  Group *group = &m->groups.items[number];
  m->member[i] = (Member){NONE, mask};
  if (group->mask)
    m->member[group->last].next = i;
  else
    group->first = i;
  group->last = i;
  group->mask |= mask;
}

static int64_t floor_to(int64_t value, int64_t step) { return value & ~(step - 1); }

/* Returns false for accesses that are never merged: accesses to single bytes, and loads that extend
 * the value to a wider register. */
static bool has_neighbours(const PtxInsn *insn) {
  const unsigned size = ptx_type_bytes((PtxType)insn->type);
  return size > 1 && insn->sub == size;
}

/* Adds the access code[i] to its group, or to a new group. Successive stores to one piece belong to
 * one group. */
static void access(Merger *m, uint32_t block, uint32_t i) {
  PtxInsn *insn = &m->function->code[i];
  const unsigned size = ptx_type_bytes((PtxType)insn->type), bytes = size * insn->count;
  Sum sum = sum_in(&m->sums, insn->a);
  const uint8_t zeros = sum_zeros(&m->sums, sum);
  unsigned piece = !has_neighbours(insn) ? size : ELEMENTS * size < PIECE ? ELEMENTS * size : PIECE;
  while (zeros < 4 && piece > 1u << zeros)
    piece /= 2;
  const int64_t at = (int64_t)((uint64_t)sum.constant + (uint64_t)insn->imm),
                from = piece > bytes ? floor_to(at, piece) : at;
  Group wanted = {.root = sum.value,
                  .stretch = m->stretch,
                  .block = block,
                  .chain = m->chain,
                  .form = insn->form,
                  .size = (uint8_t)size,
                  .width = (uint8_t)(piece > bytes ? piece : bytes),
                  .mask = (uint8_t)(((1u << insn->count) - 1) << (at - from) / size),
                  .piece = from};
  uint32_t number = m->run;
  if (insn->form == PTX_LD || number == NONE || !can_join(m, &m->groups.items[number], &wanted)) {
    if (insn->form == PTX_ST)
      new_stretch(m);
    wanted.stretch = m->stretch;
    number = group_number(m, &wanted);
  }
  m->run = insn->form == PTX_ST ? number : NONE;
  add_member(m, number, i, wanted.mask);
}

/* Returns true for an access to shared memory that may be merged: it has no guard, does not
 * synchronise and fits into a piece. */
static bool can_merge(const PtxInsn *insn) {
  const unsigned size = ptx_type_bytes((PtxType)insn->type);
  return (insn->form == PTX_LD || insn->form == PTX_ST) && insn->space == PTX_SHARED &&
         !(insn->flags & PTX_ASYNC) && insn->guard == PTX_NO_REG && !(insn->flags & PTX_VOLATILE) &&
         insn->count * size <= PIECE && insn->count <= ELEMENTS;
}

static void step(Merger *m, uint32_t block, uint32_t i) {
  const PtxInsn *insn = &m->function->code[i];
  if (can_merge(insn)) {
    access(m, block, i);
  } else {
    if (insn->space == PTX_SHARED && insn->form == PTX_LD)
      m->run = NONE;
    if (may_change(m, insn)) {
      m->run = NONE;
      new_stretch(m);
    }
  }
  sums_step(&m->sums, insn);
}

/* ---- the walk: each instruction block after its dominators ----------------------------------- */

static void enter(Merger *m, uint32_t block) {
  const PtxBlock *b = &m->function->blocks[block];
  const uint32_t above = m->dominators.above[block];
  const uint32_t count = block ? blocks_between(&m->dominators, block, m->between) : 0;
  bool clean = block && count != NONE;
  for (uint32_t i = 0; clean && i < count; i++)
    clean = !m->clobbers[m->between[i]];
  for (uint32_t i = 0; count != NONE && i < count; i++)
    sums_forget(&m->sums, m->function, m->between[i]);
  for (uint32_t i = 0; count == NONE && i < m->function->nblocks; i++)
    sums_forget(&m->sums, m->function, i);
  m->open[block] = true;
  m->stretch = m->left_stretch[above];
  if (!clean)
    new_stretch(m);
  if (count || !block || successors(&m->function->blocks[above], 1) != NONE) {
    m->run = NONE;
    m->chain++;
  }
  for (uint32_t i = b->first; i < b->first + b->count; i++)
    step(m, block, i);
  m->left_stretch[block] = m->stretch;
}

static void walk(Merger *m) {
  const uint32_t n = m->function->nblocks;
  uint32_t *stack = ARENA_ARRAY(m->scratch, uint32_t, n + 1);
  uint32_t *mark = ARENA_ARRAY(m->scratch, uint32_t, n + 1), depth = 0;
  for (uint32_t b = n; b-- > 1;) {
    m->sibling[b] = m->first_child[m->dominators.above[b]];
    m->first_child[m->dominators.above[b]] = b;
  }
  enter(m, stack[depth++] = 0);
  while (depth) {
    uint32_t b = stack[depth - 1], child = m->first_child[b];
    if (!child) {
      m->open[b] = false;
      sums_return(&m->sums, mark[--depth]);
      continue;
    }
    m->first_child[b] = m->sibling[child];
    mark[depth] = m->sums.undo.count;
    enter(m, stack[depth++] = child);
  }
}

/* ---- dividing a group into accesses ---------------------------------------------------------- */

static void merge(Merger *m, const Group *group, unsigned from, unsigned count) {
  const uint8_t part = (uint8_t)(((1u << count) - 1) << from), have = group->mask & part;
  const bool all = have == part;
  if (!have)
    return;
  if (!all && count > 1 &&
      !(group->form == PTX_LD && count == 4 && __builtin_popcount(have) == 3)) {
    merge(m, group, from, count / 2);
    merge(m, group, from + count / 2, count / 2);
    return;
  }
  bool first = true;
  for (uint32_t i = group->first; i != NONE; i = m->member[i].next) {
    PtxInsn *insn = &m->function->code[i];
    const uint8_t mask = m->member[i].mask;
    if (!(mask & part))
      continue;
    insn->merged.bytes = first ? (uint8_t)(count * group->size) : 0;
    insn->merged.before =
        first ? (uint8_t)(((unsigned)__builtin_ctz(mask) - from) * group->size) : 0;
    first = false;
  }
}

static bool has_shared_access(const PtxFunction *f) {
  for (uint32_t i = 0; i < f->ncode; i++)
    if (can_merge(&f->code[i]))
      return true;
  return false;
}

void merge_accesses(Decoder *decoder) {
  PtxFunction *f = decoder->function;
  PtxArena *scratch = decoder->loader->scratch;
  Merger m = {.decoder = decoder, .function = f, .scratch = scratch, .run = NONE};
  if (!has_shared_access(f))
    return;
  sums_begin(&m.sums, decoder);
  find_dominators(&m.dominators, f, scratch);
  m.first_child = ARENA_ARRAY(scratch, uint32_t, f->nblocks + 1);
  m.sibling = ARENA_ARRAY(scratch, uint32_t, f->nblocks + 1);
  m.open = ARENA_ARRAY(scratch, bool, f->nblocks + 1);
  m.clobbers = ARENA_ARRAY(scratch, bool, f->nblocks + 1);
  m.left_stretch = ARENA_ARRAY(scratch, uint32_t, f->nblocks + 1);
  m.between = ARENA_ARRAY(scratch, uint32_t, f->nblocks + 1);
  m.member = ARENA_ARRAY(scratch, Member, f->ncode + 1);
  for (m.nbuckets = 16; m.nbuckets < f->ncode / 2; m.nbuckets *= 2)
    ;
  m.buckets = ARENA_ARRAY(scratch, uint32_t, m.nbuckets);
  for (uint32_t b = 0; b < f->nblocks; b++)
    for (uint32_t i = 0; i < f->blocks[b].count; i++)
      m.clobbers[b] |= may_change(&m, &f->code[f->blocks[b].first + i]);
  walk(&m);
  for (uint32_t i = 0; i < m.groups.count; i++)
    merge(&m, &m.groups.items[i], 0, m.groups.items[i].width / m.groups.items[i].size);
}
