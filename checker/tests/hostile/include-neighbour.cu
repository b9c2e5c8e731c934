// Includes the solution by a relative path.
// expect: not-compiled | file not found
#include "../../solutions/01-naive/naive.cu"
static int attack() { return 0; }
