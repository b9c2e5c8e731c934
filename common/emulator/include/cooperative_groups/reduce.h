/* cooperative_groups::reduce for clang: combines the values of all threads of a tile or coalesced
 * group, and returns the result in each thread. */
#ifndef COOPERATIVE_GROUPS_REDUCE_H
#define COOPERATIVE_GROUPS_REDUCE_H

#include "scan.h"

namespace cooperative_groups {

/* A butterfly reduction: all lanes get the result. */
template <unsigned int Size, class Parent, class T, class Operation>
CG_HERE T reduce(const thread_block_tile<Size, Parent, false> &group, T value,
                 Operation &&operation) {
#pragma unroll
  for (unsigned int bit = Size / 2; bit > 0; bit /= 2)
    value = operation(value, group.shfl_xor(value, bit));
  return value;
}

template <class T, class Operation>
CG_HERE T reduce(const coalesced_group &group, T value, Operation &&operation) {
  if (group.size() == 32)
    return reduce(thread_block_tile<32>(0, 1), value, operation);
  return group.shfl(inclusive_scan(group, value, operation), group.size() - 1);
}

/* Reduces within each warp, then reduces these results in the order of the warps. */
template <unsigned int Size, class Parent, class T, class Operation>
CG_HERE T reduce(const thread_block_tile<Size, Parent, true> &group, T value,
                 Operation &&operation) {
  T of_warp = details::scan_of_warp(group.lanes(), value, operation);
  return group.with_warps(of_warp, group.last_lane(), [&](const T *warps, unsigned int count) {
    T sum = warps[0];
    for (unsigned int i = 1; i < count; i++)
      sum = operation(sum, warps[i]);
    return sum;
  });
}

} // namespace cooperative_groups

#endif
