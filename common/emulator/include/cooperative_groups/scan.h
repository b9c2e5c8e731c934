/* cooperative_groups::inclusive_scan and exclusive_scan for clang. Each thread of a tile or
 * coalesced group gets the sum of the values of all lower ranks. inclusive_scan adds the thread's
 * own value. */
#ifndef COOPERATIVE_GROUPS_SCAN_H
#define COOPERATIVE_GROUPS_SCAN_H

#include "../cooperative_groups.h"

namespace cooperative_groups {

namespace details {
/* Computes the inclusive scan within one warp. `lanes`: the mask of its lanes, which are the lanes
 * from 0 on. */
template <class T, class Operation>
CG_HERE T scan_of_warp(unsigned int lanes, T value, Operation &&operation) {
  for (unsigned int distance = 1; distance < 32; distance *= 2) {
    T before = shuffle(lanes, value, lane() >= distance ? lane() - distance : lane());
    if (lane() >= distance)
      value = operation(before, value);
  }
  return value;
}
} // namespace details

/* Each warp scans its own lanes and then adds the sums of all earlier warps of the tile. */
template <unsigned int Size, class Parent, class T, class Operation>
CG_HERE T inclusive_scan(const thread_block_tile<Size, Parent, true> &group, T value,
                         Operation &&operation) {
  T in_warp = details::scan_of_warp(group.lanes(), value, operation);
  return group.with_warps(in_warp, group.last_lane(), [&](const T *warps, unsigned int) {
    T sum = in_warp;
    for (unsigned int i = group.thread_rank() / 32; i-- > 0;)
      sum = operation(warps[i], sum);
    return sum;
  });
}
template <unsigned int Size, class Parent, class T, class Operation>
CG_HERE T exclusive_scan(const thread_block_tile<Size, Parent, true> &group, T value,
                         Operation &&operation) {
  T up_to_here = details::scan_of_warp(group.lanes(), value, operation);
  T before = details::shuffle(group.lanes(), up_to_here, details::lane() ? details::lane() - 1 : 0);
  return group.with_warps(up_to_here, group.last_lane(), [&](const T *warps, unsigned int) {
    unsigned int warp = group.thread_rank() / 32;
    T sum = T();
    if (warp > 0) {
      sum = warps[0];
      for (unsigned int i = 1; i < warp; i++)
        sum = operation(sum, warps[i]);
    }
    return group.first_lane() ? sum : warp ? operation(sum, before) : before;
  });
}

template <class Group, class T, class Operation>
CG_HERE T inclusive_scan(const Group &group, T value, Operation &&operation) {
  for (unsigned int distance = 1; distance < group.size(); distance *= 2) {
    T before = group.shfl_up(value, distance);
    if (group.thread_rank() >= distance)
      value = operation(value, before);
  }
  return value;
}
template <class Group, class T> CG_HERE T inclusive_scan(const Group &group, T value) {
  return inclusive_scan(group, value, plus<T>());
}

/* The first thread gets T(), because no thread has a lower rank. */
template <class Group, class T, class Operation>
CG_HERE T exclusive_scan(const Group &group, T value, Operation &&operation) {
  T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T> CG_HERE T exclusive_scan(const Group &group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups

#endif
