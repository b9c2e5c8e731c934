/* Writes random struct types: padded, packed or aligned, with bit fields, vectors, arrays and
 * nested structs. Each struct has a constructor, so that padding is never written. It also has a
 * function `digest` that hashes every member but not the padding, a comparison, and functions that
 * take and return the struct by value. Statements copy the struct between registers, local, shared
 * and global memory, as a whole and member by member. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "fuzz.h"

enum { MEMBERS = 6, KINDS = 3, LARGEST = 160 };
typedef enum Sort { SCALAR, ARRAY, BITS, VECTOR, NESTED } Sort;
typedef struct Member {
  Sort sort;
  Type type;
  /* The length of an array, the width of the first of two bit fields, or the number of the nested
   * struct. */
  int length;
  /* The width of the second bit field. */
  int rest;
} Member;
static struct Kind {
  Member member[MEMBERS];
  int n;
  bool packed;
  /* True if the struct contains a half. A half is a class, and compilers may ignore the packed
   * attribute for it, so the attribute is omitted. */
  bool has_half;
  /* True if the struct has bit fields, or contains a struct with bit fields. */
  bool has_bits;
} kinds[KINDS];
static int nkinds, kernel_number;

/* Returns the name of the vector type with these components, or NULL. */
static const char *vector_of(Type type, int n) {
  static const char *const names[TYPES] = {"uchar", "char", "ushort",    "short",
                                           "uint",  "int",  "ulonglong", "longlong",
                                           NULL,    NULL,   "float",     "double"};
  static char name[4][16];
  static int next;
  if (!names[type] || (n == 4 && type_bits[type] == 64))
    return NULL;
  snprintf(name[next = (next + 1) % 4], sizeof name[0], "%s%d", names[type], n);
  return name[next];
}

static Member some_member(bool packed, int at) {
  Member m = {SCALAR, some_type(), 0, 0};
  if (percent(20) && !packed && is_integer(m.type)) {
    m.sort = BITS;
    m.length = 1 + below(type_bits[m.type] / 2);
    m.rest = type_bits[m.type] - m.length - below(type_bits[m.type] > 8 ? 8 : 3);
  } else if (percent(20) && !packed) {
    m.sort = ARRAY;
    m.length = 2 + below(3);
  } else if (percent(15) && !packed && vector_of(m.type, 4)) {
    m.sort = VECTOR;
    m.length = percent(50) ? 2 : 4;
  } else if (percent(15) && !packed && nkinds > 0 && at < MEMBERS / 2) {
    m.sort = NESTED;
    m.length = below(nkinds);
  }
  return m;
}

/* Calls a function for each scalar in the member, and passes the name of the scalar. */
typedef void (*Use)(const Member *m, const char *name);
static void each_part(const Member *m, const char *prefix, int number, Use use) {
  char name[64];
  int parts = m->sort == ARRAY || m->sort == VECTOR ? m->length : m->sort == BITS ? 2 : 1;
  for (int i = 0; i < parts; i++) {
    int n = snprintf(name, sizeof name, "%sm%d", prefix, number);
    if (m->sort == ARRAY)
      snprintf(name + n, sizeof name - (size_t)n, "[%d]", i);
    else if (m->sort == VECTOR)
      snprintf(name + n, sizeof name - (size_t)n, ".%c", "xyzw"[i]);
    else if (m->sort == BITS)
      snprintf(name + n, sizeof name - (size_t)n, "%s", i ? "b" : "a");
    use(m, name);
  }
}

static void say_member(const Member *m, int number) {
  const char *type = type_name[m->type];
  say("\n  ");
  switch (m->sort) {
  case SCALAR:
    say("%s m%d;", type, number);
    break;
  case ARRAY:
    say("%s m%d[%d];", type, number, m->length);
    break;
  case BITS:
    say("%s m%da : %d, m%db : %d, : 0;", type, number, m->length, number, m->rest);
    break;
  case VECTOR:
    say("%s m%d;", vector_of(m->type, m->length), number);
    break;
  case NESTED:
    say("S%d_%d m%d;", kernel_number, m->length, number);
    break;
  }
}

static void say_fill(const Member *m, const char *name) {
  if (m->sort == NESTED)
    say("\n    %s = S%d_%d(seed * 5 + 1);", name, kernel_number, m->length);
  else if (m->sort == BITS)
    say("\n    %s = (%s)(seed = next_of(seed));", name, type_name[m->type]);
  else
    say("\n    %s = from_seed<%s>(seed = next_of(seed));", name, type_name[m->type]);
}
static void say_change(const Member *m, const char *name) {
  (void)m;
  say("\n  s.%s = t.%s;", name, name);
}
static void say_digest(const Member *m, const char *name) {
  say("\n  h = mix(h, %s(%s));", m->sort == NESTED ? "digest" : "word64", name);
}
static void say_order(const Member *m, const char *name) {
  if (m->sort != NESTED && m->type != F16 && m->type != BF16)
    say("\n  if (a.%s != b.%s)\n    return a.%s < b.%s;", name, name, name, name);
}

static void say_kind(int number) {
  struct Kind *k = &kinds[number];
  char name[16];
  snprintf(name, sizeof name, "S%d_%d", kernel_number, number);
  say("struct %s%s {",
      k->packed     ? (k->has_half ? "" : "__attribute__((packed)) ")
      : percent(10) ? "__align__(16) "
                    : "",
      name);
  for (int i = 0; i < k->n; i++)
    say_member(&k->member[i], i);
  say("\n  %s() = default;\n  __host__ __device__ explicit %s(u64 seed) {", name, name);
  for (int i = 0; i < k->n; i++)
    each_part(&k->member[i], "", i, say_fill);
  say("\n  }\n};\nD u64 digest(const %s &s) {\n  u64 h = %d;", name, k->n);
  for (int i = 0; i < k->n; i++)
    each_part(&k->member[i], "s.", i, say_digest);
  say("\n  return h;\n}\nD bool less(const %s a, const %s b) {", name, name);
  for (int i = 0; i < k->n; i++)
    each_part(&k->member[i], "", i, say_order);
  say("\n  return false;\n}\nD %s lesser(const %s x, u64 seed) {\n  %s y = %s(seed);\n  return "
      "less(y, x) ? y : x;\n}\n",
      name, name, name, name);
  say("%s %s changed(%s s, u64 seed) {\n  %s t(seed);",
      /* clang 14 passes packed structs as if they were aligned, and cannot return i24 or i40, to
       * which it compiles some bit fields */
      k->packed || k->has_bits ? "D" : "__device__ __noinline__", name, name, name);
  for (int i = 0; i < k->n; i++)
    if (percent(60))
      each_part(&k->member[i], "", i, say_change);
  say("\n  return s;\n}\n");
}

void structs_define(int kernel, int n) {
  kernel_number = kernel;
  nkinds = 0;
  for (int i = 0; i < n; i++) {
    struct Kind *k = &kinds[i];
    k->packed = percent(25);
    k->n = 1 + below(MEMBERS);
    k->has_bits = k->has_half = false;
    for (int j = 0; j < k->n; j++) {
      const Member m = k->member[j] = some_member(k->packed, j);
      k->has_half |= HALVES >> m.type & 1;
      k->has_bits |= m.sort == BITS || (m.sort == NESTED && kinds[m.length].has_bits);
    }
    say_kind(i);
    nkinds++;
  }
}
int structs_bytes(void) { return nkinds ? LARGEST : 0; }

/* ---- variables s0, s1 ... and the statements that use them ----------------------------------- */
static bool packed_now;
static void declare_part(const Member *m, const char *name) {
  if (m->sort != NESTED)
    declare(m->type, m->sort == BITS || packed_now ? WRITE : ADDRESS, "%s", name);
}
void structs_variables(void) {
  now.structs = true;
  for (int i = 0; i < nkinds; i++) {
    char prefix[8];
    line();
    say("S%d_%d s%d(", kernel_number, i, i);
    expression(U64, 2);
    say(");");
    snprintf(prefix, sizeof prefix, "s%d.", i);
    packed_now = kinds[i].packed;
    for (int j = 0; j < kinds[i].n; j++)
      each_part(&kinds[i].member[j], prefix, j, declare_part);
  }
}

void structs_statement(void) {
  static const struct {
    int weight;
    unsigned needs;
    const char *text;
  } rows[] = {
      {3, 0, "s? = changed(s?, $u64);"},
      {3, 0, "s? = lesser(s?, $u64);"},
      {2, 0, "s? = $bool ? lesser(s?, $u64) : S(less(s?, S($u64)));"},
      {3, 0, "@u64 = digest(s?);"},
      {2, 0, "{ S #t = s?; s? = changed(#t, $u64); if (less(s?, #t)) s? = #t; }"},
      {3, 0,
       "{ S #a[3] = {s?, S($u64), s?}; #a[$u32 % 3] = changed(s?, $u64); s? = #a[$u32 % 3]; }"},
      {1, 0, "{ S #t; memcpy(&#t, &s?, sizeof #t); s? = lesser(#t, $u64); }"},
      {3, KERNEL, "OWN_STRUCT(S, ?) = s?; s? = changed(OWN_STRUCT(S, ?), $u64);"},
      {2, 0, "{ S #a($u64), *#p = $bool ? &s? : &#a; *#p = S($u64); s? = changed(#a, $u64); }"},
      {2, KERNEL,
       "{ S #t(in.longs[$u32 % 512]); OWN_STRUCT(S, ?) = #t; if ($bool) s? = OWN_STRUCT(S, ?); }"},
      {8, KERNEL | BLOCK,
       "{ S *#s = (S *)shared_memory; #s[tid] = s?; __syncthreads(); s? = #s[$u32 % nthr]; @u64 = "
       "digest(#s[$u32 % nthr]); __syncthreads(); }"},
      {3, KERNEL | BLOCK,
       "{ S *#s = (S *)shared_memory; #s[tid] = lesser(s?, $u64); __syncthreads(); if ($bool) s? = "
       "changed(#s[$u32 % nthr], $u64); __syncthreads(); }"},
      {4, KERNEL | BLOCK | FULL | GROUPS_,
       "{ auto #t = cg::tiled_partition<32>(cg::this_thread_block()); s? = shuffled(#t, s?, $u32 & "
       "31); }"},
  };
  enum { ROWS = sizeof rows / sizeof *rows };
  if (nkinds == 0 || !now.structs) {
    expand("@u64 = $u64;", U64, 3);
    return;
  }
  int sum = 0, chosen = 0, kind = below(nkinds);
  /* nvcc assumes that packed structs in a local array are aligned. Therefore rows with a local
   * array are excluded if the struct is packed. */
#define STANDS(row)                                                                                \
  (!((row).needs & ~now.features) && !(kinds[kind].packed && strstr((row).text, "[3]")))
  for (int i = 0; i < ROWS; i++)
    sum += STANDS(rows[i]) ? rows[i].weight : 0;
  for (int left = below(sum);; chosen++)
    if (STANDS(rows[chosen]) && (left -= rows[chosen].weight) < 0)
      break;
  /* In the text, ? is replaced by the number of the struct type, and S by its name. */
  char text[512], *at = text, name[16];
  snprintf(name, sizeof name, "S%d_%d", kernel_number, kind);
  for (const char *c = rows[chosen].text; *c; c++)
    if (*c == '?' && (c[-1] == 's' || c[1] == ')'))
      at += sprintf(at, "%d", kind);
    else if (*c == 'S' && strchr(" (,", c[-1]) && strchr(" (,)", c[1]))
      at += sprintf(at, "%s", name);
    else
      *at++ = *c;
  *at = 0;
  expand(text, U32, 3);
}
