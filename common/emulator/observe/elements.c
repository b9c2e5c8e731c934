/* Records for each buffer the largest index beyond its end that a launch used (elements.h). */
#include "elements.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { BUFFERS = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct Used {
  const Allocation *memory;
  /* Size in bytes of the elements that this access used. */
  unsigned bytes;
  /* The largest index that the kernel used, plus 1. */
  uint64_t elements;
} used[BUFFERS];
static unsigned count;

void elements_note(const Allocation *a, uint64_t address, unsigned bytes) {
  const uint64_t elements = (address - a->address) / bytes + 1;
  unsigned i = 0;
  if (address < a->address || a->name || a->kind == MEMORY_HEAP)
    return;
  pthread_mutex_lock(&lock);
  while (i < count && (used[i].memory != a || used[i].bytes != bytes))
    i++;
  if (i == count && count < BUFFERS)
    used[count++] = (struct Used){a, bytes, 0};
  if (i < count && elements > used[i].elements)
    used[i].elements = elements;
  pthread_mutex_unlock(&lock);
}

void elements_explain(Report *r) {
  pthread_mutex_lock(&lock);
  for (unsigned i = 0; i < count && r->kind == REPORT_OUT_OF_BOUNDS; i++) {
    const Allocation *a = used[i].memory;
    char name[sizeof r->buffer];
    snprintf(name, sizeof name, "allocation %u (%zu bytes)", a->number, a->bytes);
    if (used[i].bytes < 2 || used[i].elements != a->bytes || !a->made || strcmp(name, r->buffer))
      continue;
    snprintf(r->detail, sizeof r->detail,
             "the kernel uses %zu elements of %u bytes, and %zu bytes were allocated", a->bytes,
             used[i].bytes, a->bytes);
    r->cause = "cudaMalloc counts bytes, not elements: multiply the count by sizeof. If the buffer "
               "is long enough, the index needs a guard.";
    strcpy(r->other.did, "allocated here");
    r->other_call = a->made;
  }
  pthread_mutex_unlock(&lock);
}

void elements_forget(void) {
  pthread_mutex_lock(&lock);
  count = 0;
  pthread_mutex_unlock(&lock);
}
