/* A second generator of random CUDA programs. Each program compares the device with the host.
 *
 *   generate [--kernel K] SEED >SEED.cu      make fuzz-kernels GENERATOR=common/emulator/tests/fuzz_host/generate.c
 *
 * The state of a thread is a struct with random members, and a kernel is a sequence of steps that
 * change it. There are two kinds of steps. A thread executes the first kind alone: a function for
 * host and device with loops that break, switches that fall through, structs passed by value, local
 * arrays, 8- and 16-bit arithmetic, halves. Lanes execute the second kind together: shuffles, votes
 * and matches of some lanes, an exchange through shared memory, atomic sums, and divergent branches
 * around these. The program runs the kernel on the device, and the same steps on the host, where a
 * warp is an array of 32 states. It prints "kernel K: HASH", and another line if the host's result
 * differs. There is no undefined behaviour and no race. ./SEED K lists all threads of kernel K.
 *
 * Measured: an H200 and the emulated device gave the same results for 1,213 kernels of 101
 * programs, through clang and nvcc. For one kernel the host's result differed, because of an
 * optimisation of ptxas 13 (-Xptxas -O0 and -G agree with the emulated device).
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KERNELS = 12, MEMBERS = 10, NARROW_DEPTH = 3 };
typedef enum Type { U8, I8, U16, I16, U32, I32, U64, I64, F16, F32, F64, TYPES } Type;
static const char *const name_of[TYPES] = {"u8",  "i8",  "u16", "i16", "u32", "i32",
                                           "u64", "i64", "f16", "f32", "f64"};
static const char *const unsigned_of[TYPES] = {"u32", "u32", "u32", "u32",
                                               "u32", "u32", "u64", "u64"};
static const int bits_of[TYPES] = {8, 8, 16, 16, 32, 32, 64, 64, 16, 32, 64};

/* ---- chance and text ------------------------------------------------------------------------- */
static uint64_t state;
static uint64_t chance(void) {
  uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}
static int below(int n) { return (int)(chance() >> 33) % n; }
static bool percent(int n) { return below(100) < n; }
static int depth;
static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
}
static void line(void) { printf("\n%*s", 2 * depth, ""); }
static const char *one_of(const char *words) { /* words: for example "+ - *" */
  static char word[4][16];
  static int turn;
  int n = 1;
  for (const char *c = words; *c; c++)
    n += *c == ' ';
  for (int skip = below(n); skip; words++)
    skip -= *words == ' ';
  char *w = word[turn++ % 4];
  w[0] = 0;
  strncat(w, words, strcspn(words, " "));
  return w;
}

/* ---- scope: names of values that may be read, and whether they may be written ---------------- */
typedef struct Name {
  Type type;
  bool writable;
  int length;
  char text[32];
} Name;
static Name names[200];
static int nnames, made, budget;
static int helpers, helper_result[16], helper_type[16];
static Type parts_types[4]; /* the types of the members of struct Parts, which is passed by value */
static int nparts;

static void declare(Type type, bool writable, int length, const char *format, ...) {
  va_list arguments;
  if (nnames == (int)(sizeof names / sizeof *names))
    return;
  Name *n = &names[nnames++];
  n->type = type, n->writable = writable, n->length = length;
  va_start(arguments, format);
  vsnprintf(n->text, sizeof n->text, format, arguments);
  va_end(arguments);
}
static void expression(Type type, int d);
/* Writes the name of a value of this type; returns false if there is none. */
static bool value_of(Type type, bool written) {
  int fit[200], n = 0;
  for (int i = 0; i < nnames; i++)
    if (names[i].type == type && (names[i].writable || !written))
      fit[n++] = i;
  if (!n)
    return false;
  const Name *chosen = &names[fit[percent(50) && n > 6 ? n - 1 - below(6) : below(n)]];
  say("%s", chosen->text);
  if (chosen->length) {
    say("[");
    if (budget > 0 && percent(60))
      expression(U32, 1), say(" & %d", chosen->length - 1);
    else
      say("%d", below(chosen->length));
    say("]");
  }
  return true;
}
static bool is_float(Type type) { return type >= F16; }
static bool is_signed(Type type) { return type < F16 && type % 2; }
static Type some_type(void) { return percent(25) ? (percent(50) ? U32 : I32) : (Type)below(TYPES); }
static Type some_whole(void) { return (Type)below(F16); }

static void literal(Type type) {
  static const char *const odd[] = {"0", "1",  "2",  "3",  "5",   "7",
                                    "8", "15", "31", "32", "100", "127"};
  const uint64_t r = chance() >> below(60);
  if (type == F16)
    say("of_bits(0x%x)", (unsigned)(r % 0x7b00) | (percent(40) ? 0x8000 : 0));
  else if (is_float(type))
    say("%s%s%s", percent(30) ? "-" : "", one_of("0.5 1.0 3.25 0.1 1e-3 1e7 123456.7 2.0 0.333"),
        type == F32 ? "f" : "");
  else if (percent(50))
    say("(%s)%s", name_of[type], odd[below(12)]);
  else
    say("(%s)0x%llxull", name_of[type], (unsigned long long)r);
}

static void condition(int d) {
  const Type type = some_type();
  budget--;
  if (d > 0 && percent(20)) {
    say("(");
    condition(d - 1);
    say(" %s ", one_of("&& ||"));
    condition(d - 1);
    say(")");
  } else if (is_float(type)) {
    say("less(");
    expression(type, d - 1);
    say(", ");
    expression(type, d - 1);
    say(")");
  } else if (percent(30)) {
    say("(");
    expression(type, d - 1);
    say(" & %d)", 1 << below(bits_of[type] > 31 ? 16 : 7));
  } else {
    say("(");
    expression(type, d - 1);
    say(" %s ", one_of("< > <= >= == !="));
    expression(type, d - 1);
    say(")");
  }
}

static void call(const char *function, Type type, int n, int d) {
  say("%s(", function);
  for (int i = 0; i < n; i++) {
    if (i)
      say(", ");
    expression(type, d - 1);
  }
  say(")");
}
static void of_float(Type type, int d) {
  switch (below(10)) {
  case 0:
  case 1:
    call("add", type, 2, d);
    return;
  case 2:
  case 3:
    call("mul", type, 2, d);
    return;
  case 4:
    call("fused", type, 3, d);
    return;
  case 5:
    if (type != F16) {
      call(one_of("sub over"), type, 2, d);
      return;
    }
    break;
  case 6:
    if (type != F16) {
      say("root(");
      call("mul", type, 2, d);
      say(")");
      return;
    }
    break;
  }
  if (type == F16) {
    say("to_f16(");
    if (percent(50))
      expression(F64, d - 1);
    else
      expression(F32, d - 1);
    say(")");
  } else if (percent(30)) {
    if (type == F32)
      say("to_f32("), expression(F16, d - 1), say(")");
    else
      say("(f64)"), expression(F32, d - 1);
  } else if (percent(30)) {
    say("(%s)", name_of[type]);
    expression(type == F32 ? F64 : F32, d - 1);
  } else {
    say("(%s)", name_of[type]);
    expression(some_whole(), d - 1);
  }
}
static void of_whole(Type type, int d) {
  const char *as = unsigned_of[type], *name = name_of[type];
  switch (below(16)) {
  case 0:
  case 1:
  case 2:
  case 3: /* may wrap around */
    say("(%s)((%s)", name, as), expression(type, d - 1);
    say(" %s (%s)", one_of("+ - * ^ | &"), as), expression(type, d - 1), say(")");
    return;
  case 4:
    say("(%s)((%s)", name, as), expression(type, d - 1);
    say(" << ("), expression(U32, d - 1), say(" & %d))", bits_of[type] - 1);
    return;
  case 5:
    say("(%s)((%s)", name, name), expression(type, d - 1); /* a bit field has type int */
    say(" >> ("), expression(U32, d - 1), say(" & %d))", bits_of[type] - 1);
    return;
  case 6:
    say("%s<%s>(", one_of("quotient rest"), name), expression(type, d - 1), say(", "),
        expression(type, d - 1), say(")");
    return;
  case 7: /* operands are promoted, the result is truncated */
    say("(%s)(", name), expression((Type)below(U32), d - 1), say(" %s ", one_of("+ - & | ^"));
    expression((Type)below(U32), d - 1), say(")");
    return;
  case 8:
    say("(%s)whole(", name), expression((Type)(F16 + below(3)), d - 1), say(")");
    return;
  case 9:
    say("(%s)bits_of(", name), expression((Type)(F16 + below(3)), d - 1), say(")");
    return;
  case 10:
    say("(%s)", name);
    switch (below(8)) {
    case 0:
      call("high", percent(50) ? U64 : U32, 2, d);
      return;
    case 1:
      call(one_of("count zeros first reversed"), U32, 1, d);
      return;
    case 2:
      call("turned", U32, 2, d);
      return;
    case 3:
      call("permuted", U32, 3, d);
      return;
    case 4:
      call("zeros", U64, 1, d);
      return;
    default:
      expression(some_whole(), d - 1);
      return;
    }
  case 11:
    say("(%s)~", name), expression(type, d - 1);
    return;
  case 12:
    say("(%s)", name), condition(d - 1);
    return;
  case 13:
    if (is_signed(type)) {
      say("(%s)-(%s)", name, bits_of[type] < 64 ? "i64" : "u64"), expression(type, d - 1);
      return;
    }
    break;
  }
  say("(%s)", name);
  expression(some_whole(), d - 1);
}
static void expression(Type type, int d) {
  if (budget-- <= 0 || d <= 0) {
    if (percent(20) || !value_of(type, false))
      literal(type);
    return;
  }
  if (percent(12)) {
    say("(");
    condition(d - 1);
    say(" ? ");
    expression(type, d - 1);
    say(" : ");
    expression(type, d - 1);
    say(")");
    return;
  }
  for (int i = 0; i < helpers; i++)
    if (helper_result[i] == (int)type && percent(20)) {
      say("helper%d_%d(%s, ", made, i, "s.parts");
      expression((Type)helper_type[i], d - 1);
      say(")");
      return;
    }
  if (percent(25) && value_of(type, false))
    return;
  if (is_float(type))
    of_float(type, d);
  else
    of_whole(type, d);
}

/* ---- statements ------------------------------------------------------------------------------ */
static int loops, names_made;
static void statements(int n, int d);
static void block(int d) {
  const int mark = nnames;
  say(" {");
  depth++;
  statements(1 + below(3), d - 1);
  depth--;
  line();
  say("}");
  nnames = mark;
}
static void assign(void) {
  const Type type = some_type();
  if (!value_of(type, true)) {
    say(";");
    return;
  }
  if (type < F16 && percent(25)) {
    if (is_signed(type)) /* + and - could overflow */
      say(" %s= ", one_of("^ | &"));
    else if (percent(20)) {
      say("%s;", one_of("++ --"));
      return;
    } else
      say(" %s= ", type == U16 ? one_of("+ - ^ |") : one_of("+ - * ^"));
  } else
    say(" = ");
  expression(type, 3);
  say(";");
}
static void statement(int d) {
  const int number = ++names_made;
  const Type type = some_type();
  line();
  switch (d > 0 && budget > 0 ? below(22) : 0) {
  case 1:
  case 2:
    say("if ("), condition(2), say(")"), block(d);
    if (percent(50))
      say(" else"), block(d);
    break;
  case 3: /* a loop with an exit */
    if (loops < 2) {
      loops++;
      say("for (u32 at%d = 0; at%d < ", number, number);
      if (percent(50))
        say("%du", 2 + below(6));
      else
        say("("), expression(U32, 2), say(") %% 7u");
      say("; at%d++) {", number);
      depth++;
      const int mark = nnames;
      declare(U32, false, 0, "at%d", number);
      statements(1 + below(2), d - 1);
      line();
      say("if ("), condition(2), say(") %s;", one_of("break continue"));
      statements(1 + below(2), d - 1);
      nnames = mark;
      depth--;
      line();
      say("}");
      loops--;
      break;
    } /* fall through */
  case 4:
    if (loops < 2) {
      loops++;
      say("{ u32 n%d = 0; while (n%d++ < %du && ", number, number, 3 + below(6)), condition(2),
          say(")");
      block(d);
      say(" }");
      loops--;
      break;
    } /* fall through */
  case 5:
    say("switch ((u32)("), expression(some_whole(), 2), say(") %% %du) {", 3 + below(4));
    for (int i = 0, n = 2 + below(4); i < n; i++) {
      line();
      say("case %d:", i), block(d);
      if (percent(65))
        say(" break;");
    }
    if (percent(50))
      line(), say("default:"), block(d);
    line();
    say("}");
    break;
  case 6: { /* a local array */
    const int length = 4 << below(2);
    say("%s a%d[%d]; for (u32 j = 0; j < %d; j++) a%d[j] = ", name_of[type], number, length, length,
        number);
    const int mark = nnames;
    declare(U32, false, 0, "j");
    expression(type, 2);
    nnames = mark;
    say(";");
    declare(type, true, length, "a%d", number);
    break;
  }
  case 7:
  case 8:
    say("%s v%d = ", name_of[type], number), expression(type, 3), say(";");
    declare(type, true, 0, "v%d", number);
    break;
  case 9: /* a struct passed by value, changed, and returned */
    say("{ Parts%d q = s.parts; s.parts = %s%d(q, t); }", made,
        one_of("turned_parts swapped_parts"), made);
    break;
  case 10:
    say("change%d(%ss, ", made, percent(50) ? "&" : "&"), expression(U32, 2), say(");");
    break;
  case 11:
    if (loops < 2) {
      loops++;
      say("{ u32 k%d = ", number), expression(U32, 2), say(" & 0x%xu; do", 1 + below(255));
      block(d);
      say(" while ((k%d &= k%d - 1) && ", number, number), condition(1), say("); }");
      loops--;
      break;
    } /* fall through */
  case 12:
    say("if ("), condition(3), say(") return;");
    break;
  case 13: /* exchanges bytes of a u64 */
    say("{ u8 b[8]; u64 w = "), expression(U64, 2);
    say("; memcpy(b, &w, 8); for (int j = 0; j < 4; j++) { u8 c = b[j]; b[j] = b[(j * 3 + 5) & 7]; "
        "b[(j * 3 + 5) & 7] = c; } ");
    say("memcpy(&s.wide, b, 8); }");
    break;
  default:
    assign();
    break;
  }
}
static void statements(int n, int d) {
  for (int i = 0; i < n; i++)
    statement(d);
}

/* ---- a kernel -------------------------------------------------------------------------------- */
typedef struct Member {
  Type type;
  /* The length of an array, the width of a bit field. */
  int length, width;
} Member;
static Member members[MEMBERS];
static int nmembers;

static void declare_members(void) {
  nnames = 0;
  declare(U64, true, 0, "s.wide");
  for (int i = 0; i < nmembers; i++)
    declare(members[i].type, true, members[i].length, "s.m%d", i);
  for (int i = 0; i < nparts; i++)
    declare(parts_types[i], true, 0, "s.parts.p%d", i);
  declare(U32, false, 0, "t");
}
static void write_state(int k) {
  made = k;
  nparts = 1 + below(4);
  say("\nstruct Parts%d {", k);
  for (int i = 0; i < nparts; i++)
    say(" %s p%d;", name_of[parts_types[i] = some_type()], i);
  say(" };\nstruct State%d {\n  u64 wide;\n  Parts%d parts;", k, k);
  nmembers = 4 + below(MEMBERS - 4);
  for (int i = 0; i < nmembers; i++) {
    members[i] = (Member){some_type(), percent(15) ? 4 : 0, 0};
    if (members[i].type < F16 && !members[i].length && percent(20))
      members[i].width =
          2 + below((bits_of[members[i].type] > 32 ? 32 : bits_of[members[i].type]) - 2);
    say("\n  %s m%d", name_of[members[i].type], i);
    if (members[i].length)
      say("[%d]", members[i].length);
    if (members[i].width)
      say(" : %d", members[i].width);
    say(";");
  }
  say("\n};\nHD void start%d(State%d &s, u32 t, const u32 *in) {\n  s.wide = (u64)in[t] << 32 | "
      "in[t + 1];",
      k, k);
  for (int i = 0; i < nparts; i++) {
    say("\n  s.parts.p%d = ", i);
    if (parts_types[i] == F16)
      say("of_bits(in[t + %d] & 0x7bff);", 3 + i);
    else
      say("(%s)(i32)in[t + %d];", name_of[parts_types[i]], 3 + i);
  }
  for (int i = 0; i < nmembers; i++)
    for (int j = 0; j < (members[i].length ? members[i].length : 1); j++) {
      say("\n  s.m%d", i);
      if (members[i].length)
        say("[%d]", j);
      const char *by = one_of("* + ^");
      if (members[i].type == F16)
        say(" = of_bits(in[(t + %d) %% WORDS] & 0xbbff);", below(300));
      else
        say(" = (%s)((in[(t + %d) %% WORDS] >> %d) %s %du);", name_of[members[i].type], below(300),
            below(30), by, below(99) + 1);
    }
  say("\n}\nHD u64 seen%d(const State%d &s) {\n  u64 h = s.wide;", k, k);
  for (int i = 0; i < nparts; i++)
    say("\n  h = mix(h, look(s.parts.p%d));", i);
  for (int i = 0; i < nmembers; i++)
    if (members[i].length)
      say("\n  for (int i = 0; i < %d; i++) h = mix(h, look(s.m%d[i]));", members[i].length, i);
    else
      say("\n  h = mix(h, look((%s)s.m%d));", name_of[members[i].type], i);
  say("\n  return h;\n}");
}
/* Writes functions that the steps can call. */
static void write_helpers(int k) {
  const char *kind = one_of("HD HDI");
  helpers = 0;
  say("\n%s Parts%d turned_parts%d(Parts%d q, u32 t) {", kind, k, k, k);
  for (int i = 0; i < nparts; i++) {
    nnames = 0;
    for (int j = 0; j < nparts; j++)
      declare(parts_types[j], true, 0, "q.p%d", j);
    declare(U32, false, 0, "t");
    budget = 12;
    say("\n  q.p%d = ", i), expression(parts_types[i], 3), say(";");
  }
  say("\n  return q;\n}\nHD Parts%d swapped_parts%d(const Parts%d &q, u32 t) {\n  return (t & 1) ? "
      "q : turned_parts%d(q, t ^ 3);\n}",
      k, k, k, k);
  const int n = 1 + below(3);
  for (int i = 0; i < n; i++) {
    const Type result = some_type(), type = some_type();
    say("\n%s %s helper%d_%d(Parts%d q, %s x) {\n  ",
        percent(30) ? "static __host__ __device__ __noinline__" : "HD", name_of[result], k, i, k,
        name_of[type]);
    nnames = 0;
    for (int j = 0; j < nparts; j++)
      declare(parts_types[j], true, 0, "q.p%d", j);
    declare(type, false, 0, "x");
    budget = 15;
    say("if ("), condition(2), say(") return "), expression(result, 2), say(";\n  return "),
        expression(result, 3), say(";\n}");
    helper_result[i] = result, helper_type[i] = type;
  }
  nnames = 0;
  say("\nHD void change%d(State%d *p, u32 n) {\n  State%d &s = *p;\n  const u32 t = n;\n  (void)s, "
      "(void)t;",
      k, k, k);
  declare_members();
  helpers = 0;
  budget = 20;
  depth = 1;
  for (int i = 0; i < 2; i++)
    line(), assign();
  line();
  say("if (n & 0xf0) change%d(p, n >> %d);\n}", k, 4 + below(5));
  helpers = n;
}
static void write_step(int k, int step) {
  say("\n%s void step%d_%d(State%d &s, u32 t, u32 *own) {\n  (void)t, (void)own;",
      percent(20) ? "static __host__ __device__ __noinline__" : "HD", k, step, k);
  declare_members();
  declare(U32, true, 4, "own");
  budget = 70 + below(60);
  depth = 1;
  statements(2 + below(4), NARROW_DEPTH);
  say("\n}");
}

/* A step that lanes execute together. Its code is written twice: for the device, where each lane
 * executes it, and for the host. Shuffles move values of each type: the member `wide`, or a member
 * of struct Parts. */
typedef struct Together {
  int kind, group, by, width, how, value, part, step;
  Type type;
} Together;
enum { SHUFFLE, VOTE, MATCH, EXCHANGE, SUMS, PARTED, TOGETHERS };
static Together together_of(int step) {
  Together r;
  r.kind = below(TOGETHERS), r.group = below(6), r.by = below(32), r.width = 1 << (1 + below(5)),
  r.how = below(4), r.value = below(9), r.part = below(nparts), r.type = parts_types[r.part],
  r.step = step;
  return r;
}
/* The condition under which a lane takes part in the step, as an expression of `lane`. mask_of[i]
 * is the mask of the lanes for which lanes_in[i] is true. */
static const char *const lanes_in[] = {
    "true", "lane & 1", "lane < 19", "lane % 3 == 0", "(0xf00ff137u >> lane & 1)", "lane >= 7"};
static const uint32_t mask_of[] = {0xffffffffu, 0xaaaaaaaau, 0x7ffffu,
                                   0x49249249u, 0xf00ff137u, 0xffffff80u};
static const char *const shuffles[] = {"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync",
                                       "__shfl_xor_sync"};
static const char *const hows[] = {"INDEX", "UP", "DOWN", "XOR"};
static const char *shuffled_type(Type type) { /* the type that __shfl_sync takes */
  return type == U64 || type == I64 || type == F64 || type == F32 ? name_of[type]
         : is_signed(type)                                        ? "i32"
                                                                  : "u32";
}
static void device_together(int k, const Together *r) {
  say("\n  if (%s) {", lanes_in[r->group]);
  switch (r->kind) {
  case SHUFFLE:
    if (r->type == F16)
      say("\n    s.parts.p%d = F(%s(0x%xu, H(s.parts.p%d), %d, %d));", r->part, shuffles[r->how],
          mask_of[r->group], r->part, r->by, r->width);
    else
      say("\n    s.parts.p%d = (%s)%s(0x%xu, (%s)s.parts.p%d, %d, %d);", r->part, name_of[r->type],
          shuffles[r->how], mask_of[r->group], shuffled_type(r->type), r->part, r->by, r->width);
    break;
  case VOTE:
    say("\n    const bool c = s.wide & %d;\n    s.wide = mix(s.wide, __ballot_sync(0x%xu, c) + "
        "(__any_sync(0x%xu, c) ? 5 : 0) + "
        "(__all_sync(0x%xu, c) ? 9 : 0));",
        1 << r->value, mask_of[r->group], mask_of[r->group], mask_of[r->group]);
    break;
  case MATCH:
    say("\n    s.wide ^= (u64)__match_any_sync(0x%xu, %s(s.wide & %d)) << %d;", mask_of[r->group],
        one_of("(u32) (u64)"), r->value, r->by);
    break;
  case EXCHANGE:
    break;
  case SUMS:
    say("\n    atomicAdd(&sums[(u32)s.wide %% 8], (u32)(s.wide >> %d));\n    atomicXor(&sums[8 + "
        "(u32)s.wide %% 5], (u32)(s.wide >> 7));"
        "\n    atomicMax(&sums[13], (u32)s.wide);\n    atomicAdd((u64 *)(sums + 14), s.wide);",
        r->by);
    break;
  case PARTED:
    say("\n    step%d_%d(s, t ^ %d, own);", k, r->step, r->by);
    break;
  }
  say("\n  }");
  if (r->kind == EXCHANGE)
    say("\n  board[t] = s.wide;\n  __syncthreads();\n  s.wide = board[(t * %d + %d) %% THREADS];\n "
        " __syncthreads();",
        2 * r->value + 1, r->by);
  if (r->kind == SUMS)
    say("\n  __syncthreads();\n  s.wide = mix(s.wide, sums[t %% 14] + *(u64 *)(sums + 14));\n  "
        "__syncthreads();");
}
static void host_together(int k, const Together *r) {
  say("\n  for (u32 w = 0; w < THREADS; w += 32) {\n    State%d old[32];\n    memcpy(old, all + w, "
      "sizeof old);"
      "\n    for (u32 lane = 0; lane < 32; lane++) {\n      State%d &s = all[w + lane];\n      "
      "const u32 t = w + lane;\n      (void)t, (void)s;\n      if (!(%s)) "
      "continue;",
      k, k, lanes_in[r->group]);
  switch (r->kind) {
  /* The result is undefined if the source lane does not take part. shuffle_is_defined excludes such
   * steps. */
  case SHUFFLE:
    say("\n      s.parts.p%d = old[partner(%s, lane, %d, %d)].parts.p%d;", r->part, hows[r->how],
        r->by, r->width, r->part);
    break;
  case VOTE:
    say("\n      u32 ballot = 0;\n      for (u32 i = 0; i < 32; i++)\n        if ((0x%xu >> i & 1) "
        "&& (old[i].wide & %d)) ballot |= 1u << i;"
        "\n      s.wide = mix(s.wide, ballot + (ballot ? 5 : 0) + (ballot == 0x%xu ? 9 : 0));",
        mask_of[r->group], 1 << r->value, mask_of[r->group]);
    break;
  case MATCH:
    say("\n      u32 same = 0;\n      for (u32 i = 0; i < 32; i++)\n        if ((0x%xu >> i & 1) "
        "&& (old[i].wide & %d) == (old[lane].wide & %d)) same |= 1u << i;"
        "\n      s.wide ^= (u64)same << %d;",
        mask_of[r->group], r->value, r->value, r->by);
    break;
  case EXCHANGE:
    break;
  case SUMS:
    say("\n      sums[(u32)s.wide %% 8] += (u32)(s.wide >> %d);\n      sums[8 + (u32)s.wide %% 5] "
        "^= (u32)(s.wide >> 7);"
        "\n      if (sums[13] < (u32)s.wide) sums[13] = (u32)s.wide;\n      sum += s.wide;",
        r->by);
    break;
  case PARTED:
    say("\n      step%d_%d(s, t ^ %d, own + 4 * t);", k, r->step, r->by);
    break;
  }
  say("\n    }\n  }");
  if (r->kind == EXCHANGE)
    say("\n  for (u32 t = 0; t < THREADS; t++) board[t] = all[t].wide;\n  for (u32 t = 0; t < "
        "THREADS; t++) all[t].wide = board[(t * %d + %d) %% THREADS];",
        2 * r->value + 1, r->by);
  if (r->kind == SUMS)
    say("\n  for (u32 t = 0; t < THREADS; t++) all[t].wide = mix(all[t].wide, sums[t %% 14] + "
        "sum);");
}
/* Returns true if each lane that takes part reads from a lane that takes part. */
static bool shuffle_is_defined(const Together *r) {
  for (int lane = 0; lane < 32; lane++)
    if (mask_of[r->group] >> lane & 1) {
      const int low = lane & ~(r->width - 1), high = low + r->width - 1;
      int to = r->how == 0   ? low + (r->by & (r->width - 1))
               : r->how == 1 ? lane - r->by
               : r->how == 2 ? lane + r->by
                             : lane ^ r->by;
      if (r->how == 1 ? to < low : r->how > 1 && to > high)
        to = lane;
      if (!(mask_of[r->group] >> to & 1))
        return false;
    }
  return true;
}
static void write_kernel(int k) {
  enum { MOST_STEPS = 4 };
  Together together[MOST_STEPS];
  const int steps = 2 + below(MOST_STEPS - 1);
  write_state(k);
  write_helpers(k);
  for (int i = 0; i < steps; i++) {
    write_step(k, i);
    do
      together[i] = together_of(below(i + 1));
    while (together[i].kind == SHUFFLE && !shuffle_is_defined(&together[i]));
  }
  say("\n__global__ void __launch_bounds__(THREADS) kernel%d(const u32 *in, u64 *out, u32 *all) "
      "{\n  const u32 t = threadIdx.x, lane = t %% 32;"
      "\n  u32 *own = all + 4 * t;\n  __shared__ u64 board[THREADS];\n  __shared__ __align__(8) "
      "u32 sums[16];\n  State%d s;"
      "\n  (void)lane, (void)board;\n  if (t < 16) sums[t] = 0;\n  __syncthreads();\n  start%d(s, "
      "t, in);",
      k, k, k);
  for (int i = 0; i < steps; i++) {
    say("\n  step%d_%d(s, t, own);\n  __syncwarp();", k, i);
    const uint64_t kept = state;
    device_together(k, &together[i]);
    state = kept;
  }
  say("\n  out[t] = mix(seen%d(s), own[t & 3]);\n}", k);
  say("\nstatic void host%d(const u32 *in, u64 *out, u32 *own) {\n  static State%d all[THREADS];\n "
      " u64 board[THREADS], sum = 0;\n  u32 sums[16] = {0};"
      "\n  (void)board, (void)sums, (void)sum;\n  for (u32 t = 0; t < THREADS; t++) "
      "start%d(all[t], t, in);",
      k, k, k);
  for (int i = 0; i < steps; i++) {
    say("\n  for (u32 t = 0; t < THREADS; t++) step%d_%d(all[t], t, own + 4 * t);", k, i);
    host_together(k, &together[i]);
  }
  say("\n  for (u32 t = 0; t < THREADS; t++) out[t] = mix(seen%d(all[t]), own[4 * t + (t & "
      "3)]);\n}\n",
      k);
}

int main(int argc, char **argv) {
  const bool one = argc == 4 && !strcmp(argv[1], "--kernel");
  if (argc != 2 && !one) {
    fprintf(stderr, "usage: generate [--kernel K] SEED\n");
    return 2;
  }
  const int only = one ? atoi(argv[2]) : -1;
  const uint64_t seed = strtoull(argv[argc - 1], NULL, 10);
  say("// fuzz_host/generate %s\n#include \"emulator/tests/fuzz_host/support.h\"\n",
      argv[argc - 1]);
  for (int k = 0; k < KERNELS; k++) {
    state = seed * UINT64_C(0xd1342543de82ef95) + (uint64_t)k * UINT64_C(0xaf251af3b0f025b5);
    if (only < 0 || only == k)
      write_kernel(k);
  }
  say("\nint main(int argc, char **argv) {\n  const int only = argc > 1 ? atoi(argv[1]) : -1;\n  "
      "u64 x = %llu;\n  u32 *in, *own;\n  u64 *out;"
      "\n  static u32 own_host[THREADS * 4];\n  for (int i = 0; i < WORDS; i++) { x = x * "
      "6364136223846793005ull + 1442695040888963407ull; words[i] = (u32)(x >> 33) >> (x >> 60); }"
      "\n  CHECK(cudaMalloc((void **)&in, sizeof words));\n  CHECK(cudaMalloc((void **)&own, "
      "sizeof own_host));\n  CHECK(cudaMalloc((void **)&out, THREADS * 8));"
      "\n  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 16384));\n  CHECK(cudaMemcpy(in, words, "
      "sizeof words, cudaMemcpyHostToDevice));\n  int wrong = 0;",
      (unsigned long long)seed);
  for (int k = 0; k < KERNELS; k++)
    if (only < 0 || only == k)
      say("\n  if (only < 0 || only == %d) {\n    CHECK(cudaMemset(own, 0, sizeof own_host));\n    "
          "memset(own_host, 0, sizeof own_host);"
          "\n    kernel%d<<<1, THREADS>>>(in, out, own);\n    CHECK(cudaGetLastError());\n    "
          "CHECK(cudaMemcpy(device_hash, out, THREADS * 8, cudaMemcpyDeviceToHost));"
          "\n    host%d(words, host_hash, own_host);\n    wrong += compare(%d, only);\n  }",
          k, k, k, k);
  say("\n  CHECK(cudaFree(in));\n  CHECK(cudaFree(own));\n  CHECK(cudaFree(out));\n  return "
      "0;\n}\n");
  return 0;
}
