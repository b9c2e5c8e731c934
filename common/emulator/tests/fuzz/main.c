/* fuzz_generate: random CUDA programs for comparing devices and compilers.
 *
 *   fuzz_generate [--kernel K] [--kernels N] [--forms FILE] SEED >SEED.cu
 *
 * The program prints "kernel K: HASH" for each of its N cases (12), each of one to three kernels. It has no undefined
 * behaviour and no races, and uses what IEEE 754 and CUDA fix to the bit: the hashes are the same on every device
 * and for every compiler and option (but -use_fast_math and the like). `make fuzz-kernels` compares; what is recorded of
 * a GPU, tests/fuzz_h200.txt, is replayed in `make test`.
 *
 * Where two disagree on kernel K of a seed:
 *   fuzz_generate --kernel K SEED     writes that case alone, with the same code
 *   ./program K                       runs it alone and lists what it put out: first see which threads differ
 *   -DSEE when compiling              ./program K lists every value that a statement computed as well, as
 *                                     "see THREAD #NUMBER VALUE"; NUMBER is that of SEE(NUMBER, ...) in the source.
 *                                     The first line that differs names the expression. If listing makes the
 *                                     difference go away it is likely to be a compiler's
 *   clang -O0, nvcc -G, -Xptxas -O0   say whose fault it is: where these agree with us, it is the optimiser's
 *
 * Compilers' faults that were found, and what the generator therefore leaves out:
 *   ptxas 13     from -O1 on, a store through a pointer that is chosen between local and global memory goes astray;
 *                nvcc 13 drops such a store altogether. -Xptxas -O0, or -G, and clang agree with us
 *   nvcc 13      __viaddmin_s32 and its like before compute capability 9.0 take their sum for free of overflow; a packed
 *                struct in an array of a thread's own is copied as if it were aligned, which an H200 answers with
 *                cudaErrorMisalignedAddress, as we do
 *   nvcc 13      takes __mul24 for free of overflow, and before compute capability 9.0 __vsubus2, too
 *   nvcc 13      folds ceil of a double constant beyond a long long to -2^63; ceilf and floor are right
 *   ptxas 13     crashes on three of 200 programs, for what some forms of inline PTX are
 *   clang 14     passes packed structs by value as if they were aligned; cannot return bit fields of 24, 40 ... bits;
 *                makes a bit field of a signed shift beyond bit 32 (mended in common/make/compile/clang.sed)
 * And one that stays: some differ where ptxas 13 optimises, from -O1 on. -Xptxas -O0 agrees with us there; where a listing
 * showed the place, a comparison's 1 had become 1.0f, or the other way round. Of 12,215 cases of 1,019 programs (201 of them by
 * the other generator) whose seeds nobody had looked at, 12,008 were an H200's through both compilers, 98 not for that, and 106
 * not because a program stops where ptxas spoilt a case before; 2 are nvcc's fault and 1 is clang 14's. Of 5,760 of 480 later
 * programs, 240 of each, 5,719 were; 34 are ptxas's (in one program the optimised one does not end), 7 nvcc's (its -G
 * agrees with us, or a packed struct).
 * Products that are not intrinsics may become part of a fused one, in each compiler at another place.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

static int usage(void) {
  fprintf(stderr, "usage: fuzz_generate [--kernel K] [--kernels N] [--forms FILE] SEED\n");
  return 2;
}

/* What a program has is decided for all of it: headers cost compilers time. */
static void choose_features(uint64_t seed) {
  chance_seed(seed, 0);
  now.types = ALL & ~(unsigned)HALVES;
  now.features = 0;
  if (percent(60))
    now.features |= HAS_HALF, now.types |= M_F16;
  if (percent(35))
    now.features |= HAS_BF16, now.types |= M_BF16;
  if (percent(25))
    now.features |= GROUPS_;
  if (percent(35))
    now.features |= TEXTURES;
}

int main(int argc, char **argv) {
  int only = -1, kernels = 12;
  const char *forms = "common/emulator/tests/values_h200.txt", *seed_text = NULL;
  for (int i = 1; i < argc; i++)
    if (!strcmp(argv[i], "--kernel") && i + 1 < argc)
      only = atoi(argv[++i]);
    else if (!strcmp(argv[i], "--kernels") && i + 1 < argc)
      kernels = atoi(argv[++i]);
    else if (!strcmp(argv[i], "--forms") && i + 1 < argc)
      forms = argv[++i];
    else if (argv[i][0] != '-' && !seed_text)
      seed_text = argv[i];
    else
      return usage();
  if (!seed_text)
    return usage();
  if (!forms_read(forms)) {
    fprintf(stderr, "fuzz_generate: %s: cannot be read, or has no forms\n", forms);
    return 2;
  }
  uint64_t seed = strtoull(seed_text, NULL, 10);
  choose_features(seed);
  say("// fuzz_generate %s\n", seed_text);
  if (now.features & HAS_HALF)
    say("#define HAS_HALF\n");
  if (now.features & HAS_BF16)
    say("#define HAS_BF16\n");
  if (now.features & GROUPS_)
    say("#define HAS_GROUPS\n");
  if (now.features & TEXTURES)
    say("#define HAS_TEXTURES\n");
  say("#include \"emulator/tests/fuzz/support.h\"\n");
  for (int k = 0; k < kernels; k++)
    if (only < 0 || only == k) {
      chance_seed(seed, (uint64_t)k + 1);
      write_case(k);
    }
  say("\nint main(int argc, char **argv) {\n  prepare(argc, argv);\n");
  for (int k = 0; k < kernels; k++)
    if (only < 0 || only == k)
      say("  if (wanted(%d))\n    c%d::run();\n", k, k);
  say("  return release();\n}\n");
  return 0;
}
