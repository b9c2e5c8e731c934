/* Determines the kernel parameter from which each address is computed, and other properties of
 * memory accesses that require an analysis of the whole function.
 *
 * Every 64-bit virtual register has one origin. The analysis raises the origins in the following
 * order until no origin changes. Compilers use a separate register for each value, so one origin
 * per register is almost as precise as one per register and program point.
 *
 *   NOTHING < NUMBER < MAYBE(parameter) | ELSEWHERE < POINTER(parameter) < UNKNOWN
 *
 * MAYBE: a 64-bit parameter, which may be a pointer or a size. POINTER: a parameter that has been
 * converted to a global address. The sum of a pointer and another value has the origin of the
 * pointer, because C cannot add two pointers. ELSEWHERE: the address of a variable, or an address
 * in shared or local memory. A selection between a parameter's pointer and an ELSEWHERE address, as
 * in `*(inside ? A + i : &zero)`, has the origin of the parameter. */
#include "ptx.h"

typedef struct Origin {
  enum { NOTHING, NUMBER, MAYBE, ELSEWHERE, POINTER, UNKNOWN } kind;
  uint32_t parameter;
} Origin;

enum { MAX_SWEEPS = 64, MAX_SUMMARY_STEPS = 1 << 26 };

static const Origin number = {NUMBER, 0}, elsewhere = {ELSEWHERE, 0}, unknown = {UNKNOWN, 0};

static bool same_origin(Origin a, Origin b) {
  return a.kind == b.kind && a.parameter == b.parameter;
}

static bool is_pointer(Origin origin) { return origin.kind == POINTER || origin.kind == ELSEWHERE; }

static Origin strengthen(Origin a) {
  if (a.kind == MAYBE)
    a.kind = POINTER;
  return a;
}

/* Returns the origin of a register whose value may have origin a or origin b. */
static Origin join(Origin a, Origin b) {
  if (b.kind < a.kind)
    return join(b, a);
  if (a.kind <= NUMBER || same_origin(a, b))
    return b;
  if (a.kind == MAYBE && b.kind == POINTER && a.parameter == b.parameter)
    return b;
  if (a.kind == MAYBE && b.kind == ELSEWHERE)
    return strengthen(a);
  if (a.kind == ELSEWHERE && b.kind == POINTER)
    return b;
  return unknown;
}

/* Returns the origin of a + b. Also used for AND, OR and XOR, because code applies these to an
 * address only to change a few bits. */
static Origin sum(Origin a, Origin b) {
  if (a.kind == NOTHING || b.kind == NOTHING)
    return (Origin){NOTHING, 0};
  if (is_pointer(a) != is_pointer(b))
    return is_pointer(a) ? a : b;
  if (a.kind == NUMBER || b.kind == NUMBER)
    return a.kind == NUMBER ? b : a;
  return unknown;
}

static Origin difference(Origin a, Origin b) {
  if (!is_pointer(b))
    return sum(a, b);
  return is_pointer(a) ? number : unknown;
}

/* Returns the origin of a product or shift: an index (NUMBER), or unknown if an operand is an
 * address. */
static Origin arithmetic(Origin a, Origin b) {
  return is_pointer(a) || is_pointer(b) ? unknown : number;
}

typedef struct Trace {
  const Decoder *decoder;
  Origin *origins;
  bool changed;
} Trace;

static Origin origin_of(const Trace *trace, uint32_t reg) {
  if (reg == PTX_NO_REG || trace->decoder->source->registers.items[reg].class != CLASS_WIDE)
    return number;
  return trace->origins[reg];
}

static Origin operation_origin(const Trace *trace, const PtxInsn *insn) {
  Origin a = origin_of(trace, insn->a), b = origin_of(trace, insn->b),
         c = origin_of(trace, insn->c);
  switch ((PtxOp)insn->op) {
  case PTX_OP_MOV_B64:
  case PTX_OP_CVT_U64_U64:
  case PTX_OP_CVT_S64_S64:
    return a;
  case PTX_OP_CVTA_GLOBAL_U64:
  case PTX_OP_CVTA_TO_GLOBAL_U64:
    return strengthen(a);
  case PTX_OP_CVTA_SHARED_U64:
  case PTX_OP_CVTA_LOCAL_U64:
  case PTX_OP_CVTA_CONST_U64:
  case PTX_OP_CVTA_TO_SHARED_U64:
  case PTX_OP_CVTA_TO_LOCAL_U64:
  case PTX_OP_CVTA_TO_CONST_U64:
    return elsewhere;
  case PTX_OP_ADD_U64:
  case PTX_OP_ADD_S64:
  case PTX_OP_AND_B64:
  case PTX_OP_OR_B64:
  case PTX_OP_XOR_B64:
    return sum(a, b);
  case PTX_OP_SUB_U64:
  case PTX_OP_SUB_S64:
    return difference(a, b);
  case PTX_OP_MAD_LO_U64:
  case PTX_OP_MAD_LO_S64:
  case PTX_OP_MAD_WIDE_U32:
  case PTX_OP_MAD_WIDE_S32:
    return sum(c, arithmetic(a, b));
  case PTX_OP_SELP_B64:
    return join(a, b);
  default:
    return arithmetic(is_pointer(c) ? c : a, b);
  }
}

static int parameter_at(const PtxFunction *function, int64_t offset) {
  uint32_t low = 0, high = function->nparams;
  while (low + 1 < high) {
    uint32_t middle = low + (high - low) / 2;
    *(function->params[middle].offset <= offset ? &low : &high) = middle;
  }
  return high ? (int)low : -1;
}

static Origin result_origin(const Trace *trace, const PtxInsn *insn) {
  switch ((PtxForm)insn->form) {
  case PTX_ALU:
    return operation_origin(trace, insn);
  case PTX_SREG:
    return number;
  case PTX_LOCAL_ADDR:
    return elsewhere;
  case PTX_LD_PARAM:
    if (insn->a == PTX_NO_REG && ptx_type_bytes((PtxType)insn->type) == 8)
      return (Origin){MAYBE, (uint32_t)parameter_at(trace->decoder->function, insn->imm)};
    return ptx_type_bytes((PtxType)insn->type) == 8 ? unknown : number;
  default:
    return unknown;
  }
}

static void raise(Trace *trace, uint32_t reg, Origin origin) {
  if (reg == PTX_NO_REG || trace->decoder->source->registers.items[reg].class != CLASS_WIDE)
    return;
  Origin joined = join(trace->origins[reg], origin);
  trace->changed |= !same_origin(joined, trace->origins[reg]);
  trace->origins[reg] = joined;
}

static void sweep(Trace *trace) {
  const PtxFunction *function = trace->decoder->function;
  trace->changed = false;
  for (uint32_t i = 0; i < function->ncode; i++) {
    const PtxInsn *insn = &function->code[i];
    Origin origin = result_origin(trace, insn);
    raise(trace, insn->d, origin);
    for (uint32_t k = 0; k < ptx_written(insn); k++)
      raise(trace, insn->list[k], origin);
  }
}

/* Returns the value for PtxInsn.parameter: the number of the parameter; -1: unknown; -2: the
 * address is not computed from a parameter. */
static int16_t parameter_number(const Trace *trace, const PtxInsn *insn) {
  if (insn->space != PTX_GENERIC && insn->space != PTX_GLOBAL)
    return -2;
  Origin origin = origin_of(trace, insn->a);
  if (insn->a == PTX_NO_REG)
    return -1;
  if ((origin.kind == POINTER || origin.kind == MAYBE) && origin.parameter <= INT16_MAX)
    return (int16_t)origin.parameter;
  return origin.kind == ELSEWHERE ? -2 : -1;
}

void trace_parameters(Decoder *decoder) {
  uint32_t count = decoder->source->registers.count;
  Trace trace = {decoder, ARENA_ARRAY(decoder->loader->scratch, Origin, count), true};
  for (uint32_t i = 0; i < decoder->constants.count; i++) {
    const PtxConstant *constant_ = &decoder->constants.items[i];
    trace.origins[constant_->slot] = constant_->kind == PTX_VALUE ? number : elsewhere;
  }
  for (int i = 0; trace.changed && i < MAX_SWEEPS; i++)
    sweep(&trace);
  for (uint32_t i = 0; trace.changed && i < count; i++)
    trace.origins[i] = unknown;
  for (uint32_t i = 0; i < decoder->function->ncode; i++) {
    PtxInsn *insn = &decoder->function->code[i];
    if (insn->form == PTX_LD || insn->form == PTX_ST || insn->form == PTX_ATOM)
      insn->parameter = parameter_number(&trace, insn);
  }
}

/* ---- stores to addresses that depend on data ------------------------------------------------- */
/* The registers that hold data: values that were loaded, values that the caller or another lane
 * passed, and values that were computed from data. */
typedef struct Data {
  const Decoder *decoder;
  bool *holds;
  bool changed;
} Data;

static bool is_data(const Data *data, uint32_t reg) {
  return reg != PTX_NO_REG && reg < data->decoder->source->registers.count && data->holds[reg];
}

static bool gives_data(const Data *data, const PtxInsn *insn) {
  switch ((PtxForm)insn->form) {
  case PTX_SREG:
  case PTX_LOCAL_ADDR:
  case PTX_ST:
    return false;
  case PTX_LD_PARAM:
    return !data->decoder->function->is_entry;
  case PTX_ALU:
  case PTX_PACK:
  case PTX_UNPACK:
    for (uint32_t k = 0; k < insn->count && insn->form == PTX_PACK; k++)
      if (is_data(data, insn->list[k]))
        return true;
    return is_data(data, insn->a) || is_data(data, insn->b) || is_data(data, insn->c);
  default:
    return true;
  }
}

static void mark_data(Data *data, uint32_t reg) {
  if (reg == PTX_NO_REG || data->holds[reg])
    return;
  data->holds[reg] = data->changed = true;
}

static void sweep_data(Data *data) {
  const PtxFunction *function = data->decoder->function;
  data->changed = false;
  for (uint32_t i = 0; i < function->ncode; i++) {
    const PtxInsn *insn = &function->code[i];
    if (!gives_data(data, insn))
      continue;
    mark_data(data, insn->d);
    for (uint32_t k = 0; k < ptx_written(insn); k++)
      mark_data(data, insn->list[k]);
  }
}

void trace_data(Decoder *decoder) {
  PtxFunction *function = decoder->function;
  uint32_t count = decoder->source->registers.count;
  Data data = {decoder, ARENA_ARRAY(decoder->loader->scratch, bool, count), true};
  for (int i = 0; data.changed && i < MAX_SWEEPS; i++)
    sweep_data(&data);
  for (uint32_t i = 0; i < function->ncode; i++) {
    const PtxInsn *insn = &function->code[i];
    bool global = insn->space == PTX_GLOBAL || insn->space == PTX_GENERIC;
    if (insn->form == PTX_ST && global && (data.changed || is_data(&data, insn->a)))
      function->scatters = true;
  }
}

/* ---- loads that begin a compare-and-swap loop ------------------------------------------------ */
/* Extends `feeds`, the set of registers from which the compare operand of an atomicCAS is only
 * copied. A load into such a register does not have to be atomic, as the first one in old = *p; do
 * { seen = old; old = atomicCAS(p, seen, ...) } while (old != seen). If *p has changed since the
 * load, the compare-and-swap fails. */
static void mark_sources(Data *feeds, const PtxInsn *insn) {
  if (insn->form == PTX_ALU && insn->c == PTX_NO_REG && insn->b != PTX_NO_REG)
    return;
  if ((insn->form != PTX_ALU && insn->form != PTX_PACK) || !is_data(feeds, insn->d))
    return;
  mark_data(feeds, insn->a);
  if (insn->form == PTX_ALU && ptx_op_is_select((PtxOp)insn->op))
    mark_data(feeds, insn->b);
  for (uint32_t k = 0; k < insn->count && insn->form == PTX_PACK; k++)
    mark_data(feeds, insn->list[k]);
}

void trace_seeds(Decoder *decoder) {
  PtxFunction *function = decoder->function;
  const uint32_t count = decoder->source->registers.count;
  Data feeds = {decoder, ARENA_ARRAY(decoder->loader->scratch, bool, count), false};
  for (uint32_t i = 0; i < function->ncode; i++)
    if (function->code[i].form == PTX_ATOM && function->code[i].sub == PTX_ATOM_CAS &&
        function->code[i].b < count)
      mark_data(&feeds, function->code[i].b);
  for (int sweeps = 0; feeds.changed && sweeps < MAX_SWEEPS; sweeps++) {
    feeds.changed = false;
    for (uint32_t i = 0; i < function->ncode; i++)
      mark_sources(&feeds, &function->code[i]);
  }
  for (uint32_t i = 0; i < function->ncode; i++)
    if (function->code[i].form == PTX_LD && is_data(&feeds, function->code[i].list[0]))
      function->code[i].flags |= PTX_SEED;
}

/* ---- volatile accesses to flags -------------------------------------------------------------- */
/* The state of the search for flags. A volatile variable is a flag, through which the program
 * synchronises, if a loop reads the variable until it changes. Other volatile variables are
 * ordinary data. Even for a flag x, x += 1 is an error, because changes by other threads between
 * the load and the store of x are lost. */
typedef struct Flags {
  const Decoder *decoder;
  /* For each register, the volatile load from which its value was computed: the index of the load
   * in `code` plus 1; 0: there is no such load. */
  uint32_t *source;
  /* For each instruction, the number of its PtxBlock. */
  uint32_t *block;
} Flags;

static uint32_t source_of(const Flags *flags, uint32_t reg) {
  return reg < flags->decoder->source->registers.count ? flags->source[reg] : 0;
}

static uint32_t computed_from(const Flags *flags, const PtxInsn *insn) {
  const uint32_t a = source_of(flags, insn->a), b = source_of(flags, insn->b);
  return a ? a : b ? b : source_of(flags, insn->c);
}

static bool is_volatile(const PtxInsn *insn, PtxForm form) {
  return insn->form == form && insn->flags & PTX_VOLATILE && !insn->strong;
}

static void find_sources(Flags *flags) {
  PtxFunction *function = flags->decoder->function;
  const uint32_t count = flags->decoder->source->registers.count;
  for (uint32_t i = 0; i < function->ncode; i++) {
    PtxInsn *insn = &function->code[i];
    if (is_volatile(insn, PTX_LD) && insn->list[0] < count)
      flags->source[insn->list[0]] = i + 1;
    else if ((insn->form == PTX_ALU || insn->form == PTX_VOTE) && insn->d < count)
      flags->source[insn->d] = computed_from(flags, insn);
    const uint32_t source = is_volatile(insn, PTX_ST) ? source_of(flags, insn->list[0]) : 0;
    if (source && function->code[source - 1].a == insn->a &&
        function->code[source - 1].imm == insn->imm)
      insn->flags |= PTX_UPDATES;
  }
}

/* Returns true if one of the instruction blocks `first` to `last` writes the register `address`. */
static bool changes_address(const PtxFunction *function, uint32_t first, uint32_t last,
                            uint32_t address) {
  for (uint32_t k = first; k <= last; k++)
    for (uint32_t i = 0; i < function->blocks[k].count; i++)
      if (function->code[function->blocks[k].first + i].d == address)
        return true;
  return false;
}

/* Returns true if a loop contains the instruction blocks `load` and `branch` and does not write the
 * register `address`. Blocks are in reverse post-order, so a backward branch marks the end of a
 * loop. */
static bool loops_around(const PtxFunction *function, uint32_t load, uint32_t branch,
                         uint32_t address) {
  for (uint32_t last = load > branch ? load : branch; last < function->nblocks; last++) {
    const PtxBlock *b = &function->blocks[last];
    const uint32_t ends[] = {
        b->end == PTX_END_BRANCH || b->end == PTX_END_IF ? b->taken : PTX_NO_BLOCK,
        b->end == PTX_END_FALL || b->end == PTX_END_IF ? b->next : PTX_NO_BLOCK};
    for (int i = 0; i < 2; i++)
      if (ends[i] <= load && ends[i] <= branch && ends[i] <= last &&
          !changes_address(function, ends[i], last, address))
        return true;
  }
  return false;
}

/* Sets PtxInsn.strong in all volatile accesses through the same kernel parameter as `flag`, the
 * load of a flag. */
static void mark_strong(PtxFunction *function, const PtxInsn *flag) {
  for (uint32_t i = 0; i < function->ncode; i++) {
    PtxInsn *insn = &function->code[i];
    const bool same = insn->parameter == flag->parameter &&
                      (insn->space == PTX_SHARED) == (flag->space == PTX_SHARED);
    if ((is_volatile(insn, PTX_LD) || is_volatile(insn, PTX_ST)) && same)
      insn->strong = true;
  }
}

void trace_flags(Decoder *decoder) {
  PtxFunction *function = decoder->function;
  Flags flags = {.decoder = decoder};
  flags.source = ARENA_ARRAY(decoder->loader->scratch, uint32_t, decoder->source->registers.count);
  flags.block = ARENA_ARRAY(decoder->loader->scratch, uint32_t, function->ncode);
  for (uint32_t k = 0; k < function->nblocks; k++)
    for (uint32_t i = 0; i < function->blocks[k].count; i++)
      flags.block[function->blocks[k].first + i] = k;
  find_sources(&flags);
  for (uint32_t k = 0; k < function->nblocks; k++) {
    const PtxBlock *b = &function->blocks[k];
    const uint32_t source = b->end == PTX_END_IF ? source_of(&flags, b->predicate) : 0;
    const PtxInsn *load = source ? &function->code[source - 1] : NULL;
    if (load && !load->strong && loops_around(function, flags.block[source - 1], k, load->a))
      mark_strong(function, load);
  }
}

/* ---- properties of an entry and all functions that it calls ---------------------------------- */

static uint8_t changes(const PtxInsn *insn) {
  const bool wide = ptx_type_bytes((PtxType)insn->type) == 8;
  return (uint8_t)(PTX_CHANGES | (wide ? PTX_CHANGES_WIDE : PTX_CHANGES_NARROW) |
                   (insn->flags & PTX_BLOCK_SCOPE ? PTX_CHANGES_IN_BLOCK : 0));
}

static void note_access(PtxFunction *entry, bool own, const PtxInsn *insn, uint8_t *accesses) {
  unsigned count = insn->count ? insn->count : 1;
  unsigned bytes = ptx_type_bytes((PtxType)insn->type) * count;
  bool shared = insn->space == PTX_SHARED || insn->space == PTX_GENERIC;
  bool global = insn->space == PTX_GLOBAL || insn->space == PTX_GENERIC;
  if (shared && bytes < entry->shared_granule)
    entry->shared_granule = (uint8_t)bytes;
  if (global && bytes < entry->global_granule)
    entry->global_granule = (uint8_t)bytes;
  const uint8_t way = insn->form == PTX_LD   ? PTX_READS
                      : insn->form == PTX_ST ? PTX_STORES
                                             : changes(insn);
  const uint8_t ways = insn->flags & PTX_VOLATILE ? way | PTX_MEETS : way;
  if (!global)
    return;
  /* In a device function, `parameter` is a parameter of this function, so the kernel parameter is
   * unknown. */
  if (own && insn->parameter >= 0)
    accesses[insn->parameter] |= ways;
  else if (insn->parameter != -2)
    entry->accesses_unknown |= ways;
}

static uint8_t bytes_added(const PtxInsn *insn) {
  const PtxType type = (PtxType)insn->type;
  const bool whole = type == PTX_U32 || type == PTX_S32 || type == PTX_U64 || type == PTX_S64;
  return insn->sub == PTX_ATOM_ADD && whole && insn->unused ? (uint8_t)ptx_type_bytes(type) : 0;
}

/* Updates PtxFunction.adds. Sets `*various` if the atomic operations on global memory so far are
 * not all integer additions of one size. */
static void note_atomic(PtxFunction *entry, const PtxInsn *insn, bool *various) {
  if (insn->space != PTX_SHARED) {
    const uint8_t adds = bytes_added(insn);
    *various |= !adds || (entry->adds && entry->adds != adds);
    entry->adds = *various ? 0 : adds;
  }
  entry->meets_by_atomics |= insn->d != PTX_NO_REG && insn->space != PTX_SHARED;
}

static void note_shared(Loader *loader, PtxFunction *entry, const PtxFunction *function,
                        uint32_t *offsets) {
  for (uint32_t i = 0; i < function->nconstants; i++) {
    const PtxConstant *shared = &function->constants[i];
    if (shared->kind != PTX_SHARED_SYMBOL || offsets[shared->symbol] != NONE)
      continue;
    const PtxVariable *variable = &loader->shared.items[shared->symbol];
    /* Marks the variable as used; place_shared() computes the offset. */
    offsets[shared->symbol] = 0;
    if (variable->bytes > UINT32_MAX / 4)
      entry->refusal = "more shared memory than any device has";
  }
}

/* Assigns addresses to the shared variables in the order of their declaration, as the GPU's
 * assembler does. */
static void place_shared(Loader *loader, PtxFunction *entry, uint32_t *offsets) {
  for (uint32_t i = 0; i < loader->shared.count; i++)
    if (offsets[i] != NONE && !entry->refusal)
      offsets[i] = reserve(loader, &entry->shared_bytes, loader->shared.items[i].bytes,
                           loader->shared.items[i].align, UINT32_MAX / 2);
}

typedef struct Summary {
  Loader *loader;
  PtxFunction *entry;
  /* For each function: the index of the last entry for which it was visited, plus 1. */
  uint32_t *seen;
  uint32_t *offsets;
  uint8_t *accesses;
  uint64_t steps;
  bool various;
  VECTOR(uint32_t) todo;
} Summary;

static void visit_later(Summary *summary, uint32_t function, uint32_t stamp) {
  if (summary->seen[function] == stamp)
    return;
  summary->seen[function] = stamp;
  *VECTOR_PUSH(summary->loader->scratch, summary->todo) = function;
}

static void note_call(Summary *summary, const PtxCall *call, uint32_t stamp) {
  if (call->function >= 0)
    visit_later(summary, (uint32_t)call->function, stamp);
  for (uint32_t i = 0; call->function == -2 && i < summary->loader->functions.count; i++)
    if (!summary->loader->functions.items[i].is_entry)
      visit_later(summary, i, stamp); /* a call through a pointer may call any device function */
}

/* Returns true for an acquire or release access, which orders other accesses as a fence does. */
static bool orders_others(const PtxInsn *insn) {
  return (insn->form == PTX_LD || insn->form == PTX_ST || insn->form == PTX_ATOM) &&
         insn->flags & (PTX_ACQUIRES | PTX_RELEASES);
}

static bool orders_blocks(const PtxInsn *insn) {
  return insn->form == PTX_FENCE
             ? insn->sub
             : orders_others(insn) && insn->space != PTX_SHARED && !(insn->flags & PTX_BLOCK_SCOPE);
}

static void note_function(Summary *summary, PtxFunction *function, uint32_t stamp) {
  PtxFunction *entry = summary->entry;
  bool indirect = false;
  if (!entry->refusal)
    entry->refusal = function->refusal;
  entry->scatters |= function->scatters;
  for (uint32_t i = 0; i < function->ncode; i++) {
    const PtxInsn *insn = &function->code[i];
    if (insn->form == PTX_LD || insn->form == PTX_ST || insn->form == PTX_ATOM)
      note_access(entry, function == entry, insn, summary->accesses);
    if (insn->form == PTX_ATOM)
      note_atomic(entry, insn, &summary->various);
    entry->orders |= insn->form == PTX_FENCE || orders_others(insn);
    entry->has_fence |= orders_blocks(insn);
    if (insn->form == PTX_CALL && (insn->call->function >= 0 || !indirect))
      note_call(summary, insn->call, stamp);
    indirect |= insn->form == PTX_CALL && insn->call->function == -2;
  }
  note_shared(summary->loader, entry, function, summary->offsets);
  summary->steps += function->ncode + function->nconstants + 1;
}

static void summarise_entry(Summary *summary, uint32_t index) {
  Loader *loader = summary->loader;
  PtxFunction *entry = summary->entry = &loader->functions.items[index];
  summary->steps += loader->shared.count;
  summary->various = false;
  summary->offsets = ARENA_ARRAY(loader->module->arena, uint32_t, loader->shared.count);
  summary->accesses = ARENA_ARRAY(loader->module->arena, uint8_t, entry->nparams);
  for (uint32_t i = 0; i < loader->shared.count; i++)
    summary->offsets[i] = NONE;
  entry->shared_granule = entry->global_granule = 4;
  entry->shared_offset = summary->offsets;
  entry->accesses_parameter = summary->accesses;
  visit_later(summary, index, index + 1);
  while (summary->todo.count && summary->steps < MAX_SUMMARY_STEPS)
    note_function(summary, &loader->functions.items[summary->todo.items[--summary->todo.count]],
                  index + 1);
  place_shared(loader, entry, summary->offsets);
}

void summarise_entries(Loader *loader) {
  Summary summary = {.loader = loader};
  summary.seen = ARENA_ARRAY(loader->scratch, uint32_t, loader->functions.count);
  for (uint32_t i = 0; i < loader->functions.count; i++)
    if (loader->functions.items[i].is_entry && loader->functions.items[i].is_defined)
      summarise_entry(&summary, i);
  if (summary.steps >= MAX_SUMMARY_STEPS)
    fail(loader, loader->line, "too many kernels that call too many functions");
}
