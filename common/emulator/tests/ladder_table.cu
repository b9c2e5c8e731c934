/* The lecture's six rungs side by side, as the emulated device counts them: what `make demo` shows
 * after the labs. One product each, N = 256, float.
 */
#include "../emulator.h"

#define main ladder_main
#include "programs/ladder.cu"
#undef main

struct Line {
  const char *rung, *title;
};

static const Line lines[] = {
    {"naive", "no shared memory"},
    {"smem1", "tiles used down a column"},
    {"smem2", "the same, rows padded to 33"},
    {"smem3", "tiles used along rows, no padding"},
    {"smem4", "2 outputs per thread"},
    {"smem5", "4 outputs per thread"},
};

static double per(uint64_t count, uint64_t requests) {
  return requests ? (double)count / (double)requests : 0;
}

static void print_line(const Line *line, const EmulatorCounters *now) {
  uint64_t wavefronts = now->shared_load_wavefronts + now->shared_store_wavefronts;
  uint64_t requests = now->shared_load_requests + now->shared_store_requests;
  printf("%-7s %7.2f %7.0f %6.2f %7.0f %6.2f  %s\n", line->rung, now->warp_instructions * 1e-6,
         now->global_load_sectors * 1e-3, per(now->global_load_sectors, now->global_load_requests),
         wavefronts * 1e-3, per(wavefronts, requests), line->title);
}

int main() {
  const int n = 256;
  size_t elements = (size_t)n * n;
  float *A = (float *)malloc(3 * elements * sizeof(float)), *B = A + elements, *C = B + elements;
  int status = 0;
  fill(A, B, n);
  printf("The lecture's ladder, N = %d, float: what the kernels do; instructions in\n"
         "millions, sectors of global and wavefronts of shared memory in thousands\n\n",
         n);
  printf("%7s %7s %7s %6s %7s %6s\n", "", "warp", "sectors", "per", "waves", "per");
  printf("%-7s %7s %7s %6s %7s %6s\n", "rung", "instr", "", "load", "", "access");
  for (const Line &line : lines) {
    EmulatorCounters now = {};
    emulator_reset_counters();
    cudaError_t error = multiply(find_rung<float>(line.rung), A, B, C, n);
    emulator_counters(NULL, &now);
    print_line(&line, &now);
    if (error != cudaSuccess || count_wrong(A, B, C, n) != 0) {
      printf("%-8s went wrong\n", line.rung);
      status = 1;
    }
  }
  free(A);
  return status;
}
