/* The emulated device seen from outside: what a program that knows it runs on it may ask for.
 *
 * A CUDA program needs none of this: it calls the CUDA runtime API and links with libemulator.a in
 * place of cudart. The harness asks for counters and names its buffers; the checker reads the log.
 *
 * Environment, read at the first runtime call:
 *   LOCKSTEP_WORKERS=n   host threads that run blocks; default: one per usable core
 *   LOCKSTEP_SEED=n      permutes the order of warps and blocks; 0, the default: ascending
 *   LOCKSTEP_ORDER=text  holds warps back at chosen accesses, leaves out barriers (state/order.h)
 *   LOCKSTEP_TAPE=path   what the warps did, and what memory held after each launch (tape.h)
 *   LOCKSTEP_CARD=name   which card it is (devices.def); default h200
 *   LOCKSTEP_BANKS=4|8   width of a bank of shared memory in bytes, whatever the card has
 *   LOCKSTEP_MEMORY=n    bytes of device memory; default: the card's, of which programs get as many
 *                        as half of the computer's
 *   LOCKSTEP_FAIL=n      the n-th of the calls that may fail on a real device fails (runtime/failures.c)
 *   LOCKSTEP_PRETEND=1   calls are checked and logged, but no memory is touched and no kernel runs
 *   LOCKSTEP_ZEROED=1    new device memory is zero, as it often is on a GPU, instead of NaN; reports stay
 *   LOCKSTEP_CHECKS=0    no observers (bounds stay); for measuring what they cost
 *   LOCKSTEP_PREDICT=0   no predicted times; for measuring what they cost
 *   LOCKSTEP_SAMPLES_ONLY=1   only the blocks that predicted times are made from run; results are wrong
 *   LOCKSTEP_LIMIT=n     branches one warp may execute in one launch before the kernel counts as
 *                        endless; default 100 million
 *   LOCKSTEP_LOG=path    appends every report and every kernel's counters there (JSON lines, below)
 *   LOCKSTEP_QUIET=1     reports are not printed on standard error
 * Of strangers' programs and of replays (transcript/transcript.h):
 *   LOCKSTEP_TRANSCRIPT=n  the descriptor that a recorded program writes its transcript to
 *   LOCKSTEP_OBJECT=path   the student's object file, of a replay
 *   LOCKSTEP_REPLAY=path   a transcript; without one a replay ends where it comes to a function of the student's
 *   LOCKSTEP_RECORDED=path the program that was recorded, for the lines of its host code
 *
 * The log: one JSON object per line, flushed at once, so a crash loses nothing.
 *   {"event":"start","pid":n,"seed":n,"workers":n,"card":"h200",
 *    "banks":4 (bytes of the words that fall to the banks),"bank_bytes":4 (that a bank gives at once)}
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
 *   {"event":"copies","to_device":[{"bytes":n,"hash":"0123456789abcdef"},..],"to_host":[..],
 *    "shared":n (bytes of the largest managed or pinned buffer)}        at exit
 *   {"event":"calls","may_fail":n}   calls that may fail on a real device, at exit
 *   {"event":"failed","call":"cudaMemcpy","number":n (of its kind),"error":999}   the call of LOCKSTEP_FAIL
 *   {"event":"launch","kernel":..,"grid":[x,y,z],"block":[x,y,z],"dynamic_shared":n}
 *                                                    with LOCKSTEP_PRETEND, where no kernel runs
 *   {"event":"unreadable","why":..}: the program's device code, which ends it
 *   {"event":"host"}, {"event":"refused","why":..}, {"event":"host-made","written":n,"sent":n}
 *                    of a replay: it ended at a function of the student's, for which it has no transcript;
 *                    it did not go on; so many elements the host made and wrote into the output, or sent
 *   {"event":"end","reports":n,"live_allocations":n}                   at a regular exit
 * Report kinds and severities: observe/reports.def. The kernels' numbers are those of the whole run,
 * whatever emulator_reset_counters was asked to forget. "executed": warp instructions of the line;
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
 * "predicted": how long the kernel would take on the card, by a model (timing/timing.h): the mean of its launches,
 * caches cold before each, as Nsight Compute measures.
 *   {"card":"h200","us":12.3,
 *    "limit":"shared" (the busiest resource, or "latency" where none is busy half the time),
 *    "busy":{"issue":0.41,..} (every resource of timing/timing.def, 0 .. 1 of the time),
 *    "waits":{"selected":0.1,"long_scoreboard":0.6,..} (where the time of resident warps goes, by Nsight Compute's
 *    names; shares of 1, those below 0.0005 left out),
 *    "occupancy":{"blocks":2,"warps":64,"of":64,"limit":"threads" (or registers, shared, blocks),
 *                 "achieved":61.5 (warps resident in the mean)},
 *    "registers":32 (of a thread, estimated),"spilled":0 (that did not fit),
 *    "waves":1.94 (blocks of an SM, in units of those resident at a time),
 *    "bytes":{"l2":n,"dram":n} (moved between SMs and L2, between L2 and DRAM),
 *    "lines":[{"file":..,"line":..,"share":0.3 (of the warps' time),"waits":{..} (as above; over all lines they add
 *    up to "waits")},..],
 *    "timeline":{"clocks":n (of a column),"warps":["..##llb",..]} (one SM, a row for each warp place, from the
 *    launch on: '#' issues, '.' nobody there, else a letter for each wait: n not_selected, w wait,
 *    l long_scoreboard, s short_scoreboard, m math_pipe_throttle, q mio_throttle, g lg_throttle, b barrier,
 *    > branch_resolve; absent where there is none),
 *    "unknown":"atomics on one address meet" (what the model does not know of this kernel: believe
 *    the rest less; absent: nothing)}
 */
#ifndef EMULATOR_H
#define EMULATOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Counters of one kernel (or of all), summed over launches. Names are Nsight Compute's in short:
 * see observe/counters.def for the full metric names and definitions. */
typedef struct EmulatorCounters {
#define COUNTER(name, metric, meaning) uint64_t name;
#include "observe/counters.def"
} EmulatorCounters;

/* Sum over every kernel launched since the start or the last reset; kernel NULL: all. Returns 0
 * when no such kernel was launched, else 1. */
int emulator_counters(const char *kernel, EmulatorCounters *out);
void emulator_reset_counters(void);

/* Sum over the memory accesses of `kernel` through its parameter number `parameter` (-1: any). */
typedef struct EmulatorAccess {
  uint64_t load_requests, load_sectors, store_requests, store_sectors;
} EmulatorAccess;
int emulator_parameter_access(const char *kernel, int parameter, EmulatorAccess *out);

/* What the model of time says (timing/timing.h) of all launches since the start or the last reset: their time
 * together, in microseconds, on the card that the device is. Returns 0 when there were none, else 1. */
typedef struct EmulatorPrediction {
  double us;
  uint64_t launches;
  const char *card, *limit; /* "limit" of the log's; of several kernels, that of the longest */
  const char *unknown;      /* what the model does not know of it, or NULL */
} EmulatorPrediction;
int emulator_predicted(const char *kernel, EmulatorPrediction *out);
/* To be said wherever a prediction is shown. */
#define EMULATOR_PREDICTION_ERROR                                                                  \
  "within 10 % on half of the kernels new to it, 33 % on nine of ten"

/* The hash that the log has of bytes that were copied. Copies that continue one another, on the host
 * or on the device, are one entry of it; at most 64 each way, the longest. */
uint64_t emulator_hash(const void *data, size_t bytes);

/* Reports so far (all of them, printed or not). */
uint64_t emulator_report_count(void);

/* Gives the allocation that contains `address` a name and, when columns is not 0, a shape for
 * messages: elements of `element_bytes`, row-major. Does nothing for an address that is not the
 * device's. */
void emulator_name(const void *address, const char *name, size_t rows, size_t columns,
                   size_t element_bytes);

/* ---- functions of a stranger's on the host's side (transcript/transcript.h) ----------------------
 * The harness brackets each call of one, emulator_host_leave gives back what it returned; and says before where the host
 * has the operands. Without a transcript nothing comes of it. emulator_host_replay is such a call where there is no such
 * function; emulator_import and emulator_import_number give what else it takes from the student's file. */
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
