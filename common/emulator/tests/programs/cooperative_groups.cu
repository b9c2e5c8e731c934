// Tests cooperative groups within a warp: tiles of every size, tiles of tiles, the lanes on one
// side of a branch, and partitions of such groups by size, by label and by a predicate. The host
// computes the expected result of each thread from the members of its group.
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <vector>

namespace cg = cooperative_groups;

enum { X = 8, Y = 6, Z = 2, THREADS = X * Y * Z, BLOCKS = 3, ALL = BLOCKS * THREADS };
enum { SUM, LEAST, MOST, AND, OR, XOR, BEFORE, UP_TO, MOST_SO_FAR, ANSWERS };

struct Wide { // shuffled as a whole
  double x;
  int y;
  short z;
};

struct Learned {
  unsigned rank, size, groups, group, ballot, same, alike;
  int any, all, is_alike, from_first, down, up;
  double wide;
  int reduced[ANSWERS];
};

__host__ __device__ int value_of(int t) { return t * 37 % 23 - 9; }
__host__ __device__ int way_of(int t) { return t * t % 7 % 3; }

template <class Group> __device__ void ask(const Group &group, Learned *l, int t) {
  int v = value_of(t);
  l->rank = group.thread_rank();
  l->size = group.size();
  l->groups = group.meta_group_size();
  l->group = group.meta_group_rank();
  l->ballot = group.ballot(v > 0);
  l->any = group.any(v > 9) != 0;
  l->all = group.all(v > -9) != 0;
  l->same = group.match_any(v % 4);
  l->alike = group.match_all(v % 2 == 0, l->is_alike);
  l->is_alike = l->is_alike != 0;
  l->from_first = group.shfl(v, 0);
  l->down = group.shfl_down(v, 2);
  l->up = group.shfl_up(v, 3);
  Wide w = {v / 4.0, v, (short)(v + 1)}, got = group.shfl(w, group.size() - 1);
  l->wide = got.x + got.y + got.z;
  group.sync();
  l->reduced[SUM] = cg::reduce(group, v, cg::plus<int>());
  l->reduced[LEAST] = cg::reduce(group, v, cg::less<int>());
  l->reduced[MOST] = cg::reduce(group, v, cg::greater<int>());
  l->reduced[AND] = cg::reduce(group, v, cg::bit_and<int>());
  l->reduced[OR] = cg::reduce(group, v, cg::bit_or<int>());
  l->reduced[XOR] = cg::reduce(group, v, cg::bit_xor<int>());
  l->reduced[BEFORE] = cg::exclusive_scan(group, v);
  l->reduced[UP_TO] = cg::inclusive_scan(group, v, cg::plus<int>());
  l->reduced[MOST_SO_FAR] = cg::inclusive_scan(group, v, cg::greater<int>());
}

// ---- kinds of groups: make() creates one in a kernel, group() returns its number on the host ----
template <int SIZE> struct Tile {
  static __device__ auto make(int) { return cg::tiled_partition<SIZE>(cg::this_thread_block()); }
  static int group(int t) { return t / SIZE; }
};
template <int SIZE> struct TileOfTile {
  static __device__ auto make(int) {
    return cg::tiled_partition<SIZE>(cg::tiled_partition<32>(cg::this_thread_block()));
  }
  static int group(int t) { return t / SIZE; }
};
struct Together {
  static __device__ auto make(int) { return cg::coalesced_threads(); }
  static int group(int t) { return t / 32 * 3 + way_of(t); }
};
struct Halves {
  static __device__ auto make(int t) {
    return cg::binary_partition(cg::coalesced_threads(), value_of(t) > 0);
  }
  static int group(int t) { return (t / 32 * 3 + way_of(t)) * 2 + (value_of(t) > 0); }
};
struct Labels {
  static __device__ auto make(int t) {
    return cg::labeled_partition(cg::coalesced_threads(), value_of(t) & 3);
  }
  static int group(int t) { return (t / 32 * 3 + way_of(t)) * 4 + (value_of(t) & 3); }
};
struct Fours { // tiles of four threads of a coalesced group
  static __device__ auto make(int) { return cg::tiled_partition(cg::coalesced_threads(), 4); }
  static int group(int t) {
    int rank = 0;
    for (int other = t / 32 * 32; other < t; other++)
      rank += way_of(other) == way_of(t);
    return (t / 32 * 3 + way_of(t)) * 8 + rank / 4;
  }
};

template <class Way> __global__ void tell(Learned *out) {
  int t = cg::this_thread_block().thread_rank();
  for (int way = 0; way < 3; way++)
    if (way_of(t) == way)
      ask(Way::make(t), &out[cg::this_grid().thread_rank()], t);
}
template <class Way> __global__ void tell_all(Learned *out) {
  int t = cg::this_thread_block().thread_rank();
  ask(Way::make(t), &out[cg::this_grid().thread_rank()], t);
}

// ---- what the host expects ----------------------------------------------------------------------
static void check_thread(const Learned &l, const std::vector<int> &members, int t) {
  int n = (int)members.size(), rank = 0, v = value_of(t);
  while (members[rank] != t)
    rank++;
  int reduced[ANSWERS] = {0, 99, -99, -1, 0, 0, 0, 0, -99};
  unsigned ballot = 0, same = 0, full = 0;
  bool any = false, all = true, alike = true;
  for (int i = 0; i < n; i++) {
    int w = value_of(members[i]);
    ballot |= (unsigned)(w > 0) << i;
    same |= (unsigned)(w % 4 == v % 4) << i;
    full |= 1u << i;
    any = any || w > 9, all = all && w > -9, alike = alike && (w % 2 == 0) == (v % 2 == 0);
    reduced[SUM] += w;
    reduced[LEAST] = w < reduced[LEAST] ? w : reduced[LEAST];
    reduced[MOST] = w > reduced[MOST] ? w : reduced[MOST];
    reduced[AND] &= w, reduced[OR] |= w, reduced[XOR] ^= w;
    reduced[BEFORE] += i < rank ? w : 0;
    reduced[UP_TO] += i <= rank ? w : 0;
    if (i <= rank && w > reduced[MOST_SO_FAR])
      reduced[MOST_SO_FAR] = w;
  }
  EXPECT((int)l.rank == rank && (int)l.size == n);
  EXPECT(l.ballot == ballot && l.any == any && l.all == all && l.same == same);
  EXPECT(l.is_alike == alike && l.alike == (alike ? full : 0));
  EXPECT(l.from_first == value_of(members[0]));
  EXPECT(l.down == value_of(members[rank + 2 < n ? rank + 2 : rank]));
  EXPECT(l.up == value_of(members[rank >= 3 ? rank - 3 : rank]));
  int last = value_of(members[n - 1]);
  EXPECT(l.wide == last / 4.0 + last + (last + 1));
  for (int i = 0; i < ANSWERS; i++)
    EXPECT(l.reduced[i] == reduced[i]);
}

template <class Way> static std::vector<Learned> check(void (*kernel)(Learned *)) {
  std::vector<Learned> out(ALL);
  Learned *device;
  CHECK(cudaMalloc(&device, ALL * sizeof *device));
  kernel<<<dim3(1, BLOCKS), dim3(X, Y, Z)>>>(device);
  LAUNCHED();
  CHECK(cudaMemcpy(out.data(), device, ALL * sizeof *device, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device));
  for (int t = 0; t < THREADS; t++) {
    std::vector<int> members;
    for (int other = 0; other < THREADS; other++)
      if (Way::group(other) == Way::group(t))
        members.push_back(other);
    for (int block = 0; block < BLOCKS; block++)
      check_thread(out[block * THREADS + t], members, t);
  }
  return out;
}

template <int SIZE> static void check_tiles() {
  std::vector<Learned> tiles = check<Tile<SIZE>>(tell_all<Tile<SIZE>>);
  for (int t = 0; t < THREADS; t++)
    EXPECT((int)tiles[t].groups == THREADS / SIZE && (int)tiles[t].group == t / SIZE);
}

template <int SIZE> static void check_parts() {
  std::vector<Learned> parts = check<TileOfTile<SIZE>>(tell_all<TileOfTile<SIZE>>);
  for (int t = 0; t < THREADS; t++)
    EXPECT((int)parts[t].groups == 32 / SIZE && (int)parts[t].group == t % 32 / SIZE);
}

// ---- copies by a group: rows of any length to shared memory and back ----------------------------
__global__ void reverse_rows(const short *in, short *out, int length) {
  extern __shared__ short rows[];
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  int row = tile.meta_group_rank(), start = (blockIdx.x * tile.meta_group_size() + row) * length;
  short *mine = rows + row * length;
  cg::memcpy_async(tile, mine, in + start, length * sizeof(short));
  cg::wait(tile);
  for (int i = tile.thread_rank(); i < length; i += tile.size())
    out[start + i] = mine[length - 1 - i];
}

static void check_copies(int length) {
  const int rows = 2 * (64 / 16);
  std::vector<short> in(rows * length), out(rows * length);
  short *d_in, *d_out;
  size_t bytes = in.size() * sizeof(short);
  for (size_t i = 0; i < in.size(); i++)
    in[i] = (short)(i * 31 + 7);
  CHECK(cudaMalloc(&d_in, bytes));
  CHECK(cudaMalloc(&d_out, bytes));
  CHECK(cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyHostToDevice));
  reverse_rows<<<2, 64, bytes / 2>>>(d_in, d_out, length);
  LAUNCHED();
  CHECK(cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost));
  for (int row = 0; row < rows; row++)
    for (int i = 0; i < length; i++)
      EXPECT(out[row * length + i] == in[row * length + length - 1 - i]);
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

// ---- the block, the grid, and groups that are passed as thread_group ----------------------------
__device__ int sum_of(cg::thread_group group, int *room, int value) {
  int rank = group.thread_rank();
  for (int i = group.size() / 2; i > 0; i /= 2) {
    room[rank] = value;
    group.sync();
    if (rank < i)
      value += room[rank + i];
    group.sync();
  }
  return value;
}

__global__ void any_group(int *sums, int *bad) {
  __shared__ int room[THREADS];
  cg::thread_block block = cg::this_thread_block();
  cg::grid_group grid = cg::this_grid();
  int t = threadIdx.x + X * (threadIdx.y + Y * threadIdx.z);
  DEVICE_EXPECT(bad, (int)block.thread_rank() == t && block.size() == THREADS);
  DEVICE_EXPECT(bad,
                block.thread_index().z == threadIdx.z && block.thread_index().y == threadIdx.y);
  DEVICE_EXPECT(bad, block.group_index().y == blockIdx.y && block.group_dim().y == Y);
  DEVICE_EXPECT(bad, (int)grid.thread_rank() == (int)blockIdx.y * THREADS + t);
  DEVICE_EXPECT(bad, grid.size() == ALL && grid.group_dim().y == BLOCKS && !grid.is_valid());
  cg::thread_group tile = cg::tiled_partition(block, 16), pair = cg::tiled_partition(tile, 2);
  int in_tile = sum_of(tile, room + t / 16 * 16, t);
  int in_pair = sum_of(pair, room + t / 2 * 2, t);
  DEVICE_EXPECT(bad, pair.thread_rank() || in_pair == 2 * t + 1);
  cg::sync(block);
  room[t] = t;
  block.sync();
  DEVICE_EXPECT(bad, room[THREADS - 1 - t] == THREADS - 1 - t);
  if (tile.thread_rank() == 0)
    sums[grid.thread_rank() / 16] = in_tile;
}

static void check_any_group() {
  int sums[ALL / 16], *d_sums, bad, *d_bad;
  CHECK(cudaMalloc(&d_sums, sizeof sums));
  CHECK(cudaMalloc(&d_bad, sizeof bad));
  CHECK(cudaMemset(d_bad, 0, sizeof bad));
  any_group<<<dim3(1, BLOCKS), dim3(X, Y, Z)>>>(d_sums, d_bad);
  LAUNCHED();
  CHECK(cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&bad, d_bad, sizeof bad, cudaMemcpyDeviceToHost));
  EXPECT(bad == 0);
  for (int i = 0; i < ALL / 16; i++)
    EXPECT(sums[i] == 16 * (i * 16 % THREADS) + 120);
  CHECK(cudaFree(d_sums));
  CHECK(cudaFree(d_bad));
}

int main() {
  check_tiles<1>();
  check_tiles<2>();
  check_tiles<4>();
  check_tiles<8>();
  check_tiles<16>();
  check_tiles<32>();
  check_parts<1>();
  check_parts<4>();
  check_parts<16>();
  check<Together>(tell<Together>);
  check<Halves>(tell<Halves>);
  check<Labels>(tell<Labels>);
  check<Fours>(tell<Fours>);
  check_copies(128);
#ifdef __clang__ // with the toolkit, several threads write the end of a row
  check_copies(37);
#endif
  check_any_group();
  return done();
}
