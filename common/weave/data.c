/* Fills tables and single numbers from a CSV file. The first line of the file is a comment with the
 * command that created the file. The next line contains the column names. */
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../emulator/words.h"
#include "../harness/screen.h"
#include "weave.h"

enum { COLUMNS_MOST = 32, CONDITIONS_MOST = 8, CHOSEN_MOST = 64, CELL_BYTES = 200 };

typedef struct Data {
  const char *path;
  char *text;
  char *column[COLUMNS_MOST];
  size_t columns, rows;
  /* rows × columns fields in row-major order. */
  char **cells;
} Data;

/* ---- reading --------------------------------------------------------------------------------- */

static const char *cell(const Data *d, size_t row, size_t column) {
  return d->cells[row * d->columns + column];
}

static size_t split(char *line, char **field) {
  size_t count = 0;
  line[strcspn(line, "\r")] = 0;
  while (line && count < COLUMNS_MOST)
    field[count++] = strsep(&line, ",");
  return line ? COLUMNS_MOST + 1 : count;
}

static bool add_row(Data *d, char *line) {
  char *field[COLUMNS_MOST];
  if (split(line, field) != d->columns)
    return false;
  d->cells = realloc(d->cells, (d->rows + 1) * d->columns * sizeof *d->cells);
  memcpy(d->cells + d->rows++ * d->columns, field, d->columns * sizeof *field);
  return true;
}

/* Reads the column names and the rows from d->text. *number is the number of the current line.
 * Returns an error message, or NULL. */
static const char *read_lines(Data *d, unsigned *number) {
  char *rest = d->text, *line;
  if (*rest != '#')
    return "its first line has to say which command made it: # ...";
  for (; (line = strsep(&rest, "\n")); ++*number) {
    if (*line == '#' || !*line)
      continue;
    if (!d->columns) {
      d->columns = split(line, d->column);
      if (d->columns > COLUMNS_MOST)
        return "too many columns";
    } else if (!add_row(d, line)) {
      return "has another number of fields than there are columns";
    }
  }
  return d->columns ? NULL : "names no columns";
}

static void data_free(Data *d) {
  free(d->text);
  free(d->cells);
}

static bool data_read(Page *page, const char *path, Data *d) {
  unsigned number = 1;
  *d = (Data){.path = path, .text = file_read(path, NULL)};
  if (!d->text) {
    complain(page, "%s: %s", path, strerror(errno));
    return false;
  }
  const char *damage = read_lines(d, &number);
  if (damage) {
    complain(page, "%s: line %u: %s", path, number, damage);
    data_free(d);
  }
  return !damage;
}

/* ---- choosing -------------------------------------------------------------------------------- */

static bool find_column(Page *page, const Data *d, const char *name, size_t length, size_t *found) {
  for (size_t i = 0; i < d->columns; i++)
    if (strlen(d->column[i]) == length && !memcmp(d->column[i], name, length)) {
      *found = i;
      return true;
    }
  complain(page, "%s has no column \"%.*s\"", d->path, (int)length, name);
  return false;
}

/* A condition that chooses rows, written as column:value[,value...]. */
typedef struct Condition {
  size_t column, count;
  char *value[CHOSEN_MOST], *text;
} Condition;

static bool condition_parse(Page *page, const Data *d, const char *text, Condition *c) {
  const char *colon = strchr(text, ':');
  if (!colon) {
    complain(page, "%s: a row is chosen as column:value", text);
    return false;
  }
  if (!find_column(page, d, text, (size_t)(colon - text), &c->column))
    return false;
  char *rest = c->text = strdup(colon + 1);
  for (c->count = 0; rest && c->count < CHOSEN_MOST;)
    c->value[c->count++] = strsep(&rest, ",");
  return true;
}

static bool same_value(const char *a, const char *b) { return !strcmp(a, b); }

/* Stores in `row` the numbers of the rows that satisfy all conditions, sorted in the order of the
 * values of the last condition. Returns the number of these rows. */
static size_t choose_rows(const Data *d, const Condition *c, size_t conditions, size_t *row) {
  size_t chosen = 0;
  const Condition *order = conditions ? &c[conditions - 1] : NULL;
  for (size_t v = 0; v < (order ? order->count : 1); v++)
    for (size_t r = 0; r < d->rows && chosen < CHOSEN_MOST; r++) {
      bool good = !order || same_value(cell(d, r, order->column), order->value[v]);
      for (size_t i = 0; good && i + 1 < conditions; i++) {
        good = false;
        for (size_t o = 0; o < c[i].count; o++)
          good |= same_value(cell(d, r, c[i].column), c[i].value[o]);
      }
      if (good)
        row[chosen++] = r;
    }
  return chosen;
}

/* ---- formats --------------------------------------------------------------------------------- */

/* Returns true if the format has exactly one conversion, which is %s, %f, %e or %g. The flag '
 * groups digits. */
static bool format_is_good(const char *format) {
  int conversions = 0;
  for (const char *at = format; *at; at++)
    if (*at == '%' && at[1] == '%') {
      at++;
    } else if (*at == '%') {
      at += 1 + strspn(at + 1, "'+- 0");
      at += strspn(at, "0123456789.");
      if (!*at || !strchr("fegs", *at))
        return false;
      conversions++;
    }
  return conversions == 1;
}

static void print_text(char *out, const char *format, const char *text) {
  const char *at = strstr(format, "%s");
  snprintf(out, CELL_BYTES, "%.*s%s%s", (int)(at - format), format, text, at + 2);
}

static void print_number(char *out, const char *format, double value) {
  char plain[CELL_BYTES];
  const char *quote = strchr(format, '\'');
  if (!quote) {
    snprintf(out, CELL_BYTES, format, value);
    return;
  }
  snprintf(plain, sizeof plain, "%.*s%s", (int)(quote - format), format, quote + 1);
  char number[CELL_BYTES];
  snprintf(number, sizeof number, plain, value);
  group_digits(number, "\u00a0", out, CELL_BYTES);
}

static bool to_number(const char *text, double *value) {
  char *end;
  *value = strtod(text, &end);
  return *text && !*end;
}

/* Formats a field. If the format needs a number and the field is not a number, copies the field. */
static void print_field(char *out, const char *format, const char *text) {
  double value;
  if (strstr(format, "%s"))
    print_text(out, format, text);
  else if (to_number(text, &value))
    print_number(out, format, value);
  else
    snprintf(out, CELL_BYTES, "%s", text);
}

/* ---- a table --------------------------------------------------------------------------------- */
enum { TABLE_ROWS = CHOSEN_MOST + 1 };

typedef struct Table {
  /* The first row contains the headings. */
  size_t columns, rows;
  char cell[TABLE_ROWS][COLUMNS_MOST][CELL_BYTES];
  /* from[i]: the column of the CSV file that is shown in column i. */
  size_t from[COLUMNS_MOST];
  const char *format[COLUMNS_MOST];
} Table;

/* Splits a list at its commas. Returns the number of parts. */
static size_t parts(char *list, char **part) {
  size_t count = 0;
  while (list && count < COLUMNS_MOST)
    part[count++] = strsep(&list, ",");
  return count;
}

static bool choose_columns(Page *page, const Data *d, const Words *words, Table *t) {
  const char *list = words_value(words, "columns");
  if (!list) {
    t->columns = d->columns;
    for (size_t i = 0; i < d->columns; i++)
      t->from[i] = i;
    return true;
  }
  char *copy = strdup(list), *part[COLUMNS_MOST];
  bool good = true;
  t->columns = parts(copy, part);
  for (size_t i = 0; good && i < t->columns; i++)
    good = find_column(page, d, part[i], strlen(part[i]), &t->from[i]);
  free(copy);
  return good;
}

/* Splits the option `name`, heads= or format=, into one part per column. The parts are in *copy,
 * which the caller frees. Returns false after an error message. */
static bool list_for_columns(Page *page, const Words *words, const char *name, const Table *t,
                             char **copy, char **part) {
  const char *list = words_value(words, name);
  *copy = list ? strdup(list) : NULL;
  if (!list || parts(*copy, part) == t->columns)
    return true;
  complain(page, "%s= has to name as many as there are columns: %zu", name, t->columns);
  return false;
}

static bool check_formats(Page *page, const Table *t) {
  for (size_t i = 0; i < t->columns; i++)
    if (!format_is_good(t->format[i])) {
      complain(page, "%s: a format is text around one of %%s, %%.2f, %%'.0f, %%g", t->format[i]);
      return false;
    }
  return true;
}

static bool fill_cells(Page *page, const Data *d, const Words *words, Table *t) {
  static Condition conditions[CONDITIONS_MOST];
  size_t count = 0, row[CHOSEN_MOST];
  bool good = true;
  for (size_t i = 2; good && i < words->count; i++)
    if (!strncmp(words->word[i], "rows=", 5) && count < CONDITIONS_MOST)
      if ((good = condition_parse(page, d, words->word[i] + 5, &conditions[count])))
        count++;
  size_t rows = good ? choose_rows(d, conditions, count, row) : 0;
  for (size_t i = 0; i < count; i++)
    free(conditions[i].text);
  if (good && !rows)
    complain(page, "%s has no such rows", d->path);
  for (size_t r = 0; r < rows; r++)
    for (size_t c = 0; c < t->columns; c++)
      print_field(t->cell[1 + r][c], t->format[c], cell(d, row[r], t->from[c]));
  t->rows = 1 + rows;
  return rows > 0;
}

static int column_width(const Table *t, size_t column) {
  int width = 3;
  for (size_t r = 0; r < t->rows; r++) {
    int one = screen_places(t->cell[r][column], SIZE_MAX);
    width = one > width ? one : width;
  }
  return width;
}

static bool is_numeric(const Table *t, size_t column) {
  for (size_t r = 1; r < t->rows; r++)
    if (*t->cell[r][column] && !isdigit((unsigned char)*t->cell[r][column]) &&
        *t->cell[r][column] != '-')
      return false;
  return true;
}

static void write_row(const Table *t, size_t row, FILE *out) {
  for (size_t c = 0; c < t->columns; c++) {
    int pad = column_width(t, c) - screen_places(t->cell[row][c], SIZE_MAX);
    bool right = is_numeric(t, c);
    fprintf(out, "| %*s%s%*s ", right ? pad : 0, "", t->cell[row][c], right ? 0 : pad, "");
  }
  fprintf(out, "|\n");
}

static void write_table(const Table *t, FILE *out) {
  static const char dashes[] = "----------------------------------------------------------------";
  fprintf(out, "\n");
  write_row(t, 0, out);
  for (size_t c = 0; c < t->columns; c++)
    fprintf(out, is_numeric(t, c) ? "| %.*s: " : "| %.*s ",
            column_width(t, c) - (is_numeric(t, c) ? 1 : 0), dashes);
  fprintf(out, "|\n");
  for (size_t r = 1; r < t->rows; r++)
    write_row(t, r, out);
}

static void make_table(Page *page, const Data *d, const Words *words, FILE *out) {
  static Table t;
  char *heads_copy = NULL, *formats_copy = NULL, *head[COLUMNS_MOST], *format[COLUMNS_MOST];
  memset(&t, 0, sizeof t);
  bool good = choose_columns(page, d, words, &t) &&
              list_for_columns(page, words, "heads", &t, &heads_copy, head) &&
              list_for_columns(page, words, "format", &t, &formats_copy, format);
  for (size_t i = 0; good && i < t.columns; i++) {
    t.format[i] = formats_copy ? format[i] : "%s";
    snprintf(t.cell[0][i], CELL_BYTES, "%s", heads_copy ? head[i] : d->column[t.from[i]]);
  }
  if (good && check_formats(page, &t) && fill_cells(page, d, words, &t))
    write_table(&t, out);
  free(heads_copy);
  free(formats_copy);
}

void fill_table(Page *page, const Words *words, FILE *out) {
  static const char *const names[] = {"columns", "heads", "format", "rows", NULL}, *const plain[] =
                                                                                       {NULL};
  Data data;
  if (words->count < 2) {
    complain(page, "no file is named: <!-- table FILE columns=a,b -->");
    return;
  }
  const char *unknown = words_unknown(words, names, plain);
  if (unknown) {
    complain(page, "%s: a table has the options columns=, heads=, format= and rows=", unknown);
    return;
  }
  if (!data_read(page, words->word[1], &data))
    return;
  make_table(page, &data, words, out);
  data_free(&data);
}

/* ---- one number ------------------------------------------------------------------------------ */

/* Reads "[column:value ...] column" at word *at, moves *at past it, and returns the field that it
 * describes. Returns NULL after an error message. */
static const char *pick(Page *page, const Data *d, const Words *words, size_t *at) {
  static Condition conditions[CONDITIONS_MOST];
  size_t count = 0, row[CHOSEN_MOST], column = 0;
  bool good = true;
  for (; good && *at < words->count && strchr(words->word[*at], ':') && count < CONDITIONS_MOST;
       ++*at)
    if ((good = condition_parse(page, d, words->word[*at], &conditions[count])))
      count++;
  if (good && *at == words->count) {
    complain(page, "which column of %s?", d->path);
    good = false;
  }
  good = good && find_column(page, d, words->word[*at], strlen(words->word[*at]), &column);
  size_t rows = good ? choose_rows(d, conditions, count, row) : 0;
  for (size_t i = 0; i < count; i++)
    free(conditions[i].text);
  ++*at;
  if (good && rows != 1)
    complain(page, rows ? "%s has %zu such rows: add a column:value" : "%s has no such row",
             d->path, rows);
  else if (good && !*cell(d, row[0], column))
    complain(page, "%s has nothing in this place", d->path);
  else if (good)
    return cell(d, row[0], column);
  return NULL;
}

static bool is_operator(const char *word) { return strlen(word) == 1 && strchr("/*-+", *word); }

static double apply(char operator, double a, double b) {
  return operator== '/' ? a / b : operator== '*' ? a * b : operator== '-' ? a - b : a + b;
}

static bool numeric(Page *page, const char *text, double *value) {
  if (to_number(text, value))
    return true;
  complain(page, "\"%s\" is no number", text);
  return false;
}

/* Reads an operand at word *at and moves *at past it. An operand is a number, or a field written
 * as "[FILE] [column:value ...] column". Returns false after an error message. */
static bool operand(Page *page, const Data *d, const Words *words, size_t *at, double *value) {
  const char *word = *at < words->count ? words->word[*at] : "", *ending = strrchr(word, '.');
  if (to_number(word, value)) {
    ++*at;
    return true;
  }
  Data other = {0};
  bool elsewhere = ending && !strcmp(ending, ".csv");
  if (elsewhere) {
    ++*at;
    if (!data_read(page, word, &other))
      return false;
  }
  const char *field = pick(page, elsewhere ? &other : d, words, at);
  bool good = field && numeric(page, field, value);
  data_free(&other);
  return good;
}

/* Evaluates a field that is followed by operators and operands, from left to right and without
 * precedence. Prints the result with the format that follows. */
static void calculate(Page *page, const Data *d, const Words *words, FILE *out) {
  char text[CELL_BYTES], result[CELL_BYTES];
  size_t at = 2;
  double a = 0, b = 0;
  const char *field = pick(page, d, words, &at);
  if (!field)
    return;
  snprintf(text, sizeof text, "%s", field);
  bool calculated = at < words->count && is_operator(words->word[at]);
  if (calculated && !numeric(page, field, &a))
    return;
  while (at < words->count && is_operator(words->word[at])) {
    char operator= * words->word[at++];
    if (!operand(page, d, words, &at, &b))
      return;
    a = apply(operator, a, b);
  }
  if (calculated)
    snprintf(text, sizeof text, "%.17g", a);
  const char *format = at < words->count ? words->word[at++] : "%s";
  if (at < words->count)
    complain(page, "%s: nothing is expected behind the format", words->word[at]);
  else if (!format_is_good(format) || (calculated && strstr(format, "%s")))
    complain(page, "%s: a format is text around one of %%.2f, %%'.0f, %%g", format);
  else {
    print_field(result, format, text);
    fputs(result, out);
  }
}

void fill_number(Page *page, const Words *words, FILE *out) {
  Data data;
  if (words->count < 3) {
    complain(page, "no number is named: <!-- = FILE column:value column %%.2f -->");
    return;
  }
  if (!data_read(page, words->word[1], &data))
    return;
  calculate(page, &data, words, out);
  data_free(&data);
}
