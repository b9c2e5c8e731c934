/* Compares the results of every row of arithmetic.def with those of an H200 (values_h200.txt,
 * written by values_record.c). The results must be equal bit for bit, except approximations, which
 * must be within the bounds of the PTX manual.
 *
 *   values_test --all FILE      writes all results of the emulated device, as values_record does
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "cuda_runtime_api.h"
#include "ptx/program.h"
#include "values.h"

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFunction(void **module, const char *host, char *device, const char *name, int,
                            void *, void *, void *, void *, int *);

static const char recorded_file[] = "common/emulator/tests/values_h200.txt";
typedef struct Recorded {
  Form form;
  Results results;
  /* The name of the form's kernel. */
  char name[16];
} Recorded;
static Recorded *recorded;
static size_t nrecorded;
static uint64_t *operands, *operands_there, *results, *results_there;

/* ---- the recorded forms, and one module with a kernel for each ------------------------------- */
static bool read_form(char *line, Recorded *one) {
  char *at = values_read(line, &one->form);
  for (unsigned i = 0; at && i < SHOWN; i++)
    one->results.shown[i] = strtoull(at, &at, 16);
  for (unsigned i = 0; at && i < GROUPS; i++)
    one->results.hash[i] = (uint32_t)strtoul(at, &at, 16);
  return at != NULL;
}

static int read_recorded(void **state) {
  char line[512];
  FILE *file = fopen(recorded_file, "r");
  (void)state;
  if (!file)
    return -1;
  while (fgets(line, sizeof line, file)) {
    if (nrecorded % 256 == 0)
      recorded = realloc(recorded, (nrecorded + 256) * sizeof *recorded);
    if (!recorded || !read_form(line, &recorded[nrecorded]))
      return -1;
    snprintf(recorded[nrecorded].name, sizeof recorded->name, "f%zu", nrecorded);
    nrecorded++;
  }
  return fclose(file);
}

/* Loads `count` forms as one module. Modules are small, because each launch searches all functions
 * of its module. */
static int load_module(Recorded *first, size_t count) {
  struct {
    int magic, version;
    const void *data;
    void *file;
  } wrapper = {0x466243b1, 1, NULL, NULL};
  char *text = malloc(200 + count * 4096), *at = text;
  if (!text)
    return -1;
  at += sprintf(at, ".version 8.5\n.target sm_90\n.address_size 64\n");
  for (size_t i = 0; i < count; i++)
    at += values_kernel(at, &first[i].form, first[i].name);
  wrapper.data = text;
  void **module = __cudaRegisterFatBinary(&wrapper);
  for (size_t i = 0; i < count; i++)
    __cudaRegisterFunction(module, first[i].name, first[i].name, first[i].name, -1, NULL, NULL,
                           NULL, NULL, NULL);
  return 0;
}

static int load_kernels(void **state) {
  enum { FORMS = 16 };
  if (read_recorded(state))
    return -1;
  for (size_t i = 0; i < nrecorded; i += FORMS)
    if (load_module(&recorded[i], nrecorded - i < FORMS ? nrecorded - i : FORMS))
      return -1;
  operands = malloc(VECTORS * 32);
  results = malloc(VECTORS * 8);
  return !operands || !results || cudaMalloc((void **)&operands_there, VECTORS * 32) ||
         cudaMalloc((void **)&results_there, VECTORS * 8);
}

static int free_memory(void **state) {
  (void)state;
  free(operands);
  free(results);
  free(recorded);
  return cudaFree(operands_there) || cudaFree(results_there);
}

static bool compute(const Recorded *one) {
  static const Form *filled;
  void *arguments[] = {&operands_there, &results_there};
  if (!filled ||
      memcmp(filled->type[1], one->form.type[1], sizeof one->form.type - sizeof *one->form.type)) {
    filled = &one->form;
    values_fill(operands, filled);
    cudaMemcpy(operands_there, operands, VECTORS * 32, cudaMemcpyHostToDevice);
  }
  return !cudaLaunchKernel(one->name, (dim3){VECTORS / THREADS, 1, 1}, (dim3){THREADS, 1, 1},
                           arguments, 0, NULL) &&
         !cudaMemcpy(results, results_there, VECTORS * 8, cudaMemcpyDeviceToHost);
}

/* ---- bit for bit ----------------------------------------------------------------------------- */
static void describe(const Recorded *one, const Results *found) {
  print_error("%s\n", one->form.text);
  for (unsigned i = 0; i < SHOWN; i++)
    if (found->shown[i] != one->results.shown[i])
      print_error("  of %llx %llx %llx %llx: %llx, an H200 says %llx\n",
                  (unsigned long long)operands[4 * i], (unsigned long long)operands[4 * i + 1],
                  (unsigned long long)operands[4 * i + 2], (unsigned long long)operands[4 * i + 3],
                  (unsigned long long)found->shown[i], (unsigned long long)one->results.shown[i]);
  for (unsigned i = 0; i < GROUPS; i++)
    if (found->hash[i] != one->results.hash[i])
      print_error("  differs among operands %u to %u\n", i * (VECTORS / GROUPS),
                  (i + 1) * (VECTORS / GROUPS) - 1);
}

static void values_are_those_of_a_gpu(void **state) {
  unsigned different = 0;
  (void)state;
  for (size_t i = 0; i < nrecorded; i++) {
    if (values_approximate(&recorded[i].form))
      continue;
    bool computed = compute(&recorded[i]);
    Results found = values_summary(results, &recorded[i].form);
    if (computed && !memcmp(found.hash, recorded[i].results.hash, sizeof found.hash))
      continue;
    different++;
    if (computed)
      describe(&recorded[i], &found);
    else
      print_error("%s: refused\n", recorded[i].form.text);
  }
  assert_int_equal(different, 0);
}

/* ---- approximations -------------------------------------------------------------------------- */
static double quotient(double a, double b) { return a / b; }
static double reciprocal(double a, double b) { return (void)b, 1 / a; }
static double root(double a, double b) { return (void)b, sqrt(a); }
static double reciprocal_root(double a, double b) { return (void)b, 1 / sqrt(a); }
static double sine(double a, double b) { return (void)b, sin(a); }
static double cosine(double a, double b) { return (void)b, cos(a); }
static double logarithm(double a, double b) { return (void)b, log2(a); }
static double power(double a, double b) { return (void)b, exp2(a); }
static double tangent(double a, double b) { return (void)b, tanh(a); }

/* Bounds of the error for operands up to `most`. Either the relative or the absolute bound must
 * hold. */
static const struct Bound {
  const char *name, *type;
  double (*exact)(double, double);
  double relative, absolute, most;
} bounds[] = {{"div.approx", "f32", quotient, 0x1p-22, 0, 0x1p126},
              {"div.full", "f32", quotient, 0x1p-22, 0, HUGE_VAL},
              {"rcp", "f32", reciprocal, 0x1p-23, 0, HUGE_VAL},
              {"rcp", "f64", reciprocal, 0x1p-20, 0, HUGE_VAL},
              {"sqrt", "f32", root, 0x1p-23, 0, HUGE_VAL},
              {"rsqrt", "f32", reciprocal_root, 0x1p-22, 0, HUGE_VAL},
              {"rsqrt", "f64", reciprocal_root, 0x1p-20, 0, HUGE_VAL},
              {"sin", "f32", sine, 0, 0x1p-20, M_PI},
              {"cos", "f32", cosine, 0, 0x1p-20, M_PI},
              {"lg2", "f32", logarithm, 0x1p-22, 0x1p-22, HUGE_VAL},
              {"ex2", "f32", power, 0x1p-22, 0, HUGE_VAL},
              {"ex2", "f16", power, 0x1p-9, 0x1p-24, HUGE_VAL},
              {"ex2", "bf16", power, 0x1p-7, 0, HUGE_VAL},
              {"tanh", "f32", tangent, 0x1p-11, 0, HUGE_VAL},
              {"tanh", "f16", tangent, 0x1p-10, 0x1p-24, HUGE_VAL},
              {"tanh", "bf16", tangent, 0x1p-8, 0, HUGE_VAL}};

static double number(const char *type, uint64_t bits) {
  const Kind *kind = values_kind(type);
  unsigned width = kind->bits - 1, fraction = kind->fraction;
  uint64_t exponent = bits >> fraction & ((UINT64_C(1) << (width - fraction)) - 1);
  uint64_t digits = bits & ((UINT64_C(1) << fraction) - 1), last = UINT64_C(1) << fraction;
  int bias = (1 << (width - fraction - 1)) - 1;
  double value = exponent == (uint64_t)(2 * bias + 1) ? (digits ? NAN : HUGE_VAL)
                 : exponent ? ldexp((double)(digits | last), (int)exponent - bias - (int)fraction)
                            : ldexp((double)digits, 1 - bias - (int)fraction);
  return bits >> width & 1 ? -value : value;
}

static double flushed(const Form *form, const char *type, double value) {
  bool tiny = !strcmp(type, "f64") ? fabs(value) < 0x1p-1022 : fabs(value) < 0x1p-126;
  return tiny && strstr(form->text, ".ftz") ? copysign(0, value) : value;
}

static bool within(const Form *form, const struct Bound *bound, const char *type, uint64_t a,
                   uint64_t b, uint64_t d) {
  double x = flushed(form, type, number(type, a));
  double y = form->type[2][0] ? flushed(form, type, number(type, b)) : 0;
  double exact = bound->exact(x, y), got = number(type, d);
  if (strstr(form->text, ".sat"))
    exact = exact > 0 ? fmin(exact, 1) : 0;
  double most = !strcmp(type, "f16") ? 65520 : strcmp(type, "f64") ? 0x1.ffffffp127 : HUGE_VAL;
  if (fabs(form->type[2][0] ? y : x) > bound->most || (isnan(exact) && isnan(got)))
    return true;
  if (fabs(exact) >= most * (1 - bound->relative) && isinf(got) && signbit(got) == signbit(exact))
    return true;
  if (got == exact || fabs(got - exact) <= fmax(fabs(exact) * bound->relative, bound->absolute))
    return true;
  if (flushed(form, type, exact) != exact ||
      fabs(exact) < 0x1p-125) /* subnormal results may lose their last digits */
    return fabs(got - exact) <=
           0x1p-125 * bound->relative + 0x1p-126 * (strstr(form->text, ".ftz") != NULL) + 0x1p-133;
  return false;
}

static const struct Bound *find_bound(const Form *form, const char *type) {
  for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
    size_t length = strlen(bounds[i].name);
    if (!strncmp(form->text, bounds[i].name, length) && form->text[length] == '.' &&
        !strcmp(type, bounds[i].type))
      return &bounds[i];
  }
  return NULL;
}

static void approximations_are_within_their_bounds(void **state) {
  unsigned wrong = 0, tested = 0;
  (void)state;
  for (size_t k = 0; k < nrecorded; k++) {
    const Form *form = &recorded[k].form;
    if (!values_approximate(form))
      continue;
    char type[8];
    unsigned halves = strstr(form->type[0], "x2") ? 2 : 1, worst = 0;
    snprintf(type, sizeof type, "%.*s", (int)(strlen(form->type[0]) - (halves - 1) * 2),
             form->type[0]);
    const struct Bound *bound = find_bound(form, type);
    assert_non_null(bound);
    assert_true(compute(&recorded[k]));
    tested++;
    for (unsigned i = 0; i < VECTORS * halves; i++) {
      unsigned at = i / halves, shift = i % halves * 16;
      uint64_t width = values_kind(type)->bits,
               ones = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
      uint64_t a = operands[4 * at] >> shift & ones, b = operands[4 * at + 1] >> shift & ones;
      uint64_t d = results[at] >> shift & ones;
      if (!within(form, bound, type, a, b, d) && worst++ < 3)
        print_error("%s of %llx, %llx: %llx is %g, not %g\n", form->text, (unsigned long long)a,
                    (unsigned long long)b, (unsigned long long)d, number(type, d),
                    bound->exact(number(type, a), number(type, b)));
    }
    wrong += worst != 0;
  }
  assert_int_equal(wrong, 0);
  assert_true(tested > 20);
}

/* ---- every row has recorded values ----------------------------------------------------------- */
/* Marks the rows of arithmetic.def that a form is decoded to. The kernel has no other
 * instructions. */
static void note_rows(const Form *form, bool *seen) {
  char text[1024], error[200];
  int at = sprintf(text, ".version 8.5\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n");
  at += (int)values_declarations(text + at);
  at += (int)values_instruction(text + at, form);
  sprintf(text + at, "ret;\n}\n");
  PtxModule *module = ptx_load(text, strlen(text), error, sizeof error);
  assert_non_null(module);
  const PtxFunction *function = ptx_find(module, "k");
  for (uint32_t i = 0; i < function->ncode; i++)
    if (function->code[i].form == PTX_ALU)
      seen[function->code[i].op] = true;
  ptx_free(module);
}

static void every_row_has_values(void **state) {
  static bool seen[PTX_OP_COUNT];
  unsigned missing = 0;
  (void)state;
  for (size_t i = 0; i < nrecorded; i++)
    note_rows(&recorded[i].form, seen);
  for (unsigned op = 0; op < PTX_OP_COUNT; op++) {
    const char *name = ptx_op_name((PtxOp)op);
    bool address =
        /* results are addresses, which differ from those of a GPU */
        !strncmp(name, "cvta", 4) || !strncmp(name, "isspacep", 8);
    if (seen[op] || address)
      continue;
    print_error("%s: no values in %s; values_record.c says how to record them\n", name,
                recorded_file);
    missing++;
  }
  assert_int_equal(missing, 0);
}

static int write_all(const char *path) {
  FILE *file = fopen(path, "wb");
  if (!file || load_kernels(NULL))
    return 2;
  for (size_t i = 0; i < nrecorded; i++) {
    if (!compute(&recorded[i]))
      memset(results, 0xee, VECTORS * 8);
    fwrite(results, 8, VECTORS, file);
  }
  return fclose(file) ? 2 : 0;
}

int main(int argc, char **argv) {
  if (argc == 3 && !strcmp(argv[1], "--all"))
    return write_all(argv[2]);
  setenv("LOCKSTEP_CHECKS", "0", 1); /* values only */
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_has_values),
      cmocka_unit_test(values_are_those_of_a_gpu),
      cmocka_unit_test(approximations_are_within_their_bounds),
  };
  return cmocka_run_group_tests(tests, load_kernels, free_memory);
}
