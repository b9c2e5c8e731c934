/* Tests that merging.c merges accesses to shared memory like ptxas, the GPU's assembler.
 *
 * The kernels are PTX. Each is listed with the widths of the accesses that ptxas of CUDA 13.0
 * generated for sm_90: loads, then stores, widest first. If ptxas is installed, the test runs ptxas
 * again, also on random kernels, and reads the machine code. An instruction has 16 bytes; its first
 * 12 bits are the opcode.
 *
 *   merging_test [SEED [KERNELS]]    runs the test; SEED and number of the random kernels
 *   merging_test PTX CUBIN           compares the machine code of a module with the prediction
 */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../ptx/program.h"

enum { TEXT_MOST = 1 << 24, KERNELS_MOST = 900, NAME_MOST = 40 };

/* The number of accesses of each width, from 16 bytes down to 1. */
enum { WIDTHS = 5 };
typedef struct Widths {
  unsigned loads[WIDTHS], stores[WIDTHS];
} Widths;

static void note(unsigned *widths, unsigned bytes) {
  if (bytes)
    widths[4 - __builtin_ctz(bytes)]++;
}

/* Formats the widths of loads, then of stores: "16 8 4, 4". */
static void say(const Widths *w, char *out) {
  *out = '\0';
  for (int store = 0; store < 2; store++) {
    strcat(out, store ? "," : "");
    for (int i = 0; i < WIDTHS; i++)
      for (unsigned n = (store ? w->stores : w->loads)[i]; n && strlen(out) < 480; n--)
        sprintf(out + strlen(out), "%s%d", *out ? " " : "", 16 >> i);
  }
}

/* ---- merging in the decoder ----------------------------------------------------------------- */

static Widths widths_of(const PtxFunction *f) {
  Widths w = {{0}, {0}};
  for (uint32_t i = 0; i < f->ncode; i++)
    if (f->code[i].space == PTX_SHARED && f->code[i].form == PTX_LD)
      note(w.loads, f->code[i].merged.bytes);
    else if (f->code[i].space == PTX_SHARED && f->code[i].form == PTX_ST)
      note(w.stores, f->code[i].merged.bytes);
  return w;
}

/* ---- merging by ptxas ------------------------------------------------------------------------ */

typedef struct File {
  uint8_t *bytes;
  size_t length;
} File;

static File read_file(const char *path) {
  File f = {NULL, 0};
  FILE *file = fopen(path, "rb");
  for (size_t got = 1; file && got; f.length += got) {
    f.bytes = realloc(f.bytes, f.length + 65536);
    assert_non_null(f.bytes);
    got = fread(f.bytes + f.length, 1, 65535, file);
  }
  if (file)
    fclose(file);
  if (f.bytes)
    f.bytes[f.length] = 0;
  return f;
}

static Widths widths_in(const uint8_t *code, size_t length) {
  enum { LDS = 0x984, STS = 0x388, STS_UNIFORM = 0x988 };
  static const uint8_t bytes[8] = {1, 1, 2, 2, 4, 8, 16, 0};
  Widths w = {{0}, {0}};
  for (size_t i = 0; i + 16 <= length; i += 16) {
    const unsigned opcode = (code[i] | (unsigned)code[i + 1] << 8) & 0xfff;
    const unsigned size = bytes[code[i + 9] >> 1 & 7];
    if (opcode == LDS)
      note(w.loads, size);
    if (opcode == STS || opcode == STS_UNIFORM)
      note(w.stores, size);
  }
  return w;
}

/* Reads the widths of a kernel from its machine code. Returns false if the file has no such
 * kernel. */
static bool find_code(const File *f, const char *kernel, Widths *w) {
  const Elf64_Ehdr *head = (const Elf64_Ehdr *)(const void *)f->bytes;
  const Elf64_Shdr *sections = (const Elf64_Shdr *)(const void *)(f->bytes + head->e_shoff);
  const char *names = (const char *)f->bytes + sections[head->e_shstrndx].sh_offset;
  for (int i = 0; i < head->e_shnum; i++)
    if (!strncmp(names + sections[i].sh_name, ".text.", 6) &&
        !strcmp(names + sections[i].sh_name + 6, kernel)) {
      *w = widths_in(f->bytes + sections[i].sh_offset, sections[i].sh_size);
      return true;
    }
  return false;
}

/* Returns the number of kernels of a module for which the prediction differs from the code of
 * ptxas. */
static unsigned compare(const char *text, const char *cubin, unsigned *compared) {
  char error[512], here[512], there[512];
  unsigned wrong = 0;
  File file = read_file(cubin);
  PtxModule *module = ptx_load(text, strlen(text), error, sizeof error);
  if (!module || !file.length)
    fail_msg("%s: %s", cubin, module ? "nothing there" : error);
  for (uint32_t i = 0; i < module->nfunctions; i++) {
    const PtxFunction *f = &module->functions[i];
    Widths w = widths_of(f), real;
    if (!f->is_entry || !find_code(&file, f->name, &real))
      continue;
    ++*compared;
    say(&w, here);
    say(&real, there);
    wrong +=
        strcmp(here, there) && fprintf(stderr, "%s: ptxas %s, here %s\n", f->name, there, here);
  }
  ptx_free(module);
  free(file.bytes);
  return wrong;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static char text[TEXT_MOST];
static size_t length;

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  length += (size_t)vsnprintf(text + length, sizeof text - length, format, arguments);
  va_end(arguments);
  assert_true(length < sizeof text);
}

static void begin_module(void) {
  length = 0;
  put(".version 7.8\n.target sm_75\n.address_size 64\n.extern .shared .align 4 .b8 more[];\n");
}

/* Begins a kernel in which r2 is the thread's number. r4 and r5 are the thread's addresses in the
 * shared array s, with 16 and 64 bytes per thread. rd1 is its address in global memory. */
static void begin_kernel(const char *name, const char *variables) {
  put(".visible .entry %s(.param .u64 p, .param .u32 n) {\n"
      ".reg .b16 %%rs<200>; .reg .b32 %%r<200>; .reg .f32 %%f<200>;\n"
      ".reg .b64 %%rd<200>; .reg .f64 %%fd<200>; .reg .pred %%p<9>;\n"
      "%s\n"
      "ld.param.u64 %%rd0, [p]; cvta.to.global.u64 %%rd0, %%rd0; ld.param.u32 %%r0, [n];\n"
      "mov.u32 %%r2, %%tid.x; mul.wide.u32 %%rd1, %%r2, 4; add.u64 %%rd1, %%rd0, %%rd1;\n"
      "mov.u32 %%r3, s; mad.lo.u32 %%r4, %%r2, 16, %%r3; mad.lo.u32 %%r5, %%r2, 64, %%r3;\n",
      name, *variables ? variables : ".shared .align 4 .b8 s[8192];");
}

static void end_kernel(void) { put("ret;\n}\n"); }

/* ---- hand-written kernels -------------------------------------------------------------------- */

/* In a body, the letters a to d load 4 bytes each at r4, r4 + 4, r4 + 8 and r4 + 12, and e to l
 * load the bytes that follow. U uses all values that a to l loaded. Other text is PTX with
 * registers of its own. */
typedef struct Case {
  const char *name, *widths, *body, *variables;
} Case;

static const Case cases[] = {
    {"four", "16,", "<abcd><>", ""},
    {"any_order", "16,", "<cadb><>", ""},
    {"three", "16,", "<abd><>", ""},
    {"last_three", "16,", "<bcd><>", ""},
    {"two", "8,", "<ab><>", ""},
    {"two_across", "4 4,", "<bc><>", ""},
    {"two_apart", "4 4,", "<ac><>", ""},
    {"twelve", "16 16 16,", "<abcdefghijkl><>", ""},
    {"twice", "16,", "<abcdab><>", ""},
    {"far_apart", "16,",
     "<ab> cvt.rn.f32.u32 %f60,%r2; mul.f32 %f60,%f60,%f60; st.global.f32 [%rd1+900],%f60; <cd><>",
     ""},
    {"two_bases", "16 8,",
     "<a> ld.shared.u32 %r20,[%r5+128]; <b> ld.shared.u32 %r21,[%r5+132]; <cd><>"
     "st.global.u32 [%rd1+800],%r20; st.global.u32 [%rd1+804],%r21;",
     ""},
    {"mask", "16,", "and.b32 %r6,%r2,-16; add.u32 %r4,%r3,%r6; <abcd><>", ""},
    {"or_bits", "16,", "shl.b32 %r6,%r2,5; or.b32 %r6,%r6,16; add.u32 %r4,%r3,%r6; <abcd><>", ""},
    {"eight_aligned", "8 8,", "mad.lo.u32 %r4,%r2,8,%r3; <abcd><>", ""},
    {"not_aligned", "4 4 4 4,", "mad.lo.u32 %r4,%r2,4,%r3; <abcd><>", ""},
    {"sums_in_another_order", "4 4,",
     "and.b32 %r6,%r0,-16; shl.b32 %r7,%r2,4; add.u32 %r8,%r3,%r6; add.u32 %r9,%r6,%r7;"
     "add.u32 %r10,%r8,%r7; add.u32 %r11,%r3,%r9; ld.shared.u32 %r20,[%r10]; ld.shared.u32 "
     "%r21,[%r11+4];"
     "st.global.u32 [%rd1],%r20; st.global.u32 [%rd1+4],%r21;",
     ""},
    {"shifted_or_multiplied", "8,",
     "shl.b32 %r6,%r2,4; add.u32 %r7,%r6,%r3; mad.lo.u32 %r8,%r2,16,%r3;"
     "ld.shared.u32 %r20,[%r7]; ld.shared.u32 %r21,[%r8+4]; st.global.u32 [%rd1],%r20; "
     "st.global.u32 [%rd1+4],%r21;",
     ""},
    {"size_unknown", "4 4 4 4,", "mad.lo.u32 %r4,%r0,4,%r3; <abcd><>", ""},
    {"separate_sums", "16,",
     "shl.b32 %r6,%r2,2; add.u32 %r7,%r6,1; shl.b32 %r8,%r7,2; add.u32 %r9,%r3,%r8;"
     "ld.shared.f32 %f31,[%r9]; st.global.f32 [%rd1+700],%f31; <acd><>",
     ""},
    {"wide_index", "4 4,",
     "add.s32 %r6,%r2,1; mul.wide.s32 %rd5,%r2,4; mul.wide.s32 %rd6,%r6,4;"
     "cvt.u64.u32 %rd7,%r3; add.s64 %rd8,%rd7,%rd5; add.s64 %rd9,%rd7,%rd6; ld.shared.u32 "
     "%r20,[%rd8];"
     "ld.shared.u32 %r21,[%rd9]; st.global.u32 [%rd1],%r20; st.global.u32 [%rd1+4],%r21;",
     ""},
    {"behind_twelve_bytes", "8 4 4 4 4,",
     "mov.u32 %r6,q; mad.lo.u32 %r4,%r2,16,%r6; <abcd><> ld.shared.u32 %r20,[s];"
     "ld.shared.u32 %r21,[s+4]; st.global.u32 [%rd1+800],%r20; st.global.u32 [%rd1+804],%r21;",
     ".shared .align 4 .b8 s[12]; .shared .align 4 .b8 q[4000];"},
    {"before_twelve_bytes", "16 8,",
     "mov.u32 %r6,q; mad.lo.u32 %r4,%r2,16,%r6; <abcd><> ld.shared.u32 %r20,[s];"
     "ld.shared.u32 %r21,[s+4]; st.global.u32 [%rd1+800],%r20; st.global.u32 [%rd1+804],%r21;",
     ".shared .align 4 .b8 q[4000]; .shared .align 4 .b8 s[12];"},
    {"dynamic", "16 4,",
     "mov.u32 %r6,more; mad.lo.u32 %r4,%r2,16,%r6; <abcd><> ld.shared.u32 %r20,[s];"
     "st.global.u32 [%rd1+800],%r20;",
     ".shared .align 4 .b8 s[12];"},
    {"in_a_loop", "16 4,",
     "mov.u32 %r6,0; mov.u32 %r7,%r4; $again: .pragma \"nounroll\"; ld.shared.u32 %r20,[%r7];"
     "ld.shared.u32 %r21,[%r7+4]; ld.shared.u32 %r22,[%r7+8]; add.u32 %r20,%r20,%r21; mul.lo.u32 "
     "%r20,%r20,%r22;"
     "st.global.u32 [%rd1],%r20; add.u32 %r7,%r7,32; add.u32 %r6,%r6,1; setp.lt.u32 %p1,%r6,%r0;"
     "@%p1 bra $again; <a><>",
     ""},
    {"steps_of_eight", "8 4,",
     "mov.u32 %r6,0; mov.u32 %r7,%r4; $again: .pragma \"nounroll\"; ld.shared.u32 %r20,[%r7];"
     "ld.shared.u32 %r21,[%r7+4]; ld.shared.u32 %r22,[%r7+8]; add.u32 %r20,%r20,%r21; mul.lo.u32 "
     "%r20,%r20,%r22;"
     "st.global.u32 [%rd1],%r20; add.u32 %r7,%r7,8; add.u32 %r6,%r6,1; setp.lt.u32 %p1,%r6,%r0;"
     "@%p1 bra $again;",
     ""},
    {"store_global", "16,", "<ab> st.global.u32 [%rd1],%r2; <cd><>", ""},
    {"store_between", "8 8, 4", "<ab> st.shared.u32 [%r5+16],%r2; <cd><>", ""},
    {"barrier_between", "8 8,", "<ab> bar.sync 0; <cd><>", ""},
    {"syncwarp_between", "8 8,", "<ab> bar.warp.sync -1; <cd><>", ""},
    {"fence_between", "8 8,", "<ab> membar.cta; <cd><>", ""},
    {"atomic_between", "8 8,", "<ab> red.shared.add.u32 [%r5],1; <cd><>", ""},
    {"atomic_global_between", "16,", "<ab> red.global.add.u32 [%rd1],1; <cd><>", ""},
    {"generic_store_between", "8 8,", "<ab> st.u32 [%rd1],%r2; <cd><>", ""},
    {"shuffle_between", "16,",
     "<ab> shfl.sync.bfly.b32 %r20,%r2,1,31,-1; st.global.u32 [%rd1],%r20; <cd><>", ""},
    {"division_between", "8 8,",
     "<ab> div.rn.f32 %f60,%f20,%f21; st.global.f32 [%rd1+400],%f60; <cd><>", ""},
    {"quick_division_between", "16,",
     "<ab> div.full.f32 %f60,%f20,%f21; st.global.f32 [%rd1+400],%f60; <cd><>", ""},
    {"whole_division_between", "16,",
     "<ab> div.u32 %r20,%r2,%r0; st.global.u32 [%rd1+400],%r20; <cd><>", ""},
    {"wide_division_between", "8 8,",
     "<ab> div.u64 %rd20,%rd1,%rd0; st.global.u64 [%rd1+400],%rd20; <cd><>", ""},
    {"volatile", "4 4 4 4,",
     "ld.volatile.shared.u32 %r20,[%r4]; ld.volatile.shared.u32 %r21,[%r4+4];"
     "ld.volatile.shared.u32 %r22,[%r4+8]; ld.volatile.shared.u32 %r23,[%r4+12];",
     ""},
    {"branch_between", "16,",
     "<ab> setp.gt.u32 %p1,%r0,%r2; @%p1 bra $on; st.global.u32 [%rd1],%r2; $on: <cd><>", ""},
    {"store_in_branch", "8 8, 4",
     "<ab> setp.gt.u32 %p1,%r0,%r2; @%p1 bra $on; st.shared.u32 [%r5],%r2; $on: <cd><>", ""},
    {"some_lanes_load_more", "16,", "<ab> setp.gt.u32 %p1,%r0,%r2; @%p1 bra $on; <cd> $on: <>", ""},
    {"loop_between", "16,",
     "<ab> mov.u32 %r20,0; $again: add.u32 %r20,%r20,1; st.global.u32 [%rd1],%r20;"
     "setp.lt.u32 %p1,%r20,%r0; @%p1 bra $again; <cd><>",
     ""},
    {"early_return", "16,",
     "<ab> st.global.f32 [%rd1+40],%f20; setp.gt.u32 %p1,%r0,%r2; @%p1 bra $end; <cd><> $end:", ""},
    {"bytes", "1 1 1 1,",
     "ld.shared.u8 %rs1,[%r4]; ld.shared.u8 %rs2,[%r4+1]; ld.shared.u8 %rs3,[%r4+2];"
     "ld.shared.u8 %rs4,[%r4+3]; st.global.u8 [%rd1],%rs1; st.global.u8 [%rd1+40],%rs2;"
     "st.global.u8 [%rd1+80],%rs3; st.global.u8 [%rd1+120],%rs4;",
     ""},
    {"halves", "8,",
     "ld.shared.u16 %rs1,[%r4]; ld.shared.u16 %rs2,[%r4+2]; ld.shared.u16 %rs3,[%r4+4];"
     "ld.shared.u16 %rs4,[%r4+6]; st.global.u16 [%rd1],%rs1; st.global.u16 [%rd1+40],%rs2;"
     "st.global.u16 [%rd1+80],%rs3; st.global.u16 [%rd1+120],%rs4;",
     ""},
    {"halves_widened", "2 2,",
     "ld.shared.u16 %r20,[%r4]; ld.shared.u16 %r21,[%r4+2]; st.global.u32 [%rd1],%r20;"
     "st.global.u32 [%rd1+40],%r21;",
     ""},
    {"doubles", "16 16,",
     "ld.shared.f64 %fd1,[%r5]; ld.shared.f64 %fd2,[%r5+8]; ld.shared.f64 %fd3,[%r5+16];"
     "ld.shared.f64 %fd4,[%r5+24]; st.global.f64 [%rd0],%fd1; st.global.f64 [%rd0+40],%fd2;"
     "st.global.f64 [%rd0+80],%fd3; st.global.f64 [%rd0+120],%fd4;",
     ""},
    {"vectors", "16,",
     "ld.shared.v2.f32 {%f31,%f32},[%r4]; st.global.f32 [%rd1+40],%f31;"
     "st.global.f32 [%rd1+44],%f32; <cd><>",
     ""},
    {"vector_and_one", "16,",
     "ld.shared.v2.f32 {%f31,%f32},[%r4]; st.global.f32 [%rd1+40],%f31;"
     "st.global.f32 [%rd1+44],%f32; <c><>",
     ""},
    {"widths_apart", "8 8,", "ld.shared.f64 %fd1,[%r4]; st.global.f64 [%rd0],%fd1; <cd><>", ""},
    {"stores", ", 16",
     "st.shared.u32 [%r4],%r2; st.shared.u32 [%r4+4],%r0; st.shared.u32 [%r4+8],%r2;"
     "st.shared.u32 [%r4+12],%r0;",
     ""},
    {"three_stores", ", 8 4",
     "st.shared.u32 [%r4],%r2; st.shared.u32 [%r4+4],%r0; st.shared.u32 [%r4+8],%r2;", ""},
    {"stores_in_turn", ", 4 4 4 4",
     "mad.lo.u32 %r4,%r2,8,%r3; st.shared.u32 [%r4],%r2; st.shared.u32 [%r4+8],%r0;"
     "st.shared.u32 [%r4+4],%r2; st.shared.u32 [%r4+12],%r0;",
     ""},
    {"load_between_stores", "4, 4 4",
     "st.shared.u32 [%r4],%r2; ld.shared.u32 %r20,[%r5+2000]; "
     "st.shared.u32 [%r4+4],%r0; st.global.u32 [%rd1],%r20;",
     ""},
    {"wide_stores", ", 16",
     "mul.wide.u32 %rd3,%r2,%r0; st.shared.u64 [%r4],%rd3; st.shared.u64 [%r4+8],%rd1;", ""},
};
enum { CASES = sizeof cases / sizeof *cases };

static void put_case(const Case *c) {
  bool loaded[12] = {false};
  begin_kernel(c->name, c->variables);
  for (const char *at = c->body; *at; at++) {
    if (*at != '<') {
      put("%c", *at);
      continue;
    }
    const bool uses = at[1] == '>';
    for (at++; *at != '>'; at++) {
      loaded[*at - 'a'] = true;
      put("ld.shared.f32 %%f%d, [%%r4+%d];\n", *at - 'a' + 20, 4 * (*at - 'a'));
    }
    for (int i = 0; uses && i < 12; i++)
      if (loaded[i])
        put("st.global.f32 [%%rd1+%d], %%f%d;\n", 4096 * (i + 1), i + 20);
  }
  end_kernel();
}

static void put_cases(void) {
  begin_module();
  for (int i = 0; i < CASES; i++)
    put_case(&cases[i]);
}

/* ---- random kernels -------------------------------------------------------------------------- */

static uint32_t state_of_chance;

static uint32_t chance(uint32_t below) {
  state_of_chance = state_of_chance * 1664525u + 1013904223u;
  return (state_of_chance >> 8) % below;
}

/* A random kernel: accesses of one width at up to three bases, which are far apart from each other.
 * Some other instructions are between the accesses, which may prevent merging. */
typedef struct Plan {
  /* `shift` is the distance of a base from its array's start, in elements. */
  unsigned bytes, bases, loaded, shift[3];
  bool stores;
  /* A mask of the elements that are stored. No element is stored twice, because a compiler may
   * remove the first store. */
  uint64_t stored[3];
} Plan;

static void put_use(Plan *p) {
  static const char *const type[] = {"u8", "u16", "f32", "f64"}, *const reg[] = {"rs", "rs", "f",
                                                                                 "fd"};
  const int kind = __builtin_ctz(p->bytes);
  put("st.global.%s [%%rd0+%u], %%%s%u;\n", type[kind], p->loaded * 64, reg[kind], p->loaded);
  p->loaded++;
}

static void put_access(Plan *p) {
  static const char *const type[] = {"u8", "u16", "f32", "f64"}, *const reg[] = {"rs", "rs", "f",
                                                                                 "fd"};
  const int kind = __builtin_ctz(p->bytes);
  const unsigned base = chance(p->bases), element = chance(12), at = element * p->bytes;
  if (!p->stores && p->bytes == 4 && chance(5) == 0 && (p->shift[base] + element) % 2 == 0) {
    put("ld.shared.v2.f32 {%%f%u, %%f%u}, [%%r%u+%u];\n", p->loaded, p->loaded + 1, 20 + base, at);
    put_use(p);
    put_use(p);
  } else if (!p->stores) {
    put("ld.shared.%s %%%s%u, [%%r%u+%u];\n", type[kind], reg[kind], p->loaded, 20 + base, at);
    put_use(p);
  } else if (!(p->stored[base] >> element & 1)) {
    p->stored[base] |= UINT64_C(1) << element;
    put("st.shared.%s [%%r%u+%u], %%%s%u;\n", type[kind], 20 + base, at, reg[kind], chance(9));
  }
}

static void put_between(const Plan *p, unsigned label) {
  unsigned base;
  switch (chance(12)) {
  case 0:
    put("bar.sync 0;\n");
    break;
  case 1:
    put("bar.warp.sync -1;\n");
    break;
  case 2:
    put("red.global.add.u32 [%%rd1], 1;\n");
    break;
  case 3:
    put("red.shared.add.u32 [%%r20], %%r2;\n");
    break;
  case 4:
    put("setp.gt.u32 %%p1, %%r0, %u; @%%p1 bra $on%u; st.global.u32 [%%rd1], %%r2; $on%u:\n", label,
        label, label);
    break;
  case 5:
    base = chance(3);
    if (!p->stores)
      put("add.u32 %%r2%u, %%r2%u, %u;\n", base, base, 8u << chance(3));
    break;
  default:
    break;
  }
}

static void put_random(uint32_t number) {
  static const unsigned width[] = {4, 4, 4, 8, 2, 1},
                        factor[] = {4, 8, 12, 16, 16, 16, 24, 32, 64, 80};
  Plan p = {.bytes = width[chance(6)], .bases = 1 + chance(3), .stores = chance(4) == 0};
  char name[NAME_MOST];
  snprintf(name, sizeof name, "random%u", number);
  begin_kernel(name, "");
  for (unsigned i = 0; i < 3; i++) {
    unsigned times = factor[chance(10)];
    p.shift[i] = chance(5);
    while (times % p.bytes || (p.bytes == 4 && times % 8))
      times = factor[chance(10)];
    put("mad.lo.u32 %%r%u, %%r2, %u, %%r3; add.u32 %%r%u, %%r%u, %u;\n", 30 + i, times, 20 + i,
        30 + i, 2048 * i + p.bytes * p.shift[i]);
  }
  for (unsigned i = 0; i < 9; i++)
    put("cvt.u16.u32 %%rs%u, %%r2; add.s16 %%rs%u, %%rs%u, %u; cvt.rn.f32.u16 %%f%u, %%rs%u;"
        "cvt.f64.f32 %%fd%u, %%f%u;\n",
        i, i, i, i, i, i, i, i);
  for (unsigned i = 3 + chance(20); i; i--) {
    put_access(&p);
    put_between(&p, i);
  }
  put("bar.sync 0; ld.shared.u8 %%rs100, [%%r3]; st.global.u8 [%%rd0], %%rs100;\n");
  end_kernel();
}

/* ---- the tests ------------------------------------------------------------------------------- */

static uint32_t seed = 1, kernels = 300;

static void as_recorded(void **state) {
  (void)state;
  char error[512], here[512];
  int wrong = 0;
  put_cases();
  PtxModule *module = ptx_load(text, strlen(text), error, sizeof error);
  if (!module)
    fail_msg("%s", error);
  for (int i = 0; i < CASES; i++) {
    Widths w = widths_of(ptx_find(module, cases[i].name));
    say(&w, here);
    wrong += strcmp(here, cases[i].widths) &&
             fprintf(stderr, "%s: \"%s\", not \"%s\"\n", cases[i].name, here, cases[i].widths);
  }
  ptx_free(module);
  assert_int_equal(wrong, 0);
}

/* Runs ptxas if it is installed. Returns the number of kernels for which the prediction differs. */
static unsigned assemble_and_compare(unsigned *compared) {
  char ptx[] = "/tmp/merging_test.XXXXXX", command[256];
  int file = mkstemp(ptx);
  assert_true(file >= 0 && write(file, text, length) == (ssize_t)length);
  close(file);
  snprintf(command, sizeof command, "ptxas -arch=sm_90 -o %s.cubin %s", ptx, ptx);
  const int status = system(command);
  char cubin[64];
  snprintf(cubin, sizeof cubin, "%s.cubin", ptx);
  unsigned wrong = status ? 1 : compare(text, cubin, compared);
  unlink(ptx);
  unlink(cubin);
  return wrong;
}

static bool has_assembler(void) { return system("command -v ptxas >/dev/null") == 0; }

static void as_assembled(void **state) {
  (void)state;
  unsigned compared = 0;
  if (!has_assembler())
    skip();
  put_cases();
  assert_int_equal(assemble_and_compare(&compared), 0);
  assert_int_equal(compared, CASES);
}

static void random_kernels_as_assembled(void **state) {
  (void)state;
  unsigned compared = 0;
  if (!has_assembler())
    skip();
  state_of_chance = seed;
  begin_module();
  for (uint32_t i = 0; i < kernels; i++)
    put_random(i);
  assert_int_equal(assemble_and_compare(&compared), 0);
  assert_int_equal(compared, kernels);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(as_recorded),
      cmocka_unit_test(as_assembled),
      cmocka_unit_test(random_kernels_as_assembled),
  };
  if (argc == 3 && strstr(argv[1], ".ptx")) {
    File file = read_file(argv[1]);
    unsigned compared = 0, wrong = compare((char *)file.bytes, argv[2], &compared);
    printf("%s: %u of %u kernels differ\n", argv[1], wrong, compared);
    return wrong > 0;
  }
  if (argc > 1)
    seed = (uint32_t)strtoul(argv[1], NULL, 0);
  if (argc > 2 && (kernels = (uint32_t)strtoul(argv[2], NULL, 0)) > KERNELS_MOST)
    kernels = KERNELS_MOST;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
