/* Writes results to a CSV file, one row per variant and size.
 *
 * The first line is a comment that identifies the run. If the file has the same comment, it
 * contains a part of this run, and its rows are not measured again. Each row is written in one
 * call. If the program was killed during the call, the partial row is removed. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

enum { LINE_MOST = 1000, FIELDS_MOST = 32 };

static int measure_names(void) {
  int count = 0;
  while (device_measure_names[count].name)
    count++;
  return count;
}

/* Columns that exist only for a device that measures times. */
static const char *const time_names[] = {"first quartile", "third quartile", "repeats",
                                         "% of roof"};
enum { TIME_NAMES = sizeof time_names / sizeof *time_names };

static int time_name_count(void) { return device_has_time ? TIME_NAMES : 0; }

/* Returns true if a column names the limit of the predicted time, as on the emulated device. */
static bool has_limit(void) { return measure_names() > 0; }

static void describe(const Options *o, char *out, size_t size) {
  snprintf(out, size, "# %s, %s, %s inputs, seed %llu; %s\n", o->lab->title,
           o->element_bytes == sizeof(float) ? "float" : "double", fill_names[o->recipe.fill],
           (unsigned long long)o->recipe.seed, device_description());
}

static void headings(const Problem *problem, char *out, size_t size) {
  int at = snprintf(out, size, "variant");
  for (int i = 0; problem->size_names[i]; i++)
    at += snprintf(out + at, size - (size_t)at, ",%s", problem->size_names[i]);
  at += snprintf(out + at, size - (size_t)at, ",result,L2 error,time ms");
  for (int i = 0; i < time_name_count(); i++)
    at += snprintf(out + at, size - (size_t)at, ",%s", time_names[i]);
  for (int i = 0; device_measure_names[i].name; i++)
    at += snprintf(out + at, size - (size_t)at, ",%s", device_measure_names[i].name);
  snprintf(out + at, size - (size_t)at, has_limit() ? ",limit\n" : "\n");
}

/* ---- reading --------------------------------------------------------------------------------- */

static void keep(Csv *csv, const CsvRow *row) {
  if (csv->count == csv->room) {
    csv->room = csv->room ? 2 * csv->room : 64;
    csv->rows = realloc(csv->rows, csv->room * sizeof *csv->rows);
    if (!csv->rows)
      die("out of memory: choose a shorter sweep");
  }
  csv->rows[csv->count++] = *row;
}

static double number(const char *text) { return *text ? strtod(text, NULL) : NAN; }

static bool parse_row(const Problem *problem, char *line, CsvRow *row) {
  char *field[FIELDS_MOST];
  int count = 0, sizes = problem_sizes(problem);
  line[strcspn(line, "\n")] = 0;
  while (line && count < FIELDS_MOST)
    field[count++] = strsep(&line, ",");
  if (line || count != 4 + sizes + time_name_count() + measure_names() + has_limit())
    return false;
  *row = (CsvRow){0};
  snprintf(row->variant, sizeof row->variant, "%s", field[0]);
  for (int i = 0; i < sizes; i++)
    row->size[i] = atoi(field[1 + i]);
  char **rest = field + 1 + sizes;
  row->right = !strcmp(rest[0], "right");
  row->failed = !row->right && *rest[0];
  row->time = number(rest[2]);
  for (int i = 0; i < measure_names(); i++)
    row->measures[i] = number(rest[3 + time_name_count() + i]);
  return true;
}

static void read_rows(Csv *csv, const char *path, const char *expected[2]) {
  char line[LINE_MOST];
  long whole = 0;
  CsvRow row;
  for (int i = 0; fgets(line, sizeof line, csv->file) && strchr(line, '\n'); i++) {
    if (i < 2 ? strcmp(line, expected[i]) != 0 : !parse_row(csv->options->lab->problem, line, &row))
      die("%s: line %d is from another run (expected %.60s...): remove the file or choose another "
          "file",
          path, i + 1, expected[0] + 2);
    if (i >= 2)
      keep(csv, &row);
    whole = ftell(csv->file);
  }
  if (fseek(csv->file, whole, SEEK_SET) || ftruncate(fileno(csv->file), whole))
    die("%s: %s", path, strerror(errno));
}

Csv csv_open(const char *path, const Options *options) {
  Csv csv = {.options = options};
  char first[LINE_MOST], second[LINE_MOST];
  if (!path)
    return csv;
  describe(options, first, sizeof first);
  headings(options->lab->problem, second, sizeof second);
  csv.file = fopen(path, "a+");
  if (!csv.file)
    die("%s: %s", path, strerror(errno));
  rewind(csv.file);
  read_rows(&csv, path, (const char *[]){first, second});
  if (ftell(csv.file) == 0 && (fprintf(csv.file, "%s%s", first, second) < 0 || fflush(csv.file)))
    die("%s: %s", path, strerror(errno));
  return csv;
}

const CsvRow *csv_find(const Csv *csv, const char *variant, const int *size) {
  size_t bytes = sizeof *size * (size_t)problem_sizes(csv->options->lab->problem);
  for (size_t i = 0; i < csv->count; i++)
    if (!strcmp(csv->rows[i].variant, variant) && !memcmp(csv->rows[i].size, size, bytes))
      return &csv->rows[i];
  return NULL;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Writes a field; NaN and infinity become an empty field. */
static int put(char *out, size_t size, const char *format, double value) {
  int at = snprintf(out, size, ",");
  return isfinite(value) ? at + snprintf(out + at, size - (size_t)at, format, value) : at;
}

static int put_times(char *out, size_t size, const Result *result) {
  Timing timing = result->timing;
  bool device = result->variant->place != PLACE_CPU && isfinite(result->time);
  const double all[TIME_NAMES] = {timing_quantile(timing.times, timing.count, 0.25),
                                  timing_quantile(timing.times, timing.count, 0.75),
                                  timing.count ? timing.count : NAN,
                                  device ? 100 * result->share : NAN};
  int at = 0;
  for (int i = 0; i < time_name_count(); i++)
    at += put(out + at, size - (size_t)at, "%.6g", all[i]);
  return at;
}

static void write_row(const Csv *csv, const Result *result, const CsvRow *row) {
  char line[LINE_MOST];
  const size_t size = sizeof line;
  size_t at = (size_t)snprintf(line, size, "%s", row->variant);
  for (int i = 0; i < problem_sizes(csv->options->lab->problem); i++)
    at += (size_t)snprintf(line + at, size - at, ",%d", row->size[i]);
  at += (size_t)snprintf(line + at, size - at, ",%s", result_word(result));
  at += (size_t)put(line + at, size - at, "%.2e", result->checked ? result->comparison.norm : NAN);
  at += (size_t)put(line + at, size - at, "%.6g", row->time);
  at += (size_t)put_times(line + at, size - at, result);
  for (int i = 0; i < measure_names(); i++)
    at += (size_t)put(line + at, size - at, "%.12g", row->measures[i]);
  if (has_limit())
    at += (size_t)snprintf(line + at, size - at, ",%s", result->limit ? result->limit : "");
  snprintf(line + at, size - at, "\n");
  if (fputs(line, csv->file) == EOF || fflush(csv->file))
    die("--csv: the file cannot be written (%s). The lines that were written earlier are kept",
        strerror(errno));
}

void csv_add(Csv *csv, const Result *result, const int *size) {
  CsvRow row = {.time = result->error == cudaSuccess ? result->time : NAN};
  const char *word = result_word(result);
  snprintf(row.variant, sizeof row.variant, "%s", result->variant->name);
  memcpy(row.size, size, sizeof row.size);
  row.right = !strcmp(word, "right");
  row.failed = !row.right && *word;
  for (int i = 0; i < MAX_MEASURES; i++)
    row.measures[i] = i < result->measure_count ? result->measures[i] : NAN;
  if (result->impossible) /* not recorded */
    return;
  if (csv->file)
    write_row(csv, result, &row);
  keep(csv, &row);
}

void csv_close(Csv *csv) {
  if (csv->file && fclose(csv->file))
    die("--csv: %s", strerror(errno));
  free(csv->rows);
  *csv = (Csv){0};
}
