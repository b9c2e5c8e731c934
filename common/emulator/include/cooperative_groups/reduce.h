/* cooperative_groups::reduce for clang: one value of all the threads of a tile or of coalesced
 * threads, given to each of them. */
#ifndef COOPERATIVE_GROUPS_REDUCE_H
#define COOPERATIVE_GROUPS_REDUCE_H

#include "scan.h"

namespace cooperative_groups {

/* A butterfly: all lanes have the sum at the end. */
template <unsigned int Size, class Parent, class T, class Operation>
CG_HERE T reduce(const thread_block_tile<Size, Parent> &group, T value, Operation &&operation) {
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

} // namespace cooperative_groups

#endif
