// Correct programs with several streams. Each one orders its work in another way, and none may have
// a report.
#include "check.h"
#include <atomic>
#include <cstring>
#include <pthread.h>
#include <sched.h>

enum { N = 1 << 12, BYTES = N * sizeof(int) };

__global__ void increment(int *out, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] + 1;
}
__global__ void count(int *counter) { atomicAdd(counter, 1); }
__global__ void add_columns(int *rows, int pitch, int first, int columns, int by) {
  if ((int)threadIdx.x < columns)
    rows[blockIdx.x * pitch + first + threadIdx.x] += by;
}

static void run(int *out, const int *in, int n, cudaStream_t stream) {
  increment<<<(n + 255) / 256, 256, 0, stream>>>(out, in, n);
  LAUNCHED();
}

template <typename T> static T *device(size_t n) {
  T *data;
  CHECK(cudaMalloc(&data, n * sizeof *data));
  CHECK(cudaMemset(data, 0, n * sizeof *data));
  CHECK(cudaDeviceSynchronize()); // cudaMemset does not wait
  return data;
}

static int *pinned(size_t n) {
  int *data;
  CHECK(cudaMallocHost(&data, n * sizeof *data));
  for (size_t i = 0; i < n; i++)
    data[i] = (int)i;
  return data;
}

// Each stream copies a slice to the device, processes it, and copies it back.
static void slices(cudaStream_t *streams, int nstreams) {
  int *host = pinned(N), *back = pinned(N), *in = device<int>(N), *out = device<int>(N),
      part = N / nstreams;
  for (int i = 0; i < nstreams; i++) {
    int at = i * part;
    CHECK(
        cudaMemcpyAsync(in + at, host + at, part * sizeof *in, cudaMemcpyHostToDevice, streams[i]));
    run(out + at, in + at, part, streams[i]);
    CHECK(cudaMemcpyAsync(back + at, out + at, part * sizeof *in, cudaMemcpyDeviceToHost,
                          streams[i]));
  }
  for (int i = 0; i < nstreams; i++) {
    CHECK(cudaStreamSynchronize(streams[i]));
    for (int k = 0; k < part; k++) // only this slice is complete
      EXPECT(back[i * part + k] == i * part + k + 1);
  }
  CHECK(cudaFreeHost(host));
  CHECK(cudaFreeHost(back));
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}

// Uses one buffer per stream. The host refills a buffer when its event shows that it was used.
static void ring(cudaStream_t *streams, int n) {
  int *host[4], *in[4], *out[4];
  cudaEvent_t used[4];
  for (int i = 0; i < n; i++) {
    host[i] = pinned(N), in[i] = device<int>(N), out[i] = device<int>(N);
    CHECK(cudaEventCreateWithFlags(&used[i], cudaEventDisableTiming));
  }
  for (int round = 0; round < 3 * n; round++) {
    int i = round % n;
    CHECK(cudaEventSynchronize(used[i]));
    for (int k = 0; k < N; k++)
      host[i][k] = round + k;
    CHECK(cudaMemcpyAsync(in[i], host[i], BYTES, cudaMemcpyHostToDevice, streams[i]));
    CHECK(cudaEventRecord(used[i], streams[i]));
    run(out[i], in[i], N, streams[i]);
  }
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < n; i++) {
    CHECK(cudaEventDestroy(used[i]));
    CHECK(cudaFreeHost(host[i]));
    CHECK(cudaFree(in[i]));
    CHECK(cudaFree(out[i]));
  }
}

// One stream waits for many others. All streams change one counter by atomic operations.
static void fork_and_join(cudaStream_t *streams, int n) {
  int *data = device<int>(N), *sums = device<int>(N), *counter = device<int>(1), counted;
  cudaEvent_t start, done[4];
  CHECK(cudaEventCreate(&start));
  run(data, sums, N, streams[0]);
  CHECK(cudaEventRecord(start, streams[0]));
  for (int i = 1; i < n; i++) {
    CHECK(cudaStreamWaitEvent(streams[i], start));
    run(sums + i * N / n, data, N / n, streams[i]);
    count<<<4, 32, 0, streams[i]>>>(counter);
    CHECK(cudaEventCreate(&done[i]));
    CHECK(cudaEventRecord(done[i], streams[i]));
    CHECK(cudaEventDestroy(start)); // streams still wait for its earlier record
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventRecord(start, streams[0]));
  }
  for (int i = 1; i < n; i++)
    CHECK(cudaStreamWaitEvent(streams[0], done[i]));
  CHECK(cudaMemcpyAsync(&counted, counter, sizeof counted, cudaMemcpyDeviceToHost, streams[0]));
  EXPECT(counted == (n - 1) * 128); // a copy to pageable memory returns when it is done
  run(data, sums, N, streams[0]);
  for (int i = 1; i < n; i++)
    CHECK(cudaEventDestroy(done[i]));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaFree(data));
  CHECK(cudaFree(sums));
  CHECK(cudaFree(counter));
}

// Two streams work on different columns of one matrix, so their accesses are adjacent.
static void columns(cudaStream_t a, cudaStream_t b) {
  enum { ROWS = 40, COLUMNS = 90, LEFT = 37 };
  int *rows = device<int>(ROWS * COLUMNS), *host = pinned(ROWS * COLUMNS);
  const size_t pitch = COLUMNS * sizeof *rows, left = LEFT * sizeof *rows;
  add_columns<<<ROWS, 64, 0, a>>>(rows, COLUMNS, 0, LEFT, 1);
  add_columns<<<ROWS, 64, 0, b>>>(rows, COLUMNS, LEFT, COLUMNS - LEFT, 2);
  CHECK(cudaMemcpy2DAsync(host, pitch, rows, pitch, left, ROWS, cudaMemcpyDeviceToHost, a));
  CHECK(cudaMemcpy2DAsync(host + LEFT, pitch, rows + LEFT, pitch, pitch - left, ROWS,
                          cudaMemcpyDeviceToHost, b));
  while (cudaStreamQuery(a) == cudaErrorNotReady || cudaStreamQuery(b) == cudaErrorNotReady)
    sched_yield();
  for (int i = 0; i < ROWS * COLUMNS; i++)
    EXPECT(host[i] == (i % COLUMNS < LEFT ? 1 : 2));
  CHECK(cudaFreeHost(host));
  CHECK(cudaFree(rows));
}

// The legacy default stream waits for blocking streams, and these wait for the default stream.
static void with_default_stream() {
  int *data = device<int>(N), *more = device<int>(N), host[4];
  cudaStream_t a, b, apart;
  cudaEvent_t done;
  CHECK(cudaStreamCreate(&a));
  CHECK(cudaStreamCreate(&b));
  CHECK(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&done));
  run(more, data, N, a);
  run(data, more, N, 0);
  run(more, data, N, b);
  CHECK(cudaEventRecord(done)); // in the default stream, so it is after b
  CHECK(cudaStreamWaitEvent(apart, done));
  CHECK(cudaMemsetAsync(more, 0, BYTES, apart));
  CHECK(cudaEventRecord(done, apart));
  CHECK(cudaStreamWaitEvent(0, done));
  CHECK(cudaMemcpy(host, more, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host[3] == 0);
  run(data, more, N, apart);       // cudaMemcpy has waited
  CHECK(cudaStreamDestroy(apart)); // waits for no work
  CHECK(cudaFree(data));           // waits for the kernel
  CHECK(cudaFree(more));
  CHECK(cudaStreamDestroy(a));
  CHECK(cudaStreamDestroy(b));
  CHECK(cudaEventDestroy(done));
}

static std::atomic<int> reached;
static void reach(void *) { reached = 1; }

// The host polls a variable that a host function of a stream sets, or a flag in pinned memory that
// a kernel sets.
__global__ void raise_flag(int *data, volatile int *flag) {
  data[threadIdx.x] = threadIdx.x;
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0)
    *flag = 1;
}
static void told_by_others(cudaStream_t a, cudaStream_t b) {
  int *data = device<int>(64), *more = device<int>(64), *flag = pinned(1), *copy = pinned(64);
  *flag = reached = 0;
  raise_flag<<<1, 64, 0, a>>>(data, flag);
  while (*(volatile int *)flag == 0)
    sched_yield();
  run(more, data, 64, b);
  CHECK(cudaMemcpyAsync(copy, more, 64 * sizeof *copy, cudaMemcpyDeviceToHost, b));
  CHECK(cudaLaunchHostFunc(b, reach, NULL));
  while (!reached)
    sched_yield();
  EXPECT(copy[5] == 6);
  run(data, more, 64, a);
  CHECK(cudaStreamSynchronize(a));
  CHECK(cudaFree(data));
  CHECK(cudaFree(more));
  CHECK(cudaFreeHost(flag));
  CHECK(cudaFreeHost(copy));
}

static void allocated_in_order(cudaStream_t a, cudaStream_t b) {
  cudaEvent_t filled, used;
  int *data, *out = device<int>(N), *zeros = device<int>(N);
  CHECK(cudaEventCreate(&filled));
  CHECK(cudaEventCreate(&used));
  for (int round = 0; round < 5; round++) {
    CHECK(cudaMallocAsync((void **)&data, BYTES, a));
    run(data, zeros, N, a);
    CHECK(cudaEventRecord(filled, a));
    CHECK(cudaStreamWaitEvent(b, filled));
    run(out, data, N, b);
    CHECK(cudaEventRecord(used, b));
    CHECK(cudaStreamWaitEvent(a, used));
    CHECK(cudaFreeAsync(data, a));
  }
  CHECK(cudaStreamSynchronize(b));
  CHECK(cudaFree(out));
  CHECK(cudaFree(zeros));
  CHECK(cudaEventDestroy(filled));
  CHECK(cudaEventDestroy(used));
}

// The host uses one managed buffer while the device uses another buffer.
static void managed(cudaStream_t a, cudaStream_t b) {
  int *one, *other;
  CHECK(cudaMallocManaged(&one, BYTES));
  CHECK(cudaMallocManaged(&other, BYTES));
  memset(one, 0, BYTES);
  run(one, one, N, a);
  memset(other, 0, BYTES);
  run(other, other, N, b);
  CHECK(cudaStreamSynchronize(a));
  EXPECT(one[N - 1] == 1);
  one[0] = 5;
  CHECK(cudaStreamSynchronize(b));
  EXPECT(other[0] == 1);
  CHECK(cudaFree(one));
  CHECK(cudaFree(other));
}

// Each host thread uses its own default stream and its own memory.
static void *own_default_stream(void *) {
  int *data = device<int>(N), *more = device<int>(N), host[3];
  run(more, data, N, cudaStreamPerThread);
  run(data, more, N, cudaStreamPerThread);
  CHECK(cudaMemcpyAsync(host, data, sizeof host, cudaMemcpyDeviceToHost, cudaStreamPerThread));
  CHECK(cudaStreamSynchronize(cudaStreamPerThread));
  EXPECT(host[2] == 2);
  CHECK(cudaFree(data));
  CHECK(cudaFree(more));
  return NULL;
}

static void with_streams(unsigned flags) {
  cudaStream_t streams[4];
  for (cudaStream_t &each : streams)
    CHECK(cudaStreamCreateWithFlags(&each, flags));
  slices(streams, 4);
  ring(streams, 3);
  fork_and_join(streams, 4);
  columns(streams[0], streams[1]);
  told_by_others(streams[2], streams[3]);
  allocated_in_order(streams[0], streams[3]);
  managed(streams[1], streams[2]);
  for (cudaStream_t each : streams)
    CHECK(cudaStreamDestroy(each));
}

int main() {
  with_default_stream();
  with_streams(cudaStreamDefault);
  with_streams(cudaStreamNonBlocking);
  pthread_t threads[3];
  for (pthread_t &each : threads)
    EXPECT(pthread_create(&each, NULL, own_default_stream, NULL) == 0);
  for (pthread_t each : threads)
    pthread_join(each, NULL);
  return done();
}
