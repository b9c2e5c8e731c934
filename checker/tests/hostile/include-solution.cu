// Includes the solution by its absolute path.
// expect: not-compiled | file not found
#include "@ROOT@/solutions/01-naive/naive.cu"
static int attack() { return 0; }
