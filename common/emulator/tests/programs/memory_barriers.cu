// Tests barriers in shared memory (mbarrier): single and multiple arrivals, threads that leave,
// asynchronous and bulk copies. Also tests other features of compute capability 9.0, with one block
// per cluster. The features are inline PTX, which also runs on a GPU: nvcc -arch=sm_90.
#include "check.h"

enum { THREADS = 96, ROUNDS = 5, N = 256 };

__device__ unsigned place(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

struct Barrier {
  unsigned long long word;
  __device__ void init(unsigned count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
                 :
                 : "r"(place(&word)), "r"(count)
                 : "memory");
  }
  __device__ unsigned long long arrive() {
    unsigned long long state;
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];"
                 : "=l"(state)
                 : "r"(place(&word))
                 : "memory");
    return state;
  }
  __device__ unsigned long long arrive(unsigned count) {
    unsigned long long state;
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1], %2;"
                 : "=l"(state)
                 : "r"(place(&word)), "r"(count)
                 : "memory");
    return state;
  }
  __device__ void drop() {
    asm volatile("{ .reg .b64 s; mbarrier.arrive_drop.shared::cta.b64 s, [%0]; }"
                 :
                 : "r"(place(&word))
                 : "memory");
  }
  __device__ void arrive_expecting(unsigned bytes) {
    asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared::cta.b64 s, [%0], %1; }"
                 :
                 : "r"(place(&word)), "r"(bytes)
                 : "memory");
  }
  __device__ bool over(unsigned long long state) {
    int answer;
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.shared::cta.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
        : "=r"(answer)
        : "r"(place(&word)), "l"(state)
        : "memory");
    return answer;
  }
  __device__ bool over(int parity) {
    int answer;
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.s32 "
                 "%0, 1, 0, p; }"
                 : "=r"(answer)
                 : "r"(place(&word)), "r"(parity)
                 : "memory");
    return answer;
  }
  __device__ void wait(int parity) {
    while (!over(parity))
      ;
  }
};

__device__ unsigned pending(unsigned long long state) {
  unsigned count;
  asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(state));
  return count;
}

// One thread checks the state of a barrier after each operation.
__global__ void steps(int *bad) {
  __shared__ Barrier b;
  b.init(3);
  DEVICE_EXPECT(bad, !b.over(0));
  DEVICE_EXPECT(bad, b.over(1)); // the phase before the first phase counts as complete
  unsigned long long first = b.arrive();
  DEVICE_EXPECT(bad, pending(first) == 3);
  DEVICE_EXPECT(bad, pending(b.arrive()) == 2);
  DEVICE_EXPECT(bad, !b.over(first));
  unsigned long long last = b.arrive(1);
  DEVICE_EXPECT(bad, pending(last) == 1);
  DEVICE_EXPECT(bad, b.over(first) && b.over(last) && b.over(0) && !b.over(1));
  unsigned long long second = b.arrive(3); // completes a whole phase
  DEVICE_EXPECT(bad, pending(second) == 3);
  DEVICE_EXPECT(bad, b.over(second) && b.over(1) && !b.over(0));
  b.drop(); // only two arrivals are expected in this and later phases
  DEVICE_EXPECT(bad, pending(b.arrive(2)) == 2);
  DEVICE_EXPECT(bad, pending(b.arrive(2)) == 2);
  DEVICE_EXPECT(bad, b.over(1));
  b.arrive(1);
  b.arrive_expecting(12); // the last arrival; 12 bytes are pending
  DEVICE_EXPECT(bad, !b.over(0));
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 8;"
               :
               : "r"(place(&b))
               : "memory");
  DEVICE_EXPECT(bad, !b.over(0));
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 4;"
               :
               : "r"(place(&b))
               : "memory");
  DEVICE_EXPECT(bad, b.over(0));
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 8;"
               :
               : "r"(place(&b))
               : "memory");
  b.arrive(2);
  DEVICE_EXPECT(bad, !b.over(1));
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 8;"
               :
               : "r"(place(&b))
               : "memory");
  DEVICE_EXPECT(bad, b.over(1));
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" : : "r"(place(&b)) : "memory");
}

// All threads wait at the barrier in each round. In round 2, threads from 64 on leave the loop.
__global__ void rounds(const int *in, int *out) {
  __shared__ int tile[2][THREADS];
  __shared__ Barrier b;
  const int t = threadIdx.x;
  if (t == 0)
    b.init(THREADS);
  __syncthreads();
  int mine = in[t], live = THREADS;
  for (int round = 0; round < ROUNDS; round++) {
    tile[round & 1][t] = mine;
    if (round == 2 && t >= 64) {
      b.drop();
      break;
    }
    unsigned long long state = b.arrive();
    while (!b.over(state))
      ;
    mine += tile[round & 1][(t + 1) % live];
    live = round >= 2 ? 64 : live;
  }
  out[t] = mine;
}

// Tests asynchronous copies that arrive at a barrier when they are complete.
__global__ void copied(const int *in, int *out) {
  __shared__ int tile[2][THREADS];
  __shared__ Barrier b;
  const int t = threadIdx.x;
  if (t == 0)
    b.init(THREADS);
  __syncthreads();
  for (int k = 0; k < 2; k++) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"
                 :
                 : "r"(place(&tile[k][t])), "l"(in + t)
                 : "memory");
    if (k == 0) { // the copy's arrival replaces the arrival of the thread
      asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];"
                   :
                   : "r"(place(&b))
                   : "memory");
    } else { // the copy arrives in addition to the thread
      asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" : : "r"(place(&b)) : "memory");
      b.arrive();
    }
    b.wait(k);
    out[k * THREADS + t] = tile[k][THREADS - 1 - t];
  }
}

// One thread starts the bulk copy of all data.
__global__ void bulk(const float *in, float *out, float *sums) {
  __shared__ __align__(128) float tile[N], back[N];
  __shared__ Barrier b;
  const int t = threadIdx.x;
  if (t == 0) {
    b.init(1);
    asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
  }
  __syncthreads();
  if (t == 0) {
    b.arrive_expecting(sizeof tile);
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
        :
        : "r"(place(tile)), "l"(in), "r"((unsigned)sizeof tile), "r"(place(&b))
        : "memory");
  }
  b.wait(0);
  for (int i = t; i < N; i += blockDim.x)
    back[i] = 2 * tile[N - 1 - i];
  asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
  __syncthreads();
  if (t == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
                 :
                 : "l"(out), "r"(place(back)), "r"((unsigned)sizeof back)
                 : "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;"
                 :
                 : "l"(sums), "r"(place(back)), "r"((unsigned)sizeof back)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" : : : "memory");
    asm volatile("cp.async.bulk.wait_group 0;" : : : "memory");
  }
}

// Elects one of the active lanes. Also votes with the inline PTX that the toolkit's libraries use.
__global__ void elected(unsigned *out) {
  const int t = threadIdx.x;
  unsigned who = 0, chosen = 0, ballot;
  if (t >= 5 && t < 20)
    asm volatile("{ .reg .pred p; elect.sync %0|p, %2; selp.u32 %1, 1, 0, p; }"
                 : "=r"(who), "=r"(chosen)
                 : "r"(0xfffe0u));
  asm volatile("{ .reg .pred p; setp.lt.s32 p, %1, 7; vote.ballot.sync.b32 %0, p, 0xffffffff; }"
               : "=r"(ballot)
               : "r"(t));
  out[3 * t] = who;
  out[3 * t + 1] = chosen;
  out[3 * t + 2] = ballot;
}

// A launch without cluster dimensions makes each block its own cluster.
__global__ void clusters(unsigned *out) {
  __shared__ __align__(16) unsigned word[4];
  __shared__ unsigned other;
  __shared__ Barrier b;
  const int t = threadIdx.x;
  unsigned seen[8], at;
  asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(seen[0]));
  asm volatile("mov.u32 %0, %%nclusterid.x;" : "=r"(seen[1]));
  asm volatile("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(seen[2]));
  asm volatile("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(seen[3]));
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(seen[4]));
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(seen[5]));
  asm volatile("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }"
               : "=r"(seen[6]));
  if (t == 0)
    b.init(1);
  if (t < 4)
    word[t] = 0;
  asm volatile("barrier.cluster.arrive.release.aligned;" : : : "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" : : : "memory");
  asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(at) : "r"(place(&other)));
  asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(seen[7]) : "r"(at));
  if (t == 5)
    asm volatile("st.shared::cluster.u32 [%0], %1;" : : "r"(at), "r"(77 + blockIdx.x) : "memory");
  if (t == 0) {
    b.arrive_expecting(16);
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %2, "
                 "%3, %4}, [%5];"
                 :
                 : "r"(place(word)), "r"(3), "r"(1), "r"(4), "r"(15), "r"(place(&b))
                 : "memory");
  }
  b.wait(0);
  __syncthreads();
  if (t == 3) {
    for (int i = 0; i < 8; i++)
      out[16 * blockIdx.x + i] = seen[i];
    for (int i = 0; i < 4; i++)
      out[16 * blockIdx.x + 8 + i] = word[i];
    out[16 * blockIdx.x + 12] = other;
  }
  asm volatile("griddepcontrol.launch_dependents;" : : : "memory");
  asm volatile("griddepcontrol.wait;" : : : "memory");
}

// Tests atomic additions to vectors, element by element, and to bfloat16.
__global__ void additions(float *floats, unsigned *pairs) {
  float4 old;
  const float a = 1.5f, c = 0.25f;
  asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" : : "l"(floats), "f"(a), "f"(c) : "memory");
  if (threadIdx.x == 0) {
    asm volatile("atom.global.add.v4.f32 {%0, %1, %2, %3}, [%4], {%5, %5, %5, %5};"
                 : "=f"(old.x), "=f"(old.y), "=f"(old.z), "=f"(old.w)
                 : "l"(floats + 4), "f"(3.f)
                 : "memory");
    floats[8] = old.x + 2 * old.y + 3 * old.z + 4 * old.w;
  }
  asm volatile("red.global.add.noftz.bf16x2 [%0], %1;"
               :
               : "l"(pairs), "r"(0x40003f80)
               : "memory"); // 1 and 2 as bfloat16
}

int main() {
  int in[THREADS], out[2 * THREADS], *d_in, *d_out, *d_bad;
  for (int t = 0; t < THREADS; t++)
    in[t] = t * 7 % 31;
  CHECK(cudaMalloc(&d_in, sizeof in));
  CHECK(cudaMalloc(&d_out, sizeof out));
  CHECK(cudaMalloc(&d_bad, sizeof *d_bad));
  CHECK(cudaMemset(d_bad, 0, sizeof *d_bad));
  CHECK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
  steps<<<1, 1>>>(d_bad);
  LAUNCHED();
  expect_no_line(d_bad);

  rounds<<<1, THREADS>>>(d_in, d_out);
  LAUNCHED();
  CHECK(cudaMemcpy(out, d_out, sizeof in, cudaMemcpyDeviceToHost));
  int now[THREADS], then[THREADS], live = THREADS;
  for (int t = 0; t < THREADS; t++)
    now[t] = in[t];
  for (int round = 0; round < ROUNDS; round++) {
    for (int t = 0; t < THREADS; t++)
      then[t] = now[t];
    for (int t = 0; t < (round >= 2 ? 64 : THREADS); t++)
      now[t] = then[t] + then[(t + 1) % live];
    live = round >= 2 ? 64 : live;
  }
  for (int t = 0; t < THREADS; t++)
    EXPECT(out[t] == now[t]);

  copied<<<1, THREADS>>>(d_in, d_out);
  LAUNCHED();
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 2 * THREADS; i++)
    EXPECT(out[i] == in[THREADS - 1 - i % THREADS]);

  float values[N], *d_values, *d_back, *d_sums;
  for (int i = 0; i < N; i++)
    values[i] = i * 0.5f - 30;
  CHECK(cudaMalloc(&d_values, sizeof values));
  CHECK(cudaMalloc(&d_back, sizeof values));
  CHECK(cudaMalloc(&d_sums, sizeof values));
  CHECK(cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_sums, values, sizeof values, cudaMemcpyHostToDevice));
  bulk<<<1, 128>>>(d_values, d_back, d_sums);
  LAUNCHED();
  float back[N], sums[N];
  CHECK(cudaMemcpy(back, d_back, sizeof back, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost));
  for (int i = 0; i < N; i++) {
    EXPECT(back[i] == 2 * values[N - 1 - i]);
    EXPECT(sums[i] == values[i] + back[i]);
  }

  unsigned lanes[3 * 32], *d_lanes;
  CHECK(cudaMalloc(&d_lanes, sizeof lanes));
  elected<<<1, 32>>>(d_lanes);
  LAUNCHED();
  CHECK(cudaMemcpy(lanes, d_lanes, sizeof lanes, cudaMemcpyDeviceToHost));
  for (int t = 0; t < 32; t++) {
    EXPECT(lanes[3 * t] == (t >= 5 && t < 20 ? 5 : 0));
    EXPECT(lanes[3 * t + 1] == (t == 5));
    EXPECT(lanes[3 * t + 2] == 0x7f);
  }

  clusters<<<3, 64>>>(d_lanes);
  LAUNCHED();
  CHECK(cudaMemcpy(lanes, d_lanes, 48 * sizeof *lanes, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < 3; i++) {
    const unsigned right[13] = {i, 3, 0, 1, 0, 1, 0, 0, 3, 1, 4, 15, 77 + i};
    for (int k = 0; k < 13; k++)
      EXPECT(lanes[16 * i + k] == right[k]);
  }

  float start[9] = {1, 2, 0, 0, 5, 6, 7, 8, 0};
  unsigned pair = 0x3f803f80;
  CHECK(cudaMemcpy(d_values, start, sizeof start, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_lanes, &pair, sizeof pair, cudaMemcpyHostToDevice));
  additions<<<1, 32>>>(d_values, d_lanes);
  LAUNCHED();
  CHECK(cudaMemcpy(start, d_values, sizeof start, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&pair, d_lanes, sizeof pair, cudaMemcpyDeviceToHost));
  EXPECT(start[0] == 1 + 32 * 1.5f && start[1] == 2 + 32 * 0.25f);
  EXPECT(start[4] == 8 && start[5] == 9 && start[6] == 10 && start[7] == 11);
  EXPECT(start[8] == 5 + 2 * 6 + 3 * 7 + 4 * 8);
  EXPECT(pair == 0x42824204); // 65 and 33 as bfloat16
  for (void *p : {(void *)d_in, (void *)d_out, (void *)d_bad, (void *)d_values, (void *)d_back,
                  (void *)d_sums, (void *)d_lanes})
    CHECK(cudaFree(p));
  return done();
}
