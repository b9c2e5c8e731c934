/* Detects equal random numbers that a program probably expects to differ. */
#ifndef MORE_RANDOM_H
#define MORE_RANDOM_H

struct Warp;
struct PtxCall;
/* Implements the call that curand_init makes in kernels (include/curand_kernel.h). Its arguments
 * are seed, subsequence and offset. */
void call_curand_init(struct Warp *, const struct PtxCall *, unsigned lanes);
/* Called at the end of a grid. Another grid may use the same sequences again. */
void random_grid_ended(void);
/* Reports that two generators of the host produce the same numbers. `call` produced those of the
 * second one. */
void emulator_same_generators(const char *call);

#endif
