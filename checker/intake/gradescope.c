/* Reads the names and dates of students from Gradescope's export. The export has folders such as
 * submission_90210, and the file submission_metadata.yml:
 *
 *   submission_90210:
 *     :submitters:
 *     - :name: Ana Ruiz
 *       :sid: '4711'
 *       :email: ana@example.edu
 *     :created_at: 2026-03-01 23:45:10.123456789 Z
 *
 * libyaml reads the file. Other keys are ignored. */
#include "intake.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yaml.h>

enum { METADATA_MOST = 64 << 20 };

struct Metadata {
  yaml_document_t document;
};

Metadata *metadata_read(int submissions) {
  yaml_parser_t parser;
  int file = openat(submissions, "submission_metadata.yml", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  FILE *in = file >= 0 ? fdopen(file, "r") : NULL;
  Metadata *metadata = in ? calloc(1, sizeof *metadata) : NULL;
  if (!metadata || lseek(file, 0, SEEK_END) > METADATA_MOST || lseek(file, 0, SEEK_SET) != 0 ||
      !yaml_parser_initialize(&parser)) {
    free(metadata);
    if (in)
      fclose(in);
    return NULL;
  }
  yaml_parser_set_input_file(&parser, in);
  if (!yaml_parser_load(&parser, &metadata->document))
    bad_input("submission_metadata.yml, line %zu: %s", parser.problem_mark.line + 1,
              parser.problem ? parser.problem : "no YAML");
  yaml_parser_delete(&parser);
  fclose(in);
  return metadata;
}

static const char *text_of(const yaml_node_t *node) {
  return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "";
}

/* Returns the value of a key in a mapping, or NULL. Ruby writes a colon before the key. */
static yaml_node_t *value_of(yaml_document_t *document, const yaml_node_t *node, const char *key) {
  if (!node || node->type != YAML_MAPPING_NODE)
    return NULL;
  for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top;
       pair++) {
    const char *name = text_of(yaml_document_get_node(document, pair->key));
    if (strcmp(name + (*name == ':'), key) == 0)
      return yaml_document_get_node(document, pair->value);
  }
  return NULL;
}

static void append(char *out, size_t size, const char *separator, const char *text) {
  size_t used = strlen(out);
  if (*text)
    snprintf(out + used, size - used, "%s%s", used ? separator : "", text);
}

/* Stores the names and numbers of all students of a submission. Several students may hand in one
 * submission together. */
static void take_submitters(yaml_document_t *document, const yaml_node_t *all, Entry *entry) {
  if (!all || all->type != YAML_SEQUENCE_NODE)
    return;
  entry->who[0] = entry->key[0] = '\0';
  for (yaml_node_item_t *item = all->data.sequence.items.start; item < all->data.sequence.items.top;
       item++) {
    const yaml_node_t *one = yaml_document_get_node(document, *item);
    const char *sid = text_of(value_of(document, one, "sid"));
    append(entry->who, sizeof entry->who, ", ", text_of(value_of(document, one, "name")));
    append(entry->key, sizeof entry->key, " ",
           *sid ? sid : text_of(value_of(document, one, "email")));
  }
}

/* Reads a date with a time zone, which is Z or an offset. */
static void take_time(const char *text, Entry *entry) {
  struct tm when = {.tm_isdst = 0};
  int hours = 0, minutes = 0, year, month, used = 0;
  char sign[2] = "+";
  if (sscanf(text, "%d-%d-%d%*1[T ]%d:%d:%d%n", &year, &month, &when.tm_mday, &when.tm_hour,
             &when.tm_min, &when.tm_sec, &used) < 6)
    return;
  const char *zone = text + used + strspn(text + used, ".0123456789 ");
  if (sscanf(zone, "%1[+-]%2d:%2d", sign, &hours, &minutes) == 2)
    /* an offset such as +0200 */
    sscanf(zone + 3, "%2d", &minutes);
  when.tm_year = year - 1900;
  when.tm_mon = month - 1;
  entry->submitted = timegm(&when) - (*sign == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
  entry->attempt = entry->submitted;
}

void metadata_apply(const Metadata *metadata, Entry *entry) {
  static const char before[] = "submission_";
  if (!metadata || strncmp(entry->name, before, sizeof before - 1) != 0)
    return;
  yaml_document_t *document = (yaml_document_t *)&metadata->document;
  const yaml_node_t *about = value_of(document, yaml_document_get_root_node(document), entry->name);
  if (!about)
    return;
  entry->platform = "Gradescope";
  snprintf(entry->who, sizeof entry->who, "%s", entry->name);
  snprintf(entry->key, sizeof entry->key, "%s", entry->name + sizeof before - 1);
  take_submitters(document, value_of(document, about, "submitters"), entry);
  snprintf(entry->group, sizeof entry->group, "Gradescope/%s", entry->key);
  const char *when = text_of(value_of(document, about, "created_at"));
  take_time(when, entry);
}

void metadata_free(Metadata *metadata) {
  if (metadata)
    yaml_document_delete(&metadata->document);
  free(metadata);
}
