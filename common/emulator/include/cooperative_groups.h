/* Cooperative groups for clang. An object represents a group of threads: the grid, the block, a
 * tile of a warp, or the active lanes.
 *
 * A group of lanes is represented by a member mask. The rank of a lane is the number of set bits
 * below the bit of the lane. The mask of a tile is a range of 1, 2, 4 ... 32 lanes. A tile of
 * several warps uses a barrier and a buffer in shared memory. The barrier of the grid uses memory
 * that the driver provides for a cooperative launch (machine/grid.c), as in the toolkit's headers.
 * Clusters and groups of several devices are not implemented.
 *
 * The functions are nodebug, so that a report names a line of the program instead of a line of this
 * header. */
#ifndef COOPERATIVE_GROUPS_H
#define COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#define CG_HERE __attribute__((device, nodebug, always_inline)) inline
#define CG_STATIC static CG_HERE

namespace cooperative_groups {

class coalesced_group;
class thread_block;

namespace details {
CG_STATIC unsigned int lane() {
  unsigned int lane;
  __asm__("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}
CG_STATIC unsigned int lanes_below() { return (1u << lane()) - 1; }

CG_STATIC unsigned int block_size() { return blockDim.x * blockDim.y * blockDim.z; }
CG_STATIC unsigned int rank_in_block() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
CG_STATIC unsigned long long grid_blocks() {
  return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
}
CG_STATIC unsigned long long rank_of_block() {
  return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}

/* Returns the lane of the thread with this rank in a mask. */
CG_STATIC unsigned int lane_of(unsigned int mask, unsigned int rank) {
  for (; rank; rank--)
    mask &= mask - 1;
  return mask ? __ffs((int)mask) - 1 : 0;
}
/* Converts the mask `lanes` to a mask of the ranks that these lanes have in `mask`. */
CG_STATIC unsigned int pack(unsigned int mask, unsigned int lanes) {
  unsigned int packed = 0;
  for (unsigned int rank = 0; mask; mask &= mask - 1, rank++)
    packed |= (lanes >> (__ffs((int)mask) - 1) & 1) << rank;
  return packed;
}

/* Divides a mask into groups of `size` lanes with successive ranks. Returns the mask of the group
 * that includes this lane. */
CG_STATIC unsigned int piece(unsigned int mask, unsigned int size) {
  unsigned int mine = (unsigned int)__popc(mask & lanes_below()) / size, lanes = 0;
  for (unsigned int rank = 0; mask; mask &= mask - 1, rank++)
    if (rank / size == mine)
      lanes |= mask & (~mask + 1);
  return lanes;
}

/* Shuffles a value of any size, one word at a time. */
template <class T> CG_STATIC T shuffle(unsigned int mask, const T &value, unsigned int lane) {
  unsigned int words[(sizeof(T) + 3) / 4] = {0};
  T result = value;
  __builtin_memcpy(words, &value, sizeof(T));
#pragma unroll
  for (unsigned int i = 0; i < (sizeof(T) + 3) / 4; i++)
    words[i] = __shfl_sync(mask, words[i], (int)lane, 32);
  __builtin_memcpy(&result, words, sizeof(T));
  return result;
}

/* Returns the address of the word that the barrier of the grid uses; 0 if the launch is not
 * cooperative. */
CG_STATIC unsigned int *grid_word() {
  unsigned int high, low;
  __asm__("mov.u32 %0, %%envreg1;" : "=r"(high));
  __asm__("mov.u32 %0, %%envreg2;" : "=r"(low));
  unsigned long long address = (unsigned long long)high << 32 | low;
  return address ? (unsigned int *)address + 1 : 0;
}
/* Arrives at the barrier of the grid. Each block except the first adds 1. The first block adds a
 * number that makes the top bit of the word flip when the last block arrives. Returns the old
 * value. */
CG_STATIC unsigned int grid_arrive(unsigned int *word) {
  unsigned int before = 0;
  __syncthreads();
  if (rank_in_block() == 0) {
    unsigned int add = rank_of_block() ? 1u : 0x80000000u - (unsigned int)(grid_blocks() - 1);
    __asm__ volatile("atom.add.release.gpu.u32 %0, [%1], %2;"
                     : "=r"(before)
                     : "l"(word), "r"(add)
                     : "memory");
  }
  return before;
}
CG_STATIC void grid_wait(unsigned int *word, unsigned int before) {
  if (rank_in_block() == 0) {
    unsigned int now;
    do
      __asm__ volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(word) : "memory");
    while (!((now ^ before) >> 31));
  }
  __syncthreads();
}
} // namespace details

/* ---- any group ------------------------------------------------------------------------------- */
/* The base class of all groups. `mask` is used only by a group of lanes. */
class thread_group {
public:
  CG_HERE unsigned long long num_threads() const {
    return kind == GRID    ? details::grid_blocks() * details::block_size()
           : kind == BLOCK ? details::block_size()
                           : (unsigned int)__popc(mask);
  }
  CG_HERE unsigned long long size() const { return num_threads(); }
  CG_HERE unsigned long long thread_rank() const {
    return kind == GRID
               ? details::rank_of_block() * details::block_size() + details::rank_in_block()
           : kind == BLOCK ? details::rank_in_block()
                           : (unsigned int)__popc(mask & details::lanes_below());
  }
  CG_HERE void sync() const {
    if (kind == GRID)
      grid_sync();
    else if (kind == BLOCK)
      __syncthreads();
    else
      __syncwarp(mask);
  }
  CG_HERE bool is_valid() const { return kind != GRID || details::grid_word(); }

protected:
  enum Kind { GRID, BLOCK, LANES };
  CG_HERE thread_group(Kind kind_, unsigned int mask_ = 0) : kind(kind_), mask(mask_) {}
  CG_STATIC void grid_sync() {
    unsigned int *word = details::grid_word();
    if (!word)
      __trap(); /* grid.sync() needs cudaLaunchCooperativeKernel */
    details::grid_wait(word, details::grid_arrive(word));
  }
  Kind kind;
  unsigned int mask;

  friend CG_HERE thread_group tiled_partition(const thread_group &parent, unsigned int size);
};

/* ---- the grid -------------------------------------------------------------------------------- */
class grid_group : public thread_group {
public:
  struct arrival_token {
    unsigned int before;
  };
  CG_HERE grid_group() : thread_group(GRID) {}
  CG_STATIC void sync() { grid_sync(); }
  CG_STATIC arrival_token barrier_arrive() {
    unsigned int *word = details::grid_word();
    if (!word)
      __trap();
    return {details::grid_arrive(word)};
  }
  CG_STATIC void barrier_wait(arrival_token &&token) {
    details::grid_wait(details::grid_word(), token.before);
  }
  CG_STATIC unsigned long long num_threads() {
    return details::grid_blocks() * details::block_size();
  }
  CG_STATIC unsigned long long size() { return num_threads(); }
  CG_STATIC unsigned long long thread_rank() {
    return details::rank_of_block() * details::block_size() + details::rank_in_block();
  }
  CG_STATIC unsigned long long num_blocks() { return details::grid_blocks(); }
  CG_STATIC unsigned long long block_rank() { return details::rank_of_block(); }
  CG_STATIC dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  CG_STATIC dim3 group_dim() { return dim_blocks(); }
  CG_STATIC dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
};
CG_STATIC grid_group this_grid() { return grid_group(); }

/* ---- the block ------------------------------------------------------------------------------- */
class thread_block : public thread_group {
public:
  struct arrival_token {};
  CG_HERE thread_block() : thread_group(BLOCK) {}
  CG_STATIC void sync() { __syncthreads(); }
  CG_STATIC arrival_token barrier_arrive() { return {}; }
  CG_STATIC void barrier_wait(arrival_token &&) { __syncthreads(); }
  CG_STATIC unsigned int num_threads() { return details::block_size(); }
  CG_STATIC unsigned int size() { return num_threads(); }
  CG_STATIC unsigned int thread_rank() { return details::rank_in_block(); }
  CG_STATIC dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  CG_STATIC dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  CG_STATIC dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  CG_STATIC dim3 group_dim() { return dim_threads(); }
};
CG_STATIC thread_block this_thread_block() { return thread_block(); }

/* ---- lanes of a warp ------------------------------------------------------------------------- */
/* A set of lanes: the lanes that are active at coalesced_threads(), or a part of such a group. */
class coalesced_group : public thread_group {
public:
  CG_HERE unsigned int num_threads() const { return (unsigned int)__popc(mask); }
  CG_HERE unsigned int size() const { return num_threads(); }
  CG_HERE unsigned int thread_rank() const {
    return (unsigned int)__popc(mask & details::lanes_below());
  }
  CG_HERE unsigned int meta_group_rank() const { return rank_among; }
  CG_HERE unsigned int meta_group_size() const { return groups; }
  CG_HERE void sync() const { __syncwarp(mask); }
  template <class T> CG_HERE T shfl(const T &value, unsigned int rank) const {
    return details::shuffle(mask, value, details::lane_of(mask, rank));
  }
  template <class T> CG_HERE T shfl_down(const T &value, unsigned int delta) const {
    unsigned int rank = thread_rank() + delta;
    return shfl(value, rank < size() ? rank : thread_rank());
  }
  template <class T> CG_HERE T shfl_up(const T &value, unsigned int delta) const {
    unsigned int rank = thread_rank();
    return shfl(value, rank >= delta ? rank - delta : rank);
  }
  CG_HERE int any(int predicate) const { return __any_sync(mask, predicate); }
  CG_HERE int all(int predicate) const { return __all_sync(mask, predicate); }
  CG_HERE unsigned int ballot(int predicate) const {
    return details::pack(mask, __ballot_sync(mask, predicate));
  }
  template <class T> CG_HERE unsigned int match_any(T value) const {
    return details::pack(mask, __match_any_sync(mask, value));
  }
  template <class T> CG_HERE unsigned int match_all(T value, int &same) const {
    return details::pack(mask, __match_all_sync(mask, value, &same));
  }

protected:
  CG_HERE coalesced_group(unsigned int mask_, unsigned int rank_among_ = 0,
                          unsigned int groups_ = 1)
      : thread_group(LANES, mask_), rank_among(rank_among_), groups(groups_) {}
  unsigned int rank_among, groups;

  friend CG_HERE coalesced_group coalesced_threads();
  friend CG_HERE coalesced_group tiled_partition(const coalesced_group &, unsigned int);
  template <class T> friend CG_HERE coalesced_group labeled_partition(const coalesced_group &, T);
  friend CG_HERE coalesced_group binary_partition(const coalesced_group &, bool);
};
CG_HERE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

/* A tile of `Size` lanes of a warp. */
template <unsigned int Size, class Parent = void, bool SeveralWarps = (Size > 32)>
class thread_block_tile : public coalesced_group {
  static_assert(Size && !(Size & (Size - 1)), "the number of threads of a tile is a power of two");

public:
  CG_HERE thread_block_tile(unsigned int rank, unsigned int number)
      : coalesced_group(own_mask(), rank, number) {}
  template <class Other>
  CG_HERE thread_block_tile(const thread_block_tile<Size, Other> &other)
      : coalesced_group(own_mask(), other.meta_group_rank(), other.meta_group_size()) {}
  CG_STATIC constexpr unsigned int num_threads() { return Size; }
  CG_STATIC constexpr unsigned int size() { return Size; }
  CG_STATIC unsigned int thread_rank() { return details::lane() & (Size - 1); }
  template <class T> CG_HERE T shfl(const T &value, unsigned int rank) const {
    return details::shuffle(mask, value, first() + (rank & (Size - 1)));
  }
  template <class T> CG_HERE T shfl_down(const T &value, unsigned int delta) const {
    unsigned int rank = thread_rank() + delta;
    return shfl(value, rank < Size ? rank : thread_rank());
  }
  template <class T> CG_HERE T shfl_up(const T &value, unsigned int delta) const {
    unsigned int rank = thread_rank();
    return shfl(value, rank >= delta ? rank - delta : rank);
  }
  template <class T> CG_HERE T shfl_xor(const T &value, unsigned int bits) const {
    unsigned int rank = thread_rank() ^ bits;
    return shfl(value, rank < Size ? rank : thread_rank());
  }
  CG_HERE unsigned int ballot(int predicate) const {
    return __ballot_sync(mask, predicate) >> first();
  }
  template <class T> CG_HERE unsigned int match_any(T value) const {
    return __match_any_sync(mask, value) >> first();
  }
  template <class T> CG_HERE unsigned int match_all(T value, int &same) const {
    return __match_all_sync(mask, value, &same) >> first();
  }

private:
  CG_STATIC unsigned int first() { return details::lane() & ~(Size - 1); }
  CG_STATIC unsigned int own_mask() { return 0xffffffffu >> (32 - Size) << first(); }
};
CG_STATIC thread_block_tile<1> this_thread() { return thread_block_tile<1>(0, 1); }

/* ---- tiles of several warps ------------------------------------------------------------------ */
namespace details {
enum { MOST_WARPS = 32 };
/* Returns the address of the barrier of tile `rank`, for tiles of `Size` threads. */
template <unsigned int Size> CG_STATIC unsigned int tile_barrier(unsigned int rank) {
  static __shared__ unsigned long long barriers[1024 / Size];
  return (unsigned int)__cvta_generic_to_shared(&barriers[rank]);
}
CG_STATIC void barrier_init(unsigned int address, unsigned int threads) {
  __asm__ volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address), "r"(threads) : "memory");
}
CG_STATIC unsigned long long barrier_arrive(unsigned int address) {
  unsigned long long state;
  __asm__ volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(address) : "memory");
  return state;
}
CG_STATIC void barrier_wait(unsigned int address, unsigned long long state) {
  unsigned int done;
  do
    __asm__ volatile(
        "{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(address), "l"(state)
        : "memory");
  while (!done);
}
/* Returns a buffer in shared memory for one value per warp of the block. */
template <class T> CG_STATIC T *warp_places() {
  static __shared__ __align__(16) unsigned char places[MOST_WARPS * sizeof(T)];
  return (T *)places;
}
} // namespace details

/* A tile of 64, 128, 256, 512 or 1024 consecutive threads of a block. The last tile of a block may
 * have fewer threads. */
template <unsigned int Size, class Parent> class thread_block_tile<Size, Parent, true> {
  static_assert(Size <= 1024 && !(Size & (Size - 1)),
                "a tile has at most 1024 threads, and their number is a power of two");

public:
  struct arrival_token {
    unsigned long long state;
  };
  CG_HERE thread_block_tile(unsigned int rank_, unsigned int number_)
      : rank(rank_), number(number_) {}
  template <class Other>
  CG_HERE thread_block_tile(const thread_block_tile<Size, Other> &other)
      : rank(other.meta_group_rank()), number(other.meta_group_size()) {}
  CG_STATIC constexpr unsigned int num_threads() { return Size; }
  CG_STATIC constexpr unsigned int size() { return Size; }
  CG_STATIC unsigned int thread_rank() { return details::rank_in_block() & (Size - 1); }
  CG_HERE unsigned int meta_group_rank() const { return rank; }
  CG_HERE unsigned int meta_group_size() const { return number; }

  /* The first thread of each tile initialises the barrier of the tile. All threads of the parent
   * group wait until this is done. */
  template <class Whole> CG_HERE void begin(const Whole &parent) const {
    parent.sync();
    if (thread_rank() == 0) {
      unsigned int left = details::block_size() - details::rank_in_block();
      details::barrier_init(barrier(), left < Size ? left : Size);
    }
    parent.sync();
  }
  CG_HERE void sync() const {
    details::barrier_wait(barrier(), details::barrier_arrive(barrier()));
  }
  CG_HERE arrival_token barrier_arrive() const { return {details::barrier_arrive(barrier())}; }
  CG_HERE void barrier_wait(arrival_token &&token) const {
    details::barrier_wait(barrier(), token.state);
  }

  /* Gives all threads of the tile one value per warp: the value `mine` of the thread for which
   * `gives` is true. Returns combine(values, number of warps). */
  template <class T, class Combine>
  CG_HERE auto with_warps(const T &mine, bool gives, Combine combine) const {
    T *places = details::warp_places<T>() + (details::rank_in_block() & ~(Size - 1)) / 32;
    if (gives)
      places[thread_rank() / 32] = mine;
    sync();
    unsigned int left = details::block_size() - (details::rank_in_block() & ~(Size - 1));
    auto result = combine(places, ((left < Size ? left : Size) + 31) / 32);
    sync(); /* after this, the buffer can be used again */
    return result;
  }
  template <class T> CG_HERE T shfl(const T &value, unsigned int from) const {
    const unsigned int warp = (from & (Size - 1)) / 32;
    return with_warps(value, thread_rank() == (from & (Size - 1)),
                      [=](const T *places, unsigned int) { return places[warp]; });
  }
  CG_HERE int any(int predicate) const {
    return with_warps(__any_sync(lanes(), predicate), first_lane(),
                      [](const int *warps, unsigned int n) {
                        int some = 0;
                        for (unsigned int i = 0; i < n; i++)
                          some |= warps[i];
                        return some;
                      });
  }
  CG_HERE int all(int predicate) const { return !any(!predicate); }

  /* lanes() returns the mask of the lanes that exist in this warp. first_lane() and last_lane()
   * return true in the first and the last of these lanes. */
  CG_STATIC unsigned int lanes() {
    unsigned int left = details::block_size() - (details::rank_in_block() & ~31u);
    return left < 32 ? (1u << left) - 1 : 0xffffffffu;
  }
  CG_STATIC bool first_lane() { return details::lane() == 0; }
  CG_STATIC bool last_lane() { return lanes() >> details::lane() == 1; }

private:
  CG_HERE unsigned int barrier() const {
    return details::tile_barrier<Size>(details::rank_in_block() / Size);
  }
  unsigned int rank, number;
};

/* In the toolkit, tiles of several warps need this memory before compute capability 8.0. This
 * header does not use the memory. */
template <unsigned int MaxBlockSize = 1024> struct block_tile_memory { unsigned int unused; };
template <unsigned int MaxBlockSize>
CG_HERE thread_block this_thread_block(block_tile_memory<MaxBlockSize> &) {
  return thread_block();
}

namespace details {
template <unsigned int Size, class Parent, class Whole>
CG_HERE auto begun(thread_block_tile<Size, Parent, true> tile, const Whole &parent) {
  tile.begin(parent);
  return tile;
}
template <unsigned int Size, class Parent, class Whole>
CG_HERE auto begun(thread_block_tile<Size, Parent, false> tile, const Whole &) {
  return tile;
}
} // namespace details

/* ---- partitions of groups -------------------------------------------------------------------- */
template <unsigned int Size> CG_HERE auto tiled_partition(const thread_block &block) {
  return details::begun(
      thread_block_tile<Size, thread_block>(details::rank_in_block() / Size,
                                            (details::block_size() + Size - 1) / Size),
      block);
}
template <unsigned int Size, unsigned int Whole, class Parent>
CG_HERE auto tiled_partition(const thread_block_tile<Whole, Parent> &parent) {
  static_assert(Size < Whole, "a tile is smaller than what it is a part of");
  return details::begun(thread_block_tile<Size, thread_block_tile<Whole, Parent>>(
                            parent.thread_rank() / Size, Whole / Size),
                        parent);
}

CG_HERE coalesced_group tiled_partition(const coalesced_group &parent, unsigned int size) {
  return coalesced_group(details::piece(parent.mask, size), parent.thread_rank() / size,
                         (parent.size() + size - 1) / size);
}
CG_HERE thread_group tiled_partition(const thread_group &parent, unsigned int size) {
  if (parent.kind == thread_group::LANES)
    return thread_group(thread_group::LANES, details::piece(parent.mask, size));
  if (size == 0 || size > 32 || size & (size - 1))
    __trap(); /* a tile has 1, 2, 4, 8, 16 or 32 threads */
  unsigned int first = details::rank_in_block() & 31 & ~(size - 1);
  return thread_group(thread_group::LANES, 0xffffffffu >> (32 - size) << first);
}
CG_HERE thread_group tiled_partition(const thread_block &parent, unsigned int size) {
  return tiled_partition((const thread_group &)parent, size);
}

/* Returns the group of the threads with the same label. Groups are numbered in the order of their
 * first threads. */
template <class T>
CG_HERE coalesced_group labeled_partition(const coalesced_group &parent, T label) {
  unsigned int mine = __match_any_sync(parent.mask, label);
  bool leader = !(mine & details::lanes_below());
  unsigned int leaders = __ballot_sync(parent.mask, leader);
  unsigned int first = (unsigned int)__ffs((int)mine) - 1;
  return coalesced_group(mine, (unsigned int)__popc(leaders & ((1u << first) - 1)),
                         (unsigned int)__popc(leaders));
}
CG_HERE coalesced_group binary_partition(const coalesced_group &parent, bool side) {
  unsigned int yes = __ballot_sync(parent.mask, side);
  return coalesced_group(side ? yes : parent.mask & ~yes, side, 2);
}

/* ---- the members as free functions ----------------------------------------------------------- */
template <class Group> CG_HERE void sync(const Group &group) { group.sync(); }
template <class Group> CG_HERE auto thread_rank(const Group &group) { return group.thread_rank(); }
template <class Group> CG_HERE auto group_size(const Group &group) { return group.num_threads(); }
template <class Group> CG_HERE bool is_valid(const Group &group) { return group.is_valid(); }

/* ---- operations for reduce.h and scan.h ------------------------------------------------------ */
#define CG_OPERATION(name, expression)                                                             \
  template <class T> struct name {                                                                 \
    CG_HERE T operator()(const T &a, const T &b) const { return expression; }                      \
  };
CG_OPERATION(plus, a + b)
CG_OPERATION(less, b < a ? b : a)
CG_OPERATION(greater, a < b ? b : a)
CG_OPERATION(bit_and, a &b)
CG_OPERATION(bit_or, a | b)
CG_OPERATION(bit_xor, a ^ b)
#undef CG_OPERATION

} // namespace cooperative_groups

#endif
