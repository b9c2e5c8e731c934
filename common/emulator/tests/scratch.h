/* Creates temporary files and folders for tests in TMPDIR. common/make/tests/test.sh gives each
 * test its own TMPDIR and removes it afterwards. */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { SCRATCH_MOST = 200 };

static inline const char *scratch_path(char path[SCRATCH_MOST], const char *name) {
  const char *folder = getenv("TMPDIR");
  snprintf(path, SCRATCH_MOST, "%s/lockstep-%s-XXXXXX", folder && *folder ? folder : "/tmp", name);
  return path;
}

/* Creates a file and opens it for reading and writing. Returns a negative number on failure. */
static inline int scratch_file(char path[SCRATCH_MOST], const char *name) {
  scratch_path(path, name);
  return mkstemp(path);
}

static inline bool scratch_folder(char path[SCRATCH_MOST], const char *name) {
  scratch_path(path, name);
  return mkdtemp(path) != NULL;
}

#endif
