/* read_source() returns the source file of a lab in the folder `labs`. The caller frees it. */
#ifndef SOURCES_H
#define SOURCES_H

static inline char *read_source(const char *labs, const Sheet *lab) {
  char source[200], name[80];
  lab_source_name(lab->name, name);
  snprintf(source, sizeof source, "%s/%s/%s", labs, lab->name, name);
  char *text = text_of_file(source);
  assert_non_null(text);
  return text;
}

#endif
