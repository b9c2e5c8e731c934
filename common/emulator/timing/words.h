/* Finds 64-bit integer operations that need fewer machine instructions because a 32-bit word of an
 * operand is known. */
#ifndef TIMING_WORDS_H
#define TIMING_WORDS_H

#include "lowering.h"

/* Replaces the costs of such operations in LoweredFunction.ops. */
void narrow_words(LoweredFunction *);

#endif
