#include "sieve.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES_MOST = 16 };

static void folder_of(const Check *check, long process, char *path, size_t size) {
  snprintf(path, size, "%s/sieve%ld", check->folder, process);
}

void sieve(Check *check, size_t from, size_t to, bool (*trial)(const void *, size_t i),
           const void *of, bool *passes) {
  long processes = sysconf(_SC_NPROCESSORS_ONLN);
  int pid[PROCESSES_MOST] = {0};
  char path[sizeof check->folder + 32];
  bool *shared = mmap(NULL, to - from, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  processes = processes < PROCESSES_MOST ? processes : PROCESSES_MOST;
  memset(passes, true, to - from);
  if (shared == MAP_FAILED)
    return;
  memset(shared, true, to - from);
  for (long k = 0; k < processes && processes > 1; k++) {
    folder_of(check, k, path, sizeof path);
    if (strlen(path) >= sizeof check->folder || mkdir(path, 0700) != 0)
      continue;
    if ((pid[k] = child_of_ours()) != 0)
      continue;
    dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO); /* who passes is tried again */
    strcpy(check->folder, path);
    for (size_t i = from + (size_t)k; i < to; i += (size_t)processes)
      shared[i - from] = trial(of, i);
    _exit(0);
  }
  for (long k = 0; k < processes && processes > 1; k++) {
    folder_of(check, k, path, sizeof path);
    if (pid[k] > 0)
      waitpid(pid[k], NULL, 0);
    child_folder_gone(path);
  }
  memcpy(passes, shared, to - from);
  munmap(shared, to - from);
}
