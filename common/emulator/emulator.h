/* The interface of the emulated device for programs that are aware of it.
 *
 * A CUDA program needs none of this: it calls the CUDA runtime API and links with libemulator.a in
 * place of cudart. The harness queries counters and names its buffers; the checker reads the log.
 *
 * Environment, read at the first runtime call:
 *   LOCKSTEP_WORKERS=n   host threads that run blocks; default: one per usable core
 *   LOCKSTEP_SEED=n      permutes the order of warps and blocks; 0, the default: ascending
 *   LOCKSTEP_ORDER=text  holds warps back, skips barriers, steps a block (state/order.h)
 *   LOCKSTEP_TAPE=path   records the warps' accesses, and memory after each launch (tape.h)
 *   LOCKSTEP_CARD=name   the emulated card (devices.def); default h200
 *   LOCKSTEP_CLOCK=mhz   clock of its multiprocessors, for predicted times; default: the card's
 *   LOCKSTEP_BANKS=4|8   width of a bank of shared memory in bytes; default: the card's
 *   LOCKSTEP_MEMORY=n    bytes of device memory; default: the card's. Programs get at most half of
 *                        the computer's memory
 *   LOCKSTEP_FAIL=n      makes the n-th call that may fail on a real device fail
 *                        (runtime/failures.c)
 *   LOCKSTEP_PRETEND=1   calls are checked and logged, but no memory is touched and no kernel runs
 *   LOCKSTEP_ZEROED=1    new device memory is zero instead of NaN, as is common on a GPU; reports
 *                        stay
 *   LOCKSTEP_CHECKS=0    no observers (bounds stay); for measuring what they cost
 *   LOCKSTEP_PREDICT=0   no predicted times; for measuring what they cost
 *   LOCKSTEP_SAMPLES_ONLY=1   runs only the blocks sampled for predicted times; results are wrong
 *   LOCKSTEP_LIMIT=n     branches one warp may execute in one launch before the kernel counts as
 *                        endless; default 100 million
 *   LOCKSTEP_LOG=path    appends every report and every kernel's counters there (JSON lines, below)
 *   LOCKSTEP_QUIET=1     reports are not printed on standard error
 * For untrusted programs and for replays (transcript/transcript.h):
 *   LOCKSTEP_TRANSCRIPT=n  the descriptor that a recorded program writes its transcript to
 *   LOCKSTEP_OBJECT=path   the student's object file, for a replay
 *   LOCKSTEP_REPLAY=path   a transcript; without one, a replay ends at the first function of the
 *                          student's
 *   LOCKSTEP_RECORDED=path the program that was recorded, for the lines of its host code
 *
 * The log: one JSON object per line, flushed at once, so a crash loses nothing.
 *   {"event":"start","pid":n,"seed":n,"workers":n,"card":"h200",
 *    "banks":4 (bytes of a bank's word),"bank_bytes":4 (delivered by a bank at once)}
 *   {"event":"report","kind":"race","severity":"error","kernel":"matmul",
 *    "sentence":"race on As, word 231","cause":"no barrier lies between the two: ...",
 *    "file":"labs/..","line":27,"thread":[7,3,0],"block":[0,0,0],"did":"wrote it","wrote":true,
 *    "other_file":..,"other_line":31,"other_thread":[7,9,0],"other_block":[0,0,0],
 *    "other_did":"read it","detail":"one more line",
 *    "space":"shared","buffer":"As","element":231,"row":7,"column":7,
 *    "bytes":n (that a copy, or a launch of dynamic shared memory, asked for),"bytes_there":n,
 *    "elements_before":n (of the buffer's first one),"argument":n (of the kernel, from 1 on)}
 *    (keys that do not apply are absent)
 *   {"event":"kernel","name":..,"launches":n,"grid":[x,y,z],"block":[x,y,z] (the first launch's),
 *    "shared_bytes":n (per block),
 *    "shared":[{"name":"As","offset":n,"bytes":n,"dynamic":false},..],
 *    "counters":{name:n,..},
 *    "registers":{"alive":n (at once),"left":n (by __launch_bounds__ and the card)},
 *    "accesses":[{"file":..,"line":..,"column":..,"op":"ld.global.f32","space":"global",
 *                 "parameter":0,"bytes":4 (of each lane),
 *                 "requests":n,"lanes":n,"sectors":n,"wavefronts":n,"ideal":n,"sample":{..}},..],
 *    "lines":[{"file":..,"line":..,"executed":n,"lanes":n},..],
 *    "predicted":{..}}                                                 at exit, one per kernel
 *   {"event":"predicted","kernel":..,"grid":[x,y,z],"block":[x,y,z],"launch":n (of this shape,
 *    from 1 on),"card":..,"us":n,"limit":..,"unknown":..}              at each sampled launch
 *   {"event":"copies","to_device":[{"bytes":n,"hash":"0123456789abcdef"},..],"to_host":[..],
 *    "shared":n (bytes of the largest managed or pinned buffer)}        at exit
 *   {"event":"calls","may_fail":n}   calls that may fail on a real device, at exit
 *   {"event":"failed","call":"cudaMemcpy","number":n (of its kind),"error":999}
 *                                                    the call of LOCKSTEP_FAIL
 *   {"event":"launch","kernel":..,"grid":[x,y,z],"block":[x,y,z],"dynamic_shared":n}
 *                                                    with LOCKSTEP_PRETEND, where no kernel runs
 *   {"event":"unreadable","why":..}: the program's device code, which ends it
 *   {"event":"host"}, {"event":"refused","why":..}, {"event":"host-made","written":n,"sent":n}
 *                    of a replay: it ended at a student's function that the transcript lacks;
 *                    it stopped; the number of elements that the host computed and wrote to the
 *                    output, or sent
 *   {"event":"end","reports":n,"live_allocations":n}                   at a regular exit
 * Report kinds and severities: observe/report_kinds.def. The kernels' numbers are those of the
 * whole run, regardless of emulator_reset_counters. "executed": warp instructions of the line;
 * "lanes": active lanes, summed over them.
 *
 * A sample is one request of an access to global or shared memory: that of the first launch, in it
 * of the earliest block (by linear index) and warp that execute the access, and of these the first.
 *   {"space":"global","block":[x,y,z],"warp":0,"threads":[x,y,z] (of a block),
 *    "offsets":[0,4,null,..],"elsewhere":n,
 *    "buffer":"A","buffer_bytes":n,"element":4,"rows":n,"columns":n,"sectors":n}        global, or
 *   {"space":"shared",...,"buffer":"As","element":4,"wavefronts":n,"ideal":n}           shared
 * "offsets": bytes from the beginning of the buffer or of the block's shared memory, one for each
 * of the 32 lanes; null: not active, or elsewhere. "elsewhere": active lanes in another buffer than
 * the first, or in none; absent: 0. "rows", "columns": where the buffer was given a shape.
 *
 * "predicted": the kernel's time on the card according to a model (timing/timing.h): the mean of
 * its launches, with cold caches before each, as Nsight Compute measures.
 *   {"card":"h200","us":12.3,
 *    "limit":"shared" (the busiest resource, or "latency" where none is busy half the time),
 *    "busy":{"issue":0.41,..} (every resource of timing/timing.def, 0 .. 1 of the time),
 *    "waits":{"selected":0.1,"long_scoreboard":0.6,..} (the stall reasons of resident warps, by
 *    Nsight Compute's names; shares of 1; those below 0.0005 are omitted),
 *    "occupancy":{"blocks":2,"warps":64,"of":64,"limit":"threads" (or registers, shared, blocks),
 *                 "achieved":61.5 (warps resident in the mean)},
 *    "registers":32 (of a thread, estimated),"spilled":0 (that did not fit),
 *    "waves":1.94 (blocks of an SM, in units of those resident at a time),
 *    "bytes":{"l2":n,"dram":n} (moved between SMs and L2, between L2 and DRAM),
 *    "lines":[{"file":..,"line":..,"share":0.3 (of the warps' time),"waits":{..} (as above; the sum
 *    over all lines is "waits")},..],
 *    "timeline":{"clocks":n (of a column),"warps":["..##llb",..]} (one SM, a row per warp slot,
 *    from the launch on: '#' issues, '.' empty, otherwise a letter for the stall reason:
 *    n not_selected, w wait, l long_scoreboard, s short_scoreboard, m math_pipe_throttle,
 *    q mio_throttle, g lg_throttle, b barrier, > branch_resolve; absent if there is none),
 *    "unknown":"atomics on one address meet" (an aspect of this kernel that the model does not
 *    cover, so the rest is less reliable; absent: none)}
 */
#ifndef EMULATOR_H
#define EMULATOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Counters of one kernel (or of all), summed over launches. The names are short forms of Nsight
 * Compute's: observe/counters.def has the full metric names and definitions. */
typedef struct EmulatorCounters {
#define COUNTER(name, metric, meaning) uint64_t name;
#include "observe/counters.def"
} EmulatorCounters;

/* The sum over every kernel launched since the start or the last reset; kernel NULL: all. Returns 0
 * if no such kernel was launched, otherwise 1. */
int emulator_counters(const char *kernel, EmulatorCounters *out);
void emulator_reset_counters(void);

/* The sum over the memory accesses of `kernel` through its parameter number `parameter` (-1: any).
 */
typedef struct EmulatorAccess {
  uint64_t load_requests, load_sectors, store_requests, store_sectors;
} EmulatorAccess;
int emulator_parameter_access(const char *kernel, int parameter, EmulatorAccess *out);

/* The prediction of the time model (timing/timing.h) for all launches since the start or the last
 * reset: the sum of their times in microseconds on the emulated card. Returns 0 if there were none,
 * otherwise 1. */
typedef struct EmulatorPrediction {
  double us;
  uint64_t launches;
  /* `limit`: "limit" of the log. For several kernels, that of the longest. Its error
   * (prediction_error.h) must be shown with the prediction. */
  const char *card, *limit;
  /* An aspect that the model does not cover, or NULL. */
  const char *unknown;
} EmulatorPrediction;
int emulator_predicted(const char *kernel, EmulatorPrediction *out);

/* The hash used in the log for copied bytes. Copies that are contiguous on the host or on the
 * device are one entry; the log has at most the 64 longest in each direction. */
uint64_t emulator_hash(const void *data, size_t bytes);

/* The number of reports so far, printed or not. */
uint64_t emulator_report_count(void);

/* Names the allocation that contains `address`. If columns is not 0, also sets a shape for
 * messages: elements of `element_bytes`, row-major. Does nothing for an address that is not the
 * device's. */
void emulator_name(const void *address, const char *name, size_t rows, size_t columns,
                   size_t element_bytes);

/* ---- host functions of untrusted programs (transcript/transcript.h)
 *
 * The harness brackets each call of such a function with emulator_host_enter and
 * emulator_host_leave, which returns the function's result, and first tells where the host has the
 * operands. Without a transcript these functions have no effect. emulator_host_replay replaces such
 * a call where the function does not exist. emulator_import and emulator_import_number return what
 * else the harness takes from the student's file. */
void emulator_host_enter(void);
int emulator_host_leave(int returned);
void emulator_operands_forget(void);
void emulator_operand(void *address, size_t bytes, size_t element, int is_output);
int emulator_host_replay(void);
void emulator_import(const void *stands_for, const char *kernel);
void emulator_import_number(int *number, const char *name);
/* Host code touched the device's memory. */
void emulator_host_fault(const void *address);

#ifdef __cplusplus
}
#endif
#endif
