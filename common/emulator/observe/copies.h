/* What was copied between host and device, for the log: only as hashes, one for each stretch. */
#ifndef OBSERVE_COPIES_H
#define OBSERVE_COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that were copied, and where they begin on either side. */
typedef struct Stretch {
  uint64_t host, device;
  size_t bytes;
  uint64_t hash;
} Stretch;

Stretch copies_stretch(uint64_t host, uint64_t device, const void *data, size_t bytes);
/* One that goes on where another ends. */
Stretch copies_join(Stretch first, Stretch second);
/* One without a place, so that nothing goes on where it ends. */
Stretch copies_alone(Stretch);
/* After a copy: a stretch of its own, or more of an earlier one. */
void copies_add(bool to_host, Stretch);
/* There is memory that host code and kernels share, so that results need no copy. */
void copies_shared(size_t bytes);
void copies_log(void);

#endif
