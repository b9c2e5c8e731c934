/* Functions that detect equal sequences of random numbers where a program probably expects
 * different sequences. */
#ifndef MORE_RANDOM_H
#define MORE_RANDOM_H

struct Warp;
struct PtxCall;
/* Implements the call that curand_init makes in kernels (include/curand_kernel.h). Its arguments
 * are seed, subsequence and offset. */
void call_curand_init(struct Warp *, const struct PtxCall *, unsigned lanes);
/* Called at the end of a grid. Forgets the sequences of the grid, because another grid may use the
 * same sequences. */
void random_grid_ended(void);
/* Reports that two generators of host code produce the same numbers. `call`: the API call that used
 * the second generator. */
void emulator_same_generators(const char *call);

#endif
