// Tests votes and matches. Each warp is divided into groups, which vote in different branches. The
// masks name the members of a group, and all members must get the same result.
#include "check.h"
#include <vector>

enum { THREADS = 128, LANES = 32, GROUPS = 3 };

struct Answers {
  unsigned active, ballot, same, all_same, rank;
  int any, all, alike;
};

__device__ unsigned lower_lanes(int lane) { return (1u << lane) - 1; }

template <class T> __device__ Answers ask(unsigned members, T value, bool vote, int lane) {
  Answers a;
  __syncwarp(members);
  a.active = __activemask();
  a.ballot = __ballot_sync(members, vote);
  a.any = __any_sync(members, vote);
  a.all = __all_sync(members, vote);
  a.same = __match_any_sync(members, value);
  a.all_same = __match_all_sync(members, value, &a.alike);
  a.rank = __popc(a.ballot & lower_lanes(lane)); // the rank of a voter among the voters
  return a;
}

template <class T>
__global__ void votes(const T *values, const int *group, const int *vote, Answers *out) {
  int t = threadIdx.x, lane = t % LANES;
  unsigned members[GROUPS];
  for (int g = 0; g < GROUPS; g++)
    members[g] = __ballot_sync(0xffffffff, group[t] == g);
  if (group[t] == 0)
    out[t] = ask(members[0], values[t], vote[t], lane);
  else if (group[t] == 1)
    out[t] = ask(members[1], values[t], vote[t], lane);
  else
    out[t] = ask(members[2], values[t], vote[t], lane);
}

template <class T>
static Answers expected(const T *values, const int *group, const int *vote, int t) {
  Answers a = {0, 0, 0, 0, 0, 0, 1, 1};
  int first = t / LANES * LANES;
  for (int lane = 0; lane < LANES; lane++) {
    int other = first + lane;
    if (group[other] != group[t])
      continue;
    unsigned bit = 1u << lane;
    a.active |= bit;
    a.ballot |= vote[other] ? bit : 0;
    a.any |= vote[other];
    a.all &= vote[other];
    a.same |= values[other] == values[t] ? bit : 0;
    a.alike &= values[other] == values[t];
    a.rank += other < t && vote[other];
  }
  a.all_same = a.alike ? a.active : 0;
  return a;
}

template <class T> static void check(T (*value)(int)) {
  std::vector<T> values(THREADS);
  std::vector<int> group(THREADS), vote(THREADS);
  std::vector<Answers> out(THREADS);
  for (int t = 0; t < THREADS; t++) {
    group[t] = t < LANES ? t % GROUPS : t * t / 7 % GROUPS;
    vote[t] = t / LANES == 1 ? 1 : t / LANES == 2 ? 0 : t * 5 % 7 < 3;
    values[t] = group[t] == 1 ? value(9) : value(t % 4);
  }
  T *d_values;
  int *d_group, *d_vote;
  Answers *d_out;
  CHECK(cudaMalloc(&d_values, THREADS * sizeof(T)));
  CHECK(cudaMalloc(&d_group, THREADS * sizeof(int)));
  CHECK(cudaMalloc(&d_vote, THREADS * sizeof(int)));
  CHECK(cudaMalloc(&d_out, THREADS * sizeof(Answers)));
  CHECK(cudaMemcpy(d_values, values.data(), THREADS * sizeof(T), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_group, group.data(), THREADS * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_vote, vote.data(), THREADS * sizeof(int), cudaMemcpyHostToDevice));
  votes<T><<<1, THREADS>>>(d_values, d_group, d_vote, d_out);
  LAUNCHED();
  CHECK(cudaMemcpy(out.data(), d_out, THREADS * sizeof(Answers), cudaMemcpyDeviceToHost));
  for (int t = 0; t < THREADS; t++) {
    Answers e = expected(values.data(), group.data(), vote.data(), t);
    // The device may choose which lanes of a group are active, but the lane itself must be.
    EXPECT((out[t].active & ~e.active) == 0 && out[t].active >> t % LANES & 1);
    EXPECT(out[t].ballot == e.ballot && out[t].rank == e.rank);
    EXPECT(!out[t].any == !e.any && !out[t].all == !e.all);
    EXPECT(out[t].same == e.same);
    EXPECT(out[t].all_same == e.all_same && !out[t].alike == !e.alike);
  }
  for (void *pointer : {(void *)d_values, (void *)d_group, (void *)d_vote, (void *)d_out})
    CHECK(cudaFree(pointer));
}

// The last warp is not full. The missing lanes must not take part.
__global__ void ragged(unsigned *active, unsigned *ballot) {
  unsigned present = __activemask();
  active[threadIdx.x] = present;
  ballot[threadIdx.x] = __ballot_sync(present, threadIdx.x % 2);
}

static void check_ragged() {
  const int threads = LANES + 11;
  unsigned *device, host[2 * threads];
  CHECK(cudaMalloc(&device, sizeof host));
  ragged<<<1, threads>>>(device, device + threads);
  LAUNCHED();
  CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  for (int t = 0; t < threads; t++) {
    unsigned present = t < LANES ? 0xffffffff : (1u << 11) - 1;
    EXPECT(host[t] == present && host[threads + t] == (present & 0xaaaaaaaa));
  }
  CHECK(cudaFree(device));
}

int main() {
  check<int>([](int i) { return i - 2; });
  check<unsigned>([](int i) { return i * 0x40000000u; });
  check<long>([](int i) { return (long)i << 40; });
  check<unsigned long long>([](int i) { return (unsigned long long)i << 62; });
  check<float>([](int i) { return i * 0.1f; });
  check<double>([](int i) { return 1 + i * 1e-12; });
  check_ragged();
  return done();
}
