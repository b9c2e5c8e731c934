/* Computes where lanes that diverge at a branch reconverge.
 *
 * The first reconvergence point of a branch is its immediate post-dominator: the first instruction
 * block that all paths from the branch pass through. Like a GPU's assembler, this file finds
 * further points: it removes all edges into a reconvergence point except one, computes the
 * post-dominators again, and repeats this until it finds no new point. A new post-dominator is a
 * reconvergence point only for the lanes that reach it. Such points are found after a loop that
 * some lanes leave by a return, or by a jump out of two loops. A branch has up to two points, and
 * lanes stop at each point at which other lanes wait (machine/paths.c). The edge that is not
 * removed leads from the last block before the point, in a reverse post-order that visits jumps
 * before fall-throughs. The end of the function is not a reconvergence point, because lanes that
 * reach it have finished. A jump to an empty block that returns counts as a jump to the end.
 *
 * The rules were found by experiment: for the kernels in tests/programs/reconvergence*.cu, requests
 * and sectors are equal to those of Nsight Compute on an H200, with two exceptions that comments in
 * these files describe.
 *
 * Post-dominators are the dominators of the reversed graph. The algorithm is from Cooper, Harvey
 * and Kennedy, "A Simple, Fast Dominance Algorithm" (2001). */
#include "ptx.h"

enum { PASSES = 9 };

typedef struct Graph {
  PtxFunction *function;
  PtxArena *scratch;
  /* The node for the end of the function. Its number is the number of instruction blocks. */
  uint32_t end;
  uint32_t edges;
  /* [end + 2] The edges first[b] .. first[b + 1] leave block b; jumps precede fall-throughs. */
  uint32_t *first;
  /* Each edge leads from instruction block `from` to instruction block `to`. */
  uint32_t *from, *to;
  /* For each edge, true if the edge has been removed. */
  bool *cut;
  /* [end + 2] The edges in[first_in[b]] .. in[first_in[b + 1]] lead to block b. */
  uint32_t *first_in, *in;
  /* The index of each instruction block in the reverse post-order. */
  uint32_t *order;
  /* Post-order index of each instruction block in a backward search from the end; NONE: the search
   * has not reached the block. */
  uint32_t *left;
  /* The reached blocks, in post-order. */
  uint32_t *found, nfound;
  /* The immediate post-dominator of each reached block. */
  uint32_t *behind;
  uint32_t *stack, *next;
  /* `wanted`: the blocks that this pass found to be reconvergence points. `done`: those of earlier
   * passes. */
  bool *wanted, *done;
} Graph;

/* ---- edges ------------------------------------------------------------------------------- */

static bool is_end(const PtxBlock *b) { return b->end == PTX_END_RET || b->end == PTX_END_EXIT; }

static uint32_t edge_count(const PtxBlock *b) {
  return b->end == PTX_END_TABLE ? b->ntable : b->end == PTX_END_IF ? 2 : 1;
}

static uint32_t target(const Graph *g, const PtxBlock *b, uint32_t i) {
  if (is_end(b))
    return g->end;
  uint32_t to = b->end == PTX_END_TABLE                                 ? b->table[i]
                : b->end == PTX_END_FALL || (b->end == PTX_END_IF && i) ? b->next
                                                                        : b->taken;
  const PtxBlock *block = &g->function->blocks[to];
  return block->count == 0 && is_end(block) ? g->end : to;
}

static void make_edges(Graph *g) {
  const PtxBlock *blocks = g->function->blocks;
  g->first = ARENA_ARRAY(g->scratch, uint32_t, g->end + 2);
  for (uint32_t b = 0; b < g->end; b++)
    g->first[b + 1] = g->first[b] + edge_count(&blocks[b]);
  g->edges = g->first[g->end + 1] = g->first[g->end];
  g->from = ARENA_ARRAY(g->scratch, uint32_t, g->edges + 1);
  g->to = ARENA_ARRAY(g->scratch, uint32_t, g->edges + 1);
  g->cut = ARENA_ARRAY(g->scratch, bool, g->edges + 1);
  g->in = ARENA_ARRAY(g->scratch, uint32_t, g->edges + 1);
  g->first_in = ARENA_ARRAY(g->scratch, uint32_t, g->end + 3);
  for (uint32_t b = 0; b < g->end; b++)
    for (uint32_t e = g->first[b]; e < g->first[b + 1]; e++) {
      g->from[e] = b;
      g->to[e] = target(g, &blocks[b], e - g->first[b]);
      g->first_in[g->to[e] + 2]++;
    }
  for (uint32_t b = 0; b <= g->end; b++)
    g->first_in[b + 2] += g->first_in[b + 1];
  for (uint32_t e = 0; e < g->edges; e++)
    g->in[g->first_in[g->to[e] + 1]++] = e;
}

static void find_order(Graph *g) {
  uint32_t depth = 0, number = g->end;
  for (uint32_t b = 0; b <= g->end; b++)
    g->order[b] = NONE;
  g->order[0] = 0;
  g->stack[depth] = 0;
  g->next[depth++] = g->first[0];
  while (depth) {
    uint32_t b = g->stack[depth - 1];
    if (g->next[depth - 1] < g->first[b + 1]) {
      uint32_t to = g->to[g->next[depth - 1]++];
      if (g->order[to] != NONE)
        continue;
      g->order[to] = 0;
      g->stack[depth] = to;
      g->next[depth++] = g->first[to];
      continue;
    }
    g->order[b] = number--;
    depth--;
  }
}

/* ---- post-dominators --------------------------------------------------------------------- */

/* Searches depth-first from the end, against the direction of the edges. `found` lists in
 * post-order all blocks that can reach the end. */
static void search(Graph *g) {
  uint32_t depth = 0;
  g->nfound = 0;
  for (uint32_t b = 0; b <= g->end; b++)
    g->left[b] = NONE;
  g->left[g->end] = 0;
  g->stack[depth] = g->end;
  g->next[depth++] = g->first_in[g->end];
  while (depth) {
    uint32_t b = g->stack[depth - 1];
    if (g->next[depth - 1] < g->first_in[b + 1]) {
      uint32_t e = g->in[g->next[depth - 1]++], from = g->from[e];
      if (g->cut[e] || g->left[from] != NONE)
        continue;
      g->left[from] = 0;
      g->stack[depth] = from;
      g->next[depth++] = g->first_in[from];
      continue;
    }
    g->left[b] = g->nfound;
    g->found[g->nfound++] = b;
    depth--;
  }
}

/* Returns the nearest common post-dominator of a and b. */
static uint32_t common(const Graph *g, uint32_t a, uint32_t b) {
  while (a != b)
    if (g->left[a] < g->left[b])
      a = g->behind[a];
    else
      b = g->behind[b];
  return a;
}

static bool leads_on(const Graph *g, uint32_t e) { return !g->cut[e] && g->left[g->to[e]] != NONE; }

static void solve(Graph *g) {
  search(g);
  for (uint32_t b = 0; b <= g->end; b++)
    g->behind[b] = NONE;
  g->behind[g->end] = g->end;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = g->nfound - 1; i-- > 0;) {
      /* The end is last in post-order and has been skipped. */
      uint32_t b = g->found[i], behind = NONE;
      for (uint32_t e = g->first[b]; e < g->first[b + 1]; e++)
        if (leads_on(g, e) && g->behind[g->to[e]] != NONE)
          behind = behind == NONE ? g->to[e] : common(g, behind, g->to[e]);
      changed = changed || behind != g->behind[b];
      g->behind[b] = behind;
    }
  }
}

/* ---- reconvergence points -------------------------------------------------------------------- */

/* Returns true if edges from instruction block b that have not been removed lead to different
 * blocks. */
static bool may_diverge(const Graph *g, uint32_t b) {
  uint32_t seen = NONE;
  for (uint32_t e = g->first[b]; e < g->first[b + 1]; e++) {
    if (!leads_on(g, e))
      continue;
    if (seen != NONE && g->to[e] != seen)
      return true;
    seen = g->to[e];
  }
  return false;
}

/* Stores the reconvergence points that this pass found. meet[0] is the point that was found last,
 * because later passes find inner points. */
static void want_meetings(Graph *g) {
  for (uint32_t b = 0; b < g->end; b++) {
    PtxBlock *block = &g->function->blocks[b];
    if (!may_diverge(g, b))
      continue;
    uint32_t meet = g->behind[b];
    if (meet != g->end && block->meet[0] != meet && block->meet[1] != meet) {
      if (block->meet[1] != PTX_NO_BLOCK)
        continue;
      block->meet[1] = block->meet[0];
      block->meet[0] = meet;
    }
    g->wanted[meet] = !g->done[meet];
  }
}

/* Removes all forward edges into a reconvergence point except the one from the last block. */
static void cut_ways(Graph *g, uint32_t meet) {
  uint32_t latest = NONE;
  for (int keep = 1; keep >= 0; keep--)
    for (uint32_t i = g->first_in[meet]; i < g->first_in[meet + 1]; i++) {
      uint32_t e = g->in[i], b = g->from[e];
      if (g->cut[e] || g->left[b] == NONE || g->order[b] >= g->order[meet])
        continue;
      if (!keep)
        g->cut[e] = b != latest;
      else if (latest == NONE || g->order[b] > g->order[latest])
        latest = b;
    }
}

static bool cut_all(Graph *g) {
  bool any = false;
  for (uint32_t b = 0; b <= g->end; b++) {
    if (!g->wanted[b])
      continue;
    cut_ways(g, b);
    g->wanted[b] = false;
    g->done[b] = any = true;
  }
  return any;
}

void find_meeting_points(PtxFunction *function, PtxArena *scratch) {
  Graph g = {.function = function, .scratch = scratch, .end = function->nblocks};
  if (!g.end)
    return;
  uint32_t **arrays[] = {&g.order, &g.left, &g.found, &g.behind, &g.stack, &g.next};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    *arrays[i] = ARENA_ARRAY(scratch, uint32_t, g.end + 2);
  g.wanted = ARENA_ARRAY(scratch, bool, g.end + 1);
  g.done = ARENA_ARRAY(scratch, bool, g.end + 1);
  for (uint32_t b = 0; b < g.end; b++)
    function->blocks[b].meet[0] = function->blocks[b].meet[1] = PTX_NO_BLOCK;
  make_edges(&g);
  find_order(&g);
  for (int pass = 0; pass < PASSES; pass++) {
    solve(&g);
    want_meetings(&g);
    if (!cut_all(&g))
      break;
  }
}
