/* Records the copies between host and device for the log: one hash for each contiguous range. */
#ifndef OBSERVE_COPIES_H
#define OBSERVE_COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A range of bytes that was copied, with its addresses on the host and on the device. */
typedef struct Stretch {
  uint64_t host, device;
  size_t bytes;
  uint64_t hash;
} Stretch;

Stretch copies_stretch(uint64_t host, uint64_t device, const void *data, size_t bytes);
/* Concatenates two adjacent ranges. */
Stretch copies_join(Stretch first, Stretch second);
/* Returns the range with its addresses removed, so that no other range is joined to it. */
Stretch copies_alone(Stretch);
/* Records a copied range. Joins it to earlier ranges that are adjacent. */
void copies_add(bool to_host, Stretch);
/* Records that host and kernels share `bytes` bytes of memory. Results in this memory may reach the
 * host without a copy. */
void copies_shared(size_t bytes);
void copies_log(void);

#endif
