/* Prints the PTX that the device implements, one item per line: "operation add.f32", "special
 * %tid.x", "statement ld". common/make/measure/implemented.sh makes a table of these lines. */
#include <stdio.h>

#include "ptx/program.h"

int main(void) {
  for (unsigned op = 0; op < PTX_OP_COUNT; op++)
    printf("operation %s\n", ptx_op_name((PtxOp)op));
  for (unsigned i = 0; i < PTX_SPECIALS; i++)
    printf("special %s\n", ptx_special_name((PtxSpecial)i));
  for (size_t i = 0; ptx_statement_name(i); i++)
    printf("statement %s\n", ptx_statement_name(i));
  return 0;
}
