/* Where lanes that part at a branch meet again: the branch's immediate post-dominator, the first block
 * that all ways from it lead through.
 *
 * A lane that returns is gone, so ways that end early do not count: where a loop has a return in it,
 * the others meet behind the loop, as they do on a GPU. Of several ends the last block in the order
 * counts; branches from which only other ends can be reached are looked at by themselves. A jump to a
 * block that does nothing but return is a return.
 *
 * Post-dominators are dominators of the reversed graph: Cooper, Harvey and Kennedy, "A Simple, Fast
 * Dominance Algorithm" (2001).
 */
#include "ptx.h"

typedef struct Edges { /* from[first[b] .. first[b + 1]): the blocks that lead to b */
  uint32_t *first, *from;
} Edges;

typedef struct Graph {
  const PtxFunction *function;
  uint32_t count;
  Edges before;
  uint32_t
      *order; /* of the blocks that lead to the end looked at: in which a search from there left
                       them; NONE: not reached */
  uint32_t *found; /* these blocks, as they were left */
  uint32_t nfound;
  uint32_t *meet;
  uint32_t *stack, *next;
} Graph;

static bool is_end(const PtxBlock *b) { return b->end == PTX_END_RET || b->end == PTX_END_EXIT; }

static uint32_t edge_count(const PtxBlock *b) {
  return b->end == PTX_END_TABLE ? b->ntable : b->end == PTX_END_IF ? 2 : is_end(b) ? 0 : 1;
}

/* NONE: the edge leads to nothing but a return. */
static uint32_t edge(const Graph *g, const PtxBlock *b, uint32_t i) {
  uint32_t to = b->end == PTX_END_TABLE                                 ? b->table[i]
                : b->end == PTX_END_FALL || (b->end == PTX_END_IF && i) ? b->next
                                                                        : b->taken;
  const PtxBlock *target = &g->function->blocks[to];
  return target->count == 0 && is_end(target) ? NONE : to;
}

static bool is_last(const Graph *g, uint32_t block) {
  const PtxBlock *b = &g->function->blocks[block];
  for (uint32_t i = 0; i < edge_count(b); i++)
    if (edge(g, b, i) != NONE)
      return false;
  return true;
}

static void reverse(Graph *g, PtxArena *scratch) {
  uint32_t edges = 0, *first = ARENA_ARRAY(scratch, uint32_t, g->count + 2);
  for (uint32_t b = 0; b < g->count; b++)
    for (uint32_t i = 0; i < edge_count(&g->function->blocks[b]); i++) {
      uint32_t to = edge(g, &g->function->blocks[b], i);
      if (to != NONE)
        first[to + 2]++, edges++;
    }
  for (uint32_t b = 0; b < g->count; b++)
    first[b + 2] += first[b + 1];
  uint32_t *from = ARENA_ARRAY(scratch, uint32_t, edges + 1);
  for (uint32_t b = 0; b < g->count; b++)
    for (uint32_t i = 0; i < edge_count(&g->function->blocks[b]); i++) {
      uint32_t to = edge(g, &g->function->blocks[b], i);
      if (to != NONE)
        from[first[to + 1]++] = b;
    }
  g->before = (Edges){first, from};
}

/* All blocks that lead to `end`, as a depth-first search against the edges leaves them. */
static void search(Graph *g, uint32_t end) {
  uint32_t depth = 0;
  if (g->order[end] != NONE)
    return;
  g->order[end] = 0;
  g->stack[depth] = end;
  g->next[depth++] = g->before.first[end];
  while (depth) {
    uint32_t b = g->stack[depth - 1];
    if (g->next[depth - 1] < g->before.first[b + 1]) {
      uint32_t from = g->before.from[g->next[depth - 1]++];
      if (g->order[from] != NONE)
        continue;
      g->order[from] = 0;
      g->stack[depth] = from;
      g->next[depth++] = g->before.first[from];
      continue;
    }
    g->order[b] = g->nfound;
    g->found[g->nfound++] = b;
    depth--;
  }
}

/* The nearest block behind both a and b; `root` is behind all. */
static uint32_t common(const Graph *g, uint32_t a, uint32_t b, uint32_t root) {
  while (a != b) {
    if (a == root || b == root)
      return root;
    if (g->order[a] < g->order[b])
      a = g->meet[a];
    else
      b = g->meet[b];
  }
  return a;
}

/* Post-dominators of found[begin ..), whose last is the end that all of them lead to; or, where there
 * are several ends, `root` is NONE and stands behind them. */
static void solve(Graph *g, uint32_t begin, uint32_t root) {
  const uint32_t unknown = NONE - 1;
  for (uint32_t i = begin; i < g->nfound; i++)
    g->meet[g->found[i]] = unknown;
  if (root != NONE)
    g->meet[root] = root;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = g->nfound; i-- > begin;) {
      uint32_t b = g->found[i], meet = is_last(g, b) ? NONE : unknown;
      if (b == root)
        continue;
      const PtxBlock *block = &g->function->blocks[b];
      for (uint32_t k = 0; k < edge_count(block); k++) {
        uint32_t to = edge(g, block, k);
        if (to == NONE || g->order[to] == NONE || g->meet[to] == unknown)
          continue;
        meet = meet == unknown ? to : common(g, meet, to, root);
      }
      changed = changed || meet != g->meet[b];
      g->meet[b] = meet;
    }
  }
}

void find_meeting_points(PtxFunction *function, PtxArena *scratch) {
  Graph g = {.function = function, .count = function->nblocks};
  uint32_t last = NONE;
  if (!g.count)
    return;
  g.order = ARENA_ARRAY(scratch, uint32_t, g.count);
  g.found = ARENA_ARRAY(scratch, uint32_t, g.count);
  g.meet = ARENA_ARRAY(scratch, uint32_t, g.count);
  g.stack = ARENA_ARRAY(scratch, uint32_t, g.count);
  g.next = ARENA_ARRAY(scratch, uint32_t, g.count);
  reverse(&g, scratch);
  for (uint32_t b = 0; b < g.count; b++) {
    g.order[b] = g.meet[b] = NONE;
    last = is_last(&g, b) ? b : last;
  }
  if (last != NONE) {
    search(&g, last);
    solve(&g, 0, last);
  }
  uint32_t begin = g.nfound;
  for (uint32_t b = 0; b < g.count; b++)
    if (is_last(&g, b))
      search(&g, b);
  solve(&g, begin, NONE);
  for (uint32_t b = 0; b < g.count; b++)
    function->blocks[b].meet = g.meet[b] == b ? PTX_NO_BLOCK : g.meet[b];
}
