/* What the machine tells the observers about accesses that are not right: each of these makes one
 * report. */
#ifndef OBSERVE_WATCH_H
#define OBSERVE_WATCH_H

#include "../machine/warp.h"

/* Fills in source line, thread and block of a lane. */
void watch_place(ReportPlace *, const Warp *, unsigned lane, uint32_t line);
/* An access of `bytes` at `address` (an offset in shared and local space) that is not inside any
 * memory. */
void watch_out_of_bounds(Warp *, const PtxInsn *, unsigned lane, PtxSpace, uint64_t address,
                         unsigned bytes);
void watch_misaligned(Warp *, const PtxInsn *, unsigned lane, PtxSpace, uint64_t address,
                      unsigned bytes);
/* `old`: the entry of the shadow that remembers the earlier access; `offset`: in shared memory. */
void watch_shared_race(Warp *, const PtxInsn *, unsigned lane, uint32_t offset, uint32_t old,
                       bool in_warp, bool wrote_before, bool writes_now, bool same_value);
/* The undefined value that came from `origin` (NULL: a register) is used at `line`: `use` says
 * what the thread did with it, "stored it". */
void watch_undefined(Warp *, const Origin *, unsigned lane, uint32_t line, const char *use);
void watch_global_race(Warp *, const PtxInsn *, unsigned lane, uint64_t address, uint64_t old_block,
                       uint32_t old_thread, uint32_t old_site, bool wrote_before, bool writes_now,
                       bool same_value);
void watch_endless(Warp *, uint32_t line, unsigned lane);
/* A store or an atomic operation on constant memory. */
void watch_constant_written(Warp *, const PtxInsn *, unsigned lane, uint64_t address,
                            unsigned bytes);
/* A lane executes a warp function whose mask does not name it; a shuffle reads from lane `source`,
 * which is not among those that take part. */
void watch_left_out(Warp *, const PtxInsn *, unsigned lane, uint32_t mask);
void watch_absent(Warp *, const PtxInsn *, unsigned lane, unsigned source, uint32_t present);
/* Anything else, at a line; `did`: what the thread did there. */
void watch_stop(Warp *, ReportKind, uint32_t line, unsigned lane, const char *did,
                const char *sentence);

/* The array of shared memory of a kernel that an address lies in or behind, and where it begins.
 * NULL: none. */
const PtxVariable *watch_shared_variable(const PtxModule *, const PtxFunction *kernel,
                                         uint64_t address, uint32_t *start);

#endif
