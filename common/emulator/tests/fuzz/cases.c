/* Writes a case: its device functions and variables, one to three kernels, each of which reads the
 * output of the previous kernel, and the function that launches them. A case is in its own
 * namespace and independent of other cases. Therefore `--kernel K` writes the same code for one
 * case alone. */
#include <stdio.h>

#include "fuzz.h"

static const unsigned held = KERNEL | WARP | BLOCK | GRID | FULL | BREAKS | RETURNS | PRINTS;

static void say_type_and_name(Type type, const char *name, int number) {
  say("%s %s%d", type_name[type], name, number);
}

/* ---- functions and variables of kernels ------------------------------------------------------ */
static void table(const char *qualifier, const char *name, Type type, int length) {
  Now outer = now;
  now.budget = 0;
  say("%s %s %s[%d] = {", qualifier, type_name[type], name, length);
  scope_clear();
  for (int i = 0; i < length; i++) {
    say(i ? ", " : "");
    if (type == F32 || type == F64) {
      int eighths = below(8);
      say("%d.%03d", below(2000) - 1000, 125 * eighths);
    } else {
      expression(type, 0);
    }
  }
  say("};\n");
  now = outer;
}

static struct Table {
  const char *name;
  Type type;
  int length;
} tables[] = {{"constants", U32, 16}, {"reals", F32, 5}, {"longs", I64, 8}, {"octets", U8, 7}};
enum { TABLES = sizeof tables / sizeof *tables };

static void say_tables(void) {
  for (int i = 0; i < TABLES; i++)
    table(i == 2 ? "__device__" : "__constant__", tables[i].name, tables[i].type, tables[i].length);
}
static void tables_in_scope(void) {
  for (int i = 0; i < TABLES; i++)
    declare_array(tables[i].type, READ, tables[i].length, "%s", tables[i].name);
}

/* Declares at least one variable of each type, and two of the common types. */
static void variables(const char *from) {
  for (int t = 0; t < TYPES; t++)
    for (int i = 0; now.types >> t & 1 && i < (t >= U32 && t != F16 && t != BF16 ? 2 : 1); i++) {
      line();
      say("%s %s_%d = from_seed<%s>(next_of(%s + %d));", type_name[t], type_name[t], i,
          type_name[t], from, t * 3 + i);
    }
  for (int t = 0; t < TYPES; t++)
    for (int i = 0; now.types >> t & 1 && i < (t >= U32 && t != F16 && t != BF16 ? 2 : 1); i++)
      declare((Type)t, ADDRESS, "%s_%d", type_name[t], i);
}

static void function(int number, int kind) {
  char name[24];
  Type result = some_type(), parameter[3];
  int n = 1 + below(3), mark = scope_mark();
  snprintf(name, sizeof name, "f%d", number);
  for (int i = 0; i < n; i++)
    parameter[i] = some_type();
  if (kind == 2)
    result = parameter[0] = U32;
  say("__device__ %s%s %s(", kind ? "__noinline__ " : "", type_name[result], name);
  for (int i = 0; i < n; i++) {
    say(i ? ", " : "");
    say_type_and_name(parameter[i], "p", i);
  }
  say(kind == 2 ? ", int depth = 0) {" : ") {");
  indent(1);
  tables_in_scope();
  line();
  say("u64 h = %d;", number);
  for (int i = 0; i < n; i++) {
    declare(parameter[i], ADDRESS, "p%d", i);
    line();
    say("h = mix(h, word64(p%d));", i);
  }
  variables("h");
  now.structs = false;
  if (percent(50))
    structs_variables();
  if (kind == 2) {
    line();
    say("if (depth < %d && (p0 & 3)) p0 ^= %s(p0 * 7u + 1u", 2 + below(4), name);
    for (int i = 1; i < n; i++)
      say(", p%d", i);
    say(", depth + 1);");
  }
  statements(1 + below(4));
  line();
  say("return ");
  expression(result, 3);
  indent(-1);
  say(";\n}\n");
  scope_back(mark);
  declare_function(result, name, n, parameter);
}

/* Writes functions that are called through a table of pointers, and through a pointer in an
 * object. */
static void indirect_functions(void) {
  static const Type words[] = {U32, U32};
  for (int i = 0; i < 3; i++) {
    int mark = scope_mark();
    say("__device__ __noinline__ u32 way%d(u32 a, u32 b) { return ", i);
    declare(U32, READ, "a");
    declare(U32, READ, "b");
    unsigned types = now.types;
    now.types = ALL & ~(unsigned)(HALVES & ~types);
    expression(U32, 3);
    say("; }\n");
    scope_back(mark);
  }
  say("__device__ u32 (*const ways[])(u32, u32) = {way0, way1, way2};\n"
      "D u32 pointed(u32 a, u32 b) { return ways[a %% 3u](b, a); }\n"
      "struct Base { __device__ virtual u32 of(u32 a) const { return a * 3u; } u32 own; };\n"
      "struct Left : Base { __device__ u32 of(u32 a) const override { return way1(a, own); } };\n"
      "struct Right : Left { __device__ u32 of(u32 a) const override { return way2(own, a) + "
      "Left::of(a); } u64 more; };\n"
      "__device__ __noinline__ u32 asked(const Base *object, u32 a) { return object->of(a); }\n"
      "D u32 virtual_(u32 a, u32 b) { Base x; Left y; Right z; x.own = y.own = z.own = a; return "
      "asked(b %% 3u == 0 ? &x : b %% 3u == 1 ? &y : (const Base *)&z, b); }\n");
  declare_function(U32, "pointed", 2, words);
  declare_function(U32, "virtual_", 2, words);
}

/* ---- a kernel -------------------------------------------------------------------------------- */
typedef struct Shape {
  int x, y, z, bx, by;
} Shape;

static Shape some_shape(void) {
  static const Shape shapes[] = {{32, 1, 1, 3, 1},  {64, 1, 1, 2, 1}, {96, 1, 1, 2, 1},
                                 {128, 1, 1, 2, 1}, {16, 4, 1, 2, 2}, {8, 4, 2, 3, 1},
                                 {48, 1, 1, 2, 1},  {20, 1, 1, 3, 1}, {10, 5, 1, 2, 1},
                                 {33, 2, 1, 2, 1},  {32, 2, 1, 1, 2}, {4, 4, 4, 2, 1}};
  return shapes[below(sizeof shapes / sizeof *shapes)];
}

static void report(Type type, const char *name) {
  (void)type;
  line();
  say("h = mix(h, word64(%s));", name);
}

static void kernel(int kernel_number, int number, unsigned features, bool has_struct) {
  say("__global__ void %sk%d(const In in, const u32 extra, const f64 wide, const u8 narrow%s) {",
      percent(20) ? "__launch_bounds__(256) " : "", number,
      has_struct ? ", const Given given" : "");
  indent(1);
  line();
  say("THREAD;");
  if (features & BLOCK) {
    line();
    say(number % 2 ? "extern __shared__ __align__(16) u8 shared_memory[];"
                   : "__shared__ __align__(16) u8 shared_memory[SHARED_BYTES];");
  }
  int mark = scope_mark();
  tables_in_scope();
  declare(U32, READ, "extra");
  declare(F64, READ, "wide");
  declare(U8, READ, "narrow");
  variables("in.longs[gid & 511] + gid + extra");
  now.features = (now.features & ~held) | features;
  structs_variables();
  if (has_struct) {
    line();
    say("if (less(s0, given) == (gid & 1)) s0 = given;");
  }
  line();
  say("u64 h = mix(gid, in.before[gid] + %d);", kernel_number * 8 + number);
  statements(8 + below(8));
  each_scalar(report);
  line();
  say("in.out[gid] = h;");
  indent(-1);
  say("\n}\n");
  scope_back(mark);
}

static unsigned some_features(Shape shape) {
  unsigned features = KERNEL;
  if (shape.x * shape.y * shape.z % 32 == 0)
    features |= FULL;
  if (percent(25))
    return features | RETURNS;
  return features | WARP | BLOCK;
}

void write_case(int number) {
  scope_clear();
  now.budget = 150;
  now.loops = 1;
  now.features &= ~held;
  bool has_struct = percent(60), prints = percent(12);
  int nkernels = 1 + below(3) / 2 + below(3) / 2, sizes[3];
  say("\n/* ---- kernel %d ---- */\nnamespace c%d {\n", number, number);
  say_tables();
  scope_clear();
  forms_declare((int)(chance() % (unsigned)forms_count()), 4);
  if (has_struct)
    structs_define(number, 1 + below(3));
  else
    structs_define(number, 0);
  if (has_struct)
    say("typedef S%d_0 Given;\n", number);
  for (int i = 0, n = below(4); i < n; i++)
    function(i, below(3));
  if (percent(25))
    indirect_functions();
  Shape shape = some_shape();
  int threads = shape.x * shape.y * shape.z;
  bool cooperative = (now.features & GROUPS_) && percent(30);
  for (int i = 0; i < nkernels; i++) {
    now.budget = 320 / (nkernels + 1);
    now.loops = 0;
    unsigned features = some_features(shape) | (prints ? PRINTS : 0);
    if (cooperative)
      features = (features & ~(unsigned)RETURNS) | WARP | BLOCK | GRID;
    sizes[i] = 1 + below(1000);
    kernel(number, i, features, has_struct);
  }
  say("static void run() {\n  In in = begin(%d, %d, %d%s);\n", threads * shape.bx * shape.by,
      below(4), nkernels, prints ? ", true" : "");
  for (int i = 0; i < nkernels; i++) {
    if (i)
      say("  next(in, %d);\n", i);
    int byte = below(256);
    say("  launch(%s, k%d, dim3(%d, %d), dim3(%d, %d, %d), %s, in, %du, %d.25, (u8)%d%s);\n",
        cooperative ? "true" : "false", i, shape.bx, shape.by, shape.x, shape.y, shape.z,
        i % 2 ? "SHARED_BYTES" : "0", sizes[i], below(1000) - 500, byte,
        has_struct ? ", Given(77)" : "");
    if (percent(20) && i + 1 < nkernels)
      say("  change(constants);\n");
  }
  say("  finish(%d);\n}\n} // namespace c%d\n", number, number);
}
