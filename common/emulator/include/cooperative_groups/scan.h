/* cooperative_groups::inclusive_scan and exclusive_scan for clang: each thread of a tile or of
 * coalesced threads gets the sum of the values up to its own, by rank. */
#ifndef COOPERATIVE_GROUPS_SCAN_H
#define COOPERATIVE_GROUPS_SCAN_H

#include "../cooperative_groups.h"

namespace cooperative_groups {

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

/* The first thread has nothing before it and gets a zero. */
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
