/* cooperative_groups::memcpy_async for clang: all threads of a group copy together. As on devices
 * before compute capability 8.0, they copy synchronously, and wait() is the barrier of the group.
 */
#ifndef COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

namespace cooperative_groups {

namespace details {
template <class Group, class T>
CG_HERE void copy_together(const Group &group, T *to, const T *from, size_t count) {
  for (size_t i = group.thread_rank(); i < count; i += group.size())
    to[i] = from[i];
}
} // namespace details

/* Copies `bytes` bytes, 4 at a time if the addresses and the size are multiples of 4. */
template <class Group, class To, class From>
CG_HERE void memcpy_async(const Group &group, To *to, const From *from, size_t bytes) {
  if (((size_t)to | (size_t)from | bytes) % 4 == 0)
    details::copy_together(group, (unsigned int *)to, (const unsigned int *)from, bytes / 4);
  else
    details::copy_together(group, (char *)to, (const char *)from, bytes);
}

/* Copies min(room, count) elements. */
template <class Group, class T>
CG_HERE void memcpy_async(const Group &group, T *to, size_t room, const T *from, size_t count) {
  memcpy_async(group, to, from, (room < count ? room : count) * sizeof(T));
}

template <class Group> CG_HERE void wait(const Group &group) { group.sync(); }
template <unsigned int Stages, class Group> CG_HERE void wait_prior(const Group &group) {
  group.sync();
}

} // namespace cooperative_groups

#endif
