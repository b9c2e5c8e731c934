// Tests communication between the lanes of a warp (shuffles of all kinds and types, votes, matches)
// and bit operations.
#include "check.h"

__global__ void shuffles(int *bad) {
  const unsigned all = 0xffffffffu;
  int lane = threadIdx.x;
  double d = lane * 1.5;
  long long ll = (1ll << 40) * lane;
  DEVICE_EXPECT(bad, __shfl_sync(all, lane * 2, 5) == 10);
  DEVICE_EXPECT(bad, __shfl_sync(all, lane, 1, 8) == lane / 8 * 8 + 1);
  DEVICE_EXPECT(bad, __shfl_up_sync(all, lane, 3) == (lane < 3 ? lane : lane - 3));
  DEVICE_EXPECT(bad, __shfl_down_sync(all, d, 4) == (lane > 27 ? d : d + 6.0));
  DEVICE_EXPECT(bad, __shfl_down_sync(all, lane, 2, 16) == (lane % 16 > 13 ? lane : lane + 2));
  DEVICE_EXPECT(bad, __shfl_xor_sync(all, ll, 1) == (1ll << 40) * (lane ^ 1));
  DEVICE_EXPECT(bad, __shfl_xor_sync(all, (float)lane, 16) == (float)(lane ^ 16));
  DEVICE_EXPECT(bad, __shfl_sync(all, (unsigned long long)ll, lane + 1) ==
                         (1ull << 40) * ((lane + 1) % 32));
}

__global__ void votes(int *bad) {
  const unsigned all = 0xffffffffu;
  int lane = threadIdx.x, pred = -1;
  DEVICE_EXPECT(bad, __ballot_sync(all, lane % 3 == 0) == 0x49249249u);
  DEVICE_EXPECT(bad, __any_sync(all, lane == 31));
  DEVICE_EXPECT(bad, !__all_sync(all, lane < 31));
  DEVICE_EXPECT(bad, __all_sync(all, lane < 32));
  DEVICE_EXPECT(bad, __match_any_sync(all, lane % 4) == 0x11111111u << (lane % 4));
  DEVICE_EXPECT(bad, __match_all_sync(all, 7, &pred) == all);
  DEVICE_EXPECT(bad, pred);
  DEVICE_EXPECT(bad, __match_all_sync(all, lane / 16, &pred) == 0);
  DEVICE_EXPECT(bad, !pred);
  if (lane < 5) {
    DEVICE_EXPECT(bad, __activemask() == 0x1f);
    DEVICE_EXPECT(bad, __ballot_sync(0x1f, lane != 2) == 0x1b);
  }
  __syncwarp();
  DEVICE_EXPECT(bad, __syncthreads_count(lane < 9) == 9);
  DEVICE_EXPECT(bad, __syncthreads_and(1));
  DEVICE_EXPECT(bad, !__syncthreads_or(0));
}

// x is 0x00f0a005, y is 0x0000800000000100. Both are passed at run time, so that the compiler
// cannot compute the results.
__global__ void bits(int *bad, unsigned x, unsigned long long y) {
  DEVICE_EXPECT(bad, __popc(x) == 8);
  DEVICE_EXPECT(bad, __popcll(y) == 2);
  DEVICE_EXPECT(bad, __clz(x) == 8);
  DEVICE_EXPECT(bad, __clzll(y) == 16);
  DEVICE_EXPECT(bad, __ffs(x) == 1);
  DEVICE_EXPECT(bad, __ffs(0) == 0);
  DEVICE_EXPECT(bad, __ffsll(y) == 9);
  DEVICE_EXPECT(bad, __brev(x) == 0xa0050f00u);
  DEVICE_EXPECT(bad, __brevll(y) == 0x0080000000010000ull);
  DEVICE_EXPECT(bad, __byte_perm(x, 0x44332211u, 0x7150) == 0x44a02205u);
  DEVICE_EXPECT(bad, __funnelshift_l(0x80000001u, x, 4) == 0x0f0a0058u);
  DEVICE_EXPECT(bad, __funnelshift_r(x, 1u, 4) == 0x100f0a00u);
  DEVICE_EXPECT(bad, __umulhi(x, 0x80000000u) == x / 2);
  DEVICE_EXPECT(bad, __mulhi(-2, 1 << 30) == -1);
  DEVICE_EXPECT(bad, __umul64hi(y, 1ull << 60) == y >> 4);
  DEVICE_EXPECT(bad, __mul24(-3, 5) == -15);
  DEVICE_EXPECT(bad, __umul24(x, 2) == 0x01e1400au);
  DEVICE_EXPECT(bad, __sad(-3, 4, 5u) == 12);
  DEVICE_EXPECT(bad, __usad(3u, 9u, 1u) == 7);
  DEVICE_EXPECT(bad, __hadd(-3, -4) == -4);
  DEVICE_EXPECT(bad, __rhadd(3, 4) == 4);
  DEVICE_EXPECT(bad, __float_as_int(1.0f) == 0x3f800000);
  DEVICE_EXPECT(bad, __int_as_float(0x40000000) == 2.0f);
  DEVICE_EXPECT(bad, __double_as_longlong(1.0) == 0x3ff0000000000000ll);
  DEVICE_EXPECT(bad, __longlong_as_double(0) == 0.0);
  DEVICE_EXPECT(bad, __double2hiint(1.0) == 0x3ff00000);
  DEVICE_EXPECT(bad, __hiloint2double(0x40000000, 0) == 2.0);
  DEVICE_EXPECT(bad, __float2int_rn(2.5f) == 2);
  DEVICE_EXPECT(bad, __float2int_rz(-2.7f) == -2);
  DEVICE_EXPECT(bad, __float2int_rd(-2.1f) == -3);
  DEVICE_EXPECT(bad, __float2int_ru(2.1f) == 3);
  DEVICE_EXPECT(bad, __float2uint_rz(3e9f) == 3000000000u);
  DEVICE_EXPECT(bad, __double2ll_rn(-1e15 - 0.5) == -1000000000000000ll);
  DEVICE_EXPECT(bad, __double2float_rz(1.0 / 3) <= 1.0 / 3);
  DEVICE_EXPECT(bad, __int2float_rz(0x01000001) == 16777216.0f);
  DEVICE_EXPECT(bad, __int2float_ru(0x01000001) == 16777218.0f);
  DEVICE_EXPECT(bad, __fadd_rz(1.0f, 1e-10f) == 1.0f);
  DEVICE_EXPECT(bad, __fadd_ru(1.0f, 1e-10f) > 1.0f);
  DEVICE_EXPECT(bad, __dmul_rd(0.1, 0.1) < __dmul_ru(0.1, 0.1));
  DEVICE_EXPECT(bad, __fmaf_rn(2.0f, 3.0f, 4.0f) == 10.0f);
  DEVICE_EXPECT(bad, __fdividef(6.0f, 3.0f) == 2.0f);
  DEVICE_EXPECT(bad, __saturatef(-1.0f) == 0.0f);
  DEVICE_EXPECT(bad, __saturatef(7.0f) == 1.0f);
  DEVICE_EXPECT(bad, (__ldg(bad + 1) & 4) == 0);
}

int main() {
  int *d_bad;
  CHECK(cudaMalloc(&d_bad, 2 * sizeof *d_bad));
  CHECK(cudaMemset(d_bad, 0, 2 * sizeof *d_bad));
  shuffles<<<1, 32>>>(d_bad);
  LAUNCHED();
  votes<<<1, 32>>>(d_bad);
  LAUNCHED();
  bits<<<1, 1>>>(d_bad, 0x00f0a005u, 0x0000800000000100ull);
  LAUNCHED();
  expect_no_line(d_bad);
  CHECK(cudaFree(d_bad));
  return done();
}
