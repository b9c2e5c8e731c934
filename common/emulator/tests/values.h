/* Runs each operation of PTX on many operands. values_record.c uses this header to record the
 * results of a GPU, and values_test.c to compare the results of the emulated device with the
 * recording.
 *
 * A form is an instruction with a letter for each operand, such as "fma.rz.ftz.f32 d, a, b, c", and
 * the types of d, a, b, c and e. Each form is compiled to one kernel. Thread i reads row i of a
 * list of operands and writes d to a list of results. The recording contains the first few results
 * in hexadecimal, then a hash for each of GROUPS parts of the list:
 *
 *   fma.rz.ftz.f32 d, a, b, c; f32 f32 f32 f32; 7fffffff 0 1 hash hash ...
 */
#ifndef VALUES_H
#define VALUES_H

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPERANDS = 5, VECTORS = 2048, GROUPS = 8, SHOWN = 3, THREADS = 256 };

typedef struct Form {
  char text[160];
  /* The types of d, a, b, c, e; empty: the form has no such operand. */
  char type[OPERANDS][8];
} Form;

typedef struct Results {
  uint64_t shown[SHOWN];
  uint32_t hash[GROUPS];
} Results;

/* ---- operands: limits of each type in all pairs, then random ones ---------------------------- */
static inline uint64_t values_random(uint64_t seed) {
  uint64_t z = seed * UINT64_C(0x9e3779b97f4a7c15) + UINT64_C(0x2545f4914f6cdd1d);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* The width of a type and, for floating point, the number of its fraction bits. */
typedef struct Kind {
  const char *name;
  unsigned bits, fraction;
} Kind;

static inline const Kind *values_kind(const char *type) {
  static const Kind kinds[] = {
      {"pred", 1, 0},  {"u8", 8, 0},    {"s8", 8, 0},    {"u16", 16, 0},    {"s16", 16, 0},
      {"u32", 32, 0},  {"s32", 32, 0},  {"u64", 64, 0},  {"s64", 64, 0},    {"f16", 16, 10},
      {"bf16", 16, 7}, {"f32", 32, 23}, {"f64", 64, 52}, {"f16x2", 32, 10}, {"bf16x2", 32, 7}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (!strcmp(kinds[i].name, type))
      return &kinds[i];
  return NULL;
}

static inline uint64_t values_edge_integer(unsigned bits, unsigned i) {
  static const uint64_t small[] = {0,  1,  2,  3,  5,  7,  8,   10,  15,  16,
                                   24, 31, 32, 33, 63, 64, 100, 127, 128, 255};
  uint64_t top = UINT64_C(1) << (bits - 1);
  const uint64_t large[] = {top,
                            top - 1,
                            top + 1,
                            UINT64_MAX,
                            UINT64_MAX - 1,
                            UINT64_MAX - 2,
                            top >> 1,
                            top | top >> 1,
                            (UINT64_C(1) << bits / 2) - 1,
                            UINT64_C(1) << bits / 2,
                            UINT64_C(0x8000ffff7fff0180),
                            UINT64_C(0x5555aaaacccc3333)};
  return i < 20 ? small[i] : large[i - 20];
}

/* Returns one of 16 limits of a floating-point type, with either sign. */
static inline uint64_t values_edge_float(unsigned bits, unsigned fraction, unsigned i) {
  uint64_t bias = (UINT64_C(1) << (bits - fraction - 2)) - 1, last = UINT64_C(1) << fraction,
           one = bias << fraction;
  uint64_t infinity = (2 * bias + 1) << fraction,
           large = one + (bits == 16 && fraction == 10 ? 15 : 31) * last;
  const uint64_t edges[] = {0,
                            1,
                            last - 1,
                            last,
                            one,
                            one + 1,
                            one - 1,
                            one + last / 2,
                            one + last + last / 4,
                            one + 7 * last + last / 2,
                            one + fraction % 16 * last,
                            large,
                            infinity - 1,
                            infinity,
                            infinity + 1,
                            infinity + last / 2};
  return edges[i / 2] | (uint64_t)(i & 1) << (bits - 1);
}

static inline uint64_t values_one(const char *type, unsigned operand, unsigned i) {
  const Kind *kind = values_kind(type);
  unsigned bits = kind->bits, fraction = kind->fraction;
  uint64_t r = values_random(i * UINT64_C(8) + operand), s = values_random(r);
  unsigned edge = operand == 1   ? i % 32
                  : operand == 2 ? i / 32 % 32
                  : operand == 3 ? (i * 7 + i / 32) % 32
                                 : (i * 5 + i / 64) % 32;
  if (bits == 1)
    return r & 1;
  if (fraction == 0)
    return i < VECTORS / 2 ? values_edge_integer(bits, edge)
           : s & 1         ? r >> (s >> 8) % bits
           : s & 2         ? r % 70
                           : r;
  if (i < VECTORS / 2)
    return values_edge_float(bits, fraction, edge);
  uint64_t bias = (UINT64_C(1) << (bits - fraction - 2)) - 1, last = UINT64_C(1) << fraction,
           value = r;
  static const int limits[] = {-126, -149, -150, 127,  128, -14, -24, -25,
                               15,   16,   -133, -134, 31,  63,  64,  8};
  int middle = -(int)bias / 2; /* for results near the smallest normal number */
  if (i % 16 == 3)
    value = (s & 2 ? r & (last - 1) : (last - 1) & ~(r & 3)) |
            (uint64_t)((int)bias +
                       (operand == 3            ? 2 * middle + 1
                        : s & 4 && operand == 2 ? -middle
                                                : middle) +
                       (int)(s >> 8 & 1))
                << fraction |
            (s >> 40 & 1) << (bits - 1);
  else if (fraction == 52 && i % 8 == 1) /* near the limits of narrower types */
    value = (r & (last - 1)) |
            (bias + (unsigned)(limits[(s >> 8) % 16] - (int)(s >> 16 & 1))) << fraction |
            (s >> 40 & 1) << (bits - 1);
  else if (s & 3) /* near 1, or in the range of integers, often with few digits */
    value = (r & (last - 1)) | (bias - 4 + (s >> 8) % (s & 1 ? 8 : fraction + 14)) << fraction |
            (s >> 40 & 1) << (bits - 1);
  if (s & 16)
    value = value >> (s >> 16) % fraction << (s >> 16) % fraction;
  /* Sets trailing bits, so that the value is close to the middle between two values of a narrower
   * type. */
  if ((s & 224) == 224)
    value |= (last - 1) >> (s >> 24) % fraction;
  return value;
}

/* Returns operand number `operand` of thread i. The bits above the width of the type are random,
 * because no operation may depend on them. */
static inline uint64_t values_operand(const char *type, unsigned operand, unsigned i) {
  const Kind *kind = values_kind(type);
  uint64_t value;
  if (!kind)
    return 0;
  if (strstr(type, "x2")) {
    char half[8];
    snprintf(half, sizeof half, "%.*s", (int)strlen(type) - 2, type);
    value = (values_one(half, operand, i) & 0xffff) |
            (values_one(half, operand, VECTORS - 1 - (i * 5 + operand) % VECTORS) & 0xffff) << 16;
  } else {
    value = values_one(type, operand, i);
  }
  uint64_t above = kind->bits < 64 && kind->bits > 1 ? values_random(i + 77) << kind->bits : 0;
  uint64_t below = kind->bits < 64 ? value & ((UINT64_C(1) << kind->bits) - 1) : value;
  return above | below;
}

/* ---- a form as PTX --------------------------------------------------------------------------- */
/* Returns the letter of an operand's register. PTX uses 32-bit registers for bytes, except for
 * conversions between bytes and bfloat16. */
static inline char values_register(const Form *form, unsigned i) {
  unsigned bits = values_kind(form->type[i])->bits;
  return bits == 1                                 ? 'p'
         : bits == 8 && strstr(form->text, "bf16") ? 'y'
         : bits == 16                              ? 'h'
         : bits == 64                              ? 'd'
                                                   : 'r';
}
static inline unsigned values_width(char letter) {
  return letter == 'y' ? 8 : letter == 'h' ? 16 : 32;
}

/* Writes the instruction of a form. The letters d, a, b, c, e become registers 0 to 4. q becomes
 * register 7, a second predicate result. */
static inline size_t values_instruction(char *out, const Form *form) {
  static const char letters[] = "dabceq";
  char *at = out;
  bool operands = form->text[0] == '{';
  for (const char *c = form->text; *c; c++) {
    const char *letter = strchr(letters, *c);
    bool alone = letter && operands && !isalnum((unsigned char)c[1]) && c[1] != '_' &&
                 c[1] != '%' && !isalnum((unsigned char)c[-1]) && !strchr("._%", c[-1]);
    if (alone && *c == 'q')
      at += sprintf(at, "%%p7");
    else if (alone)
      at += sprintf(at, "%%%c%d", values_register(form, (unsigned)(letter - letters)),
                    (int)(letter - letters));
    else
      *at++ = *c;
    operands |= *c == ' ';
  }
  at += sprintf(at, form->text[0] == '{' ? "\n" : ";\n");
  return (size_t)(at - out);
}

static inline size_t values_declarations(char *out) {
  return (size_t)sprintf(out, ".reg .pred %%p<8>; .reg .b8 %%y<8>; .reg .b16 %%h<8>; .reg .b32 "
                              "%%r<16>; .reg .b64 %%d<16>;\n");
}

/* Writes the code from the operands in %d1 ... %d4 to the result in %d0. */
static inline size_t values_body(char *out, const Form *form) {
  char *at = out, letter;
  for (unsigned i = 1; i < OPERANDS && form->type[i][0]; i++) {
    letter = values_register(form, i);
    if (letter == 'p')
      at += sprintf(at, "setp.ne.u64 %%p%u, %%d%u, 0;\n", i, i);
    else if (letter != 'd')
      at += sprintf(at, "cvt.u%u.u64 %%%c%u, %%d%u;\n", values_width(letter), letter, i, i);
  }
  at += values_instruction(at, form);
  letter = values_register(form, 0);
  if (letter == 'p')
    at += sprintf(at, "selp.u64 %%d0, 1, 0, %%p0;\n");
  else if (letter != 'd')
    at += sprintf(at, "cvt.u64.u%u %%d0, %%%c0;\n", values_width(letter), letter);
  if (strstr(form->text, "|q"))
    at += sprintf(at, "selp.u64 %%d7, 0x100000000, 0, %%p7;\nor.b64 %%d0, %%d0, %%d7;\n");
  return (size_t)(at - out);
}

/* Writes the kernel NAME(operands, results), at most 4096 characters. */
static inline size_t values_kernel(char *out, const Form *form, const char *name) {
  char *at = out;
  at += sprintf(at, ".visible .entry %s(.param .u64 %s_in, .param .u64 %s_out)\n{\n", name, name,
                name);
  at += values_declarations(at);
  at +=
      sprintf(at,
              "ld.param.u64 %%d8, [%s_in];\nld.param.u64 %%d9, [%s_out];\n"
              "mov.u32 %%r8, %%ctaid.x;\nmov.u32 %%r9, %%ntid.x;\nmov.u32 %%r10, %%tid.x;\n"
              "mad.lo.u32 %%r8, %%r8, %%r9, %%r10;\n"
              "mul.wide.u32 %%d10, %%r8, 32;\nadd.u64 %%d8, %%d8, %%d10;\n"
              "mul.wide.u32 %%d10, %%r8, 8;\nadd.u64 %%d9, %%d9, %%d10;\n"
              "ld.global.v2.u64 {%%d1, %%d2}, [%%d8];\nld.global.v2.u64 {%%d3, %%d4}, [%%d8+16];\n",
              name, name);
  at += values_body(at, form);
  at += sprintf(at, "st.global.u64 [%%d9], %%d0;\nret;\n}\n");
  return (size_t)(at - out);
}

static inline void values_fill(uint64_t *operands, const Form *form) {
  for (unsigned i = 0; i < VECTORS; i++)
    for (unsigned k = 1; k < OPERANDS; k++)
      operands[4 * i + k - 1] = form->type[k][0] ? values_operand(form->type[k], k, i) : 0;
}

/* Replaces all NaNs of type double by the same NaN. The device and the host return different NaNs
 * for the same operands, and any NaN is right. */
static inline void values_unify(uint64_t *results, const Form *form) {
  for (unsigned i = 0; !strcmp(form->type[0], "f64") && i < VECTORS; i++)
    if (results[i] << 1 > UINT64_C(0xffe) << 52)
      results[i] = UINT64_C(0x7ff8) << 48;
}

static inline Results values_summary(uint64_t *results, const Form *form) {
  Results summary;
  values_unify(results, form);
  memcpy(summary.shown, results, sizeof summary.shown);
  for (unsigned g = 0; g < GROUPS; g++) {
    uint64_t hash = 0;
    for (unsigned i = 0; i < VECTORS / GROUPS; i++)
      hash = (hash ^ results[g * (VECTORS / GROUPS) + i]) * UINT64_C(0x9e3779b97f4a7c15),
      hash ^= hash >> 29;
    summary.hash[g] = (uint32_t)(hash >> 32);
  }
  return summary;
}

/* Returns true for approximations. Their results are compared with bounds, not with recorded
 * values. */
static inline bool values_approximate(const Form *form) {
  return strstr(form->text, ".approx") || strstr(form->text, ".full");
}

static inline void values_print(FILE *file, const Form *form, const Results *results) {
  fprintf(file, "%s;", form->text);
  for (unsigned i = 0; i < OPERANDS && form->type[i][0]; i++)
    fprintf(file, " %s", form->type[i]);
  fprintf(file, ";");
  for (unsigned i = 0; i < SHOWN; i++)
    fprintf(file, " %llx", (unsigned long long)results->shown[i]);
  for (unsigned i = 0; i < GROUPS && !values_approximate(form); i++)
    fprintf(file, " %08x", results->hash[i]);
  fprintf(file, "\n");
}

/* Parses a form written by values_print. Returns the start of the results, or NULL. Changes the
 * line. */
static inline char *values_read(char *line, Form *form) {
  char *types = strchr(line, '{') ? strstr(line, "};") : strchr(line, ';');
  if (!types)
    return NULL;
  types += *types == '}';
  char *values = strchr(types + 1, ';');
  if (!values)
    return NULL;
  *types = *values = 0;
  memset(form, 0, sizeof *form);
  snprintf(form->text, sizeof form->text, "%.*s", (int)sizeof form->text - 1, line);
  sscanf(types + 1, "%7s %7s %7s %7s %7s", form->type[0], form->type[1], form->type[2],
         form->type[3], form->type[4]);
  return values + 1;
}

#endif
