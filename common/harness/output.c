/* Writes results to files and reads these files, for programs that do not trust the output that
 * another program prints. A file may contain several results, each with its own header.
 *
 * A single result is written to a temporary file, which is then renamed. If the program is killed
 * before the renaming, an old file is unchanged. In a file with several results, the last may be
 * truncated. Files that are read are not trusted: the header must match the size of the file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the file is little endian");

typedef struct Header {
  char magic[8];
  uint32_t element_bytes, reserved;
  uint64_t rows, columns;
} Header;
static const char MAGIC[8] = {'L', 'O', 'C', 'K', 'S', 'T', 'E', 'P'};

static const char *complain(const char *path, const char *what) {
  static char line[600];
  snprintf(line, sizeof line, "%s: %s", path, what);
  return line;
}

/* Writes one line per row, for people and spreadsheets. */
static bool write_text(FILE *file, const Header *header, const void *data) {
  const int digits = header->element_bytes == sizeof(float) ? 9 : 17;
  for (size_t row = 0; row < header->rows; row++)
    for (size_t column = 0; column < header->columns; column++)
      fprintf(file, "%.*g%c", digits,
              element_get(data, header->element_bytes, row * header->columns + column),
              column + 1 < header->columns ? ',' : '\n');
  bool good = !ferror(file);
  return (fclose(file) == 0) && good;
}

static bool write_binary(FILE *file, const Header *header, const void *data) {
  size_t count = (size_t)header->rows * (size_t)header->columns;
  bool good = fwrite(header, sizeof *header, 1, file) == 1 &&
              fwrite(data, header->element_bytes, count, file) == count;
  return (fclose(file) == 0) && good;
}

bool output_in_place(const char *path) {
  struct stat status;
  return !lstat(path, &status) && !S_ISREG(status.st_mode);
}

static Header header_of(size_t element_bytes, Shape shape) {
  Header header = {
      .element_bytes = (uint32_t)element_bytes, .rows = shape.rows, .columns = shape.columns};
  memcpy(header.magic, MAGIC, sizeof MAGIC);
  return header;
}

const char *output_write(const char *path, const void *data, size_t element_bytes, Shape shape) {
  Header header = header_of(element_bytes, shape);
  bool direct = output_in_place(path);
  char part[512];
  if (snprintf(part, sizeof part, direct ? "%s" : "%s.part", path) >= (int)sizeof part)
    return complain("--output", "the path is too long");
  FILE *file = fopen(part, "wb");
  if (!file)
    return complain(part, strerror(errno));
  size_t length = strlen(path);
  bool text = length > 4 && !strcmp(path + length - 4, ".csv");
  if (!(text ? write_text : write_binary)(file, &header, data) || (!direct && rename(part, path))) {
    const char *line = complain(path, strerror(errno));
    if (!direct)
      unlink(part);
    return line;
  }
  return NULL;
}

const char *output_append(const char *path, const void *data, size_t element_bytes, Shape shape) {
  Header header = header_of(element_bytes, shape);
  FILE *file = fopen(path, "ab");
  if (!file || !write_binary(file, &header, data))
    return complain(path, strerror(errno));
  return NULL;
}

/* If `last` is true, the result must be the last result in the file. */
static const char *read_header(const char *path, FILE *file, bool last, Header *header) {
  struct stat status;
  if (fstat(fileno(file), &status) || !S_ISREG(status.st_mode))
    return complain(path, "not a regular file");
  if (fread(header, sizeof *header, 1, file) != 1 || memcmp(header->magic, MAGIC, sizeof MAGIC))
    return complain(path, "this file is not an output of a lab program");
  if (header->element_bytes != sizeof(float) && header->element_bytes != sizeof(double))
    return complain(path, "the elements have an unknown type");
  uint64_t payload = (uint64_t)status.st_size - (uint64_t)ftell(file),
           most = payload / header->element_bytes;
  bool fits = header->columns ? header->rows <= most / header->columns : true;
  uint64_t count = fits ? header->rows * header->columns : 0;
  if (!fits || (last && count * header->element_bytes != payload))
    return complain(path, "the length does not match the number of elements");
  return NULL;
}

static const char *read_one(const char *path, FILE *file, bool last, Output *output) {
  Header header;
  const char *line = read_header(path, file, last, &header);
  if (!line) {
    size_t bytes = (size_t)(header.rows * header.columns * header.element_bytes);
    *output = (Output){{header.rows, header.columns}, header.element_bytes, malloc(bytes + 1)};
    if (!output->data || fread(output->data, 1, bytes, file) != bytes) {
      free(output->data);
      *output = (Output){0};
      line = complain(path, "cannot be read completely");
    }
  }
  return line;
}

const char *output_read(const char *path, Output *output) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return complain(path, strerror(errno));
  const char *line = read_one(path, file, true, output);
  fclose(file);
  return line;
}

size_t output_read_all(const char *path, Output *outputs, size_t most) {
  FILE *file = fopen(path, "rb");
  size_t count = 0;
  while (file && count < most && !read_one(path, file, false, &outputs[count]))
    count++;
  if (file)
    fclose(file);
  return count;
}
