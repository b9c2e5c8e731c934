// Tests tiles of several warps: barriers of 16 tiles at a time, sums, prefix sums, broadcasts, and
// tiles of such tiles. Compiled only by clang, with the workbook's own cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>

namespace cg = cooperative_groups;

struct Answers {
  int sum, upto, before, most, given, rank, some, every, handed, part;
};

template <unsigned Size> __global__ void ask(Answers *to) {
  __shared__ cg::block_tile_memory<1024> room;
  __shared__ int slots[1024];
  auto block = cg::this_thread_block(room);
  auto tile = cg::tiled_partition<Size>(block);
  const int i = (int)block.thread_rank(), value = i * 7 % 31 - 9;
  Answers a;
  a.sum = cg::reduce(tile, value, cg::plus<int>());
  a.most = cg::reduce(tile, value, cg::greater<int>());
  a.upto = cg::inclusive_scan(tile, value, cg::plus<int>());
  a.before = cg::exclusive_scan(tile, value, cg::plus<int>());
  a.given = tile.shfl(value, Size - 3);
  a.rank = (int)(tile.meta_group_rank() * 100 + tile.meta_group_size());
  a.some = tile.any(i % Size == 40) != 0;
  a.every = tile.all(value < 21) != 0;
  slots[i] = value;
  tile.sync();
  a.handed = slots[i ^ (Size / 2)]; // stored by another warp
  auto part = cg::tiled_partition<32>(tile);
  a.part = cg::reduce(part, 1, cg::plus<int>()) * 100 + (int)part.meta_group_rank();
  to[i] = a;
}

static int value_of(int i) { return i * 7 % 31 - 9; }

template <unsigned Size> static int wrong(int threads) {
  int differ = 0;
  Answers *to;
  cudaMallocManaged(&to, sizeof *to * threads);
  ask<Size><<<1, threads>>>(to);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  for (int i = 0; i < threads; i++) {
    const int first = i / (int)Size * (int)Size;
    int sum = 0, most = -100, upto = 0, every = 1;
    for (int k = first; k < first + (int)Size; k++) {
      sum += value_of(k);
      most = value_of(k) > most ? value_of(k) : most;
      upto += k <= i ? value_of(k) : 0;
      every &= value_of(k) < 21;
    }
    const Answers a = to[i];
    differ += a.sum != sum || a.most != most || a.upto != upto || a.before != upto - value_of(i) ||
              a.given != value_of(first + (int)Size - 3) || a.some != 1 || a.every != every ||
              a.rank != i / (int)Size * 100 + threads / (int)Size ||
              a.handed != value_of(i ^ (int)(Size / 2)) || a.part != 3200 + i % (int)Size / 32;
  }
  cudaFree(to);
  if (differ)
    printf("tiles of %u in blocks of %d: %d threads are wrong\n", Size, threads, differ);
  return differ;
}

int main() {
#ifdef __clang__
  int differ =
      wrong<64>(64) + wrong<64>(1024) + wrong<128>(384) + wrong<256>(512) + wrong<512>(512);
#else
  int differ = 0;
#endif
  puts(differ ? "wrong" : "ok");
  return differ != 0;
}
