/* Reads and writes whole files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "weave.h"

char *file_read(const char *path, size_t *length) {
  struct stat status;
  FILE *file = fopen(path, "rb"), *out;
  char *text = NULL, part[4096];
  size_t size = 0, got;
  if (!file)
    return NULL;
  if (!fstat(fileno(file), &status) && S_ISDIR(status.st_mode)) {
    fclose(file);
    errno = EISDIR;
    return NULL;
  }
  out = open_memstream(&text, &size);
  while ((got = fread(part, 1, sizeof part, file)) > 0)
    fwrite(part, 1, got, out);
  fclose(file);
  fclose(out);
  if (length)
    *length = size;
  return text;
}

bool file_write(const char *path, const char *text) {
  char part[4096];
  if (snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part)
    return false;
  FILE *file = fopen(part, "wb");
  if (!file)
    return false;
  bool good = fputs(text, file) != EOF;
  good = fclose(file) == 0 && good && rename(part, path) == 0;
  if (!good)
    unlink(part);
  return good;
}
