/* The table of results. Cells are text; a column nobody filled is left out, so that one table
 * serves the CPU, the emulated device and a GPU. */
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "harness.h"

int table_column(Table *table, const char *heading) {
  for (int i = 0; i < table->columns; i++)
    if (!strcmp(table->heading[i], heading))
      return i;
  assert(table->columns < MAX_COLUMNS);
  snprintf(table->heading[table->columns], CELL_BYTES, "%s", heading);
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

/* Places on the screen: UTF-8 continuation bytes take none. */
static int display_width(const char *text) {
  int width = 0;
  for (; *text; text++)
    width += (*text & 0xc0) != 0x80;
  return width;
}

/* 0: nobody filled it. */
static int column_width(const Table *table, int column) {
  int width = 0;
  for (int row = 0; row < table->rows; row++) {
    int cell = display_width(table->cell[row][column]);
    width = cell > width ? cell : width;
  }
  int heading = display_width(table->heading[column]);
  return width && heading > width ? heading : width;
}

/* row -1: the headings */
static void print_row(FILE *file, const Table *table, int row) {
  for (int i = 0; i < table->columns; i++) {
    const char *text = row < 0 ? table->heading[i] : table->cell[row][i];
    int width = column_width(table, i), pad = width - display_width(text);
    if (!width)
      continue;
    if (i == 0)
      fprintf(file, "%s%*s", text, pad, "");
    else
      fprintf(file, "  %*s%s", pad, "", text);
  }
  fputc('\n', file);
}

void table_print(FILE *file, const Table *table) {
  for (int row = -1; row < table->rows; row++)
    print_row(file, table, row);
}

const char *format_count(double value, char buffer[CELL_BYTES]) {
  char digits[CELL_BYTES];
  int length = snprintf(digits, sizeof digits, "%.0f", value), out = 0;
  for (int i = 0; i < length && out < CELL_BYTES - 2; i++) {
    if (i > 0 && (length - i) % 3 == 0 && digits[i - 1] != '-')
      buffer[out++] = ' ';
    buffer[out++] = digits[i];
  }
  buffer[out] = 0;
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

/* NaN and infinity: no entry. */
static void set_number(Table *table, const char *heading, int decimals, double value) {
  if (isfinite(value))
    table_set(table, heading, "%.*f", decimals, value);
}

/* Rounded down: 100 means all of them. */
static void set_absolute(Table *table, const Comparison *c) {
  char heading[CELL_BYTES];
  if (!(c->absolute > 0) || !isfinite(c->largest))
    return;
  table_set(table, "max error", "%.1e", c->largest);
  snprintf(heading, sizeof heading, "%% within %g", c->absolute);
  table_set(table, heading, "%.1f", floor(1000.0 * (double)c->within / (double)c->elements) / 10);
}

/* What only a device with a time of its own has. */
static void set_device_time(Table *table, const Result *result, double library) {
  Timing timing = result->timing;
  if (!device_has_time || result->variant->place == PLACE_CPU)
    return;
  set_number(table, "spread %", 1, 100 * timing_spread(&timing));
  set_number(table, "of " LIBRARY_NAME, 2, library / result->time);
  set_number(table, "% of roof", 1, 100 * result->share);
}

void table_add_result(Table *table, const Result *result, double flop, double baseline,
                      double library) {
  char buffer[CELL_BYTES];
  assert(table->rows < MAX_ROWS);
  table->rows++;
  table_set(table, "variant", "%s", result->variant->name);
  table_set(table, "result", "%s", result_word(result));
  if (result->checked && isfinite(result->comparison.norm))
    table_set(table, "L2 error", "%.1e", result->comparison.norm);
  set_absolute(table, &result->comparison);
  if (result->error == cudaSuccess && !result->impossible && !isnan(result->time)) {
    set_number(table, "time ms", 3, result->time);
    set_number(table, "rate", 2, baseline / result->time);
    set_number(table, "GFLOP/s", 2, flop / result->time * 1e-6);
    if (result->bytes > 0) {
      set_number(table, "GB/s", 1, result->bytes / result->time * 1e-6);
      set_number(table, "% of peak", 1, 100 * result->bytes / result->time / result->bandwidth);
    }
    set_device_time(table, result, library);
  }
  for (int i = 0; i < result->measure_count; i++) {
    double value = result->measures[i];
    const char *heading = device_measure_names[i];
    if (value == rint(value))
      table_set(table, heading, "%s", format_count(value, buffer));
    else
      set_number(table, heading, 2, value);
  }
}
