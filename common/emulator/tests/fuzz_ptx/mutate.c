/* The mutations of PTX for libFuzzer. They change tokens and statements rather than bytes. A
 * statement ends with a semicolon or a brace. A mutation inserts, removes, duplicates or moves a
 * statement, replaces a word by another of its kind, or replaces a number by a limit. New
 * statements are generated from the rows of arithmetic.def, and from the patterns below for
 * statements without a row: memory, branches, calls and declarations. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../ptx/ptx.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *other,
                                 size_t other_size, uint8_t *out, size_t most, unsigned seed);

enum { STATEMENT_MOST = 1024, TEXT_MOST = 1 << 16 };

typedef struct Random {
  uint64_t state;
} Random;

/* SplitMix64. */
static uint64_t next(Random *random) {
  uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static size_t below(Random *random, size_t count) { return count ? next(random) % count : 0; }

#define ANY(random, list) ((list)[below(random, sizeof(list) / sizeof *(list))])

/* ---- words ----------------------------------------------------------------------- */

static const char *const numbers[] = {"0",
                                      "1",
                                      "2",
                                      "3",
                                      "4",
                                      "8",
                                      "15",
                                      "16",
                                      "31",
                                      "32",
                                      "33",
                                      "63",
                                      "64",
                                      "255",
                                      "256",
                                      "1024",
                                      "65535",
                                      "65536",
                                      "1048576",
                                      "2097152",
                                      "67108864",
                                      "2147483647",
                                      "2147483648",
                                      "4294967295",
                                      "4294967296",
                                      "2305843009213693951",
                                      "9223372036854775807",
                                      "9223372036854775808",
                                      "18446744073709551608",
                                      "18446744073709551615",
                                      "-1",
                                      "-8",
                                      "0xFF",
                                      "0f7F800000",
                                      "0f00000000",
                                      "0d7FF8000000000000"};
static const char *const types[] = {"b8",    "u8",  "s8",   "b16",  "u16", "s16", "f16",
                                    "f16x2", "b32", "u32",  "s32",  "f32", "b64", "u64",
                                    "s64",   "f64", "pred", "bf16", "b128"};
static const char *const spaces[] = {"global", "shared",      "local",  "param",
                                     "const",  "shared::cta", "generic"};
static const char *const directives[] = {".visible",
                                         ".extern",
                                         ".weak",
                                         ".common",
                                         ".entry",
                                         ".func",
                                         ".global",
                                         ".const",
                                         ".shared",
                                         ".local",
                                         ".param",
                                         ".reg",
                                         ".align 8",
                                         ".align 65536",
                                         ".v4",
                                         ".v2",
                                         ".ptr",
                                         ".maxntid 32, 1, 1",
                                         ".noreturn",
                                         ".pragma \"x\";",
                                         ".section x { }",
                                         ".branchtargets",
                                         ".callprototype",
                                         ".version 7.5",
                                         ".file 65535 \"x\"",
                                         ".loc 1 2 3"};
static const char *const modifiers[] = {
    ".v2",  ".v4",   ".relaxed", ".acquire", ".release", ".gpu",     ".sys",
    ".cta", ".sync", ".aligned", ".wide",    ".hi",      ".lo",      ".rn",
    ".rz",  ".sat",  ".ftz",     ".cc",      ".uni",     ".m16n8k8", ".row",
    ".col", ".x4",   ".trans",   ".noinc",   ".b64",     ".f32",     ".bulk"};
/* Placeholders: %p %h %r %d %f %e are registers with the names that clang and nvcc use, %t a type,
 * %s a state space, %n a number, %l a label, %v a name, %a an address, %m a modifier, and @ a guard
 * or nothing. */
static const char *const patterns[] = {
    "@ ld.%s.%t %r, [%a];",
    "@ ld.%s.v2.%t {%r, %r}, [%a];",
    "@ ld.%s.v4.f32 {%f, %f, %f, %f}, [%a];",
    "@ st.%s.%t [%a], %r;",
    "@ st.%s.v2.b64 [%a], {%d, %d};",
    "@ st.%s.v4.b32 [%a], {%r, %r, %r, %r};",
    "@ atom.%s.add.%t %r, [%a], %r;",
    "@ atom.global.cas.b32 %r, [%a], %r, %r;",
    "@ red.global.add.f32 [%a], %f;",
    "@ mov.u64 %d, %v;",
    "@ mov.b32 %r, {%h, %h};",
    "@ mov.b64 {%r, %r}, %d;",
    "@ mov.u32 %r, %tid.x;",
    "@ cvta.to.%s.u64 %d, %d;",
    "@ cvta.%s.u64 %d, %d;",
    "@ cvt.%t.%t %r, %r;",
    "@ cvt.rn.f32.s32 %f, %r;",
    "@ setp.lt.and.s32 %p|%p, %r, %n, %p;",
    "@ setp.ne.%t %p, %r, %n;",
    "@ selp.b32 %r, %r, %n, %p;",
    "@ slct.f32.s32 %f, %f, %f, %r;",
    "@ mul.wide.s32 %d, %r, %n;",
    "@ mad.lo.s32 %r, %r, %r, %n;",
    "@ add.cc.u32 %r, %r, %r;",
    "@ addc.u32 %r, %r, %n;",
    "@ bar.sync %n;",
    "@ barrier.sync %n, %n;",
    "@ bar.red.popc.u32 %r, 0, %p;",
    "@ shfl.sync.bfly.b32 %r|%p, %r, %n, 31, -1;",
    "@ vote.sync.any.pred %p, %p, -1;",
    "@ match.any.sync.b32 %r, %r, -1;",
    "@ redux.sync.add.s32 %r, %r, -1;",
    "@ activemask.b32 %r;",
    "@ membar.gl;",
    "@ fence.acq_rel.gpu;",
    "@ bra %l;",
    "@ bra.uni %l;",
    "@ ret;",
    "@ exit;",
    "@ trap;",
    "%l:",
    "brx.idx %r, %l;",
    "%l: .branchtargets %l, %l;",
    "call.uni %v;",
    "call (%r), %v, (%r, %d);",
    "call.uni (param), %v, (param);",
    "call (%r), %d, (%r), %l;",
    "{",
    "}",
    ".reg .%t %r<%n>;",
    ".reg .b32 %v<%n>;",
    ".local .align 8 .b8 %v[%n];",
    ".shared .align 4 .%t %v[%n][%n];",
    ".param .%t %v;",
    ".param .align 8 .b8 %v[%n];",
    ".global .%t %v[%n] = { %n, %n };",
    ".global .%t %v[%n][%n] = { {%n}, {%n, %n} };",
    ".global .%t %v[][%n] = { { %n }, { %n } };",
    ".weak .global .%t %v[%n] = { %n, %v, generic(%v)+%n };",
    ".extern .shared .align 16 .b8 %v[];",
    ".weak .global .%t %v = %v;",
    ".global .b8 %v[%n] = { 0xFF(%v), 0xFF00(%v), %n };",
    ".extern .global .%t %v[%n];",
    ".const .%t %v[%n] = { %n };",
    ".visible .func %v() { ret; }",
    ".func (.param .%t %v) %v (.param .%t %v) { ret; }",
    ".visible .entry %v(.param .%t %v[%n]) { ret; }",
    ".weak .func %v() { ret; }",
    ".extern .func (.param .b32 %v) %v (.param .b64 %v);",
    "@ ex2.approx.f32 %f, %f;",
    "@ ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r, %r, %r, %r}, [%a];",
    "@ mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f,%f,%f,%f}, {%r,%r}, {%r}, "
    "{%f,%f,%f,%f};",
    "@ wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r,%r,%r,%r,%r,%r,%r,%r}, [%d], %r;",
    "@ cp.async.ca.shared.global [%a], [%a], 16;",
    "@ cp.async.wait_group %n;",
    "@ mbarrier.init.shared.b64 [%a], %r;",
    "@ mbarrier.arrive.shared.b64 %d, [%a];",
    "@ mbarrier.try_wait.shared.b64 %p, [%a], %d;",
    "@ tex.2d.v4.f32.f32 {%f,%f,%f,%f}, [%d, {%f, %f}];",
    "@ suld.b.2d.b32.trap {%r}, [%d, {%r, %r}];",
    "@ prmt.b32 %r, %r, %r, %n;",
    "@ bfe.u32 %r, %r, %n, %n;",
    "@ lop3.b32 %r, %r, %r, %r, %n;",
    "@ shf.l.wrap.b32 %r, %r, %r, %n;",
    "@ vadd.s32.s32.s32 %r, %r.b0, %r.h1;",
    "@ dp4a.u32.u32 %r, %r, %r, %r;",
    "@ alloca.u64 %d, %d;",
    "@ stacksave.u64 %d;",
    "@ isspacep.%s %p, %d;",
    "@ prefetch.global.L1 [%a];",
    "@ nanosleep.u32 %n;",
    "@ elect.sync %r|%p, -1;",
    "@ getctarank.shared::cluster.u32 %r, %r;"};
static const char *const names[] = {"x",    "y",  "data", "param", "f",    "g",       "k",
                                    "tile", "P0", "P1",   "_Z1fv", "$str", "vprintf", "malloc"};

/* ---- one statement ----------------------------------------------------------------------- */

typedef struct Out {
  char text[STATEMENT_MOST];
  size_t length;
} Out;

static void put(Out *out, const char *format, const char *word, unsigned number) {
  size_t room = sizeof out->text - out->length;
  int wrote = snprintf(out->text + out->length, room, format, word, number);
  out->length += wrote < 0 ? 0 : (size_t)wrote < room ? (size_t)wrote : room - 1;
}

static void put_register(Out *out, Random *random, const char *stem) {
  put(out, "%s%u", stem, (unsigned)below(random, below(random, 30) ? 9 : 40));
}

static void put_place(Out *out, Random *random, char kind) {
  static const char *const stems = "phrdfe";
  static const char *const registers[] = {"%p", "%rs", "%r", "%rd", "%f", "%fd"};
  const char *at = strchr(stems, kind);
  if (at && below(random, 40) == 0) /* sometimes a register of another kind */
    at = stems + below(random, 6);
  if (at)
    put_register(out, random, registers[at - stems]);
  else if (kind == 't')
    put(out, "%s", ANY(random, types), 0);
  else if (kind == 's')
    put(out, "%s", ANY(random, spaces), 0);
  else if (kind == 'n')
    put(out, "%s", ANY(random, numbers), 0);
  else if (kind == 'l')
    put(out, "%s%u", "$L", (unsigned)below(random, 6));
  else if (kind == 'm')
    put(out, "%s", ANY(random, modifiers), 0);
  else
    put(out, "%s", ANY(random, names), 0);
}

static void put_address(Out *out, Random *random) {
  if (below(random, 2))
    put_register(out, random, "%rd");
  else
    put(out, "%s", ANY(random, names), 0);
  if (below(random, 2))
    put(out, "+%s", ANY(random, numbers), 0);
}

static void put_pattern(Out *out, Random *random, const char *pattern) {
  for (; *pattern; pattern++) {
    if (*pattern == '@' && below(random, 4) == 0)
      put(out, "@%s%u", below(random, 2) ? "%p" : "!%p", (unsigned)below(random, 9));
    else if (*pattern == '%' && pattern[1] == 'a')
      put_address(out, random), pattern++;
    else if (*pattern == '%' && pattern[1] && strchr("phrdfetsnlmv", pattern[1]) &&
             !isalpha((unsigned char)pattern[2]))
      put_place(out, random, *++pattern);
    else if (*pattern != '@')
      put(out, (char[]){*pattern, '\0'}, "", 0);
  }
}

/* Writes "add.s32 d, a, b;" for a row of arithmetic.def. */
static void put_operation(Out *out, Random *random) {
  const Operation *operation = &operations[1 + below(random, PTX_OP_COUNT - 1)];
  static const char kinds[] = {
      [PTX_U8] = 'h',    [PTX_S8] = 'h',  [PTX_B8] = 'h',  [PTX_U16] = 'h', [PTX_S16] = 'h',
      [PTX_B16] = 'h',   [PTX_F16] = 'h', [PTX_U32] = 'r', [PTX_S32] = 'r', [PTX_B32] = 'r',
      [PTX_F16X2] = 'r', [PTX_U64] = 'd', [PTX_S64] = 'd', [PTX_B64] = 'd', [PTX_F32] = 'f',
      [PTX_F64] = 'e',   [PTX_PRED] = 'p'};
  if (!operation->spelling)
    return;
  put(out, "%s", operation->spelling, 0);
  if (below(random, 12) == 0)
    put(out, "%s", ANY(random, modifiers), 0);
  for (size_t i = 0; i < 4 && operation->type[i] < PTX_TYPES; i++) {
    put(out, "%s", i ? ", " : " ", 0);
    if (i && below(random, 8) == 0)
      put_place(out, random, 'n');
    else
      put_place(out, random,
                operation->type[i] < sizeof kinds && kinds[operation->type[i]]
                    ? kinds[operation->type[i]]
                    : 'r');
  }
  put(out, "%s", ";", 0);
}

static void new_statement(Out *out, Random *random) {
  out->length = 0;
  out->text[0] = '\0';
  put(out, "%s", "\n", 0);
  if (below(random, 3) == 0)
    put_operation(out, random);
  else
    put_pattern(out, random, ANY(random, patterns));
}

/* ---- a text ----------------------------------------------------------------------- */

typedef struct Piece {
  size_t from, to;
} Piece;

/* Returns a random statement: the text up to and including a semicolon or brace. */
static Piece any_statement(const char *text, size_t size, Random *random) {
  size_t at = below(random, size), from = at, to = at;
  while (from > 0 && !strchr(";{}", text[from - 1]))
    from--;
  while (to < size && !strchr(";{}", text[to]))
    to++;
  return (Piece){from, to < size ? to + 1 : size};
}

static bool in_word(char c) { return isalnum((unsigned char)c) || strchr("_.$%:", c); }

static Piece any_word(const char *text, size_t size, Random *random) {
  size_t at = below(random, size), from, to;
  while (at < size && !in_word(text[at]))
    at++;
  for (from = at; from > 0 && in_word(text[from - 1]);)
    from--;
  for (to = at; to < size && in_word(text[to]);)
    to++;
  return (Piece){from, to};
}

/* Replaces a piece of the text and returns the new size. Changes nothing if the result would not
 * fit. */
static size_t replace(char *text, size_t size, size_t most, Piece piece, const char *with,
                      size_t length) {
  if (size - (piece.to - piece.from) + length > most)
    return size;
  memmove(text + piece.from + length, text + piece.to, size - piece.to);
  memcpy(text + piece.from, with, length);
  return size - (piece.to - piece.from) + length;
}

static size_t copy_statement(char *text, size_t size, size_t most, Random *random) {
  static char kept[TEXT_MOST];
  Piece from = any_statement(text, size, random), to = any_statement(text, size, random);
  size_t length = from.to - from.from < sizeof kept ? from.to - from.from : sizeof kept;
  memcpy(kept, text + from.from, length);
  to.to = below(random, 3) ? to.from : to.to; /* inserted before the statement, or replaces it */
  return replace(text, size, most, to, kept, length);
}

static size_t change_word(char *text, size_t size, size_t most, Random *random) {
  Piece word = any_word(text, size, random);
  char first = word.from < size ? text[word.from] : ' ', other[200];
  const char *with = ANY(random, numbers);
  if (first == '.')
    with = ANY(random, directives);
  else if (first == '%' || !isdigit((unsigned char)first)) { /* another word */
    Piece another = any_word(text, size, random);
    snprintf(other, sizeof other, "%.*s",
             (int)(another.to - another.from < 199 ? another.to - another.from : 199),
             text + another.from);
    with = below(random, 4) ? other : below(random, 2) ? ANY(random, names) : ANY(random, types);
  }
  return replace(text, size, most, word, with, strlen(with));
}

/* Changes, removes or inserts one part of an opcode: ld.global.f32 becomes ld.shared.f32, ld.f32 or
 * ld.global.v4.f32. */
static size_t change_part(char *text, size_t size, size_t most, Random *random) {
  Piece word = any_word(text, size, random), part = word;
  size_t dots = 0, which;
  for (size_t i = word.from; i < word.to; i++)
    dots += text[i] == '.';
  if (!dots)
    return size;
  which = below(random, dots);
  for (part.from = word.from; text[part.from] != '.' || which-- > 0;)
    part.from++;
  for (part.to = part.from + 1; part.to < word.to && text[part.to] != '.';)
    part.to++;
  char with[40];
  size_t how = below(random, 4);
  snprintf(with, sizeof with, "%s%s", how == 0 || how == 3 ? "" : ".",
           how == 0   ? ""
           : how == 1 ? ANY(random, types)
           : how == 2 ? ANY(random, spaces)
                      : ANY(random, modifiers));
  part.to = how == 3 ? part.from : part.to;
  return replace(text, size, most, part, with, strlen(with));
}

static size_t change(char *text, size_t size, size_t most, Random *random) {
  Out out;
  Piece piece = any_statement(text, size, random);
  switch (below(random, 12)) {
  case 0:
  case 1:
  case 2:
    new_statement(&out, random);
    piece.to = below(random, 4) ? piece.from : piece.to;
    return replace(text, size, most, piece, out.text, out.length);
  case 3:
    return replace(text, size, most, piece, "", 0);
  case 4:
  case 5:
    return copy_statement(text, size, most, random);
  case 6:
  case 7:
  case 8:
    return change_word(text, size, most, random);
  case 9:
  case 10:
    return change_part(text, size, most, random);
  default:
    return LLVMFuzzerMutate((uint8_t *)text, size, most);
  }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  Random random = {seed};
  for (size_t changes = 1 + below(&random, 4); changes > 0; changes--)
    size = change((char *)data, size, most, &random);
  return size;
}

/* Inserts some statements of `other` into a copy of `one`. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *other,
                                 size_t other_size, uint8_t *out, size_t most, unsigned seed) {
  Random random = {seed};
  size_t size = one_size < most ? one_size : most;
  memcpy(out, one, size);
  for (size_t count = 1 + below(&random, 6); count > 0; count--) {
    Piece from = any_statement((const char *)other, other_size, &random);
    Piece to = any_statement((const char *)out, size, &random);
    to.to = below(&random, 2) ? to.from : to.to;
    size =
        replace((char *)out, size, most, to, (const char *)other + from.from, from.to - from.from);
  }
  return size;
}
