/* Measures the speed of the emulated device. The program starts itself once for each run:
 *
 *   bench              runs all rows of the table one after another, several times; prints medians
 *   bench ROW N        runs one row once, and prints seconds and thread instructions
 *
 * Each row runs in its own process, because environment variables set the number of workers and the
 * checks. The times are compared with the lecture's product on one CPU core (bench_loop.c), because
 * a student should not wait longer for the emulated device than for that loop.
 */
#include <algorithm>
#include <ctime>
#include <vector>

#include "../emulator.h"

#define main ladder_main
#include "programs/ladder.cu"
#undef main

extern "C" void bench_loop(const float *A, const float *B_transposed, float *C, int n);

static double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

/* ---- one run of one row ---------------------------------------------------------------------- */
static double time_loop(int n) {
  std::vector<float> A(n * n), B(n * n), C(n * n);
  fill(A.data(), B.data(), n);
  double begin = now();
  bench_loop(A.data(), B.data(), C.data(), n);
  return now() - begin;
}

/* Measures the time of the launch without allocation and copies, like the lecture's table. */
static double time_kernel(const Rung<float> *rung, int n) {
  size_t bytes = sizeof(float) * n * n;
  std::vector<float> A(n * n), B(n * n);
  float *a, *b, *c;
  fill(A.data(), B.data(), n);
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  cudaMemcpy(a, A.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, B.data(), bytes, cudaMemcpyHostToDevice);
  double begin = now();
  rung->kernel<<<dim3(n / TILE, n / TILE), dim3(TILE, rung->block_rows)>>>(a, b, c, n);
  cudaDeviceSynchronize();
  double seconds = now() - begin;
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return seconds;
}

static int run_row(const char *row, int n) {
  const Rung<float> *rung = find_rung<float>(row);
  EmulatorCounters counters = {};
  double seconds = rung ? time_kernel(rung, n) : time_loop(n);
  if (cudaGetLastError() != cudaSuccess || emulator_report_count())
    return 1;
  emulator_counters(NULL, &counters);
  printf("%.6f %llu\n", seconds, (unsigned long long)counters.thread_instructions);
  return 0;
}

/* ---- the table ------------------------------------------------------------------------------- */
struct Row {
  const char *row;
  int n, workers;
  const char *environment, *title;
};

static const Row rows[] = {
    {"loop", 1024, 1, "", "CPU loop of the lecture, A·Bᵀ, one core, -O2"},
    {"smem3", 1024, 2, "", "SMEM-3, checks, 2 workers"},
    {"smem3", 1024, 1, "", "SMEM-3, checks, 1 worker"},
    {"smem3", 1024, 2, "LOCKSTEP_CHECKS=0", "SMEM-3, no observers, 2 workers"},
    {"smem1", 512, 2, "", "SMEM-1 (32-way conflicts), checks, 2 workers"},
    {"smem5", 1024, 2, "", "SMEM-5 (4 outputs a thread), checks, 2 workers"},
    {"naive", 512, 2, "", "Global, checks, 2 workers"},
};
enum { ROWS = sizeof rows / sizeof *rows, REPEATS = 11 };

struct Measured {
  std::vector<double> seconds;
  double instructions;
};

static bool measure(const char *self, const Row *row, Measured *measured) {
  char command[4096];
  double seconds, instructions;
  snprintf(command, sizeof command, "%s LOCKSTEP_WORKERS=%d %s %s %d", row->environment,
           row->workers, self, row->row, row->n);
  FILE *child = popen(command, "r");
  bool good = child && fscanf(child, "%lf %lf", &seconds, &instructions) == 2;
  if (!child || pclose(child) != 0 || !good) {
    fprintf(stderr, "bench: failed: %s\n", command);
    return false;
  }
  measured->seconds.push_back(seconds);
  measured->instructions = instructions;
  return true;
}

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

static void print_table(const Measured *measured) {
  double loop = median(measured[0].seconds);
  printf("%4s %8s %8s %8s  %s\n", "N", "median", "of loop", "G/s/core", "");
  for (int i = 0; i < ROWS; i++) {
    double seconds = median(measured[i].seconds);
    printf("%4d %6.3f s ", rows[i].n, seconds);
    if (rows[i].n == rows[0].n)
      printf("%7.2fx ", seconds / loop);
    else
      printf("%8s ", "");
    if (measured[i].instructions > 0)
      printf("%8.2f", measured[i].instructions / seconds / rows[i].workers * 1e-9);
    else
      printf("%8s", "");
    printf("  %s\n", rows[i].title);
  }
  printf("Medians of %d runs. G/s/core: 10^9 thread instructions a second and core.\n", REPEATS);
  printf("Goals: SMEM-3 on 2 workers in at most 0.50x of the loop, and at least 1.9x as fast\n"
         "as on one.\n");
}

int main(int count, char **arguments) {
  Measured measured[ROWS] = {};
  if (count == 3)
    return run_row(arguments[1], atoi(arguments[2]));
  for (int repeat = 0; repeat < REPEATS; repeat++)
    for (int i = 0; i < ROWS; i++)
      if (!measure(arguments[0], &rows[i], &measured[i]))
        return 1;
  print_table(measured);
  return 0;
}
