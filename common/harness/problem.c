/* Creates instances of a problem: computes shapes, generates inputs, and computes the right
 * answer. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

int problem_inputs(const Problem *problem) {
  int count = 0;
  while (problem->operands[count].name)
    count++;
  return count - 1;
}

int problem_sizes(const Problem *problem) {
  int count = 0;
  while (problem->size_names[count])
    count++;
  return count;
}

Shape operand_shape(const Problem *problem, const int *size, int operand) {
  if (problem->shape)
    return problem->shape(size, operand);
  const Operand *o = &problem->operands[operand];
  return (Shape){o->rows == ONE ? 1 : (size_t)size[o->rows],
                 o->columns == ONE ? 1 : (size_t)size[o->columns]};
}

size_t operand_bytes(const Instance *instance, int operand) {
  Shape shape = operand_shape(instance->problem, instance->size, operand);
  return shape.rows * shape.columns * instance->element_bytes;
}

const char *problem_misfit(const Problem *problem, const int *size, size_t element_bytes) {
  static char line[160];
  int output = problem_inputs(problem);
  double bytes = 0, physical = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  for (int i = 0; i <= output; i++) {
    Shape shape = operand_shape(problem, size, i);
    double count = (double)shape.rows * (double)shape.columns;
    /* The host stores the output three times: for the variant, for gold, and in the memory of the
     * emulated device. */
    bytes += count * ((double)element_bytes * 2 + (i == output ? sizeof(double) : 0));
    if (count > INT_MAX) {
      snprintf(line, sizeof line,
               "%s, %zu×%zu, has more elements than an int can count (%d): choose smaller sizes",
               problem->operands[i].name, shape.rows, shape.columns, INT_MAX);
      return line;
    }
  }
  if (bytes <= physical)
    return NULL;
  snprintf(
      line, sizeof line,
      "the matrices need %.1f GB of memory, but this computer has %.1f GB: choose smaller sizes",
      bytes / 1e9, physical / 1e9);
  return line;
}

static void *allocate(size_t bytes) {
  void *memory = malloc(bytes ? bytes : 1);
  if (!memory)
    die("out of memory: choose smaller sizes");
  return memory;
}

typedef struct FillTask {
  const Instance *instance;
  int operand;
  Shape shape;
} FillTask;

static void fill_line(size_t row, void *context) {
  const FillTask *task = context;
  const Instance *instance = task->instance;
  const Problem *problem = instance->problem;
  void *to = instance->operand[task->operand];
  const size_t columns = task->shape.columns, bytes = instance->element_bytes;
  if (!problem->fill)
    fill_row(&instance->recipe, task->operand, problem->operands[task->operand].linear, row,
             columns, to, bytes);
  for (size_t column = 0; column < columns && problem->fill; column++)
    element_set(to, bytes, row * columns + column,
                problem->fill(&instance->recipe, instance->size, task->operand, row, column));
}

Instance instance_make(const Problem *problem, const int *size, size_t element_bytes,
                       Recipe recipe) {
  Instance instance = {.problem = problem, .element_bytes = element_bytes, .recipe = recipe};
  memcpy(instance.size, size, sizeof instance.size);
  for (int i = 0; i < problem_inputs(problem); i++) {
    instance.operand[i] = allocate(operand_bytes(&instance, i));
    FillTask task = {&instance, i, operand_shape(problem, size, i)};
    threads_for(task.shape.rows, threads_usable(), fill_line, &task);
  }
  return instance;
}

void instance_gold(Instance *instance) {
  Shape shape = operand_shape(instance->problem, instance->size, problem_inputs(instance->problem));
  instance->gold = allocate(shape.rows * shape.columns * sizeof(double));
  instance->problem->gold(instance, instance->gold);
}

void instance_free(Instance *instance) {
  for (int i = 0; i < MAX_OPERANDS; i++)
    free(instance->operand[i]);
  free(instance->gold);
  *instance = (Instance){0};
}
