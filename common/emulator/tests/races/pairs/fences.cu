// Races between threads that fences, flags, locks or counters of some scope should order.
//
// pair: flag_no_fence race-between-blocks @data @flagged
// pair: flag_block_fence race-between-blocks @near_data @near_flagged
// pair: flag_block_atomic race-between-blocks @scoped @unscoped
// pair: flag_before_data race-between-blocks @after_flag @too_soon
// pair: flag_other_word race-between-blocks @this_word @that_word
// pair: volatile_flag race-between-blocks @volatile_data @volatile_seen
// pair: consumer_no_fence race-between-blocks @given @taken
// pair: release_relaxed race-between-blocks @release_data @acquire_data
// pair: lock_no_fence race-between-blocks @bare @bare
// pair: lock_first_fence race-between-blocks @first_fence @first_fence
// pair: lock_last_fence race-between-blocks @last_fence @last_fence
// pair: lock_block_fence race-between-blocks @block_fence @block_fence
// pair: lock_block_scope race-between-blocks @block_scope @block_scope
// pair: two_locks race-between-blocks @two_locks @two_locks
// pair: beside_the_lock race-between-blocks @inside @beside
// pair: after_the_lock race-between-blocks @inside_read @behind
// pair: last_block race-between-blocks @partial @total
// pair: last_block_barrier race-between-blocks @every @last
// pair: token race-between-blocks @token @token
// pair: fence_elsewhere race-between-blocks @elsewhere @elsewhere
// pair: warps_flag race @wdata @wflagged
// pair: warps_lock race @wlock @wlock
// pair: shared_flag race @sdata @sflagged
// pair: flag_one_lane race-between-blocks @lane_data @lane_flagged
// pair: volatile_one_lane race-between-blocks @lane_given @lane_taken
// pair: other_half_of_mask race-between-blocks @half_data @half_flagged
// pair: shared_one_lane race @lane_sdata @lane_sflagged
#include "pairs.h"

// Block 0 produces, block 1 consumes.
#define GIVES (threadIdx.x == 0 && blockIdx.x == 0)
#define TAKES (threadIdx.x == 0 && blockIdx.x == 1)

template <bool RIGHT> __global__ void flag_no_fence(int *x, int *flag, int *out) {
  if (GIVES) {
    x[0] = 5; // <- data
    if (RIGHT)
      __threadfence();
    atomicExch(flag, 1);
  } else if (TAKES) {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    out[0] = x[0]; // <- flagged
  }
}
PAIR(flag_no_fence) { flag_no_fence<RIGHT><<<2, 32>>>(ints(1), ints(1), ints(1)); }

template <bool RIGHT> __global__ void flag_block_fence(int *x, int *flag, int *out) {
  if (GIVES) {
    x[0] = 5; // <- near_data
    if (RIGHT)
      __threadfence();
    else
      __threadfence_block();
    atomicExch(flag, 1);
  } else if (TAKES) {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    out[0] = x[0]; // <- near_flagged
  }
}
PAIR(flag_block_fence) { flag_block_fence<RIGHT><<<2, 32>>>(ints(1), ints(1), ints(1)); }

template <bool RIGHT> __global__ void flag_block_atomic(int *x, int *flag, int *out) {
  if (GIVES) {
    x[0] = 5;
    __threadfence();
    if (RIGHT)
      atomicExch(flag, 1);
    else
      atomicExch_block(flag, 1); // <- scoped
  } else if (TAKES) {
    for (int i = 0; i < 9 && atomicAdd(flag, 0) == 0; i++) { // <- unscoped
    }
    out[0] = atomicAdd(flag, 0);
  }
}
PAIR(flag_block_atomic) { flag_block_atomic<RIGHT><<<2, 32>>>(ints(1), ints(1), ints(1)); }

template <bool RIGHT> __global__ void flag_before_data(int *x, int *flag, int *out) {
  if (GIVES) {
    if (RIGHT)
      x[0] = 5;
    __threadfence();
    atomicExch(flag, 1);
    if (!RIGHT)
      x[0] = 5; // <- after_flag
  } else if (TAKES) {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    out[0] = x[0]; // <- too_soon
  }
}
PAIR(flag_before_data) { flag_before_data<RIGHT><<<2, 32>>>(ints(1), ints(1), ints(1)); }

template <bool RIGHT> __global__ void flag_other_word(int *x, int *flags, int *out) {
  if (GIVES) {
    atomicExch(&flags[1], 1);
    x[0] = 5; // <- this_word
    __threadfence();
    atomicExch(&flags[0], 1);
  } else if (TAKES) {
    while (atomicAdd(&flags[RIGHT ? 0 : 1], 0) == 0) {
    }
    __threadfence();
    out[0] = x[0]; // <- that_word
  }
}
PAIR(flag_other_word) { flag_other_word<RIGHT><<<2, 32>>>(ints(1), ints(2), ints(1)); }

template <bool RIGHT> __global__ void volatile_flag(int *x, volatile int *flag, int *out) {
  if (GIVES) {
    x[0] = 5; // <- volatile_data
    if (RIGHT)
      __threadfence();
    *flag = 1;
  } else if (TAKES) {
    while (*flag == 0) {
    }
    __threadfence();
    out[0] = x[0]; // <- volatile_seen
  }
}
PAIR(volatile_flag) { volatile_flag<RIGHT><<<2, 32>>>(ints(1), ints(1), ints(1)); }

template <bool RIGHT> __global__ void consumer_no_fence(int *x, volatile int *flag, int *out) {
  if (GIVES) {
    x[0] = 5; // <- given
    __threadfence();
    *flag = 1;
  } else if (TAKES) {
    while (*flag == 0) {
    }
    if (RIGHT)
      __threadfence();
    out[0] = x[0]; // <- taken
  }
}
PAIR(consumer_no_fence) { consumer_no_fence<RIGHT><<<2, 32>>>(ints(1), ints(1), ints(1)); }

template <bool RIGHT> __device__ void set(int *flag) {
  if (RIGHT)
    asm volatile("st.release.gpu.u32 [%0], 1;" ::"l"(flag) : "memory");
  else
    asm volatile("st.relaxed.gpu.u32 [%0], 1;" ::"l"(flag) : "memory");
}
__device__ int get(const int *flag) {
  int value;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
  return value;
}
template <bool RIGHT> __global__ void release_relaxed(int *x, int *flag, int *out) {
  if (GIVES) {
    x[0] = 5; // <- release_data
    set<RIGHT>(flag);
  } else if (TAKES) {
    while (get(flag) == 0) {
    }
    out[0] = x[0]; // <- acquire_data
  }
}
PAIR(release_relaxed) { release_relaxed<RIGHT><<<2, 32>>>(ints(1), ints(1), ints(1)); }

__device__ void take(int *lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
}
__device__ void give(int *lock) { atomicExch(lock, 0); }

template <bool RIGHT> __global__ void lock_no_fence(int *lock, int *x) {
  if (threadIdx.x)
    return;
  take(lock);
  if (RIGHT)
    __threadfence();
  x[0] += 1; // <- bare
  if (RIGHT)
    __threadfence();
  give(lock);
}
PAIR(lock_no_fence) { lock_no_fence<RIGHT><<<3, 32>>>(ints(1), ints(1)); }

template <bool RIGHT> __global__ void lock_first_fence(int *lock, int *x) {
  if (threadIdx.x)
    return;
  take(lock);
  if (RIGHT || blockIdx.x > 0) // block 0 takes the lock without a fence
    __threadfence();
  x[0] += 1; // <- first_fence
  __threadfence();
  give(lock);
}
PAIR(lock_first_fence) { lock_first_fence<RIGHT><<<3, 32>>>(ints(1), ints(1)); }

template <bool RIGHT> __global__ void lock_last_fence(int *lock, int *x) {
  if (threadIdx.x)
    return;
  take(lock);
  __threadfence();
  x[0] += 1; // <- last_fence
  if (RIGHT)
    __threadfence();
  give(lock);
}
PAIR(lock_last_fence) { lock_last_fence<RIGHT><<<3, 32>>>(ints(1), ints(1)); }

template <bool RIGHT> __global__ void lock_block_fence(int *lock, int *x) {
  if (threadIdx.x)
    return;
  take(lock);
  __threadfence();
  x[0] += 1; // <- block_fence
  if (RIGHT)
    __threadfence();
  else
    __threadfence_block();
  give(lock);
}
PAIR(lock_block_fence) { lock_block_fence<RIGHT><<<3, 32>>>(ints(1), ints(1)); }

template <bool RIGHT> __global__ void lock_block_scope(int *lock, int *x) {
  if (threadIdx.x)
    return;
  while ((RIGHT ? atomicCAS(lock, 0, 1) : atomicCAS_block(lock + blockIdx.x, 0, 1)) != 0) {
  }
  __threadfence();
  x[0] += 1; // <- block_scope
  __threadfence();
  atomicExch(lock + (RIGHT ? 0 : blockIdx.x), 0);
}
PAIR(lock_block_scope) { lock_block_scope<RIGHT><<<3, 32>>>(ints(3), ints(1)); }

template <bool RIGHT> __global__ void two_locks(int *locks, int *x) {
  if (threadIdx.x)
    return;
  int *lock = &locks[RIGHT ? 0 : blockIdx.x % 2];
  take(lock);
  __threadfence();
  x[0] += 1; // <- two_locks
  __threadfence();
  give(lock);
}
PAIR(two_locks) { two_locks<RIGHT><<<2, 32>>>(ints(2), ints(1)); }

template <bool RIGHT> __global__ void beside_the_lock(int *lock, int *x) {
  if (threadIdx.x)
    return;
  if (!RIGHT && blockIdx.x == 2) {
    x[0] = 0; // <- beside
    return;
  }
  take(lock);
  __threadfence();
  x[0] = 1; // <- inside
  __threadfence();
  give(lock);
}
PAIR(beside_the_lock) { beside_the_lock<RIGHT><<<3, 32>>>(ints(1), ints(1)); }

template <bool RIGHT> __global__ void after_the_lock(int *lock, int *x, int *out) {
  if (threadIdx.x)
    return;
  take(lock);
  __threadfence();
  out[blockIdx.x] = x[0]; // <- inside_read
  if (RIGHT && blockIdx.x == 0)
    x[0] = 1;
  __threadfence();
  give(lock);
  if (!RIGHT && blockIdx.x == 0)
    x[0] = 1; // <- behind
}
PAIR(after_the_lock) { after_the_lock<RIGHT><<<2, 32>>>(ints(1), ints(1), ints(2)); }

template <bool RIGHT> __global__ void last_block(int *parts, int *done, int *out) {
  if (threadIdx.x)
    return;
  parts[blockIdx.x] = blockIdx.x + 1; // <- partial
  if (RIGHT)
    __threadfence();
  else
    __threadfence_block();
  if (atomicAdd(done, 1) == (int)gridDim.x - 1) {
    int sum = 0;
    for (int i = 0; i < (int)gridDim.x; i++)
      sum += parts[i]; // <- total
    *out = sum;
  }
}
PAIR(last_block) { last_block<RIGHT><<<4, 32>>>(ints(4), ints(1), ints(1)); }

// Without the barrier, thread 0 counts the block as done before other warps have written.
template <bool RIGHT> __global__ void last_block_barrier(int *parts, int *done, int *out) {
  __shared__ bool last;
  parts[blockIdx.x * 64 + threadIdx.x] = threadIdx.x; // <- every
  if (RIGHT)
    __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(done, 1) == (int)gridDim.x - 1;
  }
  __syncthreads();
  if (last)
    out[threadIdx.x] = parts[threadIdx.x] + parts[64 + threadIdx.x]; // <- last
}
PAIR(last_block_barrier) { last_block_barrier<RIGHT><<<2, 64>>>(ints(128), ints(1), ints(64)); }

template <bool RIGHT> __global__ void token(volatile int *turn, int *x) {
  if (threadIdx.x)
    return;
  while (*turn != (int)blockIdx.x) {
  }
  __threadfence();
  x[0] = x[0] * 2 + 1; // <- token
  if (RIGHT)
    __threadfence();
  *turn = blockIdx.x + 1;
}
PAIR(token) { token<RIGHT><<<3, 32>>>(ints(1), ints(1)); }

// The fences do not prevent two blocks from updating x at the same time.
template <bool RIGHT> __global__ void fence_elsewhere(int *x) {
  if (threadIdx.x)
    return;
  __threadfence();
  if (RIGHT)
    atomicAdd(x, 1);
  else
    x[0] += 1; // <- elsewhere
  __threadfence();
}
PAIR(fence_elsewhere) { fence_elsewhere<RIGHT><<<3, 32>>>(ints(1)); }

template <bool RIGHT> __global__ void warps_flag(int *x, int *flag, int *out) {
  if (threadIdx.x == 0) {
    x[0] = 5; // <- wdata
    if (RIGHT)
      __threadfence_block();
    atomicExch(flag, 1);
  } else if (threadIdx.x == 32) {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence_block();
    out[0] = x[0]; // <- wflagged
  }
}
PAIR(warps_flag) { warps_flag<RIGHT><<<1, 64>>>(ints(1), ints(1), ints(1)); }

template <bool RIGHT> __global__ void warps_lock(int *lock, int *x) {
  if (threadIdx.x % 32)
    return;
  while (atomicCAS_block(lock, 0, 1) != 0) {
  }
  __threadfence_block();
  x[0] += 1; // <- wlock
  if (RIGHT)
    __threadfence_block();
  atomicExch_block(lock, 0);
}
PAIR(warps_lock) { warps_lock<RIGHT><<<1, 96>>>(ints(1), ints(1)); }

template <bool RIGHT> __global__ void shared_flag(int *out) {
  __shared__ int data[32], flag;
  int t = threadIdx.x;
  if (t == 0)
    flag = 0;
  __syncthreads();
  if (t < 32) {
    data[t] = t; // <- sdata
    __threadfence_block();
    if (RIGHT)
      __syncwarp();
    if (t == 31)
      atomicExch(&flag, 1);
  } else {
    while (atomicAdd(&flag, 0) == 0) {
    }
    __threadfence_block();
    out[t - 32] = data[t - 32]; // <- sflagged
  }
}
PAIR(shared_flag) { shared_flag<RIGHT><<<1, 64>>>(ints(32)); }

// Lane 0 waits for the flag, but lane 1 of the same warp reads the data.
template <bool RIGHT> __global__ void flag_one_lane(int *x, int *flag, int *out) {
  if (GIVES) {
    x[0] = 5; // <- lane_data
    __threadfence();
    atomicExch(flag, 1);
  } else if (blockIdx.x == 1) {
    if (threadIdx.x == 0) {
      while (atomicAdd(flag, 0) == 0) {
      }
      __threadfence();
    }
    if (RIGHT)
      __syncwarp();
    if (threadIdx.x == 1)
      out[0] = x[0]; // <- lane_flagged
  }
}
PAIR(flag_one_lane) { flag_one_lane<RIGHT><<<2, 32>>>(ints(1), ints(1), ints(1)); }

template <bool RIGHT> __global__ void volatile_one_lane(int *x, volatile int *flag, int *out) {
  if (GIVES) {
    x[0] = 5; // <- lane_given
    __threadfence();
    *flag = 1;
  } else if (blockIdx.x == 1) {
    int got = 0;
    if (threadIdx.x == 3) {
      while (*flag == 0) {
      }
      __threadfence();
      got = 1;
    }
    if (RIGHT)
      got = __shfl_sync(0xffffffff, got, 3);
    out[threadIdx.x] = got + x[0]; // <- lane_taken
  }
}
PAIR(volatile_one_lane) { volatile_one_lane<RIGHT><<<2, 32>>>(ints(1), ints(1), ints(32)); }

template <bool RIGHT> __global__ void other_half_of_mask(int *x, int *flag, int *out) {
  if (GIVES) {
    x[0] = 5; // <- half_data
    __threadfence();
    atomicExch(flag, 1);
  } else if (blockIdx.x == 1) {
    if (threadIdx.x == 0) {
      while (atomicAdd(flag, 0) == 0) {
      }
      __threadfence();
    }
    if (threadIdx.x < 16)
      __syncwarp(0xffff);
    if (threadIdx.x == (RIGHT ? 15 : 16))
      out[0] = x[0]; // <- half_flagged
  }
}
PAIR(other_half_of_mask) { other_half_of_mask<RIGHT><<<2, 32>>>(ints(1), ints(1), ints(1)); }

template <bool RIGHT> __global__ void shared_one_lane(int *out) {
  __shared__ int x, flag;
  if (threadIdx.x == 0)
    x = flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    x = 5; // <- lane_sdata
    __threadfence_block();
    atomicExch(&flag, 1);
  } else if (threadIdx.x >= 32) {
    if (threadIdx.x == 32) {
      while (atomicAdd(&flag, 0) == 0) {
      }
      __threadfence_block();
    }
    if (RIGHT)
      __syncwarp();
    if (threadIdx.x == 33)
      out[0] = x; // <- lane_sflagged
  }
}
PAIR(shared_one_lane) { shared_one_lane<RIGHT><<<1, 64>>>(ints(1)); }
