/* Divides the statements of a function into instruction blocks (basic blocks), and orders the
 * blocks.
 *
 * While a function is decoded, blocks are created in the order of the text ("raw" blocks). A label
 * that no jump names does not end a block; debug information contains many such labels. When the
 * function is complete, jumps to an empty block are redirected to its successor, unreachable blocks
 * are removed, and the other blocks are ordered.
 *
 * The order is a reverse post-order in which every loop is contiguous: there is no block of other
 * code between two blocks of a loop. When lanes have diverged, the machine first runs the lanes
 * whose block is earlier in this order. The order is Bourdoncle's weak topological order: the
 * strongly connected components are in topological order, and the blocks of each component, except
 * its head, are ordered recursively in the same way. */
#include "ptx.h"

enum { MAX_LOOP_DEPTH = 100, MAX_SKIPS = 64, MAX_TABLE_ENTRIES = 1 << 22 };

/* ---- creating blocks ------------------------------------------------------------------------- */

static RawBlock *open_block(Decoder *decoder) {
  RawBlock *raw = VECTOR_PUSH(decoder->loader->scratch, decoder->blocks);
  raw->block.first = decoder->code.count;
  raw->block.predicate = PTX_NO_REG;
  raw->label = NONE;
  return raw;
}

/* Ends the current block and opens the next one. Returns the block that ended; the pointer is valid
 * until the next call. */
static RawBlock *close_block(Decoder *decoder, PtxEnd end) {
  uint32_t index = decoder->blocks.count - 1;
  open_block(decoder);
  RawBlock *raw = &decoder->blocks.items[index];
  raw->block.count = decoder->code.count - raw->block.first;
  raw->block.end = (uint8_t)end;
  raw->block.line = decoder->line;
  raw->block.next = index + 1;
  return raw;
}

void flow_begin(Decoder *decoder) {
  for (uint32_t i = 0; i < decoder->source->labels.count; i++)
    decoder->source->labels.items[i].block = NONE;
  open_block(decoder);
}

void flow_cut(Decoder *decoder) {
  if (decoder->code.count > decoder->blocks.items[decoder->blocks.count - 1].block.first)
    close_block(decoder, PTX_END_FALL);
}

static uint32_t target_label(Decoder *decoder, const Operand *target) {
  uint32_t label = NONE;
  if (target->kind == OPERAND_NAME || target->kind == OPERAND_SYMBOL)
    label = find_label(decoder->source, target->name, decoder->statement->scope);
  if (label == NONE)
    refuse(decoder, "jumps to a label that is not there");
  return label;
}

void flow_label(Decoder *decoder, uint32_t label) {
  if (!decoder->source->labels.items[label].targeted)
    return;
  flow_cut(decoder);
  decoder->source->labels.items[label].block = decoder->blocks.count - 1;
}

void flow_branch(Decoder *decoder, const Operand *target) {
  uint32_t label = target_label(decoder, target), guard = decoder->statement->guard;
  RawBlock *raw = close_block(decoder, guard == NONE ? PTX_END_BRANCH : PTX_END_IF);
  raw->label = label;
  raw->block.predicate = guard;
  raw->block.negated = decoder->statement->negated;
}

uint32_t flow_loop(Decoder *decoder) {
  flow_cut(decoder);
  return decoder->blocks.count - 1;
}

void flow_repeat(Decoder *decoder, uint32_t loop, uint32_t predicate) {
  RawBlock *raw = close_block(decoder, PTX_END_IF);
  raw->block.taken = loop;
  raw->block.predicate = predicate;
}

void flow_table(Decoder *decoder, uint32_t index, const Operand *targets) {
  uint32_t label = target_label(decoder, targets), count = 0, i = 0;
  uint32_t list = decoder->source->labels.items[label].targets;
  if (list == NONE)
    refuse(decoder, "needs .branchtargets");
  const Operand *first = decoder->source->statements.items[list].operands;
  for (const Operand *target = first; target; target = target->next)
    count++;
  decoder->table_entries += count;
  if (count == 0 || decoder->table_entries > MAX_TABLE_ENTRIES)
    refuse(decoder, "has too few or too many targets");
  uint32_t *table = ARENA_ARRAY(decoder->loader->module->arena, uint32_t, count);
  for (const Operand *target = first; target; target = target->next)
    table[i++] = target_label(decoder, target);
  RawBlock *raw = close_block(decoder, PTX_END_TABLE);
  raw->block.predicate = index;
  raw->block.table = table;
  raw->block.ntable = count;
}

/* Decodes ret and exit. With a guard, the instruction becomes a conditional branch to a block that
 * contains only the ret or exit. */
void flow_leave(Decoder *decoder, PtxEnd end) {
  if (decoder->statement->guard != NONE) {
    RawBlock *raw = close_block(decoder, PTX_END_IF);
    raw->block.predicate = decoder->statement->guard;
    raw->block.negated = decoder->statement->negated;
    raw->block.taken = raw->block.next;
    raw->block.next++;
  }
  close_block(decoder, end);
}

/* ---- resolving jumps ------------------------------------------------------------------------- */

/* Returns instruction block b. If b is empty, returns the first block that is not empty on the path
 * from b. */
static uint32_t skip_empty(const RawBlock *raw, uint32_t b) {
  for (int steps = 0; steps < MAX_SKIPS; steps++) {
    const PtxBlock *block = &raw[b].block;
    if (block->count || (block->end != PTX_END_FALL && block->end != PTX_END_BRANCH))
      break;
    b = block->end == PTX_END_FALL ? block->next : block->taken;
  }
  return b;
}

/* Returns the instruction block that begins at a label. The label of a .branchtargets begins no
 * block, so a jump to such a label is refused. */
static uint32_t block_of(Decoder *decoder, uint32_t label) {
  uint32_t block =
      label < decoder->source->labels.count ? decoder->source->labels.items[label].block : NONE;
  if (block >= decoder->blocks.count)
    refuse(decoder, "jumps to a label that is not there");
  return block;
}

static void resolve_targets(Decoder *decoder) {
  RawBlock *raw = decoder->blocks.items;
  for (uint32_t b = 0; b < decoder->blocks.count; b++) {
    if (raw[b].label != NONE)
      raw[b].block.taken = block_of(decoder, raw[b].label);
    for (uint32_t i = 0; i < raw[b].block.ntable; i++) {
      uint32_t *entry = (uint32_t *)&raw[b].block.table[i];
      *entry = block_of(decoder, *entry);
    }
  }
  for (uint32_t b = 0; b < decoder->blocks.count; b++) {
    PtxBlock *block = &raw[b].block;
    if (block->end == PTX_END_FALL || block->end == PTX_END_IF)
      block->next = skip_empty(raw, block->next);
    if (block->end == PTX_END_BRANCH || block->end == PTX_END_IF)
      block->taken = skip_empty(raw, block->taken);
    for (uint32_t i = 0; i < block->ntable; i++)
      ((uint32_t *)block->table)[i] = skip_empty(raw, block->table[i]);
  }
}

/* ---- ordering ---------------------------------------------------------------------------- */

typedef struct Component {
  uint32_t head, region, members, count;
} Component;

typedef struct Frame {
  uint32_t block, successor;
} Frame;

typedef struct Order {
  PtxArena *scratch;
  const RawBlock *raw;
  /* For each instruction block, its region: the innermost component that is known to contain the
   * block. NONE: the block has been placed. */
  uint32_t *region;
  uint32_t *visited, *low;
  uint32_t clock, regions;
  VECTOR(uint32_t) stack, members, placed;
  VECTOR(Frame) frames;
  VECTOR(Component) components;
} Order;

static uint32_t successor_count(const PtxBlock *block) {
  static const uint8_t count[] = {[PTX_END_FALL] = 1,  [PTX_END_BRANCH] = 1, [PTX_END_IF] = 2,
                                  [PTX_END_TABLE] = 0, [PTX_END_RET] = 0,    [PTX_END_EXIT] = 0};
  return block->end == PTX_END_TABLE ? block->ntable : count[block->end];
}

/* Returns successor i in the order in which the search visits the successors. The successor that is
 * visited last is placed first, so the order of the text is kept where possible. */
static uint32_t successor(const PtxBlock *block, uint32_t i) {
  if (block->end == PTX_END_TABLE)
    return block->table[block->ntable - 1 - i];
  return block->end == PTX_END_FALL || (block->end == PTX_END_IF && i == 1) ? block->next
                                                                            : block->taken;
}

static void enter_block(Order *order, uint32_t b) {
  order->visited[b] = order->low[b] = ++order->clock;
  *VECTOR_PUSH(order->scratch, order->stack) = b;
  *VECTOR_PUSH(order->scratch, order->frames) = (Frame){b, 0};
}

static void take_component(Order *order, uint32_t head) {
  Component component = {head, ++order->regions, order->members.count, 0};
  uint32_t b;
  do {
    b = order->stack.items[--order->stack.count];
    *VECTOR_PUSH(order->scratch, order->members) = b;
    order->region[b] = component.region;
    order->visited[b] = 0;
    component.count++;
  } while (b != head);
  *VECTOR_PUSH(order->scratch, order->components) = component;
}

/* Finds the strongly connected components of a region with Tarjan's algorithm. Considers only
 * blocks that are reachable from `start`. All components that are reachable from a component are
 * found before this component. */
static void find_components(Order *order, uint32_t start, uint32_t region) {
  uint32_t bottom = order->frames.count;
  enter_block(order, start);
  while (order->frames.count > bottom) {
    Frame *frame = &order->frames.items[order->frames.count - 1];
    uint32_t b = frame->block;
    if (frame->successor < successor_count(&order->raw[b].block)) {
      uint32_t s = successor(&order->raw[b].block, frame->successor++);
      if (order->region[s] != region)
        continue;
      if (!order->visited[s])
        enter_block(order, s);
      else if (order->visited[s] < order->low[b])
        order->low[b] = order->visited[s];
      continue;
    }
    order->frames.count--;
    uint32_t low = order->low[b];
    if (low == order->visited[b])
      take_component(order, b);
    if (order->frames.count > bottom) {
      uint32_t parent = order->frames.items[order->frames.count - 1].block;
      if (order->region[b] == region && low < order->low[parent])
        order->low[parent] = low;
    }
  }
}

static void place(Order *order, uint32_t b) {
  *VECTOR_PUSH(order->scratch, order->placed) = b;
  order->region[b] = NONE;
}

static void place_inside(Order *order, const Component *component, uint32_t depth);

/* Places the components from index `bottom` on. The component that was found last is placed
 * first. */
static void place_components(Order *order, uint32_t bottom, uint32_t depth) {
  for (uint32_t i = order->components.count; i-- > bottom;) {
    Component component = order->components.items[i];
    place(order, component.head);
    if (component.count > 1)
      place_inside(order, &component, depth + 1);
  }
  order->components.count = bottom;
}

/* Places the instruction blocks of a loop, except its head. */
static void place_inside(Order *order, const Component *component, uint32_t depth) {
  const PtxBlock *head = &order->raw[component->head].block;
  if (depth > MAX_LOOP_DEPTH) {
    for (uint32_t i = component->count - 1; i-- > 0;)
      place(order, order->members.items[component->members + i]);
    return;
  }
  uint32_t bottom = order->components.count, members = order->members.count;
  for (uint32_t i = 0; i < successor_count(head); i++) {
    uint32_t s = successor(head, i);
    if (order->region[s] == component->region)
      find_components(order, s, component->region);
  }
  place_components(order, bottom, depth);
  order->members.count = members;
}

static void order_blocks(Decoder *decoder, Order *order) {
  uint32_t count = decoder->blocks.count;
  PtxArena *scratch = decoder->loader->scratch;
  *order = (Order){.scratch = scratch, .raw = decoder->blocks.items};
  order->region = ARENA_ARRAY(scratch, uint32_t, count);
  order->visited = ARENA_ARRAY(scratch, uint32_t, count);
  order->low = ARENA_ARRAY(scratch, uint32_t, count);
  find_components(order, skip_empty(order->raw, 0), 0);
  place_components(order, 0, 0);
}

/* ---- the result -------------------------------------------------------------------------- */

static void renumber(PtxBlock *block, const uint32_t *number) {
  block->taken =
      block->end == PTX_END_BRANCH || block->end == PTX_END_IF ? number[block->taken] : 0;
  block->next = block->end == PTX_END_FALL || block->end == PTX_END_IF ? number[block->next] : 0;
  for (uint32_t i = 0; i < block->ntable; i++)
    ((uint32_t *)block->table)[i] = number[block->table[i]];
}

void flow_finish(Decoder *decoder) {
  PtxFunction *function = decoder->function;
  PtxArena *arena = decoder->loader->module->arena;
  Order order;
  /* If the last instruction of a function is not a return, add a return. */
  close_block(decoder, PTX_END_RET);
  decoder->blocks.count--;
  resolve_targets(decoder);
  order_blocks(decoder, &order);
  uint32_t *number = ARENA_ARRAY(decoder->loader->scratch, uint32_t, decoder->blocks.count);
  for (uint32_t i = 0; i < order.placed.count; i++)
    number[order.placed.items[i]] = i;
  function->blocks = ARENA_ARRAY(arena, PtxBlock, order.placed.count);
  function->code = ARENA_ARRAY(arena, PtxInsn, decoder->code.count);
  for (uint32_t i = 0; i < order.placed.count; i++) {
    PtxBlock block = decoder->blocks.items[order.placed.items[i]].block;
    renumber(&block, number);
    if (block.count)
      memcpy(&function->code[function->ncode], &decoder->code.items[block.first],
             block.count * sizeof(PtxInsn));
    block.first = function->ncode;
    function->ncode += block.count;
    function->blocks[i] = block;
  }
  function->nblocks = order.placed.count;
  find_meeting_points(function, decoder->loader->scratch);
}
