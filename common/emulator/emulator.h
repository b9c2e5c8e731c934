/* The interface of the emulated device for programs that use the device directly.
 *
 * An ordinary CUDA program does not need this header: it calls the CUDA runtime API and is linked
 * with libemulator.a instead of cudart. The harness queries counters and names its buffers. The
 * checker reads the log.
 *
 * Environment variables, which are read at the first runtime call:
 *   LOCKSTEP_WORKERS=n   number of host threads that run blocks; default: one per usable core
 *   LOCKSTEP_SEED=n      seed for the order of warps and blocks; 0, the default: ascending order
 *   LOCKSTEP_ORDER=text  prescribes an order: holds warps back, skips barriers, runs a block in
 *                        single steps (state/order.h)
 *   LOCKSTEP_TAPE=path   records the accesses of all warps, and memory after each launch (tape.h)
 *   LOCKSTEP_CARD=name   the emulated card (devices.def); default h200
 *   LOCKSTEP_CLOCK=mhz   clock of its multiprocessors, for predicted times; default: the card's
 *   LOCKSTEP_BANKS=4|8   width of a bank of shared memory in bytes; default: the card's
 *   LOCKSTEP_MEMORY=n    bytes of device memory; default: the card's. Programs get at most half of
 *                        the memory of the computer
 *   LOCKSTEP_FAIL=n      makes the n-th call that may fail on a real device fail
 *                        (runtime/failures.c)
 *   LOCKSTEP_PRETEND=1   calls are checked and logged, but no memory is touched and no kernel runs
 *   LOCKSTEP_ZEROED=1    new device memory is zero instead of NaN, as is common on a GPU. Reading
 *                        it is still reported
 *   LOCKSTEP_CHECKS=0    turns off the observers, to measure their cost. Bounds are still checked
 *   LOCKSTEP_PREDICT=0   turns off predicted times, to measure their cost
 *   LOCKSTEP_SAMPLES_ONLY=1   runs only the blocks sampled for predicted times; results are wrong
 *   LOCKSTEP_LIMIT=n     number of branches that a warp may execute in a launch. A kernel that
 *                        exceeds it is stopped as an endless loop; default 100 million
 *   LOCKSTEP_LOG=path    the log, to which reports and counters of kernels are appended (see below)
 *   LOCKSTEP_QUIET=1     does not print reports on standard error
 *   LOCKSTEP_STATUS=n    exit status of a program that would exit with 0 after a report of an error
 *   LOCKSTEP_KERNELS=p   PTX file that replaces the device code of the program, if this code
 *                        contains the first kernel of the file (runtime/registration.c)
 * For untrusted programs and for replays (transcript/transcript.h):
 *   LOCKSTEP_TRANSCRIPT=n  the file descriptor to which a recorded program writes its transcript
 *   LOCKSTEP_OBJECT=path   the student's object file, for a replay
 *   LOCKSTEP_REPLAY=path   the transcript to replay. Without it, a replay ends where it would call
 *                          the first function of the student
 *   LOCKSTEP_RECORDED=path the recorded program, from which reports get the lines of host code
 *
 * The log has one JSON object per line. Each line is flushed immediately, so that a crash loses
 * none.
 *   {"event":"start","pid":n,"seed":n,"workers":n,"card":"h200",
 *    "banks":4 (bytes of a bank's word),"bank_bytes":4 (that a bank delivers per wavefront)}
 *   {"event":"report","kind":"race","severity":"error","kernel":"matmul",
 *    "sentence":"race on As, word 231","cause":"no barrier lies between the two: ...",
 *    "file":"labs/..","line":27,"thread":[7,3,0],"block":[0,0,0],"did":"wrote it","wrote":true,
 *    "other_file":..,"other_line":31,"other_thread":[7,9,0],"other_block":[0,0,0],
 *    "other_did":"read it","detail":"one more line",
 *    "space":"shared","buffer":"As","element":231,"row":7,"column":7,
 *    "bytes":n (requested by a copy, or as dynamic shared memory by a launch),
 *    "bytes_there":n (size of the buffer),"elements_before":n (distance before its first element),
 *    "argument":n (number of the kernel's argument, from 1 on)}
 *    (keys that do not apply are absent)
 *   {"event":"kernel","name":..,"launches":n,"grid":[x,y,z],"block":[x,y,z] (the first launch's),
 *    "shared_bytes":n (per block),
 *    "shared":[{"name":"As","offset":n,"bytes":n,"dynamic":false},..],
 *    "counters":{name:n,..},
 *    "registers":{"alive":n (live at once),"left":n (limit of __launch_bounds__ and the card)},
 *    "accesses":[{"file":..,"line":..,"column":..,"op":"ld.global.f32","space":"global",
 *                 "parameter":0,"bytes":4 (per lane),
 *                 "requests":n,"lanes":n,"sectors":n,"wavefronts":n,"ideal":n,"sample":{..}},..],
 *    "lines":[{"file":..,"line":..,"executed":n,"lanes":n},..],
 *    "predicted":{..}}                                                 at exit, one per kernel
 *   {"event":"predicted","kernel":..,"grid":[x,y,z],"block":[x,y,z],"launch":n (number among the
 *    launches of this shape, from 1 on),"card":..,"us":n,"limit":..,"unknown":..}
 *                                                                      at each sampled launch
 *   {"event":"copies","to_device":[{"bytes":n,"hash":"0123456789abcdef"},..],"to_host":[..],
 *    "shared":n (bytes of the largest managed or pinned buffer)}        at exit
 *   {"event":"calls","may_fail":n}   number of calls that may fail on a real device; at exit
 *   {"event":"failed","call":"cudaMemcpy","number":n (among the calls of its kind),"error":999}
 *                                    the call that failed because of LOCKSTEP_FAIL
 *   {"event":"launch","kernel":..,"grid":[x,y,z],"block":[x,y,z],"dynamic_shared":n}
 *                                    a launch with LOCKSTEP_PRETEND, which runs no kernel
 *   {"event":"unreadable","why":..}  the device code cannot be read; the program ends
 *   {"event":"host"}                 a replay without a transcript ended at a student's function
 *   {"event":"refused","why":..}     a replay ended, because its transcript cannot be replayed
 *   {"event":"host-made","written":n,"sent":n}  in a replay: the number of elements that host code
 *                                    computed and wrote to the output, or sent to the device
 *   {"event":"end","reports":n,"live_allocations":n}                   at a regular exit
 * observe/report_kinds.def lists the kinds and severities of reports. The numbers in a "kernel"
 * event are sums over the whole run; emulator_reset_counters does not reset them. In "lines",
 * "executed" is the number of warp instructions that the line executed, and "lanes" is the sum of
 * their active lanes.
 *
 * A "sample" is one request of an access instruction to global or shared memory. It is taken in the
 * first launch in which the instruction is executed. It is the first request by the warp with the
 * lowest number, in the block with the lowest number, that executes the instruction.
 *   {"space":"global","block":[x,y,z],"warp":0,"threads":[x,y,z] (of a block),
 *    "offsets":[0,4,null,..],"elsewhere":n,
 *    "buffer":"A","buffer_bytes":n,"element":4,"rows":n,"columns":n,"sectors":n}        global, or
 *   {"space":"shared",...,"buffer":"As","element":4,"wavefronts":n,"ideal":n}           shared
 * "offsets": for each of the 32 lanes, the distance in bytes from the beginning of the buffer or of
 * the block's shared memory; null: the lane is not active, or accesses another buffer. "elsewhere":
 * the number of active lanes that access no buffer, or another buffer than the first active lane;
 * absent: 0. "rows" and "columns" are present only if the buffer has a shape (emulator_name).
 *
 * "predicted": the time of the kernel on the card according to a model (timing/timing.h). It is the
 * mean over the launches, with cold caches before each launch, as Nsight Compute measures.
 *   {"card":"h200","us":12.3,
 *    "limit":"shared" (the busiest resource; "latency" if no resource is busy half the time),
 *    "busy":{"issue":0.41,..} (every resource of timing/timing.def, 0 .. 1 of the time),
 *    "waits":{"selected":0.1,"long_scoreboard":0.6,..} (the stall reasons of resident warps, by
 *    Nsight Compute's names; shares of 1; those below 0.0005 are omitted),
 *    "occupancy":{"blocks":2,"warps":64,"of":64,"limit":"threads" (or registers, shared, blocks),
 *                 "achieved":61.5 (mean number of resident warps)},
 *    "registers":32 (per thread, estimated),"spilled":0 (registers that did not fit),
 *    "waves":1.94 (blocks per SM, divided by the blocks resident at a time),
 *    "bytes":{"l2":n,"dram":n} (moved between SMs and L2, between L2 and DRAM),
 *    "lines":[{"file":..,"line":..,"share":0.3 (of the warps' time),"waits":{..} (as above; the sum
 *    over all lines is "waits")},..],
 *    "timeline":{"clocks":n (per column),"warps":["..##llb",..]} (one SM, a row per warp slot,
 *    from the launch on: '#' issues, '.' empty, otherwise a letter for the stall reason:
 *    n not_selected, w wait, l long_scoreboard, s short_scoreboard, m math_pipe_throttle,
 *    q mio_throttle, g lg_throttle, b barrier, > branch_resolve; absent if there is none),
 *    "unknown":"atomics on one address meet" (an aspect of this kernel that the model does not
 *    cover, which makes the prediction less reliable; absent: none)} */
#ifndef EMULATOR_H
#define EMULATOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Counters of one kernel or of all kernels, summed over launches. The names are short forms of the
 * metric names in Nsight Compute. observe/counters.def has the full names and the definitions. */
typedef struct EmulatorCounters {
#define COUNTER(name, metric, meaning) uint64_t name;
#include "observe/counters.def"
} EmulatorCounters;

/* Stores the counters of a kernel, summed over its launches since the start or the last reset.
 * `kernel` NULL: the sum over all kernels. Returns 0 if no such kernel was launched, otherwise 1.
 */
int emulator_counters(const char *kernel, EmulatorCounters *out);
void emulator_reset_counters(void);

/* The accesses of `kernel` to global memory through its parameter number `parameter` (-1: through
 * any parameter), summed over its launches. */
typedef struct EmulatorAccess {
  uint64_t load_requests, load_sectors, store_requests, store_sectors;
} EmulatorAccess;
int emulator_parameter_access(const char *kernel, int parameter, EmulatorAccess *out);

/* The prediction of the time model (timing/timing.h) for all launches of a kernel since the start
 * or the last reset. `us`: the sum of the predicted times on the emulated card, in microseconds.
 * emulator_predicted returns 0 if there were no launches, otherwise 1. */
typedef struct EmulatorPrediction {
  double us;
  uint64_t launches;
  /* `limit`: as "limit" in the log. For the sum of several kernels, the limit of the kernel with
   * the longest time. The error for this limit (prediction_error.h) must be shown with the
   * prediction. */
  const char *card, *limit;
  /* An aspect of the kernel that the model does not cover, or NULL. */
  const char *unknown;
} EmulatorPrediction;
int emulator_predicted(const char *kernel, EmulatorPrediction *out);

/* Returns the hash that the log would contain for a copy of these bytes. In the log, copies that
 * are contiguous on the host or on the device are one entry. For each direction, the log has only
 * the longest entries, at most 64. */
uint64_t emulator_hash(const void *data, size_t bytes);

/* Returns the number of reports so far, including those that were not printed. */
uint64_t emulator_report_count(void);

/* Sets the name of the allocation that contains `address`, for reports. If `columns` is not 0, also
 * sets the shape of the allocation: a row-major matrix with elements of `element_bytes` bytes. Does
 * nothing if the address is not in device memory. */
void emulator_name(const void *address, const char *name, size_t rows, size_t columns,
                   size_t element_bytes);

/* ---- host functions of untrusted programs (transcript/transcript.h)
 *
 * A host function is a function of the student that runs on the host. The harness calls
 * emulator_operand for each operand, then emulator_host_enter, then the host function, and then
 * emulator_host_leave, which returns the result of the host function. These calls have an effect
 * only if the program is recorded. In a replay, which does not contain the host function, the
 * harness calls emulator_host_replay instead. emulator_import and emulator_import_number read a
 * kernel or a number from the student's object file. */
void emulator_host_enter(void);
int emulator_host_leave(int returned);
void emulator_operands_forget(void);
void emulator_operand(void *address, size_t bytes, size_t element, int is_output);
int emulator_host_replay(void);
void emulator_import(const void *stands_for, const char *kernel);
void emulator_import_number(int *number, const char *name);
/* Records that host code accessed device memory. */
void emulator_host_fault(const void *address);

#ifdef __cplusplus
}
#endif
#endif
