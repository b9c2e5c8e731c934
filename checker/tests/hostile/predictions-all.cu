// Defines predictions that give several answers at the same time.
// expect: unwritten | prediction-no-number
#include "lab.h"
#define PREDICT_A_SECTORS_PER_REQUEST 1
#define PREDICT_A_SECTORS_PER_REQUEST 32
#undef PREDICT_B_SECTORS_PER_REQUEST
#define PREDICT_B_SECTORS_PER_REQUEST (8 / sizeof(real) * 0 + 1 + 1 + 1 + 1)
static int attack() { return 0; }
