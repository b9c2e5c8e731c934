/* Replaces file functions of the C library that may access managed or pinned memory.
 *
 * shared_memory.c makes pages of such memory inaccessible. If host code accesses such a page, the
 * fault handler runs. If the operating system accesses the page in a system call, there is no
 * fault: the system call fails with EFAULT. Therefore the replacements check the memory before the
 * system call. If the program itself defines a function with the same name, the linker uses the
 * program's function. */
#include "runtime.h"

#include <stdio.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define INSTEAD __attribute__((weak))

INSTEAD ssize_t write(int file, const void *from, size_t bytes) {
  runtime_shared_memory_handed((void *)from, bytes, false);
  return syscall(SYS_write, file, from, bytes);
}

INSTEAD ssize_t read(int file, void *to, size_t bytes) {
  runtime_shared_memory_handed(to, bytes, true);
  return syscall(SYS_read, file, to, bytes);
}

/* libstdc++ calls this function for C++ streams. */
INSTEAD ssize_t writev(int file, const struct iovec *part, int n) {
  for (int i = 0; i < n; i++)
    runtime_shared_memory_handed(part[i].iov_base, part[i].iov_len, false);
  return syscall(SYS_writev, file, part, n);
}

INSTEAD size_t fwrite(const void *from, size_t size, size_t n, FILE *file) {
  runtime_shared_memory_handed((void *)from, size * n, false);
  flockfile(file);
  const size_t done = fwrite_unlocked(from, size, n, file);
  funlockfile(file);
  return done;
}

INSTEAD size_t fread(void *to, size_t size, size_t n, FILE *file) {
  runtime_shared_memory_handed(to, size * n, true);
  flockfile(file);
  const size_t done = fread_unlocked(to, size, n, file);
  funlockfile(file);
  return done;
}
