/* Tests the PTX reader, from text to the decoded program.
 *
 * Most tests wrap a few instructions in a kernel (`body`) and check the decoded instructions.
 * ptx_slots_test.c tests register slots with random programs. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "../ptx/program.h"

#define HEAD ".version 7.5\n.target sm_75\n.address_size 64\n"
#define REGISTERS                                                                                  \
  ".reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<30>; .reg .f32 %f<9>; .reg .b64 %rd<30>; "     \
  ".reg .f64 %fd<9>;\n"

static PtxModule *module;

static const PtxFunction *load(const char *text, const char *name) {
  char error[256];
  ptx_free(module);
  module = ptx_load(text, strlen(text), error, sizeof error);
  if (!module)
    fail_msg("%s", error);
  return ptx_find(module, name);
}

/* Decodes the kernel k(pointer, pointer, number) with these statements. */
static const PtxFunction *body(const char *statements) {
  static char text[65536];
  static const char before[] =
      HEAD ".global .align 4 .b8 data[16];\n"
           ".extern .shared .align 16 .b8 dynamic[];\n"
           ".visible .entry k(.param .u64 P0, .param .u64 P1, .param .u32 P2)\n{\n"
           ".shared .align 4 .b8 tile[64];\n.local .align 8 .b8 depot[32];\n" REGISTERS;
  static const char after[] = "\nret;\n}\n.file 1 \"labs/x.cu\"\n.file 2 \"/usr/include/h.hpp\"\n"
                              ".file 3 \"\\320\\234/a\\\\b \\\"c.cu\"\n";
  snprintf(text, sizeof text, "%s%s%s", before, statements, after);
  return load(text, "k");
}

/* Decodes a kernel with this one statement. Returns its instruction, or the last instruction if the
 * statement is decoded to several. */
static const PtxInsn *one(const char *statement) {
  const PtxFunction *function = body(statement);
  if (function->refusal)
    fail_msg("%s", function->refusal);
  assert_true(function->ncode > 0);
  return &function->code[function->ncode - 1];
}

static const PtxConstant *constant_in(const PtxFunction *function, uint32_t slot) {
  for (uint32_t i = 0; i < function->nconstants; i++)
    if (function->constants[i].slot == slot)
      return &function->constants[i];
  fail_msg("slot %u holds no constant", slot / PTX_SLOT_BYTES);
  return NULL;
}

static uint64_t constant_value(uint32_t slot) {
  return constant_in(ptx_find(module, "k"), slot)->value;
}

/* clang escapes backslashes, quotes and characters outside ASCII in names of files. */
static void test_names_of_files(void **state) {
  (void)state;
  one("add.s32 %r1, %r2, %r3;");
  assert_string_equal(module->files[1], "labs/x.cu");
  assert_string_equal(module->files[3], "\320\234/a\\b \"c.cu");
}

static void assert_refused(const char *statement, const char *reason) {
  const PtxFunction *function = body(statement);
  if (!function->refusal || strcmp(function->refusal, reason) != 0)
    fail_msg("%s: %s", statement, function->refusal ? function->refusal : "not refused");
  assert_int_equal(function->ncode, 0);
}

static void assert_malformed(const char *text, const char *expected) {
  char error[256];
  PtxModule *bad = ptx_load(text, strlen(text), error, sizeof error);
  if (bad)
    fail_msg("accepted: %s", text);
  assert_string_equal(error, expected);
}

static int end(void **state) {
  (void)state;
  ptx_free(module);
  module = NULL;
  return 0;
}

/* ---- text -------------------------------------------------------------------------------- */

static void test_literals(void **state) {
  static const struct {
    const char *statement;
    uint64_t value;
  } cases[] = {
      {"mov.u32 %r1, 10;", 10},
      {"mov.u32 %r1, 0x1F;", 31},
      {"mov.u32 %r1, 017;", 15},
      {"mov.u32 %r1, 0b101;", 5},
      {"mov.u32 %r1, 4294967295U;", 4294967295u},
      {"mov.s32 %r1, -1;", 0xffffffff},
      {"mov.u16 %rs1, -1;", 0xffff},
      {"mov.s64 %rd1, -1;", UINT64_MAX},
      {"mov.f32 %f1, 0f3F800000;", 0x3f800000},
      {"mov.f32 %f1, 1.5;", 0x3fc00000},
      {"mov.b32 %r1, 0f3F800000;", 0x3f800000},
      {"mov.f64 %fd1, 0d3FF0000000000000;", UINT64_C(0x3ff0000000000000)},
      {"mov.f64 %fd1, -1.0;", UINT64_C(0xbff0000000000000)},
      {"mov.u32 %r1, WARP_SZ;", 32},
      {"mov.pred %p1, 1;", 0xffffffff},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    assert_int_equal(constant_value(one(cases[i].statement)->a), cases[i].value);
}

static void test_comments_and_blanks(void **state) {
  (void)state;
  const PtxInsn *insn = one("/* one\n two */ add.s32 // three\n %r1,%r2,\n\t%r3 ; // four");
  char text[64];
  assert_int_equal(insn->op, PTX_OP_ADD_S32);
  one("add.s32\n  %r1,   %r2, %r3  ;");
  ptx_instruction_text(module, &ptx_find(module, "k")->code[0], text, sizeof text);
  assert_string_equal(text, "add.s32 %r1, %r2, %r3");
}

static void test_malformed(void **state) {
  (void)state;
  assert_malformed("", "PTX line 1: PTX starts with .version");
  assert_malformed("hello", "PTX line 1: PTX starts with .version");
  assert_malformed(".version 10.1\n",
                   "PTX line 1: .version 10.1 is newer than the emulated device, which knows 9");
  assert_malformed(".version 7.0\n.target sm_75, map_f64_to_f32\n",
                   "PTX line 2: the emulated device does not know .target map_f64_to_f32");
  assert_malformed(".version 7.0\n.target sm_999\n",
                   "PTX line 2: the emulated device does not know .target sm_999");
  assert_malformed(".version 7.0\n.target sm_\n",
                   "PTX line 2: the emulated device does not know .target sm_");
  assert_malformed(".version 7.0\n\n/", "PTX line 3: expected a directive, found '/'");
  assert_malformed(".version 7.0\n.address_size 32\n",
                   "PTX line 3: only 64-bit addresses are supported");
  assert_malformed(HEAD ".entry k() {\n@%p bra x; }", "PTX line 5: %p is not declared");
  assert_malformed(HEAD ".entry k() { ret", "PTX line 4: the text ends where an operand should be");
  assert_malformed(HEAD ".entry k() {\n\n ret;", "PTX line 4: this '{' is never closed");
  assert_malformed(HEAD ".entry k() { A: A: }",
                   "PTX line 4: label A is declared twice in this function");
  assert_malformed(HEAD ".entry k() { mov.u32 0x, 1; }", "PTX line 4: '0x' is not a number");
  assert_malformed(HEAD ".entry k() { } .entry k() { }", "PTX line 4: function k is defined twice");
  assert_malformed(HEAD ".global .align 3 .b8 x;", "PTX line 4: an alignment of 3");
  assert_malformed(HEAD ".global .b8 x[2] = {1, 2, 3};",
                   "PTX line 4: more values than x has elements");
  assert_malformed(HEAD ".global .u64 x = nothing;",
                   "PTX line 4: nothing, used in an initial value, is no variable");
  assert_malformed(HEAD "\001", "PTX line 4: byte 0x01 is not PTX");
}

/* The process that recomputes the results reads the PTX of a submission, which is untrusted.
 * Impossible sizes and offsets must be refused. */
static void test_hostile(void **state) {
  (void)state;
  assert_malformed(HEAD ".visible .func f() { ret; }\n"
                        ".global .u64 x[0][2305843009213693951] = { {}, {f} };",
                   "PTX line 5: an array of more than 4 GiB");
  assert_malformed(HEAD ".global .u64 x[][0][2305843009213693951] = { { {1}, {2, 3} } };",
                   "PTX line 4: an array of more than 4 GiB");
  assert_malformed(HEAD ".global .u64 x[0] = { 1 };",
                   "PTX line 4: more values than x has elements");
  assert_malformed(HEAD ".global .u64 x[0][4] = { {1} };",
                   "PTX line 4: more values than x has elements");
  assert_malformed(HEAD ".global .u64 x[65536][65536];", "PTX line 4: an array of more than 4 GiB");
  assert_malformed(HEAD ".global .b8 x[18446744073709551615];",
                   "PTX line 4: an array of more than 4 GiB");
  assert_malformed(HEAD ".extern .global .u64 x = 5;",
                   "PTX line 4: variable x is .extern and has values");
}

static const PtxVariable *variable(const char *name) {
  for (uint32_t i = 0; i < module->nvariables; i++)
    if (strcmp(module->variables[i].name, name) == 0)
      return &module->variables[i];
  fail_msg("no variable %s", name);
  return NULL;
}

/* The first definition of a weak variable is used, with its size, values and addresses. */
static void test_weak_variables(void **state) {
  (void)state;
  load(HEAD ".global .u32 y;\n.weak .global .u64 x[3] = {1, 2, y};\n"
            ".weak .global .u64 x = y, z = 3;\n.weak .global .u64 x[100];\n"
            ".weak .global .b8 x[8] = {0xFF(y), 0xFF00(y)};",
       "none");
  const PtxVariable *x = variable("x");
  assert_int_equal(x->bytes, 24);
  assert_int_equal(((const uint64_t *)x->initial)[1], 2);
  assert_int_equal(x->npatches, 1);
  assert_int_equal(x->patches[0].offset, 16);
  assert_int_equal(variable("z")->bytes, 8);
  load(HEAD ".extern .global .u64 x[];\n.weak .global .u64 x[2] = {1, 2};\n"
            ".weak .global .u64 x[100] = {7};",
       "none");
  assert_int_equal(variable("x")->bytes, 16);
  assert_int_equal(*(const uint64_t *)variable("x")->initial, 1);
}

static void test_label_of_a_table(void **state) {
  (void)state;
  static const char *const statements[] = {"@%p1 bra L;\nM:\nL: .branchtargets M;",
                                           "brx.idx %r1, L;\nM:\nL: .branchtargets M, L;"};
  for (size_t i = 0; i < 2; i++) {
    const PtxFunction *function = body(statements[i]);
    assert_non_null(function->refusal);
    assert_non_null(strstr(function->refusal, "jumps to a label that is not there"));
  }
}

static void test_skipped(void **state) {
  (void)state;
  assert_non_null(load(HEAD ".section .debug_info { .b8 1 { { } } label: }\n.pragma \"x\";\n"
                            ".weak .entry k() .maxntid 16, 4, 1 .minnctapersm 2 .pragma \"y\";\n"
                            "{ .pragma \"nounroll\"; ret; }\n .section .x { }",
                       "k"));
  assert_int_equal(ptx_find(module, "k")->max_threads, 64);
  assert_int_equal(module->version_major, 7);
  assert_int_equal(module->version_minor, 5);
  assert_int_equal(module->target, 75);
  load(".version 9.0\n.target sm_90a, debug\n.address_size 64\n", "k");
  assert_int_equal(module->target, 90);
}

static void test_ends_at_nul(void **state) {
  char error[64];
  (void)state;
  static const char text[] = HEAD ".entry k() { ret; }\0 nonsense";
  PtxModule *short_module = ptx_load(text, sizeof text, error, sizeof error);
  assert_non_null(short_module);
  ptx_free(short_module);
}

/* ---- lines ------------------------------------------------------------------------------- */

static void test_lines(void **state) {
  (void)state;
  const PtxFunction *function = body(".loc 1 27 9\nadd.s32 %r1, %r2, %r3;\n"
                                     ".loc 2 5 1, function_name $x + 3, inlined_at 1 30 2\n"
                                     "add.s32 %r1, %r2, %r3;\n.loc 2 6 1\nadd.s32 %r1, %r2, %r3;\n"
                                     ".loc 1 0 1\nadd.s32 %r1, %r2, %r3;\n.loc 1 27 4\n"
                                     "add.s32 %r1, %r2, %r3;");
  static const uint32_t lines[] = {27, 30, 30, 30, 27};
  for (uint32_t i = 0; i < 5; i++)
    assert_int_equal(ptx_line(module, function->code[i].line), lines[i]);
  assert_string_equal(ptx_file(module, function->code[0].line), "labs/x.cu");
  assert_int_equal(function->code[0].column, 9);
  assert_int_equal(function->code[0].line, function->code[4].line);
  assert_int_equal(module->nlines, 3);
  assert_string_equal(ptx_file(module, 0), "?");
}

/* ---- operations -------------------------------------------------------------------------- */

static void test_every_operation(void **state) {
  static const char *const operand[] = {
      [PTX_PRED] = "%p1", [PTX_U8] = "%r1",    [PTX_S8] = "%r1",   [PTX_U16] = "%rs1",
      [PTX_S16] = "%rs1", [PTX_F16] = "%rs1",  [PTX_U32] = "%r1",  [PTX_S32] = "%r1",
      [PTX_F32] = "%f1",  [PTX_F16X2] = "%r1", [PTX_U64] = "%rd1", [PTX_S64] = "%rd1",
      [PTX_F64] = "%fd1"};
  enum {
    TYPE_u8 = PTX_U8,
    TYPE_s8 = PTX_S8,
    TYPE_u16 = PTX_U16,
    TYPE_s16 = PTX_S16,
    TYPE_u32 = PTX_U32,
    TYPE_s32 = PTX_S32,
    TYPE_u64 = PTX_U64,
    TYPE_s64 = PTX_S64,
    TYPE_f16 = PTX_F16,
    TYPE_f32 = PTX_F32,
    TYPE_r32 = PTX_F32,
    TYPE_f16x2 = PTX_F16X2,
    TYPE_bf16 = PTX_U16,
    TYPE_bf16x2 = PTX_U32,
    TYPE_f64 = PTX_F64,
    TYPE_pred = PTX_PRED,
    TYPE_none = -1
  };
  static const struct {
    const char *spelling;
    int type[4];
  } rows[] = {
#define PTX_ROW(id, spelling, kind, D, A, B, C, flop, meaning)                                     \
  {spelling, {TYPE_##D, TYPE_##A, TYPE_##B, TYPE_##C}},
#include "../ptx/arithmetic.def"
  };
  (void)state;
  for (unsigned op = 0; op < PTX_OP_COUNT; op++) {
    char statement[128], *out = statement;
    bool unary = op == PTX_OP_MOV_PRED || op == PTX_OP_NOT_PRED;
    bool video = op >= PTX_OP_VADD && op <= PTX_OP_VMAD;
    out += sprintf(out, "%s", rows[op].spelling);
    if (video)
      out += sprintf(out, strncmp(rows[op].spelling, "vset", 4) ? ".u32.u32.u32" : ".u32.u32.eq");
    out += sprintf(out, " ");
    for (int i = 0; i < (unary ? 2 : 4) && rows[op].type[i] >= 0; i++)
      if (!(op == PTX_OP_BFI_B32 || op == PTX_OP_BFI_B64) || i < 3)
        out += sprintf(out, "%s%s", i ? ", " : "", operand[rows[op].type[i]]);
    if (op == PTX_OP_BFI_B32 || op == PTX_OP_BFI_B64)
      out += sprintf(out, ", 4, 8");
    if (op == PTX_OP_LOP3_B32)
      out += sprintf(out, ", 150");
    sprintf(out, ";");
    const PtxFunction *function = body(statement);
    if (function->refusal)
      fail_msg("%s", function->refusal);
    assert_int_equal(function->code[0].form, PTX_ALU);
    assert_string_equal(ptx_op_name((PtxOp)function->code[0].op), rows[op].spelling);
  }
}

static void test_modifiers(void **state) {
  static const struct {
    const char *statement;
    PtxOp op;
    unsigned flags;
  } cases[] = {
      {"add.rn.ftz.f32 %f1, %f2, %f3;", PTX_OP_ADD_F32, PTX_FTZ},
      {"add.rz.sat.f32 %f1, %f2, %f3;", PTX_OP_ADD_F32, PTX_RZ | PTX_SAT},
      {"fma.rm.f64 %fd1, %fd2, %fd3, %fd4;", PTX_OP_FMA_F64, PTX_RM},
      {"div.full.f32 %f1, %f2, %f3;", PTX_OP_DIV_F32, 0},
      {"rsqrt.approx.ftz.f32 %f1, %f2;", PTX_OP_RSQRT_F32, PTX_FTZ},
      {"cvt.rp.f32.s32 %f1, %r1;", PTX_OP_CVT_F32_S32, PTX_RP},
      {"cvt.rzi.ftz.s32.f32 %r1, %f1;", PTX_OP_CVT_RZI_S32_F32, PTX_FTZ},
      {"cvt.sat.u8.s32 %r1, %r2;", PTX_OP_CVT_SAT_U8_S32, 0},
      {"cvt.sat.f32.f32 %f1, %f2;", PTX_OP_CVT_F32_F32, PTX_SAT},
      {"add.sat.s32 %r1, %r2, %r3;", PTX_OP_ADD_SAT_S32, 0},
      {"mov.f32 %f1, %f2;", PTX_OP_MOV_B32, 0},
      {"mov.u64 %rd1, %rd2;", PTX_OP_MOV_B64, 0},
      {"selp.f64 %fd1, %fd2, %fd3, %p1;", PTX_OP_SELP_B64, 0},
      {"slct.f32.s32 %f1, %f2, %f3, %r1;", PTX_OP_SLCT_B32_S32, 0},
      {"setp.lt.ftz.f32 %p1, %f1, %f2;", PTX_OP_SETP_LT_F32, PTX_FTZ},
      {"shr.s32 %r1, %r2, 3;", PTX_OP_SHR_S32, 0},
      {"@!%p1 add.s32 %r1, %r2, 3;", PTX_OP_ADD_S32, PTX_NEG_PRED},
      {"cvta.to.shared::cta.u64 %rd1, %rd2;", PTX_OP_CVTA_TO_SHARED_U64, 0},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const PtxInsn *insn = one(cases[i].statement);
    assert_string_equal(ptx_op_name((PtxOp)insn->op), ptx_op_name(cases[i].op));
    assert_int_equal(insn->flags, cases[i].flags);
  }
}

static void test_literal_operands(void **state) {
  (void)state;
  assert_int_equal(one("lop3.b32 %r1, %r2, %r3, %r4, 0x96;")->imm, 0x96);
  assert_int_equal(constant_value(one("bfi.b32 %r1, %r2, %r3, 4, 8;")->c), 4 | 8 << 8);
  const PtxFunction *with_field = body("bfi.b32 %r1, %r2, %r3, %r4, 8;");
  assert_int_equal(with_field->ncode, 2);
  assert_int_equal(with_field->code[0].op, PTX_OP_PRMT_B32);
  assert_int_equal(with_field->code[1].op, PTX_OP_BFI_B32);
  const PtxFunction *function =
      body("add.s32 %r1, %r2, 7; add.s32 %r3, %r1, 7; add.s64 %rd1, %rd2, 7;");
  assert_int_equal(function->nconstants, 2);
  assert_int_equal(function->code[0].b, function->code[1].b);
}

/* A register of another width is accepted only where PTX allows it. */
static void test_widths(void **state) {
  (void)state;
  assert_refused("add.s64 %rd1, %rd2, %r1;", "add.s64 (PTX line 11) cannot use %r1 as .s64");
  assert_refused("add.s32 %r1, %p1, 2;", "add.s32 (PTX line 11) cannot use %p1 as .s32");
  const PtxFunction *function = body("cvt.u16.u32 %rs1, %rd1;");
  assert_int_equal(function->ncode, 2);
  assert_int_equal(function->code[0].op, PTX_OP_CVT_U32_U64);
  function = body("cvt.s8.s32 %rd1, %r1;");
  assert_int_equal(function->code[0].op, PTX_OP_CVT_S8_S32);
  assert_int_equal(function->code[1].op, PTX_OP_CVT_S64_S8);
  assert_int_equal(body("cvt.u8.u32 %r1, %r2;")->ncode, 1);
  assert_int_equal(one("cvt.s8.s32 %r1, %r2;")->op, PTX_OP_CVT_S32_S8);
}

static void test_setp(void **state) {
  (void)state;
  const PtxFunction *function = body("setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3;");
  static const PtxOp expected[] = {PTX_OP_NOT_PRED, PTX_OP_SETP_LT_S32, PTX_OP_NOT_PRED,
                                   PTX_OP_MOV_PRED, PTX_OP_AND_PRED,    PTX_OP_AND_PRED};
  assert_int_equal(function->ncode, 6);
  for (uint32_t i = 0; i < 6; i++)
    assert_int_equal(function->code[i].op, expected[i]);
  /* The predicate that is also the guard is written last. */
  function = body("@%p1 setp.lt.s32 %p1|%p2, %r1, %r2; selp.b32 %r3, %r4, %r5, %p1;");
  assert_int_equal(function->code[3].d, function->code[3].guard);
  assert_int_equal(body("setp.eq.or.f32 %p1, %f1, %f2, %p2;")->code[1].op, PTX_OP_OR_PRED);
}

static void test_carry(void **state) {
  (void)state;
  const PtxFunction *function = body("add.cc.u32 %r1, %r2, %r3; addc.u32 %r4, %r5, 0;");
  assert_null(function->refusal);
  assert_int_equal(function->code[0].op, PTX_OP_ADD_U32);
  assert_int_equal(function->code[1].op, PTX_OP_SETP_LO_U32);
  assert_null(body("mad.lo.cc.u32 %r1, %r2, %r3, %r4; madc.hi.u32 %r5, %r2, %r3, 0;")->refusal);
  assert_null(body("sub.cc.u64 %rd1, %rd2, %rd3; subc.u64 %rd4, %rd5, 0;")->refusal);
  assert_non_null(body("addc.f32 %f1, %f2, %f3;")->refusal);
}

/* ---- mov --------------------------------------------------------------------------------- */

static void test_mov_forms(void **state) {
  (void)state;
  const PtxInsn *insn = one("mov.b64 %rd1, {%r1, %r2};");
  assert_int_equal(insn->form, PTX_PACK);
  assert_int_equal(insn->count, 2);
  insn = one("mov.b64 {%r1, _}, %rd1;");
  assert_int_equal(insn->form, PTX_UNPACK);
  assert_int_equal(insn->list[1], PTX_NO_REG);
  assert_int_equal(one("mov.b32 {%rs1, %rs2}, %r1;")->type, PTX_B32);
  insn = one("mov.u32 %r1, %ctaid.z;");
  assert_int_equal(insn->form, PTX_SREG);
  assert_int_equal(insn->sub, PTX_CTAID_Z);
  assert_int_equal(one("mov.u64 %rd1, %clock64;")->sub, PTX_CLOCK64);
  assert_int_equal(body("mad.lo.s32 %r1, %ctaid.x, %ntid.x, %tid.x;")->ncode, 4);
  insn = one("mov.u64 %rd1, depot;");
  assert_int_equal(insn->form, PTX_LOCAL_ADDR);
  insn = one("mov.u64 %rd1, data+4;");
  assert_int_equal(constant_in(ptx_find(module, "k"), insn->a)->kind, PTX_GLOBAL_SYMBOL);
  assert_int_equal(constant_value(insn->a), 4);
  insn = one("mov.u32 %r1, tile;");
  assert_int_equal(constant_in(ptx_find(module, "k"), insn->a)->kind, PTX_SHARED_SYMBOL);
  insn = one("cvta.shared.u64 %rd1, dynamic;");
  assert_int_equal(constant_in(ptx_find(module, "k"), insn->a)->kind, PTX_DYNAMIC_SHARED);
  insn = one("mov.u64 %rd1, k;");
  assert_int_equal(constant_in(ptx_find(module, "k"), insn->a)->kind, PTX_FUNCTION_SYMBOL);
}

/* ---- memory ------------------------------------------------------------------------------ */

static void test_loads_and_stores(void **state) {
  (void)state;
  const PtxInsn *insn = one("ld.global.nc.L1::no_allocate.v4.f32 {%f1, %f2, _, %f3}, [%rd1+-16];");
  assert_int_equal(insn->form, PTX_LD);
  assert_int_equal(insn->space, PTX_GLOBAL);
  assert_int_equal(insn->count, 4);
  assert_int_equal(insn->imm, -16);
  assert_int_equal(insn->list[2], PTX_NO_REG);
  assert_int_equal(insn->flags, 0);
  assert_int_equal(one("ld.global.s8 %rd1, [%rd2];")->sub, 8);
  assert_int_equal(one("ld.shared.u8 %rs1, [%r2];")->sub, 2);
  assert_int_equal(one("ld.shared.u8 %r1, [%r2];")->flags, PTX_NARROW_ADDRESS);
  assert_int_equal(one("ld.shared.u8 %r1, [%rd2];")->flags, 0);
  assert_int_equal(one("ld.volatile.shared.u32 %r1, [%rd2];")->flags, PTX_VOLATILE);
  assert_int_equal(one("st.release.gpu.global.u32 [%rd2], %r1;")->flags,
                   PTX_VOLATILE | PTX_RELEASES);
  assert_int_equal(one("ld.relaxed.sys.u32 %r1, [%rd2];")->space, PTX_GENERIC);
  insn = one("st.shared.v2.b32 [tile+8], {%r1, 0f3F800000};");
  assert_int_equal(insn->imm, 8);
  assert_int_equal(insn->flags, PTX_NARROW_ADDRESS);
  assert_int_equal(constant_value(insn->list[1]), 0x3f800000);
  assert_int_equal(one("st.global.u8 [%rd1], %rd2;")->sub, 8);
  assert_int_equal(one("ld.global.u32 %r1, [data];")->parameter, -2);
  assert_int_equal(one("ld.shared.u32 %r1, [64];")->a, PTX_NO_REG);
  assert_refused("ld.global.u32 %r1, [%r2];",
                 "ld.global.u32 (PTX line 11) has an address that is no 64-bit register");
  static const char *const unknown[] = {"ld.global.v8.b64", "ld.global.v8.f32", "ld.shared.v4.b64",
                                        "ld.global.v2.v4.f32", "ld.global.u32.f32"};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    char statement[100], reason[100];
    snprintf(statement, sizeof statement, "%s {%%fd1, %%fd2, %%fd3, %%fd4}, [%%rd1];", unknown[i]);
    snprintf(reason, sizeof reason, "%s (PTX line 11) is not implemented by the emulated device",
             unknown[i]);
    assert_refused(statement, reason);
  }
  assert_refused("ld.u64 %r1, [%rd2];",
                 "ld.u64 (PTX line 11) has a register narrower than its type");
}

static void test_parameters(void **state) {
  (void)state;
  const PtxInsn *insn = one("ld.param.u32 %r1, [P2];");
  assert_int_equal(insn->form, PTX_LD_PARAM);
  assert_int_equal(insn->imm, 16);
  assert_int_equal(insn->a, PTX_NO_REG);
  assert_refused("ld.param.u64 %rd1, [P2];",
                 "ld.param.u64 (PTX line 11) lies outside of the parameter that it names");
  const PtxFunction *function = body("mov.b64 %rd1, P1; ld.param.u32 %r1, [%rd1+4];");
  assert_int_equal(constant_value(function->code[0].a), 8);
  assert_int_equal(function->code[1].a, function->code[0].d);
}

static void test_atomics(void **state) {
  (void)state;
  const PtxInsn *insn = one("atom.global.cas.b32 %r1, [%rd1+4], %r2, 5;");
  assert_int_equal(insn->form, PTX_ATOM);
  assert_int_equal(insn->sub, PTX_ATOM_CAS);
  assert_int_equal(constant_value(insn->c), 5);
  assert_int_equal(one("red.relaxed.gpu.global.add.f64 [%rd1], %fd1;")->d, PTX_NO_REG);
  assert_int_equal(one("atom.shared.max.s32 %r1, [%r2], 7;")->flags, PTX_NARROW_ADDRESS);
  assert_int_equal(one("atom.add.noftz.f16 %rs1, [%rd1], %rs2;")->type, PTX_F16);
  assert_int_equal(one("red.global.add.noftz.f16x2 [%rd1], %r2;")->type, PTX_F16X2);
  assert_int_equal(one("atom.shared.cas.b16 %rs1, [%r1], %rs2, %rs3;")->sub, PTX_ATOM_CAS);
  assert_int_equal(one("atom.add.noftz.bf16 %rs1, [%rd1], %rs2;")->sub, PTX_ATOM_ADD_BF16);
  assert_non_null(body("atom.max.noftz.bf16 %rs1, [%rd1], %rs2;")->refusal);
  assert_non_null(body("atom.global.exch.b16 %rs1, [%rd1], %rs2;")->refusal);
  assert_non_null(body("ld.global.noftz.u32 %r1, [%rd1];")->refusal);
  assert_non_null(body("atom.global.inc.s32 %r1, [%rd1], %r2;")->refusal);
}

/* A kernel with atomics on global memory sets `meets_by_atomics`. Generic atomics count too,
 * because their address may be in global memory. */
static void test_atomic_facts(void **state) {
  (void)state;
  const PtxFunction *k = body("red.global.add.u32 [%rd1], %r2; atom.shared.add.u32 %r1, [%r2], 7;");
  assert_false(k->meets_by_atomics);
  k = body("atom.global.cas.b32 %r1, [%rd1], %r2, 5;");
  assert_true(k->meets_by_atomics);
  k = body("atom.shared.cas.b32 %r1, [%r2], %r2, 5;");
  assert_false(k->meets_by_atomics);
  k = load(HEAD ".func f() { " REGISTERS "atom.cas.b32 %r1, [%rd1], %r2, 5; ret; }\n"
                ".entry other() { ret; }\n.entry k() { call f; ret; }",
           "k");
  assert_true(k->meets_by_atomics); /* f has atomics */
  assert_false(ptx_find(module, "other")->meets_by_atomics);
  assert_true(one("atom.global.cta.add.u32 %r1, [%rd1], 7;")->flags & PTX_BLOCK_SCOPE);
  assert_false(one("atom.global.gpu.add.u32 %r1, [%rd1], 7;")->flags & PTX_BLOCK_SCOPE);
}

static const PtxInsn *first_of_form(const PtxFunction *f, PtxForm form) {
  for (uint32_t i = 0; i < f->ncode; i++)
    if (f->code[i].form == form)
      return &f->code[i];
  fail();
  return NULL;
}

/* PTX_SEED marks the load that gives a compare-and-swap loop its first expected value. */
static void test_seeds(void **state) {
  (void)state;
  const PtxFunction *k = body("ld.global.u32 %r1, [%rd1]; mov.u32 %r2, %r1; add.s32 %r3, %r2, 1;"
                              "atom.global.cas.b32 %r1, [%rd1], %r2, %r3;");
  assert_true(first_of_form(k, PTX_LD)->flags & PTX_SEED);
  k = body("ld.global.u32 %r3, [%rd1]; atom.global.cas.b32 %r1, [%rd1], 0, %r3;");
  assert_false(first_of_form(k, PTX_LD)->flags & PTX_SEED);
}

/* Only a volatile load that a loop waits for is strong; a volatile load that only reads data, as in
 * x += 1, is not strong. */
static void test_flags(void **state) {
  (void)state;
  const PtxFunction *k =
      body("L: ld.volatile.global.u32 %r1, [%rd1]; setp.eq.s32 %p1, %r1, 0; @%p1 bra L;");
  assert_true(first_of_form(k, PTX_LD)->strong);
  k = body("ld.volatile.global.u32 %r1, [%rd1]; setp.eq.s32 %p1, %r1, 0; @%p1 bra L; mov.u32 %r2, "
           "1; L:");
  assert_false(first_of_form(k, PTX_LD)->strong);
  k = body("ld.volatile.global.u32 %r1, [%rd1]; add.s32 %r2, %r1, 1; st.volatile.global.u32 "
           "[%rd1], %r2;");
  assert_true(first_of_form(k, PTX_ST)->flags & PTX_UPDATES);
  k = body("ld.volatile.global.u32 %r1, [%rd1]; add.s32 %r2, %r1, 1; st.volatile.global.u32 "
           "[%rd1+4], %r2;");
  assert_false(first_of_form(k, PTX_ST)->flags & PTX_UPDATES);
  assert_true(one("st.relaxed.gpu.global.u32 [%rd1], %r2;")->strong);
}

static void test_fences(void **state) {
  (void)state;
  const PtxFunction *k = body("membar.cta; fence.acq_rel.cta;");
  assert_true(k->orders && !k->has_fence);
  k = body("ld.acquire.cta.global.u32 %r1, [%rd1];");
  assert_true(k->orders && !k->has_fence);
  assert_true(body("ld.acquire.gpu.global.u32 %r1, [%rd1];")->has_fence);
  assert_false(body("ld.global.u32 %r1, [%rd1];")->orders);
  assert_true(body("membar.gl;")->has_fence);
  assert_true(body("fence.sc.sys;")->has_fence);
  assert_null(body("fence.proxy.async;")->refusal);
  assert_false(body("fence.proxy.async;")->has_fence);
}

/* ---- instructions that all lanes of a warp execute together ------------------------------ */

static void assert_alone(const PtxFunction *function, PtxForm form) {
  assert_null(function->refusal);
  for (uint32_t b = 0; b < function->nblocks; b++)
    for (uint32_t i = 0; i < function->blocks[b].count; i++)
      if (function->code[function->blocks[b].first + i].form == form) {
        assert_int_equal(function->blocks[b].count, 1);
        assert_int_equal(function->blocks[b].end, PTX_END_FALL);
        return;
      }
  fail_msg("form %d is not there", (int)form);
}

static void test_alone(void **state) {
  static const struct {
    const char *statement;
    PtxForm form;
  } cases[] = {
      {"bar.sync 0;", PTX_BARRIER},
      {"@%p1 barrier.sync.aligned 1, 64;", PTX_BARRIER},
      {"bar.warp.sync -1;", PTX_SYNCWARP},
      {"shfl.sync.down.b32 %r1, %r2, 1, 31, -1;", PTX_SHFL},
      {"vote.sync.all.pred %p1, !%p2, -1;", PTX_VOTE},
      {"match.any.sync.b64 %r1, %rd1, -1;", PTX_MATCH},
      {"redux.sync.xor.b32 %r1, %r2, -1;", PTX_REDUX},
      {"activemask.b32 %r1;", PTX_ACTIVEMASK},
  };
  char text[256];
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    snprintf(text, sizeof text, "add.s32 %%r1, %%r2, 1; %s add.s32 %%r3, %%r1, 2;",
             cases[i].statement);
    assert_alone(body(text), cases[i].form);
  }
}

static void test_barriers(void **state) {
  (void)state;
  const PtxInsn *insn = &body("bar.sync 0;")->code[0];
  assert_int_equal(insn->a, PTX_NO_REG);
  assert_int_equal(insn->b, PTX_NO_REG);
  insn = &body("barrier.sync 3, 64;")->code[0];
  assert_int_equal(constant_value(insn->a), 3);
  assert_int_equal(constant_value(insn->b), 64);
  insn = &body("bar.red.and.pred %p1, 0, !%p2;")->code[0];
  assert_int_equal(insn->sub, PTX_BAR_RED_AND);
  assert_int_equal(insn->flags, PTX_NEG_SOURCE);
  assert_int_equal(insn->type, PTX_PRED);
  assert_int_equal(body("bar.arrive 1, 32;")->code[0].sub, PTX_BAR_ARRIVE);
  assert_null(body("barrier.cluster.arrive;")->refusal);
  assert_int_equal(body("barrier.cluster.wait.acquire;")->code[0].sub, PTX_BAR_SYNC);
  assert_non_null(body("barrier.cluster.arrive.cta;")->refusal);
}

static void test_exchange(void **state) {
  (void)state;
  const PtxInsn *insn = &body("shfl.sync.bfly.b32 %r1|%p1, %r2, 4, 31, -1;")->code[0];
  assert_int_equal(insn->sub, PTX_SHFL_BFLY);
  assert_int_not_equal(insn->e, PTX_NO_REG);
  assert_int_equal(constant_value(insn->b), 4);
  assert_int_equal(constant_value(insn->c), 31);
  assert_int_equal(constant_value(insn->mask), 0xffffffff);
  insn = &body("vote.sync.ballot.b32 %r1, !%p2, 15;")->code[0];
  assert_int_equal(insn->sub, PTX_VOTE_BALLOT);
  assert_int_equal(insn->flags, PTX_NEG_SOURCE);
  assert_int_equal(body("redux.sync.max.s32 %r1, %r2, -1;")->code[0].sub, PTX_ATOM_MAX);
  assert_int_equal(body("match.all.sync.b32 %r1|%p1, %r2, -1;")->code[0].sub, 1);
  assert_refused(
      "shfl.bfly.b32 %r1, %r2, 4, 31;",
      "shfl.bfly.b32 (PTX line 11) is the old form without a mask: use the _sync function");
}

/* ---- blocks ------------------------------------------------------------------------------ */

static void test_branches(void **state) {
  (void)state;
  const PtxFunction *function = body("@!%p1 bra B; add.s32 %r1, %r2, 1; bra.uni C;\n"
                                     "B: add.s32 %r1, %r2, 2;\nC: add.s32 %r3, %r1, 3;");
  assert_int_equal(function->nblocks, 4);
  assert_int_equal(function->blocks[0].end, PTX_END_IF);
  assert_true(function->blocks[0].negated);
  assert_int_equal(function->blocks[1].end, PTX_END_BRANCH);
  assert_int_equal(function->blocks[1].taken, 3);
  assert_int_equal(function->blocks[2].end, PTX_END_FALL);
  assert_int_equal(function->blocks[3].end, PTX_END_RET);
  /* Unused labels, and instruction blocks that only jump, are removed. */
  function = body("X: add.s32 %r1, %r2, 1; Y: @%p1 bra L; bra.uni M;\nM: bra N;\nL: N: Z:");
  assert_int_equal(function->nblocks, 2);
  assert_int_equal(function->blocks[0].taken, 1);
  assert_int_equal(function->blocks[0].next, 1);
}

static void test_guarded_return(void **state) {
  (void)state;
  const PtxFunction *function = body("@%p1 exit; add.s32 %r1, %r2, 1;");
  assert_int_equal(function->nblocks, 3);
  assert_int_equal(function->blocks[0].end, PTX_END_IF);
  assert_int_equal(function->blocks[function->blocks[0].taken].end, PTX_END_EXIT);
  assert_int_equal(function->blocks[function->blocks[0].next].end, PTX_END_RET);
}

static void test_jump_table(void **state) {
  (void)state;
  const PtxFunction *function = body("T: .branchtargets A, B, A; brx.idx.uni %r1, T;\n"
                                     "A: add.s32 %r1, %r2, 1;\nB: add.s32 %r3, %r1, 2;");
  assert_int_equal(function->blocks[0].end, PTX_END_TABLE);
  assert_int_equal(function->blocks[0].ntable, 3);
  assert_int_equal(function->blocks[0].table[0], 1);
  assert_int_equal(function->blocks[0].table[1], 2);
  assert_int_equal(function->blocks[0].table[2], 1);
}

/* The instruction block after a loop is placed behind the whole loop, even if it precedes a part of
 * the loop in the text. */
static void test_loops_stay_together(void **state) {
  (void)state;
  const PtxFunction *function =
      body("H: add.s32 %r1, %r1, 1; @%p1 bra BODY;\nOUT: add.s32 %r1, %r1, 2; ret;\n"
           "BODY: add.s32 %r1, %r1, 3; @%p2 bra OUT;\n add.s32 %r1, %r1, 4; bra H;");
  static const uint64_t added[] = {1, 3, 4, 2};
  assert_int_equal(function->nblocks, 4);
  for (uint32_t i = 0; i < 4; i++)
    assert_int_equal(constant_value(function->code[function->blocks[i].first].b), added[i]);
}

static void test_scopes(void **state) {
  (void)state;
  const PtxFunction *function =
      body("{ .reg .b32 x; L: add.s32 x, x, 1; @%p1 bra L; }\n"
           "{ .reg .b64 x; L: add.s64 x, x, 1; @%p1 bra L; bra D; }\nD: ret;");
  assert_null(function->refusal);
  assert_int_equal(function->code[1].op, PTX_OP_ADD_S64);
  assert_refused("{ M: ret; } bra M;", "bra (PTX line 11) jumps to a label that is not there");
}

/* ---- functions --------------------------------------------------------------------------- */

static void test_calls(void **state) {
  (void)state;
  load(HEAD
       ".func (.param .b32 r) f(.param .b64 a, .param .align 4 .b8 s[6]);\n"
       ".extern .func g();\n.visible .entry k() { " REGISTERS
       "{ .param .b64 p; .param .align 4 .b8 q[6]; .param .b32 v; st.param.b64 [p], %rd1;\n"
       "st.param.b16 [q+4], %rs1; call.uni (v), f, (p, q); ld.param.b32 %r1, [v]; }\n"
       "call g; { .param .b32 p; proto: .callprototype _ (.param .b32 _); call %rd1, (p), proto; }"
       " mov.u64 %rd2, f; st.global.u32 [%rd9], %r1; ret; }\n"
       ".func (.param .b32 r) f(.param .b64 a, .param .align 4 .b8 s[6]) { " REGISTERS
       "ld.param.u32 %r1, [s]; membar.gl; st.param.b32 [r], %r1; ret; }",
       "k");
  const PtxFunction *k = ptx_find(module, "k"), *f = ptx_find(module, "f");
  const PtxInsn *calls[3], **call = calls;
  assert_null(k->refusal);
  for (uint32_t i = 0; i < k->ncode; i++)
    if (k->code[i].form == PTX_CALL)
      *call++ = &k->code[i];
  assert_ptr_equal(&module->functions[calls[0]->call->function], f);
  assert_int_equal(calls[0]->call->nargs, 2);
  assert_int_equal(calls[0]->call->args[1].bytes, 6);
  assert_true(calls[0]->call->has_result);
  assert_int_equal(calls[1]->call->function, -1);
  assert_string_equal(calls[1]->call->name, "g");
  assert_int_equal(calls[2]->call->function, -2);
  assert_int_not_equal(calls[2]->a, PTX_NO_REG);
  assert_int_equal(k->argument_bytes, 20);
  assert_true(k->has_fence); /* f has a fence */
  assert_int_equal(f->code[0].form, PTX_LD_ARG);
  assert_int_equal(f->code[0].imm, f->params[1].offset);
}

static void test_signature(void **state) {
  (void)state;
  const PtxFunction *k = load(
      HEAD ".func f(.param .b64 a) { ret; }\n.entry k() { { .param .b32 p; call f, (p); } ret; }",
      "k");
  assert_string_equal(k->refusal, "call (PTX line 5) does not match the declaration of f");
}

static void test_refusal_travels(void **state) {
  (void)state;
  const PtxFunction *k = load(HEAD ".func f() { wmma.mma x; ret; }\n.entry k() { call f; ret; }\n"
                                   ".entry other() { ret; }",
                              "k");
  assert_string_equal(k->refusal,
                      "wmma.mma (PTX line 4) is not implemented by the emulated device");
  assert_null(ptx_find(module, "other")->refusal);
  body(".loc 1 12 3\nadd.f32x2 %rd1, %rd2, %rd3;");
  assert_string_equal(ptx_find(module, "k")->refusal,
                      "add.f32x2 (labs/x.cu:12) is not implemented by the emulated device");
}

/* ---- variables --------------------------------------------------------------------------- */

static void test_initial_values(void **state) {
  (void)state;
  load(HEAD ".global .s16 m[2][3] = {{1}, {2, -3}};\n.const .f32 c[2] = {0f3F800000, 0.5};\n"
            ".global .align 8 .u64 p[3] = {m, generic(c)+4, k};\n"
            ".global .align 8 .b8 s[17] = {0xFF(m), 0xFF00(m), 0xFF0000(m), 0xFF000000(m), 0, 0, "
            "0, 0, 9};\n"
            ".global .u8 e[] = {1, 2, 3};\n.global .b32 zero[4];\n.entry k() { ret; }",
       "k");
  static const int16_t m[6] = {1, 0, 0, 2, -3, 0};
  static const float c[2] = {1, 0.5f};
  const PtxVariable *v = module->variables;
  assert_int_equal(v[0].bytes, sizeof m);
  assert_memory_equal(v[0].initial, m, sizeof m);
  assert_memory_equal(v[1].initial, c, sizeof c);
  assert_int_equal(v[1].space, PTX_CONST);
  assert_int_equal(v[2].npatches, 2);
  assert_int_equal(v[2].patches[1].offset, 8);
  assert_int_equal(v[2].patches[1].variable, 1);
  assert_int_equal(v[2].patches[1].addend, 4);
  assert_int_equal(v[2].initial[16], 1); /* handle of function 0 */
  assert_int_equal(v[3].npatches, 1);
  assert_int_equal(v[3].initial[8], 9);
  assert_int_equal(v[4].bytes, 3);
  assert_null(v[5].initial);
}

static void test_shared_layout(void **state) {
  (void)state;
  load(HEAD ".shared .align 4 .b8 a[6];\n.shared .align 16 .b8 b[16];\n.shared .b8 unused[100];\n"
            ".extern .shared .align 16 .b8 dyn[];\n.func f() { " REGISTERS
            "ld.shared.u16 %rs1, [b]; ret; }\n.entry k() { " REGISTERS
            "call f; ld.shared.u32 %r1, [a]; ld.shared.u32 %r2, [dyn]; ret; }",
       "k");
  const PtxFunction *k = ptx_find(module, "k");
  assert_int_equal(k->shared_offset[0], 0);
  assert_int_equal(k->shared_offset[1], 16);
  assert_int_equal(k->shared_offset[2], UINT32_MAX);
  assert_int_equal(k->shared_offset[3], UINT32_MAX);
  assert_int_equal(k->shared_bytes, 32);
  assert_int_equal(k->shared_granule, 2);
  assert_int_equal(k->global_granule, 4);
}

/* ---- the parameter that an address derives from ------------------------------------------ */

static int parameter_of_last(const char *statements) {
  const PtxFunction *function = body(statements);
  for (uint32_t i = function->ncode; i-- > 0;)
    if (function->code[i].form == PTX_ST)
      return function->code[i].parameter;
  fail_msg("no store");
  return 0;
}

#define POINTERS                                                                                   \
  "ld.param.u64 %rd1, [P0]; ld.param.u64 %rd2, [P1]; cvta.to.global.u64 %rd3, %rd1;\n"             \
  "cvta.to.global.u64 %rd4, %rd2; mul.wide.s32 %rd5, %r1, 4;\n"

static void test_provenance(void **state) {
  (void)state;
  assert_int_equal(
      parameter_of_last(POINTERS "add.s64 %rd6, %rd5, %rd4; st.global.u32 [%rd6], %r1;"), 1);
  assert_int_equal(parameter_of_last("ld.param.u64 %rd1, [P0]; st.u32 [%rd1+4], %r1;"), 0);
  /* A 64-bit parameter is a size that is added to a pointer. */
  assert_int_equal(
      parameter_of_last(POINTERS "add.s64 %rd6, %rd3, %rd2; st.global.u8 [%rd6], %r1;"), 0);
  assert_int_equal(
      parameter_of_last(POINTERS "mad.lo.s64 %rd6, %rd5, %rd2, %rd3; st.global.u8 [%rd6], %r1;"),
      0);
  assert_int_equal(
      parameter_of_last(POINTERS "selp.b64 %rd6, %rd3, %rd4, %p1; st.global.u8 [%rd6], %r1;"), -1);
  assert_int_equal(
      parameter_of_last(POINTERS "selp.b64 %rd6, %rd3, %rd3, %p1; st.global.u8 [%rd6], %r1;"), 0);
  assert_int_equal(
      parameter_of_last(POINTERS "ld.global.u64 %rd6, [%rd3]; st.global.u8 [%rd6], %r1;"), -1);
  assert_int_equal(
      parameter_of_last("mov.u64 %rd1, data; cvta.global.u64 %rd2, %rd1; st.u8 [%rd2], %r1;"), -2);
  assert_int_equal(parameter_of_last("st.shared.u8 [%r1], %r2;"), -2);
  /* The address changes in a loop. */
  assert_int_equal(parameter_of_last(POINTERS "mov.u64 %rd6, %rd3; L: st.global.u8 [%rd6], %r1;\n"
                                              "add.s64 %rd6, %rd6, 4; @%p1 bra L;"),
                   0);
  assert_int_equal(parameter_of_last(POINTERS "mov.u64 %rd6, %rd3; L: st.global.u8 [%rd6], %r1;\n"
                                              "mov.u64 %rd6, %rd4; @%p1 bra L;"),
                   -1);
}

static void test_accessed_parameters(void **state) {
  (void)state;
  const PtxFunction *k =
      body(POINTERS "ld.global.u32 %r2, [%rd3]; red.global.add.u32 [%rd4], %r2;");
  assert_int_equal(k->accesses_parameter[0], PTX_READS);
  assert_int_equal(k->accesses_parameter[1], PTX_CHANGES | PTX_CHANGES_NARROW);
  assert_int_equal(k->accesses_unknown, 0);
  k = body(POINTERS "st.volatile.global.u32 [%rd3], %r2; ld.global.u32 %r2, [%rd3];");
  assert_int_equal(k->accesses_parameter[0], PTX_READS | PTX_STORES | PTX_MEETS);
  k = body("st.global.u32 [%rd9], %r1;");
  assert_int_equal(k->accesses_unknown, PTX_STORES);
  k = body("st.shared.u32 [%r1], %r1; st.local.u32 [%rd9], %r1;");
  assert_int_equal(k->accesses_unknown, 0);
}

/* ---- registers --------------------------------------------------------------------------- */

static void test_slots(void **state) {
  (void)state;
  /* A chain of values, each of which is used once, shares one slot. */
  const PtxFunction *k = body("mov.u32 %r1, %tid.x; add.s32 %r2, %r1, 1; add.s32 %r3, %r2, 1;\n"
                              "add.s32 %r4, %r3, 1; st.shared.u32 [0], %r4;");
  assert_int_equal(k->nslots, 2);
  assert_int_equal(k->live_registers, 1);
  assert_int_equal(k->nundefined, 0);
  /* Values with overlapping lifetimes do not share a slot. */
  k = body(
      "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; add.s32 %r3, %r1, %r2; st.shared.u32 [%r1], %r3;");
  assert_int_not_equal(k->code[0].d, k->code[1].d);
  assert_int_equal(k->live_registers, 2);
  /* 64-bit registers start at even slots and count as two registers. */
  k = body("mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 4; ld.global.u64 %rd2, [%rd1]; "
           "st.global.u64 [%rd1], %rd2;");
  assert_int_equal(k->code[1].d / PTX_SLOT_BYTES % 2, 0);
  assert_int_not_equal(k->code[1].d, k->code[2].list[0]);
  assert_int_equal(k->live_registers, 4);
}

static void test_undefined(void **state) {
  (void)state;
  const PtxFunction *k = body("add.s32 %r1, %r2, 1;");
  assert_int_equal(k->nundefined, 1);
  assert_int_equal(k->undefined[0], k->code[0].a);
  assert_int_equal(body("add.s64 %rd1, %rd2, 1;")->nundefined, 2);
  assert_int_equal(body("@%p1 mov.u32 %r1, 1; add.s32 %r2, %r1, 1;")->nundefined, 2);
  k = body(
      "mov.pred %p1, 1; mov.u32 %r1, 0; @%p1 bra L; mov.u32 %r3, 1; L: add.s32 %r1, %r1, %r3;");
  assert_int_equal(k->nundefined, 1);
}

/* Returns a letter per instruction: I if its result is the same for all threads of a launch,
 * otherwise a dot. */
static const char *invariants(const PtxFunction *k) {
  static char letters[32];
  assert_true(k->ncode < sizeof letters);
  memset(letters, 0, sizeof letters);
  for (uint32_t i = 0; i < k->ncode; i++)
    letters[i] = k->code[i].invariant ? 'I' : '.';
  return letters;
}

static void test_invariants(void **state) {
  (void)state;
  const PtxFunction *k =
      body("ld.param.u32 %r1, [P2]; mov.u32 %r2, %ntid.x; mul.lo.s32 %r3, %r1, %r2;\n"
           "mov.u32 %r4, %tid.x; mov.u32 %r5, %ctaid.x; add.s32 %r6, %r3, %r4;\n"
           "add.s32 %r7, %r6, %r5; st.shared.u32 [%r7], %r3;");
  assert_string_equal(invariants(k), "III.....");
  assert_int_equal(k->ninvariant, 3);
  /* No other register may use the slots of invariant values, even after their last use. */
  for (uint32_t i = 3; i < 7; i++)
    for (uint32_t first = 0; first < 3; first++)
      assert_int_not_equal(k->code[i].d, k->code[first].d);
  /* A register that is written twice, or under a guard, is not invariant. */
  k = body(
      "ld.param.u32 %r1, [P2]; mov.u32 %r2, %r1; add.s32 %r2, %r2, 1; setp.eq.s32 %p1, %r1, 0;\n"
      "@%p1 mov.u32 %r3, %r1; st.shared.u32 [%r2], %r3;");
  assert_string_equal(invariants(k), "I..I..");
  /* Some lanes may read %r2 before it is computed. */
  k = body("mov.u32 %r1, %tid.x; setp.eq.s32 %p1, %r1, 0; @%p1 bra L; mov.u32 %r2, %ntid.x;\n"
           "L: st.shared.u32 [%r1], %r2;");
  assert_string_equal(invariants(k), "....");
}

/* `expected` has a character per instruction: the number of the following instructions that are
 * executed together with it, or a dot. */
static void assert_joined(const char *statements, const char *expected) {
  const PtxFunction *k = body(statements);
  char letters[32];
  assert_true(k->ncode < sizeof letters);
  memset(letters, 0, sizeof letters);
  for (uint32_t i = 0; i < k->ncode; i++)
    letters[i] = k->code[i].joins ? (char)('0' + k->code[i].joins) : '.';
  assert_string_equal(letters, expected);
}

static void test_joined(void **state) {
  (void)state;
  assert_joined("mov.u32 %r1, %tid.x; mov.u64 %rd1, 64; mul.wide.s32 %rd2, %r1, 4;\n"
                "add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r1;",
                "..1..");
  /* These are not joined: the product is used again; the product is used twice; another instruction
   * is between the multiplication and the addition; one of the two has a guard. */
  assert_joined("mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"
                "st.global.u64 [%rd3], %rd2;",
                "....");
  assert_joined("mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd2, %rd2;\n"
                "st.global.u32 [%rd3], %r1;",
                "....");
  assert_joined("mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; mov.u32 %r1, 0;\n"
                "add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r1;",
                ".....");
  assert_joined("mov.u32 %r1, %tid.x; setp.eq.s32 %p1, %r1, 0; mul.wide.u32 %rd2, %r1, 4;\n"
                "@%p1 add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r1;",
                ".....");
}

static void test_products(void **state) {
  (void)state;
  assert_joined(
      "mov.u32 %r1, %tid.x; mov.f32 %f1, 0f00000000; ld.shared.f32 %f2, [%r1];\n"
      "ld.shared.f32 %f3, [%r1+4]; fma.rn.f32 %f1, %f3, %f2, %f1; st.shared.f32 [%r1], %f1;",
      "..2...");
  /* These are not joined: a factor is used again; a factor is also the sum; a factor is loaded
   * elsewhere; a load is volatile. */
  assert_joined("mov.u32 %r1, %tid.x; ld.shared.f32 %f2, [%r1]; ld.shared.f32 %f3, [%r1+4];\n"
                "fma.rn.f32 %f1, %f3, %f2, %f1; st.shared.f32 [%r1], %f2;",
                ".....");
  assert_joined("mov.u32 %r1, %tid.x; ld.shared.f32 %f2, [%r1]; ld.shared.f32 %f3, [%r1+4];\n"
                "fma.rn.f32 %f1, %f1, %f2, %f3; st.shared.f32 [%r1], %f1;",
                ".....");
  assert_joined("mov.u32 %r1, %tid.x; ld.global.f32 %f2, [%rd1]; ld.shared.f32 %f3, [%r1+4];\n"
                "fma.rn.f32 %f1, %f3, %f2, %f1; st.shared.f32 [%r1], %f1;",
                ".....");
  assert_joined(
      "mov.u32 %r1, %tid.x; ld.volatile.shared.f32 %f2, [%r1]; ld.shared.f32 %f3, [%r1+4];\n"
      "fma.rn.f32 %f1, %f3, %f2, %f1; st.shared.f32 [%r1], %f1;",
      ".....");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names_of_files),
      cmocka_unit_test(test_literals),
      cmocka_unit_test(test_comments_and_blanks),
      cmocka_unit_test(test_malformed),
      cmocka_unit_test(test_hostile),
      cmocka_unit_test(test_weak_variables),
      cmocka_unit_test(test_label_of_a_table),
      cmocka_unit_test(test_skipped),
      cmocka_unit_test(test_ends_at_nul),
      cmocka_unit_test(test_lines),
      cmocka_unit_test(test_every_operation),
      cmocka_unit_test(test_modifiers),
      cmocka_unit_test(test_literal_operands),
      cmocka_unit_test(test_widths),
      cmocka_unit_test(test_setp),
      cmocka_unit_test(test_carry),
      cmocka_unit_test(test_mov_forms),
      cmocka_unit_test(test_loads_and_stores),
      cmocka_unit_test(test_parameters),
      cmocka_unit_test(test_atomics),
      cmocka_unit_test(test_atomic_facts),
      cmocka_unit_test(test_fences),
      cmocka_unit_test(test_seeds),
      cmocka_unit_test(test_flags),
      cmocka_unit_test(test_alone),
      cmocka_unit_test(test_barriers),
      cmocka_unit_test(test_exchange),
      cmocka_unit_test(test_branches),
      cmocka_unit_test(test_guarded_return),
      cmocka_unit_test(test_jump_table),
      cmocka_unit_test(test_loops_stay_together),
      cmocka_unit_test(test_scopes),
      cmocka_unit_test(test_calls),
      cmocka_unit_test(test_signature),
      cmocka_unit_test(test_refusal_travels),
      cmocka_unit_test(test_initial_values),
      cmocka_unit_test(test_shared_layout),
      cmocka_unit_test(test_provenance),
      cmocka_unit_test(test_accessed_parameters),
      cmocka_unit_test(test_slots),
      cmocka_unit_test(test_undefined),
      cmocka_unit_test(test_invariants),
      cmocka_unit_test(test_joined),
      cmocka_unit_test(test_products),
  };
  return cmocka_run_group_tests(tests, NULL, end);
}
