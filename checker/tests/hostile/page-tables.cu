// Maps pages and only reads them. The pages need no memory, but their page tables do.
// expect: memory | kind-memory
#include "lab.h"
#include <sys/mman.h>
static int attack() {
  const size_t bytes = (size_t)1 << 40;
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  for (int round = 0; round < 16; round++) {
    volatile char *all = (char *)mmap(NULL, bytes, PROT_READ, flags, -1, 0);
    madvise((void *)all, bytes, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < bytes; i += 2 << 20)
      (void)all[i];
  }
  return 0;
}
