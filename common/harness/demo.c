/* Prints the results of a lab's solutions on one screen: what changes from kernel to kernel, its
 * effect on the counters, and whether the results are correct. */
#include <math.h>
#include <string.h>

#include "harness.h"
#include "screen.h"

/* The columns that show the effects of the kernels in all six labs. */
static const char *const headings[] = {PREDICTED_TIME, "limit",      "global loads", "sectors/load",
                                       "shared loads", "waves/load", "time ms",      NULL};

static bool tells(const char *heading) {
  for (int i = 0; headings[i]; i++)
    if (!strcmp(heading, headings[i]))
      return true;
  return false;
}

static Table only_the_story(const Table *all) {
  Table table = {.rows = 0};
  for (int row = 0; row < all->rows; row++) {
    table.rows++;
    table_set(&table, "variant", "%s", all->cell[row][0]);
    for (int i = 1; i < all->columns; i++)
      if (tells(all->column[i].heading) && *all->cell[row][i])
        table_set(&table, all->column[i].heading, "%s", all->cell[row][i]);
  }
  return table;
}

static void print_right(FILE *file, const Result *results, int count) {
  int right = 0;
  for (int i = 0; i < count; i++)
    right += !strcmp(result_word(&results[i]), "right");
  fprintf(file, "%s: %d of %d agree with the CPU in double\n",
          right == count ? "all right" : "WRONG", right, count);
}

void demo_print(FILE *file, const Options *options, const Result *results, int count, int width) {
  static Table all;
  const Lab *l = options->lab;
  double time = NAN;
  for (int i = 0; i < count; i++) {
    if (results[i].variant->place != PLACE_CPU)
      table_add_result(&all, &results[i], NAN, NAN, NAN);
    else if (isnan(time))
      time = results[i].time;
  }
  Table table = only_the_story(&all);
  fprintf(file, "%s: %s\n\n", l->title, options->problem->formula);
  screen_wrapped(file, 2, "", l->story, width);
  fputc('\n', file);
  table_print(file, &table, width);
  fputc('\n', file);
  if (isfinite(time))
    fprintf(file, "one core of this CPU: %.0f ms; ", time);
  print_right(file, results, count);
}
