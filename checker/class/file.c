/* Writes files of the class. A file is written under a temporary name and then renamed, so that an
 * interrupted checker leaves the earlier file. */
#include "class.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

ClassFile class_open(const Class *class, const char *format, ...) {
  ClassFile file;
  char name[512], new[1040];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(name, sizeof name, format, arguments);
  va_end(arguments);
  snprintf(file.path, sizeof file.path, "%.500s/%.500s", class->folder, name);
  snprintf(new, sizeof new, "%s.new", file.path);
  file.out = fopen(new, "w");
  if (!file.out)
    bad_input("%s: cannot be written (%s)", file.path, strerror(errno));
  return file;
}

void class_close(ClassFile *file) {
  char new[1040];
  snprintf(new, sizeof new, "%s.new", file->path);
  bool whole = !ferror(file->out);
  if (fclose(file->out) != 0 || !whole || rename(new, file->path) != 0)
    bad_input("%s: cannot be written (%s)", file->path, strerror(errno));
}
