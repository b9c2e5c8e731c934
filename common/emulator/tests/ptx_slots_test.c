/* Tests with random programs that registers with overlapping lifetimes share no slot, and that the
 * instruction blocks of a loop are contiguous.
 *
 * The test writes a program and records which registers each statement reads and writes. Each
 * statement has its own line, so that a decoded instruction can be traced to its statement. Then
 * the test follows random paths through the decoded program and records which register owns each
 * slot. If a register was written on the path, it must still own the slot when it is read. If it
 * was not written, it must be listed as undefined. The test shares no code with the liveness
 * analysis and the allocation. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../ptx/program.h"

enum {
  STATEMENTS = 120,
  LABELS = 12,
  PROGRAMS = 300,
  WALKS = 20,
  STEPS = 400,
  MOST_SLOTS = 4096,
  NARROW = 9,
  WIDE = 6,
  PREDICATES = 4
};

/* Registers are numbered: first narrow registers, then wide registers, then predicates. */
enum {
  FIRST_WIDE = NARROW,
  FIRST_PREDICATE = NARROW + WIDE,
  REGISTERS = NARROW + WIDE + PREDICATES
};

typedef struct Written {
  char text[1 << 16];
  size_t length;
  /* For each statement, the register of its guard, or -1. */
  int guard[STATEMENTS + 1];
} Written;

static uint32_t state_of_chance = 1;

static uint32_t chance(uint32_t below) {
  state_of_chance = state_of_chance * 1664525u + 1013904223u;
  return (state_of_chance >> 8) % below;
}

static uint32_t narrow(void) { return chance(NARROW); }
static uint32_t wide(void) { return chance(WIDE); }
static uint32_t predicate(void) { return chance(PREDICATES); }

__attribute__((format(printf, 2, 3))) static void put(Written *w, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  w->length +=
      (size_t)vsnprintf(w->text + w->length, sizeof w->text - w->length, format, arguments);
  va_end(arguments);
  assert_true(w->length < sizeof w->text);
}

static void put_statement(Written *w) {
  switch (chance(14)) {
  case 0:
    put(w, "add.s32 %%r%u, %%r%u, %%r%u;", narrow(), narrow(), narrow());
    break;
  case 1:
    put(w, "mov.u32 %%r%u, %u;", narrow(), chance(4));
    break;
  case 2:
    put(w, "mul.wide.u32 %%rd%u, %%r%u, %%r%u;", wide(), narrow(), narrow());
    break;
  case 3:
    put(w, "mad.lo.s64 %%rd%u, %%rd%u, %%rd%u, %%rd%u;", wide(), wide(), wide(), wide());
    break;
  case 4:
    put(w, "setp.lt.u32 %%p%u, %%r%u, %%r%u;", predicate(), narrow(), narrow());
    break;
  case 5:
    put(w, "selp.b32 %%r%u, %%r%u, %%r%u, %%p%u;", narrow(), narrow(), narrow(), predicate());
    break;
  case 6:
    put(w, "ld.shared.v2.u32 {%%r%u, %%r%u}, [%%r%u];", chance(4), 4 + chance(NARROW - 4),
        narrow());
    break;
  case 7:
    put(w, "ld.global.u64 %%rd%u, [%%rd%u];", wide(), wide());
    break;
  case 8:
    put(w, "st.global.v2.u64 [%%rd%u], {%%rd%u, 7};", wide(), wide());
    break;
  case 9:
    put(w, "mov.b64 {%%r%u, %%r%u}, %%rd%u;", chance(4), 4 + chance(NARROW - 4), wide());
    break;
  case 10:
    put(w, "shfl.sync.idx.b32 %%r%u|%%p%u, %%r%u, %%r%u, 31, -1;", narrow(), predicate(), narrow(),
        narrow());
    break;
  case 11:
    put(w, "and.pred %%p%u, %%p%u, %%p%u;", predicate(), predicate(), predicate());
    break;
  case 12:
    put(w, "atom.global.add.u32 %%r%u, [%%rd%u], %%r%u;", narrow(), wide(), narrow());
    break;
  default:
    put(w, "bar.sync 0;");
  }
}

static void put_branch(Written *w) {
  switch (chance(6)) {
  case 0:
    put(w, "bra L%u;", chance(LABELS));
    break;
  case 1:
    put(w, "brx.idx %%r%u, TABLE;", narrow());
    break;
  default:
    put(w, "@%s%%p%u bra L%u;", chance(2) ? "!" : "", predicate(), chance(LABELS));
  }
}

static void write_program(Written *w) {
  w->length = 0;
  put(w,
      ".version 7.0\n.target sm_75\n.address_size 64\n.file 1 \"x\"\n.entry k() {\n"
      ".reg .b32 %%r<%d>; .reg .b64 %%rd<%d>; .reg .pred %%p<%d>;\n"
      "TABLE: .branchtargets L0, L1, L2;\n",
      NARROW, WIDE, PREDICATES);
  for (uint32_t i = 1; i <= STATEMENTS; i++) {
    if (i % (STATEMENTS / LABELS) == 1)
      put(w, "L%u: ", i / (STATEMENTS / LABELS));
    put(w, ".loc 1 %u 0\n", i);
    w->guard[i] = -1;
    if (chance(5) == 0) {
      put_branch(w);
    } else {
      if (chance(5) == 0) {
        w->guard[i] = (int)(FIRST_PREDICATE + predicate());
        put(w, "@%%p%d ", w->guard[i] - FIRST_PREDICATE);
      }
      put_statement(w);
    }
    put(w, "\n");
  }
  put(w, "ret; }\n");
}

/* ---- random paths ------------------------------------------------------------------------ */

typedef struct Walk {
  const PtxFunction *function;
  const Written *written;
  int owner[MOST_SLOTS];
  bool was_written[REGISTERS];
} Walk;

static bool is_constant(const PtxFunction *function, uint32_t offset) {
  for (uint32_t i = 0; i < function->nconstants; i++)
    if (function->constants[i].slot == offset)
      return true;
  return false;
}

static bool is_undefined(const PtxFunction *function, uint32_t offset) {
  for (uint32_t i = 0; i < function->nundefined; i++)
    if (function->undefined[i] == offset)
      return true;
  return false;
}

static void read_register(Walk *walk, int reg, uint32_t offset) {
  uint32_t slot = offset / PTX_SLOT_BYTES;
  if (!walk->was_written[reg]) {
    assert_true(is_undefined(walk->function, offset));
    return;
  }
  if (walk->owner[slot] != reg)
    fail_msg("register %d is read from slot %u, which holds register %d:\n%s", reg, slot,
             walk->owner[slot], walk->written->text);
  if (reg >= FIRST_WIDE && reg < FIRST_PREDICATE)
    assert_int_equal(walk->owner[slot + 1], reg);
}

static void write_register(Walk *walk, int reg, uint32_t offset) {
  uint32_t slot = offset / PTX_SLOT_BYTES;
  assert_false(is_constant(walk->function, offset));
  walk->was_written[reg] = true;
  walk->owner[slot] = reg;
  if (reg >= FIRST_WIDE && reg < FIRST_PREDICATE) {
    assert_int_equal(slot % 2, 0);
    walk->owner[slot + 1] = reg;
  }
}

/* Stores the registers that a statement names, in order, without its guard. Returns their
 * number. */
static int named_registers(const char *c, int *registers) {
  int count = 0;
  if (*c == '@')
    c = strchr(c, ' ');
  for (; *c && *c != ';'; c++) {
    if (*c != '%')
      continue;
    int first = c[1] == 'p' ? FIRST_PREDICATE : c[2] == 'd' ? FIRST_WIDE : 0;
    registers[count++] = first + atoi(c + (first == FIRST_WIDE ? 3 : 2));
  }
  return count;
}

/* Stores the slots of a decoded instruction in the order in which PTX writes its operands. Returns
 * their number. */
static int operand_slots(const PtxInsn *insn, uint32_t *slots) {
  int count = 0;
  const uint32_t fixed[] = {insn->d, insn->e, insn->a, insn->b, insn->c};
  bool list_last = insn->form == PTX_ST, list_first = !list_last && insn->count;
  for (uint32_t i = 0; i < insn->count && list_first; i++)
    slots[count++] = insn->list[i];
  for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
    if (fixed[i] != PTX_NO_REG)
      slots[count++] = fixed[i];
  for (uint32_t i = 0; i < insn->count && list_last; i++)
    slots[count++] = insn->list[i];
  return count;
}

static int target_count(const PtxInsn *insn) {
  if (insn->form == PTX_LD || insn->form == PTX_UNPACK)
    return insn->count;
  return (insn->d != PTX_NO_REG) + (insn->e != PTX_NO_REG);
}

/* Returns true if the statement names a register twice. The statement may then read and write the
 * same register. */
static bool shares_name(const char *text) {
  int names[8], named = named_registers(text, names);
  for (int i = 0; i < named; i++)
    for (int k = 0; k < i; k++)
      if (names[i] == names[k])
        return true;
  return false;
}

static void step(Walk *walk, const PtxModule *module, const PtxInsn *insn) {
  char text[128];
  int names[8], targets = target_count(insn), n = 0;
  uint32_t slots[8];
  ptx_instruction_text(module, insn, text, sizeof text);
  int count = operand_slots(insn, slots), named = named_registers(text, names);
  int guard = walk->written->guard[ptx_line(module, insn->line)];
  assert_int_equal(guard >= 0, insn->guard != PTX_NO_REG);
  if (guard >= 0)
    read_register(walk, guard, insn->guard);
  for (int i = targets; i < count; i++)
    if (!is_constant(walk->function, slots[i])) {
      assert_true(targets + n < named);
      read_register(walk, names[targets + n++], slots[i]);
    }
  assert_int_equal(targets + n, named);
  /* Only PTX_ALU may store its result in the slot of an operand. */
  for (int i = 0; i < targets * (count - targets) && insn->form != PTX_ALU; i++)
    if (!is_constant(walk->function, slots[targets + i / targets]))
      assert_true(slots[i % targets] != slots[targets + i / targets] || shares_name(text));
  if (guard >= 0 && chance(2)) /* the guard is false for this lane, so nothing is written */
    return;
  for (int i = 0; i < targets; i++)
    write_register(walk, names[i], slots[i]);
}

static uint32_t leave_block(Walk *walk, const PtxBlock *block) {
  (void)walk;
  switch ((PtxEnd)block->end) {
  case PTX_END_FALL:
    return block->next;
  case PTX_END_BRANCH:
    return block->taken;
  case PTX_END_IF:
    return chance(2) ? block->taken : block->next;
  case PTX_END_TABLE:
    return block->table[chance(block->ntable)];
  default:
    return UINT32_MAX;
  }
}

static void walk_program(const PtxModule *module, const PtxFunction *function,
                         const Written *written) {
  static Walk walk;
  uint32_t b = 0;
  memset(&walk, 0, sizeof walk);
  walk.function = function;
  walk.written = written;
  for (int s = 0; s < STEPS && b != UINT32_MAX; s++) {
    const PtxBlock *block = &function->blocks[b];
    for (uint32_t i = 0; i < block->count; i++)
      step(&walk, module, &function->code[block->first + i]);
    b = leave_block(&walk, block);
  }
}

/* ---- the order of blocks ----------------------------------------------------------------- */

static void reach(const PtxFunction *function, uint32_t from, uint32_t least, bool *reached) {
  const PtxBlock *block = &function->blocks[from];
  if (from < least || reached[from])
    return;
  reached[from] = true;
  if (block->end == PTX_END_BRANCH || block->end == PTX_END_IF)
    reach(function, block->taken, least, reached);
  if (block->end == PTX_END_FALL || block->end == PTX_END_IF)
    reach(function, block->next, least, reached);
  for (uint32_t i = 0; i < block->ntable; i++)
    reach(function, block->table[i], least, reached);
}

/* An edge from u back to v closes a loop. Every instruction block from v to u must reach v without
 * leaving the loop. */
static void check_edge(const PtxFunction *function, uint32_t u, uint32_t v) {
  for (uint32_t b = v; b <= u; b++) {
    bool reached[STATEMENTS * 2] = {false};
    reach(function, b, v, reached);
    assert_true(reached[v]);
  }
}

static void check_order(const PtxFunction *function) {
  for (uint32_t u = 0; u < function->nblocks; u++) {
    const PtxBlock *block = &function->blocks[u];
    if (block->end == PTX_END_BRANCH || block->end == PTX_END_IF)
      check_edge(function, u, block->taken);
    if (block->end == PTX_END_FALL || block->end == PTX_END_IF)
      check_edge(function, u, block->next);
    for (uint32_t i = 0; i < block->ntable; i++)
      check_edge(function, u, block->table[i]);
  }
}

/* ---- tests ------------------------------------------------------------------------------- */

static void each_program(void (*test)(const PtxModule *, const PtxFunction *, const Written *)) {
  static Written written;
  char error[128];
  for (uint32_t i = 0; i < PROGRAMS; i++) {
    state_of_chance = i + 1;
    write_program(&written);
    PtxModule *module = ptx_load(written.text, written.length, error, sizeof error);
    if (!module)
      fail_msg("%s\n%s", error, written.text);
    const PtxFunction *function = ptx_find(module, "k");
    if (function->refusal)
      fail_msg("%s\n%s", function->refusal, written.text);
    assert_true(function->nslots < MOST_SLOTS);
    test(module, function, &written);
    ptx_free(module);
  }
}

static void walk_often(const PtxModule *module, const PtxFunction *function,
                       const Written *written) {
  for (int i = 0; i < WALKS; i++)
    walk_program(module, function, written);
}

static void order_only(const PtxModule *module, const PtxFunction *function,
                       const Written *written) {
  (void)module, (void)written;
  check_order(function);
}

static void registers_keep_their_slots(void **state) {
  (void)state;
  each_program(walk_often);
}

static void loops_stay_together(void **state) {
  (void)state;
  each_program(order_only);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(registers_keep_their_slots),
      cmocka_unit_test(loops_stay_together),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
