/* Prints functions as C, compiles and loads them. */
#include "native.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alu.h"

/* ---- registers and where they are live -------------------------------------------------------- */
typedef struct Registers {
  const PtxFunction *f;
  uint32_t n;
  /* Byte offsets. */
  uint32_t *slot;
  /* By slot offset / 4: index in `slot` + 1; 0: none. */
  uint32_t *index;
  /* Constants and invariant results, which the frame holds from its creation. */
  bool *fixed;
  const PtxConstant **constant;
  uint32_t words;
  /* Other lanes have values in the registers, so that a result does not replace all of one. */
  bool part;
  /* [nblocks][words] */
  uint64_t *live;
} Registers;

static bool is_wide(const PtxFunction *f, uint32_t slot) {
  return slot < f->wide_slots * PTX_SLOT_BYTES;
}
static bool is_predicate(const PtxFunction *f, uint32_t slot) {
  return slot >= f->value_slots * PTX_SLOT_BYTES;
}

static uint32_t add_register(Registers *r, uint32_t slot) {
  if (slot == PTX_NO_REG)
    return UINT32_MAX;
  if (!r->index[slot / 4]) {
    r->slot[r->n] = slot;
    r->index[slot / 4] = ++r->n;
  }
  return r->index[slot / 4] - 1;
}

typedef void Visit(void *context, uint32_t slot);
static void each_read(const PtxInsn *insn, Visit *visit, void *context) {
  const uint32_t all[] = {insn->a, insn->b, insn->c, insn->mask, insn->guard};
  for (unsigned i = 0; i < 5; i++)
    if (all[i] != PTX_NO_REG)
      visit(context, all[i]);
  for (unsigned i = ptx_written(insn); insn->list && i < insn->count; i++)
    if (insn->list[i] != PTX_NO_REG)
      visit(context, insn->list[i]);
}
static void each_written(const PtxInsn *insn, Visit *visit, void *context) {
  if (insn->d != PTX_NO_REG)
    visit(context, insn->d);
  if (insn->e != PTX_NO_REG)
    visit(context, insn->e);
  for (unsigned i = 0; i < ptx_written(insn); i++)
    if (insn->list[i] != PTX_NO_REG)
      visit(context, insn->list[i]);
}
static void visit_add(void *context, uint32_t slot) { add_register(context, slot); }

typedef struct Bits {
  Registers *r;
  uint64_t *bits;
} Bits;
static void visit_set(void *context, uint32_t slot) {
  Bits *b = context;
  uint32_t i = b->r->index[slot / 4] - 1;
  if (!b->r->fixed[i])
    b->bits[i / 64] |= UINT64_C(1) << i % 64;
}
static void visit_clear(void *context, uint32_t slot) {
  Bits *b = context;
  uint32_t i = b->r->index[slot / 4] - 1;
  b->bits[i / 64] &= ~(UINT64_C(1) << i % 64);
}
static void before_insn(Registers *r, const PtxInsn *insn, uint64_t *bits) {
  Bits b = {r, bits};
  if (insn->invariant)
    return;
  if (insn->guard == PTX_NO_REG && !is_alone(insn->form) && (!r->part || insn->temporary))
    each_written(insn, visit_clear, &b);
  else
    each_written(insn, visit_set, &b);
  each_read(insn, visit_set, &b);
}
static void after_block(Registers *r, const PtxBlock *b, uint64_t *bits) {
  const PtxFunction *f = r->f;
  memset(bits, 0, r->words * sizeof *bits);
  uint32_t next[2] = {b->end == PTX_END_FALL || b->end == PTX_END_IF ? b->next : UINT32_MAX,
                      b->end == PTX_END_BRANCH || b->end == PTX_END_IF ? b->taken : UINT32_MAX};
  for (int k = 0; k < 2; k++)
    for (uint32_t i = 0; next[k] != UINT32_MAX && i < r->words; i++)
      bits[i] |= r->live[next[k] * r->words + i];
  for (uint32_t t = 0; b->end == PTX_END_TABLE && t < b->ntable; t++)
    for (uint32_t i = 0; i < r->words; i++)
      bits[i] |= r->live[b->table[t] * r->words + i];
  (void)f;
  if (b->end == PTX_END_IF || b->end == PTX_END_TABLE)
    visit_set(&(Bits){r, bits}, b->predicate);
}

static Registers find_registers(const PtxFunction *f, bool part) {
  Registers r = {.f = f, .part = part};
  r.slot = calloc(f->nslots * 32 + 64, sizeof *r.slot);
  r.index = calloc((f->nslots + 2) * 32 + 64, sizeof *r.index);
  for (uint32_t i = 0; i < f->ncode; i++) {
    each_read(&f->code[i], visit_add, &r);
    each_written(&f->code[i], visit_add, &r);
  }
  for (uint32_t i = 0; i < f->nblocks; i++)
    if (f->blocks[i].end == PTX_END_IF || f->blocks[i].end == PTX_END_TABLE)
      add_register(&r, f->blocks[i].predicate);
  r.fixed = calloc(r.n + 1, sizeof *r.fixed);
  r.constant = calloc(r.n + 1, sizeof *r.constant);
  for (uint32_t i = 0; i < f->nconstants; i++) {
    uint32_t k = r.index[f->constants[i].slot / 4];
    if (!k)
      continue;
    r.fixed[k - 1] = true;
    r.constant[k - 1] = &f->constants[i];
  }
  for (uint32_t i = 0; i < f->ninvariant; i++) {
    const PtxInsn *insn = &f->code[f->invariant[i]];
    if (insn->d != PTX_NO_REG)
      r.fixed[r.index[insn->d / 4] - 1] = true;
    for (unsigned k = 0; k < ptx_written(insn); k++)
      if (insn->list[k] != PTX_NO_REG)
        r.fixed[r.index[insn->list[k] / 4] - 1] = true;
  }
  r.words = r.n / 64 + 1;
  r.live = calloc((size_t)f->nblocks * r.words, sizeof *r.live);
  uint64_t *bits = calloc(r.words, sizeof *bits);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = f->nblocks; k-- > 0;) {
      const PtxBlock *b = &f->blocks[k];
      after_block(&r, b, bits);
      for (uint32_t i = b->first + b->count; i-- > b->first;)
        before_insn(&r, &f->code[i], bits);
      if (memcmp(bits, r.live + k * r.words, r.words * sizeof *bits)) {
        memcpy(r.live + k * r.words, bits, r.words * sizeof *bits);
        changed = true;
      }
    }
  }
  free(bits);
  return r;
}

/* ---- printing --------------------------------------------------------------------------------- */
static const char *const op_ids[] = {
#define PTX_ROW(id, spelling, kind, D, A, B, C, flop, meaning) #id,
#include "../ptx/ops.def"
};

typedef struct Printer {
  FILE *out;
  Registers r;
  const PtxFunction *f;
} Printer;

static bool is_value(const Registers *r, uint32_t i) {
  return r->constant[i] && r->constant[i]->kind == PTX_VALUE;
}
static const char *name_of(const Printer *p, uint32_t slot) {
  static __thread char text[8][24];
  static __thread unsigned at;
  char *t = text[at++ % 8];
  if (slot == PTX_NO_REG)
    return "0";
  const uint32_t i = p->r.index[slot / 4] - 1;
  if (p->r.fixed[i] && !is_value(&p->r, i)) {
    snprintf(t, 24, "R + %u", slot);
    return t;
  }
  snprintf(t, 24, "%s%u", is_predicate(p->f, slot) ? "&p" : is_wide(p->f, slot) ? "w" : "r", slot);
  return t;
}
static void print_spill(void *context, uint32_t slot) {
  Printer *p = context;
  if (p->r.fixed[p->r.index[slot / 4] - 1])
    return;
  if (is_predicate(p->f, slot))
    fprintf(p->out, " *slot32(R, %u) = p%u;", slot, slot);
  else if (is_wide(p->f, slot))
    fprintf(p->out, " copy64(slot64(R, %u), w%u);", slot, slot);
  else
    fprintf(p->out, " copy32(slot32(R, %u), r%u);", slot, slot);
}
static void print_fill(void *context, uint32_t slot) {
  Printer *p = context;
  if (is_predicate(p->f, slot))
    fprintf(p->out, " p%u = *slot32(R, %u);", slot, slot);
  else if (is_wide(p->f, slot))
    fprintf(p->out, " copy64(w%u, slot64(R, %u));", slot, slot);
  else
    fprintf(p->out, " copy32(r%u, slot32(R, %u));", slot, slot);
}
static void each_bit(Printer *p, const uint64_t *bits, Visit *visit) {
  for (uint32_t i = 0; i < p->r.n; i++)
    if (bits[i / 64] >> i % 64 & 1)
      visit(p, p->r.slot[i]);
}

static bool is_computed(const PtxInsn *insn) {
  return insn->form == PTX_ALU && !(insn->flags & (PTX_FTZ | PTX_SAT | PTX_ROUND));
}

static bool is_special(const PtxInsn *insn) {
  return insn->form == PTX_SREG && insn->guard == PTX_NO_REG &&
         ptx_type_bytes((PtxType)insn->type) == 4 &&
         (insn->sub <= PTX_TID_Z || (insn->sub >= PTX_CTAID_X && insn->sub <= PTX_CTAID_Z));
}

static void print_op(Printer *p, const PtxInsn *insn, const char *d) {
  const bool select = ptx_op_is_select((PtxOp)insn->op);
  fprintf(p->out, "  op_%s(%s, %s, %s, %s, %lldll);\n", op_ids[insn->op], d, name_of(p, insn->a),
          name_of(p, insn->b), name_of(p, insn->c),
          select ? (insn->flags & PTX_NEG_SOURCE ? -1ll : 0ll) : (long long)insn->imm);
}

/* Whether native_code.h has a function for this access. Accesses that share a Base are all of this
 * kind or none. */
static bool is_inline(const PtxInsn *insn) {
  return access_finds_base(insn) && access_shape(insn) >= 0 && insn->guard == PTX_NO_REG;
}

static void print_checked(Printer *p, const PtxInsn *insn, const uint64_t *live) {
  if (!live)
    return;
  fprintf(p->out, "  if (__builtin_expect(hook_wants_all(w), 0)) {");
  each_bit(p, live, print_spill);
  fprintf(p->out, " place->insn = %u; return NATIVE_WITHIN; }\n", insn->number + 1);
}

/* Any instruction: by the interpreter's own function. */
static void print_call(Printer *p, const PtxInsn *insn, const uint64_t *live) {
  each_read(insn, print_spill, p);
  if (insn->guard != PTX_NO_REG || p->r.part)
    each_written(insn, print_spill, p);
  if (insn->guard == PTX_NO_REG && insn->form == PTX_ALU && p->r.part)
    fprintf(p->out, " code[%u].masked(R, &code[%u], lanes);", insn->number, insn->number);
  else if (insn->guard == PTX_NO_REG && insn->form == PTX_ALU)
    fprintf(p->out, " code[%u].run(R, &code[%u]);", insn->number, insn->number);
  else if (insn->guard == PTX_NO_REG)
    fprintf(p->out, " %s(w, &code[%u], lanes);",
            !p->r.part && insn->base_known && is_inline(insn) &&
                    !(insn->space == PTX_SHARED && insn->unrolled.member)
                ? insn->space == PTX_SHARED ? "n->any_shared" : "n->any_global"
                : "STEP_OF",
            insn->number);
  else
    fprintf(p->out,
            " { const u32 active = %s*(const u32 *)(%s) & lanes; if (active) { count_guarded(f, "
            "active, %u); code[%u].%s; } }",
            insn->flags & PTX_NEG_PRED ? "~" : "", name_of(p, insn->guard),
            insn->form == PTX_ALU ? ptx_op_flop((PtxOp)insn->op) : 0, insn->number,
            insn->form == PTX_ALU ? "masked(R, INSN, active)" : "step(w, INSN, active)");
  each_written(insn, print_fill, p);
  fprintf(p->out, "\n");
  if (insn->form != PTX_ALU)
    print_checked(p, insn, live);
}

/* The pattern to translate an access for: the usual one of earlier launches. */
static Pattern expected(const PtxFunction *f, const PtxInsn *insn) {
  const uint8_t seen = f->seen ? f->seen[insn->number] : 0;
  return seen & 1 << SCATTERED ? SCATTERED : seen & 1 << SAME ? SAME : CONSECUTIVE;
}

static void print_access(Printer *p, const PtxInsn *insn, const uint64_t *live) {
  const bool shared = insn->space == PTX_SHARED, load = insn->form == PTX_LD;
  const Pattern pattern = expected(p->f, insn);
  const bool first = shared && load && insn->unrolled.bytes,
             member = shared && load && insn->unrolled.member && !first;
  if (first || (!load && pattern != CONSECUTIVE)) {
    print_call(p, insn, live);
    if (first)
      fprintf(
          p->out,
          "  ahead[%u].yes = w->bases[%u].step != code[%u].step && w->bases[%u].pattern == %u;\n"
          "  ahead[%u].first = w->bases[%u].first, ahead[%u].shape = w->bases[%u].shape;\n",
          insn->base, insn->base, insn->number, insn->base, pattern, insn->base, insn->base,
          insn->base, insn->base);
    return;
  }
  fprintf(
      p->out,
      "  { static const Site s = {%u, %u, %lldll, %u, %u, %d, %d, %u, %u, %u}; void *const x[] = {",
      insn->number, insn->a, (long long)insn->imm, ptx_type_bytes((PtxType)insn->type), insn->count,
      !!(insn->flags & PTX_NARROW_ADDRESS), insn->space == PTX_CONST, insn->list[0],
      insn->merged.slot, pattern);
  for (unsigned i = 0; i < insn->count; i++)
    fprintf(p->out, "%s,", name_of(p, insn->list[i]));
  fprintf(p->out, "};\n");
  if (member)
    fprintf(p->out,
            "  if (__builtin_expect(!ahead[%u].yes || !load_ahead(w, f, n, INSN, s, &ahead[%u], "
            "x), 0)) {\n",
            insn->base, insn->base);
  else
    fprintf(p->out, "  if (__builtin_expect(!%s_%s(w, f, n, INSN, s, %s, x), 0)) {\n",
            load ? "load" : "store", shared ? "shared" : "global", name_of(p, insn->a));
  print_call(p, insn, NULL);
  fprintf(p->out, "  }}\n");
  if (load && !member)
    print_checked(p, insn, live);
}

static void print_insn(Printer *p, const PtxInsn *insn, const uint64_t *live) {
  if (insn->invariant)
    return;
  fprintf(p->out,
          "#undef INSN\n#define INSN (&code[%u])\n#undef STEP_OF\n#define STEP_OF code[%u].step\n",
          insn->number, insn->number);
  if (is_computed(insn) && insn->guard == PTX_NO_REG && (!p->r.part || insn->temporary)) {
    print_op(p, insn, name_of(p, insn->d));
  } else if (is_computed(insn)) {
    const bool wide = is_wide(p->f, insn->d), one = is_predicate(p->f, insn->d);
    if (insn->guard == PTX_NO_REG)
      fprintf(p->out, "  {const u32 active = lanes;");
    else
      fprintf(p->out,
              "  {const u32 active = %s*(const u32 *)(%s) & lanes; count_guarded(f, active, %u);",
              insn->flags & PTX_NEG_PRED ? "~" : "", name_of(p, insn->guard),
              ptx_op_flop((PtxOp)insn->op));
    fprintf(p->out, one    ? " u32 t;\n"
                    : wide ? " _Alignas(64) u64 t[32];\n"
                           : " _Alignas(64) u32 t[32];\n");
    print_op(p, insn, one ? "&t" : "t");
    if (one)
      fprintf(p->out, " p%u = (t & active) | (p%u & ~active);", insn->d, insn->d);
    else
      fprintf(p->out, " choose(%s, t, %s, active, %d);", name_of(p, insn->d), name_of(p, insn->d),
              wide ? 8 : 4);
    fprintf(p->out, "}\n");
  } else if (is_special(insn) && !p->r.part) {
    if (insn->sub <= PTX_TID_Z)
      fprintf(p->out, "  copy32(%s, w->thread[%u]);\n", name_of(p, insn->d), insn->sub);
    else
      fprintf(p->out, "  splat32(%s, w->block->index[%u]);\n", name_of(p, insn->d),
              insn->sub - PTX_CTAID_X);
  } else if (is_inline(insn) && !p->r.part) {
    print_access(p, insn, live);
  } else {
    print_call(p, insn, live);
  }
}

static void print_end(Printer *p, uint32_t k) {
  const PtxBlock *b = &p->f->blocks[k];
  uint64_t bits[64] = {0};
  switch ((PtxEnd)b->end) {
  case PTX_END_FALL:
    fprintf(p->out, "  goto B%u;\n", b->next);
    return;
  case PTX_END_BRANCH:
    fprintf(p->out, "  if (may_branch(w)) goto B%u;\n w->branches--;\n", b->taken);
    break;
  case PTX_END_IF:
    fprintf(p->out,
            "  if (may_branch(w)) { const u32 taken = %s*(const u32 *)(%s) & lanes;\n"
            "    if (taken == lanes) { w->observed->branch_line = %u; goto B%u; }\n"
            "    if (!taken) { w->observed->branch_line = %u; goto B%u; }\n  }\n  w->branches--;\n",
            b->negated ? "~" : "", name_of(p, b->predicate), b->line, b->taken, b->line, b->next);
    break;
  default:
    break;
  }
  after_block(&p->r, b, bits);
  each_bit(p, bits, print_spill);
  fprintf(p->out, "  place->block = %u; return NATIVE_BRANCH;\n", k);
}

static void print_block(Printer *p, uint32_t k) {
  const PtxBlock *b = &p->f->blocks[k];
  const uint32_t words = p->r.words;
  fprintf(p->out, "B%u:\n", k);
  if (p->r.part) {
    fprintf(p->out, "  if (stops >> %u & 1) {", k);
    each_bit(p, p->r.live + k * words, print_spill);
    fprintf(p->out, " place->block = %u; return NATIVE_STOP; }\n", k);
  }
  if (b->alone) {
    fprintf(p->out, " goto X%u;\n", k);
  } else {
    fprintf(p->out, "  if (!may_begin(w, f, %u, lanes, turns)) goto X%u;\n  place->block = %u;\n",
            k, k, k);
    uint64_t *live = calloc((size_t)(b->count + 1) * words, sizeof *live);
    after_block(&p->r, b, live + b->count * words);
    for (uint32_t i = b->count; i-- > 0;) {
      memcpy(live + i * words, live + (i + 1) * words, words * sizeof *live);
      before_insn(&p->r, &p->f->code[b->first + i], live + i * words);
    }
    for (uint32_t i = 0; i < b->count; i++)
      print_insn(p, &p->f->code[b->first + i], live + (i + 1) * words);
    free(live);
    print_end(p, k);
  }
  fprintf(p->out, "X%u:", k);
  each_bit(p, p->r.live + k * words, print_spill);
  fprintf(p->out, " place->block = %u; return NATIVE_BEGIN;\n", k);
}

static void print_function(FILE *out, const PtxFunction *f, bool part) {
  Printer p = {out, find_registers(f, part), f};
  fprintf(out,
          "static NativeEnd run_%s(Warp *w, Frame *f, uint32_t all, uint64_t stops, uint32_t "
          "*turns, NativePlace *place, const "
          "NativeCalls *n) {\n  uint8_t *const R = __builtin_assume_aligned(f->registers, 64);\n"
          "  const PtxInsn *const code = f->function->code;\n (void)n, (void)code, (void)all, "
          "(void)stops;\n"
          "  const u32 lanes = %s;\n  Ahead ahead[PTX_BASES + 1] = {{0}};\n",
          part ? "part" : "full", part ? "all" : "ALL_LANES");
  for (uint32_t i = 0; i < p.r.n; i++) {
    const uint32_t slot = p.r.slot[i];
    const PtxConstant *c = p.r.constant[i];
    if (p.r.fixed[i] && !is_value(&p.r, i))
      continue;
    if (is_predicate(f, slot))
      fprintf(out, " u32 p%u = 0;", slot);
    else
      fprintf(out, " _Alignas(64) %s%u[32];", is_wide(f, slot) ? "u64 w" : "u32 r", slot);
    if (c && c->kind == PTX_VALUE && is_predicate(f, slot))
      fprintf(out, " p%u = %uu;", slot, (uint32_t)c->value);
    else if (c && c->kind == PTX_VALUE && is_wide(f, slot))
      fprintf(out, " splat64(w%u, %lluull);", slot, (unsigned long long)c->value);
    else if (c && c->kind == PTX_VALUE)
      fprintf(out, " splat32(r%u, %uu);", slot, (uint32_t)c->value);
    fprintf(out, "\n");
  }
  fprintf(out, "  switch (place->block) {\n");
  for (uint32_t k = 0; k < f->nblocks; k++)
    if (!f->blocks[k].alone) {
      fprintf(out, "  case %u:", k);
      each_bit(&p, p.r.live + k * p.r.words, print_fill);
      fprintf(out, " goto B%u;\n", k);
    }
  fprintf(out, "  default: return NATIVE_BEGIN;\n  }\n");
  for (uint32_t k = 0; k < f->nblocks; k++)
    print_block(&p, k);
  fprintf(out, "}\n");
}

/* ---- compiling and loading -------------------------------------------------------------------- */
static uint64_t hash_text(const char *text) {
  uint64_t hash = 14695981039346656037u;
  for (; *text; text++)
    hash = (hash ^ (uint8_t)*text) * 1099511628211u;
  return hash;
}

void native_see(const Worker *worker) {
  const PtxModule *m = worker->run->module;
  PtxFunction *f = &m->functions[worker->run->function - m->functions];
  const FunctionCount *count = &worker->observed->functions[f - m->functions];
  if (!count->access)
    return;
  if (!f->seen)
    f->seen = calloc(f->ncode, 1);
  for (uint32_t i = 0; i < f->ncode; i++) {
    const AccessCount *a = &count->access[i];
    f->seen[i] |= (uint8_t)((a->whole != 0) << CONSECUTIVE | (a->same != 0) << SAME |
                            (a->sum.requests != 0) << SCATTERED);
  }
}

NativeRun *native_find(const PtxModule *m, PtxFunction *f) {
  const char *folder = getenv("LOCKSTEP_NATIVE"), *headers = getenv("LOCKSTEP_NATIVE_HEADERS");
  (void)m;
  if (!folder || !headers || f->refusal || !f->nblocks || f->nblocks > 64)
    return NULL;
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  fprintf(out, "#include \"machine/native_code.h\"\n");
  print_function(out, f, false);
  print_function(out, f, true);
  fprintf(
      out,
      "NativeEnd native_run(Warp *w, Frame *f, uint32_t lanes, uint64_t stops, uint32_t *turns, "
      "NativePlace *place, const NativeCalls *n) {\n"
      "  return lanes == ALL_LANES && f->lanes == ALL_LANES && !stops ? run_full(w, f, lanes, "
      "stops, turns, place, n)\n"
      "                                    : run_part(w, f, lanes, stops, turns, place, n);\n}\n");
  fclose(out);
  char base[400], path[500], command[4000];
  snprintf(base, sizeof base, "%s/%016llx", folder, (unsigned long long)hash_text(text));
  snprintf(path, sizeof path, "%s.so", base);
  if (access(path, R_OK)) {
    snprintf(path, sizeof path, "%s.c", base);
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    snprintf(command, sizeof command,
             "clang -std=gnu11 -D_GNU_SOURCE -O2 -march=native -mprefer-vector-width=512 "
             "-ffp-contract=off "
             "-fno-math-errno -fno-trapping-math -fno-strict-aliasing -fPIC -w -I%s -I%s/.. "
             "-isystem %s/include "
             "-DLOCKSTEP_EMULATED -emit-llvm -c %s.c -o %s.bc && clang -O2 -march=native "
             "-mprefer-vector-width=512 -fPIC "
             "-shared %s.bc -o %s.new && mv %s.new %s.so",
             headers, headers, headers, base, base, base, base, base, base);
    if (system(command))
      fprintf(stderr, "native: %s failed\n", base);
  }
  free(text);
  snprintf(path, sizeof path, "%s.so", base);
  void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!object) {
    fprintf(stderr, "native: %s\n", dlerror());
    return NULL;
  }
  return (NativeRun *)dlsym(object, "native_run");
}

/* ---- what generated code calls ---------------------------------------------------------------- */
static void call_global_row(Warp *w, const PtxInsn *insn, Allocation *a, uint64_t address,
                            unsigned bytes, bool store) {
  hook_global_row(w, insn, a, address, bytes, store);
}
static void call_global_same(Warp *w, const PtxInsn *insn, Allocation *a, uint64_t address,
                             unsigned bytes) {
  hook_global_same(w, insn, a, address, bytes);
}
static void call_shared_row(Warp *w, const PtxInsn *insn, uint32_t address, unsigned bytes,
                            bool store) {
  hook_shared_row(w, insn, address, bytes, store);
}
static bool call_shared_shape(Warp *w, const PtxInsn *insn, const Shape *shape, uint32_t at,
                              unsigned bytes) {
  return hook_shared_shape(w, insn, shape, at, bytes);
}
static bool call_shared_same(Warp *w, const PtxInsn *insn, uint32_t address, unsigned bytes) {
  return hook_shared_same(w, insn, address, bytes);
}
static void call_global_shape(Warp *w, const PtxInsn *insn, const Shape *shape, Allocation *a,
                              uint64_t at) {
  hook_global_access(w, insn, shape, a, at, false);
}
const NativeCalls native_calls = {.any_global = any_global,
                                  .any_shared = any_shared,
                                  .global_row = call_global_row,
                                  .global_same = call_global_same,
                                  .global_define = global_define,
                                  .shared_row = call_shared_row,
                                  .shared_shape = call_shared_shape,
                                  .shared_same = call_shared_same,
                                  .put_row = put_row,
                                  .put_one = put_one,
                                  .get_row = get_row,
                                  .put_lanes = put_lanes,
                                  .defined = definedness_of_range,
                                  .global_shape = call_global_shape};
