/* Builds and prints the table of results. Cells are text. Empty columns are not printed, so the
 * same code prints the results of the CPU, of the emulated device and of a GPU. */
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "emulator/words.h"
#include "harness.h"
#include "screen.h"

int table_column(Table *table, const char *heading) {
  for (int i = 0; i < table->columns; i++)
    if (!strcmp(table->column[i].heading, heading))
      return i;
  assert(table->columns < MAX_COLUMNS);
  TableColumn *column = &table->column[table->columns];
  column->topic = table->topic ? table->topic : "";
  snprintf(column->heading, CELL_BYTES, "%s", heading);
  return table->columns++;
}

void table_set(Table *table, const char *heading, const char *format, ...) {
  assert(table->rows > 0);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(table->cell[table->rows - 1][table_column(table, heading)], CELL_BYTES, format,
            arguments);
  va_end(arguments);
}

/* Returns the number of bytes of a heading that are printed on its first line. "sectors/load" is
 * split into "sectors" and "/load"; a unit such as GB/s is not split. */
static int first_line(const char *heading) {
  const char *slash = strchr(heading, '/'), *space = strrchr(heading, ' ');
  const char *at = slash && strcmp(slash, "/s") != 0 ? slash : space;
  return at ? (int)(at - heading) : 0;
}

static const char *heading_line(const char *heading, int line, int *bytes) {
  int first = first_line(heading);
  *bytes = line ? (int)strlen(heading) : first;
  return line ? heading + first + (heading[first] == ' ') : heading;
}

static int larger(int a, int b) { return a > b ? a : b; }

/* Returns the width of a column in screen columns; 0 if it is empty. */
static int column_width(const Table *table, int column) {
  int width = 0, bytes;
  for (int row = 0; row < table->rows; row++)
    width = larger(width, screen_places(table->cell[row][column], CELL_BYTES));
  for (int line = 0; width && line < 2; line++) {
    const char *text = heading_line(table->column[column].heading, line, &bytes);
    width = larger(width, screen_places(text, (size_t)bytes));
  }
  return width;
}

/* ---- a table that is too wide is printed in parts -------------------------------------------- */
enum { GAP = 2 };
typedef struct Part {
  /* The columns from `first` to `end` - 1, printed after column 0. */
  int first, end;
} Part;

static int columns_width(const Table *table, int first, int end) {
  int width = 0;
  for (int i = first; i < end; i++)
    width += column_width(table, i) ? column_width(table, i) + GAP : 0;
  return width;
}

static int topic_end(const Table *table, int column) {
  const char *topic = table->column[column].topic;
  while (column < table->columns && !strcmp(table->column[column].topic, topic))
    column++;
  return column;
}

/* Returns the next part, which has as many whole topics as fit into the width. If no whole topic
 * fits, the part has as many columns as fit, and at least one. */
static Part next_part(const Table *table, int first, int width) {
  int room = width - column_width(table, 0), end = first;
  while (end < table->columns && columns_width(table, first, topic_end(table, end)) <= room)
    end = topic_end(table, end);
  while (end == first ||
         (end < topic_end(table, end - 1) && columns_width(table, first, end + 1) <= room))
    end++;
  return (Part){first, end};
}

static void print_cell(FILE *file, const char *text, int bytes, int width, bool left) {
  int pad = width - screen_places(text, (size_t)bytes);
  fprintf(file, "%*s%.*s%*s", left ? 0 : pad, "", bytes, text, left ? pad : 0, "");
}

/* Prints a line of the table: the headings for line 0 and 1, then the rows. */
static void print_line(FILE *file, const Table *table, const Part *part, int line) {
  for (int i = 0; i < part->end; i = i ? i + 1 : part->first) {
    int width = column_width(table, i), bytes = CELL_BYTES;
    if (!width)
      continue;
    const char *text =
        line < 2 ? heading_line(table->column[i].heading, line, &bytes) : table->cell[line - 2][i];
    fprintf(file, "%*s", i ? GAP : 0, "");
    print_cell(file, text, bytes, width, i == 0);
  }
  fputc('\n', file);
}

static bool row_has_part(const Table *table, const Part *part, int row) {
  for (int i = part->first; i < part->end; i++)
    if (*table->cell[row][i])
      return true;
  return false;
}

static bool headings_need_two(const Table *table, const Part *part) {
  for (int i = part->first; i < part->end; i++)
    if (column_width(table, i) && first_line(table->column[i].heading))
      return true;
  return false;
}

void table_print(FILE *file, const Table *table, int width) {
  for (int first = 1; first < table->columns;) {
    Part part = next_part(table, first, width);
    if (columns_width(table, part.first, part.end)) {
      if (first > 1)
        fputc('\n', file);
      for (int line = headings_need_two(table, &part) ? 0 : 1; line < 2 + table->rows; line++)
        if (line < 2 || first == 1 || row_has_part(table, &part, line - 2))
          print_line(file, table, &part, line);
    }
    first = part.end;
  }
}

const char *format_count(double value, char buffer[CELL_BYTES]) {
  char digits[CELL_BYTES];
  snprintf(digits, sizeof digits, "%.0f", value);
  group_digits(digits, " ", buffer, CELL_BYTES);
  return buffer;
}

const char *result_word(const Result *result) {
  if (result->error != cudaSuccess)
    return "failed";
  if (result->impossible)
    return "impossible";
  if (!result->checked)
    return "";
  return result->comparison.right ? "right" : "WRONG";
}

/* Sets a cell. NaN and infinity leave the cell empty. */
static void set_number(Table *table, const char *heading, int decimals, double value) {
  if (isfinite(value))
    table_set(table, heading, "%.*f", decimals, value);
}

/* The percentage is rounded down, so that 100 means all elements. */
static void set_absolute(Table *table, const Comparison *c) {
  char heading[CELL_BYTES];
  if (!(c->absolute > 0) || !isfinite(c->largest))
    return;
  table_set(table, "max error", "%.1e", c->largest);
  snprintf(heading, sizeof heading, "%% within %g", c->absolute);
  table_set(table, heading, "%.1f", floor(1000.0 * (double)c->within / (double)c->elements) / 10);
}

/* Sets the columns that exist only if the device measures times. */
static void set_device_time(Table *table, const Result *result, double library) {
  Timing timing = result->timing;
  if (!device_has_time || result->variant->place == PLACE_CPU)
    return;
  set_number(table, "spread %", 1, 100 * timing_spread(&timing));
  set_number(table, "of " LIBRARY_NAME, 2, library / result->time);
  set_number(table, "% of roof", 1, 100 * result->share);
}

static void set_measure(Table *table, const MeasureName *measure, double value, const char *limit) {
  char buffer[CELL_BYTES];
  table->topic = measure->topic;
  if (!strcmp(measure->name, PREDICTED_TIME)) {
    set_number(table, measure->name, value < 0.1 ? 4 : 3, value);
    table_set(table, "limit", "%s", isfinite(value) && limit ? limit : "");
  } else if (value == rint(value)) {
    table_set(table, measure->name, "%s", format_count(value, buffer));
  } else {
    set_number(table, measure->name, 2, value);
  }
}

void table_add_result(Table *table, const Result *result, double flop, double baseline,
                      double library) {
  assert(table->rows < MAX_ROWS);
  table->rows++;
  table->topic = "result";
  table_set(table, "variant", "%s", result->variant->name);
  table_set(table, "result", "%s", result_word(result));
  if (result->checked && isfinite(result->comparison.norm))
    table_set(table, "L2 error", "%.1e", result->comparison.norm);
  set_absolute(table, &result->comparison);
  if (result->error == cudaSuccess && !result->impossible && !isnan(result->time)) {
    table->topic = "time";
    set_number(table, "time ms", 3, result->time);
    set_number(table, "rate", 2, baseline / result->time);
    set_number(table, "GFLOP/s", 2, flop / result->time * 1e-6);
    if (result->bytes > 0) {
      set_number(table, "GB/s", 1, result->bytes / result->time * 1e-6);
      set_number(table, "% of peak", 1, 100 * result->bytes / result->time / result->bandwidth);
    }
    set_device_time(table, result, library);
  }
  for (int i = 0; i < result->measure_count; i++)
    set_measure(table, &device_measure_names[i], result->measures[i], result->limit);
}
