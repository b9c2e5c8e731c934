// Tests random launches whose blocks write and read rows of one buffer, in elements of 1 to 16
// bytes: whole rows or parts, at any position, one or more times. The device must report as many
// granules with races as the test computes from the accesses.
//
// env: LOCKSTEP_QUIET=1
#include "check.h"
#include "emulator/emulator.h"

#include <set>
#include <vector>

enum { THREADS = 64, BLOCKS = 12, STEPS = 3, LAUNCHES = 400, BYTES = 3 * 4096 };
// ROOM bytes are checked by several workers. ROWS is near the boundary between two workers.
enum { ROOM = 64 * 4096, ROWS = 31 * 4096 };
enum Way { NOTHING, WRITE, READ };

struct Step { // each thread t in [from, until) accesses first + t * stride
  int way, first, stride, from, until, value;
};
struct Plan {
  Step step[BLOCKS][STEPS];
};

__constant__ Plan constant_plan;

// Different values differ in every word.
__device__ void set(float4 *at, int value) { *at = make_float4(value, value, value, value); }
__device__ void set(double *at, int value) { *at = __hiloint2double(value, value); }
template <typename T> __device__ void set(T *at, int value) { *at = (T)value; }
__device__ int get(const float4 *at) { return (int)(at->x + at->y + at->z + at->w); }
template <typename T> __device__ int get(const T *at) { return (int)*at; }

template <typename T> __global__ void follow(T *rows, T *sums) {
  const int t = threadIdx.x;
  int sum = 0;
  for (int i = 0; i < STEPS; i++) {
    const Step s = constant_plan.step[blockIdx.x][i];
    const bool takes_part = t >= s.from && t < s.until;
    if (takes_part && s.way == WRITE)
      set(&rows[s.first + t * s.stride], s.value);
    else if (takes_part && s.way == READ)
      sum += get(&rows[s.first + t * s.stride]);
    __syncthreads(); // so that only blocks race
  }
  set(&sums[blockIdx.x * THREADS + t], sum);
}

static unsigned state = 1;
static int number(int below) {
  state = state * 1664525u + 1013904223u;
  return (int)((state >> 8) % (unsigned)below);
}

// Returns a random step: usually of full warps at multiples of 8 elements, at a different position
// per block, otherwise of any kind.
static Step some_step(int block, int elements) {
  const bool usual = number(3) != 0;
  Step s = {1 + number(5) / 4, 0, 1, 0, THREADS, 1 + block * STEPS + number(STEPS)};
  if (usual && number(4) == 0)
    s.from = 32;
  if (!usual) {
    s.stride = number(3) ? 1 : 1 + number(3);
    s.from = number(THREADS);
    s.until = s.from + 1 + number(THREADS - s.from);
  }
  const int room = elements - THREADS * s.stride;
  s.first = usual && number(5) ? block * THREADS % room / 8 * 8 : number(room);
  if (number(3) == 0 && usual)
    s.first = number(room) / 8 * 8;
  return s;
}

// Counts the elements that one block writes and another block accesses.
static int count_races(const Plan &plan, int blocks, int elements) {
  std::vector<std::set<int>> writers(elements), readers(elements);
  int races = 0;
  for (int b = 0; b < blocks; b++)
    for (const Step &s : plan.step[b])
      for (int t = s.from; t < s.until; t++)
        (s.way == WRITE ? writers : readers)[s.first + t * s.stride].insert(b);
  for (int i = 0; i < elements; i++) {
    std::set<int> all = writers[i];
    all.insert(readers[i].begin(), readers[i].end());
    races += writers[i].size() > 1;
    races += writers[i].size() && readers[i].size() && all.size() > 1;
  }
  return races;
}

template <typename T> static void launch(void *rows, void *sums, int blocks) {
  const int elements = BYTES / sizeof(T), granules = sizeof(T) > 4 ? sizeof(T) / 4 : 1;
  Plan plan = {};
  for (int b = 0; b < blocks; b++)
    for (int i = 0, n = 1 + number(STEPS); i < n; i++)
      plan.step[b][i] = some_step(b, elements);
  const uint64_t before = emulator_report_count();
  CHECK(cudaMemcpyToSymbol(constant_plan, &plan, sizeof plan));
  follow<<<blocks, THREADS>>>((T *)rows, (T *)sums);
  CHECK(cudaDeviceSynchronize());
  EXPECT(emulator_report_count() - before ==
         (uint64_t)count_races(plan, blocks, elements) * granules);
}

int main() {
  void *room, *sums;
  CHECK(cudaMalloc(&room, ROOM));
  CHECK(cudaMemset(room, 0, ROOM));
  void *rows = (char *)room + ROWS;
  CHECK(cudaMalloc(&sums, BLOCKS * THREADS * 16));
  for (int i = 0; i < LAUNCHES; i++) {
    const int blocks = 2 + number(BLOCKS - 1);
    switch (i % 5) {
    case 0:
      launch<unsigned char>(rows, sums, blocks);
      break;
    case 1:
      launch<short>(rows, sums, blocks);
      break;
    case 2:
      launch<float>(rows, sums, blocks);
      break;
    case 3:
      launch<double>(rows, sums, blocks);
      break;
    default:
      launch<float4>(rows, sums, blocks);
    }
  }
  CHECK(cudaFree(room));
  CHECK(cudaFree(sums));
  return done();
}
