/* Records the results of a GPU for every row of arithmetic.def with every modifier that its driver
 * accepts, and for forms that the decoder builds from several rows. values_test.c compares the
 * emulated device with these results.
 *
 *   values_record >values_h200.txt    needs a GPU of compute capability 9.0 and only its driver
 *   values_record --all FILE          also writes all results to FILE: VECTORS u64 for each form
 *   values_record --ptx               prints the kernels of all forms as PTX, runs nothing
 */
#include <dlfcn.h>

#include "values.h"

/* ---- the list of forms ----------------------------------------------------------------------- */
static Form *forms;
static size_t nforms;

static void add_form(const char *text, const char *const *type) {
  if (nforms % 1024 == 0)
    forms = realloc(forms, (nforms + 1024) * sizeof *forms);
  if (!forms)
    abort();
  Form *form = &forms[nforms++];
  memset(form, 0, sizeof *form);
  snprintf(form->text, sizeof form->text, "%s", text);
  for (unsigned i = 0; i < OPERANDS && type[i] && strcmp(type[i], "none"); i++)
    snprintf(form->type[i], sizeof form->type[i], "%s", strcmp(type[i], "r32") ? type[i] : "f32");
}

static bool begins_with_one_of(const char *text,
                               const char *list) { /* list: "add sub" matches whole mnemonics */
  size_t length = strcspn(text, ".");
  for (const char *word = list; *word; word += strspn(word, " ")) {
    size_t n = strcspn(word, " ");
    if (n == length && !memcmp(word, text, n))
      return true;
    word += n;
  }
  return false;
}

static bool is_floating(const char *type) { return strchr("fbr", type[0]) != NULL; }

/* Adds a form with modifiers: the rounding mode after the mnemonic, .ftz after the rounding mode,
 * .sat before the types. */
static void add_modified(const char *spelling, const char *rounding, const char *flush,
                         const char *clamp, const char *operands, const char *const *type) {
  char text[160];
  size_t mnemonic = strcspn(spelling, "."), types = mnemonic;
  const char *whole[] = {".rni", ".rzi", ".rmi", ".rpi"};
  for (int i = 0; i < 4; i++)
    if (!strncmp(spelling + mnemonic, whole[i], 4))
      types += 4;
  if (begins_with_one_of(spelling, "setp"))
    types += 1 + strcspn(spelling + types + 1, ".");
  snprintf(text, sizeof text, "%.*s%s%.*s%s%s%s %s", (int)mnemonic, spelling, rounding,
           (int)(types - mnemonic), spelling + mnemonic, flush, clamp, spelling + types, operands);
  add_form(text, type);
}

static void add_row(const char *spelling, const char *kind, const char *const *row_type) {
  const char *type[OPERANDS] = {row_type[0], row_type[1], row_type[2], row_type[3], NULL};
  const char *operands = !strcmp(row_type[2], "none")   ? "d, a"
                         : !strcmp(row_type[3], "none") ? "d, a, b"
                                                        : "d, a, b, c";
  if (begins_with_one_of(spelling, "cvta isspacep bfi") ||
      (spelling[0] == 'v' && spelling[1] != 'o'))
    /* add_others adds forms with more operands or more parts of the opcode than their row.
     * Operations on addresses are not recorded. */
    return;
  if (!strcmp(kind, "LOGIC") && begins_with_one_of(spelling, "mov not"))
    operands = "d, a", type[2] = NULL;
  if (begins_with_one_of(spelling, "lop3")) {
    static const char *const tables[] = {"0x96", "0xe8", "0x1e", "0x2d", "0xca",
                                         "0xfe", "0x80", "0x01", "0x35"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
      char text[100];
      snprintf(text, sizeof text, "%s d, a, b, c, %s", spelling, tables[i]);
      add_form(text, type);
    }
    return;
  }
  bool floats = is_floating(type[0]) || is_floating(type[1]), to_float = is_floating(type[0]);
  bool whole = strstr(spelling, ".rni") || strstr(spelling, ".rzi") || strstr(spelling, ".rmi") ||
               strstr(spelling, ".rpi");
  static const char *const roundings[] = {"", ".rn", ".rz", ".rm", ".rp", ".approx", ".full"};
  bool narrow =
      /* arithmetic on 16-bit floats only rounds to nearest */
      strstr(row_type[1], "f16") && !begins_with_one_of(spelling, "cvt");
  bool has_rounding = floats &&
                      begins_with_one_of(spelling, "add sub mul fma mad div rcp sqrt cvt") &&
                      !whole && !strstr(spelling, ".rna");
  bool approximates =
      floats && begins_with_one_of(spelling, "div rcp sqrt rsqrt ex2 lg2 sin cos tanh");
  for (int r = 0; r < 7; r++) {
    bool bare_cvt = r == 0 && begins_with_one_of(spelling, "cvt");
    if (!(r == 0  ? bare_cvt || (!has_rounding && !approximates)
          : r < 5 ? has_rounding && !(narrow && r > 1)
                  : approximates))
      continue;
    bool flushes = floats && (r == 5 || !strstr(spelling, ".f64") || strstr(spelling, ".f32"));
    for (int f = 0; f < (flushes ? 2 : 1); f++)
      for (int s = 0; s < (to_float || whole ? 2 : 1); s++)
        add_modified(spelling, roundings[r], f ? ".ftz" : "", s ? ".sat" : "", operands, type);
  }
}

static void add_rows(void) {
#define PTX_ROW(id, spelling, kind, D, A, B, C, flop, meaning)                                     \
  add_row(spelling, #kind, (const char *const[]){#D, #A, #B, #C});
#include "../ptx/arithmetic.def"
}

/* Adds forms that have more operands or parts of the opcode than a row of arithmetic.def. */
static void add_others(void) {
  static const struct {
    const char *text, *type[OPERANDS + 1];
  } others[] = {
      {"bfi.b32 d, a, b, c, e", {"u32", "u32", "u32", "u32", "u32"}},
      {"bfi.b32 d, a, b, 5, 9", {"u32", "u32", "u32"}},
      {"bfi.b64 d, a, b, c, e", {"u64", "u64", "u64", "u32", "u32"}},
      {"bfi.b64 d, a, b, 30, e", {"u64", "u64", "u64", "u32", "u32"}},
      {"{ add.cc.u32 d, a, b; addc.u32 d, c, e; }", {"u32", "u32", "u32", "u32", "u32"}},
      {"{ add.cc.u64 d, a, b; addc.u64 d, c, e; }", {"u64", "u64", "u64", "u64", "u64"}},
      {"{ add.cc.s64 d, a, b; addc.cc.s64 d, d, c; addc.u64 d, 0, e; }",
       {"u64", "u64", "u64", "u64", "u64"}},
      {"{ sub.cc.u32 d, a, b; subc.u32 d, c, e; }", {"u32", "u32", "u32", "u32", "u32"}},
      {"{ sub.cc.u64 d, a, b; subc.cc.u64 d, c, e; subc.u64 d, d, 0; }",
       {"u64", "u64", "u64", "u64", "u64"}},
      {"{ mad.lo.cc.u32 d, a, b, c; madc.hi.u32 d, a, b, e; }",
       {"u32", "u32", "u32", "u32", "u32"}},
      {"{ mad.lo.cc.u64 d, a, b, c; madc.hi.u64 d, a, b, e; }",
       {"u64", "u64", "u64", "u64", "u64"}},
      {"{ mad.hi.cc.s32 d, a, b, c; addc.u32 d, 0, e; }", {"u32", "u32", "u32", "u32", "u32"}},
      {"lop3.or.b32 d|q, a, b, c, 0x1e, e", {"u32", "u32", "u32", "u32", "pred"}},
      {"{ setp.lt.s32 %p1, a, b; lop3.and.b32 d|q, a, b, c, 0x80, %p1; }",
       {"u32", "u32", "u32", "u32"}},
      {"{ setp.lt.s32 %p1, a, b; lop3.or.b32 d|q, a, b, c, 0x08, !%p1; }",
       {"u32", "u32", "u32", "u32"}},
      {"setp.lt.s32 d|q, a, b", {"pred", "s32", "s32"}},
      {"setp.ge.and.u64 d|q, a, b, c", {"pred", "u64", "u64", "pred"}},
      {"setp.neu.or.f32 d|q, a, b, !c", {"pred", "f32", "f32", "pred"}},
      {"setp.gtu.xor.f64 d, a, b, c", {"pred", "f64", "f64", "pred"}},
      {"setp.eq.and.ftz.f32 d, a, b, c", {"pred", "f32", "f32", "pred"}},
      {"setp.lt.f16x2 d|q, a, b", {"pred", "f16x2", "f16x2"}},
      {"setp.geu.ftz.f16x2 d|q, a, b", {"pred", "f16x2", "f16x2"}},
      {"setp.ne.and.f16x2 d|q, a, b, c", {"pred", "f16x2", "f16x2", "pred"}},
      {"setp.leu.bf16x2 d|q, a, b", {"pred", "bf16x2", "bf16x2"}},
      {"setp.num.xor.bf16x2 d|q, a, b, c", {"pred", "bf16x2", "bf16x2", "pred"}},
      {"set.lt.u32.s32 d, a, b", {"u32", "s32", "s32"}},
      {"set.hs.s32.u32 d, a, b", {"s32", "u32", "u32"}},
      {"set.ge.f32.s32 d, a, b", {"f32", "s32", "s32"}},
      {"set.eq.u32.b32 d, a, b", {"u32", "u32", "u32"}},
      {"set.ne.u32.b64 d, a, b", {"u32", "u64", "u64"}},
      {"set.le.s32.u16 d, a, b", {"u32", "u16", "u16"}},
      {"set.gt.f32.s16 d, a, b", {"f32", "s16", "s16"}},
      {"set.lt.u32.s64 d, a, b", {"u32", "s64", "s64"}},
      {"set.hi.f32.u64 d, a, b", {"f32", "u64", "u64"}},
      {"set.geu.u32.f32 d, a, b", {"u32", "f32", "f32"}},
      {"set.eq.ftz.s32.f32 d, a, b", {"s32", "f32", "f32"}},
      {"set.neu.f32.f32 d, a, b", {"f32", "f32", "f32"}},
      {"set.nan.s32.f64 d, a, b", {"s32", "f64", "f64"}},
      {"set.num.f32.f64 d, a, b", {"f32", "f64", "f64"}},
      {"set.lt.and.u32.f32 d, a, b, c", {"u32", "f32", "f32", "pred"}},
      {"set.lt.or.f32.s32 d, a, b, !c", {"f32", "s32", "s32", "pred"}},
      {"set.ltu.xor.s32.f64 d, a, b, c", {"s32", "f64", "f64", "pred"}},
      {"set.lt.f16.f16 d, a, b", {"f16", "f16", "f16"}},
      {"set.geu.ftz.f16.f16 d, a, b", {"f16", "f16", "f16"}},
      {"set.ne.u16.f16 d, a, b", {"u16", "f16", "f16"}},
      {"set.equ.s16.f16 d, a, b", {"u16", "f16", "f16"}},
      {"set.gt.u32.f16 d, a, b", {"u32", "f16", "f16"}},
      {"set.le.s32.f16 d, a, b", {"u32", "f16", "f16"}},
      {"set.lt.and.f16.f16 d, a, b, c", {"f16", "f16", "f16", "pred"}},
      {"set.lt.f16.s16 d, a, b", {"f16", "s16", "s16"}},
      {"set.eq.f16.u32 d, a, b", {"f16", "u32", "u32"}},
      {"set.nan.bf16.bf16 d, a, b", {"bf16", "bf16", "bf16"}},
      {"set.leu.u16.bf16 d, a, b", {"u16", "bf16", "bf16"}},
      {"set.lt.or.u32.bf16 d, a, b, c", {"u32", "bf16", "bf16", "pred"}},
      {"set.lt.s32.f16x2 d, a, b", {"u32", "f16x2", "f16x2"}},
#define VIDEO(op, types, rest, d, a, b, c)                                                         \
  {op types rest " d" d ", a" a ", b" b c, {"u32", "u32", "u32", "u32"}},
#define EACH_VIDEO(V) V("vadd") V("vsub") V("vabsdiff") V("vmin") V("vmax")
#define ONE(op)                                                                                    \
  VIDEO(op, ".u32.u32.u32", "", "", "", "", "")                                                    \
  VIDEO(op, ".s32.s32.s32", ".sat", "", "", "", "")                                                \
  VIDEO(op, ".u32.s32.u32", ".sat", "", ".b1", ".h0", "")                                          \
  VIDEO(op, ".s32.u32.s32", ".sat.add", "", ".b3", ".h1", ", c")                                   \
  VIDEO(op, ".u32.u32.u32", "", ".b2", "", "", ", c")                                              \
  VIDEO(op, ".s32.s32.u32", "", ".h0", ".b0", "", ", c")                                           \
  VIDEO(op, ".s32.s32.s32", "", ".b0", "", "", ", c")                                              \
  VIDEO(op, ".u32.s32.s32", "", ".b3", "", "", ", c")
#define THREE(op)                                                                                  \
  VIDEO(op, ".u32.u32.u32", ".min", "", "", "", ", c")                                             \
  VIDEO(op, ".u32.u32.u32", ".max", "", "", ".b1", ", c")                                          \
  VIDEO(op, ".s32.s32.s32", ".min", "", ".h1", "", ", c")                                          \
  VIDEO(op, ".s32.s32.s32", ".max", "", "", "", ", c")
      EACH_VIDEO(ONE) THREE("vmin") THREE("vmax") VIDEO("vset", ".u32.u32", ".lt", "", "", "", "")
          VIDEO("vset", ".s32.u32", ".ge", "", ".b3", "", "") VIDEO("vset", ".s32.s32", ".ne.add",
                                                                    "", ".b1", ".b2", ", c")
              VIDEO("vset", ".u32.s32", ".eq.min", "", "", "", ", c")
                  VIDEO("vset", ".s32.s32", ".le.max", "", ".h0", "", ", c")
                      VIDEO("vset", ".u32.u32", ".gt", ".h0", "", "", ", c")
                          VIDEO("vset", ".s32.u32", ".gt.max", "", "", "", ", c")
                              VIDEO("vset", ".u32.s32", ".ge.max", "", "", "", ", c")
#define SHIFTS(op)                                                                                 \
  VIDEO(op, ".u32.u32.u32", ".clamp", "", "", "", "")                                              \
  VIDEO(op, ".s32.s32.u32", ".wrap", "", "", "", "")                                               \
  VIDEO(op, ".s32.u32.u32", ".clamp", "", ".b1", ".b0", "")                                        \
  VIDEO(op, ".u32.s32.u32", ".wrap", "", "", ".b3", "")                                            \
  VIDEO(op, ".s32.s32.u32", ".wrap.add", "", "", "", ", c")                                        \
  VIDEO(op, ".u32.u32.u32", ".clamp", ".h0", "", "", ", c")
                                  SHIFTS("vshl") SHIFTS("vshr")
                                      VIDEO("vshr", ".u32.s32.u32", ".sat.wrap", "", "", ".b3", "")
                                          VIDEO("vshr", ".s32.u32.u32", ".sat.clamp", "", "", "",
                                                ""){"vmad.u32.u32.u32 d, a, b, c",
                                                    {"u32", "u32", "u32", "u32"}},
      {"vmad.s32.s32.s32.sat d, a, b, c", {"u32", "u32", "u32", "u32"}},
      {"vmad.s32.s32.s32 d, a.b1, b.h1, c", {"u32", "u32", "u32", "u32"}},
#define PARTS(op, n, mask, x, y)                                                                   \
  VIDEO(op n, ".u32.u32.u32", "", "", "", "", ", c")                                               \
  VIDEO(op n, ".s32.s32.s32", ".sat", "", "", "", ", c")                                           \
  VIDEO(op n, ".u32.s32.s32", ".sat", mask, x, y, ", c")                                           \
  VIDEO(op n, ".s32.u32.s32", "", "", y, x, ", c")                                                 \
  VIDEO(op n, ".u32.u32.u32", ".add", "", "", "", ", c")                                           \
  VIDEO(op n, ".s32.s32.s32", ".add", mask, y, "", ", c")
#define TWO_AND_FOUR(op)                                                                           \
  PARTS(op, "2", ".h1", ".h02", ".h31") PARTS(op, "4", ".b310", ".b7051", ".b6243")
      EACH_VIDEO(TWO_AND_FOUR) TWO_AND_FOUR("vavrg")
#define TESTS(op, n, mask, x, y)                                                                   \
  VIDEO(op n, ".u32.u32", ".lt", "", "", "", ", c")                                                \
  VIDEO(op n, ".s32.s32", ".ge", mask, x, y, ", c")                                                \
  VIDEO(op n, ".u32.s32", ".ne.add", "", "", "", ", c")                                            \
  VIDEO(op n, ".s32.u32", ".le.add", mask, y, x, ", c")
          TESTS("vset", "2", ".h0", ".h13", ".h20") TESTS("vset", "4", ".b2", ".b0123", ".b7654")};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    add_form(others[i].text, others[i].type);
}

/* ---- the functions of the GPU's driver, declared here because its headers may be missing ----- */
typedef uint64_t DevicePointer;
static int (*cuModuleLoadData)(void **module, const void *text);
static int (*cuModuleUnload)(void *module);
static int (*cuModuleGetFunction)(void **function, void *module, const char *name);
static int (*cuMemcpyHtoD)(DevicePointer to, const void *from, size_t bytes);
static int (*cuMemcpyDtoH)(void *to, DevicePointer from, size_t bytes);
static int (*cuLaunchKernel)(void *function, unsigned, unsigned, unsigned, unsigned, unsigned,
                             unsigned, unsigned shared, void *stream, void **arguments,
                             void **extra);
static DevicePointer operands_there, results_there;

static void must(int error, const char *what) {
  if (error) {
    fprintf(stderr, "values_record: %s: error %d\n", what, error);
    exit(2);
  }
}

static void open_device(void) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW), *context;
  if (!library) {
    fprintf(stderr, "values_record: %s\n", dlerror());
    exit(2);
  }
  int device;
#define FIND(name, symbol) *(void **)&name = dlsym(library, symbol)
  FIND(cuModuleLoadData, "cuModuleLoadData");
  FIND(cuModuleUnload, "cuModuleUnload");
  FIND(cuModuleGetFunction, "cuModuleGetFunction");
  FIND(cuMemcpyHtoD, "cuMemcpyHtoD_v2");
  FIND(cuMemcpyDtoH, "cuMemcpyDtoH_v2");
  FIND(cuLaunchKernel, "cuLaunchKernel");
  int (*cuInit)(unsigned), (*cuDeviceGet)(int *, int), (*cuDevicePrimaryCtxRetain)(void **, int),
      (*cuCtxSetCurrent)(void *), (*cuMemAlloc)(DevicePointer *, size_t);
  FIND(cuInit, "cuInit");
  FIND(cuDeviceGet, "cuDeviceGet");
  FIND(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
  FIND(cuCtxSetCurrent, "cuCtxSetCurrent");
  FIND(cuMemAlloc, "cuMemAlloc_v2");
  must(cuInit(0), "cuInit");
  must(cuDeviceGet(&device, 0), "cuDeviceGet");
  must(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  must(cuCtxSetCurrent(context), "cuCtxSetCurrent");
  must(cuMemAlloc(&operands_there, VECTORS * 32), "cuMemAlloc");
  must(cuMemAlloc(&results_there, VECTORS * 8), "cuMemAlloc");
}

/* Runs a form on the GPU. Returns false if the driver refuses it. */
static bool compute(const Form *form, uint64_t *results) {
  static uint64_t operands[VECTORS * 4];
  char text[8192];
  int start = sprintf(text, ".version 8.5\n.target sm_90\n.address_size 64\n");
  void *module, *function, *arguments[] = {&operands_there, &results_there};
  values_kernel(text + start, form, "k");
  if (cuModuleLoadData(&module, text))
    return false;
  values_fill(operands, form);
  must(cuModuleGetFunction(&function, module, "k"), form->text);
  must(cuMemcpyHtoD(operands_there, operands, sizeof operands), form->text);
  must(cuLaunchKernel(function, VECTORS / THREADS, 1, 1, THREADS, 1, 1, 0, NULL, arguments, NULL),
       form->text);
  must(cuMemcpyDtoH(results, results_there, VECTORS * sizeof *results), form->text);
  must(cuModuleUnload(module), form->text);
  return true;
}

int main(int argc, char **argv) {
  static uint64_t results[VECTORS];
  bool text_only = argc == 2 && !strcmp(argv[1], "--ptx");
  FILE *all = argc == 3 && !strcmp(argv[1], "--all") ? fopen(argv[2], "wb") : NULL;
  add_rows();
  add_others();
  if (text_only) {
    printf(".version 8.5\n.target sm_90\n.address_size 64\n");
    for (size_t i = 0; i < nforms; i++) {
      char text[8192], name[24];
      snprintf(name, sizeof name, "f%zu", i);
      values_kernel(text, &forms[i], name);
      printf("// %s;", forms[i].text);
      for (unsigned k = 0; k < OPERANDS && forms[i].type[k][0]; k++)
        printf(" %s", forms[i].type[k]);
      printf("\n%s", text);
    }
    return 0;
  }
  open_device();
  for (size_t i = 0; i < nforms; i++)
    if (compute(&forms[i], results)) {
      Results summary = values_summary(results, &forms[i]);
      values_print(stdout, &forms[i], &summary);
      if (all)
        fwrite(results, sizeof results, 1, all);
    }
  return all && fclose(all) ? 2 : 0;
}
