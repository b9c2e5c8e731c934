/* Launches each kernel of this folder and of the bench whose time on an H200 is in h200.csv. The
 * column `set` tells which kernels the model of time was fitted on. The times were recorded with
 * `ncu --csv --metrics gpu__time_duration.sum timing_kernels --marked`. `make predicted-error`
 * compares them with predictions.
 *
 *   timing_kernels [--list | --tiny | --marked | --size=N] [NAME | FROM-TO]
 *
 * --marked launches the kernel row_begins before each row, with a grid of the row's number + 1
 * blocks. This separates the rows in a list of launches.
 */
#include "../bench/bench.h"
#include <cstring>

struct Listed {
  const char *theme;
  Row row;
};
static std::vector<Listed> &table() {
  static std::vector<Listed> all;
  return all;
}
Rows::Rows(const char *theme, std::initializer_list<Row> rows) {
  for (const Row &row : rows)
    table().push_back({theme, row});
}
Shapes::Shapes(int, int, std::initializer_list<Shape>) {}
void Run::begin() {}
void Run::end(bool) {}

__global__ void row_begins() {}

static bool run_row(const Listed &listed, int number, int n, bool marked) {
  Run run(0);
  if (marked)
    row_begins<<<number + 1, 1>>>();
  listed.row.run(run, n);
  bool right = run.checked && !run.wrong;
  printf("%d\t%s\t%d\t%s\n", number, listed.row.name, n, right ? "right" : "WRONG");
  if (!right)
    printf("  [%zu] is %.9g, expected %.9g\n", run.first_wrong.at, run.first_wrong.is,
           run.first_wrong.expected);
  fflush(stdout);
  return right;
}

int main(int count, char **arguments) {
  bool list = false, tiny = false, right = true, marked = false;
  const char *only = NULL;
  size_t from = 0, to = SIZE_MAX;
  int size = 0;
  for (int i = 1; i < count; i++)
    if (!strcmp(arguments[i], "--list"))
      list = true;
    else if (!strcmp(arguments[i], "--tiny"))
      tiny = true;
    else if (!strcmp(arguments[i], "--marked"))
      marked = true;
    else if (sscanf(arguments[i], "--size=%d", &size) == 1)
      continue;
    else if (sscanf(arguments[i], "%zu-%zu", &from, &to) != 2)
      only = arguments[i];
  for (size_t i = from; i < table().size() && i <= to; i++) {
    const Listed &listed = table()[i];
    if (only && strcmp(only, listed.row.name))
      continue;
    if (list)
      printf("%zu\t%s\t%s\n", i, listed.row.name, listed.theme);
    else
      right = run_row(listed, (int)i,
                      size   ? size
                      : tiny ? listed.row.tiny
                             : listed.row.n,
                      marked) &&
              right;
  }
  return !right;
}
