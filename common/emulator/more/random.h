/* Random numbers that are the same where a program takes them for different ones. */
#ifndef MORE_RANDOM_H
#define MORE_RANDOM_H

struct Warp;
struct PtxCall;
/* What curand_init calls in kernels (include/curand_kernel.h): seed, subsequence, offset. */
void call_curand_init(struct Warp *, const struct PtxCall *, unsigned lanes);
/* A grid has ended: another one may start the same sequences again. */
void random_grid_ended(void);
/* Two generators of the host make the same numbers. `call` makes those of the second. */
void emulator_same_generators(const char *call);

#endif
